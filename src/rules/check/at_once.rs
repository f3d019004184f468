//! `all players` within itself, also by way of effects: nobody can act at once with others while others act at once already.

use super::super::defs::DefId;
use super::super::problem::Problem;
use super::super::typed::{Body, Part, Rules, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::BTreeMap;

/// Where such a block stands in another one.
pub(super) fn blocks_at_once(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Search { rules, known: BTreeMap::new(), wrong: Vec::new() };
    for body in rules.bodies.values() {
        if let Body::Effect(_, block) = body {
            found.look(block, false);
        }
    }
    found.look(&rules.setup, false);
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        match part {
            Part::Do(stmt) => found.look(std::slice::from_ref(stmt), false),
            Part::Step(step) => found.look(&step.block, false),
            Part::Turns(turns) => {
                turns.first.iter().for_each(|first| found.look(first, false));
                turns.actions.iter().for_each(|action| found.look(&action.does, false));
            }
        }
    }
    rules.shortages.iter().for_each(|shortage| found.look(&shortage.block, false));
    rules.leaving.iter().for_each(|(_, _, block)| found.look(block, false));
    rules.dealt.iter().for_each(|(_, block)| found.look(block, false));
    found.wrong.into_iter().map(|span| Problem::AtOnceWithinAtOnce.at(span)).collect()
}

struct Search<'r> {
    rules: &'r Rules,
    /// Whether effects do something for all players at once.
    known: BTreeMap<DefId, bool>,
    wrong: Vec<Span>,
}

impl Search<'_> {
    fn look(&mut self, block: &[Stmt], inside: bool) {
        for stmt in block {
            if inside && self.is_at_once(stmt) {
                self.wrong.push(stmt.span);
            }
            let inside = inside || matches!(stmt.kind, StmtKind::AllPlayers { .. });
            stmt.blocks().into_iter().for_each(|block| self.look(block, inside));
        }
    }

    /// Whether a statement itself, or an effect that it does, has such a block.
    fn is_at_once(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Do(effect, _) = stmt.kind else { return matches!(stmt.kind, StmtKind::AllPlayers { .. }) };
        if let Some(&known) = self.known.get(&effect) {
            return known;
        }
        // An effect that does itself is told elsewhere.
        self.known.insert(effect, false);
        let rules = self.rules;
        let found = matches!(rules.bodies.get(&effect), Some(Body::Effect(_, block)) if self.has_one(block));
        self.known.insert(effect, found);
        found
    }

    fn has_one(&mut self, block: &[Stmt]) -> bool {
        block.iter().any(|stmt| self.is_at_once(stmt) || stmt.blocks().into_iter().any(|block| self.has_one(block)))
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::said;

    #[test]
    fn all_players_within_itself_is_told_where_it_stands() {
        let wrong = "`all players` within `all players`".to_string();
        for (rules, place) in [
            ("effect a { all players { if moon > 1 { all players { gain 1 wisp } } } }\n", "all players { gain 1 wisp }"),
            ("effect a { all players { gain 1 wisp } }\neffect b { do a }\neffect c { all players { do b } }\n", "do b"),
        ] {
            assert_eq!(said(rules), [(wrong.clone(), place.to_string())], "{rules}");
        }
        assert!(said("effect a { all players { gain 1 wisp }; each player { all players { gain 1 moss } } }\n").is_empty());
    }
}
