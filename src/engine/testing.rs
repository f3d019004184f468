//! A small table for tests, and games on it.

pub use houserule_ruleset::testing::*;

use super::Game;
use super::ruleset::Ruleset;

/// Creates a game in which all pieces lie in the pile.
pub(super) fn game(rules: &Ruleset) -> Game {
    Game::new(rules, 7)
}

/// Creates a game in which no checks run and these cards lie in dens. Each is given as the card, the seat that owns the den, and the slot.
pub(super) fn laid(rules: &Ruleset, cards: impl IntoIterator<Item = (usize, usize, usize)>) -> Game {
    let mut game = game(rules);
    game.memory.run.suppressed = 1;
    cards.into_iter().for_each(|(card, seat, slot)| game.lay(rules, card, DENS + seat, slot));
    game
}

/// The cards of a test: two in the first seat's den and two in the second's.
pub(super) const TWO_EACH: [(usize, usize, usize); 4] = [(3, 0, 2), (1, 0, 0), (0, 1, 1), (2, 1, 0)];

impl Game {
    /// Writes a value to a cell of the game.
    pub(super) fn put(&mut self, rules: &Ruleset, cell: usize, value: i64) {
        self.store(rules).put(cell, value).expect("a small number");
    }

    /// Moves a piece to a slot.
    pub(super) fn lay(&mut self, rules: &Ruleset, card: usize, place: usize, slot: usize) {
        super::moves::move_piece(&mut self.on(rules), card, place, slot).expect("a free slot");
    }
}
