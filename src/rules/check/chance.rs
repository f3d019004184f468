//! Checks `let NAME = random …`: one of some numbers, words, players, cards or spaces, by chance.

use super::super::syntax::ast::{self, Name};
use super::super::typed::StmtKind;
use super::{Checker, boards, choice, locals, named};
use crate::engine::node::Type;

/// Checks `let NAME = random EACH in …`.
pub(super) fn check_random(
    checker: &mut Checker<'_>,
    (name, each): (&Name, &Name),
    domain: &ast::FoldDomain,
    filter: Option<&ast::Expr>,
) -> Option<StmtKind> {
    if let ast::FoldDomain::Cards(cards) = domain
        && !named::are_words(checker, cards)
    {
        return check_random_card(checker, (name, &each.text), cards);
    }
    locals::refuse_built_in(checker, each);
    let kept = checker.scope.bound.len();
    // Words have their condition where cards have it.
    let filter = if let ast::FoldDomain::Cards(words) = domain { words.filter.as_ref() } else { filter };
    let domain = choice::check_domain(checker, &each.text, domain, true)?;
    let ty = checker.scope.bound[kept].2;
    let filter = filter.map(|filter| checker.check_expr(filter, &[Type::Truth]));
    checker.scope.bound.truncate(kept);
    let (is_new, bind) = locals::declare_of_type(checker, name, ty);
    checker.rules.draws_cards = true;
    is_new.then_some(StmtKind::LetChance { bind, domain, filter })
}

/// Checks `let NAME = random card of CARDS`, or one of cards or spaces that have a name of their own in the condition.
pub(super) fn check_random_card(checker: &mut Checker<'_>, (name, each): (&Name, &str), cards: &ast::Cards) -> Option<StmtKind> {
    let kept = checker.scope.bound.len();
    let element = boards::element_type(checker, cards);
    let bind = checker.bind(each, element);
    let cards = checker.check_cards(cards, each, bind);
    checker.scope.bound.truncate(kept);
    let (is_new, bind) = locals::declare_of_type(checker, name, element);
    checker.rules.draws_cards = true;
    cards.filter(|_| is_new).map(|cards| StmtKind::LetRandom { bind, cards })
}
