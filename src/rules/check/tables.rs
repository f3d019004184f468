//! Tables of values by a word that changes during a game: `by card.facing { north: 1, else: 2 }`.

use super::super::defs::{DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Expr, ExprKind};
use super::Checker;
use crate::cast;
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;

/// Whether a name may stand for one of several words: a local name, a counter, or a field of a card.
pub(super) fn can_be_words(checker: &Checker<'_>, over: &Name) -> bool {
    let is_counter = |what: &DefKind| matches!(what, DefKind::Variable { over: Some(_), .. } | DefKind::Define | DefKind::Constant);
    over.text.contains('.')
        || checker.scope.find(&over.text).is_some()
        || checker.rules.defs.kind_of(Space::Value, &over.text).is_some_and(is_counter)
}

/// Checks a table by words: a chain of conditions, of which the last value stands for all other words.
pub(super) fn check_table_of_words(
    checker: &mut Checker<'_>,
    over: &Name,
    entries: &ast::Block<ast::Entry>,
    span: Span,
    hint: Option<Type>,
) -> Expr {
    let word = checker.resolve_name(over, None);
    // A parameter is of the words that the table names.
    let first = entries.items.iter().flat_map(|entry| &entry.keys).find(|key| key.text != "else");
    let of_key = first.and_then(|key| match checker.rules.defs.declared_word(&key.text) {
        Some((list, _)) => Some(Type::Choice(list)),
        None => checker.rules.defs.resource(&key.text).map(|_| Type::Resource),
    });
    let word = match (checker.types.resolve(word.ty), of_key) {
        (Type::Open(_), Some(ty)) => checker.must_be(word, &[ty]),
        _ => word,
    };
    let resolved = checker.types.resolve(word.ty);
    let words: Vec<String> = if let Type::Choice(list) = resolved {
        checker.rules.defs.lists[usize::from(list)].clone()
    } else if resolved == Type::Resource {
        checker.rules.defs.resources().into_iter().map(String::from).collect()
    } else if word.kind == ExprKind::Poisoned {
        return checker.poisoned(span);
    } else {
        return checker.report_poisoned(RuleProblem::TableOf { name: over.text.clone(), found: resolved.words() }, over.span);
    };
    let (mut missing, mut found, mut otherwise) = (vec![true; words.len()], Vec::new(), None);
    let mut ty = None;
    for entry in &entries.items {
        let value = checker.check_table_value(&entry.value, hint, &mut ty);
        for key in &entry.keys {
            if key.text == "else" {
                otherwise = Some(value.clone());
            } else if let Some(index) = words.iter().position(|word| *word == key.text) {
                if !std::mem::replace(&mut missing[index], false) {
                    checker.report(RuleProblem::DeclaredTwice { what: format!("the value for `{}`", key.text) }.at(key.span));
                }
                found.push((index, value.clone()));
            } else {
                let words = words.iter().map(String::as_str);
                checker.report_all(checker.rules.defs.missing(&key.text, key.span, "one of these words", words));
            }
        }
    }
    if otherwise.is_none()
        && let Some(key) = missing.iter().position(|missing| *missing).and_then(|at| words.get(at))
    {
        return checker.report_poisoned(RuleProblem::NoValueFor { key: key.clone() }, span);
    }
    let last = otherwise.or_else(|| found.pop().map(|(_, value)| value));
    let Some(last) = last else { return checker.poisoned(span) };
    let choose = |no: Expr, (index, yes): (usize, Expr)| {
        let key = Expr::constant(cast::count(index), resolved, yes.span);
        let condition = Box::new(word.clone().compared(Compare::Equal, key, over.span));
        Expr { ty: no.ty, kind: ExprKind::If { condition, yes: Box::new(yes), no: Box::new(no) }, span }
    };
    found.into_iter().rev().fold(last, choose)
}
