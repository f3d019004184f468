//! Operations of the machine, each a line of a table.

use super::{CardsId, ColumnId, ExprId, Fold, Two, ValueId};
use crate::compare::Compare;

/// A register.
pub type Reg = u8;

/// A register that stands for none.
pub const NONE: Reg = Reg::MAX;

/// Makes the operations of a table: first those that may go on elsewhere than behind themselves, at `to`.
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
            /// Where it may go on, if not behind itself.
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
        UnlessIs { how: Compare, a: Reg, b: Reg, to: u16 };
        UnlessConst { how: Compare, a: Reg, value: i16, to: u16 };
        FirstCard { at: Reg, card: Reg, cards: CardsId, to: u16 };
        NextCard { at: Reg, card: Reg, cards: CardsId, to: u16 };
        /// The like where nothing but the place is asked of a card.
        NextInPlace { at: Reg, card: Reg, cards: CardsId, to: u16 };
        NextSeat { at: Reg, asker: Reg, others: bool, to: u16 };
        Enter { d: Reg, seat: Reg, to: u16 };
    }
    others {
        Const { d: Reg, value: i32 };
        Local { d: Reg, local: u8 };
        Copy { d: Reg, a: Reg };
        Own { d: Reg, offset: u16 };
        OwnAt { d: Reg, index: Reg, offset: u16, len: u16 };
        Column { d: Reg, card: Reg, column: ColumnId };
        Counter { d: Reg, card: Reg, offset: u8 };
        Lying { d: Reg, place: u16 };
        Add { d: Reg, a: Reg, b: Reg };
        Sub { d: Reg, a: Reg, b: Reg };
        Mul { d: Reg, a: Reg, b: Reg };
        Two { how: Two, d: Reg, a: Reg, b: Reg };
        AddConst { d: Reg, a: Reg, value: i32 };
        MulConst { d: Reg, a: Reg, value: i32 };
        /// A number less a register.
        FromConst { d: Reg, a: Reg, value: i32 };
        /// `a + b * value`
        AddTimes { d: Reg, a: Reg, b: Reg, value: i32 };
        /// `a + b * c`
        AddProduct { d: Reg, a: Reg, b: Reg, c: Reg };
        /// `a - b * c`
        SubProduct { d: Reg, a: Reg, b: Reg, c: Reg };
        /// `d + a * column`
        AddTimesColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        TwoConst { how: Two, d: Reg, a: Reg, value: i32 };
        IsConst { how: Compare, d: Reg, a: Reg, value: i32 };
        AddColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        MulColumn { d: Reg, a: Reg, card: Reg, column: ColumnId };
        Not { d: Reg, a: Reg };
        Truth { d: Reg, a: Reg };
        Leave { me: Reg };
        Best { fold: Fold, d: Reg, a: Reg, any: Reg };
        Value { d: Reg, value: ValueId, at: u16 };
        /// Whether a card in play changes a quantity.
        Changed { d: Reg, quantity: u16 };
        /// What comes up less often: one of those of the code.
        Read { index: u16 };
        /// What may have to work something else out: one of those of the code.
        WorkOut { index: u16 };
    }
}

operations! {
    /// An operation that only reads, and comes up less often.
    Read:
    jumps {}
    others {
        Long { d: Reg, index: u32 };
        /// An expression of its parts, as the walker works it out.
        Step { d: Reg, a: Reg, b: Reg, expr: ExprId };
        Me { d: Reg };
        FieldAt { d: Reg, card: Reg, index: Reg, field: u16, len: u16 };
        /// A sum over cards of what is printed times a counter: see [`Terms`].
        SumCards { d: Reg, cards: CardsId, terms: u16 };
        /// The like of each number of a printed row, in as many registers from `d` on.
        SumRows { d: Reg, cards: CardsId, terms: u16 };
        AddRow { d: Reg, card: Reg, a: Reg, field: u16, len: u8 };
    }
}

operations! {
    /// An operation for which something else may have to be worked out.
    WorkOut:
    jumps {}
    others {
        Quantity { d: Reg, a: Reg, b: Reg, quantity: u16 };
        Applied { d: Reg, value: Reg, a: Reg, b: Reg, quantity: u16 };
        Rank { d: Reg, a: Reg, rank: u16, by: u16 };
        RowAt { d: Reg, index: Reg, len: u8, value: ValueId };
    }
}

/// What is summed of each card: the product of what there is of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Cards for which this is 0 are left out.
    pub filter: Option<ColumnId>,
    /// Offset of a counter of the card.
    pub counter: Option<u8>,
    /// What is printed on it.
    pub column: Option<ColumnId>,
    /// A printed row, of which each number is summed: field and length.
    pub row: (u16, u16),
}

/// Operations are read one after the other, and short.
const _: () = assert!(std::mem::size_of::<Op>() == 8);
