//! Evaluates expressions a second time with the reference evaluator, to record what they read: see [`super::watch`].

use super::env::Env;
use super::eval::plain;
use super::evaluator::Evaluator;
use super::ruleset::NodeId;

/// Records what an expression reads.
#[cold]
pub(crate) fn record_expr_reads(eval: &mut Evaluator<'_>, node: NodeId, env: &Env) {
    record(eval, |eval| _ = plain::evaluate(eval, node, env));
}

/// Records what a quantity reads.
#[cold]
pub(crate) fn record_quantity_reads(eval: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) {
    record(eval, |eval| _ = plain::evaluate_quantity(eval, index, seat, args));
}

/// Records what an evaluation of a set of cards reads.
#[cold]
pub(crate) fn record_set_reads(eval: &mut Evaluator<'_>, set: u32, env: &Env) {
    record(eval, |eval| _ = plain::cards_in(eval, set, env));
}

fn record<'a>(eval: &mut Evaluator<'a>, walk: impl FnOnce(&mut Evaluator<'a>)) {
    if eval.values.watch.unalerted_seats().next().is_none() {
        return;
    }
    // A failed walk must not leave its view or its error.
    let view = eval.values.view;
    let wrong = eval.values.evaluation.clone();
    walk(eval);
    eval.values.view = view;
    eval.values.evaluation.clone_from(&wrong);
}
