//! Shows cards to seats: they know from now on which cards these are.

use super::decision::Stop;
use super::eval::Env;
use super::hidden::seats_that;
use super::op::Viewers;
use super::store::Store;
use super::{card_log, forgetting, seats};
use crate::cast;
use houserule_state::layout::piece;

/// Returns the seats to which a statement shows cards, as a bit set.
pub(crate) fn viewers(store: &mut Store<'_>, to: Viewers, env: &mut Env) -> i32 {
    let rules = store.rules;
    match to {
        Viewers::Players(whom) => seats_that(rules, |seat| seats::includes(rules, whom, env.me, seat)),
        Viewers::Seat(seat) => store.seat_of(seat, env).map_or(0, |seat| 1 << seat),
    }
}

/// Makes cards known to seats, a bit set. The log names the cards to those who know them now; the others read how many there are.
///
/// # Errors
/// A value beyond 32 bits is a fault.
pub(crate) fn show(store: &mut Store<'_>, cards: &[i32], seats: i32) -> Result<(), Stop> {
    let rules = store.rules;
    if cards.is_empty() || seats == 0 {
        return Ok(());
    }
    forgetting::forget_moved(store)?;
    let mut told = rules.everybody();
    for &card in cards {
        store.note_seen(cast::index(card));
        let known = rules.layout.piece(cast::index(card), piece::KNOWN);
        let seen = store.state.cells()[known] | seats;
        told &= seen;
        store.put(known, i64::from(seen))?;
    }
    if store.live.log.is_on() && !store.is_collecting_answers() {
        let to = card_log::names_of_seats(rules, seats);
        let names: Vec<&str> = cards.iter().map(|&card| rules.names.text(rules.definition(cast::index(card)).id)).collect();
        let (names, verb) = (names.join(", "), if cards.len() == 1 { "is" } else { "are" });
        let count = if cards.len() == 1 { card_log::UNSEEN.to_string() } else { format!("{} cards", cards.len()) };
        card_log::redact(store, told, || format!("{count} {verb} shown to {to}"));
        store.log_line(|| format!("{names} {verb} shown to {to}"));
    }
    Ok(())
}
