//! Lowers sums of the highest or lowest numbers: a number counts if fewer than so many others are ahead of it. Of equal numbers the first is
//! ahead.

use super::super::problem::RuleProblem;
use super::super::typed::{Cards, Expr, ExprKind, SeatFilter, Seats};
use super::{Bindings, GraphExpr, Lowerer, named};
use crate::cast;
use crate::engine::graph::{Fold, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, NodeId};
use crate::source::Span;

/// The most numbers, words or players that are compared with each other.
const MAX_COMPARED: i64 = 40;

/// Lowers the sum of the highest or lowest so many values; `sum` is the sum of all of them.
pub(super) fn lower_sum_of_best(lowerer: &mut Lowerer<'_>, lowest: bool, count: &Expr, sum: &Expr, env: &mut Bindings) -> NodeId {
    let count = lowerer.lower_expr(count, env);
    let ahead = if lowest { Compare::Less } else { Compare::More };
    if let ExprKind::OverCards { cards, each: Some(each), .. } = &sum.kind {
        return of_cards(lowerer, (count, ahead), cards, each, (env, sum.span));
    }
    let values = if let ExprKind::OverNamed { named: of, each, .. } = &sum.kind {
        named::list_values(lowerer, of, each.as_deref(), env, sum.span)
    } else if let ExprKind::OverSeats { seats, each: Some(each), .. } = &sum.kind {
        of_seats(lowerer, seats, each, env, sum.span)
    } else {
        return lowerer.lower_expr(sum, env);
    };
    of_values(lowerer, (count, ahead), &values, sum.span)
}

fn of_cards(
    lowerer: &mut Lowerer<'_>,
    (count, ahead): (NodeId, Compare),
    cards: &Cards,
    each: &Expr,
    (env, span): (&mut Bindings, Span),
) -> NodeId {
    let mut set = lowerer.lower_card_set(cards, env, span);
    let (card, value) = (lowerer.make(GraphExpr::Local { local: set.local }), lowerer.lower_expr(each, env));
    let mut others = lowerer.lower_card_set(cards, env, span);
    let (other_card, other) = (lowerer.make(GraphExpr::Local { local: others.local }), lowerer.lower_expr(each, env));
    let is_ahead = lowerer.make_binary(NumberOp::Is(ahead), other, value);
    let is_level = lowerer.make_binary(NumberOp::Is(Compare::Equal), other, value);
    let is_before = lowerer.make_binary(NumberOp::Is(Compare::Less), other_card, card);
    let goes_first = lowerer.make(GraphExpr::And { a: is_level, b: is_before });
    let either = lowerer.make(GraphExpr::Or { a: is_ahead, b: goes_first });
    lowerer.add_filter(&mut others, either);
    let ahead_of_it = lowerer.ruleset.fold_cards(Fold::Count, &others, None);
    let counts = lowerer.make_binary(NumberOp::Is(Compare::Less), ahead_of_it, count);
    lowerer.add_filter(&mut set, counts);
    lowerer.ruleset.fold_cards(Fold::Sum, &set, Some(value))
}

/// Lowers each player of a set: whether it is included, and its value.
fn of_seats(lowerer: &mut Lowerer<'_>, seats: &Seats, each: &Expr, env: &mut Bindings, span: Span) -> Vec<(NodeId, NodeId)> {
    let players = cast::count(lowerer.chosen.players);
    let mut found = Vec::new();
    for number in 0..players {
        let seat = Expr::constant(number, Type::Seat, span);
        let mut holds = lowerer.constant_node(1);
        if seats.others {
            let (me, them) = (lowerer.make(GraphExpr::Me), lowerer.constant_node(number));
            holds = lowerer.make_binary(NumberOp::Is(Compare::Unequal), me, them);
        }
        let also = match &seats.filter {
            SeatFilter::All => None,
            SeatFilter::Where(filter) => Some(lowerer.lower_of_player(&seat, filter, env, span)),
            SeatFilter::Compared(operator, value) => {
                let theirs = lowerer.lower_of_player(&seat, value, env, span);
                let mine = lowerer.lower_expr(value, env);
                Some(lowerer.make_binary(NumberOp::Is(*operator), theirs, mine))
            }
        };
        if let Some(also) = also {
            holds = lowerer.make(GraphExpr::And { a: holds, b: also });
        }
        found.push((holds, lowerer.lower_of_player(&seat, each, env, span)));
    }
    found
}

fn of_values(lowerer: &mut Lowerer<'_>, (count, ahead): (NodeId, Compare), values: &[(NodeId, NodeId)], span: Span) -> NodeId {
    let zero = lowerer.constant_node(0);
    if cast::count(values.len()) > MAX_COMPARED {
        lowerer.report(RuleProblem::RangeTooWide { most: MAX_COMPARED }.at(span));
        return zero;
    }
    let or_level = if ahead == Compare::Less { Compare::AtMost } else { Compare::AtLeast };
    let mut sum = zero;
    for (at, &(holds, value)) in values.iter().enumerate() {
        let mut ahead_of_it = zero;
        for (other_at, &(other_holds, other)) in values.iter().enumerate().filter(|(other_at, _)| *other_at != at) {
            let operator = if other_at < at { or_level } else { ahead };
            let is_ahead = lowerer.make_binary(NumberOp::Is(operator), other, value);
            let is_ahead = lowerer.make(GraphExpr::And { a: other_holds, b: is_ahead });
            ahead_of_it = lowerer.make_binary(NumberOp::Add, ahead_of_it, is_ahead);
        }
        let is_best = lowerer.make_binary(NumberOp::Is(Compare::Less), ahead_of_it, count);
        let condition = lowerer.make(GraphExpr::And { a: holds, b: is_best });
        let counted = lowerer.make(GraphExpr::If { condition, yes: value, no: zero });
        sum = lowerer.make_binary(NumberOp::Add, sum, counted);
    }
    sum
}
