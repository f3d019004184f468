//! Folds and loops over numbers and words, each of which gets a name: `sum n * n of n in 1 to 6`.

use super::super::defs::{DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Fold};
use super::super::syntax::ast::Name;
use super::super::typed::{Expr, ExprKind, FoldDomain, Named, StmtKind};
use super::{Checker, Scope};
use crate::engine::node::Type;
use crate::source::Span;

/// Checks a fold over numbers or words.
pub(super) fn check_over_named(
    checker: &mut Checker<'_>,
    fold: Fold,
    each: Option<&ast::Expr>,
    of: &ast::Named,
    span: Span,
    scope: &mut Scope,
) -> Expr {
    let is_place = |what: &DefKind| matches!(what, DefKind::Place { .. } | DefKind::Zone(_));
    if checker.rules.defs.kind_of(Space::Value, &of.name.text).is_some_and(is_place) {
        return checker.report_poisoned(RuleProblem::NameOfPlace { name: of.name.text.clone() }, of.name.span);
    }
    let (domain, ty) = match &of.domain {
        ast::FoldDomain::Range { from, to } => {
            let [from, to] = [from, to].map(|bound| checker.check_expr(bound, scope, &[Type::Number]));
            (FoldDomain::Range(from, to), Type::Number)
        }
        ast::FoldDomain::Words(names) => {
            let (words, ty) = checker.resolve_word_list(names);
            (FoldDomain::Words(words), ty)
        }
    };
    let kept = scope.bound.len();
    let bind = checker.bind(scope, &of.name.text, ty);
    let filter = of.filter.as_ref().map(|filter| checker.check_expr(filter, scope, &[Type::Truth]));
    let each = each.map(|each| checker.check_expr(each, scope, &[Type::Number, Type::Thousandths]));
    scope.bound.truncate(kept);
    let result = match (fold, &each) {
        (Fold::Any, _) => Type::Truth,
        (_, Some(each)) => each.ty,
        _ => Type::Number,
    };
    let named = Box::new(Named { bind, domain, ty, filter });
    Expr { kind: ExprKind::OverNamed { fold, named, each: each.map(Box::new) }, ty: result, span }
}

/// Checks `for NAME in … { … }`.
pub(super) fn check_for(
    checker: &mut Checker<'_>,
    name: &Name,
    within: &ast::FoldDomain,
    body: &ast::Body,
    scope: &mut Scope,
) -> StmtKind {
    match within {
        ast::FoldDomain::Words(names) => {
            let (words, ty) = checker.resolve_word_list(names);
            let bind = checker.bind(scope, &name.text, ty);
            StmtKind::ForWords { bind, words, block: checker.check_block(body, scope) }
        }
        ast::FoldDomain::Range { from, to } => {
            let [from, to] = [from, to].map(|bound| checker.check_expr(bound, scope, &[Type::Number]));
            let bind = checker.bind(scope, &name.text, Type::Number);
            StmtKind::ForNumbers { bind, from, to, block: checker.check_conditional_block(body, scope) }
        }
    }
}
