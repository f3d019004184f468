//! Lowers what is about the spaces of boards: groups, neighbours, ways, and what cards and spaces have several of.

use super::super::defs::{DefId, DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::typed::{Around, Board, BoardShape, Cards, Expr, ExprChild, ExprKind, Fold, Part, Ways};
use super::expr::folded;
use super::{Bindings, GraphExpr, Lowerer, tallies};
use crate::cast;
use crate::engine::boards;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::parts::{CardPart, CardParts, PartsGrid};
use crate::engine::ruleset::{Compare, NodeId, Ruleset, Shape, VariableSort};
use crate::engine::ways as engine_ways;
use crate::source::Span;
use crate::state::layout::{PlaceInstance, piece};
use std::collections::BTreeMap;

/// Creates the boards of a ruleset, whose places are known.
pub(crate) fn lower_boards(lowerer: &mut Lowerer<'_>) {
    for board in &lowerer.tree.boards {
        let mut made = match &board.shape {
            BoardShape::Rows { rows, columns, hexes, endless, diagonals } => boards::Board::of_grid(boards::Rows {
                rows: *rows,
                columns: *columns,
                hexes: *hexes,
                endless: *endless,
                diagonals: *diagonals,
            }),
            BoardShape::Named(near) => boards::Board::of_names(near.clone()),
            BoardShape::Links { board, ends } => {
                let joined = lowerer.tree.boards[*board].count as usize;
                boards::Board::of_links(ends.clone(), cast::fit::<u16>(*board), joined)
            }
            BoardShape::Parts(parts) => boards::Board::of_parts(parts.near.clone()),
        };
        let place = board.place.map_or(0, |place| lowerer.index(place));
        let first_piece = cast::fit::<u16>(board.first);
        let drawn = board.drawn.clone().map(Vec::into_boxed_slice);
        (made.name, made.place, made.kind, made.first_piece, made.drawn) = (board.name.clone(), place, board.kind, first_piece, drawn);
        lowerer.ruleset.boards.push(made);
    }
}

/// Lays the spaces of all boards into their places: these cells never change.
pub(crate) fn lay_spaces(lowerer: &mut Lowerer<'_>) {
    let rules = &mut *lowerer.ruleset;
    let everybody = (1 << rules.players) - 1;
    for board in &rules.boards {
        let instance = usize::from(rules.places[usize::from(board.place)].first_instance);
        let base = rules.layout.places[instance].base;
        rules.initial.push((base, cast::fit::<i32>(board.count())));
        for (space, &slot) in (board.first_piece..).zip(&board.slots) {
            let cell = |offset| cast::fit::<u32>(rules.layout.piece(usize::from(space), offset));
            rules.initial.push((base + 1 + u32::from(slot), i32::from(space) + 1));
            rules.initial.push((cell(piece::POSITION), i32::from(slot)));
            rules.initial.push((cell(piece::KNOWN), everybody));
        }
    }
}

/// Notes of which pieces the spaces of boards are parts that are parts of cards, once these have been made.
pub(crate) fn lay_parts(lowerer: &mut Lowerer<'_>) {
    let tree = lowerer.tree;
    for (board, typed) in tree.boards.iter().enumerate() {
        let Some((parts, grid)) = typed.parts().and_then(|parts| Some((parts, parts.grid?))) else { continue };
        let rules = &*lowerer.ruleset;
        let pieces = (0_u16..).zip(rules.piece_definition.iter().zip(&rules.piece_copy));
        let pieces: BTreeMap<(u32, u16), u16> = pieces.map(|(piece, (&definition, &copy))| ((definition, copy), piece)).collect();
        let value = |space: usize| {
            let field = parts.matched.map(|field| usize::from(lowerer.slots.offset(field)));
            field.map_or(0, |field| rules.printed(typed.first as usize + space, field))
        };
        let part = |(space, part): (usize, &Part)| {
            let definition = tree.defs.kind_of(Space::Card, &part.card).map(DefKind::index);
            let card = definition.and_then(|definition| pieces.get(&(definition, part.copy)).copied());
            CardPart { card, ports: part.ports, value: value(space) }
        };
        let all = parts.all.iter().enumerate().map(part).collect();
        let turn = parts.turn.map(|turn| lowerer.slots.offset(turn));
        let made = CardParts::new(&rules.layout, parts_grid(rules, lowerer.index(grid)), turn, all);
        lowerer.ruleset.boards[board].parts = Some(Box::new(made));
    }
}

/// Returns what is known of a grid in which cards lie whose parts are spaces.
fn parts_grid(rules: &Ruleset, place: u16) -> PartsGrid {
    let declared = &rules.places[usize::from(place)];
    let instances = rules.instances(place).iter().zip(usize::from(declared.first_instance)..);
    let (size, hexes, endless) = match declared.shape {
        Shape::Grid { rows, columns, hexes, endless } => ([rows.into(), columns.into()], hexes, endless),
        Shape::Deck | Shape::Slots => ([0, 0], false, false),
    };
    let shape = |instance: &PlaceInstance| instance.room > 0 && rules.places[usize::from(instance.declared)].shape == declared.shape;
    PartsGrid {
        place,
        instances: instances.map(|(instance, index)| (index, instance.base as usize + 1)).collect(),
        size,
        hexes,
        endless,
        same_shape: rules.layout.places.iter().map(shape).collect(),
    }
}

/// Lowers the card of which a space is a part; no card if it is none.
pub(super) fn lower_card_of(lowerer: &mut Lowerer<'_>, space: NodeId) -> NodeId {
    lowerer.ruleset.of_piece(space, -1, |rules, piece| {
        let part = |board: &boards::Board| board.parts.as_ref()?.card_of(board.space(cast::count(piece))?);
        rules.boards.iter().find_map(part).map_or(-1, i64::from)
    })
}

/// Lowers the number of steps between two cards or spaces in a game in which some are parts of cards: from these ways lead as the cards lie.
pub(super) fn lower_distance_of_parts(lowerer: &mut Lowerer<'_>, (from, to): (&Expr, &Expr), env: &mut Bindings) -> NodeId {
    let tree = lowerer.tree;
    let (kind, [from, to]) = (from.ty, [from, to].map(|end| lowerer.lower_expr(end, env)));
    let mut steps = lowerer.make(GraphExpr::Steps { from, to });
    // A parameter can be a part, too.
    let can_be = |board: &&Board| board.parts().is_some() && (kind == Type::Space(board.kind) || !matches!(kind, Type::Space(_)));
    for (index, board) in (0_u16..).zip(&tree.boards).filter(|(_, board)| can_be(board)) {
        let spaces = board.cards();
        let is_part = |_: &Ruleset, piece: usize| i64::from(u32::try_from(piece).is_ok_and(|piece| spaces.contains(&piece)));
        let condition = lowerer.ruleset.of_piece(from, 0, is_part);
        let yes = lowerer.make(GraphExpr::StepsOver { board: index, from, to, links: None, var: 0, over: None, joined: None });
        steps = if kind == Type::Space(board.kind) { yes } else { lowerer.make(GraphExpr::If { condition, yes, no: steps }) };
    }
    steps
}

/// Returns the condition that the card of a part, which a local holds, lies in the grid in which parts are there; `None` if the only place of a set is
/// not a board of parts.
pub(super) fn lower_laid(lowerer: &mut Lowerer<'_>, cards: &Cards, local: u8) -> Option<NodeId> {
    let parts = lowerer.tree.boards[board_of(lowerer, cards)?].parts()?;
    let places = 1 << lowerer.index(parts.grid?);
    let space = lowerer.make(GraphExpr::Local { local });
    let card = lower_card_of(lowerer, space);
    Some(lowerer.make(GraphExpr::InPlaces { card, places }))
}

/// Returns the board that is the only place of a set of cards.
fn board_of(lowerer: &Lowerer<'_>, cards: &Cards) -> Option<usize> {
    let [place] = cards.places[..] else { return None };
    lowerer.tree.boards.iter().position(|board| board.place == Some(place))
}

/// Lowers a fold over spaces that are next to some space, or one step from it, as one over its neighbours; `None` for other folds.
pub(super) fn lower_over_neighbours(lowerer: &mut Lowerer<'_>, expr: &Expr, env: &mut Bindings) -> Option<NodeId> {
    let (ExprKind::OverCards { fold, cards, each }, span) = (&expr.kind, expr.span) else { return None };
    let board = board_of(lowerer, cards)?;
    if cards.rows != 0 || cards.with.is_some() || *fold == Fold::Median {
        return None;
    }
    let (of, set) = if let Some((of, ways)) = split_one_step(cards) {
        let of = lowerer.lower_expr(of, env);
        let mut set = lowerer.lower_card_set(&Cards { around: None, ..Cards::clone(cards) }, env, span);
        set.filter = holds_on_way(lowerer, ways, (of, set.local), set.filter, env);
        (of, set)
    } else {
        let condition = cards.filter.as_ref().filter(|_| cards.around.is_none())?;
        let (of, rest) = split_next_to(&lowerer.tree.boards[board], cards, condition)?;
        let of = lowerer.lower_expr(of, env);
        (of, lowerer.lower_card_set(&Cards { filter: rest, ..Cards::clone(cards) }, env, span))
    };
    let value = lowerer.lower_or(each.as_deref(), 1, env);
    let body = Some(value).filter(|_| !matches!(fold, Fold::Count | Fold::Any));
    Some(lowerer.ruleset.fold_neighbours(folded(*fold), (cast::fit::<u16>(board), of), &set, body))
}

/// Splits the condition of a set of spaces into the space of whose neighbours it speaks, and the rest; `None` if it begins otherwise.
fn split_next_to<'e>(board: &Board, cards: &Cards, condition: &'e Expr) -> Option<(&'e Expr, Option<Expr>)> {
    if let ExprKind::And { a, b } = &condition.kind {
        let (of, rest) = split_next_to(board, cards, a)?;
        let rest = match rest {
            Some(rest) => Expr { kind: ExprKind::And { a: Box::new(rest), b: b.clone() }, ty: Type::Truth, span: condition.span },
            None => (**b).clone(),
        };
        return Some((of, Some(rest)));
    }
    let ExprKind::Compare { operator: Compare::Equal, a, b } = &condition.kind else { return None };
    let (ExprKind::Distance { from, to }, ExprKind::Const(1)) = (&a.kind, &b.kind) else { return None };
    let is_each = |side: &Expr| side.kind == ExprKind::Local(cards.bind);
    let of = match (is_each(from), is_each(to)) {
        (true, false) => &**to,
        (false, true) => &**from,
        _ => return None,
    };
    let mut about_each = false;
    of.walk(&mut |below| about_each |= matches!(below, ExprChild::Operand(part) if is_each(part)));
    (of.ty == Type::Space(board.kind) && !about_each).then_some((of, None))
}

