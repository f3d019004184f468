//! Games that all win or lose together, and games of teams, at the terminal: the small games `vigil` and `pairs` of `tests/engine`.

use crate::support::{Ran, folder, root, run_in};
use serde_json::Value;

fn run(line: &str) -> Ran {
    run_in(root(), &format!("--root tests/engine {line}"))
}

#[track_caller]
fn result(line: &str) -> Value {
    run(&format!("{line} --json -")).ends(0).result()
}

/// The share of games that all win together, in %, and its interval.
fn won_together(agents: &str) -> (f64, [f64; 2]) {
    let found = result(&format!("playtest vigil --players 3 -n 120 --seed 1 --agents {agents}"));
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
    let folder = folder(&[]);
    let learnt = folder.name("learnt.rules");
    let ran = run(&format!("train vigil --players 3 -n 60 --generations 6 --write {learnt}")).ends(0);
    ran.prints(&["style trained over ", "all of its own win "]);
    let (won, by_chance) = (won_together(&format!("trained --with {learnt}")).0, won_together("random").0);
    assert!(won > by_chance + 10.0, "{won} {by_chance}");
}

#[test]
fn a_game_that_all_win_together_is_told_as_one() {
    let line = "playtest vigil --players 3 -n 40 --agents search:20";
    let told = run(line).ends(0).prints(&["Points of all together", "  all together"]);
    told.tells_no(&["even share", "of the winner", "several together"]);
    let found = result(line);
    assert!(found["by_seat"].as_array().unwrap().iter().all(|seat| seat["won"]["share"] == found["won"]["share"]), "{found}");
    let compared = run("compare vigil --players 2 -n 200 --agents greedy --with 'change goal to 3' --all").ends(0);
    compared.prints(&["games won"]).tells_no(&["won by p1", "changes of the lead"]);
}

#[test]
fn what_makes_no_sense_where_all_win_or_lose_together_is_refused() {
    let meeting = run("tournament vigil --agents random,greedy -n 4").ends(2);
    meeting.says(&["nobody meets anybody where all win or lose together"]);
    run("playtest vigil --series").ends(2).says(&["these rules declare no series of games"]);
}

#[test]
fn teams_win_and_are_told_as_one() {
    let of_teams = "playtest pairs -n 100 --agents greedy,random,greedy,random";
    run(of_teams).ends(0).prints(&["p1 and p3: greedy", "p2 and p4: random", "of the winning team"]);
    let found = result(of_teams);
    let [first, second] = [0, 1].map(|team| found["by_team"][team]["won"]["share"].as_f64().unwrap());
    assert!(first > 0.6 && (first + second - 1.0).abs() < 1e-9, "{found}");
    assert_eq!(found["by_team"][1]["seats"], serde_json::json!([2, 4]));
    let (partner, agent) = (&found["by_seat"][2]["won"]["share"], &found["by_agent"][0]["won"]["share"]);
    assert_eq!((partner.as_f64(), agent.as_f64()), (Some(first), Some(first)));
    // Agents are seated by teams, so that the stronger one cannot win with the weaker one's partner.
    let found = result("tournament pairs --agents random,greedy -n 100");
    assert!(found["bouts"][0]["won"].as_f64().unwrap() < 0.4, "{found}");
    let compared = run("compare pairs -n 100 --agents greedy --with 'replace score.wisps = 2 * wisp' --all").ends(0);
    compared.prints(&["games won by team 1", "what is left of games won by team 1"]).tells_no(&["won by p1"]);
}

#[test]
fn partners_search_with_one_mind() {
    let found = result("playtest pairs -n 30 --agents search:60,random,search:60,random");
    assert!(found["by_team"][0]["won"]["share"].as_f64().unwrap() > 0.6, "{found}");
}
