//! Loops over cards as they are made: what is the same for all cards is worked out once, and a sum of printed numbers is one of the
//! sums of a row.

use super::{Cards, CardsId, Expr, ExprId, Exprs, Fold, Two};
use crate::code::LONGEST_ROW;
use crate::compare::Compare;
use crate::node::Whose;
use crate::ruleset::Ruleset;

impl Exprs {
    /// A loop over cards.
    pub fn over_cards(
        &mut self,
        rules: &Ruleset,
        fold: Fold,
        cards: CardsId,
        var: u8,
        filter: Option<ExprId>,
        body: Option<ExprId>,
    ) -> ExprId {
        let filter = match filter.map(|filter| (filter, self.constant(filter))) {
            // No card meets it: no fold finds anything.
            Some((_, Some(0))) => return self.number(0),
            Some((_, Some(_))) | None => None,
            Some((filter, None)) => Some(filter),
        };
        if let (Some(of_each), Fold::Sum) = (body, fold) {
            if let Some(number) = self.constant(of_each) {
                if number == 0 {
                    return of_each;
                }
                let count = self.over_cards(rules, Fold::Count, cards, var, filter, None);
                let number = self.number(number);
                return self.two(Two::Mul, count, number);
            }
            if let Some(quantity) = self.facts(of_each).changed {
                // Whether a card changes the quantity is asked once, not for each card.
                let changed = self.intern(Expr::Changed(quantity));
                let [plain, differing] = [false, true].map(|holds| self.assume(of_each, changed, holds));
                if plain != of_each {
                    let [no, yes] = [plain, differing].map(|body| self.over_cards(rules, fold, cards, var, filter, Some(body)));
                    return self.choice(changed, yes, no);
                }
            }
            if let Some(sum) = self.by_place(rules, cards, var, filter, of_each) {
                return sum;
            }
        }
        if let (Fold::Count | Fold::Any, None, Some(place)) = (fold, filter, self.whole_place(rules, cards)) {
            let lying = self.intern(Expr::Lying(place));
            return if fold == Fold::Count { lying } else { self.truth_of_count(lying) };
        }
        if let (Fold::Sum, Some(body)) = (fold, body)
            && let Some(row) = self.row_sum(rules, cards, var, filter, body)
        {
            return row;
        }
        self.intern(Expr::OverCards(fold, cards, var, filter, body))
    }

    /// A sum that asks of each card in which place it lies, as two sums over places of which that is known.
    fn by_place(&mut self, rules: &Ruleset, cards: CardsId, var: u8, filter: Option<ExprId>, body: ExprId) -> Option<ExprId> {
        let asked = self.facts(body).placed?;
        let Expr::InPlaces(card, mask) = self[asked] else { return None };
        if self[card] != Expr::Var(var) {
            return None;
        }
        let halves = [true, false].map(|inside| self.assume(body, asked, inside));
        if halves.contains(&body) {
            return None;
        }
        let mut sum = self.number(0);
        for (inside, half) in [true, false].into_iter().zip(halves) {
            let of = &self.cards[cards.0 as usize];
            let places: Box<[u16]> = of.places.iter().copied().filter(|place| (mask >> place & 1 == 1) == inside).collect();
            if !places.is_empty() {
                let of = Cards { places, ..of.clone() };
                let of = self.cards(of);
                let half = self.over_cards(rules, Fold::Sum, of, var, filter, Some(half));
                sum = self.two(Two::Add, half, sum);
            }
        }
        Some(sum)
    }

    fn truth_of_count(&mut self, count: ExprId) -> ExprId {
        let zero = self.number(0);
        self.two(Two::Is(Compare::More), count, zero)
    }

    /// The place of which a loop goes through all cards.
    fn whole_place(&self, rules: &Ruleset, cards: CardsId) -> Option<u16> {
        let cards = &self.cards[cards.0 as usize];
        let &[place] = &*cards.places else { return None };
        let declared = &rules.places[place as usize];
        let of_one = if declared.of_seat { cards.whose == Whose::Mine } else { declared.instances <= 1 };
        let all =
            cards.rows == 0 && cards.with.is_none() && (cards.kinds == 0 || declared.kinds & !cards.kinds == 0 && declared.kinds != 0);
        (of_one && all).then_some(place)
    }

    /// A sum of a printed number of each card times a factor, as one of the sums of the whole printed row, which are worked out at
    /// once and cached.
    fn row_sum(&mut self, rules: &Ruleset, cards: CardsId, var: u8, filter: Option<ExprId>, body: ExprId) -> Option<ExprId> {
        let (number, factor) = if let Expr::Two(Two::Mul, a, b) = self[body] {
            [(a, b), (b, a)].into_iter().find(|pair| self.printed_row(pair.0, var).is_some())?
        } else {
            (body, self.number(1))
        };
        let (field, len, index) = self.printed_row(number, var)?;
        // A card of which nothing is printed adds nothing.
        let card = self.intern(Expr::Var(var));
        let printed = |piece: usize| (field..field + len).any(|field| rules.printed(piece, field as usize) != 0) as i64;
        let printed = self.of_piece(rules, card, 0, printed);
        let filter = match filter {
            Some(filter) => self.and(printed, filter),
            None => printed,
        };
        let filter = match self.constant(filter) {
            // No card that meets the condition has anything printed there.
            Some(0) => return Some(self.number(0)),
            Some(_) => None,
            None => Some(filter),
        };
        // A factor that is the same for all cards multiplies the sum.
        let (factor, times) = match self.constant(factor) {
            Some(times) => (self.number(1), times),
            None => (factor, 1),
        };
        let row = self.intern(Expr::Rows(cards, var, filter, (field, len), factor));
        if len as usize > LONGEST_ROW || !self.facts(row).closed() {
            return None;
        }
        let index = match index {
            Ok(index) => self.number(index as i64),
            Err(index) => index,
        };
        let (sum, times) = (self.intern(Expr::RowAt(row, index)), self.number(times));
        Some(self.two(Two::Mul, sum, times))
    }

    /// The row of which an expression is a printed number of the loop's card, and which: a number, or an expression.
    fn printed_row(&self, number: ExprId, var: u8) -> Option<(u16, u16, Result<u16, ExprId>)> {
        let of_var = |card: ExprId| self[card] == Expr::Var(var);
        if let Expr::Column(card, column) = self[number]
            && of_var(card)
        {
            return self.columns.row(column).map(|(field, len, index)| (field, len, Ok(index)));
        }
        let Expr::FieldAt(card, field, len, index) = self[number] else { return None };
        (of_var(card) && self.facts(index).vars >> var & 1 == 0).then_some((field, len, Err(index)))
    }

    /// An expression with a truth in it taken as known.
    fn assume(&mut self, id: ExprId, truth: ExprId, holds: bool) -> ExprId {
        if id == truth {
            return self.number(holds as i64);
        }
        if let Expr::Two(how, a, b) = self[id] {
            let (a, b) = (self.assume(a, truth, holds), self.assume(b, truth, holds));
            self.two(how, a, b)
        } else if let Expr::If(condition, yes, no) = self[id] {
            let condition = self.assume(condition, truth, holds);
            let (yes, no) = (self.assume(yes, truth, holds), self.assume(no, truth, holds));
            self.choice(condition, yes, no)
        } else {
            id
        }
    }
}
