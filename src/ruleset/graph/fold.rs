//! Constructors of numeric and boolean expressions: each folds constants, or interns the expression.

use super::{ColumnId, Expr, ExprId, Fold, Graph, NumberOp, element_or_last};
use crate::cast;
use crate::compare::Compare;

impl Graph {
    /// Creates a constant.
    pub fn number(&mut self, value: i64) -> ExprId {
        self.add(Expr::Const { value })
    }

    /// Returns the value of an expression if it is a constant.
    pub fn constant(&self, id: ExprId) -> Option<i64> {
        if let Expr::Const { value } = self[id] { Some(value) } else { None }
    }

    /// Whether the value of an expression is always 1 or 0.
    pub(crate) fn is_truth(&self, id: ExprId) -> bool {
        let is_one = |number: i64| number == 0 || number == 1;
        if let Expr::Const { value } = self[id] {
            is_one(value)
        } else if let Expr::Column { column, .. } = self[id] {
            self.columns.numbers(column).iter().copied().all(is_one)
        } else if let Expr::If { yes, no, .. } = self[id] {
            self.is_truth(yes) && self.is_truth(no)
        } else if let Expr::Binary { operator, .. } = self[id] {
            matches!(operator, NumberOp::Is(_))
        } else if let Expr::OverCards { fold, .. } | Expr::OverSeats { fold, .. } = self[id] {
            fold == Fold::Any
        } else {
            self[id].traits().truth
        }
    }

