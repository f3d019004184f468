//! Names in other languages: what people read has them, and nothing else changes. A language lies beside the cards of a game or pack.

use crate::support::{root, rules_of, text_with};
use houserule::lang::{TranslatableNames, compile};
use houserule::pack::{Translations, list_languages};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The languages in which everything that is shipped for Nations has a name.
const SHIPPED: [&str; 2] = ["el", "fr"];

/// What the program prints, what it says on the side, and its exit status.
fn run(folder: &Path, line: &str) -> (String, String, i32) {
    let done = Command::new(env!("CARGO_BIN_EXE_houserule")).args(line.split(' ')).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr), done.status.code().unwrap_or(-1))
}

/// The small game of the wrong files, with names that make a language of their own.
fn toy(names: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for path in ["rules/toy.rules", "cards/toy/base.toml"] {
        let to = dir.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join("tests/errors/game").join(path), to).unwrap();
    }
    fs::create_dir(dir.path().join("cards/toy/names")).unwrap();
    fs::write(dir.path().join("cards/toy/names/xx.toml"), names).unwrap();
    dir
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
    let (out, err, status) = run(root(), "check nations-dice");
    let (out2, err2, _) = run(root(), "list nations-dice cards --lang fr");
    assert!(status != 1 && !out.contains("C036") && !err.contains("C036"), "{out}{err}");
    assert!(out2.contains("granary (Grenier)") && out2.contains("Merveille"), "{out2}{err2}");
}

#[test]
fn the_table_speaks_the_language() {
    let typed = |line: &str, typed: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("typed");
        fs::write(&path, typed).unwrap();
        let input = fs::File::open(&path).unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_houserule")).args(line.split(' ')).current_dir(root()).stdin(input).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    let out = typed("play nations --players 3 --seat human,random --seed 17 --plain --lang fr", "1\n1\n1\nwhat 1\ntable\nlog\nquit\n");
    for said in ["Plateau des progrès", "Cartes Progrès 1 ", "croissance : ", "bonus : ", "(acheter ", "Or 6", "p1 Or: "] {
        assert!(out.contains(said), "no `{said}`:\n{out}");
    }
    // What is typed stays as it is; what is told has no English word of the rules left.
    for english in ["(buy ", "progress[", "progress 1", "decks: progress", "p1 gold", " gains 1 gold"] {
        assert!(!out.contains(english), "`{english}` is left:\n{out}");
    }
    let out = typed("play nations-dice --players 1 --seed 17 --plain --lang fr", "table\nquit\n");
    for said in ["Réserve: ", "Épée", "(acheter Grenier: ", "Tuiles 1 "] {
        assert!(out.contains(said), "no `{said}`:\n{out}");
    }
}

