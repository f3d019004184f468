//! No noun of any game stands in `src/`: names of resources, stats, kinds, places and cards of all shipped games, less those that
//! `nouns_allowed.toml` lists with a reason, against the identifiers and strings of the source, not its comments.

use crate::support::{nations, root};
use houserule::source::Sources;
use std::collections::{BTreeMap, BTreeSet};

fn nouns() -> BTreeSet<String> {
    let rules = nations(4);
    let mut nouns = BTreeSet::new();
    nouns.extend(rules.resources.iter().map(|&r| rules.names.text(r).to_string()));
    nouns.extend(rules.quantities.iter().filter(|q| q.stat).map(|q| q.name.clone()));
    nouns.extend(rules.kinds.iter().map(|k| rules.names.text(k.name).to_string()));
    nouns.extend(rules.places.iter().map(|p| p.name.clone()));
    nouns.extend(rules.definitions.iter().map(|d| rules.names.text(d.id).to_string()));
    nouns
}

/// Identifiers and the words of strings, without comments and without what stands under `#[cfg(test)]`.
fn words(source: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for (number, line) in source.lines().enumerate() {
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        let code = line.split("//").next().unwrap_or("");
        for word in code.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let mut snake = String::new();
            for c in word.chars() {
                if c.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
                    snake.push('_');
                }
                snake.extend(c.to_lowercase());
            }
            words.entry(snake).or_insert(number + 1);
        }
    }
    words
}

#[test]
fn no_noun_of_a_game_stands_in_the_source() {
    let allowed_text = std::fs::read_to_string(root().join("tests/nouns_allowed.toml")).expect("the list of allowed nouns");
    let allowed: toml::Table = toml::from_str(&allowed_text).expect("a table of reasons");
    let nouns = nouns();
    for (noun, reason) in &allowed {
        assert!(nouns.contains(noun), "`{noun}` is allowed, but it is no noun of a game any more");
        assert!(reason.as_str().is_some_and(|r| r.len() > 5), "`{noun}` is allowed without a reason");
    }
    let mut found = Vec::new();
    for path in Sources::read_dir(&root().join("src"), "rs").expect("the source") {
        let text = std::fs::read_to_string(&path).expect("a file");
        for (word, line) in words(&text) {
            let plain = word.trim_end_matches('s').to_string();
            for noun in [&word, &plain] {
                if nouns.contains(noun) && !allowed.contains_key(noun) {
                    found.push(format!("{}:{line}: `{noun}`", path.display()));
                }
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "nouns of a game in src/:\n{}", found.join("\n"));
}
