//! The parsing of files, as a trait, so that callers that read the same files repeatedly can cache the results.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::{ast, parse_file};

use super::cards::{CardFile, parse_cards};
use super::read::read_table;

/// Parses files. An implementation must return the same as [`Uncached`] for the same text.
pub trait FileParser {
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
        let table = read_table(file, sources.text(file), &mut Vec::new()).unwrap_or_default();
        let named = table.iter().find(|(key, _)| key.text == "game").and_then(|(_, value)| value.text());
        ScenarioFileHead { game: named.map(|named| named.text.clone()), has_scenarios: table.iter().any(|(key, _)| key.text == "scenario") }
    }
}
