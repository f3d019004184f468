//! Reads cells for expressions, in the view of a simultaneous block.

mod pools;

pub(crate) use pools::{classes, decode_token, encode_token, exchange_count, mask_of_set, pool_base, shown_by};

use super::env::ReadView;
use super::position::instance;
use super::ruleset::{Ruleset, Shape};
use super::state::State;
use crate::cast;
use houserule_ruleset::boards::UNREACHABLE;
use houserule_state::layout::{PIECE, PlaceInstance, TABLE, head, piece};

/// Reads cells for the value being evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    rules: &'a Ruleset,
    current: &'a [i32],
    /// During a simultaneous block: the cells at its start.
    snapshot: &'a [i32],
    view: ReadView,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a state for this view.
    #[inline(always)]
    pub fn new(rules: &'a Ruleset, state: &'a State, view: ReadView) -> Reader<'a> {
        Reader { rules, current: state.cells(), snapshot: state.snapshot(), view }
    }

    // ------------------------------------------------------------------ cells of any owner

    /// Returns a cell of any owner.
    #[inline(always)]
    pub fn cell(self, index: usize) -> i32 {
        if self.view == ReadView::Current { self.current[index] } else { self.block_cell(index) }
    }

    /// Returns a cell of a piece.
    #[inline(always)]
    pub fn piece_cell(self, card: usize, offset: usize) -> i32 {
        let index = self.rules.layout.piece(card, offset);
        match self.view {
            ReadView::Current => self.current[index],
            ReadView::OwnCurrent(seat) if self.owner_now(card) == seat => self.current[index],
            ReadView::OwnCurrent(_) | ReadView::Snapshot => self.snapshot[index],
        }
    }

    /// Returns the seat that owns the place where a piece lies, or [`TABLE`].
    #[inline]
    pub fn owner_of(self, card: usize) -> u8 {
        self.rules.layout.places[self.place_of(card)].owner
    }

    #[inline]
    fn owner_now(self, card: usize) -> u8 {
        let place = cast::index(self.current[self.rules.layout.piece(card, piece::PLACE)]);
        self.rules.layout.places[place].owner
    }

    #[cold]
    fn block_cell(self, index: usize) -> i32 {
        match self.view {
            ReadView::Current => self.current[index],
            ReadView::Snapshot => self.snapshot[index],
            ReadView::OwnCurrent(seat) => {
                let layout = &self.rules.layout;
                let owner = match layout.owner_of[index] {
                    PIECE => self.owner_now((index - layout.piece_base) / layout.piece_size),
                    owner => owner,
                };
                if owner == seat { self.current[index] } else { self.snapshot[index] }
            }
        }
    }

    // ------------------------------------------------------------------ cells of a known owner

    /// Returns a cell of a seat, a place or the table.
    #[inline(always)]
    fn owned_cell(self, owner: u8, index: usize) -> i64 {
        let cells = match self.view {
            ReadView::Current => self.current,
            ReadView::OwnCurrent(seat) if seat == owner => self.current,
            ReadView::OwnCurrent(_) | ReadView::Snapshot => self.snapshot,
        };
        cells[index] as i64
    }

    /// Returns a cell of the table.
    #[inline(always)]
    pub fn table_cell(self, index: usize) -> i64 {
        self.owned_cell(TABLE, index)
    }

    /// Returns an element of a run of cells of the table; 0 if the index is out of bounds.
    pub fn table_element(self, (cell, len): (u32, u16), index: i64) -> i64 {
        if index >= 0 && index < len as i64 { self.table_cell(cell as usize + cast::index(index)) } else { 0 }
    }

    /// Returns a cell of a seat.
    #[inline(always)]
    pub fn seat_cell(self, me: usize, offset: u16) -> i64 {
        self.owned_cell(cast::seat(me), self.rules.layout.seat(me, offset as usize))
    }

    /// Returns an element of a run of cells of a seat; 0 if the index is out of bounds.
    #[inline(always)]
    pub fn seat_element(self, me: usize, (offset, len): (u16, u16), index: i64) -> i64 {
        if index >= 0 && index < len as i64 { self.seat_cell(me, offset + cast::low::<u16>(index)) } else { 0 }
    }

    /// Returns a counter of a piece; 0 for no piece.
    #[inline(always)]
    pub fn counter(self, card: i64, offset: u8) -> i64 {
        usize::try_from(card).map_or(0, |card| self.piece_cell(card, offset as usize) as i64)
    }

    /// Returns the position of a seat in the turn order, from 1; 0 if it has none.
    pub fn place_in_order(self, me: usize) -> i64 {
        let found = (0..self.rules.players).find(|&place| self.table_cell(head::ORDER + place) == cast::count(me));
        found.map_or(0, |place| cast::count(place) + 1)
    }

    // ------------------------------------------------------------------ places

    #[inline(always)]
    fn place(self, place: usize, me: usize) -> &'a PlaceInstance {
        &self.rules.layout.places[instance(self.rules, place, me)]
    }

    /// Returns the number of pieces in a place.
    #[inline(always)]
    pub fn pieces_in(self, place: u16, me: usize) -> i64 {
        let place = self.place(place as usize, me);
        self.owned_cell(place.owner, place.base as usize)
    }

    /// Returns the number of pieces in one of the piles of a deck, which go from 1; 0 if there is no such pile.
    pub fn pieces_in_pile(self, deck: u16, pile: i64) -> i64 {
        let declared = &self.rules.places[usize::from(deck)];
        if !(1..=i64::from(declared.instances)).contains(&pile) {
            return 0;
        }
        let place = &self.rules.layout.places[usize::from(declared.first_instance) + cast::index(pile) - 1];
        self.owned_cell(place.owner, place.base as usize)
    }

    /// Returns the first piece in a place; -1 if there is none.
    #[inline(always)]
    pub fn first_in(self, place: usize, me: usize) -> i64 {
        let place = self.place(place, me);
        let base = place.base as usize;
        if self.cell(base) == 0 {
            return -1;
        }
        for slot in 1..=place.room as usize {
            let piece = self.cell(base + slot);
            if piece != 0 {
                return piece as i64 - 1;
            }
        }
        -1
    }

    /// Returns the index of the instance of a place where a piece lies.
    #[inline(always)]
    pub fn place_of(self, card: usize) -> usize {
        cast::index(self.cell(self.rules.layout.piece(card, piece::PLACE)))
    }

    /// Returns the slot of a card in a grid, from 0 row by row, and the length of the rows; `None` if the card does not lie in the grid. The slots of
    /// any other place are one row.
    #[inline]
    pub fn grid_slot(self, card: i64, grid: u16) -> Option<(u32, u32)> {
        let declared = &self.rules.places[grid as usize];
        let columns = match declared.shape {
            Shape::Grid { columns, .. } => columns.into(),
            Shape::Slots => u32::MAX,
            Shape::Deck => return None,
        };
        let card = usize::try_from(card).ok()?;
        let instances = usize::from(declared.first_instance)..usize::from(declared.first_instance + declared.instances);
        if !instances.contains(&self.place_of(card)) {
            return None;
        }
        Some((cast::fit::<u32>(self.cell(self.rules.layout.piece(card, piece::POSITION))), columns))
    }

    /// Returns the number of steps between two pieces on maps and boards.
    pub fn steps(self, from: i64, to: i64) -> i64 {
        let at = |piece: i64| {
            let piece = usize::try_from(piece).ok()?;
            let place = self.place_of(piece);
            let slot = cast::index(self.cell(self.rules.layout.piece(piece, piece::POSITION)));
            (self.rules.layout.places[place].room > 0).then_some((place, slot))
        };
        at(from).zip(at(to)).map_or(UNREACHABLE, |(from, to)| self.rules.steps_between_slots(from, to))
    }

    /// Returns how many cards lie below a card in its deck or heap; 0 if it lies in none.
    pub fn cards_below(self, card: i64) -> i64 {
        let Ok(card) = usize::try_from(card) else { return 0 };
        let is_pile = self.rules.is_pile(self.place_of(card));
        if is_pile { self.cell(self.rules.layout.piece(card, piece::POSITION)).into() } else { 0 }
    }

    /// Returns the row of a card in a grid, from 1; 0 if it does not lie there.
    #[inline]
    pub fn row(self, card: i64, grid: u16) -> i64 {
        self.grid_slot(card, grid).map_or(0, |(slot, columns)| (slot / columns) as i64 + 1)
    }

    /// Returns the column of a card in a grid, from 1; 0 if it does not lie there.
    #[inline]
    pub fn column(self, card: i64, grid: u16) -> i64 {
        self.grid_slot(card, grid).map_or(0, |(slot, columns)| (slot % columns) as i64 + 1)
    }
}
