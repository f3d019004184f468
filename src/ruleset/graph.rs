//! Expressions as a graph in which equal expressions are shared (hash-consing). Constants are folded when an expression is created, by its
//! constructor; there is no separate pass.
//!
//! A new expression is one line of the table `expressions` below: it declares the operands, the traits, and the constructor that folds the
//! expression. All general questions about expressions are answered from the table.

use crate::cast;
use crate::compare::Compare;
use crate::declared::Shape;
pub use crate::ids::ExprId;
use crate::ways::Ways;
pub use columns::{ColumnId, Columns};
pub use effects::{Bound, Part, Read, Run, ValueRange};
use effects::{among, one};
pub use facts::Facts;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

mod columns;
mod effects;
mod facts;
mod fold;

/// The largest weight, in thousandths: sums of many numbers with such weights cannot grow too large.
pub const MAX_WEIGHT: i64 = 1 << 24;

/// The index of a set of cards ([`Cards`]) in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardsId(pub u16);

/// The owners of the places that a set of cards includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The places of the current seat, and the places that belong to no seat.
    Mine,
    /// The places of all seats.
    All,
}

/// The set of cards that a loop visits, before its filter is applied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cards {
    /// The declared places, in order.
    pub places: Box<[u16]>,
    /// The owners of the places.
    pub whose: Whose,
    /// The kinds of cards to visit, as a bit set; 0 for all kinds.
    pub kinds: u64,
    /// The rows of a grid as a bit set, row 1 is bit 1; 0 for all.
    pub rows: u32,
    /// The offset of a counter that must be above 0 on a card to visit; `None` if no counter is tested.
    pub with: Option<u8>,
}

impl Cards {
    /// Whether all cards in the places are included.
    pub fn is_plain(&self) -> bool {
        self.kinds == 0 && self.rows == 0 && self.with.is_none()
    }

    /// Whether cards of a kind are included.
    #[inline]
    pub fn has_kind(&self, kind: u16) -> bool {
        self.kinds == 0 || self.kinds >> kind & 1 == 1
    }

    /// Whether a slot of a place of this shape is in one of the rows.
    #[inline]
    pub fn has_slot(&self, shape: Shape, slot: usize) -> bool {
        match shape {
            Shape::Grid { columns, .. } if self.rows != 0 => self.rows >> (slot / usize::from(columns) + 1) & 1 == 1,
            Shape::Grid { .. } | Shape::Deck | Shape::Slots => true,
        }
    }
}

/// A binary operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberOp {
    /// The operator `+`.
    Add,
    /// The operator `-`.
    Sub,
    /// The operator `*`.
    Mul,
    /// `/`, rounded down.
    Div,
    /// The remainder of that division.
    Remainder,
    /// The smaller of two numbers.
    Min,
    /// The larger of two numbers.
    Max,
    /// The first number, which must be at least 0 and less than the second.
    Within,
    /// A comparison; the result is 1 or 0.
    Is(Compare),
}

impl NumberOp {
    /// Applies the operation to two numbers; `None` after an overflow, a division by 0, or an index out of bounds.
    #[inline(always)]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            NumberOp::Add => a.checked_add(b),
            NumberOp::Sub => a.checked_sub(b),
            NumberOp::Mul => a.checked_mul(b),
            NumberOp::Div => a.checked_div_euclid(b).map(|quotient| if b < 0 && a.rem_euclid(b) != 0 { quotient - 1 } else { quotient }),
            NumberOp::Remainder => a.checked_rem(b).map(|left| if left != 0 && (left < 0) != (b < 0) { left + b } else { left }),
            NumberOp::Min => Some(a.min(b)),
            NumberOp::Max => Some(a.max(b)),
            NumberOp::Within => (0..b).contains(&a).then_some(a),
            NumberOp::Is(operator) => Some(operator.holds(a, b) as i64),
        }
    }

    /// Returns the operation's function name and its operator sign in explanations; empty where these have other words for it.
    pub fn name_and_sign(self) -> (&'static str, &'static str) {
        match self {
            NumberOp::Div => ("quotient", "/"),
            NumberOp::Remainder => ("remainder", "modulo"),
            NumberOp::Add | NumberOp::Sub | NumberOp::Mul | NumberOp::Min | NumberOp::Max | NumberOp::Within | NumberOp::Is(_) => ("", ""),
        }
    }

    fn commutes(self) -> bool {
        matches!(self, NumberOp::Add | NumberOp::Mul | NumberOp::Min | NumberOp::Max | NumberOp::Is(Compare::Equal | Compare::Unequal))
    }
}

