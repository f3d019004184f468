//! A small game for tests of higher crates: seats fetch cards from a row into their dens, or pass.
use crate::compile::GameText;
use crate::engine::ruleset::Ruleset;
use crate::sample::{compiled_as, text_of};
use crate::setup::Setup;

/// `{gain}` is replaced by an expression for the amount that the better of two words gives.
const RULES: &str = r#"
game toy "Toy"
players 2 to 3
table {
  deck pile of wolf, wall
  grid row 1 by 6
  counter moon
}
player {
  resource wisp
  place den of wolf, wall: 9, room 9
  each round { flag passed }
}
kind wolf { slot den; height: number }
kind wall { slot den; height: number }
zone play = den
hearing play
setup { fill row from pile }
rounds 3 of roam
phase roam {
  turns in order until all have passed, 1 each
  action fetch card in row {
    does {
      place card in its slot
      moment howl(card)
      player chooses {
        "one" { gain 1 wisp }
        "two" { gain {gain} wisp }
      }
    }
  }
  action pass { does { passed = yes } }
  free action waste { cost 1 wisp; does { lose 0 wisp } }
  step again { fill row from pile; all players { gain 1 wisp } }
}
score {
  "wisps" = wisp
  "den" = sum card.height of my den
}
wins highest score, then order
worth = score
"#;

/// Compiles the test game for a number of players.
pub fn toy(players: usize) -> Ruleset {
    toy_with(players, "2", "")
}

/// Compiles the test game with another expression for the amount gained, and with an additional entry on its first card.
pub fn toy_with(players: usize, gain: &str, entry: &str) -> Ruleset {
    compile_toy(RULES.replace("{gain}", gain), entry, &Setup { players, ..Setup::default() })
}

/// Compiles the test game with a part of its rules replaced: the text `was` by the text `now`.
pub fn toy_instead(players: usize, was: &str, now: &str) -> Ruleset {
    compile_toy(changed(&[(was, now)]), "", &Setup { players, ..Setup::default() })
}

/// Compiles the test game with additional rules and a given set-up.
pub fn toy_set_up(more: &str, setup: &Setup) -> Ruleset {
    compile_toy(changed(&[]) + more, "", setup)
}

/// Returns the source of the test game with parts replaced, not compiled, so that tests can change its cards.
pub fn toy_text(changes: &[(&str, &str)]) -> GameText {
    text_of("toy", &changed(changes), &cards("")).1
}

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(RULES.replace("{gain}", "2"), |rules, (was, now)| {
        assert!(rules.contains(was), "{was}");
        rules.replace(was, now)
    })
}

fn compile_toy(rules: String, entry: &str, setup: &Setup) -> Ruleset {
    compiled_as("toy", &rules, &cards(entry), setup)
}

/// Returns the cards, of which the first has an additional entry.
fn cards(entry: &str) -> String {
    let mut cards = String::new();
    for (index, id) in ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].iter().enumerate() {
        let kind = if index < 2 { "wolf" } else { "wall" };
        cards.push_str(&format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"{kind}\"\nheight = {index}\n"));
        if index == 0 {
            cards.push_str(entry);
        }
    }
    cards
}
