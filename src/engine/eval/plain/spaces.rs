//! Sets of spaces, and ways over boards.

use super::cards::{Folded, each_card};
use super::{Scope, Value, holds, once, read_fact, walk, wrong};
use crate::cast;
use crate::env::Env;
use crate::evaluator::Evaluator;
use crate::graph::{Expr, Fold};
use crate::node::NodeId;
use houserule_ruleset::boards::{Board, SpaceSet, UNREACHABLE};
use houserule_ruleset::ways::Found;

/// Folds over the neighbours of a space.
#[inline(never)]
pub(super) fn fold_neighbours(
    game: &mut Evaluator<'_>,
    fold: Fold,
    (board, of): (u16, NodeId),
    (var, filter, body): (u8, Option<NodeId>, Option<NodeId>),
    scope: &Scope<'_>,
) -> Value {
    let (mut folded, of) = (Folded::new(fold), walk(game, of, scope)?);
    let mut scope = *scope;
    let (board, mut found) = (&game.rules.boards[usize::from(board)], Vec::new());
    let Some(space) = board.space(of) else { return Ok(folded.result) };
    let all_near = board.near(space, &cells_of(game), &mut found);
    for &near in all_near {
        scope.vars[usize::from(var)] = board.piece(near);
        if holds(game, filter, &scope)? {
            folded.add_body(game, body, &scope)?;
        }
    }
    Ok(folded.result)
}

/// Whether a card is a space of a set.
#[inline(never)]
pub(super) fn is_in_spaces(game: &mut Evaluator<'_>, (board, spaces): (u16, NodeId), card: NodeId, scope: &Scope<'_>) -> Value {
    let (spaces, card) = (spaces_of(game, spaces, scope)?, walk(game, card, scope)?);
    Ok(i64::from(game.rules.boards[usize::from(board)].space(card).is_some_and(|space| spaces.has(space))))
}

/// Returns how many steps a space is away by ways over a board.
#[inline(never)]
pub(super) fn steps_over(game: &mut Evaluator<'_>, id: NodeId, (board, from, to): (u16, NodeId, NodeId), scope: &Scope<'_>) -> Value {
    let board = &game.rules.boards[usize::from(board)];
    let (from, to) = (walk(game, from, scope)?, walk(game, to, scope)?);
    match board.space(to) {
        Some(to) => Ok(search(game, id, (board, from), (UNREACHABLE, Some(cast::fit::<u16>(to))), scope)?.distance()),
        None => Ok(UNREACHABLE),
    }
}

/// Reads cells as the value sees them that is being evaluated.
fn cells_of<'g>(game: &'g Evaluator<'_>) -> impl Fn(usize) -> i32 + 'g {
    let reader = game.reader();
    move |cell| reader.cell(cell)
}

/// Evaluates a set of spaces; any other expression gives the empty set.
pub(super) fn spaces_of(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value<SpaceSet> {
    once(game, id, scope, |memo| &mut memo.sets, find_spaces)
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
    } else if let Expr::Group { board, spaces, from } = rules.graph[id]
        && let board = &rules.boards[usize::from(board)]
        && board.parts.is_some()
        && let Expr::Spaces { cards, var, filter, .. } = rules.graph[spaces]
        && rules.graph.cards(cards).is_plain()
    {
        // Of many parts of cards few hang together: only these are asked about.
        let (mut met, mut left, mut found) = (SpaceSet::default(), Vec::from_iter(board.space(walk(game, from, scope)?)), Vec::new());
        while let Some(at) = left.pop() {
            if met.has(at) {
                continue;
            }
            met.add(at);
            let piece = board.piece(cast::fit::<u16>(at));
            if holds(game, filter, &scope.with(var, piece))? {
                set.add(at);
                left.extend(board.near(at, &cells_of(game), &mut found).iter().map(|&near| usize::from(near)));
            }
        }
    } else if let Expr::Group { board, spaces, from } = rules.graph[id] {
        let (all, from) = (spaces_of(game, spaces, scope)?, walk(game, from, scope)?);
        let board = &rules.boards[usize::from(board)];
        set = board.space(from).map_or(set, |from| board.group(from, &all, &cells_of(game)));
    } else if let Expr::Reached { board, from, steps, .. } = rules.graph[id] {
        let (from, steps) = (walk(game, from, scope)?, walk(game, steps, scope)?);
        set = search(game, id, (&rules.boards[usize::from(board)], from), (steps, None), scope)?.spaces;
    } else if let Expr::Areas { board, spaces, var, by } = rules.graph[id] {
        let all = spaces_of(game, spaces, scope)?;
        let board = &rules.boards[usize::from(board)];
        let numbers = numbers_of(game, board, &all, (var, by), scope)?;
        set = board.areas(&all, numbers.as_deref(), &cells_of(game));
    } else if let Expr::Beside { board, grid } = rules.graph[id] {
        let first_slot = rules.instances(grid).first().map_or(0, |place| place.base as usize + 1);
        set = rules.boards[usize::from(board)].beside(first_slot, &cells_of(game));
    }
    Ok(set)
}

