//! The state of a game: a vector of cells.

mod block;
mod frame;
mod write_log;

pub(crate) use block::{AnsweredAhead, BlockSeats, begin_block, frame_of_block, hide_answers, replace_in_block};
pub(crate) use frame::{Frame, card_of_operand, frames_of, named_cards, operand_of_card, replace_in_frames};

use super::ruleset::Ruleset;
use crate::cast;
use houserule_state::chance::mix;
use houserule_state::layout::{Layout, head, piece};
pub(crate) use write_log::{Entry, QUANTITY, WriteLog};

/// The capacity reserved for the stack of frames, in cells, so that it rarely grows.
const STACK: usize = 1024;

/// The state of a game at any moment. To copy or save it is to copy its cells.
///
/// The cells are private. Expressions read them through a `Reader`; other code reads them through a
/// [`super::Position`]. Only [`super::Store`] and the stack of frames write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Header, table, seats, pieces and places, then the stack of frames.
    cells: Vec<i32>,
    /// During a simultaneous block: the cells without the stack at its start, then the data of the block. Empty otherwise.
    snapshot: Vec<i32>,
    /// What has been written.
    log: WriteLog,
}

/// What a state was when a trial began, beside what its log has.
#[derive(Debug, Default)]
pub(crate) struct SavedState {
    /// The position in the log.
    position: usize,
    header: [i32; head::SIZE],
    stack: Vec<i32>,
    /// Where the running simultaneous block began, and how many had begun; with the header at its beginning and its data, empty if there was none.
    block: (Option<usize>, u64),
    block_header: [i32; head::SIZE],
    block_data: Vec<i32>,
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
        self.log.begin_anew(&[], None);
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

    /// Copies `other` into this, reusing the memory, with what has been written from a position on.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &State, position: usize) {
        self.cells.clone_from(&other.cells);
        self.snapshot.clone_from(&other.snapshot);
        self.log.copy_from(&other.log, position);
    }

    /// Overwrites the cells and the snapshot.
    pub(crate) fn load(&mut self, cells: &[i32], snapshot: &[i32]) {
        for (to, from) in [(&mut self.cells, cells), (&mut self.snapshot, snapshot)] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.log.begin_anew(&[], None);
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
        self.log.forget_snapshots();
        (&mut self.cells, &mut self.snapshot)
    }

    /// Writes a cell before the stack, and notes it in the log: for [`super::Store::put`].
    #[inline(always)]
    pub(crate) fn set(&mut self, cell: usize, value: i32) {
        let old = std::mem::replace(&mut self.cells[cell], value);
        self.log.note(cast::low(cast::count(cell)), old);
    }

    /// Does the same if the log needs no more memory, and returns whether it does not.
    #[inline(always)]
    pub(crate) fn set_within(&mut self, cell: usize, value: i32) -> bool {
        let to = &mut self.cells[cell];
        let has_room = self.log.note_within(cast::low(cast::count(cell)), *to);
        if has_room {
            *to = value;
        }
        has_room
    }

    /// Returns what has been written, in order.
    #[inline]
    pub(crate) fn log(&self) -> &WriteLog {
        &self.log
    }

    /// The same, to note in it what is no write of a cell.
    #[inline]
    pub(crate) fn log_mut(&mut self) -> &mut WriteLog {
        &mut self.log
    }

    /// Begins the log anew, because cells were written from outside; they are those before the first `stack_start`.
    pub(crate) fn begin_log_anew(&mut self, stack_start: usize) {
        let cells = self.cells.get(..stack_start).unwrap_or_default();
        self.log.begin_anew(cells, self.snapshot.get(..stack_start));
    }

    /// Begins a trial; `saved` is to come back to it.
    pub(crate) fn begin_trial(&mut self, stack_start: usize, saved: &mut SavedState) {
        saved.position = self.log.begin_trial();
        saved.header.copy_from_slice(&self.cells[..head::SIZE]);
        saved.block = self.log.running_block();
        if let Some(header) = self.snapshot.first_chunk() {
            saved.block_header = *header;
        }
        let behind = [(&mut saved.stack, &self.cells), (&mut saved.block_data, &self.snapshot)];
        for (saved, cells) in behind {
            saved.clear();
            saved.extend_from_slice(cells.get(stack_start..).unwrap_or_default());
        }
    }

    /// Makes everything again what it was when a trial began.
    pub(crate) fn take_back(&mut self, stack_start: usize, saved: &SavedState) {
        let State { cells, snapshot, log } = self;
        let is_in_block = !saved.block_data.is_empty();
        log.take_back((saved.position, saved.block.0), cells);
        if is_in_block {
            log.resume_block(saved.block, &cells[..stack_start], snapshot);
            snapshot.truncate(stack_start);
            snapshot[..head::SIZE].copy_from_slice(&saved.block_header);
            snapshot.extend_from_slice(&saved.block_data);
        } else if !snapshot.is_empty() {
            self.drop_block();
        }
        self.cells[..head::SIZE].copy_from_slice(&saved.header);
        self.cells.truncate(stack_start);
        self.cells.extend_from_slice(&saved.stack);
    }

    /// Writes a cell without invalidating anything: for counters of the header and cells of the stack.
    #[inline(always)]
    pub(crate) fn write(&mut self, cell: usize, value: i32) {
        self.cells[cell] = value;
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
