//! Resets variables at the end of their lifetime.

use super::decision::Stop;
use super::machine::Machine;
use super::ruleset::Lifetime;
use super::secrecy;
use super::write_effect::{OWNER_COUNT, lasting_number};
use crate::cast;
use houserule_state::layout::{PIECE, TABLE};

/// The bits of all owners, for one lifetime.
const LASTING: u128 = (1 << OWNER_COUNT) - 1;

/// Resets all variables with this lifetime to 0, and removes the differences of quantities with it.
pub(crate) fn clear_lifetime(machine: &mut Machine<'_>, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = machine.rules;
    let lasting = LASTING << (lifetime as u8 * OWNER_COUNT);
    let due = machine.memory.dirty.lasting & lasting;
    // What is hidden may be cleared although it was not written.
    if due == 0 && rules.secrets.is_empty() {
        return Ok(());
    }
    let written = |due: &u128, owner: u8| *due >> lasting_number(lifetime, owner) & 1 == 1;
    let [table, of_seat, of_piece] = &rules.variables_by_lifetime[lifetime as usize];
    for &(offset, len) in table.iter().filter(|_| written(&due, TABLE)) {
        clear_run(machine, offset as usize, len)?;
    }
    for seat in (0..rules.players).filter(|&seat| written(&due, cast::seat(seat))) {
        for &(offset, len) in of_seat {
            clear_run(machine, rules.layout.seat(seat, offset as usize), len)?;
        }
        for &offset in &rules.differences {
            let [ends, sum] = [lifetime as usize, Lifetime::ALL.len()].map(|index| rules.layout.seat(seat, offset as usize + index));
            if machine.state.cells()[ends] != 0 {
                machine.put(sum, machine.state.cells()[sum] as i64 - machine.state.cells()[ends] as i64)?;
                machine.put(ends, 0)?;
            }
        }
    }
    for &(offset, len) in of_piece.iter().filter(|_| written(&due, PIECE)) {
        for index in 0..rules.layout.pieces {
            clear_run(machine, rules.layout.piece(index, offset as usize), len)?;
        }
    }
    if !rules.secrets.is_empty() {
        table.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(machine, offset.into()))?;
        for seat in 0..rules.players {
            of_seat.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(machine, rules.layout.seat(seat, offset.into())))?;
        }
    }
    machine.memory.dirty.lasting &= !lasting;
    Ok(())
}

fn clear_run(machine: &mut Machine<'_>, first: usize, len: u16) -> Result<(), Stop> {
    (first..first + len as usize).try_for_each(|cell| machine.put(cell, 0))
}
