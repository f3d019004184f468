//! Evaluates expressions, by compiled code if there is any and otherwise by walking the graph.

pub use super::env::{Env, LOCALS};

use super::Fault;
use super::evaluator::Evaluator;
use super::ruleset::NodeId;
use super::watched_reads;
use houserule_ruleset::boards::SpaceSet;
use houserule_ruleset::code::CompiledExpr;

/// A way to evaluate expressions. The [`Walker`] defines their meaning; the other must give the same values.
trait Evaluate {
    /// Evaluates an expression; `None` if this evaluator does not support the expression. An arithmetic error is recorded and gives 0.
    fn evaluate(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64>;
}

/// Walks the graph. It supports all expressions, also those created after the ruleset was compiled.
struct Walker;

impl Evaluate for Walker {
    #[cold]
    fn evaluate(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64> {
        Some(plain::try_value(evaluator, node, env).unwrap_or_else(|wrong| {
            if evaluator.values.evaluation.error().is_none() {
                evaluator.values.evaluation.error_source = wrong.change;
            }
            evaluator.values.evaluation.record_error(wrong.message)
        }))
    }
}

/// Runs compiled code on the register machine.
struct Registers;

impl Evaluate for Registers {
    #[inline(always)]
    fn evaluate(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64> {
        Some(match evaluator.rules.code.compiled(node)? {
            CompiledExpr::Leaf(leaf) => evaluator.read_leaf(*leaf, env),
            compiled @ (CompiledExpr::Is(_)
            | CompiledExpr::All(_)
            | CompiledExpr::Any(_)
            | CompiledExpr::Unchanged(..)
            | CompiledExpr::Run(_)) => evaluator.eval_compiled(compiled, env),
        })
    }
}

impl Evaluator<'_> {
    /// Evaluates an expression.
    #[inline]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        if self.values.watch.is_on() {
            watched_reads::record_expr_reads(self, node, env);
        }
        Registers.evaluate(self, node, env).unwrap_or_else(|| Walker.evaluate(self, node, env).unwrap_or(0))
    }

    /// Evaluates a set of spaces.
    pub fn spaces(&mut self, node: NodeId, env: &Env) -> SpaceSet {
        if self.rules.code.compiled(node).is_some() {
            return self.run_spaces(node, env);
        }
        plain::evaluate_spaces(self, node, env).unwrap_or_else(|| {
            self.too_large();
            SpaceSet::default()
        })
    }

    /// Whether an optional condition holds; `None` holds.
    #[inline]
    pub fn holds_if(&mut self, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(node, env) != 0)
    }

    /// Takes the fault of the first arithmetic error since the last call.
    pub fn take_arithmetic_fault(&mut self) -> Option<Fault> {
        let rules = self.rules;
        let fault = Fault::new(self.values.evaluation.take_error()?);
        let Some((piece, span)) = self.values.evaluation.error_source.take() else { return Some(fault) };
        Some(Fault { owner: rules.names.text(rules.definition(piece as usize).id).to_string(), span, ..fault })
    }
}

pub(crate) mod plain;
#[cfg(test)]
mod tests;
