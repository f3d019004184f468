//! Rejects, directly or through effects, `all players` blocks nested in each other, since simultaneous answers cannot be collected within
//! simultaneous answers, and questions while a card leaves its place, since the card is then nowhere.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Body, Rules, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::BTreeMap;

/// Reports each `all players` block that is nested in another one.
pub(super) fn check_nested_all_players(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = NestingSearch { rules, is_sought: is_simultaneous, known: BTreeMap::new(), nested: Vec::new() };
    rules.blocks().into_iter().for_each(|block| found.look(block, false));
    found.nested.into_iter().map(|span| RuleProblem::AtOnceWithinAtOnce.at(span)).collect()
}

/// Reports each statement that asks a player while a card leaves its place.
pub(super) fn check_questions_while_leaving(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = NestingSearch { rules, is_sought: asks, known: BTreeMap::new(), nested: Vec::new() };
    rules.leaving.iter().for_each(|(_, _, block)| found.look(block, true));
    found.nested.into_iter().map(|span| RuleProblem::QuestionWhileLeaving.at(span)).collect()
}

fn is_simultaneous(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::AllPlayers { .. })
}

fn asks(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Ask(_) | StmtKind::Pick(_) | StmtKind::PayMix { .. })
}

struct NestingSearch<'r> {
    rules: &'r Rules,
    /// What is sought.
    is_sought: fn(&Stmt) -> bool,
    /// For each effect visited so far, whether it contains what is sought.
    known: BTreeMap<DefId, bool>,
    nested: Vec<Span>,
}

impl NestingSearch<'_> {
    fn look(&mut self, block: &[Stmt], inside: bool) {
        for stmt in block {
            if inside && self.holds(stmt) {
                self.nested.push(stmt.span);
            }
            let inside = inside || is_simultaneous(stmt);
            stmt.blocks().into_iter().for_each(|block| self.look(block, inside));
        }
    }

    /// Whether a statement is what is sought, or calls an effect that contains it.
    fn holds(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Do { effect, .. } = stmt.kind else { return (self.is_sought)(stmt) };
        if let Some(&known) = self.known.get(&effect) {
            return known;
        }
        // Recursive effects are reported elsewhere.
        self.known.insert(effect, false);
        let rules = self.rules;
        let found = matches!(rules.bodies.get(&effect), Some(Body::Effect(_, block)) if self.has_one(block));
        self.known.insert(effect, found);
        found
    }

    fn has_one(&mut self, block: &[Stmt]) -> bool {
        block.iter().any(|stmt| self.holds(stmt) || stmt.blocks().into_iter().any(|block| self.has_one(block)))
    }
}
