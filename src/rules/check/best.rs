//! One card of several, without a question: the first, the top one, or the one with the highest or lowest number; and sums of the highest or
//! lowest numbers.

use super::super::defs::{DefId, DefKind, PlaceShape};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Fold};
use super::super::typed::{CardPick, Cards, Expr, ExprKind, Room};
use super::{Checker, boards};
use crate::engine::node::Type;
use crate::source::Span;

/// Checks `first card of CARDS`, `top card of CARDS`, `bottom card of CARDS`, or `card with highest VALUE of CARDS`, as `wanted` says, possibly over another
/// player's cards.
pub(super) fn check_card_of(checker: &mut Checker<'_>, wanted: &ast::ExprKind, of: &ast::Cards, span: Span) -> Expr {
    let is_bare = of.filter.is_none() && !matches!(wanted, ast::ExprKind::BestCard { .. });
    let check = |checker: &mut Checker<'_>, theirs: &ast::Cards| check_card_of(checker, wanted, theirs, span);
    if let Some(found) = checker.check_cards_of_another(of, is_bare, span, check) {
        return found;
    }
    let kept = checker.scope.bound.len();
    let element = boards::element_type(checker, of);
    let bind = checker.bind("card", element);
    let pick = if let ast::ExprKind::BestCard { lowest, each, .. } = wanted {
        let each = checker.check_expr(each, &[Type::Number, Type::Thousandths]);
        CardPick::Best(if *lowest { Fold::Lowest } else { Fold::Highest }, Box::new(each))
    } else if let ast::ExprKind::TopCard(_) = wanted {
        CardPick::Last
    } else {
        CardPick::First
    };
    checker.scope.bound.truncate(kept);
    let Some(cards) = checker.check_cards(of, "card", bind) else { return checker.poisoned(span) };
    if matches!(wanted, ast::ExprKind::TopCard(_) | ast::ExprKind::BottomCard(_)) {
        expect_one_heap(checker, &cards, of.span);
    }
    Expr { kind: ExprKind::CardOf { cards: Box::new(cards), pick }, ty: element, span }
}

/// Reports cards that do not lie upon each other; the cards of a place that do move up when one of them goes.
fn expect_one_heap(checker: &mut Checker<'_>, cards: &Cards, span: Span) {
    let heap = if let [place] = cards.places[..] { Some(place).filter(|_| !cards.everybody) } else { None };
    if !is_heap(checker, heap) {
        checker.report(RuleProblem::NoTop.at(span));
    }
}

/// Notes that rules ask which card of a place lies on or below all others; `false` if its cards do not lie upon each other.
pub(super) fn is_heap(checker: &mut Checker<'_>, heap: Option<DefId>) -> bool {
    let is_heap = |place| {
        let in_piles = |room: &Room| matches!(room, Room::Deck { by: Some(_), .. });
        let grid = matches!(checker.rules.defs[place].kind, DefKind::Place { shape: PlaceShape::Grid, .. });
        !grid && !checker.rules.places.iter().any(|known| known.def == place && in_piles(&known.room))
    };
    match heap.filter(|&place| is_heap(place)) {
        Some(place) => {
            checker.rules.heaps.insert(place);
            true
        }
        None => false,
    }
}

/// Checks `sum highest N EACH of …`, of which `sum` is the sum over all.
pub(super) fn check_sum_of_best(checker: &mut Checker<'_>, lowest: bool, count: &ast::Expr, sum: &ast::Expr) -> Expr {
    let count = checker.check_expr(count, &[Type::Number]);
    let sum = checker.check_expr(sum, &[Type::Number, Type::Thousandths]);
    best_within(lowest, count, sum)
}

/// Wraps the fold within an expression, which may be evaluated for another player.
fn best_within(lowest: bool, count: Expr, sum: Expr) -> Expr {
    let (ty, span) = (sum.ty, sum.span);
    if let ExprKind::OfNeighbour { who, body } = sum.kind {
        return best_within(lowest, count, *body).of_neighbour(who, span);
    }
    if let ExprKind::Of { seat, body } = sum.kind {
        return best_within(lowest, count, *body).of_player(*seat, span);
    }
    Expr { kind: ExprKind::SumOfBest { lowest, count: Box::new(count), sum: Box::new(sum) }, ty, span }
}
