//! What people call cards and words: options and lines of the log go by ids, which are read here by their names.

use std::collections::BTreeMap;

use crate::engine::{Opt, Ruleset};
use crate::lang::GameText;
use crate::pack::Names;

/// Names in one language.
pub struct Words {
    names: Names,
    /// What each card is called, by its id.
    cards: BTreeMap<String, String>,
}

impl Words {
    /// The names of a game, in the language of `names`.
    pub fn new(text: &GameText, names: Names) -> Words {
        let called = |card: &crate::pack::RawCard| (card.id.text.clone(), names.card(card).to_string());
        let cards = text.content.cards.iter().map(called).collect();
        Words { names, cards }
    }

    /// Names of words and kinds.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What a card is called.
    pub fn card<'w>(&'w self, id: &'w str) -> &'w str {
        self.cards.get(id).map_or(id, String::as_str)
    }

    /// A word of the rules as people read it: by its name, or in words.
    pub fn word(&self, word: &str) -> String {
        self.names.known_word(word).unwrap_or_else(|| word.replace('_', " "))
    }

    /// An option in words: its key, with cards by their names.
    pub fn option(&self, rules: &Ruleset, option: &Opt) -> String {
        self.line(&option.text(rules))
    }

    /// A line in which ids of cards stand, with their names instead.
    pub fn line(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|letter: char| !is_of_id(letter)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            out.push_str(match self.cards.get(word) {
                Some(name) => name,
                None => word,
            });
            let between = behind.find(is_of_id).unwrap_or(behind.len());
            out.push_str(&behind[..between]);
            rest = &behind[between..];
        }
        out
    }

    /// The card whose id or name this is, however it is written.
    pub fn find(&self, text: &str) -> Option<&str> {
        let wanted = plain(text);
        let mut all = self.cards.iter();
        all.find(|(id, name)| plain(id) == wanted || plain(name) == wanted).map(|(id, _)| id.as_str())
    }

    /// Ids and names of all cards, for who misspelt one.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        self.cards.iter().flat_map(|(id, name)| [id.as_str(), name.as_str()])
    }
}

fn is_of_id(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '-'], "_").replace('\'', "")
}
