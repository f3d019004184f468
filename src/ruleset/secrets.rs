//! Values that are hidden from some seats, and values with bounds.
//!
//! Each hidden value has a cell with two sets of seats: those that do not know the value, and those to which it was shown. At the beginning
//! of a game nobody needs to be told that a counter is 0, so both sets are empty.

use super::declared::{Owner, Slot};
use super::names::NameId;
use crate::state::layout::{TABLE, head};

/// A counter, flag, set, tally, resource or pool that only its owner sees; one of the table is seen by nobody.
#[derive(Clone, Copy, Debug)]
pub struct Secret {
    /// The name of the value.
    pub name: NameId,
    /// Its cells.
    pub slot: Slot,
    /// The offset of the cell with what seats know. A pool has a second one behind it, for the sorts of its tokens alone.
    pub knowledge: u16,
    /// The index of the pool, if the value is one.
    pub pool: Option<u8>,
    /// The lowest and the highest number of each cell, as far as the declaration tells.
    pub range: Option<(i32, i32)>,
}

/// A value with declared bounds: to write another number is a fault.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The name of the value.
    pub name: NameId,
    /// Its cells.
    pub slot: Slot,
    /// The lowest and the highest number.
    pub range: (i32, i32),
}

/// Whether a seat knows a hidden value, by the value's cell of knowledge.
pub fn is_known_to(knowledge: i32, seat: usize) -> bool {
    knowledge >> seat & 1 == 0
}

/// Whether a hidden value was shown to a seat, by the value's cell of knowledge.
pub fn is_shown_to(knowledge: i32, seat: usize) -> bool {
    knowledge >> (head::MAX_SEATS + seat) & 1 == 1
}

/// Returns the cell of knowledge after seats, a bit set, have lost track of the value.
pub fn without_seats(knowledge: i32, seats: i32) -> i32 {
    (knowledge | seats) & !(seats << head::MAX_SEATS)
}

/// Returns the cell of knowledge after a value was shown to seats, a bit set.
pub fn with_seats(knowledge: i32, seats: i32) -> i32 {
    knowledge & !seats | seats << head::MAX_SEATS
}

impl Secret {
    /// Returns the owners of the value: each seat, or the table.
    pub fn owners(self, players: usize) -> impl Iterator<Item = u8> {
        let of_table = self.slot.owner == Owner::Table;
        (0..u8::MAX).take(if of_table { 0 } else { players }).chain(of_table.then_some(TABLE))
    }
}
