//! What the program itself says at the table, line by line of the log and language by language.

use crate::support::root;
use houserule::table::{LOG_PHRASES, Phrases, log_phrase};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn lines_of_the_log_are_recognised() {
    let table = [
        ("round 3", "round {number}", "3"),
        ("p1 gains 2 moss", "{who} gains {amount} {what}", "p1|2|moss"),
        ("p1 loses 2 moss, 1 short", "{who} loses {amount} {what}, {missing} short", "p1|2|moss|1"),
        ("p2: wolf is placed in den", "{who}: {card} is placed in {place}", "p2|wolf|den"),
        ("wolf is placed in map row 2 column 3", "{card} is placed in {place}", "wolf|map row 2 column 3"),
        ("p1: 2 grey:paw from bag to lair", "{who}: {amount} {what} from {place} to {other}", "p1|2|grey:paw|bag|lair"),
        ("the table rolls grey:paw", "{who} rolls {what}", "the table|grey:paw"),
        ("wolf, wall are shown to p1, p3", "{card} are shown to {who}", "wolf, wall|p1, p3"),
        ("den is empty, and lair is shuffled into it", "{place} is empty, and {other} is shuffled into it", "den|lair"),
    ];
    for (line, phrase, values) in table {
        let (found, told) = log_phrase(line).unwrap();
        let told: Vec<&str> = told.iter().map(|(_, value)| *value).collect();
        assert_eq!((found, told.join("|").as_str()), (phrase, values), "{line}");
        assert_eq!(Phrases::default().log_line(line, str::to_string).as_deref(), Some(line));
    }
    for answer in ["p1: buy wolf", "p1: 2", "p1 gains moss", "p1:"] {
        assert!(Phrases::default().log_line(answer, str::to_string).is_none(), "{answer}");
    }
}

/// Every phrase in the source has its translation in every language, with the same names in braces, and no language has others.
#[test]
fn every_language_has_every_phrase() {
    let src = root().join("src");
    let mut phrases: BTreeSet<String> = LOG_PHRASES.iter().map(|phrase| (*phrase).to_string()).collect();
    let mut folders = vec![src.join("table"), src.join("cli/interface"), src.join("diagram")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ends| ends == "rs") && !entry.ends_with("phrases.rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                for call in [".say(", ".word("] {
                    let said = text.split(call).skip(1).filter_map(|behind| behind.trim_start().strip_prefix('"')?.split_once('"'));
                    phrases.extend(said.map(|(phrase, _)| phrase.to_string()));
                }
                let lists = text.split("_PHRASES: [").skip(1).map(|behind| behind.split("];").next().unwrap());
                phrases.extend(lists.flat_map(|list| list.split('"').skip(1).step_by(2)).map(str::to_string));
            }
        }
    }
    let names = |text: &str| {
        let mut names: Vec<String> = text.split('{').skip(1).map(|part| part.split('}').next().unwrap().to_string()).collect();
        names.sort_unstable();
        names
    };
    let mut languages: Vec<String> = std::fs::read_dir(src.join("table/languages"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().and_then(|stem| stem.to_str()).unwrap().to_string())
        .collect();
    languages.sort_unstable();
    assert_eq!(languages, ["el", "fr"]);
    for language in languages {
        let text = std::fs::read_to_string(src.join(format!("table/languages/{language}.toml"))).unwrap();
        let known: BTreeMap<String, String> = toml::from_str(&text).unwrap();
        let missing: Vec<&String> = phrases.iter().filter(|phrase| !known.contains_key(*phrase)).collect();
        assert!(missing.is_empty(), "{language} has no {missing:#?}");
        let spoken = Phrases::of_language(&language);
        for (phrase, told) in &known {
            // What the log names without a phrase of its own.
            let of_log = ["the table", "all players", "a card", "tokens"].contains(&phrase.as_str());
            assert!(phrases.contains(phrase) || of_log, "{language}: nobody says `{phrase}`");
            assert_eq!(names(phrase), names(told), "{language}: {phrase}");
            // The program has the file.
            assert_eq!(spoken.word(phrase), told.replace(['{', '}'], ""), "{language}: {phrase}");
        }
    }
}
