//! The cells as they were when the last simultaneous block began: the snapshot of the next one is made of them, and of what has been written since.

use crate::cast;
use houserule_state::layout::head;

/// The most writes between two blocks from which the next snapshot is made; after more of them all cells are copied.
const MAX_NOTED: usize = 1000;

/// What the last block has left for the next. It is no part of a state, and a copy has none.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// The cells when the last block began; empty while it runs, and if there was none.
    cells: Vec<i32>,
    /// Whether what is written is noted.
    is_noting: bool,
    /// The cells that have been written since the last block began.
    written: Vec<u32>,
    /// Those that were written between the beginnings of the last two blocks, and whether that is known.
    between: Vec<u32>,
    is_between_known: bool,
    /// The number of blocks that have begun.
    blocks: u64,
}

impl Clone for Earlier {
    fn clone(&self) -> Earlier {
        Earlier::default()
    }
}

impl PartialEq for Earlier {
    fn eq(&self, _: &Earlier) -> bool {
        true
    }
}

impl Eq for Earlier {}

impl Earlier {
    /// Notes that a cell has been written.
    #[inline]
    pub fn note(&mut self, cell: usize) {
        if self.is_noting {
            self.written.push(cast::low(cast::count(cell)));
        }
    }

    /// Forgets what would not be used any more: called at each question, so that what is noted does not grow without end.
    #[inline]
    pub fn limit(&mut self) {
        if self.written.len() > MAX_NOTED {
            self.forget();
        }
    }

    /// Forgets all, because cells have been written that were not noted.
    pub fn forget(&mut self) {
        self.is_noting = false;
        self.cells.clear();
        self.written.clear();
    }

    /// Makes the snapshot of a block that begins.
    pub fn begin_block(&mut self, cells: &[i32], snapshot: &mut Vec<i32>) {
        std::mem::swap(&mut self.cells, snapshot);
        self.cells.clear();
        if self.is_noting && snapshot.len() == cells.len() && self.written.len() <= MAX_NOTED {
            snapshot[..head::SIZE].copy_from_slice(&cells[..head::SIZE]);
            for &cell in &self.written {
                snapshot[cell as usize] = cells[cell as usize];
            }
            std::mem::swap(&mut self.between, &mut self.written);
            self.is_between_known = true;
        } else {
            snapshot.clear();
            snapshot.extend_from_slice(cells);
            self.is_between_known = false;
        }
        self.written.clear();
        self.is_noting = true;
        self.blocks += 1;
    }

    /// Takes what was the snapshot of a block that has ended.
    pub fn end_block(&mut self, snapshot: &mut Vec<i32>, stack_start: usize) {
        snapshot.truncate(stack_start);
        if self.is_noting {
            std::mem::swap(&mut self.cells, snapshot);
        }
        snapshot.clear();
    }

    /// Returns the number of blocks that have begun, and which cells have been written between the beginnings of the last two, each once or more;
    /// `None` if that is not known.
    pub fn between(&self) -> (u64, Option<&[u32]>) {
        (self.blocks, self.is_between_known.then_some(&self.between[..]))
    }
}
