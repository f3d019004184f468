//! Who has read what: learnt while values are worked out, and shared by all games of a ruleset.

use crate::cast;
use crate::code::ValueId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, PoisonError};

/// The value that stands for the state-based checks.
pub const CHECKS: ValueId = ValueId(0);

/// The value that is being worked out, and for which seat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noting {
    /// Where in the bits of [`Readers`] the rows of its word begin.
    pub first: u32,
    /// Which word of values it is in.
    pub word: u16,
    /// The seat it belongs to.
    pub seat: u8,
    /// None when nothing is being worked out.
    pub bit: u64,
}

impl Noting {
    /// A value of a seat begins to be worked out.
    pub fn of(readers: &Readers, value: ValueId, seat: usize) -> Noting {
        let word = value.0 / 64;
        Noting { first: readers.first(word as usize), word, bit: 1 << (value.0 % 64), seat: cast::seat(seat) }
    }

    /// Whether one is being worked out.
    #[inline(always)]
    pub fn is_on(self) -> bool {
        self.bit != 0
    }
}

/// Rows of values that have read something: each row holds the values that have read it of their own seat, and those that have read
/// it of any seat. First the rows of classes of cells, then those of changed quantities, then those of values.
#[derive(Debug, Default)]
pub struct Readers {
    /// How many words hold a bit for each value.
    pub words: usize,
    /// How many rows there are.
    rows: usize,
    /// The first row of a quantity that cards change.
    pub quantities: usize,
    /// The first row of a value.
    pub values: usize,
    /// For each word of values, of each row two: who has read it of its own seat, and who of any.
    bits: Box<[AtomicU64]>,
    /// Which rows anything has read.
    read: Box<[AtomicBool]>,
    learning: Mutex<()>,
}

impl Readers {
    /// Rows for so many classes of cells, quantities and values.
    pub fn new(classes: usize, quantities: usize, values: usize) -> Readers {
        let words = values.div_ceil(64);
        let first = classes + quantities;
        let bits = (0..(first + values) * 2 * words).map(|_| AtomicU64::new(0)).collect();
        let read = (0..first + values).map(|_| AtomicBool::new(false)).collect();
        Readers { words, rows: first + values, quantities: classes, values: first, bits, read, learning: Mutex::new(()) }
    }

    /// Whether anything has ever read a row.
    #[inline(always)]
    pub fn is_read(&self, row: usize) -> bool {
        self.read.get(row).is_some_and(|read| read.load(Acquire))
    }

    /// Where in the bits the rows of a word of values begin.
    pub fn first(&self, word: usize) -> u32 {
        cast::fit::<u32>(word * self.rows * 2)
    }

    /// The bits of a word of values in a row: of who has read it of its own seat, or of any.
    #[inline(always)]
    pub fn word(&self, word: usize, row: usize, any_seat: bool) -> &AtomicU64 {
        &self.bits[self.first(word) as usize + row * 2 + any_seat as usize]
    }

    /// The value that is being worked out reads a row.
    #[inline(always)]
    pub fn note(&self, noting: Noting, row: usize, other_seat: bool) {
        let known = self.bits[noting.first as usize + row * 2 + other_seat as usize].load(Acquire);
        if known & noting.bit != noting.bit {
            self.learn(noting, row, other_seat);
        }
    }

    /// Who has read a row, of a word of values.
    pub fn get(&self, word: usize, row: usize, any_seat: bool) -> u64 {
        self.word(word, row, any_seat).load(Acquire)
    }

    /// Adds a word of values to a row.
    fn add(&self, word: usize, row: usize, any_seat: bool, values: u64) {
        self.read[row].store(true, Release);
        self.word(word, row, any_seat).fetch_or(values, Release);
    }

    /// A value has read something for the first time: whatever depends on the value depends on that as well.
    #[cold]
    #[inline(never)]
    fn learn(&self, noting: Noting, row: usize, other_seat: bool) {
        let _one_at_a_time = self.learning.lock().unwrap_or_else(PoisonError::into_inner);
        let last = noting.word as usize;
        let itself = self.values + last * 64 + noting.bit.trailing_zeros() as usize;
        // The word of the value comes last, because that one is asked for.
        for word in (0..self.words).filter(|&word| word != last).chain([last]) {
            let (mut own, mut any) = (self.get(word, itself, false), self.get(word, itself, true));
            if word == last {
                own |= noting.bit;
            }
            let everybody = own | any;
            if other_seat {
                (own, any) = (0, everybody);
            }
            if row >= self.values {
                // Another value was read: all that it has read, or will, was read.
                let read = row - self.values;
                let reads = |there: usize, any_seat: bool| self.get(read / 64, there, any_seat) >> (read % 64) & 1 == 1;
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
