//! Distributions of measures: not only means, but the frequency of each value.

use crate::cast;
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::measure::PlayedGame;
use super::merge::{Merge, merge_by_field};

/// Histograms over many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distributions {
    /// Points of a player.
    pub points: Histogram,
    /// Points of a winner.
    pub points_of_winner: Histogram,
    /// Difference in points between first and second; empty for a single player.
    pub margin: Histogram,
    /// Number of rounds of a game.
    pub rounds: Histogram,
    /// Number of questions with at least two options in a game.
    pub decisions: Histogram,
    /// Number of options of such a question.
    pub options: Histogram,
}

merge_by_field!(Distributions: points, points_of_winner, margin, rounds, decisions, options);

impl Distributions {
    /// Adds a game.
    pub fn add(&mut self, game: &PlayedGame) {
        for seat in 0..game.rows.len() {
            self.points.add(game.points(seat));
        }
        let ranking = game.ranking_of_sides();
        if let Some(&winner) = ranking.first() {
            self.points_of_winner.add(game.points_of_side(winner));
        }
        if let [winner, second, ..] = ranking.as_slice() {
            self.margin.add((game.points_of_side(*winner) - game.points_of_side(*second)).abs());
        }
        self.rounds.add(cast::fit::<i64>(game.rounds));
        self.decisions.add(cast::fit::<i64>(game.decisions));
        self.options.merge(&game.option_counts);
    }
}
