//! What is printed on the cards of a kind: which keys they have, and between which numbers they lie.

use std::collections::BTreeMap;

use crate::pack::{RawCard, Value};

use super::print::value;

/// A key of the cards of a kind.
pub(super) struct Figure {
    /// How many cards have it.
    pub cards: usize,
    /// The least and the greatest, where all are numbers.
    range: Option<(i64, i64)>,
    /// What it is on the first that has it.
    pub example: String,
}

impl Figure {
    fn note(&mut self, found: &Value) {
        self.cards += 1;
        self.range = match (self.range, found) {
            (Some((least, most)), Value::Integer(number)) => Some((least.min(*number), most.max(*number))),
            _ => None,
        };
    }

    fn of(found: &Value) -> Figure {
        let range = match found {
            Value::Integer(number) => Some((*number, *number)),
            Value::Text(_) | Value::Boolean(_) | Value::List(_) | Value::Table(_) => None,
        };
        Figure { cards: 1, range, example: value(found) }
    }

    /// Of how many cards it is said, and between which numbers.
    pub fn comment(&self, all: usize) -> String {
        let cards = if self.cards == all { "all".to_string() } else { format!("{} of {all}", self.cards) };
        match self.range {
            Some((least, most)) if least < most => format!("{cards} have it: {least} to {most}"),
            Some((same, _)) => format!("{cards} have it: {same}"),
            None => format!("{cards} have it"),
        }
    }
}

/// The keys of these cards.
pub(super) fn figures(cards: &[&RawCard]) -> BTreeMap<String, Figure> {
    let mut found: BTreeMap<String, Figure> = BTreeMap::new();
    for (key, one) in cards.iter().flat_map(|card| &card.fields) {
        match found.get_mut(&key.text) {
            Some(figure) => figure.note(&one.value),
            None => {
                found.insert(key.text.clone(), Figure::of(&one.value));
            }
        }
    }
    found
}
