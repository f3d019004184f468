//! Reports lines that always or never hold, whatever happens in a game.

use super::problem::ScenarioProblem;
use super::trial::{BoxedDiagnostic, Trial, source_text};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};

/// Reports a condition whose value is certain.
pub(super) fn expect_uncertain(trial: &mut Trial<'_>, condition: &Expr) -> Result<(), BoxedDiagnostic> {
    let span = condition.span;
    match (trial.reader.constant_value(condition), trial.reader.constant_truth(condition)) {
        (Some(value), _) => Err(constant_value(span, value != 0, "it does not depend on the game")),
        (None, Some(always)) => Err(constant_value(span, always, "whatever happens in a game: what is counted is never below 0")),
        (None, None) => Ok(()),
    }
}

/// Reports a comparison of an expression with itself.
pub(super) fn expect_two_sides(condition: &Expr, text: Option<&Text>) -> Result<(), BoxedDiagnostic> {
    let (always, left, right) = match &*condition.kind {
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::AtMost | BinaryOp::AtLeast, left, right } => (true, left, right),
        ExprKind::Binary { op: BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::More, left, right } => (false, left, right),
        ExprKind::Is { left, not, right } => (!not, left, right),
        _ => return Ok(()),
    };
    let words = |side: &Expr| source_text(text, side.span).split_whitespace().map(str::to_string).collect::<Vec<_>>();
    if words(left) == words(right) { Err(constant_value(condition.span, always, "both sides are the same")) } else { Ok(()) }
}

/// Reports an expression that does not depend on the state of the game.
pub(super) fn expect_no_constant(trial: &mut Trial<'_>, expr: &Expr) -> Result<(), BoxedDiagnostic> {
    match trial.reader.constant_value(expr) {
        Some(value) => Err(constant_value(expr.span, value != 0, "it does not depend on the game")),
        None => Ok(()),
    }
}

fn constant_value(span: Span, always: bool, why: &'static str) -> BoxedDiagnostic {
    Box::new(ScenarioProblem::Certain { always, why }.at(span))
}
