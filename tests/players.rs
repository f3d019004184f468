//! Machine players at the terminal: those who learn, those who search, and what a change does to each of them.

use crate::support::root;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Runs houserule in a folder on the small games: what it printed, what it complained of, and its exit status.
fn run(folder: &Path, args: &[&str]) -> (String, String, i32) {
    run_games(&root().join("tests/games"), folder, args)
}

fn run_games(games: &Path, folder: &Path, args: &[&str]) -> (String, String, i32) {
    let done = Command::new(env!("CARGO_BIN_EXE_houserule")).arg("--root").arg(games).args(args).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr), done.status.code().unwrap_or(-1))
}

/// The games that the first seat's player has won, of so many.
fn won(folder: &Path, args: &[&str]) -> f64 {
    won_in(&root().join("tests/games"), folder, args)
}

fn won_in(games: &Path, folder: &Path, args: &[&str]) -> f64 {
    let args = [&["playtest"], args, &["--json", "-"]].concat();
    let (out, complaints, status) = run_games(games, folder, &args);
    assert_eq!(status, 0, "{complaints}");
    serde_json::from_str::<Value>(&out).unwrap()["result"]["by_seat"][0]["won"]["count"].as_f64().unwrap()
}

const QUICKLY: [&str; 8] = ["--players", "2", "-n", "30", "--generations", "4", "--write", "learnt.rules"];

#[test]
fn whoever_has_learnt_beats_chance_and_learns_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let enough = ["--players", "2", "-n", "120", "--generations", "30", "--write", "learnt.rules"];
    let learnt = || {
        let (out, complaints, status) = run(folder.path(), &[&["train", "pilgrims"], &enough[..]].concat());
        assert_eq!(status, 0, "{complaints}");
        assert!(out.contains("the best") && out.contains("style trained over "), "{out}");
        std::fs::read_to_string(folder.path().join("learnt.rules")).unwrap()
    };
    let rules = learnt();
    assert!(rules.contains("road") && rules.contains("bread"), "{rules}");
    assert_eq!(rules, learnt());
    let games = ["pilgrims", "--players", "2", "--with", "learnt.rules", "-n", "100", "--agents", "trained,random"];
    let won = won(folder.path(), &games);
    assert!(won >= 90.0, "only {won} of 100");
}

/// Where dice fall one imagined state tells little; where nothing is hidden and nothing falls by chance, one tells all.
#[test]
fn states_are_imagined_where_more_of_them_win_more() {
    let folder = tempfile::tempdir().unwrap();
    let short = ["--with", "change enough to 30"];
    for (game, short, over) in [("glutton", &short[..], "style trained over "), ("skerry", &[], "style trained over 1 states = ")] {
        let (out, complaints, status) = run(folder.path(), &[&["train", game], short, &QUICKLY[..]].concat());
        assert_eq!(status, 0, "{complaints}");
        let written = std::fs::read_to_string(folder.path().join("learnt.rules")).unwrap();
        assert!(written.contains(over), "{game}: {written}");
        let states = if over.contains("over 1 ") { "it imagines 1 state\n" } else { " states\n" };
        assert!(out.contains("the best is written; it imagines ") && out.contains(states), "{out}");
        assert!(out.contains("against greedy, 30 deals played twice: each seat of its own wins "), "{out}");
    }
}

/// With few games nobody learns much, but who has learnt plays by it.
#[test]
fn players_learn_where_numbers_are_hidden() {
    let (folder, recipes) = (tempfile::tempdir().unwrap(), root().join("examples/recipes"));
    let (out, complaints, status) = run_games(&recipes, folder.path(), &[&["train", "wager"], &QUICKLY[..]].concat());
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("style trained over "), "{out}");
    let games = ["wager", "--players", "2", "--with", "learnt.rules", "-n", "100", "--agents", "trained,random"];
    let won = won_in(&recipes, folder.path(), &games);
    assert!(won >= 35.0, "only {won} of 100");
}

/// Coins that are left buy what is to come, which points do not say.
#[test]
fn whoever_searches_learns_what_points_do_not_say() {
    let (folder, recipes) = (tempfile::tempdir().unwrap(), root().join("examples/recipes"));
    let bare = ["auction", "--players", "2", "--with", "remove worth"];
    let learn = ["-n", "60", "--search", "16", "--write", "learnt.rules", "--json", "learnt.json"];
    let (out, complaints, status) = run_games(&recipes, folder.path(), &[&["train"], &bare[..], &learn].concat());
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("the best is written, for search:trained:16\nagainst search:16, "), "{out}");
    let rules = std::fs::read_to_string(folder.path().join("learnt.rules")).unwrap();
    assert!(rules.contains("* coin") && rules.contains("style trained = "), "{rules}");
    let json: Value = serde_json::from_slice(&std::fs::read(folder.path().join("learnt.json")).unwrap()).unwrap();
    assert!(json["against_search"].is_object() && json["against_greedy"].is_null() && json["search"] == 16, "{json}");
    let games = ["--with", "learnt.rules", "-n", "100", "--agents", "search:trained:16,search:16"];
    let won = won_in(&recipes, folder.path(), &[&bare[..], &games].concat());
    assert!(won >= 55.0, "only {won} of 100");
    let (_, complaints, status) = run_games(&recipes, folder.path(), &["train", "auction", "--search", "16", "--generations", "3"]);
    assert!(status == 2 && complaints.contains("cannot be used with"), "{complaints}");
}

