//! Names in other languages: what people read has them, and nothing else changes. A language lies beside the cards of a game or pack.

use crate::support::{Folder, Ran, manifest, root, rules_of, run_in, run_typed, text_with, toy};
use houserule::lang::{TranslatableNames, compile};
use houserule::pack::{Translations, list_languages};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The languages in which everything that is shipped for Nations has a name.
const SHIPPED: [&str; 2] = ["el", "fr"];

fn run(line: &str) -> Ran {
    run_in(root(), line)
}

/// The small game of the wrong files, with names that make a language of their own.
fn named(names: &str) -> Folder {
    toy(&[("cards/toy/names/xx.toml", names)])
}

const TOY: &str = r#"
title = "Spielzeug"
[card]
grey_wolf = "Grauer Wolf"
red_wolf = "Roter Wolf"
low_wall = "Mäuerchen"
high_wall = "Mauer am Hang"
[kind]
wolf = "Wolfsart"
wall = "Mauerart"
[words]
wisp = "Irrlicht"
wisps = "Irrlichter"
moss = "Moos"
fame = "Ruhm"
fetch = "holen"
pass = "passen"
lair = "Bau"
side = "Seite"
a = "erste"
b = "zweite"
height = "Höhe"
"#;

#[test]
fn every_shipped_language_names_everything() {
    for packs in [&[][..], &["packs/dynasties"], &["packs/promo"]] {
        let packs: Vec<PathBuf> = packs.iter().map(|pack| root().join(pack)).collect();
        let found: Vec<String> = list_languages(Some(root()), "nations", &packs).into_iter().collect();
        assert_eq!(found, SHIPPED);
        let (sources, text) = text_with(&packs, &[]);
        let mut nameable = TranslatableNames::collect(&text);
        let (fewest, most) = text.players();
        for players in fewest..=most {
            nameable.add(&rules_of(&sources, &text, &compile::allowed_setup(&text, players)));
        }
        for language in SHIPPED {
            let of: BTreeSet<&str> =
                text.content.names.iter().filter(|file| file.language == language).map(|file| file.owner.as_str()).collect();
            assert_eq!(of.len(), 1 + packs.len(), "the game and each pack have a file in {language}");
            let said: Vec<String> = nameable.check(&text, &sources, language).into_iter().map(|wrong| wrong.message).collect();
            assert_eq!(said, Vec::<String>::new(), "{language}, {packs:?}");
        }
    }
}

#[test]
fn the_dice_game_has_french_names() {
    assert_ne!(run("check nations-dice").tells_no(&["C036"]).status, 1);
    run("list nations-dice cards --lang fr").prints(&["granary (Grenier)", "Merveille"]);
}

#[test]
fn the_table_speaks_the_language() {
    let line = "play nations --players 3 --seat human,random --seed 17 --plain --lang fr";
    let ran = run_typed(root(), line, "1\n1\n1\nwhat 1\ntable\nlog\nquit\n");
    let ran = ran.prints(&["Plateau des progrès", "Cartes Progrès 1 ", "croissance : ", "bonus : ", "(acheter ", "Or 6", "p1 Or: "]);
    // What is typed stays as it is; what is told has no English word of the rules left.
    ran.tells_no(&["(buy ", "progress[", "progress 1", "decks: progress", "p1 gold", " gains 1 gold"]);
    let alone = run_typed(root(), "play nations-dice --players 1 --seed 17 --plain --lang fr", "table\nquit\n");
    alone.prints(&["Réserve: ", "Épée", "(acheter Grenier: ", "Tuiles 1 "]);
}

#[test]
fn a_whole_log_is_told_in_the_language() {
    let games = [("nations", 2, "fr"), ("nations", 1, "el"), ("nations-dice", 1, "fr"), ("nations-dice", 3, "fr"), ("near", 2, "fr")];
    for (game, players, language) in games {
        let line = format!("play {game} --players {players} --seat random --seed 17 --plain --lang {language}");
        let out = run(&line).ends(0).quietly().out;
        let parts =
            ["order is", "gains", "pays", "loses", "short", "drawn", "placed", "removed", "rolls", "round", "shuffled", "over", "won"];
        for line in out.lines().skip(2).filter(|line| !line.contains("`houserule")) {
            let words: Vec<&str> = line.split(|letter: char| !letter.is_alphabetic()).collect();
            let left = parts.iter().find(|part| words.join(" ").split(' ').any(|word| word == **part) || line.contains("order is"));
            assert_eq!(left, None, "{game} in {language}: {line}");
        }
    }
}

