//! Reads where cards lie and what seats have, from the current cells: for code that moves or displays
//! cards.

use super::ruleset::{PlaceDecl, Ruleset, Variable, VariableSort, Whose};
use super::state::State;
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, head, piece};
use std::ops::Range;

/// Returns the indices of the instances of a place: one seat's, those of all seats, or all piles of a deck.
#[inline(always)]
pub fn instances(rules: &Ruleset, declared: &PlaceDecl, whose: Whose, me: usize) -> Range<usize> {
    let first = declared.first_instance as usize;
    match (declared.of_seat, whose) {
        (true, Whose::Mine) => first + me..first + me + 1,
        (true, Whose::All) => first..first + rules.players,
        // A deck may consist of several piles.
        (false, _) => first..first + declared.instances as usize,
    }
}

/// Returns the instance of a place for a seat: its own, or the common one.
#[inline]
pub fn instance(rules: &Ruleset, place: usize, me: usize) -> usize {
    let declared = &rules.places[place];
    declared.first_instance as usize + if declared.of_seat { me } else { 0 }
}

/// Finds a variable of each seat by its name.
pub fn seat_variable<'r>(rules: &'r Ruleset, name: &str) -> Option<&'r Variable> {
    rules.seat.iter().find(|v| v.name == name)
}

/// A read-only view of a state and its rules.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    rules: &'a Ruleset,
    state: &'a State,
}

