//! Sets of spaces, and ways over boards.

use super::cards::each_card;
use super::{Scope, Value, memo, walk};
use crate::cast;
use crate::env::Env;
use crate::evaluator::Evaluator;
use crate::graph::Expr;
use crate::node::NodeId;
use houserule_ruleset::boards::{Board, SpaceSet};
use houserule_ruleset::ways::Found;

/// Returns the neighbours of a space; none if it is no space of the board.
pub(super) fn neighbours_of(board: &Board, of: i64) -> impl Iterator<Item = i64> {
    board.space(of).into_iter().flat_map(|space| board.neighbours[space].iter().map(|&near| board.piece(near)))
}

/// Evaluates a set of spaces; any other expression gives the empty set.
pub(super) fn spaces_of(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value<SpaceSet> {
    memo::once(game, id, scope, |memo| &mut memo.sets, find_spaces)
}

fn find_spaces(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value<SpaceSet> {
    let rules = game.rules;
    let mut set = SpaceSet::default();
    if let Expr::Spaces { cards, board, var, filter } = rules.graph[id] {
        let board = &rules.boards[usize::from(board)];
        each_card(game, cards, (var, filter), scope, |_, _, card| {
            board.space(card.into()).into_iter().for_each(|space| set.add(space));
            Ok(())
        })?;
    } else if let Expr::Group { board, spaces, from } = rules.graph[id] {
        let (all, from) = (spaces_of(game, spaces, scope)?, walk(game, from, scope)?);
        let board = &rules.boards[usize::from(board)];
        set = board.space(from).map_or(set, |from| board.group(from, &all));
    } else if let Expr::Reached { board, from, steps, .. } = rules.graph[id] {
        let (from, steps) = (walk(game, from, scope)?, walk(game, steps, scope)?);
        set = search(game, id, (&rules.boards[usize::from(board)], from), (steps, None), scope)?.spaces;
    }
    Ok(set)
}

/// Searches for ways from a space, as an expression says where these can lead; finds nothing if it is no space of the board.
pub(super) fn search(
    game: &mut Evaluator<'_>,
    id: NodeId,
    (board, from): (&Board, i64),
    wanted: (i64, Option<u16>),
    scope: &Scope<'_>,
) -> Value<Found> {
    let (Some((ways, var)), Some(from)) = (game.rules.graph[id].ways(), board.space(from)) else { return Ok(Found::default()) };
    board.search(cast::fit::<u16>(from), wanted, ways, |part, space| walk(game, part, &scope.with(var, space)))
}

/// Evaluates a set of spaces; `None` after an arithmetic error.
pub(crate) fn evaluate_spaces(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<SpaceSet> {
    spaces_of(game, id, &Scope::of(env)).ok()
}
