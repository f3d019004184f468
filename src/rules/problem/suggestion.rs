//! What messages suggest in place of a name that is not known.

use crate::diagnostic::{Diagnostic, nearest};

/// The suggestion that a message makes in place of an unknown name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Suggestion {
    /// A similar name that exists.
    Near(String),
    /// One of a few allowed words, after an introduction.
    OneOf(&'static str, String),
    /// The name exists but is something else, which is described; the allowed words follow if they are few.
    Elsewhere(&'static str, Option<String>),
    /// The name is that of a card.
    Card,
    /// No suggestion, because there are too many allowed words to list.
    Words,
    /// No suggestion, because no known name is similar.
    Unknown,
}

impl Suggestion {
    /// Suggests the most similar of the known names, or else lists the words in `listed`.
    pub fn for_unknown<'n>(word: &str, known: impl IntoIterator<Item = &'n str>, what: &'static str, listed: &[&str]) -> Suggestion {
        match nearest(word, known) {
            Some(near) => Suggestion::Near(near.to_string()),
            None if listed.is_empty() => Suggestion::Unknown,
            None => Suggestion::OneOf(what, listed.join(", ")),
        }
    }

    /// Says what the unknown name is, as far as that is known.
    pub fn label(&self) -> String {
        match self {
            Suggestion::Elsewhere(what, _) => format!("this is {what}"),
            Suggestion::Card => "this is a card".to_string(),
            Suggestion::Near(_) | Suggestion::OneOf(..) | Suggestion::Words | Suggestion::Unknown => "unknown here".to_string(),
        }
    }

    /// Adds the suggestion to a diagnostic.
    pub fn explain(&self, diagnostic: Diagnostic, name: &str) -> Diagnostic {
        match self {
            Suggestion::Near(near) => diagnostic.unknown(name, Some(near)),
            Suggestion::OneOf(what, words) => diagnostic.help(format!("{what}: {words}")),
            Suggestion::Elsewhere(_, words) => diagnostic.helps(words.iter().map(|words| format!("{ALLOWED}: {words}"))),
            Suggestion::Card => diagnostic
                .help("rules name a single card only to put it somewhere: ask for a field of its kind, or let the card itself act"),
            Suggestion::Words => diagnostic.help("`houserule words` lists all names"),
            Suggestion::Unknown => diagnostic,
        }
    }
}

/// Introduces a list of allowed names.
pub(crate) const ALLOWED: &str = "allowed here";
