//! Cards dealt to a seat before the game: only that seat draws them, chooses them or puts them into play.

use super::decision::{Act, Opt, Stop};
use super::ids::PieceId;
use super::slots;
use super::store::Store;
use houserule_state::layout::{BOX, TABLE, head};

/// Returns the dealt card that a seat draws into a place before any other card during set-up: one in this deck, or one in the box if the
/// deck holds cards of the same kind. `None` if there is no such card.
pub(crate) fn dealt_card(store: &Store<'_>, deck: usize, to: usize, me: usize) -> Option<usize> {
    let rules = store.rules;
    let kind = |card: usize| rules.definition(card).kind;
    let drawn = if rules.dealt_cards.is_empty() { None } else { store.position().top_card(deck).map(kind) };
    undelivered(store, me).filter(|&card| rules.place_in_play(kind(card)) == Some(to)).find(|&card| {
        match store.position().place_of(card).0 {
            BOX => rules.deal_effect.is_none() && drawn == Some(kind(card)),
            place => place == deck,
        }
    })
}

/// Returns the cards that were dealt to a seat and have not reached it yet, during set-up.
fn undelivered(store: &Store<'_>, me: usize) -> impl Iterator<Item = usize> {
    let rules = store.rules;
    let pieces = move |definition: u32| (0..rules.layout.pieces).filter(move |&card| rules.piece_definition[card] == definition);
    let owner = |card: usize| rules.layout.places[store.position().place_of(card).0].owner as usize;
    let in_set_up = store.state.cells()[head::ROUND] == 0;
    let dealt_here = rules.dealt_cards.iter().filter(move |&&(_, seat)| in_set_up && seat == me).map(|&(definition, _)| definition);
    dealt_here.filter(move |&definition| !pieces(definition).any(|card| owner(card) == me)).flat_map(pieces)
}

/// During set-up, replaces the options by the card of the same kind that was dealt to the seat, if there is one. The dealt card moves to
/// the slot of an offered card, and the offered card moves to where the dealt one was: as if it had lain there from the start, so that nothing follows
/// from it.
pub(crate) fn choose_dealt_card(store: &mut Store<'_>, seat: usize, options: &mut Vec<Opt>) -> Result<(), Stop> {
    let rules = store.rules;
    let kind = |card: usize| rules.definition(card).kind;
    let on_the_table = |card: usize| {
        let place = &rules.layout.places[store.position().place_of(card).0];
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
        let place = store.position().place_of(*card).0;
        rules.layout.places[place].room == 0 || rules.is_deck(place)
    };
    let offered_instead_of = |dealt: usize| options.iter().rev().filter_map(offered).find(|&(_, card)| kind(card) == kind(dealt));
    let mut chosen =
        undelivered(store, seat).filter(is_undealt).filter_map(|dealt| offered_instead_of(dealt).map(|offered| (dealt, offered)));
    let Some((dealt, (act, offered))) = chosen.next().filter(|_| rules.deal_effect.is_none()) else { return Ok(()) };
    drop(chosen);
    let [(home, _), (place, slot)] = [dealt, offered].map(|card| store.position().place_of(card));
    [dealt, offered].into_iter().try_for_each(|card| slots::move_silently(store, card, BOX, 0))?;
    slots::move_silently(store, dealt, place, slot)?;
    let top = if home == BOX { 0 } else { store.position().pieces_in(home) };
    slots::move_silently(store, offered, home, top)?;
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

/// Returns the top card of a deck, or the bottom one. During set-up, cards that are dealt to a seat are skipped.
pub(crate) fn undealt_card(store: &Store<'_>, deck: usize, from_bottom: bool) -> Option<usize> {
    let rules = store.rules;
    if rules.dealt_cards.is_empty() || store.state.cells()[head::ROUND] > 0 {
        return if from_bottom { store.position().piece_at(deck, 0) } else { store.position().top_card(deck) };
    }
    let is_for_a_seat = |card: &usize| {
        let definition = rules.piece_definition[*card];
        rules.dealt_cards.iter().any(|&(dealt, _)| dealt == definition) && rules.place_in_play(rules.definition(*card).kind).is_some()
    };
    let mut cards = store.position().all_in(deck).into_iter().filter(|card| !is_for_a_seat(card));
    if from_bottom { cards.next() } else { cards.next_back() }
}
