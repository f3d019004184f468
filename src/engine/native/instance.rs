//! The memory of one thread: several states side by side, each kept equal to the state of a game.

use super::host;
use super::mirror::{Copied, Mirror};
use super::sandbox::Sandbox;
use super::{Native, SLOTS};
use crate::cast;
use crate::decision::Args;
use crate::env::ReadView;
use crate::evaluator::Values;
use crate::ruleset::{Ruleset, Who};
use crate::state::State;
use houserule_codegen::{DATA_AT, MemoryLayout, OPTION_SIZE, OPTIONS_AT, RECORD_SIZE, SET_OUT_AT, concerned};
use houserule_ruleset::boards::{Board, SpaceSet};
use houserule_ruleset::dependencies::Readers;
use houserule_state::layout::{PIECE, TABLE, piece};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Numbers for copies that no other copy has had, in any thread.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What a slot holds.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    id: u64,
    version: u64,
    /// Whether it is the view of a seat that acts in a simultaneous block.
    is_view: bool,
    /// Of a view: the slot with the cells before the block, and what that holds.
    before: (usize, u64),
    /// When it was used last.
    used: u64,
}

/// An instance of the module, for one thread.
pub(super) struct Instance {
    sandbox: Sandbox,
    slots: [Slot; SLOTS as usize],
    clock: u64,
}

