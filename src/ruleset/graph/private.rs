//! Which values may rest on what is hidden from a seat.

use super::{Expr, ExprId, Graph};
use std::collections::BTreeSet;

/// Whether the value of a local is read in an expression.
pub fn reads_locals(graph: &Graph, value: ExprId) -> bool {
    any_part(graph, value, &|expr| matches!(expr, Expr::Local { .. }))
}

/// Whether something holds for an expression or any part of it.
pub fn any_part(graph: &Graph, value: ExprId, holds: &impl Fn(Expr) -> bool) -> bool {
    let (mut left, mut seen) = (vec![value], BTreeSet::new());
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let expr = graph[id];
        if holds(expr) {
            return true;
        }
        left.extend(expr.operands());
    }
    false
}
