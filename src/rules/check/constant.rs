//! Constant conditions: detects conditions that are always or never true, such as a guard that refuses nothing.
//!
//! Declared constants count as unknown, since a variant may change them.

use super::super::defs::{DefId, DefKind};
use super::super::typed::{Body, Expr, ExprKind, Fold, Rules};
use crate::engine::graph::{Expr as GraphExpr, NumberOp, ValueRange};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};

/// Depth to which definitions are expanded.
const MAX_DEPTH: usize = 8;

/// The lower and the upper bound of a number, each `None` if it is unknown.
pub(super) type Range = (Option<i64>, Option<i64>);

const AT_LEAST_0: Range = (Some(0), None);

/// Finds bounds of numbers and constant truth values, from the definitions that have been checked so far.
pub(super) struct ConstantAnalysis<'r> {
    pub rules: &'r Rules,
}

impl ConstantAnalysis<'_> {
    /// Returns the truth value of a condition, if it does not depend on the state of a game.
    pub fn constant_truth(&self, condition: &Expr) -> Option<bool> {
        self.constant_truth_in(condition, 0)
    }

    fn constant_truth_in(&self, expr: &Expr, depth: usize) -> Option<bool> {
        match &expr.kind {
            ExprKind::Of { body, .. } | ExprKind::OfNeighbour { body, .. } => self.constant_truth_in(body, depth),
            ExprKind::Const(value) if expr.ty == Type::Truth => Some(*value != 0),
            ExprKind::Not(inner) => self.constant_truth_in(inner, depth).map(|holds| !holds),
            ExprKind::And { a, b } => match (self.constant_truth_in(a, depth), self.constant_truth_in(b, depth)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Or { a, b } => match (self.constant_truth_in(a, depth), self.constant_truth_in(b, depth)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Compare { operator, a, b } => constant_comparison(*operator, self.range(a, depth), self.range(b, depth)),
            ExprKind::Named(def) | ExprKind::Define { definition: def, .. } => {
                self.expanded(*def, depth).and_then(|value| self.constant_truth_in(value, depth + 1))
            }
            _ => None,
        }
    }

    /// Returns the expression behind a definition, unless a variant is likely to change it.
    fn expanded(&self, def: DefId, depth: usize) -> Option<&Expr> {
        match (&self.rules.defs[def].kind, self.rules.bodies.get(&def)) {
            (DefKind::Define | DefKind::Condition, Some(Body::Value(_, value))) if depth < MAX_DEPTH => Some(value),
            _ => None,
        }
    }

    /// Returns the least and the most that a number can be; definitions are expanded to this depth.
    pub fn range(&self, expr: &Expr, depth: usize) -> Range {
        match &expr.kind {
            ExprKind::Const(value) => (Some(*value), Some(*value)),
            ExprKind::Of { body, .. } | ExprKind::OfNeighbour { body, .. } => self.range(body, depth),
            ExprKind::Node { expr: GraphExpr::PlaceInOrder, .. } => (Some(1), None),
            ExprKind::Node { expr: GraphExpr::Lacking { .. }, .. } => AT_LEAST_0,
            ExprKind::Whole(inner) => self.range(inner, depth),
            ExprKind::Node { expr, .. } if expr.value_range() == ValueRange::Tokens => AT_LEAST_0,
            // During set-up no round has begun.
            ExprKind::Round
            | ExprKind::Turn
            | ExprKind::RoundsLeft
            | ExprKind::Amount(_)
            | ExprKind::ListLen { .. }
            | ExprKind::Distance { .. }
            | ExprKind::Way { .. } => AT_LEAST_0,
            ExprKind::Row(_) | ExprKind::Column(_) | ExprKind::CountTokens { .. } => AT_LEAST_0,
            ExprKind::OverCards { fold: Fold::Count, .. } | ExprKind::OverSeats { fold: Fold::Count, .. } => AT_LEAST_0,
            // An empty set gives 0.
            ExprKind::OverCards { each: Some(each), .. } | ExprKind::OverSeats { each: Some(each), .. } => {
                (self.range(each, depth).0.map(|least| least.min(0)).filter(|least| *least == 0), None)
            }
            ExprKind::Variable(def) => match self.rules.defs[*def].kind {
                DefKind::Variable { sort: VariableSort::Resource, .. } => AT_LEAST_0,
                _ => (None, None),
            },
            ExprKind::Arithmetic { operator, a, b } => {
                let (a, b) = (self.range(a, depth), self.range(b, depth));
                let both = |a: Option<i64>, b: Option<i64>, f: fn(i64, i64) -> Option<i64>| a.zip(b).and_then(|(a, b)| f(a, b));
                match operator {
                    NumberOp::Add => (both(a.0, b.0, i64::checked_add), both(a.1, b.1, i64::checked_add)),
                    NumberOp::Sub => (both(a.0, b.1, i64::checked_sub), both(a.1, b.0, i64::checked_sub)),
                    NumberOp::Mul if a.0.zip(b.0).is_some_and(|(a, b)| a >= 0 && b >= 0) => {
                        (both(a.0, b.0, i64::checked_mul), both(a.1, b.1, i64::checked_mul))
                    }
                    NumberOp::Max => (a.0.max(b.0), both(a.1, b.1, |a, b| Some(a.max(b)))),
                    NumberOp::Min => (both(a.0, b.0, |a, b| Some(a.min(b))), a.1.into_iter().chain(b.1).min()),
                    _ => (None, None),
                }
            }
            ExprKind::Define { definition: def, .. } => {
                self.expanded(*def, depth).map_or((None, None), |value| self.range(value, depth + 1))
            }
            _ => (None, None),
        }
    }
}

/// Returns the result of a comparison, if it is the same for all numbers within the two ranges.
fn constant_comparison(operator: Compare, a: Range, b: Range) -> Option<bool> {
    let below = |a: Option<i64>, b: Option<i64>| a.zip(b).is_some_and(|(a, b)| a < b);
    let not_above = |a: Option<i64>, b: Option<i64>| a.zip(b).is_some_and(|(a, b)| a <= b);
    let decided = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match operator {
        Compare::Less => decided(below(a.1, b.0), not_above(b.1, a.0)),
        Compare::AtMost => decided(not_above(a.1, b.0), below(b.1, a.0)),
        Compare::More => decided(below(b.1, a.0), not_above(a.1, b.0)),
        Compare::AtLeast => decided(not_above(b.1, a.0), below(a.1, b.0)),
        Compare::Equal | Compare::Unequal => {
            let apart = below(a.1, b.0) || below(b.1, a.0);
            let same = a.0.is_some() && a.0 == a.1 && a == b;
            let equal = decided(same, apart);
            if operator == Compare::Equal { equal } else { equal.map(|equal| !equal) }
        }
    }
}
