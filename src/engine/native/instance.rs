//! The memory of one thread: several states side by side, each kept equal to the state of a game.

use super::host;
use super::mirror::{BlockMirror, Copied, Mirror, SavedCopies};
use super::sandbox::Sandbox;
use super::slot::{SlotWriter, StaleValues, cells_with};
use super::{Native, SLOTS};
use crate::active::ActiveEntries;
use crate::cast;
use crate::decision::Args;
use crate::env::ReadView;
use crate::kept::Held;
use crate::ruleset::{Ruleset, Who};
use crate::state::{Entry, QUANTITY, WriteLog};
use houserule_codegen::{DATA_AT, MemoryLayout, OPTION_SIZE, OPTIONS_AT, RECORD_SIZE, SET_OUT_AT, concerned};
use houserule_ruleset::boards::{Board, SpaceSet};
use houserule_state::layout::head;
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

impl Slot {
    /// Whether it holds a copy as it was last brought up to date.
    #[inline]
    fn holds(&self, copied: Copied) -> bool {
        self.id == copied.id && self.version == copied.version && copied.id != 0
    }
}

/// An instance of the module, for one thread.
pub(crate) struct Instance {
    sandbox: Sandbox,
    slots: [Slot; SLOTS as usize],
    clock: u64,
    stale: StaleValues,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").field("slots", &self.slots).finish_non_exhaustive()
    }
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
        Ok(Instance { sandbox, slots: Default::default(), clock: 0, stale: StaleValues::new(&native.memory) })
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

    /// Reads the cards that a listing has left behind.
    pub fn read_cards(&self, count: usize, cards: &mut Vec<i32>) {
        cards.clear();
        let bytes = self.sandbox.data().get(OPTIONS_AT as usize..).unwrap_or_default();
        cards.extend(bytes.as_chunks::<4>().0.iter().take(count).map(|card| i32::from_le_bytes(*card)));
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
    pub fn hold(&mut self, held: &mut Held<'_>) -> Option<u32> {
        held.active.refresh(held.rules, held.state.cells());
        let (mirror, layout) = (&mut *held.mirror, &held.native.memory);
        self.clock += 1;
        if held.view == ReadView::Current
            && !mirror.is_of_another
            && let Some(slot) = self.slots.get_mut(mirror.copied.slot).filter(|slot| slot.holds(mirror.copied))
            && let Some(written) = mirror.written(held.state.log())
        {
            slot.used = self.clock;
            let at = layout.slot(cast::low(cast::count(mirror.copied.slot)));
            if !written.is_empty() || !held.active.mirrored {
                slot.version += 1;
                mirror.copied.version = slot.version;
                self.update_slot(held, at);
            }
            return Some(at);
        }
        if let ReadView::OwnCurrent(seat) = held.view
            && let Some(slot) = self.held_view(&held.mirror.block, seat)
        {
            self.slots[slot].used = self.clock;
            self.slots[held.mirror.block.before.slot].used = self.clock;
            let at = layout.slot(cast::low(cast::count(slot)));
            let block = &held.mirror.block;
            if block.applied != held.state.log().end() || !held.active.mirrored_in_block {
                self.update_view(held, seat);
            }
            return Some(at);
        }
        self.hold_anew(held)
    }

    /// Brings the slot of the current cells up to date.
    #[inline(never)]
    fn update_slot(&mut self, held: &mut Held<'_>, at: u32) {
        let &mut Held { native, rules, state, ref mut active, ref mut mirror, .. } = held;
        let (layout, data) = (&native.memory, self.sandbox.data_mut());
        let written = state.log().since(mirror.seen).unwrap_or_default();
        if !written.is_empty() {
            let mut slot = SlotWriter { layout, rules, bytes: slot_mut(layout, data, at), stale: &mut self.stale };
            written.iter().for_each(|written| slot.apply(state.cells(), written));
            slot.finish(mirror.undo());
        }
        mirror.seen = state.log().end();
        if !active.mirrored {
            write_changes((native, rules), active, data, at);
            active.mirrored = true;
        }
    }

    /// Brings a slot up to date; returns its address.
    #[inline(never)]
    fn hold_anew(&mut self, held: &mut Held<'_>) -> Option<u32> {
        let layout = &held.native.memory;
        let slot = match held.view {
            ReadView::Current => self.hold_current(held),
            ReadView::OwnCurrent(seat) => self.hold_view(held, seat),
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
        (slot.holds(copied) && slot.is_view == is_view).then_some(copied.slot)
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

    /// Makes a slot, which was the view of a seat in the block before, a copy of another whose cells have been written since only where it says so.
    fn refresh_slot(&mut self, (layout, rules): (&MemoryLayout, &Ruleset), from: usize, to: usize, written: &[Entry]) {
        let [from, at] = [from, to].map(|slot| layout.slot(cast::fit::<u32>(slot)) as usize);
        let data = self.sandbox.data_mut();
        let header = 0..head::SIZE * 4;
        data.copy_within(from + header.start..from + header.end, at);
        let behind = layout.ranks as usize..layout.slot_size as usize;
        data.copy_within(from + behind.start..from + behind.end, at + behind.start);
        let cells = written.iter().filter(|entry| entry.0 < QUANTITY).flat_map(|&(cell, _)| cells_with(rules, cell));
        let (low, high) = (from.min(at), from.max(at));
        if let Some((first, second)) = data.split_at_mut_checked(high) {
            let first = first.get_mut(low..).unwrap_or_default();
            let (source, target) = if low == from { (first, second) } else { (second, first) };
            let (source, target) = (source.as_chunks::<4>().0, target.as_chunks_mut::<4>().0);
            for cell in cells {
                if let (Some(source), Some(target)) = (source.get(cell), target.get_mut(cell)) {
                    *target = *source;
                }
            }
        }
        self.slots[to] = Slot { id: NEXT.fetch_add(1, Relaxed), version: 0, is_view: true, before: (to, 0), used: self.clock };
    }

    /// Makes a slot a copy of cells.
    fn fill_slot(&mut self, (native, rules): (&Native, &Ruleset), active: &ActiveEntries, cells: &[i32], to: usize) {
        let layout = &native.memory;
        let at = layout.slot(cast::fit::<u32>(to));
        let data = self.sandbox.data_mut();
        write_cells(data, at, &cells[..rules.layout.len]);
        forget_values(layout, rules, data, at);
        write(data, at + layout.ranks, cast::fit::<i32>(at));
        write_changes((native, rules), active, data, at);
        self.slots[to] = Slot { id: NEXT.fetch_add(1, Relaxed), version: 0, is_view: false, before: (to, 0), used: self.clock };
    }

    /// Returns what a slot holds.
    fn copied(&self, slot: usize) -> Copied {
        Copied { id: self.slots[slot].id, version: self.slots[slot].version, slot }
    }

    fn hold_current(&mut self, held: &mut Held<'_>) -> usize {
        let &mut Held { native, rules, state, ref mut active, ref mut mirror, .. } = held;
        let layout = &native.memory;
        let of_another = mirror.is_of_another;
        if mirror.written(state.log()).is_none() {
            mirror.give_up_copy();
        }
        let slot = match self.held(mirror.copied, false) {
            Some(slot) if !of_another => slot,
            Some(from) => {
                // The game was copied from one that lies in memory, and so is its state.
                let to = self.slot_for(mirror.spare, from);
                self.copy_slot(layout, from, to, false);
                to
            }
            None => {
                let to = self.slot_for(mirror.spare, SLOTS as usize);
                self.fill_slot((native, rules), active, state.cells(), to);
                mirror.seen = state.log().end();
                active.mirrored = true;
                to
            }
        };
        self.slots[slot].version += 1;
        mirror.copied = self.copied(slot);
        mirror.is_of_another = false;
        self.update_slot(held, layout.slot(cast::fit::<u32>(slot)));
        slot
    }

    /// Returns the slot of the view of a seat that acts in a simultaneous block, if it lies in memory and nothing has to be taken back there.
    #[inline]
    fn held_view(&self, block: &BlockMirror, seat: u8) -> Option<usize> {
        let view =
            self.slots.get(block.view.slot).filter(|slot| slot.holds(block.view) && block.seat == seat && block.undone.is_empty())?;
        let before = self.slots.get(block.before.slot).filter(|slot| slot.holds(block.before))?;
        (view.before == (block.before.slot, before.id)).then_some(block.view.slot)
    }

    /// A slot for the view of a seat that acts in a simultaneous block; the cells before the block, by which ranks compare, lie in another.
    #[inline(never)]
    fn hold_view(&mut self, held: &mut Held<'_>, seat: u8) -> usize {
        let before = match self.held(held.mirror.block.before, false) {
            Some(before) => before,
            None => self.hold_before(held),
        };
        let &mut Held { native, rules, state, ref mut mirror, .. } = held;
        let layout = &native.memory;
        let (log, block) = (state.log(), &mut mirror.block);
        let begin = log.block_begin();
        let is_of_block = |slot: &usize| self.slots[*slot].before == (before, self.slots[before].id);
        match self.held(block.view, true).filter(is_of_block) {
            Some(slot) if block.seat != seat || !block.undone.is_empty() => {
                // What the seat before has written, or what has been rolled back, is taken back.
                let bytes = slot_mut(layout, self.sandbox.data_mut(), layout.slot(cast::fit::<u32>(slot)));
                let mut to = SlotWriter { layout, rules, bytes, stale: &mut self.stale };
                let applied = block.applied_since(log, begin).iter().map(|entry| entry.0);
                applied.chain(block.undone.iter().copied()).for_each(|written| to.take_back(state.snapshot(), written));
                block.undo.put_back(to.bytes.as_chunks_mut::<8>().0);
                block.begin(begin);
            }
            Some(_) => {}
            None => {
                let (number, written) = log.between_blocks();
                let last = self.held(block.last_view.0, true).filter(|&last| last != before && block.last_view.1 + 1 == number);
                let to = match (last, written) {
                    (Some(last), Some(written)) => {
                        self.refresh_slot((layout, rules), before, last, written);
                        last
                    }
                    _ => {
                        let to = self.free_slot([before, before]);
                        self.copy_slot(layout, before, to, true);
                        to
                    }
                };
                self.slots[to].before = (before, self.slots[before].id);
                let before_at = layout.slot(cast::fit::<u32>(before));
                let data = self.sandbox.data_mut();
                write(data, layout.slot(cast::fit::<u32>(to)) + layout.ranks, cast::fit::<i32>(before_at));
                (block.view, block.number) = (self.copied(to), number);
                block.undo.begin();
                block.begin(begin);
            }
        }
        mirror.block.seat = seat;
        self.update_view(held, seat);
        held.mirror.block.view.slot
    }

    /// Brings the view of a seat up to date with what it has written.
    #[inline(never)]
    fn update_view(&mut self, held: &mut Held<'_>, seat: u8) {
        let &mut Held { native, rules, state, ref mut active, ref mut mirror, .. } = held;
        let (layout, data) = (&native.memory, self.sandbox.data_mut());
        let Mirror { block, trials, .. } = &mut **mirror;
        let [before_at, at] = [block.before.slot, block.view.slot].map(|slot| layout.slot(cast::low(cast::count(slot))));
        let new = state.log().since(block.applied).unwrap_or_default();
        let mut view = SlotWriter { layout, rules, bytes: slot_mut(layout, data, at), stale: &mut self.stale };
        new.iter().for_each(|written| view.apply_own(state, seat, written));
        view.finish(Some(&mut block.undo));
        // Which cards are in play is the same for all.
        let mut before = SlotWriter { layout, rules, bytes: slot_mut(layout, data, before_at), stale: &mut self.stale };
        let of_quantities = new.iter().filter(|entry| entry.0 >= QUANTITY);
        of_quantities.for_each(|&(quantity, _)| before.forget_readers_of_quantity(quantity));
        before.finish(trials.last_mut().map(|saved| &mut saved.undo));
        block.applied = state.log().end();
        let is_changed = !active.mirrored_in_block || new.iter().any(|entry| entry.0 >= QUANTITY);
        if !active.mirrored_in_block {
            // Ranks apply the changes of cards that are in play now, too.
            for at in [before_at, at] {
                write_changes((native, rules), active, data, at);
            }
            active.mirrored_in_block = true;
        }
        if is_changed {
            // A game that was copied from this one has a copy of what that slot was.
            let slot = mirror.block.before.slot;
            self.slots[slot].version += 1;
            let copied = self.copied(slot);
            if mirror.copied == mirror.block.before {
                mirror.copied = copied;
            }
            mirror.block.before = copied;
        }
    }

    /// A slot for the cells as they were when the block began: that of the current ones, which is not brought up to date during the block, if
    /// they lie in memory.
    fn hold_before(&mut self, held: &mut Held<'_>) -> usize {
        let &mut Held { native, rules, state, ref mut active, ref mut mirror, .. } = held;
        let layout = &native.memory;
        let begin = state.log().block_begin();
        let earlier = begin.checked_sub(mirror.seen).and_then(|count| mirror.written(state.log())?.get(..count));
        if earlier.is_none() {
            mirror.give_up_copy();
        }
        let slot = match self.held(mirror.copied, false).zip(earlier) {
            Some((from, earlier)) => {
                let slot = if mirror.is_of_another {
                    let to = self.slot_for(mirror.spare, from);
                    self.copy_slot(layout, from, to, false);
                    to
                } else {
                    from
                };
                let at = layout.slot(cast::fit::<u32>(slot));
                let data = self.sandbox.data_mut();
                let mut to = SlotWriter { layout, rules, bytes: slot_mut(layout, data, at), stale: &mut self.stale };
                earlier.iter().for_each(|written| to.apply(state.snapshot(), written));
                to.finish(mirror.undo());
                active.mirrored_in_block = active.mirrored;
                slot
            }
            None => {
                let to = self.slot_for(mirror.spare, SLOTS as usize);
                self.fill_slot((native, rules), active, state.snapshot(), to);
                (active.mirrored, active.mirrored_in_block) = (true, true);
                to
            }
        };
        self.slots[slot].version += 1;
        mirror.copied = self.copied(slot);
        (mirror.is_of_another, mirror.seen) = (false, begin);
        (mirror.block.before, mirror.block.view) = (mirror.copied, Copied::default());
        mirror.block.begin(begin);
        slot
    }

    /// Undoes what has been written to the copies since the last trial began.
    pub fn take_back(&mut self, native: &Native, mirror: &mut Mirror, log: &WriteLog) {
        let Some(SavedCopies { copied, seen, blocks, is_in_block, mut undo }) = mirror.trials.pop() else { return };
        match self.held(mirror.copied, false).filter(|_| mirror.copied.id == copied.id && !mirror.is_of_another) {
            Some(slot) => {
                let layout = &native.memory;
                let to = slot_mut(layout, self.sandbox.data_mut(), layout.slot(cast::fit::<u32>(slot)));
                let cells = to.as_chunks_mut::<4>().0;
                // An entry for a quantity is no index of a cell.
                for &(cell, old) in log.since(seen).unwrap_or_default().iter().rev() {
                    if let Some(cell) = cells.get_mut(cell as usize) {
                        *cell = old.to_le_bytes();
                    }
                }
                undo.put_back(to.as_chunks_mut::<8>().0);
                self.slots[slot].version += 1;
                (mirror.copied, mirror.seen) = (self.copied(slot), seen);
                mirror.resume_block((blocks, is_in_block), log);
            }
            // Another game has taken the slot.
            None => mirror.forget(),
        }
        mirror.spare_undo.push(undo);
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

fn forget_values(layout: &MemoryLayout, rules: &Ruleset, data: &mut [u8], at: u32) {
    for seat in 0..cast::fit::<u32>(rules.players) {
        let from = (at + layout.valid + seat * layout.seat_size) as usize;
        data.get_mut(from..from + layout.valid_words as usize * 8).unwrap_or_default().fill(0);
    }
}

/// The bytes of a slot; none if it does not lie in the memory.
fn slot_mut<'d>(layout: &MemoryLayout, data: &'d mut [u8], at: u32) -> &'d mut [u8] {
    data.get_mut(at as usize..(at + layout.slot_size) as usize).unwrap_or_default()
}

/// Writes which cards in play change which quantity.
fn write_changes((native, rules): (&Native, &Ruleset), active: &ActiveEntries, data: &mut [u8], at: u32) {
    let layout = &native.memory;
    let mut record = layout.records;
    let heads = (at + layout.changes) as usize;
    data.get_mut(heads..heads + rules.quantities.len() * 8).unwrap_or_default().fill(0);
    for (quantity, changes) in active.changed_quantities() {
        let head = at + layout.changes + quantity * 8;
        write(data, head, cast::fit::<i32>(changes.len()));
        write(data, head + 4, cast::fit::<i32>(record));
        for change in changes {
            let definition = rules.piece_definition[change.piece.index()] as usize;
            let who = match rules.definitions[definition].changes[change.entry.index()].who {
                Who::All => concerned::ALL,
                Who::Me => concerned::OWNER,
                Who::Others => concerned::OTHERS,
            };
            let function = native.changes[definition][change.entry.index()];
            let numbers = [change.piece.local() + 1, i32::from(change.owner), cast::fit::<i32>(function), who];
            for (number, value) in (0..).zip(numbers) {
                write(data, at + record + number * 4, value);
            }
            record += RECORD_SIZE;
        }
    }
}

#[cfg(test)]
mod tests;
