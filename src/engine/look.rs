//! Evaluates expressions a second time with the reference evaluator, to record what they read: see [`super::watch`].

use super::env::Env;
use super::eval::plain;
use super::evaluator::Evaluator;
use super::ruleset::NodeId;

/// Records what an expression reads.
#[cold]
pub(crate) fn through(eval: &mut Evaluator<'_>, node: NodeId, env: &Env) {
    look(eval, |eval| _ = plain::value(eval, node, env));
}

/// Records what a quantity reads.
#[cold]
pub(crate) fn through_quantity(eval: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) {
    look(eval, |eval| _ = plain::quantity(eval, index, seat, args));
}

/// Records what is read to find the cards of a set.
#[cold]
pub(crate) fn through_cards(eval: &mut Evaluator<'_>, set: u32, env: &Env) {
    look(eval, |eval| _ = plain::cards_in(eval, set, env));
}

fn look<'a>(eval: &mut Evaluator<'a>, walk: impl FnOnce(&mut Evaluator<'a>)) {
    if eval.values.watch.waits_for().is_none() {
        return;
    }
    // A failed walk must not leave its view or its error.
    let view = eval.values.view;
    let wrong = eval.values.evaluation.clone();
    walk(eval);
    eval.values.view = view;
    eval.values.evaluation.clone_from(&wrong);
}