/// Lowers an element of a tally on a card, or the test whether a set on it contains a word.
pub(super) fn lower_counter_item(lowerer: &mut Lowerer<'_>, card: &Expr, def: DefId, index: &Expr, env: &mut Bindings) -> NodeId {
    let card = lowerer.lower_expr(card, env);
    let index = tallies::lower_index(lowerer, def, index, env);
    let (offset, len) = lowerer.slots.cells_on_card(def);
    match lowerer.tree.defs.words_of(def) {
        Some((VariableSort::Set, _)) => lowerer.make(GraphExpr::CounterBit { card, offset, index }),
        _ => lowerer.make(GraphExpr::CounterAt { card, offset, len, index }),
    }
}

/// Lowers the row or the column of a space, which never changes; `None` for what may be a card.
pub(super) fn lower_side_of_space(lowerer: &mut Lowerer<'_>, space: &Expr, row: bool, env: &mut Bindings) -> Option<NodeId> {
    let Type::Space(kind) = space.ty else { return None };
    let number = lowerer.tree.boards.iter().position(|known| known.kind == kind)?;
    let BoardShape::Rows { columns, .. } = lowerer.tree.boards[number].shape else { return None };
    let space = lowerer.lower_expr(space, env);
    Some(lowerer.ruleset.of_piece(space, 0, |rules, piece| {
        let board = &rules.boards[number];
        let slot = board.space(cast::count(piece)).map(|space| board.slots[space]);
        slot.map_or(0, |slot| i64::from(if row { slot / columns } else { slot % columns }) + 1)
    }))
}

