//! Statements about one card of several, such as `place random card of market in yard`, and about several cards, each of which is said in
//! terms of the statement about one.

use super::super::syntax::ast::{self, ExprKind as AstExpr, Name, StatementKind as Ast};
use super::super::typed::{Expr, ShownTo, Stmt, StmtKind};
use super::Checker;
use crate::engine::node::Type;
use crate::engine::op::{Op, Viewers};
use crate::source::Span;

/// The local name of the card that a statement is about, which nobody can write.
const RANDOM_CARD: &str = "random card";

/// Checks a statement about a random card: the card gets a local name, and the statement is about that. `None` if it is about anything else.
pub(super) fn check_about_random(checker: &mut Checker<'_>, statement: &ast::Statement) -> Option<Option<StmtKind>> {
    let object = object_of(&statement.kind)?;
    let AstExpr::RandomCard(of) = &*object.kind else { return None };
    if checker.random_card.is_some_and(|(known, _)| known == object.span) {
        return None;
    }
    let kept = checker.scope.bound.len();
    let each = checker.bind("card", Type::Card);
    let cards = checker.check_cards(of, "card", each);
    checker.scope.bound.truncate(kept);
    let bind = checker.bind(RANDOM_CARD, Type::Card);
    checker.rules.local_types.insert(bind, Type::Card);
    checker.rules.draws_cards = true;
    let outer = checker.random_card.replace((object.span, bind));
    let about = checker.check_statement(statement);
    checker.random_card = outer;
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

/// Creates the statement that shows a card to one player, or to all or some of them.
pub(super) fn show_card(card: Expr, to: ShownTo) -> StmtKind {
    match to {
        ShownTo::Seat(one) => StmtKind::op([card, one], |[card, one]| Op::ShowCard { card, to: Viewers::Seat(one) }),
        ShownTo::Players(whom) => StmtKind::op([card], |[card]| Op::ShowCard { card, to: Viewers::Players(whom) }),
    }
}

/// The name of the card that a statement about all cards of a place is about.
const EACH_CARD: &str = "card";

/// Checks `place 2 random cards of CARDS in PLACE`: a card by chance is placed so many times.
pub(super) fn check_place_several(
    checker: &mut Checker<'_>,
    count: &ast::Expr,
    cards: &ast::Cards,
    placed: &PlacedIn<'_>,
) -> Option<StmtKind> {
    let times = checker.check_expr(count, &[Type::Number]);
    let card = ast::Expr { kind: Box::new(AstExpr::RandomCard(cards.clone())), span: cards.span };
    let one = placed.placement(card);
    let block = vec![checker.check_statement(&one)?];
    Some(StmtKind::Repeat { times, block })
}

/// Checks `place my hand in PLACE`: each card is placed.
pub(super) fn check_place_cards(checker: &mut Checker<'_>, cards: &ast::Cards, placed: &PlacedIn<'_>) -> Option<StmtKind> {
    let span = placed.span;
    let name = Name { text: EACH_CARD.to_string(), span: cards.span };
    let card = ast::Expr { kind: Box::new(AstExpr::Name(name.clone())), span: cards.span };
    let body = ast::Block { items: vec![placed.placement(card)], broken: Vec::new(), span };
    let each = ast::Statement { kind: Ast::EachCard { name, cards: cards.clone(), body }, span };
    checker.check_statement(&each).map(|each| each.kind)
}

/// Where a statement places cards.
pub(super) struct PlacedIn<'a> {
    /// The place as it is named.
    pub place: &'a Name,
    /// Whether they go below those that lie there.
    pub under: bool,
    /// The statement.
    pub span: Span,
}

impl PlacedIn<'_> {
    /// Returns the statement that places a card there.
    fn placement(&self, card: ast::Expr) -> ast::Statement {
        ast::Statement { kind: Ast::PlaceIn { card, under: self.under, place: self.place.clone(), or_over_one: false }, span: self.span }
    }
}
