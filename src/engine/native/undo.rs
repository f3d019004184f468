//! What has to be put back into a slot of memory to undo what was written to it.

use crate::cast;
use crate::ruleset::Ruleset;
use houserule_codegen::MemoryLayout;
use houserule_ruleset::code::{Value, ValueId};

/// The valid bits of a slot that have been cleared since something began, and the numbers of the values that were valid.
#[derive(Debug, Default)]
pub(crate) struct SlotUndo {
    /// For each word of valid bits, those of one seat after another: the bits that have been cleared since.
    cleared: Vec<u64>,
    /// Those of them that were valid.
    valid: Vec<u64>,
    /// The words of which bits have been cleared, each with its index in the slot.
    words: Vec<(usize, usize)>,
    /// The numbers of these values: the index in the slot, of words of 64 bits, and the number.
    numbers: Vec<(u32, i64)>,
}

impl SlotUndo {
    /// Begins anew.
    pub fn begin(&mut self, layout: &MemoryLayout, players: usize) {
        for bits in [&mut self.cleared, &mut self.valid] {
            for &(word, _) in &self.words {
                bits.get_mut(word).into_iter().for_each(|bits| *bits = 0);
            }
            bits.resize(layout.valid_words as usize * players, 0);
        }
        self.words.clear();
        self.numbers.clear();
    }

    /// Notes that bits of a seat's word are cleared, which was `before`; `slot` are all words of the slot.
    #[inline]
    pub fn note(
        &mut self,
        (layout, rules): (&MemoryLayout, &Ruleset),
        slot: &[[u8; 8]],
        (seat, word): (u32, u32),
        (before, bits): (u64, u64),
    ) {
        let number = (seat * layout.valid_words + word) as usize;
        let (Some(cleared), Some(valid)) = (self.cleared.get_mut(number), self.valid.get_mut(number)) else { return };
        if *cleared == 0 {
            self.words.push((number, layout.valid_word(seat, word)));
        }
        let mut lost = before & bits & !*cleared;
        *cleared |= bits;
        *valid |= lost;
        let numbers = (layout.values + seat * layout.seat_size) / 8;
        while lost != 0 {
            let value = ValueId(cast::fit::<u16>(word * 64 + lost.trailing_zeros()));
            lost &= lost - 1;
            let &Value { slot: first, len, .. } = rules.code.cached_value(value);
            let first = numbers + u32::from(first);
            for (at, number) in (first..).zip(slot.get(first as usize..(first + u32::from(len)) as usize).unwrap_or_default()) {
                self.numbers.push((at, i64::from_le_bytes(*number)));
            }
        }
    }

    /// Puts valid bits and numbers back, and begins anew.
    pub fn put_back(&mut self, slot: &mut [[u8; 8]]) {
        for (word, at) in self.words.drain(..) {
            let (Some(cleared), Some(valid)) = (self.cleared.get_mut(word), self.valid.get_mut(word)) else { continue };
            if let Some(word) = slot.get_mut(at) {
                *word = (u64::from_le_bytes(*word) & !*cleared | *valid).to_le_bytes();
            }
            (*cleared, *valid) = (0, 0);
        }
        for (at, number) in self.numbers.drain(..) {
            if let Some(word) = slot.get_mut(at as usize) {
                *word = number.to_le_bytes();
            }
        }
    }
}
