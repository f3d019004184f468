//! What `change` does to a value. Entries of a table with several keys are split, so that each key has an address.

use super::super::address::{AddressTarget, Addressed, ValueSlot};
use super::super::ast::*;
use super::ApplyResult;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Applies `change A to E`.
pub(super) fn set_to(item: &mut dyn Addressed, place: &AddressTarget, new: NewValue, span: Span) -> ApplyResult {
    item.value(place).and_then(|value| set(value, new)).ok_or_else(|| no_value(&place.address, span))
}

/// Sets a value; `None` if it cannot be set to this.
fn set(value: ValueSlot<'_>, new: NewValue) -> Option<()> {
    match (value, new) {
        (ValueSlot::Expr(old) | ValueSlot::When(Some(StepWhen { condition: old, .. })), NewValue::Expr(new)) => *old = new,
        (ValueSlot::Maybe(old), NewValue::Expr(new)) => *old = Some(new),
        (ValueSlot::When(old), NewValue::Expr(new)) => *old = Some(StepWhen { unless: false, condition: new }),
        (ValueSlot::Cost(old), NewValue::Cost(new)) => *old = new,
        (ValueSlot::Cost(old), NewValue::Expr(new)) => old.amount = new,
        (ValueSlot::Default(old), NewValue::Expr(new)) => match *new.kind {
            ExprKind::Name(name) => *old = vec![name],
            ExprKind::Number { thousandths, decimal: false } => {
                *old = vec![Name { text: (thousandths / 1000).to_string(), span: new.span }];
            }
            _ => return None,
        },
        (ValueSlot::Place(old), NewValue::Expr(new)) => match *new.kind {
            ExprKind::Name(name) => *old = name,
            _ => return None,
        },
        (ValueSlot::Range(old), NewValue::Range { from, to }) => *old = PlayerCount { from, to: Some(to) },
        (ValueSlot::Range(old), NewValue::Expr(only)) => *old = PlayerCount { from: only, to: None },
        (_, NewValue::Range { .. } | NewValue::Cost(_)) => return None,
    }
    Some(())
}

/// Applies `change A by ±N`: a table changes in every entry.
pub(super) fn add_to(item: &mut dyn Addressed, place: &AddressTarget, minus: bool, amount: &Expr, span: Span) -> ApplyResult {
    match item.value(place) {
        Some(
            ValueSlot::Expr(old)
            | ValueSlot::Maybe(Some(old))
            | ValueSlot::Cost(Cost { amount: old, .. })
            | ValueSlot::When(Some(StepWhen { condition: old, .. })),
        ) => *old = sum(old, minus, amount, span)?,
        _ => return Err(no_value(&place.address, span)),
    }
    Ok(())
}

fn no_value(address: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R205", span, format!("`{address}` has no value that could be changed so"))
        .label("nothing to change")
        .help(format!("write `replace {address} …` with all that should stand there"))
        .into()
}

/// Adds an amount to a value: two numbers are added up, anything else becomes an expression.
fn sum(old: &Expr, minus: bool, amount: &Expr, span: Span) -> ApplyResult<Expr> {
    if let ExprKind::By { over, entries } = &*old.kind {
        let mut entries = entries.clone();
        for entry in &mut entries.items {
            entry.value = sum(&entry.value, minus, amount, span)?;
        }
        return Ok(Expr { kind: Box::new(ExprKind::By { over: over.clone(), entries }), span: old.span });
    }
    let (Some((first, decimal)), Some((second, more))) = (number_in(old), number_in(amount)) else {
        let op = if minus { BinaryOp::Sub } else { BinaryOp::Add };
        return Ok(Expr { kind: Box::new(ExprKind::Binary { op, left: old.clone(), right: amount.clone() }), span });
    };
    let total = if minus { first.checked_sub(second) } else { first.checked_add(second) };
    let total = total.filter(|total| total.checked_abs().is_some()).ok_or_else(|| {
        Box::new(Diagnostic::error("R206", span, "the sum is too large").label("added here").help("give a smaller number"))
    })?;
    let number = Expr { kind: Box::new(ExprKind::Number { thousandths: total.abs(), decimal: decimal || more }), span };
    Ok(if total < 0 { Expr { kind: Box::new(ExprKind::Minus(number)), span } } else { number })
}

/// Returns the value of a literal, and whether it is written with a decimal point; `None` if the expression is no literal.
fn number_in(expr: &Expr) -> Option<(i64, bool)> {
    match &*expr.kind {
        ExprKind::Number { thousandths, decimal } => Some((*thousandths, *decimal)),
        ExprKind::Minus(inner) => number_in(inner).and_then(|(number, decimal)| Some((number.checked_neg()?, decimal))),
        _ => None,
    }
}

// ------------------------------------------------------------------ what is added

/// Splits the entries of tables among the values.
pub(super) fn split_entries(declaration: &mut Declaration) {
    let declaration: &mut dyn Addressed = declaration;
    for (_, value) in declaration.values() {
        if let ValueSlot::Expr(value) = value
            && let ExprKind::By { entries, .. } = &mut *value.kind
        {
            entries.items = std::mem::take(&mut entries.items).into_iter().flat_map(entries_of).collect();
        }
    }
}

fn entries_of(entry: Entry) -> impl Iterator<Item = Entry> {
    let Entry { keys, value, span } = entry;
    keys.into_iter().map(move |key| Entry { keys: vec![key], value: value.clone(), span })
}

/// Splits an addition, so that each key of a table is an item of its own.
pub(super) fn split_addition(what: Addition) -> Vec<Addition> {
    match what {
        Addition::Entry(entry) => entries_of(entry).map(Addition::Entry).collect(),
        Addition::Declaration(mut declaration) => {
            split_entries(&mut declaration);
            vec![Addition::Declaration(declaration)]
        }
        what => vec![what],
    }
}
