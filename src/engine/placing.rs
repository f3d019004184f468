//! Puts a card into a place of a seat, perhaps over another card of the seat's choice. No card leaves the game unless the rules say so.

use super::card_log;
use super::checks;
use super::decision::{Act, Opt, Question, Stop};
use super::forgetting;
use super::ids::PieceId;
use super::machine::Machine;
use super::moves;
use super::position::instance;
use super::question;
use super::ruleset::Shape;
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

/// Puts a card into a place of a seat. A card that lies there already goes on top where cards lie upon each other, and else stays.
///
/// # Errors
/// [`Stop::Ask`] if there is a choice, or a fault if no slot is free and no card may be covered.
pub fn place(machine: &mut Machine<'_>, card: usize, place: usize, me: usize, cover: Cover) -> Result<(), Stop> {
    let rules = machine.rules;
    let instance = instance(rules, place, me);
    if cover != Cover::ByChoice && machine.position().place_of(card).0 == instance {
        return to_top(machine, card, instance);
    }
    let room = rules.layout.places[instance].room as i64;
    let limit = rules.places[place].limit.map_or(room, |q| machine.quantity(q, me, [-1; 2])).clamp(0, room);
    let free = machine.position().free_slot(instance, limit);
    if free.is_none() && cover == Cover::Never {
        return Err(no_room(machine, card, place, limit));
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
            let slot = cast::index(machine.state.cells()[rules.layout.piece(cast::index(covered), piece::POSITION)]);
            machine.memory.run.suppressed += 1;
            let removed = moves::remove(machine, cast::index(covered));
            machine.memory.run.suppressed -= 1;
            removed?;
            Some(slot)
        }
        _ => free,
    };
    let Some(slot) = slot else { return Err(no_room(machine, card, place, limit)) };
    let was_known = machine.state.cells()[rules.layout.piece(card, piece::KNOWN)];
    let (old_place, told) = (machine.position().place_of(card).0, forgetting::told_which(machine, card, instance));
    let is_told = |seat: usize| {
        rules.sees_into(old_place, seat) && old_place != BOX || rules.sees_into(instance, seat) || (told & was_known) >> seat & 1 == 1
    };
    let name = &rules.places[place].name;
    card_log::log_cards(machine, [card], |_, _, seat| is_told(seat), |[card]| format!("p{}: {card} is placed in {name}", me + 1));
    forgetting::before_move(machine, card, instance);
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}

/// Puts a card on top of those in its place, where they lie upon each other.
fn to_top(machine: &mut Machine<'_>, card: usize, instance: usize) -> Result<(), Stop> {
    let declared = &machine.rules.places[machine.rules.layout.places[instance].declared as usize];
    if declared.shape != Shape::Deck && !declared.heap {
        return Ok(());
    }
    let unaware = machine.rules.everybody() & !forgetting::told_which(machine, card, instance);
    forgetting::forget(machine, instance, unaware)?;
    let known = machine.rules.layout.piece(card, piece::KNOWN);
    let (seen, last) = (machine.state.cells()[known], machine.position().pieces_in(instance) - 1);
    moves::move_silently(machine, card, OUT, 0)?;
    moves::move_silently(machine, card, instance, last)?;
    machine.put(known, seen.into())?;
    checks::after_change(machine)
}

/// The fault that a card is put where no slot is free.
pub(super) fn no_room(machine: &Machine<'_>, card: usize, place: usize, limit: i64) -> Stop {
    let rules = machine.rules;
    let (name, card) = (&rules.places[place].name, rules.names.text(rules.definition(card).id));
    let cards = if limit == 1 { "card" } else { "cards" };
    let way = match rules.places[place].shape {
        Shape::Slots => format!("; `place {name} of KIND: NUMBER` makes more, and `, or over one` lets it cover a card"),
        Shape::Deck | Shape::Grid { .. } => String::new(),
    };
    machine.fault(format!("`{card}` was put in `{name}`, where no place is free: there is room for {limit} {cards}{way}"))
}
