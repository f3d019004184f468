//! Fifteen small games that share nothing with Nations, each in 15 to 60 lines of rules: they show that the language carries them.

use crate::support::{SMALL, host, play, root, small_game};
use houserule::engine::view::View;
use houserule::engine::{Game, Ruleset};
use std::path::Path;
use std::process::Command;

fn folder() -> std::path::PathBuf {
    root().join("tests/games")
}

fn run(args: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.arg("--root").arg(folder()).args(args).current_dir(Path::new(root()));
    let ended = command.output().expect("it starts");
    (ended.status.success(), [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat())
}

#[test]
fn each_is_written_in_15_to_60_lines() {
    for (name, _) in SMALL {
        let text = std::fs::read_to_string(folder().join(format!("rules/{name}.rules"))).expect("its rules");
        let said = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count();
        assert!((15..=60).contains(&said), "{name} has {said} lines");
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(140), "{name} has a line of {longest:?} characters");
    }
}

#[test]
fn their_scenarios_hold_and_nothing_is_wrong_with_them() {
    let (sound, said) = run(&["check"]);
    assert!(sound && said.contains("0 errors, 0 warnings"), "{said}");
    for (name, _) in SMALL {
        assert!(folder().join(format!("tests/scenarios/{name}.toml")).exists(), "{name} has no scenarios");
    }
    let (sound, said) = run(&["test"]);
    assert!(sound, "{said}");
}

#[test]
fn careful_players_beat_careless_ones() {
    // Of four players one is careful.
    for (name, least) in [
        ("pilgrims", 70),
        ("glutton", 60),
        ("anglers", 75),
        ("attic", 80),
        ("castle", 90),
        ("comb", 70),
        ("dormice", 55),
        ("grotto", 75),
        ("masks", 70),
        ("orchard", 80),
        ("pagodas", 60),
        ("skerry", 90),
        ("thistles", 70),
        ("tinkers", 40),
    ] {
        let (sound, said) =
            run(&["playtest", name, "-n", "60", "--players", "4", "--agents", "greedy,random,random,random", "--seed", "1", "--json", "-"]);
        let report: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
        let won = report["result"]["by_seat"][0]["won"]["share"].as_f64().unwrap_or(-1.0) * 100.0;
        assert!(sound && won >= least as f64, "{name}: {won} % of the games, {said}");
    }
}

#[test]
fn careful_players_win_together_and_careless_ones_do_not() {
    for (agents, shares) in [("greedy", 15.0..=60.0), ("random", 0.0..=5.0)] {
        let (sound, said) = run(&["playtest", "dike", "-n", "60", "--players", "4", "--agents", agents, "--seed", "1", "--json", "-"]);
        let report: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
        let won = report["result"]["won"]["share"].as_f64().unwrap_or(-1.0) * 100.0;
        assert!(sound && shares.contains(&won), "{agents}: {won} % of the games, {said}");
    }
}

/// The view of whoever is asked after the first of those who answer secretly has given this answer, if anybody is.
fn next_view(rules: &std::sync::Arc<Ruleset>, game: &Game, option: usize) -> Option<View> {
    let mut game = game.clone();
    game.on(rules).answer(&mut host(rules), option).expect("no fault");
    game.view(rules).filter(|_| game.in_simultaneous_block())
}

#[test]
fn nobody_learns_a_secret_answer_before_all_have_answered() {
    for (name, players) in [("attic", 3), ("grotto", 3), ("orchard", 3), ("thistles", 4)] {
        let rules = small_game(name, players);
        let mut compared = 0;
        play(&rules, &mut host(&rules), 7, |game, _, _| {
            let decision = game.decision().expect("a question").clone();
            let first_of_block = game.in_simultaneous_block() && decision.seat == game.position(&rules).order()[players - 1];
            if !first_of_block || decision.options.len() < 2 {
                return;
            }
            let mut views = (0..decision.options.len()).filter_map(|option| next_view(&rules, game, option));
            let Some(first) = views.next() else { return };
            for view in views {
                assert!(view == first, "{name}: p{} is told what p{} has answered", view.seat + 1, decision.seat + 1);
                compared += 1;
            }
        });
        assert!(compared > 3, "{name}: nothing was compared");
    }
}

#[test]
fn a_hand_is_known_to_its_owner_alone() {
    for (name, players) in [("orchard", 3), ("thistles", 4)] {
        let rules = small_game(name, players);
        let hand = rules.find_place("hand").expect("a hand");
        let mut seen = 0;
        play(&rules, &mut host(&rules), 3, |game, _, number| {
            let seat = game.decision().expect("a question").seat;
            if number % 5 != 0 {
                return;
            }
            let hands = |game: &Game, of: usize| game.position(&rules).all_in(rules.places[hand].first_instance as usize + of);
            let mut imagined = Game::default();
            game.imagine(&rules, number, &mut imagined);
            assert_eq!(hands(game, seat), hands(&imagined, seat));
            seen += (0..players).filter(|&other| other != seat && hands(game, other) != hands(&imagined, other)).count();
        });
        assert!(seen > 3, "{name}: others' hands are never imagined otherwise");
    }
}

#[test]
fn the_same_seed_is_the_same_game() {
    for (name, players) in SMALL {
        let rules = small_game(name, players);
        let ends = [0; 2].map(|_| play(&rules, &mut host(&rules), 11, |_, _, _| {}).0.hash());
        assert_eq!(ends[0], ends[1], "{name}");
    }
}

/// Larger games, which were written with nothing but the book at hand.
#[test]
fn larger_games_are_in_order_and_their_scenarios_hold() {
    for (what, wanted) in [("check", "0 errors, 0 warnings"), ("test", " 0 failed")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let ended = command.args([what, "examples/larger"]).current_dir(root()).output().expect("it starts");
        let said = [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(ended.status.success() && said.contains(wanted), "{said}");
    }
}