impl Instance {
    /// Creates an instance.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn new(native: &Native) -> Result<Instance, String> {
        let mut sandbox = Sandbox::new(&native.code.module, &native.boards)?;
        let constants = sandbox.data_mut().get_mut(DATA_AT as usize..).and_then(|data| data.get_mut(..native.data.len()));
        constants.ok_or("constants are larger than the memory")?.copy_from_slice(&native.data);
        Ok(Instance { sandbox, slots: Default::default(), clock: 0 })
    }

    /// Calls a function; `None` if it traps.
    pub fn call(&mut self, slot: u32, seat: usize, function: u32) -> Option<i64> {
        self.sandbox.run(cast::fit::<i32>(slot), i32::from(cast::seat(seat)), cast::fit::<i32>(function))
    }

    /// Writes several numbers of 32 bits.
    pub fn write(&mut self, at: u32, numbers: &[i32]) {
        write_cells(self.sandbox.data_mut(), at, numbers);
    }

    /// Reads the options that a listing has left behind.
    pub fn read_options(&self, count: usize, listed: &mut Vec<(u16, Args)>) {
        listed.clear();
        if count == 0 {
            return;
        }
        let bytes = self.sandbox.data().get(OPTIONS_AT as usize..).unwrap_or_default();
        let options = bytes.as_chunks::<{ OPTION_SIZE as usize }>().0.iter().take(count);
        listed.extend(options.map(|option| {
            let [choice, args @ ..] =
                [0, 4, 8, 12].map(|at| i32::from_le_bytes([option[at], option[at + 1], option[at + 2], option[at + 3]]));
            (cast::fit::<u16>(choice), args)
        }));
    }

    /// Reads a set of spaces of a board that an expression has left behind.
    pub fn read_spaces(&self, board: &Board) -> SpaceSet {
        host::read_set(board, self.sandbox.data(), SET_OUT_AT)
    }

    /// Reads whether a bit is set in the 64 bits at an address, and the number of 64 bits at another.
    pub fn read_value(&self, valid: u32, bit: u32, number: u32) -> (bool, i64) {
        let data = self.sandbox.data();
        let read = |at: u32| data.get(at as usize..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| i64::from_le_bytes(*bytes));
        (read(valid) >> bit & 1 == 1, read(number))
    }

    /// Returns the address of a slot that holds the cells of a state, as expressions read them now.
    pub fn hold(&mut self, native: &Native, rules: &Ruleset, state: &State, values: &mut Values) -> Option<u32> {
        if values.active.stale {
            values.active.refresh(rules, state.cells());
        }
        self.clock += 1;
        let layout = &native.memory;
        let slot = match values.view {
            ReadView::Current => self.hold_current(native, rules, state, values),
            ReadView::OwnCurrent(seat) => self.hold_view(native, rules, state, values, seat),
            // Only the walker compares seats in this view; generated code has a slot for it.
            ReadView::Snapshot => return None,
        };
        self.slots[slot].used = self.clock;
        if self.slots[slot].is_view {
            self.slots[self.slots[slot].before.0].used = self.clock;
        }
        Some(layout.slot(cast::fit::<u32>(slot)))
    }

    /// Returns the slot of a copy, if it is there still; `is_view` if it is the view of a seat in a block.
    fn held(&self, copied: Copied, is_view: bool) -> Option<usize> {
        let slot = self.slots.get(copied.slot)?;
        (copied.id != 0 && slot.id == copied.id && slot.version == copied.version && slot.is_view == is_view).then_some(copied.slot)
    }

    /// Makes a slot a copy of another; `is_view` if it becomes the view of a seat in a block.
    fn copy_slot(&mut self, layout: &MemoryLayout, from: usize, to: usize, is_view: bool) {
        self.slots[from].used = self.clock;
        let [from, at] = [from, to].map(|slot| layout.slot(cast::fit::<u32>(slot)));
        let data = self.sandbox.data_mut();
        data.copy_within(from as usize..(from + layout.slot_size) as usize, at as usize);
        write(data, at + layout.ranks, cast::fit::<i32>(at));
        self.slots[to] = Slot { id: NEXT.fetch_add(1, Relaxed), version: 0, is_view, before: (to, 0), used: self.clock };
    }

    /// Makes a slot a copy of cells.
    fn fill_slot(&mut self, native: &Native, rules: &Ruleset, values: &Values, cells: &[i32], to: usize) {
        let layout = &native.memory;
        let at = layout.slot(cast::fit::<u32>(to));
        let data = self.sandbox.data_mut();
        write_cells(data, at, &cells[..rules.layout.len]);
        forget_values(layout, rules, data, at);
        write(data, at + layout.ranks, cast::fit::<i32>(at));
        write_changes(native, rules, values, data, at);
        self.slots[to] = Slot { id: NEXT.fetch_add(1, Relaxed), version: 0, is_view: false, before: (to, 0), used: self.clock };
    }

    /// Returns what a slot holds.
    fn copied(&self, slot: usize) -> Copied {
        Copied { id: self.slots[slot].id, version: self.slots[slot].version, slot }
    }

    fn hold_current(&mut self, native: &Native, rules: &Ruleset, state: &State, values: &mut Values) -> usize {
        let layout = &native.memory;
        let of_another = values.mirror.is_of_another;
        let slot = match self.held(values.mirror.copied, false) {
            Some(slot) if !of_another => {
                if values.mirror.written.is_empty() && values.active.mirrored {
                    return slot;
                }
                slot
            }
            Some(from) => {
                // The game was copied from one that lies in memory, and so is its state.
                let to = self.slot_for(values.mirror.spare, from);
                self.copy_slot(layout, from, to, false);
                to
            }
            None => {
                let to = self.slot_for(values.mirror.spare, SLOTS as usize);
                self.fill_slot(native, rules, values, state.cells(), to);
                values.mirror.written.clear();
                values.active.mirrored = true;
                to
            }
        };
        let at = layout.slot(cast::fit::<u32>(slot));
        let data = self.sandbox.data_mut();
        for written in values.mirror.written.drain(..) {
            apply(layout, rules, (state.cells(), state.cells()), data, at, written);
        }
        if !values.active.mirrored {
            write_changes(native, rules, values, data, at);
            values.active.mirrored = true;
        }
        self.slots[slot].version += 1;
        values.mirror.copied = self.copied(slot);
        values.mirror.is_of_another = false;
        // What is written from now on in a block is written after all that was written before it.
        values.mirror.block.written_before = 0;
        slot
    }

    /// A slot for the view of a seat that acts in a simultaneous block; the cells before the block, by which ranks compare, lie in another.
    fn hold_view(&mut self, native: &Native, rules: &Ruleset, state: &State, values: &mut Values, seat: u8) -> usize {
        let layout = &native.memory;
        let before = match self.held(values.mirror.block.before, false) {
            Some(before) => before,
            None => self.hold_before(native, rules, state, values),
        };
        let block = &mut values.mirror.block;
        let is_of_block = |slot: &usize| self.slots[*slot].before == (before, self.slots[before].id);
        let slot = match self.held(block.view, true).filter(is_of_block) {
            Some(slot) => {
                if block.seat == seat && block.applied == block.written.len() && values.active.mirrored_in_block {
                    return slot;
                }
                if block.seat != seat {
                    // What the seat before has written is taken back.
                    let [from, at] = [before, slot].map(|slot| layout.slot(cast::fit::<u32>(slot)));
                    let data = self.sandbox.data_mut();
                    for &written in &block.written[..block.applied] {
                        take_back(rules, state.snapshot(), data, at, written);
                    }
                    let values = (from + layout.valid) as usize..(from + layout.slot_size) as usize;
                    data.copy_within(values, (at + layout.valid) as usize);
                    block.applied = 0;
                }
                slot
            }
            None => {
                let to = self.free_slot([before, before]);
                self.copy_slot(layout, before, to, true);
                self.slots[to].before = (before, self.slots[before].id);
                let before_at = layout.slot(cast::fit::<u32>(before));
                let data = self.sandbox.data_mut();
                write(data, layout.slot(cast::fit::<u32>(to)) + layout.ranks, cast::fit::<i32>(before_at));
                block.applied = 0;
                to
            }
        };
        let [before_at, at] = [before, slot].map(|slot| layout.slot(cast::fit::<u32>(slot)));
        let data = self.sandbox.data_mut();
        for &written in &block.written[block.applied..] {
            apply_own(layout, rules, state, seat, data, at, written);
            if written as usize >= rules.layout.len {
                // Which cards are in play is the same for all.
                invalidate(layout, rules, data, before_at, row_of(rules, written), TABLE);
            }
        }
        (block.applied, block.seat) = (block.written.len(), seat);
        if !values.active.mirrored_in_block {
            // Ranks apply the changes of cards that are in play now, too.
            for at in [before_at, at] {
                write_changes(native, rules, values, data, at);
            }
            values.active.mirrored_in_block = true;
        }
        self.slots[slot].version += 1;
        values.mirror.block.view = self.copied(slot);
        slot
    }

    /// A slot for the cells as they were when the block began: that of the current ones, which is not brought up to date during the block, if
    /// they lie in memory.
    fn hold_before(&mut self, native: &Native, rules: &Ruleset, state: &State, values: &mut Values) -> usize {
        let layout = &native.memory;
        let Mirror { copied, is_of_another, spare, written, block } = &mut values.mirror;
        let slot = match self.held(*copied, false) {
            Some(from) => {
                let slot = if *is_of_another {
                    let to = self.slot_for(*spare, from);
                    self.copy_slot(layout, from, to, false);
                    to
                } else {
                    from
                };
                let at = layout.slot(cast::fit::<u32>(slot));
                let data = self.sandbox.data_mut();
                for written in written.drain(..block.written_before.min(written.len())) {
                    apply(layout, rules, (state.snapshot(), state.snapshot()), data, at, written);
                }
                block.written_before = 0;
                block.written.clone_from(written);
                values.active.mirrored_in_block = values.active.mirrored;
                slot
            }
            None => {
                let to = self.slot_for(values.mirror.spare, SLOTS as usize);
                self.fill_slot(native, rules, values, state.snapshot(), to);
                let differs = |&cell: &u32| state.cells()[cell as usize] != state.snapshot()[cell as usize];
                let Mirror { written, block, .. } = &mut values.mirror;
                written.clear();
                written.extend((0..cast::fit::<u32>(rules.layout.len)).filter(differs));
                block.written.clone_from(written);
                block.written_before = 0;
                (values.active.mirrored, values.active.mirrored_in_block) = (true, true);
                to
            }
        };
        self.slots[slot].version += 1;
        let mirror = &mut values.mirror;
        mirror.copied = self.copied(slot);
        mirror.is_of_another = false;
        (mirror.block.before, mirror.block.view) = (mirror.copied, Copied::default());
        slot
    }

    /// The slot for a copy of another: that of a copy which is needed no more, if it is there still, so that few slots are in use.
    fn slot_for(&self, spare: Copied, from: usize) -> usize {
        self.held(spare, false).filter(|&slot| slot != from).unwrap_or_else(|| self.free_slot([from, from]))
    }

    /// The slot that was used longest ago, but none of these.
    fn free_slot(&self, but: [usize; 2]) -> usize {
        let all = self.slots.iter().enumerate().filter(|(slot, _)| !but.contains(slot));
        all.min_by_key(|(_, slot)| slot.used).map_or(0, |(slot, _)| slot)
    }
}

