//! What has been found in one evaluation.

use crate::env::ReadView;
use crate::node::NodeId;
use houserule_ruleset::boards::SpaceSet;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What has been found in one evaluation, during which no cell is written: sets of spaces, and values that take long to find and are in no
/// cache. What is named many times is walked once.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    pub(super) numbers: Notes<i64>,
    pub(super) sets: Notes<SpaceSet>,
    /// How many evaluations are nested.
    depth: u32,
    /// How many environments there have been.
    envs: u32,
}

impl Memo {
    /// Begins an evaluation.
    pub(super) fn begin(&mut self) {
        self.depth += 1;
    }

    /// Ends an evaluation: what has been found is forgotten, unless it was a part of another.
    pub(super) fn end(&mut self) {
        self.depth -= 1;
        if self.depth == 0 {
            self.numbers.clear();
            self.sets.clear();
            self.envs = 0;
        }
    }

    /// Returns the number of a further environment, from 1.
    pub(super) fn next_env(&mut self) -> u32 {
        self.envs += 1;
        self.envs
    }
}

/// What has been found of one sort.
pub(super) type Notes<T> = HashMap<MemoKey, T, BuildHasherDefault<MemoHasher>>;

/// An expression, the view, the seat and the environment for which it is evaluated, and the variables that it reads.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct MemoKey {
    pub(super) id: NodeId,
    pub(super) view: ReadView,
    pub(super) me: usize,
    pub(super) env: u32,
    pub(super) vars: [i64; 2],
}

/// Mixes the numbers of a key: nobody from outside chooses them, and a quick answer matters more than an even one.
#[derive(Default)]
pub(super) struct MemoHasher(u64);

impl Hasher for MemoHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word.cast_unsigned());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
