//! A small table for tests, and games on it.

pub use houserule_ruleset::testing::*;

use super::Game;
use super::ruleset::Ruleset;

/// A game in which all pieces lie in the pile.
pub(super) fn game(rules: &Ruleset) -> Game {
    Game::new(rules, 7)
}

impl Game {
    /// Writes a cell.
    pub(super) fn put(&mut self, rules: &Ruleset, cell: usize, value: i64) {
        self.on(rules).put(cell, value).expect("a small number");
    }

    /// Writes a cell of a seat.
    pub(super) fn put_own(&mut self, rules: &Ruleset, seat: usize, offset: usize, value: i64) {
        self.put(rules, rules.layout.seat(seat, offset), value);
    }

    /// Moves a piece to a slot.
    pub(super) fn lay(&mut self, rules: &Ruleset, card: usize, place: usize, slot: usize) {
        super::moves::move_piece(&mut self.on(rules), card, place, slot).expect("a free slot");
    }

    /// From now on no checks run.
    pub(super) fn hold_checks(&mut self) {
        self.memory.run.suppressed = 1;
    }
}
