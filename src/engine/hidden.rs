//! What a seat knows of cards, and which answers are kept secret from the other seats.

pub use houserule_ruleset::hidden::*;

use super::decision::{Act, Question};
use super::ruleset::Ruleset;
use crate::cast;
use houserule_state::layout::TABLE;

/// Whether an answer writes hidden values or on hidden cards, or names a token of a hidden pool, so that it is not shown to other seats. Nor is
/// that nothing is chosen, or nothing more, where such an answer is offered.
pub(super) fn is_kept_secret(rules: &Ruleset, question: Question, act: Act) -> bool {
    let is_hidden = |pool: u8| rules.pools.get(usize::from(pool)).is_some_and(|pool| pool.hidden);
    match (act, question) {
        (Act::Choice(choice, _), _) => rules.hidden.secret.contains(&choice),
        (Act::Token(_, pool), _) => is_hidden(pool),
        (Act::Nothing | Act::Done, Question::Rules(asked)) => {
            let choices = &rules.questions[cast::index(asked)].choices;
            let mut of_tokens = rules.ops.picks.iter().filter(|pick| pick.question == asked);
            choices.iter().any(|choice| rules.hidden.secret.contains(choice))
                || of_tokens.any(|pick| pick.pools.iter().any(|&pool| is_hidden(pool)))
        }
        (Act::Nothing | Act::Done, Question::Turn(_) | Question::Card(_) | Question::Cover | Question::Payment) => false,
        (Act::Word(_) | Act::Card(_), _) => false,
    }
}

/// Returns the bit of an owner in a set of seats; none for the table.
pub(super) fn seat_bit(owner: u8) -> i32 {
    if owner == TABLE { 0 } else { 1 << owner }
}

/// Returns the seats for which something holds, as a bit set.
pub(super) fn seats_that(rules: &Ruleset, holds: impl Fn(usize) -> bool) -> i32 {
    (0..rules.players).filter(|&seat| holds(seat)).fold(0, |seats, seat| seats | 1 << seat)
}
