//! Checks `show VALUE to …`: a hidden counter, flag, set, tally, resource or pool becomes known.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Whose};
use super::super::typed::{Expr, ShownTo, StmtKind};
use super::Checker;
use super::names::rest_of_name;

/// Checks `show VALUE to …`.
///
/// # Errors
/// What is shown is no value and no pool: to whom it is shown.
pub(super) fn check_show_value(checker: &mut Checker<'_>, shown: &ast::Cards, to: ShownTo) -> Result<Option<StmtKind>, ShownTo> {
    let word = &shown.name;
    if checker.scope.find(&word.text).is_some() {
        return Err(to);
    }
    let is_value = |checker: &Checker<'_>, name: &str| {
        let found = checker.rules.defs.find_declared(Space::Value, name);
        found.is_some_and(|id| matches!(checker.rules.defs[id].kind, DefKind::Variable { .. } | DefKind::Pool(_)))
    };
    let last = word.text.rsplit('.').next().unwrap_or(&word.text);
    if !is_value(checker, last) {
        return Err(to);
    }
    let (owner, name) = match checker.split_owner(&word.text, word.span) {
        Some((owner, rest)) if is_value(checker, rest) => (Some(owner), rest_of_name(word, rest)),
        Some(_) => return Err(to),
        None if is_value(checker, &word.text) => (None, word.clone()),
        None => return Err(to),
    };
    Ok(checked(checker, shown, owner, &name, to))
}

#[allow(clippy::wildcard_enum_match_arm, reason = "it was found to be one of these")]
fn checked(checker: &mut Checker<'_>, shown: &ast::Cards, owner: Option<Expr>, name: &ast::Name, to: ShownTo) -> Option<StmtKind> {
    let value: DefId = checker.rules.defs.find(Space::Value, &name.text)?;
    let (of_seat, hidden) = match checker.rules.defs[value].kind {
        DefKind::Pool(pool) => {
            let pool = &checker.rules.pools[usize::from(pool)];
            (pool.of_seat, pool.hidden)
        }
        DefKind::Variable { owner, .. } => (owner == Owner::Player, checker.rules.hidden_values.contains(&value)),
        _ => return None,
    };
    if owner.is_some() && !of_seat {
        return checker.refuse(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
    }
    if !hidden {
        return checker.refuse(RuleProblem::ShownInVain { name: name.text.clone() }.at(name.span));
    }
    let more = shown.filter.as_ref().map(|more| more.span).or(shown.with.as_ref().map(|with| with.span));
    let more = more.or(shown.rows.first().map(|row| row.span)).or((shown.whose == Whose::All).then_some(shown.span));
    if let Some(more) = more {
        return checker.refuse(RuleProblem::ShownInPart { name: name.text.clone() }.at(more));
    }
    Some(StmtKind::ShowValue { value, owner, to })
}
