//! `houserule tune` at the terminal: which way it goes, what it writes, and what it says of what cannot be.

use serde_json::Value;

use crate::support::{Folder, folder};

/// Each player takes some nuts, by chance; the first has a cone of thirty more. The second may have a gift, or an acorn that grows.
const WOOD: &str = r#"
game wood "The Wood"
players 2
option weather = calm | wild, default calm
constant gift = 0
constant rain = by weather { calm: 0, wild: 10 }
player { resource nut; place den of seed: 5 }
kind seed { slot den; size: number }
setup {
  each player where me is first { put cone in den }
  each player where me is not first { gain gift nut; put acorn in den }
}
rounds 1 of day
phase day { each player { player chooses { each n in 0 to 99 { gain n nut; gain rain nut } } } }
score { "nuts" = nut; "seeds" = sum card.size of my den }
wins highest score
"#;
const SEEDS: &str = "[[card]]\nid = \"acorn\"\nkind = \"seed\"\nsize = 0\n\n[[card]]\nid = \"cone\"\nkind = \"seed\"\nsize = 30\n";

fn wood() -> Folder {
    folder(&[("rules/wood.rules", WOOD), ("cards/wood/seeds.toml", SEEDS)])
}

/// The levels of the best setting, and what came of its fresh games.
fn best(report: &Value) -> (Vec<String>, &Value) {
    let best = &report["nearest"][0];
    let levels = best["levels"].as_array().unwrap().iter().map(|level| level.as_str().unwrap().to_string());
    (levels.collect(), best)
}

/// Plays the fresh games of a report once more with what was written, and expects the same figures.
fn expect_figures(there: &Folder, report: &Value, written: &str) {
    let (seed, games) = (&report["fresh_seed"], &report["fresh_games"]);
    there.run(&format!("playtest wood --agents random -n {games} --seed {seed} {written} --json again.json")).ends(0);
    let again = there.json("again.json");
    let wins = again["result"]["by_seat"].as_array().unwrap().iter().map(|seat| seat["won"]["share"].as_f64().unwrap());
    let figures = report["nearest"][0]["figures"].as_array().unwrap().iter().map(|figure| figure["mean"].as_f64().unwrap());
    for (wins, mean) in wins.zip(figures) {
        assert!((wins - mean).abs() < 1e-9, "{wins} {mean}");
    }
}

#[test]
fn an_unfair_game_becomes_even_by_a_constant_and_the_variant_plays_so() {
    let there = wood();
    let line = "tune wood --agents random --vary 'gift in 0..60 step 10' --target 'seat shares = even +- 15%' -n 3000";
    let ran = there.run(&format!("{line} --write even.rules --json found.json")).ends(0);
    ran.prints(&[
        "gift  0 to 60, 7 levels  0 now",
        "seat shares  even: 50.0% each  near enough within 15.0 points of 100",
        "seat shares: met by `gift 30`",
        "  change gift to 30\n",
        "written: houserule playtest wood --with even.rules",
    ]);
    let report = there.json("found.json");
    assert_eq!(best(&report).0, ["30"]);
    assert_eq!((&report["settings"], &report["settings_played"]), (&Value::from(7), &Value::from(7)));
    assert!(there.read("even.rules").ends_with("variant even \"gift 30\" {\n  change gift to 30\n}\n"), "{}", there.read("even.rules"));
    expect_figures(&there, &report, "--with even.rules");
    // The same seed finds the same, with any number of threads; what was written before is written anew.
    there.run(&format!("{line} --threads 1 --write even.rules --json again.json")).ends(0).says(&["has been written anew"]);
    assert_eq!(there.read("found.json"), there.read("again.json"));
}

#[test]
fn figures_of_cards_are_written_as_a_pack() {
    let there = wood();
    let line = "tune wood --agents random --target 'seat shares = even +- 15%' -n 2000 --write tuned --json found.json";
    there.run(&format!("{line} --vary 'acorn.size in 0..60 step 10'")).ends(0).prints(&[
        "acorn.size  0 to 60",
        "card = \"acorn\"",
        "--pack tuned",
    ]);
    let report = there.json("found.json");
    assert_eq!(best(&report).0, ["30"]);
    assert!(there.read("tuned/cards/tuned.toml").contains("[[patch]]\ncard = \"acorn\"\nsize = 30\n"));
    expect_figures(&there, &report, "--pack tuned");
    there.run("check tuned").ends(0);
    // Many cards at once, each by as much, and a rule beside them.
    let line = format!("{line} --vary 'size where kind is seed by 0,10' --vary 'gift in 20,30,40'");
    there.run(&line).ends(0).prints(&["size where kind is seed  0, +10", "6 settings, all of them played"]);
    let report = there.json("found.json");
    assert_eq!(best(&report).0[1], "30");
    expect_figures(&there, &report, "--pack tuned");
}

