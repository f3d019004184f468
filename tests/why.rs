//! Law: every derived value and every refusal is explained, and the parts of each explanation make its value, which is the engine's.

use crate::support::{Ran, SMALL, folder, host, loaded, play, root, run_in};
use houserule::engine::eval::Env;
use houserule::engine::node::Called;
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use houserule::why::{DetailLevel, Explanation, Why, WhyAnswer};
use std::path::{Path, PathBuf};

/// A game that is asked about.
fn opened(root: &Path, name: &str, setup: &Setup, packs: &[PathBuf]) -> Why {
    let (sources, text) = loaded(root, name, packs, &[]);
    let mut diagnostics = Vec::new();
    let why = Why::open(&sources, &text, setup, &mut diagnostics).expect("the game compiles");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    why
}

fn small(name: &str) -> Why {
    let players = SMALL.iter().find(|small| small.0 == name).map_or(2, |small| small.1);
    opened(&root().join("tests/games"), name, &Setup { players, ..Setup::default() }, &[])
}

fn nations(players: usize) -> Why {
    opened(root(), "nations", &Setup { players, ..Setup::default() }, &[])
}

/// The value is the engine's, and the parts make it, however deep.
fn holds_together(told: &Explanation, value: i64, what: &str) {
    assert_eq!(told.value, value, "{what}");
    parts_make_it(told, what);
}

fn parts_make_it(told: &Explanation, what: &str) {
    if let Some(first_mismatch) = told.first_mismatch() {
        panic!("{what}: {first_mismatch:#?} comes to {:?}", first_mismatch.recount());
    }
}

fn values_are_explained(why: &mut Why, rules: &Ruleset, game: &mut Game) -> usize {
    let subjects = why.subjects(game, 0);
    let mut count = 0;
    for seat in 0..rules.players {
        for name in subjects.quantities.iter().chain(&subjects.definitions) {
            let Some(signature) = rules.signatures.iter().find(|signature| signature.name == *name) else { continue };
            let value = match signature.called {
                Called::Quantity(index) => game.store(rules).quantity(index, seat, [-1; 2]),
                Called::Expression(node) => game.store(rules).eval(node, &mut Env::for_seat(seat)),
                _ => continue,
            };
            let told = why.explain_value(game, seat, name).unwrap_or_else(|wrong| panic!("{name} of p{}: {wrong:?}", seat + 1));
            holds_together(&told, value, name);
            count += 1;
        }
        for (row, value) in game.store(rules).score_rows(seat).into_iter().enumerate() {
            let name = &format!("\"{}\"", rules.score[row].0);
            holds_together(&why.explain_value(game, seat, name).expect("a row of the score"), value, name);
            count += 1;
        }
        let points = game.store(rules).score(seat);
        if !rules.score.is_empty() {
            holds_together(&why.explain_value(game, seat, "score").expect("points"), points, "score");
        }
    }
    count
}

/// What is offered has nothing against it; what is not has at least one thing against it, which is explained.
fn refusals_are_explained(why: &mut Why, rules: &Ruleset, game: &Game) -> usize {
    let decision = game.decision().expect("a question is open").clone();
    let offered: Vec<String> = decision.options.iter().map(|option| option.text(rules)).collect();
    let mut known = why.known_options(game, decision.seat);
    known.extend(offered.iter().filter(|key| !known.contains(key)).cloned().collect::<Vec<_>>());
    let mut refused = 0;
    for key in known {
        // Tokens and payments have no words that another question could know.
        let told = why.explain_option(game, decision.seat, &key).unwrap_or_else(|wrong| panic!("{key}: {wrong:?}"));
        let against = told.refusals().count();
        let here = offered.contains(&key);
        assert_eq!((told.possible, against == 0), (here, here), "{key}: {told:#?}");
        for check in &told.checks {
            check.explanation.iter().for_each(|why| parts_make_it(why, &key));
            assert!(!check.text.is_empty(), "{key}: {told:#?}");
        }
        refused += usize::from(!here);
    }
    refused
}

/// Positions of random games, every so many questions.
fn law(mut why: Why, positions: usize, every: u64) {
    let rules = why.rules().clone();
    let (mut looked, mut values, mut refused) = (0, 0, 0);
    for seed in 0.. {
        play(&rules, &mut host(&rules), seed, |game, _, number| {
            if looked < positions && (number + seed) % every == 0 {
                looked += 1;
                // Numbers of cards that are worked out leave nothing behind.
                let before = game.cells().to_vec();
                values += values_are_explained(&mut why, &rules, game);
                refused += refusals_are_explained(&mut why, &rules, game);
                assert_eq!(before, game.cells());
            }
        });
        if looked == positions {
            break;
        }
    }
    assert!(values > 0 && (refused > 0 || rules.actions().is_empty()), "{}: {values} values, {refused} refusals", rules.game);
}

