//! Turns: whether a player always has something to do in them, and `play again` where no turn is running. What cards carry out may happen in
//! a turn or not, so the engine looks when it does.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Block, Body, Choice, Expr, ExprKind, Guard, PhasePart, Rules, Stmt, StmtKind, Target};
use crate::diagnostic::Diagnostic;
use crate::engine::op::Op;
use crate::engine::ruleset::Write;
use crate::source::Span;
use std::collections::BTreeMap;

/// Reports each statement outside of turns that would let a turn go on.
pub(super) fn outside_of_turns(rules: &Rules) -> Vec<Diagnostic> {
    let mut search = TurnSearch { rules, known: BTreeMap::new() };
    let mut found: Vec<(Span, Span)> = Vec::new();
    search.look(&rules.setup, &mut found);
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        match part {
            PhasePart::Do(stmt) => search.look(std::slice::from_ref(stmt), &mut found),
            PhasePart::Step(step) => search.look(&step.block, &mut found),
            PhasePart::Turns(_) => {}
        }
    }
    found.into_iter().map(|(place, inside)| RuleProblem::NoTurnHere { inside: (inside != place).then_some(inside) }.at(place)).collect()
}

struct TurnSearch<'r> {
    rules: &'r Rules,
    /// For each effect visited so far, the first place in it that lets a turn go on, if any.
    known: BTreeMap<DefId, Option<Span>>,
}

impl TurnSearch<'_> {
    /// Collects the statements of a block that let a turn go on: each with the place inside it that does.
    fn look(&mut self, block: &[Stmt], found: &mut Vec<(Span, Span)>) {
        for stmt in block {
            if let StmtKind::Do { effect, .. } = &stmt.kind {
                found.extend(self.of_effect(*effect).map(|inside| (stmt.span, inside)));
            } else if matches!(stmt.kind, StmtKind::Op { op: Op::PlayAgain, .. }) {
                found.push((stmt.span, stmt.span));
            } else {
                stmt.blocks().into_iter().for_each(|block| self.look(block, found));
            }
        }
    }

    fn of_effect(&mut self, effect: DefId) -> Option<Span> {
        if let Some(known) = self.known.get(&effect) {
            return *known;
        }
        // Recursive effects are reported elsewhere.
        self.known.insert(effect, None);
        let mut found = Vec::new();
        let rules = self.rules;
        if let Some(Body::Effect(_, block)) = rules.bodies.get(&effect) {
            self.look(block, &mut found);
        }
        let first = found.first().map(|(_, inside)| *inside);
        self.known.insert(effect, first);
        first
    }
}

/// Whether one of the actions that `counts` accepts can certainly be chosen: one has no parameters, guards and costs, or two have each a
/// single guard, of which one is the opposite of the other.
pub(super) fn actions_are_exhaustive(actions: &[Choice], counts: &impl Fn(&Choice) -> bool) -> bool {
    let free_of_cost = |action: &&Choice| action.params.is_empty() && action.costs.is_empty() && !action.free && counts(action);
    let guards: Vec<&[Guard]> = actions.iter().filter(free_of_cost).map(|action| action.guards.as_slice()).collect();
    let single = |guards: &&[Guard]| if let [guard] = guards { Some(guard.holds.clone()) } else { None };
    let single: Vec<Expr> = guards.iter().filter_map(single).collect();
    guards.iter().any(|guards| guards.is_empty()) || single.iter().any(|one| single.iter().any(|other| are_opposites(one, other)))
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

/// Whether a block can set the flag that says that a player has passed.
pub(super) fn ends(block: &Block, passed: DefId) -> bool {
    block.iter().any(|stmt| {
        if let StmtKind::If { yes, no, .. } = &stmt.kind {
            return ends(yes, passed) || no.as_ref().is_some_and(|no| ends(no, passed));
        }
        matches!(&stmt.kind, StmtKind::Write { target: Target::Variable(def), operator: Write::Set, .. } if *def == passed)
    })
}
