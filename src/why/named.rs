//! Explains folds over numbers and words: each for which the condition holds is a part.

use super::explainer::{Explainer, NameScope, derivation_of, make_leaf};
use super::explanation::{Derivation, Explanation};
use crate::engine::eval::Env;
use crate::lang::lower::list_domain;
use crate::lang::typed::{Expr, Fold, Named};
use crate::source::Span;

/// Explains a fold over numbers or words.
pub(super) fn explain_named_loop<'a>(
    explainer: &mut Explainer<'a>,
    fold: Fold,
    named: &'a Named,
    each: Option<&'a Expr>,
    (span, scope): (Span, &NameScope<'a>),
    run: &Env,
) -> Option<(Derivation, Vec<Explanation>)> {
    let mut parts = Vec::new();
    for element in list_domain(&mut explainer.lowerer, named, &scope.bound, span) {
        let mut inner = scope.clone();
        let node = explainer.lowerer.constant_node(element);
        inner.bound.bind_to(named.bind, node);
        if let Some(filter) = &named.filter
            && explainer.evaluate(filter, &inner, run)? == 0
        {
            continue;
        }
        let name = explainer.describe_value(named.ty, element);
        parts.push(match each {
            Some(each) => {
                let part = explainer.explain(each, &inner, run)?;
                explainer.wrap_in_node(name, None, part)
            }
            None => Explanation { subject: name, value: 1, value_text: "1".into(), ..make_leaf(Derivation::Stands) },
        });
    }
    Some((derivation_of(fold), parts))
}

/// Explains the sum of the highest or lowest so many values by those that count.
pub(super) fn explain_sum_of_best<'a>(
    explainer: &mut Explainer<'a>,
    lowest: bool,
    count: &'a Expr,
    sum: &'a Expr,
    scope: &NameScope<'a>,
    run: &Env,
) -> Option<(Derivation, Vec<Explanation>)> {
    let count = usize::try_from(explainer.evaluate(count, scope, run)?).unwrap_or(0);
    let mut parts = explainer.explain(sum, scope, run)?.parts;
    parts.sort_by(|a, b| if lowest { a.value.cmp(&b.value) } else { b.value.cmp(&a.value) });
    parts.truncate(count);
    Some((Derivation::Sum, parts))
}
