//! Expressions once more, as plainly as possible: a walk over the nodes that caches nothing. Explanations are made by it, and tests
//! hold the code against it.

use crate::cast;
use crate::definition::concerns;
use crate::env::Env;
use crate::evaluator::Evaluator;
use crate::node::{Node, NodeId};
use crate::position::instances;
use crate::reader::{pool_base, shown_by};
use crate::ruleset::{How, Lifetime, Shape};
use houserule_state::layout::{TABLE, head, piece};

/// The value of an expression; `None` where a number is too large or divided by 0.
pub(crate) fn value(game: &mut Evaluator<'_>, id: NodeId, env: &Env) -> Option<i64> {
    let rules = game.rules;
    let node = &rules.nodes[id as usize];
    let truth = |holds: bool| Some(holds as i64);
    macro_rules! of {
        ($part:expr) => {
            value(game, $part, env)?
        };
    }
    let card = |card: i64| usize::try_from(card).ok();
    match node {
        Node::Const(value) => Some(*value),
        Node::Word(name) => Some(*name as i64),
        Node::Local(local) => Some(env.locals[*local as usize] as i64),
        Node::Me => Some(cast::count(env.me)),
        Node::Global(cell) => Some(game.cell(*cell as usize) as i64),
        Node::Own(offset) => Some(game.cell(rules.layout.seat(env.me, *offset as usize)) as i64),
        Node::OwnAt(offset, len, index) => {
            let index = of!(*index);
            let inside = (0..*len as i64).contains(&index);
            Some(if inside { game.cell(rules.layout.seat(env.me, *offset as usize + cast::index(index))) as i64 } else { 0 })
        }
        Node::OwnBit(offset, index) => {
            let index = of!(*index);
            let bits = game.cell(rules.layout.seat(env.me, *offset as usize));
            truth((0..31).contains(&index) && bits >> index & 1 == 1)
        }
        Node::Counter(of, offset) => Some(card(of!(*of)).map_or(0, |card| {
            game.touch_counters(card);
            game.piece_cell(card, *offset as usize) as i64
        })),
        Node::Field(of, field) => {
            let printed = |card: usize| rules.printed(card, *field as usize) as i64;
            Some(card(of!(*of)).map_or(0, |card| seen(game, card, printed)))
        }
        Node::FieldAt(of, field, len, index) => {
            let (of, index) = (card(of!(*of)), of!(*index));
            let inside = (0..*len as i64).contains(&index);
            let printed = |card: usize| rules.printed(card, *field as usize + cast::index(index)) as i64;
            Some(of.filter(|_| inside).map_or(0, |card| seen(game, card, printed)))
        }
        Node::ListAt(of, field, index) => {
            let (of, index) = (of!(*of), of!(*index));
            let printed = |card: usize| {
                let list = rules.list(cast::count(card), *field).1;
                usize::try_from(index).ok().and_then(|index| list.get(index)).map_or(0, |&number| number as i64)
            };
            Some(card(of).map_or(0, |card| seen(game, card, printed)))
        }
        Node::ListLen(of, field) => {
            let printed = |card: usize| cast::count(rules.list(cast::count(card), *field).1.len());
            Some(card(of!(*of)).map_or(0, |card| seen(game, card, printed)))
        }
        Node::ListFirst(of, field, count) => {
            let (of, count) = (of!(*of), of!(*count));
            let numbers = |card: usize| rules.list(cast::count(card), *field).1.iter().take(cast::index(count.max(0)));
            Some(card(of).map_or(0, |card| seen(game, card, |card| numbers(card).map(|&number| number as i64).sum())))
        }
        Node::KindOf(of) => Some(card(of!(*of)).map_or(-1, |card| seen(game, card, |card| rules.piece_kind[card] as i64))),
        Node::IsKind(of, kinds) => {
            let is_one = |card: usize| kinds >> rules.piece_kind[card] & 1 == 1;
            truth(card(of!(*of)).is_some_and(|card| seen(game, card, is_one)))
        }
        Node::InPlaces(of, places) => truth(card(of!(*of)).is_some_and(|card| {
            let at = &rules.layout.places[cast::index(game.piece_cell(card, piece::PLACE))];
            at.room > 0 && places >> at.declared & 1 == 1
        })),
        Node::FirstIn(place) => Some(game.reader::<true>().first_in(*place as usize, env.me)),
        Node::NoneIn(place) => truth(game.reader::<true>().first_in(*place as usize, env.me) < 0),
        Node::Row(of, grid) => {
            let card = of!(*of);
            Some(game.reader::<true>().grid_at(card, *grid).map_or(0, |(at, columns)| (at / columns) as i64 + 1))
        }
        Node::Column(of, grid) => {
            let card = of!(*of);
            Some(game.reader::<true>().grid_at(card, *grid).map_or(0, |(at, columns)| (at % columns) as i64 + 1))
        }
        Node::OwnerOf(of) => Some(card(of!(*of)).map_or(-1, |card| match game.reader::<true>().owner_of(card) {
            TABLE => -1,
            seat => seat as i64,
        })),
        Node::HasAction(of) => truth(card(of!(*of)).is_some_and(|card| seen(game, card, |card| rules.definition(card).action.is_some()))),
        Node::IsCard(of, definition) => {
            truth(card(of!(*of)).is_some_and(|card| seen(game, card, |card| rules.piece_definition[card] == *definition)))
        }
        Node::PlaceInOrder => {
            let place = (0..rules.players).find(|&place| game.cell(head::ORDER + place) == cast::fit::<i32>(env.me));
            Some(place.map_or(0, |place| cast::count(place) + 1))
        }
        Node::Add(a, b) => of!(*a).checked_add(of!(*b)),
        Node::Sub(a, b) => of!(*a).checked_sub(of!(*b)),
        Node::Mul(a, b) => of!(*a).checked_mul(of!(*b)),
        Node::Div(a, b) => {
            let (a, b) = (of!(*a), of!(*b));
            let quotient = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
        }
        Node::Min(a, b) => Some(of!(*a).min(of!(*b))),
        Node::Max(a, b) => Some(of!(*a).max(of!(*b))),
        Node::Not(a) => truth(of!(*a) == 0),
        Node::And(a, b) => truth(of!(*a) != 0 && of!(*b) != 0),
        Node::Or(a, b) => truth(of!(*a) != 0 || of!(*b) != 0),
        Node::Cmp(how, a, b) => truth(how.holds(of!(*a), of!(*b))),
        Node::If(condition, yes, no) => {
            let holds = of!(*condition) != 0;
            value(game, if holds { *yes } else { *no }, env)
        }
        Node::Sum(set, body) => each(game, *set, env, Some(*body))?.into_iter().try_fold(0, i64::checked_add),
        Node::Highest(set, body) => Some(each(game, *set, env, Some(*body))?.into_iter().max().unwrap_or(0)),
        Node::Lowest(set, body) => Some(each(game, *set, env, Some(*body))?.into_iter().min().unwrap_or(0)),
        Node::Count(set) => Some(cast::count(each(game, *set, env, None)?.len())),
        Node::Any(set) => truth(!each(game, *set, env, None)?.is_empty()),
        Node::CountPlayers(set) => Some(cast::count(each_seat(game, *set, env, None)?.len())),
        Node::AnyPlayer(set) => truth(!each_seat(game, *set, env, None)?.is_empty()),
        Node::SumPlayers(set, body) => each_seat(game, *set, env, Some(*body))?.into_iter().try_fold(0, i64::checked_add),
        Node::HighestPlayers(set, body) => Some(each_seat(game, *set, env, Some(*body))?.into_iter().max().unwrap_or(0)),
        Node::LowestPlayers(set, body) => Some(each_seat(game, *set, env, Some(*body))?.into_iter().min().unwrap_or(0)),
        Node::Quantity(index, args) => {
            let mut values = [-1; 2];
            for (value, arg) in values.iter_mut().zip(args) {
                if let Some(arg) = arg {
                    *value = i32::try_from(of!(*arg)).ok()?;
                }
            }
            quantity(game, *index, env.me, values)
        }
        Node::Limit(place) => match rules.places[*place as usize].limit {
            Some(limit) => quantity(game, limit, env.me, [-1; 2]),
            None => Some(rules.layout.places[rules.places[*place as usize].first as usize].room as i64),
        },
        Node::Rank(rank, by) => {
            let leaders = of!(rules.ranks[*rank as usize].leaders);
            let view = game.values.view;
            game.values.view = view.of_ranks();
            let all: Option<Vec<i64>> = (0..rules.players).map(|me| value(game, *by, &Env { me, ..*env })).collect();
            let mut all = all?;
            let rank = &rules.ranks[*rank as usize];
            for rival in &rank.rivals {
                all.push(value(game, *rival, env)?);
            }
            game.values.view = view;
            let mine = all[env.me];
            let beyond = cast::count(all.iter().filter(|&&theirs| if rank.top { theirs > mine } else { theirs < mine }).count());
            let level = cast::count(all.iter().filter(|&&theirs| theirs == mine).count());
            truth(if rank.ties_in { beyond < leaders } else { beyond + level <= leaders })
        }
        Node::Table(index, values) => {
            let index = cast::index(of!(*index).max(0));
            Some(values.get(index).or(values.last()).copied().unwrap_or(0))
        }
        Node::Of(seat, body) => match usize::try_from(of!(*seat)) {
            Ok(me) if me < rules.players => value(game, *body, &Env { me, ..*env }),
            _ => Some(0),
        },
        Node::CountTokens(set, pool) => {
            let set = &rules.token_sets[*set as usize];
            let [of, showing] = [set.of, set.showing].map(|part| part.map(|part| value(game, part, env)));
            let (of, showing) = (of.map_or(Some(None), |of| of.map(Some))?, showing.map_or(Some(None), |showing| showing.map(Some))?);
            let meant = |class: usize| {
                let described = &rules.classes[class];
                let shows =
                    |symbol: i64| usize::try_from(symbol).ok().and_then(|symbol| described.shows.get(symbol)).is_some_and(|&n| n > 0);
                set.classes >> class & 1 == 1 && of.is_none_or(|of| described.token as i64 == of) && showing.is_none_or(shows)
            };
            let base = pool_base(rules, *pool, env.me);
            Some((0..rules.classes.len()).filter(|&class| meant(class)).map(|class| game.cell(base + class) as i64).sum())
        }
        Node::ShownIn(symbol, pool) => {
            let symbol = of!(*symbol);
            Some(game.reader::<true>().shown_in(symbol, *pool, env.me))
        }
        Node::Payable(symbol, pool) => {
            let symbol = of!(*symbol);
            Some(game.reader::<true>().payable(symbol, *pool, env.me))
        }
        Node::ShownBy(local, symbol) => Some(shown_by(rules, of!(*symbol), env.locals[*local as usize])),
    }
}

