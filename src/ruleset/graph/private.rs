//! Which values may rest on what is hidden from a seat.

use super::{Expr, ExprId, Graph};
use crate::ruleset::Ruleset;
use std::collections::BTreeSet;

/// Whether a value may depend on what is printed or counted on cards, on what lies in places, or on hidden values: it may then be unknown
/// to some seats.
pub fn rests_on_hidden(rules: &Ruleset, value: ExprId) -> bool {
    any_part(&rules.graph, value, &|expr| !is_public(expr) || reads_secret(rules, expr))
}

/// Whether the value of a local is read in an expression.
pub fn reads_locals(graph: &Graph, value: ExprId) -> bool {
    any_part(graph, value, &|expr| matches!(expr, Expr::Local { .. }))
}

fn any_part(graph: &Graph, value: ExprId, holds: &impl Fn(Expr) -> bool) -> bool {
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

/// Whether an expression reads a hidden value itself.
fn reads_secret(rules: &Ruleset, expr: Expr) -> bool {
    let any = |of_seat: bool, offset: u32, pool: Option<u8>| {
        rules.secrets.iter().any(|secret| match pool {
            Some(_) => secret.pool == pool,
            None => secret.of_seat == of_seat && (secret.offset.into()..u32::from(secret.offset) + u32::from(secret.len)).contains(&offset),
        })
    };
    if let Expr::Own { offset } | Expr::OwnAt { offset, .. } | Expr::OwnBit { offset, .. } = expr {
        any(true, offset.into(), None)
    } else if let Expr::Global { cell } = expr {
        any(false, cell, None)
    } else if let Expr::CountTokens { pool, .. } | Expr::ShownIn { pool, .. } | Expr::Payable { pool, .. } = expr {
        any(false, 0, Some(pool))
    } else {
        false
    }
}

/// Whether an expression adds nothing hidden to what its operands tell.
fn is_public(expr: Expr) -> bool {
    match expr {
        Expr::Const { .. } | Expr::Local { .. } | Expr::Var { .. } | Expr::Me | Expr::Global { .. } | Expr::PlaceInOrder => true,
        Expr::Own { .. } | Expr::OwnAt { .. } | Expr::OwnBit { .. } | Expr::Table { .. } | Expr::Of { .. } | Expr::OverSeats { .. } => true,
        Expr::Binary { .. } | Expr::Not { .. } | Expr::Truth { .. } | Expr::And { .. } | Expr::Or { .. } | Expr::If { .. } => true,
        Expr::CountTokens { .. } | Expr::ShownIn { .. } | Expr::Payable { .. } | Expr::ShownBy { .. } | Expr::PiecesIn { .. } => true,
        Expr::Column { .. } | Expr::FieldAt { .. } | Expr::ListAt { .. } | Expr::ListFirst { .. } | Expr::Counter { .. } => false,
        Expr::InPlaces { .. } | Expr::FirstIn { .. } | Expr::Row { .. } | Expr::GridColumn { .. } | Expr::OwnerOf { .. } => false,
        Expr::OverCards { .. } | Expr::Rows { .. } | Expr::RowAt { .. } | Expr::Rank { .. } | Expr::Private { .. } => false,
        Expr::Quantity { .. } | Expr::Applied { .. } | Expr::Changed { .. } => false,
    }
}
