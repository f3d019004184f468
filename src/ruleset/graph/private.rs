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

/// Whether an expression adds nothing hidden to what its operands tell.
pub fn is_public(expr: Expr) -> bool {
    match expr {
        Expr::Const { .. } | Expr::Local { .. } | Expr::Var { .. } | Expr::Me | Expr::Global { .. } | Expr::PlaceInOrder => true,
        Expr::GlobalAt { .. } | Expr::Own { .. } | Expr::OwnAt { .. } | Expr::OwnBit { .. } => true,
        Expr::Table { .. } | Expr::Of { .. } | Expr::OverSeats { .. } => true,
        Expr::Binary { .. } | Expr::Not { .. } | Expr::Truth { .. } | Expr::And { .. } | Expr::Or { .. } | Expr::If { .. } => true,
        Expr::CountTokens { .. }
        | Expr::ShownIn { .. }
        | Expr::Payable { .. }
        | Expr::ShownBy { .. }
        | Expr::PiecesIn { .. }
        | Expr::PiecesInPile { .. } => true,
        Expr::Column { .. } | Expr::FieldAt { .. } | Expr::ListAt { .. } | Expr::ListFirst { .. } | Expr::Counter { .. } => false,
        Expr::CounterAt { .. } | Expr::CounterBit { .. } | Expr::Steps { .. } | Expr::SpaceIn { .. } => false,
        Expr::Spaces { .. } | Expr::Group { .. } | Expr::InSpaces { .. } | Expr::LongestLine { .. } | Expr::LargestGroup { .. } => false,
        Expr::OverNeighbours { .. } | Expr::Reached { .. } | Expr::StepsOver { .. } => false,
        Expr::InPlaces { .. } | Expr::FirstIn { .. } | Expr::Row { .. } | Expr::GridColumn { .. } | Expr::OwnerOf { .. } => false,
        Expr::OverCards { .. } | Expr::Rows { .. } | Expr::RowAt { .. } | Expr::Rank { .. } | Expr::Private { .. } => false,
        Expr::Quantity { .. } | Expr::Applied { .. } | Expr::Changed { .. } => false,
    }
}
