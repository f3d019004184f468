//! The constants of a module, each stored once, but for weights.

use crate::cast;
use crate::memory::DATA_AT;
use std::collections::HashMap;

/// Constants, as they lie in memory.
#[derive(Default)]
pub(crate) struct Data {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
}

/// Numbers in memory, with their width.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    /// The address of the first.
    pub at: u32,
    /// Whether each has 64 bits, and not 32.
    pub wide: bool,
}

impl Data {
    /// Stores bytes at a multiple of 8; returns their address.
    fn store(&mut self, bytes: Vec<u8>) -> u32 {
        if let Some(&known) = self.known.get(&bytes) {
            return known;
        }
        let at = self.append(&bytes);
        self.known.insert(bytes, at);
        at
    }

    /// Adds bytes at a multiple of 8; returns their address.
    fn append(&mut self, bytes: &[u8]) -> u32 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = self.end();
        self.bytes.extend_from_slice(bytes);
        at
    }

    /// Stores numbers of 64 bits each, but not together with equal ones: where they lie does not depend on what they are.
    pub fn unshared(&mut self, numbers: &[i64]) -> u32 {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.append(&bytes)
    }

    /// Stores numbers of one byte each: conditions.
    pub fn flags(&mut self, flags: impl IntoIterator<Item = bool>) -> u32 {
        self.store(flags.into_iter().map(u8::from).collect())
    }

    /// Stores numbers of 32 bits each.
    pub fn words(&mut self, words: impl IntoIterator<Item = i32>) -> u32 {
        self.store(words.into_iter().flat_map(i32::to_le_bytes).collect())
    }

    /// Stores numbers of 64 bits each.
    pub fn long(&mut self, numbers: impl IntoIterator<Item = i64>) -> u32 {
        self.store(numbers.into_iter().flat_map(i64::to_le_bytes).collect())
    }

    /// Stores numbers with 32 bits each, if these are enough for all of them, and otherwise with 64.
    pub fn numbers(&mut self, numbers: &[i64]) -> Numbers {
        let short: Result<Vec<i32>, _> = numbers.iter().map(|&number| i32::try_from(number)).collect();
        match short {
            Ok(words) => Numbers { at: self.words(words), wide: false },
            Err(_) => Numbers { at: self.long(numbers.iter().copied()), wide: true },
        }
    }

    /// Returns the address behind the constants.
    pub fn end(&self) -> u32 {
        DATA_AT + cast::fit::<u32>(self.bytes.len())
    }

    /// Returns all constants, as they lie in memory.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