fn write(data: &mut [u8], at: u32, value: i32) {
    if let Some(bytes) = data.get_mut(at as usize..).and_then(|bytes| bytes.first_chunk_mut()) {
        *bytes = value.to_le_bytes();
    }
}

fn write_cells(data: &mut [u8], at: u32, cells: &[i32]) {
    let to = data.get_mut(at as usize..).unwrap_or_default();
    for (to, cell) in to.chunks_exact_mut(4).zip(cells) {
        to.copy_from_slice(&cell.to_le_bytes());
    }
}

/// The row of the table of dependencies for a cell, or behind the cells for a quantity.
fn row_of(rules: &Ruleset, written: u32) -> usize {
    match rules.layout.class_of.get(written as usize) {
        Some(&class) => class as usize,
        None => rules.code.dependencies.first_quantity_row + written as usize - rules.layout.len,
    }
}

/// The seat that owns a cell now, or the table.
fn owner_of(rules: &Ruleset, cells: &[i32], written: u32) -> u8 {
    match rules.layout.owner_of.get(written as usize) {
        Some(&PIECE) => {
            let card = (written as usize - rules.layout.piece_base) / rules.layout.piece_size;
            rules.layout.places[cast::index(cells[rules.layout.piece(card, piece::PLACE)])].owner
        }
        Some(&owner) => owner,
        None => TABLE,
    }
}

