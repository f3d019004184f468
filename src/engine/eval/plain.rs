//! What expressions mean: a walk over the graph, as plain as possible, which keeps nothing. Explanations and what is read late are worked
//! out by it, and tests hold the code against it.

use crate::cast;
use crate::definition::concerns;
use crate::env::Env;
use crate::evaluator::{DIVIDED_BY_0, Evaluator, TOO_LARGE};
use crate::graph::{Cards, Expr, Fold, Two};
use crate::node::NodeId;
use crate::op::LOCALS;
use crate::position::{instance, instances};
use crate::reader::{pool_base, shown_by};
use crate::ruleset::{How, Lifetime, Shape};
use crate::source::Span;
use houserule_state::layout::{TABLE, head, piece};

/// What went wrong with a number, and the change of a quantity in which it did: the card that makes it, and where that says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrong {
    pub what: &'static str,
    pub change: Option<(u32, Option<Span>)>,
}

const BEYOND: Wrong = Wrong { what: TOO_LARGE, change: None };

type Value<T = i64> = Result<T, Wrong>;

/// Where an expression is worked out: for whom, and what locals and the variables of loops around it hold.
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

/// The value of an expression; `None` where a number is too large or divided by 0.
pub(crate) fn value(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<i64> {
    walk(game, id, &At::of(env)).ok()
}

/// The value of an expression, or what went wrong with it.
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
    let piece_of = |card: i64| usize::try_from(card).ok();
    Ok(match graph[id] {
        Expr::Const { value } => value,
        Expr::Local { local } => i64::from(at.locals[local as usize]),
        Expr::Var { var } => at.vars[var as usize],
        Expr::Me => cast::count(at.me),
        Expr::Global { cell } => i64::from(game.cell(cell as usize)),
        Expr::Own { offset } => own(game, at.me, offset.into()),
        Expr::OwnAt { offset, len, index } => match of!(index) {
            index if (0..i64::from(len)).contains(&index) => own(game, at.me, usize::from(offset) + cast::index(index)),
            _ => 0,
        },
        Expr::OwnBit { offset, index } => {
            let index = of!(index);
            i64::from((0..31).contains(&index) && own(game, at.me, offset.into()) >> index & 1 == 1)
        }
        Expr::Column { card, column } => {
            let card = of!(card);
            let of = |card: usize| graph.columns().get(column, cast::count(card));
            piece_of(card).map_or_else(|| graph.columns().get(column, -1), |card| seen(game, card, of))
        }
        Expr::FieldAt { card, field, len, index } => {
            let (card, index) = (piece_of(of!(card)), of!(index));
            let inside = (0..i64::from(len)).contains(&index);
            let printed = |card: usize| i64::from(rules.printed(card, usize::from(field) + cast::index(index)));
            card.filter(|_| inside).map_or(0, |card| seen(game, card, printed))
        }
        Expr::ListAt { card, field, index } => {
            let (card, index) = (piece_of(of!(card)), usize::try_from(of!(index)).ok());
            let printed = |card: usize| {
                let list = rules.list(cast::count(card), field).1;
                index.and_then(|index| list.get(index)).map_or(0, |&number| i64::from(number))
            };
            card.map_or(0, |card| seen(game, card, printed))
        }
        Expr::ListFirst { card, field, count } => {
            let (card, count) = (piece_of(of!(card)), cast::index(of!(count).max(0)));
            let sum = |card: usize| rules.list(cast::count(card), field).1.iter().take(count).map(|&number| i64::from(number)).sum();
            card.map_or(0, |card| seen(game, card, sum))
        }
        Expr::Counter { card, offset } => piece_of(of!(card)).map_or(0, |card| counter(game, card, offset)),
        Expr::InPlaces { card, places } => i64::from(piece_of(of!(card)).is_some_and(|card| {
            let place = &rules.layout.places[cast::index(game.piece_cell(card, piece::PLACE))];
            place.room > 0 && places >> place.declared & 1 == 1
        })),
        Expr::FirstIn { place, .. } => game.reader::<true>().first_in(place.into(), at.me),
        Expr::Lying { place, .. } => {
            let place = instance(rules, place.into(), at.me);
            i64::from(game.cell(rules.layout.places[place].base as usize))
        }
        Expr::Row { card, grid } => {
            let card = of!(card);
            game.reader::<true>().grid_at(card, grid).map_or(0, |(slot, columns)| i64::from(slot / columns) + 1)
        }
        Expr::GridColumn { card, grid } => {
            let card = of!(card);
            game.reader::<true>().grid_at(card, grid).map_or(0, |(slot, columns)| i64::from(slot % columns) + 1)
        }
        Expr::OwnerOf { card } => piece_of(of!(card)).map_or(-1, |card| match game.reader::<true>().owner_of(card) {
            TABLE => -1,
            seat => i64::from(seat),
        }),
        Expr::PlaceInOrder => {
            let place = (0..rules.players).find(|&place| game.cell(head::ORDER + place) == cast::fit::<i32>(at.me));
            place.map_or(0, |place| cast::count(place) + 1)
        }
        Expr::Two { how, a, b } => {
            let (a, b) = (of!(a), of!(b));
            return how.of(a, b).ok_or(if how == Two::Div && b == 0 { Wrong { what: DIVIDED_BY_0, ..BEYOND } } else { BEYOND });
        }
        Expr::Not { a } => i64::from(of!(a) == 0),
        Expr::Truth { a } => i64::from(of!(a) != 0),
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
        // Of several sums the first stands for all; each is asked for by its index.
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
        Expr::Table { index, table } => graph.in_table(table, of!(index)),
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
        Expr::ShownIn { symbol, pool } => {
            let symbol = of!(symbol);
            game.reader::<true>().shown_in(symbol, pool, at.me)
        }
        Expr::Payable { symbol, pool } => {
            let symbol = of!(symbol);
            game.reader::<true>().payable(symbol, pool, at.me)
        }
        Expr::ShownBy { picked, symbol } => {
            let picked = of!(picked);
            shown_by(rules, of!(symbol), cast::fit::<i32>(picked))
        }
    })
}

fn own(game: &Evaluator<'_>, me: usize, offset: usize) -> i64 {
    let rules = game.rules;
    i64::from(game.cell(rules.layout.seat(me, offset)))
}

fn counter(game: &Evaluator<'_>, card: usize, offset: u8) -> i64 {
    game.touch_counters(card);
    i64::from(game.piece_cell(card, offset.into()))
}

/// What is read of a card, which is noted if the game is watched.
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

/// The sum over cards of one number of a printed row times a factor, 0 beyond the row.
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

/// The cards that a loop goes through, before its condition.
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
                    && cards.with.is_none_or(|with| counter(game, cast::index(card), with) > 0)
                {
                    found.push(card);
                }
            }
        }
    }
    found
}

/// The cards of a set.
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

/// A quantity of a seat, with all changes.
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
            number = number.checked_add(own(game, seat, usize::from(offset) + lifetime as usize)).ok_or(BEYOND)?;
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

/// What cards in play make of a number of a seat's quantity: first they set it, then add to it, then bound it.
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
