//! What stands where in a file: names, keys and words, each with what it can be. Rules are cut by the grammar, TOML by the tables of
//! keys, scripts by rhai.

use crate::pack::schema::{Key, Table};
use crate::script::names_of;
use crate::syntax::reference::Construct;
use crate::syntax::words::{TextSort, words_of};

use super::tables::Walk;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// `.rules`
    Rules,
    /// Cards.
    Cards,
    /// `pack.toml`
    Manifest,
    /// Names in another language.
    Names,
    /// Scenarios.
    Scenarios,
}

impl FileSort {
    /// What a file is, by its path inside its game's or pack's folder.
    pub fn of(inside: &str) -> FileSort {
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

/// What a name in a text is looked for among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Cards.
    Cards,
    /// Kinds.
    Kinds,
    /// Moments.
    Moments,
    /// Quantities that cards may change.
    Quantities,
    /// Actions.
    Actions,
    /// Named losses and draws.
    Losses,
    /// Fields and counters of cards.
    Fields,
    /// Options of set-up.
    Options,
    /// Everything, for rules text.
    All,
    /// Everything, for what stands behind a dot.
    Behind,
    /// Everything that is no card, for scripts.
    Script,
    /// What a script calls.
    Call,
}

/// What a place is.
#[derive(Clone, Copy, Debug)]
pub enum Is {
    /// A name.
    Name(Among),
    /// A name that is given here.
    New(Among),
    /// A key of a TOML file.
    Key(&'static Table, &'static Key),
    /// A word of the language, in a construct.
    Word(Option<&'static Construct>),
}

/// Something that can be asked about.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
    /// What stands there.
    pub text: String,
    /// The whole name of which it is a part; where both mean something, the whole is meant.
    pub whole: Option<String>,
    /// What it is.
    pub is: Is,
}

/// A stretch of a TOML file in which something is written.
#[derive(Clone, Copy, Debug)]
pub enum Zone {
    /// The keys of a table.
    Keys(&'static Table),
    /// The value of a key.
    Value(&'static Key),
    /// Rules language.
    Text(TextSort),
    /// A script.
    Script,
    /// A name.
    Name(Among),
}

/// What stands in a file.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// In order.
    pub all: Vec<Place>,
    /// Stretches of a TOML file, outer ones first.
    pub zones: Vec<(usize, usize, Zone)>,
    /// Texts with something escaped in them: what they hold does not stand where it seems to, and is not among the places.
    pub escaped: Vec<(usize, usize)>,
}

impl Places {
    /// What stands in a text.
    pub fn of(sort: FileSort, text: &str) -> Places {
        let mut found = Places::default();
        match sort {
            FileSort::Rules => found.rules(text, 0, TextSort::Rules),
            FileSort::Cards | FileSort::Manifest | FileSort::Names | FileSort::Scenarios => Walk::file(&mut found, sort, text),
        }
        found.all.sort_by_key(|place| (place.start, place.end));
        found
    }

    /// What stands at a byte, or right before it.
    pub fn at(&self, byte: usize) -> Option<&Place> {
        let last = self.all.partition_point(|place| place.start <= byte);
        self.all.get(..last)?.iter().rev().take(4).find(|place| place.start <= byte && byte <= place.end)
    }

    pub(super) fn push(&mut self, start: usize, end: usize, text: &str, is: Is) {
        self.all.push(Place { start, end, text: text.to_string(), whole: None, is });
    }

    /// Takes in rules language.
    pub(super) fn rules(&mut self, text: &str, offset: usize, sort: TextSort) {
        for word in words_of(text, offset, sort) {
            let exact = word.end - word.start == word.text.len();
            if !word.is_name {
                self.push(word.start, word.end, &word.text, Is::Word(word.construct));
            } else if word.is_card || !exact || !word.text.contains('.') {
                let among = if word.is_card { Among::Cards } else { Among::All };
                self.push(word.start, word.end, &word.text, Is::Name(among));
            } else {
                let mut at = word.start;
                for (index, part) in word.text.split('.').enumerate() {
                    let is = Is::Name(if index == 0 { Among::All } else { Among::Behind });
                    let whole = Some(word.text.clone());
                    self.all.push(Place { start: at, end: at + part.len(), text: part.to_string(), whole, is });
                    at += part.len() + 1;
                }
            }
        }
    }

    /// Takes in a script.
    pub(super) fn script(&mut self, text: &str, offset: usize) {
        for (start, name) in names_of(text) {
            let behind = text.get(start + name.len()..).unwrap_or("").trim_start();
            let among = if behind.starts_with('(') { Among::Call } else { Among::Script };
            self.push(offset + start, offset + start + name.len(), name, Is::Name(among));
        }
    }
}
