//! The door to expressions: what one is worth to whom.

pub use super::env::{Env, LOCALS};

use super::Fault;
use super::evaluator::Evaluator;
use super::look;
use super::ruleset::NodeId;
use houserule_ruleset::code::{Code, Root};

impl Evaluator<'_> {
    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        if self.values.watch.is_on() {
            look::through(self, node, env);
        }
        let code = &self.rules.code;
        match code.root(node) {
            Some(Root::Leaf(leaf)) => self.read_leaf(code, *leaf, env),
            Some(root) => self.root_of(code, root, env),
            None => self.eval_late(node, env),
        }
    }

    /// The value of an expression that was read after the ruleset was compiled.
    #[cold]
    fn eval_late(&mut self, node: NodeId, env: &Env) -> i64 {
        let (code, expr) = Code::of_one(self.rules, node);
        self.run(&code, expr, env)
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
