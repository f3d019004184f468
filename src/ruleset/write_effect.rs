//! What has to be done when a cell is written.

use crate::state::layout::{PIECE, TABLE, head};
use crate::state::terms::Lifetime;

/// How many owners variables with a lifetime can have: the table, the pieces, and each seat.
pub const OWNER_COUNT: u8 = 14;
const _: () = assert!(OWNER_COUNT as usize == 2 + head::MAX_SEATS);

/// Returns the number by which a lifetime and an owner are counted together: from 0 to below the number of lifetimes times [`OWNER_COUNT`].
#[inline]
pub fn lasting_number(lifetime: Lifetime, owner: u8) -> u8 {
    let owner = match owner {
        TABLE => 0,
        PIECE => 1,
        seat => 2 + seat,
    };
    lifetime as u8 * OWNER_COUNT + owner
}

/// What has to be done when a cell is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteEffect {
    /// The class of the cell; 0 if nothing depends on it.
    pub class: u32,
    /// The seat that owns it, or what stands for the table and for pieces.
    pub owner: u8,
    /// If it lasts only for a while, its lifetime and owner: see [`lasting_number`].
    pub lasting: Option<u8>,
    /// Whether the state-based checks read it.
    pub is_checked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_and_owners_have_numbers_of_their_own() {
        let owners = || [TABLE, PIECE].into_iter().chain(0..head::MAX_SEATS as u8);
        let numbers = Lifetime::ALL.into_iter().flat_map(|lifetime| owners().map(move |owner| lasting_number(lifetime, owner)));
        let all: Vec<u8> = numbers.collect();
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        assert!(all.iter().all(|number| u32::from(*number) < u128::BITS));
    }
}