#[test]
fn nobody_is_trained_before_somebody_has_learnt() {
    let folder = tempfile::tempdir().unwrap();
    for (agents, wanted) in [
        ("trained", "nobody has trained players for these rules"),
        ("greedy:bold", "these rules have no style `bold`; they have none"),
        ("search:bold:10", "these rules have no style `bold`; they have none"),
    ] {
        let (_, complaints, status) = run(folder.path(), &["playtest", "pilgrims", "-n", "1", "--agents", agents]);
        assert_eq!(status, 2);
        assert!(complaints.contains(wanted), "{complaints}");
    }
}

#[test]
fn players_of_two_styles_meet() {
    let folder = tempfile::tempdir().unwrap();
    let with = "agents { style idle = 0 - road }";
    let won = won(folder.path(), &["pilgrims", "--players", "2", "--with", with, "-n", "40", "--agents", "greedy,greedy:idle"]);
    assert!(won >= 38.0, "only {won} of 40");
}

#[test]
fn whoever_searches_beats_who_looks_one_answer_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let won = won(folder.path(), &["orchard", "--players", "2", "-n", "20", "--agents", "search:60,greedy"]);
    assert!(won >= 14.0, "only {won} of 20");
}

#[test]
fn a_ladder_says_what_holds_for_all_players() {
    let folder = tempfile::tempdir().unwrap();
    let change = ["compare", "orchard", "--players", "2", "-n", "30", "--with", "extend score { \"four\" = 4 }"];
    let (out, complaints, status) = run(folder.path(), &[&change[..], &["--ladder", "random,greedy,search:10", "--json", "-"]].concat());
    assert_eq!(status, 0, "{complaints}");
    let ladder: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(ladder["rungs"].as_array().unwrap().len(), 3);
    let points = ladder["claims"].as_array().unwrap().iter().find(|claim| claim["measure"] == "points").unwrap();
    assert_eq!(points["robust"], true, "four points more for everybody are seen by everybody");
    for (ladder, said) in [("random", "a ladder wants a rung above chance"), ("greedy,random,greedy", "`greedy` is named twice")] {
        let (_, complaints, status) = run(folder.path(), &[&change[..], &["--ladder", ladder]].concat());
        assert!(status == 2 && complaints.contains(said), "{complaints}");
    }
    // The rungs that it has unless told otherwise, in a game in which search is quick.
    let change = ["compare", "tinkers", "--players", "2", "-n", "12", "--with", "extend score { \"four\" = 4 }"];
    let (out, _, _) = run(folder.path(), &[&change[..], &["--ladder"]].concat());
    for rung in ["random", "greedy", "search:20", "search:80", "search:320"] {
        assert!(out.contains(&format!("players ({rung}), seed 1")), "no {rung} in {out}");
    }
    assert!(out.contains("robust"), "{out}");
}

#[test]
fn everybody_meets_everybody_and_is_told_how_strong() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = |agents: &str, games: &str, more: &[&str]| {
        run(folder.path(), &[&["tournament", "tinkers", "--players", "2", "--agents", agents, "-n", games], more].concat())
    };
    let (out, complaints, status) = tournament("random,greedy,search:20", "40", &["--json", "found.json"]);
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("random is 0") && out.contains("ms a decision"), "{out}");
    let found: Value = serde_json::from_str(&std::fs::read_to_string(folder.path().join("found.json")).unwrap()).unwrap();
    let rated = found["result"]["ratings"].as_array().unwrap();
    assert!(rated[1]["interval"][0].as_f64().unwrap() > 0.0, "{rated:?}");
    assert_eq!((found["result"]["bouts"].as_array().unwrap().len(), rated[2]["games"].as_u64()), (3, Some(80)));
    assert!(found["timing"]["thought"][2]["milliseconds_per_decision"].as_f64().unwrap() > 0.0);
    for (agents, games, wanted) in [
        ("greedy", "40", "name at least two kinds of players"),
        ("greedy,random,greedy", "40", "`greedy` is named twice"),
        ("greedy,random", "3", "no even number of games"),
        ("greedy,trained", "40", "nobody has trained players"),
    ] {
        let (_, complaints, status) = tournament(agents, games, &[]);
        assert!(status == 2 && complaints.contains(wanted), "{complaints}");
    }
}

#[test]
fn whoever_dares_after_a_roll_is_asked_anew() {
    // In a game of pushing one's luck nobody may take "more" for "more until it goes wrong", and search tries both of two answers.
    let folder = tempfile::tempdir().unwrap();
    for (agents, least) in [("greedy:20,random", 85.0), ("search:100,random", 70.0)] {
        let won = won(folder.path(), &["glutton", "--players", "2", "-n", "100", "--seed", "5", "--agents", agents]);
        assert!(won >= least, "{agents}: {won} of 100");
    }
}

/// Whoever may stay or leave sees what either brings, wherever in the rules the question stands.
#[test]
fn whoever_may_leave_looks_to_where_leaving_has_had_its_effect() {
    let text = std::fs::read_to_string(root().join("tests/games/rules/grotto.rules")).unwrap();
    // As steps that are gone through again and again, and as a loop within one step.
    let mut looped = text.replace("phase cave until explorers == 0 {", "phase cave { step all { repeat until explorers == 0 {");
    for step in ["explore", "decide", "depart"] {
        looped = looped.replace(&format!("  step {step} {{"), "  if round > 0 {");
    }
    let looped = looped.replace("}\n\nscore", "} }\n}\n\nscore");
    for (form, text) in [("steps", text), ("a loop", looped)] {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("rules/grotto.rules", &text);
        write("cards/grotto/cards.toml", include_str!("games/cards/grotto/cards.toml"));
        for (agents, least) in [("greedy,random", 45.0), ("search:100,random", 38.0)] {
            let args = ["grotto", "--players", "2", "-n", "50", "--seed", "5", "--agents", agents];
            let won = won_in(folder.path(), folder.path(), &args);
            assert!(won >= least, "{form}, {agents}: {won} of 50");
        }
    }
}
