//! The index of what designers call things (`grammar/index.toml`): it leads to the forms of the language and to pages of the book.

use serde::Deserialize;
use std::sync::OnceLock;

use super::{WordEntry, split_words};

/// The heading under which entries of the index are shown.
const SORT: &str = "what designers call it";

/// What some words of designers mean here.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexEntry {
    /// The words, separated by commas.
    pub asked: String,
    /// How it is done in this language.
    pub says: String,
    /// The beginnings of the forms that are written for it.
    #[serde(default)]
    pub write: Vec<String>,
    /// Pages of the book, each with a heading on it: `recipes: … an auction`.
    pub read: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexFile {
    word: Vec<IndexEntry>,
}

/// Returns the index in the order of its file.
pub(super) fn index() -> &'static [IndexEntry] {
    static INDEX: OnceLock<Vec<IndexEntry>> = OnceLock::new();
    // A test reads the same text.
    INDEX.get_or_init(|| {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/index.toml"));
        toml::from_str::<IndexFile>(text).map(|file| file.word).unwrap_or_default()
    })
}

impl IndexEntry {
    /// Returns the words that lead here.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.asked.split(',').map(str::trim)
    }

    /// Whether one of its words is asked for, in the singular or plural, whatever signs join its parts.
    fn is_asked(&self, asked: &str) -> bool {
        let asked = asked.to_lowercase();
        self.words().any(|word| singular_words(word).eq(singular_words(&asked)))
    }

    /// Returns the places in the book: the file of the page, and the heading.
    pub(super) fn pages(&self) -> impl Iterator<Item = (String, &str)> {
        self.read.iter().filter_map(|place| place.split_once(": ")).map(|(page, heading)| (format!("docs/{page}.md"), heading))
    }

    fn as_word(&self) -> WordEntry {
        let pages: Vec<String> = self.pages().map(|(page, heading)| format!("{page}, \"{heading}\"")).collect();
        WordEntry::new(SORT, self.words().next().unwrap_or_default(), &self.asked, format!("{}; see {}", self.says, pages.join(", ")), "")
    }
}

fn singular_words(text: &str) -> impl Iterator<Item = &str> {
    split_words(text).map(|word| word.trim_end_matches('s'))
}

/// Returns the index's answers to a word.
pub(super) fn answers(asked: &str) -> impl Iterator<Item = (WordEntry, &'static IndexEntry)> {
    index().iter().filter(move |entry| entry.is_asked(asked)).map(|entry| (entry.as_word(), entry))
}

/// Returns the entries of the language whose form is, or else begins, as the index says; ` … ` is a gap.
pub(super) fn entries_beginning<'w>(all: &'w [WordEntry], beginning: &str) -> Vec<&'w WordEntry> {
    let of_language = || all.iter().filter(|entry| !entry.of_game);
    let same: Vec<&WordEntry> = of_language().filter(|entry| entry.pattern == beginning).collect();
    if same.is_empty() { of_language().filter(|entry| begins(&entry.pattern, beginning)).collect() } else { same }
}

fn begins(pattern: &str, beginning: &str) -> bool {
    let mut parts = beginning.split(" … ");
    let head = parts.next().unwrap_or_default();
    let rest = pattern.strip_prefix(head);
    parts.try_fold(rest, |rest, part| Some(rest?.split_once(part).map(|(_, behind)| behind))).flatten().is_some()
}
