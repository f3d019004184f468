//! Expressions, and the sets of cards, players and tokens that they iterate over.

use super::super::defs::DefId;
pub use super::super::syntax::ast::{Fold, WhichTeams};
use super::{Around, Ways};
use crate::engine::graph::{Expr as GraphExpr, ExprId, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;

/// A binding of a local name: a parameter, a loop variable, a picked token. Bindings are numbered uniquely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BindingId(pub u32);

/// A checked expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What the expression computes, with its operands.
    pub kind: ExprKind,
    /// The type of the value.
    pub ty: Type,
    /// Where the expression stands in the source.
    pub span: Span,
}

/// What expressions can compute. Booleans are 1 and 0, words are represented by their indices, and -1 is no card.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the comment of a variant explains its fields")]
pub enum ExprKind {
    /// A number, a boolean or a word.
    Const(i64),
    /// A local name.
    Local(BindingId),
    /// The current player.
    Me,
    /// The number of the round, from 1.
    Round,
    /// The number of turns begun in this round.
    Turn,
    /// The number of players.
    Players,
    /// The number of rounds after this one.
    RoundsLeft,
    /// The current player's score: one row, or the sum of all.
    Score(Option<usize>),
    /// A counter, flag or resource.
    Variable(DefId),
    /// An element of a tally, by its word.
    TallyItem { tally: DefId, index: Box<Expr> },
    /// The amount of a resource that the current player has.
    Amount(Box<Expr>),
    /// Whether a set contains a word.
    InSet { set: DefId, word: Box<Expr> },
    /// A counter on a card.
    Counter { card: Box<Expr>, counter: DefId },
    /// An element of a tally on a card, or whether a set on it contains a word.
    CounterItem { card: Box<Expr>, counter: DefId, index: Box<Expr> },
    /// A field of a card that holds a single value.
    Field { card: Box<Expr>, field: DefId },
    /// An element of a printed row or list.
    FieldItem { card: Box<Expr>, field: DefId, index: Box<Expr> },
    /// The length of a printed list.
    ListLen { card: Box<Expr>, list: DefId },
    /// The sum of the first elements of a printed list; the last operand is their number.
    ListFirst { card: Box<Expr>, list: DefId, count: Box<Expr> },
    /// The kind of a card.
    KindOf(Box<Expr>),
    /// Whether a card is of a kind.
    IsKind { card: Box<Expr>, kind: u16 },
    /// The first card in a place, or no card.
    FirstIn(DefId),
    /// Whether a place is empty.
    NoneIn(DefId),
    /// The row of a card in its grid.
    Row(Box<Expr>),
    /// The column of a card in its grid.
    Column(Box<Expr>),
    /// The card of which a space is a part.
    CardOfPart(Box<Expr>),
    /// The number of steps between two cards.
    Distance { from: Box<Expr>, to: Box<Expr> },
    /// The number of steps between two spaces over such ways.
    Way { from: Box<Expr>, to: Box<Expr>, ways: Box<Ways> },
    /// Whether all players know a field of a card, and know that of each other.
    AllKnow { card: Box<Expr>, field: DefId },
    /// Whether a card has an action of its own.
    HasAction(Box<Expr>),
    /// Whether a piece is a copy of this card.
    IsCard { card: Box<Expr>, definition: DefId },
    /// A piece of this card, wherever it lies, or no card.
    PieceOf(DefId),
    /// `not`
    Not(Box<Expr>),
    /// An arithmetic operation.
    Arithmetic { operator: NumberOp, a: Box<Expr>, b: Box<Expr> },
    /// `and`
    And { a: Box<Expr>, b: Box<Expr> },
    /// `or`
    Or { a: Box<Expr>, b: Box<Expr> },
    /// A comparison of two values; the result is 1 or 0.
    Compare { operator: Compare, a: Box<Expr>, b: Box<Expr> },
    /// The value of `yes` if the condition holds, and otherwise the value of `no`.
    If { condition: Box<Expr>, yes: Box<Expr>, no: Box<Expr> },
    /// A fold over cards; the operand is evaluated for each card, if the fold needs one.
    OverCards { fold: Fold, cards: Box<Cards>, each: Option<Box<Expr>> },
    /// One card of a set, or no card.
    CardOf { cards: Box<Cards>, pick: CardPick },
    /// The sum of the highest or lowest so many values of a fold, which is a sum over all.
    SumOfBest { lowest: bool, count: Box<Expr>, sum: Box<Expr> },
    /// The longest line or largest group of spaces of a board, by its index, or the longest trail of links, by a number of each.
    OverSpaces { fold: SpaceFold, cards: Box<Cards>, each: Option<Box<Expr>>, board: usize },
    /// An expression that stands for this one, which is explained as a whole.
    Whole(Box<Expr>),
    /// A chain of what pays, as [`GraphExpr::OneOfEach`]: the rest, the cards, and of each the words for any of which it gives one, as bits.
    OneOfEach { rest: Box<Expr>, cards: Box<Cards>, words: Box<Expr> },
    /// A fold over numbers or words; the operand is evaluated for each, if the fold needs one.
    OverNamed { fold: Fold, named: Box<Named>, each: Option<Box<Expr>> },
    /// A fold over players; the operand is evaluated for each player, if the fold needs one.
    OverSeats { fold: Fold, seats: Box<Seats>, each: Option<Box<Expr>> },
    /// A quantity, applied to its arguments.
    Quantity { quantity: DefId, args: Vec<Expr> },
    /// A definition, applied to its arguments.
    Define { definition: DefId, args: Vec<Expr> },
    /// A constant, condition or definition without parameters.
    Named(DefId),
    /// The value of an option.
    Option(DefId),
    /// Whether a value is among those chosen for an option.
    AmongChosen { option: DefId, value: Box<Expr> },
    /// Whether the current player is ranked at the top by a value.
    Rank { rank: DefId, by: Box<Expr> },
    /// A table indexed by the value of an option, or by the number of players.
    By { option: Option<DefId>, table: ByTable },
    /// Whether a definition that depends on the round will change in the next round.
    LastOf(DefId),
    /// The value of an expression for a neighbour.
    OfNeighbour { who: Neighbour, body: Box<Expr> },
    /// The value of an expression for another player: seat and expression.
    Of { seat: Box<Expr>, body: Box<Expr> },
    /// The number of tokens in a pool.
    CountTokens { tokens: Box<Tokens>, pool: DefId },
    /// An expression of the graph that depends on nothing but its operands and the state of a game.
    Node {
        /// The node, with the indices of the operands as its parts.
        expr: GraphExpr,
        /// The operands, in order.
        operands: Vec<Expr>,
        /// The definitions that the source of this expression mentions.
        names: Vec<DefId>,
    },
    /// Stands for an expression with an error that has been reported.
    Poisoned,
}

