//! No noun of any game stands in `src/`: every name that a shipped game declares (resources, symbols, tokens, counters, flags, sets,
//! tallies, kinds, fields, places, pools, stats, quantities, moments, effects, named losses) and every card, less those that
//! `nouns_allowed.toml` lists with a reason, against the identifiers and strings of the source, not its comments.

use crate::support::{game, root};
use houserule::engine::Ruleset;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Every name that the rules of a game declare, and every card.
fn names_of(rules: &Ruleset) -> Vec<String> {
    let text = |id: &u32| rules.names.text(*id).to_string();
    let mut names: Vec<String> = rules.resources.iter().chain(&rules.symbols).map(text).collect();
    names.extend(rules.token_kinds.iter().map(|(name, _)| text(name)));
    names.extend(rules.pools.iter().map(|pool| text(&pool.name)));
    names.extend(rules.kinds.iter().map(|kind| text(&kind.name)));
    names.extend(rules.definitions.iter().map(|definition| text(&definition.id)));
    names.extend(rules.tokens.iter().map(|token| text(&token.name)));
    let variables = rules.table.iter().chain(&rules.seat).chain(&rules.piece);
    // Names in several words are the program's own.
    names.extend(variables.map(|variable| variable.name.clone()).filter(|name| !name.contains(' ')));
    names.extend(rules.fields.iter().map(|(name, _)| name.clone()));
    names.extend(rules.places.iter().map(|place| place.name.clone()));
    names.extend(rules.quantities.iter().map(|quantity| quantity.name.clone()));
    names.extend(rules.moments.iter().chain(&rules.named).cloned());
    names.extend(rules.effects.iter().map(|effect| effect.name.clone()));
    names
}

fn nouns() -> BTreeSet<String> {
    let games = houserule::pack::games(Some(root()));
    assert!(games.len() >= 2, "{games:?}");
    let names = games.iter().flat_map(|name| names_of(&game(name, 2)));
    // `stability.rank` and the like belong to the name before the point.
    let parts = names.map(|name| name.split('.').next().unwrap_or("").to_string());
    parts.collect()
}

/// With what a comment begins, that goes to the end of the line, in files whose name ends so ("" where all is looked at), and what joins words
/// there besides letters and digits.
const FILES: [(&str, &str, &str); 6] =
    [("rs", "//", "_"), ("js", "//", "_"), ("rules", "//", "_"), ("toml", "#", "_"), ("css", "", "_-"), ("html", "", "_")];

/// All files below a folder, but those that others have written.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path());
    let below = entries.filter(|path| !path.ends_with("src/playtest/page/lib"));
    below.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Identifiers and the words of strings, without comments and without what stands under `#[cfg(test)]`.
fn words(source: &str, comment: &str, joins: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for (number, line) in source.lines().enumerate() {
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        let code = if comment.is_empty() { line } else { line.split(comment).next().unwrap_or("") };
        for word in code.split(|c: char| !c.is_alphanumeric() && !joins.contains(c)) {
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
    for path in files(&root().join("src")) {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let Some((_, comment, joins)) = FILES.iter().find(|(known, ..)| *known == ending) else {
            panic!("{}: what a comment is in such a file stands in `FILES`, or the file does not belong into src/", path.display());
        };
        let text = std::fs::read_to_string(&path).expect("a file of text");
        for (word, line) in words(&text, comment, joins) {
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