/// Lowers the set of spaces in which those of a set are: a group, or what can be reached in some steps.
pub(super) fn lower_around(lowerer: &mut Lowerer<'_>, cards: &Cards, env: &mut Bindings, span: Span) -> Option<NodeId> {
    match cards.around.as_deref()? {
        Around::Group(from) => {
            let from = lowerer.lower_expr(from, env);
            let board = cast::fit::<u16>(board_of(lowerer, cards)?);
            let set = lowerer.lower_card_set(&Cards { around: None, ..cards.clone() }, &mut env.clone(), span);
            let spaces = lowerer.ruleset.set_of_spaces(board, &set);
            Some(lowerer.make(GraphExpr::Group { board, spaces, from }))
        }
        Around::Steps { from, steps, ways } => {
            let from = lowerer.lower_expr(from, env);
            let most = lowerer.lower_or(steps.as_deref(), boards::UNREACHABLE, env);
            let (board, (var, engine_ways::Ways { links, over, joined })) = lower_ways(lowerer, ways, env, span);
            let spaces = lowerer.make(GraphExpr::Reached { board, from, steps: most, links, var, over, joined });
            if steps.is_some() {
                return Some(spaces);
            }
            // A group has the space in it from which it begins.
            let mut set = lowerer.lower_card_set(&Cards { around: None, filter: None, ..cards.clone() }, &mut env.clone(), span);
            let card = lowerer.make(GraphExpr::Local { local: set.local });
            let (reached, begins) =
                (lowerer.make(GraphExpr::InSpaces { board, spaces, card }), lowerer.make_binary(NumberOp::Is(Compare::Equal), card, from));
            set.filter = Some(lowerer.ruleset.graph.or(reached, begins));
            Some(lowerer.ruleset.set_of_spaces(board, &set))
        }
        Around::Areas(by) => {
            let board = cast::fit::<u16>(board_of(lowerer, cards)?);
            let mut inside = env.clone();
            let set = lowerer.lower_card_set(&Cards { around: None, ..cards.clone() }, &mut inside, span);
            let spaces = lowerer.ruleset.set_of_spaces(board, &set);
            let (var, by) = lower_each(lowerer, set.local, by.as_deref(), &mut inside);
            Some(lowerer.make(GraphExpr::Areas { board, spaces, var, by }))
        }
        Around::Beside(grid) => {
            let (board, grid) = (cast::fit::<u16>(board_of(lowerer, cards)?), lowerer.index(*grid));
            let shape = |place: u16| &lowerer.ruleset.places[usize::from(place)];
            let of_board = &lowerer.ruleset.boards[usize::from(board)];
            if shape(of_board.place).shape != shape(grid).shape {
                let (board, grid) = (of_board.name.clone(), shape(grid).name.clone());
                lowerer.report(RuleProblem::BesideWhat { board, grid }.at(span));
            }
            Some(lowerer.make(GraphExpr::Beside { board, grid }))
        }
    }
}

