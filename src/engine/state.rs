//! The state of a game: a vector of cells.

mod block;
mod earlier;
mod frame;

pub(crate) use block::{AnsweredAhead, BlockSeats, begin_block, frame_of_block, hide_answers, replace_in_block};
pub(crate) use frame::{Frame, card_of_operand, frames_of, named_cards, operand_of_card, replace_in_frames};

use super::ruleset::Ruleset;
use crate::cast;
use earlier::Earlier;
use houserule_state::chance::mix;
use houserule_state::layout::{Layout, head, piece};

/// The capacity reserved for the stack of frames, in cells, so that it rarely grows.
const STACK: usize = 1024;

/// The state of a game at any moment. To copy or save it is to copy its cells.
///
/// The cells are private. Expressions read them through a `Reader`; other code reads them through a
/// [`super::Position`]. Only [`super::Machine`] and the stack of frames write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Header, table, seats, pieces and places, then the stack of frames.
    cells: Vec<i32>,
    /// During a simultaneous block: the cells without the stack at its start, then the data of the block. Empty otherwise.
    snapshot: Vec<i32>,
    /// What the last block has left for the next.
    earlier: Earlier,
}

impl State {
    /// Restarts as a new game with this seed, reusing the memory. The decks are still empty.
    pub(crate) fn restart(&mut self, rules: &Ruleset, seed: u64) {
        let stack_start = rules.layout.len;
        self.cells.clear();
        self.cells.reserve(stack_start + STACK);
        self.cells.resize(stack_start, 0);
        [self.cells[head::SEED_LOW], self.cells[head::SEED_HIGH]] = cast::halves(seed);
        self.cells[head::ACTIONS_LEFT] = -1;
        for seat in 0..rules.players {
            self.cells[head::ORDER + seat] = cast::fit::<i32>(seat);
        }
        for &(cell, value) in &rules.initial {
            self.cells[cell as usize] = value;
        }
        for &(seat, offset, value) in &rules.seat_settings {
            self.cells[rules.layout.seat(seat, offset as usize)] = value;
        }
        self.snapshot.clear();
        self.earlier.forget();
        self.push_first_frame(stack_start, rules.ops.parts.first().copied().unwrap_or_default());
        for (index, &home) in rules.piece_home.iter().enumerate() {
            self.cells[rules.layout.piece(index, piece::PLACE)] = home as i32;
        }
    }

    /// Fills an empty deck with cards, the first at the bottom.
    pub(crate) fn lay_deck(&mut self, layout: &Layout, deck: usize, cards: impl ExactSizeIterator<Item = u16>) {
        let base = layout.places[deck].base as usize;
        self.cells[base] = cast::fit::<i32>(cards.len());
        for (position, card) in cards.enumerate() {
            self.cells[base + 1 + position] = card as i32 + 1;
            self.cells[layout.piece(card as usize, piece::POSITION)] = cast::fit::<i32>(position);
        }
    }

    /// Copies `other` into this, reusing the memory.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &State) {
        self.cells.clone_from(&other.cells);
        self.snapshot.clone_from(&other.snapshot);
        self.earlier.forget();
    }

    /// Overwrites the cells and the snapshot.
    pub(crate) fn load(&mut self, cells: &[i32], snapshot: &[i32]) {
        for (to, from) in [(&mut self.cells, cells), (&mut self.snapshot, snapshot)] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.earlier.forget();
    }

    /// Returns the current cells.
    #[inline(always)]
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// Returns the snapshot and data of a simultaneous block; empty if none is running.
    #[inline(always)]
    pub(crate) fn snapshot(&self) -> &[i32] {
        &self.snapshot
    }

    /// Returns the cells and the snapshot, for code that rewrites the state as a whole.
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<i32>, &mut Vec<i32>) {
        self.earlier.forget();
        (&mut self.cells, &mut self.snapshot)
    }

    /// Writes a cell before the stack: for [`super::Store::put`], and to undo that.
    #[inline(always)]
    pub(crate) fn set(&mut self, cell: usize, value: i32) {
        self.cells[cell] = value;
        self.earlier.note(cell);
    }

    /// Forgets what has been noted for the next simultaneous block, if that is too much to be of use.
    #[inline]
    pub(crate) fn limit_noted(&mut self) {
        self.earlier.limit();
    }

    /// Returns the number of simultaneous blocks that have begun, and which cells have been written between the beginnings of the last two, if
    /// that is known.
    pub(crate) fn between_blocks(&self) -> (u64, Option<&[u32]>) {
        self.earlier.between()
    }

    /// Writes a cell without invalidating anything: for counters of the header and cells of the stack.
    #[inline(always)]
    pub(crate) fn write(&mut self, cell: usize, value: i32) {
        self.cells[cell] = value;
    }

    /// Saves what the course of the game is: the header, and the stack, whose cells come after the first `stack_start`.
    pub(crate) fn save_course(&self, stack_start: usize, header: &mut [i32; head::SIZE], stack: &mut Vec<i32>) {
        header.copy_from_slice(&self.cells[..head::SIZE]);
        stack.clear();
        stack.extend_from_slice(&self.cells[stack_start..]);
    }

    /// Makes header and stack again what they were.
    pub(crate) fn restore_course(&mut self, stack_start: usize, header: &[i32; head::SIZE], stack: &[i32]) {
        self.cells[..head::SIZE].copy_from_slice(header);
        self.cells.truncate(stack_start);
        self.cells.extend_from_slice(stack);
    }

    /// Takes over the stack of another state, whose cells come after the first `stack_start`.
    pub(crate) fn take_stack(&mut self, stack_start: usize, other: &State) {
        self.cells.truncate(stack_start);
        self.cells.extend_from_slice(&other.cells[stack_start..]);
    }

    /// Returns a hash of the cells and the snapshot.
    pub fn hash(&self) -> u64 {
        let mut hash = 0x5EED_u64;
        for pair in self.cells.chunks(2).chain(self.snapshot.chunks(2)) {
            let word = cast::joined([pair[0], pair.get(1).copied().unwrap_or(0)]);
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x2545_F491_4F6C_DD1D);
        }
        mix(hash)
    }

    /// Returns the state as numbers: the number of cells, the cells, and the snapshot.
    pub fn save(&self) -> Vec<i32> {
        [&[cast::fit::<i32>(self.cells.len())], &self.cells[..], &self.snapshot[..]].concat()
    }

    /// Returns the game's seed.
    pub fn seed(&self) -> u64 {
        cast::joined([self.cells[head::SEED_LOW], self.cells[head::SEED_HIGH]])
    }

    /// Returns the round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.cells[head::ROUND]
    }

    /// Returns the number of turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.cells[head::TURN]
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.cells[head::FINISHED] != 0
    }

    /// Whether a simultaneous block is running.
    #[inline(always)]
    pub fn in_simultaneous_block(&self) -> bool {
        !self.snapshot.is_empty()
    }

    /// Returns the index of the part of the program that runs or comes next.
    pub fn program_part(&self) -> usize {
        cast::index(self.cells[head::PROGRAM])
    }
}
