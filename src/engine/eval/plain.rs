//! The reference evaluator: a plain walk over the graph, without a cache. Explanations use it, and tests compare compiled code with it.

use crate::cast;
use crate::definition::concerns;
use crate::env::Env;
use crate::evaluator::{DIVIDED_BY_0, Evaluator, TOO_LARGE};
use crate::graph::{Cards, Expr, Fold, MAX_PARTS};
use crate::node::NodeId;
use crate::op::LOCALS;
use crate::position::instances;
use crate::reader::{pool_base, shown_by};
use crate::ruleset::{How, Lifetime, Shape};
use crate::source::Span;
use houserule_state::layout::TABLE;

/// An arithmetic error. If it occurred in a change of a quantity, also the piece with that change, and the place in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong {
    pub what: &'static str,
    pub change: Option<(u32, Option<Span>)>,
}

const BEYOND: Wrong = Wrong { what: TOO_LARGE, change: None };

type Value<T = i64> = Result<T, Wrong>;

/// The environment of an expression: the current seat, the locals, and the variables of enclosing loops.
#[derive(Clone, Copy)]
struct At<'e> {
    me: usize,
    locals: &'e [i32; LOCALS],
    vars: [i64; u16::BITS as usize],
}

impl<'e> At<'e> {
    fn of(env: &'e Env) -> At<'e> {
        At { me: env.me, locals: &env.locals, vars: [-1; u16::BITS as usize] }
    }

    fn with(mut self, var: u8, value: i64) -> At<'e> {
        self.vars[var as usize] = value;
        self
    }
}

