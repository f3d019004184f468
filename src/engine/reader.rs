//! The one way in which expressions read cells: each read notes, for the caches, what was read.

mod cards;
mod pools;

pub(crate) use cards::Walk;
pub(crate) use pools::{classes, mask_of_set, of_picked, picked, pool_base, shown_by, units_of};

use super::env::ReadView;
use super::position::instance;
use super::ruleset::{Ruleset, Shape};
use super::state::State;
use crate::cast;
use houserule_ruleset::readers::Noting;
use houserule_state::layout::{PIECE, PlaceAt, TABLE, head, piece};

/// The cells of a state, from which nothing can be read but through a [`Reader`].
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    current: &'a [i32],
    /// While all act at once: as they were when the block began.
    snapshot: &'a [i32],
}

impl<'a> Cells<'a> {
    /// Those of a state.
    #[inline(always)]
    pub fn of(state: &'a State) -> Cells<'a> {
        Cells { current: state.cells(), snapshot: state.snapshot() }
    }

    /// Whether a seat does not know which card this is; knowing is no part of what rules read.
    pub fn is_unknown(self, rules: &Ruleset, seat: usize, card: usize) -> bool {
        rules.is_unknown(self.current, seat, card)
    }

    /// Whether a seat sees what is counted on a card.
    pub fn sees_counters(self, rules: &Ruleset, seat: usize, card: usize) -> bool {
        rules.sees_counters(self.current, seat, card)
    }
}

/// Reads cells for the value that is being worked out. Without `NOTE` nothing is being worked out that is kept, and everything is seen as it is.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a, const NOTE: bool> {
    rules: &'a Ruleset,
    cells: Cells<'a>,
    view: ReadView,
    noting: Noting,
}