#[test]
fn a_whole_log_is_told_in_the_language() {
    let games = [("nations", 2, "fr"), ("nations", 1, "el"), ("nations-dice", 1, "fr"), ("nations-dice", 3, "fr"), ("near", 2, "fr")];
    for (game, players, language) in games {
        let (out, err, status) = run(root(), &format!("play {game} --players {players} --seat random --seed 17 --plain --lang {language}"));
        assert_eq!((err.as_str(), status), ("", 0), "{out}");
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
    let dir = toy("title = \"Spielzeug\"\n[card]\ngrey_wolf = \"Grauer Wolf\"\n");
    let (out, err, _) = run(dir.path(), "check . --missing-names");
    assert!(err.contains("cards have no name in `xx`") && err.contains("`check --missing-names` lists all"), "{err}");
    let listed = out.split("xx.toml\n").nth(1).unwrap_or_else(|| panic!("{out}{err}"));
    assert!(listed.starts_with("[card]\nred_wolf = \"\"\nlow_wall = \"\"\nhigh_wall = \"\"\n\n"), "{listed}");
    assert!(listed.contains("\n[kind]\n") && listed.contains("\n[words]\n") && listed.contains("\nlair = \"\"\n"), "{listed}");
    // What is listed, once completed, lacks nothing.
    let lists: Vec<&str> = listed
        .lines()
        .take_while(|line| !line.contains(" game"))
        .filter(|line| line.is_empty() || line.ends_with("\"\"") || line.starts_with('['))
        .collect();
    let completed: Vec<String> = lists.iter().enumerate().map(|(at, line)| line.replace("\"\"", &format!("\"wort {at}\""))).collect();
    let dir = toy(&completed.join("\n").replacen("[card]", "[card]\ngrey_wolf = \"Grauer Wolf\"", 1));
    let (out, err, _) = run(dir.path(), "check . --missing-names");
    assert!(out.contains("no file of names lacks any name") && !err.contains("C036"), "{out}{err}");
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
    let plain = run(root(), &format!("{line} --csv -"));
    assert_eq!((plain.0.lines().count(), plain.2), (9, 0));
    let result = |text: &str| -> (serde_json::Value, serde_json::Value) {
        let mut all: serde_json::Value = serde_json::from_str(text).unwrap();
        (all["result"].take(), all["names"].take())
    };
    let (of_plain, no_names) = result(&run(root(), &format!("{line} --json -")).0);
    assert!(no_names.is_null() && of_plain.is_object());
    for language in SHIPPED {
        assert_eq!(run(root(), &format!("{line} --csv - --lang {language}")), plain);
        let (found, names) = result(&run(root(), &format!("{line} --json - --lang {language}")).0);
        assert_eq!(found, of_plain);
        assert!(names["card"]["hoplite"].is_string() && names["words"]["buy"].is_string());
    }
}

#[test]
fn things_are_called_by_their_names_in_the_language() {
    let dir = toy(TOY);
    let said = |line: &str| {
        let (out, err, status) = run(dir.path(), &format!("{line} --root ."));
        assert_eq!((err.as_str(), status), ("", 0), "{line}");
        out
    };
    let has = |line: &str, wanted: &[&str]| {
        let out = said(line);
        wanted.iter().for_each(|wanted| assert!(out.contains(wanted), "{line}: no {wanted} in\n{out}"));
    };
    has("list toy --lang xx", &["Spielzeug", "Wolfsart", "Mauerart", "languages, for --lang: en  xx"]);
    has("list toy cards --lang xx", &["Mauerart: 2 cards", "low_wall (Mäuerchen)"]);
    has("show grey_wolf --lang xx", &["Grauer Wolf (grey_wolf)", "toy, Wolfsart", "also called: Grey Wolf", "Höhe"]);
    has("show mäuerchen --lang xx", &["Mäuerchen (low_wall)"]);
    has("words fame --game toy --lang xx", &["Ruhm"]);
    has("playtest toy -n 20 --agents random --lang xx", &["Spielzeug", "Irrlicht", "Ruhm", "holen", "passen", "Bau", "Wolfsart"]);
    fs::write(dir.path().join("more.rules"), "change bonus by +1\n").unwrap();
    has("compare toy -n 5 --agents random --with more.rules --all --lang xx", &["Spielzeug", "Ruhm", "holen", "Wolfsart"]);
    has("tournament toy -n 2 --agents random,greedy --lang xx", &["Spielzeug"]);
    // Without the option, and in the language of the cards, all is as on the cards.
    for line in ["list toy cards", "show grey_wolf", "words fame --game toy"] {
        assert_eq!(said(line), said(&format!("{line} --lang en")));
        assert!(!said(line).contains("Mäuerchen") && !said(line).contains("Grau") && !said(line).contains("Ruhm"));
    }
}

#[test]
fn cards_in_messages_are_called_by_their_names() {
    let dir = toy(TOY);
    let scenario =
        "game = \"toy\"\nplayers = 2\n[[scenario]]\nname = \"a wolf\"\ngiven = \"put grey_wolf in p1.lair\"\nthen = \"p1 has red_wolf\"\n";
    fs::write(dir.path().join("wolf.toml"), scenario).unwrap();
    let (out, _, status) = run(dir.path(), "test wolf.toml --root . --lang xx");
    assert_eq!(status, 1);
    assert!(out.contains("names: red_wolf = Roter Wolf"), "{out}");
    let lost = "[[card]]\nid = \"lost_wolf\"\nname = \"Lost\"\nkind = \"wolf\"\nlike = \"grey_wolf\"\nbitee = 1\n[[card]]\nid = \"red_wolf\"\n\
                kind = \"wolf\"\nname = \"Twin\"\ncolour = \"a\"\nheight = 1\n";
    fs::write(dir.path().join("cards/toy/more.toml"), lost).unwrap();
    let (_, err, status) = run(dir.path(), "check . --lang xx");
    assert_eq!(status, 1);
    assert!(err.contains("`red_wolf` is Roter Wolf"), "{err}");
}

#[test]
fn a_language_that_is_not_there_is_refused() {
    let dir = toy(TOY);
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
        let (out, err, status) = run(dir.path(), &format!("{command} --root . --lang zz"));
        assert_eq!((out.as_str(), status), ("", 2), "{command}");
        assert!(err.contains("in the language `zz`; there are "), "{command}: {err}");
    }
    let (_, err, _) = run(dir.path(), "list toy --root . --lang zz");
    assert_eq!(err, "error: there are no names of `toy` in the language `zz`; there are en, xx\n");
    // A game of several without names in the language keeps those on its cards.
    let (out, err, status) = run(dir.path(), "list --root . --lang xx");
    assert!(out.contains("Wolfsart") && out.contains("nations: Nations") && err.is_empty() && status == 0, "{out}{err}");
}

#[test]
fn a_pack_brings_names_of_its_own_cards_and_calls_others_otherwise() {
    let dir = toy(TOY);
    let pack = dir.path().join("cubs");
    fs::create_dir_all(pack.join("cards/names")).unwrap();
    fs::write(pack.join("pack.toml"), "name = \"cubs\"\nversion = \"1\"\nlanguage = 1\nextends = \"toy\"\n").unwrap();
    fs::write(pack.join("cards/cub.toml"), "[[card]]\nid = \"cub\"\nlike = \"grey_wolf\"\n").unwrap();
    fs::write(pack.join("cards/names/xx.toml"), "[card]\ncub = \"Welpe\"\ngrey_wolf = \"Isegrim\"\n").unwrap();
    fs::write(pack.join("cards/names/yy.toml"), "[card]\ncub = \"Valp\"\n").unwrap();
    let shown = |line: &str| run(dir.path(), &format!("{line} --root . --pack cubs"));
    assert!(shown("show welpe --lang xx").0.starts_with("Welpe (cub)"));
    assert!(shown("show grey_wolf --lang xx").0.starts_with("Isegrim (grey_wolf)"));
    assert!(shown("show cub --lang yy").0.starts_with("Valp (cub)"));
    assert!(run(dir.path(), "show grey_wolf --lang xx --root .").0.starts_with("Grauer Wolf (grey_wolf)"));
}