/// How a loop combines its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum of the bodies.
    Sum,
    /// The highest of the bodies; 0 if there is no element.
    Highest,
    /// The lowest of the bodies; 0 if there is no element.
    Lowest,
    /// The first of the bodies; 0 if there is no element.
    First,
    /// The last of the bodies; 0 if there is no element.
    Last,
    /// The number of elements that are visited.
    Count,
    /// Whether the loop visits any element.
    Any,
}

/// Makes the enum of expressions from their table, and the functions for any expression. Members of type expression are its operands.
macro_rules! enum_of {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$of_member:meta])* $member:ident: $type:ty),* })? [$($is:ident),*]
            $(reads [$($read:ident $(($($what:expr),*))?),*])? $(in $range:ident)? $(=> $($fold:ident).+)?;
    )*) => {
        /// An expression. Booleans are 1 and 0, and -1 is no card. A loop variable is a [`Expr::Var`]; its number is the lowest above those
        /// of the inner loops that can read it, so that equal loops are equal wherever they occur.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "a line says what its members are")]
        pub enum Expr {
            $($(#[$doc])* $name $({ $($(#[$of_member])* $member: $type),* })?,)*
        }

        #[allow(unused_variables, reason = "not every member is a part")]
        impl Expr {
            /// Returns this expression with each of its operands replaced by what `f` returns for it, from left to right.
            pub fn map_operands(self, f: &mut impl FnMut(ExprId) -> ExprId) -> Expr {
                match self {
                    $(Expr::$name $({ $($member),* })? => Expr::$name $({ $($member: $member.map_operands(f)),* })?,)*
                }
            }

            /// Calls `f` with what it reads itself, beside what its operands read.
            pub fn each_read(self, f: &mut impl FnMut(Read)) {
                match self {
                    $(Expr::$name $({ $($member),* })? => { $($(f(Read::$read $(($($what),*))?);)*)? })*
                }
            }

            /// Returns between which numbers its values lie, as far as its sort says.
            pub fn value_range(self) -> ValueRange {
                match self {
                    $(Expr::$name $({ $($member),* })? => enum_of!(@range $($range)?),)*
                }
            }

            /// Returns the traits that the table declares for this sort of expression.
            fn traits(self) -> Traits {
                match self {
                    $(Expr::$name $({ $($member),* })? => Traits { $($is: true,)* ..Traits::default() },)*
                }
            }
        }
    };
    (@range) => { ValueRange::Computed };
    (@range $range:ident) => { ValueRange::$range };
}

/// The table of all expressions, given to a macro. A line has the name and members; in brackets the [`Traits`]; what it reads itself
/// ([`Read`]); between which numbers its value lies ([`ValueRange`]), if its sort says it; after an arrow the constructor that folds it (`make`),
/// if there is one.
macro_rules! expressions {
    ($macro:ident) => {
        $macro! {
            /// A constant number.
            Const { value: i64 } [];
            /// A factor that is written with decimals: a constant that lies among the weights of the graph, so that rules that differ in weights alone
            /// have the same code.
            Weight { index: u16 } [] in Weight;
            /// A parameter, or the variable of a statement or of a loop under construction.
            Local { local: u8 } [] in Cell;
            /// The variable of an enclosing loop.
            Var { var: u8 } [] in Piece;
            /// The current seat, as a number.
            Me [of_seat] in Seat;
            /// A cell of the table.
            Global { cell: u32 } [] reads [Table(one(cell))] in Cell;
            /// A cell of the current seat.
            Own { offset: u16 } [of_seat] reads [Own(one(offset))] in Cell;
            /// An element of a run of `len` cells of the table; 0 if the index is out of bounds.
            GlobalAt { cell: u32, len: u16, index: ExprId } [] reads [Table(among(cell, len, index))] in Cell => graph.global_at;
            /// An element of a run of `len` cells of the current seat; 0 if the index is out of bounds.
            OwnAt { offset: u16, len: u16, index: ExprId } [of_seat] reads [Own(among(offset, len, index))] in Cell => graph.own_at;
            /// Whether a set of the table contains a word.
            GlobalBit { cell: u32, index: ExprId } [truth] reads [Table(one(cell))] in Truth;
            /// Whether a set of the current seat contains a word.
            OwnBit { offset: u16, index: ExprId } [of_seat, truth] reads [Own(one(offset))] in Truth;
            /// A number of a column, which has one number for each card.
            Column { card: ExprId, column: ColumnId } [] reads [Printed(card)] => graph.of_column;
            /// An element of a printed row of `len` numbers; 0 if the index is out of bounds.
            FieldAt { card: ExprId, field: u16, len: u16, index: ExprId } [] reads [Printed(card)] in Cell => field_at;
            /// An element of a printed list, from 0; 0 if the index is out of bounds.
            ListAt { card: ExprId, field: u16, index: ExprId } [] reads [Printed(card)] in Cell;
            /// The sum of the first elements of a printed list.
            ListFirst { card: ExprId, field: u16, count: ExprId } [] reads [Printed(card)] in Cell => first_of_list;
            /// A counter of a piece.
            Counter { card: ExprId, offset: u8 } [] reads [Counter(card, one(offset))] in Cell;
            /// An element of a run of `len` cells of a piece; 0 if the index is out of bounds.
            CounterAt { card: ExprId, offset: u8, len: u16, index: ExprId } [] reads [Counter(card, among(offset, len, index))] in Cell => graph.counter_at;
            /// Whether a set of a piece contains a word.
            CounterBit { card: ExprId, offset: u8, index: ExprId } [truth] reads [Counter(card, one(offset))] in Truth;
            /// The number of steps between two pieces on maps and boards; see `Ruleset::steps_between`.
            Steps { from: ExprId, to: ExprId } [] reads [Whereabouts(from), Whereabouts(to)] in Cell;
            /// The space of a board in a row and a column, both from 1; -1 if there is none.
            SpaceIn { board: u16, row: ExprId, column: ExprId } [of_cards] in Piece;
            /// The set of the spaces of a board for which the filter holds: no number, but an operand of the expressions below.
            Spaces { cards: CardsId, board: u16, var: u8, filter: Option<ExprId> } [of_seat] reads [Cards(cards)] in NoNumber;
            /// The spaces of a set that hang together with one of them: a set as well.
            Group { board: u16, spaces: ExprId, from: ExprId } [of_cards] reads [Laid(board)] in NoNumber;
            /// The spaces that can be reached from one in so many steps: a set as well. The variable holds the space that `over` and `joined` are
            /// about; see [`crate::ways::Ways`].
            Reached { board: u16, from: ExprId, steps: ExprId, links: Option<u16>, var: u8, over: Option<ExprId>, joined: Option<ExprId> } [of_seat, of_cards] reads [Laid(board)] in NoNumber;
            /// The first space of each of the groups into which a set of spaces falls, of neighbours with the same number only if there is one: a set as
            /// well. The variable holds the space that the number is of.
            Areas { board: u16, spaces: ExprId, var: u8, by: Option<ExprId> } [of_seat, of_cards] reads [Laid(board)] in NoNumber;
            /// The spaces of a board on which nothing lies in a grid of the table, which has the same size, but beside which something does: a set as well.
            Beside { board: u16, grid: u16 } [] reads [Place(grid)] in NoNumber;
            /// The number of steps from one space to another over such ways.
            StepsOver { board: u16, from: ExprId, to: ExprId, links: Option<u16>, var: u8, over: Option<ExprId>, joined: Option<ExprId> } [of_seat, has_loop, of_cards] reads [Laid(board)] in Cell;
            /// Whether a piece is in a set of spaces.
            InSpaces { board: u16, spaces: ExprId, card: ExprId } [truth, of_cards] in Truth;
            /// How many spaces the longest straight line within a set of spaces has.
            LongestLine { board: u16, spaces: ExprId } [of_seat, has_loop, of_cards] in Cell;
            /// How many spaces the largest group within a set of spaces has.
            LargestGroup { board: u16, spaces: ExprId } [of_seat, has_loop, of_cards] reads [Laid(board)] in Cell;
            /// The greatest sum of a number of each link along a trail, or how many links it has if there is no number: it leads over links of a set, over
            /// none of them twice.
            LongestTrail { board: u16, spaces: ExprId, var: u8, by: Option<ExprId> } [of_seat, has_loop, of_cards] in Cell;
            /// A loop over the neighbours of a space: folds `body` over those that meet the filter. Nothing is visited if `of` is no space.
            OverNeighbours { fold: Fold, board: u16, of: ExprId, var: u8, filter: Option<ExprId>, body: Option<ExprId> } [of_seat, has_loop, of_cards] reads [Laid(board)];
            /// At how many places a part of a card ends at the edge of the card with no card beside it.
            OpenEnds { board: u16, space: ExprId } [has_loop, of_cards] reads [Laid(board)] in Cell;
            /// Whether a card whose parts are spaces of a board can be laid where a space or card lies on a map of the same size, turned so often.
            Fits { board: u16, card: ExprId, at: ExprId, turn: ExprId } [of_seat, has_loop, truth, of_cards] reads [Laid(board), Printed(card), Whereabouts(at)] in Truth;
            /// Whether a piece lies in one of the declared places, a bit set.
            InPlaces { card: ExprId, places: u64 } [truth] reads [Whereabouts(card)] in Truth;
            /// The first piece in a place; -1 if it is empty. `per_seat` means that each seat has such a place.
            FirstIn { place: u16, per_seat: bool } [of_seat, of_cards] reads [Place(place)] in Piece;
            /// The number of pieces in a place.
            PiecesIn { place: u16, per_seat: bool } [of_seat] reads [Place(place)] in Cell;
            /// The number of pieces in one of the piles of a deck, which go from 1; 0 if there is no such pile.
            PiecesInPile { deck: u16, pile: ExprId } [] reads [Piles(deck)] in Cell;
            /// The row of a piece in a grid, from 1; 0 if it does not lie there.
            Row { card: ExprId, grid: u16 } [] reads [Whereabouts(card)] in Cell;
            /// The column of a piece in a grid, or its slot in any other place, from 1; 0 if it does not lie there.
            GridColumn { card: ExprId, grid: u16 } [] reads [Whereabouts(card)] in Cell;
            /// How many pieces lie below a piece in its deck or heap; 0 if it lies in none.
            CardsBelow { card: ExprId } [] reads [Whereabouts(card)] in Cell;
            /// The seat that owns the place of a piece; -1 for none.
            OwnerOf { card: ExprId } [] reads [Whereabouts(card)] in Seat;
            /// The position of the current seat in the turn order, from 1.
            PlaceInOrder [of_seat] reads [Order] in Seat;
            /// A binary operation.
            Binary { operator: NumberOp, a: ExprId, b: ExprId } [] => graph.binary;
            /// Logical not: 1 if the operand is 0, and otherwise 0.
            Not { a: ExprId } [truth] in Truth => graph.not;
            /// Converts to a boolean: 1 unless the operand is 0.
            Truth { a: ExprId } [truth] in Truth => graph.truth;
            /// Logical and; the second operand is evaluated only if the first is true.
            And { a: ExprId, b: ExprId } [truth] in Truth => graph.and;
            /// Logical or; the second operand is evaluated only if the first is false.
            Or { a: ExprId, b: ExprId } [truth] in Truth => graph.or;
            /// A conditional expression.
            If { condition: ExprId, yes: ExprId, no: ExprId } [] => graph.conditional;
            /// A loop over cards: folds `body` over those that meet the filter.
            OverCards { fold: Fold, cards: CardsId, var: u8, filter: Option<ExprId>, body: Option<ExprId> } [of_seat, has_loop] reads [Cards(cards)]
                => over_cards;
            /// A loop over seats. Filter and body are evaluated with each as the current seat; the variable holds the original seat.
            OverSeats { fold: Fold, others: bool, var: u8, filter: Option<ExprId>, body: Option<ExprId> } [of_seat, has_loop];
            /// Sums over cards of each number of a printed row times a factor: `len` results.
            Rows { cards: CardsId, var: u8, filter: Option<ExprId>, field: u16, len: u16, factor: ExprId } [of_seat, has_loop] reads [Cards(cards)];
            /// One of the sums of [`Expr::Rows`]; 0 if the index is out of bounds.
            RowAt { row: ExprId, index: ExprId } [of_cards];
            /// A quantity that is not expanded in place.
            Quantity { quantity: u16, args: [Option<ExprId>; 2] } [of_seat] reads [Quantity(quantity)];
            /// A number after the changes of a quantity by cards in play.
            Applied { quantity: u16, value: ExprId, args: [Option<ExprId>; 2] } [of_seat] reads [Changes(quantity)];
            /// Whether a card in play changes a quantity.
            Changed { quantity: u16 } [truth] reads [IsChanged(quantity)] in Truth;
            /// Whether the current seat is in a rank: by this value, with this number of leaders.
            Rank { rank: u16, by: ExprId, leaders: ExprId } [of_seat, has_loop, truth] reads [Rivals(rank)] in Truth;
            /// An element of a table; the last one also if the index is out of bounds.
            Table { index: ExprId, table: u32 } [] => graph.table_at;
            /// An expression evaluated for another seat; 0 for no seat.
            Of { seat: ExprId, body: ExprId } [for_other_seat];
            /// The number of tokens of a set in a pool; only those of a sort or showing a symbol, if these are given.
            CountTokens { set: u32, pool: u8, sort: Option<ExprId>, showing: Option<ExprId> } [of_seat, has_loop] reads [Tokens(pool)] in Tokens;
            /// How much of a symbol the tokens of a pool show.
            ShownIn { symbol: ExprId, pool: u8 } [of_seat, has_loop] reads [Tokens(pool)] in Tokens;
            /// How much of a symbol a pool can pay.
            Payable { symbol: ExprId, pool: u8 } [of_seat, has_loop] reads [Tokens(pool)] in Tokens;
            /// What is due of the words of a price, in their order: of the rest, and of the last one. No number, but an operand of [`Expr::Lacking`], as
            /// the others here.
            Due { rest: ExprId, amount: ExprId } [] in NoNumber;
            /// All that pays: the rest, and so much for any of some words, a bit set.
            Means { rest: ExprId, words: i64, amount: ExprId } [] in NoNumber;
            /// All that pays: the rest, and for each of some cards one, for any of the words whose bits a number has.
            OneOfEach { rest: ExprId, cards: CardsId, var: u8, filter: Option<ExprId>, words: ExprId } [of_seat] reads [Cards(cards)] in NoNumber;
            /// All that pays: the rest, and no more than so much of another chain.
            MeansUpTo { rest: ExprId, of: ExprId, most: ExprId } [] in NoNumber;
            /// How much of a price cannot be paid, each thing paying for one word alone.
            Lacking { due: ExprId, means: ExprId } [has_loop] in Cell;
            /// How many different sorts of tokens lie in a pool.
            SortsIn { pool: u8 } [of_seat, has_loop] reads [Tokens(pool)] in Shown;
            /// How much of a symbol a picked token shows.
            ShownBy { picked: ExprId, symbol: ExprId } [] in Shown;
            /// A value that was worked out earlier, and the seats that do not know it, as a bit set.
            Private { value: ExprId, unknown_to: ExprId } [] reads [Known(unknown_to)];
        }
    };
}

pub(crate) use expressions;

expressions!(enum_of);

/// Properties of an expression that do not follow from its operands.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// Whether the value may differ by seat even if the operands do not.
    of_seat: bool,
    /// Whether the body is evaluated for another seat, so that the current seat does not matter to the expression.
    for_other_seat: bool,
    /// Whether evaluation loops over cards, seats or tokens.
    has_loop: bool,
    /// Whether the value is always 1 or 0.
    truth: bool,
    /// Whether it tells of cards or spaces, beside what it reads itself: some seats may not know it.
    of_cards: bool,
}

