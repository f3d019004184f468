//! Quantities: named numbers such as prices and the room of places. Cards in play may change them, and statements may add temporary
//! differences.

use super::definition::concerns;
use super::env::Env;
use super::evaluator::Evaluator;
use super::ruleset::ChangeOp;
use super::watched_reads;
use houserule_ruleset::code::QuantityCode;
use houserule_state::layout::TABLE;

impl Evaluator<'_> {
    /// Evaluates a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        if self.values.watch.is_on() {
            watched_reads::record_quantity_reads(self, index, seat, args);
        }
        let rules = self.rules;
        match rules.code.quantity_code(index) {
            QuantityCode::Value(value) => self.cached(value, rules.code.cached_value(value).slot, seat),
            QuantityCode::Run(expr) => self.run(expr, &Env::with_locals(seat, &[-1, args[0], args[1]])),
        }
    }

    /// Applies the changes of cards in play: first those that set the value, then those that add, then those that bound it.
    pub(super) fn changed(&mut self, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        let rules = self.rules;
        let mut env = Env::with_locals(seat, &[-1, args[0], args[1]]);
        for i in 0..self.changes_of(index).len() {
            let active = self.changes_of(index)[i];
            let change = &rules.definition(active.piece.index()).changes[active.entry.index()];
            if !concerns(change.who, active.owner, seat) {
                continue;
            }
            env.me = if active.owner == TABLE { seat } else { active.owner as usize };
            env.locals[0] = active.piece.local();
            if !self.holds_if(change.when, &mut env) {
                continue;
            }
            let no_error = self.values.evaluation.error().is_none();
            let amount = self.eval(change.amount, &mut env);
            if no_error && self.values.evaluation.error().is_some() {
                self.values.evaluation.error_source = Some((u32::from(active.piece), change.span));
            }
            value = match change.operator {
                ChangeOp::To => amount,
                ChangeOp::By => self.sum(value, amount),
                ChangeOp::AtLeast => value.max(amount),
                ChangeOp::AtMost => value.min(amount),
            };
        }
        value
    }

    fn sum(&mut self, a: i64, b: i64) -> i64 {
        a.checked_add(b).unwrap_or_else(|| self.too_large())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Change, Who};
    use crate::graph::Expr;
    use crate::testing::{laid, quantity, rules};

    #[test]
    fn all_changes_of_a_card_with_many_of_them_count() {
        let rules = rules(|rules, node| {
            let [none, one] = [0, 1].map(|value| node(rules, Expr::Const { value }));
            rules.quantities = vec![quantity("howl", none, 0)];
            rules.definitions[0].changes =
                vec![Change { quantity: 0, who: Who::Me, when: None, operator: ChangeOp::By, amount: one, span: None }; 256];
        });
        let mut game = laid(&rules, [(0, 0, 0)]);
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 256);
    }
}
