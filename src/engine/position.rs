//! Where everything lies, read as it is now and without any note of it: for whoever moves cards, and whoever shows them.

use super::ruleset::{PlaceDecl, Ruleset, Variable, VariableSort, Whose};
use super::state::State;
use crate::cast;
use houserule_state::layout::{BOX, OUT, TABLE, head, piece};
use std::ops::Range;

/// The instances of a place that are meant: one seat's, or those of all; all piles of a deck.
#[inline(always)]
pub fn instances(rules: &Ruleset, declared: &PlaceDecl, whose: Whose, me: usize) -> Range<usize> {
    let first = declared.first as usize;
    match (declared.of_seat, whose) {
        (true, Whose::Mine) => first + me..first + me + 1,
        (true, Whose::All) => first..first + rules.players,
        // A deck may be several piles.
        (false, _) => first..first + declared.instances as usize,
    }
}

/// The instance of a declared place that a seat speaks of: its own, or the table's.
#[inline]
pub fn instance(rules: &Ruleset, place: usize, me: usize) -> usize {
    let declared = &rules.places[place];
    declared.first as usize + if declared.of_seat { me } else { 0 }
}

/// A resource, counter, flag, set or tally of each seat, by its name.
pub fn seat_variable<'r>(rules: &'r Ruleset, name: &str) -> Option<&'r Variable> {
    rules.seat.iter().find(|v| v.name == name)
}

/// A state beside its rules, to be looked at.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    rules: &'a Ruleset,
    state: &'a State,
}

impl<'a> Position<'a> {
    /// This state under these rules.
    #[inline(always)]
    pub(crate) fn new(rules: &'a Ruleset, state: &'a State) -> Position<'a> {
        Position { rules, state }
    }

    #[inline(always)]
    fn cell(self, index: usize) -> i32 {
        self.state.cells()[index]
    }

    // ------------------------------------------------------------------ seats

    /// What a seat has of a resource.
    pub fn amount(self, seat: usize, resource: usize) -> i64 {
        self.cell(self.rules.layout.seat(seat, resource)) as i64
    }

    /// The value of a resource, counter or flag of a seat, as it stands at the open question.
    pub fn value_of(self, seat: usize, name: &str) -> Option<i64> {
        let variable = seat_variable(self.rules, name)?;
        if matches!(variable.sort, VariableSort::Tally | VariableSort::Set) {
            return None;
        }
        Some(self.cell(self.rules.layout.seat(seat, variable.offset as usize)) as i64)
    }

    /// The seats in turn order.
    pub fn order(self) -> Vec<usize> {
        self.state.cells()[head::ORDER..head::ORDER + self.rules.players].iter().map(|&seat| cast::index(seat)).collect()
    }

    /// How many dice have been rolled and tokens taken at random in this round, by all and for the table: it differs between two states if
    /// something fell between them.
    pub fn rolls(self) -> i64 {
        if self.rules.tokens.is_empty() {
            return 0;
        }
        let of_seat = |seat: usize| i64::from(self.cell(self.rules.layout.seat(seat, self.rules.rolled.1 as usize)));
        i64::from(self.cell(self.rules.rolled.0 as usize)) + (0..self.rules.players).map(of_seat).sum::<i64>()
    }

    // ------------------------------------------------------------------ cards

    /// Where a piece lies: the instance of a place, and the slot there, from 0.
    pub fn place_of(self, card: usize) -> (usize, usize) {
        let cell = |offset: usize| cast::index(self.cell(self.rules.layout.piece(card, offset)));
        (cell(piece::PLACE), cell(piece::POSITION))
    }

    /// How many pieces lie in the instance of a place.
    pub fn pieces_in(self, instance: usize) -> usize {
        let at = &self.rules.layout.places[instance];
        if at.room == 0 { 0 } else { cast::index(self.cell(at.base as usize)) }
    }

    /// The piece in a slot.
    pub fn piece_at(self, instance: usize, slot: usize) -> Option<usize> {
        let at = &self.rules.layout.places[instance];
        let piece = if slot < at.room as usize { self.cell(at.base as usize + 1 + slot) } else { 0 };
        (piece > 0).then(|| cast::index(piece) - 1)
    }

    /// All pieces in the instance of a place, by slot.
    pub fn all_in(self, instance: usize) -> Vec<usize> {
        (0..self.rules.layout.places[instance].room as usize).filter_map(|slot| self.piece_at(instance, slot)).collect()
    }

    /// The first free slot of the instance of a place, of so many from the first on.
    pub fn free_slot(self, instance: usize, limit: i64) -> Option<usize> {
        let room = self.rules.layout.places[instance].room as i64;
        let declared = &self.rules.places[self.rules.layout.places[instance].declared as usize];
        (0..cast::index(limit.clamp(0, room))).find(|&slot| declared.is_space(slot) && self.piece_at(instance, slot).is_none())
    }

    /// The top card of a deck.
    pub fn top_card(self, instance: usize) -> Option<usize> {
        let count = self.pieces_in(instance);
        count.checked_sub(1).and_then(|top| self.piece_at(instance, top))
    }

    /// The place of a card for people: `out of the game`, or the place's name with its owner.
    pub fn where_is(self, card: usize) -> String {
        let instance = self.place_of(card).0;
        match instance {
            OUT => "out of the game".to_string(),
            BOX => "the box".to_string(),
            _ => {
                let at = &self.rules.layout.places[instance];
                let name = &self.rules.places[at.declared as usize].name;
                if at.owner == TABLE { name.clone() } else { format!("p{}.{name}", at.owner + 1) }
            }
        }
    }

    // ------------------------------------------------------------------ who knows what

    /// Whether a seat knows which card this is.
    pub fn knows(self, seat: usize, card: usize) -> bool {
        !self.rules.is_unknown(self.state.cells(), seat, card)
    }

    /// Whether a seat sees what is counted on a card: one that it knows, and that lies open or with itself.
    pub fn sees_counters(self, seat: usize, card: usize) -> bool {
        self.rules.sees_counters(self.state.cells(), seat, card)
    }

    /// Whether more is known here than in an earlier state: some seat knows a card that it did not know, or chance has decided something.
    /// Who has seen that cannot take back what led to it.
    pub fn reveals_more(self, earlier: &State) -> bool {
        let (rules, layout) = (self.rules, &self.rules.layout);
        let (now, then) = (self.state.cells(), earlier.cells());
        let known = |card: usize| layout.piece(card, piece::KNOWN);
        let learnt = (0..layout.pieces).any(|card| now[known(card)] & !then[known(card)] != 0);
        let of_seats = (0..rules.players).map(|seat| layout.seat(seat, rules.rolled.1 as usize));
        let rolls = of_seats.chain([rules.rolled.0 as usize]).filter(|_| !rules.tokens.is_empty());
        let counters = rolls.chain(rules.shuffled.map(usize::from));
        // An order may be drawn, and nothing counts how often; and rolls are counted anew in each round.
        let order = head::ORDER..head::ORDER + rules.players;
        let uncounted = now[head::ROUND] != then[head::ROUND] && !rules.tokens.is_empty();
        learnt || uncounted || order.chain(counters).any(|cell| now[cell] != then[cell])
    }
}
