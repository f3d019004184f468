//! What is lacking of a price in several words: a chain of what is due, and one of all that pays.

use super::cards::each_card;
use super::{Scope, Value, walk};
use crate::evaluator::Evaluator;
use crate::graph::Expr;
use crate::node::NodeId;
use houserule_ruleset::purses::Payment;

/// Evaluates how much cannot be paid.
#[inline(never)]
pub(super) fn lacking(game: &mut Evaluator<'_>, (due, means): (NodeId, NodeId), scope: &Scope<'_>) -> Value {
    let mut payment = Payment::default();
    let unlimited = payment.add_group(i64::MAX);
    find_due(game, due, scope, &mut payment)?;
    find_means(game, (means, unlimited), scope, &mut payment)?;
    Ok(payment.lacking())
}

/// Finds what is due, the first word first.
fn find_due(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>, payment: &mut Payment) -> Value<()> {
    let Expr::Due { rest, amount } = game.rules.graph[id] else { return Ok(()) };
    find_due(game, rest, scope, payment)?;
    payment.due.push(walk(game, amount, scope)?);
    Ok(())
}

/// Finds what pays, as members of a group.
fn find_means(game: &mut Evaluator<'_>, (id, group): (NodeId, usize), scope: &Scope<'_>, payment: &mut Payment) -> Value<()> {
    let expr = game.rules.graph[id];
    if let Expr::Means { rest, words, amount } = expr {
        find_means(game, (rest, group), scope, payment)?;
        payment.add_means(group, words, walk(game, amount, scope)?);
    } else if let Expr::OneOfEach { rest, cards, var, filter, words } = expr {
        find_means(game, (rest, group), scope, payment)?;
        each_card(game, cards, (var, filter), scope, |game, scope, _| {
            payment.add_means(group, walk(game, words, scope)?, 1);
            Ok(())
        })?;
    } else if let Expr::MeansUpTo { rest, of, most } = expr {
        find_means(game, (rest, group), scope, payment)?;
        let limited = payment.add_group(walk(game, most, scope)?);
        find_means(game, (of, limited), scope, payment)?;
    }
    Ok(())
}
