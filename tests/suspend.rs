//! Save, load, clone and continue in the middle of a card's question, with a draw before the question.

use crate::support::{host, rules_of, text_with};
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use houserule::script::ScriptHost;
use std::sync::Arc;

/// A card whose script rolls, asks twice with another roll between, and gains what came of it.
const CARD: &str = r#"
[[card]]
id = "wolf_oracle"
name = "Wolf Oracle"
kind = "advisor"
age = 1
set = "base"
source = "original"
text = "At production it throws, asks, throws again and asks again."

[[card.on]]
when = "production"
do = """
let first = random(100);
gain(me, gold, first);
let answer = choose([stone, food]);
let second = random(100);
gain(me, answer, second);
let last = choose([gold, book]);
gain(me, last, first + second);
"""
"#;

fn rules() -> Arc<Ruleset> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("pack.toml"), "name = \"oracle\"\nversion = \"1\"\nlanguage = 1\nextends = \"nations\"\n")
        .expect("written");
    std::fs::create_dir_all(folder.path().join("cards")).expect("made");
    std::fs::write(folder.path().join("cards/oracle.toml"), CARD).expect("written");
    let (sources, text) = text_with(&[folder.path().to_path_buf()], &[]);
    let deal = vec![("wolf_oracle".to_string(), Some(1))];
    rules_of(&sources, &text, &Setup { players: 3, deal, ..Setup::default() })
}

/// Plays on, passing and taking the last option of everything else.
fn finish(game: &mut Game, rules: &Ruleset, scripts: &mut ScriptHost) -> u64 {
    while let Some(decision) = game.advance(rules, scripts).expect("no fault").cloned() {
        let pass = decision.options.iter().position(|o| o.text(rules) == "pass");
        game.answer(rules, scripts, pass.unwrap_or(decision.options.len() - 1)).expect("no fault");
    }
    game.hash()
}

#[test]
fn a_game_goes_on_alike_from_the_middle_of_a_cards_question() {
    let rules = rules();
    let mut scripts = host(&rules);
    let mut game = Game::new(&rules, 77);
    let mut second = false;
    let mut met = 0;
    while let Some(decision) = game.advance(&rules, &mut scripts).expect("no fault").cloned() {
        let question = decision.question.text(&rules);
        if question == "wolf_oracle.choose" {
            met += 1;
            let hash = game.hash();
            // A clone, a reloaded save and the game itself stand at the same question and come to the same end.
            let mut clone = game.clone();
            let mut loaded = Game::new(&rules, 1);
            loaded.load(&rules, &mut host(&rules), game.cells()).expect("it loads");
            assert_eq!((clone.hash(), loaded.hash()), (hash, hash));
            assert_eq!(loaded.decision(), game.decision());
            assert_eq!(loaded.shown(), game.shown(), "the state at the question is rebuilt, with what was rolled before it");
            let gained = game.value_of(&rules, decision.seat, "gold");
            assert_eq!(loaded.value_of(&rules, decision.seat, "gold"), gained);
            for (a, b) in [(0, 0), (1, 1)] {
                let (mut x, mut y) = (clone.clone(), loaded.clone());
                x.answer(&rules, &mut scripts, a).expect("no fault");
                y.answer(&rules, &mut scripts, b).expect("no fault");
                assert_eq!(x.hash(), y.hash());
                assert_eq!(x.decision(), y.decision());
            }
            let ends = [finish(&mut clone, &rules, &mut scripts), finish(&mut loaded, &rules, &mut scripts)];
            assert_eq!(ends[0], ends[1]);
            // An imagined state keeps what was already rolled: the same gold lies there at the question.
            let view = game.view(&rules).expect("a question is open");
            let mut imagined = Game::new(&rules, 2);
            view.imagine(&rules, &mut scripts, 99, &mut imagined).expect("no fault");
            assert_eq!(imagined.value_of(&rules, decision.seat, "gold"), gained);
            assert_eq!(imagined.decision().map(|d| &d.options), game.decision().map(|d| &d.options));
            second = !second;
            if !second {
                break;
            }
        }
        let pass = decision.options.iter().position(|o| o.text(&rules) == "pass");
        game.answer(&rules, &mut scripts, pass.unwrap_or(0)).expect("no fault");
    }
    assert_eq!(met, 2, "both questions of the card were met");
}
