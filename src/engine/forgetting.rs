//! Seats lose track of cards that move unseen.
//!
//! Who knows one of three cards in a hidden hand, and is not told which of them was laid face down somewhere else, knows afterwards neither
//! that it lies there nor that it stayed. What could be concluded (that it is one of the two) is not kept: the seat forgets which of these
//! cards it knew. Where only one card lay in the place, there is nothing to mix up.

use super::decision::{Opt, Stop};
use super::hidden::seats_that;
use super::slots;
use super::store::Store;
use crate::cast;
use houserule_state::layout::piece;

/// Returns the seats that are told which card is moved to a place, as a bit set: those that see into its old or new place, and who has
/// chosen it. Of the top card of a deck or heap and of its bottom card, if nobody chose it, all know that it is this one.
pub(crate) fn told_which(store: &Store<'_>, card: usize, to: usize) -> i32 {
    let rules = store.rules;
    let (from, slot) = store.position().place_of(card);
    let seen = seats_that(rules, |seat| rules.sees_into(from, seat) || rules.sees_into(to, seat));
    if let Some(seat) = chosen_by(store, card) {
        return seen | 1 << seat;
    }
    let is_at_an_end = || slot == 0 || slot + 1 == store.position().pieces_in(from);
    if rules.is_pile(from) && is_at_an_end() { rules.everybody() } else { seen }
}

/// Returns the seat whose last answer names a card.
pub(crate) fn chosen_by(store: &Store<'_>, card: usize) -> Option<u8> {
    let names = |answer: Opt| answer.act.cards(store.rules).into_iter().any(|named| usize::try_from(named) == Ok(card));
    store.live.running.answered.filter(|&(_, answer)| names(answer)).map(|(seat, _)| seat)
}

/// A card that has left a hidden place, of which some seats were not told which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnseenMove {
    card: u16,
    from: u16,
    to: u16,
    /// The seats that were not told, as a bit set.
    unaware: i32,
}

/// Notes, before a card is moved to a place, who is not told which card it is. What they forget is worked out when all that moves has moved
/// (`forget_moved`).
pub fn before_move(store: &mut Store<'_>, card: usize, to: usize) {
    let from = store.position().place_of(card).0;
    if !store.rules.hides(from) || from == to {
        return;
    }
    let unaware = store.rules.everybody() & !told_which(store, card, to);
    if unaware != 0 {
        let [card, from, to] = [card, from, to].map(cast::fit::<u16>);
        store.live.unseen_moves.push(UnseenMove { card, from, to, unaware });
    }
}

/// Before anybody looks: seats forget which cards they knew of those that lay where one of them was moved unseen. If all of them went to one
/// place, nothing could be mistaken.
#[inline]
pub(crate) fn forget_moved(store: &mut Store<'_>) -> Result<(), Stop> {
    if store.live.unseen_moves.is_empty() { Ok(()) } else { forget_all_moved(store) }
}

#[cold]
fn forget_all_moved(store: &mut Store<'_>) -> Result<(), Stop> {
    while let Some(UnseenMove { from, to, .. }) = store.live.unseen_moves.first().copied() {
        let of_place = |moved: &UnseenMove| moved.from == from;
        let together = store.live.unseen_moves.iter().filter(|moved| of_place(moved)).all(|moved| moved.to == to);
        let place = usize::from(from);
        let unaware = store.live.unseen_moves.iter().filter(|moved| of_place(moved)).fold(0, |seats, moved| seats | moved.unaware);
        if !together || store.position().pieces_in(place) > 0 {
            let rest = store.position().all_in(place).into_iter().map(|card| (card, unaware));
            let moved = store.live.unseen_moves.iter().filter(|moved| of_place(moved));
            let cards: Vec<(usize, i32)> = rest.chain(moved.map(|moved| (usize::from(moved.card), moved.unaware))).collect();
            cards.into_iter().try_for_each(|(card, seats)| forget_card(store, card, seats))?;
        }
        store.live.unseen_moves.retain(|moved| !of_place(moved));
    }
    Ok(())
}

/// Before a card moves: what was noted of its place holds at once if this card moves by other means than those before.
///
/// # Errors
/// See [`forget_moved`].
pub(crate) fn forget_before(store: &mut Store<'_>, card: usize) -> Result<(), Stop> {
    let from = store.position().place_of(card).0;
    let is_noted = |moved: &UnseenMove| usize::from(moved.card) == card && usize::from(moved.from) == from;
    match store.live.unseen_moves.iter().any(|moved| usize::from(moved.from) == from) {
        true if !store.live.unseen_moves.last().is_some_and(is_noted) => forget_moved(store),
        _ => Ok(()),
    }
}

/// Lets seats, a bit set, forget which card this is, but for those that see it where it lies now.
fn forget_card(store: &mut Store<'_>, card: usize, seats: i32) -> Result<(), Stop> {
    let rules = store.rules;
    let (known, place) = (rules.layout.piece(card, piece::KNOWN), store.position().place_of(card).0);
    let seen = store.state.cells()[known];
    let unaware = seats_that(rules, |seat| !rules.sees_into(place, seat)) & seats;
    slots::forget_clues(store, card, unaware)?;
    let lost = unaware & seen;
    if lost == 0 { Ok(()) } else { store.put(known, (seen & !lost).into()) }
}

/// Lets seats, a bit set, forget which cards they knew in a hidden place, unless it holds only one.
pub(crate) fn forget(store: &mut Store<'_>, place: usize, seats: i32) -> Result<(), Stop> {
    if seats == 0 || !store.rules.hides(place) || store.position().pieces_in(place) < 2 {
        return Ok(());
    }
    store.position().all_in(place).into_iter().try_for_each(|card| forget_card(store, card, seats))
}
