//! Constructors of expressions about cards: printed numbers become columns, loop-invariant parts are moved out of loops, and a sum of a
//! printed number becomes part of the sums of the whole row.

use crate::cast;
use crate::code::MAX_ROW_LENGTH;
use crate::compare::Compare;
use crate::graph::{Cards, CardsId, Expr, ExprId, Fold, NumberOp, Whose};
use crate::ruleset::Ruleset;

impl Ruleset {
    /// Creates a number that depends on the card alone: `f` computes it for each piece, and `none` is the number for no card.
    pub fn of_piece(&mut self, card: ExprId, none: i64, f: impl Fn(&Ruleset, usize) -> i64) -> ExprId {
        if self.graph.ignores_cards {
            // Cards are ignored: any expression that is not constant.
            return self.graph.add(Expr::Me);
        }
        let numbers = std::iter::once(none).chain((0..self.piece_definition.len()).map(|piece| f(self, piece))).collect();
        self.graph.column(card, numbers)
    }

    /// Creates an expression that reads an element of a printed row.
    pub fn field_at(&mut self, card: ExprId, field: u16, len: u16, index: ExprId) -> ExprId {
        match self.graph.constant(index) {
            Some(index) if (0..i64::from(len)).contains(&index) => {
                let number = field + cast::fit::<u16>(index);
                let printed = self.of_piece(card, 0, |rules, piece| i64::from(rules.printed(piece, number as usize)));
                if let Expr::Column { column, .. } = self.graph[printed] {
                    self.graph.columns.note_row(column, (field, len, number - field));
                }
                printed
            }
            Some(_) => self.graph.number(0),
            None => self.graph.add(Expr::FieldAt { card, field, len, index }),
        }
    }

    /// Creates an expression for the sum of the first elements of a printed list.
    pub fn first_of_list(&mut self, card: ExprId, field: u16, count: ExprId) -> ExprId {
        match self.graph.constant(count) {
            Some(count) => self.of_piece(card, 0, |rules, piece| rules.list_first(cast::count(piece), field, count)),
            None => self.graph.add(Expr::ListFirst { card, field, count }),
        }
    }

    /// Creates a loop over cards.
    pub fn over_cards(&mut self, fold: Fold, cards: CardsId, var: u8, filter: Option<ExprId>, body: Option<ExprId>) -> ExprId {
        // If no card meets the filter, every fold gives 0.
        let Some(filter) = self.undecided(filter) else { return self.graph.number(0) };
        if let (Some(per_seat), Fold::Sum) = (body, fold) {
            if let Some(number) = self.graph.constant(per_seat) {
                if number == 0 {
                    return per_seat;
                }
                let count = self.over_cards(Fold::Count, cards, var, filter, None);
                let number = self.graph.number(number);
                return self.graph.binary(NumberOp::Mul, count, number);
            }
            if let Some(quantity) = self.graph.facts(per_seat).changed {
                // Whether the quantity is changed is tested once, and not for each card.
                let changed = self.graph.add(Expr::Changed { quantity });
                let [plain, differing] = [false, true].map(|holds| self.graph.assume(per_seat, changed, holds));
                if plain != per_seat {
                    let [no, yes] = [plain, differing].map(|body| self.over_cards(fold, cards, var, filter, Some(body)));
                    return self.graph.conditional(changed, yes, no);
                }
            }
            if let Some(sum) = self.by_place(cards, var, filter, per_seat) {
                return sum;
            }
        }
        if let (Fold::Count | Fold::Any, None, Some(place)) = (fold, filter, self.whole_place(cards)) {
            let lying = self.graph.add(Expr::PiecesIn { place, per_seat: self.places[place as usize].of_seat });
            if fold == Fold::Count {
                return lying;
            }
            let none = self.graph.number(0);
            return self.graph.binary(NumberOp::Is(Compare::More), lying, none);
        }
        if let (Fold::Sum, Some(body)) = (fold, body)
            && let Some(row) = self.row_sum(cards, var, filter, body)
        {
            return row;
        }
        self.graph.add(Expr::OverCards { fold, cards, var, filter, body })
    }

    /// Returns a filter of cards; without one if all cards meet it, and `None` if none does.
    fn undecided(&self, filter: Option<ExprId>) -> Option<Option<ExprId>> {
        match filter.and_then(|filter| self.graph.constant(filter)) {
            Some(0) => None,
            Some(_) => Some(None),
            None => Some(filter),
        }
    }

