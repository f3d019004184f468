//! Reads values from the cache, and evaluates those that are not valid.

use super::env::{Env, ReadView};
use super::evaluator::Evaluator;
use crate::cast;
use houserule_ruleset::code::{Body, Value, ValueId};

impl Evaluator<'_> {
    /// Returns the number in a slot of a cached value, if the value is valid and the view reads the seat's current cells. This is the fast
    /// path.
    #[inline(always)]
    pub(super) fn cached_current<const VIEWED: bool>(&self, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        let (words, slots) = (self.rules.code.dependencies.word_count, self.rules.code.slots);
        let view = self.values.view;
        let is_current = !VIEWED || view == ReadView::Current || view == ReadView::OwnCurrent(cast::seat(seat));
        if !is_current || !self.values.current.is_valid(words, seat, value) {
            return None;
        }
        Some(self.values.current.number(seat * slots + slot as usize))
    }

    /// Returns the number in a slot of a cached value, which is evaluated first if it is not valid.
    #[inline(never)]
    pub(super) fn cached(&mut self, value: ValueId, slot: u16, seat: usize) -> i64 {
        if matches!(self.values.view, ReadView::OwnCurrent(own) if own as usize != seat) {
            return self.mixed_view_number(value, slot, seat);
        }
        let words = self.rules.code.dependencies.word_count;
        if !self.values.cache_for(seat).is_valid(words, seat, value) {
            self.evaluate(value, seat);
        }
        let slot = seat * self.rules.code.slots + slot as usize;
        self.values.cache_for(seat).number(slot)
    }

    /// Computes a number of another seat during a simultaneous block. It is not cached: a mixed view is read, with current cells of the
    /// acting seat and the snapshot of the others.
    #[cold]
    fn mixed_view_number(&mut self, id: ValueId, slot: u16, seat: usize) -> i64 {
        let code = &self.rules.code;
        let Value { body, slot: first, .. } = *code.cached_value(id);
        let Body::Expr(expr) = body else { return 0 };
        let regs = self.run_row(expr, &Env::for_seat(seat));
        let number = regs[(slot - first) as usize];
        self.values.evaluation.return_registers(regs);
        number
    }

    /// Returns one number of a cached value of a seat: for the property test that it equals its recomputation.
    pub fn number(&mut self, value: ValueId, index: u16, seat: usize) -> i64 {
        self.cached(value, self.rules.code.cached_value(value).slot + index, seat)
    }

    #[inline(never)]
    fn evaluate(&mut self, id: ValueId, seat: usize) {
        let code = &self.rules.code;
        let Value { body, slot, len } = *code.cached_value(id);
        let first = seat * code.slots + slot as usize;
        let Body::Expr(expr) = body else {
            return self.values.cache_for(seat).store(code.dependencies.word_count, seat, id, first, &[]);
        };
        let regs = self.run_row(expr, &Env::for_seat(seat));
        self.values.cache_for(seat).store(code.dependencies.word_count, seat, id, first, &regs[..len as usize]);
        self.values.evaluation.return_registers(regs);
    }
}

#[cfg(test)]
mod tests;
