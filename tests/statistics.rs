//! What `playtest`, `compare` and `tournament` say of how sure they are.

use serde_json::Value;

use crate::support::{folder, root, run_in};

/// Two players take one or two lumps of coal, in turn; nothing is left to chance.
const MINE: &str = r#"
game mine "Mine"
players 2
player { resource coal }
rounds 3 of dig
phase dig {
  step take { each player { player chooses { "one" { gain 1 coal } "two" { gain 2 coal } } } }
}
score { "coal" = coal }
wins highest score, then order
worth = score
"#;

#[test]
fn a_game_without_chance_is_one_game_however_often_it_is_played() {
    let there = folder(&[("rules/mine.rules", MINE)]);
    let ran = there.run("playtest mine -n 200 --json all.json").ends(0);
    ran.prints(&["200 games, 1 distinct: the same one again and again, so that nothing can be said of others"]);
    let all = there.json("all.json");
    assert_eq!((&all["result"]["games"], &all["result"]["distinct"]), (&Value::from(200), &Value::from(1)));
    let ran = there.run("compare mine -n 200 --with 'change score.coal to coal * 2'").ends(0);
    ran.prints(&["200 pairs, 1 distinct", "which has no interval", "none is shown to differ"]);
    let ran = there.run("tournament mine -n 20 --agents greedy,greedy:2").ends(0);
    ran.prints(&["greedy against greedy:2: 10 deals, 1 distinct", "50 (0-100)"]);
    // Where players answer by chance, games differ.
    let ran = there.run("playtest mine -n 200 --agents random").ends(0);
    assert!(!ran.out.contains("1 distinct"), "{}", ran.out);
}

#[test]
fn a_game_is_compared_with_itself() {
    let there = folder(&[]);
    let line = "compare glutton --players 2 --agents random -n 20";
    let ran = run_in(root(), &format!("{line} --root tests/games --aa 6 --json {}", there.name("aa.json"))).ends(0);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    ran.prints(&["6 comparisons of 20 pairs of games", "False alarms", "points", "games won", "all measures", "promised", "240 games in"]);
    let all = there.json("aa.json");
    assert_eq!((&all["result"]["runs"], &all["result"]["alarms"][0]["looks"]), (&Value::from(6), &Value::from(6)));
    for more in ["--with 'change enough by +5'", "--until 0.3", "--all", "--ladder"] {
        run_in(root(), &format!("{line} --root tests/games --aa {more}")).ends(2).says(&["cannot be used with"]);
    }
}

#[test]
fn false_alarms_of_players_who_adapt_are_counted() {
    let there = folder(&[]);
    let line = "compare glutton --root tests/games --players 2 -n 6 --aa 2 --adapt --trainings 2 --generations 1";
    let ran = run_in(root(), &format!("{line} --json {}", there.name("aa.json"))).ends(0);
    ran.prints(&["2 comparisons of 6 pairs of games", "24 games in"]);
    let all = there.json("aa.json");
    let found = &all["result"];
    assert_eq!((&found["runs"], &found["agents"][0], &found["dropped"]), (&Value::from(2), &Value::from("trained"), &Value::from(0)));
}

#[test]
fn players_who_search_compare_where_learning_does_not_pay() {
    let there = folder(&[]);
    let line =
        "compare duel --root examples/recipes --players 2 -n 6 --adapt --trainings 2 --generations 0 --with 'add \"gift\" = 1 to score'";
    let ran = run_in(root(), &format!("{line} --json {}", there.name("all.json"))).ends(0);
    ran.prints(&[
        "6 pairs of games, 2 players (search:points:100)",
        "who has learnt against greedy without the change: -",
        "learning does not pay here",
    ]);
    let all = there.json("all.json");
    assert_eq!((&all["agents"][0], &all["trainings"]), (&Value::from("search:points:100"), &Value::Null));
    assert_eq!(all["in_place_of"]["against_greedy"][0]["trainings"], Value::from(2));
    let above = |side: usize| all["skill"][side]["above"].as_f64().unwrap();
    assert!(above(0) > 0.0 && above(1) > 0.0, "{all:#}");
    // A part of a comparison is by those who have learnt.
    let ran = run_in(root(), &format!("{line} --shard 1/2")).ends(0);
    ran.prints(&["2 players (trained)", "who has learnt is worse than greedy"]);
}

#[test]
fn fewer_than_six_pairs_show_nothing() {
    let line = "compare glutton --root tests/games --players 2 --agents random --with 'change enough by +5'";
    let ran = run_in(root(), &format!("{line} -n 3")).ends(0);
    ran.prints(&["3 pairs are few: fewer than 6 can show nothing", "none is shown to differ", "not shown to differ; 3 paired games"]);
}