/// The value of an expression; `None` after an overflow or division by 0.
pub(crate) fn value(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<i64> {
    walk(game, id, &At::of(env)).ok()
}

/// The value of an expression, or its arithmetic error.
pub(crate) fn told(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Value {
    walk(game, id, &At::of(env))
}

fn walk(game: &mut Evaluator<'_>, id: NodeId, at: &At<'_>) -> Value {
    let rules = game.rules;
    let graph = &rules.graph;
    let truth = |holds: bool| Ok(i64::from(holds));
    macro_rules! of {
        ($part:expr) => {
            walk(game, $part, at)?
        };
    }
    Ok(match graph[id] {
        Expr::Local { local } => i64::from(at.locals[local as usize]),
        Expr::Var { var } => at.vars[var as usize],
        Expr::And { a, b } => i64::from(of!(a) != 0 && of!(b) != 0),
        Expr::Or { a, b } => i64::from(of!(a) != 0 || of!(b) != 0),
        Expr::If { condition, yes, no } => {
            let part = if of!(condition) != 0 { yes } else { no };
            of!(part)
        }
        Expr::OverCards { fold, cards, var, filter, body } => {
            let mut all = Vec::new();
            for card in cards_of(game, graph.cards(cards), at.me) {
                let at = &at.with(var, card.into());
                if holds(game, filter, at)? {
                    all.push(body.map_or(Ok(1), |body| walk(game, body, at))?);
                }
            }
            return folded(fold, &all);
        }
        Expr::OverSeats { fold, others, var, filter, body } => {
            let mut all = Vec::new();
            for me in (0..rules.players).filter(|&seat| !others || seat != at.me) {
                let at = &At { me, ..at.with(var, cast::count(at.me)) };
                if holds(game, filter, at)? {
                    all.push(body.map_or(Ok(1), |body| walk(game, body, at))?);
                }
            }
            return folded(fold, &all);
        }
        // A node with several sums evaluates to its first sum.
        Expr::Rows { .. } => return sum_of_row(game, id, 0, at),
        Expr::RowAt { row, index } => {
            let index = of!(index);
            return sum_of_row(game, row, index, at);
        }
        Expr::Quantity { quantity: index, args } => {
            let args = arguments(game, args, at)?;
            return whole_quantity(game, index, at.me, args);
        }
        Expr::Applied { quantity, value, args } => {
            let (value, args) = (of!(value), arguments(game, args, at)?);
            return changed(game, quantity, at.me, args, value);
        }
        Expr::Changed { quantity } => i64::from(speaks(game, quantity)),
        Expr::Rank { rank, by, leaders } => {
            let leaders = of!(leaders);
            let view = game.values.view;
            game.values.view = view.of_ranks();
            let seats: Value<Vec<i64>> = (0..rules.players).map(|me| walk(game, by, &At { me, ..*at })).collect();
            let rank = &rules.ranks[rank as usize];
            let rivals: Value<Vec<i64>> = rank.rivals.iter().map(|&rival| walk(game, rival, at)).collect();
            game.values.view = view;
            let (seats, rivals) = (seats?, rivals?);
            let (mine, all) = (seats[at.me], || seats.iter().chain(&rivals));
            let beyond = cast::count(all().filter(|&&theirs| if rank.top { theirs > mine } else { theirs < mine }).count());
            let level = cast::count(all().filter(|&&theirs| theirs == mine).count());
            return truth(if rank.ties_in { beyond < leaders } else { beyond + level <= leaders });
        }
        Expr::Of { seat, body } => match usize::try_from(of!(seat)) {
            Ok(me) if me < rules.players => return walk(game, body, &At { me, ..*at }),
            _ => 0,
        },
        Expr::CountTokens { set, pool, of, showing } => {
            let mut known = |part: Option<NodeId>| part.map(|part| walk(game, part, at)).transpose();
            let (of, showing) = (known(of)?, known(showing)?);
            let set = &rules.token_sets[set as usize];
            let meant = |class: usize| {
                let described = &rules.classes[class];
                let shows =
                    |symbol: i64| usize::try_from(symbol).ok().and_then(|symbol| described.shows.get(symbol)).is_some_and(|&n| n > 0);
                set.classes >> class & 1 == 1 && of.is_none_or(|of| i64::from(described.token) == of) && showing.is_none_or(shows)
            };
            let base = pool_base(rules, pool, at.me);
            (0..rules.classes.len()).filter(|&class| meant(class)).map(|class| i64::from(game.cell(base + class))).sum()
        }
        // The other expressions depend on the values of their operands only.
        strict => {
            let mut parts = [0; MAX_PARTS];
            for (part, id) in parts.iter_mut().zip(strict.parts()) {
                *part = of!(id);
            }
            return step::<true>(game, strict, at.me, parts);
        }
    })
}

/// The value of an expression, given the values of its operands; both evaluators share it. Expressions that evaluate operands
/// conditionally, repeatedly or for another seat are not supported, and give 0.
pub(crate) fn step<const NOTE: bool>(game: &Evaluator<'_>, expr: Expr, me: usize, [a, b, _]: [i64; MAX_PARTS]) -> Value {
    let (rules, reader) = (game.rules, game.reader::<NOTE>());
    let piece_of = |card: i64| usize::try_from(card).ok();
    Ok(match expr {
        Expr::Const { value } => value,
        Expr::Me => cast::count(me),
        Expr::Global { cell } => reader.table(cell as usize),
        Expr::Own { offset } => reader.own(me, offset),
        Expr::OwnAt { offset, len, index: _ } => reader.own_at(me, (offset, len), a),
        Expr::OwnBit { offset, index: _ } => i64::from((0..31).contains(&a) && reader.own(me, offset) >> a & 1 == 1),
        Expr::Column { column, card: _ } => {
            let of = |card: usize| rules.graph.columns().get(column, cast::count(card));
            piece_of(a).map_or_else(|| rules.graph.columns().get(column, -1), |card| seen(game, card, of))
        }
        Expr::FieldAt { field, len, .. } => {
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(b)));
            piece_of(a).filter(|_| (0..i64::from(len)).contains(&b)).map_or(0, |card| seen(game, card, printed))
        }
        Expr::ListAt { field, .. } => {
            let at = usize::try_from(b).ok();
            let number = |list: &[i32]| at.and_then(|at| list.get(at)).map_or(0, |&number| i64::from(number));
            piece_of(a).map_or(0, |card| seen(game, card, |card| number(rules.list(cast::count(card), field).1)))
        }
        Expr::ListFirst { field, .. } => {
            piece_of(a).map_or(0, |card| seen(game, card, |card| rules.list_first(cast::count(card), field, b)))
        }
        Expr::Counter { offset, card: _ } => counter(game, a, offset),
        Expr::InPlaces { places, card: _ } => i64::from(piece_of(a).is_some_and(|card| {
            let place = &rules.layout.places[reader.place_of(card)];
            place.room > 0 && places >> place.declared & 1 == 1
        })),
        Expr::FirstIn { place, of_each: _ } => reader.first_in(place.into(), me),
        Expr::Lying { place, of_each: _ } => reader.lying(place, me),
        Expr::Row { grid, card: _ } => reader.row(a, grid),
        Expr::GridColumn { grid, card: _ } => reader.column(a, grid),
        Expr::OwnerOf { card: _ } => piece_of(a).map_or(-1, |card| match reader.owner_of(card) {
            TABLE => -1,
            seat => i64::from(seat),
        }),
        Expr::PlaceInOrder => reader.place_in_order(me),
        Expr::Two { how, .. } => {
            return how.of(a, b).ok_or(if how.divides() && b == 0 { Wrong { what: DIVIDED_BY_0, ..BEYOND } } else { BEYOND });
        }
        Expr::Not { a: _ } => i64::from(a == 0),
        Expr::Truth { a: _ } => i64::from(a != 0),
        Expr::Table { table, index: _ } => rules.graph.in_table(table, a),
        Expr::CountTokens { set, pool, of, showing } => {
            let showing = showing.map(|_| if of.is_some() { b } else { a });
            reader.count_tokens(set, pool, me, of.map(|_| a), showing)
        }
        Expr::ShownIn { pool, symbol: _ } => reader.shown_in(a, pool, me),
        Expr::Payable { pool, symbol: _ } => reader.payable(a, pool, me),
        Expr::ShownBy { .. } => shown_by(rules, b, cast::fit::<i32>(a)),
        Expr::Local { .. } | Expr::Var { .. } | Expr::And { .. } | Expr::Or { .. } | Expr::If { .. } | Expr::Of { .. } => 0,
        Expr::OverCards { .. } | Expr::OverSeats { .. } | Expr::Rows { .. } | Expr::RowAt { .. } | Expr::Rank { .. } => 0,
        Expr::Quantity { .. } | Expr::Applied { .. } | Expr::Changed { .. } => 0,
    })
}

