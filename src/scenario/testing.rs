//! A position for the tests of this crate.

use crate::engine::{Game, NoScripts, Ruleset};
use crate::lang::testing::roam;

/// Returns the rules and a game of two players with a filled row, at the first question.
pub fn game_with_filled_row() -> (Ruleset, Game) {
    let rules = roam(2, "fill row from pile");
    let mut game = Game::new(&rules, 1);
    assert!(game.on(&rules).advance(&mut NoScripts).is_ok());
    (rules, game)
}
