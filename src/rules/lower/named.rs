//! Lowers folds over numbers, words and players: each is a constant, so that the fold becomes a chain of operations. So does a sum of the
//! highest or lowest numbers: a number counts if fewer than so many others are ahead of it. Of equal numbers the first is ahead.

use super::super::problem::RuleProblem;
use super::super::typed::{Cards, Expr, ExprKind, Fold, FoldDomain, Named, SeatFilter, Seats};
use super::{Bindings, GraphExpr, Lowerer};
use crate::cast;
use crate::engine::graph::{Fold as GraphFold, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, NodeId};
use crate::source::Span;

/// The most numbers, words or players that are compared with each other.
const MAX_COMPARED: i64 = 40;
/// The most numbers that a fold goes through.
const MAX_NUMBERS: i64 = 1000;

/// Returns the numbers, words or seats that a fold goes through.
pub fn list_domain(lowerer: &mut Lowerer<'_>, named: &Named, env: &Bindings, span: Span) -> Vec<i64> {
    let (from, to) = match &named.domain {
        FoldDomain::Words(words) => return words.iter().map(|&word| i64::from(word)).collect(),
        FoldDomain::Players { .. } => return (0..cast::count(lowerer.chosen.players)).collect(),
        FoldDomain::Range(from, to) => (from, to),
    };
    let problem = match [from, to].map(|bound| lowerer.constant_value_in(bound, env)) {
        [Some(from), Some(to)] if to.saturating_sub(from) < MAX_NUMBERS => return (from..=to).collect(),
        [Some(_), Some(_)] => RuleProblem::RangeTooWide { most: MAX_NUMBERS }.at(to.span),
        _ => RuleProblem::RangeChanges.at(span),
    };
    lowerer.report(problem);
    Vec::new()
}

/// Lowers a fold over numbers, words or players.
pub(super) fn lower_over_named(
    lowerer: &mut Lowerer<'_>,
    fold: Fold,
    named: &Named,
    each: Option<&Expr>,
    env: &mut Bindings,
    span: Span,
) -> NodeId {
    let zero = lowerer.constant_node(0);
    // The result so far, and whether there was any element.
    let (mut result, mut any) = (zero, zero);
    for (holds, value) in list_values(lowerer, named, each, env, span) {
        result = match fold {
            Fold::Any => lowerer.make(GraphExpr::Or { a: result, b: holds }),
            Fold::Sum | Fold::Count => {
                let counted = lowerer.make(GraphExpr::If { condition: holds, yes: value, no: zero });
                lowerer.make_binary(NumberOp::Add, result, counted)
            }
            Fold::Highest | Fold::Lowest | Fold::Median => {
                let operator = if fold == Fold::Highest { NumberOp::Max } else { NumberOp::Min };
                let better = lowerer.make_binary(operator, result, value);
                let first = lowerer.make(GraphExpr::If { condition: any, yes: better, no: value });
                lowerer.make(GraphExpr::If { condition: holds, yes: first, no: result })
            }
        };
        any = lowerer.make(GraphExpr::Or { a: any, b: holds });
        if lowerer.is_exhausted() {
            return zero;
        }
    }
    result
}

/// Lowers each element of a fold over numbers, words or players: whether it is included, and its value. Those that never are, are left out.
fn list_values(lowerer: &mut Lowerer<'_>, named: &Named, each: Option<&Expr>, env: &Bindings, span: Span) -> Vec<(NodeId, NodeId)> {
    let mut found = Vec::new();
    for element in list_domain(lowerer, named, env, span) {
        let element = lowerer.constant_node(element);
        let mut inside = env.clone();
        inside.bind_to(named.bind, element);
        let one = lowerer.constant_node(1);
        let mut holds = one;
        if let FoldDomain::Players { others: true } = named.domain {
            let me = lowerer.make(GraphExpr::Me);
            holds = lowerer.make_binary(NumberOp::Is(Compare::Unequal), me, element);
        }
        if let Some(filter) = &named.filter {
            let filter = lowerer.lower_expr(filter, &mut inside);
            holds = lowerer.make(GraphExpr::And { a: holds, b: filter });
        }
        if lowerer.value_of(holds) == Some(0) {
            continue;
        }
        let value = each.map_or(one, |each| lowerer.lower_expr(each, &mut inside));
        found.push((holds, value));
        if lowerer.is_exhausted() {
            break;
        }
    }
    found
}

/// Lowers the sum of the highest or lowest so many values; `sum` is the sum of all of them.
pub(super) fn lower_sum_of_best(lowerer: &mut Lowerer<'_>, lowest: bool, count: &Expr, sum: &Expr, env: &mut Bindings) -> NodeId {
    let count = lowerer.lower_expr(count, env);
    let ahead = if lowest { Compare::Less } else { Compare::More };
    if let ExprKind::OverCards { cards, each: Some(each), .. } = &sum.kind {
        return of_cards(lowerer, (count, ahead), cards, each, (env, sum.span));
    }
    let values = if let ExprKind::OverNamed { named: of, each, .. } = &sum.kind {
        list_values(lowerer, of, each.as_deref(), env, sum.span)
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
    let ahead_of_it = lowerer.ruleset.fold_cards(GraphFold::Count, &others, None);
    let counts = lowerer.make_binary(NumberOp::Is(Compare::Less), ahead_of_it, count);
    lowerer.add_filter(&mut set, counts);
    lowerer.ruleset.fold_cards(GraphFold::Sum, &set, Some(value))
}

/// Lowers each player of a set: whether it is included, and its value.
fn of_seats(lowerer: &mut Lowerer<'_>, seats: &Seats, each: &Expr, env: &mut Bindings, span: Span) -> Vec<(NodeId, NodeId)> {
    let mut found = Vec::new();
    for number in 0..cast::count(lowerer.chosen.players) {
        let seat = Expr::constant(number, Type::Seat, span);
        let mut holds = lowerer.constant_node(1);
        if seats.others {
            let (me, them) = (lowerer.make(GraphExpr::Me), lowerer.constant_node(number));
            holds = lowerer.make_binary(NumberOp::Is(Compare::Unequal), me, them);
        }
        let also = match &seats.filter {
            SeatFilter::All => None,
            SeatFilter::Where(filter) => Some(lowerer.lower_of_player(&seat, filter, env, span)),
            SeatFilter::Named(filter) => Some(lowerer.lower_expr(filter, env)),
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
    if cast::count(values.len()) > MAX_COMPARED {
        return lowerer.refuse(RuleProblem::RangeTooWide { most: MAX_COMPARED }.at(span));
    }
    let zero = lowerer.constant_node(0);
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
