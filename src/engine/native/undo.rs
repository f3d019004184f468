//! What has to be put back into a slot of memory to undo what was written to it.

use crate::cast;
use crate::ruleset::Ruleset;
use houserule_codegen::MemoryLayout;
use houserule_ruleset::code::{Value, ValueId};

/// The valid bits of a slot that have been cleared since something began, and the numbers of the values that were valid, in order.
#[derive(Debug, Default)]
pub(crate) struct SlotUndo {
    words: Vec<Cleared>,
    /// Numbers: the index in the slot, of words of 64 bits, and the number.
    numbers: Vec<(u32, i64)>,
}

/// Bits that have been cleared in a word of a slot.
#[derive(Debug)]
struct Cleared {
    /// The index of the word in the slot.
    at: usize,
    bits: u64,
    /// Those of them that were set.
    valid: u64,
}

impl SlotUndo {
    /// Begins anew.
    pub fn begin(&mut self) {
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
        let mut lost = before & bits;
        self.words.push(Cleared { at: layout.valid_word(seat, word), bits, valid: lost });
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
        for Cleared { at, bits, valid } in self.words.drain(..).rev() {
            if let Some(word) = slot.get_mut(at) {
                *word = (u64::from_le_bytes(*word) & !bits | valid).to_le_bytes();
            }
        }
        for (at, number) in self.numbers.drain(..).rev() {
            if let Some(word) = slot.get_mut(at as usize) {
                *word = number.to_le_bytes();
            }
        }
    }
}