/// The error of a search for the longest trail that is given up.
const TOO_MANY_TRAILS: &str = "the longest trail over these links is not found: there are too many ways to go; let fewer links count";

/// Returns the longest trail over a set of links.
#[inline(never)]
pub(super) fn longest_trail(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    let rules = game.rules;
    let Expr::LongestTrail { board, spaces, var, by } = rules.graph[id] else { return Ok(0) };
    let all = spaces_of(game, spaces, scope)?;
    let board = &rules.boards[usize::from(board)];
    let numbers = numbers_of(game, board, &all, (var, by), scope)?;
    board.longest_trail(&all, numbers.as_deref()).ok_or_else(|| wrong(TOO_MANY_TRAILS))
}

/// Evaluates a number of each space of a set; 0 stands for the others. `None` if there is no such number.
fn numbers_of(
    game: &mut Evaluator<'_>,
    board: &Board,
    set: &SpaceSet,
    (var, by): (u8, Option<NodeId>),
    scope: &Scope<'_>,
) -> Value<Option<Vec<i64>>> {
    let Some(by) = by else { return Ok(None) };
    let mut numbers = vec![0; board.count()];
    for space in set.spaces() {
        numbers[usize::from(space)] = walk(game, by, &scope.with(var, board.piece(space)))?;
    }
    Ok(Some(numbers))
}

/// Searches for ways from a space, as an expression says where these can lead; finds nothing if it is no space of the board.
fn search(
    game: &mut Evaluator<'_>,
    id: NodeId,
    (board, from): (&Board, i64),
    wanted: (i64, Option<u16>),
    scope: &Scope<'_>,
) -> Value<Found> {
    let (Some((ways, var)), Some(from)) = (game.rules.graph[id].ways(), board.space(from)) else { return Ok(Found::default()) };
    let from = cast::fit::<u16>(from);
    if let Some(links) = ways.links {
        let links = &game.rules.boards[usize::from(links)];
        return links.search_links(from, wanted, |link| {
            ways.over.map_or(Ok(true), |over| Ok(walk(game, over, &scope.with(var, links.piece(link)))? != 0))
        });
    }
    let near = board.all_near(&cells_of(game));
    // What is a set says to which spaces a step can lead; only neighbours are asked about.
    if let Some(Expr::Spaces { var: to, filter, .. }) = ways.over.map(|over| game.rules.graph[over]) {
        return board.search_steps(from, wanted, &near, |a, b| holds(game, filter, &scope.with(var, a).with(to, b)));
    }
    board.search(from, wanted, (ways, &near), |part, space| walk(game, part, &scope.with(var, space)))
}

/// Returns how many spaces the largest group within a set has.
#[inline(never)]
pub(super) fn largest_group(game: &mut Evaluator<'_>, (board, spaces): (u16, NodeId), scope: &Scope<'_>) -> Value {
    let spaces = spaces_of(game, spaces, scope)?;
    Ok(game.rules.boards[usize::from(board)].largest_group(&spaces, &cells_of(game)))
}

/// Returns at how many places a part of a card ends with no card beside it.
#[inline(never)]
pub(super) fn open_ends(game: &mut Evaluator<'_>, (board, space): (u16, NodeId), scope: &Scope<'_>) -> Value {
    let (board, space) = (&game.rules.boards[usize::from(board)], walk(game, space, scope)?);
    let (Some(space), Some(parts)) = (board.space(space), &board.parts) else { return Ok(0) };
    Ok(parts.open_ends(space, &cells_of(game)))
}

/// The error of asking whether a card fits where there is no such slot.
const WRONG_SIZE: &str = "`fits` asks about what lies on no map of the size of the grid in which the card would lie";

/// Whether a card can be laid where a space or card lies on a map of the size of its grid, turned so often.
#[inline(never)]
pub(super) fn fits(game: &mut Evaluator<'_>, (board, card): (u16, NodeId), (at, turn): (NodeId, NodeId), scope: &Scope<'_>) -> Value {
    let rules = game.rules;
    let [card, at, turn] = [walk(game, card, scope)?, walk(game, at, scope)?, walk(game, turn, scope)?];
    let (Some(parts), Ok(card), Ok(at)) = (&rules.boards[usize::from(board)].parts, usize::try_from(card), usize::try_from(at)) else {
        return Ok(0);
    };
    let Some(slot) = parts.slot_of(at, &cells_of(game)) else { return Err(wrong(WRONG_SIZE)) };
    let fits = |card: usize| i64::from(parts.fits(card, (scope.me, slot), turn, &cells_of(game)));
    Ok(read_fact(game, card, fits))
}

/// Evaluates a set of spaces; `None` after an arithmetic error.
pub(crate) fn evaluate_spaces(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<SpaceSet> {
    spaces_of(game, id, &Scope::of(env)).ok()
}
