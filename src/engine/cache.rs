//! Values kept beside the state. One invariant: **a value that is marked valid equals a recount.**
//!
//! While a value is worked out, each row of [`houserule_ruleset::readers::Readers`] that is read notes it: a class of cells (of its own seat, or of others as
//! well), which cards change a quantity, or another value. A write unmarks what was noted for the class of its cell. Notes are never
//! taken back, so that after a few games nothing new is noted, and noting costs one test a read; they only say what *may* have been
//! read, and are shared by all games of a ruleset. Nobody says beforehand what an expression reads.

use super::code::{Body, Value, ValueId};
use super::eval::Env;
use super::game::{Eyes, Game};
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::layout::{PIECE, TABLE, piece};
use houserule_ruleset::readers::{CHECKS, Noting};
use std::sync::atomic::Ordering::Acquire;

/// Numbers of each seat, and which values hold.
#[derive(Debug, Default)]
pub(super) struct Cache {
    values: Vec<i64>,
    /// Bits of values, as many words for each seat.
    valid: Vec<u64>,
    /// Cells that have changed while all act at once: what was worked out for others from what they were is invalid in the end.
    pub changed: Vec<u32>,
}

impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache { values: self.values.clone(), valid: self.valid.clone(), changed: self.changed.clone() }
    }

    fn clone_from(&mut self, source: &Cache) {
        self.values.clone_from(&source.values);
        self.valid.clone_from(&source.valid);
        self.changed.clone_from(&source.changed);
    }
}

impl Cache {
    /// Nothing is valid.
    pub fn clear(&mut self, rules: &Ruleset) {
        self.values.resize(rules.code.slots * rules.players, 0);
        self.valid.clear();
        self.valid.resize(rules.code.readers.words * rules.players, 0);
        self.changed.clear();
    }

    #[inline(always)]
    fn holds(&self, words: usize, seat: usize, value: ValueId) -> bool {
        self.valid[seat * words + value.0 as usize / 64] >> (value.0 % 64) & 1 == 1
    }
}

impl Game {
    /// The cache for a seat's values through the present eyes: live, or as everything was.
    #[inline]
    fn cache_for(&mut self, seat: usize) -> &mut Cache {
        match self.eyes {
            Eyes::Live => &mut self.live,
            Eyes::Own(own) if own as usize == seat => &mut self.live,
            Eyes::Own(_) | Eyes::Before => &mut self.past,
        }
    }

    /// The number in a slot of a value of a seat, if it holds and what the seat has is seen as it is: what is asked most, and quickest.
    #[inline(always)]
    pub(super) fn kept_live<const NOTE: bool>(&self, rules: &Ruleset, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        let (words, slots) = (rules.code.readers.words, rules.code.slots);
        // What notes nothing sees everything as it is.
        let as_it_is = !NOTE || self.eyes == Eyes::Live || self.eyes == Eyes::Own(cast::seat(seat));
        if !as_it_is || !self.live.holds(words, seat, value) {
            return None;
        }
        if NOTE {
            self.note_value(rules, value, seat);
        }
        Some(self.live.values[seat * slots + slot as usize])
    }

    #[inline(always)]
    fn note_value(&self, rules: &Ruleset, value: ValueId, seat: usize) {
        let (noting, readers) = (self.evaluation.noting, &rules.code.readers);
        if noting.is_on() {
            readers.note(noting, readers.values + value.0 as usize, seat != noting.seat as usize);
        }
    }

    /// The number in a slot of a value of a seat, worked out first where it does not hold.
    #[inline(never)]
    pub(super) fn kept(&mut self, rules: &Ruleset, value: ValueId, slot: u16, seat: usize) -> i64 {
        if matches!(self.eyes, Eyes::Own(own) if own as usize != seat) {
            return self.of_another(rules, value, slot, seat);
        }
        self.note_value(rules, value, seat);
        let words = rules.code.readers.words;
        if !self.cache_for(seat).holds(words, seat, value) {
            self.work_out(rules, value, seat);
        }
        self.cache_for(seat).values[seat * rules.code.slots + slot as usize]
    }

    /// A number of another seat while all act at once, worked out anew: it is read through the eyes of the one who acts, whose own things
    /// are as they are also where they count for others, so that it is neither what the other keeps nor what it was.
    #[cold]
    fn of_another(&mut self, rules: &Ruleset, id: ValueId, slot: u16, seat: usize) -> i64 {
        let Value { body, slot: first, .. } = *rules.code.value(id);
        let Body::Expr(expr) = body else { return 0 };
        let regs = self.run_row(rules, &rules.code, expr, &Env::of(seat));
        let number = regs[(slot - first) as usize];
        self.evaluation.give_back(regs);
        number
    }

    /// One number of a value of a seat: for the law that it equals a recount.
    pub fn number(&mut self, rules: &Ruleset, value: ValueId, index: u16, seat: usize) -> i64 {
        self.kept(rules, value, rules.code.value(value).slot + index, seat)
    }

