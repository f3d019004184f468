//! Statements about several cards: each is said in terms of the statement about one.

use super::super::syntax::ast::{self, ExprKind as AstExpr, Name, StatementKind as Ast};
use super::super::typed::{Stmt, StmtKind};
use super::Checker;
use crate::engine::node::Type;
use crate::source::Span;

/// The name of the card that a statement about all cards of a place is about.
const EACH_CARD: &str = "card";

/// Checks `place 2 random cards of CARDS in PLACE`: a card by chance is placed so many times.
pub(super) fn check_place_several(
    checker: &mut Checker<'_>,
    (count, cards, place): (&ast::Expr, &ast::Cards, &Name),
    span: Span,
) -> Option<StmtKind> {
    let times = checker.check_expr(count, &[Type::Number]);
    let card = ast::Expr { kind: Box::new(AstExpr::RandomCard(cards.clone())), span: cards.span };
    let one = placement(card, place, span);
    let block = vec![checker.check_statement(&one)?];
    Some(StmtKind::Repeat { times, block })
}

/// Checks `place my hand in PLACE`: each card is placed.
pub(super) fn check_place_cards(checker: &mut Checker<'_>, (cards, place): (&ast::Cards, &Name), span: Span) -> Option<StmtKind> {
    let name = Name { text: EACH_CARD.to_string(), span: cards.span };
    let card = ast::Expr { kind: Box::new(AstExpr::Name(name.clone())), span: cards.span };
    let body = ast::Block { items: vec![placement(card, place, span)], broken: Vec::new(), span };
    let each = ast::Statement { kind: Ast::EachCard { name, cards: cards.clone(), body }, span };
    checker.check_statement(&each).map(|each| each.kind)
}

/// Repeats a draw, if a number is said.
pub(super) fn draw_several(checker: &mut Checker<'_>, count: Option<&ast::Expr>, draw: StmtKind, span: Span) -> StmtKind {
    let Some(count) = count else { return draw };
    let times = checker.check_expr(count, &[Type::Number]);
    StmtKind::Repeat { times, block: vec![Stmt { kind: draw, span }] }
}

fn placement(card: ast::Expr, place: &Name, span: Span) -> ast::Statement {
    ast::Statement { kind: Ast::PlaceIn { card, place: place.clone(), or_over_one: false }, span }
}