#[test]
fn two_targets_are_shown_with_what_each_costs_the_other() {
    let there = wood();
    let line = "tune wood --agents random --vary 'gift in 0..80 step 10' --vary 'weather in calm,wild' -n 3000 --json found.json";
    // Gifts make points: 60 of them are 49.5 + 15 + 30 a player, and no longer even.
    let ran = there.run(&format!("{line} --target 'seat shares = even +- 5%' --target 'points = 100 +- 3'"));
    ran.prints(&["The targets pull apart", "* none of the others is nearer to one target", "points"]);
    let report = there.json("found.json");
    let settings = report["nearest"].as_array().unwrap();
    let of_both: Vec<[f64; 2]> =
        settings.iter().map(|one| [0, 1].map(|goal| one["distances"][goal]["distance"].as_f64().unwrap())).collect();
    for (at, setting) in settings.iter().enumerate() {
        let worse = of_both.iter().any(|other| other[0] <= of_both[at][0] && other[1] <= of_both[at][1] && *other != of_both[at]);
        assert_eq!(setting["dominated"].as_bool(), Some(worse), "{of_both:?}");
    }
    // The weather gives everybody a nut, which moves points and not shares.
    there.run("tune wood --agents random --vary 'weather in calm,wild' --target 'points = 74' -n 1000 --json found.json").ends(0);
    let report = there.json("found.json");
    assert_eq!(best(&report).0, ["wild"]);
}

#[test]
fn what_is_out_of_reach_is_a_finding_that_says_how_far_it_got() {
    let there = wood();
    let ran = there.run("tune wood --agents random --vary 'gift in 0..1' --target 'points = 300' -n 500").ends(1);
    ran.prints(&["points: not met. `gift 1` came nearest", "at the end of the range of gift", "which no choice has seen"]);
}

#[test]
fn what_is_wrong_is_told_before_games_are_played() {
    let there = wood();
    let wrong = |vary: &str, target: &str, more: &str, status: i32, said: &str| {
        let line = format!("tune wood --agents random -n 200 --vary '{vary}' --target '{target}' {more}");
        there.run(&line).ends(status).says(&[said]);
    };
    wrong("gfit in 0..6", "points = 4", "", 1, "did you mean `gift`?");
    wrong("acorn.siez in 0..6", "points = 4", "", 2, "did you mean `size`?");
    wrong("weather in clam", "points = 4", "", 2, "did you mean `calm`?");
    wrong("gift in 0..6", "pionts = 4", "", 2, "did you mean `points`?");
    wrong("gift in 0..6", "agent shares = even", "", 2, "all players are of one kind");
    wrong("gift in wisp", "points = 4", "", 1, "these rules were tried: gift wisp");
    wrong("weather in calm", "points = 4", "--option weather=wild", 2, "leave one of the two out");
    wrong("gift in 0..6", "points = 4", "--vary 'gift in 1..2'", 2, "varied twice");
    wrong("rain by 0..2", "points = 4", "--vary 'rain.calm in 1..2'", 2, "`rain` and `rain.calm` set the same value");
    wrong("acorn.size in 0..6", "points = 4", "--vary 'size where kind is seed by 0,1'", 2, "set the same value");
    wrong("gift in 0..6", "points = 4", "--target 'points = 5'", 2, "aimed at twice");
    wrong("acorn.size in 0..6", "points = 4", "--write a.rules", 2, "name a folder, such as `--write a`");
    wrong("gift in 0..6", "points = 4", "--write rules/wood.rules", 2, "rules/wood.rules");
    wrong("gift in 0..6", "points = 4", "--write cards", 2, "`tune` has not written it");
    there.run("tune wood --vary 'gift in 0..6' --target 'points = 4' -n 20").ends(2).says(&["100 games are the least"]);
    there.run("tune wodo --vary 'gift in 0..6' --target 'points = 4'").ends(2).says(&["did you mean `wood`?"]);
}
