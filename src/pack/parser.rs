//! The parsing of files, as a trait, so that callers that read the same files repeatedly can cache the results.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::{ast, parse_file};

use super::cards::{CardFile, parse_cards};
use super::read::{Spanned, Text, read_table};
use rayon::prelude::*;
use std::collections::HashMap;

/// Parses files. An implementation must return the same as [`Uncached`] for the same text.
pub trait FileParser {
    /// Says which files will be parsed, so that they can be parsed side by side. Does nothing unless an implementation gains by it.
    fn announce(&mut self, _sources: &Sources, _files: &[Announced<'_>]) {}
    /// Parses a rules file.
    fn parse_rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File;
    /// Parses a card file of the given game or pack.
    fn parse_cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile;
    /// Reads the head of a scenario file. Reports no errors.
    fn read_head(&mut self, sources: &Sources, file: FileId) -> ScenarioFileHead;
}

/// The top of a scenario file. Its errors are reported when its scenarios are parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioFileHead {
    /// The game that the file names, if any.
    pub game: Option<String>,
    /// Whether the file contains scenarios.
    pub has_scenarios: bool,
}

/// Whether a text lists changes that change nothing, for `houserule mutate --equal`, and has no scenarios. Such a list may lie beside them.
pub fn lists_equal_changes(text: &str) -> bool {
    let has_table = |header: &str| text.lines().any(|line| line.trim_start().starts_with(header));
    has_table("[[equal]]") && !has_table("[[scenario]]")
}

/// A file that will be parsed.
#[derive(Clone, Copy, Debug)]
pub enum Announced<'a> {
    /// A rules file.
    Rules(FileId),
    /// A card file of a game or pack.
    Cards(FileId, &'a str),
}

/// A parser without a cache that parses what is announced side by side, on all cores. What it has parsed is handed out once.
#[derive(Debug, Default)]
pub struct SideBySide {
    rules: HashMap<FileId, (ast::File, Vec<Diagnostic>)>,
    cards: HashMap<FileId, (CardFile, Vec<Diagnostic>)>,
}

impl FileParser for SideBySide {
    fn announce(&mut self, sources: &Sources, files: &[Announced<'_>]) {
        enum Parsed {
            Rules(FileId, ast::File, Vec<Diagnostic>),
            Cards(FileId, CardFile, Vec<Diagnostic>),
        }
        let parse = |announced: &Announced<'_>| {
            let mut diagnostics = Vec::new();
            match *announced {
                Announced::Rules(file) => Parsed::Rules(file, Uncached.parse_rules(sources, file, &mut diagnostics), diagnostics),
                Announced::Cards(file, pack) => {
                    Parsed::Cards(file, Uncached.parse_cards(sources, file, pack, &mut diagnostics), diagnostics)
                }
            }
        };
        // One file at a time: a single one may take as long as all others.
        for parsed in files.par_iter().with_max_len(1).map(parse).collect::<Vec<_>>() {
            match parsed {
                Parsed::Rules(file, parsed, diagnostics) => _ = self.rules.insert(file, (parsed, diagnostics)),
                Parsed::Cards(file, parsed, diagnostics) => _ = self.cards.insert(file, (parsed, diagnostics)),
            }
        }
    }

    fn parse_rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File {
        let Some((parsed, found)) = self.rules.remove(&file) else { return Uncached.parse_rules(sources, file, diagnostics) };
        diagnostics.extend(found);
        parsed
    }

    fn parse_cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile {
        let Some((parsed, found)) = self.cards.remove(&file) else { return Uncached.parse_cards(sources, file, pack, diagnostics) };
        diagnostics.extend(found);
        parsed
    }

    fn read_head(&mut self, sources: &Sources, file: FileId) -> ScenarioFileHead {
        Uncached.read_head(sources, file)
    }
}

/// A parser without a cache: it parses each file on every call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uncached;

impl FileParser for Uncached {
    fn parse_rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File {
        parse_file(file, sources.text(file), diagnostics)
    }

