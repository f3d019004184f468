//! Checks `show VALUE to …`: a hidden counter, flag, set, tally, resource or pool becomes known.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, Whose};
use super::super::typed::{Expr, ShownTo, StmtKind};
use super::Checker;

/// Returns the value or pool that `show … to …` names, with the player whose it is if one is named; `None` if it names cards.
pub(super) fn shown_value(checker: &mut Checker<'_>, shown: &ast::Cards) -> Option<(Option<Expr>, Name)> {
    let word = &shown.name;
    let is_value = |checker: &Checker<'_>, name: &str| {
        let found = checker.rules.defs.find_declared(Space::Value, name);
        found.is_some_and(|id| matches!(checker.rules.defs[id].kind, DefKind::Variable { .. } | DefKind::Pool(_)))
    };
    let last = word.text.rsplit('.').next().unwrap_or(&word.text);
    if checker.scope.find(&word.text).is_some() || !is_value(checker, last) {
        return None;
    }
    let (owner, name) = checker.split_owner_of(word);
    is_value(checker, &name.text).then_some((owner, name))
}

/// Checks `show VALUE to …`.
#[allow(clippy::wildcard_enum_match_arm, reason = "it was found to be one of these")]
pub(super) fn check_show_value(
    checker: &mut Checker<'_>,
    shown: &ast::Cards,
    (owner, name): (Option<Expr>, Name),
    to: ShownTo,
) -> Option<StmtKind> {
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
