//! Tokens of a file with what each can refer to. Rules are split by the grammar, TOML by the key tables, scripts by rhai.

use crate::pack::schema::{KeySchema, TableSchema};
use crate::script::names_of;
use crate::syntax::reference::Construct;
use crate::syntax::words::{TextSort, words_of};

use super::tables::TomlWalk;

/// The kind of a file, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// A rules file, `.rules`.
    Rules,
    /// A file of cards in TOML.
    Cards,
    /// A pack's manifest, `pack.toml`.
    Manifest,
    /// A file of translated names.
    Names,
    /// A file of scenarios.
    Scenarios,
}

impl FileSort {
    /// Determines the kind of a file from its path relative to the folder of its game or pack.
    pub fn from_path(inside: &str) -> FileSort {
        let parts: Vec<&str> = inside.split(['/', '\\']).collect();
        match parts.as_slice() {
            [.., last] if last.ends_with(".rules") => FileSort::Rules,
            [.., "pack.toml"] => FileSort::Manifest,
            ["cards", .., "names", _] => FileSort::Names,
            ["cards", ..] => FileSort::Cards,
            _ => FileSort::Scenarios,
        }
    }
}

/// The category of names that is valid at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionContext {
    /// Ids of cards.
    Cards,
    /// Kinds of cards.
    Kinds,
    /// Moments to which entries react.
    Moments,
    /// Quantities that cards may modify.
    Quantities,
    /// Actions of a turn, which entries may forbid.
    Actions,
    /// Named losses and draws.
    Losses,
    /// Fields and counters of cards.
    Fields,
    /// Options of the set-up.
    Options,
    /// All names, for rules text.
    All,
    /// All names, for the position after a dot.
    AfterDot,
    /// All names but cards, for scripts.
    Script,
    /// Functions that a script can call.
    Call,
}

/// The meaning of a token: a name, a key or a keyword.
#[derive(Clone, Copy, Debug)]
pub enum SymbolAtCursor {
    /// A name of this category that is declared elsewhere.
    Name(CompletionContext),
    /// A name of this category that is declared here.
    Declaration(CompletionContext),
    /// A key of a TOML file, with the table that contains it.
    Key(&'static TableSchema, &'static KeySchema),
    /// A keyword, with the construct that it begins or belongs to.
    Keyword(Option<&'static Construct>),
}

/// A token that requests can refer to.
#[derive(Clone, Debug)]
pub struct SourceToken {
    /// Offset of the token's first byte in the file.
    pub start: usize,
    /// Offset after the token's last byte in the file.
    pub end: usize,
    /// Text of the token.
    pub text: String,
    /// The dotted name that contains the token; it takes precedence over the token alone.
    pub whole: Option<String>,
    /// The meaning of the token.
    pub symbol: SymbolAtCursor,
}

/// The kind of content of a range in a TOML file.
#[derive(Clone, Copy, Debug)]
pub enum Zone {
    /// A range that contains the keys of this table.
    Keys(&'static TableSchema),
    /// A range that is the value of this key.
    Value(&'static KeySchema),
    /// A range that is a text in the rules language.
    Text(TextSort),
    /// A range that is a script in rhai.
    Script,
    /// A range that is a name of this category, such as the id of a card.
    Name(CompletionContext),
}

/// The tokens of a file, and its zones: the ranges in which a certain content is expected.
#[derive(Clone, Debug, Default)]
pub struct FileTokens {
    /// The tokens in order of their position.
    pub tokens: Vec<SourceToken>,
    /// Zones of a TOML file with their byte ranges, outer ones first.
    pub zones: Vec<(usize, usize, Zone)>,
    /// Byte ranges of strings with escape sequences. Offsets inside them do not match the file, so that they yield no tokens.
    pub escaped: Vec<(usize, usize)>,
}

impl FileTokens {
    /// Finds the tokens and zones of a text.
    pub fn parse(sort: FileSort, text: &str) -> FileTokens {
        let mut found = FileTokens::default();
        match sort {
            FileSort::Rules => found.add_rules(text, 0, TextSort::Rules),
            FileSort::Cards | FileSort::Manifest | FileSort::Names | FileSort::Scenarios => TomlWalk::walk_file(&mut found, sort, text),
        }
        found.tokens.sort_by_key(|place| (place.start, place.end));
        found
    }

    /// Returns the token at a byte, or the one that ends there.
    pub fn token_at(&self, byte: usize) -> Option<&SourceToken> {
        let last = self.tokens.partition_point(|place| place.start <= byte);
        self.tokens.get(..last)?.iter().rev().take(4).find(|place| place.start <= byte && byte <= place.end)
    }

    pub(super) fn push(&mut self, start: usize, end: usize, text: &str, symbol: SymbolAtCursor) {
        self.tokens.push(SourceToken { start, end, text: text.to_string(), whole: None, symbol });
    }

    /// Adds the tokens of a rules text that starts at `offset` in the file.
    pub(super) fn add_rules(&mut self, text: &str, offset: usize, sort: TextSort) {
        for word in words_of(text, offset, sort) {
            let exact = word.end - word.start == word.text.len();
            if !word.is_name {
                self.push(word.start, word.end, &word.text, SymbolAtCursor::Keyword(word.construct));
            } else if word.is_card || !exact || !word.text.contains('.') {
                let among = if word.is_card { CompletionContext::Cards } else { CompletionContext::All };
                self.push(word.start, word.end, &word.text, SymbolAtCursor::Name(among));
            } else {
                let mut at = word.start;
                for (index, part) in word.text.split('.').enumerate() {
                    let symbol = SymbolAtCursor::Name(if index == 0 { CompletionContext::All } else { CompletionContext::AfterDot });
                    let whole = Some(word.text.clone());
                    self.tokens.push(SourceToken { start: at, end: at + part.len(), text: part.to_string(), whole, symbol });
                    at += part.len() + 1;
                }
            }
        }
    }

    /// Adds the tokens of a script that starts at `offset` in the file.
    pub(super) fn add_script(&mut self, text: &str, offset: usize) {
        for (start, name) in names_of(text) {
            let behind = text.get(start + name.len()..).unwrap_or("").trim_start();
            let among = if behind.starts_with('(') { CompletionContext::Call } else { CompletionContext::Script };
            self.push(offset + start, offset + start + name.len(), name, SymbolAtCursor::Name(among));
        }
    }
}
