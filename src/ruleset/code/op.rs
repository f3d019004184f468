//! The operations of the register machine, declared in a table.

use super::{CardsId, ColumnId, ExprId, Fold, NumberOp, ValueId};
use crate::compare::Compare;

/// The index of a register of the register machine.
pub type Reg = u8;

/// Stands for no register, where one is optional.
pub const NONE: Reg = Reg::MAX;

/// Makes an enum of operations from a table: first those that may jump, with the target `to`.
macro_rules! operations {
    (
        $(#[$of_all:meta])* $all:ident:
        jumps { $($(#[$of_jump:meta])* $jump:ident { $($in_jump:ident: $type_in_jump:ty),* };)* }
        others { $($(#[$of_other:meta])* $other:ident { $($member:ident: $type:ty),* };)* }
    ) => {
        $(#[$of_all])*
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "a line says what its members are")]
        pub enum $all {
            $($(#[$of_jump])* $jump { $($in_jump: $type_in_jump),* },)*
            $($(#[$of_other])* $other { $($member: $type),* },)*
        }

        impl $all {
            /// Returns the target of a jump, if the operation may jump.
            pub fn target(&mut self) -> Option<&mut u16> {
                match self {
                    $($all::$jump { to, .. } => Some(to),)*
                    $($all::$other { .. } => None,)*
                }
            }
        }
    };
}

operations! {
    /// An operation. `d` is the register of its result.
    Op:
    jumps {
        Jump { to: u16 };
        Unless { a: Reg, to: u16 };
        When { a: Reg, to: u16 };
        UnlessIs { operator: Compare, a: Reg, b: Reg, to: u16 };
        UnlessConst { operator: Compare, a: Reg, value: i16, to: u16 };
        FirstCard { progress: Reg, card: Reg, cards: CardsId, to: u16 };
        NextCard { progress: Reg, card: Reg, cards: CardsId, to: u16 };
        /// As `NextCard`, for cards that are selected by their place alone.
        NextInPlace { progress: Reg, card: Reg, cards: CardsId, to: u16 };
        NextSeat { seat: Reg, asker: Reg, others: bool, to: u16 };
        Enter { d: Reg, seat: Reg, to: u16 };
        /// The next neighbour of a space; `progress` counts them.
        NextNeighbour { progress: Reg, card: Reg, of: Reg, to: u16 };
    }
    others {
        Const { d: Reg, value: i32 };
        Local { d: Reg, local: u8 };
        Copy { d: Reg, a: Reg };
        Own { d: Reg, offset: u16 };
        OwnAt { d: Reg, index: Reg, offset: u16, len: u16 };
        Column { d: Reg, card: Reg, column: ColumnId };
        Counter { d: Reg, card: Reg, offset: u8 };
        PiecesIn { d: Reg, place: u16 };
        Add { d: Reg, a: Reg, b: Reg };
        Sub { d: Reg, a: Reg, b: Reg };
        Mul { d: Reg, a: Reg, b: Reg };
        Binary { operator: NumberOp, d: Reg, a: Reg, b: Reg };
        AddConst { d: Reg, a: Reg, value: i32 };
        MulConst { d: Reg, a: Reg, value: i32 };
        /// `value - a`
        FromConst { d: Reg, a: Reg, value: i32 };
        /// `a + b * value`
        AddTimes { d: Reg, a: Reg, b: Reg, value: i32 };
        /// `a + b * c`
        AddProduct { d: Reg, a: Reg, b: Reg, c: Reg };
        /// `a - b * c`
        SubProduct { d: Reg, a: Reg, b: Reg, c: Reg };
        /// `d + a * column`
        AddTimesColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        BinaryConst { operator: NumberOp, d: Reg, a: Reg, value: i32 };
        IsConst { operator: Compare, d: Reg, a: Reg, value: i32 };
        AddColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        MulColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        Not { d: Reg, a: Reg };
        Truth { d: Reg, a: Reg };
        Leave { me: Reg };
        Best { fold: Fold, d: Reg, a: Reg, any: Reg };
        Value { d: Reg, value: ValueId, slot: u16 };
        /// Whether a card in play changes a quantity.
        Changed { d: Reg, quantity: u16 };
        /// One of the unit's rare operations.
        Read { index: u16 };
        /// One of the unit's operations that may evaluate other expressions.
        Nested { index: u16 };
    }
}

operations! {
    /// A rare operation, which only reads.
    Read:
    jumps {}
    others {
        Long { d: Reg, index: u32 };
        /// An expression of its operands, as the reference evaluator computes it.
        Step { d: Reg, a: Reg, b: Reg, expr: ExprId };
        Me { d: Reg };
        FieldAt { d: Reg, card: Reg, index: Reg, field: u16, len: u16 };
        /// A sum over cards: see [`Terms`].
        SumCards { d: Reg, cards: CardsId, terms: u16 };
        /// As `SumCards` for each number of a printed row, into consecutive registers from `d` on.
        SumRows { d: Reg, cards: CardsId, terms: u16 };
        AddRow { d: Reg, card: Reg, a: Reg, field: u16, len: u8 };
        CounterAt { d: Reg, card: Reg, index: Reg, offset: u8, len: u16 };
        /// Empties a set of spaces, whose words are the registers from `set` on.
        NoSpaces { set: Reg };
        /// Adds a space to the set of spaces from register `set` on.
        AddSpace { set: Reg, card: Reg, board: u16 };
        /// Of the set of spaces whose first register is given by `spaces`, those that hang together with one, into the registers from `set` on.
        Group { set: Reg, spaces: Reg, from: Reg, board: u16 };
        InSpaces { d: Reg, spaces: Reg, card: Reg, board: u16 };
        LongestLine { d: Reg, spaces: Reg, board: u16 };
        LargestGroup { d: Reg, spaces: Reg, board: u16 };
    }
}

operations! {
    /// An operation that may evaluate other expressions.
    Nested:
    jumps {}
    others {
        Quantity { d: Reg, a: Reg, b: Reg, quantity: u16 };
        Applied { d: Reg, value: Reg, a: Reg, b: Reg, quantity: u16 };
        Rank { d: Reg, a: Reg, rank: u16, by: u16 };
        RowAt { d: Reg, index: Reg, len: u8, value: ValueId };
        /// A search for ways from a space; `set` is the first register of the spaces that are reached, and `search` the index of the constant
        /// that names the expression.
        Ways { d: Reg, from: Reg, with: Reg, set: Reg, search: u16 };
    }
}

/// What a sum over cards adds for each card: the product of the factors that are given here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Cards for which this column is 0 are skipped.
    pub filter: Option<ColumnId>,
    /// The offset of a counter of the card.
    pub counter: Option<u8>,
    /// The column of a number of the card.
    pub column: Option<ColumnId>,
    /// A printed row, each number of which is summed: field and length.
    pub row: (u16, u16),
}

/// Operations are kept small, because the interpreter reads them in sequence.
const _: () = assert!(std::mem::size_of::<Op>() == 8);