    fn parse_cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile {
        parse_cards(file, sources.text(file), pack, diagnostics)
    }

    fn read_head(&mut self, sources: &Sources, file: FileId) -> ScenarioFileHead {
        let text = sources.text(file);
        if let Some(head) = head_before_scenarios(file, text) {
            return head;
        }
        let table = read_table(file, text, &mut Vec::new()).unwrap_or_default();
        ScenarioFileHead { game: game_named_in(&table), has_scenarios: table.iter().any(|(key, _)| key.text == "scenario") }
    }
}

fn game_named_in(table: &[(Text, Spanned)]) -> Option<String> {
    let named = table.iter().find(|(key, _)| key.text == "game").and_then(|(_, value)| value.text());
    named.map(|named| named.text.clone())
}

/// Reads the head of a file of the usual form, without the rest: lines that are TOML by themselves and name the game, and a scenario after
/// them. `None` for any other.
fn head_before_scenarios(file: FileId, text: &str) -> Option<ScenarioFileHead> {
    let (head, _) = text.split_at(text.find("\n[[scenario]]\n")? + 1);
    let table = read_table(file, head, &mut Vec::new())?;
    Some(ScenarioFileHead { game: Some(game_named_in(&table)?), has_scenarios: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_scenario_file_is_read_without_its_scenarios() {
        let head = |text: &str| {
            let mut sources = Sources::new();
            let file = sources.add("wisps.toml", text);
            let ScenarioFileHead { game, has_scenarios } = Uncached.read_head(&sources, file);
            (game, has_scenarios)
        };
        let wisp = || Some("wisp".to_string());
        assert_eq!(head("game = \"wisp\"\n\n[[scenario]]\nname = \"howl\"\n"), (wisp(), true));
        // It belongs to its game also where it is broken further down.
        assert_eq!(head("game = \"wisp\"\n\n[[scenario]]\nname = \n"), (wisp(), true));
        // Of any other form all is read: no scenario, one in a text, ends of lines of another system.
        assert_eq!(head("game = \"wisp\"\n"), (wisp(), false));
        assert_eq!(head("note = \"\"\"\n[[scenario]]\n\"\"\"\ngame = \"wisp\"\n"), (wisp(), false));
        assert_eq!(head("game = \"wisp\"\r\n[[scenario]]\r\nname = \"howl\"\r\n"), (wisp(), true));
        assert_eq!(head("[[scenario]]\nname = \"howl\"\n"), (None, true));
    }

    #[test]
    fn what_is_parsed_side_by_side_is_what_is_parsed_alone() {
        let mut sources = Sources::new();
        let good = sources.add("rules/wisp.rules", "game wisp \"Wisp\"\nplayers 2\n");
        let broken = sources.add("rules/wall.rules", "players {\n");
        let cards = sources.add("cards/wisp/a.toml", "[[card]]\nid = \"wall\"\nkind = 3\n");
        let mut parser = SideBySide::default();
        parser.announce(&sources, &[Announced::Rules(good), Announced::Rules(broken), Announced::Cards(cards, "wisp")]);
        assert_eq!((parser.rules.len(), parser.cards.len()), (2, 1));
        for file in [good, broken, good] {
            // What was handed out is parsed anew.
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let parsed = parser.parse_rules(&sources, file, &mut one);
            assert_eq!(format!("{parsed:?}"), format!("{:?}", Uncached.parse_rules(&sources, file, &mut other)));
            assert_eq!((one.len(), format!("{one:?}")), (other.len(), format!("{other:?}")));
        }
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let parsed = parser.parse_cards(&sources, cards, "wisp", &mut one);
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Uncached.parse_cards(&sources, cards, "wisp", &mut other)));
        assert!(!one.is_empty() && format!("{one:?}") == format!("{other:?}"), "{one:?}");
        assert!(parser.rules.is_empty() && parser.cards.is_empty());
    }
}
