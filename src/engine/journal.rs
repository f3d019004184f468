//! The old values of cells that have been written, so that it can be undone.

/// The cells that have been written since something began that may be undone, each with its value before.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Each cell with its value before; a cell that was written twice is there twice.
    pub entries: Vec<(u32, i32)>,
    /// Whether writes are noted.
    pub is_on: bool,
    /// How many entries there were when the running simultaneous block began; `None` if there is none, or if it began elsewhere.
    block: Option<usize>,
    /// How many trials have begun and have not been taken back.
    trials: usize,
}

impl Journal {
    /// Notes that a cell is about to be written.
    #[inline]
    pub fn note(&mut self, cell: u32, old: i32) {
        self.entries.push((cell, old));
    }

    /// Notes that a simultaneous block begins.
    pub fn begin_block(&mut self) {
        (self.block, self.is_on) = (Some(self.entries.len()), true);
    }

    /// Notes that no simultaneous block is running.
    pub fn end_block(&mut self) {
        self.block = None;
        self.stop_if_unneeded();
    }

    /// Calls `write` with each cell that has been written since the running block began and the value it had, the last first. Returns whether
    /// these are all.
    pub fn undo_block(&mut self, write: impl FnMut(u32, i32)) -> bool {
        let Some(from) = self.block else { return false };
        undo(&mut self.entries, from, write);
        true
    }

    /// Notes that a trial begins; returns how many entries there are.
    pub fn begin_trial(&mut self) -> usize {
        self.trials += 1;
        self.is_on = true;
        self.entries.len()
    }

    /// Calls `write` with each cell that has been written since a trial began and the value it had, the last first.
    pub fn take_back(&mut self, from: usize, write: impl FnMut(u32, i32)) {
        undo(&mut self.entries, from, write);
        self.block = None;
        self.trials = self.trials.saturating_sub(1);
        self.stop_if_unneeded();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.is_on, self.block, self.trials) = (false, None, 0);
        self.entries.clear();
    }

    fn stop_if_unneeded(&mut self) {
        if self.trials == 0 && self.block.is_none() {
            self.is_on = false;
            self.entries.clear();
        }
    }
}

fn undo(entries: &mut Vec<(u32, i32)>, from: usize, mut write: impl FnMut(u32, i32)) {
    entries.drain(from.min(entries.len())..).rev().for_each(|(cell, old)| write(cell, old));
}
