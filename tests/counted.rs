//! What runs count where games end otherwise than usual: won by several, cut off, or with rules that only the careful survive.

use crate::support::{Ran, folder};
use serde_json::Value;

const TIE: &str = r#"game tie "Tie"
players 2 to 4
player { resource pebble }
rounds 1 of day
phase day { each player chooses { "left" { gain 1 pebble } "right" { gain 1 pebble } } }
score { "pebbles" = pebble }
wins highest score
"#;

/// Whoever walks comes nearer to the end; who rests does not.
const WALK: &str = r#"game walk "Walk"
players 2
player { resource step }
rounds of day until any players where step >= 3
phase day { each player chooses { "walk" { gain {walked} step } "rest" { } } }
score { "steps" = {score} }
wins highest score
"#;

/// Whoever has clay can use it up; when all of it is gone, nobody can do anything any more.
const DRY: &str = r#"game dry "Dry"
players 2
player { resource clay }
setup { each player { gain 2 clay } }
rounds 5 of day
phase day { turns in order until turn == players, skipping who cannot act; action dig { cost 1 clay; does { } } }
score { "clay" = clay }
wins highest score
"#;

/// Digging divides by nothing.
const PIT: &str = r#"game pit "Pit"
players 2
player { resource clay }
rounds 3 of day
phase day { each player chooses { "dig" { gain 9 / clay clay } "rest" { } } }
score { "clay" = clay }
wins highest score
"#;

/// Runs houserule on a game of one file.
#[track_caller]
fn run(rules: &str, line: &str) -> Ran {
    let name = rules.split_whitespace().nth(1).unwrap();
    folder(&[(&format!("rules/{name}.rules"), rules)]).run(&format!("--root . {line}"))
}

#[track_caller]
fn result(rules: &str, line: &str) -> Value {
    let found = run(rules, &format!("{line} --json -")).ends(0).json();
    found.get("result").unwrap_or(&found).clone()
}

#[test]
fn of_a_game_that_several_win_each_wins_an_equal_part() {
    let line = "playtest tie -n 100 --players 3 --agents random";
    let found = result(TIE, line);
    for seat in found["by_seat"].as_array().unwrap() {
        assert!((seat["won"]["share"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12, "{seat}");
    }
    assert_eq!(found["won_together"], 100);
    run(TIE, line).prints(&["100 games were won by several together: each of them has won an equal part"]);
    let table = run(TIE, "playtest tie -n 1 --players 3 --agents random --csv -").out;
    let ranks: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').nth(4).unwrap()).collect();
    assert_eq!(ranks, ["1", "1", "1"]);
    // A change for one seat shows in what that seat wins, from its part to all.
    let change = "--with 'extend score { \"first\" = if place_in_order == 1 then 1 else 0 }'";
    let found = result(TIE, &format!("compare tie -n 100 --players 4 --agents random {change}"));
    let rows = found["rows"].as_array().unwrap();
    let of = |name: &str| rows.iter().find(|row| row["measure"] == name).unwrap();
    assert_eq!((of("games won by p1")["plain"].as_f64(), of("games won by p1")["changed"].as_f64()), (Some(0.25), Some(1.0)));
    // Nobody answered otherwise: what came of it differs.
    assert_eq!((&found["alike"], &found["same_end"]), (&100.into(), &0.into()));
}

#[test]
fn a_round_in_which_nothing_happens_is_told() {
    let found = result(DRY, "playtest dry -n 4");
    assert_eq!((&found["games"], &found["idle"]["games"], &found["idle"]["round"]), (&4.into(), &4.into(), &3.into()));
    assert!(found["idle"]["place"].as_str().is_some_and(|place| place.ends_with("dry.rules:6:13")), "{}", found["idle"]);
    run(DRY, "playtest dry -n 4").prints(&["a round without anything in it: 4 games, as in round 3"]);
    run(DRY, "check .")
        .ends(0)
        .says(&["warning[G206]: a round went by in which nobody could do anything and nothing changed", "dry.rules:6:13"]);
    // What goes by the number of the round may come in another one.
    let rain = DRY.replace("of day", "of day, rain") + "phase rain { if remainder of round by 2 == 0 { each player { gain 1 clay } } }";
    run(&rain, "check .").tells_no(&["G206"]);
    let busy = DRY.replace("cost 1 clay; ", "");
    assert_eq!(result(&busy, "playtest dry -n 4").get("idle"), None);
    run(&busy, "check .").tells_no(&["G206"]);
}

#[test]
fn games_that_are_cut_off_are_told() {
    let walk = WALK.replace("{walked}", "1").replace("{score}", "0 - step");
    let found = result(&walk, "playtest walk -n 5");
    assert_eq!((&found["games"], &found["cut_off"], &found["rounds"]["mean"]), (&5.into(), &5.into(), &1000.0.into()));
    run(&walk, "playtest walk -n 5").prints(&["5 games were cut off after the most rounds that there can be"]);
    let compared = run(&walk, "compare walk -n 5 --with 'change score.steps to step'").ends(0);
    compared.prints(&["100% of the games without the change, 0% with it"]);
    run(&walk, "tournament walk -n 4 --agents greedy,greedy:2").prints(&["4 games were cut off"]);
    let ends = WALK.replace("{walked}", "1").replace("{score}", "step");
    assert_eq!(result(&ends, "playtest walk -n 5")["cut_off"], 0);
}

#[test]
fn what_careful_players_keep_away_from_is_told() {
    run(PIT, "playtest pit -n 20")
        .ends(0)
        .prints(&["20 complete games"])
        .says(&["warning[G205]: met only in thought", "in 20 games a player thought of answers after which the rules cannot go on"]);
    assert_eq!(result(PIT, "playtest pit -n 20")["avoided"][0]["games"], 20);
    for line in [
        "playtest pit -n 3 --agents search:10",
        "compare pit -n 3 --with 'change rounds to 2'",
        "tournament pit -n 4 --agents greedy,greedy:2",
    ] {
        run(PIT, line).says(&["G205"]);
    }
    // Who does not think meets it.
    run(PIT, "playtest pit -n 20 --agents random").ends(1).says(&["error[G201]"]);
}
