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
    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        if self.values.watch.is_on() {
            watched_reads::record_quantity_reads(self, index, seat, args);
        }
        let rules = self.rules;
        match rules.code.quantity_code(index) {
            QuantityCode::Value(value) => self.cached(value, rules.code.value(value).slot, seat),
            QuantityCode::Run(expr) => self.run(expr, &Env::with(seat, &[-1, args[0], args[1]])),
        }
    }

    /// Applies the changes of cards in play: first those that set the value, then those that add, then those that bound it.
    pub(super) fn changed(&mut self, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        // The caller tests for changes first, but the cached value depends on the list of changes too.
        self.reader::<true>().record_changes_of(index);
        let rules = self.rules;
        let mut env = Env::with(seat, &[-1, args[0], args[1]]);
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
    use crate::Game;
    use crate::definition::{Change, Who};
    use crate::graph::{Expr, NumberOp};
    use crate::ruleset::{Lifetime, Quantity};
    use crate::testing::{DENS, game, quantity, rules};

    #[test]
    fn cards_set_then_add_then_bound_and_the_rules_bound_last() {
        let rules = rules(|rules, node| {
            let own = node(rules, Expr::Own { offset: 0 });
            let [ten, two, seven, nine] = [10, 2, 7, 9].map(|value| node(rules, Expr::Const { value }));
            rules.quantities = vec![Quantity { most: Some(nine), ..quantity("howl", own, 0) }];
            let change = |who, operator, amount| Change { quantity: 0, who, when: None, operator, amount, span: None };
            rules.definitions[0].changes = vec![change(Who::Me, ChangeOp::By, two), change(Who::Me, ChangeOp::To, ten)];
            rules.definitions[2].changes = vec![change(Who::Others, ChangeOp::AtMost, seven)];
        });
        let mut game = game(&rules);
        game.hold_checks();
        let howl = |game: &mut Game| [0, 1].map(|seat| game.on(&rules).quantity(0, seat, [-1; 2]));
        game.put_own(&rules, 0, 0, 4);
        assert_eq!(howl(&mut game), [4, 0]);
        game.lay(&rules, 0, DENS, 0);
        assert_eq!(howl(&mut game), [9, 0], "set to 10, 2 more, and never above 9");
        game.lay(&rules, 3, DENS + 1, 0);
        assert_eq!(howl(&mut game), [7, 0], "a card of somebody else bounds it");
        game.put_own(&rules, 1, 0, 5);
        assert_eq!(howl(&mut game), [7, 5]);
    }

    #[test]
    fn what_differs_for_a_while_is_added() {
        let rules = rules(|rules, node| {
            let own = node(rules, Expr::Own { offset: 0 });
            rules.quantities = vec![Quantity { differences: Some(1), ..quantity("howl", own, 0) }];
        });
        let mut game = game(&rules);
        game.hold_checks();
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 0);
        game.put_own(&rules, 0, 0, 5);
        assert_eq!(crate::change::add_difference(&mut game.on(&rules), 0, 0, 2, Lifetime::Round), Ok(()));
        assert_eq!(crate::change::add_difference(&mut game.on(&rules), 0, 0, -1, Lifetime::Game), Ok(()));
        assert_eq!([0, 1].map(|seat| game.on(&rules).quantity(0, seat, [-1; 2])), [6, 0]);
        assert_eq!(crate::lifetimes::clear_lifetime(&mut game.on(&rules), Lifetime::Turn), Ok(()));
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 6);
        assert_eq!(crate::lifetimes::clear_lifetime(&mut game.on(&rules), Lifetime::Round), Ok(()));
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 4);
    }

    #[test]
    fn arguments_stand_for_what_is_named() {
        let mut asked = [crate::node::NodeId::default(); 2];
        let rules = rules(|rules, node| {
            let [card, b, inner] = [1, 2, 5].map(|local| node(rules, Expr::Local { local }));
            let a = rules.of_piece(card, 0, |rules, card| rules.printed(card, 0).into());
            rules.quantities = vec![quantity("toll", node(rules, Expr::Binary { operator: NumberOp::Mul, a, b }), 2)];
            let ten = node(rules, Expr::Const { value: 10 });
            asked = [
                rules.name_quantity(0, [Some(inner), Some(ten)]),
                node(rules, Expr::Quantity { quantity: 0, args: [Some(inner), Some(ten)] }),
            ];
        });
        let mut game = game(&rules);
        assert_eq!(game.on(&rules).quantity(0, 0, [3, 5]), 20);
        let mut env = Env::for_seat(0);
        env.locals[5] = 0;
        assert_eq!(asked.map(|asked| game.on(&rules).eval(asked, &mut env)), [30; 2], "where it is named, and by itself");
        env.locals[5] = -1;
        assert_eq!(asked.map(|asked| game.on(&rules).eval(asked, &mut env)), [0; 2]);
    }

    #[test]
    fn all_changes_of_a_card_with_many_of_them_count() {
        let rules = rules(|rules, node| {
            let [none, one] = [0, 1].map(|value| node(rules, Expr::Const { value }));
            rules.quantities = vec![quantity("howl", none, 0)];
            rules.definitions[0].changes =
                vec![Change { quantity: 0, who: Who::Me, when: None, operator: ChangeOp::By, amount: one, span: None }; 256];
        });
        let mut game = game(&rules);
        game.hold_checks();
        game.lay(&rules, 0, DENS, 0);
        assert_eq!(game.on(&rules).quantity(0, 0, [-1; 2]), 256);
    }
}
