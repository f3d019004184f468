//! Lines that cannot fail, or can never hold, whatever happens in a game: they test nothing.

use super::problem::Problem;
use super::trial::{Trial, Wrong, written};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};

/// Reports a condition of which it is certain how it turns out.
pub(super) fn expect_uncertain(trial: &mut Trial<'_>, condition: &Expr) -> Result<(), Wrong> {
    let span = condition.span;
    match (trial.reader.settled(condition), trial.reader.certain(condition)) {
        (Some(value), _) => Err(certain(span, value != 0, "it does not depend on the game")),
        (None, Some(always)) => Err(certain(span, always, "whatever happens in a game: what is counted is never below 0")),
        (None, None) => Ok(()),
    }
}

/// Reports a comparison of something with itself.
pub(super) fn expect_two_sides(condition: &Expr, text: Option<&Text>) -> Result<(), Wrong> {
    let (always, left, right) = match &*condition.kind {
        ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::AtMost | BinaryOp::AtLeast, left, right } => (true, left, right),
        ExprKind::Binary { op: BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::More, left, right } => (false, left, right),
        ExprKind::Is { left, not, right } => (!not, left, right),
        _ => return Ok(()),
    };
    let words = |side: &Expr| written(text, side.span).split_whitespace().map(str::to_string).collect::<Vec<_>>();
    if words(left) == words(right) { Err(certain(condition.span, always, "both sides are the same")) } else { Ok(()) }
}

/// Reports a number or condition in which nothing of the game is.
pub(super) fn expect_no_constant(trial: &mut Trial<'_>, expr: &Expr) -> Result<(), Wrong> {
    match trial.reader.settled(expr) {
        Some(value) => Err(certain(expr.span, value != 0, "it does not depend on the game")),
        None => Ok(()),
    }
}

fn certain(span: Span, always: bool, why: &'static str) -> Wrong {
    Box::new(Problem::Certain { always, why }.at(span))
}
