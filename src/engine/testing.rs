//! A small table for tests, and games on it.

pub use houserule_ruleset::testing::*;

use super::Game;
use super::ruleset::Ruleset;

/// A game in which all pieces lie in the pile.
pub(super) fn game(rules: &Ruleset) -> Game {
    Game::new(rules, 7)
}

impl Game {
    /// Writes a cell of a seat.
    pub(super) fn put_own(&mut self, rules: &Ruleset, seat: usize, offset: usize, value: i64) {
        self.put(rules, rules.layout.seat(seat, offset), value).expect("a small number");
    }

    /// Moves a piece to a slot.
    pub(super) fn lay(&mut self, rules: &Ruleset, card: usize, place: usize, slot: usize) {
        self.move_piece(rules, card, place, slot).expect("a free slot");
    }
}
