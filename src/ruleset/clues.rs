//! What seats know of a card without knowing which card it is: the values that a number printed on it cannot have.
//!
//! Each piece has cells for that behind its counters: for each clue a mask of excluded values for each seat, and one with what all seats have been
//! told together, which is all that a seat knows of what others know.

use super::names::NameId;
use super::ruleset::Ruleset;
use crate::cast;
use std::ops::Range;

/// The number of cells of a clue beside the masks of the seats.
pub const COMMON_CELLS: usize = 2;
/// The bit of cards that do not have a field.
pub const NOT_PRINTED: i32 = i32::MIN;
/// The most values of a field of which single ones are shown: each is a bit of a cell.
pub const MAX_VALUES: usize = 31;

/// A field of cards of which rules show the value alone, or whether it is one of some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clue {
    /// The name of the field.
    pub name: NameId,
    /// The index of the field among the printed numbers of a card.
    pub field: u16,
    /// The values that cards have, ascending, each with its name.
    pub values: Vec<(i32, NameId)>,
    /// The other values that the field could have, each with its name: words and spaces that are on no card.
    pub unused: Vec<(i32, NameId)>,
    /// The offset of its first mask in the cells of a piece: one for each seat, one for what all have been told together, and a cell that is 1 if
    /// that leaves one value.
    pub first: u16,
    /// For each definition the bit of its value; [`NOT_PRINTED`] for cards of kinds that do not have the field.
    pub bits: Vec<i32>,
}

impl Clue {
    /// Returns the offset of the cell that is 1 if what all seats have been told leaves one value.
    pub fn known_by_all(&self, players: usize) -> u8 {
        cast::fit::<u8>(usize::from(self.first) + players + 1)
    }

    /// Returns the values that a mask does not exclude, as a bit set.
    pub fn left(&self, excluded: i32) -> i32 {
        self.bits_where(|_| true) & !excluded
    }

    /// Whether a mask leaves one value, or tells that the field is not printed.
    pub fn is_settled(&self, excluded: i32) -> bool {
        excluded != 0 && self.left(excluded).count_ones() <= 1
    }

    /// Returns the mask that excludes all but what is printed on cards of a definition.
    pub fn all_but(&self, definition: usize) -> i32 {
        (self.bits_where(|_| true) | NOT_PRINTED) & !self.bits[definition]
    }

    /// Returns the values for which something holds, as a bit set.
    pub fn bits_where(&self, holds: impl Fn(i32) -> bool) -> i32 {
        (0..).zip(&self.values).filter(|(_, value)| holds(value.0)).fold(0, |bits, (at, _)| bits | 1 << at)
    }
}

impl Ruleset {
    /// Returns the offsets of the masks in the cells of a piece; none if rules show no part of a card.
    pub fn clue_offsets(&self) -> Range<usize> {
        let first = self.clues.first().map_or(self.layout.piece_size, |clue| usize::from(clue.first));
        first..self.layout.piece_size
    }

    /// Returns the cell of a piece with the values that a field cannot have, as far as a seat knows.
    pub fn clue_cell(&self, clue: &Clue, piece: usize, seat: usize) -> usize {
        self.layout.piece(piece, usize::from(clue.first) + seat)
    }

    /// Returns the cell of a piece with the values that a field cannot have, as far as all seats have been told together.
    pub fn common_clue_cell(&self, clue: &Clue, piece: usize) -> usize {
        self.clue_cell(clue, piece, self.players)
    }

    /// Whether a piece may be another one, as far as a seat has been told of its parts.
    #[inline]
    pub fn may_be(&self, cells: &[i32], seat: usize, piece: usize, other: usize) -> bool {
        let definition = self.piece_definition[other] as usize;
        self.clues.iter().all(|clue| cells[self.clue_cell(clue, piece, seat)] & clue.bits[definition] == 0)
    }

    /// Whether a seat knows the value of a field of a piece, be it from what it has been told of it.
    pub fn knows_field(&self, cells: &[i32], seat: usize, piece: usize, clue: &Clue) -> bool {
        !self.is_unknown(cells, seat, piece) || clue.is_settled(cells[self.clue_cell(clue, piece, seat)])
    }

    /// Whether a seat has been told anything of a part of a piece.
    #[inline]
    pub fn has_clue(&self, cells: &[i32], seat: usize, piece: usize) -> bool {
        self.clues.iter().any(|clue| cells[self.clue_cell(clue, piece, seat)] != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::layout::piece;
    use crate::testing::{PILE, rules};

    #[test]
    fn a_piece_may_be_what_no_clue_excludes() {
        let mut rules = rules(|_, _| {});
        let first = rules.layout.piece_size as u16;
        rules.clues =
            vec![Clue { name: 0, field: 0, values: vec![(1, 0), (3, 0), (4, 0)], unused: Vec::new(), first, bits: vec![2, 1, 4] }];
        rules.layout.piece_size += rules.players + COMMON_CELLS;
        let mut cells = vec![0; rules.layout.piece(4, 0)];
        cells[rules.layout.piece(0, piece::PLACE)] = PILE as i32;
        let clue = &rules.clues[0];
        let all = |cells: &[i32], seat: usize| (0..4).filter(|&other| rules.may_be(cells, seat, 0, other)).collect::<Vec<_>>();
        assert_eq!((all(&cells, 1), rules.has_clue(&cells, 1, 0)), (vec![0, 1, 2, 3], false));
        cells[rules.clue_cell(clue, 0, 1)] = clue.bits_where(|value| value > 3);
        assert_eq!([all(&cells, 0), all(&cells, 1)], [vec![0, 1, 2, 3], vec![0, 1, 2]]);
        assert_eq!((rules.has_clue(&cells, 1, 0), rules.knows_field(&cells, 1, 0, clue)), (true, false));
        cells[rules.clue_cell(clue, 0, 1)] |= clue.bits_where(|value| value == 1);
        assert!(all(&cells, 1) == [0] && rules.knows_field(&cells, 1, 0, clue), "its value is known");
    }
}
