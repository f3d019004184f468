//! Detects whether a result depends on something that a seat, or each of several, does not know.
//!
//! While a game is watched for seats, reads of unknown cards and unseen counters are recorded. Compiled code and cached values skip reads,
//! so each expression is also evaluated by the reference evaluator (`Evaluator::record_reads`). A read does not count if it gives the same result for
//! every card that may lie there.

use crate::cast;
use std::cell::Cell;

/// The watched seats, as a bit set, and to which of them anything that was read is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    seats: u16,
    /// Whether a hidden value counts as unknown until it is shown, even if the seat could work it out.
    pub by_sight: bool,
    missing: Cell<u16>,
}

impl Watch {
    /// Creates a watch for a seat.
    pub fn for_seat(seat: usize) -> Watch {
        Watch { seats: 1 << seat, ..Watch::default() }
    }

    /// Creates a watch for all seats of a game.
    pub fn for_all(players: usize) -> Watch {
        Watch { seats: cast::fit::<u16>((1_u32 << players) - 1), ..Watch::default() }
    }

    /// Creates a watch for a seat that knows only those hidden values that it is shown.
    pub fn for_sight_of(seat: usize) -> Watch {
        Watch { by_sight: true, ..Watch::for_seat(seat) }
    }

    /// Whether a seat is watched.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.seats != 0
    }

    /// Returns the watched seat, if it is a single one.
    pub fn seat(&self) -> Option<usize> {
        (self.seats.count_ones() == 1).then(|| self.seats.trailing_zeros() as usize)
    }

    /// Returns the watched seats to which all that was read is known.
    pub fn unalerted_seats(&self) -> impl Iterator<Item = usize> {
        let seats = self.seats & !self.missing.get();
        (0..16).filter(move |seat| seats >> seat & 1 == 1)
    }

    /// Whether anything was read since the last call that is unknown to a watched seat.
    pub fn take(&self) -> bool {
        self.missing.take() != 0
    }

    /// Returns the seats to which anything that was read is unknown, as a bit set.
    pub fn missing(&self) -> i32 {
        self.missing.get().into()
    }

    /// Records that something is read which those seats do not know for which `is_unknown` holds.
    #[cold]
    pub fn note_read(&self, is_unknown: impl Fn(usize) -> bool) {
        let missing = self.unalerted_seats().filter(|&seat| is_unknown(seat)).fold(0, |seats, seat| seats | 1 << seat);
        self.missing.set(self.missing.get() | missing);
    }
}