/// What is read of a card, which is noted if the game is watched.
fn seen<T: PartialEq>(game: &Evaluator<'_>, card: usize, fact: impl Fn(usize) -> T) -> T {
    game.touch(card, &fact);
    fact(card)
}

/// Of each card of a set the body's value, or 1.
fn each(game: &mut Evaluator<'_>, set: u32, env: &Env, body: Option<NodeId>) -> Option<Vec<i64>> {
    let rules = game.rules;
    let local = rules.sets[set as usize].local as usize;
    let mut inner = *env;
    cards_in(game, set, env)?
        .into_iter()
        .map(|card| {
            inner.locals[local] = card;
            body.map_or(Some(1), |body| value(game, body, &inner))
        })
        .collect()
}

/// The cards of a set.
pub(crate) fn cards_in(game: &mut Evaluator<'_>, set: u32, env: &Env) -> Option<Vec<i32>> {
    let rules = game.rules;
    let set = &rules.sets[set as usize];
    let mut found = Vec::new();
    for &place in set.places.iter() {
        let declared = &rules.places[place as usize];
        for at in &rules.layout.places[instances(rules, declared, set.whose, env.me)] {
            for slot in 0..at.room as usize {
                let card = game.cell(at.base as usize + 1 + slot) - 1;
                let is_meant = |card: usize| set.kinds == 0 || set.kinds >> rules.piece_kind[card] & 1 == 1;
                if card < 0 || !seen(game, cast::index(card), is_meant) {
                    continue;
                }
                if let Shape::Grid { columns, .. } = declared.shape
                    && set.rows != 0
                    && set.rows >> (slot / columns as usize + 1) & 1 == 0
                {
                    continue;
                }
                if let Some(counter) = set.with {
                    game.touch_counters(cast::index(card));
                    if game.piece_cell(cast::index(card), counter as usize) <= 0 {
                        continue;
                    }
                }
                let mut inner = *env;
                inner.locals[set.local as usize] = card;
                if let Some(filter) = set.filter
                    && value(game, filter, &inner)? == 0
                {
                    continue;
                }
                found.push(card);
            }
        }
    }
    Some(found)
}

