//! Values that are hidden from some seats, and values with bounds.
//!
//! Each hidden value has a cell with two sets of seats: those that do not know the value, and those to which it was shown. At the beginning
//! of a game nobody needs to be told that a counter is 0, so both sets are empty.

use super::names::NameId;
use super::ruleset::Ruleset;
use crate::state::layout::{TABLE, head};
use std::ops::Range;

/// A counter, flag, set, tally, resource or pool that only its owner sees; one of the table is seen by nobody.
#[derive(Clone, Copy, Debug)]
pub struct Secret {
    /// The name of the value.
    pub name: NameId,
    /// Whether each seat has a value of this name.
    pub of_seat: bool,
    /// The offset of its first cell, in the table's or a seat's cells.
    pub offset: u16,
    /// The number of its cells.
    pub len: u16,
    /// The offset of the cell with what seats know. A pool has a second one behind it, for the sorts of its tokens alone.
    pub knowledge: u16,
    /// The index of the pool, if the value is one.
    pub pool: Option<u8>,
    /// The lowest and the highest number of each cell, as far as the declaration tells.
    pub range: Option<(i32, i32)>,
}

/// Whose cells a bounded value is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundScope {
    /// The cells of the table.
    Table,
    /// The cells of each seat.
    Seat,
    /// The cells of each piece.
    Piece,
}

/// A value with declared bounds: to write another number is a fault.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The name of the value.
    pub name: NameId,
    /// Whose cells they are.
    pub scope: BoundScope,
    /// The offset of its first cell.
    pub offset: u16,
    /// The number of its cells.
    pub len: u16,
    /// The lowest and the highest number.
    pub range: (i32, i32),
}

/// Whether a seat knows a hidden value, by the value's cell of knowledge.
pub fn is_known_to(knowledge: i32, seat: usize) -> bool {
    knowledge >> seat & 1 == 0
}

/// Whether a hidden value was shown to a seat, by the value's cell of knowledge.
pub fn is_shown_to(knowledge: i32, seat: usize) -> bool {
    knowledge >> (head::MAX_SEATS + seat) & 1 == 1
}

/// Returns the cell of knowledge after seats, a bit set, have lost track of the value.
pub fn without_seats(knowledge: i32, seats: i32) -> i32 {
    (knowledge | seats) & !(seats << head::MAX_SEATS)
}

/// Returns the cell of knowledge after a value was shown to seats, a bit set.
pub fn with_seats(knowledge: i32, seats: i32) -> i32 {
    knowledge & !seats | seats << head::MAX_SEATS
}

impl Secret {
    /// Returns the owners of the value: each seat, or the table.
    pub fn owners(self, players: usize) -> impl Iterator<Item = u8> {
        let seats = if self.of_seat { players } else { 0 };
        (0..u8::MAX).take(seats).chain((!self.of_seat).then_some(TABLE))
    }
}

impl Ruleset {
    /// Returns all seats, as a bit set.
    pub fn everybody(&self) -> i32 {
        (1 << self.players) - 1
    }

    /// Returns the owner of a cell of the table or of a seat, and the cell's offset; `None` for other cells.
    fn owner_and_offset(&self, cell: usize) -> Option<(u8, usize)> {
        let layout = &self.layout;
        if cell < layout.seat_base {
            return Some((TABLE, cell));
        }
        if cell >= layout.piece_base || layout.seat_size == 0 {
            return None;
        }
        let inside = cell - layout.seat_base;
        Some((u8::try_from(inside / layout.seat_size).ok()?, inside % layout.seat_size))
    }

    /// Returns the hidden value to which a cell belongs, and its owner.
    pub fn secret_at(&self, cell: usize) -> Option<(usize, u8)> {
        let (owner, offset) = self.owner_and_offset(cell)?;
        let holds = |secret: &Secret| {
            let first = usize::from(secret.offset);
            secret.of_seat == (owner != TABLE) && (first..first + usize::from(secret.len)).contains(&offset)
        };
        Some((self.secrets.iter().position(holds)?, owner))
    }

    fn cell_of_owner(&self, owner: u8, offset: u16) -> usize {
        if owner == TABLE { usize::from(offset) } else { self.layout.seat(usize::from(owner), usize::from(offset)) }
    }

    /// Returns the cells of a hidden value of an owner.
    pub fn cells_of_secret(&self, secret: usize, owner: u8) -> Range<usize> {
        let secret = &self.secrets[secret];
        let first = self.cell_of_owner(owner, secret.offset);
        first..first + usize::from(secret.len)
    }

    /// Returns the cell with what seats know of a hidden value of an owner.
    pub fn knowledge_of_secret(&self, secret: usize, owner: u8) -> usize {
        self.cell_of_owner(owner, self.secrets[secret].knowledge)
    }

    /// Returns all hidden values, each with one of its owners.
    pub fn secrets_and_owners(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let owners = |(index, secret): (usize, &Secret)| secret.owners(self.players).map(move |owner| (index, owner));
        self.secrets.iter().enumerate().flat_map(owners)
    }

    /// Whether a seat knows a hidden value of an owner. When the game is over, everybody does.
    pub fn knows_secret(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || cells[head::FINISHED] == 1 || is_known_to(cells[self.knowledge_of_secret(secret, owner)], seat)
    }

    /// Whether a seat knows the sorts of the tokens in a hidden pool of an owner.
    pub fn knows_sorts(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || is_known_to(cells[self.knowledge_of_secret(secret, owner) + 1], seat)
    }

    /// Whether a hidden value of an owner is shown to a seat. When the game is over, it is shown to everybody.
    pub fn sees_secret(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || cells[head::FINISHED] == 1 || is_shown_to(cells[self.knowledge_of_secret(secret, owner)], seat)
    }

    /// Returns the bounds of a cell; `None` if it has none.
    pub fn bound_at(&self, cell: usize) -> Option<&Bound> {
        let layout = &self.layout;
        let (scope, offset) = match self.owner_and_offset(cell) {
            Some((TABLE, offset)) => (BoundScope::Table, offset),
            Some((_, offset)) => (BoundScope::Seat, offset),
            None if layout.piece_size > 0 && cell < layout.piece(layout.pieces, 0) => {
                (BoundScope::Piece, (cell - layout.piece_base) % layout.piece_size)
            }
            None => return None,
        };
        let holds = |bound: &&Bound| {
            let first = usize::from(bound.offset);
            bound.scope == scope && (first..first + usize::from(bound.len)).contains(&offset)
        };
        self.bounds.iter().find(holds)
    }
}
