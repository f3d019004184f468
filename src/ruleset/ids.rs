//! Numbers that stand for parts of a ruleset or a game, each a type of its own that says how many there can be.
//!
//! An id is made from a position in a list by [`PieceId::new`] and its like, which fail beyond the maximum: whoever makes a list
//! longer is told so where it is declared, and no number is ever cut to fit.

/// Makes types of ids.
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
            /// How many there can be.
            pub const MAX: usize = $most;

            /// The id of what is at this position of its list; none if there can be no so many.
            #[inline]
            pub fn new(index: usize) -> Option<$name> {
                if index >= $name::MAX {
                    return None;
                }
                <$inner>::try_from(index).ok().map($name)
            }

            /// The id of what is at this position of a list that was found to be short enough when it was made.
            #[inline]
            pub fn at(index: usize) -> $name {
                debug_assert!(index < $name::MAX, "{index} of {} at most", $name::MAX);
                // A position that there cannot be stays one that nothing has.
                $name(<$inner>::try_from(index).unwrap_or(<$inner>::MAX))
            }

            /// The bare number.
            #[inline(always)]
            pub const fn number(self) -> $inner {
                self.0
            }

            /// The position in its list.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        // Every id that is allowed has a number.
        const _: () = assert!($name::MAX - 1 <= <$inner>::MAX as usize);
    )*};
}

ids! {
    /// A card that can lie on the table: each copy of a definition is one. A cell of a place holds its number + 1, options name
    /// it by 16 bits with a sign.
    PieceId(u16), at most 32_767;
    /// What a card says of one sort: one of its hooks, or of its changes, or of what it forbids or replaces.
    EntryId(u8), at most 256;
    /// What tokens can show; sets of symbols are the bits of 64.
    SymbolId(u8), at most 64;
    /// Where tokens lie.
    PoolId(u8), at most 64;
    /// An expression of a ruleset's graph.
    ExprId(u32), at most 4_000_000;
}

impl PieceId {
    /// What lies in a slot of a place, as its cell says: 0 for nothing.
    #[inline]
    pub fn of_slot(cell: i32) -> Option<PieceId> {
        usize::try_from(cell).ok()?.checked_sub(1).and_then(PieceId::new)
    }

    /// How an option holds a card that a local holds: -1 is no card.
    #[inline]
    pub fn in_option(local: i32) -> i16 {
        debug_assert!(usize::try_from(local).map_or(true, |piece| PieceId::new(piece).is_some()), "no card has the number {local}");
        i16::try_from(local).unwrap_or(i16::MAX)
    }

    /// As an option holds it.
    #[inline]
    pub fn option(self) -> i16 {
        PieceId::in_option(self.local())
    }

    /// As locals hold it, where -1 is no card.
    #[inline(always)]
    pub fn local(self) -> i32 {
        i32::from(self.0)
    }
}

/// Index of an [`Op`](crate::op::Op).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pc(pub u32);

impl Pc {
    /// The op behind this one.
    #[inline(always)]
    pub fn next(self) -> Pc {
        Pc(self.0 + 1)
    }

    /// The op before this one.
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
