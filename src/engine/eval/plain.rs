//! The walker: evaluates expressions by a walk over the graph. It says what they mean: explanations use it, and tests compare generated code
//! with it. While a game is played it takes values from the cache and keeps them there.

use crate::cast;
use crate::definition::concerns;
use crate::env::{Env, ReadView};
use crate::evaluator::{Evaluator, TOO_LARGE, why_without_result};
use crate::graph::{Cards, Expr, Fold};
use crate::node::NodeId;
use crate::op::LOCALS;
use crate::position::instances;
use crate::reader::{pool_base, shown_by};
use crate::ruleset::{ChangeOp, Lifetime, Shape};
use crate::source::Span;
use houserule_ruleset::boards::{Board, SpaceSet, UNREACHABLE};
use houserule_ruleset::ways::Found;
use houserule_state::layout::TABLE;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// An arithmetic error. If it occurred in a change of a quantity, also the piece with that change, and the place in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArithmeticError {
    pub message: &'static str,
    pub change: Option<(u32, Option<Span>)>,
}

const OVERFLOW: ArithmeticError = ArithmeticError { message: TOO_LARGE, change: None };

type Value<T = i64> = Result<T, ArithmeticError>;

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

/// What has been found in one evaluation, during which no cell is written: sets of spaces, and values that take long to find and are in no
/// cache. What is named many times is walked once.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    numbers: HashMap<MemoKey, i64, BuildHasherDefault<MemoHasher>>,
    sets: HashMap<MemoKey, SpaceSet, BuildHasherDefault<MemoHasher>>,
    /// How many evaluations are nested.
    depth: u32,
    /// How many environments there have been.
    envs: u32,
}

impl Memo {
    /// Begins an evaluation; what an earlier one has found is forgotten, unless this is a part of it.
    fn begin(&mut self) {
        if self.depth == 0 && self.envs != 0 {
            self.numbers.clear();
            self.sets.clear();
            self.envs = 0;
        }
        self.depth += 1;
    }
}

/// The weight of an expression from which on its value is noted for the rest of the evaluation: what weighs less is as quickly found anew.
const WEIGHT_OF_MEMO: u32 = 64;

/// An expression, the view, the seat and the environment for which it is evaluated, and the variables that it reads.
#[derive(Debug, PartialEq, Eq, Hash)]
struct MemoKey {
    id: NodeId,
    view: ReadView,
    me: usize,
    env: u32,
    vars: [i64; 2],
}

/// Mixes the numbers of a key: nobody from outside chooses them, and a quick answer matters more than an even one.
#[derive(Default)]
pub(crate) struct MemoHasher(u64);