impl ExprKind {
    /// Creates an expression that is a node of the graph. `make` gets the indices of the operands and returns the node.
    pub fn node<const N: usize>(operands: [Expr; N], names: Vec<DefId>, make: impl FnOnce([ExprId; N]) -> GraphExpr) -> ExprKind {
        ExprKind::Node { expr: make(std::array::from_fn(ExprId::at)), operands: operands.into(), names }
    }
}

/// A player named by position relative to the current player. In solo games each is the player itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// `left`: the next player in the order, cyclically.
    Left,
    /// `right`: the previous player in the order, cyclically.
    Right,
    /// `first`: the first player in the order.
    First,
    /// `partner`: the other player of a team of two.
    Partner,
}

impl Neighbour {
    /// Returns the neighbour that a word such as `left` names; `None` if it names none.
    pub fn of_word(word: &str) -> Option<Neighbour> {
        match word {
            "left" => Some(Neighbour::Left),
            "right" => Some(Neighbour::Right),
            "first" => Some(Neighbour::First),
            "partner" => Some(Neighbour::Partner),
            _ => None,
        }
    }
}

/// A table of values indexed by words or numbers; `else` is the key of the default.
#[derive(Clone, Debug, PartialEq)]
pub struct ByTable {
    /// Keys, each with their value.
    pub entries: Vec<(Vec<String>, Expr)>,
    /// The value for all other words or numbers; `None` if there is no `else`.
    pub otherwise: Option<Box<Expr>>,
}

/// A set of cards to iterate over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cards {
    /// The places to search.
    pub places: Vec<DefId>,
    /// Whether all players' places are searched, not only the current player's.
    pub everybody: bool,
    /// The player whose places alone are searched; the current player if `None`.
    pub owner: Option<Box<Expr>>,
    /// Only cards of this kind.
    pub kind: Option<u16>,
    /// Only these rows of a grid, as a bit set; row 1 is bit 1. Zero means all rows.
    pub rows: u32,
    /// The loop variable.
    pub bind: BindingId,
    /// Only cards on which this counter is above 0.
    pub with: Option<DefId>,
    /// A further condition on each card; `None` if all are included.
    pub filter: Option<Expr>,
    /// Of spaces, only some around a space.
    pub around: Option<Box<Around>>,
}

/// What spaces are joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceFold {
    /// The longest straight line.
    LongestLine,
    /// The largest group of neighbours.
    LargestGroup,
    /// The longest trail of links.
    LongestTrail,
}

impl SpaceFold {
    /// Returns the words for it, as rules write them.
    pub fn words(self) -> &'static str {
        match self {
            SpaceFold::LongestLine => "longest line of",
            SpaceFold::LargestGroup => "largest group of",
            SpaceFold::LongestTrail => "longest trail of",
        }
    }
}

/// Which card of a set is meant.
#[derive(Clone, Debug, PartialEq)]
pub enum CardPick {
    /// The first in the order of places and spaces.
    First,
    /// The last in that order.
    Last,
    /// The first with the highest or lowest value.
    Best(Fold, Box<Expr>),
}

/// Numbers, words or players to iterate over.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The loop variable.
    pub bind: BindingId,
    /// What it goes through.
    pub domain: FoldDomain,
    /// The type of the variable.
    pub ty: Type,
    /// The condition on each; `None` if all are included.
    pub filter: Option<Expr>,
}

/// What a loop over numbers, words or players goes through.
#[derive(Clone, Debug, PartialEq)]
pub enum FoldDomain {
    /// The numbers from one to another.
    Range(Expr, Expr),
    /// These words.
    Words(Vec<i32>),
    /// All players, or all but the current one.
    Players {
        /// Whether the current player is excluded.
        others: bool,
    },
}

/// A set of players to iterate over.
#[derive(Clone, Debug, PartialEq)]
pub struct Seats {
    /// Whether the current player is excluded.
    pub others: bool,
    /// The teams whose players are selected.
    pub teams: WhichTeams,
    /// The condition on each player.
    pub filter: SeatFilter,
}

/// A condition that selects players of a set.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatFilter {
    /// Every player is selected.
    All,
    /// A condition, evaluated with each player as the current one.
    Where(Expr),
    /// A condition that calls each player by a name, evaluated for the current player.
    Named(Expr),
    /// A comparison of each player's value with the current player's value of the same expression.
    Compared(Compare, Expr),
}

/// A set of tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    /// The classes of the tokens, as a bit set.
    pub classes: u64,
    /// Only tokens of this sort, which is the value of a loop variable.
    pub sort: Option<Expr>,
    /// Only tokens that show this symbol.
    pub showing: Option<Expr>,
}
