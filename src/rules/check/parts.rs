//! Parts of cards, which are the spaces of boards: of which card they are, where they end, and where a card fits.

use super::super::defs::{DefKind, PlaceShape};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Around, BindingId, Cards, Expr, ExprKind};
use super::{Checker, boards};
use crate::cast;
use crate::engine::graph::Expr as GraphExpr;
use crate::engine::node::Type;
use crate::source::Span;

/// Checks a space that must be a part of a card; returns it with the index of its board.
fn check_part(checker: &mut Checker<'_>, space: &ast::Expr, what: &'static str) -> Option<(Expr, u16)> {
    let (found, board) = boards::check_space(checker, space, what, |board| board.parts().is_some())?;
    if checker.rules.boards[board].parts().is_none() {
        let board = checker.rules.boards[board].name.clone();
        return checker.refuse(RuleProblem::NoPartsBoard { board, what }.at(space.span));
    }
    Some((found, cast::fit::<u16>(board)))
}

/// A parameter of which nothing is known yet is a part where it is next to one, or so many steps away.
pub(super) fn expect_both_parts(checker: &mut Checker<'_>, [one, other]: [&Expr; 2]) {
    for (part, open) in [(one, other), (other, one)] {
        if let (Type::Space(kind), Type::Open(_)) = (checker.types.resolve(part.ty), checker.types.resolve(open.ty))
            && checker.rules.board_of_kind(kind).is_some_and(|board| board.parts().is_some())
        {
            checker.types.fits(open.ty, &[Type::Space(kind)], open.span);
        }
    }
}

/// Checks `card of SPACE`.
pub(super) fn check_card_of(checker: &mut Checker<'_>, space: &ast::Expr, span: Span) -> Expr {
    match check_part(checker, space, "card of") {
        Some((space, _)) => Expr { kind: ExprKind::CardOfPart(Box::new(space)), ty: Type::Card, span },
        None => Expr::poisoned(Type::Card, span),
    }
}

/// Checks `open ends of SPACE`.
pub(super) fn check_open_ends(checker: &mut Checker<'_>, space: &ast::Expr, span: Span) -> Expr {
    match check_part(checker, space, "open ends of") {
        Some((space, board)) => Expr::number(ExprKind::node([space], vec![], |[space]| GraphExpr::OpenEnds { board, space }), span),
        None => Expr::poisoned(Type::Number, span),
    }
}

/// Checks `CARD fits BOARD at SPACE turned N`.
pub(super) fn check_fits(
    checker: &mut Checker<'_>,
    (card, board): (&ast::Expr, &Name),
    (at, turned): (&ast::Expr, Option<&ast::Expr>),
    span: Span,
) -> Expr {
    let card = boards::check_movable(checker, card);
    // What lies on a map or a space of a board of the same size tells where.
    let at = checker.infer(at, Some(Type::Card));
    let at = if let Type::Space(_) = checker.types.resolve(at.ty) { at } else { checker.must_be(at, &[Type::Card]) };
    if let Type::Space(kind) = checker.types.resolve(at.ty)
        && let Some(parts) = checker.rules.board_of_kind(kind).filter(|board| !board.shape.has_rows())
    {
        let board = parts.name.clone();
        return checker.report_poisoned(RuleProblem::NotARowBoard { board }, at.span);
    }
    let turn = match turned {
        Some(turned) => checker.check_expr(turned, &[Type::Number]),
        None => Expr::constant(0, Type::Number, span),
    };
    let is_board = |what: &DefKind| matches!(what, DefKind::Place { shape: PlaceShape::Board, .. });
    let place = checker.resolve_sort(board, "a board", is_board);
    let Some(index) = place.and_then(|place| checker.rules.boards.iter().position(|known| known.place == Some(place))) else {
        return Expr::poisoned(Type::Truth, span);
    };
    if checker.rules.boards[index].parts().is_none() {
        let board = board.clone();
        return checker.report_poisoned(RuleProblem::NoPartsBoard { board: board.text, what: "fits" }, board.span);
    }
    let (names, board) = (place.into_iter().collect(), cast::fit::<u16>(index));
    Expr::truth(ExprKind::node([card, at, turn], names, |[card, at, turn]| GraphExpr::Fits { board, card, at, turn }), span)
}

/// Checks `BOARD beside GRID where …`.
pub(super) fn check_beside(checker: &mut Checker<'_>, cards: &ast::Cards, grid: &Name, (name, bind): (&str, BindingId)) -> Option<Cards> {
    let is_board = |what: &DefKind| matches!(what, DefKind::Place { shape: PlaceShape::Board, .. });
    let place = checker.resolve_sort(&cards.name, "a board", is_board)?;
    let board = checker.rules.board_of_place(place)?;
    let (ty, is_in_rows, board_name) = (Type::Space(board.kind), board.shape.has_rows(), board.name.clone());
    let lies_on = checker.resolve_sort(grid, "a grid", |what| matches!(what, DefKind::Place { .. }))?;
    let is_grid = matches!(checker.rules.defs[lies_on].kind, DefKind::Place { shape: PlaceShape::Grid, of_seat: false, .. });
    if !is_in_rows || !is_grid {
        return checker.refuse(RuleProblem::BesideWhat { board: board_name, grid: grid.text.clone() }.at(grid.span));
    }
    let filter = boards::check_filter(checker, cards, (name, bind, ty));
    Some(Cards { places: vec![place], everybody: true, bind, filter, around: Some(Box::new(Around::Beside(lies_on))), ..Cards::default() })
}
