//! The door to expressions: what one is worth to whom.

pub use super::env::{Env, LOCALS};

use super::Fault;
use super::evaluator::Evaluator;
use super::look;
use super::ruleset::NodeId;
use houserule_ruleset::code::Root;

/// What works expressions out. What an expression means is what the [`Walker`] says; all others say the same, only sooner.
trait Evaluate {
    /// The value of an expression in an environment; what goes wrong with a number is noted. `None` for an expression that it does not
    /// know.
    fn value(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64>;
}

/// A plain walk over the graph, which knows all expressions, also those made after the ruleset was compiled.
struct Walker;

impl Evaluate for Walker {
    #[cold]
    fn value(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64> {
        Some(plain::told(evaluator, node, env).unwrap_or_else(|wrong| {
            if evaluator.values.evaluation.wrong_number().is_none() {
                evaluator.values.evaluation.wrong_in = wrong.change;
            }
            evaluator.values.evaluation.went_wrong(wrong.what)
        }))
    }
}

/// The machine with registers.
struct Registers;

impl Evaluate for Registers {
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, node: NodeId, env: &Env) -> Option<i64> {
        Some(match evaluator.rules.code.root(node)? {
            Root::Leaf(leaf) => evaluator.read_leaf(*leaf, env),
            root @ (Root::Is(_) | Root::All(_) | Root::Any(_) | Root::Unchanged(..) | Root::Run(_)) => evaluator.root_of(root, env),
        })
    }
}

impl Evaluator<'_> {
    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        if self.values.watch.is_on() {
            look::through(self, node, env);
        }
        Registers.value(self, node, env).unwrap_or_else(|| Walker.value(self, node, env).unwrap_or(0))
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds(&mut self, node: NodeId, env: &mut Env) -> bool {
        self.eval(node, env) != 0
    }

    /// Whether an optional condition holds; absent means yes.
    #[inline]
    pub fn holds_if(&mut self, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(node, env) != 0)
    }

    /// The fault of a number that could not be worked out since this was asked last.
    pub fn wrong_number(&mut self) -> Option<Fault> {
        let rules = self.rules;
        let fault = Fault::new(self.values.evaluation.take_wrong_number()?);
        let Some((piece, span)) = self.values.evaluation.wrong_in.take() else { return Some(fault) };
        Some(Fault { owner: rules.names.text(rules.definition(piece as usize).id).to_string(), span, ..fault })
    }
}

pub(crate) mod plain;
#[cfg(test)]
mod tests;
