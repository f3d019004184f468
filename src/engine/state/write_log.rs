//! The cells that have been written, in order, each with its value before. By this one log changes are undone, copies in the memory of generated code
//! are brought up to date, and the snapshot of a simultaneous block is made from that of the last one.
//!
//! Whoever has a copy remembers how much of the log it has: a position. Positions grow, until something is undone: then the log ends again where that
//! began, and whoever had more has to go back as well.

use houserule_state::layout::head;

/// The most entries that are kept from question to question, while nothing can be undone; copies that lack older ones are made anew.
const MAX_ENTRIES: usize = 8000;
/// From writes between two blocks the next snapshot is made if there was at most one for so many cells; otherwise all cells are copied.
const CELLS_PER_WRITE: usize = 16;

/// Marks an entry that is no cell, but the index of a quantity that other cards than before change.
pub(crate) const QUANTITY: u32 = 1 << 31;

/// A cell, or a quantity, and the value of the cell before.
pub(crate) type Entry = (u32, i32);

/// What has been written to a state. It is no part of the state, and a copy has only what it needs itself.
#[derive(Debug, Default)]
pub(crate) struct WriteLog {
    entries: Vec<Entry>,
    /// The position of the first entry.
    first: usize,
    /// Where the running simultaneous block began; `None` if there is none, or if cells were written since that are not noted.
    block: Option<usize>,
    /// Where the trials began that have not been taken back.
    trials: Vec<usize>,
    /// The cells when the last block began, empty while it runs, and where that was; `None` if there was none.
    earlier: Vec<i32>,
    earlier_at: Option<usize>,
    /// Cells that may differ from these although they were not written since: a trial in which the block began has been taken back.
    taken_back: Vec<u32>,
    /// Where the last two blocks began, if the second was made from the first.
    between: Option<[usize; 2]>,
    /// The number of blocks that have begun.
    blocks: u64,
}

impl Clone for WriteLog {
    fn clone(&self) -> WriteLog {
        WriteLog::default()
    }
}

impl PartialEq for WriteLog {
    fn eq(&self, _: &WriteLog) -> bool {
        true
    }
}

impl Eq for WriteLog {}

impl WriteLog {
    /// Notes that a cell has been written.
    #[inline]
    pub fn note(&mut self, cell: u32, old: i32) {
        self.entries.push((cell, old));
    }

    /// Does the same if that needs no more memory, and returns whether it does not.
    #[inline]
    pub fn note_within(&mut self, cell: u32, old: i32) -> bool {
        let has_room = self.entries.len() < self.entries.capacity();
        if has_room {
            self.entries.push((cell, old));
        }
        has_room
    }

    /// Returns the position behind the last entry.
    #[inline]
    pub fn end(&self) -> usize {
        self.first + self.entries.len()
    }

    /// Returns the entries from a position on; `None` if they are not known any more.
    #[inline]
    pub fn since(&self, position: usize) -> Option<&[Entry]> {
        self.entries.get(position.checked_sub(self.first)?..)
    }

    /// Returns where the running block began; the end of the log if that is not known.
    pub fn block_begin(&self) -> usize {
        self.block.unwrap_or(self.end())
    }

    /// Takes over what a copy of a state needs whose own copies have the log up to a position.
    pub fn copy_from(&mut self, source: &WriteLog, position: usize) {
        let from = position.min(source.block_begin()).clamp(source.first, source.end());
        (self.first, self.block) = (from, source.block);
        self.trials.clear();
        self.entries.clear();
        self.entries.extend_from_slice(source.since(from).unwrap_or_default());
        self.forget_snapshots();
    }

    /// Forgets old entries if there are many: called at each question, so that the log does not grow without end.
    #[inline]
    pub fn limit(&mut self) {
        if self.entries.len() > MAX_ENTRIES && self.trials.is_empty() && self.block.is_none() {
            self.first = self.end();
            self.entries.clear();
        }
    }

    /// Forgets everything, because cells have been written that were not noted. In a block, of which this is the snapshot, it is as if those cells had
    /// been written since it began that differ now.
    pub fn begin_anew(&mut self, cells: &[i32], snapshot: Option<&[i32]>) {
        self.first = self.end() + 1;
        self.entries.clear();
        self.forget_snapshots();
        self.trials.clear();
        self.block = snapshot.map(|_| self.first);
        let chunks = (0..).step_by(16).zip(snapshot.unwrap_or_default().chunks(16)).zip(cells.chunks(16));
        for ((first, before), now) in chunks.filter(|((_, before), now)| before != now) {
            let differing = (first..).zip(before).zip(now).filter(|((_, before), now)| before != now);
            self.entries.extend(differing.map(|((cell, &before), _)| (cell, before)));
        }
    }

