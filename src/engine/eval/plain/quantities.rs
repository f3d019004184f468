//! Quantities with the changes that cards make to them, and ranks.

use super::{ArithmeticError, Scope, Value, holds, overflow, walk, wrong};
use crate::definition::concerns;
use crate::env::{Env, MAX_NESTING};
use crate::evaluator::Evaluator;
use crate::node::NodeId;
use crate::ruleset::{ChangeOp, Lifetime};
use houserule_state::layout::TABLE;

pub(super) fn arguments(game: &mut Evaluator<'_>, args: [Option<NodeId>; 2], scope: &Scope<'_>) -> Value<[i32; 2]> {
    let mut values = [-1; 2];
    for (value, arg) in values.iter_mut().zip(args) {
        if let Some(arg) = arg {
            *value = i32::try_from(walk(game, arg, scope)?).map_err(|_| overflow())?;
        }
    }
    Ok(values)
}

/// Evaluates a quantity of a seat with all changes; `None` after an arithmetic error.
pub(crate) fn evaluate_quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
    try_quantity(game, index, seat, args, false).ok()
}

pub(crate) const DEPENDS_ON_ITSELF: &str = "a number depends on itself";

pub(super) fn try_quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], keeps: bool) -> Value {
    if game.values.evaluation.depth >= MAX_NESTING {
        return Err(wrong(DEPENDS_ON_ITSELF));
    }
    game.values.evaluation.depth += 1;
    let found = quantity_within(game, index, seat, args, keeps);
    game.values.evaluation.depth -= 1;
    found
}

fn quantity_within(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], keeps: bool) -> Value {
    let rules = game.rules;
    let quantity = &rules.quantities[index as usize];
    let env = Env::with_locals(seat, &[-1, args[0], args[1]]);
    let scope = Scope::own(game, &env, keeps);
    let mut number = walk(game, quantity.base, &scope)?;
    for lifetime in Lifetime::ALL {
        if let Some(offset) = quantity.differences {
            number = number.checked_add(game.reader().seat_cell(seat, offset + lifetime as u16)).ok_or_else(overflow)?;
        }
    }
    number = apply_changes(game, index, seat, args, (number, keeps))?;
    if let Some(most) = quantity.upper_bound {
        number = number.min(walk(game, most, &scope)?);
    }
    if let Some(least) = quantity.lower_bound {
        number = number.max(walk(game, least, &scope)?);
    }
    Ok(number)
}

/// Whether a card in play changes a quantity.
pub(super) fn is_changed(game: &mut Evaluator<'_>, index: u16) -> bool {
    game.refresh_active();
    game.watch_entries(|definition| definition.effective_changes().iter().any(|change| change.quantity == index));
    !game.changes_of(index).is_empty()
}

/// Applies the changes of cards in play to a quantity of a seat: first those that set it, then those that add, then those that bound it.
pub(super) fn apply_changes(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], (mut number, keeps): (i64, bool)) -> Value {
    let rules = game.rules;
    let count = if is_changed(game, index) { game.changes_of(index).len() } else { 0 };
    for at in 0..count {
        let active = game.changes_of(index)[at];
        let change = &rules.definition(active.piece.index()).changes[active.entry.index()];
        if !concerns(change.who, active.owner, seat) {
            continue;
        }
        let owner = if active.owner == TABLE { seat } else { usize::from(active.owner) };
        let env = Env::with_locals(owner, &[active.piece.local(), args[0], args[1]]);
        let scope = Scope::own(game, &env, keeps);
        if !holds(game, change.when, &scope)? {
            continue;
        }
        let here = (u32::from(active.piece), change.span);
        let amount =
            walk(game, change.amount, &scope).map_err(|wrong| ArithmeticError { change: wrong.change.or(Some(here)), ..*wrong })?;
        number = match change.operator {
            ChangeOp::To => amount,
            ChangeOp::By => number.checked_add(amount).ok_or_else(overflow)?,
            ChangeOp::AtLeast => number.max(amount),
            ChangeOp::AtMost => number.min(amount),
        };
    }
    Ok(number)
}

/// Whether the current seat is among the first so many of a rank.
#[inline(never)]
pub(super) fn is_within_rank(game: &mut Evaluator<'_>, (rank, by): (u16, NodeId), leaders: i64, scope: &Scope<'_>) -> Value {
    let view = game.values.view;
    game.values.view = view.for_ranks();
    let found = standing(game, rank, by, scope);
    game.values.view = view;
    let (beyond, level) = found?;
    let ties_in = game.rules.ranks[usize::from(rank)].ties_in;
    Ok(i64::from(if ties_in { beyond < leaders } else { beyond + level <= leaders }))
}

/// Returns how many seats and rivals are ahead of the current seat in a rank, and how many have the same value, with the seat itself.
fn standing(game: &mut Evaluator<'_>, rank: u16, by: NodeId, scope: &Scope<'_>) -> Value<(i64, i64)> {
    let rules = game.rules;
    let rank = &rules.ranks[usize::from(rank)];
    let own_value = walk(game, by, scope)?;
    let (mut beyond, mut level) = (0, 1);
    let mut compare = |theirs: i64| {
        beyond += i64::from(if rank.top { theirs > own_value } else { theirs < own_value });
        level += i64::from(theirs == own_value);
    };
    for me in (0..rules.players).filter(|&me| me != scope.me) {
        compare(walk(game, by, &Scope { me, ..*scope })?);
    }
    for &rival in &rank.rivals {
        compare(walk(game, rival, scope)?);
    }
    Ok((beyond, level))
}
