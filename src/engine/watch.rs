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
    /// Whether a hidden value counts as unknown until it is shown, even if the seat could work it out.
    by_sight: bool,
    read: Cell<bool>,
}

impl Watch {
    /// Creates a watch for a seat.
    pub fn for_seat(seat: usize) -> Watch {
        Watch { seat: Some(cast::seat(seat)), by_sight: false, read: Cell::new(false) }
    }

    /// Creates a watch for a seat that knows only those hidden values that it is shown.
    pub fn for_sight_of(seat: usize) -> Watch {
        Watch { by_sight: true, ..Watch::for_seat(seat) }
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

    /// Records that a hidden value is read, if the cell belongs to one.
    #[cold]
    pub fn watch_cell(&self, rules: &Ruleset, cells: Cells<'_>, cell: usize) {
        let Some(seat) = self.unalerted_seat() else { return };
        if rules.secret_at(cell).is_some_and(|at| !cells.knows_secret(rules, seat, at, self.by_sight)) {
            self.read.set(true);
        }
    }

    /// Records that tokens of some classes, a bit set, are counted in a pool that begins at a cell. How many tokens lie there is no secret.
    #[cold]
    pub fn watch_tokens(&self, rules: &Ruleset, cells: Cells<'_>, cell: usize, classes: u64) {
        let Some((seat, at)) = self.unalerted_seat().zip(rules.secret_at(cell)) else { return };
        let sorts_known = cells.knows_sorts(rules, seat, at) && !self.by_sight;
        if cells.knows_secret(rules, seat, at, self.by_sight) && (sorts_known || self.by_sight) {
            return;
        }
        let counted = |of: u64| classes & of == 0 || classes & of == of;
        let every = rules.tokens.iter().fold(0, |every, token| every | token.classes);
        let is_public = if sorts_known { rules.tokens.iter().all(|token| counted(token.classes)) } else { counted(every) };
        if !is_public {
            self.read.set(true);
        }
    }
}
