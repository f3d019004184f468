//! The program at the terminal: what it prints, and its exit status. Packs and scenarios are written into folders of
//! their own, where the games inside the program are played.

use crate::support::{Folder, Ran, folder, manifest, program, read, root, run_in};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// The games inside the program, from a folder without any.
fn run(line: &str) -> Ran {
    folder(&[]).run(line)
}

/// A random playtest as data.
fn played(folder: &Folder, more: &str) -> Value {
    folder.run(&format!("playtest nations -n 12 --agents random --seed 3 --json - {more}")).ends(0).result()
}

/// A result without what names the run: what came of it.
fn outcome(mut result: Value) -> Value {
    for key in ["rules", "packs", "changes"] {
        result[key] = Value::Null;
    }
    result
}

const PACK: &str = "name = \"mine\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"nations\"\n";
const WISP: &str = "[[card]]\nid = \"wisp\"\nname = \"Wisp\"\nkind = \"advisor\"\nage = 1\nset = \"base\"\nsource = \"original\"\n";

/// A pack with an advisor that does something in production.
pub fn advisor(script: &str) -> Folder {
    folder(&[
        ("mine/pack.toml", PACK),
        ("mine/cards/wisp.toml", &format!("{WISP}\n[[card.on]]\nwhen = \"production\"\ndo = \"{script}\"\n")),
    ])
}

/// A pack that changes rules, with a scenario that shows it.
fn changed(rules: &str, scenario: &str) -> Folder {
    let scenario = format!("game = \"nations\"\nplayers = 2\n\n[[scenario]]\nname = \"the change\"\n{scenario}");
    folder(&[("mine/pack.toml", PACK), ("mine/rules/mine.rules", rules), ("mine/tests/mine.toml", &scenario)])
}

// ------------------------------------------------------------------ looking things up

#[test]
fn list_shows_games_and_cards() {
    run("list").ends(0).prints(&["nations: Nations, 1 to 5 players\n", "advisor", "age 4", "event"]);
    run("list nations cards").ends(0).prints(&["battle: 32 cards\n", "war: 32 cards\n", "battle_of_cannae"]);
    let games = run("list --json -").ends(0).json();
    assert_eq!(games[0]["game"], "nations");
    assert_eq!(games[0]["cards"].as_array().unwrap().iter().filter(|card| card["id"] == "elizabeth").count(), 1);
    run("list natoins").ends(2).says(&["there is no game `natoins`; did you mean `nations`?"]);
}

#[test]
fn show_shows_a_card() {
    for name in ["elizabeth", "Elizabeth"] {
        run(&format!("show {name}")).ends(0).prints(&[
            "Elizabeth (elizabeth)\n",
            "advisor, age 3, set base\n",
            "cards/nations/base/advisors_3.toml:",
            "what = \"strength_in_war\"",
            "2 tests",
        ]);
    }
    // What its kind does is shown, too.
    run("show battle_of_cannae").ends(0).prints(&["[[kind.on]]", "this.bought", "as many as your raid"]);
    run("show elisabeth").ends(2).says(&["there is no card `elisabeth`; did you mean `elizabeth`?"]);
    run("show volcano").ends(2).says(&["there is no card `volcano`; `houserule list GAME cards` lists them"]);
}

#[test]
fn words_explains_a_word() {
    run("words gain").ends(0).prints(&["gain NUMBER RESOURCE\n", "gain(p, r, n)\n", "for example: "]);
    run("words bonus.prince").ends(0).prints(&["bonus.prince", "change bonus.prince to …", "rules/nations.rules:"]);
    run("words").ends(0).prints(&["rules: statements", "scripts: natives", "nations: moments", "nations: addresses"]);
    // What only stands in words of games is counted, where there is much of it.
    let ran = run("words number").ends(0).prints(&["number of TOKENS in NAME", "words of games", "`houserule words number --game GAME`"]);
    assert!(ran.out.lines().count() < 120, "{}", ran.out);
    run("words number --game nations").ends(0).prints(&["strength(p) -> number"]);
    run("words gian").ends(2).says(&["there is no word `gian`; did you mean `gain`?"]);
    // Words of designers lead to what is written for them, and so does a slip.
    run("words bid").ends(0).prints(&["auction, bid", "docs/recipes.md, \"… an auction\"", "[free] action NAME", "for example: "]);
    run("words 'face up'").ends(0).prints(&["face up, ", "place NAMES"]);
    run("words majorty").ends(2).says(&["did you mean `majority`?"]);
    run("words").ends(0).prints(&["words of your own lead here, too"]);
}

#[test]
fn wrong_use_ends_with_two() {
    for line in [
        "",
        "frobnicate",
        "playtest",
        "playtest natoins",
        "playtest nations -n 0",
        "playtest nations --players 9",
        "playtest nations --agents clever",
        "playtest nations --agents random,greedy",
        "playtest nations --deal elizabeth@first",
        "playtest nations --option side",
        "check nowhere",
        "test nowhere.toml",
        "show",
        "--root nowhere list",
    ] {
        let ran = run(line).ends(2);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{line}");
    }
    run("playtest nations --agents clever").says(&["there is no agent `clever`; there are random, greedy"]);
    run("playtest nations --players 9").says(&["this game is for 1 to 5 players, not 9"]);
}

// ------------------------------------------------------------------ check

#[test]
fn check_finds_nothing_in_the_built_in_games() {
    run("check").ends(0).prints(&["nations: ", "1 to 5 players", "0 errors, 0 warnings"]);
    run("check nations-dice").ends(0).prints(&["nations-dice: ", "0 errors, 0 warnings"]);
    run("check nation").ends(2).says(&["`nation` is neither a folder nor a game; did you mean the game `nations`?"]);
    run_in(root(), "check tests/games").ends(0).prints(&["0 errors, 0 warnings"]);
}

/// From the repository, its own files are read. (`.ci/run` leaves this to a step of its own, and `all_scenarios_and_card_tests_pass` as well.)
#[test]
fn check_finds_nothing_in_the_repository() {
    run_in(root(), "check").ends(0).prints(&["0 errors, 0 warnings"]);
}

#[test]
fn check_tells_several_faults_of_a_pack_in_one_run() {
    let folder = folder(&[
        ("mine/pack.toml", PACK),
        ("mine/rules/mine.rules", "change bonsu by +1\n"),
        (
            "mine/cards/wisp.toml",
            &format!("{WISP}stabilty = 2\n\n[[card.on]]\nwhen = \"prodution\"\nif = \"most stabel\"\ndo = \"gian(me, gold, 1)\"\n"),
        ),
        ("mine/cards/broken.toml", "[[card]]\nid = \"wolf\n"),
        ("mine/tests/mine.toml", "game = \"nations\"\n\n[[scenario]]\nname = \"nothing is tested\"\n"),
    ]);
    let ran = folder.run("check mine").ends(1).says(&[
        "mine/rules/mine.rules:1:8",
        "no rule has the address `bonsu`",
        "did you mean `bonus`?",
        "mine/cards/wisp.toml:8:1",
        "did you mean `stability`?",
        "did you mean `production`?",
        "mine/cards/wisp.toml:12:7",
        "no condition is called \"most stabel\"",
        "did you mean `most stable`?",
        "mine/cards/wisp.toml:13:7",
        "did you mean `gain`?",
        "mine/cards/broken.toml:2:",
        "mine/tests/mine.toml:3:1",
        "`[[scenario]]` has no `then`",
    ]);
    assert!(!ran.err.contains('\u{1b}'), "no colours when nobody watches");
    let faults = folder.run("check mine --json -").ends(1).json();
    let fault = faults.as_array().unwrap().iter().find(|fault| fault["code"] == "C025").unwrap();
    assert_eq!((&fault["file"], &fault["line"], &fault["column"]), (&"mine/cards/wisp.toml".into(), &11.into(), &9.into()));
}

#[test]
fn check_says_what_a_pack_extends_in_vain() {
    let folder = folder(&[("mine/pack.toml", &manifest("mine", "natoins"))]);
    folder.run("check mine").ends(1).says(&[
        "extends `natoins`, which is neither a game nor a pack beside it",
        "mine/pack.toml:4:12",
        "did you mean `nations`?",
    ]);
    for (from, to, said) in [
        ("extends", "extend", "mine/pack.toml:4:1"),
        ("extends = \"nations\"", "", "`pack.toml` has no `extends`"),
        ("\"nations\"", "\"mine\"", "pack `mine` cannot build on itself"),
        ("\"1.0\"", "1.0", "`version` must be a text in quotes"),
        ("language = 1", "language = \"one\"", "`language` must be a whole number"),
        (PACK, "", "`pack.toml` has no `name`, `version`, `language`, `extends`"),
    ] {
        folder.write("mine/pack.toml", &PACK.replace(from, to));
        folder.run("check mine").ends(1).says(&[said]).prints(&["1 error, 0 warnings"]);
    }
}