fn forget_values(layout: &MemoryLayout, rules: &Ruleset, data: &mut [u8], at: u32) {
    for seat in 0..cast::fit::<u32>(rules.players) {
        let from = (at + layout.valid + seat * layout.seat_size) as usize;
        data.get_mut(from..from + layout.valid_words as usize * 8).unwrap_or_default().fill(0);
    }
}

/// Invalidates the values that depend on a row, for cells of this owner.
fn invalidate(layout: &MemoryLayout, rules: &Ruleset, data: &mut [u8], at: u32, row: usize, owner: u8) {
    for &Readers { word, own, any } in rules.code.dependencies.readers(row) {
        for seat in 0..cast::fit::<u8>(rules.players) {
            let gone = if owner == TABLE || owner == seat { own | any } else { any };
            let from = at + layout.valid + u32::from(seat) * layout.seat_size + u32::from(word) * 8;
            if let Some(bytes) = data.get_mut(from as usize..).and_then(|bytes| bytes.first_chunk_mut()) {
                *bytes = (u64::from_le_bytes(*bytes) & !gone).to_le_bytes();
            }
        }
    }
}

/// Brings one cell of a slot up to date from cells, and invalidates what depends on it; `owners` are the cells that say where pieces lie.
fn apply(layout: &MemoryLayout, rules: &Ruleset, (cells, owners): (&[i32], &[i32]), data: &mut [u8], at: u32, written: u32) {
    if (written as usize) < rules.layout.len {
        write(data, at + written * 4, cells[written as usize]);
    }
    invalidate(layout, rules, data, at, row_of(rules, written), owner_of(rules, owners, written));
}

/// Makes a cell again what it was before a simultaneous block; of a piece all cells.
fn take_back(rules: &Ruleset, before: &[i32], data: &mut [u8], at: u32, written: u32) {
    let first = rules.layout.piece_base;
    let cells = match rules.layout.owner_of.get(written as usize) {
        Some(&PIECE) => {
            let from = first + (written as usize - first) / rules.layout.piece_size * rules.layout.piece_size;
            from..from + rules.layout.piece_size
        }
        Some(_) => written as usize..written as usize + 1,
        None => return,
    };
    for cell in cells {
        write(data, at + cast::fit::<u32>(cell) * 4, before[cell]);
    }
}

/// Brings a cell up to date that has been written in a simultaneous block, for the seat that acts: it reads its own cells as they are.
fn apply_own(layout: &MemoryLayout, rules: &Ruleset, state: &State, seat: u8, data: &mut [u8], at: u32, written: u32) {
    let Some(&owner) = rules.layout.owner_of.get(written as usize) else {
        return invalidate(layout, rules, data, at, row_of(rules, written), TABLE);
    };
    let is_own = if owner == PIECE { owner_of(rules, state.cells(), written) == seat } else { owner == seat };
    let first = rules.layout.piece_base;
    let cells = match owner {
        // A piece may have come, or gone: then all of it is read from elsewhere.
        PIECE => {
            let from = first + (written as usize - first) / rules.layout.piece_size * rules.layout.piece_size;
            from..from + rules.layout.piece_size
        }
        _ if is_own => written as usize..written as usize + 1,
        _ => return,
    };
    for cell in cells {
        let value = if is_own { state.cells()[cell] } else { state.snapshot()[cell] };
        write(data, at + cast::fit::<u32>(cell) * 4, value);
        invalidate(layout, rules, data, at, rules.layout.class_of[cell] as usize, TABLE);
    }
}

/// Writes which cards in play change which quantity.
fn write_changes(native: &Native, rules: &Ruleset, values: &Values, data: &mut [u8], at: u32) {
    let layout = &native.memory;
    let mut record = layout.records;
    for quantity in 0..cast::fit::<u16>(rules.quantities.len()) {
        let changes = values.active.changes(quantity);
        let head = at + layout.changes + u32::from(quantity) * 8;
        write(data, head, cast::fit::<i32>(changes.len()));
        write(data, head + 4, cast::fit::<i32>(record));
        for active in changes {
            let definition = rules.piece_definition[active.piece.index()] as usize;
            let who = match rules.definitions[definition].changes[active.entry.index()].who {
                Who::All => concerned::ALL,
                Who::Me => concerned::OWNER,
                Who::Others => concerned::OTHERS,
            };
            let function = native.changes[definition][active.entry.index()];
            let numbers = [active.piece.local() + 1, i32::from(active.owner), cast::fit::<i32>(function), who];
            for (number, value) in (0..).zip(numbers) {
                write(data, at + record + number * 4, value);
            }
            record += RECORD_SIZE;
        }
    }
}

#[cfg(test)]
mod tests;
