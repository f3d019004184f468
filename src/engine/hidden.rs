//! What a seat knows of cards, and which answers are kept secret from the other seats.

pub use houserule_ruleset::hidden::*;

use super::decision::Act;
use super::ruleset::Ruleset;
use houserule_state::layout::TABLE;

/// Whether an answer writes hidden values or on hidden cards, or names a token of a hidden pool, so that it is not shown to other seats.
pub(super) fn is_kept_secret(rules: &Ruleset, act: Act) -> bool {
    match act {
        Act::Choice(choice, _) => rules.hidden.secret.contains(&choice),
        Act::Token(_, pool) => rules.pools.get(usize::from(pool)).is_some_and(|pool| pool.hidden),
        Act::Word(_) | Act::Card(_) | Act::Nothing | Act::Done => false,
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
