//! Moves a piece from slot to slot: what a place holds, who knows the piece, which entries are in play. No consequence is run here, and no check.

use super::decision::Stop;
use super::hidden::seat_bit;
use super::ruleset::Shape;
use super::store::{ALL_SEATS, Store};
use super::{active, forgetting};
use crate::cast;
use houserule_state::layout::{OUT, TABLE, piece};

/// Returns a slot of a place, or the first free one if a consequence has put another card there. On a grid each slot is one of its own.
pub(crate) fn still_free(store: &Store<'_>, place: usize, slot: usize) -> usize {
    let target = &store.rules.layout.places[place];
    let is_one_of_many = target.room > 0 && store.rules.places[target.declared as usize].shape == Shape::Slots;
    match is_one_of_many && store.position().piece_at(place, slot).is_some() {
        true => store.position().free_slot(place, target.room.into()).unwrap_or(slot),
        false => slot,
    }
}

/// Moves a piece without the native consequence of leaving its place: for pieces that return to it.
///
/// # Errors
/// The slot is taken.
pub(crate) fn move_silently(store: &mut Store<'_>, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let layout = &rules.layout;
    if let Some(board) = rules.board_of_piece(card) {
        let space = rules.names.text(rules.definition(card).id);
        return Err(store.fault(format!("`{space}` is a space of `{}`, which stays where it is", board.name)));
    }
    if !store.live.unseen_moves.is_empty() {
        forgetting::forget_before(store, card)?;
    }
    let own = layout.piece(card, 0);
    let from = cast::index(store.state.cells()[own + piece::PLACE]);
    let left = &layout.places[from];
    if left.room > 0 {
        let declared = &rules.places[left.declared as usize];
        if declared.shape == Shape::Deck {
            store.note_seen(card);
        }
        let base = left.base as usize;
        let position = cast::index(store.state.cells()[own + piece::POSITION]);
        let count = store.state.cells()[base] as i64;
        if declared.shape == Shape::Deck || declared.heap {
            for slot_index in position..cast::index(count) - 1 {
                let next = store.state.cells()[base + 2 + slot_index];
                store.put(base + 1 + slot_index, next as i64)?;
                store.put(layout.piece(cast::index(next) - 1, piece::POSITION), cast::count(slot_index))?;
            }
            store.put(base + cast::index(count), 0)?;
        } else {
            store.put(base + 1 + position, 0)?;
        }
        store.put(base, count - 1)?;
    }
    let target = &layout.places[to];
    let declared = (target.room > 0).then(|| &rules.places[usize::from(target.declared)]);
    let is_heap = declared.is_some_and(|declared| declared.heap);
    let slot = if is_heap { cast::index(store.state.cells()[target.base as usize]) } else { slot };
    if let Some(declared) = declared {
        let base = target.base as usize;
        if slot >= target.room as usize || store.state.cells()[base + 1 + slot] != 0 {
            return Err(store.fault(format!("there is no free slot {} in `{}`", slot + 1, declared.name)));
        }
        store.put(base + 1 + slot, cast::count(card) + 1)?;
        store.add(base, 1)?;
    }
    store.put(own + piece::PLACE, cast::count(to))?;
    store.put(own + piece::POSITION, cast::count(slot))?;
    if target.owner != TABLE && declared.is_some_and(|declared| declared.limit.is_some()) {
        store.live.dirty.room |= if rules.limits_vary { ALL_SEATS } else { seat_bit(target.owner) };
        store.live.dirty.checks = true;
    }
    let known = own + piece::KNOWN;
    let seen = if to == OUT { rules.everybody() } else { rules.seats_that_see_into(to) };
    if seen != 0 {
        store.put(known, (store.state.cells()[known] | seen) as i64)?;
    }
    if seen == rules.everybody() {
        tell_all(store, card)?;
    }
    update_active(store, card, from, to)
}

/// Puts a card that lies in a deck on top of it; nobody knows it then.
///
/// # Errors
/// Faults of what is written.
pub fn raise_to_top(store: &mut Store<'_>, card: usize) -> Result<(), Stop> {
    let deck = store.position().place_of(card).0;
    let last = store.position().pieces_in(deck).saturating_sub(1);
    move_silently(store, card, OUT, 0)?;
    move_silently(store, card, deck, last)?;
    hide_from_all(store, card)
}

