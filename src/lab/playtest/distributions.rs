//! How what is measured of games spreads: not only means, but how often each value came up.

use crate::cast;
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::measure::Played;

/// Histograms of many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distributions {
    /// Points of a player.
    pub points: Histogram,
    /// Points of who won.
    pub points_of_winner: Histogram,
    /// Points between first and second; nothing where one plays alone.
    pub margin: Histogram,
    /// Rounds of a game.
    pub rounds: Histogram,
    /// Questions with at least two options in a game.
    pub decisions: Histogram,
    /// Options of such a question.
    pub options: Histogram,
}

impl Distributions {
    /// Takes in a game.
    pub fn add(&mut self, game: &Played) {
        for seat in 0..game.rows.len() {
            self.points.add(game.points(seat));
        }
        if let Some(&winner) = game.standing.first() {
            self.points_of_winner.add(game.points(winner));
        }
        if let [winner, second, ..] = game.standing.as_slice() {
            self.margin.add((game.points(*winner) - game.points(*second)).abs());
        }
        self.rounds.add(cast::fit::<i64>(game.rounds));
        self.decisions.add(cast::fit::<i64>(game.decisions));
        self.options.merge(&game.widths);
    }

    /// Takes in all that other games have.
    pub fn merge(&mut self, other: &Distributions) {
        let Distributions { points, points_of_winner, margin, rounds, decisions, options } = other;
        self.points.merge(points);
        self.points_of_winner.merge(points_of_winner);
        self.margin.merge(margin);
        self.rounds.merge(rounds);
        self.decisions.merge(decisions);
        self.options.merge(options);
    }
}