#[test]
fn check_lists_the_names_that_are_missing() {
    let dir = named("title = \"Spielzeug\"\n[card]\ngrey_wolf = \"Grauer Wolf\"\n");
    let ran = dir.run("check . --missing-names");
    let ran = ran.says(&["cards have no name in `xx`", "`check --missing-names` lists all"]);
    let listed = ran.out.split("xx.toml\n").nth(1).unwrap_or_else(|| panic!("{}", ran.all()));
    assert!(listed.starts_with("[card]\nred_wolf = \"\"\nlow_wall = \"\"\nhigh_wall = \"\"\n\n"), "{listed}");
    assert!(listed.contains("\n[kind]\n") && listed.contains("\n[words]\n") && listed.contains("\nlair = \"\"\n"), "{listed}");
    // What is listed, once completed, lacks nothing.
    let lists: Vec<&str> = listed
        .lines()
        .take_while(|line| !line.contains(" game"))
        .filter(|line| line.is_empty() || line.ends_with("\"\"") || line.starts_with('['))
        .collect();
    let completed: Vec<String> = lists.iter().enumerate().map(|(at, line)| line.replace("\"\"", &format!("\"wort {at}\""))).collect();
    let dir = named(&completed.join("\n").replacen("[card]", "[card]\ngrey_wolf = \"Grauer Wolf\"", 1));
    dir.run("check . --missing-names").prints(&["no file of names lacks any name"]).tells_no(&["C036"]);
}