#[test]
fn every_value_and_refusal_of_nations_is_explained() {
    law(nations(4), 100, 11);
    let set = |values: &[&str]| ("set".to_string(), values.iter().map(|value| value.to_string()).collect());
    let options = vec![set(&["base", "dynasties"]), ("side".to_string(), vec!["b".to_string()])];
    law(opened(root(), "nations", &Setup { players: 3, options, ..Setup::default() }, &[root().join("packs/dynasties")]), 100, 11);
}

#[test]
fn every_value_and_refusal_of_the_dice_game_is_explained() {
    law(opened(root(), "nations-dice", &Setup { players: 3, ..Setup::default() }, &[]), 200, 5);
}

#[test]
fn every_value_and_refusal_of_small_games_is_explained() {
    for (name, _) in SMALL {
        law(small(name), 200, 3);
    }
}

/// Moments: who would hear them is who hears them when they come.
#[test]
fn who_hears_a_moment_is_told_with_conditions_that_hold_together() {
    let mut why = nations(3);
    let rules = why.rules().clone();
    let mut heard = 0;
    play(&rules, &mut host(&rules), 3, |game, _, number| {
        if number % 10 != 0 {
            return;
        }
        for moment in rules.moments.clone() {
            for seat in 0..3 {
                let told = why.explain_moment(game, seat, &moment, None).expect("a moment");
                for hearer in &told.listeners {
                    heard += 1;
                    let when = hearer.when.as_ref();
                    assert_eq!(hearer.would_act, when.is_none_or(|when| when.value != 0), "{hearer:#?}");
                    when.iter().for_each(|when| parts_make_it(when, &moment));
                    assert!(hearer.location.is_some() && !hearer.steps.is_empty(), "{hearer:#?}");
                }
            }
        }
    });
    assert!(heard > 50, "only {heard} hearers");
}

fn told(why: &mut Why, game: &Game, seat: usize, asked: &str) -> String {
    match why.ask(game, seat, asked) {
        Ok(answer) => format!("> {asked}\n{}", answer.text(DetailLevel::Folded)),
        Err(wrong) => format!("> {asked}\n{}: {} {:?}\n", wrong.code, wrong.message, wrong.help),
    }
}

/// A question of a game of Nations, with all that can be asked there: what a person reads.
#[test]
fn what_a_person_reads() {
    let mut why = nations(3);
    let rules = why.rules().clone();
    let mut pages = String::new();
    play(&rules, &mut host(&rules), 2, |game, _, number| {
        if number != 100 {
            return;
        }
        let mut subjects = why.subjects(game, 0);
        for asked in ["strength", "p2.stability", "score", "most stable", "p1.strength - p2.strength", "strenght", "moment production"] {
            pages.push_str(&told(&mut why, game, 0, asked));
            pages.push('\n');
        }
        subjects.refused.truncate(6);
        for asked in subjects.refused {
            pages.push_str(&told(&mut why, game, 0, &asked));
            pages.push('\n');
        }
    });
    insta::assert_snapshot!(pages.replace('\\', "/").replace(&format!("{}/", root().display()), ""));
}

/// `no X` was once told as the denial of `no X`.
#[test]
fn what_holds_for_all_or_for_none_is_told_without_contradiction() {
    let mut why = nations(3);
    let rules = why.rules().clone();
    let mut pages = String::new();
    play(&rules, &mut host(&rules), 2, |game, _, number| {
        if number == 100 {
            for asked in ["no players where strength > 99", "all players where strength < 99", "every n in 1 to 3 where n < 3"] {
                pages.push_str(&told(&mut why, game, 0, asked));
            }
        }
    });
    for wanted in [
        "any players where strength > 99",
        "any for which it is not so: all players where strength < 99",
        "any for which it is not so: every n in 1 to 3 where n < 3",
    ] {
        assert!(pages.contains(wanted), "{pages}");
    }
}

/// `4 * (a + b)` was once told as `4 × a + b`.
#[test]
fn a_formula_has_the_brackets_that_it_needs() {
    let mut why = nations(3);
    let rules = why.rules().clone();
    let mut game = Game::new(&rules, 1);
    game.on(&rules).advance(&mut host(&rules)).expect("no fault");
    for (asked, formula) in [
        ("4 * (gold + stone)", "= 4 × (gold + stone) "),
        ("(gold - stone) * food", "= (gold - stone) "),
        ("(if gold > 99 then 1 else 0) + gold", "= (if gold > 99 then 1 else 0) 0 + gold "),
        ("max(gold, stone) - 1", "= max(gold, stone) "),
    ] {
        let told = told(&mut why, &game, 0, asked);
        assert!(told.contains(formula), "{told}");
    }
}

