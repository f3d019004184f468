//! Reads values from the cache, and evaluates those that are not valid.

use super::env::{Env, MAX_NESTING, ReadView};
use super::eval::plain::{self, DEPENDS_ON_ITSELF};
use super::evaluator::Evaluator;
use crate::cast;
use houserule_ruleset::code::{MAX_ROW_LENGTH, Value, ValueId};

impl Evaluator<'_> {
    /// Returns the number in a slot of a cached value, if the value is valid and the view reads the seat's current cells. This is the fast
    /// path.
    #[inline(always)]
    pub(super) fn cached_current(&self, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        let (words, slots) = (self.rules.code.dependencies.word_count, self.rules.code.slots);
        let view = self.values.view;
        let is_current = view == ReadView::Current || view == ReadView::OwnCurrent(cast::seat(seat));
        let cache = self.values.kept.current().filter(|cache| is_current && cache.is_valid(words, seat, value))?;
        Some(cache.number(seat * slots + slot as usize))
    }

    /// Returns the number in a slot of a cached value, which is evaluated first if it is not valid.
    #[inline(never)]
    pub(super) fn cached(&mut self, value: ValueId, slot: u16, seat: usize) -> i64 {
        let (words, view) = (self.rules.code.dependencies.word_count, self.values.view);
        let Some(cache) = self.values.kept.cache_for(view, seat) else {
            return self.native_number(value, slot, seat).unwrap_or_else(|| self.fresh_number(value, slot, seat));
        };
        if matches!(view, ReadView::OwnCurrent(own) if own as usize != seat) {
            return self.fresh_number(value, slot, seat);
        }
        if cache.is_valid(words, seat, value) {
            return cache.number(seat * self.rules.code.slots + slot as usize);
        }
        self.evaluate(value, slot, seat)
    }

    /// Computes a number without keeping it: for another seat during a simultaneous block, since a mixed view is read then, with current cells
    /// of the acting seat and the snapshot of the others; and where generated code went wrong.
    #[cold]
    fn fresh_number(&mut self, id: ValueId, slot: u16, seat: usize) -> i64 {
        let first = self.rules.code.cached_value(id).slot;
        self.numbers(id, seat)[usize::from(slot - first)]
    }

    /// Computes the numbers of a value by a walk.
    fn numbers(&mut self, id: ValueId, seat: usize) -> [i64; MAX_ROW_LENGTH] {
        let (Value { body, len, .. }, mut numbers) = (*self.rules.code.cached_value(id), [0; MAX_ROW_LENGTH]);
        let Some(body) = body else { return numbers };
        if self.values.evaluation.depth >= MAX_NESTING {
            self.values.evaluation.record_error(DEPENDS_ON_ITSELF);
            return numbers;
        }
        self.values.evaluation.depth += 1;
        plain::value(self, body, &Env::for_seat(seat), &mut numbers[..usize::from(len)]);
        self.values.evaluation.depth -= 1;
        numbers
    }

    /// Returns one number of a cached value of a seat: for the property test that it equals its recomputation.
    pub fn number(&mut self, value: ValueId, index: u16, seat: usize) -> i64 {
        self.cached(value, self.rules.code.cached_value(value).slot + index, seat)
    }

    /// Computes a value and keeps it; returns the number in one of its slots. What went wrong in computing is not kept, so that it goes wrong
    /// wherever the value is read: whoever has read it first may have dropped the error.
    #[inline(never)]
    fn evaluate(&mut self, id: ValueId, slot: u16, seat: usize) -> i64 {
        let code = &self.rules.code;
        let Value { slot: first, len, .. } = *code.cached_value(id);
        let numbers = self.numbers(id, seat);
        if self.values.evaluation.error().is_none() {
            let at = seat * code.slots + usize::from(first);
            if let Some(cache) = self.values.kept.cache_for(self.values.view, seat) {
                cache.store(code.dependencies.word_count, seat, id, at, &numbers[..usize::from(len)]);
            }
        }
        numbers[usize::from(slot - first)]
    }
}

#[cfg(test)]
mod tests;
