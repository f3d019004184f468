//! Which values may rest on what is hidden from a seat.

use super::{Expr, ExprId, Graph};
use std::collections::BTreeSet;

/// Whether a value may depend on what is printed or counted on cards, or on what lies in places: it may then be unknown to some seats.
pub fn reads_cards(graph: &Graph, value: ExprId) -> bool {
    let (mut left, mut seen) = (vec![value], BTreeSet::new());
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let expr = graph[id];
        if !is_public(expr) {
            return true;
        }
        left.extend(expr.operands());
    }
    false
}

/// Whether an expression adds nothing hidden to what its operands tell.
fn is_public(expr: Expr) -> bool {
    match expr {
        Expr::Const { .. } | Expr::Local { .. } | Expr::Var { .. } | Expr::Me | Expr::Global { .. } | Expr::PlaceInOrder => true,
        Expr::GlobalAt { .. } | Expr::Own { .. } | Expr::OwnAt { .. } | Expr::OwnBit { .. } => true,
        Expr::Table { .. } | Expr::Of { .. } | Expr::OverSeats { .. } => true,
        Expr::Binary { .. } | Expr::Not { .. } | Expr::Truth { .. } | Expr::And { .. } | Expr::Or { .. } | Expr::If { .. } => true,
        Expr::CountTokens { .. } | Expr::ShownIn { .. } | Expr::Payable { .. } | Expr::ShownBy { .. } | Expr::PiecesIn { .. } => true,
        Expr::Column { .. } | Expr::FieldAt { .. } | Expr::ListAt { .. } | Expr::ListFirst { .. } | Expr::Counter { .. } => false,
        Expr::CounterAt { .. } | Expr::CounterBit { .. } | Expr::Steps { .. } | Expr::SpaceIn { .. } => false,
        Expr::Spaces { .. } | Expr::Group { .. } | Expr::InSpaces { .. } | Expr::LongestLine { .. } | Expr::LargestGroup { .. } => false,
        Expr::OverNeighbours { .. } => false,
        Expr::InPlaces { .. } | Expr::FirstIn { .. } | Expr::Row { .. } | Expr::GridColumn { .. } | Expr::OwnerOf { .. } => false,
        Expr::OverCards { .. } | Expr::Rows { .. } | Expr::RowAt { .. } | Expr::Rank { .. } | Expr::Private { .. } => false,
        Expr::Quantity { .. } | Expr::Applied { .. } | Expr::Changed { .. } => false,
    }
}
