//! Statements that change resources, variables, what seats know and their order: they evaluate operands, and leave the change to [`change`],
//! [`showing`] and [`secrecy`]. The checks are not run here.

use crate::decision::Stop;
use crate::eval::Env;
use crate::op::{Target, Viewers, Write};
use crate::queued_frame::QueuedFrame;
use crate::ruleset::{Cells, Compare, NodeId, OrderKey, Owner};
use crate::store::Store;
use crate::{cast, change, listeners, locals, secrecy, sets, showing};
use houserule_state::chance::{draw, hash_text};
use houserule_state::layout::{TABLE, head};

/// The name, as a hash, of the random stream that orders seats.
const ORDER: u64 = hash_text("order");

fn amount_and_resource(store: &mut Store<'_>, amount: NodeId, resource: NodeId, env: &mut Env) -> Result<(i64, usize), Stop> {
    let (amount, resource) = (store.eval(amount, env), store.eval(resource, env));
    match usize::try_from(resource) {
        Ok(resource) if resource < store.rules.resources.len() => Ok((amount, resource)),
        _ => Err(Stop::fault("a statement names something that is no resource")),
    }
}

/// Gives an amount of a resource.
pub(super) fn gain(store: &mut Store<'_>, amount: NodeId, resource: NodeId, env: &mut Env) -> Result<(), Stop> {
    let (amount, resource) = amount_and_resource(store, amount, resource, env)?;
    change::gain(store, env.me, resource, amount)
}

/// Takes an amount of a resource by force. Returns the frame that follows: of what replaces it, or of a shortage rule.
pub(super) fn lose(
    store: &mut Store<'_>,
    amount: NodeId,
    resource: NodeId,
    name: Option<u16>,
    env: &mut Env,
) -> Result<Option<QueuedFrame>, Stop> {
    let (amount, resource) = amount_and_resource(store, amount, resource, env)?;
    let instead = name.filter(|_| amount > 0).and_then(|name| listeners::replaced(store, name, Some(env.me)));
    if instead.is_some() { Ok(instead) } else { change::take_forced(store, env.me, resource, amount) }
}

/// Pays an amount of a resource.
pub(super) fn pay(store: &mut Store<'_>, amount: NodeId, resource: NodeId, env: &mut Env) -> Result<(), Stop> {
    let (amount, resource) = amount_and_resource(store, amount, resource, env)?;
    change::pay(store, env.me, &[(resource, amount)])
}

/// Expects that nothing is lacking of a price.
///
/// # Errors
/// A fault, if something is.
pub(super) fn expect_paid(store: &mut Store<'_>, lacking: NodeId, env: &mut Env) -> Result<(), Stop> {
    match store.eval(lacking, env) {
        ..=0 => Ok(()),
        lacking => Err(store.fault(format!("a price had to be paid of which something is lacking: {lacking}"))),
    }
}

/// Pays several costs together, each an amount and a resource.
pub(super) fn pay_costs(store: &mut Store<'_>, due: impl Iterator<Item = (NodeId, u8)>, env: &mut Env) -> Result<(), Stop> {
    let mut costs = std::mem::take(&mut store.live.lists.costs);
    costs.clear();
    costs.extend(due.map(|(amount, resource)| (usize::from(resource), store.eval(amount, env))));
    let paid = change::pay(store, env.me, &costs);
    store.live.lists.costs = costs;
    paid
}

/// Pays the costs of an action in resources.
pub(super) fn pay_costs_of(store: &mut Store<'_>, choice: u16, env: &mut Env) -> Result<(), Stop> {
    let costs = store.rules.choices[usize::from(choice)].costs.iter().filter(|cost| cost.tokens.is_none());
    pay_costs(store, costs.map(|cost| (cost.amount, cost.resource)), env)
}

/// Pays the costs of an action printed on a card, and counts the use.
pub(super) fn pay_card(store: &mut Store<'_>, env: &mut Env) -> Result<(), Stop> {
    let (rules, card) = (store.rules, cast::index(env.locals[0]));
    let Some(action) = &rules.definition(card).action else { return Ok(()) };
    pay_costs(store, action.costs.iter().copied(), env)?;
    action.limit.map_or(Ok(()), |(_, used)| store.add(rules.layout.piece(card, usize::from(used)), 1))
}

/// Assigns to a variable.
pub(super) fn write(store: &mut Store<'_>, (target, write, value): &(Target, Write, NodeId), env: &mut Env) -> Result<(), Stop> {
    let value = store.eval(*value, env);
    change::write_target(store, target, *write, value, env)
}