    #[inline(never)]
    fn work_out(&mut self, rules: &Ruleset, id: ValueId, seat: usize) {
        let outer = std::mem::replace(&mut self.evaluation.noting, Noting::of(&rules.code.readers, id, seat));
        let Value { body, slot, len } = *rules.code.value(id);
        let first = seat * rules.code.slots + slot as usize;
        if let Body::Expr(expr) = body {
            let regs = self.run_row(rules, &rules.code, expr, &Env::of(seat));
            let values = &mut self.cache_for(seat).values;
            match len {
                1 => values[first] = regs[0],
                _ => values[first..first + len as usize].copy_from_slice(&regs[..len as usize]),
            }
            self.evaluation.give_back(regs);
        }
        self.evaluation.noting = outer;
        let words = rules.code.readers.words;
        self.cache_for(seat).valid[seat * words + id.0 as usize / 64] |= 1 << (id.0 % 64);
    }

    /// No value holds any longer.
    pub(super) fn forget_values(&mut self, rules: &Ruleset) {
        self.live.clear(rules);
        self.past.clear(rules);
        self.live
            .changed
            .extend((0..self.before.len().min(self.fixed)).filter(|&at| self.cells[at] != self.before[at]).map(cast::fit::<u32>));
    }

    /// Whether a condition of the state-based checks holds; what it reads makes them due again.
    pub(super) fn check_holds(&mut self, rules: &Ruleset, node: super::node::NodeId, env: &mut Env) -> bool {
        if rules.code.readers.words == 0 {
            return self.holds(rules, node, env);
        }
        let outer = std::mem::replace(&mut self.evaluation.noting, Noting::of(&rules.code.readers, CHECKS, env.me));
        let holds = self.holds(rules, node, env);
        self.evaluation.noting = outer;
        holds
    }

    /// Notes that a cell is read for the value that is being worked out.
    #[inline(always)]
    pub(super) fn note_cell(&self, rules: &Ruleset, index: usize) {
        self.note_row(rules, rules.layout.class_of[index] as usize, rules.layout.owner_of[index]);
    }

    /// Notes that a cell is read that this owner has.
    #[inline(always)]
    pub(super) fn note_owned(&self, rules: &Ruleset, index: usize, owner: u8) {
        self.note_row(rules, rules.layout.class_of[index] as usize, owner);
    }

    /// Notes that a cell of a piece is read.
    #[inline(always)]
    pub(super) fn note_piece(&self, rules: &Ruleset, card: usize, offset: usize) {
        let class = rules.layout.class_of[rules.layout.piece(card, offset)];
        self.note_row(rules, class as usize, self.owner_of_piece(rules, card));
    }

    /// Notes that it is read where a piece lies: at the place, for then its cells change when the piece leaves.
    #[inline(always)]
    pub(super) fn note_place_of(&self, rules: &Ruleset, card: usize) {
        let place = &rules.layout.places[cast::index(self.cells[rules.layout.piece(card, piece::PLACE)])];
        if place.room > 0 { self.note_cell(rules, place.base as usize) } else { self.note_piece(rules, card, piece::PLACE) }
    }

    /// Notes that it is read which cards change a quantity.
    #[inline]
    pub(super) fn note_changes_of(&self, rules: &Ruleset, quantity: u16) {
        self.note_row(rules, rules.code.readers.quantities + quantity as usize, TABLE);
    }

    #[inline(always)]
    fn note_row(&self, rules: &Ruleset, row: usize, owner: u8) {
        // What belongs to nobody unmarks values of every seat anyway.
        let noting = self.evaluation.noting;
        if noting.is_on() {
            rules.code.readers.note(noting, row, owner != TABLE && owner != noting.seat);
        }
    }

    /// A cell of a class has changed: what was worked out from it no longer holds.
    #[inline]
    pub(super) fn unmark(&mut self, rules: &Ruleset, index: usize, class: u32) {
        if !rules.code.readers.is_read(class as usize) {
            return;
        }
        let owner = match rules.layout.owner_of[index] {
            PIECE => self.owner_of_piece(rules, (index - rules.layout.piece_base) / rules.layout.piece_size),
            owner => owner,
        };
        self.unmark_row(rules, class as usize, owner);
    }

    /// A card that changes quantities has come or gone.
    pub(super) fn unmark_changes(&mut self, rules: &Ruleset, card: usize) {
        for change in &rules.definition(card).changes {
            self.unmark_row(rules, rules.code.readers.quantities + change.quantity as usize, TABLE);
        }
    }

    fn unmark_row(&mut self, rules: &Ruleset, row: usize, owner: u8) {
        let readers = &rules.code.readers;
        if !readers.is_read(row) {
            return;
        }
        let words = readers.words;
        for word in 0..words {
            let (own, any) = (readers.word(word, row, false).load(Acquire), readers.word(word, row, true).load(Acquire));
            if word == 0 && (own | any) & 1 << CHECKS.0 != 0 {
                self.due.checks = true;
            }
            let by_all = any | if owner == TABLE { own } else { 0 };
            if by_all != 0 {
                (0..rules.players).for_each(|seat| self.live.valid[seat * words + word] &= !by_all);
            }
            if owner != TABLE {
                self.live.valid[owner as usize * words + word] &= !own;
            }
        }
    }
}

#[cfg(test)]
mod tests;