#[test]
fn both_packs_agree_on_names() {
    let packs = ["packs/dynasties", "packs/promo"].map(|pack| root().join(pack));
    let (sources, text) = text_with(&packs, &[]);
    for language in SHIPPED {
        let mut said = Vec::new();
        let names = Translations::read(&text.content, &sources, language, &mut said);
        assert_eq!(said, Vec::new());
        let unnamed = text.content.cards.iter().filter(|card| !names.cards().any(|named| named.key.text == card.id.text));
        assert_eq!(unnamed.map(|card| card.id.text.as_str()).collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

#[test]
fn the_same_seed_gives_the_same_game_in_all_languages() {
    let line = "playtest nations -n 4 --players 2 --agents random --seed 7 --threads 1";
    let table = |more: &str| run(&format!("{line} --csv - {more}")).ends(0);
    let plain = table("");
    assert_eq!(plain.out.lines().count(), 9);
    let report = |more: &str| run(&format!("{line} --json - {more}")).json();
    let of_plain = report("");
    assert!(of_plain["names"].is_null() && of_plain["result"].is_object());
    for language in SHIPPED {
        let named = table(&format!("--lang {language}"));
        assert_eq!((named.out, named.err), (plain.out.clone(), plain.err.clone()));
        let found = report(&format!("--lang {language}"));
        assert_eq!(found["result"], of_plain["result"]);
        assert!(found["names"]["card"]["hoplite"].is_string() && found["names"]["words"]["buy"].is_string());
    }
}

#[test]
fn things_are_called_by_their_names_in_the_language() {
    let dir = named(TOY);
    let said = |line: &str| dir.run(&format!("{line} --root .")).ends(0).quietly();
    let has = |line: &str, wanted: &[&str]| drop(said(line).prints(wanted));
    has("list toy --lang xx", &["Spielzeug", "Wolfsart", "Mauerart", "languages, for --lang: en  xx"]);
    has("list toy cards --lang xx", &["Mauerart: 2 cards", "low_wall (Mäuerchen)"]);
    has("show grey_wolf --lang xx", &["Grauer Wolf (grey_wolf)", "toy, Wolfsart", "also called: Grey Wolf", "Höhe"]);
    has("show mäuerchen --lang xx", &["Mäuerchen (low_wall)"]);
    has("words fame --game toy --lang xx", &["Ruhm"]);
    has("playtest toy -n 20 --agents random --lang xx", &["Spielzeug", "Irrlicht", "Ruhm", "holen", "passen", "Bau", "Wolfsart"]);
    dir.write("more.rules", "change bonus by +1\n");
    has("compare toy -n 5 --agents random --with more.rules --all --lang xx", &["Spielzeug", "Ruhm", "holen", "Wolfsart"]);
    has("tournament toy -n 2 --agents random,greedy --lang xx", &["Spielzeug"]);
    // Without the option, and in the language of the cards, all is as on the cards.
    for line in ["list toy cards", "show grey_wolf", "words fame --game toy"] {
        assert_eq!(said(line).out, said(&format!("{line} --lang en")).out);
        said(line).tells_no(&["Mäuerchen", "Grau", "Ruhm"]);
    }
}

#[test]
fn cards_in_messages_are_called_by_their_names() {
    let dir = named(TOY);
    let scenario =
        "game = \"toy\"\nplayers = 2\n[[scenario]]\nname = \"a wolf\"\ngiven = \"put grey_wolf in p1.lair\"\nthen = \"p1 has red_wolf\"\n";
    dir.write("wolf.toml", scenario);
    dir.run("test wolf.toml --root . --lang xx").ends(1).prints(&["names: red_wolf = Roter Wolf"]);
    let lost = "[[card]]\nid = \"lost_wolf\"\nname = \"Lost\"\nkind = \"wolf\"\nlike = \"grey_wolf\"\nbitee = 1\n[[card]]\nid = \"red_wolf\"\n\
                kind = \"wolf\"\nname = \"Twin\"\ncolour = \"a\"\nheight = 1\n";
    dir.write("cards/toy/more.toml", lost);
    dir.run("check . --lang xx").ends(1).says(&["`red_wolf` is Roter Wolf"]);
}

#[test]
fn a_language_that_is_not_there_is_refused() {
    let dir = named(TOY);
    for command in [
        "list toy",
        "show grey_wolf",
        "playtest toy -n 1",
        "compare toy -n 1 --with extend",
        "tournament toy -n 2 --agents random,greedy",
        "train toy",
        "words fame --game toy",
        "check .",
        "test",
    ] {
        let ran = dir.run(&format!("{command} --root . --lang zz")).ends(2).says(&["in the language `zz`; there are "]);
        assert_eq!(ran.out, "", "{command}");
    }
    let ran = dir.run("list toy --root . --lang zz");
    assert_eq!(ran.err, "error: there are no names of `toy` in the language `zz`; there are en, xx\n");
    // A game of several without names in the language keeps those on its cards.
    dir.run("list --root . --lang xx").ends(0).quietly().prints(&["Wolfsart", "nations: Nations"]);
}

#[test]
fn a_pack_brings_names_of_its_own_cards_and_calls_others_otherwise() {
    let dir = named(TOY);
    dir.write("cubs/pack.toml", &manifest("cubs", "toy"));
    dir.write("cubs/cards/cub.toml", "[[card]]\nid = \"cub\"\nlike = \"grey_wolf\"\n");
    dir.write("cubs/cards/names/xx.toml", "[card]\ncub = \"Welpe\"\ngrey_wolf = \"Isegrim\"\n");
    dir.write("cubs/cards/names/yy.toml", "[card]\ncub = \"Valp\"\n");
    let shown = |line: &str| dir.run(&format!("{line} --root .")).out;
    assert!(shown("show welpe --lang xx --pack cubs").starts_with("Welpe (cub)"));
    assert!(shown("show grey_wolf --lang xx --pack cubs").starts_with("Isegrim (grey_wolf)"));
    assert!(shown("show cub --lang yy --pack cubs").starts_with("Valp (cub)"));
    assert!(shown("show grey_wolf --lang xx").starts_with("Grauer Wolf (grey_wolf)"));
}
