//! Local names: what statements call by a name of their own to the end of their block.

use super::super::defs::BUILT_IN;
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{BindingId, ExprKind, StmtKind};
use super::Checker;
use crate::engine::node::Type;

/// Checks `let NAME = VALUE`. The name is declared also if the value is wrong, so that its uses are not reported.
pub(super) fn check_let(checker: &mut Checker<'_>, name: &Name, value: &ast::Expr) -> Option<StmtKind> {
    let value = checker.infer(value, None);
    let ty = checker.types.resolve(value.ty);
    let value = if let Type::Thousandths | Type::Picked = ty { checker.must_be(value, &[Type::Number]) } else { value };
    let (is_new, bind) = declare_of_type(checker, name, value.ty);
    (is_new && value.kind != ExprKind::Poisoned).then_some(StmtKind::Let { bind, value })
}

/// Declares a local name; returns whether nothing else has it, and its binding.
pub(super) fn declare_of_type(checker: &mut Checker<'_>, name: &Name, ty: Type) -> (bool, BindingId) {
    let is_new = declare_local(checker, name);
    let bind = checker.bind(&name.text, ty);
    checker.rules.local_types.insert(bind, ty);
    (is_new, bind)
}

/// Reports a local name that every game has for something else, such as `me`.
pub(super) fn refuse_built_in(checker: &mut Checker<'_>, name: &Name) {
    if BUILT_IN.contains(&name.text.as_str()) {
        checker.report(RuleProblem::NameTaken { name: name.text.clone(), by: None }.at(name.span));
    }
}

/// Reports a local name that is taken, or that no block is around; returns whether it is neither.
fn declare_local(checker: &mut Checker<'_>, name: &Name) -> bool {
    refuse_built_in(checker, name);
    if checker.scope.blocks == 0 {
        checker.report(RuleProblem::LocalWithoutBlock { name: name.text.clone() }.at(name.span));
        return false;
    }
    if checker.scope.find(&name.text).is_some_and(|(bind, _)| checker.rules.local_types.contains_key(&bind)) {
        checker.report(RuleProblem::LocalTwice { name: name.text.clone() }.at(name.span));
        return false;
    }
    true
}