fn counter(game: &Evaluator<'_>, card: i64, offset: u8) -> i64 {
    usize::try_from(card).into_iter().for_each(|card| game.touch_counters(card));
    game.reader::<true>().counter(card, offset)
}

/// A fact about a card; the read is recorded if the game is watched.
fn seen<T: PartialEq>(game: &Evaluator<'_>, card: usize, fact: impl Fn(usize) -> T) -> T {
    game.touch(card, &fact);
    fact(card)
}

fn holds(game: &mut Evaluator<'_>, condition: Option<NodeId>, at: &At<'_>) -> Value<bool> {
    condition.map_or(Ok(true), |condition| Ok(walk(game, condition, at)? != 0))
}

fn folded(fold: Fold, all: &[i64]) -> Value {
    match fold {
        Fold::Sum => all.iter().try_fold(0_i64, |sum, &one| sum.checked_add(one)).ok_or(BEYOND),
        Fold::Highest => Ok(all.iter().copied().max().unwrap_or(0)),
        Fold::Lowest => Ok(all.iter().copied().min().unwrap_or(0)),
        Fold::Count => Ok(cast::count(all.len())),
        Fold::Any => Ok(i64::from(!all.is_empty())),
    }
}

/// The sum over cards of a printed number times a factor. `index` selects the number in its printed row; the sum is 0 if it is out of
/// bounds.
fn sum_of_row(game: &mut Evaluator<'_>, row: NodeId, index: i64, at: &At<'_>) -> Value {
    let rules = game.rules;
    let Expr::Rows { cards, var, filter, field, len, factor } = rules.graph[row] else { return Ok(0) };
    let inside = (0..i64::from(len)).contains(&index);
    let mut sum = 0_i64;
    for card in cards_of(game, rules.graph.cards(cards), at.me) {
        let at = &at.with(var, card.into());
        if inside && holds(game, filter, at)? {
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(index)));
            let printed = seen(game, cast::index(card), printed);
            let product = walk(game, factor, at)?.checked_mul(printed);
            sum = product.and_then(|product| sum.checked_add(product)).ok_or(BEYOND)?;
        }
    }
    Ok(sum)
}

