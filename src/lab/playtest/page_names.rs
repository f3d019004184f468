//! Names that reports show in place of ids.

use std::collections::BTreeMap;

use crate::pack::Translations;

/// Display names used in reports.
#[derive(Clone, Copy, Debug)]
pub struct PageNames<'a> {
    /// Translated names of kinds, words and the title.
    pub names: &'a Translations,
    /// Display names of cards by id.
    pub cards: &'a BTreeMap<&'a str, &'a str>,
}

impl<'a> PageNames<'a> {
    /// Returns the printed name of a card, or its id where there is none.
    pub fn card(&self, id: &'a str) -> &'a str {
        self.cards.get(id).copied().unwrap_or(id)
    }
}
