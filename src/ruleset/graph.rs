//! Expressions as a graph in which equal ones are one: each is interned when it is made (hash-consed). What can be known when it is
//! made is worked out there, by its constructor: there is no other folder.
//!
//! A new expression is one line of the table `expressions` below. What stands in it says what its parts are, what it reads beside
//! them, and which constructor makes it; all questions that are asked of any expression are answered from there.

use crate::cast;
use crate::compare::Compare;
pub use crate::ids::ExprId;
pub use columns::{ColumnId, Columns};
use std::collections::HashMap;
use std::hash::Hash;

mod columns;
mod fold;

/// Index of a [`Cards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardsId(pub u16);

/// Whose places a set of cards speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// Those of the seat spoken of (places of the table where no seat has them).
    Mine,
    /// Everybody's.
    All,
}

/// Cards that a loop goes through, but for its condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cards {
    /// Place declarations, in order.
    pub places: Box<[u16]>,
    /// Whose places.
    pub whose: Whose,
    /// Bit set of kinds, 0 for all.
    pub kinds: u64,
    /// Rows of a grid, as a bit set from bit 1; 0 for all.
    pub rows: u32,
    /// Offset of a counter on the card that must be above 0.
    pub with: Option<u8>,
}

impl Cards {
    /// Whether all cards of the places are meant.
    pub fn is_plain(&self) -> bool {
        self.kinds == 0 && self.rows == 0 && self.with.is_none()
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Two {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down.
    Div,
    /// What is left over by it.
    Remainder,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// A comparison.
    Is(Compare),
}

impl Two {
    /// The result; `None` for a number that is too large, or for a division by 0.
    #[inline(always)]
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Two::Add => a.checked_add(b),
            Two::Sub => a.checked_sub(b),
            Two::Mul => a.checked_mul(b),
            Two::Div => a.checked_div_euclid(b).map(|quotient| if b < 0 && a.rem_euclid(b) != 0 { quotient - 1 } else { quotient }),
            Two::Remainder => a.checked_rem(b).map(|left| if left != 0 && (left < 0) != (b < 0) { left + b } else { left }),
            Two::Min => Some(a.min(b)),
            Two::Max => Some(a.max(b)),
            Two::Is(how) => Some(how.holds(a, b) as i64),
        }
    }

    /// Its name, and the sign that stands between its parts when it is told; both empty where explanations have words of their own.
    pub fn name_and_sign(self) -> (&'static str, &'static str) {
        match self {
            Two::Div => ("quotient", "/"),
            Two::Remainder => ("remainder", "modulo"),
            Two::Add | Two::Sub | Two::Mul | Two::Min | Two::Max | Two::Is(_) => ("", ""),
        }
    }

    /// Whether the second number must not be 0.
    pub fn divides(self) -> bool {
        matches!(self, Two::Div | Two::Remainder)
    }

    fn commutes(self) -> bool {
        matches!(self, Two::Add | Two::Mul | Two::Min | Two::Max | Two::Is(Compare::Equal | Compare::Unequal))
    }
}

/// What a loop makes of what it goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum of the bodies.
    Sum,
    /// The highest body, 0 without any.
    Highest,
    /// The lowest body, 0 without any.
    Lowest,
    /// How many there are.
    Count,
    /// Whether there is one.
    Any,
}