    /// Splits a sum that tests the place of each card into two sums over places for which the test is known.
    fn by_place(&mut self, cards: CardsId, var: u8, filter: Option<ExprId>, body: ExprId) -> Option<ExprId> {
        let asked = self.graph.facts(body).place_test?;
        let Expr::InPlaces { card, places: mask } = self.graph[asked] else { return None };
        if self.graph[card] != (Expr::Var { var }) {
            return None;
        }
        let halves = [true, false].map(|inside| self.graph.assume(body, asked, inside));
        if halves.contains(&body) {
            return None;
        }
        let mut sum = self.graph.number(0);
        for (inside, half) in [true, false].into_iter().zip(halves) {
            let of = self.graph.cards(cards);
            let places: Box<[u16]> = of.places.iter().copied().filter(|place| (mask >> place & 1 == 1) == inside).collect();
            if !places.is_empty() {
                let of = Cards { places, ..of.clone() };
                let of = self.graph.intern_cards(of);
                let half = self.over_cards(Fold::Sum, of, var, filter, Some(half));
                sum = self.graph.binary(NumberOp::Add, half, sum);
            }
        }
        Some(sum)
    }

    /// Returns the place whose cards a loop visits without exception, if there is just one such place.
    fn whole_place(&self, cards: CardsId) -> Option<u16> {
        let cards = self.graph.cards(cards);
        let &[place] = &*cards.places else { return None };
        let declared = &self.places[place as usize];
        let of_one = if declared.of_seat { cards.whose == Whose::Mine } else { declared.instances <= 1 };
        let all =
            cards.rows == 0 && cards.with.is_none() && (cards.kinds == 0 || declared.kinds & !cards.kinds == 0 && declared.kinds != 0);
        (of_one && all).then_some(place)
    }

    /// Turns a sum of a printed number times a factor into one of the sums of the whole printed row, which are cached together.
    fn row_sum(&mut self, cards: CardsId, var: u8, filter: Option<ExprId>, body: ExprId) -> Option<ExprId> {
        let (number, factor) = if let Expr::Binary { operator: NumberOp::Mul, a, b } = self.graph[body] {
            [(a, b), (b, a)].into_iter().find(|pair| self.printed_row(pair.0, var).is_some())?
        } else {
            (body, self.graph.number(1))
        };
        let (field, len, index) = self.printed_row(number, var)?;
        // A card with an empty row adds nothing.
        let card = self.graph.add(Expr::Var { var });
        let printed =
            self.of_piece(card, 0, |rules, piece| i64::from((field..field + len).any(|field| rules.printed(piece, field as usize) != 0)));
        let filter = filter.map_or(printed, |filter| self.graph.and(printed, filter));
        // The row may be empty on all cards that meet the filter.
        let Some(filter) = self.undecided(Some(filter)) else { return Some(self.graph.number(0)) };
        // A constant factor multiplies the sum.
        let (factor, times) = match self.graph.constant(factor) {
            Some(times) => (self.graph.number(1), times),
            None => (factor, 1),
        };
        let row = self.graph.add(Expr::Rows { cards, var, filter, field, len, factor });
        if len as usize > MAX_ROW_LENGTH || !self.graph.facts(row).closed() {
            return None;
        }
        let index = match index {
            Ok(index) => self.graph.number(i64::from(index)),
            Err(index) => index,
        };
        let (sum, times) = (self.graph.add(Expr::RowAt { row, index }), self.graph.number(times));
        Some(self.graph.binary(NumberOp::Mul, sum, times))
    }

    /// Returns the printed row of which `number` is an element for the loop's card: field, length, and the index, a number or an expression.
    fn printed_row(&self, number: ExprId, var: u8) -> Option<(u16, u16, Result<u16, ExprId>)> {
        let graph = &self.graph;
        let of_var = |card: ExprId| graph[card] == Expr::Var { var };
        if let Expr::Column { card, column } = graph[number]
            && of_var(card)
        {
            return graph.columns.row(column).map(|(field, len, index)| (field, len, Ok(index)));
        }
        let Expr::FieldAt { card, field, len, index } = graph[number] else { return None };
        (of_var(card) && graph.facts(index).vars >> var & 1 == 0).then_some((field, len, Err(index)))
    }
}
