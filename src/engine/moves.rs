//! Moves single pieces between places and out of the game.

use super::checks;
use super::decision::Stop;
use super::eval::Env;
use super::forgetting;
use super::machine::Machine;
use super::ruleset::Shape;
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, piece};

/// Moves a piece into a free slot of a place, or out of the game. The native consequence of leaving is run, unless the piece only changes
/// its slot.
///
/// # Errors
/// The slot is taken, or a fault of the consequence.
pub fn move_piece(machine: &mut Machine<'_>, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let from = cast::index(machine.state.cells()[rules.layout.piece(card, piece::PLACE)]);
    let left = &rules.layout.places[from];
    if from != to
        && left.room > 0
        && let Some(pc) = rules.places[left.declared as usize].on_leave
    {
        let me = if left.owner == TABLE { 0 } else { left.owner as usize };
        (machine.consequence)(machine, pc, Env::with_locals(me, &[cast::fit::<i32>(card), cast::fit::<i32>(card)]))?;
        let slot = still_free(machine, to, slot);
        return move_silently(machine, card, to, slot);
    }
    move_silently(machine, card, to, slot)
}

/// Returns a slot of a place, or the first free one if a consequence has put another card there. On a grid each slot is one of its own.
pub(crate) fn still_free(machine: &Machine<'_>, place: usize, slot: usize) -> usize {
    let target = &machine.rules.layout.places[place];
    let is_one_of_many = target.room > 0 && machine.rules.places[target.declared as usize].shape == Shape::Slots;
    match is_one_of_many && machine.position().piece_at(place, slot).is_some() {
        true => machine.position().free_slot(place, target.room.into()).unwrap_or(slot),
        false => slot,
    }
}

/// Moves a piece without the native consequence of leaving its place: for pieces that return to it.
///
/// # Errors
/// The slot is taken.
pub(crate) fn move_silently(machine: &mut Machine<'_>, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let layout = &rules.layout;
    if let Some(board) = rules.board_of_piece(card) {
        let space = rules.names.text(rules.definition(card).id);
        return Err(machine.fault(format!("`{space}` is a space of `{}`, which stays where it is", board.name)));
    }
    if !machine.memory.unseen_moves.is_empty() {
        forgetting::forget_before(machine, card)?;
    }
    let from = cast::index(machine.state.cells()[layout.piece(card, piece::PLACE)]);
    let left = &layout.places[from];
    if left.room > 0 {
        let declared = &rules.places[left.declared as usize];
        let base = left.base as usize;
        let position = cast::index(machine.state.cells()[layout.piece(card, piece::POSITION)]);
        let count = machine.state.cells()[base] as i64;
        if declared.shape == Shape::Deck || declared.heap {
            for slot_index in position..cast::index(count) - 1 {
                let next = machine.state.cells()[base + 2 + slot_index];
                machine.put(base + 1 + slot_index, next as i64)?;
                machine.put(layout.piece(cast::index(next) - 1, piece::POSITION), cast::count(slot_index))?;
            }
            machine.put(base + cast::index(count), 0)?;
        } else {
            machine.put(base + 1 + position, 0)?;
        }
        machine.put(base, count - 1)?;
    }
    let target = &layout.places[to];
    let heap = target.room > 0 && rules.places[target.declared as usize].heap;
    let slot = if heap { cast::index(machine.state.cells()[target.base as usize]) } else { slot };
    if target.room > 0 {
        let base = target.base as usize;
        if slot >= target.room as usize || machine.state.cells()[base + 1 + slot] != 0 {
            let name = &rules.places[target.declared as usize].name;
            return Err(machine.fault(format!("there is no free slot {} in `{name}`", slot + 1)));
        }
        machine.put(base + 1 + slot, cast::count(card) + 1)?;
        machine.add(base, 1)?;
    }
    machine.put(layout.piece(card, piece::PLACE), cast::count(to))?;
    machine.put(layout.piece(card, piece::POSITION), cast::count(slot))?;
    if target.room > 0 && target.owner != TABLE && rules.places[target.declared as usize].limit.is_some() {
        machine.memory.dirty.room = true;
        machine.memory.dirty.checks = true;
    }
    let everybody = (1 << rules.players) - 1;
    let known = layout.piece(card, piece::KNOWN);
    let seen = match rules.places.get(target.declared as usize).filter(|_| target.room > 0) {
        None => {
            if to == OUT {
                everybody
            } else {
                0
            }
        }
        Some(declared) if declared.shape == Shape::Deck => 0,
        Some(declared) if !declared.hidden => everybody,
        Some(_) if target.owner == TABLE => 0,
        Some(_) => 1 << target.owner,
    };
    if seen != 0 {
        machine.put(known, (machine.state.cells()[known] | seen) as i64)?;
    }
    update_active(machine, card, from, to)
}