/// Makes of the table of all expressions the enum, and what is asked of any of them. Members that are expressions are its parts.
macro_rules! enum_of {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$of_member:meta])* $member:ident: $type:ty),* })? [$($is:ident),*] $(=> $($fold:ident).+)?;
    )*) => {
        /// An expression. Truth is 1 or 0, a missing card is -1. What is bound by a loop is a [`Expr::Var`], numbered so that equal
        /// loops are equal wherever they stand: each loop has the lowest number above those of the loops in it that can read it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "a line says what its members are")]
        pub enum Expr {
            $($(#[$doc])* $name $({ $($(#[$of_member])* $member: $type),* })?,)*
        }

        #[allow(unused_variables, reason = "not every member is a part")]
        impl Expr {
            /// Calls `f` for each part: the expressions right below this one, from left to right.
            fn each_part(self, f: &mut impl FnMut(ExprId)) {
                match self {
                    $(Expr::$name $({ $($member),* })? => { $($($member.each_part(f);)*)? })*
                }
            }

            /// The same of other parts.
            pub fn map_parts(self, f: &mut impl FnMut(ExprId) -> ExprId) -> Expr {
                match self {
                    $(Expr::$name $({ $($member),* })? => Expr::$name $({ $($member: $member.map_parts(f)),* })?,)*
                }
            }

            /// What it is beside its parts.
            fn traits(self) -> Traits {
                match self {
                    $(Expr::$name $({ $($member),* })? => Traits { $($is: true,)* ..Traits::default() },)*
                }
            }
        }
    };
}

/// The table of all expressions, given to a macro that makes something of it. A line says: name and members; in brackets what it is beside
/// its parts, by the names of [`Traits`]; and behind an arrow the constructor that folds it, if there is one (`make`).
macro_rules! expressions {
    ($macro:ident) => {
        $macro! {
            /// A number.
            Const { value: i64 } [];
            /// A parameter, or what a statement or a loop that is being made has bound.
            Local { local: u8 } [];
            /// What a loop around it has bound.
            Var { var: u8 } [];
            /// The seat spoken of.
            Me [of_seat];
            /// A cell of the table.
            Global { cell: u32 } [];
            /// A cell of the seat spoken of.
            Own { offset: u16 } [of_seat];
            /// One of `len` cells of the seat, 0 beyond them.
            OwnAt { offset: u16, len: u16, index: ExprId } [of_seat] => graph.own_at;
            /// Whether a bit is in a set of the seat.
            OwnBit { offset: u16, index: ExprId } [of_seat, truth];
            /// What is known of a card by what is printed.
            Column { card: ExprId, column: ColumnId } [] => graph.of_column;
            /// One of `len` printed numbers by index, 0 beyond them.
            FieldAt { card: ExprId, field: u16, len: u16, index: ExprId } [] => field_at;
            /// An element of a printed list, from 0.
            ListAt { card: ExprId, field: u16, index: ExprId } [];
            /// The sum of the first elements of a printed list.
            ListFirst { card: ExprId, field: u16, count: ExprId } [] => first_of_list;
            /// A counter of a piece.
            Counter { card: ExprId, offset: u8 } [];
            /// Whether a piece lies in one of the declared places of a bit set.
            InPlaces { card: ExprId, places: u64 } [truth];
            /// The first piece in a place, which each seat has or the table.
            FirstIn { place: u16, of_each: bool } [of_seat];
            /// How many pieces lie in a place.
            Lying { place: u16, of_each: bool } [of_seat];
            /// The row of a piece in a grid, from 1; 0 elsewhere.
            Row { card: ExprId, grid: u16 } [];
            /// The column of a piece in a grid, from 1; 0 elsewhere.
            GridColumn { card: ExprId, grid: u16 } [];
            /// The seat that owns the place of a piece, or -1.
            OwnerOf { card: ExprId } [];
            /// Where the seat stands in the order, from 1.
            PlaceInOrder [of_seat];
            /// An operation on two numbers.
            Two { how: Two, a: ExprId, b: ExprId } [] => graph.two;
            /// Not.
            Not { a: ExprId } [truth] => graph.not;
            /// 1 for whatever is not 0.
            Truth { a: ExprId } [truth] => graph.truth;
            /// And; the second is not looked at when the first is false.
            And { a: ExprId, b: ExprId } [truth] => graph.and;
            /// Or; the second is not looked at when the first is true.
            Or { a: ExprId, b: ExprId } [truth] => graph.or;
            /// One or the other.
            If { condition: ExprId, yes: ExprId, no: ExprId } [] => graph.choice;
            /// A loop over cards.
            OverCards { fold: Fold, cards: CardsId, var: u8, filter: Option<ExprId>, body: Option<ExprId> } [of_seat, goes_through]
                => over_cards;
            /// A loop over seats, each being the one spoken of; the variable is the seat that asks.
            OverSeats { fold: Fold, others: bool, var: u8, filter: Option<ExprId>, body: Option<ExprId> } [of_seat, goes_through];
            /// Sums over cards of each number of a printed row times a factor.
            Rows { cards: CardsId, var: u8, filter: Option<ExprId>, field: u16, len: u16, factor: ExprId } [of_seat, goes_through];
            /// One of the sums of [`Expr::Rows`], 0 beyond them.
            RowAt { row: ExprId, index: ExprId } [];
            /// A quantity that is worked out apart: kept by itself, or with arguments.
            Quantity { quantity: u16, args: [Option<ExprId>; 2] } [of_seat];
            /// A number with what cards change of a quantity.
            Applied { quantity: u16, value: ExprId, args: [Option<ExprId>; 2] } [of_seat];
            /// Whether a card in play changes a quantity.
            Changed { quantity: u16 } [truth];
            /// Whether the seat is in a rank: by what, and how many count.
            Rank { rank: u16, by: ExprId, leaders: ExprId } [of_seat, goes_through, truth];
            /// One of several numbers by index; the last stands for all beyond.
            Table { index: ExprId, table: u32 } [] => graph.table_at;
            /// An expression of another seat; 0 of none.
            Of { seat: ExprId, body: ExprId } [of_another];
            /// Tokens of a set in a pool: which sort, showing what.
            CountTokens { set: u32, pool: u8, of: Option<ExprId>, showing: Option<ExprId> } [of_seat, goes_through];
            /// How much of a symbol the tokens of a pool show.
            ShownIn { symbol: ExprId, pool: u8 } [of_seat, goes_through];
            /// How much of a symbol a pool can pay.
            Payable { symbol: ExprId, pool: u8 } [of_seat, goes_through];
            /// How much of a symbol a picked token shows.
            ShownBy { picked: ExprId, symbol: ExprId } [];
        }
    };
}

pub(crate) use expressions;

expressions!(enum_of);

/// What an expression is beside its parts.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// It may be something else for another seat, whatever its parts are.
    of_seat: bool,
    /// Its body is about another seat, so that what that is to the seat spoken of does not matter.
    of_another: bool,
    /// Working it out goes through cards, seats or tokens.
    goes_through: bool,
    /// It is 1 or 0.
    truth: bool,
}

