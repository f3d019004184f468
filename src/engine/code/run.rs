//! The way into the machine, and its operations that may have to work something else out.

use super::read::Run;
use crate::cast;
use crate::env::Env;
use crate::env::ReadView;
use crate::evaluator::{Evaluator, Regs};
use houserule_ruleset::code::{ExprId, NONE, Reg, WorkOut, bits, given_in};

/// Expressions within one another deeper than this are a circle.
const MAX_NESTING: u32 = 200;

impl Evaluator<'_> {
    /// What an expression comes to.
    #[inline]
    pub(crate) fn run(&mut self, expr: ExprId, env: &Env) -> i64 {
        let regs = self.run_row(expr, env);
        let value = regs[0];
        self.values.evaluation.give_back(regs);
        value
    }

    /// Runs the code of an expression: the first register holds its result, or the first of several. The registers are to be given
    /// back.
    pub(crate) fn run_row(&mut self, expr: ExprId, env: &Env) -> Box<Regs> {
        let mut regs = self.values.evaluation.take_registers();
        self.run_in(expr, env, &mut regs);
        regs
    }

    /// Runs the code of an expression in registers that hold the loop variables that it is given.
    fn run_in(&mut self, expr: ExprId, env: &Env, regs: &mut Regs) {
        let unit = self.rules.code.unit(&self.rules.graph, expr);
        if unit.too_deep || self.values.evaluation.depth >= MAX_NESTING {
            let wrong = if unit.too_deep { "an expression is too long to be worked out" } else { "a number depends on itself" };
            self.values.evaluation.went_wrong(wrong);
            regs.fill(0);
            return;
        }
        self.values.evaluation.depth += 1;
        let run = Run { unit, env };
        if self.values.evaluation.noting.is_on() || self.values.view != ReadView::Current {
            self.run_unit::<true>(&run, regs);
        } else {
            self.run_unit::<false>(&run, regs);
        }
        self.values.evaluation.depth -= 1;
    }

    /// What an expression within loops comes to, with their variables.
    fn run_given(&mut self, expr: ExprId, env: &Env, given: &[(Reg, i64)]) -> i64 {
        let mut regs = self.values.evaluation.take_registers();
        given.iter().for_each(|&(reg, value)| regs[reg as usize] = value);
        self.run_in(expr, env, &mut regs);
        let value = regs[0];
        self.values.evaluation.give_back(regs);
        value
    }

    /// An operation for which something else may have to be worked out.
    #[inline(never)]
    pub(super) fn work_out_op(&mut self, run: &Run<'_>, op: &WorkOut, me: usize, regs: &mut Regs) {
        let &Run { unit, env } = run;
        macro_rules! reg {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        // What a quantity is told lies in locals: more than they hold is a fault.
        let argument = |eval: &Evaluator<'_>, arg: i64| i32::try_from(arg).unwrap_or_else(|_| cast::nearest(eval.too_large()));
        let args =
            |eval: &Evaluator<'_>, a, b, regs: &Regs| [a, b].map(|arg| if arg == NONE { -1 } else { argument(eval, regs[arg as usize]) });
        match *op {
            WorkOut::Quantity { d, a, b, quantity } => reg!(d) = self.quantity(quantity, me, args(self, a, b, regs)),
            WorkOut::Applied { d, value, a, b, quantity } => {
                reg!(d) = self.changed(quantity, me, args(self, a, b, regs), reg!(value));
            }
            WorkOut::Rank { d, a, rank, by } => {
                let expr = ExprId::at(cast::index(unit.longs[by as usize]));
                let (vars, mut given) = (self.rules.graph.facts(expr).vars, [(0, 0); u16::BITS as usize]);
                for ((given, var), &reg) in given.iter_mut().zip(bits(vars)).zip(&unit.longs[by as usize + 1..]) {
                    *given = (given_in(var), regs[cast::index(reg)]);
                }
                let given = &given[..vars.count_ones() as usize];
                let mut there = *env;
                reg!(d) = self.ranked(rank, me, reg!(a), |eval, seat| {
                    there.me = seat;
                    match (given, eval.rules.code.root(expr)) {
                        ([], Some(root)) => eval.root_of(root, &there),
                        _ => eval.run_given(expr, &there, given),
                    }
                }) as i64;
            }
            WorkOut::RowAt { d, index, len, value } => {
                let index = reg!(index);
                let inside = index >= 0 && index < len as i64;
                let slot = self.rules.code.value(value).slot + if inside { cast::low::<u16>(index) } else { 0 };
                let known = self.kept(value, slot, me);
                reg!(d) = if inside { known } else { 0 };
            }
        }
    }
}
