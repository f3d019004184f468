//! Statements about one card of several: `remove first card of market`, `place random card of market in yard`.

use super::super::syntax::ast::{self, ExprKind as AstExpr, Name, StatementKind as Ast};
use super::super::typed::{Expr, ShownTo, Stmt, StmtKind};
use super::Checker;
use crate::engine::node::Type;
use crate::engine::op::{Op, Viewers};

/// The local name of the card that a statement is about, which nobody can write.
const RANDOM_CARD: &str = "random card";

/// Checks a statement about a random card: the card gets a local name, and the statement is about that. `None` if it is about anything else.
pub(super) fn check_about_random(checker: &mut Checker<'_>, statement: &ast::Statement) -> Option<Option<StmtKind>> {
    let object = object_of(&statement.kind)?;
    let AstExpr::RandomCard(of) = &*object.kind else { return None };
    let kept = checker.scope.bound.len();
    let each = checker.bind("card", Type::Card);
    let cards = checker.check_cards(of, "card", each);
    checker.scope.bound.truncate(kept);
    let bind = checker.bind(RANDOM_CARD, Type::Card);
    checker.rules.local_types.insert(bind, Type::Card);
    checker.rules.draws_cards = true;
    let mut named = statement.clone();
    let name = Name { text: RANDOM_CARD.to_string(), span: object.span };
    if let Some(object) = object_in(&mut named.kind) {
        *object.kind = AstExpr::Name(name);
    }
    let about = checker.check_statement(&named);
    checker.scope.bound.truncate(kept);
    let draw = cards.map(|cards| Stmt { kind: StmtKind::LetRandom { bind, cards }, span: statement.span });
    Some(draw.zip(about).map(|(draw, about)| StmtKind::Block(vec![draw, about])))
}

/// Returns the card that a statement is about.
fn object_of(statement: &Ast) -> Option<&ast::Expr> {
    if let Ast::PlaceInSlot { card } | Ast::PlaceIn { card, .. } | Ast::PlaceAt { card, .. } | Ast::Swap { card, .. } = statement {
        Some(card)
    } else if let Ast::RemoveCard { card } | Ast::ShowCard { card, .. } | Ast::CardActs { card } = statement {
        Some(card)
    } else {
        None
    }
}

/// Does the same as [`object_of`] for a statement that is changed.
fn object_in(statement: &mut Ast) -> Option<&mut ast::Expr> {
    if let Ast::PlaceInSlot { card } | Ast::PlaceIn { card, .. } | Ast::PlaceAt { card, .. } | Ast::Swap { card, .. } = statement {
        Some(card)
    } else if let Ast::RemoveCard { card } | Ast::ShowCard { card, .. } | Ast::CardActs { card } = statement {
        Some(card)
    } else {
        None
    }
}

/// Creates the statement that shows a card to one player, or to all or some of them.
pub(super) fn show_card(card: Expr, to: ShownTo) -> StmtKind {
    match to {
        ShownTo::One(one) => StmtKind::op([card, one], |[card, one]| Op::ShowCard { card, to: Viewers::Seat(one) }),
        ShownTo::Players(whom) => StmtKind::op([card], |[card]| Op::ShowCard { card, to: Viewers::Players(whom) }),
    }
}