impl<'a> Position<'a> {
    /// Creates a view of this state under these rules.
    #[inline(always)]
    pub(crate) fn new(rules: &'a Ruleset, state: &'a State) -> Position<'a> {
        Position { rules, state }
    }

    #[inline(always)]
    fn cell(self, index: usize) -> i32 {
        self.state.cells()[index]
    }

    // ------------------------------------------------------------------ seats

    /// Returns the amount of a resource that a seat has.
    pub fn amount(self, seat: usize, resource: usize) -> i64 {
        self.cell(self.rules.layout.seat(seat, resource)) as i64
    }

    /// Returns the value of a resource, counter or flag of a seat; `None` for other variables and unknown names.
    pub fn value_of(self, seat: usize, name: &str) -> Option<i64> {
        let variable = seat_variable(self.rules, name)?;
        if matches!(variable.sort, VariableSort::Tally | VariableSort::Set) {
            return None;
        }
        Some(self.cell(self.rules.layout.seat(seat, variable.offset as usize)) as i64)
    }

    /// Returns the seats in turn order, from its first place on, whoever has a turn now.
    pub fn order(self) -> Vec<usize> {
        self.state.cells()[head::ORDER..head::ORDER + self.rules.players].iter().map(|&seat| cast::index(seat)).collect()
    }

    // ------------------------------------------------------------------ cards

    /// Returns where a piece lies: the index of the instance of a place, and the slot in it, from 0.
    pub fn place_of(self, card: usize) -> (usize, usize) {
        let cell = |offset: usize| cast::index(self.cell(self.rules.layout.piece(card, offset)));
        (cell(piece::PLACE), cell(piece::POSITION))
    }

    /// Returns the number of pieces in an instance of a place.
    pub fn pieces_in(self, instance: usize) -> usize {
        let place = &self.rules.layout.places[instance];
        if place.room == 0 { 0 } else { cast::index(self.cell(place.base as usize)) }
    }

    /// Returns the piece in a slot; `None` if the slot is empty or out of bounds.
    pub fn piece_at(self, instance: usize, slot: usize) -> Option<usize> {
        let place = &self.rules.layout.places[instance];
        let piece = if slot < place.room as usize { self.cell(place.base as usize + 1 + slot) } else { 0 };
        (piece > 0).then(|| cast::index(piece) - 1)
    }

    /// Returns all pieces in an instance of a place, by slot.
    pub fn all_in(self, instance: usize) -> Vec<usize> {
        (0..self.rules.layout.places[instance].room as usize).filter_map(|slot| self.piece_at(instance, slot)).collect()
    }

    /// Returns the first free slot of an instance of a place, among its first `limit` slots.
    pub fn free_slot(self, instance: usize, limit: i64) -> Option<usize> {
        let room = self.rules.layout.places[instance].room as i64;
        let declared = &self.rules.places[self.rules.layout.places[instance].declared as usize];
        (0..cast::index(limit.clamp(0, room))).find(|&slot| declared.is_space(slot) && self.piece_at(instance, slot).is_none())
    }

    /// Whether every player knows which card this is.
    pub fn is_known_to_all(self, card: usize) -> bool {
        let everybody = self.rules.everybody();
        self.state.cells()[self.rules.layout.piece(card, piece::KNOWN)] & everybody == everybody
    }

    /// Returns the top card of a deck; `None` if the deck is empty.
    pub fn top_card(self, instance: usize) -> Option<usize> {
        let count = self.pieces_in(instance);
        count.checked_sub(1).and_then(|top| self.piece_at(instance, top))
    }

    /// Returns the place of a card in words: `out of the game`, `the box`, or the place's name with its owner.
    pub fn place_name(self, card: usize) -> String {
        let instance = self.place_of(card).0;
        match instance {
            OUT => "out of the game".to_string(),
            BOX => "the box".to_string(),
            _ => {
                let place = &self.rules.layout.places[instance];
                let name = &self.rules.places[place.declared as usize].name;
                if place.owner == TABLE { name.clone() } else { format!("p{}.{name}", place.owner + 1) }
            }
        }
    }

    // ------------------------------------------------------------------ hidden information

    /// Whether a seat knows which card this is.
    pub fn knows(self, seat: usize, card: usize) -> bool {
        !self.rules.is_unknown(self.state.cells(), seat, card)
    }

    /// Whether a seat sees the counters of a card: it knows the card, which lies in an open place or in one of its own.
    pub fn sees_counters(self, seat: usize, card: usize) -> bool {
        self.rules.sees_counters(self.state.cells(), seat, card)
    }

    /// Whether information was revealed since an earlier state: a seat has learnt a card, or something was decided at random. The step
    /// between the states must then not be undone.
    pub fn reveals_more(self, earlier: &State) -> bool {
        let (rules, layout) = (self.rules, &self.rules.layout);
        let (now, before) = (self.state.cells(), earlier.cells());
        let known = |card: usize| layout.piece(card, piece::KNOWN);
        let learns = |cell: usize| now[cell] & !before[cell] != 0;
        let parts = |card: usize| rules.clue_offsets().map(move |offset| layout.piece(card, offset));
        let learnt = (0..layout.pieces).any(|card| learns(known(card)) || parts(card).any(learns));
        let of_seats = (0..rules.players).map(|seat| layout.seat(seat, rules.roll_counters.1 as usize));
        let showing = rules.secrets_and_owners().map(|(secret, owner)| rules.knowledge_of_secret(secret, owner));
        let shown = showing.into_iter().any(|cell| (now[cell] & !before[cell]) >> head::MAX_SEATS != 0);
        let rolls = of_seats.chain([rules.roll_counters.0 as usize]).filter(|_| !rules.tokens.is_empty());
        let draws = rules.card_draws.map(usize::from);
        let draws = (0..rules.players).filter_map(|seat| draws.map(|draws| layout.seat(seat, draws)));
        let counters = rolls.chain(draws).chain(rules.shuffle_counter.map(usize::from));
        // A random order of seats leaves no trace but the order, and the counts of rolls restart each round.
        let order = head::ORDER..head::ORDER + rules.players;
        let uncounted = now[head::ROUND] != before[head::ROUND] && !rules.tokens.is_empty();
        learnt || shown || uncounted || order.chain(counters).any(|cell| now[cell] != before[cell])
    }
}