#[test]
fn packs_that_go_together_are_checked_together() {
    let needs = manifest("tall", "nations") + "requires = [\"wisps\"]\n";
    let folder = folder(&[
        ("wisps/pack.toml", &manifest("wisps", "nations")),
        ("wisps/rules/wisps.rules", "constant wisps = 1\nextend setup { each player { gain wisps gold } }\n"),
        ("tall/pack.toml", &needs),
        ("tall/rules/tall.rules", "extend setup { each player { gain wisps gold } }\n"),
        ("tall/tests/a.toml", "game = \"nations\"\n[[scenario]]\nname = \"a\"\nwhen = \"p1: pass\"\nthen = \"p1.gold gained 0\"\n"),
    ]);
    // What it needs lies beside it.
    folder.run("check tall").ends(0).prints(&["nations with wisps with tall: ", "0 errors, 0 warnings"]);
    folder.run("test tall").ends(0).prints(&["1 passed"]);
    // Elsewhere it is named.
    folder.write("far/wisps/pack.toml", &folder.read("wisps/pack.toml"));
    folder.write("far/wisps/rules/wisps.rules", &folder.read("wisps/rules/wisps.rules"));
    folder.remove("wisps/pack.toml");
    folder.run("check tall").ends(1).says(&["needs pack `wisps`, which is not loaded"]);
    folder.run("check tall far/wisps").ends(0);
    folder.run("check tall --pack far/wisps").ends(0).prints(&["0 errors, 0 warnings"]);
    // Two that do not know each other, too.
    folder.write("wide/pack.toml", &manifest("wide", "nations"));
    folder.write("wide/rules/wide.rules", "constant wisps = 2\nextend setup { each player { gain wisps gold } }\n");
    folder.run("check far/wisps --pack wide").ends(1).says(&["`wisps` is declared already"]);
}

#[test]
fn what_a_pack_says_in_vain_is_told() {
    let folder = folder(&[
        ("wisps/pack.toml", &(manifest("wisps", "nations") + "over = [\"wips\"]\n")),
        ("wisps/card/a.toml", ""),
        ("wisps/cards/a.tml", ""),
        ("wisps/rules/a.rule", ""),
        ("wisps/notes.md", ""),
        ("lost/cards/a.toml", ""),
    ]);
    folder.run("check wisps").ends(0).prints(&["0 errors, 5 warnings"]).says(&[
        "pack `wisps` changes nothing",
        "there is no pack `wips` here",
        "nobody reads `wisps/card/a.toml`",
        "nobody reads `wisps/cards/a.tml`",
        "nobody reads `wisps/rules/a.rule`",
        "write `.rules`",
    ]);
    folder.run("check lost").ends(0).says(&["nobody reads `lost/cards/a.toml`", "it needs a `pack.toml`"]);
}

#[test]
fn a_pack_is_named_by_its_folder() {
    let folder = folder(&[("packs/wisps/pack.toml", &manifest("wisps", "nations"))]);
    folder.run("playtest nations -n 1 --pack wisps").ends(1).says(&["a pack is named by its folder: `packs/wisps`"]);
}

// ------------------------------------------------------------------ test

#[test]
fn all_scenarios_and_card_tests_pass() {
    let ran = run_in(root(), "test").ends(0).prints(&[" passed, 0 failed"]);
    let passed: usize = ran.out.split(' ').next().unwrap().parse().unwrap();
    assert!(passed > 200, "{passed} tests");
}

#[test]
fn a_folder_of_scenarios_is_run() {
    run_in(root(), "test packs/promo/tests").ends(0).prints(&[" passed, 0 failed, in "]);
}

/// A small game of its own.
const WELL: &str = r#"
game well "Well"
players 2
table { place rim of stone }
player { resource wisp; each round { flag gone } }
kind stone { slot rim }
constant more = 1
variant wet { change more to 5 }
setup { all players { gain more wisp } }
rounds 1 of day
phase day { turns in order until all have gone; action go { does { gone = yes } } }
score { "wisps" = wisp }
wins highest score, then order
"#;

#[test]
fn scenarios_are_run_with_the_game_that_lies_around_them() {
    let scenario = |then: &str| format!("game = \"well\"\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"{then}\"\n");
    let (good, bad) = (scenario("p1.wisp == 1"), scenario("p1.wisp == 2"));
    let folder = folder(&[("in/well/rules/well.rules", WELL), ("in/well/tests/deep/a.toml", &good), ("in/well/cards/well/none.toml", "")]);
    folder.run("test in").ends(0).prints(&["1 passed, 0 failed, in 1 file"]);
    folder.run("test in/well").ends(0).prints(&["1 passed, 0 failed"]);
    folder.run("test in/well/tests/deep").ends(0).prints(&["1 passed, 0 failed, in 1 file "]);
    folder.run("test in/well/tests/deep/a.toml").ends(0).prints(&["1 passed, 0 failed"]);
    // Of the game that one is in: right in tests/, and below tests/scenarios/.
    folder.write("in/well/tests/near.toml", &scenario("p1.wisp == 3"));
    folder.write("in/well/tests/no_scenarios.toml", "wisp = 1");
    folder.run("--root in/well test").ends(1).prints(&["in/well/tests/near.toml:5:9"]);
    folder.write("in/well/tests/near.toml", &good);
    folder.run("--root in/well test").ends(0);
    folder.remove("in/well/tests/near.toml");
    folder.remove("in/well/tests/no_scenarios.toml");
    folder.write("in/well/tests/b.toml", &bad);
    folder.run("test in").ends(1).prints(&["in/well/tests/b.toml:5:9", "1 passed, 1 failed"]);
    folder.write("in/well/tests/b.toml", &bad.replace("well", "wlel"));
    folder.run("test in/well/tests/b.toml").ends(1).says(&["there is no game `wlel`"]);
}

/// A game in two files, of which one adds to what the other declares, and a pack.
fn well_with_pack(rules: &str) -> Folder {
    let own = "extend setup { all players { gain later wisp } }\nconstant later = 2\ndefine rain = later\n";
    let first =
        WELL.replace("setup {", "effect drip(n) { gain n wisp }\nsetup {").replace("\"wisps\" = wisp", "\"wisps\" = wisp; \"rain\" = rain");
    let pack = manifest("mine", "well");
    folder(&[("rules/well/1.rules", &first), ("rules/well/2.rules", own), ("mine/pack.toml", &pack), ("mine/rules/mine.rules", rules)])
}

#[test]
fn a_pack_that_drops_what_another_file_of_the_game_adds_is_told_unless_it_says_so() {
    let folder = well_with_pack("replace setup { all players { gain 3 wisp } }\n");
    folder.run("check mine").ends(1).says(&[
        "error[R202]: `mine` replaces `setup`, and loses what `well` has written to it in another place",
        "mine/rules/mine.rules:1:1",
        "rules/well/2.rules:1:1",
        "over = [\"well.setup\"]",
    ]);
    folder.write("mine/pack.toml", &(manifest("mine", "well") + "over = [\"well.setup\"]\n"));
    folder.run("check mine").ends(0).prints(&["0 errors"]);
    folder.write("mine/pack.toml", &(manifest("mine", "well") + "over = [\"well.score\"]\n"));
    folder.run("check mine").ends(1);
    folder.write("mine/rules/mine.rules", "extend setup { all players { gain 3 wisp } }\n");
    folder.run("check mine").ends(0);
}

#[test]
fn a_name_of_the_game_that_only_a_replaced_rule_has_read_is_told() {
    let folder = well_with_pack("replace rain = 5\n");
    folder.write("rules/well/2.rules", "constant later = 2\ndefine rain = later\n");
    folder.run("check mine").ends(0).says(&[
        "warning[R020]: with pack `mine`, nothing uses constant `later`",
        "what `rain` was has read it",
        "mine/rules/mine.rules:1:1",
        "over = [\"well.rain\"]",
    ]);
    folder.write("mine/pack.toml", &(manifest("mine", "well") + "over = [\"well.rain\"]\n"));
    assert!(!folder.run("check mine").ends(0).err.contains("later"));
    folder.write("mine/pack.toml", &manifest("mine", "well"));
    folder.write("mine/rules/mine.rules", "replace rain = 5 + later\n");
    assert!(!folder.run("check mine").ends(0).err.contains("later"));
}

#[test]
fn the_order_of_packs_on_the_command_line_changes_nothing() {
    let pack = |name: &str| manifest(name, "well");
    let folder = folder(&[
        ("rules/well.rules", WELL),
        ("a/pack.toml", &pack("a")),
        ("a/rules/a.rules", "extend setup { all players { gain 1 wisp } }\n"),
        ("b/pack.toml", &pack("b")),
        ("b/rules/b.rules", "extend setup { all players { if wisp > 1 { gain 5 wisp } } }\n"),
    ]);
    let scenario = "game = \"well\"\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"p1.wisp == 7\"\n";
    folder.write("one/a.toml", scenario);
    for packs in ["--pack a --pack b", "--pack b --pack a"] {
        folder.run(&format!("test one/a.toml {packs}")).ends(0).prints(&["1 passed, 0 failed"]);
    }
    folder.run("playtest well -n 4 --agents random --pack a --pack b --save 1.run --shard 1/2").ends(0);
    folder.run("playtest well -n 4 --agents random --pack b --pack a --save 2.run --shard 2/2").ends(0);
    folder.run("merge 1.run 2.run").ends(0);
}

