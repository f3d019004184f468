//! Detects whether a result depends on something that a seat, or each of several, does not know.
//!
//! While a game is watched for seats, reads of unknown cards and unseen counters are recorded. Compiled code and cached values skip reads,
//! so each expression is also evaluated by the reference evaluator ([`super::look`]). A read does not count if it gives the same result for
//! every card that may lie there.

use super::reader::Cells;
use super::ruleset::Ruleset;
use crate::cast;
use std::cell::Cell;

/// The watched seats, as a bit set, and to which of them anything that was read is unknown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    seats: u16,
    /// Whether a hidden value counts as unknown until it is shown, even if the seat could work it out.
    by_sight: bool,
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

    fn alert(&self, seat: usize) {
        self.missing.set(self.missing.get() | 1 << seat);
    }

    /// Records that a fact about a card is read, such as its kind; `fact` gives that fact for any card.
    #[cold]
    pub fn watch_fact<T: PartialEq>(&self, rules: &Ruleset, cells: Cells<'_>, card: usize, fact: impl Fn(usize) -> T) {
        for seat in self.unalerted_seats().filter(|&seat| cells.is_unknown(rules, seat, card)) {
            let read = fact(card);
            let alike = rules.hidden.indistinguishable(card).iter().map(|&other| other as usize);
            if alike.filter(|&other| cells.is_unknown(rules, seat, other)).any(|other| fact(other) != read) {
                self.alert(seat);
            }
        }
    }

    /// Records that a value is read which the seats in a bit set do not know.
    #[cold]
    pub fn watch_private(&self, unknown_to: i64) {
        self.unalerted_seats().filter(|seat| unknown_to >> seat & 1 == 1).for_each(|seat| self.alert(seat));
    }

    /// Records that the counters of a card are read.
    #[cold]
    pub fn watch_counters(&self, rules: &Ruleset, cells: Cells<'_>, card: usize) {
        self.unalerted_seats().filter(|&seat| !cells.sees_counters(rules, seat, card)).for_each(|seat| self.alert(seat));
    }

    /// Records that a hidden value is read, if the cell belongs to one.
    #[cold]
    pub fn watch_cell(&self, rules: &Ruleset, cells: Cells<'_>, cell: usize) {
        let Some(at) = rules.secret_at(cell) else { return };
        self.unalerted_seats().filter(|&seat| !cells.knows_secret(rules, seat, at, self.by_sight)).for_each(|seat| self.alert(seat));
    }

    /// Records that tokens of some classes, a bit set, are counted in a pool that begins at a cell. How many tokens lie there is no secret.
    #[cold]
    pub fn watch_tokens(&self, rules: &Ruleset, cells: Cells<'_>, cell: usize, classes: u64) {
        let Some(at) = rules.secret_at(cell) else { return };
        let counted = |of: u64| classes & of == 0 || classes & of == of;
        let every = rules.tokens.iter().fold(0, |every, token| every | token.classes);
        for seat in self.unalerted_seats() {
            let sorts_known = cells.knows_sorts(rules, seat, at) && !self.by_sight;
            if cells.knows_secret(rules, seat, at, self.by_sight) && (sorts_known || self.by_sight) {
                continue;
            }
            let is_public = if sorts_known { rules.tokens.iter().all(|token| counted(token.classes)) } else { counted(every) };
            if !is_public {
                self.alert(seat);
            }
        }
    }
}