impl<'a, const NOTE: bool> Reader<'a, NOTE> {
    /// One that reads this view, for this value.
    #[inline(always)]
    pub fn new(rules: &'a Ruleset, cells: Cells<'a>, view: ReadView, noting: Noting) -> Reader<'a, NOTE> {
        Reader { rules, cells, view, noting }
    }

    // ------------------------------------------------------------------ noting

    /// Notes that a cell is read.
    #[inline(always)]
    fn note_cell(self, index: usize) {
        if self.noting.is_on() {
            self.note_row(self.rules.layout.class_of[index] as usize, self.rules.layout.owner_of[index]);
        }
    }

    /// Notes that a cell is read that this owner has.
    #[inline(always)]
    fn note_owned(self, index: usize, owner: u8) {
        if self.noting.is_on() {
            self.note_row(self.rules.layout.class_of[index] as usize, owner);
        }
    }

    /// Notes that a cell of a piece is read.
    #[inline(always)]
    fn note_piece(self, card: usize, offset: usize) {
        if self.noting.is_on() {
            let class = self.rules.layout.class_of[self.rules.layout.piece(card, offset)];
            self.note_row(class as usize, self.owner_now(card));
        }
    }

    /// Notes that it is read where a piece lies: at the place, for then its cells change when the piece leaves.
    #[inline(always)]
    fn note_place_of(self, card: usize) {
        if self.noting.is_on() {
            let layout = &self.rules.layout;
            let place = &layout.places[cast::index(self.cells.current[layout.piece(card, piece::PLACE)])];
            if place.room > 0 { self.note_cell(place.base as usize) } else { self.note_piece(card, piece::PLACE) }
        }
    }

    /// Notes that a pool is read: its cells are of one class.
    #[inline]
    fn note_pool(self, pool: u8, me: usize) {
        self.note_cell(pool_base(self.rules, pool, me));
    }

    /// Notes that it is read which cards change a quantity.
    #[inline]
    pub fn note_changes_of(self, quantity: u16) {
        if self.noting.is_on() {
            self.note_row(self.rules.code.readers.quantities + quantity as usize, TABLE);
        }
    }

    #[inline(always)]
    fn note_row(self, row: usize, owner: u8) {
        // What belongs to nobody unmarks values of every seat anyway.
        self.rules.code.readers.note(self.noting, row, owner != TABLE && owner != self.noting.seat);
    }

    // ------------------------------------------------------------------ any cell

    /// A cell, whosever it is.
    #[inline(always)]
    pub fn cell(self, index: usize) -> i32 {
        if NOTE {
            self.note_cell(index);
        }
        self.seen(index)
    }

    /// A cell of a piece.
    #[inline(always)]
    pub fn piece_cell(self, card: usize, offset: usize) -> i32 {
        if NOTE {
            self.note_piece(card, offset);
        }
        self.piece_seen(card, offset)
    }

    /// The seat that owns the place where a piece lies now, or [`TABLE`].
    #[inline]
    pub fn owner_of(self, card: usize) -> u8 {
        if NOTE {
            self.note_place_of(card);
        }
        self.owner_now(card)
    }

    #[inline]
    fn owner_now(self, card: usize) -> u8 {
        let place = cast::index(self.cells.current[self.rules.layout.piece(card, piece::PLACE)]);
        self.rules.layout.places[place].owner
    }

    #[inline(always)]
    fn seen(self, index: usize) -> i32 {
        if !NOTE || self.view == ReadView::Current { self.cells.current[index] } else { self.seen_in_block(index) }
    }

    #[cold]
    fn seen_in_block(self, index: usize) -> i32 {
        match self.view {
            ReadView::Current => self.cells.current[index],
            ReadView::Snapshot => self.cells.snapshot[index],
            ReadView::OwnCurrent(seat) => {
                let layout = &self.rules.layout;
                let owner = match layout.owner_of[index] {
                    PIECE => self.owner_now((index - layout.piece_base) / layout.piece_size),
                    owner => owner,
                };
                if owner == seat { self.cells.current[index] } else { self.cells.snapshot[index] }
            }
        }
    }

    #[inline(always)]
    fn piece_seen(self, card: usize, offset: usize) -> i32 {
        let index = self.rules.layout.piece(card, offset);
        if !NOTE {
            return self.cells.current[index];
        }
        match self.view {
            ReadView::Current => self.cells.current[index],
            ReadView::OwnCurrent(seat) if self.owner_now(card) == seat => self.cells.current[index],
            ReadView::OwnCurrent(_) | ReadView::Snapshot => self.cells.snapshot[index],
        }
    }

    // ------------------------------------------------------------------ cells of which it is known whose they are

    /// The cells in which what somebody owns is seen.
    #[inline(always)]
    fn cells_of(self, owner: u8) -> &'a [i32] {
        match self.view {
            ReadView::Current => self.cells.current,
            ReadView::OwnCurrent(seat) if seat == owner => self.cells.current,
            ReadView::OwnCurrent(_) | ReadView::Snapshot => self.cells.snapshot,
        }
    }

    /// A cell of a seat, of a place or of the table.
    #[inline(always)]
    fn at(self, owner: u8, index: usize) -> i64 {
        if !NOTE {
            return self.cells.current[index] as i64;
        }
        self.note_owned(index, owner);
        self.cells_of(owner)[index] as i64
    }

    /// A cell of the table.
    #[inline(always)]
    pub fn table(self, index: usize) -> i64 {
        self.at(TABLE, index)
    }

    /// A cell of a seat.
    #[inline(always)]
    pub fn own(self, me: usize, offset: u16) -> i64 {
        self.at(cast::seat(me), self.rules.layout.seat(me, offset as usize))
    }

    /// One of several cells of a seat, 0 beyond them.
    #[inline(always)]
    pub fn own_at(self, me: usize, (offset, len): (u16, u16), index: i64) -> i64 {
        if index >= 0 && index < len as i64 { self.own(me, offset + cast::low::<u16>(index)) } else { 0 }
    }

    /// A counter of a piece, 0 of none.
    #[inline(always)]
    pub fn counter(self, card: i64, offset: u8) -> i64 {
        usize::try_from(card).map_or(0, |card| self.piece_cell(card, offset as usize) as i64)
    }

    /// The place of a seat in the turn order, from 1; 0 if it has none.
    pub fn place_in_order(self, me: usize) -> i64 {
        let found = (0..self.rules.players).find(|&place| self.table(head::ORDER + place) == cast::count(me));
        found.map_or(0, |place| cast::count(place) + 1)
    }

    // ------------------------------------------------------------------ places

    #[inline(always)]
    fn place(self, place: usize, me: usize) -> &'a PlaceAt {
        &self.rules.layout.places[instance(self.rules, place, me)]
    }

    /// How many pieces lie in a place.
    #[inline(always)]
    pub fn lying(self, place: u16, me: usize) -> i64 {
        let at = self.place(place as usize, me);
        self.at(at.owner, at.base as usize)
    }

    /// The first piece in a place, or -1.
    #[inline(always)]
    pub fn first_in(self, place: usize, me: usize) -> i64 {
        let at = self.place(place, me);
        let base = at.base as usize;
        if self.cell(base) == 0 {
            return -1;
        }
        for slot in 1..=at.room as usize {
            let piece = self.seen(base + slot);
            if piece != 0 {
                return piece as i64 - 1;
            }
        }
        -1
    }

    /// The number of the place where a piece lies.
    #[inline(always)]
    pub fn place_of(self, card: usize) -> usize {
        if NOTE {
            self.note_place_of(card);
        }
        cast::index(self.seen(self.rules.layout.piece(card, piece::PLACE)))
    }

    /// Where in a grid a card lies, counted from 0 row by row, and how long the rows are; `None` if it lies elsewhere.
    #[inline]
    pub fn grid_at(self, card: i64, grid: u16) -> Option<(u32, u32)> {
        let declared = &self.rules.places[grid as usize];
        let Shape::Grid { columns, .. } = declared.shape else { return None };
        let card = usize::try_from(card).ok()?;
        if self.place_of(card) != declared.first as usize {
            return None;
        }
        Some((cast::fit::<u32>(self.seen(self.rules.layout.piece(card, piece::POSITION))), columns as u32))
    }

    /// The row of a grid in which a piece lies, from 1; 0 elsewhere.
    #[inline]
    pub fn row(self, card: i64, grid: u16) -> i64 {
        self.grid_at(card, grid).map_or(0, |(at, columns)| (at / columns) as i64 + 1)
    }

    /// The column of a grid in which a piece lies, from 1; 0 elsewhere.
    #[inline]
    pub fn column(self, card: i64, grid: u16) -> i64 {
        self.grid_at(card, grid).map_or(0, |(at, columns)| (at % columns) as i64 + 1)
    }
}
