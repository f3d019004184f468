//! The words of a ruleset, interned.

use crate::cast;
use crate::state::chance::hash_text;
use std::collections::BTreeMap;

/// The index of a word in [`Names`].
pub type NameId = u32;

/// Words with their hashes, so that option keys can be compared without rendering them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    hashes: Vec<u64>,
    known: BTreeMap<String, NameId>,
}

impl Names {
    /// Interns a word.
    pub fn add(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.known.get(text) {
            return id;
        }
        let id = cast::fit::<NameId>(self.texts.len());
        self.texts.push(text.to_string());
        self.hashes.push(hash_text(text));
        self.known.insert(text.to_string(), id);
        id
    }

    /// Returns the index of a word; `None` if it was never interned.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.known.get(text).copied()
    }

    /// Returns the text of a word.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id as usize).map_or("?", String::as_str)
    }

    /// Returns the hash of a word.
    pub fn hash(&self, id: NameId) -> u64 {
        self.hashes.get(id as usize).copied().unwrap_or(0)
    }

    /// Lists all words with their indices.
    pub fn all(&self) -> impl Iterator<Item = (NameId, &str)> {
        self.texts.iter().enumerate().map(|(i, t)| (cast::fit::<NameId>(i), t.as_str()))
    }
}
