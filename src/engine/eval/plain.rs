//! The walker: evaluates expressions by a walk over the graph. It says what they mean: explanations use it, and tests compare generated code
//! with it. While a game is played it takes values from the cache and keeps them there.

use crate::cast;
use crate::env::Env;
use crate::evaluator::{Evaluator, TOO_LARGE, why_without_result};
use crate::graph::{Expr, Fold};
use crate::node::NodeId;
use crate::op::LOCALS;
use crate::reader::{mask_of_set, shown_by};
use crate::source::Span;
use houserule_ruleset::boards::SpaceSet;
use houserule_ruleset::code::Keeping;
use houserule_state::layout::TABLE;

mod cards;
mod memo;
mod purses;
mod quantities;
mod spaces;

pub(crate) use cards::cards_in;
use cards::{Folded, fold_cards, sum_of_row, sums_of_row};
pub(crate) use memo::Memo;
use memo::{MemoKey, Notes};
use purses::lacking;
pub(crate) use quantities::{DEPENDS_ON_ITSELF, evaluate_quantity};
use quantities::{apply_changes, arguments, is_changed, is_within_rank, try_quantity};
pub(crate) use spaces::evaluate_spaces;
use spaces::{fits, fold_neighbours, is_in_spaces, largest_group, longest_trail, open_ends, spaces_of, steps_over};

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