    /// Forgets the snapshot of the last block.
    pub fn forget_snapshots(&mut self) {
        (self.earlier_at, self.between) = (None, None);
        self.earlier.clear();
        self.taken_back.clear();
    }

    // ------------------------------------------------------------------ trials

    /// Begins a trial; returns its position.
    pub fn begin_trial(&mut self) -> usize {
        self.trials.push(self.end());
        self.end()
    }

    /// Takes back the trial that began at a position, in a block that had begun at `block`, if it was in one.
    pub fn take_back(&mut self, (from, block): (usize, Option<usize>), cells: &mut [i32]) {
        if let Some(at) = self.earlier_at.filter(|&at| at > from) {
            let until = self.entries.get(from.saturating_sub(self.first)..at.saturating_sub(self.first)).unwrap_or_default();
            self.taken_back.extend(until.iter().map(|entry| entry.0));
            (self.earlier_at, self.between) = (Some(from), None);
        }
        self.undo(from, cells);
        self.block = block;
        self.trials.pop();
    }

    fn undo(&mut self, from: usize, cells: &mut [i32]) {
        let kept = from.saturating_sub(self.first).min(self.entries.len());
        self.put_back(kept, cells);
        self.entries.truncate(kept);
    }

    /// Makes cells again what they were before the entries from this one on.
    fn put_back(&self, begin: usize, cells: &mut [i32]) {
        for &(cell, old) in self.entries[begin..].iter().rev() {
            if let Some(cell) = cells.get_mut(cell as usize) {
                *cell = old;
            }
        }
    }

    // ------------------------------------------------------------------ simultaneous blocks

    /// Makes the snapshot of a block that begins.
    pub fn begin_block(&mut self, cells: &[i32], snapshot: &mut Vec<i32>) {
        std::mem::swap(&mut self.earlier, snapshot);
        self.earlier.clear();
        let (here, is_whole) = (self.end(), snapshot.len() == cells.len());
        let are_few = |written: &&[Entry]| written.len() <= cells.len() / CELLS_PER_WRITE;
        let written = self.earlier_at.filter(|_| is_whole).and_then(|at| Some((at, self.since(at).filter(are_few)?)));
        self.between = match written {
            Some((at, written)) => {
                snapshot[..head::SIZE].copy_from_slice(&cells[..head::SIZE]);
                for cell in written.iter().map(|entry| entry.0).chain(self.taken_back.iter().copied()) {
                    if let (Some(to), Some(cell)) = (snapshot.get_mut(cell as usize), cells.get(cell as usize)) {
                        *to = *cell;
                    }
                }
                Some([at, here]).filter(|_| self.taken_back.is_empty())
            }
            None => {
                snapshot.clear();
                snapshot.extend_from_slice(cells);
                None
            }
        };
        self.taken_back.clear();
        (self.earlier_at, self.block) = (Some(here), Some(here));
        self.blocks += 1;
    }

    /// Takes what was the snapshot of a block that has ended.
    pub fn end_block(&mut self, snapshot: &mut Vec<i32>, stack_start: usize) {
        snapshot.truncate(stack_start);
        if self.earlier_at.is_some() {
            std::mem::swap(&mut self.earlier, snapshot);
        }
        snapshot.clear();
        self.block = None;
    }

    /// Notes that the running block was dropped.
    pub fn drop_block(&mut self) {
        self.block = None;
        self.forget_snapshots();
    }

    /// Undoes what has been written since the running block began; what cards had changed of quantities changes back, so that this stands in the log of
    /// the block. Returns false if that is not known.
    pub fn undo_block(&mut self, cells: &mut [i32]) -> bool {
        let Some(from) = self.block else { return false };
        let (begin, until) = (from.saturating_sub(self.first), self.entries.len());
        if self.trials.last().is_none_or(|&trial| trial <= from) {
            self.put_back(begin, cells);
            let mut kept = begin;
            for at in begin..until {
                if self.entries[at].0 >= QUANTITY {
                    self.entries.swap(kept, at);
                    kept += 1;
                }
            }
            self.entries.truncate(kept);
            return true;
        }
        // A trial that began in the block needs the entries: what undoes them is written behind them.
        for at in (begin..until).rev() {
            let (cell, old) = self.entries[at];
            if let Some(now) = cells.get_mut(cell as usize) {
                self.entries.push((cell, std::mem::replace(now, old)));
            }
        }
        self.block = Some(self.end());
        for at in begin..until {
            let entry = self.entries[at];
            if entry.0 >= QUANTITY {
                self.entries.push(entry);
            }
        }
        true
    }

    /// Returns where the running block began, if there is one, and the number of blocks that have begun.
    pub fn running_block(&self) -> (Option<usize>, u64) {
        (self.block, self.blocks)
    }