/// The cards that a loop visits, before its filter.
fn cards_of(game: &Evaluator<'_>, cards: &Cards, me: usize) -> Vec<i32> {
    let rules = game.rules;
    let mut found = Vec::new();
    for &place in &cards.places {
        let declared = &rules.places[place as usize];
        for at in &rules.layout.places[instances(rules, declared, cards.whose, me)] {
            for slot in 0..at.room as usize {
                let card = game.cell(at.base as usize + 1 + slot) - 1;
                let is_meant = |card: usize| cards.kinds == 0 || cards.kinds >> rules.piece_kind[card] & 1 == 1;
                let in_row = |columns: u16| cards.rows == 0 || cards.rows >> (slot / usize::from(columns) + 1) & 1 == 1;
                let fits = if let Shape::Grid { columns, .. } = declared.shape { in_row(columns) } else { true };
                if card >= 0
                    && seen(game, cast::index(card), is_meant)
                    && fits
                    && cards.with.is_none_or(|with| counter(game, card.into(), with) > 0)
                {
                    found.push(card);
                }
            }
        }
    }
    found
}

/// The cards of a set; `None` after an arithmetic error.
pub(crate) fn cards_in(game: &mut Evaluator<'_>, set: u32, env: &Env) -> Option<Vec<i32>> {
    let rules = game.rules;
    let set = &rules.sets[set as usize];
    let mut found = Vec::new();
    for card in cards_of(game, &set.cards(), env.me) {
        let mut inner = *env;
        inner.locals[set.local as usize] = card;
        if holds(game, set.filter, &At::of(&inner)).ok()? {
            found.push(card);
        }
    }
    Some(found)
}

fn arguments(game: &mut Evaluator<'_>, args: [Option<NodeId>; 2], at: &At<'_>) -> Value<[i32; 2]> {
    let mut values = [-1; 2];
    for (value, arg) in values.iter_mut().zip(args) {
        if let Some(arg) = arg {
            *value = i32::try_from(walk(game, arg, at)?).map_err(|_| BEYOND)?;
        }
    }
    Ok(values)
}

/// A quantity of a seat with all changes; `None` after an arithmetic error.
pub(crate) fn quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
    whole_quantity(game, index, seat, args).ok()
}

fn whole_quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) -> Value {
    let rules = game.rules;
    let quantity = &rules.quantities[index as usize];
    let env = Env::with(seat, &[-1, args[0], args[1]]);
    let at = At::of(&env);
    let mut number = walk(game, quantity.base, &at)?;
    for lifetime in Lifetime::ALL {
        if let Some(offset) = quantity.differences {
            number = number.checked_add(game.reader::<true>().own(seat, offset + lifetime as u16)).ok_or(BEYOND)?;
        }
    }
    number = changed(game, index, seat, args, number)?;
    if let Some(most) = quantity.most {
        number = number.min(walk(game, most, &at)?);
    }
    if let Some(least) = quantity.least {
        number = number.max(walk(game, least, &at)?);
    }
    Ok(number)
}

/// Whether a card in play changes a quantity.
fn speaks(game: &mut Evaluator<'_>, index: u16) -> bool {
    game.refresh_active();
    game.touch_speakers(|definition| definition.changes.iter().any(|change| change.quantity == index));
    !game.changes_of(index).is_empty()
}

/// Applies the changes of cards in play to a quantity of a seat: first those that set it, then those that add, then those that bound it.
fn changed(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2], mut number: i64) -> Value {
    let rules = game.rules;
    let speakers = if speaks(game, index) { game.changes_of(index).to_vec() } else { Vec::new() };
    for pass in [How::To, How::By, How::AtLeast, How::AtMost] {
        for speaker in &speakers {
            let change = &rules.definition(speaker.piece.index()).changes[speaker.entry.index()];
            if change.how != pass || !concerns(change.who, speaker.owner, seat) {
                continue;
            }
            let owner = if speaker.owner == TABLE { seat } else { usize::from(speaker.owner) };
            let env = Env::with(owner, &[speaker.piece.local(), args[0], args[1]]);
            let at = At::of(&env);
            if !holds(game, change.when, &at)? {
                continue;
            }
            let here = (u32::from(speaker.piece), change.span);
            let amount = walk(game, change.amount, &at).map_err(|wrong| Wrong { change: wrong.change.or(Some(here)), ..wrong })?;
            number = match pass {
                How::To => amount,
                How::By => number.checked_add(amount).ok_or(BEYOND)?,
                How::AtLeast => number.max(amount),
                How::AtMost => number.min(amount),
            };
        }
    }
    Ok(number)
}