/// Lowers a number of each space, which a local holds; returns it with the variable that holds the space in its place.
pub(super) fn lower_each(lowerer: &mut Lowerer<'_>, local: u8, each: Option<&Expr>, env: &mut Bindings) -> (u8, Option<NodeId>) {
    let each = each.map(|each| lowerer.lower_expr(each, env));
    lowerer.ruleset.close_each(local, each)
}

/// Lowers the number of steps from one space to another.
pub(super) fn lower_way(lowerer: &mut Lowerer<'_>, (from, to): (&Expr, &Expr), ways: &Ways, env: &mut Bindings, span: Span) -> NodeId {
    let [from, to] = [from, to].map(|part| lowerer.lower_expr(part, env));
    let (board, (var, engine_ways::Ways { links, over, joined })) = lower_ways(lowerer, ways, env, span);
    lowerer.make(GraphExpr::StepsOver { board, from, to, links, var, over, joined })
}

/// Lowers where ways can lead; returns it with its board and the variable that holds a space of them.
fn lower_ways(lowerer: &mut Lowerer<'_>, ways: &Ways, env: &Bindings, span: Span) -> (u16, (u8, engine_ways::Ways)) {
    let mut inside = env.clone();
    if let Some(before) = ways.before {
        // To where a step leads from the space before: a set of spaces.
        let board = &lowerer.tree.boards[ways.board];
        let all = Cards {
            places: board.place.into_iter().collect(),
            everybody: true,
            bind: ways.bind,
            filter: ways.over.clone(),
            ..Cards::default()
        };
        let (local, board) = (lowerer.bind(&mut inside, before, span), cast::fit::<u16>(ways.board));
        let set = lowerer.lower_card_set(&all, &mut inside, span);
        let over = Some(lowerer.ruleset.set_of_spaces(board, &set));
        return (board, lowerer.ruleset.close_ways(local, engine_ways::Ways { links: None, over, joined: None }));
    }
    let local = lowerer.bind(&mut inside, ways.bind, span);
    let [over, joined] = [&ways.over, &ways.joined].map(|part| part.as_ref().map(|part| lowerer.lower_expr(part, &mut inside)));
    let links = ways.links.map(cast::fit::<u16>);
    (cast::fit::<u16>(ways.board), lowerer.ruleset.close_ways(local, engine_ways::Ways { links, over, joined }))
}

/// Returns the space of whose neighbours a set consists, and what must hold for them, with the space in `each`; `None` for other sets.
fn split_one_step(cards: &Cards) -> Option<(&Expr, &Ways)> {
    match cards.around.as_deref()? {
        Around::Steps { from, steps, ways } if ways.joined.is_none() && ways.links.is_none() => {
            steps.as_ref().filter(|steps| steps.kind == ExprKind::Const(1)).map(|_| (from, &**ways))
        }
        Around::Steps { .. } | Around::Group(_) | Around::Areas(_) | Around::Beside(_) => None,
    }
}

/// Adds what must hold for the spaces one step from one to the condition of a set whose cards are in a local.
fn holds_on_way(
    lowerer: &mut Lowerer<'_>,
    ways: &Ways,
    (of, local): (NodeId, u8),
    filter: Option<NodeId>,
    env: &Bindings,
) -> Option<NodeId> {
    let Some(over) = &ways.over else { return filter };
    let (each, mut inside) = (lowerer.make(GraphExpr::Local { local }), env.clone());
    inside.bind_to(ways.bind, each);
    ways.before.into_iter().for_each(|before| inside.bind_to(before, of));
    let over = lowerer.lower_expr(over, &mut inside);
    lowerer.both(Some(over), filter)
}
