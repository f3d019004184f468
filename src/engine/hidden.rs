//! What a seat knows of cards, and which answers are kept secret from the other seats.

pub use houserule_ruleset::hidden::*;

use super::decision::{Act, Question};
use super::ruleset::{Offer, Ruleset};

/// Whether an answer to a question writes on hidden cards, so that it is not shown to other seats.
pub(super) fn is_kept_secret(rules: &Ruleset, question: Question, act: Act) -> bool {
    let Question::Rules(asked) = question else { return false };
    let choices = &rules.questions[asked as usize].choices;
    rules.hidden.secret.iter().filter(|(of, _)| *of == asked).any(|&(_, choice)| match (&choices[choice].offer, act) {
        (Offer::Word { name, .. }, Act::Word(word) | Act::Bare(word)) => *name == word,
        (Offer::Words { words, .. }, Act::Word(word)) => words.iter().any(|(name, _)| *name == word),
        (Offer::Numbers { .. }, Act::Number(_)) => true,
        _ => false,
    })
}
