//! Lowers ways over a board.

use super::super::typed::{Around, Cards, Expr, ExprKind, Ways};
use super::{Bindings, GraphExpr, Lowerer, boards};
use crate::cast;
use crate::engine::ruleset::NodeId;
use crate::engine::ways;
use crate::source::Span;

/// Lowers the set of spaces in which those of a set are: a group, or what can be reached in some steps.
pub(super) fn lower_around(lowerer: &mut Lowerer<'_>, cards: &Cards, env: &mut Bindings, span: Span) -> Option<NodeId> {
    match cards.around.as_deref()? {
        Around::Group(from) => {
            let from = lowerer.lower_expr(from, env);
            boards::lower_group(lowerer, cards, from, env, span)
        }
        Around::Steps { from, steps, ways } => {
            let [from, steps] = [from, &**steps].map(|part| lowerer.lower_expr(part, env));
            let lowered = lower_ways(lowerer, ways, env, span);
            Some(lowerer.ruleset.spaces_within(cast::fit::<u16>(ways.board), (from, steps), lowered))
        }
    }
}

/// Lowers the number of steps from one space to another.
pub(super) fn lower_way(lowerer: &mut Lowerer<'_>, (from, to): (&Expr, &Expr), ways: &Ways, env: &mut Bindings, span: Span) -> NodeId {
    let [from, to] = [from, to].map(|part| lowerer.lower_expr(part, env));
    let lowered = lower_ways(lowerer, ways, env, span);
    lowerer.ruleset.steps_over(cast::fit::<u16>(ways.board), (from, to), lowered)
}

/// Lowers where ways can lead; returns it with the local that holds a space of them.
fn lower_ways(lowerer: &mut Lowerer<'_>, ways: &Ways, env: &Bindings, span: Span) -> (u8, ways::Ways) {
    let mut inside = env.clone();
    let local = lowerer.bind(&mut inside, ways.bind, span);
    let [over, joined] = [&ways.over, &ways.joined].map(|part| part.as_ref().map(|part| lowerer.lower_expr(part, &mut inside)));
    (local, ways::Ways { over, joined })
}

/// Returns the space of whose neighbours a set consists, and what must hold for them, with the space in `each`; `None` for other sets.
pub(super) fn split_one_step(cards: &Cards) -> Option<(&Expr, &Ways)> {
    match cards.around.as_deref()? {
        Around::Steps { from, steps, ways } if ways.joined.is_none() && steps.kind == ExprKind::Const(1) => Some((from, ways)),
        Around::Steps { .. } | Around::Group(_) => None,
    }
}

/// Adds what must hold for the spaces of ways to the condition of a set whose cards are in a local.
pub(super) fn holds_on_way(lowerer: &mut Lowerer<'_>, ways: &Ways, local: u8, filter: Option<NodeId>, env: &Bindings) -> Option<NodeId> {
    let Some(over) = &ways.over else { return filter };
    let (each, mut inside) = (lowerer.make(GraphExpr::Local { local }), env.clone());
    inside.bind_to(ways.bind, each);
    let over = lowerer.lower_expr(over, &mut inside);
    Some(filter.map_or(over, |filter| lowerer.make(GraphExpr::And { a: over, b: filter })))
}
