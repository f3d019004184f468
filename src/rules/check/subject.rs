//! Reports statements about "the player" where no player is current. Set-up and phases have no current player until `each player`, `all
//! players` or a turn sets one; effects that they call are searched as well.

use super::super::defs::{DefId, DefKind, Owner};
use super::super::problem::RuleProblem;
use super::super::typed::{Expr, ExprChild, ExprKind, Neighbour, Rules, Stmt, StmtKind, Target};
use super::reach::{Visit, find_outside_of_turns};
use crate::diagnostic::Diagnostic;
use crate::engine::op::Op;
use crate::engine::ruleset::Whom;

/// Reports statements that need a current player where there is none.
pub(super) fn without_subject(rules: &Rules) -> Vec<Diagnostic> {
    let visit = |stmt: &Stmt| {
        let finds_own_players = matches!(
            stmt.kind,
            StmtKind::EachPlayer { whom: Whom::All, .. } | StmtKind::AllPlayers { whom: Whom::All, .. } | StmtKind::As { .. }
        );
        let found = is_of_player(rules, &stmt.kind);
        Visit { found, descends: !found && !finds_own_players }
    };
    let found = find_outside_of_turns(rules, visit);
    found.into_iter().map(|(place, inside)| RuleProblem::NoPlayerHere { inside }.at(place)).collect()
}

#[allow(clippy::wildcard_enum_match_arm, reason = "of whatever else is done, no player need be spoken of")]
fn is_of_player(rules: &Rules, stmt: &StmtKind) -> bool {
    let of_player = |def: &DefId| {
        matches!(rules.defs[*def].kind, DefKind::Variable { owner: Owner::Player, .. } | DefKind::Place { of_seat: true, .. })
    };
    match stmt {
        StmtKind::Op { op: Op::Draw { .. } | Op::Fill { .. }, operands } if operands.first().is_some_and(is_told_from_player) => true,
        StmtKind::Shuffle { pile, .. } if is_told_from_player(pile) => true,
        StmtKind::Op { op: Op::Gain { .. } | Op::Lose { .. } | Op::Pay { .. } | Op::PayFirst { .. }, .. } | StmtKind::PayMix { .. } => true,
        StmtKind::Ask(_) | StmtKind::Pick(_) => true,
        // "Others" are counted from the current player.
        StmtKind::EachPlayer { from: Some(from), .. } if is_told_from_player(from) => true,
        StmtKind::EachPlayer { whom, .. } | StmtKind::AllPlayers { whom, .. } => *whom != Whom::All,
        StmtKind::As { player, .. } => is_told_from_player(player),
        StmtKind::Write { target: Target::Variable(def) | Target::TallyItem(def, _), .. } => of_player(def),
        StmtKind::ChangeSet { card: None, set: def, .. } | StmtKind::Clear { card: None, variable: def } => of_player(def),
        StmtKind::PutList { place, .. } => of_player(place),
        StmtKind::Write { target: Target::OfPlayer { player, .. }, .. } => is_told_from_player(player),
        StmtKind::Op { op: Op::Draw { owner: Some(_), .. } | Op::PlaceIn { owner: Some(_), .. }, operands } => {
            operands.last().is_some_and(is_told_from_player)
        }
        StmtKind::Op {
            op:
                Op::Draw { to: place, owner: None, .. }
                | Op::PutNamed { to: place, .. }
                | Op::PlaceIn { place, owner: None, .. }
                | Op::PlaceAt { map: place, .. }
                | Op::PlaceInRow { map: place, .. }
                | Op::Fill { grid: place, .. }
                | Op::MoveRow { grid: place, .. },
            ..
        } => rules.places.get(usize::from(*place)).is_some_and(|place| of_player(&place.def)),
        _ => false,
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
