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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_differently_is_told() {
        let card = |id: &str, text: &str, copies: u16| CardContent {
            id: id.to_string(),
            name: id.to_uppercase(),
            kind: "wisp".to_string(),
            kind_name: "wisp".to_string(),
            age: 0,
            set: None,
            copies,
            text: Some(text.to_string()),
            figures: Vec::new(),
        };
        let older = [
            card("wolf", "howls", 1),
            card("wall", "stands", 1),
            card("wisp", "glows", 2),
            card("moth", "flies", 1),
            card("reed", "sways", 2),
        ];
        let newer = [
            card("wall", "falls", 1),
            card("wolf", "howls", 1),
            card("wisp", "glows", 3),
            card("fox", "runs", 1),
            card("reed", "sways", 1),
        ];
        let told =
            [("wall", Change::Changed), ("wisp", Change::More), ("fox", Change::New), ("reed", Change::Fewer), ("moth", Change::Gone)];
        assert_eq!(changes_since(&older, &newer), told.map(|(id, change)| (id.to_string(), change)));
        let saved = SavedContents { game: "wisps".to_string(), language: "en".to_string(), cards: newer.to_vec() };
        assert_eq!(contents_of_json(&serde_json::to_string(&saved).unwrap()).unwrap(), saved);
        assert!(contents_of_json("{}").is_err());
    }
}
