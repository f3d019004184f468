//! One card of several, without a question: the first, or the one with the highest or lowest number.

use super::super::syntax::ast::{self, Fold, Whose};
use super::super::typed::{Expr, ExprKind};
use super::names::{for_seat, rest_of_name, split_seat_prefix};
use super::{Checker, Scope, boards};
use crate::engine::node::Type;
use crate::source::Span;

/// Checks `first card of CARDS`, or `card with highest VALUE of CARDS`, possibly over another player's cards.
pub(super) fn check_card_of(
    checker: &mut Checker<'_>,
    best: Option<(Fold, &ast::Expr)>,
    of: &ast::Cards,
    span: Span,
    scope: &mut Scope,
) -> Expr {
    if let Some((seat, rest)) = split_seat_prefix(&of.name.text) {
        if !checker.check_seat(scope, seat, of.name.span) {
            return checker.poisoned(span);
        }
        let theirs = ast::Cards { name: rest_of_name(&of.name, rest), whose: Whose::My, ..of.clone() };
        let found = check_card_of(checker, best, &theirs, span, scope);
        return for_seat(seat, found, span);
    }
    if let Some((who, rest)) = checker.split_neighbour(&of.name.text, scope) {
        let theirs = ast::Cards { name: rest_of_name(&of.name, rest), whose: Whose::My, ..of.clone() };
        let found = check_card_of(checker, best, &theirs, span, scope);
        return Expr { ty: found.ty, kind: ExprKind::OfNeighbour { who, body: Box::new(found) }, span };
    }
    let kept = scope.bound.len();
    let element = boards::element_type(checker, of, scope);
    let bind = checker.bind(scope, "card", element);
    let best = best.map(|(fold, each)| (fold, Box::new(checker.check_expr(each, scope, &[Type::Number, Type::Thousandths]))));
    scope.bound.truncate(kept);
    let Some(cards) = checker.check_cards(of, scope, "card", bind) else { return checker.poisoned(span) };
    Expr { kind: ExprKind::CardOf { cards: Box::new(cards), best }, ty: element, span }
}
