//! Finds statements of a sort in set-up and phases, outside of turns. Effects that are called there are searched as well. Rejects `all
//! players` blocks nested in each other, since simultaneous answers cannot be collected within simultaneous answers, and questions while a
//! card leaves its place, since the card is then nowhere.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Body, Rules, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::BTreeMap;

/// What a search does with a statement.
pub(super) enum Visit {
    /// The statement is of the sort.
    Found,
    /// The statement is not of the sort; what is in its blocks may be.
    Descend,
    /// Neither the statement nor anything in its blocks is of the sort.
    Skip,
}

impl Visit {
    /// Whether or not the statement is of the sort, what is in its blocks may be.
    pub fn found_if(is_found: bool) -> Visit {
        if is_found { Visit::Found } else { Visit::Descend }
    }
}

/// Returns the statements of a sort in set-up and phases: each with the place in an effect that makes it so, if it calls one.
pub(super) fn find_outside_of_turns(rules: &Rules, visit: impl Fn(&Stmt) -> Visit) -> Vec<(Span, Option<Span>)> {
    let mut search = Search::new(rules, visit);
    let mut found = Vec::new();
    rules.blocks_outside_of_turns().for_each(|block| search.look(block, &mut found));
    found
}

/// A search for statements of a sort, also in the effects that are called.
pub(super) struct Search<'r, F> {
    rules: &'r Rules,
    /// Tells which statements are of the sort.
    pub visit: F,
    /// For each effect visited so far, the first place in it that is of the sort, if any.
    known: BTreeMap<DefId, Option<Span>>,
}

impl<'r, F: Fn(&Stmt) -> Visit> Search<'r, F> {
    /// Begins a search.
    pub fn new(rules: &'r Rules, visit: F) -> Search<'r, F> {
        Search { rules, visit, known: BTreeMap::new() }
    }

    fn look(&mut self, block: &[Stmt], found: &mut Vec<(Span, Option<Span>)>) {
        for stmt in block {
            if let StmtKind::Do { effect, .. } = &stmt.kind {
                found.extend(self.of_effect(*effect).map(|inside| (stmt.span, Some(inside))));
                continue;
            }
            match (self.visit)(stmt) {
                Visit::Found => found.push((stmt.span, None)),
                Visit::Descend => stmt.blocks().into_iter().for_each(|block| self.look(block, found)),
                Visit::Skip => {}
            }
        }
    }

    /// Returns the first place in an effect that is of the sort.
    pub fn of_effect(&mut self, effect: DefId) -> Option<Span> {
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
        let first = found.first().map(|(place, inside)| inside.unwrap_or(*place));
        self.known.insert(effect, first);
        first
    }
}

// ---------------------------------------------------------------------- what answers of all, and cards that leave, do not allow

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
