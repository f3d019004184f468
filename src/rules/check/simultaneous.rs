//! Rejects, directly or through effects, `all players` blocks nested in each other, since simultaneous answers cannot be collected within
//! simultaneous answers, and questions while a card leaves its place, since the card is then nowhere.

use super::super::problem::RuleProblem;
use super::super::typed::{Rules, Stmt, StmtKind};
use super::reach::{Search, Visit};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Reports each `all players` block that is nested in another one.
pub(super) fn check_nested_all_players(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = NestingSearch::new(rules, |stmt| Visit::found_if(is_simultaneous(stmt)));
    rules.blocks().into_iter().for_each(|block| found.look(block, false));
    found.nested.into_iter().map(|span| RuleProblem::AtOnceWithinAtOnce.at(span)).collect()
}

/// Reports each statement that asks a player while a card leaves its place.
pub(super) fn check_questions_while_leaving(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = NestingSearch::new(rules, |stmt| Visit::found_if(asks(stmt)));
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
    /// What is sought, and in which effects it is.
    sought: Search<'r, fn(&Stmt) -> Visit>,
    nested: Vec<Span>,
}

impl<'r> NestingSearch<'r> {
    fn new(rules: &'r Rules, visit: fn(&Stmt) -> Visit) -> NestingSearch<'r> {
        NestingSearch { sought: Search::new(rules, visit), nested: Vec::new() }
    }

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
        let StmtKind::Do { effect, .. } = stmt.kind else { return matches!((self.sought.visit)(stmt), Visit::Found) };
        self.sought.of_effect(effect).is_some()
    }
}
