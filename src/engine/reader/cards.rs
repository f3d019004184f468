//! Iterates over the cards of a set, by place and slot, and sums numbers over them.

use super::Reader;
use crate::cast;
use crate::env::ReadView;
use crate::position::instances;
use crate::ruleset::{Ruleset, Shape};
use houserule_ruleset::code::{Cards, Columns, MAX_ROW_LENGTH, Terms};

/// The progress of a loop over cards, which is stored in two registers.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    /// The index of the next cell to visit.
    pub cell: u32,
    /// The number of pieces of the instance that have not been visited.
    pub pieces_left: i64,
    /// The index in the list of places of the place being visited.
    place: u16,
    /// The number of instances of that place that have been started.
    started: u16,
}

impl Walk {
    /// The progress at the start of a loop.
    pub const START: Walk = Walk { cell: 0, pieces_left: 0, place: 0, started: 0 };

    #[inline(always)]
    pub fn from_registers(packed: i64, left: i64) -> Walk {
        Walk { cell: cast::low(packed), pieces_left: left, place: cast::low(packed >> 32), started: cast::low(packed >> 48) }
    }

    #[inline(always)]
    pub fn into_registers(self) -> (i64, i64) {
        (self.cell as i64 | (self.place as i64) << 32 | (self.started as i64) << 48, self.pieces_left)
    }
}

impl<const VIEWED: bool> Reader<'_, VIEWED> {
    /// Returns the next card; `None` after the last.
    #[inline]
    pub fn next_card(self, cards: &Cards, me: usize, walk: &mut Walk) -> Option<i64> {
        while let Some(&place) = cards.places.get(walk.place as usize) {
            let declared = &self.rules.places[place as usize];
            let range = instances(self.rules, declared, cards.whose, me);
            if walk.pieces_left > 0 {
                let instance = &self.rules.layout.places[range.start + walk.started as usize - 1];
                let cells = self.cells_of(instance.owner);
                while walk.pieces_left > 0 && walk.cell <= instance.base + instance.room as u32 {
                    let (piece, slot) = (cells[walk.cell as usize], walk.cell - instance.base - 1);
                    walk.cell += 1;
                    if piece <= 0 {
                        continue;
                    }
                    walk.pieces_left -= 1;
                    let piece = cast::index(piece) - 1;
                    if cards.kinds != 0 && cards.kinds >> self.rules.piece_kind[piece] & 1 == 0 {
                        continue;
                    }
                    if cards.rows != 0
                        && let Shape::Grid { columns, .. } = declared.shape
                        && cards.rows >> (slot / columns as u32 + 1) & 1 == 0
                    {
                        continue;
                    }
                    if let Some(counter) = cards.with
                        && self.counter(cast::count(piece), counter) <= 0
                    {
                        continue;
                    }
                    return Some(cast::count(piece));
                }
            }
            if walk.started as usize == range.len() {
                (walk.place, walk.started, walk.pieces_left) = (walk.place + 1, 0, 0);
                continue;
            }
            let instance = &self.rules.layout.places[range.start + walk.started as usize];
            walk.started += 1;
            walk.cell = instance.base + 1;
            walk.pieces_left = self.owned_cell(instance.owner, instance.base as usize);
        }
        None
    }

    /// Calls `add` with each card and its factor, until it returns `None`.
    #[inline(always)]
    fn each_term(
        self,
        columns: &Columns,
        (cards, terms): (&Cards, &Terms),
        me: usize,
        mut add: impl FnMut(i64, i64) -> Option<()>,
    ) -> Option<()> {
        for &place in &cards.places {
            for instance in &self.rules.layout.places[instances(self.rules, &self.rules.places[place as usize], cards.whose, me)] {
                let count = self.owned_cell(instance.owner, instance.base as usize);
                let slots = self.cells_of(instance.owner).get(instance.base as usize + 1..).unwrap_or_default();
                for card in slots.iter().filter(|&&piece| piece > 0).take(cast::index(count)).map(|&piece| piece as i64 - 1) {
                    if terms.filter.is_some_and(|filter| columns.get(filter, card) == 0) {
                        continue;
                    }
                    let printed = terms.column.map_or(1, |column| columns.get(column, card));
                    // The counter of a card with a factor of 0 is not read, so that changes of it do not invalidate the sum.
                    if printed == 0 || !has_nonzero(self.rules, card, terms.row) {
                        continue;
                    }
                    // The owner of the place is the owner of the piece.
                    let cell = |offset: u8| self.rules.layout.piece(cast::index(card), offset as usize);
                    let counted = terms.counter.map_or(1, |counter| self.owned_cell(instance.owner, cell(counter)));
                    add(card, counted.checked_mul(printed)?)?;
                }
            }
        }
        Some(())
    }

    /// Returns the next card in the current instance, without any filter: the fast path, for places without gaps. `None` if the instance
    /// is exhausted, or the view is not the current one.
    #[inline(always)]
    pub fn next_in_place(self, walk: &mut Walk) -> Option<i64> {
        if VIEWED && self.view != ReadView::Current || walk.pieces_left <= 0 {
            return None;
        }
        let slots = self.cells.current.get(walk.cell as usize..).unwrap_or_default();
        let gap = slots.iter().position(|&piece| piece > 0).unwrap_or(0);
        walk.pieces_left -= 1;
        // A place has far fewer than 2^32 slots.
        walk.cell += cast::low::<u32>(cast::count(gap)) + 1;
        Some(slots.get(gap).map_or(-1, |&piece| piece as i64 - 1))
    }

    /// Returns a sum over cards; `None` after an overflow.
    #[inline(never)]
    pub fn sum_cards(self, columns: &Columns, summed: (&Cards, &Terms), me: usize) -> Option<i64> {
        let mut sum = 0_i64;
        self.each_term(columns, summed, me, |_, term| {
            sum = sum.checked_add(term)?;
            Some(())
        })?;
        Some(sum)
    }

    /// Returns the sum over cards of each number of a printed row; `None` after an overflow.
    #[inline(never)]
    pub fn sum_rows(self, columns: &Columns, summed: (&Cards, &Terms), me: usize) -> Option<[i64; MAX_ROW_LENGTH]> {
        let mut sums = [0_i64; MAX_ROW_LENGTH];
        self.each_term(columns, summed, me, |card, factor| {
            for (sum, &number) in sums.iter_mut().zip(printed_row(self.rules, card, summed.1.row)) {
                *sum = sum.checked_add(factor.checked_mul(number as i64)?)?;
            }
            Some(())
        })?;
        Some(sums)
    }
}