/// A member of an expression or op: an operand, several, or none.
pub(crate) trait Member: Sized {
    fn map_operands(self, _: &mut impl FnMut(ExprId) -> ExprId) -> Self {
        self
    }
}

macro_rules! no_parts {
    ($($type:ty),*) => { $(impl crate::graph::Member for $type {})* };
}

no_parts!(i64, u64, i32, u32, u16, u8, bool, NumberOp, Fold, ColumnId, CardsId);
pub(crate) use no_parts;

impl Member for ExprId {
    fn map_operands(self, f: &mut impl FnMut(ExprId) -> ExprId) -> ExprId {
        f(self)
    }
}

impl<T: Member> Member for Option<T> {
    fn map_operands(self, f: &mut impl FnMut(ExprId) -> ExprId) -> Option<T> {
        self.map(|part| part.map_operands(f))
    }
}

impl<T: Member> Member for Box<[T]> {
    fn map_operands(self, f: &mut impl FnMut(ExprId) -> ExprId) -> Box<[T]> {
        self.into_iter().map(|part| part.map_operands(f)).collect()
    }
}

impl<T: Member> Member for [T; 2] {
    fn map_operands(self, f: &mut impl FnMut(ExprId) -> ExprId) -> [T; 2] {
        self.map(|part| part.map_operands(f))
    }
}

