//! Save, load, clone and continue in the middle of a card's effect, with a card drawn before each question; and questions within
//! long loops.

use crate::support::{folder, host, manifest, nations, rules_of, text_with};
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use houserule::script::ScriptHost;
use std::sync::Arc;

/// What the card sets off draws, asks, draws again and asks again.
const RULES: &str = r#"
effect oracle {
  draw from events[age] to aside
  player chooses { each card in aside { gain 1 + card.famine food } "stone" { gain 1 stone } }
  draw from events[age] to aside
  player chooses { each card in aside { gain 1 + card.architects gold } "book" { gain 1 book } }
  remove cards in aside
}
effect asker {
  gain 1 gold
  player chooses { "gold" { gain 1 food } "stone" { gain 1 stone } }
  lose 1 gold
  player chooses { "gold" { gain 1 gold } "book" { gain 1 book } }
}
"#;

const CARD: &str = r#"
[[card]]
id = "wolf_oracle"
name = "Wolf Oracle"
kind = "advisor"
age = 1
set = "base"
source = "original"
text = "At WHEN it draws, asks, draws again and asks again."

[[card.on]]
when = "WHEN"
do = "EFFECT(me)"
"#;

/// The card hears this moment, and lies before the second player.
fn rules(when: &str, effect: &str) -> Arc<Ruleset> {
    let card = CARD.replace("WHEN", when).replace("EFFECT", effect);
    let pack = folder(&[("pack.toml", &manifest("oracle", "nations")), ("rules/own.rules", RULES), ("cards/own.toml", &card)]);
    let (sources, text) = text_with(&[pack.path().to_path_buf()], &[]);
    let deal = vec![("wolf_oracle".to_string(), Some(1))];
    rules_of(&sources, &text, &Setup { players: 3, deal, ..Setup::default() })
}

/// Plays on, passing and taking the last option of everything else.
fn finish(game: &mut Game, rules: &Ruleset, scripts: &mut ScriptHost) -> u64 {
    while let Some(decision) = game.on(rules).advance(scripts).expect("no fault").cloned() {
        let pass = decision.options.iter().position(|o| o.text(rules) == "pass");
        game.on(rules).answer(scripts, pass.unwrap_or(decision.options.len() - 1)).expect("no fault");
    }
    game.hash()
}

/// A clone, a reloaded save and the game itself stand at the same question and come to the same end.
fn goes_on_alike(game: &Game, rules: &Arc<Ruleset>, scripts: &mut ScriptHost) {
    let mut clone = game.clone();
    let mut loaded = Game::new(rules, 1);
    loaded.on(rules).load(&mut host(rules), &game.save()).expect("it loads");
    assert_eq!((clone.hash(), loaded.hash()), (game.hash(), game.hash()));
    assert_eq!(loaded.decision(), game.decision());
    assert_eq!(loaded.save(), game.save());
    for option in 0..2 {
        let (mut x, mut y) = (clone.clone(), loaded.clone());
        x.on(rules).answer(scripts, option).expect("no fault");
        y.on(rules).answer(scripts, option).expect("no fault");
        assert_eq!((x.hash(), x.decision()), (y.hash(), y.decision()));
    }
    assert_eq!(finish(&mut clone, rules, scripts), finish(&mut loaded, rules, scripts));
    // An imagined state keeps what was drawn: the same cards are offered.
    let mut imagined = Game::new(rules, 2);
    game.view(rules).expect("a question is open").imagine(rules, scripts, 99, &mut imagined).expect("no fault");
    assert_eq!(imagined.decision().map(|d| &d.options), game.decision().map(|d| &d.options));
    imagined.on(rules).answer(scripts, 0).expect("no fault");
}

#[test]
fn a_game_goes_on_alike_from_the_middle_of_a_cards_question() {
    // Production is in a block in which all act at once; passing is an action.
    for (when, effect) in [("production", "asker"), ("passed", "oracle")] {
        let rules = rules(when, effect);
        let mut scripts = host(&rules);
        let mut game = Game::new(&rules, 77);
        let mut met = 0;
        while let Some(decision) = game.on(&rules).advance(&mut scripts).expect("no fault").cloned() {
            let offered = |key: &str| game.find_option(&rules, key).is_some();
            if decision.seat == 1 && (offered("choose book") || offered("choose stone")) && offered("choose stone") == (met % 2 == 0) {
                met += 1;
                goes_on_alike(&game, &rules, &mut scripts);
            }
            if met == 4 {
                break;
            }
            let pass = decision.options.iter().position(|o| o.text(&rules) == "pass");
            game.on(&rules).answer(&mut scripts, pass.unwrap_or(0)).expect("no fault");
        }
        assert_eq!(met, 4, "both questions of the card were met twice, after {when}");
    }
}

#[test]
fn a_saved_state_of_other_rules_is_refused() {
    let (rules, other) = (nations(2), nations(3));
    let mut game = Game::new(&rules, 1);
    let saved = Game::new(&other, 1).save();
    for saved in [&saved[..], &[], &[5], &[2, 1], &[i32::MIN, 0], &saved[..saved.len() - 1]] {
        let fault = game.on(&rules).load(&mut host(&rules), saved).expect_err("refused");
        assert!(fault.message.contains("none of these rules"), "{fault}");
    }
}

#[test]
fn a_question_in_a_long_loop_is_answered_in_constant_time() {
    let loops = "extend maintenance.growth { repeat 10000 { each player { player chooses { \"left\" { gain 1 gold } \"right\" { gain 1 stone } } } } }";
    let (sources, text) = text_with(&[], &[loops]);
    let rules = rules_of(&sources, &text, &Setup { players: 2, ..Setup::default() });
    let mut scripts = host(&rules);
    let mut game = Game::new(&rules, 5);
    let mut answered = 0;
    let (mut early, mut saved) = (None, None);
    while let Some(decision) = game.on(&rules).advance(&mut scripts).expect("no fault") {
        let in_loop = decision.options.iter().any(|option| option.text(&rules) == "choose left");
        answered += u32::from(in_loop);
        match answered {
            10 => early = early.or(Some(game.save().len())),
            15_000 if saved.is_none() => {
                goes_on_alike(&game, &rules, &mut scripts);
                saved = Some(game.save());
            }
            _ => {}
        }
        if game.round() > 1 {
            break;
        }
        let option = if in_loop { answered as usize % 2 } else { game.find_option(&rules, "pass").unwrap_or(0) };
        game.on(&rules).answer(&mut scripts, option).expect("no fault");
    }
    assert_eq!(answered, 20_000);
    // Nothing piles up from answer to answer that could make the next one dearer.
    assert_eq!(early, saved.as_ref().map(Vec::len));
    let mut loaded = Game::new(&rules, 0);
    loaded.on(&rules).load(&mut scripts, &saved.expect("met")).expect("it loads");
    for number in 15_000..=20_000 {
        loaded.on(&rules).advance(&mut scripts).expect("no fault");
        loaded.on(&rules).answer(&mut scripts, number % 2).expect("no fault");
    }
    while loaded.round() <= 1 {
        loaded.on(&rules).advance(&mut scripts).expect("no fault");
        if loaded.round() <= 1 {
            let pass = loaded.find_option(&rules, "pass").unwrap_or(0);
            loaded.on(&rules).answer(&mut scripts, pass).expect("no fault");
        }
    }
    assert_eq!(loaded.hash(), game.hash());
}
