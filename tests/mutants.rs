//! `houserule mutate` tells what no test notices, and nothing else.

use crate::support::{Folder, folder, manifest, read};

const RULES: &str = r#"game pond "Pond"
players 1 to 2
player { resource wisp, moss; each round { flag passed } }
table { deck shore of frog; place bank of frog: 2 }
kind frog { slot bank }
zone play = bank
hearing play
moments { caught "somebody has fished" }
setup { order at random; draw from shore to bank }
rounds 1 of day
phase day {
  turns in order until all have passed
  action fish {
    needs calm: moss < 2 "too much moss"
    does { gain 2 wisp; gain 1 moss; moment caught }
  }
  action pass { does { passed = yes } }
}
score { "wisp" = wisp }
wins highest score, then order
"#;

const CARDS: &str = r#"[[card]]
id = "toad"
kind = "frog"
source = "original"
on.caught = { if = "wisp > 2", do = "gain(me, moss, 3)" }

[[card.test]]
given = "p1.wisp = 0"
when = "p1: fish"
then = "p1.moss gained 1"
"#;

const WEAK: &str = r#"game = "pond"
players = 2

[[scenario]]
name = "fish are wisps"
when = "p1: fish"
then = "p1.wisp gained 2"
"#;

const STRONG: &str = r#"
[[scenario]]
name = "moss grows, and keeps from fishing"
given = "p1.moss = 1"
when = "p1: fish; p2: pass"
then = '''p1.moss == 2; p1 cannot fish because "too much moss"'''

[[scenario]]
name = "the toad brings moss from the third wisp on"
given = "p1.wisp = 1"
when = "p1: fish"
then = "p1.moss gained 4; p1.wisp gained 2"
"#;

fn pond() -> Folder {
    folder(&[("rules/pond.rules", RULES), ("cards/pond/all.toml", CARDS), ("tests/pond.toml", WEAK)])
}

/// Exit status and what is printed.
fn mutate(folder: &Folder, more: &str) -> (i32, String) {
    let ran = folder.run(&format!("mutate pond {more}"));
    (ran.status, ran.all())
}

fn line<'t>(said: &'t str, part: &str) -> Option<&'t str> {
    said.lines().find(|line| line.contains(part))
}

#[test]
fn what_no_test_notices_is_told() {
    let folder = pond();
    let (status, said) = mutate(&folder, "");
    assert_eq!(status, 1, "{said}");
    for missed in ["unnoticed: comparison: `<` -> `<=`", "unnoticed: number: `3` -> `4`", "unnoticed: removed: `needs calm"] {
        assert!(line(&said, missed).is_some(), "{missed}:\n{said}");
    }
    // Of the wisps a test speaks.
    assert!(line(&said, "`gain 2 wisp`").is_none(), "{said}");
    let (_, all) = mutate(&folder, "--all --only 'gain 2 wisp'");
    assert!(line(&all, "noticed: removed: `gain 2 wisp` -> nothing (").is_some(), "{all}");
}

/// Guards and costs of answers are changed as those of actions are.
#[test]
fn what_answers_need_and_cost_is_changed() {
    let folder = pond();
    let market = "phase day {\n  step market {\n    each player {\n      player chooses {\n        \"buy\" needs moss < 2 \"too much moss\" cost 1 wisp { gain 3 moss }\n        \"nothing at all\" { }\n      }\n    }\n  }\n";
    folder.write("rules/pond.rules", &RULES.replace("phase day {\n", market));
    let (_, said) = mutate(&folder, "--all");
    for changed in ["removed: `needs moss < 2", "comparison: `<` -> `<=`", "removed: `cost 1 wisp`", "number: `1` -> `2`"] {
        assert!(line(&said, changed).is_some(), "{changed}:\n{said}");
    }
    let noticed = "\n[[scenario]]\nname = \"what is bought is paid\"\ngiven = \"p1.wisp = 1; p1.moss = 1\"\nwhen = \"run market; p1: choose buy; run to next decision\"\nthen = \"p1.wisp == 0; p1.moss == 4\"\n";
    folder.write("tests/pond.toml", &(WEAK.to_owned() + noticed));
    let (_, said) = mutate(&folder, "--all --only 'cost 1 wisp'");
    assert!(line(&said, "noticed: removed: `cost 1 wisp`").is_some_and(|line| !line.contains("unnoticed")), "{said}");
}

#[test]
fn with_tests_for_every_line_nothing_is_left() {
    let folder = pond();
    let (_, weak) = mutate(&folder, "");
    folder.write("tests/pond.toml", &(WEAK.to_owned() + STRONG));
    let (_, said) = mutate(&folder, "");
    for held in ["removed: `needs calm", "comparison: `<`", "number: `2`"] {
        // Without these tests nobody notices it.
        assert!(line(&weak, &format!(":14: unnoticed: {held}")).is_some(), "{weak}");
        assert!(line(&said, &format!(":14: unnoticed: {held}")).is_none(), "{said}");
    }
    let (status, said) = mutate(&folder, "--cards");
    assert_eq!(status, 0, "{said}");
    assert!(line(&said, " all ").is_some_and(|line| line.contains("100.0 %")), "{said}");
}

