//! What is read in one step, perhaps compared with a number.

use super::{Code, Leaf, Root, Test};
use crate::eval::Env;
use crate::game::Game;
use crate::ruleset::Ruleset;

impl Game {
    /// What an expression comes to.
    #[inline(never)]
    pub(crate) fn root_of(&mut self, rules: &Ruleset, code: &Code, root: &Root, env: &Env) -> i64 {
        match root {
            Root::Leaf(leaf) => self.read_leaf(rules, code, *leaf, env),
            Root::Run(expr) => self.run(rules, code, *expr, env),
            Root::Unchanged(quantity, leaf, expr) => match self.is_changed(rules, *quantity) {
                true => self.run(rules, code, *expr, env),
                false => self.read_leaf(rules, code, *leaf, env),
            },
            Root::Is(test) => self.passes(rules, code, test, env) as i64,
            Root::All(tests) => tests.iter().all(|test| self.passes(rules, code, test, env)) as i64,
            Root::Any(tests) => tests.iter().any(|test| self.passes(rules, code, test, env)) as i64,
        }
    }

    fn passes(&mut self, rules: &Ruleset, code: &Code, test: &Test, env: &Env) -> bool {
        let a = self.read_leaf(rules, code, test.a, env);
        test.how.holds(a, self.read_leaf(rules, code, test.b, env))
    }

    /// Whether a card in play changes a quantity.
    #[inline]
    pub(super) fn is_changed(&mut self, rules: &Ruleset, quantity: u16) -> bool {
        self.refresh_active(rules);
        self.note_changes_of(rules, quantity);
        !self.active.changes(quantity).is_empty()
    }

    /// What is read in one step.
    #[inline(always)]
    pub(crate) fn read_leaf(&mut self, rules: &Ruleset, code: &Code, leaf: Leaf, env: &Env) -> i64 {
        let local = |local: u8| env.locals[local as usize] as i64;
        match leaf {
            Leaf::Const(value) => value,
            Leaf::Local(at) => local(at),
            Leaf::Global(cell) => self.read_table::<true>(rules, cell as usize),
            Leaf::Own(offset) => self.read_own::<true>(rules, env.me, offset),
            Leaf::OwnAt(offset, len, index) => self.read_own_at::<true>(rules, env.me, (offset, len), local(index)),
            Leaf::Column(card, column) => code.column(column, local(card)),
            Leaf::FieldAt(card, field, len, index) => Game::read_field_at(rules, local(card), (field, len), local(index)),
            Leaf::OfFirst(place, column) => code.column(column, self.read_first::<true>(rules, place, env.me)),
            Leaf::Counter(card, offset) => self.read_counter::<true>(rules, local(card), offset),
            Leaf::Row(card, grid) => self.read_row::<true>(rules, local(card), grid),
            Leaf::Lying(place) => self.read_lying::<true>(rules, place, env.me),
            Leaf::Value(value, slot) => match self.kept_live::<true>(rules, value, slot, env.me) {
                Some(known) => known,
                None => self.kept(rules, value, slot, env.me),
            },
        }
    }
}
