//! Index types for parts of a ruleset, each with a maximum.
//!
//! An id is created from an index by a function such as [`PieceId::new`], which fails above the maximum. Whoever creates a longer list must
//! report that at its declaration; an index is never truncated.

/// Declares types of ids: each is an index with a maximum.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty), at most $most:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($inner);

        impl From<$name> for u32 {
            fn from(id: $name) -> u32 {
                u32::from(id.0)
            }
        }

        impl $name {
            /// The maximum number of ids.
            pub const MAX: usize = $most;

            /// Returns the id for an index; `None` if the index is not below the maximum.
            #[inline]
            pub fn new(index: usize) -> Option<$name> {
                if index >= $name::MAX {
                    return None;
                }
                <$inner>::try_from(index).ok().map($name)
            }

            /// Returns the id for an index whose bound was checked when the list was created.
            #[inline]
            pub fn at(index: usize) -> $name {
                debug_assert!(index < $name::MAX, "{index} of {} at most", $name::MAX);
                // An index out of bounds stays out of bounds.
                $name(<$inner>::try_from(index).unwrap_or(<$inner>::MAX))
            }

            /// Returns the id as a number.
            #[inline(always)]
            pub const fn number(self) -> $inner {
                self.0
            }

            /// Returns the id as an index into its list.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        // Every allowed id fits its type.
        const _: () = assert!($name::MAX - 1 <= <$inner>::MAX as usize);
    )*};
}

ids! {
    /// A piece: one copy of a card. A slot holds its index + 1, and options hold it in 16 bits with sign.
    PieceId(u16), at most 32_767;
    /// An entry of a card: an index among the card's entries of one sort.
    EntryId(u8), at most 256;
    /// A symbol that tokens can show; sets of symbols are 64-bit sets.
    SymbolId(u8), at most 64;
    /// A pool of tokens.
    PoolId(u8), at most 64;
    /// An expression in the graph.
    ExprId(u32), at most 4_000_000;
}

impl PieceId {
    /// Returns the piece in a slot, from the slot's cell; `None` if the slot is empty.
    #[inline]
    pub fn of_slot(cell: i32) -> Option<PieceId> {
        usize::try_from(cell).ok()?.checked_sub(1).and_then(PieceId::new)
    }

    /// Converts a card from the form in which a local holds it to the form in which an option holds it; -1 is no card.
    #[inline]
    pub fn in_option(local: i32) -> i16 {
        debug_assert!(usize::try_from(local).map_or(true, |piece| PieceId::new(piece).is_some()), "no card has the number {local}");
        i16::try_from(local).unwrap_or(i16::MAX)
    }

    /// Returns the piece in the form in which an option holds it.
    #[inline]
    pub fn option(self) -> i16 {
        PieceId::in_option(self.local())
    }

    /// Returns the piece in the form in which a local holds it, where -1 is no card.
    #[inline(always)]
    pub fn local(self) -> i32 {
        i32::from(self.0)
    }
}

/// The position of an op in the program: the index of an [`Op`](crate::op::Op).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pc(pub u32);

impl Pc {
    /// Returns the position of the next op.
    #[inline(always)]
    pub fn next(self) -> Pc {
        Pc(self.0 + 1)
    }

    /// Returns the position of the previous op.
    pub fn before(self) -> Pc {
        Pc(self.0.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_refused_beyond_its_maximum() {
        assert_eq!(PieceId::new(PieceId::MAX - 1).map(PieceId::index), Some(32_766));
        assert_eq!(PieceId::new(PieceId::MAX), None);
        assert_eq!([-1, 0, 1, 32_768].map(|cell| PieceId::of_slot(cell).map(PieceId::local)), [None, None, Some(0), None]);
        assert_eq!((EntryId::new(255).map(EntryId::index), EntryId::new(256)), (Some(255), None));
        assert_eq!((SymbolId::new(64), PoolId::new(usize::MAX)), (None, None));
    }
}
