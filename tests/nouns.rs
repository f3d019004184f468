//! No noun of any game stands in `src/`: every name that a shipped game declares (resources, symbols, tokens, counters, flags, sets,
//! tallies, kinds, fields, places, pools, stats, quantities, moments, effects, named losses) and every card, less those that
//! `nouns_allowed.toml` lists with a reason, against the identifiers and strings of the source, not its comments.

use crate::support::{code_of, game, read, root};
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
    names.extend(rules.moments.iter().chain(&rules.loss_names).cloned());
    names.extend(rules.effects.iter().map(|effect| effect.name.clone()));
    names
}

fn nouns() -> BTreeSet<String> {
    let games = houserule::pack::list_games(Some(root()));
    assert!(games.len() >= 2, "{games:?}");
    let names = games.iter().flat_map(|name| names_of(&game(name, 2)));
    // `stability.rank` and the like belong to the name before the point.
    let parts = names.map(|name| name.split('.').next().unwrap_or("").to_string());
    parts.collect()
}

/// With what a comment begins, that goes to the end of the line, in files whose name ends so ("" where all is looked at, and in Rust, which is
/// read more closely), and what joins words there besides letters and digits.
const FILES: [(&str, &str, &str); 8] = [
    ("rs", "", "_"),
    ("js", "//", "_"),
    ("rules", "//", "_"),
    ("toml", "#", "_"),
    ("txt", "#", "_"),
    ("css", "", "_-"),
    ("html", "", "_"),
    ("bash", "#", "_"),
];

/// All files below a folder, but those that others have written.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path());
    let below = entries.filter(|path| !path.ends_with("src/lab/document/page/lib"));
    below.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn only_test_items_are_left_out() {
    let source = "fn one() { '{'; \"}\" }\n#[cfg(test)]\nmod sample;\nfn two() {} // three\n#[cfg(test)]\nmod tests {\n    #[allow(x)]\n    fn four() { r#\"}\"\"#; '\\''; \"\\\"}\" }\n}\n/* five /* six */ */ fn seven() { \"eight//nine\" }\n";
    let words = words(&code_of(source), "", "_");
    let found: Vec<&str> = ["one", "sample", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
        .into_iter()
        .filter(|word| words.contains_key(*word))
        .collect();
    assert_eq!(found, ["one", "two", "seven", "eight", "nine"]);
    assert_eq!(words["seven"], 10);
}

/// Identifiers and the words of strings, without comments.
fn words(source: &str, comment: &str, joins: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for (number, line) in source.lines().enumerate() {
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
    let allowed: toml::Table = toml::from_str(&read("tests/nouns_allowed.toml")).expect("a table of reasons");
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
        let mut text = std::fs::read_to_string(&path).expect("a file of text");
        if ending == "rs" {
            text = code_of(&text);
        }
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