/// A member of an expression: a part, several parts, or none.
trait Member: Copy {
    fn each_part(self, _: &mut impl FnMut(ExprId)) {}

    fn map_parts(self, _: &mut impl FnMut(ExprId) -> ExprId) -> Self {
        self
    }
}

macro_rules! no_parts {
    ($($type:ty),*) => { $(impl Member for $type {})* };
}

no_parts!(i64, u64, u32, u16, u8, bool, Two, Fold, ColumnId, CardsId);

impl Member for ExprId {
    fn each_part(self, f: &mut impl FnMut(ExprId)) {
        f(self);
    }

    fn map_parts(self, f: &mut impl FnMut(ExprId) -> ExprId) -> ExprId {
        f(self)
    }
}

impl<T: Member> Member for Option<T> {
    fn each_part(self, f: &mut impl FnMut(ExprId)) {
        if let Some(part) = self {
            part.each_part(f);
        }
    }

    fn map_parts(self, f: &mut impl FnMut(ExprId) -> ExprId) -> Option<T> {
        self.map(|part| part.map_parts(f))
    }
}

impl<T: Member> Member for [T; 2] {
    fn each_part(self, f: &mut impl FnMut(ExprId)) {
        self.into_iter().for_each(|part| part.each_part(f));
    }

    fn map_parts(self, f: &mut impl FnMut(ExprId) -> ExprId) -> [T; 2] {
        let [first, second] = self;
        [first.map_parts(f), second.map_parts(f)]
    }
}

/// No expression has more parts.
pub const MAX_PARTS: usize = 3;

impl Expr {
    /// The expressions right below, from left to right.
    pub fn parts(self) -> impl Iterator<Item = ExprId> {
        let (mut parts, mut count) = ([None; MAX_PARTS], 0);
        self.each_part(&mut |part| {
            parts[count] = Some(part);
            count += 1;
        });
        parts.into_iter().flatten()
    }

    /// Whether working it out goes through cards, seats or tokens.
    pub fn is_long(self) -> bool {
        self.traits().goes_through
    }

    /// The variable that it binds in its parts.
    fn binds(self) -> Option<u8> {
        if let Expr::OverCards { var, .. } | Expr::OverSeats { var, .. } | Expr::Rows { var, .. } = self { Some(var) } else { None }
    }
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Its free variables: those of loops around it that it reads, as a bit set.
    pub vars: u16,
    /// Locals that it reads, as a bit set.
    pub locals: u16,
    /// About how long it takes to work it out.
    pub weight: u32,
    /// How many expressions are within each other.
    pub depth: u16,
    /// It may come to something else for another seat.
    pub by_seat: bool,
    /// Something in it goes through cards, seats or tokens, or is about another seat.
    pub is_far: bool,
    /// The lowest variable that no loop in it binds which can read a variable from outside.
    pub(crate) above: u8,
    /// Quantities of which it asks whether a card changes them: the first of them.
    pub(crate) changed: Option<u16>,
    /// Loop variables of which it asks in which places they lie: the first of these questions.
    pub(crate) placed: Option<ExprId>,
}

impl Facts {
    /// Whether it depends on nothing but the seat.
    pub fn closed(&self) -> bool {
        self.vars == 0 && self.locals == 0
    }
}

/// Things each of which is there once, by number.
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

