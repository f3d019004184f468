//! Brings the copy of a state in a slot of memory up to date: cells, and which of the values computed from them are still valid.

use super::undo::SlotUndo;
use crate::cast;
use crate::ruleset::Ruleset;
use crate::state::State;
use houserule_codegen::MemoryLayout;
use houserule_ruleset::dependencies::Readers;
use houserule_state::layout::{PIECE, TABLE, piece};
use std::ops::Range;

/// A slot that is written to, with what notes what has to be put back.
pub(super) struct SlotWriter<'a> {
    pub layout: &'a MemoryLayout,
    pub rules: &'a Ruleset,
    pub bytes: &'a mut [u8],
    pub undo: Option<&'a mut SlotUndo>,
}

impl SlotWriter<'_> {
    /// Brings one cell up to date from cells; behind the cells come the quantities whose changes by cards are others.
    #[inline]
    pub fn apply(&mut self, cells: &[i32], written: u32) {
        let rules = self.rules;
        let Some(effect) = rules.write_effects.get(written as usize) else { return self.forget_readers_of_quantity(written) };
        if let Some(cell) = cells.get(written as usize) {
            self.write(written as usize, *cell);
        }
        let owner = if effect.owner == PIECE { owner_of_piece(rules, cells, written) } else { effect.owner };
        self.forget_readers(rules.code.dependencies.readers(effect.class as usize), owner);
    }

    /// Brings a cell up to date that has been written in a simultaneous block, for the seat that acts: it reads its own cells as they are.
    pub fn apply_own(&mut self, state: &State, seat: u8, written: u32) {
        let rules = self.rules;
        let Some(&owner) = rules.layout.owner_of.get(written as usize) else { return self.forget_readers_of_quantity(written) };
        let is_own = if owner == PIECE { owner_of_piece(rules, state.cells(), written) == seat } else { owner == seat };
        let (cells, from) = (cells_with(rules, written), if is_own { state.cells() } else { state.snapshot() });
        if !is_own && cells.len() == 1 {
            return;
        }
        for cell in cells {
            self.write(cell, from[cell]);
            self.forget_readers(rules.code.dependencies.readers(rules.layout.class_of[cell] as usize), TABLE);
        }
    }

    /// Makes a cell again what it was before a simultaneous block.
    pub fn take_back(&mut self, before: &[i32], written: u32) {
        if (written as usize) < self.rules.layout.len {
            cells_with(self.rules, written).for_each(|cell| self.write(cell, before[cell]));
        }
    }

    /// Forgets the values that depend on a quantity whose changes by cards are others: quantities are counted behind the cells.
    pub fn forget_readers_of_quantity(&mut self, written: u32) {
        let dependencies = &self.rules.code.dependencies;
        self.forget_readers(dependencies.readers(dependencies.first_quantity_row + written as usize - self.rules.layout.len), TABLE);
    }

    #[inline]
    pub fn write(&mut self, cell: usize, value: i32) {
        if let Some(to) = self.bytes.as_chunks_mut::<4>().0.get_mut(cell) {
            *to = value.to_le_bytes();
        }
    }

    /// Forgets values that depend on a cell of this owner, a seat or the table.
    #[inline]
    fn forget_readers(&mut self, readers: &[Readers], owner: u8) {
        for &Readers { word, own, any } in readers {
            let of_all = if owner == TABLE { own | any } else { any };
            if of_all != 0 {
                self.clear(0..self.layout.seats, word.into(), of_all);
            }
            if owner != TABLE && own != 0 {
                self.clear(owner.into()..u32::from(owner) + 1, word.into(), own);
            }
        }
    }

    /// Clears valid bits of a word of seats.
    #[inline]
    fn clear(&mut self, seats: Range<u32>, word: u32, bits: u64) {
        let (layout, words) = (self.layout, self.bytes.as_chunks_mut::<8>().0);
        let Some(undo) = &mut self.undo else {
            let first = words.get_mut(layout.valid_word(seats.start, word)..).unwrap_or_default();
            for valid in first.iter_mut().step_by(layout.seat_size as usize / 8).take(seats.len()) {
                *valid = (u64::from_le_bytes(*valid) & !bits).to_le_bytes();
            }
            return;
        };
        for seat in seats {
            let Some(valid) = words.get_mut(layout.valid_word(seat, word)) else { return };
            let before = u64::from_le_bytes(*valid);
            *valid = (before & !bits).to_le_bytes();
            if !undo.is_noted((seat * layout.valid_words + word) as usize, bits) {
                undo.note((layout, self.rules), words, (seat, word), (before, bits));
            }
        }
    }
}

/// The seat, or the table, that owns the place where a piece lies now, by one of its cells.
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
