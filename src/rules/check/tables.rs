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
    let known: Vec<&str> = words.iter().map(String::as_str).collect();
    let index_of = |key: &str| known.iter().position(|word| *word == key).map(cast::count);
    let Found { mut values, otherwise, .. } = check_entries(checker, entries, hint, index_of, ("one of these words", &known));
    let is_missing = |at: &usize| values.iter().all(|(key, _)| *key != cast::count(*at));
    if let Some(key) = (0..words.len()).find(is_missing).filter(|_| otherwise.is_none()) {
        return checker.report_poisoned(RuleProblem::NoValueFor { key: words[key].clone() }, span);
    }
    match otherwise.or_else(|| values.pop().map(|(_, value)| value)) {
        Some(last) => choose(&word, values, last, span),
        None => checker.poisoned(span),
    }
}

/// The values of a table: those of keys, that of all other keys, and the type of all.
#[derive(Default)]
struct Found {
    values: Vec<(i64, Expr)>,
    otherwise: Option<Expr>,
    ty: Option<Type>,
}

/// Checks the entries of a table, whose keys a function numbers; `what` and `known` say which these are.
fn check_entries(
    checker: &mut Checker<'_>,
    entries: &ast::Block<ast::Entry>,
    hint: Option<Type>,
    number_of: impl Fn(&str) -> Option<i64>,
    (what, known): (&str, &[&str]),
) -> Found {
    let mut found = Found::default();
    for entry in &entries.items {
        let value = checker.check_table_value(&entry.value, hint, &mut found.ty);
        for key in &entry.keys {
            match number_of(&key.text) {
                _ if key.text == "else" => found.otherwise = Some(value.clone()),
                Some(wanted) if found.values.iter().any(|(known, _)| *known == wanted) => {
                    checker.report(RuleProblem::DeclaredTwice { what: format!("the value for `{}`", key.text) }.at(key.span));
                }
                Some(wanted) => found.values.push((wanted, value.clone())),
                None => checker.report_all(checker.rules.defs.missing(&key.text, key.span, what, known.iter().copied())),
            }
        }
    }
    found
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
    let number_of = |key: &str| key.parse::<i32>().ok().map(i64::from);
    let Found { values, otherwise, ty } = check_entries(checker, entries, hint, number_of, ("a number", &["else"]));
    let Some(ty) = ty else { return checker.poisoned(span) };
    // No number is among none.
    let none = || number.clone().combined(NumberOp::Within, Expr::constant(0, Type::Number, span), span);
    choose(number, values, otherwise.unwrap_or_else(|| Expr { ty, ..none() }), span)
}
