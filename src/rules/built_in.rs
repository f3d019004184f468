//! Names that exist in every game without a declaration, with their meanings, for the language reference.

use crate::seat_number;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::reference::reference;
use NameContext::{Entry, Script, Statement, Value};
use pest::Parser;

/// The contexts in which built-in names can be used. This also decides how the example of a name is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameContext {
    /// A value in rules and on cards.
    Value,
    /// A statement of rules.
    Statement,
    /// A key of a card's entry, such as `if`.
    Entry,
    /// The script of a card.
    Script,
}

impl NameContext {
    /// Returns the heading of the section in the reference that lists names of this context.
    pub fn heading(self) -> &'static str {
        match self {
            Value | Statement => "rules: names that every game has",
            Entry => "cards: names in conditions of an entry",
            Script => "scripts: what they are made of",
        }
    }
}

/// One built-in name, as the reference shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The context in which the name can be used.
    pub place: NameContext,
    /// The syntax of the name in use, with parameters in capitals.
    pub pattern: &'static str,
    /// The meaning of the name, in one sentence.
    pub doc: &'static str,
    /// A complete example of its use, which a test compiles.
    pub example: &'static str,
}

const fn of(place: NameContext, pattern: &'static str, doc: &'static str, example: &'static str) -> BuiltIn {
    BuiltIn { place, pattern, doc, example }
}

/// All built-in names, grouped by where they can be used.
pub static BUILT_INS: [BuiltIn; 29] = [
    of(Value, "players", "how many play", "3 * players"),
    of(Value, "round", "the number of the round, from 1", "round > 1"),
    of(Value, "rounds_left", "how many rounds are still to come", "rounds_left > 1"),
    of(Value, "turn", "how many turns have begun in this round", "turn > 1"),
    of(Value, "place_in_order", "where the player stands in the order, from 1", "place_in_order == 1"),
    of(Value, "me", "the player who is spoken of", "me is first"),
    of(Value, "nobody", "no player", "left is not nobody"),
    of(Value, "score", "the points of the player; `score.ROW` those of one row", "score.walls > 1"),
    of(Value, "card", "the card that is spoken of", "sum card.height of my yard"),
    of(Value, "card.kind", "the kind of a card; any field or counter is written so", "seen[card.kind] > 0"),
    of(Value, "card.age", "the age of a card", "card.age > 1"),
    of(Value, "nowhere", "no space, for a counter that holds one", "any market where card.lair == nowhere"),
    of(Value, "max(NUMBER, NUMBER)", "the larger of two numbers", "max(wisp, moss)"),
    of(Value, "min(NUMBER, NUMBER)", "the smaller of two numbers", "min(wisp, moss)"),
    of(Statement, "it", "the picked token; `it.SYMBOL` is how much it shows", "player picks any die in hand { gain it.sun moss }"),
    of(Entry, "own", "the card that the entry stands on", "own.height > 0"),
    of(Entry, "card", "the card that the moment is about", "card is wall"),
    of(Entry, "me", "the player who has the card", "player is me"),
    of(Entry, "player", "the player whose moment it is", "player is not me"),
    of(Script, "me", "the player who has the card", "gain(me, wisp, 1)"),
    of(Script, "own", "the card that the script stands on", "add_card(own, bites, 1)"),
    of(Script, "card", "the card that the moment is about", "if is(card, wall) { gain(me, wisp, 1) }"),
    of(Script, "player", "the player whose moment it is", "gain(player, wisp, 1)"),
    of(Script, "answer", "the answer to `ask`: a word or a card", "gain(me, answer, 1)"),
    of(Script, "let NAME = …;", "a name for a value", "let n = moss(me); gain(me, wisp, n)"),
    of(Script, "if … { … } else { … }", "one or the other", "if moss(me) > 2 { gain(me, wisp, 1) } else { gain(me, moss, 1) }"),
    of(Script, "for NAME in … { … }", "once for each of a list, or of some numbers", "for n in 0..3 { gain(me, wisp, n) }"),
    of(Script, "while … { … }", "again and again as long as it is so", "while moss(me) > 1 { pay(me, moss, 1) }"),
    of(Script, "yes, no", "for a flag, or a value that is one or the other", "set(me, passed, yes)"),
];

/// Whether a word already has a meaning in every game, so that a card should not use it as its id: a keyword, a player such as `p2`, or a
/// built-in name.
pub fn is_reserved(word: &str) -> bool {
    let first = |known: &BuiltIn| known.pattern.split([' ', '(', '.', '[']).next() == Some(word);
    let of_grammar = || reference().with_examples().any(|construct| construct.keywords.contains(word));
    why_not_an_id(word).is_some() || BUILT_INS.iter().any(first) || of_grammar()
}

/// Answers that every question can offer, and the values of flags.
const ANSWERS: [&str; 4] = ["nothing", "done", "yes", "no"];

/// Returns what a word is if it cannot be the id of a card, for the message: it could not be parsed as a name, or would be confused with
/// an answer. `None` if it can be an id. Words for which only [`is_reserved`] is true are allowed but discouraged.
pub fn why_not_an_id(word: &str) -> Option<&'static str> {
    if seat_number(word).is_some() {
        return Some("the name of a player");
    }
    if ANSWERS.contains(&word) {
        return Some("an answer or value of every game");
    }
    let joins = !Grammar::parse(Rule::name, word).is_ok_and(|name| name.as_str().len() == word.len());
    let built_in = BUILT_INS.iter().any(|known| known.pattern == word && matches!(known.place, Value | Entry));
    (joins || built_in).then_some("a word of the language")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_answers_or_join_others_are_no_ids() {
        for word in ["nothing", "done", "yes", "no", "and", "or", "is", "p1", "me", "card", "round"] {
            assert!(why_not_an_id(word).is_some() && is_reserved(word), "{word}");
        }
        for word in ["wolf", "coin", "top", "order", "p_1", "and_then"] {
            assert_eq!(why_not_an_id(word), None, "{word}");
        }
    }

    #[test]
    fn each_is_told() {
        for name in crate::defs::BUILT_IN {
            assert!(BUILT_INS.iter().any(|told| told.pattern == name), "{name}");
        }
    }
}
