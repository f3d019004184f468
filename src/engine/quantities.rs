//! Quantities: named numbers such as prices and the room of places. Cards in play may change them, and statements may add temporary
//! differences.

use super::env::Env;
use super::evaluator::Evaluator;
use super::watched_reads;
use houserule_ruleset::code::QuantityCode;

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
}

#[cfg(test)]
mod tests {
    use crate::definition::{Change, ChangeOp, Who};
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
        assert_eq!(game.store(&rules).quantity(0, 0, [-1; 2]), 256);
    }
}
