//! Puts cards into play that were dealt to seats before the game.

use super::decision::Stop;
use super::machine::Machine;
use super::position::instance;
use super::ruleset::Shape;
use super::store::Store;
use super::{checks, listeners, moves, slots};
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, piece};

/// Puts all dealt cards into play.
///
/// # Errors
/// See [`put_dealt`].
pub(crate) fn put_all_dealt(machine: &mut Machine<'_>) -> Result<(), Stop> {
    machine.store.rules.dealt_cards.iter().try_for_each(|&(definition, seat)| put_dealt(machine, definition, seat))
}

/// Puts a dealt card into play. It goes to the place of its kind, over the first card there if no slot is free; if its kind has no place,
/// it goes on top of its deck.
fn put_dealt(machine: &mut Machine<'_>, definition: u32, seat: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let Some(card) = (0..rules.layout.pieces).find(|&p| rules.piece_definition[p] == definition) else { return Ok(()) };
    let current = cast::index(machine.store.state.cells()[rules.layout.piece(card, piece::PLACE)]);
    let Some(place) = rules.place_in_play(rules.definition(card).kind) else {
        let count = machine.store.position().pieces_in(current);
        if count > 0 && rules.places[rules.layout.places[current].declared as usize].shape == Shape::Deck {
            slots::move_silently(&mut machine.store, card, OUT, 0)?;
            slots::move_silently(&mut machine.store, card, current, count - 1)?;
            slots::hide_from_all(&mut machine.store, card)?;
        }
        return Ok(());
    };
    match rules.layout.places[current].owner {
        TABLE => {}
        owner if owner as usize == seat => return Ok(()),
        owner => {
            let id = rules.names.text(rules.definition(card).id);
            return Err(Stop::fault(format!("`{id}` was dealt to p{}, but set-up has given it to p{}", seat + 1, owner + 1)));
        }
    }
    if let Some(effect) = rules.deal_effect {
        listeners::effect_later(&mut machine.store, effect, seat, [cast::fit::<i32>(card), -1, -1, -1]);
        return Ok(());
    }
    let instance = instance(rules, place, seat);
    let room = rules.layout.places[instance].room as i64;
    let limit = rules.places[place].limit.map_or(room, |q| machine.store.quantity(q, seat, [-1; 2]));
    let slot = match machine.store.position().free_slot(instance, limit) {
        Some(slot) => slot,
        None => {
            if let Some(covered) = machine.store.position().piece_at(instance, 0) {
                may_cover(&machine.store, (card, seat), covered)?;
                moves::remove(machine, covered)?;
            }
            0
        }
    };
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}

/// Whether a dealt card may cover another card.
///
/// # Errors
/// The other card was dealt as well, or came from a deck, so that set-up may already have applied its benefits.
fn may_cover(store: &Store<'_>, (card, seat): (usize, usize), covered: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let name = |card: usize| rules.names.text(rules.definition(card).id);
    let message = format!("`{}` was dealt to p{} over `{}`", name(card), seat + 1, name(covered));
    if rules.dealt_cards.contains(&(rules.piece_definition[covered], seat)) {
        return Err(Stop::fault(format!("{message}, dealt as well: there is no more room")));
    }
    if rules.piece_home[covered] != cast::fit::<u16>(BOX) {
        let way = "choose options with which it is drawn for each player, or deal another one";
        return Err(Stop::fault(format!("{message}, which set-up has given from a deck; {way}")));
    }
    Ok(())
}
