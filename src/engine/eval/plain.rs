//! The walker: evaluates expressions by a walk over the graph. It says what they mean: explanations use it, and tests compare generated code
//! with it. While a game is played it takes values from the cache and keeps them there.

use crate::cast;
use crate::env::Env;
use crate::evaluator::{Evaluator, TOO_LARGE, why_without_result};
use crate::graph::Expr;
use crate::node::NodeId;
use crate::op::LOCALS;
use crate::reader::{pool_base, shown_by};
use crate::source::Span;
use houserule_ruleset::boards::{SpaceSet, UNREACHABLE};
use houserule_state::layout::TABLE;

mod cards;
mod memo;
mod quantities;
mod spaces;

pub(crate) use cards::cards_in;
use cards::{Folded, each_card, sum_of_row, sums_of_row};
pub(crate) use memo::Memo;
pub(crate) use quantities::{DEPENDS_ON_ITSELF, MAX_NESTING, evaluate_quantity};
use quantities::{apply_changes, arguments, is_changed, standing, try_quantity};
pub(crate) use spaces::evaluate_spaces;
use spaces::{neighbours_of, search, spaces_of};

/// An arithmetic error. If it occurred in a change of a quantity, also the piece with that change, and the place in its file.
#[derive(Clone, Copy, Debug)]
struct ArithmeticError {
    message: &'static str,
    change: Option<(u32, Option<Span>)>,
}

/// A value, or what went wrong; boxed, since every step hands one back, and hardly any goes wrong.
type Value<T = i64> = Result<T, Box<ArithmeticError>>;

#[cold]
fn wrong(message: &'static str) -> Box<ArithmeticError> {
    Box::new(ArithmeticError { message, change: None })
}

#[cold]
fn overflow() -> Box<ArithmeticError> {
    wrong(TOO_LARGE)
}

/// The environment of an expression: the current seat, the locals, and the variables of enclosing loops.
#[derive(Clone, Copy)]
struct Scope<'e> {
    me: usize,
    locals: &'e [i32; LOCALS],
    vars: [i64; u16::BITS as usize],
    /// Whether values are taken from the cache, and kept there.
    keeps: bool,
    /// Tells apart the environments of one evaluation.
    env: u32,
}

impl<'e> Scope<'e> {
    fn of(env: &'e Env) -> Scope<'e> {
        Scope { me: env.me, locals: &env.locals, vars: [-1; u16::BITS as usize], keeps: false, env: 0 }
    }

    /// A scope in an environment of its own.
    fn own(game: &mut Evaluator<'_>, env: &'e Env, keeps: bool) -> Scope<'e> {
        Scope { keeps, env: game.values.evaluation.memo.next_env(), ..Scope::of(env) }
    }

    fn with(mut self, var: u8, value: i64) -> Scope<'e> {
        self.vars[var as usize] = value;
        self
    }
}

