//! Expressions, the cards, players and tokens that they go through, and what lies below each.

use super::super::defs::DefId;
pub use super::super::syntax::ast::Fold;
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;

/// A name that is bound where it stands: a parameter, a loop's card, a picked token. Each binding has a number of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bind(pub u32);

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is. Truth is 1 or 0, no card is -1, words are their indices.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, a truth or a word.
    Const(i64),
    /// What a name is bound to.
    Local(Bind),
    /// The player spoken of.
    Me,
    /// The round, from 1.
    Round,
    /// Turns begun in this round.
    Turn,
    /// How many play.
    Players,
    /// Where the player stands in the order, from 1.
    PlaceInOrder,
    /// Rounds still to come.
    RoundsLeft,
    /// All rows of the score, or one.
    Score(Option<usize>),
    /// A counter, flag or resource.
    Variable(DefId),
    /// A number of a tally.
    TallyItem(DefId, Box<Expr>),
    /// How many of a resource the player has.
    Amount(Box<Expr>),
    /// Whether a word is in a set.
    InSet(DefId, Box<Expr>),
    /// A counter on a card.
    Counter(Box<Expr>, DefId),
    /// A field of a card.
    Field(Box<Expr>, DefId),
    /// One number of a printed row or list.
    FieldItem(Box<Expr>, DefId, Box<Expr>),
    /// How long a printed list is.
    ListLen(Box<Expr>, DefId),
    /// The sum of the first so many numbers of a printed list.
    ListFirst(Box<Expr>, DefId, Box<Expr>),
    /// The kind of a card.
    KindOf(Box<Expr>),
    /// Whether a card is of a kind.
    IsKind(Box<Expr>, u16),
    /// Whether a card lies in one of these places.
    InPlaces(Box<Expr>, Vec<DefId>),
    /// The first card in a place.
    FirstIn(DefId),
    /// Whether nothing lies in a place.
    NoneIn(DefId),
    /// The row of a card in the grid where it lies.
    Row(Box<Expr>),
    /// The column of a card in the grid where it lies.
    Column(Box<Expr>),
    /// How many steps two cards lie apart.
    Distance(Box<Expr>, Box<Expr>),
    /// Who owns the place of a card.
    OwnerOf(Box<Expr>),
    /// Whether a card has an action of its own.
    HasAction(Box<Expr>),
    /// Whether a piece is one of this card.
    IsCard(Box<Expr>, DefId),
    /// A piece of this card, wherever it lies.
    PieceOf(DefId),
    /// `not`
    Not(Box<Expr>),
    /// Arithmetic, `and`, `or`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// One or the other.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Something over cards, of each of them perhaps.
    OverCards(Fold, Box<Cards>, Option<Box<Expr>>),
    /// Something over players, of each of them perhaps.
    OverSeats(Fold, Box<Seats>, Option<Box<Expr>>),
    /// A quantity, with its arguments.
    Quantity(DefId, Vec<Expr>),
    /// A named expression, with its arguments.
    Define(DefId, Vec<Expr>),
    /// A named condition or a constant.
    Named(DefId),
    /// An option of set-up.
    Option(DefId),
    /// Whether a value is among those chosen of an option.
    AmongChosen(DefId, Box<Expr>),
    /// Whether the player is in a rank.
    Rank(DefId, Box<Expr>),
    /// A value by the number of players.
    ByPlayers(ByTable),
    /// A value by an option.
    ByOption(DefId, ByTable),
    /// Whether a definition of the round is another one in the next round.
    LastOf(DefId),
    /// An expression about a player who is named by where it sits.
    OfNeighbour(Neighbour, Box<Expr>),
    /// An expression about another player.
    Of(Box<Expr>, Box<Expr>),
    /// How many tokens lie in a pool.
    CountTokens(Box<Tokens>, DefId),
    /// How much of a symbol the tokens of a pool show.
    Shown(Box<Expr>, DefId),
    /// How much of a symbol a pool can pay.
    Payable(Box<Expr>, DefId),
    /// How much of a symbol a picked token shows.
    ShownBy(Bind, Box<Expr>),
    /// What has been told to be wrong.
    Poisoned,
}

/// A player, by where it sits: each has one, alone that is itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// `left`: the next in the order; behind the last comes the first.
    Left,
    /// `right`: the one before.
    Right,
    /// `first`: the first in the order.
    First,
}

impl Neighbour {
    /// The word for it.
    pub fn of_word(word: &str) -> Option<Neighbour> {
        match word {
            "left" => Some(Neighbour::Left),
            "right" => Some(Neighbour::Right),
            "first" => Some(Neighbour::First),
            _ => None,
        }
    }
}

/// Two expressions in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down.
    Div,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// `and`
    And,
    /// `or`
    Or,
}

/// Values by keys; the key `else` stands for all others.
#[derive(Clone, Debug, PartialEq)]
pub struct ByTable {
    /// Keys and what holds for them.
    pub entries: Vec<(Vec<String>, Expr)>,
    /// What holds for all others.
    pub otherwise: Option<Box<Expr>>,
}

/// Cards that are gone through.
#[derive(Clone, Debug, PartialEq)]
pub struct Cards {
    /// Where they lie.
    pub places: Vec<DefId>,
    /// Everybody's places, not only those of the player spoken of.
    pub everybody: bool,
    /// Only of this kind.
    pub kind: Option<u16>,
    /// Only in these rows of a grid, as a bit set from bit 1.
    pub rows: u32,
    /// What each is called.
    pub bind: Bind,
    /// A counter that must be above 0.
    pub with: Option<DefId>,
    /// What else must hold.
    pub filter: Option<Expr>,
}

/// Players that are gone through.
#[derive(Clone, Debug, PartialEq)]
pub struct Seats {
    /// Without the player spoken of.
    pub others: bool,
    /// What must hold of each.
    pub filter: SeatFilter,
}

/// What must hold of players.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatFilter {
    /// Nothing.
    All,
    /// A condition, read for each of them.
    Where(Expr),
    /// They have less or more of something than the player spoken of.
    Compared(Compare, Expr),
}

/// Tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    /// Which.
    pub which: TokenWord,
    /// Only those that show this symbol.
    pub showing: Option<Expr>,
}

/// By what tokens are named.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenWord {
    /// A kind: its sorts as a bit set.
    Sorts(u64),
    /// A sort.
    Sort(u8),
    /// A face: its class.
    Face(u8),
    /// A loop's word.
    Local(Expr),
}
