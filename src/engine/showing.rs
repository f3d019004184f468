//! Shows cards to seats, which know from now on which cards these are, or parts of them, of which they know from now on what the part is not.

use super::decision::Stop;
use super::eval::Env;
use super::hidden::seats_that;
use super::op::Viewers;
use super::ruleset::{Compare, Ruleset};
use super::store::Store;
use super::{card_log, forgetting, seats, slots};
use crate::cast;
use houserule_ruleset::clues::{Clue, NOT_PRINTED};
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
        if seats == rules.everybody() {
            slots::tell_all(store, cast::index(card))?;
        }
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

/// Makes the value of a field of a card known to seats, a bit set, or the outcome of its comparison with another value. The log tells them what it
/// is, and of a card only where it lies; the others read that there was something.
///
/// # Errors
/// A value beyond 32 bits is a fault.
pub(crate) fn show_part(
    store: &mut Store<'_>,
    (card, clue): (usize, u16),
    whether: Option<(Compare, i64)>,
    seats: i32,
) -> Result<(), Stop> {
    let rules = store.rules;
    if seats == 0 {
        return Ok(());
    }
    forgetting::forget_moved(store)?;
    let clue = &rules.clues[usize::from(clue)];
    let value = rules.printed(card, clue.field.into());
    let same = |(compare, other): (Compare, i64), at: i32| compare.holds(at.into(), other) == compare.holds(value.into(), other);
    let is_printed = clue.bits[rules.piece_definition[card] as usize] != NOT_PRINTED;
    let excluded = match is_printed {
        true => clue.bits_where(|at| whether.map_or(at != value, |whether| !same(whether, at))) | NOT_PRINTED,
        false => clue.bits_where(|_| true),
    };
    let cells = (0..rules.players).filter(|&seat| seats >> seat & 1 == 1).map(|seat| (Some(seat), rules.clue_cell(clue, card, seat)));
    let common = (seats == rules.everybody()).then(|| (None, rules.common_clue_cell(clue, card)));
    for (seat, cell) in cells.chain(common) {
        let known = store.state.cells()[cell];
        if known | excluded != known {
            store.note_part_seen(card, seat);
            store.put(cell, (known | excluded).into())?;
            if seat.is_none() && clue.is_settled(known | excluded) {
                store.put(rules.layout.piece(card, clue.known_by_all(rules.players).into()), 1)?;
            }
        }
    }
    if store.live.log.is_on() && !store.is_collecting_answers() {
        let to = card_log::names_of_seats(rules, seats);
        let (place, slot) = (store.position().place_name(card), store.position().place_of(card).1 + 1);
        let none = || format!("{} none", rules.names.text(clue.name));
        let told = if is_printed { part_in_words(rules, clue, value, whether) } else { none() };
        card_log::redact(store, seats, || format!("a part of {} is shown to {to}", card_log::UNSEEN));
        store.log_line(|| format!("{place}[{slot}] is shown to {to}: {told}"));
    }
    Ok(())
}

/// Says what a field of a card is, or how it compares with another value.
fn part_in_words(rules: &Ruleset, clue: &Clue, value: i32, whether: Option<(Compare, i64)>) -> String {
    let field = rules.names.text(clue.name);
    let (compare, other) = whether.unwrap_or((Compare::Equal, value.into()));
    let known = clue.values.iter().chain(&clue.unused).find(|(at, _)| i64::from(*at) == other);
    let other_in_words = known.map_or_else(|| other.to_string(), |(_, name)| rules.names.text(*name).to_string());
    match if compare.holds(value.into(), other) { compare } else { compare.inverse() } {
        Compare::Equal => format!("{field} {other_in_words}"),
        Compare::Unequal => format!("{field} not {other_in_words}"),
        order @ (Compare::Less | Compare::AtMost | Compare::More | Compare::AtLeast) => {
            format!("{field} {} {other_in_words}", order.signs())
        }
    }
}