#[cfg(unix)]
#[test]
fn files_that_are_none_and_files_that_are_nearly_read_are_told() {
    let folder = folder(&[("rules/well.rules", WELL), ("mine/rules/mine.rules", ""), ("mine/pack.toml/x", "")]);
    folder.run("check mine").ends(1).says(&["cannot read `mine/pack.toml`: it is no plain file"]);
    folder.remove("mine/pack.toml/x");
    fs::remove_dir(folder.at("mine/pack.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.at("mine/pack.toml")).status().unwrap().success());
    folder.run("check mine").ends(1).says(&["it is no plain file"]);
    folder.remove("mine/pack.toml");
    folder.write("mine/Pack.toml", &manifest("mine", "well"));
    folder.run("check mine").ends(2).says(&["`mine/Pack.toml` is not read", "in small letters"]);
    folder.run("merge /dev/zero").ends(2).says(&["cannot read `/dev/zero`: it is no plain file"]);
    folder.write("tests/a.TOML", "");
    folder.run("test tests").says(&["nobody reads `tests/a.TOML`"]);
}

#[test]
fn a_phase_called_like_what_every_game_has_is_refused() {
    let folder = folder(&[("rules/well.rules", &WELL.replace("of day", "of game").replace("phase day", "phase game"))]);
    folder.run("check .").ends(1).says(&["`game` is also the address of something else", "give the phase another name"]);
}

#[test]
fn what_nothing_uses_is_told() {
    let heard = WELL.replace("setup {", "hearing rim\nsetup { moment dusk;");
    let rules = format!(
        "{heard}constant idle = 3\ntable {{ counter told; flag damp }}\nkind cloud {{ slot rim }}\neffect rain {{ told = 2 }}\neffect flood {{ told = 1 }}\n\
         board rill 3 by 3\nboard moor 3 by 3\nplayer {{ counter stands of moor }}\n"
    );
    let pebble = "[[card]]\nid = \"pebble\"\nkind = \"stone\"\n";
    let folder = folder(&[("rules/well.rules", &rules), ("cards/well/stones.toml", &format!("{pebble}on.dusk = \"rain(me)\""))]);
    let said = folder.run("check .").err;
    for wanted in [
        "nothing uses constant `idle`",
        "counter `told` is written, but nothing reads it",
        "nothing uses flag `damp`",
        "nothing uses kind `cloud`",
        "nothing uses effect `flood`",
        "nothing uses board `rill`",
        "nothing uses counter `stands`",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert!(!said.contains("`moor`"), "a counter holds its spaces: {said}");
    assert!(!said.contains("effect `rain`"), "{said}");
    // A variant may use it.
    folder.write("rules/well/dry.rules", "variant dry { add effect dew { do flood; if damp { told = idle } } }\n");
    let said = folder.run("check .").err;
    assert!(!["flood", "idle", "damp"].iter().any(|used| said.contains(&format!("`{used}`"))) && said.contains("`cloud`"), "{said}");
}

#[test]
fn packs_are_tested_with_themselves() {
    let test = "game = \"well\"\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"p1.wisp == 4\"\n";
    let card = "[[card]]\nid = \"pebble\"\nname = \"Pebble\"\nkind = \"stone\"\n[[card.test]]\ngiven = \"put pebble in rim\"\nthen = \"count rim == 1\"\n";
    let folder = folder(&[
        ("rules/well.rules", WELL),
        ("cards/well/none.toml", ""),
        ("packs/deep/pack.toml", &manifest("deep", "well")),
        ("packs/deep/rules/deep.rules", "change more to 4"),
        ("packs/deep/cards/all.toml", card),
        ("packs/deep/tests/a.toml", test),
    ]);
    folder.run("test packs/deep").ends(0).prints(&["2 passed, 0 failed, in 2 files"]);
    folder.run("test packs/deep/tests/a.toml").ends(0).prints(&["1 passed, 0 failed"]);
    // Without a name those below packs/ are among all.
    let all = folder.run("test").ends(0);
    folder.write("packs/deep/rules/deep.rules", "change more to 3");
    assert!(all.out.contains(" 0 failed"), "{}", all.out);
    folder.run("test").ends(1).prints(&["packs/deep/tests/a.toml:5:9", " 1 failed"]);
}

#[test]
fn scenarios_say_with_which_variants_they_are_played() {
    let one = |name: &str, with: &str, wisps: i64| {
        format!("[[scenario]]\nname = \"{name}\"\n{with}\ngiven = \"as set up\"\nthen = \"p1.wisp == {wisps}\"\n")
    };
    let file = format!(
        "game = \"well\"\nwith = \"wet\"\n{}{}{}",
        one("a", "", 5),
        one("b", "with = [\"change more by +1\", \"drier.rules\"]", 4),
        one("c", "", 5)
    );
    let folder =
        folder(&[("rules/well.rules", WELL), ("cards/well/none.toml", ""), ("t/a.toml", &file), ("t/drier.rules", "change more by -2\n")]);
    folder.run("test t/a.toml").ends(0).prints(&["3 passed, 0 failed"]);
    let line = ["test", "t/a.toml", "--with"].join(" ");
    folder.run(&format!("{line} drought.rules")).ends(1).says(&["cannot read `drought.rules`"]);
    folder.write("drought.rules", "replace setup { all players { gain 9 wisp } }\n");
    folder.run(&format!("{line} drought.rules")).ends(1).prints(&["0 passed, 3 failed"]);
    folder.write("t/a.toml", &file.replace("by +1", "by +x"));
    folder.run("test t/a.toml").ends(1).says(&["t/a.toml:10:26"]).prints(&["2 passed, 0 failed, 1 not run"]);
}

const SCENARIOS: &str = r#"
game = "nations"
players = 2

[[scenario]]
name = "growth gives three"
when = "run maintenance.growth; p2: take gold; p1: take food"
then = """
p2.gold gained 3
p1.food gained 4
"""

[[scenario]]
name = "it gives three indeed"
when = "run maintenance.growth; p2: take gold; p1: take food"
then = "p1.food gained 3"
"#;

#[test]
fn a_failing_scenario_shows_the_line_both_values_and_the_log() {
    let folder = folder(&[("growth.toml", SCENARIOS)]);
    folder.run("test growth.toml").ends(1).prints(&[
        "FAILED growth.toml: growth gives three\n",
        "growth.toml:10:1\n",
        "`p1.food gained 4` does not hold",
        "gained 3: it was 3 and is 6",
        "what happened:\n",
        "p1 gains 3 food\n",
        "1 passed, 1 failed, in 1 file",
    ]);
}

#[test]
fn junit_reports_are_written() {
    let folder = folder(&[("growth.toml", SCENARIOS)]);
    folder.run("test growth.toml --junit report.xml").ends(1);
    let report = folder.read("report.xml");
    for part in ["<?xml", "<testsuite name=\"growth.toml\" tests=\"2\"", "failures=\"1\"", "name=\"growth gives three\"", "<failure"] {
        assert!(report.contains(part), "no `{part}` in\n{report}");
    }
}

#[test]
fn a_fault_of_a_game_is_told_once_and_its_tests_are_not_run() {
    let of_card = |more: &str| format!("{WISP}{more}\n[[card.test]]\ngiven = \"p1 has wisp\"\nthen = \"p1 has wisp\"\n");
    for (rules, card, fault) in [
        ("extend setup { gian 1 gold }", "", "begins with `gian`"),
        ("extend setup { each player { gain 1 godl } }", "", "`godl` is not a resource"),
        ("", "strenght = 2", "have no field `strenght`"),
        ("", "[[card.on]]\nwhen = \"production\"\ndo = \"give(me, gold, 1)\"", "unknown function `give`"),
    ] {
        let scenarios = SCENARIOS.replacen("game = ", "packs = [\"..\"]\ngame = ", 1);
        let folder = folder(&[
            ("mine/pack.toml", PACK),
            ("mine/rules/mine.rules", rules),
            ("mine/cards/wisp.toml", &of_card(card)),
            ("mine/tests/growth.toml", &scenarios),
        ]);
        let ran = folder.run("test mine --junit report.xml").ends(1).prints(&["0 passed, 0 failed, 3 not run, 1 error that kept tests"]);
        assert_eq!(ran.err.matches(fault).count(), 1, "{}", ran.err);
        let report = folder.read("report.xml");
        assert!(
            report.contains("skipped=\"2\"") && report.contains("errors=\"1\"") && report.contains("name=\"the files can be read\""),
            "{report}"
        );
    }
}

#[test]
fn the_pack_or_game_in_the_current_folder_is_meant_where_none_is_named() {
    // A pack with rules and cards is added to games, and overrides none of their files.
    let wrong = format!("{WISP}strenght = 2\n[[card.test]]\ngiven = \"p1 has wisp\"\nthen = \"p1.strength == 2\"\n");
    let folder = folder(&[("pack.toml", PACK), ("rules/mine.rules", "change bonus by +1\n"), ("cards/wisp.toml", &wrong)]);
    for line in ["check", "test"] {
        let ran = folder.run(line).ends(1).says(&["have no field `strenght`"]);
        assert!(!ran.out.contains("nations-dice"), "{}", ran.out);
    }
    // A game may have no cards.
    let game = "game wells \"Wells\"\nplayers 2 to 2\nplayer { resource drop; flag done }\nrounds 1 of day\n";
    let day = "phase day { turns in order until all have done, 1 each\n  action draw { does { gain 1 drop; done = yes } } }\n";
    let folder = self::folder(&[("rules/wells.rules", &format!("{game}{day}score {{ \"drops\" = drop }}\nwins highest score\n"))]);
    folder.run("check .").ends(0).prints(&["wells: 0 cards, 2 to 2 players"]);
    folder.run("playtest wells -n 4 --agents random").ends(0).prints(&["Wells: 4 complete games"]);
}

#[test]
fn a_scenario_without_then_is_an_error() {
    let folder = folder(&[("nothing.toml", "game = \"nations\"\n\n[[scenario]]\nname = \"nothing is tested\"\nwhen = \"others pass\"\n")]);
    folder.run("test nothing.toml").ends(1).says(&["error[C003]: `[[scenario]]` has no `then`", "nothing.toml:3:1"]);
    let card = format!("{WISP}\n[[card.test]]\ngiven = \"p1 has wisp\"\n");
    folder.write("mine/pack.toml", PACK);
    folder.write("mine/cards/wisp.toml", &card);
    folder.run("test --pack mine").ends(1).says(&["error[C003]: `[[card.test]]` has no `then`", "mine/cards/wisp.toml:9:1"]);
}

// ------------------------------------------------------------------ playtest

#[test]
fn the_same_seed_gives_the_same_result_with_any_number_of_threads() {
    let run = |more: &str| run(&format!("playtest nations -n 60 --agents random --seed 3 --json - {more}")).ends(0).result();
    let one = run("--threads 1");
    assert_eq!(one["games"], 60);
    assert_eq!(one, run("--threads 2"));
    assert_eq!(one, run("--threads 2"));
    assert_ne!(one["points"], self::run("playtest nations -n 60 --agents random --seed 4 --json -").ends(0).result()["points"]);
}

#[test]
fn a_playtest_is_summed_up() {
    let folder = folder(&[]);
    folder.run("playtest nations -n 4 --agents greedy,random,random,random --csv games.csv --json all.json").ends(0).prints(&[
        "Nations: 4 complete games, 4 players (greedy, random, random, random), seed 1\n",
        "Points of a player\n",
        "Games won\n",
        "even share",
        "Actions in a game",
        "decisions in a game",
        " games and ",
    ]);
    assert_eq!(folder.read("games.csv").lines().count(), 1 + 4 * 4);
    let all = folder.json("all.json");
    assert_eq!(all["result"]["agents"][0], "greedy");
    assert!(all["timing"]["seconds"].is_number());
}

#[test]
fn scripts_that_never_ran_are_listed_where_it_is_asked_for() {
    let folder = advisor("gain(me, gold, 1)");
    let plain = played(&folder, "--pack mine --deal wisp@p1");
    let mut counted = played(&folder, "--pack mine --deal wisp@p1 --hooks");
    let hooks = counted.as_object_mut().unwrap().remove("hooks").unwrap();
    assert_eq!(counted, plain);
    let entries = hooks["entries"].as_array().unwrap();
    let never = entries.iter().filter(|entry| entry["times"] == 0).count();
    assert_eq!(hooks["scripts"].as_u64().unwrap() as usize, entries.len());
    assert_eq!(hooks["ran"].as_u64().unwrap() as usize, entries.len() - never);
    assert!(hooks["absent"].as_u64().unwrap() > 20, "the advanced and the expert set are not in the game");
    let wisp = entries.iter().find(|entry| entry["entry"] == "wisp.production").unwrap();
    assert_eq!(wisp["place"], "mine/cards/wisp.toml:11:7");
    assert!(wisp["games"].as_u64().unwrap() > 0 && wisp["times"].as_u64() >= wisp["games"].as_u64());
    // Cards of the later ages never come.
    let ran = folder.run("playtest nations -n 3 --agents random --option ages=1 --pack mine --hooks").ends(0);
    let ran = ran.prints(&["Scripts of cards\n", " ran (", "not in the game with these options"]);
    assert!(ran.out.lines().filter(|line| line.starts_with("    ") && line.contains(".toml:")).count() > 50, "{}", ran.out);
}

#[test]
fn numbers_are_counted_among_the_answers() {
    let ran = run_in(root(), "--root tests/games playtest attic -n 5 --players 3 --agents random --json -").ends(0).result();
    let answers: Vec<&Value> = ran["answers"].as_array().unwrap().iter().filter(|answer| answer["question"] == "bids").collect();
    assert!(answers.iter().any(|answer| answer["answer"] == "0") && answers.iter().any(|answer| answer["answer"] == "7"), "{answers:?}");
    // Three bid in each of 24 rounds; who has nothing left is not asked.
    let bids: f64 = answers.iter().map(|answer| answer["per_game"].as_f64().unwrap()).sum();
    assert!((40.0..=72.0).contains(&bids), "{bids}");
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_games() {
    // So many games would take minutes.
    for more in ["--json /nowhere/at/all.json", "--csv .", "--csv /nowhere/at/all.csv", "--report /nowhere/at/all.html"] {
        run(&format!("playtest nations -n 1000000 --agents random {more}")).ends(2).says(&["cannot write `"]);
    }
    run("playtest nations -n 1000000 --json - --csv -").ends(2).says(&["--json and --csv cannot both go to the terminal"]);
    run("check --json /nowhere/at/all.json").ends(2).says(&["cannot write `/nowhere/at/all.json`"]);
}

/// No report takes the place of what a person wrote: what the command reads, or files of a game.
#[test]
fn an_output_does_not_go_over_rules_and_cards() {
    let folder = folder(&[("variant.rules", "change bonus by +1\n"), ("other.toml", "a = 1\n")]);
    let is_kept = |file: &str, text: &str| assert_eq!(folder.read(file), text);
    let line = "playtest nations -n 2 --agents random --with variant.rules";
    for option in ["--csv", "--json", "--parquet", "--report", "--game 0 --replay"] {
        let wrong = format!("{} cannot go to `./variant.rules`, which this command reads", option.trim_start_matches("--game 0 "));
        folder.run(&format!("{line} {option} ./variant.rules")).ends(2).says(&[&wrong]);
        folder
            .run(&format!("{line} {option} other.toml"))
            .ends(2)
            .says(&["`other.toml` is there already, and holds rules, cards or scripts"]);
    }
    folder.run("compare nations -n 2 --with variant.rules --json variant.rules").ends(2).says(&["which this command reads"]);
    folder.run("check --format json=other.toml").ends(2).says(&["`other.toml` is there already"]);
    folder.run("train nations --players 2 --with variant.rules --write variant.rules").ends(2).says(&["which this command reads"]);
    folder.run("train nations --players 2 --write variant.rules").ends(2).says(&["`variant.rules` is there already"]);
    folder.run("playtest nations -n 2 --agents random --csv ./a.csv --json a.csv").ends(2).says(&["cannot both go to `./a.csv`"]);
    is_kept("variant.rules", "change bonus by +1\n");
    is_kept("other.toml", "a = 1\n");
}

/// A disk that is full while the games are played costs the table, and not what was learnt from them.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_written_does_not_take_the_report_away() {
    for (option, said) in [("--csv", "No space left"), ("--parquet", "No space left")] {
        let ran = run(&format!("playtest nations -n 20 --agents random {option} /dev/full"));
        let wrong = format!("error: cannot write the table of games into `/dev/full`: {said}");
        let ran = ran.ends(2).says(&[&wrong]).prints(&["20 complete games", "Points of a player"]);
        assert!(!ran.err.contains("External"), "{}", ran.err);
    }
}

/// Tables without lines, and comparisons that prove nothing, once had figures all the same.
/// What one begins with was looked at when the first question was put, when boards were still to be chosen.
#[test]
fn what_is_chosen_in_set_up_is_what_one_begins_with() {
    let ran = run("playtest nations -n 5 --players 4 --option side=b --agents random --json -").ends(0);
    let whole = ran.result();
    let begun = whole["begun"].as_array().unwrap();
    let boards = begun.iter().filter(|card| card["place"] == "nation").map(|card| card["won"]["of"].as_u64().unwrap());
    assert_eq!(boards.sum::<u64>(), 20, "each of four players has a board in each of five games: {begun:?}");
}

#[test]
fn what_there_is_not_is_not_told() {
    let games = |line: &str| run_in(root(), &format!("--root tests/games {line}"));
    let ran = games("playtest glutton -n 10 --agents random").ends(0);
    assert!(ran.out.contains("Games won") && !ran.out.contains("Actions in a game"), "{}", ran.out);
    let hives = games("playtest orchard -n 10 --agents random --cards=hive").ends(2);
    hives.says(&["what `hive_1_1` and 17 more do stands in the rules", "a blank takes nothing away"]);
    let trees = games("playtest orchard -n 10 --agents random --cards").ends(0);
    trees.prints(&["not asked, since what they do stands in the rules", " and ", " more"]);
    let one = run("compare nations -n 1 --deal augustus --agents random").ends(0);
    assert!(!one.out.contains("inf") && one.out.contains("games won by p1: "), "{}", one.out);
    run("compare nations -n 99 --deal augustus --until 1").ends(2).says(&["`--until` looks for the first time after 100 pairs"]);
    run("playtest nations -n 5 --game 5 --replay x").ends(2).says(&["`--game 5`: the games of 5 are numbered from 0 to 4"]);
    let seats = run("compare nations -n 2 --deal augustus --players 3 --agents greedy,random,random").ends(0);
    seats.prints(&["2 pairs of games, 3 players (greedy, random, random), seed 1"]);
}

#[test]
fn a_card_that_nobody_can_have_is_not_dealt() {
    let of_table = run("playtest nations -n 1 --deal warring_states@p1").ends(1);
    of_table.says(&[
        "`warring_states` was dealt to p1, but no player has a place for cards of kind `war`",
        "write `warring_states` without a seat",
    ]);
    let nowhere = run("playtest nations -n 1 --deal parthian_wars --option set=base").ends(1);
    nowhere.says(&["`parthian_wars` cannot be dealt: no player has a place for cards of kind `war`, nor does it lie in a deck"]);
    run("playtest nations -n 1 --agents random --deal warring_states").ends(0);
}

#[test]
fn what_is_said_twice_is_refused() {
    run("playtest nations -n 1 --deal augustus@p1 --deal augustus@p2").ends(2).says(&["`augustus` is dealt twice"]);
    run("playtest nations -n 1 --deal rome@p1 --deal egypt").ends(1).says(&["p1 has no room for `egypt` besides `rome`, dealt as well"]);
    let both = run("playtest nations -n 2 --agents random --deal augustus --deal sun_tzu").ends(1);
    both.says(&["`sun_tzu` was dealt to p1 over `augustus`, dealt as well"]);
    run("playtest nations -n 1 --option ages=1 --option ages=4").ends(2).says(&["option `ages` is given twice"]);
    run("playtest nations -n 1 --option level@p2=king --option level@p2=prince").ends(2).says(&["`level@p2` is given twice"]);
}

#[test]
fn no_column_of_the_games_table_is_called_like_another() {
    let folder = folder(&[]);
    folder.run("playtest nations-dice -n 2 --agents random --csv games.csv").ends(0);
    let table = folder.read("games.csv");
    let mut columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    assert!(columns.contains(&"points") && columns.contains(&"points (score)"), "{columns:?}");
    let all = columns.len();
    columns.sort_unstable();
    columns.dedup();
    assert_eq!(columns.len(), all);
}

/// What a page says, without its style and its scripts.
fn said(page: &str) -> String {
    let (_, main) = page.split_once("<main id=\"page\">").unwrap();
    let tags = main.split_once("</main>").unwrap().0.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    tags.collect::<String>().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// That nothing in a page is fetched: no element of it may, and the browser is told so.
#[track_caller]
fn is_alone(page: &str) {
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "));
    // What stands around scripts; a script itself begins with a tag that names no file.
    let around = page.split("</script>").map(|part| {
        let (before, script) = part.split_once("<script").unwrap_or((part, ">"));
        assert!([">", " type=\"application/json\" id=\"charts\">"].iter().any(|tag| script.starts_with(tag)), "<script{script:.60}");
        before
    });
    let around: String = around.collect();
    assert!(around.contains("<main id=\"page\">") && around.ends_with("</html>\n"), "{around}");
    let tags = around.split('<').filter_map(|part| Some(part.split_once('>')?.0));
    for tag in tags {
        assert!(![" src=", " href=", "link ", "iframe", "img ", "object ", " on"].iter().any(|outside| tag.contains(outside)), "<{tag}>");
    }
}

#[test]
fn a_page_holds_all_figures_and_fetches_nothing() {
    let folder = folder(&[]);
    folder.run_small("playtest attic -n 20 --agents random --report page.html --json all.json").ends(0).prints(&["20 complete games"]);
    let page = folder.read("page.html");
    assert!(said(&page).contains("The Attic: 20 complete games, 4 players (random), seed 1\n20 games are few"));
    is_alone(&page);
    // Without a script the figures are there, too.
    assert!(page.contains("<noscript>") && page.contains("<h2>Points of a player</h2>"));
    run("playtest nations -n 1000000 --json - --report -").ends(2).says(&["--json and --report cannot both go to the terminal"]);
    run("playtest nations --with campaign --series --report page.html").ends(2).says(&["cannot be used with"]);
}

#[test]
fn names_in_a_page_are_text() {
    let hostile = "</script><script>alert('wisp')</script><!-- & <b>";
    let rules = read("tests/games/rules/attic.rules").replacen("\"The Attic\"", &format!("\"{hostile}\""), 1);
    let cards = read("tests/games/cards/attic/cards.toml").replacen("name = \"", &format!("name = \"{hostile} "), 1);
    let folder = folder(&[("rules/attic.rules", &rules), ("cards/attic/cards.toml", &cards)]);
    folder.run("playtest attic -n 5 --agents random --report page.html").ends(0);
    let page = folder.read("page.html");
    assert!(!page.contains("<script>alert") && !page.contains("<b>"));
    assert!(said(&page).contains(&format!("{hostile}: a playtest")), "{}", said(&page));
    is_alone(&page);
}

#[test]
fn a_run_says_what_it_was_made_of() {
    let pack = |more: &str| {
        let line = format!("playtest nations -n 1 --agents random --json - {more}");
        run_in(root(), &line).ends(0).result()["packs"].clone()
    };
    assert_eq!(pack(""), serde_json::json!([]));
    let promo = pack("--pack packs/promo");
    assert_eq!((&promo[0]["name"], &promo[0]["version"]), (&Value::from("promo"), &Value::from("1.0")));
    // Wherever a pack lies, its hash is that of what is in it.
    let files = [("mine/pack.toml", PACK), ("mine/cards/wisp.toml", WISP), ("yours/pack.toml", PACK), ("yours/cards/wisp.toml", WISP)];
    let folder = folder(&files);
    let hash = |name: &str| played(&folder, &format!("--pack {name}"))["packs"][0]["hash"].clone();
    let first = hash("mine");
    assert_eq!(first, hash("yours"));
    folder.write("mine/cards/wisp.toml", &WISP.replace("Wisp", "Whisp"));
    assert_ne!(first, hash("mine"));
}

// ------------------------------------------------------------------ compare

#[test]
fn a_change_is_compared_with_the_game_as_it_is() {
    let line = "compare nations --players 3 --agents random -n 20 --seed 3";
    let ran = run(&format!("{line} --with 'change bonus by +2'")).ends(0).prints(&[
        "Nations: 20 pairs of games, 3 players (random), seed 3",
        "changed: --with 'change bonus by +2'",
        "20 pairs are few",
        "mean points of a player",
        "the first games part in pair",
        "Benjamini-Hochberg",
    ]);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    let whole = |threads: u16| run(&format!("{line} --with 'change bonus by +2' --threads {threads} --json -")).ends(0).json();
    let one = whole(1);
    assert_eq!(one, whole(2), "the number of threads makes a difference");
    assert_eq!((&one["pairs"], &one["looks"], one["rules"][0] == one["rules"][1]), (&Value::from(20), &Value::from("once"), false));
    let points = one["rows"].as_array().unwrap().iter().find(|row| row["measure"] == "points").unwrap();
    let gain = points["changed"].as_f64().unwrap() - points["plain"].as_f64().unwrap();
    assert!((gain - points["difference"].as_f64().unwrap()).abs() < 1e-9, "{points}");
}

#[test]
fn a_comparison_has_a_page_with_its_figures() {
    let folder = folder(&[]);
    let line = "compare nations --players 2 --agents random --against packs/promo --set set=base,promo";
    let ran = run_in(root(), &format!("{line} -n 6 --report {} --json {}", folder.name("page.html"), folder.name("all.json"))).ends(0);
    let (page, all) = (folder.read("page.html"), folder.json("all.json"));
    // The same sentences as at the terminal; so few pairs show nothing, which is said.
    let said = said(&page);
    for sentence in ["What is found", "two differences may differ from each other though their intervals overlap"] {
        assert!(ran.out.contains(sentence) && said.contains(sentence), "{sentence}: {}", ran.out);
    }
    assert_eq!((&all["packs"][0], &all["packs"][1][0]["name"]), (&serde_json::json!([]), &Value::from("promo")));
    let pairs: u64 = all["differences"]["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(pairs, 6);
    is_alone(&page);
    run_in(root(), &format!("{line} -n 1")).ends(0).prints(&["1 pair is few", "in a single pair, which has no interval"]);
    run_in(root(), &format!("{line} --report /nowhere/at/all.html")).ends(2).says(&["cannot write `/nowhere/at/all.html`"]);
    run_in(root(), &format!("{line} --report - --json -")).ends(2).says(&["--json and --report cannot both go to the terminal"]);
}

/// What is changed is told as text before and after: a value, a line that is added, an option, a card of a pack.
#[test]
fn what_is_changed_is_told_as_it_was_and_as_it_is() {
    let changes = |more: &str| -> Vec<(String, Option<String>, Option<String>)> {
        let line = format!("--root tests/games compare dormice --players 2 --agents random -n 6 --json - {more}");
        let all = run_in(root(), &line).ends(0).json();
        let text = |value: &Value| value.as_str().map(str::to_string);
        let change = |one: &Value| (one["address"].as_str().unwrap().to_string(), text(&one["before"]), text(&one["after"]));
        all["rule_changes"].as_array().unwrap().iter().map(change).collect()
    };
    let found = changes("--with 'extend score { \"two\" = 2 }'");
    assert_eq!(found, [("score.two".to_string(), None, Some("\"two\" = 2".to_string()))]);
    // What both sides have is no change.
    let both = changes("--both 'extend score { \"two\" = 2 }' --with 'change score.eaten by +1'");
    let [(address, before, after)] = both.as_slice() else { panic!("{both:?}") };
    assert_eq!(address, "score.eaten");
    assert_eq!((before.as_deref(), after.as_deref()), (Some("\"eaten\" = meal"), Some("change score.eaten by +1")));
    let ran = run_in(root(), "compare nations --players 2 --agents random -n 6 --with 'change bonus by +2'").ends(0);
    ran.prints(&["What is changed\n  bonus\n    - constant bonus", "    + change bonus by +2"]);
    let line = "compare nations --players 2 --agents random -n 2 --against packs/promo --set set=base,promo --json -";
    let all = run_in(root(), line).ends(0).json();
    let addresses: Vec<&str> = all["rule_changes"].as_array().unwrap().iter().map(|one| one["address"].as_str().unwrap()).collect();
    assert!(addresses.contains(&"option set") && addresses.iter().any(|one| one.starts_with("card ")), "{addresses:?}");
}

/// Games of a ladder and of a tournament have pages that hold what `--json` has, and names in them are text.
#[test]
fn a_ladder_and_a_tournament_have_pages() {
    let hostile = "</script><script>alert('wisp')</script><!-- & <b>";
    let rules = read("tests/games/rules/dormice.rules").replacen("\"The Dormice\"", &format!("\"{hostile}\""), 1);
    assert!(rules.contains(hostile));
    let folder = folder(&[("rules/dormice.rules", &rules)]);
    let change = "--with 'extend score { \"two\" = 2 }'";
    folder.run(&format!("compare dormice --players 2 -n 8 {change} --ladder random,greedy --report page.html --json all.json")).ends(0);
    let page = folder.read("page.html");
    assert_eq!(folder.json("all.json")["rungs"][1]["agents"][0], "greedy");
    assert!(
        said(&page).contains("Three findings") && said(&page).contains(&format!("{hostile}: a comparison by several kinds of players"))
    );
    assert!(!page.contains("<script>alert") && !page.contains("<b>"));
    is_alone(&page);
    folder.run("tournament dormice --players 2 -n 4 --agents random,greedy --report page.html --json all.json").ends(0);
    let page = folder.read("page.html");
    assert!(said(&page).contains(&format!("{hostile}: a tournament")) && said(&page).contains("thinks longest"));
    assert!(!page.contains("<script>alert") && !page.contains("<b>"));
    is_alone(&page);
    folder.run("tournament dormice -n 4 --report - --json -").ends(2).says(&["--json and --report cannot both go to the terminal"]);
}

#[test]
fn minutes_follow_from_the_pace() {
    let line = "--root tests/games playtest dormice --players 2 -n 8 --agents random --json -";
    let minutes = |more: &str| {
        let ran = run_in(root(), &format!("{line} {more}")).ends(0);
        let result = ran.result();
        let duration = &result["duration"];
        (
            result["decisions"]["mean"].as_f64().unwrap(),
            duration["seconds_per_decision"].as_f64().unwrap(),
            duration["minutes"]["mean"].as_f64().unwrap(),
        )
    };
    for (more, seconds) in [("", 20.0), ("--pace 30", 30.0), ("--pace 0.5", 0.5)] {
        let (decisions, assumed, found) = minutes(more);
        assert!(assumed == seconds && (found - decisions * seconds / 60.0).abs() < 1e-9, "{decisions}, {assumed}, {found}");
    }
    run_in(root(), &format!("{line} --pace 0")).ends(2).says(&["`0` is no number of seconds above 0"]);
}

#[test]
fn a_pack_a_card_and_an_option_can_be_the_change() {
    let run = |more: &str| run_in(root(), &format!("compare nations --players 2 --agents random -n 3 {more}"));
    run("--against packs/promo").ends(0).prints(&["changed: --against packs/promo", "3 pairs of games"]);
    run("--pack packs/promo --set set=base,promo --deal augustus@p1 --all").ends(0).prints(&[
        "both: --pack packs/promo",
        "changed: --set set=base,promo  --deal augustus@p1",
        "All measures",
        "games won by p2",
    ]);
    run("--set set=base").ends(0).prints(&["the change never made a difference"]);
    // The usual level is the one that a campaign begins with.
    run("--with campaign").ends(0).prints(&["the change never made a difference: all 3 pairs went alike"]);
    let glutton = "compare glutton --root tests/games --players 2 --agents random -n 100 --with 'change enough by +5'";
    run_in(root(), &format!("{glutton} --until 0.001 --measure points")).ends(0).prints(&["not enough"]);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let run = |more: &str| run(&format!("compare nations -n 100 --agents random {more}")).ends(2);
    run("").says(&["nothing is changed", "`--with`"]);
    run("--against nowhere").says(&["`nowhere` is neither a pack's folder nor a file of rules"]);
    run("--with campaign --until 0").says(&["`--until` wants a number above 0"]);
    run("--with campaign --until 1 --measure poinst").says(&["nothing that is measured is called `poinst`", "did you mean `points`?"]);
    run("--with campaign --measure points").says(&["--until"]);
    run_in(root(), "compare nations -n 99 --with campaign --until 1").ends(2).says(&["`--until` looks for the first time after 100 pairs"]);
}

#[test]
fn a_series_lasts_until_somebody_wins_with_the_last_value() {
    let series = |more: &str| run(&format!("playtest nations --players 2 --with campaign --series -n 3 --agents random {more}"));
    let ran = series("").ends(0).prints(&["Nations: 3 complete series, seed 1", "changed: --with 'campaign'", "Series won", "games_won"]);
    assert!(ran.out.lines().any(|line| line.trim_start().starts_with("p2 random")), "{}", ran.out);
    let whole = series("--json -").ends(0).json();
    assert_eq!((&whole["series"], &whole["option"][0]), (&Value::from(3), &Value::from("games_won")));
    assert!(whole["games"]["mean"].as_f64().unwrap() >= 3.0 && whole["extremes"][1].as_u64().unwrap() <= 5, "{whole}");
    // Who begins as an emperor needs one game.
    let begun = series("--option games_won@p2=2 --json -").ends(0).json();
    assert_eq!(begun["by_seat"][1]["begins"], "2");
    assert!(begun["games"]["mean"].as_f64() < whole["games"]["mean"].as_f64(), "{begun}");
    run("playtest nations --series -n 3").ends(2).says(&["these rules declare no series of games"]);
    run("playtest nations --with campaign --series --hooks").ends(2).says(&["cannot be used with"]);
}

#[test]
fn few_games_and_games_alone_are_told_as_what_they_are() {
    let alone = run("playtest nations-dice --players 1 -n 20 --agents random").ends(0);
    assert!(alone.out.contains("20 complete games, 1 player (random)") && alone.out.contains("20 games are few"), "{}", alone.out);
    assert!(!alone.out.contains("Games won"), "alone one wins against nobody:\n{}", alone.out);
    run("playtest nations-dice -n 1 --agents random --seed random").ends(0).prints(&["1 complete game, 4 players (random), seed "]);
    run("playtest nations-dice -n 1 --seed radnom").ends(2).says(&["neither a number nor `random`"]);
}

#[test]
fn words_knows_what_cards_patches_packs_and_scenarios_are_made_of() {
    for word in [
        "on",
        "patch",
        "remove",
        "ask",
        "do",
        "part",
        "until",
        "limit",
        "leaves_when",
        "who",
        "instead",
        "given",
        "then",
        "requires",
        "drop",
    ] {
        let ran = run(&format!("words {word}")).ends(0);
        assert!(ran.out.contains("(cards and packs: "), "{word}: {}", ran.out);
    }
}

#[test]
fn a_pack_that_cannot_be_read_is_counted_among_the_results() {
    let folder = folder(&[("wolves/pack.toml", &(manifest("wolves", "nations-dice") + "news = 1\n"))]);
    folder.run("test --pack wolves").ends(1).prints(&["1 error that kept tests from being run"]);
}

#[test]
fn a_variant_that_nobody_has_chosen_is_checked() {
    let folder = folder(&[
        ("wolves/pack.toml", &manifest("wolves", "nations-dice")),
        ("wolves/rules/wolves.rules", "variant easy { change second_of_tow by +1 }\nvariant hard { change second_of_two by -1 }\n"),
    ]);
    folder.run("check wolves").ends(1).says(&["no rule has the address `second_of_tow`"]).prints(&["1 error, 0 warnings"]);
}

#[test]
fn a_variant_may_change_what_its_own_pack_says() {
    let rules = "constant wisps = 1\nextend setup { each player { gain wisps gold } }\n";
    let folder = folder(&[
        ("wisps/pack.toml", &manifest("wisps", "nations")),
        ("wisps/rules/wisps.rules", &format!("{rules}variant many \"4 gold\" {{ change wisps to 4 }}\n")),
        ("tall/pack.toml", &manifest("tall", "wisps")),
        ("tall/rules/tall.rules", "change wisps to 2\nvariant none \"none\" { change wisps to 0 }\n"),
        (
            "tall/tests/a.toml",
            "game = \"nations\"\nwith = \"none\"\n[[scenario]]\nname = \"a\"\nwhen = \"p1: pass\"\nthen = \"p1.gold gained 0\"\n",
        ),
    ]);
    folder.run("check wisps").ends(0).prints(&["0 errors, 0 warnings"]);
    folder.run("playtest nations -n 2 --agents random --pack wisps --with many").ends(0);
    // So may a pack that builds on it, and its variants.
    folder.run("check tall").ends(0).prints(&["0 errors, 0 warnings"]);
    folder.run("test tall").ends(0).prints(&["1 passed"]);
    // What a variant of the pack says wrongly is told by `check`.
    folder.write("wisps/rules/more.rules", "variant more \"5\" { change wispz to 5 }\n");
    folder.run("check wisps").ends(1).says(&["did you mean `wisps`?"]);
}

#[test]
fn what_is_typed_for_nobody_is_refused() {
    run("playtest nations -n 1 --with 'add gain 1 gold to setup'").ends(1).says(&["no player is named here", "each player"]);
    run("playtest nations -n 1 --agents random --with 'add each player { gain 1 gold } to setup'").ends(0);
}

#[test]
fn with_changes_a_rule() {
    let folder = folder(&[]);
    let base = played(&folder, "");
    let with = played(&folder, "--with 'change bonus by +1'");
    assert_ne!(outcome(base.clone()), outcome(with));
    assert_eq!(outcome(played(&folder, "--with 'change bonus by 0'")), outcome(base));
    // Growth takes four at prince.
    let scenario = "when = \"run maintenance.growth; p2: take gold; p1: take food\"\nthen = \"p2.gold gained 4; p1.food gained 4\"\n";
    changed("change bonus by +1\n", scenario).run("test --pack mine mine/tests").ends(0);
    changed("", scenario).run("test --pack mine mine/tests").ends(1).prints(&["gained 3"]);
}

#[test]
fn with_says_which_address_was_meant() {
    let line = "playtest nations -n 1 --agents random --with 'change bonsu by +1'";
    run(line).ends(1).says(&["no rule has the address `bonsu`", "--with #1:1:8", "did you mean `bonus`?"]);
    let line = "playtest nations -n 1 --agents random --with 'remove buy.needs.raid'";
    run(line).ends(1).says(&["did you mean `action.buy.needs.raid`?"]);
}

const SHARED: &str = "variant shared \"all who tie for strongest share the reward\" {\n  \
                      replace rank.most x = top leaders by x, ties at the edge in\n}\n";

/// Augustus gives the strongest two stone.
const TIE: &str = "given = \"p1 has augustus; p1.strength = 5; p2.strength = 5\"\nwhen = \"run production\"\n\
                   then = \"strongest is p1, p2; p1.stone gained 2\"\n";

#[test]
fn a_variant_of_a_few_lines_lets_all_who_tie_share_the_reward() {
    let folder = folder(&[("shared.rules", SHARED)]);
    let (base, shared) = (played(&folder, ""), played(&folder, "--with shared.rules"));
    assert_ne!(outcome(base), outcome(shared.clone()));
    assert_eq!(shared["changes"][0], "--with 'shared.rules'");
    // What it does, shown by a scenario: the same lines as rules of a pack.
    let rules: String = SHARED.lines().filter(|line| line.contains("replace")).collect();
    changed(&rules, TIE).run("test --pack mine mine/tests").ends(0);
    changed("", TIE).run("test --pack mine mine/tests").ends(1).prints(&["strongest is p1, p2"]);
    // A variant of a pack is called by its name.
    let folder = changed(SHARED, "then = \"p1.gold == 6\"\n");
    assert_eq!(outcome(played(&folder, "--pack mine --with shared")), outcome(shared));
    folder.run("list --pack mine").ends(0).prints(&["shared"]);
    folder.run("playtest nations --pack mine --with shraed -n 1").ends(1).says(&["there is no variant `shraed`", "did you mean `shared`?"]);
}

#[test]
fn each_operation_does_what_it_says() {
    let growth = |choices: &str, then: &str| format!("when = \"run maintenance.growth; {choices}\"\nthen = \"{then}\"\n");
    let table = [
        ("change bonus.prince to 7", growth("p2: take gold; p1: take food", "p2.gold gained 7")),
        ("change bonus.prince by -1", growth("p2: take gold; p1: take food", "p2.gold gained 2")),
        ("replace bonus = 9", growth("p2: take gold; p1: take food", "p2.gold gained 9")),
        (
            "remove action.buy.needs.raid",
            "given = \"put battle_of_cannae in board row 1 column 1\"\nwhen = \"p1: buy battle_of_cannae; p1: choose food\"\nthen = \"p1.gold lost 1\"\n".into(),
        ),
        (
            "add step gift after maintenance.growth { each player { gain 2 gold } }",
            "when = \"run maintenance.gift\"\nthen = \"p1.gold gained 2; p2.gold gained 2\"\n".into(),
        ),
        (
            "extend maintenance.growth { \"take book\" { gain bonus book } }",
            growth("p2: take book; p1: take gold", "p2.book gained 3; p1.gold gained 3"),
        ),
    ];
    for (rules, scenario) in table {
        let folder = changed(rules, &scenario);
        folder.run("test --pack mine mine/tests").ends(0);
        changed("", &scenario).run("test --pack mine mine/tests").ends(1);
    }
}

#[test]
fn packs_that_contradict_each_other_are_told_with_both_places() {
    let other = manifest("yours", "nations");
    let folder = folder(&[
        ("mine/pack.toml", PACK),
        ("mine/rules/a.rules", "\nchange bonus.prince to 4\n"),
        ("yours/pack.toml", &other),
        ("yours/rules/b.rules", "replace bonus = 5\n"),
    ]);
    let line = "playtest nations -n 2 --agents random --pack mine --pack yours";
    folder.run(line).ends(1).says(&[
        "`yours` and `mine` both change `bonus.prince`",
        "yours/rules/b.rules:1:1",
        "mine/rules/a.rules:2:1",
        "over = [\"mine\"]",
    ]);
    // As the message proposes.
    folder.write("yours/pack.toml", &format!("{other}over = [\"mine\"]\n"));
    folder.run(line).ends(0);
}

// ------------------------------------------------------------------ a pack of one's own

const NATION: &str = r#"
[[card]]
id = "wolf_land"
name = "Wolf Land"
kind = "nation"
age = 0
set = "base"
source = "original"
side = "a"
start_cards = ["start_temple", "start_quarry", "start_axeman", "start_farm", "start_caravan"]
start = { food = 3, stone = 6, gold = 6, vp = 7 }
start_workers = 5
food_track = 4
stability_track = 4
sites = 5
advisors = 1
colonies = 2
wonders = 5
strength = 1
text = "One strength of its own."

[[card.test]]
given = "p1 has wolf_land"
then = "p1.strength == 1; strongest is p1"
"#;

const CHOICE: &str = r#"text = "Production: 1 stone, gold or book."

[[card.on]]
when = "production"
ask = "one of stone, gold, book"
do = "gain(me, answer, 1)"

[[card.test]]
given = "p2 has wisp"
when = "run production; p2: choose book"
then = "p2.book gained 1; p2.stone gained 0; p1.book gained 0"
"#;

#[test]
fn a_nation_and_an_advisor_with_a_choice_are_added_in_a_folder() {
    let folder = folder(&[
        ("mine/pack.toml", PACK),
        ("mine/cards/nations.toml", NATION),
        ("mine/cards/advisors.toml", &format!("{WISP}{CHOICE}")),
        (
            "mine/tests/both.toml",
            "game = \"nations\"\n\n[[scenario]]\nname = \"both\"\ngiven = \"p3 has wolf_land; p3 has wisp\"\n\
             when = \"run production; p3: choose stone\"\nthen = \"p3.strength == 1; p3.stone gained 1\"\n",
        ),
    ]);
    folder.run("check mine").ends(0).prints(&["nations with mine: ", "0 errors"]);
    let all = run("test").ends(0).out.split(' ').next().unwrap().parse::<usize>().unwrap();
    folder.run("test --pack mine").ends(0).prints(&[&format!("{} passed, 0 failed", all + 3)]);
    folder.run("show wisp --pack mine").ends(0).prints(&["from pack mine", "mine/cards/advisors.toml:1:1", "one of stone, gold, book"]);
    folder.run("show wisp").ends(2);
    let dealt = played(&folder, "--pack mine --deal wolf_land@p2 --deal wisp@p3");
    assert_eq!(dealt["dropped"], 0);
    let kept = |id: &str| dealt["kept"].as_array().unwrap().iter().any(|card| card["card"] == id);
    assert!(kept("wolf_land"), "{}", dealt["kept"]);
    assert!(kept("wisp"), "{}", dealt["kept"]);
    folder.run("playtest nations --pack mine --deal wips -n 1").ends(1).says(&["no card is called `wips`", "did you mean `wisp`?"]);
}

#[test]
fn a_script_that_never_ends_is_stopped_and_counted() {
    let folder = advisor("loop { gain(me, gold, 0) }");
    let ran = folder.run("playtest nations -n 5 --agents random --pack mine --deal wisp@p1").ends(1);
    let ran = ran.prints(&["dropped because of a fault: "]);
    ran.says(&["error[G201]: wisp.production: this script never ends", "mine/cards/wisp.toml:11:14", "its seed ", "after question "]);
    folder.run("check mine").ends(1).says(&["wisp.production: this script never ends"]);
}

#[test]
fn a_misspelt_call_is_told_before_any_game() {
    let folder = advisor("if age() > 3 { gian(me, gold, 1) }");
    folder
        .run("playtest nations -n 5 --agents random --pack mine")
        .ends(1)
        .says(&["error[S003]: unknown function `gian`", "mine/cards/wisp.toml:11:22"]);
}

#[test]
fn a_script_that_fails_is_counted_and_named_once() {
    let folder = advisor("if age() > 0 { pay(me, gold, 99) }");
    let ran = folder.run("playtest nations -n 8 --agents random --pack mine --deal wisp@p1 --json -").ends(1);
    let result = ran.result();
    assert_eq!(result["games"].as_u64().unwrap() + result["dropped"].as_u64().unwrap(), 8);
    assert!(result["dropped"].as_u64().unwrap() > 0);
    let ran = ran.says(&["wisp.production: 99 gold had to be paid where there were only ", "games were dropped for it"]);
    assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
}

/// Mean points of two random players in 400 games of the dice game.
fn mean_of_dice(folder: &Folder, more: &str) -> f64 {
    let line = format!("playtest nations-dice -n 400 --players 2 --agents random --seed 3 --json - {more}");
    let result = folder.run(&line).ends(0).result();
    let all = result["points"].as_array().unwrap().iter().find(|row| row["name"] == "all").unwrap();
    all["mean"].as_f64().unwrap()
}

#[test]
fn a_designers_afternoon_with_dice() {
    let tile = "[[patch]]\ncard = \"mint\"\ndice = { orange = 2 }\nvp = 4\n";
    let folder = folder(&[
        ("more_dice.rules", "variant more_dice \"six dice\" { change start_dice to 7 }\n"),
        ("prices.rules", "variant prices \"the third row costs 2\" {\n  replace price = if row of card == 3 then 2 else row of card\n}\n"),
        (
            "faces.rules",
            "variant faces \"white dice show two of everything\" {\n  replace die.white 20: 2 food | 2 food | 2 gold | 2 stone | 2 sword | 2 book\n}\n",
        ),
        ("mine/pack.toml", &manifest("mine", "nations-dice")),
        ("mine/cards/mint.toml", tile),
    ]);
    let plain = mean_of_dice(&folder, "");
    assert!(mean_of_dice(&folder, "--with more_dice.rules") > plain + 1.0);
    assert!(mean_of_dice(&folder, "--with prices.rules") > plain + 0.7);
    assert!(mean_of_dice(&folder, "--with faces.rules") > plain + 0.7);
    assert!(mean_of_dice(&folder, "--pack mine") > plain + 0.1);
    folder.run("check mine").ends(0);
}

#[test]
fn a_wrong_token_in_a_scenario_is_told_with_the_nearest_one() {
    let scenario =
        "game = \"nations-dice\"\n\n[[scenario]]\nname = \"a slip\"\ngiven = \"p1.unused = 2 white:fodo\"\nthen = \"p1.vp == 0\"\n";
    let folder = folder(&[("a.toml", scenario)]);
    folder.run("test a.toml").ends(1).prints(&["error[G112]: `2 white:fodo` is not a token", "a.toml:5:22", "did you mean `white:food`?"]);
}

// ------------------------------------------------------------------ the README

/// The blocks of a page between fences: language and text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let text = read(page);
    let parts = text.split("```").skip(1).step_by(2).map(|part| part.split_once('\n').unwrap());
    parts.map(|(language, text)| (language.to_string(), text.to_string())).collect()
}

/// Every file of these blocks is written where its first line says, and every command works, with fewer games. How many there were of both.
fn walk_blocks(folder: &Folder, blocks: &[(String, String)]) -> (usize, usize) {
    let (mut files, mut commands) = (0, 0);
    for (language, text) in blocks {
        match language.as_str() {
            "toml" | "rules" => {
                let path = text.lines().next().unwrap().trim_start_matches(['#', '/']).trim();
                assert!(path.ends_with(&format!(".{language}")), "say in the first line where this goes:\n{text}");
                folder.write(path, text);
                files += 1;
            }
            "sh" => {
                for line in text.lines() {
                    let fewer =
                        [" -n 100", " -n 200"].into_iter().fold(line.to_string(), |line, n| line.replace(n, " -n 3 --agents random"));
                    let line = fewer.strip_prefix("houserule ").unwrap();
                    folder.run(line).ends(0);
                    commands += 1;
                }
            }
            "text" => {}
            // A part of a file that is there, which `pages` looks at.
            other if other.contains(' ') => {}
            other => panic!("what is `{other}`?"),
        }
    }
    (files, commands)
}

#[test]
fn what_the_readme_and_the_first_pages_say_works() {
    for (page, least) in [("README.md", (4, 6)), ("docs/first-card.md", (3, 6))] {
        let folder = folder(&[]);
        let found = walk_blocks(&folder, &blocks(page));
        assert!(found.0 >= least.0 && found.1 >= least.1, "{page}: {found:?}");
        // The variant acts, and so does the card.
        assert_ne!(outcome(played(&folder, "--with shared.rules")), outcome(played(&folder, "")));
        assert!(played(&folder, "--pack mypack --deal lamplighter@p1")["kept"].to_string().contains("lamplighter"));
    }
    let of_scenarios: Vec<_> = blocks("docs/scenarios.md").into_iter().filter(|(_, text)| text.contains("ties.toml")).collect();
    assert_eq!(walk_blocks(&folder(&[]), &of_scenarios), (1, 1));
}

/// The shortened report in the README has the lines of a true one; its figures are those of the day it was taken.
#[test]
fn the_report_in_the_readme_has_the_lines_of_a_true_one() {
    let ran = run("playtest nations -n 2 --players 4").ends(0);
    let all = blocks("README.md").into_iter().map(|(_, text)| text);
    let text = all.filter(|text| text.starts_with("Nations: 1000 complete games")).collect::<String>();
    assert!(text.lines().count() > 5, "the README shows no report");
    let beginnings = text.lines().map(|line| line.split("  ").find(|part| !part.is_empty()).unwrap_or(""));
    for beginning in
        beginnings.filter(|beginning| !beginning.is_empty() && !beginning.starts_with(['…', '8']) && !beginning.contains("1000"))
    {
        assert!(ran.out.contains(beginning.trim()), "no `{beginning}` in\n{}", ran.out);
    }
}

#[test]
fn the_readme_names_what_is_there() {
    let [readme, commands] = ["README.md", "docs/commands.md"].map(read);
    assert!(readme.split_whitespace().count() <= 900, "a README is read in three minutes");
    for part in readme.split('`').skip(1).step_by(2).filter(|part| part.ends_with(".md") || part.ends_with('/') && part.len() > 1) {
        assert!(root().join(part).exists(), "there is no {part}");
    }
    let help = run("--help").ends(0).out;
    for command in ["list", "show", "words", "check", "test", "playtest"] {
        assert!(help.contains(&format!("  {command} ")) && commands.contains(&format!("| `houserule {command} ")), "{command}");
    }
}

#[test]
fn the_scenarios_of_a_game_are_run_with_each_of_its_packs() {
    let rules = "game wood \"Wood\"\nplayers 2\nplayer { resource wisp; each round { flag passed } }\nsetup { each player { gain 1 wisp } }\n\
                 rounds 1 of day\nphase day { turns in order until all have passed; action pass { does { passed = yes } } }\n\
                 score { \"wisps\" = wisp }\nwins highest score, then order\n";
    let pack = |name: &str| manifest(name, "wood");
    let scenarios = "game = \"wood\"\n\n[[scenario]]\nname = \"one wisp\"\nthen = \"p1.wisp == 1\"\n\n\
                     [[scenario]]\nname = \"two play\"\nthen = \"round == 1\"\n";
    let folder = folder(&[
        ("rules/wood.rules", rules),
        ("tests/scenarios/wood.toml", scenarios),
        ("packs/rich/pack.toml", &pack("rich")),
        ("packs/rich/rules/rich.rules", "extend setup { each player { gain 2 wisp } }\n"),
        ("far/calm/pack.toml", &pack("calm")),
        ("far/calm/rules/calm.rules", "constant hush = 1\n"),
    ]);
    let ran = folder.run("test --format text --format json=all.json").ends(1).prints(&[
        "tests/scenarios/wood.toml with ./packs/rich: one wisp",
        " passed, 0 failed, in ",
        "scenarios of the game with ./packs/rich: 1 passed, 1 failed, in ",
    ]);
    assert!(!ran.out.contains("calm"), "{}", ran.out);
    let written = folder.json("all.json");
    assert_eq!((&written["failed"], &written["left_out"]), (&1.into(), &0.into()));
    // Named by itself a pack is among them, too.
    folder.run("test --pack far/calm").ends(1).prints(&["scenarios of the game with far/calm: 2 passed, 0 failed, in "]);
    let says_so = scenarios.replace("wisp == 1\"\n", "wisp == 1\"\nwithout = [\"rich\"]\n");
    folder.write("tests/scenarios/wood.toml", &says_so);
    folder.run("test").ends(0).prints(&["scenarios of the game with ./packs/rich: 1 passed, 0 failed, 1 left out by `without`, in "]);
    let in_vain = says_so.replace("round == 1\"\n", "round == 1\"\nwithout = [\"rich\"]\n");
    folder.write("tests/scenarios/wood.toml", &in_vain);
    folder.run("test").ends(1).prints(&["this also holds with `rich`", "remove `rich` from `without`"]);
    // A file or folder alone is run as it always was.
    folder.run("test tests/scenarios/wood.toml").ends(0).prints(&["2 passed, 0 failed, in 1 file"]);
}

#[test]
fn a_card_is_shown_to_programs_as_json() {
    let card = &run("show hatshepsut --json -").ends(0).json()[0];
    assert_eq!((card["game"].as_str(), card["id"].as_str(), card["kind"].as_str()), (Some("nations"), Some("hatshepsut"), Some("advisor")));
    assert!(
        card["at"].as_str().is_some_and(|at| at.contains(".toml:")) && card["entries"].is_array() && card["fields"].is_object(),
        "{card}"
    );
    run("show hatshepsutt --json -").ends(2).says(&["did you mean `hatshepsut`?"]);
}

#[test]
fn results_are_the_same_by_either_back_end() {
    let played = |back_end: &str, line: &str| {
        let folder = folder(&[]);
        Ran::new(line, program(folder.path(), line).env("HOUSERULE_BACKEND", back_end).output().unwrap()).ends(0);
        folder.json("run.json")["result"].take()
    };
    for line in
        ["playtest nations -n 40 --agents random", "playtest nations -n 2 --agents greedy", "playtest nations-dice -n 40 --agents random"]
    {
        let line = format!("{line} --seed 5 --threads 2 --json run.json");
        assert_eq!(played("walker", &line), played("native", &line), "{line}");
    }
}

#[test]
fn a_back_end_that_there_is_not_is_told() {
    let done = program(root(), "list").env("HOUSERULE_BACKEND", "fast").output().unwrap();
    assert_eq!(Ran::new("list", done).ends(2).err, "error: HOUSERULE_BACKEND is `fast`; it can be walker or native, or be left out\n");
}
