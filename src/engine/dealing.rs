//! Cards dealt to a seat before the game: only that seat draws them, chooses them or puts them into play.

use super::checks;
use super::decision::{Act, Opt, Stop};
use super::ids::PieceId;
use super::listeners;
use super::machine::Machine;
use super::moves;
use super::position::instance;
use super::ruleset::Shape;
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, head, piece};

/// Returns the dealt card that a seat draws into a place before any other card during set-up: one in this deck, or one in the box if the
/// deck holds cards of the same kind. `None` if there is no such card.
pub(crate) fn dealt_card(machine: &Machine<'_>, deck: usize, to: usize, me: usize) -> Option<usize> {
    let rules = machine.rules;
    let kind = |card: usize| rules.definition(card).kind;
    let drawn = if rules.dealt_cards.is_empty() { None } else { machine.position().top_card(deck).map(kind) };
    undelivered(machine, me).filter(|&card| rules.place_in_play(kind(card)) == Some(to)).find(|&card| {
        match machine.position().place_of(card).0 {
            BOX => rules.deal_effect.is_none() && drawn == Some(kind(card)),
            place => place == deck,
        }
    })
}

/// Returns the cards that were dealt to a seat and have not reached it yet, during set-up.
fn undelivered(machine: &Machine<'_>, me: usize) -> impl Iterator<Item = usize> {
    let rules = machine.rules;
    let pieces = move |definition: u32| (0..rules.layout.pieces).filter(move |&card| rules.piece_definition[card] == definition);
    let owner = |card: usize| rules.layout.places[machine.position().place_of(card).0].owner as usize;
    let in_set_up = machine.state.cells()[head::ROUND] == 0;
    let dealt_here = rules.dealt_cards.iter().filter(move |&&(_, seat)| in_set_up && seat == me).map(|&(definition, _)| definition);
    dealt_here.filter(move |&definition| !pieces(definition).any(|card| owner(card) == me)).flat_map(pieces)
}

/// During set-up, replaces the options by the card of the same kind that was dealt to the seat, if there is one. The dealt card moves to
/// the slot of an offered card, and the offered card moves to where the dealt one was.
///
/// # Errors
/// Faults of what happens when a card leaves its place.
pub(crate) fn choose_dealt_card(machine: &mut Machine<'_>, seat: usize, options: &mut Vec<Opt>) -> Result<(), Stop> {
    let rules = machine.rules;
    let kind = |card: usize| rules.definition(card).kind;
    let on_the_table = |card: usize| {
        let place = &rules.layout.places[machine.position().place_of(card).0];
        place.owner == TABLE && place.room > 0
    };
    // An answer that names more than a card is not given for the player.
    let is_a_card = |act: Act| match act {
        Act::Choice(choice, _) => rules.choices[choice as usize].params.len() == 1,
        Act::Card(_) => true,
        Act::Word(_) | Act::Token(..) | Act::Nothing | Act::Done => false,
    };
    let offered = |option: &Opt| {
        let card = usize::try_from(option.act.cards(rules)[0]).ok().filter(|_| is_a_card(option.act))?;
        Some((option.act, card)).filter(|&(_, card)| on_the_table(card))
    };
    let is_undealt = |card: &usize| {
        let place = &rules.layout.places[machine.position().place_of(*card).0];
        place.room == 0 || rules.places[place.declared as usize].shape == Shape::Deck
    };
    let offered_instead_of = |dealt: usize| options.iter().rev().filter_map(offered).find(|&(_, card)| kind(card) == kind(dealt));
    let mut chosen =
        undelivered(machine, seat).filter(is_undealt).filter_map(|dealt| offered_instead_of(dealt).map(|offered| (dealt, offered)));
    let Some((dealt, (act, offered))) = chosen.next().filter(|_| rules.deal_effect.is_none()) else { return Ok(()) };
    drop(chosen);
    let [(home, _), (place, slot)] = [dealt, offered].map(|card| machine.position().place_of(card));
    [dealt, offered].into_iter().try_for_each(|card| moves::move_piece(machine, card, BOX, 0))?;
    moves::move_piece(machine, dealt, place, slot)?;
    let top = if home == BOX { 0 } else { machine.position().pieces_in(home) };
    moves::move_piece(machine, offered, home, top)?;
    let act = match act {
        Act::Choice(choice, mut args) => {
            args[0] = PieceId::at(dealt).local();
            Act::Choice(choice, args)
        }
        Act::Card(_) | Act::Word(_) | Act::Token(..) | Act::Nothing | Act::Done => Act::Card(PieceId::at(dealt).option()),
    };
    *options = vec![Opt::new(rules, act)];
    Ok(())
}

/// Returns the top card of a deck. During set-up, cards that are dealt to a seat are skipped.
pub(crate) fn top_undealt_card(machine: &Machine<'_>, deck: usize) -> Option<usize> {
    let rules = machine.rules;
    if rules.dealt_cards.is_empty() || machine.state.cells()[head::ROUND] > 0 {
        return machine.position().top_card(deck);
    }
    let is_for_a_seat = |card: &usize| {
        let definition = rules.piece_definition[*card];
        rules.dealt_cards.iter().any(|&(dealt, _)| dealt == definition) && rules.place_in_play(rules.definition(*card).kind).is_some()
    };
    (0..machine.position().pieces_in(deck))
        .rev()
        .filter_map(|slot| machine.position().piece_at(deck, slot))
        .find(|card| !is_for_a_seat(card))
}

/// Puts a dealt card into play. It goes to the place of its kind, over the first card there if no slot is free; if its kind has no place,
/// it goes on top of its deck.
pub(crate) fn put_dealt(machine: &mut Machine<'_>, definition: u32, seat: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let Some(card) = (0..rules.layout.pieces).find(|&p| rules.piece_definition[p] == definition) else { return Ok(()) };
    let current = cast::index(machine.state.cells()[rules.layout.piece(card, piece::PLACE)]);
    let Some(place) = rules.place_in_play(rules.definition(card).kind) else {
        let count = machine.position().pieces_in(current);
        if count > 0 && rules.places[rules.layout.places[current].declared as usize].shape == Shape::Deck {
            moves::move_silently(machine, card, OUT, 0)?;
            moves::move_silently(machine, card, current, count - 1)?;
            machine.put(rules.layout.piece(card, piece::KNOWN), 0)?;
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
        listeners::effect_later(machine, effect, seat, [cast::fit::<i32>(card), -1, -1, -1]);
        return Ok(());
    }
    let instance = instance(rules, place, seat);
    let room = rules.layout.places[instance].room as i64;
    let limit = rules.places[place].limit.map_or(room, |q| machine.quantity(q, seat, [-1; 2]));
    let slot = match machine.position().free_slot(instance, limit) {
        Some(slot) => slot,
        None => {
            if let Some(covered) = machine.position().piece_at(instance, 0) {
                may_cover(machine, (card, seat), covered)?;
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
fn may_cover(machine: &Machine<'_>, (card, seat): (usize, usize), covered: usize) -> Result<(), Stop> {
    let rules = machine.rules;
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
