//! Eighteen small games that share nothing with Nations, each in 15 to 60 lines of rules: they show that the language carries them.

use crate::support::{Ran, SMALL, host, play, program, read, root, run_in, small_game};
use houserule::engine::Game;

fn run(line: &str) -> Ran {
    run_in(root(), &format!("--root tests/games {line}"))
}

#[test]
fn each_is_written_in_15_to_60_lines() {
    for (name, _) in SMALL {
        let text = read(&format!("tests/games/rules/{name}.rules"));
        let said = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count();
        assert!((15..=60).contains(&said), "{name} has {said} lines");
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(140), "{name} has a line of {longest:?} characters");
    }
}

#[test]
fn their_scenarios_hold_and_nothing_is_wrong_with_them() {
    run("check").ends(0).prints(&["0 errors, 0 warnings"]);
    for (name, _) in SMALL {
        assert!(root().join(format!("tests/games/tests/scenarios/{name}.toml")).exists(), "{name} has no scenarios");
    }
    run("test").ends(0);
}

/// A share of 60 games, in %, by its place in the report.
#[track_caller]
fn share(of: &str, game: &str, agents: &str) -> f64 {
    let found = run(&format!("playtest {game} -n 60 --players 4 --agents {agents} --seed 1 --json -")).ends(0).result();
    found.pointer(of).and_then(serde_json::Value::as_f64).unwrap() * 100.0
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
        let won = share("/by_seat/0/won/share", name, "greedy,random,random,random");
        assert!(won >= f64::from(least), "{name}: {won} % of the games");
    }
}

#[test]
fn careful_players_win_together_and_careless_ones_do_not() {
    for (agents, shares) in [("greedy", 15.0..=60.0), ("random", 0.0..=5.0)] {
        let won = share("/won/share", "dike", agents);
        assert!(shares.contains(&won), "{agents}: {won} % of the games");
    }
}

#[test]
fn players_who_are_given_hints_keep_to_them_and_light_more_than_half() {
    let run = |agents: &str, games: u32| {
        let found = run(&format!("playtest fireflies -n {games} --players 3 --agents {agents} --seed 1 --json -")).ends(0).result();
        found.pointer("/points/0/mean").and_then(serde_json::Value::as_f64).unwrap()
    };
    assert!(run("search:200", 4) > 12.5 && run("random", 20) < 4.0);
}

#[test]
fn players_who_value_what_all_know_do_the_same_in_both_back_ends() {
    let run = |back_end: &str| {
        let line = "--root tests/games playtest fireflies -n 4 --players 3 --seed 3 --json -";
        let done = program(root(), line).env("HOUSERULE_BACKEND", back_end).output().expect("a run");
        Ran::new(line, done).ends(0).result()
    };
    assert_eq!(run("native"), run("walker"));
}

/// A light that its holder can imagine has all that it was told, and may have anything else.
#[test]
fn what_was_told_of_a_card_holds_of_all_that_can_be_imagined() {
    let rules = small_game("fireflies", 3);
    let hand = rules.find_place("hand").expect("a hand");
    let (mut told, mut others) = (0, 0);
    let mut look = |game: &Game, number: u64| {
        let seat = game.decision().expect("a question").seat;
        let mut imagined = Game::default();
        game.imagine(&rules, number, &mut imagined);
        let held = |game: &Game| game.position(&rules).all_in(rules.places[hand].first_instance as usize + seat);
        for (own, instead) in held(game).into_iter().zip(held(&imagined)) {
            let cells = game.cells();
            assert!(rules.may_be(cells, seat, own, instead), "what p{} was told of its hand does not hold", seat + 1);
            assert!(rules.may_be(imagined.cells(), seat, instead, own), "and what it was told is forgotten");
            told += usize::from(rules.has_clue(cells, seat, own));
            others += usize::from(rules.piece_definition[own] != rules.piece_definition[instead]);
        }
    };
    for seed in 0..4 {
        play(&rules, &mut host(&rules), seed, |game, _, number| look(game, number));
    }
    assert!(told > 20 && others > 20, "{told} hints, {others} cards imagined otherwise");
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

/// Larger games, which were written with nothing but the book at hand.
#[test]
fn larger_games_are_in_order_and_their_scenarios_hold() {
    run_in(root(), "check examples/larger").ends(0).prints(&["0 errors, 0 warnings"]);
    run_in(root(), "test examples/larger").ends(0).prints(&[" 0 failed"]);
}
