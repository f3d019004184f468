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
    /// The numbers of these values: the index in the slot, of words of 64 bits, and the number.
    numbers: Vec<(u32, i64)>,
}

impl SlotUndo {
    /// Begins anew.
    pub fn begin(&mut self, layout: &MemoryLayout, players: usize) {
        let words = layout.valid_words as usize * players;
        for bits in [&mut self.cleared, &mut self.valid] {
            bits.clear();
            bits.resize(words, 0);
        }
        self.numbers.clear();
    }

    /// Whether it is noted that bits of a word have been cleared, by its number among those of all seats.
    #[inline]
    pub fn is_noted(&self, number: usize, bits: u64) -> bool {
        self.cleared.get(number).is_none_or(|cleared| cleared & bits == bits)
    }

    /// Notes that bits of a seat's word are cleared, which was `before`; `slot` are all words of the slot.
    #[inline(never)]
    pub fn note(
        &mut self,
        (layout, rules): (&MemoryLayout, &Ruleset),
        slot: &[[u8; 8]],
        (seat, word): (u32, u32),
        (before, bits): (u64, u64),
    ) {
        let number = (seat * layout.valid_words + word) as usize;
        let (Some(cleared), Some(valid)) = (self.cleared.get_mut(number), self.valid.get_mut(number)) else { return };
        let mut lost = before & bits & !*cleared;
        *cleared |= bits;
        *valid |= lost;
        let numbers = (layout.values + seat * layout.seat_size) / 8;
        while lost != 0 {
            let value = ValueId(cast::fit::<u16>(word * 64 + lost.trailing_zeros()));
            lost &= lost - 1;
            let Value { slot: first, len, .. } = *rules.code.cached_value(value);
            for at in (numbers + u32::from(first)..).take(len.into()) {
                if let Some(number) = slot.get(at as usize) {
                    self.numbers.push((at, i64::from_le_bytes(*number)));
                }
            }
        }
    }

    /// Puts valid bits and numbers back, and begins anew.
    pub fn put_back(&mut self, layout: &MemoryLayout, slot: &mut [[u8; 8]]) {
        for ((number, cleared), valid) in (0..).zip(&mut self.cleared).zip(&mut self.valid) {
            if *cleared != 0
                && let Some(word) = slot.get_mut(layout.valid_word(number / layout.valid_words, number % layout.valid_words))
            {
                *word = (u64::from_le_bytes(*word) & !*cleared | *valid).to_le_bytes();
                (*cleared, *valid) = (0, 0);
            }
        }
        for (at, number) in self.numbers.drain(..) {
            if let Some(word) = slot.get_mut(at as usize) {
                *word = number.to_le_bytes();
            }
        }
    }
}