/// Whether a set, one bit for each word, contains the word of this index.
fn has_bit(set: i64, index: i64) -> i64 {
    i64::from((0..31).contains(&index) && set >> index & 1 == 1)
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

/// Evaluates an expression. The shortest ones are answered here, since they are the most and a call costs more than they do.
#[inline(always)]
#[allow(clippy::wildcard_enum_match_arm, reason = "all others are evaluated by a call")]
fn walk(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    match game.rules.graph[id] {
        Expr::Const { value } => Ok(value),
        Expr::Me => Ok(cast::count(scope.me)),
        Expr::Local { local } => Ok(i64::from(scope.locals[usize::from(local)])),
        Expr::Var { var } => Ok(scope.vars[usize::from(var)]),
        _ => walk_longer(game, id, scope),
    }
}

/// Evaluates an expression, by the cache if it is kept there.
#[inline(never)]
fn walk_longer(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    match game.rules.code.keeping(id) {
        Keeping::Cached(value) if scope.keeps => Ok(game.cached(value, game.rules.code.cached_value(value).slot, scope.me)),
        Keeping::Nowhere => compute(game, id, scope),
        Keeping::Noted | Keeping::Cached(_) => once(game, id, scope, |memo| &mut memo.numbers, compute),
    }
}

/// Finds what an expression gives, unless that has been found in this evaluation.
fn once<T: Copy>(
    game: &mut Evaluator<'_>,
    id: NodeId,
    scope: &Scope<'_>,
    notes: impl Fn(&mut Memo) -> &mut Notes<T>,
    find: impl FnOnce(&mut Evaluator<'_>, NodeId, &Scope<'_>) -> Value<T>,
) -> Value<T> {
    let Some(key) = memo_key(game, id, scope) else { return find(game, id, scope) };
    if let Some(&known) = notes(&mut game.values.evaluation.memo).get(&key) {
        return Ok(known);
    }
    let found = find(game, id, scope)?;
    notes(&mut game.values.evaluation.memo).insert(key, found);
    Ok(found)
}

/// Returns the key under which is noted what an expression gives; `None` if it is not noted.
fn memo_key(game: &Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Option<MemoKey> {
    let facts = game.rules.graph.facts(id);
    if !scope.keeps || facts.vars.count_ones() > 2 {
        return None;
    }
    let (mut vars, mut left) = ([0; 2], facts.vars);
    for var in &mut vars {
        if left != 0 {
            *var = scope.vars[left.trailing_zeros() as usize];
            left &= left - 1;
        }
    }
    let env = if facts.locals == 0 { 0 } else { scope.env };
    Some(MemoKey { id, view: game.values.view, me: scope.me, env, vars })
}

/// Evaluates an expression by its operands.
fn compute(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    game.values.evaluation.steps += 1;
    let rules = game.rules;
    let expr = rules.graph[id];
    macro_rules! of {
        ($part:expr) => {
            walk(game, $part, scope)?
        };
    }
    // An index, or 0; what is read there of hidden values is recorded, if the game is watched.
    macro_rules! watched {
        ($index:expr) => {{
            let index = $index;
            if game.values.watch.is_on() && !rules.secrets.is_empty() {
                game.watch_values(expr, scope.me, index);
            }
            index
        }};
    }
    Ok(match expr {
        Expr::Const { .. } | Expr::Me | Expr::Local { .. } | Expr::Var { .. } => return walk(game, id, scope),
        Expr::Weight { index } => rules.graph.weights()[usize::from(index)],
        Expr::Binary { operator, a, b } => {
            let (a, b) = (of!(a), of!(b));
            return operator.apply(a, b).ok_or_else(|| wrong(why_without_result(operator, b)));
        }
        Expr::Not { a } => i64::from(of!(a) == 0),
        Expr::Truth { a } => i64::from(of!(a) != 0),
        Expr::And { a, b } => i64::from(of!(a) != 0 && of!(b) != 0),
        Expr::Or { a, b } => i64::from(of!(a) != 0 || of!(b) != 0),
        Expr::If { condition, yes, no } => {
            let part = if of!(condition) != 0 { yes } else { no };
            of!(part)
        }
        Expr::Table { table, index } => rules.graph.table_element(table, of!(index)),

        Expr::Global { cell } => {
            watched!(0);
            game.reader().table_cell(cell as usize)
        }
        Expr::GlobalAt { cell, len, index } => game.reader().table_element((cell, len), watched!(of!(index))),
        Expr::Own { offset } => {
            watched!(0);
            game.reader().seat_cell(scope.me, offset)
        }
        Expr::OwnAt { offset, len, index } => game.reader().seat_element(scope.me, (offset, len), watched!(of!(index))),
        Expr::GlobalBit { cell, index } => {
            let index = watched!(of!(index));
            has_bit(game.reader().table_cell(cell as usize), index)
        }
        Expr::OwnBit { offset, index } => {
            let index = watched!(of!(index));
            has_bit(game.reader().seat_cell(scope.me, offset), index)
        }
        Expr::PlaceInOrder => game.reader().place_in_order(scope.me),

        Expr::Column { column, card } => {
            let card = of!(card);
            let of = |card: usize| rules.graph.columns().get(column, cast::count(card));
            piece_of(card).map_or_else(|| rules.graph.columns().get(column, -1), |card| read_fact(game, card, of))
        }
        Expr::FieldAt { field, len, card, index } => {
            let (card, index) = (of!(card), of!(index));
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(index)));
            piece_of(card).filter(|_| (0..i64::from(len)).contains(&index)).map_or(0, |card| read_fact(game, card, printed))
        }
        Expr::ListAt { field, card, index } => {
            let (card, index) = (of!(card), usize::try_from(of!(index)).ok());
            let number = |list: &[i32]| index.and_then(|index| list.get(index)).map_or(0, |&number| i64::from(number));
            piece_of(card).map_or(0, |card| read_fact(game, card, |card| number(rules.list(cast::count(card), field).1)))
        }
        Expr::ListFirst { field, card, count } => {
            let (card, count) = (of!(card), of!(count));
            let sum = |card: usize| rules.list_first(cast::count(card), field, count);
            piece_of(card).into_iter().for_each(|card| game.watch_fact(card, sum));
            rules.list_first(card, field, count)
        }
        Expr::Counter { offset, card } => {
            let card = of!(card);
            counter(game, card, offset)
        }
        Expr::CounterAt { offset, len, card, index } => {
            let (card, index) = (of!(card), of!(index));
            match u8::try_from(index) {
                Ok(at) if index < i64::from(len) => counter(game, card, offset + at),
                _ => 0,
            }
        }
        Expr::CounterBit { offset, card, index } => {
            let (card, index) = (of!(card), of!(index));
            has_bit(counter(game, card, offset), index)
        }
        Expr::InPlaces { places, card } => {
            let card = of!(card);
            i64::from(piece_of(card).is_some_and(|card| {
                let place = &rules.layout.places[game.reader().place_of(card)];
                place.room > 0 && places >> place.declared & 1 == 1
            }))
        }
        Expr::OwnerOf { card } => {
            let card = of!(card);
            piece_of(card).map_or(-1, |card| match game.reader().owner_of(card) {
                TABLE => -1,
                seat => i64::from(seat),
            })
        }
        Expr::Row { grid, card } => game.reader().row(of!(card), grid),
        Expr::CardsBelow { card } => game.reader().cards_below(of!(card)),
        Expr::GridColumn { grid, card } => game.reader().column(of!(card), grid),
        Expr::FirstIn { place, per_seat: _ } => game.reader().first_in(place.into(), scope.me),
        Expr::PiecesIn { place, per_seat: _ } => game.reader().pieces_in(place, scope.me),
        Expr::PiecesInPile { deck, pile } => game.reader().pieces_in_pile(deck, of!(pile)),
        Expr::Private { value, unknown_to } => {
            let (value, unknown_to) = (of!(value), of!(unknown_to));
            game.watch_private(unknown_to);
            value
        }

        Expr::CountTokens { .. } => return count_tokens(game, expr, scope),
        Expr::ShownIn { pool, symbol } => game.reader().shown_in(watched!(of!(symbol)), pool, scope.me),
        Expr::Payable { pool, symbol } => game.reader().payable(watched!(of!(symbol)), pool, scope.me),
        Expr::SortsIn { pool } => {
            rules.tokens.iter().for_each(|token| game.watch_tokens(pool, scope.me, token.classes));
            game.reader().sorts_in(pool, scope.me)
        }
        Expr::ShownBy { symbol, picked } => {
            let (picked, symbol) = (of!(picked), of!(symbol));
            shown_by(rules, symbol, cast::fit::<i32>(picked))
        }

        Expr::Steps { from, to } => game.reader().steps(of!(from), of!(to)),
        Expr::SpaceIn { board, row, column } => {
            let (row, column) = (of!(row), of!(column));
            let board = &rules.boards[usize::from(board)];
            let slot = rules.grid_slot(usize::from(board.place), row, column);
            slot.and_then(|slot| board.piece_in_slot(slot)).unwrap_or(-1)
        }
        Expr::InSpaces { board, spaces, card } => return is_in_spaces(game, (board, spaces), card, scope),
        Expr::LongestLine { board, spaces } => rules.boards[usize::from(board)].longest_line(&spaces_of(game, spaces, scope)?),
        Expr::LargestGroup { board, spaces } => return largest_group(game, (board, spaces), scope),
        Expr::OpenEnds { board, space } => return open_ends(game, (board, space), scope),
        Expr::Fits { board, card, at, turn } => return fits(game, (board, card), (at, turn), scope),
        Expr::Lacking { due, means } => return lacking(game, (due, means), scope),
        // A set of spaces is no number, and neither is what pays.
        Expr::Due { .. } | Expr::Means { .. } | Expr::OneOfEach { .. } | Expr::MeansUpTo { .. } => 0,
        Expr::Spaces { .. } | Expr::Group { .. } | Expr::Reached { .. } | Expr::Areas { .. } | Expr::Beside { .. } => 0,
        Expr::LongestTrail { .. } => return longest_trail(game, id, scope),
        Expr::StepsOver { board, from, to, .. } => return steps_over(game, id, (board, from, to), scope),

        Expr::OverCards { fold, cards, var, filter, body } => return fold_cards(game, fold, (cards, var, filter), body, scope),
        Expr::OverNeighbours { fold, board, of, var, filter, body } => {
            return fold_neighbours(game, fold, (board, of), (var, filter, body), scope);
        }
        Expr::OverSeats { fold, others, var, filter, body } => return fold_seats(game, fold, others, (var, filter, body), scope),
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
        Expr::Of { seat, body } => match usize::try_from(of!(seat)) {
            Ok(me) if me < rules.players => return of_seat(game, body, me, scope),
            _ => 0,
        },

        Expr::Quantity { quantity, args } => {
            let args = arguments(game, args, scope)?;
            return try_quantity(game, quantity, scope.me, args, scope.keeps);
        }
        Expr::Applied { quantity, value, args } => {
            let (value, args) = (of!(value), arguments(game, args, scope)?);
            return apply_changes(game, quantity, scope.me, args, (value, scope.keeps));
        }
        Expr::Changed { quantity } => i64::from(is_changed(game, quantity)),
        Expr::Rank { rank, by, leaders } => {
            let leaders = of!(leaders);
            return is_within_rank(game, (rank, by), leaders, scope);
        }
    })
}