/// The most operands of an expression.
pub const MAX_OPERANDS: usize = 4;

impl Expr {
    /// Returns the operands, from left to right.
    pub fn operands(self) -> impl Iterator<Item = ExprId> {
        let (mut parts, mut count) = ([None; MAX_OPERANDS], 0);
        self.map_operands(&mut |part| {
            parts[count] = Some(part);
            count += 1;
            part
        });
        parts.into_iter().flatten()
    }

    /// Whether it adds nothing that a seat may not know to what its operands tell, hidden values aside.
    pub fn is_public(self) -> bool {
        !self.traits().of_cards && !self.reads_any(Read::is_of_cards)
    }

    /// Whether evaluation loops over cards, seats or tokens.
    pub fn has_loop(self) -> bool {
        self.traits().has_loop
    }

    /// Whether the value is a number.
    pub fn is_number(self) -> bool {
        self.value_range() != ValueRange::NoNumber
    }

    /// Whether the value is a set of spaces, and no number.
    pub fn is_set_of_spaces(self) -> bool {
        self.board_of_spaces().is_some()
    }

    /// Returns the board of a set of spaces; `None` if the value is a number.
    pub fn board_of_spaces(self) -> Option<u16> {
        if let Expr::Spaces { board, .. }
        | Expr::Group { board, .. }
        | Expr::Reached { board, .. }
        | Expr::Areas { board, .. }
        | Expr::Beside { board, .. } = self
        {
            return Some(board);
        }
        None
    }

