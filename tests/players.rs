//! Machine players at the terminal: those who learn, those who search, and what a change does to each of them.

use crate::support::{Folder, folder, read, replaced, root};

/// The games that the first seat's player has won, of so many, with the small games.
#[track_caller]
fn won(folder: &Folder, line: &str) -> f64 {
    won_by(&folder.run_small(&format!("playtest {line} --json -")).ends(0).result())
}

/// As many with the games of a folder.
#[track_caller]
fn won_with(games: &str, folder: &Folder, line: &str) -> f64 {
    won_by(&folder.run(&format!("--root {games} playtest {line} --json -")).ends(0).result())
}

fn won_by(result: &serde_json::Value) -> f64 {
    result["by_seat"][0]["won"]["count"].as_f64().unwrap()
}

fn recipes() -> String {
    root().join("examples/recipes").display().to_string()
}

const QUICKLY: &str = "--players 2 -n 30 --generations 4 --write learnt.rules";

#[test]
fn whoever_has_learnt_beats_chance_and_learns_the_same_each_time() {
    let folder = folder(&[]);
    let learnt = || {
        let line = "train pilgrims --players 2 -n 120 --generations 30 --write learnt.rules";
        folder.run_small(line).ends(0).prints(&["the best", "style trained over "]);
        folder.read("learnt.rules")
    };
    let rules = learnt();
    assert!(rules.contains("road") && rules.contains("bread"), "{rules}");
    assert_eq!(rules, learnt());
    let won = won(&folder, "pilgrims --players 2 --with learnt.rules -n 100 --agents trained,random");
    assert!(won >= 90.0, "only {won} of 100");
}

/// Where dice fall one imagined state tells little; where nothing is hidden and nothing falls by chance, one tells all.
#[test]
fn states_are_imagined_where_more_of_them_win_more() {
    let folder = folder(&[]);
    for (game, over, states) in [
        ("glutton --with 'change enough to 30'", "style trained over ", " states\n"),
        ("skerry", "style trained over 1 states = ", "it imagines 1 state\n"),
    ] {
        let ran = folder.run_small(&format!("train {game} {QUICKLY}")).ends(0);
        let written = folder.read("learnt.rules");
        assert!(written.contains(over), "{game}: {written}");
        ran.prints(&["the best is written; it imagines ", states, "against greedy, 30 deals played twice: each seat of its own wins "]);
    }
}

/// With few games nobody learns much, but who has learnt plays by it.
#[test]
fn players_learn_where_numbers_are_hidden() {
    let folder = folder(&[]);
    folder.run(&format!("--root {} train wager {QUICKLY}", recipes())).ends(0).prints(&["style trained over "]);
    let won = won_with(&recipes(), &folder, "wager --players 2 --with learnt.rules -n 100 --agents trained,random");
    assert!(won >= 35.0, "only {won} of 100");
}

/// Coins that are left buy what is to come, which points do not say.
#[test]
fn whoever_searches_learns_what_points_do_not_say() {
    let (folder, recipes) = (folder(&[]), recipes());
    let bare = "auction --players 2 --with 'remove worth'";
    let learnt = folder.run(&format!("--root {recipes} train {bare} -n 60 --search 16 --write learnt.rules --json learnt.json")).ends(0);
    learnt.prints(&["the best is written, for search:trained:16\nagainst search:16, "]);
    let rules = folder.read("learnt.rules");
    assert!(rules.contains("* coin") && rules.contains("style trained = "), "{rules}");
    let json = folder.json("learnt.json");
    assert!(json["against_search"].is_object() && json["against_greedy"].is_null() && json["search"] == 16, "{json}");
    let won = won_with(&recipes, &folder, &format!("{bare} --with learnt.rules -n 100 --agents search:trained:16,search:16"));
    assert!(won >= 55.0, "only {won} of 100");
    folder.run(&format!("--root {recipes} train auction --search 16 --generations 3")).ends(2).says(&["cannot be used with"]);
}

#[test]
fn nobody_is_trained_before_somebody_has_learnt() {
    for (agents, wanted) in [
        ("trained", "nobody has trained players for these rules"),
        ("greedy:bold", "these rules have no style `bold`; they have none"),
        ("search:bold:10", "these rules have no style `bold`; they have none"),
    ] {
        folder(&[]).run_small(&format!("playtest pilgrims -n 1 --agents {agents}")).ends(2).says(&[wanted]);
    }
}

