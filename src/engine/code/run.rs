//! The entry points of the register machine, and the operations that may evaluate other expressions.

use super::read::{Run, spaces_in, write_spaces};
use crate::cast;
use crate::env::Env;
use crate::env::ReadView;
use crate::evaluator::{Evaluator, Regs};
use houserule_ruleset::boards::{SpaceSet, UNREACHABLE};
use houserule_ruleset::code::{Expr, ExprId, NONE, Nested, Reg, outer_var_register, set_bits};
use houserule_ruleset::ways::Found;
use std::convert::Infallible;

/// The nesting of evaluations beyond which an expression is taken to depend on itself.
const MAX_NESTING: u32 = 200;

impl Evaluator<'_> {
    /// Evaluates an expression.
    #[inline]
    pub(crate) fn run(&mut self, expr: ExprId, env: &Env) -> i64 {
        let regs = self.run_row(expr, env);
        let value = regs[0];
        self.values.evaluation.return_registers(regs);
        value
    }

    /// Runs the code of an expression. The first register holds the result, or the first of several results. The caller must give the
    /// registers back.
    pub(crate) fn run_row(&mut self, expr: ExprId, env: &Env) -> Box<Regs> {
        let mut regs = self.values.evaluation.take_registers();
        self.run_in(expr, env, &mut regs);
        regs
    }

    /// Runs the code of a set of spaces, which lies in registers of its own.
    pub(crate) fn run_spaces(&mut self, expr: ExprId, env: &Env) -> SpaceSet {
        let regs = self.run_row(expr, env);
        let set = spaces_in(&regs, regs[0]);
        self.values.evaluation.return_registers(regs);
        set
    }

    /// Runs the code of an expression, in registers that already hold the outer loop variables it uses.
    fn run_in(&mut self, expr: ExprId, env: &Env, regs: &mut Regs) {
        let unit = self.rules.code.unit(&self.rules.graph, expr);
        if unit.too_deep || self.values.evaluation.depth >= MAX_NESTING {
            let wrong = if unit.too_deep { "an expression is too long to be worked out" } else { "a number depends on itself" };
            self.values.evaluation.record_error(wrong);
            regs.fill(0);
            return;
        }
        self.values.evaluation.depth += 1;
        let run = Run { unit, env };
        if self.values.view != ReadView::Current {
            self.run_unit::<true>(&run, regs);
        } else {
            self.run_unit::<false>(&run, regs);
        }
        self.values.evaluation.depth -= 1;
    }

    /// Evaluates an expression that uses outer loop variables; `given` holds the registers and values of these.
    fn run_with_vars(&mut self, expr: ExprId, env: &Env, given: &[(Reg, i64)]) -> i64 {
        let mut regs = self.values.evaluation.take_registers();
        given.iter().for_each(|&(reg, value)| regs[reg as usize] = value);
        self.run_in(expr, env, &mut regs);
        let value = regs[0];
        self.values.evaluation.return_registers(regs);
        value
    }

    /// Searches for ways, as an expression says where these can lead. `outer` has the values of its loop variables, and `with` is how many
    /// steps there are at most, or the space to be reached.
    fn search_ways(&mut self, expr: ExprId, outer: impl Iterator<Item = i64>, env: &Env, (from, with): (i64, i64)) -> Found {
        let graph = &self.rules.graph;
        let (Expr::Reached { board, .. } | Expr::StepsOver { board, .. }) = graph[expr] else { return Found::default() };
        let is_set = graph[expr].is_set_of_spaces();
        let board = &self.rules.boards[usize::from(board)];
        let space = |piece: i64| board.space(piece).map(cast::fit::<u16>);
        let (Some((ways, var)), Some(from)) = (graph[expr].ways(), space(from)) else { return Found::default() };
        let wanted = match (is_set, space(with)) {
            (true, _) => (with, None),
            (false, Some(to)) => (UNREACHABLE, Some(to)),
            (false, None) => return Found::default(),
        };
        let (vars, mut given) = (graph.facts(expr).vars, [(0, 0); u16::BITS as usize + 1]);
        for ((given, var), value) in given.iter_mut().skip(1).zip(set_bits(vars)).zip(outer) {
            *given = (outer_var_register(var), value);
        }
        let given = &mut given[..=vars.count_ones() as usize];
        let found = board.search(from, wanted, ways, |part, piece| {
            given[0] = (outer_var_register(var), piece);
            Ok::<i64, Infallible>(self.run_with_vars(part, env, given))
        });
        found.unwrap_or_default()
    }

    /// Runs an operation that may evaluate other expressions.
    #[inline(never)]
    pub(super) fn nested_op(&mut self, run: &Run<'_>, op: &Nested, me: usize, regs: &mut Regs) {
        let &Run { unit, env } = run;
        macro_rules! reg {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        // Arguments of a quantity are stored in 32-bit locals.
        let argument = |eval: &Evaluator<'_>, arg: i64| i32::try_from(arg).unwrap_or_else(|_| cast::nearest(eval.too_large()));
        let args =
            |eval: &Evaluator<'_>, a, b, regs: &Regs| [a, b].map(|arg| if arg == NONE { -1 } else { argument(eval, regs[arg as usize]) });
        match *op {
            Nested::Quantity { d, a, b, quantity } => reg!(d) = self.quantity(quantity, me, args(self, a, b, regs)),
            Nested::Applied { d, value, a, b, quantity } => {
                reg!(d) = self.changed(quantity, me, args(self, a, b, regs), reg!(value));
            }
            Nested::Rank { d, a, rank, by } => {
                let expr = ExprId::at(cast::index(unit.constants[by as usize]));
                let (vars, mut given) = (self.rules.graph.facts(expr).vars, [(0, 0); u16::BITS as usize]);
                for ((given, var), &reg) in given.iter_mut().zip(set_bits(vars)).zip(&unit.constants[by as usize + 1..]) {
                    *given = (outer_var_register(var), regs[cast::index(reg)]);
                }
                let given = &given[..vars.count_ones() as usize];
                let mut inner = *env;
                reg!(d) = self.ranked(rank, me, reg!(a), |eval, seat| {
                    inner.me = seat;
                    match (given, eval.rules.code.compiled(expr)) {
                        ([], Some(root)) => eval.eval_compiled(root, &inner),
                        _ => eval.run_with_vars(expr, &inner, given),
                    }
                }) as i64;
            }
            Nested::Ways { d, from, with, set, search } => {
                let expr = ExprId::at(cast::index(unit.constants[search as usize]));
                let outer = unit.constants[search as usize + 1..].iter().map(|&reg| regs[cast::index(reg)]);
                let found = self.search_ways(expr, outer, &Env { me, ..*env }, (reg!(from), reg!(with)));
                if set == NONE {
                    reg!(d) = found.distance();
                } else {
                    write_spaces(regs, set, &found.spaces);
                    reg!(d) = i64::from(set);
                }
            }
            Nested::RowAt { d, index, len, value } => {
                let index = reg!(index);
                let inside = index >= 0 && index < len as i64;
                let slot = self.rules.code.cached_value(value).slot + if inside { cast::low::<u16>(index) } else { 0 };
                let known = self.cached(value, slot, me);
                reg!(d) = if inside { known } else { 0 };
            }
        }
    }
}
