//! Moves single pieces between places and out of the game.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::{checks, exec, slots};
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, piece};

/// Moves a piece into a free slot of a place, or out of the game. The native consequence of leaving is run, unless the piece only changes
/// its slot.
///
/// # Errors
/// The slot is taken, or a fault of the consequence.
pub fn move_piece(machine: &mut Machine<'_>, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let from = cast::index(machine.store.state.cells()[rules.layout.piece(card, piece::PLACE)]);
    let left = &rules.layout.places[from];
    if from != to
        && left.room > 0
        && let Some(pc) = rules.places[left.declared as usize].on_leave
    {
        let me = if left.owner == TABLE { 0 } else { left.owner as usize };
        exec::run_consequence(machine, pc, Env::with_locals(me, &[cast::fit::<i32>(card), cast::fit::<i32>(card)]))?;
        let slot = slots::still_free(&machine.store, to, slot);
        return slots::move_silently(&mut machine.store, card, to, slot);
    }
    slots::move_silently(&mut machine.store, card, to, slot)
}

/// Removes a card from the game; nothing happens if it is out already.
///
/// # Errors
/// Faults of what happens when the card leaves its place.
pub fn remove(machine: &mut Machine<'_>, card: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    if cast::index(machine.store.state.cells()[rules.layout.piece(card, piece::PLACE)]) == OUT {
        return Ok(());
    }
    machine.store.log_line(|| format!("{} is removed", rules.names.text(rules.definition(card).id)));
    move_piece(machine, card, OUT, 0)?;
    slots::clear_counters(&mut machine.store, card)?;
    checks::after_change(machine)
}

/// Returns a piece to where it was at the start: to the bottom or top of its deck, or into the box. In a deck nobody knows it any more.
///
/// # Errors
/// Faults of what happens when the piece leaves its place.
pub fn send_home(machine: &mut Machine<'_>, card: usize, on_top: bool) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let home = rules.piece_home[card] as usize;
    move_piece(machine, card, OUT, 0)?;
    slots::clear_counters(&mut machine.store, card)?;
    if home <= BOX {
        return move_piece(machine, card, home, 0);
    }
    let base = rules.layout.places[home].base as usize;
    let count = machine.store.position().pieces_in(home);
    if !on_top {
        for slot_index in (0..count).rev() {
            let moved = machine.store.state.cells()[base + 1 + slot_index];
            machine.store.put(base + 2 + slot_index, moved as i64)?;
            machine.store.put(rules.layout.piece(cast::index(moved) - 1, piece::POSITION), cast::count(slot_index) + 1)?;
        }
        machine.store.put(base + 1, 0)?;
    }
    move_piece(machine, card, home, if on_top { count } else { 0 })?;
    slots::hide_from_all(&mut machine.store, card)
}
