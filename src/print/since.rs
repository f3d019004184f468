//! What differs on the cards of two versions of a game, so that only these are printed anew.

use serde::{Deserialize, Serialize};

use super::content::CardContent;

/// How a card differs from an older version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The older version has no such card.
    New,
    /// Something else is printed on it.
    Changed,
    /// There are more of it, but the card is the same.
    More,
    /// There are fewer of it, but the card is the same.
    Fewer,
    /// The newer version has no such card.
    Gone,
}

/// Lists what differs, in the order of the newer version; what is gone comes last. Cards are the same if they have the same id.
pub fn changes_since(older: &[CardContent], newer: &[CardContent]) -> Vec<(String, Change)> {
    let find = |all: &'_ [CardContent], id: &str| all.iter().find(|card| card.id == id).cloned();
    let change = |card: &CardContent| {
        let Some(before) = find(older, &card.id) else { return Some(Change::New) };
        if before == *card {
            return None;
        }
        let copies = before.copies;
        let as_many = CardContent { copies: card.copies, ..before };
        Some(match as_many == *card {
            false => Change::Changed,
            true if card.copies > copies => Change::More,
            true => Change::Fewer,
        })
    };
    let mut found: Vec<(String, Change)> = newer.iter().filter_map(|card| change(card).map(|change| (card.id.clone(), change))).collect();
    let gone = older.iter().filter(|card| find(newer, &card.id).is_none());
    found.extend(gone.map(|card| (card.id.clone(), Change::Gone)));
    found
}

/// What `houserule print --json` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedContents {
    /// Name of the game.
    pub game: String,
    /// Language of the names, such as `en`.
    pub language: String,
    /// What is on its cards.
    pub cards: Vec<CardContent>,
}

/// Reads what `houserule print --json` has written.
///
/// # Errors
/// What is wrong with the text, with its line.
pub fn contents_of_json(text: &str) -> Result<SavedContents, String> {
    serde_json::from_str(text).map_err(|fault| fault.to_string())
}
