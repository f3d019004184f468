//! What seats know of a card without knowing which card it is: the values that a number printed on it cannot have.
//!
//! Each piece has cells for that behind its counters: for each clue a mask of excluded values for each seat, and one with what all seats have been
//! told together, which is all that a seat knows of what others know.

use super::names::NameId;
use crate::cast;

/// The number of cells of a clue beside the masks of the seats.
pub const COMMON_CELLS: usize = 2;
/// The bit of cards that do not have a field.
pub const NOT_PRINTED: i32 = i32::MIN;
/// The most values of a field of which single ones are shown: each is a bit of a cell.
pub const MAX_VALUES: usize = 31;

/// A field of cards of which rules show the value alone, or whether it is one of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clue {
    /// The name of the field.
    pub name: NameId,
    /// The index of the field among the printed numbers of a card.
    pub field: u16,
    /// The values that cards have, ascending, each with its name.
    pub values: Vec<(i32, NameId)>,
    /// The other values that the field could have, each with its name: words and spaces that are on no card.
    pub unused: Vec<(i32, NameId)>,
    /// The offset of its first mask in the cells of a piece: one for each seat, one for what all have been told together, and a cell that is 1 if
    /// that leaves one value.
    pub first: u16,
    /// For each definition the bit of its value; [`NOT_PRINTED`] for cards of kinds that do not have the field.
    pub bits: Vec<i32>,
}

impl Clue {
    /// Returns the offset of the cell that is 1 if what all seats have been told leaves one value.
    pub fn known_by_all(&self, players: usize) -> u8 {
        cast::fit::<u8>(usize::from(self.first) + players + 1)
    }

    /// Returns the values that a mask does not exclude, as a bit set.
    pub fn left(&self, excluded: i32) -> i32 {
        self.bits_where(|_| true) & !excluded
    }

    /// Whether a mask leaves one value, or tells that the field is not printed.
    pub fn is_settled(&self, excluded: i32) -> bool {
        excluded != 0 && self.left(excluded).count_ones() <= 1
    }

    /// Returns the mask that excludes all but what is printed on cards of a definition.
    pub fn all_but(&self, definition: usize) -> i32 {
        (self.bits_where(|_| true) | NOT_PRINTED) & !self.bits[definition]
    }

    /// Returns the values for which something holds, as a bit set.
    pub fn bits_where(&self, holds: impl Fn(i32) -> bool) -> i32 {
        (0..).zip(&self.values).filter(|(_, value)| holds(value.0)).fold(0, |bits, (at, _)| bits | 1 << at)
    }
}
