//! Games with a round in which nothing happened.

use serde::{Deserialize, Serialize};

use super::merge::Merge;
use crate::source::{Sources, Span};

/// Games with a round in which nothing happened: nobody was asked anything, and it left the state as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleGames {
    /// Number of these games.
    pub games: u64,
    /// The lowest seed of such a game.
    pub seed: u64,
    /// The first round in which nothing happened in that game.
    pub round: i32,
    /// Where the turns are declared in which nobody could do anything, or else where what is done in a round begins.
    pub span: Option<Span>,
}

impl Merge for IdleGames {
    fn merge(&mut self, other: &IdleGames) {
        let first = if other.seed < self.seed { *other } else { *self };
        *self = IdleGames { games: self.games + other.games, ..first };
    }
}

/// Games with a round in which nothing happened, as a report tells them.
#[derive(Clone, Debug, Serialize)]
pub struct IdleRounds {
    /// Number of these games.
    pub games: u64,
    /// The seed of one of them.
    pub seed: u64,
    /// The first round in which nothing happened in that game.
    pub round: i32,
    /// File, line and column of the turns in which nobody could do anything, or else of what is done first in a round.
    pub place: Option<String>,
}

impl IdleRounds {
    /// Describes games with such a round.
    pub fn of_games(idle: &IdleGames, sources: &Sources) -> IdleRounds {
        IdleRounds { games: idle.games, seed: idle.seed, round: idle.round, place: idle.span.map(|span| sources.place(span)) }
    }
}
