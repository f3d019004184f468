//! Resets variables at the end of their lifetime.

use super::decision::Stop;
use super::ruleset::Lifetime;
use super::secrecy;
use super::store::Store;
use super::write_effect::{OWNER_COUNT, lasting_number};
use crate::cast;
use houserule_state::layout::{PIECE, TABLE};

/// The bits of all owners, for one lifetime.
const LASTING: u128 = (1 << OWNER_COUNT) - 1;

/// Resets all variables with this lifetime to 0, and removes the differences of quantities with it.
pub(crate) fn clear_lifetime(store: &mut Store<'_>, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = store.rules;
    let lasting = LASTING << (lifetime as u8 * OWNER_COUNT);
    let due = store.live.dirty.lasting & lasting;
    // What is hidden may be cleared although it was not written.
    if due == 0 && rules.secrets.is_empty() {
        return Ok(());
    }
    let written = |due: &u128, owner: u8| *due >> lasting_number(lifetime, owner) & 1 == 1;
    let [table, of_seat, of_piece] = &rules.variables_by_lifetime[lifetime as usize];
    for &(offset, len) in table.iter().filter(|_| written(&due, TABLE)) {
        clear_run(store, offset as usize, len)?;
    }
    for seat in (0..rules.players).filter(|&seat| written(&due, cast::seat(seat))) {
        for &(offset, len) in of_seat {
            clear_run(store, rules.layout.seat(seat, offset as usize), len)?;
        }
        for &offset in &rules.differences {
            let [ends, sum] = [lifetime as usize, Lifetime::ALL.len()].map(|index| rules.layout.seat(seat, offset as usize + index));
            if store.state.cells()[ends] != 0 {
                store.put(sum, store.state.cells()[sum] as i64 - store.state.cells()[ends] as i64)?;
                store.put(ends, 0)?;
            }
        }
    }
    for &(offset, len) in of_piece.iter().filter(|_| written(&due, PIECE)) {
        for index in 0..rules.layout.pieces {
            clear_run(store, rules.layout.piece(index, offset as usize), len)?;
        }
    }
    if !rules.secrets.is_empty() {
        table.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(store, offset.into()))?;
        for seat in 0..rules.players {
            of_seat.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(store, rules.layout.seat(seat, offset.into())))?;
        }
    }
    store.live.dirty.lasting &= !lasting;
    Ok(())
}

fn clear_run(store: &mut Store<'_>, first: usize, len: u16) -> Result<(), Stop> {
    (first..first + len as usize).try_for_each(|cell| store.put(cell, 0))
}
