//! Lowers local names: each is a local of the frame to the end of its block.

use super::super::typed::{BindingId, Expr};
use super::{Bindings, GraphExpr, Lowerer};
use crate::engine::hidden::rests_on_hidden;
use crate::engine::op::Op;
use crate::source::Span;

/// Emits `let NAME = VALUE`. A constant needs no local. A value that may rest on hidden cards has a second local, which holds the seats
/// that do not know it.
pub(super) fn emit_local(lowerer: &mut Lowerer<'_>, bind: BindingId, value: &Expr, env: &mut Bindings, span: Span) {
    let value = lowerer.lower_expr(value, env);
    if lowerer.value_of(value).is_some() {
        env.bind_to(bind, value);
        return;
    }
    let is_card = lowerer.tree.local_types.get(&bind).is_some_and(|ty| ty.is_piece());
    let private = !is_card && rests_on_hidden(lowerer.ruleset, value);
    let local = lowerer.bind(env, bind, span);
    if private {
        let unknown_to = lowerer.bind(env, BindingId(u32::MAX), span);
        let [value, unknown_to] = [local, unknown_to].map(|local| lowerer.make(GraphExpr::Local { local }));
        let guarded = lowerer.make(GraphExpr::Private { value, unknown_to });
        env.bind_to(bind, guarded);
    }
    let set = lowerer.emit(Op::Let { local, value, is_card, private, end: Default::default() });
    lowerer.open_locals.push(set);
}

/// Ends the local names that were declared after the first `open` of them: the next operation is behind their block.
pub(super) fn close_locals(lowerer: &mut Lowerer<'_>, open: usize) {
    let here = lowerer.ruleset.ops.next_pc();
    for at in lowerer.open_locals.split_off(open) {
        if let Some(Op::Let { end, .. } | Op::LetRandom { end, .. } | Op::LetChance { end, .. }) =
            lowerer.ruleset.ops.all.get_mut(at.0 as usize)
        {
            *end = here;
        }
    }
}
