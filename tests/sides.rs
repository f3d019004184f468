//! Games that all win or lose together, and games of teams, at the terminal: the small games `vigil` and `pairs` of `tests/engine`.

use crate::support::root;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn run(args: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let done = command.arg("--root").arg(root().join("tests/engine")).args(args).current_dir(Path::new(root())).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr), done.status.code().unwrap_or(-1))
}

fn result(args: &[&str]) -> Value {
    let (out, complaints, status) = run(&[args, &["--json", "-"]].concat());
    assert_eq!(status, 0, "{complaints}");
    serde_json::from_str::<Value>(&out).unwrap()["result"].take()
}

/// The share of games that all win together, in %, and its interval.
fn won_together(agents: &str) -> (f64, [f64; 2]) {
    let found = result(&["playtest", "vigil", "--players", "3", "-n", "120", "--seed", "1", "--agents", agents]);
    let number = |value: &Value| value.as_f64().unwrap() * 100.0;
    let won = &found["won"];
    (number(&won["share"]), [number(&won["interval"][0]), number(&won["interval"][1])])
}

#[test]
fn players_who_look_ahead_win_together_where_chance_loses() {
    let [random, greedy, search] = ["random", "greedy", "search:100"].map(won_together);
    assert!(random.0 < 10.0 && random.1[1] < 15.0, "{random:?}");
    assert!(greedy.0 > 25.0 && search.0 > 50.0 && search.1[0] > random.1[1], "{random:?} {greedy:?} {search:?}");
}

#[test]
fn players_who_win_together_learn_by_games_with_the_same_deals() {
    let folder = tempfile::tempdir().unwrap();
    let learnt = folder.path().join("learnt.rules");
    let learnt = learnt.to_str().unwrap();
    let (out, complaints, status) = run(&["train", "vigil", "--players", "3", "-n", "60", "--generations", "6", "--write", learnt]);
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("style trained over ") && out.contains("all of its own win "), "{out}");
    let found = result(&["playtest", "vigil", "--players", "3", "-n", "120", "--seed", "1", "--with", learnt, "--agents", "trained"]);
    let (won, by_chance) = (found["won"]["share"].as_f64().unwrap() * 100.0, won_together("random").0);
    assert!(won > by_chance + 10.0, "{won} {by_chance}");
}

#[test]
fn a_game_that_all_win_together_is_told_as_one() {
    let (out, complaints, status) = run(&["playtest", "vigil", "--players", "3", "-n", "40", "--agents", "search:20"]);
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("Points of all together") && out.contains("  all together") && !out.contains("even share"), "{out}");
    assert!(!out.contains("of the winner") && !out.contains("several together"), "{out}");
    let found = result(&["playtest", "vigil", "--players", "3", "-n", "40", "--agents", "search:20"]);
    assert!(found["by_seat"].as_array().unwrap().iter().all(|seat| seat["won"]["share"] == found["won"]["share"]), "{found}");
    let (out, complaints, status) =
        run(&["compare", "vigil", "--players", "2", "-n", "200", "--agents", "greedy", "--with", "change goal to 3", "--all"]);
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("games won") && !out.contains("won by p1") && !out.contains("changes of the lead"), "{out}");
}

#[test]
fn what_makes_no_sense_where_all_win_or_lose_together_is_refused() {
    for (args, wanted) in [
        (&["tournament", "vigil", "--agents", "random,greedy", "-n", "4"][..], "nobody meets anybody where all win or lose together"),
        (&["playtest", "vigil", "--series"], "these rules declare no series of games"),
    ] {
        let (_, complaints, status) = run(args);
        assert!(status == 2 && complaints.contains(wanted), "{complaints}");
    }
}

#[test]
fn teams_win_and_are_told_as_one() {
    let of_teams = ["playtest", "pairs", "-n", "100", "--agents", "greedy,random,greedy,random"];
    let (out, complaints, status) = run(&of_teams);
    assert_eq!(status, 0, "{complaints}");
    assert!(out.contains("p1 and p3: greedy") && out.contains("p2 and p4: random") && out.contains("of the winning team"), "{out}");
    let found = result(&of_teams);
    let [first, second] = [0, 1].map(|team| found["by_team"][team]["won"]["share"].as_f64().unwrap());
    assert!(first > 0.6 && (first + second - 1.0).abs() < 1e-9, "{found}");
    assert_eq!(found["by_team"][1]["seats"], serde_json::json!([2, 4]));
    let (partner, agent) = (&found["by_seat"][2]["won"]["share"], &found["by_agent"][0]["won"]["share"]);
    assert_eq!((partner.as_f64(), agent.as_f64()), (Some(first), Some(first)));
    // Agents are seated by teams, so that the stronger one cannot win with the weaker one's partner.
    let found = result(&["tournament", "pairs", "--agents", "random,greedy", "-n", "100"]);
    assert!(found["bouts"][0]["won"].as_f64().unwrap() < 0.4, "{found}");
    let (out, complaints, status) =
        run(&["compare", "pairs", "-n", "100", "--agents", "greedy", "--with", "replace score.wisps = 2 * wisp", "--all"]);
    assert_eq!(status, 0, "{complaints}");
    assert!(
        out.contains("games won by team 1") && out.contains("what is left of games won by team 1") && !out.contains("won by p1"),
        "{out}"
    );
}

#[test]
fn partners_search_with_one_mind() {
    let found = result(&["playtest", "pairs", "-n", "30", "--agents", "search:60,random,search:60,random"]);
    assert!(found["by_team"][0]["won"]["share"].as_f64().unwrap() > 0.6, "{found}");
}
