//! Names that every game has without declaring them, and what scripts are made of: what each means, for the reference.

use crate::seat_number;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::reference::reference;
use pest::Parser;

/// Where a name means something, and where its example stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A value in rules and on cards.
    Value,
    /// A statement of rules.
    Statement,
    /// `if` and the like of a card's entry.
    Entry,
    /// A script.
    Script,
}

impl Place {
    /// The heading that it stands under.
    pub fn heading(self) -> &'static str {
        match self {
            Place::Value | Place::Statement => "rules: names that every game has",
            Place::Entry => "cards: names in conditions of an entry",
            Place::Script => "scripts: what they are made of",
        }
    }
}

/// A name of every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Where it means something.
    pub place: Place,
    /// How it is written.
    pub pattern: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// An example.
    pub example: &'static str,
}

const fn named(place: Place, pattern: &'static str, doc: &'static str, example: &'static str) -> BuiltIn {
    BuiltIn { place, pattern, doc, example }
}

/// All of them.
pub static BUILT_INS: [BuiltIn; 26] = [
    named(Place::Value, "players", "how many play", "3 * players"),
    named(Place::Value, "round", "the number of the round, from 1", "round > 1"),
    named(Place::Value, "rounds_left", "how many rounds are still to come", "rounds_left > 1"),
    named(Place::Value, "turn", "how many turns have begun in this round", "turn > 1"),
    named(Place::Value, "place_in_order", "where the player stands in the order, from 1", "place_in_order == 1"),
    named(Place::Value, "score", "the points of the player; `score.ROW` those of one row", "score.walls > 1"),
    named(Place::Value, "card", "the card that is spoken of", "sum card.height of my yard"),
    named(Place::Value, "card.kind", "the kind of a card; any field or counter is written so", "seen[card.kind] > 0"),
    named(Place::Value, "card.age", "the age of a card", "card.age > 1"),
    named(Place::Value, "max(NUMBER, NUMBER)", "the larger of two numbers", "max(wisp, moss)"),
    named(Place::Value, "min(NUMBER, NUMBER)", "the smaller of two numbers", "min(wisp, moss)"),
    named(
        Place::Statement,
        "it",
        "the picked token; `it.SYMBOL` is how much it shows",
        "player picks any die in hand { gain it.sun moss }",
    ),
    named(Place::Entry, "own", "the card that the entry stands on", "own.height > 0"),
    named(Place::Entry, "card", "the card that the moment is about", "card is wall"),
    named(Place::Entry, "me", "the player who has the card", "player is me"),
    named(Place::Entry, "player", "the player whose moment it is", "player is not me"),
    named(Place::Script, "me", "the player who has the card", "gain(me, wisp, 1)"),
    named(Place::Script, "own", "the card that the script stands on", "add_card(own, bites, 1)"),
    named(Place::Script, "card", "the card that the moment is about", "if is(card, wall) { gain(me, wisp, 1) }"),
    named(Place::Script, "player", "the player whose moment it is", "gain(player, wisp, 1)"),
    named(Place::Script, "answer", "the answer to `ask`: a word or a card", "gain(me, answer, 1)"),
    named(Place::Script, "let NAME = …;", "a name for a value", "let n = moss(me); gain(me, wisp, n)"),
    named(Place::Script, "if … { … } else { … }", "one or the other", "if moss(me) > 2 { gain(me, wisp, 1) } else { gain(me, moss, 1) }"),
    named(Place::Script, "for NAME in … { … }", "once for each of a list, or of some numbers", "for n in 0..3 { gain(me, wisp, n) }"),
    named(Place::Script, "while … { … }", "again and again as long as it is so", "while moss(me) > 1 { pay(me, moss, 1) }"),
    named(Place::Script, "yes, no", "for a flag, or a value that is one or the other", "set(me, passed, yes)"),
];

/// Whether a word means something by itself in rules or scenarios, so that no card should be called so: a word of the grammar, a player, or what
/// is built in.
pub fn is_reserved(word: &str) -> bool {
    let first = |known: &BuiltIn| known.pattern.split([' ', '(', '.', '[']).next() == Some(word);
    let of_grammar = || reference().written().any(|construct| construct.words.contains(word));
    cannot_be_an_id(word).is_some() || BUILT_INS.iter().any(first) || of_grammar()
}

/// Answers that every question can have, whatever the rules say, and the values of flags.
const ANSWERS: [&str; 4] = ["nothing", "done", "yes", "no"];

/// Why a word cannot be the id of a card at all: rules and scenarios could not name the card, or its answer would be another one.
/// [`is_reserved`] is said of more words: those are only better left alone.
pub fn cannot_be_an_id(word: &str) -> Option<&'static str> {
    if seat_number(word).is_some() {
        return Some("the name of a player");
    }
    if ANSWERS.contains(&word) {
        return Some("an answer or value of every game");
    }
    let joins = !Grammar::parse(Rule::name, word).is_ok_and(|name| name.as_str().len() == word.len());
    let built_in = BUILT_INS.iter().any(|known| known.pattern == word && matches!(known.place, Place::Value | Place::Entry));
    (joins || built_in).then_some("a word of the language")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_answers_or_join_others_are_no_ids() {
        for word in ["nothing", "done", "yes", "no", "and", "or", "is", "p1", "me", "card", "round"] {
            assert!(cannot_be_an_id(word).is_some() && is_reserved(word), "{word}");
        }
        for word in ["wolf", "coin", "top", "order", "p_1", "and_then"] {
            assert_eq!(cannot_be_an_id(word), None, "{word}");
        }
    }
    use crate::defs::BUILT_IN;

    #[test]
    fn each_is_told() {
        for name in BUILT_IN {
            assert!(BUILT_INS.iter().any(|told| told.pattern == name), "{name}");
        }
    }
}
