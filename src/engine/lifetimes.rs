//! Resets variables at the end of their lifetime.

use super::decision::Stop;
use super::ruleset::Lifetime;
use super::secrecy;
use super::store::{Live, Store};

/// Resets all variables with this lifetime to 0, and removes the differences of quantities with it.
pub(crate) fn clear_lifetime(store: &mut Store<'_>, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = store.rules;
    let at = lifetime as usize;
    // What is hidden may be cleared although it was not written.
    if store.live.dirty.lasting[at].known() == Some(&[]) && rules.secrets.is_empty() {
        return Ok(());
    }
    // What is cleared is noted once more, in memory that is swapped each time.
    let Live { dirty, lists, .. } = &mut *store.live;
    let mut written = std::mem::replace(&mut dirty.lasting[at], std::mem::take(&mut lists.lasting));
    match written.known() {
        Some(cells) => cells.iter().try_for_each(|&cell| clear(store, cell as usize))?,
        None => (0..rules.layout.len)
            .filter(|&cell| rules.write_effects[cell].lifetime == Some(lifetime))
            .try_for_each(|cell| clear(store, cell))?,
    }
    if !rules.secrets.is_empty() {
        let [table, of_seat, _] = &rules.variables_by_lifetime[lifetime as usize];
        table.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(store, offset.into()))?;
        for seat in 0..rules.players {
            of_seat.iter().try_for_each(|&(offset, _)| secrecy::note_cleared(store, rules.layout.seat(seat, offset.into())))?;
        }
    }
    // What was written here is 0 again.
    written.clear();
    let Live { dirty, lists, .. } = &mut *store.live;
    lists.lasting = std::mem::replace(&mut dirty.lasting[at], written);
    lists.lasting.clear();
    Ok(())
}

/// Resets a cell; a difference is taken from the sum that it is part of.
fn clear(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    let (value, to_sum) = (store.state.cells()[cell], store.rules.write_effects[cell].to_sum);
    if to_sum > 0 {
        store.add(cell + usize::from(to_sum), -i64::from(value))?;
    }
    store.put(cell, 0)
}
