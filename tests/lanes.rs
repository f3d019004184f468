//! Conditions that begin with a row, a column or what is printed on a space: generated code looks only where they can hold, and comes to what a
//! walk over all comes to.

use crate::laws::all_nodes_agree;
use crate::support::{folder, game_text, host, play};
use houserule::engine::Game;
use houserule::engine::native::Native;
use houserule::state::chance::join;
use std::sync::Arc;

/// Cards come and go in a grid, and spaces of a board are owned; rows and columns are asked for in every order, and where none are.
const RULES: &str = r#"game lanes "Lanes"
players 2

board wall 3 by 4 { counter owner of player }
table { deck pile of disc; grid field 3 by 4; counter turns_taken }
player { counter took }
kind disc { weight: number }

setup { order at random; fill field from pile }
rounds 8 of play

phase play {
  turns in order until turn == players, skipping who cannot act
  action take card in cards in field {
    does {
      took += 1 + count field where column of card == took and row of card == 2
      turns_taken += 1
      remove card
      each c in cards in field where column of card == turns_taken and card.weight == 3 { remove c }
    }
  }
  action claim s in wall where column of s == 1 + turns_taken and s.owner is nobody { does { s.owner = me } }
  action claim_row s in wall where row of s == took and s.owner is nobody { does { s.owner = me } }
}

score {
  "row" = count field where row of card == 2
  "column" = count field where column of card == took
  "slot" = sum card.weight of field where column of card == took and row of card == 2
  "turned" = highest card.weight of field where 1 + took == row of card and column of card == 3 and card.weight > 1
  "within" = count field row 1 where column of card == took
  "twice" = count field where column of card == 2 and column of card == took
  "beyond" = count field where row of card == took - 1 and column of card == (5 - took)
  "divided" = count field where row of card == 2 and 12 / took >= card.weight
  "wall" = count wall where row of card == 2 and column of card == took and card.owner == me
  "marked" = count wall where column of card == 3 and card.owner == me
  "wall row" = count wall row 2 where column of card == took and card.owner is nobody
  "any" = if any wall where took == column of card and card.owner is nobody then 1 else 0
}
"#;

const CARDS: &str = r#"[[card]]
kind = "disc"
id = "light"
name = "Light"
weight = 1
copies = 8

[[card]]
kind = "disc"
id = "heavy"
name = "Heavy"
weight = 3
copies = 8
"#;

#[test]
fn what_is_found_in_a_lane_is_what_is_found_among_all() {
    let folder = folder(&[("rules/lanes.rules", RULES), ("cards/lanes/discs.toml", CARDS)]);
    let (_, _, rules) = game_text(folder.path(), "lanes", 2);
    let native = Arc::new(Native::compile_all(&rules).expect("code for all expressions"));
    let mut by_code = 0;
    for seed in 0..40 {
        let mut by_way = Vec::new();
        for native in [None, Some(native.clone())] {
            let mut questions = Vec::new();
            let (game, _) = play(&rules, &mut host(&rules), seed, |game: &mut Game, _, number| {
                if number == 0 {
                    game.use_native(&rules, native.clone());
                }
                by_code += all_nodes_agree(&rules, game, join(seed, number), 0, 1);
                questions.push(game.decision().cloned());
            });
            by_way.push((game.hash(), questions));
        }
        assert_eq!(by_way[0], by_way[1], "seed {seed}");
    }
    assert!(by_code > 80_000, "only {by_code} values by generated code");
}
