//! Files of scenarios at the terminal: which are run, which are told not to be, and how games and words are named.

use crate::support::{folder, run_in};

const WELL: &str = "game well \"Well\"\nplayers 2\noption pace = slow | fast, default slow\nplayer { resource wisp; flag gone }\n\
                    setup { all players { gain 1 wisp } }\nrounds 1 of day\n\
                    phase day { turns in order until all have gone; action leave { does { gone = yes } } }\n\
                    score { \"wisps\" = wisp }\nwins highest score\nvariant rich \"with more to begin with\" { change setup.gain to 2 }\n";

fn scenario(then: &str) -> String {
    format!("game = \"well\"\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"{then}\"\n")
}

#[test]
fn a_scenario_file_in_capitals_is_not_passed_over_in_silence() {
    let good = scenario("p1.wisp == 1");
    let folder = folder(&[("rules/well.rules", WELL), ("tests/a.TOML", &good)]);
    folder.run("test").ends(1).says(&["the scenarios in `tests/a.TOML` are not run", "write `.toml` in small letters: `tests/a.toml`"]);
    folder.remove("tests/a.TOML");
    folder.write("Tests/a.toml", &good);
    folder.run("test").ends(1).says(&["the scenarios in `Tests` are not run", "name the folder `tests`, in small letters"]);
    folder.run("test .").ends(1).says(&["the scenarios in `Tests` are not run"]).prints(&["0 passed, 0 failed"]);
    folder.remove("Tests/a.toml");
    folder.write("tests/a.toml", &good);
    folder.run("test well").ends(0).prints(&["1 passed, 0 failed"]);
}

#[test]
fn a_game_is_tested_and_a_card_shown_by_name() {
    let card = "[[card]]\nid = \"lone_wolf\"\nname = \"Lone Wolf\"\nkind = \"beast\"\n";
    let rules = WELL.replace("player {", "kind beast { }\nplayer {");
    let folder = folder(&[("rules/well.rules", &rules), ("cards/well/a.toml", card), ("tests/a.toml", &scenario("p1.wisp == 1"))]);
    folder.run("test well").ends(0).prints(&["1 passed, 0 failed"]);
    folder.run("test wel").ends(2).says(&["cannot read `wel`"]);
    folder.run("show well lone_wolf").ends(0).prints(&["Lone Wolf (lone_wolf)"]);
    folder.run("show lone wolf").ends(0).prints(&["Lone Wolf (lone_wolf)"]);
    folder.run("show nations lone_wolf").ends(2).says(&["there is no card `lone_wolf`"]);
    folder.run("show well lone_wolf --game nations").ends(2).says(&["which game is meant, `well` or `nations`?"]);
}

#[test]
fn words_finds_variants_and_answers_beside_a_half_written_game() {
    let folder = folder(&[("rules/well.rules", WELL)]);
    folder.run("words rich").ends(0).prints(&["rich", "with more to begin with", "houserule play well --with rich"]);
    folder.write("rules/half.rules", "game half \"Half\"\nplayers 2\nphase {\n");
    folder.run("words gain").ends(0).prints(&["gain"]).says(&["in `half`, whose own words are left out here"]);
    folder.run("words gain --game half").ends(1).says(&["error"]);
}

