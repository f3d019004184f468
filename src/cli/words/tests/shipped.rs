//! Tests that every word of the language in a shipped file is known to `houserule words`. Declared names come from the definitions of the
//! game, local names from the grammar.

use super::super::*;
use crate::lang::load;
use crate::pack::schema;
use crate::script::rule_natives;
use crate::syntax::address::all_addresses;
use crate::syntax::grammar::{Grammar, Rule};
use pest::Parser;
use pest::iterators::Pair;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The names of a game, and the results of queries.
struct GameNames {
    all: Vec<WordEntry>,
    declared: BTreeSet<String>,
    /// Names that the card entry being checked declares itself.
    own: BTreeSet<String>,
    seen: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

impl GameNames {
    fn new(root: &Path, name: &str) -> GameNames {
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let text = load(&mut sources, Some(root), name, &[], &[], &mut found).expect("the game loads");
        let defs = text.checked().definitions();
        let mut declared: BTreeSet<String> = defs.all().flat_map(|(_, one)| split_words(&one.name)).map(String::from).collect();
        declared.extend(defs.lists.iter().flatten().cloned());
        let setup = Setup { every_piece: true, ..Setup::default() };
        let rules = crate::lang::compile(&text, &setup, &mut found).expect("the game compiles");
        declared.extend(rule_natives(&rules).iter().filter_map(|(signature, _)| split_words(signature).next().map(String::from)));
        declared.extend(rules.score.iter().flat_map(|row| [row.0.to_lowercase().replace(' ', "_")]));
        declared.extend(split_words(name).map(String::from));
        // Declarations of variants, and of packs that scenarios name.
        for (variant, _) in &text.variants {
            declared.extend(declared_with(root, name, &[], std::slice::from_ref(variant)));
            declared.extend(split_words(variant).map(String::from));
        }
        for folder in ["packs", "tests/packs"] {
            let packs = Sources::read_dir(&root.join(folder), "toml").unwrap_or_default();
            for pack in packs.iter().filter(|path| path.ends_with("pack.toml")).filter_map(|path| path.parent()) {
                declared.extend(declared_with(root, name, &[pack.to_path_buf()], &[]));
                declared.extend(pack.file_name().map(|name| name.to_string_lossy().into_owned()));
            }
        }
        // Names that cards bind for their scripts.
        declared.extend(rules.scripts.iter().flat_map(|script| &script.lets).map(|named| named.name.clone()));
        // Names of checks, and words in keys of options and on faces of tokens.
        declared.extend(all_addresses(&mut text.tree.clone()).iter().flat_map(|(address, _)| split_words(address)).map(String::from));
        declared.extend(rules.names.all().flat_map(|(_, text)| split_words(text)).map(String::from));
        GameNames { all: language_entries(), declared, own: BTreeSet::new(), seen: BTreeSet::new(), unknown: BTreeSet::new() }
    }

    /// Checks that a literal word is known.
    fn check_literal(&mut self, word: &str, place: &str) {
        if self.seen.insert(word.to_string()) && entries_matching(&self.all, word).is_empty() {
            self.unknown.insert(format!("{place}: `{word}`"));
        }
    }

    /// Checks that a name is bound locally, declared by the game, or built in. Names like `p1` are described under `PLAYER`.
    fn check_name(&mut self, name: &str, bound: &BTreeSet<String>, place: &str) {
        for part in split_words(name).filter(|part| part.starts_with(|first: char| first.is_alphabetic() || first == '_')) {
            let of_game = bound.contains(part) || self.declared.contains(part) || crate::lang::seat_number(part).is_some();
            if !of_game {
                self.check_literal(part, place);
            }
        }
    }

    /// Checks all words of a text that the grammar parses.
    fn check_text(&mut self, rule: Rule, text: &str, place: &str) {
        let nodes = Grammar::parse(rule, text).unwrap_or_else(|wrong| panic!("{place}: {wrong}"));
        let mut bound = BTreeSet::new();
        for node in nodes.clone().flatten().filter(binds) {
            let names = node.into_inner().filter(|inner| matches!(inner.as_rule(), Rule::name | Rule::word));
            bound.extend(names.map(|name| name.as_str().to_string()));
        }
        for node in nodes.flatten() {
            let (rule, text) = (format!("{:?}", node.as_rule()), node.as_str());
            match node.as_rule() {
                Rule::name | Rule::word | Rule::game_name | Rule::card_id | Rule::place_name | Rule::key | Rule::able_key => {
                    self.check_name(text, &bound, place);
                }
                _ if rule.starts_with(|first: char| first.is_uppercase()) && text.starts_with(char::is_alphabetic) => {
                    text.split_whitespace().for_each(|word| self.check_literal(word, place));
                }
                _ => {}
            }
        }
    }

    /// Checks all words in a table of a TOML file; `header` is the key of the table.
    fn check_table(&mut self, header: &str, table: &Table, place: &str) {
        // Its own rules are parsed when the scenario runs.
        let with = table.get("with").map(|with| with.as_array().map_or(vec![with], |all| all.iter().collect())).unwrap_or_default();
        for text in with.into_iter().filter_map(Value::as_str) {
            self.declared.extend(split_words(text).map(String::from));
        }
        if header != "let" {
            let lets = table.get("let").and_then(Value::as_table);
            self.own = lets.map(|lets| lets.keys().cloned().collect()).unwrap_or_default();
        }
        for (key, value) in table {
            // After `let` a card may bind any name.
            if header != "let" {
                self.check_name(key, &BTreeSet::new(), place);
            }
            self.check_value(header, key, value, &format!("{place}: {key}"));
        }
    }