/// Lets nobody know a card, nor a part of it, but for what its place shows.
///
/// # Errors
/// Faults of what is written.
pub fn hide_from_all(store: &mut Store<'_>, card: usize) -> Result<(), Stop> {
    store.put(store.rules.layout.piece(card, piece::KNOWN), 0)?;
    forget_clues(store, card, store.rules.everybody())
}

/// Notes that all seats have seen a card together: each knows that the others know it.
pub(crate) fn tell_all(store: &mut Store<'_>, card: usize) -> Result<(), Stop> {
    let rules = store.rules;
    for clue in &rules.clues {
        let common = clue.all_but(rules.piece_definition[card] as usize);
        store.put(rules.common_clue_cell(clue, card), common.into())?;
        store.put(rules.layout.piece(card, clue.known_by_all(rules.players).into()), 1)?;
    }
    Ok(())
}

/// Lets seats, a bit set, forget what they have been told of parts of a card, and all what they have been told together.
pub(crate) fn forget_clues(store: &mut Store<'_>, card: usize, seats: i32) -> Result<(), Stop> {
    let rules = store.rules;
    if seats == 0 || rules.clues.is_empty() {
        return Ok(());
    }
    for clue in &rules.clues {
        let own = (0..rules.players).filter(|&seat| seats >> seat & 1 == 1).map(|seat| rules.clue_cell(clue, card, seat));
        let known_by_all = rules.layout.piece(card, clue.known_by_all(rules.players).into());
        for cell in own.chain([rules.common_clue_cell(clue, card), known_by_all]) {
            if store.state.cells()[cell] != 0 {
                store.put(cell, 0)?;
            }
        }
    }
    Ok(())
}

/// Puts the cards of a place, in which they lie upon each other, into an order of which the first is the lowest.
///
/// # Errors
/// Faults of what is written.
pub(crate) fn reorder(store: &mut Store<'_>, place: usize, order: &[usize]) -> Result<(), Stop> {
    let layout = &store.rules.layout;
    let base = layout.places[place].base as usize + 1;
    for (slot, &card) in order.iter().enumerate() {
        let position = layout.piece(card, piece::POSITION);
        if store.state.cells()[position] != cast::fit::<i32>(slot) {
            store.put(base + slot, cast::count(card) + 1)?;
            store.put(position, cast::count(slot))?;
            update_active(store, card, place, place)?;
        }
    }
    Ok(())
}

/// Brings the entries of a card in line that was in one place and is in another, or in another slot of the same.
pub(crate) fn update_active(store: &mut Store<'_>, card: usize, from: usize, to: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let definition = rules.definition(card);
    if !definition.has_entries() {
        return Ok(());
    }
    let hears = |instance: usize| active::is_in_play(rules, &rules.layout.places[instance]);
    if !hears(from) && !hears(to) {
        return Ok(());
    }
    if !hears(from) {
        for &offset in &rules.arrival_flags {
            store.put(rules.layout.piece(card, offset as usize), 1)?;
        }
    }
    store.live.values.active.note_moved(card);
    store.live.dirty.checks = true;
    if !definition.effective_changes().is_empty() {
        store.live.dirty.room = ALL_SEATS;
        store.invalidate_changes_of(card);
    }
    Ok(())
}

/// Resets the counters of a piece to their initial values, and those of its parts, if these are spaces.
///
/// # Errors
/// Faults of what is written.
pub fn clear_counters(store: &mut Store<'_>, card: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let boards = rules.boards.iter().filter_map(|board| Some((board, board.parts.as_ref()?)));
    for part in boards.flat_map(|(board, parts)| parts.parts_of(card).map(|space| usize::from(board.first_piece) + space)) {
        clear_counters(store, part)?;
    }
    for variable in &rules.piece {
        store.put(rules.layout.piece(card, variable.offset as usize), 0)?;
    }
    for &(offset, first) in &rules.definition(card).counters {
        store.put(rules.layout.piece(card, offset as usize), first as i64)?;
    }
    Ok(())
}
