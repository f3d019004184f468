//! Reports statements about "the player" where no player is current. Set-up and phases have no current player until `each player`, `all
//! players` or a turn sets one; effects that they call are searched as well.

use super::super::defs::{DefId, DefKind, Owner};
use super::super::problem::RuleProblem;
use super::super::typed::{Body, Expr, ExprChild, ExprKind, Neighbour, PhasePart, Rules, Stmt, StmtKind, Target};
use crate::diagnostic::Diagnostic;
use crate::engine::op::Op;
use crate::engine::ruleset::Whom;
use crate::source::Span;
use std::collections::BTreeMap;

/// Reports statements that need a current player where there is none.
pub(super) fn without_subject(rules: &Rules) -> Vec<Diagnostic> {
    let mut search = SubjectSearch { rules, known: BTreeMap::new() };
    let mut found: Vec<(Span, Span)> = Vec::new();
    search.look(&rules.setup, &mut found);
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        match part {
            PhasePart::Do(stmt) => search.look(std::slice::from_ref(stmt), &mut found),
            PhasePart::Step(step) => search.look(&step.block, &mut found),
            PhasePart::Turns(_) => {}
        }
    }
    found.into_iter().map(|(place, inside)| RuleProblem::NoPlayerHere { inside: (inside != place).then_some(inside) }.at(place)).collect()
}

struct SubjectSearch<'r> {
    rules: &'r Rules,
    /// For each effect visited so far, the first place that needs the caller's current player, if any.
    known: BTreeMap<DefId, Option<Span>>,
}

impl SubjectSearch<'_> {
    /// Collects the statements of a block that need a current player: each with the place inside it that needs one.
    fn look(&mut self, block: &[Stmt], found: &mut Vec<(Span, Span)>) {
        for stmt in block {
            if let StmtKind::As { player, .. } = &stmt.kind
                && is_told_from_player(player)
            {
                found.push((stmt.span, stmt.span));
            }
            if let StmtKind::EachPlayer { whom: Whom::All, .. } | StmtKind::AllPlayers { whom: Whom::All, .. } | StmtKind::As { .. } =
                stmt.kind
            {
                continue;
            }
            if let StmtKind::Do { effect, .. } = &stmt.kind {
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

    #[allow(clippy::wildcard_enum_match_arm, reason = "of whatever else is done, no player need be spoken of")]
    fn is_of_player(&self, stmt: &StmtKind) -> bool {
        let of_player = |def: &DefId| {
            matches!(self.rules.defs[*def].kind, DefKind::Variable { owner: Owner::Player, .. } | DefKind::Place { of_seat: true, .. })
        };
        match stmt {
            StmtKind::Op { op: Op::Gain { .. } | Op::Lose { .. } | Op::Pay { .. }, .. } | StmtKind::PayMix { .. } => true,
            StmtKind::Ask(_) | StmtKind::Pick(_) => true,
            // "Others" are counted from the current player.
            StmtKind::EachPlayer { .. } | StmtKind::AllPlayers { .. } => true,
            StmtKind::Write { target: Target::Variable(def) | Target::TallyItem(def, _), .. } | StmtKind::AddToSet { set: def, .. } => {
                of_player(def)
            }
            StmtKind::PutList { place, .. } => of_player(place),
            StmtKind::Write { target: Target::OfPlayer { player, .. }, .. } => is_told_from_player(player),
            StmtKind::Op { op: Op::Draw { owner: Some(_), .. } | Op::PlaceIn { owner: Some(_), .. }, operands } => {
                operands.last().is_some_and(is_told_from_player)
            }
            StmtKind::Op {
                op: Op::Draw { to: place, owner: None, .. } | Op::PutNamed { to: place, .. } | Op::PlaceIn { place, owner: None, .. },
                ..
            } => self.rules.places.get(usize::from(*place)).is_some_and(|place| of_player(&place.def)),
            _ => false,
        }
    }
}

/// Whether a player is told from the current one: `me`, `left` or `right`.
fn is_told_from_player(player: &Expr) -> bool {
    if let ExprKind::OfNeighbour { who: Neighbour::First, .. } = &player.kind {
        return false;
    }
    let mut found = false;
    player.walk(&mut |below| {
        found |= matches!(below, ExprChild::Operand(Expr { kind: ExprKind::Me | ExprKind::OfNeighbour { .. }, .. }));
    });
    found
}
