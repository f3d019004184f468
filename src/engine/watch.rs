//! Whether what is worked out rests on anything that a seat does not know.
//!
//! While a game is watched for a seat, whatever reads a card that the seat does not know, or what is counted on one that it does not see
//! into, is noted. Values come from the code of expressions as ever, which may have kept them; so each expression is walked through once more,
//! plainly ([`super::look`]), where every read is seen. A read tells nothing if it would give the same for every card that may lie there.

use super::reader::Cells;
use super::ruleset::Ruleset;
use crate::cast;
use std::cell::Cell;

/// For whom reads are noted, and whether there was one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    seat: Option<u8>,
    read: Cell<bool>,
}

impl Watch {
    /// One for a seat.
    pub fn of(seat: usize) -> Watch {
        Watch { seat: Some(cast::seat(seat)), read: Cell::new(false) }
    }

    /// Whether reads are noted.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.seat.is_some()
    }

    /// The seat for which reads are noted, whether there has been one or not.
    pub fn seat(&self) -> Option<usize> {
        self.seat.map(usize::from)
    }

    /// The seat for which reads are noted, while there has been none.
    pub fn waits_for(&self) -> Option<usize> {
        self.seat.filter(|_| !self.read.get()).map(usize::from)
    }

    /// Whether there has been a read since this was asked last.
    pub fn take(&self) -> bool {
        self.read.take()
    }

    /// Notes that something is read of a card: what it is printed with, its kind, its name. `fact` is what would be read of another one.
    #[cold]
    pub fn touch<T: PartialEq>(&self, rules: &Ruleset, cells: Cells<'_>, card: usize, fact: impl Fn(usize) -> T) {
        let Some(seat) = self.waits_for().filter(|&seat| cells.is_unknown(rules, seat, card)) else { return };
        let read = fact(card);
        let alike = rules.hidden.alike(card).iter().map(|&other| other as usize);
        if alike.filter(|&other| cells.is_unknown(rules, seat, other)).any(|other| fact(other) != read) {
            self.read.set(true);
        }
    }

    /// Notes that it is read what is counted on a card.
    #[cold]
    pub fn touch_counters(&self, rules: &Ruleset, cells: Cells<'_>, card: usize) {
        if self.waits_for().is_some_and(|seat| !cells.sees_counters(rules, seat, card)) {
            self.read.set(true);
        }
    }
}
