//! Rejects `play again` where no turn is running: in the set-up, and in steps and statements of phases, directly or through effects. What
//! cards carry out may happen in a turn or not, so the engine looks when it does.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Body, PhasePart, Rules, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::engine::op::Op;
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
