//! How texts become trees. Most readers read a file once; who reads the same files again and again may remember them.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::{ast, parse_file};

use super::cards::{CardFile, parse_cards};
use super::read::read_table;

/// Makes trees of texts. Whoever reads must say of a text what [`Anew`] says of it.
pub trait Reading {
    /// A file of rules.
    fn rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File;
    /// A file of cards of this game or pack.
    fn cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile;
    /// What a file of scenarios says of itself at its top.
    fn head(&mut self, sources: &Sources, file: FileId) -> Head;
}

/// What a file of scenarios says of itself at its top; its faults are told when its scenarios are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The game that it names.
    pub game: Option<String>,
    /// Whether there are scenarios in it.
    pub has_scenarios: bool,
}

/// Parses each text whenever it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anew;

impl Reading for Anew {
    fn rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File {
        parse_file(file, sources.text(file), diagnostics)
    }

    fn cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile {
        parse_cards(file, sources.text(file), pack, diagnostics)
    }

    fn head(&mut self, sources: &Sources, file: FileId) -> Head {
        let table = read_table(file, sources.text(file), &mut Vec::new()).unwrap_or_default();
        let named = table.iter().find(|(key, _)| key.text == "game").and_then(|(_, value)| value.text());
        Head { game: named.map(|named| named.text.clone()), has_scenarios: table.iter().any(|(key, _)| key.text == "scenario") }
    }
}
