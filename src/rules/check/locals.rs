//! Local names: what statements call by a name of their own to the end of their block.

use super::super::defs::BUILT_IN;
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{ExprKind, StmtKind};
use super::{Checker, Scope, boards};
use crate::engine::node::Type;

/// Checks `let NAME = VALUE`. The name is declared also if the value is wrong, so that its uses are not reported.
pub(super) fn check_let(checker: &mut Checker<'_>, name: &Name, value: &ast::Expr, scope: &mut Scope) -> Option<StmtKind> {
    let value = checker.infer(value, scope, None);
    let ty = checker.types.resolve(value.ty);
    let value = if let Type::Thousandths | Type::Picked = ty { checker.must_be(value, &[Type::Number]) } else { value };
    let is_new = declare_local(checker, name, scope);
    let bind = checker.bind(scope, &name.text, value.ty);
    checker.rules.local_types.insert(bind, value.ty);
    (is_new && value.kind != ExprKind::Poisoned).then_some(StmtKind::Let { bind, value })
}

/// Checks `let NAME = random card of CARDS`.
pub(super) fn check_random_card(checker: &mut Checker<'_>, name: &Name, cards: &ast::Cards, scope: &mut Scope) -> Option<StmtKind> {
    let kept = scope.bound.len();
    let element = boards::element_type(checker, cards, scope);
    let each = checker.bind(scope, "card", element);
    let cards = checker.check_cards(cards, scope, "card", each);
    scope.bound.truncate(kept);
    let is_new = declare_local(checker, name, scope);
    let bind = checker.bind(scope, &name.text, element);
    checker.rules.local_types.insert(bind, element);
    checker.rules.draws_cards = true;
    cards.filter(|_| is_new).map(|cards| StmtKind::LetRandom { bind, cards })
}

/// Reports a local name that every game has for something else, such as `me`.
pub(super) fn refuse_built_in(checker: &mut Checker<'_>, name: &Name) {
    if BUILT_IN.contains(&name.text.as_str()) {
        checker.report(RuleProblem::NameTaken { name: name.text.clone(), by: None }.at(name.span));
    }
}

/// Reports a local name that is taken, or that no block is around; returns whether it is neither.
fn declare_local(checker: &mut Checker<'_>, name: &Name, scope: &Scope) -> bool {
    refuse_built_in(checker, name);
    if scope.blocks == 0 {
        checker.report(RuleProblem::LocalWithoutBlock { name: name.text.clone() }.at(name.span));
        return false;
    }
    if scope.find(&name.text).is_some_and(|(bind, _)| checker.rules.local_types.contains_key(&bind)) {
        checker.report(RuleProblem::LocalTwice { name: name.text.clone() }.at(name.span));
        return false;
    }
    true
}