    /// Makes the snapshot again that of a block that had begun at a position when so many had; a trial in which it may have ended has been taken
    /// back, so that the cells are as they were at its beginning but for what was written since, and but for the header.
    pub fn resume_block(&mut self, (begin, number): (Option<usize>, u64), cells: &[i32], snapshot: &mut Vec<i32>) {
        if number == self.blocks && !snapshot.is_empty() {
            return;
        }
        if number == self.blocks && self.earlier.len() == cells.len() {
            std::mem::swap(&mut self.earlier, snapshot);
            self.earlier.clear();
            return;
        }
        self.forget_snapshots();
        self.earlier_at = begin;
        snapshot.clear();
        snapshot.extend_from_slice(cells);
        let since = begin.and_then(|begin| self.since(begin)).unwrap_or_default();
        for &(cell, old) in since.iter().rev() {
            if let Some(cell) = snapshot.get_mut(cell as usize) {
                *cell = old;
            }
        }
    }

    /// Returns the number of blocks that have begun, and what has been written between the beginnings of the last two; `None` if that is not known.
    pub fn between_blocks(&self) -> (u64, Option<&[Entry]>) {
        (self.blocks, self.between.and_then(|[from, to]| self.since(from)?.get(..to - from)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state of some cells behind its header, that are written by number.
    struct Written(WriteLog, Vec<i32>);

    impl Written {
        fn put(&mut self, cell: usize, value: i32) {
            let cell = head::SIZE + cell;
            self.0.note(cell as u32, std::mem::replace(&mut self.1[cell], value));
        }

        fn begin_block(&mut self) -> Vec<i32> {
            let mut snapshot = Vec::new();
            self.0.begin_block(&self.1, &mut snapshot);
            assert_eq!(snapshot, self.1);
            snapshot
        }
    }

    #[test]
    fn a_snapshot_is_as_the_cells_are_whatever_was_taken_back_before() {
        let mut state = Written(WriteLog::default(), vec![0; head::SIZE + 4]);
        let ended = |state: &mut Written, mut snapshot: Vec<i32>| {
            let len = snapshot.len();
            state.0.end_block(&mut snapshot, len);
        };
        let first = state.begin_block();
        state.put(0, 5);
        assert!(state.0.undo_block(&mut state.1));
        assert_eq!(state.1, first);
        state.put(1, 6);
        ended(&mut state, first);
        let before = state.1.clone();
        let trial = state.0.begin_trial();
        state.put(2, 7);
        let inner = state.begin_block();
        state.put(3, 8);
        ended(&mut state, inner);
        state.put(0, 9);
        state.0.take_back((trial, None), &mut state.1);
        assert_eq!(state.1, before);
        state.put(1, 3);
        let last = state.begin_block();
        assert_eq!(state.0.between_blocks(), (3, None));
        ended(&mut state, last);
        state.put(1, 4);
        state.begin_block();
        assert_eq!(state.0.between_blocks(), (4, Some(&[(head::SIZE as u32 + 1, 3)][..])));
    }

    #[test]
    fn a_block_goes_on_when_a_trial_in_it_is_taken_back_whatever_came_of_the_block() {
        for (ends, begins_another) in [(false, false), (true, false), (true, true)] {
            let mut state = Written(WriteLog::default(), vec![0; head::SIZE + 4]);
            state.put(0, 1);
            let first = state.begin_block();
            let mut snapshot = first.clone();
            state.put(1, 2);
            let (before, block, trial) = (state.1.clone(), state.0.running_block(), state.0.begin_trial());
            state.put(2, 3);
            assert!(state.0.undo_block(&mut state.1));
            assert_eq!(state.1, first, "rolled back within the trial");
            state.put(3, 4);
            if ends {
                let len = snapshot.len();
                state.0.end_block(&mut snapshot, len);
                state.put(0, 9);
            }
            if begins_another {
                snapshot = state.begin_block();
            }
            state.0.take_back((trial, block.0), &mut state.1);
            state.0.resume_block(block, &state.1, &mut snapshot);
            assert_eq!((&state.1, &snapshot), (&before, &first), "{ends} {begins_another}");
            assert!(state.0.undo_block(&mut state.1));
            assert_eq!(state.1, first);
        }
    }

    #[test]
    fn what_is_not_noted_is_known_to_be_unknown() {
        let mut state = Written(WriteLog::default(), vec![0; head::SIZE + 4]);
        let position = state.0.end();
        state.put(0, 1);
        assert_eq!(state.0.since(position).map(<[Entry]>::len), Some(1));
        let mut snapshot = state.1.clone();
        snapshot[head::SIZE + 2] = 4;
        state.0.begin_anew(&state.1, Some(&snapshot));
        assert_eq!((state.0.since(position), state.0.since(position + 1)), (None, None));
        assert!(state.0.undo_block(&mut state.1));
        assert_eq!(state.1, snapshot);
    }
}
