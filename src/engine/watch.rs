//! Detects whether a result depends on something that a seat does not know.
//!
//! While a game is watched for a seat, reads of unknown cards and unseen counters are recorded. Compiled code and cached values skip reads,
//! so each expression is also evaluated by the reference evaluator ([`super::look`]). A read does not count if it gives the same result for
//! every card that may lie there.

use super::reader::Cells;
use super::ruleset::Ruleset;
use crate::cast;
use std::cell::Cell;

/// The watched seat, and whether anything unknown to it was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    seat: Option<u8>,
    read: Cell<bool>,
}

impl Watch {
    /// Creates a watch for a seat.
    pub fn for_seat(seat: usize) -> Watch {
        Watch { seat: Some(cast::seat(seat)), read: Cell::new(false) }
    }

    /// Whether a seat is watched.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.seat.is_some()
    }

    /// Returns the watched seat.
    pub fn seat(&self) -> Option<usize> {
        self.seat.map(usize::from)
    }

    /// Returns the watched seat, as long as nothing unknown to it was read.
    pub fn unalerted_seat(&self) -> Option<usize> {
        self.seat.filter(|_| !self.read.get()).map(usize::from)
    }

    /// Whether anything unknown to the seat was read since the last call.
    pub fn take(&self) -> bool {
        self.read.take()
    }

    /// Records that a fact about a card is read, such as its kind; `fact` gives that fact for any card.
    #[cold]
    pub fn watch_fact<T: PartialEq>(&self, rules: &Ruleset, cells: Cells<'_>, card: usize, fact: impl Fn(usize) -> T) {
        let Some(seat) = self.unalerted_seat().filter(|&seat| cells.is_unknown(rules, seat, card)) else { return };
        let read = fact(card);
        let alike = rules.hidden.indistinguishable(card).iter().map(|&other| other as usize);
        if alike.filter(|&other| cells.is_unknown(rules, seat, other)).any(|other| fact(other) != read) {
            self.read.set(true);
        }
    }

    /// Records that a value is read which the seats in a bit set do not know.
    #[cold]
    pub fn watch_private(&self, unknown_to: i64) {
        if self.unalerted_seat().is_some_and(|seat| unknown_to >> seat & 1 == 1) {
            self.read.set(true);
        }
    }

    /// Records that the counters of a card are read.
    #[cold]
    pub fn watch_counters(&self, rules: &Ruleset, cells: Cells<'_>, card: usize) {
        if self.unalerted_seat().is_some_and(|seat| !cells.sees_counters(rules, seat, card)) {
            self.read.set(true);
        }
    }
}
