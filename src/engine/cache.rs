//! Values kept beside the state. One invariant: **a value that is marked valid equals a recount.**
//!
//! While a value is worked out, each row of [`houserule_ruleset::readers::Readers`] that is read notes it: a class of cells (of its own seat, or
//! of others as well), which cards change a quantity, or another value. A write unmarks what was noted for the class of its cell. Notes are
//! never taken back, so that after a few games nothing new is noted, and noting costs one test a read; they only say what *may* have been
//! read, and are shared by all games of a ruleset. Nobody says beforehand what an expression reads.

use super::ruleset::Ruleset;
use houserule_ruleset::code::ValueId;
use houserule_ruleset::readers::CHECKS;
use houserule_state::layout::TABLE;
use std::sync::atomic::Ordering::Acquire;

/// Numbers of each seat, and which values hold.
#[derive(Debug, Default)]
pub(super) struct Cache {
    values: Vec<i64>,
    /// Bits of values, as many words for each seat.
    valid: Vec<u64>,
    /// Cells that have changed while all act at once: what was worked out for others from what they were is invalid in the end.
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
    /// Nothing is valid.
    pub fn clear(&mut self, rules: &Ruleset) {
        self.values.resize(rules.code.slots * rules.players, 0);
        self.valid.clear();
        self.valid.resize(rules.code.readers.words * rules.players, 0);
        self.changed.clear();
    }

    /// Whether a value of a seat is valid; `words` is how many words of bits each seat has.
    #[inline(always)]
    pub fn holds(&self, words: usize, seat: usize, value: ValueId) -> bool {
        self.valid[seat * words + value.0 as usize / 64] >> (value.0 % 64) & 1 == 1
    }

    /// The number in a slot, whether it is valid or not.
    #[inline(always)]
    pub fn number(&self, slot: usize) -> i64 {
        self.values[slot]
    }

    /// Writes the numbers of a value of a seat from a slot on; it is valid now.
    pub fn keep(&mut self, words: usize, seat: usize, value: ValueId, slot: usize, numbers: &[i64]) {
        match numbers {
            [number] => self.values[slot] = *number,
            _ => self.values[slot..slot + numbers.len()].copy_from_slice(numbers),
        }
        self.valid[seat * words + value.0 as usize / 64] |= 1 << (value.0 % 64);
    }

    /// What was worked out from a row, of this owner's cells, no longer holds. Gives back whether the state-based checks have read it.
    pub fn unmark(&mut self, rules: &Ruleset, row: usize, owner: u8) -> bool {
        let readers = &rules.code.readers;
        if !readers.is_read(row) {
            return false;
        }
        let words = readers.words;
        let mut checks = false;
        for word in 0..words {
            let (own, any) = (readers.word(word, row, false).load(Acquire), readers.word(word, row, true).load(Acquire));
            checks |= word == 0 && (own | any) & 1 << CHECKS.0 != 0;
            let by_all = any | if owner == TABLE { own } else { 0 };
            if by_all != 0 {
                (0..rules.players).for_each(|seat| self.valid[seat * words + word] &= !by_all);
            }
            if owner != TABLE {
                self.valid[owner as usize * words + word] &= !own;
            }
        }
        checks
    }
}
