//! Reads values from the cache, and evaluates those that are not valid.

use super::env::{Env, ReadView};
use super::evaluator::Evaluator;
use super::ruleset::NodeId;
use crate::cast;
use houserule_ruleset::code::{Body, Value, ValueId};
use houserule_ruleset::dependencies::{CHECKS, Recording};

impl Evaluator<'_> {
    /// Returns the number in a slot of a cached value, if the value is valid and the view reads the seat's current cells. This is the fast
    /// path.
    #[inline(always)]
    pub(super) fn cached_current<const RECORD: bool>(&self, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        let (words, slots) = (self.rules.code.dependencies.word_count, self.rules.code.slots);
        let view = self.values.view;
        // Without recording, the view is always the current one.
        let is_current = !RECORD || view == ReadView::Current || view == ReadView::OwnCurrent(cast::seat(seat));
        if !is_current || !self.values.current.is_valid(words, seat, value) {
            return None;
        }
        if RECORD {
            self.record_value(value, seat);
        }
        Some(self.values.current.number(seat * slots + slot as usize))
    }

    #[inline(always)]
    fn record_value(&self, value: ValueId, seat: usize) {
        let (recording, dependencies) = (self.values.evaluation.recording, &self.rules.code.dependencies);
        if recording.is_on() {
            dependencies.record(recording, dependencies.first_value_row + value.0 as usize, seat != recording.seat as usize);
        }
    }

    /// Returns the number in a slot of a cached value, which is evaluated first if it is not valid.
    #[inline(never)]
    pub(super) fn cached(&mut self, value: ValueId, slot: u16, seat: usize) -> i64 {
        if matches!(self.values.view, ReadView::OwnCurrent(own) if own as usize != seat) {
            return self.mixed_view_number(value, slot, seat);
        }
        self.record_value(value, seat);
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
        let outer = std::mem::replace(&mut self.values.evaluation.recording, Recording::start(&code.dependencies, id, seat));
        let Value { body, slot, len } = *code.cached_value(id);
        let first = seat * code.slots + slot as usize;
        let Body::Expr(expr) = body else {
            self.values.evaluation.recording = outer;
            return self.values.cache_for(seat).store(code.dependencies.word_count, seat, id, first, &[]);
        };
        let regs = self.run_row(expr, &Env::for_seat(seat));
        self.values.cache_for(seat).store(code.dependencies.word_count, seat, id, first, &regs[..len as usize]);
        self.values.evaluation.return_registers(regs);
        self.values.evaluation.recording = outer;
    }

    /// Whether a condition of a state-based check holds. What the condition reads is recorded, so that the checks become due when it
    /// changes.
    pub(super) fn check_holds(&mut self, node: NodeId, env: &mut Env) -> bool {
        let dependencies = &self.rules.code.dependencies;
        if dependencies.word_count == 0 {
            return self.holds(node, env);
        }
        let outer = std::mem::replace(&mut self.values.evaluation.recording, Recording::start(dependencies, CHECKS, env.me));
        let holds = self.holds(node, env);
        self.values.evaluation.recording = outer;
        holds
    }
}

#[cfg(test)]
mod tests;
