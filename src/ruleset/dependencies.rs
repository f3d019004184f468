//! Dependencies of cached values: recorded while values are evaluated, and shared by all games of a ruleset.

use crate::cast;
use crate::code::ValueId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, PoisonError};

/// The value that represents the state-based checks.
pub const CHECKS: ValueId = ValueId(0);

/// Records what a value reads while it is evaluated: names the value and the seat whose dependencies are recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recording {
    /// The index in the bits of [`Dependencies`] at which the rows of the value's word begin.
    pub word_start: u32,
    /// The index of the word that contains the value's bit.
    pub word: u16,
    /// The seat for which the value is evaluated.
    pub seat: u8,
    /// The value's bit in that word; 0 if nothing is being recorded.
    pub bit: u64,
}

impl Recording {
    /// Starts recording what a value of a seat reads.
    pub fn start(dependencies: &Dependencies, value: ValueId, seat: usize) -> Recording {
        let word = value.0 / 64;
        Recording { word_start: dependencies.word_start(word as usize), word, bit: 1 << (value.0 % 64), seat: cast::seat(seat) }
    }

    /// Whether dependencies are being recorded.
    #[inline(always)]
    pub fn is_on(self) -> bool {
        self.bit != 0
    }
}

/// The table of what cached values depend on. Each row is one thing that can be read: first come the classes of cells, then the quantities
/// that cards change, then the cached values. A row holds two bits for each value: whether the value has read the row for its own seat,
/// and whether for any other seat.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// How many 64-bit words hold one bit for each value.
    pub word_count: usize,
    /// The number of rows of the table.
    rows: usize,
    /// The index of the first row that stands for a quantity.
    pub first_quantity_row: usize,
    /// The index of the first row that stands for a cached value.
    pub first_value_row: usize,
    /// The bits of the table: for each word of values, and in it for each row, two words: readers of their own seat, and readers of any
    /// seat.
    bits: Box<[AtomicU64]>,
    /// For each row, whether any value depends on it.
    read: Box<[AtomicBool]>,
    learning: Mutex<()>,
}

impl Dependencies {
    /// Creates an empty table for these numbers of classes of cells, quantities and values.
    pub fn new(classes: usize, quantities: usize, values: usize) -> Dependencies {
        let words = values.div_ceil(64);
        let first = classes + quantities;
        let bits = (0..(first + values) * 2 * words).map(|_| AtomicU64::new(0)).collect();
        let read = (0..first + values).map(|_| AtomicBool::new(false)).collect();
        Dependencies {
            word_count: words,
            rows: first + values,
            first_quantity_row: classes,
            first_value_row: first,
            bits,
            read,
            learning: Mutex::new(()),
        }
    }

    /// Whether anything has ever read a row.
    #[inline(always)]
    pub fn is_read(&self, row: usize) -> bool {
        self.read.get(row).is_some_and(|read| read.load(Acquire))
    }

    /// Returns the index in the bits at which the rows of a word of values begin.
    pub fn word_start(&self, word: usize) -> u32 {
        cast::fit::<u32>(word * self.rows * 2)
    }

    /// Returns the bits of one word of values in a row: the values that read it for their own seat, or for any seat.
    #[inline(always)]
    pub fn row_bits(&self, word: usize, row: usize, any_seat: bool) -> &AtomicU64 {
        &self.bits[self.word_start(word) as usize + row * 2 + any_seat as usize]
    }

    /// Records that the value being evaluated reads a row.
    #[inline(always)]
    pub fn record(&self, recording: Recording, row: usize, other_seat: bool) {
        let known = self.bits[recording.word_start as usize + row * 2 + other_seat as usize].load(Acquire);
        if known & recording.bit != recording.bit {
            self.record_first(recording, row, other_seat);
        }
    }

    /// Returns the values of one word that have read a row, as bits.
    pub fn readers(&self, word: usize, row: usize, any_seat: bool) -> u64 {
        self.row_bits(word, row, any_seat).load(Acquire)
    }

    /// Adds values, given as bits of one word, to those that have read a row.
    fn add(&self, word: usize, row: usize, any_seat: bool, values: u64) {
        self.read[row].store(true, Release);
        self.row_bits(word, row, any_seat).fetch_or(values, Release);
    }

    /// Records a dependency for the first time. It is transitive: what depends on the value depends on the row as well.
    #[cold]
    #[inline(never)]
    fn record_first(&self, recording: Recording, row: usize, other_seat: bool) {
        let _one_at_a_time = self.learning.lock().unwrap_or_else(PoisonError::into_inner);
        let last = recording.word as usize;
        let itself = self.first_value_row + last * 64 + recording.bit.trailing_zeros() as usize;
        // The word of the value itself comes last, because `record` tests that one.
        for word in (0..self.word_count).filter(|&word| word != last).chain([last]) {
            let (mut own, mut any) = (self.readers(word, itself, false), self.readers(word, itself, true));
            if word == last {
                own |= recording.bit;
            }
            let everybody = own | any;
            if other_seat {
                (own, any) = (0, everybody);
            }
            if row >= self.first_value_row {
                // A cached value was read: all its dependencies are dependencies of the reader.
                let read = row - self.first_value_row;
                let reads = |there: usize, any_seat: bool| self.readers(read / 64, there, any_seat) >> (read % 64) & 1 == 1;
                for there in 0..self.rows {
                    if reads(there, false) {
                        self.add(word, there, false, own);
                        self.add(word, there, true, any);
                    }
                    if reads(there, true) {
                        self.add(word, there, true, everybody);
                    }
                }
            }
            self.add(word, row, true, any);
            self.add(word, row, false, own);
        }
    }
}

#[cfg(test)]
mod tests;
