//! Tables of values by a word or number that changes during a game: `by card.facing { north: 1, else: 2 }`.

use super::super::defs::{BUILT_IN, DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Expr, ExprKind};
use super::Checker;
use crate::cast;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;

/// Whether a name may stand for a number or one of several words: a local name, a counter, a quantity, or a field of a card.
pub(super) fn can_be_words(checker: &Checker<'_>, over: &Name) -> bool {
    let is_value = |what: &DefKind| {
        matches!(
            what,
            DefKind::Variable { sort: VariableSort::Counter | VariableSort::Resource, .. }
                | DefKind::Define
                | DefKind::Constant
                | DefKind::Quantity { .. }
        )
    };
    over.text.contains('.')
        || checker.scope.find(&over.text).is_some()
        || BUILT_IN.contains(&over.text.as_str())
        || checker.rules.defs.kind_of(Space::Value, &over.text).is_some_and(is_value)
}

/// Checks a table by words or numbers: a chain of conditions, of which the last value stands for all other words. A number that the table does not have
/// is a fault.
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
        None if key.text.parse::<i32>().is_ok() => Some(Type::Number),
        None => checker.rules.defs.resource(&key.text).map(|_| Type::Resource),
    });
    let word = match (checker.types.resolve(word.ty), of_key) {
        (Type::Open(_), Some(ty)) => checker.must_be(word, &[ty]),
        _ => word,
    };
    let resolved = checker.types.resolve(word.ty);
    if resolved == Type::Number {
        return check_table_of_numbers(checker, &word, entries, span, hint);
    }
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
    let found = found.into_iter().map(|(index, value)| (cast::count(index), value)).collect();
    choose(&word, found, last, span)
}

/// Creates the chain of conditions of a table: the value of the key that `word` is, and `otherwise` for all others.
fn choose(word: &Expr, found: Vec<(i64, Expr)>, otherwise: Expr, span: Span) -> Expr {
    let choose = |no: Expr, (key, yes): (i64, Expr)| {
        let key = Expr::constant(key, word.ty, yes.span);
        let condition = Box::new(word.clone().compared(Compare::Equal, key, word.span));
        Expr { ty: no.ty, kind: ExprKind::If { condition, yes: Box::new(yes), no: Box::new(no) }, span }
    };
    found.into_iter().rev().fold(otherwise, choose)
}

/// Checks a table by numbers.
fn check_table_of_numbers(
    checker: &mut Checker<'_>,
    number: &Expr,
    entries: &ast::Block<ast::Entry>,
    span: Span,
    hint: Option<Type>,
) -> Expr {
    let (mut found, mut otherwise, mut ty) = (Vec::<(i64, Expr)>::new(), None, None);
    for entry in &entries.items {
        let value = checker.check_table_value(&entry.value, hint, &mut ty);
        for key in &entry.keys {
            match key.text.parse::<i32>() {
                _ if key.text == "else" => otherwise = Some(value.clone()),
                Ok(wanted) if found.iter().any(|(known, _)| *known == i64::from(wanted)) => {
                    checker.report(RuleProblem::DeclaredTwice { what: format!("the value for `{}`", key.text) }.at(key.span));
                }
                Ok(wanted) => found.push((wanted.into(), value.clone())),
                Err(_) => checker.report_all(checker.rules.defs.missing(&key.text, key.span, "a number", ["else"])),
            }
        }
    }
    let Some(ty) = ty else { return checker.poisoned(span) };
    // No number is among none.
    let none = || number.clone().combined(NumberOp::Within, Expr::constant(0, Type::Number, span), span);
    let otherwise = otherwise.unwrap_or_else(|| Expr { ty, ..none() });
    choose(number, found, otherwise, span)
}
