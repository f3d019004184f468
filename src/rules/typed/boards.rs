//! Boards: spaces that are no cards.

use super::super::defs::{DefId, DefKind, Definition};
use super::{BindingId, Cards, Expr, Kind, Rules};
use crate::source::Span;
use std::ops::Range;

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
    /// What is drawn in pictures of the board: members, fields, and counters elsewhere that hold its spaces; `None` for all.
    pub drawn: Option<Vec<String>>,
    /// Where the board is declared.
    pub span: Span,
}

impl Board {
    /// Returns of which cards its spaces are parts; `None` if they are none.
    pub fn parts(&self) -> Option<&Parts> {
        if let BoardShape::Parts(parts) = &self.shape { Some(parts) } else { None }
    }

    /// Returns the numbers of the cards that are its spaces. They are the first of all, each with one piece, which has the same number.
    pub fn cards(&self) -> Range<u32> {
        self.first..self.first + self.count
    }
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
        /// Whether rows and columns go on at the other side.
        endless: bool,
        /// Whether spaces that share a corner are neighbours.
        diagonals: bool,
    },
    /// As their neighbours say: for each space the indices of these.
    Named(Vec<Vec<u16>>),
    /// Between the spaces of another board, by its index: for each link the indices of both.
    Links {
        /// The index of the other board.
        board: usize,
        /// Both ends of each link.
        ends: Vec<[u16; 2]>,
    },
    /// As the cards lie whose parts they are.
    Parts(Box<Parts>),
}

/// What cards are made of, as a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The kind of the cards; `None` if there is no such kind, which has been reported. So it is with all others.
    pub kind: Option<u16>,
    /// The grid or map in which they lie.
    pub grid: Option<DefId>,
    /// The counter that says by how many sides a card is turned clockwise; `None` if they are never turned.
    pub turn: Option<DefId>,
    /// The field that must be the same where parts touch; `None` if any parts go on in each other.
    pub matched: Option<DefId>,
    /// The parts, by space.
    pub all: Vec<Part>,
    /// For each part those of the same card that it is next to.
    pub near: Vec<Vec<u16>>,
}

/// A part of a copy of a card.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The id of the card.
    pub card: String,
    /// Which of its copies it is, from 0.
    pub copy: u16,
    /// Where it comes to the edge of the card: see [`crate::engine::parts::CardPart::ports`].
    pub ports: u32,
}

impl BoardShape {
    /// Whether the spaces lie in rows and columns.
    pub fn has_rows(&self) -> bool {
        matches!(self, BoardShape::Rows { .. })
    }
}

/// The spaces around one, among which a set of spaces is looked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Around {
    /// Those that hang together with this one by spaces that meet the condition of the set.
    Group(Expr),
    /// Those that can be reached from one in some steps.
    Steps {
        /// The space from which ways lead; it is not among them where steps are counted.
        from: Expr,
        /// How many steps there are at most; `None` for any number.
        steps: Option<Box<Expr>>,
        /// Where the ways can lead.
        ways: Box<Ways>,
    },
    /// The first of each group of those that meet the condition of the set; with a value neighbours hang together only if it is the same.
    Areas(Option<Box<Expr>>),
    /// Those on which nothing lies in this grid of the same size, but beside which something does.
    Beside(DefId),
}

impl Around {
    /// Calls `f` for each expression in it.
    pub(super) fn each<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        match self {
            Around::Group(from) => f(from),
            Around::Beside(_) => {}
            Around::Areas(by) => by.iter().for_each(|by| f(by)),
            Around::Steps { from, steps, ways } => {
                f(from);
                steps.iter().for_each(|steps| f(steps));
                ways.each(f);
            }
        }
    }
}

/// Where ways over a board can lead.
#[derive(Clone, Debug, PartialEq)]
pub struct Ways {
    /// The index of the board.
    pub board: usize,
    /// The index of the board of links by which they lead; `None` if they lead from neighbour to neighbour.
    pub links: Option<usize>,
    /// The name of a space of a way in the expressions, or of a link.
    pub bind: BindingId,
    /// The name of the space before it, if `over` is about both; `None` if it is about one.
    pub before: Option<BindingId>,
    /// What must hold for each space of a way, except for the first; `None` if it can be any.
    pub over: Option<Expr>,
    /// The number that joins neighbours with the same, unless it is 0; `None` if none are joined.
    pub joined: Option<Expr>,
}

impl Cards {
    /// Whether its condition is already that of the spaces which groups or areas are made of.
    pub fn condition_is_around(&self) -> bool {
        matches!(self.around.as_deref(), Some(Around::Group(_) | Around::Areas(_)))
    }
}

impl Ways {
    /// Calls `f` for each expression in it.
    pub(super) fn each<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        self.over.iter().chain(&self.joined).for_each(f);
    }
}

impl Rules {
    /// Returns the board whose spaces are of a kind.
    pub fn board_of_kind(&self, kind: u16) -> Option<&Board> {
        self.boards.iter().find(|board| board.kind == kind)
    }

    /// Returns the kind of the spaces of the only board that declares a member, if cards have it not; `None` otherwise.
    pub fn only_board_with(&self, member: DefId) -> Option<u16> {
        let mut blocks = self.on_cards.iter().filter(|(declared, _)| *declared == member).map(|(_, block)| *block);
        let board = blocks.next()?.checked_sub(1)?;
        blocks.next().is_none().then(|| self.boards[board].kind)
    }

    /// Returns the kind of the spaces of the only board with a field, if no kind of cards has it; `None` otherwise.
    pub fn only_board_with_field(&self, field: DefId) -> Option<u16> {
        let has_it = |kind: &Kind| kind.fields.iter().any(|known| known.def == field);
        let mut kinds = (0..).zip(&self.kinds).filter(|(_, kind)| has_it(kind)).map(|(index, _)| index);
        let kind = kinds.next()?;
        (kinds.next().is_none() && self.board_of_kind(kind).is_some()).then_some(kind)
    }

    /// Returns the board that is a place.
    pub fn board_of_place(&self, place: DefId) -> Option<&Board> {
        self.boards.iter().find(|board| board.place == Some(place))
    }

    /// Returns the board whose spaces are the parts of cards of a kind.
    pub fn board_of_parts(&self, kind: u16) -> Option<&Board> {
        self.boards.iter().find(|board| board.parts().is_some_and(|parts| parts.kind == Some(kind)))
    }

    /// Returns the board of which a card is a space.
    pub fn board_of_card(&self, card: u32) -> Option<&Board> {
        self.boards.iter().find(|board| board.cards().contains(&card))
    }

    /// Returns the spaces of the board of a kind, each with its definition and the number of its card.
    pub fn spaces_of(&self, kind: u16) -> impl Iterator<Item = (&Definition, u32)> {
        let cards = self.board_of_kind(kind).map_or(0..0, Board::cards);
        self.defs.all().filter_map(move |(_, one)| {
            let DefKind::Card(card) = one.kind else { return None };
            cards.contains(&card).then_some((one, card))
        })
    }
}