/// A value that is also an option or a moment is a value; the others can be asked for by a word more.
#[test]
fn words_that_mean_several_things_are_told_apart() {
    let mut why = nations(3);
    let rules = why.rules().clone();
    let mut game = Game::new(&rules, 1);
    game.on(&rules).advance(&mut host(&rules)).expect("no fault");
    assert!(matches!(why.ask(&game, 0, "passed"), Ok(WhyAnswer::Value(_))));
    assert!(matches!(why.ask(&game, 0, "moment passed"), Ok(WhyAnswer::Moment(_))));
    assert!(matches!(why.ask(&game, 0, "pass"), Ok(WhyAnswer::Option(_))));
    assert!(matches!(why.ask(&game, 0, "production"), Ok(WhyAnswer::Moment(_))));
    assert!(why.ask(&game, 7, "strength").is_err(), "nobody sits there");
    assert!(why.ask(&game, 0, "buy nobody").is_err(), "there is no such card");
}

fn run(line: &str) -> Ran {
    run_in(root(), &format!("why {line}"))
}

#[test]
fn wrong_questions_are_told_with_a_way_out() {
    for (line, told) in [
        ("nations strenght", "did you mean `strength`?"),
        ("nations byu cathedral", "did you mean `buy`?"),
        ("nations 'moment prodution'", "did you mean `production`?"),
        ("nations 'buy cathedrla' --at 20", "did you mean `cathedral`?"),
        ("nations strength --seat p9", "there is no player 9; there are 4"),
        ("nations strength --seat me", "expected a player such as `p1`"),
        ("nations-dice score --at 99999", "beyond its end"),
        ("natoins", "did you mean `nations`?"),
        ("", "which game?"),
        ("'round / (round - round)' --from tests/scenarios/rulebook.toml", "say which"),
        ("strength --from nowhere.toml", "cannot read `nowhere.toml`"),
        ("strength --from a.toml --at 3", "cannot be used with"),
        ("nations '1 / (round - round)' --at 20", "divided by 0"),
    ] {
        run(line).ends(2).says(&[told]);
    }
}

#[test]
fn a_position_of_a_game_that_was_kept_is_explained() {
    let kept = "--replay tests/replays/nations-2.replay";
    run(&format!("nations score --seat p1 {kept}")).ends(0).prints(&["Nations: the game is over", "score of p1 is 38 ="]);
    let early = run(&format!("strength --seat p2 {kept} --at 40"));
    early.prints(&["Nations, round 2: p2 is asked `action`", "strength of p2 is 5"]);
    run(&format!("strength {kept} --at 9999")).ends(2).says(&["there are 167 answers in"]);
    run(&format!("nations-dice score {kept}")).ends(2).says(&["is about `nations`, not about `nations-dice`"]);
}

#[test]
fn the_position_of_a_scenario_is_explained() {
    let text = concat!(
        "game = \"nations\"\nplayers = 3\n",
        "[[scenario]]\nname = \"first\"\ngiven = \"p1 has augustus\"\nwhen = \"run production\"\nthen = \"p1.book > 0\"\n",
        "[[scenario]]\nname = \"second\"\ngiven = \"p2.strength = 5\"\nthen = \"p2.strength == 5\"\n",
    );
    let folder = folder(&[("ties.toml", text)]);
    let from = format!("--from {}", folder.name("ties.toml"));
    run(&format!("p2.strength {from} --scenario second")).ends(0).prints(&["p2.strength is 5", "+ 5  for good"]);
    run(&format!("p2.strength {from}")).ends(2).says(&["say which", "\"first\", \"second\""]);
    run(&format!("p2.strength {from} --scenario secnod")).says(&["did you mean `second`?"]);
    run(&format!("nations 'moment production' {from} --scenario first --seat p1")).prints(&["1. Augustus of p1"]);
    let json = run(&format!("p2.strength {from} --scenario second --json -")).json();
    assert_eq!((&json["answer"]["value"]["value"], &json["game"]), (&serde_json::json!(5), &serde_json::json!("nations")));
}

#[test]
fn what_can_be_asked_is_listed() {
    run("nations-dice --at 10").ends(0).prints(&["score", "worth", "possible now"]);
}