/// Steps that come are not done ahead of time: only a game with turns leaves out the steps before the first one.
#[test]
fn a_game_without_turns_begins_ahead_of_its_first_step() {
    let rules = "game pond \"Pond\"\nplayers 2\ntable { deck pile of fish; grid market 1 by 3 }\nplayer { resource wisp; place hand of fish: 6 }\n\
                 kind fish { slot hand }\nrounds 1 of day\nphase day {\n  step first { each player { draw from pile to hand } }\n  \
                 step market { fill market from pile }\n  step asked { each player { player chooses { \"a\" { gain 1 wisp } \"b\" { } } } }\n}\n\
                 score { \"wisps\" = wisp }\nwins highest score\n";
    let cards = "[[card]]\nid = \"carp\"\nname = \"Carp\"\nkind = \"fish\"\ncopies = 6\n";
    let test = |given: &str, when: &str, then: &str| {
        format!("game = \"pond\"\n[[scenario]]\nname = \"a\"\ngiven = \"{given}\"\nwhen = \"{when}\"\nthen = \"{then}\"\n")
    };
    let begun = test("p1.wisp = 1", "", "(count market) == 0; (count pile) == 6; (count p1.hand) == 0");
    let folder = folder(&[("rules/pond.rules", rules), ("cards/pond/a.toml", cards), ("tests/a.toml", &begun)]);
    folder.run("test .").ends(0).prints(&["1 passed, 0 failed"]);
    folder.write(
        "tests/a.toml",
        &test("p1.wisp = 1", "run to next decision", "(count market) == 3; (count pile) == 1; (count p1.hand) == 1"),
    );
    folder.run("test .").ends(0).prints(&["1 passed, 0 failed, in 1 file"]);
    // With turns the steps ahead of the first one are left out, and what they fill is full.
    let turns = rules.replace(
        "step asked { each player { player chooses { \"a\" { gain 1 wisp } \"b\" { } } } }",
        "turns in order until all have gone; action leave { does { gone = yes } }",
    );
    folder.write("rules/pond.rules", &turns.replace("resource wisp;", "resource wisp; flag gone;"));
    folder.write("tests/a.toml", &test("p1.wisp = 1", "", "(count market) == 3; (count pile) == 3; (count p1.hand) == 0"));
    folder.run("test .").ends(0).prints(&["1 passed, 0 failed, in 1 file"]);
}

#[test]
fn an_option_of_which_nothing_is_chosen_is_told_with_those_that_there_are() {
    let file = |options: &str| {
        format!("game = \"well\"\noptions = {options}\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"p1.wisp == 1\"\n")
    };
    let folder = folder(&[("rules/well.rules", WELL), ("tests/a.toml", &file("{ nonsense = 77 }"))]);
    folder.run("test .").ends(1).prints(&["this game has no option `nonsense`", "its options are pace (slow, fast)"]);
    folder.write("tests/a.toml", &file("{ pace = { nonsense = 77 } }"));
    folder.run("test .").ends(1).says(&["`nonsense` is not a player", "tests/a.toml:2:"]);
    folder.write("tests/a.toml", &file("{ pace = { p1 = \"fast\" } }"));
    folder.run("test .").ends(1).prints(&["option `pace` is chosen for all players at once", "in a scenario `pace = \"fast\"`"]);
}

/// In the folder of a pack that lies below a game of one's own, and for a pack that builds on another one, all commands find the game.
#[test]
fn a_pack_finds_the_game_around_it() {
    let cards = "[[card]]\nid = \"lone_wolf\"\nname = \"Lone Wolf\"\nkind = \"beast\"\n";
    let manifest = |name: &str, extends: &str| format!("name = \"{name}\"\nversion = \"1\"\nlanguage = 1\nextends = \"{extends}\"\n");
    let scenario = "game = \"well\"\n[[scenario]]\nname = \"a\"\ngiven = \"as set up\"\nthen = \"p1.wisp == 1\"\n";
    let (rules, _) = WELL.split_once("variant").unwrap();
    let rules = rules.replace("player {", "kind beast { slot den }\ntable { deck pile of beast }\nplayer { place den of beast: 9;");
    let rules = rules.replace("gain 1 wisp }", "gain 1 wisp; draw from pile to den }");
    let folder = folder(&[
        ("rules/well.rules", &rules),
        ("cards/well/a.toml", &format!("{cards}copies = 4\n")),
        ("packs/den/pack.toml", &manifest("den", "well")),
        ("packs/den/cards/a.toml", &cards.replace("lone", "grey").replace("Lone", "Grey")),
        ("packs/den/tests/a.toml", scenario),
        ("packs/lair/pack.toml", &manifest("lair", "den")),
        ("packs/lair/cards/a.toml", &cards.replace("lone", "old").replace("Lone", "Old")),
    ]);
    for pack in ["packs/den", "packs/lair"] {
        let there = folder.path().join(pack);
        run_in(&there, "check").ends(0).prints(&["0 errors, 0 warnings"]);
        run_in(&there, "test").ends(0).prints(&["0 failed"]);
        run_in(&there, "play --pack . --plain --seat random --players 2 --seed 3").ends(0).prints(&["the game is over", "Well: 2 players"]);
    }
    folder.run("test packs/den").ends(0).prints(&["1 passed, 0 failed"]);
    run_in(folder.path().parent().unwrap(), &format!("check {}", folder.name("packs/lair"))).ends(0);
}