fn each_seat(game: &mut Evaluator<'_>, set: u32, env: &Env, body: Option<NodeId>) -> Option<Vec<i64>> {
    let rules = game.rules;
    let local = rules.player_sets[set as usize].local as usize;
    let mut there = *env;
    there.locals[local] = cast::fit::<i32>(env.me);
    seats_in(game, set, env)?
        .into_iter()
        .map(|me| {
            there.me = me;
            body.map_or(Some(1), |body| value(game, body, &there))
        })
        .collect()
}

/// The seats of a set.
pub(crate) fn seats_in(game: &mut Evaluator<'_>, set: u32, env: &Env) -> Option<Vec<usize>> {
    let rules = game.rules;
    let set = &rules.player_sets[set as usize];
    let mut found = Vec::new();
    for me in (0..rules.players).filter(|&seat| !set.others || seat != env.me) {
        let mut there = Env { me, ..*env };
        there.locals[set.local as usize] = cast::fit::<i32>(env.me);
        if let Some(filter) = set.filter
            && value(game, filter, &there)? == 0
        {
            continue;
        }
        found.push(me);
    }
    Some(found)
}

/// A quantity of a seat, with all changes.
pub(crate) fn quantity(game: &mut Evaluator<'_>, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
    let rules = game.rules;
    let quantity = &rules.quantities[index as usize];
    let env = Env::with(seat, &[-1, args[0], args[1]]);
    let mut number = value(game, quantity.base, &env)?;
    for i in 0..if quantity.differences.is_some() { Lifetime::ALL.len() } else { 0 } {
        let offset = quantity.differences.unwrap_or(0) as usize + i;
        number = number.checked_add(game.cell(rules.layout.seat(seat, offset)) as i64)?;
    }
    game.refresh_active();
    game.touch_speakers(|definition| definition.changes.iter().any(|change| change.quantity == index));
    let speakers = game.changes_of(index).to_vec();
    for pass in [How::To, How::By, How::AtLeast, How::AtMost] {
        for speaker in &speakers {
            let change = &rules.definition(speaker.piece.index()).changes[speaker.entry.index()];
            if change.how != pass || !concerns(change.who, speaker.owner, seat) {
                continue;
            }
            let owner = if speaker.owner == TABLE { seat } else { speaker.owner as usize };
            let env = Env::with(owner, &[speaker.piece.local(), args[0], args[1]]);
            if let Some(when) = change.when
                && value(game, when, &env)? == 0
            {
                continue;
            }
            let amount = value(game, change.amount, &env)?;
            number = match pass {
                How::To => amount,
                How::By => number.checked_add(amount)?,
                How::AtLeast => number.max(amount),
                How::AtMost => number.min(amount),
            };
        }
    }
    if let Some(most) = quantity.most {
        number = number.min(value(game, most, &env)?);
    }
    if let Some(least) = quantity.least {
        number = number.max(value(game, least, &env)?);
    }
    Some(number)
}
