//! Slips that people made in their first hour with houserule, and what they are told.

use crate::support::{Folder, folder, manifest};

fn card(more: &str) -> String {
    format!(
        "[[card]]\nid = \"lamplighter\"\nkind = \"advisor\"\nage = 1\nset = \"base\"\nsource = \"original\"\ntext = \"Production: 1 gold.\"\n{more}\n"
    )
}

fn pack(more: &str) -> Folder {
    folder(&[("mypack/pack.toml", &manifest("mypack", "nations")), ("mypack/cards/lamplighter.toml", &card(more))])
}

const PRODUCES: &str = "on.production = 'gain(me, gold, 1)'\n";

#[test]
fn check_reads_the_tests_beside_cards() {
    for (lines, said) in [
        ("then = \"p1.gold gaind 1\"", "did you mean `gained`?"),
        ("given = \"p1 has lamplihgter\"\nthen = \"p1.gold == 1\"", "did you mean `lamplighter`?"),
        ("given = \"p1 has lamplighter\"\nwhen = \"rum production\"\nthen = \"p1.gold gained 1\"", "mypack/cards/lamplighter.toml:"),
        ("given = \"p1.gold = 3\"\nthen = \"p1 passed\"", "write `p1.passed`"),
    ] {
        pack(&format!("{PRODUCES}[[card.test]]\n{lines}\n")).run("check mypack").ends(1).says(&[said]);
    }
    // Whether a line holds is asked by `test`.
    let fails = pack(&format!("{PRODUCES}[[card.test]]\ngiven = \"p1 has lamplighter; p1.gold = 3\"\nthen = \"p1.gold == 4\"\n"));
    fails.run("check mypack").ends(0).prints(&["0 errors, 0 warnings"]);
    fails.run("test mypack").ends(1).prints(&["expected 4, was 3"]);
}

#[test]
fn a_letter_in_quotes_is_called_so() {
    let pack = pack("on.production = \"gain(me, gold, '2')\"\n");
    pack.run("check mypack").ends(1).says(&["text in `'` is a letter: numbers and words are written without quotes"]);
}

#[test]
fn a_moment_in_place_of_a_key_is_recognised() {
    for key in ["bought", "on_bought"] {
        let pack = pack(&format!("{key} = \"gain(me, gold, 1)\"\n"));
        pack.run("check mypack").ends(1).says(&["what the card does at the moment `bought` is written `on.bought = …`"]);
    }
}

#[test]
fn of_a_pack_its_own_scripts_are_named_that_were_not_run() {
    let said =
        pack(&format!("{PRODUCES}[[card.test]]\ngiven = \"p1 has lamplighter\"\nwhen = \"run production\"\nthen = \"p1.gold gained 1\"\n"));
    let ran = said.run("check mypack").ends(0);
    assert!(!ran.out.contains("not those of"), "{}", ran.out);
}

#[test]
fn a_folder_in_place_of_a_game_is_recognised() {
    let game = "game tiny \"Tiny\"\nplayers 2\nplayer { resource coal }\nrounds 1 of dig\nphase dig { step all { all players { gain 1 coal } } }\nscore { \"coal\" = coal }\nwins highest score\n";
    let there = folder(&[("mine/rules/tiny.rules", game)]);
    there
        .run("playtest mine -n 2")
        .ends(2)
        .says(&["`mine` is a folder, in which tiny lies: write `--root mine`, and the name of the game"]);
    there.run("playtest tiny --root mine -n 2").ends(0);
}

/// Nobody begins with the card where it is not dealt, and nobody can win with it there.
#[test]
fn whoever_begins_with_a_dealt_card_is_compared_with_nobody() {
    let ran = folder(&[]).run("compare nations --deal augustus@p2 --players 2 --agents random -n 6 --all").ends(0);
    assert!(!ran.out.contains("who begins with"), "{}", ran.out);
    let ran = folder(&[]).run("compare nations --deal augustus@p2 --players 2 --agents random -n 6").ends(0);
    ran.prints(&["games won by p2: ", ": not shown to differ"]);
}
