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
