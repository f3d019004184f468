//! Quantities: stats, prices, the room of a place; what cards in play change of them, and what differs for a while.

use super::definition::concerns;
use super::eval::Env;
use super::game::Game;
use super::ruleset::{How, Lifetime, Ruleset};
use crate::state::layout::TABLE;

impl Game {
    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        match rules.code.of_quantity(index) {
            Some(value) => self.kept(rules, value, rules.code.value(value).slot, seat),
            None => self.work_out_quantity(rules, index, seat, args),
        }
    }

    /// A quantity, worked out anew.
    pub(super) fn work_out_quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        let quantity = &rules.quantities[index as usize];
        let mut env = Env::of(seat);
        env.locals[1] = args[0];
        env.locals[2] = args[1];
        let mut value = self.eval(rules, quantity.base, &mut env);
        if let Some(offset) = quantity.differences {
            let first = rules.layout.seat(seat, offset as usize);
            for cell in first..first + Lifetime::ALL.len() {
                self.note_cell(rules, cell);
                value = self.sum(value, self.cell(rules, cell) as i64);
            }
        }
        if quantity.changed {
            value = self.changed(rules, index, seat, args, value);
        }
        if let Some(most) = quantity.most {
            value = value.min(self.eval(rules, most, &mut env));
        }
        if let Some(least) = quantity.least {
            value = value.max(self.eval(rules, least, &mut env));
        }
        value
    }

    /// Applies what cards in play change: first what sets it, then what adds, then what bounds it.
    fn changed(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        self.refresh_active(rules);
        self.note_changes_of(rules, index);
        let count = self.active.changes(index).len();
        if count == 0 {
            return value;
        }
        for pass in [How::To, How::By, How::AtLeast, How::AtMost] {
            for i in 0..count {
                let speaker = self.active.changes(index)[i];
                let change = &rules.definition(speaker.piece as usize).changes[speaker.entry as usize];
                if change.how != pass || !concerns(change.who, speaker.owner, seat) {
                    continue;
                }
                let owner = if speaker.owner == TABLE { seat } else { speaker.owner as usize };
                let mut env = Env::with(owner, &[speaker.piece as i32, args[0], args[1]]);
                if !self.holds_if(rules, change.when, &mut env) {
                    continue;
                }
                let amount = self.eval(rules, change.amount, &mut env);
                value = match pass {
                    How::To => amount,
                    How::By => self.sum(value, amount),
                    How::AtLeast => value.max(amount),
                    How::AtMost => value.min(amount),
                };
            }
        }
        value
    }

    fn sum(&mut self, a: i64, b: i64) -> i64 {
        a.checked_add(b).unwrap_or_else(|| self.too_large())
    }
}
