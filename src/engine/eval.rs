//! Evaluates expressions: short ones in one step, others by generated code if there is any, and otherwise by a walk over the graph.

pub use super::env::{Env, LOCALS};

use super::Fault;
use super::evaluator::Evaluator;
use super::ruleset::NodeId;
use houserule_ruleset::code::{CompiledExpr, QuantityCode};

impl Evaluator<'_> {
    /// Evaluates an expression.
    #[inline]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        if self.values.watch.is_on() {
            self.record_reads(|eval| _ = plain::evaluate(eval, node, env));
        }
        match self.rules.code.compiled(node) {
            Some(CompiledExpr::Leaf(leaf)) => self.read_leaf(*leaf, env),
            Some(compiled) => self.eval_compiled(compiled, env),
            // It was created after the ruleset was compiled.
            None => plain::number(self, node, env),
        }
    }

    /// Evaluates a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        if self.values.watch.is_on() {
            self.record_reads(|eval| _ = plain::evaluate_quantity(eval, index, seat, args));
        }
        let rules = self.rules;
        match rules.code.quantity_code(index) {
            QuantityCode::Value(value) => self.cached(value, rules.code.cached_value(value).slot, seat),
            QuantityCode::Run(expr) => self.run(expr, &Env::with_locals(seat, &[-1, args[0], args[1]])),
        }
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
