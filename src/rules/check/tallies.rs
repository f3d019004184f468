//! Checks the bounds of tallies by number: `tally boxes by 2 to 12`.

use super::super::defs::DefId;
use super::super::syntax::ast;
use super::super::typed::ExprKind;
use super::Checker;
use crate::engine::node::Type;

/// Checks the first and the last number of each tally by number.
pub fn check_tallies(checker: &mut Checker<'_>, tallies: &[(DefId, &ast::Expr, &ast::Expr)]) {
    for &(tally, from, to) in tallies {
        let [from, to] = [from, to].map(|bound| checker.check_expr(bound, &[Type::Number]));
        if [&from, &to].iter().all(|bound| bound.kind != ExprKind::Poisoned) {
            checker.rules.tally_bounds.insert(tally, (from, to));
        }
    }
}
