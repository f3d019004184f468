//! Turns: whether a player always has something to do in them, and `play again` where no turn is running. What cards carry out may happen in
//! a turn or not, so the engine looks when it does.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Block, Choice, ChoiceParam, Domain, Expr, ExprKind, Guard, Rules, Stmt, StmtKind, Target};
use super::reach::{Visit, find_outside_of_turns};
use crate::diagnostic::Diagnostic;
use crate::engine::op::{Ending, Op};
use crate::engine::ruleset::Write;

/// Reports each statement outside of turns that would let a turn go on, or end it.
pub(super) fn outside_of_turns(rules: &Rules) -> Vec<Diagnostic> {
    type IsSought = fn(&Op) -> bool;
    let about_turns: [(&str, IsSought); 2] =
        [("play again", |op| matches!(op, Op::PlayAgain)), ("end turn", |op| matches!(op, Op::EndNow { what: Ending::Turn }))];
    let found = about_turns.into_iter().flat_map(|(what, sought)| {
        let is_sought = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Op { op, .. } if sought(op));
        let found = find_outside_of_turns(rules, |stmt| Visit { found: is_sought(stmt), descends: true });
        found.into_iter().map(move |(place, inside)| RuleProblem::NoTurnHere { what, inside }.at(place))
    });
    found.collect()
}

/// Whether one of the actions that `counts` accepts can certainly be chosen: one has no guards and costs, and something to choose for each
/// of its parameters, or two without parameters have each a single guard, of which one is the opposite of the other.
pub(super) fn actions_are_exhaustive(actions: &[Choice], counts: &impl Fn(&Choice) -> bool) -> bool {
    let free_of_cost = |action: &&Choice| action.costs.is_empty() && !action.free && counts(action);
    let unguarded = |action: &Choice| action.guards.is_empty() && action.when.is_none() && action.params.iter().all(is_never_empty);
    if actions.iter().filter(free_of_cost).any(unguarded) {
        return true;
    }
    let guards = actions.iter().filter(free_of_cost).filter(|action| action.params.is_empty()).map(|action| action.guards.as_slice());
    let guards: Vec<&[Guard]> = guards.collect();
    let single = |guards: &&[Guard]| if let [guard] = guards { Some(guard.holds.clone()) } else { None };
    let single: Vec<Expr> = guards.iter().filter_map(single).collect();
    guards.iter().any(|guards| guards.is_empty()) || single.iter().any(|one| single.iter().any(|other| are_opposites(one, other)))
}

/// Whether there is always something to choose for a parameter.
fn is_never_empty(param: &ChoiceParam) -> bool {
    param.maybe
        || match &param.domain {
            Domain::Words(_, words, _) => !words.is_empty(),
            Domain::Numbers(_, from, to) => matches!((&from.kind, &to.kind), (ExprKind::Const(from), ExprKind::Const(to)) if from <= to),
            Domain::Cards(_) | Domain::Players(..) => false,
        }
}

/// Whether one condition is `not` the other.
fn are_opposites(one: &Expr, other: &Expr) -> bool {
    matches!(&one.kind, ExprKind::Not(inner) if is_same_value(inner, other))
}

/// Whether two expressions are written alike, wherever they stand.
fn is_same_value(one: &Expr, other: &Expr) -> bool {
    let same_kind = match (&one.kind, &other.kind) {
        (ExprKind::Not(a), ExprKind::Not(b)) => return is_same_value(a, b),
        (ExprKind::Compare { operator, a, b }, ExprKind::Compare { operator: other, a: c, b: d }) => {
            return operator == other && is_same_value(a, c) && is_same_value(b, d);
        }
        (a, b) => a == b,
    };
    same_kind && one.ty == other.ty
}

/// Whether a block can set the flag that says that a player has passed, or end the turns together with what they are in.
pub(super) fn ends(block: &Block, passed: DefId) -> bool {
    block.iter().any(|stmt| {
        if let StmtKind::If { yes, no, .. } = &stmt.kind {
            return ends(yes, passed) || no.as_ref().is_some_and(|no| ends(no, passed));
        }
        let ends_turns = matches!(&stmt.kind, StmtKind::Op { op: Op::EndNow { what }, .. } if *what != Ending::Turn);
        ends_turns || matches!(&stmt.kind, StmtKind::Write { target: Target::Variable(def), operator: Write::Set, .. } if *def == passed)
    })
}
