//! Which valid bits of a slot are to be cleared because of what has been written.

use houserule_codegen::MemoryLayout;
use houserule_ruleset::dependencies::Readers;
use houserule_state::layout::TABLE;

/// The bits of valid values that are about to be cleared in a slot; none between two slots being brought up to date.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// For each word of a seat's valid bits those that are cleared for all seats.
    of_all: Vec<u64>,
    /// For each seat, one after another, and each word those that are cleared for this seat alone.
    of_seats: Vec<u64>,
    /// The words with such bits, and for each word whether it is among them.
    words: Vec<u16>,
    is_listed: Vec<bool>,
}

impl Collected {
    /// Makes room for the words of a layout.
    pub fn new(layout: &MemoryLayout) -> Collected {
        let words = layout.valid_words as usize;
        let of_seats = vec![0; words * layout.seats as usize];
        Collected { of_all: vec![0; words], of_seats, words: Vec::with_capacity(words), is_listed: vec![false; words] }
    }

    /// Adds the values that depend on a cell of this owner, a seat or the table.
    #[inline]
    pub fn add(&mut self, readers: &[Readers], owner: u8) {
        for &Readers { word, own, any } in readers {
            let at = usize::from(word);
            if !std::mem::replace(&mut self.is_listed[at], true) {
                self.words.push(word);
            }
            if owner == TABLE {
                self.of_all[at] |= own | any;
            } else {
                self.of_all[at] |= any;
                self.of_seats[usize::from(owner) * self.of_all.len() + at] |= own;
            }
        }
    }

    /// Calls `then` with the number of each word of all seats that has such bits, and these, and forgets them.
    #[inline]
    pub fn take(&mut self, mut then: impl FnMut(u32, u64)) {
        let count = self.of_all.len();
        for word in self.words.drain(..) {
            let at = usize::from(word);
            let of_all = std::mem::take(&mut self.of_all[at]);
            self.is_listed[at] = false;
            let mut number = u32::from(word);
            for of_seat in self.of_seats.iter_mut().skip(at).step_by(count) {
                let bits = of_all | std::mem::take(of_seat);
                if bits != 0 {
                    then(number, bits);
                }
                number += u32::try_from(count).unwrap_or(u32::MAX);
            }
        }
    }
}
