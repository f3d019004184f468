//! The cache of values computed from a state. Its invariant: **a value that is marked valid equals its recomputation.**
//!
//! What a value depends on is known from the rules ([`houserule_ruleset::dependencies`]): classes of cells (of its own seat, or of any
//! seat), and quantities that cards may change. A write to a cell invalidates the values that depend on the class of the cell.

use super::ruleset::Ruleset;
use houserule_ruleset::code::ValueId;
use houserule_ruleset::dependencies::Readers;
use houserule_state::layout::TABLE;

/// The cached values of each seat, with a mark for each value that is valid.
#[derive(Debug, Default)]
pub(super) struct Cache {
    values: Vec<i64>,
    /// A bit for each value, in an equal number of words for each seat.
    valid: Vec<u64>,
    /// The cells that changed during a simultaneous block. Their dependent values are invalidated again at the end of the block.
    pub changed: Vec<u32>,
}

impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache { values: self.values.clone(), valid: self.valid.clone(), changed: self.changed.clone() }
    }

    fn clone_from(&mut self, source: &Cache) {
        self.values.clone_from(&source.values);
        self.valid.clone_from(&source.valid);
        self.changed.clone_from(&source.changed);
    }
}

impl Cache {
    /// Marks all values as invalid.
    pub fn clear(&mut self, rules: &Ruleset) {
        self.values.resize(rules.code.slots * rules.players, 0);
        self.valid.clear();
        self.valid.resize(rules.code.dependencies.word_count * rules.players, 0);
        self.changed.clear();
    }

    /// Whether a value of a seat is valid; `words` is the number of words of bits for each seat.
    #[inline(always)]
    pub fn is_valid(&self, words: usize, seat: usize, value: ValueId) -> bool {
        self.valid[seat * words + value.0 as usize / 64] >> (value.0 % 64) & 1 == 1
    }

    /// Returns the number in a slot of the cache, valid or not.
    #[inline(always)]
    pub fn number(&self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// Stores the numbers of a value of a seat, from a slot on, and marks the value as valid.
    pub fn store(&mut self, words: usize, seat: usize, value: ValueId, slot: usize, numbers: &[i64]) {
        match numbers {
            [number] => self.values[slot] = *number,
            _ => self.values[slot..slot + numbers.len()].copy_from_slice(numbers),
        }
        self.valid[seat * words + value.0 as usize / 64] |= 1 << (value.0 % 64);
    }

    /// Invalidates the values that depend on a row of the dependency table, for cells of this owner.
    pub fn invalidate(&mut self, rules: &Ruleset, row: usize, owner: u8) {
        let words = rules.code.dependencies.word_count;
        for &Readers { word, own, any } in rules.code.dependencies.readers(row) {
            let word = usize::from(word);
            let of_all_seats = any | if owner == TABLE { own } else { 0 };
            if of_all_seats != 0 {
                (0..rules.players).for_each(|seat| self.valid[seat * words + word] &= !of_all_seats);
            }
            if owner != TABLE {
                self.valid[owner as usize * words + word] &= !own;
            }
        }
    }
}
