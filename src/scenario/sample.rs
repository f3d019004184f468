//! A small game for the tests of this crate, with what a test adds to its set-up.

use crate::engine::{Game, NoScripts, Ruleset};
use crate::lang::Setup;
use crate::lang::sample::compiled;

const RULES: &str = r#"
game sample "Sample"
players 2 to 4
table { deck pile of wolf, wall; grid row 2 by 2; counter moon }
player {
  resource wisp, fog
  place den of wolf, wall: 3, room 5
  each round { flag passed }
}
kind wolf { slot den; height: number }
kind wall { slot den; height: number }
zone play = den
hearing play
stat howl = sum card.height of my den
setup { each player { gain 3 wisp; gain 3 fog }; {setup} }
rounds 2 of roam
phase roam {
  turns in order until all have passed
  action fetch card in row { cost card.height wisp; does { place card in its slot } }
  action pass { does { passed = yes } }
}
score { "wisps" = wisp }
wins highest score, then order
"#;

/// Compiles the game for this number of players, with the text `setup` added at the end of its set-up.
pub fn rules(players: usize, setup: &str) -> Ruleset {
    let cards = ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].iter().enumerate().map(|(index, id)| {
        let kind = id.split('_').nth(1).unwrap_or("wolf");
        format!("[[card]]\nid = \"{id}\"\nkind = \"{kind}\"\nheight = {}\n", index % 3)
    });
    compiled(&RULES.replace("{setup}", setup), &cards.collect::<String>(), &Setup { players, ..Setup::default() })
}

/// Returns the rules and a game of two players with a filled row, at the first question.
pub fn game_with_filled_row() -> (Ruleset, Game) {
    let rules = rules(2, "fill row from pile");
    let mut game = Game::new(&rules, 1);
    assert!(game.on(&rules).advance(&mut NoScripts).is_ok());
    (rules, game)
}
