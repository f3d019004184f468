//! How the seats stand, by points.

use serde::Serialize;

use super::words::DisplayNames;
use crate::agent::seat_name;
use crate::engine::{Game, Ruleset};

/// A seat with its place, as if the game ended now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatResult {
    /// Name of the seat.
    pub seat: String,
    /// Its place, from 1.
    pub place: usize,
    /// Its points.
    pub points: i64,
    /// The rows of its score, each with its name to be shown.
    pub rows: Vec<(String, i64)>,
}

/// Returns the seats by their places, the first one first.
pub fn seat_results(rules: &Ruleset, game: &mut Game, words: &DisplayNames) -> Vec<SeatResult> {
    let mut store = game.store(rules);
    let order = store.standing();
    let result = |(place, seat): (usize, usize)| {
        let rows = rules.score.iter().zip(store.score_rows(seat)).map(|((name, _), row)| (words.word_name(name), row)).collect();
        SeatResult { seat: seat_name(seat), place, points: store.score(seat), rows }
    };
    (1..).zip(order).map(result).collect()
}