#[test]
fn a_change_that_is_listed_as_equal_is_left_out() {
    let folder = pond();
    let equal = "[[equal]]\nfile = 'cards/pond/all.toml'\nline = 'on.caught = { if = \"wisp > 2\", do = \"gain(me, moss, 3)\" }'\n\
                 was = '3'\nnow = '4'\nwhy = 'moss is never counted'\n";
    folder.write("equal.toml", equal);
    let (_, said) = mutate(&folder, "--cards --equal equal.toml");
    assert!(line(&said, "`3` -> `4`").is_none() && line(&said, "1 change left out as equal").is_some(), "{said}");
    assert!(line(&said, "lists no change").is_none(), "{said}");
    folder.write("equal.toml", &equal.replace("pond/all", "lake/all"));
    let (_, said) = mutate(&folder, "--cards --equal equal.toml");
    assert!(line(&said, "warning: `equal.toml` lists no change of a file of `pond`").is_some(), "{said}");
    folder.write("equal.toml", "[[equal]]\nfile = 'x'\n");
    let (status, said) = mutate(&folder, "--equal equal.toml");
    assert!(status == 2 && said.contains("missing field `line`"), "{said}");
}

#[test]
fn what_is_listed_as_equal_may_lie_among_the_scenarios() {
    let folder = pond();
    folder.write("tests/equal.toml", "[[equal]]\nfile = 'a'\nline = 'b'\nwas = 'c'\nnow = 'd'\nwhy = 'e'\n");
    folder.run("test .").ends(0);
    folder.run("test tests").ends(0);
    let alone = folder.run("test tests/equal.toml").ends(1);
    assert!(alone.all().contains("has no scenarios: it lists changes that change nothing"), "{}", alone.all());
}

/// What a definition that only machine players read is matters to no rule, and a place that is never full may be larger.
#[test]
fn what_cannot_matter_is_left_out_and_counted() {
    let folder = pond();
    let more =
        "define shore_left = count shore\ndefine hope = shore_left + 1\ndefine seen = count my bank\nagents { worth = hope + seen }\n";
    let rules = RULES.replace("\"wisp\" = wisp", "\"wisp\" = wisp + seen").replace("needs calm: ", "needs moss: ");
    folder.write("rules/pond.rules", &(rules + more));
    let (_, said) = mutate(&folder, "--all --rules");
    assert!(line(&said, "2 changes left out that only machine players read").is_some(), "{said}");
    assert!(line(&said, "1 change left out of sizes of places, with which 20 trial games go as before").is_some(), "{said}");
    assert!(line(&said, "`2` -> `3`").is_none_or(|line| !line.contains(":4:")), "the size of the bank: {said}");
    assert!(line(&said, "removed: `needs moss").is_some(), "{said}");
    let names = said.lines().filter(|line| line.contains(":14:") && line.contains("name: `moss`")).count();
    assert_eq!(names, 1, "the guard's own name is left alone: {said}");
    // Of what a scenario names, a change can be noticed.
    let named = "\n[[scenario]]\nname = \"hope\"\nwhen = \"p1: fish\"\nthen = \"hope == 1\"\n";
    folder.write("tests/pond.toml", &(WEAK.to_owned() + named));
    let (_, said) = mutate(&folder, "--all --rules");
    assert!(line(&said, "that only machine players read").is_none(), "{said}");
}

#[test]
fn nothing_is_changed_where_tests_fail_already_or_there_is_nothing() {
    let folder = pond();
    folder.write("tests/pond.toml", &WEAK.replace("gained 2", "gained 9"));
    let (status, said) = mutate(&folder, "");
    assert!(status == 2 && said.contains("a test fails before anything is changed: "), "{said}");
    folder.write("tests/pond.toml", WEAK);
    let (status, said) = mutate(&folder, "--only storm");
    assert!(status == 2 && said.contains("there is nothing to be changed here"), "{said}");
}

#[test]
fn a_pack_is_changed_alone_and_asked_alone() {
    let folder = pond();
    folder.write("newts/pack.toml", &manifest("newts", "pond"));
    folder.write("newts/rules/newts.rules", "change day.fish.needs.calm to moss < 5\n");
    let test = "game = \"pond\"\n[[scenario]]\nname = \"four are not too much\"\ngiven = \"p1.moss = 3\"\nwhen = \"p1: fish\"\nthen = \"p1.moss == 4\"\n";
    folder.write("newts/tests/newts.toml", test);
    let (status, said) = mutate(&folder, "--pack newts --all");
    assert_eq!(status, 1, "{said}");
    assert!(said.lines().filter(|line| line.contains("noticed: ")).all(|line| line.starts_with("newts/")), "{said}");
    assert!(line(&said, "unnoticed: number: `5` -> `6`").is_some(), "{said}");
}

#[test]
fn what_is_listed_as_equal_in_the_shipped_games_is_there() {
    for equal in houserule::mutate::parse_equal(&read("tests/equal.toml")).unwrap() {
        let file = read(&equal.file);
        assert!(file.lines().any(|line| line.trim() == equal.line), "no line of {} is `{}`", equal.file, equal.line);
        let alike = equal.line.matches(&equal.original).count();
        assert!(
            alike < 2 || equal.number_in_line.is_some(),
            "`{}` stands {alike} times in `{}`: say by `at` which is meant",
            equal.original,
            equal.line
        );
        assert!(equal.number_in_line.is_none_or(|at| at <= alike), "`{}` does not stand so often in `{}`", equal.original, equal.line);
    }
}

#[test]
fn without_tests_nothing_is_tried_and_a_misspelt_card_is_told() {
    let folder = pond();
    let (status, said) = mutate(&folder, "--only toat");
    assert!(status == 2 && said.contains("nothing to be changed here; did you mean `--only toad`?"), "{said}");
    folder.write("cards/pond/all.toml", CARDS.split("[[card.test]]").next().unwrap());
    folder.remove("tests/pond.toml");
    let (status, said) = mutate(&folder, "");
    assert!(status == 2 && said.contains("the game has no scenario and no test beside a card here"), "{said}");
}