#[test]
fn players_of_two_styles_meet() {
    let won = won(&folder(&[]), "pilgrims --players 2 --with 'agents { style idle = 0 - road }' -n 40 --agents greedy,greedy:idle");
    assert!(won >= 38.0, "only {won} of 40");
}

#[test]
fn whoever_searches_beats_who_looks_one_answer_ahead() {
    let won = won(&folder(&[]), "orchard --players 2 -n 20 --agents search:60,greedy");
    assert!(won >= 14.0, "only {won} of 20");
}

#[test]
fn a_ladder_says_what_holds_for_all_players() {
    let folder = folder(&[]);
    let change =
        |game: &str, more: &str| folder.run_small(&format!("compare {game} --with 'extend score {{ \"four\" = 4 }}' --ladder {more}"));
    let orchard = "orchard --players 2 -n 30";
    let ladder = change(orchard, "random,greedy,search:10 --json -").ends(0).json();
    assert_eq!(ladder["rungs"].as_array().unwrap().len(), 3);
    let points = ladder["claims"].as_array().unwrap().iter().find(|claim| claim["measure"] == "points").unwrap();
    assert_eq!(points["robust"], true, "four points more for everybody are seen by everybody");
    change(orchard, "random").ends(2).says(&["a ladder wants a rung above chance"]);
    change(orchard, "greedy,random,greedy").ends(2).says(&["`greedy` is named twice"]);
    // The rungs that it has unless told otherwise, in a game in which search is quick.
    let rungs = ["random", "greedy", "search:20", "search:80", "search:320"].map(|rung| format!("players ({rung}), seed 1"));
    change("tinkers --players 2 -n 12", "").prints(&rungs.each_ref().map(String::as_str)).prints(&["robust"]);
}

#[test]
fn everybody_meets_everybody_and_is_told_how_strong() {
    let folder = folder(&[]);
    let tournament = |more: &str| folder.run_small(&format!("tournament tinkers --players 2 --agents {more}"));
    let ran = tournament("random,greedy,search:20 -n 40 --json found.json").ends(0);
    ran.prints(&["random is 0", "ms a decision"]);
    let found = folder.json("found.json");
    let rated = found["result"]["ratings"].as_array().unwrap();
    assert!(rated[1]["interval"][0].as_f64().unwrap() > 0.0, "{rated:?}");
    assert_eq!((found["result"]["bouts"].as_array().unwrap().len(), rated[2]["games"].as_u64()), (3, Some(80)));
    assert!(found["timing"]["thought"][2]["milliseconds_per_decision"].as_f64().unwrap() > 0.0);
    for (agents, wanted) in [
        ("greedy -n 40", "name at least two kinds of players"),
        ("greedy,random,greedy -n 40", "`greedy` is named twice"),
        ("greedy,random -n 3", "no even number of games"),
        ("greedy,trained -n 40", "nobody has trained players"),
    ] {
        tournament(agents).ends(2).says(&[wanted]);
    }
}

#[test]
fn whoever_dares_after_a_roll_is_asked_anew() {
    // In a game of pushing one's luck nobody may take "more" for "more until it goes wrong", and search tries both of two answers.
    for (agents, least) in [("greedy:20,random", 85.0), ("search:100,random", 70.0)] {
        let won = won(&folder(&[]), &format!("glutton --players 2 -n 100 --seed 5 --agents {agents}"));
        assert!(won >= least, "{agents}: {won} of 100");
    }
}

/// Whoever may stay or leave sees what either brings, wherever in the rules the question stands.
#[test]
fn whoever_may_leave_looks_to_where_leaving_has_had_its_effect() {
    let text = read("tests/games/rules/grotto.rules");
    // As steps that are gone through again and again, and as a loop within one step.
    let looped = replaced(
        &text,
        &[
            ("phase cave until explorers == 0 {", "phase cave { step all { repeat until explorers == 0 {"),
            ("  step explore {", "  if round > 0 {"),
            ("  step decide {", "  if round > 0 {"),
            ("  step depart {", "  if round > 0 {"),
            ("}\n\nscore", "} }\n}\n\nscore"),
        ],
    );
    let cards = read("tests/games/cards/grotto/cards.toml");
    for (form, text) in [("steps", text), ("a loop", looped)] {
        let folder = folder(&[("rules/grotto.rules", &text), ("cards/grotto/cards.toml", &cards)]);
        for (agents, least) in [("greedy,random", 45.0), ("search:100,random", 38.0)] {
            let won = won_with(".", &folder, &format!("grotto --players 2 -n 50 --seed 5 --agents {agents}"));
            assert!(won >= least, "{form}, {agents}: {won} of 50");
        }
    }
}
