//! What an expression reads itself, how its operands are evaluated, and between which numbers its value lies. The table of expressions says it
//! for each sort; what depends on what, who may know what, and how large a number can be are found from it.

use super::{CardsId, Expr, ExprId, MAX_OPERANDS};

/// Cells next to each other, of which one is read, or one that an index selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first cell, or its offset.
    pub first: u32,
    /// How many there are.
    pub len: u16,
    /// What selects one; `None` if there is but one.
    pub index: Option<ExprId>,
}

/// A single cell.
pub(super) fn one(first: impl Into<u32>) -> Run {
    Run { first: first.into(), len: 1, index: None }
}

/// A cell among several.
pub(super) fn among(first: impl Into<u32>, len: u16, index: ExprId) -> Run {
    Run { first: first.into(), len, index: Some(index) }
}

/// What an expression reads itself, beside what its operands read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A cell of the table.
    Table(Run),
    /// A cell of the current seat.
    Own(Run),
    /// A counter of a card.
    Counter(ExprId, Run),
    /// What is printed on a card.
    Printed(ExprId),
    /// In which place a card lies, and where in it.
    Whereabouts(ExprId),
    /// What lies in a place: the current seat's, or that of the table.
    Place(u16),
    /// Where cards lie whose parts are the spaces of a board, and how they are turned; nothing if its spaces never move.
    Laid(u16),
    /// How many cards lie in a pile of a deck.
    Piles(u16),
    /// Which cards are in a set, as far as it says itself.
    Cards(CardsId),
    /// The tokens in a pool: the current seat's, or that of the table.
    Tokens(u8),
    /// The order of the seats.
    Order,
    /// The values of a rank's rivals without a seat.
    Rivals(u16),
    /// A quantity, with the changes that cards make to it.
    Quantity(u16),
    /// The changes that cards make to a quantity.
    Changes(u16),
    /// Whether any card changes a quantity.
    IsChanged(u16),
    /// Whether the current seat knows a value: the expression says which seats do not.
    Known(ExprId),
}

impl Read {
    /// Whether it tells of cards: some seats may not know it.
    pub fn is_of_cards(self) -> bool {
        match self {
            Read::Counter(..) | Read::Printed(_) | Read::Whereabouts(_) | Read::Cards(_) | Read::Rivals(_) | Read::Known(_) => true,
            Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => true,
            Read::Table(_) | Read::Own(_) | Read::Place(_) | Read::Laid(_) | Read::Piles(_) | Read::Tokens(_) | Read::Order => false,
        }
    }
}

/// Between which numbers the values of a sort of expression lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRange {
    /// It follows from the operands, or from what is declared.
    Computed,
    /// What a cell can hold.
    Cell,
    /// 1 or 0.
    Truth,
    /// What a weight can be: see [`super::MAX_WEIGHT`].
    Weight,
    /// A piece or a seat, or -1.
    Piece,
    /// A seat, or a place in the order of seats, or -1.
    Seat,
    /// A number of tokens, or of what they show.
    Tokens,
    /// What one token shows.
    Shown,
    /// The value is no number.
    NoNumber,
}

/// What the variable of a loop holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A card that the loop visits.
    Card,
    /// A space of a board.
    Space(u16),
    /// The seat for which the loop is evaluated.
    Seat,
}

/// An operand, and how it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The operand.
    pub id: ExprId,
    /// The variable that is bound for it, and what this holds.
    pub bound: Option<(u8, Bound)>,
    /// Whether it is evaluated for other seats than the current one.
    pub for_others: bool,
}

impl Expr {
    /// Returns the loop variable that the expression binds and what this holds, behind the index of the first operand for which it is bound;
    /// `None` if it is no loop.
    pub(super) fn binding(self) -> Option<(usize, (u8, Bound))> {
        if let Expr::OverCards { var, .. } | Expr::Rows { var, .. } = self {
            Some((0, (var, Bound::Card)))
        } else if let Expr::OneOfEach { var, .. } = self {
            Some((1, (var, Bound::Card)))
        } else if let Expr::Spaces { board, var, .. } = self {
            Some((0, (var, Bound::Space(board))))
        } else if let Expr::OverNeighbours { board, var, .. } = self {
            Some((1, (var, Bound::Space(board))))
        } else if let Expr::Reached { board, links, var, .. } | Expr::StepsOver { board, links, var, .. } = self {
            Some((2, (var, Bound::Space(links.unwrap_or(board)))))
        } else if let Expr::Areas { board, var, .. } | Expr::LongestTrail { board, var, .. } = self {
            Some((1, (var, Bound::Space(board))))
        } else if let Expr::OverSeats { var, .. } = self {
            Some((0, (var, Bound::Seat)))
        } else {
            None
        }
    }

    /// Returns the operands, each with how it is evaluated.
    pub fn parts(self) -> impl Iterator<Item = Part> {
        // Which operands are evaluated otherwise, and how.
        let (inner, bound, for_others) = match (self.binding(), self) {
            (Some((first, bound)), _) => (first..MAX_OPERANDS, Some(bound), bound.1 == Bound::Seat),
            (None, Expr::Of { .. }) => (1..MAX_OPERANDS, None, true),
            (None, Expr::Rank { .. }) => (0..1, None, true),
            (None, _) => (0..0, None, false),
        };
        let part = move |(nth, id)| match inner.contains(&nth) {
            true => Part { id, bound, for_others },
            false => Part { id, bound: None, for_others: false },
        };
        self.operands().enumerate().map(part)
    }

    /// Whether some of what it reads has a property.
    pub fn reads_any(self, is: impl Fn(Read) -> bool) -> bool {
        let mut found = false;
        self.each_read(&mut |read| found |= is(read));
        found
    }
}
