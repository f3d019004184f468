//! Statistics of the printed values of a kind's cards: which keys occur, and in which range.

use std::collections::BTreeMap;

use crate::pack::{RawCard, TomlValue};

use super::print::format_value;

/// Statistics of the values that cards have for one key.
pub(super) struct KeyStats {
    /// Number of cards that have the key.
    pub cards: usize,
    /// Smallest and largest value, if all values are numbers.
    range: Option<(i64, i64)>,
    /// Value on the first card that has the key.
    pub example: String,
}

impl KeyStats {
    fn add_value(&mut self, found: &TomlValue) {
        self.cards += 1;
        self.range = match (self.range, found) {
            (Some((least, most)), TomlValue::Integer(number)) => Some((least.min(*number), most.max(*number))),
            _ => None,
        };
    }

    fn from_value(found: &TomlValue) -> KeyStats {
        let range = match found {
            TomlValue::Integer(number) => Some((*number, *number)),
            TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
        };
        KeyStats { cards: 1, range, example: format_value(found) }
    }

    /// Writes a comment that states the number of cards with the key and the range of values.
    pub fn comment(&self, all: usize) -> String {
        let cards = if self.cards == all { "all".to_string() } else { format!("{} of {all}", self.cards) };
        match self.range {
            Some((least, most)) if least < most => format!("{cards} have it: {least} to {most}"),
            Some((same, _)) => format!("{cards} have it: {same}"),
            None => format!("{cards} have it"),
        }
    }
}

/// Computes the statistics of all keys of these cards, by key.
pub(super) fn compute_key_stats(cards: &[&RawCard]) -> BTreeMap<String, KeyStats> {
    let mut found: BTreeMap<String, KeyStats> = BTreeMap::new();
    for (key, one) in cards.iter().flat_map(|card| &card.fields) {
        match found.get_mut(&key.text) {
            Some(figure) => figure.add_value(&one.value),
            None => {
                found.insert(key.text.clone(), KeyStats::from_value(&one.value));
            }
        }
    }
    found
}