    /// Returns bounds of the value of an expression, as far as they follow from its form; `local` gives the bounds of locals.
    pub fn range(&self, id: ExprId, local: &impl Fn(u8) -> Option<(i64, i64)>) -> Option<(i64, i64)> {
        let of = |id: ExprId| self.range(id, local);
        if let Expr::Const { value } = self[id] {
            Some((value, value))
        } else if let Expr::Local { local: number } = self[id] {
            local(number)
        } else if let Expr::If { yes, no, .. } = self[id] {
            of(yes).zip(of(no)).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)))
        } else if let Expr::Binary { operator: NumberOp::Add, a, b } = self[id] {
            of(a).zip(of(b)).map(|(a, b)| (a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
        } else if let Expr::Binary { operator: NumberOp::Sub, a, b } = self[id] {
            of(a).zip(of(b)).map(|(a, b)| (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)))
        } else if let Expr::Binary { operator: NumberOp::Mul, a, b } = self[id]
            && let (true, Some(times)) = (self.is_truth(a), self.constant(b))
        {
            // The value is 0 or the other number.
            Some((times.min(0), times.max(0)))
        } else {
            self.is_truth(id).then_some((0, 1))
        }
    }

    /// Creates an expression that reads an element of a run: the one with a constant index, 0 if there is none, or any of them.
    fn element(&mut self, len: u16, index: ExprId, one: impl FnOnce(u16) -> Expr, any: Expr) -> ExprId {
        match self.constant(index) {
            Some(index) if (0..i64::from(len)).contains(&index) => self.add(one(cast::fit::<u16>(index))),
            Some(_) => self.number(0),
            None => self.add(any),
        }
    }

    /// Creates an expression that reads an element of a run of cells of the current seat.
    pub fn own_at(&mut self, offset: u16, len: u16, index: ExprId) -> ExprId {
        self.element(len, index, |index| Expr::Own { offset: offset + index }, Expr::OwnAt { offset, len, index })
    }

    /// Creates an expression that reads an element of a run of cells of the table.
    pub fn global_at(&mut self, cell: u32, len: u16, index: ExprId) -> ExprId {
        self.element(len, index, |index| Expr::Global { cell: cell + u32::from(index) }, Expr::GlobalAt { cell, len, index })
    }

    /// Creates an expression that reads an element of a run of cells of a piece.
    pub fn counter_at(&mut self, card: ExprId, offset: u8, len: u16, index: ExprId) -> ExprId {
        let one = |index| Expr::Counter { card, offset: offset + cast::fit::<u8>(index) };
        self.element(len, index, one, Expr::CounterAt { card, offset, len, index })
    }

    /// Combines columns of one card and constants into a column of that card, each number by `f`; `None` if the operands are anything else.
    fn as_column<const N: usize>(&mut self, parts: [ExprId; N], f: impl Fn([i64; N]) -> Option<i64>) -> Option<ExprId> {
        let mut card = None;
        for part in parts {
            if let Expr::Column { card: of, .. } = self[part]
                && card.is_none_or(|card| card == of)
            {
                card = Some(of);
            } else if !matches!(self[part], Expr::Const { .. }) {
                return None;
            }
        }
        let Some(card) = card else {
            let values = parts.map(|part| self.constant(part).unwrap_or(0));
            return f(values).map(|value| self.number(value));
        };
        let column = |part: ExprId| {
            let Expr::Column { column, .. } = self[part] else { return Err(self.constant(part).unwrap_or(0)) };
            Ok(self.columns.numbers(column))
        };
        let columns = parts.map(column);
        let count = columns.iter().flatten().map(|column| column.len()).next()?;
        let numbers: Option<Box<[i64]>> =
            (0..count).map(|i| f(columns.map(|column| column.map_or_else(|value| value, |of| of[i])))).collect();
        numbers.map(|numbers| self.column(card, numbers))
    }

    /// Creates a number that depends on the card alone, from that for no card and one for each piece: a constant if all are equal.
    pub fn column(&mut self, card: ExprId, numbers: Box<[i64]>) -> ExprId {
        match numbers.first() {
            Some(&first) if numbers.iter().all(|&number| number == first) => self.number(first),
            _ => {
                let column = self.columns.add(numbers);
                self.of_column(card, column)
            }
        }
    }

    pub(crate) fn of_column(&mut self, card: ExprId, column: ColumnId) -> ExprId {
        match self.constant(card) {
            Some(card) if usize::try_from(card + 1).is_ok_and(|index| index < self.columns.numbers(column).len()) => {
                self.number(self.columns.get(column, card))
            }
            _ => self.add(Expr::Column { card, column }),
        }
    }

    /// Creates a binary operation.
    pub fn binary(&mut self, operator: NumberOp, a: ExprId, b: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a, b], |[a, b]| operator.apply(a, b)) {
            return known;
        }
        let is_static = |of: &Graph, id: ExprId| matches!(of[id], Expr::Const { .. } | Expr::Column { .. });
        if operator.commutes() && is_static(self, a) && !is_static(self, b) {
            return self.binary(operator, b, a);
        }
        if let NumberOp::Is(low) = operator
            && is_static(self, a)
            && !is_static(self, b)
        {
            return self.binary(NumberOp::Is(low.with_operands_swapped()), b, a);
        }
        match (operator, self.constant(b)) {
            (NumberOp::Add | NumberOp::Sub, Some(0)) | (NumberOp::Mul | NumberOp::Div, Some(1)) => return a,
            (NumberOp::Mul, Some(0)) => return self.number(0),
            (NumberOp::Is(Compare::Unequal), Some(0)) => return self.truth(a),
            (NumberOp::Is(Compare::Equal), Some(0)) => return self.not(a),
            (NumberOp::Is(Compare::Equal), Some(1)) if self.is_truth(a) => return a,
            // Whether there is a first card depends on the number of cards.
            (NumberOp::Is(operator @ (Compare::AtLeast | Compare::Less)), Some(0)) => {
                if let Expr::FirstIn { place, per_seat } = self[a] {
                    let (lying, zero) = (self.add(Expr::PiecesIn { place, per_seat }), self.number(0));
                    let operator = if operator == Compare::AtLeast { Compare::More } else { Compare::Equal };
                    return self.binary(NumberOp::Is(operator), lying, zero);
                }
            }
            _ => {}
        }
        if let (NumberOp::Add | NumberOp::Sub, Expr::Binary { operator: NumberOp::Sub, a: less_from, b: x }, Some(b)) =
            (operator, self[a], self.constant(b))
            && let Some(from) = self.constant(less_from)
            && let Some(from) = if operator == NumberOp::Add { from.checked_add(b) } else { from.checked_sub(b) }
        {
            let from = self.number(from);
            return self.binary(NumberOp::Sub, from, x);
        }
        // The difference between the sums of n + 1 and n elements of a list is an element.
        if let (NumberOp::Sub, Expr::ListFirst { card, field, count: more }, Expr::ListFirst { card: of, field: from, count }) =
            (operator, self[a], self[b])
            && (card, field) == (of, from)
            && let Expr::Binary { operator: NumberOp::Add, a: fewer, b: one } = self[more]
            && (fewer, self.constant(one)) == (count, Some(1))
        {
            return self.add(Expr::ListAt { card, field, index: count });
        }
        // Columns are combined first, and so are constants.
        if let (NumberOp::Add | NumberOp::Sub, Expr::Binary { operator: first @ (NumberOp::Add | NumberOp::Sub), a: x, b: known }) =
            (operator, self[a])
        {
            let (signs, kept) = ((first == NumberOp::Add, operator == NumberOp::Add), known);
            let signed = |plus: bool, value: i64| if plus { Some(value) } else { value.checked_neg() };
            let sum = |[a, b]: [i64; 2]| signed(signs.0, a)?.checked_add(signed(signs.1, b)?);
            if let Some(both) = self.as_column([kept, b], sum) {
                return self.binary(NumberOp::Add, x, both);
            }
        }
        self.add(Expr::Binary { operator, a, b })
    }

    /// Creates the logical not of an expression.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a], |[a]| Some((a == 0) as i64)) {
            return known;
        }
        if let Expr::Binary { operator: NumberOp::Is(operator), a, b } = self[a] {
            self.binary(NumberOp::Is(operator.inverse()), a, b)
        } else if let Expr::Truth { a: inner } = self[a] {
            self.not(inner)
        } else if let Expr::Not { a: inner } = self[a] {
            self.truth(inner)
        } else {
            self.add(Expr::Not { a })
        }
    }

    /// Creates the conversion of a number to a boolean.
    pub fn truth(&mut self, a: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a], |[a]| Some((a != 0) as i64)) {
            return known;
        }
        if self.is_truth(a) { a } else { self.add(Expr::Truth { a }) }
    }

    /// Creates the logical and of two expressions.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.constant(a), self.constant(b)) {
            (Some(0), _) | (_, Some(0)) => return self.number(0),
            (Some(_), _) => return self.truth(b),
            (_, Some(_)) => return self.truth(a),
            _ => {}
        }
        let both = self.as_column([a, b], |[a, b]| Some((a != 0 && b != 0) as i64));
        both.unwrap_or_else(|| self.add(Expr::And { a, b }))
    }

    /// Creates the logical or of two expressions.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.constant(a), self.constant(b)) {
            (Some(0), _) => return self.truth(b),
            (_, Some(0)) => return self.truth(a),
            (Some(_), _) | (_, Some(_)) => return self.number(1),
            _ => {}
        }
        let both = self.as_column([a, b], |[a, b]| Some((a != 0 || b != 0) as i64));
        both.unwrap_or_else(|| self.add(Expr::Or { a, b }))
    }

    /// Creates a conditional expression.
    pub fn conditional(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        match self.constant(condition) {
            Some(0) => return no,
            Some(_) => return yes,
            None if yes == no => return yes,
            None => {}
        }
        let one = self.as_column([condition, yes, no], |[condition, yes, no]| Some(if condition != 0 { yes } else { no }));
        if let Some(one) = one {
            return one;
        }
        // A choice between two constants becomes arithmetic.
        if let (Some(high), Some(low), true) = (self.constant(yes), self.constant(no), self.is_truth(condition)) {
            if (high, low) == (0, 1) {
                return self.not(condition);
            }
            if let Some(between) = high.checked_sub(low) {
                let between = self.number(between);
                let next_outer_var = self.binary(NumberOp::Mul, condition, between);
                return self.binary(NumberOp::Add, next_outer_var, no);
            }
        }
        self.add(Expr::If { condition, yes, no })
    }

    /// Creates an expression that reads an element of a table of numbers, the last one if the index is out of bounds.
    pub fn table(&mut self, index: ExprId, numbers: &[i64]) -> ExprId {
        if let Some(known) = self.as_column([index], |[index]| element_or_last(numbers, index)) {
            return known;
        }
        if numbers.is_empty() {
            return self.number(0);
        }
        let table = cast::fit::<u32>(self.tables.number(numbers.into()));
        self.add(Expr::Table { index, table })
    }

    pub(crate) fn table_at(&mut self, index: ExprId, table: u32) -> ExprId {
        let numbers = self.tables.list[table as usize].clone();
        self.table(index, &numbers)
    }

    /// Returns an expression in which a boolean subexpression is replaced by its known value.
    pub(crate) fn assume(&mut self, id: ExprId, truth: ExprId, holds: bool) -> ExprId {
        if id == truth {
            return self.number(holds as i64);
        }
        if let Expr::Binary { operator, a, b } = self[id] {
            let (a, b) = (self.assume(a, truth, holds), self.assume(b, truth, holds));
            self.binary(operator, a, b)
        } else if let Expr::If { condition, yes, no } = self[id] {
            let condition = self.assume(condition, truth, holds);
            let (yes, no) = (self.assume(yes, truth, holds), self.assume(no, truth, holds));
            self.conditional(condition, yes, no)
        } else {
            id
        }
    }
}
