//! Evaluates short expressions in one step, a single read, a comparison of two or a few steps, and all others by generated code or by a walk.

use super::env::Env;
use super::eval::plain;
use super::evaluator::Evaluator;
use super::native;
use super::ruleset::{NodeId, Ruleset};
use crate::cast;
use houserule_ruleset::boards::SpaceSet;
use houserule_ruleset::code::{CompiledExpr, Leaf, MAX_STACK, Step};

impl Evaluator<'_> {
    /// Evaluates an expression in its compiled form.
    #[inline(never)]
    pub(crate) fn eval_compiled(&mut self, compiled: &CompiledExpr, env: &Env) -> i64 {
        match compiled {
            CompiledExpr::Leaf(leaf) => self.read_leaf(*leaf, env),
            CompiledExpr::Run(expr) => self.run(*expr, env),
            CompiledExpr::Is(test) => {
                let a = self.read_leaf(test.a, env);
                test.operator.holds(a, self.read_leaf(test.b, env)).into()
            }
            CompiledExpr::Short(steps, expr) => self.short(steps, env).unwrap_or_else(|| self.run(*expr, env)),
        }
    }

    /// Evaluates a short expression; `None` if one of its operators has no result.
    fn short(&mut self, steps: &[Step], env: &Env) -> Option<i64> {
        let (mut stack, mut count, mut at) = ([0; MAX_STACK], 0, 0);
        while let Some(&step) = steps.get(at) {
            at += 1;
            let pushed = match step {
                Step::Read(leaf) => self.read_leaf(leaf, env),
                Step::Changed(quantity) => self.is_changed(quantity).into(),
                Step::Skip(skipped) => {
                    at += usize::from(skipped);
                    continue;
                }
                Step::Apply(operator) => {
                    count -= 2;
                    operator.apply(*stack.get(count)?, *stack.get(count + 1)?)?
                }
                Step::Not | Step::Truth | Step::Bit(_) | Step::Element(_) | Step::And(_) | Step::Or(_) | Step::Unless(_) => {
                    count -= 1;
                    let last = *stack.get(count)?;
                    match step {
                        Step::Bit(offset) => {
                            let is_bit = (0..31).contains(&last);
                            i64::from(is_bit && self.reader().seat_cell(env.me, offset) >> last & 1 == 1)
                        }
                        Step::Element(table) => self.rules.graph.table_element(table, last),
                        Step::Not => i64::from(last == 0),
                        Step::And(skipped) | Step::Or(skipped) | Step::Unless(skipped) => {
                            let is_unless = matches!(step, Step::Unless(_));
                            if (last != 0) != matches!(step, Step::Or(_)) {
                                continue;
                            }
                            at += usize::from(skipped);
                            if is_unless {
                                continue;
                            }
                            i64::from(last != 0)
                        }
                        Step::Truth | Step::Read(_) | Step::Changed(_) | Step::Skip(_) | Step::Apply(_) => i64::from(last != 0),
                    }
                }
            };
            *stack.get_mut(count)? = pushed;
            count += 1;
        }
        stack.first().copied()
    }

    /// Whether a card in play changes a quantity.
    #[inline]
    fn is_changed(&mut self, quantity: u16) -> bool {
        self.refresh_active();
        !self.changes_of(quantity).is_empty()
    }

    /// Evaluates an expression by generated code, or by a walk.
    #[inline]
    pub(crate) fn run(&mut self, expr: NodeId, env: &Env) -> i64 {
        if let Some(found) = self.native_value(expr, env) {
            return found;
        }
        let found = plain::number(self, expr, env);
        self.note_walked(expr);
        found
    }

    /// Evaluates a set of spaces by generated code, or by a walk.
    pub(crate) fn spaces(&mut self, node: NodeId, env: &Env) -> SpaceSet {
        if let Some(found) = self.native_spaces(node, env) {
            return found;
        }
        let found = plain::spaces(self, node, env);
        self.note_walked(node);
        found
    }

    /// Notes that an expression has been walked as a whole, unless the back end of the game has been chosen for good.
    fn note_walked(&mut self, expr: NodeId) {
        if !self.values.is_back_end_fixed {
            native::note_walked(self.rules, expr, &mut self.values.evaluation.steps);
        }
    }

    /// Evaluates a single read.
    #[inline(always)]
    pub(crate) fn read_leaf(&mut self, leaf: Leaf, env: &Env) -> i64 {
        let local = |local: u8| env.locals[local as usize] as i64;
        match leaf {
            Leaf::Const(value) => value,
            Leaf::Local(index) => local(index),
            Leaf::Global(cell) => self.reader().table_cell(cell as usize),
            Leaf::Own(offset) => self.reader().seat_cell(env.me, offset),
            Leaf::OwnAt(offset, len, index) => self.reader().seat_element(env.me, (offset, len), local(index)),
            Leaf::Column(card, column) => self.rules.graph.columns().get(column, local(card)),
            Leaf::FieldAt(card, field, len, index) => read_field_at(self.rules, local(card), (field, len), local(index)),
            Leaf::OfFirst(place, column) => self.rules.graph.columns().get(column, self.reader().first_in(place as usize, env.me)),
            Leaf::Counter(card, offset) => self.reader().counter(local(card), offset),
            Leaf::Row(card, grid) => self.reader().row(local(card), grid),
            Leaf::PiecesIn(place) => self.reader().pieces_in(place, env.me),
            Leaf::FirstIn(place) => self.reader().first_in(place.into(), env.me),
            Leaf::PlaceInOrder => self.reader().place_in_order(env.me),
            Leaf::Value(value, slot) => match self.cached_current(value, slot, env.me) {
                Some(known) => known,
                None => self.cached(value, slot, env.me),
            },
        }
    }
}

/// Returns a number of a row printed on a card; 0 if the index is out of bounds or there is no card.
#[inline(always)]
fn read_field_at(rules: &Ruleset, card: i64, (field, len): (u16, u16), index: i64) -> i64 {
    match usize::try_from(card) {
        Ok(card) if index >= 0 && index < len as i64 => rules.printed(card, field as usize + cast::index(index)) as i64,
        _ => 0,
    }
}