fn update_active(machine: &mut Machine<'_>, card: usize, from: usize, to: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let definition = rules.definition(card);
    if !definition.has_entries() {
        return Ok(());
    }
    let hears = |instance: usize| {
        let place = &rules.layout.places[instance];
        place.room > 0 && rules.places_in_play >> place.declared & 1 == 1
    };
    if !hears(from) && !hears(to) {
        return Ok(());
    }
    if !hears(from) {
        for &offset in &rules.arrival_flags {
            machine.put(rules.layout.piece(card, offset as usize), 1)?;
        }
    }
    machine.memory.values.active.stale = true;
    machine.memory.dirty.checks = true;
    if !definition.effective_changes().is_empty() {
        machine.memory.dirty.room = true;
        machine.invalidate_changes_of(card);
    }
    Ok(())
}

/// Removes a card from the game; nothing happens if it is out already.
///
/// # Errors
/// Faults of what happens when the card leaves its place.
pub fn remove(machine: &mut Machine<'_>, card: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    if cast::index(machine.state.cells()[rules.layout.piece(card, piece::PLACE)]) == OUT {
        return Ok(());
    }
    machine.log_line(|| format!("{} is removed", rules.names.text(rules.definition(card).id)));
    move_piece(machine, card, OUT, 0)?;
    clear_counters(machine, card)?;
    checks::after_change(machine)
}

/// Resets the counters of a piece to their initial values.
pub fn clear_counters(machine: &mut Machine<'_>, card: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    for variable in &rules.piece {
        machine.put(rules.layout.piece(card, variable.offset as usize), 0)?;
    }
    for &(offset, first) in &rules.definition(card).counters {
        machine.put(rules.layout.piece(card, offset as usize), first as i64)?;
    }
    Ok(())
}

/// Returns a piece to where it was at the start: to the bottom or top of its deck, or into the box. In a deck nobody knows it any more.
///
/// # Errors
/// Faults of what happens when the piece leaves its place.
pub fn send_home(machine: &mut Machine<'_>, card: usize, on_top: bool) -> Result<(), Stop> {
    let rules = machine.rules;
    let home = rules.piece_home[card] as usize;
    move_piece(machine, card, OUT, 0)?;
    clear_counters(machine, card)?;
    if home <= BOX {
        return move_piece(machine, card, home, 0);
    }
    let base = rules.layout.places[home].base as usize;
    let count = machine.position().pieces_in(home);
    if !on_top {
        for slot_index in (0..count).rev() {
            let moved = machine.state.cells()[base + 1 + slot_index];
            machine.put(base + 2 + slot_index, moved as i64)?;
            machine.put(rules.layout.piece(cast::index(moved) - 1, piece::POSITION), cast::count(slot_index) + 1)?;
        }
        machine.put(base + 1, 0)?;
    }
    move_piece(machine, card, home, if on_top { count } else { 0 })?;
    machine.put(rules.layout.piece(card, piece::KNOWN), 0)
}
