//! Boards: spaces that are no cards.

use super::super::defs::DefId;
use super::Rules;
use crate::source::Span;

/// A board. Its spaces are declared as if they were cards of a kind, the first of all cards.
#[derive(Clone, Debug)]
pub struct Board {
    /// The name of the board.
    pub name: String,
    /// The index of the kind of its spaces.
    pub kind: u16,
    /// The place in which they lie; `None` if its name is taken.
    pub place: Option<DefId>,
    /// The card that is the first space.
    pub first: u32,
    /// The number of spaces.
    pub count: u32,
    /// How the spaces lie.
    pub shape: BoardShape,
    /// Where the board is declared.
    pub span: Span,
}

/// How the spaces of a board lie.
#[derive(Clone, Debug, PartialEq)]
pub enum BoardShape {
    /// In rows and columns.
    Rows {
        /// The number of rows.
        rows: u16,
        /// The number of columns.
        columns: u16,
        /// Whether the spaces are hexagons.
        hexes: bool,
        /// Whether spaces that share a corner are neighbours.
        diagonals: bool,
    },
    /// As their neighbours say: for each space the indices of these.
    Named(Vec<Vec<u16>>),
}

impl Rules {
    /// Returns the board whose spaces are of a kind.
    pub fn board_of_kind(&self, kind: u16) -> Option<&Board> {
        self.boards.iter().find(|board| board.kind == kind)
    }

    /// Returns the board that is a place.
    pub fn board_of_place(&self, place: DefId) -> Option<&Board> {
        self.boards.iter().find(|board| board.place == Some(place))
    }

    /// Returns the board of which a card is a space.
    pub fn board_of_card(&self, card: u32) -> Option<&Board> {
        self.boards.iter().find(|board| (board.first..board.first + board.count).contains(&card))
    }
}