    /// Returns where the ways can lead over which it searches, and the variable that holds a space of these; `None` if it searches for none.
    pub fn ways(self) -> Option<(Ways, u8)> {
        if let Expr::Reached { links, var, over, joined, .. } | Expr::StepsOver { links, var, over, joined, .. } = self {
            return Some((Ways { links, over, joined }, var));
        }
        None
    }
}

/// Interned values, each stored once and identified by an index.
#[derive(Clone, Debug)]
pub struct Interned<T> {
    list: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned { list: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn number(&mut self, item: T) -> usize {
        if let Some(&known) = self.numbers.get(&item) {
            return known as usize;
        }
        self.numbers.insert(item.clone(), cast::fit::<u32>(self.list.len()));
        self.list.push(item);
        self.list.len() - 1
    }

    fn truncate(&mut self, len: usize) {
        for item in self.list.drain(len.min(self.list.len())..) {
            self.numbers.remove(&item);
        }
    }
}

/// Returns an element of a table; the last one also if the index is out of bounds.
#[inline(always)]
fn element_or_last(numbers: &[i64], index: i64) -> Option<i64> {
    numbers.get(cast::index(index.max(0))).or(numbers.last()).copied()
}

/// All expressions of a ruleset, with the columns, tables and sets of cards that they refer to.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    exprs: Interned<Expr>,
    facts: Vec<Facts>,
    pub(crate) columns: Columns,
    cards: Interned<Cards>,
    tables: Interned<Box<[i64]>>,
    /// The numbers of [`Expr::Weight`], each at most [`MAX_WEIGHT`] from 0.
    weights: Vec<i64>,
    pub(crate) is_full: bool,
    /// Whether expressions are to be built as if there were no cards. Tools set this to learn what the number of players and the options
    /// determine alone.
    pub ignores_cards: bool,
}

