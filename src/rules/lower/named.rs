//! Lowers folds over numbers, words and players: each is a constant, so that the fold becomes a chain of operations.

use super::super::problem::RuleProblem;
use super::super::typed::{Expr, Fold, FoldDomain, Named};
use super::{Bindings, GraphExpr, Lowerer};
use crate::cast;
use crate::engine::graph::NumberOp;
use crate::engine::ruleset::{Compare, NodeId};
use crate::source::Span;

/// The most numbers that a fold goes through.
const MAX_NUMBERS: i64 = 1000;

/// Returns the numbers, words or seats that a fold goes through.
pub fn list_domain(lowerer: &mut Lowerer<'_>, named: &Named, env: &Bindings, span: Span) -> Vec<i64> {
    let (from, to) = match &named.domain {
        FoldDomain::Words(words) => return words.iter().map(|&word| i64::from(word)).collect(),
        FoldDomain::Players { .. } => return (0..cast::count(lowerer.chosen.players)).collect(),
        FoldDomain::Range(from, to) => (from, to),
    };
    let bounds = [from, to].map(|bound| lowerer.constant_value_in(bound, env));
    match bounds {
        [Some(from), Some(to)] if to.saturating_sub(from) < MAX_NUMBERS => (from..=to).collect(),
        [Some(_), Some(_)] => {
            lowerer.report(RuleProblem::RangeTooWide { most: MAX_NUMBERS }.at(to.span));
            Vec::new()
        }
        _ => {
            lowerer.report(RuleProblem::RangeChanges.at(span));
            Vec::new()
        }
    }
}

/// Lowers a fold over numbers, words or players.
pub(super) fn lower_over_named(
    lowerer: &mut Lowerer<'_>,
    fold: Fold,
    named: &Named,
    each: Option<&Expr>,
    env: &mut Bindings,
    span: Span,
) -> NodeId {
    let zero = lowerer.constant_node(0);
    // The result so far, and whether there was any element.
    let (mut result, mut any) = (zero, zero);
    for (holds, value) in list_values(lowerer, named, each, env, span) {
        result = match fold {
            Fold::Any => lowerer.make(GraphExpr::Or { a: result, b: holds }),
            Fold::Sum | Fold::Count => {
                let counted = lowerer.make(GraphExpr::If { condition: holds, yes: value, no: zero });
                lowerer.make_binary(NumberOp::Add, result, counted)
            }
            Fold::Highest | Fold::Lowest | Fold::Median => {
                let operator = if fold == Fold::Highest { NumberOp::Max } else { NumberOp::Min };
                let better = lowerer.make_binary(operator, result, value);
                let first = lowerer.make(GraphExpr::If { condition: any, yes: better, no: value });
                lowerer.make(GraphExpr::If { condition: holds, yes: first, no: result })
            }
        };
        any = lowerer.make(GraphExpr::Or { a: any, b: holds });
        if lowerer.is_exhausted() {
            return zero;
        }
    }
    result
}

/// Lowers each element of a fold over numbers, words or players: whether it is included, and its value. Those that never are, are left out.
pub(super) fn list_values(
    lowerer: &mut Lowerer<'_>,
    named: &Named,
    each: Option<&Expr>,
    env: &Bindings,
    span: Span,
) -> Vec<(NodeId, NodeId)> {
    let mut found = Vec::new();
    for element in list_domain(lowerer, named, env, span) {
        let element = lowerer.constant_node(element);
        let mut inside = env.clone();
        inside.bind_to(named.bind, element);
        let one = lowerer.constant_node(1);
        let mut holds = one;
        if let FoldDomain::Players { others: true } = named.domain {
            let me = lowerer.make(GraphExpr::Me);
            holds = lowerer.make_binary(NumberOp::Is(Compare::Unequal), me, element);
        }
        if let Some(filter) = &named.filter {
            let filter = lowerer.lower_expr(filter, &mut inside);
            holds = lowerer.make(GraphExpr::And { a: holds, b: filter });
        }
        if lowerer.value_of(holds) == Some(0) {
            continue;
        }
        let value = each.map_or(one, |each| lowerer.lower_expr(each, &mut inside));
        found.push((holds, value));
        if lowerer.is_exhausted() {
            break;
        }
    }
    found
}