/// Evaluates an expression; `None` after an overflow or division by 0.
pub(crate) fn evaluate(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<i64> {
    walk(game, id, &Scope::of(env)).ok()
}

/// Evaluates with the cache, and forgets afterwards what it has noted on the way, unless this is a part of another evaluation.
fn evaluation<T>(game: &mut Evaluator<'_>, env: &Env, evaluate: impl FnOnce(&mut Evaluator<'_>, &Scope<'_>) -> Value<T>) -> Value<T> {
    game.values.evaluation.memo.begin();
    let scope = Scope::own(game, env, true);
    let found = evaluate(game, &scope);
    game.values.evaluation.memo.end();
    found
}

/// Evaluates an expression with the cache; an arithmetic error is recorded and gives 0.
pub(crate) fn number(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> i64 {
    evaluation(game, env, |game, scope| walk(game, id, scope)).unwrap_or_else(|wrong| record(game, *wrong))
}

/// Evaluates the numbers of a cached value, as many as there are places for; an arithmetic error is recorded and gives 0.
pub(crate) fn value(game: &mut Evaluator<'_>, body: NodeId, env: &Env, numbers: &mut [i64]) {
    let found = evaluation(game, env, |game, scope| match (game.rules.graph[body], &mut *numbers) {
        (Expr::Rows { .. }, numbers) => sums_of_row(game, body, scope, 0, numbers),
        (_, [number, ..]) => compute(game, body, scope).map(|found| *number = found),
        (_, []) => Ok(()),
    });
    if let Err(wrong) = found {
        numbers.fill(0);
        record(game, *wrong);
    }
}

/// Evaluates a set of spaces with the cache; an arithmetic error is recorded and gives the empty set.
pub(crate) fn spaces(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> SpaceSet {
    evaluation(game, env, |game, scope| spaces_of(game, id, scope)).unwrap_or_else(|wrong| {
        record(game, *wrong);
        SpaceSet::default()
    })
}

/// Records an arithmetic error; returns 0.
#[cold]
fn record(game: &mut Evaluator<'_>, wrong: ArithmeticError) -> i64 {
    if game.values.evaluation.error().is_none() {
        game.values.evaluation.error_source = wrong.change;
    }
    game.values.evaluation.record_error(wrong.message)
}

/// Evaluates an expression, by the cache if it is kept there.
fn walk(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    let rules = game.rules;
    if scope.keeps
        && let Some(value) = rules.code.value_of(id)
    {
        return Ok(game.cached(value, rules.code.cached_value(value).slot, scope.me));
    }
    if rules.graph.facts(id).weight < memo::WEIGHT {
        return compute(game, id, scope);
    }
    memo::once(game, id, scope, |memo| &mut memo.numbers, compute)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "all expressions that need only the values of their operands are handled alike")]
fn compute(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    game.values.evaluation.steps += 1;
    let rules = game.rules;
    let graph = &rules.graph;
    let truth = |holds: bool| Ok(i64::from(holds));
    macro_rules! of {
        ($part:expr) => {
            walk(game, $part, scope)?
        };
    }
    Ok(match graph[id] {
        Expr::Local { local } => i64::from(scope.locals[local as usize]),
        Expr::Var { var } => scope.vars[var as usize],
        Expr::And { a, b } => i64::from(of!(a) != 0 && of!(b) != 0),
        Expr::Or { a, b } => i64::from(of!(a) != 0 || of!(b) != 0),
        Expr::If { condition, yes, no } => {
            let part = if of!(condition) != 0 { yes } else { no };
            of!(part)
        }
        Expr::OverCards { fold, cards, var, filter, body } => {
            let mut folded = Folded::new(fold);
            each_card(game, cards, (var, filter), scope, |game, scope, _| folded.add_body(game, body, scope))?;
            return Ok(folded.result);
        }
        Expr::OverNeighbours { fold, board, of, var, filter, body } => {
            let mut folded = Folded::new(fold);
            let of = of!(of);
            let mut scope = *scope;
            for card in neighbours_of(&rules.boards[usize::from(board)], of) {
                scope.vars[usize::from(var)] = card;
                if holds(game, filter, &scope)? {
                    folded.add_body(game, body, &scope)?;
                }
            }
            return Ok(folded.result);
        }
        Expr::InSpaces { board, spaces, card } => {
            let (spaces, card) = (spaces_of(game, spaces, scope)?, of!(card));
            return truth(rules.boards[usize::from(board)].space(card).is_some_and(|space| spaces.has(space)));
        }
        Expr::LongestLine { board, spaces } => rules.boards[usize::from(board)].longest_line(&spaces_of(game, spaces, scope)?),
        Expr::LargestGroup { board, spaces } => rules.boards[usize::from(board)].largest_group(&spaces_of(game, spaces, scope)?),
        // A set of spaces is no number.
        Expr::Spaces { .. } | Expr::Group { .. } | Expr::Reached { .. } => 0,
        Expr::StepsOver { board, from, to, .. } => {
            let (board, from, to) = (&rules.boards[usize::from(board)], of!(from), of!(to));
            match board.space(to) {
                Some(to) => search(game, id, (board, from), (UNREACHABLE, Some(cast::fit::<u16>(to))), scope)?.distance(),
                None => UNREACHABLE,
            }
        }
        Expr::OverSeats { fold, others, var, filter, body } => {
            let (mut folded, asker) = (Folded::new(fold), scope.me);
            let mut scope = scope.with(var, cast::count(asker));
            for me in (0..rules.players).filter(|&seat| !others || seat != asker) {
                scope.me = me;
                if holds(game, filter, &scope)? {
                    folded.add_body(game, body, &scope)?;
                }
            }
            return Ok(folded.result);
        }
        // A node with several sums evaluates to its first sum.
        Expr::Rows { .. } => return sum_of_row(game, id, 0, scope),
        Expr::RowAt { row, index } => {
            let index = of!(index);
            return match (rules.code.value_of(row), rules.graph[row]) {
                (Some(value), Expr::Rows { len, .. }) if scope.keeps => match u16::try_from(index) {
                    Ok(index) if index < len => Ok(game.cached(value, rules.code.cached_value(value).slot + index, scope.me)),
                    _ => Ok(0),
                },
                _ => sum_of_row(game, row, index, scope),
            };
        }
        Expr::Quantity { quantity: index, args } => {
            let args = arguments(game, args, scope)?;
            return try_quantity(game, index, scope.me, args, scope.keeps);
        }
        Expr::Applied { quantity, value, args } => {
            let (value, args) = (of!(value), arguments(game, args, scope)?);
            return apply_changes(game, quantity, scope.me, args, (value, scope.keeps));
        }
        Expr::Changed { quantity } => i64::from(is_changed(game, quantity)),
        Expr::Rank { rank, by, leaders } => {
            let leaders = of!(leaders);
            let view = game.values.view;
            game.values.view = view.for_ranks();
            let found = standing(game, rank, by, scope);
            game.values.view = view;
            let (beyond, level) = found?;
            let rank = &rules.ranks[rank as usize];
            return truth(if rank.ties_in { beyond < leaders } else { beyond + level <= leaders });
        }
        Expr::Of { seat, body } => match usize::try_from(of!(seat)) {
            Ok(me) if me < rules.players => return walk(game, body, &Scope { me, ..*scope }),
            _ => 0,
        },
        Expr::CountTokens { set, pool, sort, showing } => {
            let mut known = |part: Option<NodeId>| part.map(|part| walk(game, part, scope)).transpose();
            let (sort, showing) = (known(sort)?, known(showing)?);
            let set = &rules.token_sets[set as usize];
            let selected = |class: usize| {
                let described = &rules.classes[class];
                let shows =
                    |symbol: i64| usize::try_from(symbol).ok().and_then(|symbol| described.shows.get(symbol)).is_some_and(|&n| n > 0);
                set.classes >> class & 1 == 1 && sort.is_none_or(|sort| i64::from(described.token) == sort) && showing.is_none_or(shows)
            };
            let base = pool_base(rules, pool, scope.me);
            game.watch_tokens(
                pool,
                scope.me,
                (0..rules.classes.len()).filter(|&class| selected(class)).fold(0, |all, class| all | 1 << class),
            );
            (0..rules.classes.len()).filter(|&class| selected(class)).map(|class| i64::from(game.cell(base + class))).sum()
        }
        // The other expressions depend on the values of their operands only.
        strict => {
            let mut parts = [0; 2];
            for (part, id) in parts.iter_mut().zip(graph.facts(id).first_operands) {
                if let Some(id) = id {
                    *part = of!(id);
                }
            }
            if game.values.watch.is_on() && !rules.secrets.is_empty() {
                game.watch_values(strict, scope.me, parts[0]);
            }
            return step(game, strict, scope.me, parts);
        }
    })
}

/// Computes the value of an expression from the values of its operands. Expressions that evaluate operands conditionally, repeatedly or for
/// another seat are evaluated by [`compute`], and give 0 here.
#[inline(always)]
fn step(game: &Evaluator<'_>, expr: Expr, me: usize, [a, b]: [i64; 2]) -> Value {
    let rules = game.rules;
    // Built where it is used: building it costs as much as most of these reads.
    let reader = || game.reader();
    let piece_of = |card: i64| usize::try_from(card).ok();
    Ok(match expr {
        Expr::Const { value } => value,
        Expr::Me => cast::count(me),
        Expr::Global { cell } => reader().table_cell(cell as usize),
        Expr::GlobalAt { cell, len, index: _ } => reader().table_element((cell, len), a),
        Expr::Own { offset } => reader().seat_cell(me, offset),
        Expr::OwnAt { offset, len, index: _ } => reader().seat_element(me, (offset, len), a),
        Expr::OwnBit { offset, index: _ } => i64::from((0..31).contains(&a) && reader().seat_cell(me, offset) >> a & 1 == 1),
        Expr::Column { column, card: _ } => {
            let of = |card: usize| rules.graph.columns().get(column, cast::count(card));
            piece_of(a).map_or_else(|| rules.graph.columns().get(column, -1), |card| read_fact(game, card, of))
        }
        Expr::FieldAt { field, len, .. } => {
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(b)));
            piece_of(a).filter(|_| (0..i64::from(len)).contains(&b)).map_or(0, |card| read_fact(game, card, printed))
        }
        Expr::ListAt { field, .. } => {
            let index = usize::try_from(b).ok();
            let number = |list: &[i32]| index.and_then(|index| list.get(index)).map_or(0, |&number| i64::from(number));
            piece_of(a).map_or(0, |card| read_fact(game, card, |card| number(rules.list(cast::count(card), field).1)))
        }
        Expr::ListFirst { field, .. } => {
            let sum = |card: usize| rules.list_first(cast::count(card), field, b);
            piece_of(a).into_iter().for_each(|card| game.watch_fact(card, sum));
            rules.list_first(a, field, b)
        }
        Expr::Counter { offset, card: _ } => counter(game, a, offset),
        Expr::CounterAt { offset, len, .. } => match u8::try_from(b) {
            Ok(index) if b < i64::from(len) => counter(game, a, offset + index),
            _ => 0,
        },
        Expr::CounterBit { offset, .. } => i64::from((0..31).contains(&b) && counter(game, a, offset) >> b & 1 == 1),
        Expr::Steps { .. } => reader().steps(a, b),
        Expr::SpaceIn { board, .. } => {
            let board = &rules.boards[usize::from(board)];
            let slot = rules.grid_slot(usize::from(board.place), a, b);
            slot.and_then(|slot| board.piece_in_slot(slot)).unwrap_or(-1)
        }
        Expr::InPlaces { places, card: _ } => i64::from(piece_of(a).is_some_and(|card| {
            let place = &rules.layout.places[reader().place_of(card)];
            place.room > 0 && places >> place.declared & 1 == 1
        })),
        Expr::FirstIn { place, per_seat: _ } => reader().first_in(place.into(), me),
        Expr::PiecesIn { place, per_seat: _ } => reader().pieces_in(place, me),
        Expr::PiecesInPile { deck, pile: _ } => reader().pieces_in_pile(deck, a),
        Expr::Row { grid, card: _ } => reader().row(a, grid),
        Expr::GridColumn { grid, card: _ } => reader().column(a, grid),
        Expr::OwnerOf { card: _ } => piece_of(a).map_or(-1, |card| match reader().owner_of(card) {
            TABLE => -1,
            seat => i64::from(seat),
        }),
        Expr::PlaceInOrder => reader().place_in_order(me),
        Expr::Binary { operator, .. } => {
            return operator.apply(a, b).ok_or_else(|| wrong(why_without_result(operator, b)));
        }
        Expr::Not { a: _ } => i64::from(a == 0),
        Expr::Truth { a: _ } => i64::from(a != 0),
        Expr::Table { table, index: _ } => rules.graph.table_element(table, a),
        Expr::CountTokens { set, pool, sort, showing } => {
            let showing = showing.map(|_| if sort.is_some() { b } else { a });
            reader().count_tokens(set, pool, me, sort.map(|_| a), showing)
        }
        Expr::ShownIn { pool, symbol: _ } => reader().shown_in(a, pool, me),
        Expr::Payable { pool, symbol: _ } => reader().payable(a, pool, me),
        Expr::Private { .. } => {
            game.watch_private(b);
            a
        }
        Expr::ShownBy { .. } => shown_by(rules, b, cast::fit::<i32>(a)),
        Expr::Local { .. } | Expr::Var { .. } | Expr::And { .. } | Expr::Or { .. } | Expr::If { .. } | Expr::Of { .. } => 0,
        Expr::OverCards { .. } | Expr::OverSeats { .. } | Expr::Rows { .. } | Expr::RowAt { .. } | Expr::Rank { .. } => 0,
        Expr::Spaces { .. } | Expr::Group { .. } | Expr::InSpaces { .. } | Expr::LongestLine { .. } | Expr::LargestGroup { .. } => 0,
        Expr::OverNeighbours { .. } | Expr::Reached { .. } | Expr::StepsOver { .. } => 0,
        Expr::Quantity { .. } | Expr::Applied { .. } | Expr::Changed { .. } => 0,
    })
}

fn counter(game: &Evaluator<'_>, card: i64, offset: u8) -> i64 {
    usize::try_from(card).into_iter().for_each(|card| game.watch_counters(card));
    game.reader().counter(card, offset)
}

/// Returns a fact about a card; the read is recorded if the game is watched.
fn read_fact<T: PartialEq>(game: &Evaluator<'_>, card: usize, fact: impl Fn(usize) -> T) -> T {
    game.watch_fact(card, &fact);
    fact(card)
}

fn holds(game: &mut Evaluator<'_>, condition: Option<NodeId>, scope: &Scope<'_>) -> Value<bool> {
    condition.map_or(Ok(true), |condition| Ok(walk(game, condition, scope)? != 0))
}
