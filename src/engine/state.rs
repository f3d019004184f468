//! The state of a game as a plain value: its cells, and nothing else.

mod block;
mod frame;

pub(crate) use block::{AnsweredAhead, BlockSeats, begin_block, hide_answers, rename_in_block};
pub(crate) use frame::{Frame, card_of_operand, operand_of_card, rename_in_frames};

use super::ruleset::Ruleset;
use crate::cast;
use houserule_state::chance::mix;
use houserule_state::layout::{Layout, head, piece};

/// Cells that are reserved for the stack of frames when a game begins, so that it hardly ever grows.
const STACK: usize = 1024;

/// The state of a game at any point of it. A copy is one copy of memory, a hash one pass, and a save the cells.
///
/// Cells are private: expressions read them through a `Reader`, which notes what was read for the caches; whoever moves cards or shows
/// them, through a [`super::Position`]. They are changed by the one checked function of a [`super::Machine`] and by the stack of frames alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Header, table, seats, pieces, places; behind them the stack of frames.
    cells: Vec<i32>,
    /// While all act at once: the cells without the stack as they were when the block began, and behind them what the block has to
    /// remember. Empty otherwise.
    snapshot: Vec<i32>,
}

impl State {
    /// Begins a game with this seed in the memory of an earlier one; no card lies in its deck yet.
    pub(crate) fn restart(&mut self, rules: &Ruleset, seed: u64) {
        let fixed = rules.layout.len;
        self.cells.clear();
        self.cells.reserve(fixed + STACK);
        self.cells.resize(fixed, 0);
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
        self.push_first_frame(fixed, rules.ops.parts.first().copied().unwrap_or_default());
        for (index, &home) in rules.piece_home.iter().enumerate() {
            self.cells[rules.layout.piece(index, piece::PLACE)] = home as i32;
        }
    }

    /// Lays cards into a deck that is empty, the first at the bottom.
    pub(crate) fn lay_deck(&mut self, layout: &Layout, deck: usize, cards: impl ExactSizeIterator<Item = u16>) {
        let base = layout.places[deck].base as usize;
        self.cells[base] = cast::fit::<i32>(cards.len());
        for (position, card) in cards.enumerate() {
            self.cells[base + 1 + position] = card as i32 + 1;
            self.cells[layout.piece(card as usize, piece::POSITION)] = cast::fit::<i32>(position);
        }
    }

    /// Becomes a copy of another state in the memory that this one has.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &State) {
        self.cells.clone_from(&other.cells);
        self.snapshot.clone_from(&other.snapshot);
    }

    /// Overwrites everything.
    pub(crate) fn load(&mut self, cells: &[i32], snapshot: &[i32]) {
        for (to, from) in [(&mut self.cells, cells), (&mut self.snapshot, snapshot)] {
            to.clear();
            to.extend_from_slice(from);
        }
    }

    /// The cells as they are now.
    #[inline(always)]
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// While all act at once: the cells as they were, and behind them what the block has to remember. Empty otherwise.
    #[inline(always)]
    pub(crate) fn snapshot(&self) -> &[i32] {
        &self.snapshot
    }

    /// The cells and the snapshot, for what rewrites a state as a whole: views, and states that are imagined.
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<i32>, &mut Vec<i32>) {
        (&mut self.cells, &mut self.snapshot)
    }

    /// Writes a cell without any regard to what depends on it: for counters of the header, and for cells of the stack.
    #[inline(always)]
    pub(crate) fn write(&mut self, cell: usize, value: i32) {
        self.cells[cell] = value;
    }

    /// A hash of the whole state: every cell, and nothing else.
    pub fn hash(&self) -> u64 {
        let mut h = 0x5EED_u64;
        for pair in self.cells.chunks(2).chain(self.snapshot.chunks(2)) {
            let word = cast::joined([pair[0], pair.get(1).copied().unwrap_or(0)]);
            h = (h.rotate_left(5) ^ word).wrapping_mul(0x2545_F491_4F6C_DD1D);
        }
        mix(h)
    }

    /// The whole state, for saving: how many cells it has, the cells, and the snapshot.
    pub fn save(&self) -> Vec<i32> {
        [&[cast::fit::<i32>(self.cells.len())], &self.cells[..], &self.snapshot[..]].concat()
    }

    /// The game's seed.
    pub fn seed(&self) -> u64 {
        cast::joined([self.cells[head::SEED_LOW], self.cells[head::SEED_HIGH]])
    }

    /// The round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.cells[head::ROUND]
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.cells[head::TURN]
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.cells[head::FINISHED] != 0
    }

    /// Whether a block is under way in which all act at once.
    #[inline(always)]
    pub fn acts_at_once(&self) -> bool {
        !self.snapshot.is_empty()
    }

    /// The part of the program that runs or comes next.
    pub fn program_at(&self) -> usize {
        cast::index(self.cells[head::PROGRAM])
    }
}