/// Returns the index of a piece; `None` if a number is none.
#[inline]
fn piece_of(card: i64) -> Option<usize> {
    usize::try_from(card).ok()
}

/// Evaluates for another seat.
#[inline(never)]
fn of_seat(game: &mut Evaluator<'_>, body: NodeId, me: usize, scope: &Scope<'_>) -> Value {
    walk(game, body, &Scope { me, ..*scope })
}

/// Folds over seats; the variable holds the seat that asks.
#[inline(never)]
fn fold_seats(
    game: &mut Evaluator<'_>,
    fold: Fold,
    others: bool,
    (var, filter, body): (u8, Option<NodeId>, Option<NodeId>),
    scope: &Scope<'_>,
) -> Value {
    let (mut folded, asker) = (Folded::new(fold), scope.me);
    let mut scope = scope.with(var, cast::count(asker));
    for me in (0..game.rules.players).filter(|&seat| !others || seat != asker) {
        scope.me = me;
        if holds(game, filter, &scope)? {
            folded.add_body(game, body, &scope)?;
        }
    }
    Ok(folded.result)
}

/// Counts tokens in a pool.
#[inline(never)]
fn count_tokens(game: &mut Evaluator<'_>, expr: Expr, scope: &Scope<'_>) -> Value {
    let Expr::CountTokens { set, pool, sort, showing } = expr else { return Ok(0) };
    let rules = game.rules;
    let mut known = |part: Option<NodeId>| part.map(|part| walk(game, part, scope)).transpose();
    let (sort, showing) = (known(sort)?, known(showing)?);
    if game.values.watch.is_on() {
        game.watch_tokens(pool, scope.me, mask_of_set(rules, &rules.token_sets[set as usize], sort, showing));
    }
    Ok(game.reader().count_tokens(set, pool, scope.me, sort, showing))
}

fn counter(game: &Evaluator<'_>, card: i64, offset: u8) -> i64 {
    // What all have been told together is no secret.
    if !game.rules.clue_offsets().contains(&usize::from(offset)) {
        usize::try_from(card).into_iter().for_each(|card| game.watch_counters(card));
    }
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