impl Hasher for MemoHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_i64(&mut self, word: i64) {
        self.write_u64(word.cast_unsigned());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

impl MemoKey {
    /// Returns the key of an expression; `None` if what it gives is not kept.
    fn of(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Option<MemoKey> {
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
        let memo = &mut game.values.evaluation.memo;
        memo.envs = memo.envs.max(1);
        let env = if facts.locals == 0 { 0 } else { scope.env };
        Some(MemoKey { id, view: game.values.view, me: scope.me, env, vars })
    }
}

impl<'e> Scope<'e> {
    fn of(env: &'e Env) -> Scope<'e> {
        Scope { me: env.me, locals: &env.locals, vars: [-1; u16::BITS as usize], keeps: false, env: 0 }
    }

    /// A scope in an environment of its own.
    fn own(game: &mut Evaluator<'_>, env: &'e Env, keeps: bool) -> Scope<'e> {
        game.values.evaluation.memo.envs += 1;
        Scope { keeps, env: game.values.evaluation.memo.envs, ..Scope::of(env) }
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

/// Evaluates an expression with the cache; an arithmetic error is recorded and gives 0.
pub(crate) fn number(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> i64 {
    game.values.evaluation.memo.begin();
    let scope = Scope::own(game, env, true);
    let found = walk(game, id, &scope);
    game.values.evaluation.memo.depth -= 1;
    found.unwrap_or_else(|wrong| record(game, wrong))
}

/// Evaluates the numbers of a cached value, as many as there are places for; an arithmetic error is recorded and gives 0.
pub(crate) fn value(game: &mut Evaluator<'_>, body: NodeId, env: &Env, numbers: &mut [i64]) {
    game.values.evaluation.memo.begin();
    let scope = Scope::own(game, env, true);
    let found = match (game.rules.graph[body], &mut *numbers) {
        (Expr::Rows { .. }, numbers) => sums_of_row(game, body, &scope, numbers),
        (_, [number, ..]) => compute(game, body, &scope).map(|found| *number = found),
        (_, []) => Ok(()),
    };
    game.values.evaluation.memo.depth -= 1;
    if let Err(wrong) = found {
        numbers.fill(0);
        record(game, wrong);
    }
}

/// Records an arithmetic error; returns 0.
#[cold]
fn record(game: &mut Evaluator<'_>, wrong: ArithmeticError) -> i64 {
    if game.values.evaluation.error().is_none() {
        game.values.evaluation.error_source = wrong.change;
    }
    game.values.evaluation.record_error(wrong.message)
}

/// Evaluates a set of spaces; an arithmetic error is recorded and gives the empty set.
pub(crate) fn spaces(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> SpaceSet {
    game.values.evaluation.memo.begin();
    let scope = Scope::own(game, env, true);
    let found = spaces_of(game, id, &scope);
    game.values.evaluation.memo.depth -= 1;
    found.unwrap_or_else(|wrong| {
        record(game, wrong);
        SpaceSet::default()
    })
}

/// Evaluates an expression, by the cache if it is kept there.
fn walk(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value {
    if scope.keeps
        && let Some(value) = game.rules.code.value_of(id)
    {
        return Ok(game.cached(value, game.rules.code.cached_value(value).slot, scope.me));
    }
    if game.rules.graph.facts(id).weight < WEIGHT_OF_MEMO {
        return compute(game, id, scope);
    }
    let Some(key) = MemoKey::of(game, id, scope) else { return compute(game, id, scope) };
    if let Some(&known) = game.values.evaluation.memo.numbers.get(&key) {
        return Ok(known);
    }
    let found = compute(game, id, scope)?;
    game.values.evaluation.memo.numbers.insert(key, found);
    Ok(found)
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
            let (mut folded, cards, mut place) = (Folded::new(fold), graph.cards(cards), CardPlace::default());
            let mut scope = *scope;
            while let Some(card) = next_card(game, cards, scope.me, &mut place) {
                scope.vars[usize::from(var)] = card.into();
                if holds(game, filter, &scope)? {
                    folded.add(body.map_or(Ok(1), |body| walk(game, body, &scope))?)?;
                }
            }
            return Ok(folded.result);
        }
        Expr::OverNeighbours { fold, board, of, var, filter, body } => {
            let mut folded = Folded::new(fold);
            let of = of!(of);
            let mut scope = *scope;
            for card in neighbours_of(&rules.boards[usize::from(board)], of) {
                scope.vars[usize::from(var)] = card;
                if holds(game, filter, &scope)? {
                    folded.add(body.map_or(Ok(1), |body| walk(game, body, &scope))?)?;
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
                    folded.add(body.map_or(Ok(1), |body| walk(game, body, &scope))?)?;
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

/// Computes the value of an expression from the values of its operands; both evaluators share it. Expressions that evaluate operands
/// conditionally, repeatedly or for another seat are not supported, and give 0.
#[inline(always)]
pub(crate) fn step(game: &Evaluator<'_>, expr: Expr, me: usize, [a, b]: [i64; 2]) -> Value {
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
            return operator.apply(a, b).ok_or(ArithmeticError { message: why_without_result(operator, b), ..OVERFLOW });
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

/// Returns how many seats and rivals are ahead of the current seat in a rank, and how many have the same value, with the seat itself.
fn standing(game: &mut Evaluator<'_>, rank: u16, by: NodeId, scope: &Scope<'_>) -> Value<(i64, i64)> {
    let rules = game.rules;
    let rank = &rules.ranks[usize::from(rank)];
    let own_value = walk(game, by, scope)?;
    let (mut beyond, mut level) = (0, 1);
    let mut compare = |theirs: i64| {
        beyond += i64::from(if rank.top { theirs > own_value } else { theirs < own_value });
        level += i64::from(theirs == own_value);
    };
    for me in (0..rules.players).filter(|&me| me != scope.me) {
        compare(walk(game, by, &Scope { me, ..*scope })?);
    }
    for &rival in &rank.rivals {
        compare(walk(game, rival, scope)?);
    }
    Ok((beyond, level))
}

/// A fold on its way.
struct Folded {
    fold: Fold,
    result: i64,
    any: bool,
}

impl Folded {
    fn new(fold: Fold) -> Folded {
        Folded { fold, result: 0, any: false }
    }

    /// Adds the value of an element.
    fn add(&mut self, value: i64) -> Value<()> {
        let first = !std::mem::replace(&mut self.any, true);
        self.result = match self.fold {
            Fold::Sum => self.result.checked_add(value).ok_or(OVERFLOW)?,
            Fold::Highest if !first => self.result.max(value),
            Fold::Lowest if !first => self.result.min(value),
            Fold::First if !first => self.result,
            Fold::Highest | Fold::Lowest | Fold::First | Fold::Last => value,
            Fold::Count => self.result + 1,
            Fold::Any => 1,
        };
        Ok(())
    }
}

/// Computes the sum over cards of a printed number times a factor. `index` selects the number in its printed row; the sum is 0 if it is
/// out of bounds.
fn sum_of_row(game: &mut Evaluator<'_>, row: NodeId, index: i64, scope: &Scope<'_>) -> Value {
    let rules = game.rules;
    let Expr::Rows { cards, var, filter, field, len, factor } = rules.graph[row] else { return Ok(0) };
    let inside = (0..i64::from(len)).contains(&index);
    let mut sum = 0_i64;
    for card in cards_of(game, rules.graph.cards(cards), scope.me) {
        let scope = &scope.with(var, card.into());
        if inside && holds(game, filter, scope)? {
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(index)));
            let printed = read_fact(game, cast::index(card), printed);
            let product = walk(game, factor, scope)?.checked_mul(printed);
            sum = product.and_then(|product| sum.checked_add(product)).ok_or(OVERFLOW)?;
        }
    }
    Ok(sum)
}

/// Computes the sums over cards of each number of a printed row times a factor.
fn sums_of_row(game: &mut Evaluator<'_>, row: NodeId, scope: &Scope<'_>, sums: &mut [i64]) -> Value<()> {
    let rules = game.rules;
    let Expr::Rows { cards, var, filter, field, len: _, factor } = rules.graph[row] else { return Ok(()) };
    sums.fill(0);
    let (mut scope, mut place) = (*scope, CardPlace::default());
    while let Some(card) = next_card(game, rules.graph.cards(cards), scope.me, &mut place) {
        scope.vars[usize::from(var)] = card.into();
        if !holds(game, filter, &scope)? {
            continue;
        }
        let factor = walk(game, factor, &scope)?;
        for (sum, at) in sums.iter_mut().zip(usize::from(field)..) {
            let product = factor.checked_mul(rules.printed(cast::index(card), at).into());
            *sum = product.and_then(|product| sum.checked_add(product)).ok_or(OVERFLOW)?;
        }
    }
    Ok(())
}

/// Returns the neighbours of a space; none if it is no space of the board.
fn neighbours_of(board: &Board, of: i64) -> impl Iterator<Item = i64> {
    board.space(of).into_iter().flat_map(|space| board.neighbours[space].iter().map(|&near| board.piece(near)))
}

/// Evaluates a set of spaces; any other expression gives the empty set.
fn spaces_of(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value<SpaceSet> {
    let Some(key) = MemoKey::of(game, id, scope) else { return find_spaces(game, id, scope) };
    if let Some(&known) = game.values.evaluation.memo.sets.get(&key) {
        return Ok(known);
    }
    let found = find_spaces(game, id, scope)?;
    game.values.evaluation.memo.sets.insert(key, found);
    Ok(found)
}

fn find_spaces(game: &mut Evaluator<'_>, id: NodeId, scope: &Scope<'_>) -> Value<SpaceSet> {
    let rules = game.rules;
    let mut set = SpaceSet::default();
    if let Expr::Spaces { cards, board, var, filter } = rules.graph[id] {
        let board = &rules.boards[usize::from(board)];
        for card in cards_of(game, rules.graph.cards(cards), scope.me) {
            if holds(game, filter, &scope.with(var, card.into()))? {
                board.space(card.into()).into_iter().for_each(|space| set.add(space));
            }
        }
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
fn search(
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

/// How far a loop over cards has come.
#[derive(Clone, Copy, Default)]
struct CardPlace {
    /// The index of the place in the list of places, and of the instance among those of the place.
    place: usize,
    instance: usize,
    /// The next slot.
    slot: usize,
    /// The number of pieces of the instance that have not been visited; `None` if none has been yet.
    left: Option<i32>,
}

/// Returns the next card that a loop visits, before its filter.
#[inline]
fn next_card(game: &Evaluator<'_>, cards: &Cards, me: usize, at: &mut CardPlace) -> Option<i32> {
    let rules = game.rules;
    while let Some(&declared) = cards.places.get(at.place) {
        let declared = &rules.places[usize::from(declared)];
        let Some(place) = rules.layout.places[instances(rules, declared, cards.whose, me)].get(at.instance) else {
            *at = CardPlace { place: at.place + 1, ..CardPlace::default() };
            continue;
        };
        let base = place.base as usize;
        let left = at.left.get_or_insert_with(|| game.cell(base));
        if *left <= 0 || at.slot >= usize::from(place.room) {
            *at = CardPlace { place: at.place, instance: at.instance + 1, ..CardPlace::default() };
            continue;
        }
        at.slot += 1;
        let card = game.cell(base + at.slot) - 1;
        if card < 0 {
            continue;
        }
        *left -= 1;
        let kind_fits = |card: usize| cards.kinds == 0 || cards.kinds >> rules.piece_kind[card] & 1 == 1;
        let in_row = |columns: u16| cards.rows == 0 || cards.rows >> ((at.slot - 1) / usize::from(columns) + 1) & 1 == 1;
        let row_fits = if let Shape::Grid { columns, .. } = declared.shape { in_row(columns) } else { true };
        if read_fact(game, cast::index(card), kind_fits) && row_fits && cards.with.is_none_or(|with| counter(game, card.into(), with) > 0) {
            return Some(card);
        }
    }
    None
}

/// Returns the cards that a loop visits, before its filter.
fn cards_of(game: &Evaluator<'_>, cards: &Cards, me: usize) -> Vec<i32> {
    let mut at = CardPlace::default();
    std::iter::from_fn(|| next_card(game, cards, me, &mut at)).collect()
}

/// Returns the cards of a set; `None` after an arithmetic error.
pub(crate) fn cards_in(game: &mut Evaluator<'_>, set: u32, env: &Env) -> Option<Vec<i32>> {
    let rules = game.rules;
    let set = &rules.sets[set as usize];
    let mut found = Vec::new();
    let within = match set.within {
        Some(spaces) => Some(evaluate_spaces(game, spaces, env)?),
        None => None,
    };
    for card in cards_of(game, &set.cards(), env.me) {
        if within.as_ref().is_some_and(|within| !rules.is_in_spaces(within, card.into())) {
            continue;
        }
        let mut inner = *env;
        inner.locals[set.local as usize] = card;
        if holds(game, set.filter, &Scope::of(&inner)).ok()? {
            found.push(card);
        }
    }
    Some(found)
}

fn arguments(game: &mut Evaluator<'_>, args: [Option<NodeId>; 2], scope: &Scope<'_>) -> Value<[i32; 2]> {
    let mut values = [-1; 2];
    for (value, arg) in values.iter_mut().zip(args) {
        if let Some(arg) = arg {
            *value = i32::try_from(walk(game, arg, scope)?).map_err(|_| OVERFLOW)?;
        }
    }
    Ok(values)
}

/// Evaluates a quantity of a seat with all changes; `None` after an arithmetic error.
pub(crate) fn evaluate_quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
    try_quantity(game, index, seat, args, false).ok()
}

/// The most quantities that may be evaluated within each other; more are taken for one that depends on itself.
pub(crate) const MAX_NESTING: u32 = 64;
pub(crate) const DEPENDS_ON_ITSELF: &str = "a number depends on itself";

fn try_quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], keeps: bool) -> Value {
    if game.values.evaluation.depth >= MAX_NESTING {
        return Err(ArithmeticError { message: DEPENDS_ON_ITSELF, change: None });
    }
    game.values.evaluation.depth += 1;
    let found = quantity_within(game, index, seat, args, keeps);
    game.values.evaluation.depth -= 1;
    found
}

fn quantity_within(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], keeps: bool) -> Value {
    let rules = game.rules;
    let quantity = &rules.quantities[index as usize];
    let env = Env::with_locals(seat, &[-1, args[0], args[1]]);
    let scope = Scope::own(game, &env, keeps);
    let mut number = walk(game, quantity.base, &scope)?;
    for lifetime in Lifetime::ALL {
        if let Some(offset) = quantity.differences {
            number = number.checked_add(game.reader().seat_cell(seat, offset + lifetime as u16)).ok_or(OVERFLOW)?;
        }
    }
    number = apply_changes(game, index, seat, args, (number, keeps))?;
    if let Some(most) = quantity.upper_bound {
        number = number.min(walk(game, most, &scope)?);
    }
    if let Some(least) = quantity.lower_bound {
        number = number.max(walk(game, least, &scope)?);
    }
    Ok(number)
}

/// Whether a card in play changes a quantity.
fn is_changed(game: &mut Evaluator<'_>, index: u16) -> bool {
    game.refresh_active();
    game.watch_entries(|definition| definition.changes.iter().any(|change| change.quantity == index));
    !game.changes_of(index).is_empty()
}

/// Applies the changes of cards in play to a quantity of a seat: first those that set it, then those that add, then those that bound it.
fn apply_changes(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], (mut number, keeps): (i64, bool)) -> Value {
    let rules = game.rules;
    let count = if is_changed(game, index) { game.changes_of(index).len() } else { 0 };
    for pass in [ChangeOp::To, ChangeOp::By, ChangeOp::AtLeast, ChangeOp::AtMost] {
        for at in 0..count {
            let active = game.changes_of(index)[at];
            let change = &rules.definition(active.piece.index()).changes[active.entry.index()];
            if change.operator != pass || !concerns(change.who, active.owner, seat) {
                continue;
            }
            let owner = if active.owner == TABLE { seat } else { usize::from(active.owner) };
            let env = Env::with_locals(owner, &[active.piece.local(), args[0], args[1]]);
            let scope = Scope::own(game, &env, keeps);
            if !holds(game, change.when, &scope)? {
                continue;
            }
            let here = (u32::from(active.piece), change.span);
            let amount =
                walk(game, change.amount, &scope).map_err(|wrong| ArithmeticError { change: wrong.change.or(Some(here)), ..wrong })?;
            number = match pass {
                ChangeOp::To => amount,
                ChangeOp::By => number.checked_add(amount).ok_or(OVERFLOW)?,
                ChangeOp::AtLeast => number.max(amount),
                ChangeOp::AtMost => number.min(amount),
            };
        }
    }
    Ok(number)
}
