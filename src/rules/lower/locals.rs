//! Lowers local names: each is a local of the frame to the end of its block.

use super::super::problem::RuleProblem;
use super::super::typed::{BindingId, Cards, Domain, Expr};
use super::{Bindings, GraphExpr, Lowerer, choice};
use crate::cast;
use crate::engine::hidden::{reads_hidden_values, rests_on_hidden};
use crate::engine::op::Op;
use crate::engine::program as engine;
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

/// Emits `let NAME = random card of CARDS`.
pub(super) fn emit_random_card(lowerer: &mut Lowerer<'_>, bind: BindingId, cards: &Cards, env: &mut Bindings, span: Span) {
    let next = env.next;
    let set = lowerer.add_card_set(cards, env, span);
    env.next = next;
    let local = lowerer.bind(env, bind, span);
    let set = lowerer.emit(Op::LetRandom { local, set, end: Default::default() });
    lowerer.open_locals.push(set);
}

/// Emits `let NAME = random EACH in …`, of numbers, words or players.
pub(super) fn emit_chance(
    lowerer: &mut Lowerer<'_>,
    bind: BindingId,
    (domain, filter): (&Domain, Option<&Expr>),
    env: &mut Bindings,
    span: Span,
) {
    let behind = env.next + 1;
    let (local, domain) = choice::lower_domain(lowerer, domain, env, behind, span);
    let filter = filter.map(|filter| lowerer.lower_expr(filter, env));
    let bounds = match &domain {
        engine::Domain::Numbers { from, to } => [Some(*from), Some(*to)],
        engine::Domain::Players(set) => [set.filter, None],
        engine::Domain::Words(_) | engine::Domain::Cards(_) => [None, None],
    };
    let is_told = bounds.into_iter().flatten().any(|part| rests_on_hidden(lowerer.ruleset, part));
    if is_told || filter.is_some_and(|filter| reads_hidden_values(lowerer.ruleset, filter)) {
        lowerer.report(RuleProblem::ChanceOnHidden.at(span));
    }
    let each = lowerer.make(GraphExpr::Local { local });
    env.bind_to(bind, each);
    let may_tell = filter.is_some_and(|filter| rests_on_hidden(lowerer.ruleset, filter));
    lowerer.ruleset.ops.chances.push(engine::Chance { domain, filter, may_tell });
    let chance = cast::fit::<u32>(lowerer.ruleset.ops.chances.len()) - 1;
    let set = lowerer.emit(Op::LetChance { local, chance, end: Default::default() });
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
