//! Finds statements of a sort in set-up and phases, outside of turns. Effects that are called there are searched as well. Rejects `all
//! players` blocks nested in each other, since simultaneous answers cannot be collected within simultaneous answers, and questions while a
//! card leaves its place, since the card is then nowhere.

use super::super::defs::DefId;
use super::super::problem::RuleProblem;
use super::super::typed::{Body, Rules, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::engine::op::Op;
use crate::source::Span;
use std::collections::BTreeMap;

/// What a search makes of a statement.
pub(super) struct Visit {
    /// Whether the statement is of the sort.
    pub found: bool,
    /// Whether what is in its blocks may be.
    pub descends: bool,
}

/// Returns the statements of a sort in set-up and phases: each with the place in an effect that makes it so, if it calls one.
pub(super) fn find_outside_of_turns(rules: &Rules, visit: impl Fn(&Stmt) -> Visit) -> Vec<(Span, Option<Span>)> {
    let mut search = Search::new(rules, visit);
    let mut found = Vec::new();
    rules.blocks_outside_of_turns().for_each(|block| search.look(block, &mut found));
    found
}

/// A search for statements of a sort, also in the effects that are called.
struct Search<'r, F> {
    rules: &'r Rules,
    /// Tells which statements are of the sort.
    visit: F,
    /// For each effect visited so far, the first place in it that is of the sort, if any.
    known: BTreeMap<DefId, Option<Span>>,
}

impl<'r, F: Fn(&Stmt) -> Visit> Search<'r, F> {
    fn new(rules: &'r Rules, visit: F) -> Search<'r, F> {
        Search { rules, visit, known: BTreeMap::new() }
    }

    fn look(&mut self, block: &[Stmt], found: &mut Vec<(Span, Option<Span>)>) {
        for stmt in block {
            if let StmtKind::Do { effect, .. } = &stmt.kind {
                found.extend(self.of_effect(*effect).map(|inside| (stmt.span, Some(inside))));
                continue;
            }
            let visit = (self.visit)(stmt);
            found.extend(visit.found.then_some((stmt.span, None)));
            if visit.descends {
                stmt.blocks().into_iter().for_each(|block| self.look(block, found));
            }
        }
    }

    /// Returns the first place in an effect that is of the sort.
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
        let first = found.first().map(|(place, inside)| inside.unwrap_or(*place));
        self.known.insert(effect, first);
        first
    }
}

// ---------------------------------------------------------------------- what answers of all, and cards that leave, do not allow

/// Reports each `all players` block that is nested in another one.
pub(super) fn check_nested_all_players(rules: &Rules) -> Vec<Diagnostic> {
    let visit = |stmt: &Stmt| Visit { found: is_simultaneous(stmt), descends: !is_simultaneous(stmt) };
    let (mut search, mut found) = (Search::new(rules, visit), Vec::new());
    rules.blocks().into_iter().for_each(|block| look_in_all_players(&mut search, block, &mut found));
    found.into_iter().map(|(place, _)| RuleProblem::AtOnceWithinAtOnce.at(place)).collect()
}

/// Looks for what is sought in each `all players` block in a block.
fn look_in_all_players<F: Fn(&Stmt) -> Visit>(search: &mut Search<'_, F>, block: &[Stmt], found: &mut Vec<(Span, Option<Span>)>) {
    for stmt in block {
        for inside in stmt.blocks() {
            if is_simultaneous(stmt) {
                search.look(inside, found);
            }
            look_in_all_players(search, inside, found);
        }
    }
}

fn is_simultaneous(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::AllPlayers { .. })
}

/// Reports each statement that ends something within an `all players` block, or while a card leaves its place.
pub(super) fn check_endings(rules: &Rules) -> Vec<Diagnostic> {
    let ends = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Op { op: Op::EndNow { .. }, .. });
    let mut search = Search::new(rules, |stmt| Visit { found: ends(stmt), descends: true });
    let (mut at_once, mut while_leaving) = (Vec::new(), Vec::new());
    rules.blocks().into_iter().for_each(|block| look_in_all_players(&mut search, block, &mut at_once));
    rules.leaving.iter().for_each(|(_, _, block)| search.look(block, &mut while_leaving));
    let at_once = at_once.into_iter().map(|(place, _)| RuleProblem::EndingAtOnce.at(place));
    at_once.chain(while_leaving.into_iter().map(|(place, _)| RuleProblem::EndingWhileLeaving.at(place))).collect()
}

/// Reports each statement that asks a player while a card leaves its place.
pub(super) fn check_questions_while_leaving(rules: &Rules) -> Vec<Diagnostic> {
    let asks = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Ask(_) | StmtKind::Pick(_) | StmtKind::PayMix { .. });
    let (mut search, mut found) = (Search::new(rules, |stmt| Visit { found: asks(stmt), descends: true }), Vec::new());
    rules.leaving.iter().for_each(|(_, _, block)| search.look(block, &mut found));
    found.into_iter().map(|(place, _)| RuleProblem::QuestionWhileLeaving.at(place)).collect()
}
