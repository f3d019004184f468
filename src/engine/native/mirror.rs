//! What a game knows of its copies in the memory of a module: where they lie, and what has been written since.

use super::undo::SlotUndo;
use houserule_codegen::MemoryLayout;

/// The number of writes beyond which a copy is made anew.
const MAX_WRITTEN: usize = 400;

/// What a slot of memory holds: a state as it was at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copied {
    /// The state that was copied; 0 if none was.
    pub id: u64,
    /// How often the copy has been brought up to date.
    pub version: u64,
    /// The slot.
    pub slot: usize,
}

/// The copies of a game in memory.
#[derive(Debug, Default)]
pub(crate) struct Mirror {
    /// The copy of the current cells; that of another state, if this one was copied from that.
    pub copied: Copied,
    /// Whether that is another state's.
    pub is_of_another: bool,
    /// The last copy of this game's own that it needs no more, so that its slot is free for the next.
    pub spare: Copied,
    /// The cells that have been written since, in order; behind the cells come the quantities whose changes by cards are others.
    pub written: Vec<u32>,
    /// The copies for a simultaneous block.
    pub block: BlockMirror,
    /// What has to be put back into the copy of the current cells for each trial, and memory for more.
    pub trials: Vec<(Copied, SlotUndo)>,
    pub spare_undo: Vec<SlotUndo>,
}

/// The copies of a game that is in a simultaneous block.
#[derive(Debug, Default)]
pub(crate) struct BlockMirror {
    /// How much of what had been written to the current cells was written before the block began.
    pub written_before: usize,
    /// The copy of the cells as they were when the block began.
    pub before: Copied,
    /// The copy of the cells as a seat reads them, that seat, and the number of the block.
    pub view: Copied,
    pub seat: u8,
    pub number: u64,
    /// What was such a copy in the block before, and the number of that block: it differs from the next only in cells written since.
    pub last_view: (Copied, u64),
    /// All that has been written since the block began.
    pub written: Vec<u32>,
    /// How much of this the copy for the acting seat has.
    pub applied: usize,
    /// How much of it is undone already, and has to be taken back from the copy.
    pub undone: usize,
    /// What has to be put back into the copy for another seat to act.
    pub undo: SlotUndo,
}

impl Clone for Mirror {
    fn clone(&self) -> Mirror {
        let mut mirror = Mirror::default();
        mirror.clone_from(self);
        mirror
    }

    fn clone_from(&mut self, source: &Mirror) {
        self.give_up_copy();
        self.copied = source.copied;
        self.is_of_another = true;
        self.written.clone_from(&source.written);
        self.block.forget();
        self.block.last_view = Default::default();
        self.block.written_before = source.block.written_before;
        self.trials.clear();
    }
}

impl Mirror {
    /// Notes that a cell has been written, or behind the cells, that the changes of a quantity are others.
    #[inline]
    pub fn note(&mut self, written: u32, in_block: bool) {
        if self.copied.id != 0 {
            self.written.push(written);
            if self.written.len() > MAX_WRITTEN {
                self.give_up_copy();
                self.written.clear();
            }
        }
        if in_block && self.block.before.id != 0 {
            self.block.written.push(written);
            if self.block.written.len() > MAX_WRITTEN {
                self.block.forget();
            }
        }
    }

    /// Notes that a trial begins, while the copy is up to date.
    pub fn begin_trial(&mut self, layout: &MemoryLayout, players: usize) {
        let mut undo = self.spare_undo.pop().unwrap_or_default();
        undo.begin(layout, players);
        self.trials.push((self.copied, undo));
    }

    /// Notes that any cell may have been written.
    pub fn forget(&mut self) {
        self.give_up_copy();
        self.written.clear();
        self.block.forget();
        self.block.last_view = Default::default();
    }

    /// Forgets the copy of the current cells.
    fn give_up_copy(&mut self) {
        let copied = std::mem::take(&mut self.copied);
        if copied.id != 0 && !self.is_of_another {
            self.spare = copied;
        }
    }

    /// Notes that the cells are again as they were when the block began.
    pub fn restore(&mut self) {
        if self.block.before.id == 0 || self.block.before != self.copied {
            return self.forget();
        }
        // The copy of the current cells has not been brought up to date since the block began.
        self.written.clear();
        self.block.written_before = 0;
        self.block.written.truncate(self.block.applied);
        self.block.undone = self.block.applied;
    }
}

impl BlockMirror {
    /// Notes that the copy for an acting seat is as the cells were when the block began.
    pub fn begin(&mut self) {
        self.written.drain(..self.undone);
        (self.applied, self.undone) = (0, 0);
    }

    /// Forgets the copies, such as at the end of a block.
    pub fn forget(&mut self) {
        if self.view.id != 0 {
            self.last_view = (self.view, self.number);
        }
        (self.before, self.view, self.applied, self.undone) = Default::default();
        self.written.clear();
    }
}
