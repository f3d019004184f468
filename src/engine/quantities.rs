//! Quantities: stats, prices, the room of a place; what cards in play change of them, and what differs for a while.

use super::definition::concerns;
use super::env::Env;
use super::evaluator::Evaluator;
use super::look;
use super::ruleset::How;
use houserule_ruleset::code::Named;
use houserule_state::layout::TABLE;

impl Evaluator<'_> {
    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        if self.values.watch.is_on() {
            look::through_quantity(self, index, seat, args);
        }
        let rules = self.rules;
        match rules.code.of_quantity(index) {
            Named::Value(value) => self.kept(value, rules.code.value(value).slot, seat),
            Named::Run(expr) => self.run(expr, &Env::with(seat, &[-1, args[0], args[1]])),
        }
    }

    /// Applies what cards in play change: first what sets it, then what adds, then what bounds it.
    pub(super) fn changed(&mut self, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        // Who comes here has asked whether there are any; what is kept of the answer depends on them all the same.
        self.reader::<true>().note_changes_of(index);
        let rules = self.rules;
        let mut env = Env::with(seat, &[-1, args[0], args[1]]);
        for i in 0..self.changes_of(index).len() {
            let speaker = self.changes_of(index)[i];
            let change = &rules.definition(speaker.piece.index()).changes[speaker.entry.index()];
            if !concerns(change.who, speaker.owner, seat) {
                continue;
            }
            env.me = if speaker.owner == TABLE { seat } else { speaker.owner as usize };
            env.locals[0] = speaker.piece.local();
            if !self.holds_if(change.when, &mut env) {
                continue;
            }
            let well = self.values.evaluation.wrong_number().is_none();
            let amount = self.eval(change.amount, &mut env);
            if well && self.values.evaluation.wrong_number().is_some() {
                self.values.evaluation.wrong_in = Some((u32::from(speaker.piece), change.span));
            }
            value = match change.how {
                How::To => amount,
                How::By => self.sum(value, amount),
                How::AtLeast => value.max(amount),
                How::AtMost => value.min(amount),
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
                vec![Change { quantity: 0, who: Who::Me, when: None, how: How::By, amount: one, span: None }; 256];
        });
        let mut game = laid(&rules, [(0, 0, 0)]);
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 256);
    }
}
