//! Puts a card into a place of a seat, perhaps over another card of the seat's choice. No card leaves the game unless the rules say so.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::ids::PieceId;
use super::machine::Machine;
use super::op::Placing;
use super::position::instance;
use super::ruleset::{NodeId, Shape};
use super::store::Store;
use super::{card_log, checks, forgetting, moves, question, slots};
use crate::cast;
use houserule_state::layout::{BOX, OUT, piece};

/// When a card covers another one, of the choice of the seat: the other leaves the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Never: a place without a free slot is a fault.
    Never,
    /// Where no slot is free.
    WhenFull,
    /// If the seat chooses so, also where a slot is free.
    ByChoice,
}

/// [`super::op::Op::PlaceInSlot`]: puts a card into the place of its kind.
///
/// # Errors
/// See [`place`]; or cards of its kind have no place of their own.
pub(crate) fn place_in_slot(machine: &mut Machine<'_>, card: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let Ok(card) = usize::try_from(machine.store.eval(card, env)) else { return Ok(()) };
    let kind = &rules.kinds[usize::from(rules.definition(card).kind)];
    match kind.slot {
        Some(slot) => place(machine, card, slot.into(), env.me, Cover::WhenFull),
        None => Err(Stop::fault(format!("cards of kind `{}` have no slot", rules.names.text(kind.name)))),
    }
}

/// [`super::op::Op::PlaceIn`]: puts a card into a place, of the current seat or of another one.
///
/// # Errors
/// See [`place`].
pub(crate) fn place_in(
    machine: &mut Machine<'_>,
    card: NodeId,
    (to, owner): (u16, Option<NodeId>),
    how: Placing,
    env: &mut Env,
) -> Result<(), Stop> {
    let card = machine.store.eval(card, env);
    let (Ok(card), Some(owner)) = (usize::try_from(card), machine.store.owner_of(owner, env)) else { return Ok(()) };
    match how {
        Placing::Free => place(machine, card, to.into(), owner, Cover::Never),
        Placing::OverOne => place(machine, card, to.into(), owner, Cover::ByChoice),
        Placing::Under => place_under(machine, card, to.into(), owner),
    }
}

/// Puts a card below all others in a place of a seat, where cards lie upon each other.
fn place_under(machine: &mut Machine<'_>, card: usize, to: usize, me: usize) -> Result<(), Stop> {
    place(machine, card, to, me, Cover::Never)?;
    let instance = instance(machine.store.rules, to, me);
    if machine.store.position().place_of(card).0 != instance {
        return Ok(());
    }
    let others = machine.store.position().all_in(instance).into_iter().filter(|&other| other != card);
    let order: Vec<usize> = [card].into_iter().chain(others).collect();
    slots::reorder(&mut machine.store, instance, &order)?;
    checks::after_change(machine)
}

/// Puts a card into a place of a seat. A card that lies there already goes on top where cards lie upon each other, and else stays.
///
/// # Errors
/// [`Stop::Ask`] if there is a choice, or a fault if no slot is free and no card may be covered.
pub fn place(machine: &mut Machine<'_>, card: usize, place: usize, me: usize, cover: Cover) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let instance = instance(rules, place, me);
    if cover != Cover::ByChoice && machine.store.position().place_of(card).0 == instance {
        return to_top(machine, card, instance);
    }
    let room = rules.layout.places[instance].room as i64;
    let limit = rules.places[place].limit.map_or(room, |q| machine.store.quantity(q, me, [-1; 2])).clamp(0, room);
    let free = machine.store.position().free_slot(instance, limit);
    if free.is_none() && cover == Cover::Never {
        return Err(no_room(&machine.store, card, place, limit));
    }
    let chosen = question::ask(machine, me, Question::Cover, |game, options| {
        if free.is_some() && cover != Cover::ByChoice {
            return;
        }
        for slot in 0..cast::index(limit) {
            options
                .extend(game.position().piece_at(instance, slot).map(|covered| Opt::new(rules, Act::Card(PieceId::at(covered).option()))));
        }
        if free.is_some() && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    })?;
    let slot = match chosen {
        Some(Opt { act: Act::Card(covered), .. }) => {
            let slot = cast::index(machine.store.state.cells()[rules.layout.piece(cast::index(covered), piece::POSITION)]);
            machine.without_checks(|machine| moves::remove(machine, cast::index(covered)))?;
            Some(slot)
        }
        _ => free,
    };
    let Some(slot) = slot else { return Err(no_room(&machine.store, card, place, limit)) };
    let was_known = machine.store.state.cells()[rules.layout.piece(card, piece::KNOWN)];
    let (old_place, told) = (machine.store.position().place_of(card).0, forgetting::told_which(&machine.store, card, instance));
    let is_told = |seat: usize| {
        rules.sees_into(old_place, seat) && old_place != BOX || rules.sees_into(instance, seat) || (told & was_known) >> seat & 1 == 1
    };
    let name = &rules.places[place].name;
    card_log::log_cards(&mut machine.store, [card], is_told, |[card]| format!("p{}: {card} is placed in {name}", me + 1));
    forgetting::before_move(&mut machine.store, card, instance);
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}

/// Puts a card on top of those in its place, where they lie upon each other.
fn to_top(machine: &mut Machine<'_>, card: usize, instance: usize) -> Result<(), Stop> {
    let declared = &machine.store.rules.places[machine.store.rules.layout.places[instance].declared as usize];
    if declared.shape != Shape::Deck && !declared.heap {
        return Ok(());
    }
    let unaware = machine.store.rules.everybody() & !forgetting::told_which(&machine.store, card, instance);
    forgetting::forget(&mut machine.store, instance, unaware)?;
    let known = machine.store.rules.layout.piece(card, piece::KNOWN);
    let (seen, last) = (machine.store.state.cells()[known], machine.store.position().pieces_in(instance) - 1);
    slots::move_silently(&mut machine.store, card, OUT, 0)?;
    slots::move_silently(&mut machine.store, card, instance, last)?;
    machine.store.put(known, seen.into())?;
    checks::after_change(machine)
}

/// The fault that a card is put where no slot is free.
pub(super) fn no_room(store: &Store<'_>, card: usize, place: usize, limit: i64) -> Stop {
    let rules = store.rules;
    let (name, card) = (&rules.places[place].name, rules.names.text(rules.definition(card).id));
    let cards = if limit == 1 { "card" } else { "cards" };
    let way = match rules.places[place].shape {
        Shape::Slots => format!("; `place {name} of KIND: NUMBER` makes more, and `, or over one` lets it cover a card"),
        Shape::Deck | Shape::Grid { .. } => String::new(),
    };
    store.fault(format!("`{card}` was put in `{name}`, where no place is free: there is room for {limit} {cards}{way}"))
}