/// Puts a word into a set, or takes it out; nothing happens without a piece.
pub(super) fn write_word(
    store: &mut Store<'_>,
    of: Cells,
    offset: usize,
    (word, is_in): (NodeId, bool),
    env: &mut Env,
) -> Result<(), Stop> {
    let rules = store.rules;
    let (whose, variables) = match of {
        Cells::Table => (Some(0), &rules.table),
        Cells::Seat(seat) => (store.owner_of(seat, env), &rules.seat),
        Cells::Piece(card) => (usize::try_from(store.eval(card, env)).ok(), &rules.piece),
    };
    let word = store.eval(word, env);
    let Some(whose) = whose else { return Ok(()) };
    let set = store.state.cells()[change::cell_of(rules, of, whose, offset)];
    let set = change::with_word(rules, (variables, offset), set, word, is_in)?;
    change::write_cell(store, of, whose, offset, set.into())
}

/// Makes the cards of a set known to seats.
pub(super) fn show(store: &mut Store<'_>, set: u32, to: Viewers, env: &mut Env) -> Result<(), Stop> {
    let seats = showing::viewers(store, to, env);
    let mut cards = std::mem::take(&mut store.live.lists.cards);
    sets::cards_of(store, set, env, &mut cards);
    let shown = showing::show(store, &cards, seats);
    store.live.lists.cards = cards;
    shown
}

/// Makes a card known to seats.
pub(super) fn show_card(store: &mut Store<'_>, card: NodeId, to: Viewers, env: &mut Env) -> Result<(), Stop> {
    let (card, seats) = (store.eval(card, env), showing::viewers(store, to, env));
    match i32::try_from(card) {
        Ok(card) if card >= 0 => showing::show(store, &[card], seats),
        _ => Ok(()),
    }
}

/// Makes the value of a field of a card known to seats, or whether it compares so with another.
pub(super) fn show_part(
    store: &mut Store<'_>,
    (card, clue): (NodeId, u16),
    whether: Option<(Compare, NodeId)>,
    to: Viewers,
    env: &mut Env,
) -> Result<(), Stop> {
    let (card, seats) = (store.eval(card, env), showing::viewers(store, to, env));
    // Who does not know with what it is compared would be told that as well.
    let unaware = whether.map_or(0, |(_, other)| locals::seats_without(store, other, env));
    let seats = seats & !unaware;
    let whether = whether.map(|(compare, other)| (compare, store.eval(other, env)));
    match usize::try_from(card) {
        Ok(card) => showing::show_part(store, (card, clue), whether, seats),
        Err(_) => Ok(()),
    }
}

/// Shows a hidden value of the current seat or of another one to seats.
pub(super) fn show_value(store: &mut Store<'_>, secret: u16, owner: Option<NodeId>, to: Viewers, env: &mut Env) -> Result<(), Stop> {
    let (owner, seats) = (store.owner_of(owner, env), showing::viewers(store, to, env));
    let Some(owner) = owner else { return Ok(()) };
    let owner = if store.rules.secrets[usize::from(secret)].slot.owner == Owner::Player { cast::seat(owner) } else { TABLE };
    secrecy::show_value(store, secret.into(), owner, seats)
}

/// Sorts the order of seats.
pub(super) fn order_by(store: &mut Store<'_>, keys: &[OrderKey]) -> Result<(), Stop> {
    let seats = store.ordered(keys);
    change::set_order(store, &seats[..store.rules.players])
}

/// Rotates the order of seats, so that it begins with the first seat for which a condition holds. Returns whether there is one.
pub(super) fn order_from(store: &mut Store<'_>, holds: NodeId, env: &Env) -> Result<bool, Stop> {
    let mut seats = store.position().order();
    let found = seats.iter().position(|&me| store.holds(holds, &mut Env { me, ..*env }));
    let Some(first) = found else { return Ok(false) };
    seats.rotate_left(first);
    change::set_order(store, &seats)?;
    Ok(true)
}

/// Reverses the order of seats.
pub(super) fn order_reversed(store: &mut Store<'_>) -> Result<(), Stop> {
    let mut seats = store.position().order();
    seats.reverse();
    change::set_order(store, &seats)
}

/// Shuffles the order of seats.
pub(super) fn order_random(store: &mut Store<'_>) -> Result<(), Stop> {
    let seed = store.seed_of_chance();
    let mut seats: [usize; head::MAX_SEATS] = std::array::from_fn(|seat| seat);
    let seats = &mut seats[..store.rules.players];
    seats.sort_by_key(|&seat| draw(seed, ORDER, seat as u64));
    change::set_order(store, seats)
}