/// The sizes of a graph at some time, by which later additions can be removed again.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    exprs: usize,
    columns: usize,
    cards: usize,
    tables: usize,
    weights: usize,
}

impl std::ops::Index<ExprId> for Graph {
    type Output = Expr;

    #[inline]
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs.list[id.index()]
    }
}

impl Graph {
    /// Returns the properties of an expression.
    pub fn facts(&self, id: ExprId) -> &Facts {
        &self.facts[id.index()]
    }

    /// Returns the number of expressions.
    pub fn count(&self) -> usize {
        self.exprs.list.len()
    }

    /// Returns all expressions, by index.
    pub fn all(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.list.iter().enumerate().map(|(index, expr)| (ExprId::at(index), expr))
    }

    /// Returns the columns: tables of numbers by card.
    #[inline(always)]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the cards that a loop visits.
    #[inline(always)]
    pub fn cards(&self, cards: CardsId) -> &Cards {
        &self.cards.list[cards.0 as usize]
    }

    /// Returns the number of different sets of cards for loops.
    pub fn count_of_cards(&self) -> usize {
        self.cards.list.len()
    }

    /// Returns an element of a table; the last one also if the index is out of bounds.
    #[inline(always)]
    pub fn table_element(&self, table: u32, index: i64) -> i64 {
        element_or_last(self.table_numbers(table), index).unwrap_or(0)
    }

