//! What is done for "the player" where nobody is: set-up and phases speak of no player until `each player`, `all players` or a turn
//! names one, also by way of effects.

use super::super::defs::{DefId, DefKind, Owner};
use super::super::problem::Problem;
use super::super::typed::{Body, Part, Rules, Stmt, StmtKind, Target};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::Whom;
use crate::source::Span;
use std::collections::BTreeMap;

/// What is done for a player where there is none.
pub(super) fn without_subject(rules: &Rules) -> Vec<Diagnostic> {
    let mut search = Search { rules, known: BTreeMap::new() };
    let mut found: Vec<(Span, Span)> = Vec::new();
    search.look(&rules.setup, &mut found);
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        match part {
            Part::Do(stmt) => search.look(std::slice::from_ref(stmt), &mut found),
            Part::Step(step) => search.look(&step.block, &mut found),
            Part::Turns(_) => {}
        }
    }
    found.into_iter().map(|(place, inside)| Problem::NoPlayerHere { inside: (inside != place).then_some(inside) }.at(place)).collect()
}

struct Search<'r> {
    rules: &'r Rules,
    /// What effects do for the player who is spoken of where they are done: the first place.
    known: BTreeMap<DefId, Option<Span>>,
}

impl Search<'_> {
    /// Statements for a player in a block around which there is none: each, and where in it a player is needed.
    fn look(&mut self, block: &[Stmt], found: &mut Vec<(Span, Span)>) {
        for stmt in block {
            if let StmtKind::EachPlayer(Whom::All, ..) | StmtKind::AllPlayers { whom: Whom::All, .. } = stmt.kind {
                continue;
            }
            if let StmtKind::Do(effect, _) = &stmt.kind {
                found.extend(self.of_effect(*effect).map(|inside| (stmt.span, inside)));
            } else if self.is_of_player(&stmt.kind) {
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
        // An effect that does itself is told elsewhere.
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

    #[allow(clippy::wildcard_enum_match_arm, reason = "of whatever else is done, no player need be spoken of")]
    fn is_of_player(&self, stmt: &StmtKind) -> bool {
        let of_player = |def: &DefId| {
            matches!(self.rules.defs[*def].what, DefKind::Variable { owner: Owner::Player, .. } | DefKind::Place { of_seat: true, .. })
        };
        match stmt {
            StmtKind::Gain(..) | StmtKind::Lose(..) | StmtKind::Pay(..) | StmtKind::PayMix(..) => true,
            StmtKind::Ask(_) | StmtKind::Pick(_) => true,
            // The others are those beside somebody.
            StmtKind::EachPlayer(..) | StmtKind::AllPlayers { .. } => true,
            StmtKind::Write(Target::Variable(def) | Target::TallyItem(def, _), ..) | StmtKind::AddToSet(def, _) => of_player(def),
            StmtKind::Draw(_, place, _) | StmtKind::PutList(_, _, place) | StmtKind::PutNamed(_, place) => of_player(place),
            StmtKind::PlaceIn(_, place, _) => of_player(place),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::said;

    #[test]
    fn what_is_done_for_nobody_is_told_where_it_stands() {
        let wrong = "this is done for a player, and no player is named here".to_string();
        let in_setup = |line: &str| format!("setup {{ {line} }}\n");
        for line in ["gain 1 wisp", "dens += 1", "draw from pile to yard", "player chooses { \"a\" { moon = 1 } }"] {
            let found = said(&in_setup(&format!("step dusk {{ if moon > 1 {{ {line} }} }}")));
            assert_eq!(found, [(wrong.clone(), line.to_string())]);
            assert_eq!(said(&in_setup(&format!("each player {{ {line} }}"))), []);
            // Others than whom?
            let others = [format!("each other player {{ {line} }}"), format!("all other players {{ {line} }}")];
            for others in others.iter().filter(|_| !line.contains("draw")) {
                assert_eq!(said(&in_setup(others)), [(wrong.clone(), others.clone())]);
                assert_eq!(said(&in_setup(&format!("each player {{ {others} }}"))), []);
            }
        }
        let effect = "effect feed { gain 1 wisp }\n";
        assert_eq!(said(&format!("{effect}{}", in_setup("do feed"))), [(wrong, "do feed".to_string())]);
        assert_eq!(said(&format!("{effect}{}", in_setup("all players { do feed }; moon += 1"))), []);
    }
}