/// Whether a printed row has a number that is not 0; also true if no row is given.
#[inline(always)]
fn has_nonzero(rules: &Ruleset, card: i64, row: (u16, u16)) -> bool {
    row.1 == 0 || printed_row(rules, card, row).iter().any(|&number| number != 0)
}

/// Returns a row of numbers printed on a card.
#[inline(always)]
fn printed_row(rules: &Ruleset, card: i64, (field, len): (u16, u16)) -> &[i32] {
    let from = rules.piece_definition[cast::index(card)] as usize * rules.width + field as usize;
    &rules.printed[from..from + len as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::node::Whose;
    use crate::reader::Cells;
    use crate::testing::{TWO_EACH, laid, rules};
    use houserule_ruleset::code::ColumnId;
    use houserule_state::layout::piece;

    fn reader<'a>(rules: &'a Ruleset, game: &'a Game) -> Reader<'a, false> {
        Reader::new(rules, Cells::of_state(game.state()), ReadView::Current)
    }

    /// Selects the cards in dens of these seats, of these kinds, or with this counter above 0.
    fn dens(whose: Whose, kinds: u64, with: Option<u8>) -> Cards {
        Cards { places: [0].into(), whose, kinds, rows: 0, with }
    }

    #[test]
    fn cards_come_as_they_lie_and_only_those_that_are_meant() {
        let rules = rules(|_, _| {});
        let mut game = laid(&rules, TWO_EACH);
        game.put(&rules, rules.layout.piece(0, piece::COUNTERS), 2);
        let found = |whose, kinds, with| {
            let cards = dens(whose, kinds, with);
            let (mut walk, mut found) = (Walk::START, Vec::new());
            while let Some(card) = reader(&rules, &game).next_card(&cards, 0, &mut walk) {
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

    #[test]
    fn sums_are_of_the_cards_that_lie_there_times_what_they_count() {
        let rules = rules(|_, _| {});
        let mut game = laid(&rules, TWO_EACH);
        for (card, count) in [(0, 2), (1, 3), (3, 5)] {
            game.put(&rules, rules.layout.piece(card, piece::COUNTERS), count);
        }
        let mut columns = Columns::default();
        let price = columns.add([0, 10, 20, 30, 40].into());
        let odd = columns.add([0, 0, 1, 0, 1].into());
        let huge = columns.add([0, 0, i64::MAX, 0, 1].into());
        let sum = |whose, filter, counter: Option<u8>, column: Option<ColumnId>| {
            let terms = Terms { filter, counter, column, row: (0, 0) };
            reader(&rules, &game).sum_cards(&columns, (&dens(whose, 0, None), &terms), 0)
        };
        let counter = Some(piece::COUNTERS as u8);
        assert_eq!(sum(Whose::Mine, None, None, None), Some(2));
        assert_eq!(sum(Whose::Mine, None, counter, None), Some(8));
        assert_eq!(sum(Whose::Mine, None, counter, Some(price)), Some(3 * 20 + 5 * 40));
        assert_eq!(sum(Whose::All, None, None, Some(price)), Some(100));
        assert_eq!(sum(Whose::All, Some(odd), None, Some(price)), Some(60));
        assert_eq!(sum(Whose::Mine, None, None, Some(huge)), None, "too large");
    }

    #[test]
    fn each_number_of_a_printed_row_is_summed() {
        let rules = rules(|_, _| {});
        let mut game = laid(&rules, [(1, 0, 0), (3, 0, 1)]);
        game.put(&rules, rules.layout.piece(1, piece::COUNTERS), 3);
        let len = rules.width as u16;
        let terms = Terms { filter: None, counter: Some(piece::COUNTERS as u8), column: None, row: (0, len) };
        let sums = reader(&rules, &game).sum_rows(&Columns::default(), (&dens(Whose::Mine, 0, None), &terms), 0).expect("small numbers");
        for (field, &sum) in sums.iter().enumerate().take(len as usize) {
            assert_eq!(sum, 3 * rules.printed(1, field) as i64);
        }
        assert!(sums.iter().any(|&sum| sum != 0));
    }
}