    /// Returns the elements of a table.
    pub fn table_numbers(&self, table: u32) -> &[i64] {
        &self.tables.list[table as usize]
    }

    /// Returns all weights, by index.
    #[inline(always)]
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// Creates a weight: a constant, where weights cannot hold it.
    pub fn weight(&mut self, value: i64) -> ExprId {
        match u16::try_from(self.weights.len()) {
            Ok(index) if (-MAX_WEIGHT..=MAX_WEIGHT).contains(&value) => {
                self.weights.push(value);
                self.add(Expr::Weight { index })
            }
            Ok(_) | Err(_) => self.add(Expr::Const { value }),
        }
    }

    /// Whether the graph overflowed because of too many expressions or nested loops. Its content is then meaningless.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the current sizes of the graph, with which [`Graph::restore`] removes later additions.
    pub fn mark(&self) -> Mark {
        let (cards, tables) = (self.cards.list.len(), self.tables.list.len());
        Mark { exprs: self.count(), columns: self.columns.end(), cards, tables, weights: self.weights.len() }
    }

    /// Removes everything that was added to the graph after the mark was made.
    pub fn restore(&mut self, mark: Mark) {
        self.exprs.truncate(mark.exprs);
        self.facts.truncate(mark.exprs);
        self.columns.truncate(mark.columns);
        self.cards.truncate(mark.cards);
        self.tables.truncate(mark.tables);
        self.weights.truncate(mark.weights);
        self.is_full = false;
    }

    /// Interns the cards that a loop visits.
    pub fn intern_cards(&mut self, cards: Cards) -> CardsId {
        // Lowering limits the number of sets of cards.
        CardsId(cast::fit::<u16>(self.cards.number(cards)))
    }

    /// Interns an expression without folding.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        let count = self.count();
        let Some(id) = ExprId::new(self.exprs.number(expr)) else {
            self.exprs.truncate(count);
            self.is_full = true;
            return ExprId::default();
        };
        if id.index() == count {
            let facts = Facts::of(self, id, expr);
            self.facts.push(facts);
        }
        id
    }
}

/// Whether the value of a local is read in an expression.
pub fn reads_locals(graph: &Graph, value: ExprId) -> bool {
    graph.facts(value).locals != 0
}

/// Whether something holds for an expression or any part of it.
pub fn any_part(graph: &Graph, value: ExprId, holds: &impl Fn(Expr) -> bool) -> bool {
    let (mut left, mut seen) = (vec![value], BTreeSet::from([value]));
    while let Some(id) = left.pop() {
        if holds(graph[id]) {
            return true;
        }
        left.extend(graph[id].operands().filter(|&part| seen.insert(part)));
    }
    false
}
