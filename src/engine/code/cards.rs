//! Going through the cards of a loop, one by one, as they lie: place after place, slot after slot.

use super::expr::Cards;
use crate::engine::game::Game;
use crate::engine::node::Whose;
use crate::engine::ruleset::{Ruleset, Shape};

/// How far a loop has come, as two registers keep it.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    /// The cell that is looked at next.
    pub cell: u32,
    /// How many pieces of the instance are still to come.
    pub left: i64,
    /// Which of the place declarations.
    place: u16,
    /// How many of its instances have been begun.
    begun: u16,
}

impl Walk {
    /// Before the first card.
    pub const START: Walk = Walk { cell: 0, left: 0, place: 0, begun: 0 };

    #[inline(always)]
    pub fn from_registers(at: i64, left: i64) -> Walk {
        Walk { cell: at as u32, left, place: (at >> 32) as u16, begun: (at >> 48) as u16 }
    }

    #[inline(always)]
    pub fn into_registers(self) -> (i64, i64) {
        (self.cell as i64 | (self.place as i64) << 32 | (self.begun as i64) << 48, self.left)
    }
}

impl Game {
    /// The next card, or `None` behind the last.
    #[inline]
    pub(super) fn walk_on<const NOTE: bool>(&self, rules: &Ruleset, cards: &Cards, me: usize, walk: &mut Walk) -> Option<i64> {
        while let Some(&place) = cards.places.get(walk.place as usize) {
            let declared = &rules.places[place as usize];
            let (first, count) = match (declared.of_seat, cards.whose) {
                (true, Whose::Mine) => (me, 1),
                (true, Whose::All) => (0, rules.players),
                (false, _) => (0, 1),
            };
            if walk.left > 0 {
                let at = &rules.layout.places[declared.first as usize + first + walk.begun as usize - 1];
                let cells = self.cells_of(at.owner);
                while walk.left > 0 && walk.cell <= at.base + at.room as u32 {
                    let (piece, slot) = (cells[walk.cell as usize], walk.cell - at.base - 1);
                    walk.cell += 1;
                    if piece <= 0 {
                        continue;
                    }
                    walk.left -= 1;
                    let piece = piece as usize - 1;
                    if cards.kinds != 0 && cards.kinds >> rules.piece_kind[piece] & 1 == 0 {
                        continue;
                    }
                    if cards.rows != 0
                        && let Shape::Grid { columns, .. } = declared.shape
                        && cards.rows >> (slot / columns as u32 + 1) & 1 == 0
                    {
                        continue;
                    }
                    if let Some(counter) = cards.with
                        && self.read_counter::<NOTE>(rules, piece as i64, counter) <= 0
                    {
                        continue;
                    }
                    return Some(piece as i64);
                }
            }
            if walk.begun as usize == count {
                (walk.place, walk.begun, walk.left) = (walk.place + 1, 0, 0);
                continue;
            }
            let at = &rules.layout.places[declared.first as usize + first + walk.begun as usize];
            walk.begun += 1;
            walk.cell = at.base + 1;
            walk.left = self.read_at::<NOTE>(rules, at.owner, at.base as usize);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{DENS, game, rules};
    use crate::state::layout::piece;

    #[test]
    fn cards_come_as_they_lie_and_only_those_that_are_meant() {
        let rules = rules(|_, _| {});
        let mut game = game(&rules);
        game.run.quiet = 1;
        for (card, den, slot) in [(3, 0, 2), (1, 0, 0), (0, 1, 1), (2, 1, 0)] {
            game.lay(&rules, card, DENS + den, slot);
        }
        game.put(&rules, rules.layout.piece(0, piece::COUNTERS), 2).expect("a small number");
        let found = |whose, kinds, with| {
            let cards = Cards { places: [0].into(), whose, kinds, rows: 0, with };
            let (mut walk, mut found) = (Walk::START, Vec::new());
            while let Some(card) = game.walk_on::<false>(&rules, &cards, 0, &mut walk) {
                found.push(card);
                let (at, left) = walk.into_registers();
                walk = Walk::from_registers(at, left);
            }
            found
        };
        assert_eq!(found(Whose::Mine, 0, None), [1, 3]);
        assert_eq!(found(Whose::All, 0, None), [1, 3, 2, 0]);
        assert_eq!(found(Whose::All, 0b10, None), [1, 2]);
        assert_eq!(found(Whose::All, 0, Some(piece::COUNTERS as u8)), [0]);
    }
}
