//! What a game knows of its copies in the memory of a module: where they lie, and how much of what has been written they have.

use super::undo::SlotUndo;
use crate::state::{Entry, WriteLog};

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
    /// How much of the log of the state that copy has: a position.
    pub seen: usize,
    /// The last copy of this game's own that it needs no more, so that its slot is free for the next.
    pub spare: Copied,
    /// The copies for a simultaneous block.
    pub block: BlockMirror,
    /// What the copies were when each trial began, and memory for more.
    pub trials: Vec<SavedCopies>,
    pub spare_undo: Vec<SlotUndo>,
}

/// What the copies of a game were when a trial began.
#[derive(Debug)]
pub(crate) struct SavedCopies {
    pub copied: Copied,
    pub seen: usize,
    /// How many blocks had begun, and whether the last one was running.
    pub blocks: u64,
    pub is_in_block: bool,
    /// What has to be put back into the copy of the current cells, or in a block of those before it.
    pub undo: SlotUndo,
}

/// The copies of a game that is in a simultaneous block.
#[derive(Debug, Default)]
pub(crate) struct BlockMirror {
    /// The copy of the cells as they were when the block began.
    pub before: Copied,
    /// The copy of the cells as a seat reads them, that seat, and the number of the block.
    pub view: Copied,
    pub seat: u8,
    pub number: u64,
    /// What was such a copy in the block before, and the number of that block: it differs from the next only in cells written since.
    pub last_view: (Copied, u64),
    /// How much of the log, from the beginning of the block on, the copy for the acting seat has: a position.
    pub applied: usize,
    /// What it has although that is undone already, and has to be taken back from it.
    pub undone: Vec<u32>,
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
        self.forget();
        (self.copied, self.seen, self.is_of_another) = (source.copied, source.seen, true);
        self.trials.clear();
    }
}

impl Mirror {
    /// Returns what has been written since the copy was brought up to date; `None` if that is not known any more, or so much that a copy made anew
    /// costs less.
    #[inline]
    pub fn written<'l>(&self, log: &'l WriteLog) -> Option<&'l [Entry]> {
        log.since(self.seen).filter(|written| written.len() <= MAX_WRITTEN)
    }

    /// Notes that a trial begins, while the copies are up to date.
    pub fn begin_trial(&mut self, (log, is_in_block): (&WriteLog, bool)) {
        let mut undo = self.spare_undo.pop().unwrap_or_default();
        undo.begin();
        let (copied, seen, blocks) = (self.copied, self.seen, log.running_block().1);
        self.trials.push(SavedCopies { copied, seen, blocks, is_in_block, undo });
    }

    /// Returns what has to be put back into the copy of the current cells for the last trial.
    pub fn undo(&mut self) -> Option<&mut SlotUndo> {
        self.trials.last_mut().map(|saved| &mut saved.undo)
    }

    /// Notes that any cell may have been written.
    pub fn forget(&mut self) {
        self.give_up_copy();
        self.block.forget();
        self.block.last_view = Default::default();
    }

    /// Forgets the copy of the current cells.
    pub fn give_up_copy(&mut self) {
        let copied = std::mem::take(&mut self.copied);
        if copied.id != 0 && !self.is_of_another {
            self.spare = copied;
        }
    }

    /// Notes that a trial is being taken back that began when so many blocks had begun, in the last one or behind it. The copy of the current cells
    /// is again as it was.
    pub fn resume_block(&mut self, (blocks, is_in_block): (u64, bool), log: &WriteLog) {
        if log.running_block().1 != blocks {
            self.block.forget();
            self.block.last_view = Default::default();
        }
        if !is_in_block || self.block.view.id == 0 {
            return;
        }
        // What the copy for the acting seat has of the block is taken back first, and applied again as far as it was not tried.
        let applied = log.since(self.seen).and_then(|entries| entries.get(..self.block.applied.checked_sub(self.seen)?));
        self.block.undone.extend(applied.unwrap_or_default().iter().map(|entry| entry.0));
        (self.block.before, self.block.applied) = (self.copied, self.seen);
    }

    /// Notes that what has been written since the running block began is about to be undone.
    pub fn restore(&mut self, log: &WriteLog) {
        // The copy of the current cells is not brought up to date as long as seats act.
        let Some(begin) = log.running_block().0.filter(|&begin| self.seen <= begin) else { return self.forget() };
        self.block.undone.extend(self.block.applied_since(log, begin).iter().map(|entry| entry.0));
        self.block.applied = begin;
    }
}

impl BlockMirror {
    /// Returns what the copy for the acting seat has of what was written since the block began.
    pub fn applied_since<'l>(&self, log: &'l WriteLog, begin: usize) -> &'l [Entry] {
        let applied = self.applied.checked_sub(begin).zip(log.since(begin));
        applied.and_then(|(count, entries)| entries.get(..count)).unwrap_or_default()
    }

    /// Notes that the copy for an acting seat is as the cells were when the block began, at a position of the log.
    pub fn begin(&mut self, begin: usize) {
        self.undone.clear();
        self.applied = begin;
    }

    /// Forgets the copies, such as at the end of a block.
    pub fn forget(&mut self) {
        if self.view.id != 0 {
            let is_whole = self.undone.is_empty();
            self.last_view = if is_whole { (self.view, self.number) } else { Default::default() };
        }
        (self.before, self.view, self.applied) = Default::default();
        self.undone.clear();
    }
}