/// All expressions of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    exprs: Interned<Expr>,
    facts: Vec<Facts>,
    pub(crate) columns: Columns,
    cards: Interned<Cards>,
    tables: Interned<Box<[i64]>>,
    pub(crate) is_full: bool,
    /// Nothing is known of cards: for who asks what is settled by players and options, whatever cards there are.
    pub ignores_cards: bool,
}

/// How much a graph holds.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    exprs: usize,
    columns: usize,
    cards: usize,
    tables: usize,
}

impl std::ops::Index<ExprId> for Graph {
    type Output = Expr;

    #[inline]
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs.list[id.index()]
    }
}

impl Graph {
    /// What is known of an expression.
    pub fn facts(&self, id: ExprId) -> &Facts {
        &self.facts[id.index()]
    }

    /// How many expressions there are.
    pub fn count(&self) -> usize {
        self.exprs.list.len()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.list.iter().enumerate().map(|(index, expr)| (ExprId::at(index), expr))
    }

    /// What is printed on cards, as columns.
    #[inline(always)]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The cards that a loop goes through.
    #[inline(always)]
    pub fn cards(&self, cards: CardsId) -> &Cards {
        &self.cards.list[cards.0 as usize]
    }

    /// How many different cards loops go through.
    pub fn count_of_cards(&self) -> usize {
        self.cards.list.len()
    }

    /// One of several numbers by index; the last stands for all beyond.
    #[inline(always)]
    pub fn in_table(&self, table: u32, index: i64) -> i64 {
        let numbers = &self.tables.list[table as usize];
        numbers.get(cast::index(index.max(0))).or(numbers.last()).copied().unwrap_or(0)
    }

    /// Whether there was no room for an expression, or too many loops stood within each other: what was made instead means nothing.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// How much it holds, before it is extended for a while.
    pub fn mark(&self) -> Mark {
        let (cards, tables) = (self.cards.list.len(), self.tables.list.len());
        Mark { exprs: self.count(), columns: self.columns.end(), cards, tables }
    }

    /// Takes back what was made since.
    pub fn take_back(&mut self, mark: Mark) {
        self.exprs.truncate(mark.exprs);
        self.facts.truncate(mark.exprs);
        self.columns.truncate(mark.columns);
        self.cards.truncate(mark.cards);
        self.tables.truncate(mark.tables);
        self.is_full = false;
    }

    /// The number of the cards that a loop goes through.
    pub fn intern_cards(&mut self, cards: Cards) -> CardsId {
        // There are far fewer than that: whoever lowers rules sees to it.
        CardsId(cast::fit::<u16>(self.cards.number(cards)))
    }

    /// An expression as it is, without folding.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        let count = self.count();
        let Some(id) = ExprId::new(self.exprs.number(expr)) else {
            self.exprs.truncate(count);
            self.is_full = true;
            return ExprId::default();
        };
        if id.index() == count {
            let facts = self.facts_of(id, expr);
            self.facts.push(facts);
        }
        id
    }

    fn facts_of(&self, id: ExprId, expr: Expr) -> Facts {
        let traits = expr.traits();
        // What lies in a place of the table is the same for all.
        let of_table = matches!(expr, Expr::FirstIn { of_each: false, .. } | Expr::Lying { of_each: false, .. });
        let is_far = traits.goes_through || traits.of_another;
        let mut facts = Facts { weight: 1, by_seat: traits.of_seat && !of_table, is_far, ..Facts::default() };
        for part in expr.parts() {
            let of = self.facts(part);
            facts.vars |= of.vars;
            facts.locals |= of.locals;
            facts.weight = facts.weight.saturating_add(of.weight);
            facts.depth = facts.depth.max(of.depth.saturating_add(1));
            facts.by_seat |= of.by_seat;
            facts.is_far |= of.is_far;
            facts.above = facts.above.max(of.above);
            facts.changed = facts.changed.or(of.changed);
            facts.placed = facts.placed.or(of.placed);
        }
        if let Some(var) = expr.binds() {
            facts.vars &= !(1 << var);
            facts.above = facts.above.max(var + 1);
        }
        if let Expr::Local { local } = expr {
            facts.locals |= 1 << local;
        } else if let Expr::Var { var } = expr {
            facts.vars |= 1 << var;
        } else if let Expr::Changed { quantity } = expr {
            facts.changed = Some(quantity);
        } else if let Expr::InPlaces { card, .. } = expr
            && matches!(self[card], Expr::Var { .. })
        {
            facts.placed = Some(id);
        } else if let Expr::Of { seat, .. } = expr {
            facts.by_seat = self.facts(seat).by_seat;
        }
        if facts.closed() {
            facts.above = 0;
        }
        facts
    }
}
