//! Brings the copy of a state in a slot of memory up to date: cells, and which of the values computed from them are still valid.

use super::undo::SlotUndo;
use crate::cast;
use crate::ruleset::Ruleset;
use crate::state::{Entry, QUANTITY, State};
use houserule_codegen::MemoryLayout;
use houserule_ruleset::dependencies::Readers;
use houserule_state::layout::head::MAX_SEATS;
use houserule_state::layout::{PIECE, TABLE, piece};
use std::ops::Range;

/// The values of a slot that depend on what is being written: gathered first, since many writes concern the same ones.
#[derive(Debug)]
pub(super) struct StaleValues {
    /// Bits of values, by the index of their word.
    bits: Vec<StaleWord>,
    /// Which words have bits: word `n` by bit `n mod 64`.
    words: u64,
}

/// Bits of one word of values.
#[derive(Clone, Debug, Default)]
struct StaleWord {
    of_all: u64,
    of_seats: [u64; MAX_SEATS],
}

impl StaleValues {
    pub fn new(layout: &MemoryLayout) -> StaleValues {
        StaleValues { bits: vec![StaleWord::default(); layout.valid_words as usize], words: 0 }
    }

    /// Adds the values that read a cell of this owner, a seat or the table.
    #[inline]
    fn add(&mut self, readers: &[Readers], owner: u8) {
        for &Readers { word, own, any } in readers {
            let Some(bits) = self.bits.get_mut(usize::from(word)) else { continue };
            self.words |= 1 << (word % 64);
            match bits.of_seats.get_mut(usize::from(owner)) {
                Some(of_seat) => {
                    *of_seat |= own;
                    bits.of_all |= any;
                }
                // Each seat reads what the table has as its own.
                None => bits.of_all |= own | any,
            }
        }
    }
}

/// A slot that is written to, with what notes what has to be put back. Values that depend on what is written are forgotten by
/// [`SlotWriter::finish`].
pub(super) struct SlotWriter<'a> {
    pub layout: &'a MemoryLayout,
    pub rules: &'a Ruleset,
    pub bytes: &'a mut [u8],
    pub stale: &'a mut StaleValues,
}

impl SlotWriter<'_> {
    /// Brings one cell up to date from cells, or what depends on a quantity whose changes by cards are others.
    #[inline(always)]
    pub fn apply(&mut self, cells: &[i32], &(written, _): &Entry) {
        let rules = self.rules;
        let Some(effect) = rules.write_effects.get(written as usize) else { return self.forget_readers_of_quantity(written) };
        if effect.class == 0 {
            return;
        }
        if let Some(cell) = cells.get(written as usize) {
            self.write(written as usize, *cell);
        }
        let owner = if effect.owner == PIECE { owner_of_piece(rules, cells, written) } else { effect.owner };
        self.stale.add(rules.code.dependencies.readers(effect.class as usize), owner);
    }

    /// Brings a cell up to date that has been written in a simultaneous block, for the seat that acts: it reads its own cells as they are.
    pub fn apply_own(&mut self, state: &State, seat: u8, &(written, _): &Entry) {
        let rules = self.rules;
        let Some(&owner) = rules.layout.owner_of.get(written as usize) else { return self.forget_readers_of_quantity(written) };
        let is_own = if owner == PIECE { owner_of_piece(rules, state.cells(), written) == seat } else { owner == seat };
        let (cells, from) = (cells_with(rules, written), if is_own { state.cells() } else { state.snapshot() });
        if !is_own && cells.len() == 1 {
            return;
        }
        for cell in cells {
            self.write(cell, from[cell]);
            self.stale.add(rules.code.dependencies.readers(rules.layout.class_of[cell] as usize), TABLE);
        }
    }

    /// Makes a cell again what it was before a simultaneous block.
    pub fn take_back(&mut self, before: &[i32], written: u32) {
        if (written as usize) < self.rules.layout.len {
            cells_with(self.rules, written).for_each(|cell| self.write(cell, before[cell]));
        }
    }

    /// Forgets the values that depend on a quantity whose changes by cards are others, as the log has it.
    pub fn forget_readers_of_quantity(&mut self, written: u32) {
        let (dependencies, quantity) = (&self.rules.code.dependencies, (written & !QUANTITY) as usize);
        self.stale.add(dependencies.readers(dependencies.first_quantity_row + quantity), TABLE);
    }

    #[inline]
    pub fn write(&mut self, cell: usize, value: i32) {
        if let Some(to) = self.bytes.as_chunks_mut::<4>().0.get_mut(cell) {
            *to = value.to_le_bytes();
        }
    }

    /// Forgets the values that depend on what has been written; `undo` notes those that were valid.
    pub fn finish(self, mut undo: Option<&mut SlotUndo>) {
        let (layout, stale, slot) = (self.layout, self.stale, self.bytes.as_chunks_mut::<8>().0);
        let (words, mut left) = (stale.bits.len(), std::mem::take(&mut stale.words));
        let stride = layout.valid_word(1, 0) - layout.valid_word(0, 0);
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            left &= left - 1;
            for word in (first..words).step_by(64) {
                let of_all = std::mem::take(&mut stale.bits[word].of_all);
                let number = cast::low(cast::count(word));
                let ats = (layout.valid_word(0, number)..).step_by(stride);
                for ((seat, of_seat), at) in (0..layout.seats).zip(&mut stale.bits[word].of_seats).zip(ats) {
                    let bits = of_all | std::mem::take(of_seat);
                    let Some(valid) = slot.get_mut(at).filter(|_| bits != 0) else { continue };
                    let before = u64::from_le_bytes(*valid);
                    *valid = (before & !bits).to_le_bytes();
                    if let Some(undo) = &mut undo {
                        undo.note((layout, self.rules), slot, (seat, number), (before, bits));
                    }
                }
            }
        }
    }
}

/// The seat, or the table, that owns the place where a piece lies now, by one of its cells.
#[inline]
fn owner_of_piece(rules: &Ruleset, cells: &[i32], written: u32) -> u8 {
    let card = (written as usize - rules.layout.piece_base) / rules.layout.piece_size;
    rules.layout.places[cast::index(cells[rules.layout.piece(card, piece::PLACE)])].owner
}

// The cells of a piece begin with its place.
const _: () = assert!(piece::PLACE == 0);

/// The cells that are read from elsewhere than before because one was written: where that says in which place a piece lies, all of the piece,
/// which may have come to a seat, or gone.
pub(super) fn cells_with(rules: &Ruleset, written: u32) -> Range<usize> {
    let (layout, cell) = (&rules.layout, written as usize);
    let is_place = layout.owner_of[cell] == PIECE && (cell - layout.piece_base) % layout.piece_size == piece::PLACE;
    cell..cell + if is_place { layout.piece_size } else { 1 }
}