    fn check_value(&mut self, header: &str, key: &str, value: &Value, place: &str) {
        let text = match value {
            Value::String(text) => text,
            Value::Array(items) => return items.iter().for_each(|item| self.check_value(header, key, item, place)),
            Value::Table(table) => return self.check_table(key, table, place),
            _ => return,
        };
        match (header, key) {
            (_, "name" | "text" | "because" | "refused" | "id" | "alt_names" | "source" | "version" | "game") => {}
            (_, "do") => self.check_script(text, place),
            ("let", _) => self.check_text(Rule::card_expr, text, place),
            // A line that contains only a script: `on.dusk = "…"`.
            ("on" | "instead" | "this", _) if !schema::ON_TABLE.names().contains(&key) && key != "of" => self.check_script(text, place),
            (_, "ask") => self.check_text(Rule::card_ask, text, place),
            (_, "cost") => self.check_text(Rule::card_costs, text, place),
            (_, "given") => self.check_text(Rule::given_lines, &without_comments(text), place),
            ("test" | "scenario", "when") => self.check_text(Rule::when_lines, &without_comments(text), place),
            (_, "then") => self.check_text(Rule::then_lines, &without_comments(text), place),
            (_, "if" | "needs" | "leaves_when" | "to" | "by" | "at_least" | "at_most") => self.check_text(Rule::card_expr, text, place),
            // One or more words of the game or of the language (`this.howl`, `1 each turn`).
            _ => self.check_name(text, &BTreeSet::new(), place),
        }
    }

    /// Checks the names in a script outside of strings and comments, except those that the script declares.
    fn check_script(&mut self, script: &str, place: &str) {
        let code: String = script.lines().map(|line| line.split("//").next().unwrap_or("").to_string() + "\n").collect();
        let code: String = code.split('"').step_by(2).collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = split_words(&code).collect();
        let declared = words.windows(2).filter(|pair| matches!(pair[0], "let" | "for")).map(|pair| pair[1].to_string());
        let own = declared.chain(self.own.iter().cloned()).collect();
        words.iter().for_each(|word| self.check_name(word, &own, place));
    }
}

/// Returns every name that a game declares with these packs and variants.
fn declared_with(root: &Path, game: &str, packs: &[PathBuf], with: &[String]) -> BTreeSet<String> {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let Some(text) = load(&mut sources, Some(root), game, packs, with, &mut found) else { return BTreeSet::new() };
    text.checked().definitions().all().flat_map(|(_, one)| split_words(&one.name)).map(String::from).collect()
}

/// Whether a node of the syntax tree declares the names directly inside of it.
fn binds(node: &Pair<'_, Rule>) -> bool {
    let rules = [Rule::parameters, Rule::for_words, Rule::each_card, Rule::choice, Rule::when_short, Rule::when_leaves, Rule::when_dealt];
    let values = [Rule::let_value, Rule::let_random, Rule::let_chance, Rule::named];
    let asked = [Rule::action_param, Rule::ask_offer, Rule::variant];
    rules.contains(&node.as_rule()) || values.contains(&node.as_rule()) || asked.contains(&node.as_rule())
}

/// Removes the comments of a scenario, which begin with `#`.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or("").to_string() + "\n").collect()
}

/// Returns the files of a folder.
fn files(folder: PathBuf, extension: &str) -> Vec<(String, String)> {
    let paths = Sources::read_dir(&folder, extension).expect("a folder");
    assert!(!paths.is_empty(), "{}", folder.display());
    paths.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).expect("a file"))).collect()
}

#[test]
fn every_word_of_what_is_shipped_is_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut seen, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for name in crate::pack::list_games(Some(root)) {
        let mut game = GameNames::new(root, &name);
        for (path, text) in files(root.join("rules"), "rules").iter().filter(|(path, _)| path.ends_with(&format!("/{name}.rules"))) {
            game.check_text(Rule::file, text, path);
        }
        for (path, text) in files(root.join("cards").join(&name), "toml") {
            let table: Table = text.parse().expect("sound TOML");
            if path.contains("/names/") {
                // The values of this table are translations.
                table.keys().for_each(|key| game.check_name(key, &BTreeSet::new(), &path));
            } else {
                game.check_table("", &table, &path);
            }
        }
        for (path, text) in files(root.join("tests/scenarios"), "toml") {
            let table: Table = text.parse().expect("sound TOML");
            if table["game"].as_str() == Some(&name) {
                game.check_table("", &table, &path);
            }
        }
        seen.append(&mut game.seen);
        unknown.append(&mut game.unknown);
    }
    assert!(unknown.is_empty(), "`houserule words` does not know these:\n{}", unknown.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(seen.len() > 150, "{} words are few: {seen:?}", seen.len());
    for word in ["own", "me", "answer", "round", "players", "it", "max", "let", "this", "gain", "and", "gained", "leaves_when"] {
        assert!(seen.contains(word), "{word}");
    }
}
