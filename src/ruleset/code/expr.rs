//! Expressions as a graph in which equal ones are one, found when they are made; what can be known when the ruleset is compiled is
//! worked out there.

use super::columns::{ColumnId, Columns};
use crate::cast;
use crate::compare::Compare;
use crate::node::Whose;
use crate::ruleset::Ruleset;
use std::collections::HashMap;

/// Index of an [`Expr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// Index of a `Cards`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardsId(pub u16);

/// Cards that a loop goes through, but for its condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cards {
    /// Place declarations, in order.
    pub places: Box<[u16]>,
    /// Whose places.
    pub whose: Whose,
    /// Bit set of kinds, 0 for all.
    pub kinds: u64,
    /// Rows of a grid, as a bit set from bit 1; 0 for all.
    pub rows: u32,
    /// Offset of a counter on the card that must be above 0.
    pub with: Option<u8>,
}

impl Cards {
    /// Whether all cards of the places are meant.
    pub fn is_plain(&self) -> bool {
        self.kinds == 0 && self.rows == 0 && self.with.is_none()
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Two {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down.
    Div,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// A comparison.
    Is(Compare),
}

impl Two {
    /// The result; `None` for a number that is too large, or for a division by 0.
    #[inline(always)]
    pub fn of(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Two::Add => a.checked_add(b),
            Two::Sub => a.checked_sub(b),
            Two::Mul => a.checked_mul(b),
            Two::Div => a.checked_div_euclid(b).map(|quotient| if b < 0 && a.rem_euclid(b) != 0 { quotient - 1 } else { quotient }),
            Two::Min => Some(a.min(b)),
            Two::Max => Some(a.max(b)),
            Two::Is(how) => Some(how.holds(a, b) as i64),
        }
    }

    fn commutes(self) -> bool {
        matches!(self, Two::Add | Two::Mul | Two::Min | Two::Max | Two::Is(Compare::Equal | Compare::Unequal))
    }
}

/// What a loop makes of what it goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The sum of the bodies.
    Sum,
    /// The highest body, 0 without any.
    Highest,
    /// The lowest body, 0 without any.
    Lowest,
    /// How many there are.
    Count,
    /// Whether there is one.
    Any,
}

/// An expression. Truth is 1 or 0, a missing card is -1. What is bound by a loop is a [`Expr::Var`], numbered so that equal loops are
/// equal wherever they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Const(i64),
    /// A parameter or what a statement has bound.
    Local(u8),
    /// What a loop around it has bound.
    Var(u8),
    /// The seat spoken of.
    Me,
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat spoken of.
    Own(u16),
    /// One of several cells of the seat: offset, how many, which.
    OwnAt(u16, u16, ExprId),
    /// Whether a bit is in a set of the seat.
    OwnBit(u16, ExprId),
    /// What is known of a card by what is printed.
    Column(ExprId, ColumnId),
    /// A printed number by index: card, field, how many, which.
    FieldAt(ExprId, u16, u16, ExprId),
    /// An element of a printed list.
    ListAt(ExprId, u16, ExprId),
    /// The sum of the first elements of a printed list.
    ListFirst(ExprId, u16, ExprId),
    /// A counter of a piece.
    Counter(ExprId, u8),
    /// Whether a piece lies in one of the declared places of a bit set.
    InPlaces(ExprId, u64),
    /// The first piece in a place.
    FirstIn(u16),
    /// How many pieces lie in a place.
    Lying(u16),
    /// The row of a piece in a grid, from 1.
    Row(ExprId, u16),
    /// The column of a piece in a grid, from 1.
    GridColumn(ExprId, u16),
    /// The seat that owns the place of a piece, or -1.
    OwnerOf(ExprId),
    /// Where the seat stands in the order, from 1.
    PlaceInOrder,
    /// An operation on two numbers.
    Two(Two, ExprId, ExprId),
    /// Not.
    Not(ExprId),
    /// 1 for whatever is not 0.
    Truth(ExprId),
    /// And, from left to right.
    And(ExprId, ExprId),
    /// Or, from left to right.
    Or(ExprId, ExprId),
    /// One or the other.
    If(ExprId, ExprId, ExprId),
    /// A loop over cards: variable, condition, body.
    OverCards(Fold, CardsId, u8, Option<ExprId>, Option<ExprId>),
    /// A loop over seats, each being the one spoken of; without the asker or with; the variable is the asker.
    OverSeats(Fold, bool, u8, Option<ExprId>, Option<ExprId>),
    /// Sums over cards of each number of a printed row times a factor: cards, variable, condition, field and length, factor.
    Rows(CardsId, u8, Option<ExprId>, (u16, u16), ExprId),
    /// One of [`Expr::Rows`].
    RowAt(ExprId, ExprId),
    /// A quantity that is worked out apart: cached by itself, or with arguments.
    Quantity(u16, [Option<ExprId>; 2]),
    /// A number with what cards change of a quantity: number, and the arguments.
    Applied(u16, ExprId, [Option<ExprId>; 2]),
    /// Whether a card in play changes a quantity.
    Changed(u16),
    /// Whether the seat is in a rank: by what, and how many count.
    Rank(u16, ExprId, ExprId),
    /// One of several numbers by index; the last stands for all beyond.
    Table(ExprId, u32),
    /// An expression of another seat.
    Of(ExprId, ExprId),
    /// Tokens of a set in a pool: which sort, showing what.
    CountTokens(u32, u8, Option<ExprId>, Option<ExprId>),
    /// How much of a symbol the tokens of a pool show.
    ShownIn(ExprId, u8),
    /// How much of a symbol a pool can pay.
    Payable(ExprId, u8),
    /// How much of a symbol a picked token shows.
    ShownBy(ExprId, ExprId),
}

impl Expr {
    /// The expressions right below.
    pub fn parts(&self) -> impl Iterator<Item = ExprId> {
        let parts: [Option<ExprId>; 3] = match *self {
            Expr::Const(_) | Expr::Local(_) | Expr::Var(_) | Expr::Me | Expr::Global(_) | Expr::Own(_) => [None; 3],
            Expr::FirstIn(_) | Expr::Lying(_) | Expr::PlaceInOrder | Expr::Changed(_) => [None; 3],
            Expr::OwnAt(_, _, a) | Expr::OwnBit(_, a) | Expr::Column(a, _) | Expr::Counter(a, _) | Expr::InPlaces(a, _) => {
                [Some(a), None, None]
            }
            Expr::Row(a, _) | Expr::GridColumn(a, _) | Expr::OwnerOf(a) | Expr::Not(a) | Expr::Truth(a) => [Some(a), None, None],
            Expr::Table(a, _) | Expr::ShownIn(a, _) | Expr::Payable(a, _) => [Some(a), None, None],
            Expr::FieldAt(a, _, _, b) | Expr::ListAt(a, _, b) | Expr::ListFirst(a, _, b) | Expr::Two(_, a, b) => [Some(a), Some(b), None],
            Expr::And(a, b) | Expr::Or(a, b) | Expr::RowAt(a, b) | Expr::Rank(_, a, b) | Expr::Of(a, b) => [Some(a), Some(b), None],
            Expr::ShownBy(a, b) => [Some(a), Some(b), None],
            Expr::If(a, b, c) => [Some(a), Some(b), Some(c)],
            Expr::OverCards(_, _, _, a, b) | Expr::OverSeats(_, _, _, a, b) | Expr::CountTokens(_, _, a, b) => [a, b, None],
            Expr::Rows(_, _, a, _, b) => [a, Some(b), None],
            Expr::Quantity(_, [a, b]) => [a, b, None],
            Expr::Applied(_, a, [b, c]) => [Some(a), b, c],
        };
        parts.into_iter().flatten()
    }

    /// Whether working it out goes through cards, seats or tokens.
    pub fn is_long(&self) -> bool {
        matches!(self, Expr::OverCards(..) | Expr::OverSeats(..) | Expr::Rows(..) | Expr::Rank(..))
            || matches!(self, Expr::CountTokens(..) | Expr::ShownIn(..) | Expr::Payable(..))
    }
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Variables of loops around it that it reads, as a bit set.
    pub vars: u16,
    /// Locals that it reads, as a bit set.
    pub locals: u16,
    /// About how long it takes to work it out.
    pub weight: u32,
    /// Quantities of which it asks whether a card changes them: the first of them.
    pub changed: Option<u16>,
    /// Loop variables of which it asks in which places they lie: the first of these questions.
    pub placed: Option<ExprId>,
}

impl Facts {
    /// Whether it depends on nothing but the seat.
    pub fn closed(&self) -> bool {
        self.vars == 0 && self.locals == 0
    }
}

/// All expressions of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    list: Vec<Expr>,
    facts: Vec<Facts>,
    known: HashMap<Expr, ExprId>,
    /// What is printed on cards, by columns.
    pub columns: Columns,
    /// The cards that loops go through.
    pub cards: Vec<Cards>,
    /// Rows of numbers that are chosen from by index.
    pub tables: Vec<Box<[i64]>>,
}

impl std::ops::Index<ExprId> for Exprs {
    type Output = Expr;

    #[inline]
    fn index(&self, id: ExprId) -> &Expr {
        &self.list[id.0 as usize]
    }
}

fn index_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    let found = list.iter().position(|known| *known == item);
    found.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

impl Exprs {
    /// What is known of an expression.
    pub fn facts(&self, id: ExprId) -> &Facts {
        &self.facts[id.0 as usize]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.list.iter().enumerate().map(|(index, expr)| (ExprId(cast::fit::<u32>(index)), expr))
    }

    /// The index of the cards that a loop goes through.
    pub fn cards(&mut self, cards: Cards) -> CardsId {
        let index = index_of(&mut self.cards, cards);
        // A ruleset goes through far fewer sets (`lower`).
        debug_assert!(index < usize::from(u16::MAX));
        CardsId(u16::try_from(index).unwrap_or(u16::MAX))
    }

    fn intern(&mut self, expr: Expr) -> ExprId {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        let mut facts = Facts { weight: 1, ..Facts::default() };
        for part in expr.parts() {
            let of = &self.facts[part.0 as usize];
            facts.vars |= of.vars;
            facts.locals |= of.locals;
            facts.weight = facts.weight.saturating_add(of.weight);
            facts.changed = facts.changed.or(of.changed);
            facts.placed = facts.placed.or(of.placed);
        }
        let id = ExprId(cast::fit::<u32>(self.list.len()));
        match expr {
            Expr::Local(local) => facts.locals |= 1 << local,
            Expr::Var(var) => facts.vars |= 1 << var,
            Expr::OverCards(_, _, var, ..) | Expr::OverSeats(_, _, var, ..) | Expr::Rows(_, var, ..) => facts.vars &= !(1 << var),
            Expr::Changed(quantity) => facts.changed = Some(quantity),
            Expr::InPlaces(card, _) if matches!(self[card], Expr::Var(_)) => facts.placed = Some(id),
            Expr::InPlaces(..) | Expr::Const(_) | Expr::Me | Expr::Global(_) | Expr::Own(_) | Expr::OwnAt(..) | Expr::OwnBit(..) => {}
            Expr::Column(..) | Expr::FieldAt(..) | Expr::ListAt(..) | Expr::ListFirst(..) | Expr::Counter(..) => {}
            Expr::FirstIn(_) | Expr::Lying(_) | Expr::Row(..) | Expr::GridColumn(..) | Expr::OwnerOf(_) | Expr::PlaceInOrder => {}
            Expr::Two(..) | Expr::Not(_) | Expr::Truth(_) | Expr::And(..) | Expr::Or(..) | Expr::If(..) => {}
            Expr::RowAt(..) | Expr::Quantity(..) | Expr::Applied(..) | Expr::Rank(..) | Expr::Table(..) | Expr::Of(..) => {}
            Expr::CountTokens(..) | Expr::ShownIn(..) | Expr::Payable(..) | Expr::ShownBy(..) => {}
        }
        self.list.push(expr);
        self.facts.push(facts);
        self.known.insert(expr, id);
        id
    }

    /// A number.
    pub fn number(&mut self, value: i64) -> ExprId {
        self.intern(Expr::Const(value))
    }

    /// The number that an expression always is.
    pub fn constant(&self, id: ExprId) -> Option<i64> {
        if let Expr::Const(value) = self[id] { Some(value) } else { None }
    }

    /// Whether an expression is always 1 or 0.
    fn is_truth(&self, id: ExprId) -> bool {
        match self[id] {
            Expr::Const(value) => value == 0 || value == 1,
            Expr::Column(_, column) => self.columns.numbers(column).iter().all(|&number| number == 0 || number == 1),
            Expr::Two(Two::Is(_), ..) | Expr::Not(_) | Expr::Truth(_) | Expr::And(..) | Expr::Or(..) => true,
            Expr::InPlaces(..) | Expr::OwnBit(..) | Expr::Changed(_) | Expr::Rank(..) => true,
            Expr::OverCards(Fold::Any, ..) | Expr::OverSeats(Fold::Any, ..) => true,
            Expr::If(_, yes, no) => self.is_truth(yes) && self.is_truth(no),
            Expr::OverCards(..) | Expr::OverSeats(..) | Expr::Two(..) | Expr::Local(_) | Expr::Var(_) | Expr::Me => false,
            Expr::Global(_) | Expr::Own(_) | Expr::OwnAt(..) | Expr::FieldAt(..) | Expr::ListAt(..) | Expr::ListFirst(..) => false,
            Expr::Counter(..) | Expr::FirstIn(_) | Expr::Lying(_) | Expr::Row(..) | Expr::GridColumn(..) | Expr::OwnerOf(_) => false,
            Expr::PlaceInOrder | Expr::Rows(..) | Expr::RowAt(..) | Expr::Quantity(..) | Expr::Applied(..) | Expr::Table(..) => false,
            Expr::Of(..) | Expr::CountTokens(..) | Expr::ShownIn(..) | Expr::Payable(..) | Expr::ShownBy(..) => false,
        }
    }

    /// An expression made of columns of one card and of numbers, as a column of that card: `f` is given what each part is for a piece.
    fn as_column<const N: usize>(&mut self, parts: [ExprId; N], f: impl Fn([i64; N]) -> Option<i64>) -> Option<ExprId> {
        let mut card = None;
        for part in parts {
            if let Expr::Column(of, _) = self[part]
                && card.is_none_or(|card| card == of)
            {
                card = Some(of);
            } else if !matches!(self[part], Expr::Const(_)) {
                return None;
            }
        }
        let Some(card) = card else {
            let values = parts.map(|part| self.constant(part).unwrap_or(0));
            return f(values).map(|value| self.number(value));
        };
        let column = |part: ExprId| {
            if let Expr::Column(_, column) = self[part] { Ok(self.columns.numbers(column)) } else { Err(self.constant(part).unwrap_or(0)) }
        };
        let columns = parts.map(column);
        let count = columns.iter().filter_map(|column| column.ok()).map(<[i64]>::len).next()?;
        let numbers: Option<Box<[i64]>> =
            (0..count).map(|i| f(columns.map(|column| column.map_or_else(|value| value, |of| of[i])))).collect();
        numbers.map(|numbers| self.column(card, numbers))
    }

    /// A column of a card; a number, if it is the same for all.
    fn column(&mut self, card: ExprId, numbers: Box<[i64]>) -> ExprId {
        match numbers.first() {
            Some(&first) if numbers.iter().all(|&number| number == first) => self.number(first),
            _ => {
                let column = self.columns.add(numbers);
                self.of_column(card, column)
            }
        }
    }

    fn of_column(&mut self, card: ExprId, column: ColumnId) -> ExprId {
        match self.constant(card) {
            Some(card) if usize::try_from(card + 1).is_ok_and(|at| at < self.columns.numbers(column).len()) => {
                self.number(self.columns.get(column, card))
            }
            _ => self.intern(Expr::Column(card, column)),
        }
    }

    /// What is said of a piece when a ruleset is compiled.
    pub fn of_piece(&mut self, rules: &Ruleset, card: ExprId, none: i64, f: impl Fn(usize) -> i64) -> ExprId {
        let numbers = std::iter::once(none).chain((0..rules.piece_definition.len()).map(f)).collect();
        self.column(card, numbers)
    }

    /// One number of a printed row.
    pub fn field_at(&mut self, rules: &Ruleset, card: ExprId, (field, len): (u16, u16), index: ExprId) -> ExprId {
        match self.constant(index) {
            Some(at) if at < 0 || at >= len as i64 => self.number(0),
            Some(at) => {
                let column = self.columns.of_row(rules, (field, len), cast::fit::<u16>(at));
                let nothing = self.columns.numbers(column).iter().all(|&number| number == 0);
                if nothing { self.number(0) } else { self.of_column(card, column) }
            }
            None => self.intern(Expr::FieldAt(card, field, len, index)),
        }
    }

    /// An operation on two numbers.
    pub fn two(&mut self, how: Two, a: ExprId, b: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a, b], |[a, b]| how.of(a, b)) {
            return known;
        }
        let is_static = |of: &Exprs, id: ExprId| matches!(of[id], Expr::Const(_) | Expr::Column(..));
        if how.commutes() && is_static(self, a) && !is_static(self, b) {
            return self.two(how, b, a);
        }
        if let Expr::Two(Two::Is(low), ..) = Expr::Two(how, a, b)
            && is_static(self, a)
            && !is_static(self, b)
        {
            return self.two(Two::Is(low.turned()), b, a);
        }
        match (how, self.constant(b)) {
            (Two::Add | Two::Sub, Some(0)) | (Two::Mul | Two::Div, Some(1)) => return a,
            (Two::Mul, Some(0)) => return self.number(0),
            (Two::Is(Compare::Unequal), Some(0)) => return self.truth(a),
            (Two::Is(Compare::Equal), Some(0)) => return self.not(a),
            (Two::Is(Compare::Equal), Some(1)) if self.is_truth(a) => return a,
            // Whether there is a first card is how many cards there are.
            (Two::Is(how @ (Compare::AtLeast | Compare::Less)), Some(0)) => {
                if let Expr::FirstIn(place) = self[a] {
                    let (lying, zero) = (self.intern(Expr::Lying(place)), self.number(0));
                    return self.two(Two::Is(if how == Compare::AtLeast { Compare::More } else { Compare::Equal }), lying, zero);
                }
            }
            _ => {}
        }
        if let (Two::Add | Two::Sub, Expr::Two(Two::Sub, less_from, x), Some(b)) = (how, self[a], self.constant(b))
            && let Some(from) = self.constant(less_from)
            && let Some(from) = if how == Two::Add { from.checked_add(b) } else { from.checked_sub(b) }
        {
            let from = self.number(from);
            return self.two(Two::Sub, from, x);
        }
        // What one more element of a list adds to the sum of those before it.
        if let (Two::Sub, Expr::ListFirst(card, field, more), Expr::ListFirst(of, from, count)) = (how, self[a], self[b])
            && (card, field) == (of, from)
            && let Expr::Two(Two::Add, fewer, one) = self[more]
            && (fewer, self.constant(one)) == (count, Some(1))
        {
            return self.intern(Expr::ListAt(card, field, count));
        }
        // What is known by the card is added up first, and so are numbers.
        if let (Two::Add | Two::Sub, Expr::Two(first @ (Two::Add | Two::Sub), x, known)) = (how, self[a]) {
            let (signs, kept) = ((first == Two::Add, how == Two::Add), known);
            let signed = |plus: bool, value: i64| if plus { Some(value) } else { value.checked_neg() };
            let sum = |[a, b]: [i64; 2]| signed(signs.0, a)?.checked_add(signed(signs.1, b)?);
            if let Some(both) = self.as_column([kept, b], sum) {
                return self.two(Two::Add, x, both);
            }
        }
        self.intern(Expr::Two(how, a, b))
    }

    /// Not.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a], |[a]| Some((a == 0) as i64)) {
            return known;
        }
        if let Expr::Two(Two::Is(how), a, b) = self[a] {
            self.two(Two::Is(how.inverse()), a, b)
        } else if let Expr::Truth(inner) = self[a] {
            self.not(inner)
        } else if let Expr::Not(inner) = self[a] {
            self.truth(inner)
        } else {
            self.intern(Expr::Not(a))
        }
    }

    /// 1 for whatever is not 0.
    pub fn truth(&mut self, a: ExprId) -> ExprId {
        if let Some(known) = self.as_column([a], |[a]| Some((a != 0) as i64)) {
            return known;
        }
        if self.is_truth(a) { a } else { self.intern(Expr::Truth(a)) }
    }

    /// And.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.constant(a), self.constant(b)) {
            (Some(0), _) | (_, Some(0)) => return self.number(0),
            (Some(_), _) => return self.truth(b),
            (_, Some(_)) => return self.truth(a),
            _ => {}
        }
        let both = self.as_column([a, b], |[a, b]| Some((a != 0 && b != 0) as i64));
        both.unwrap_or_else(|| self.intern(Expr::And(a, b)))
    }

    /// Or.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.constant(a), self.constant(b)) {
            (Some(0), _) => return self.truth(b),
            (_, Some(0)) => return self.truth(a),
            (Some(_), _) | (_, Some(_)) => return self.number(1),
            _ => {}
        }
        let both = self.as_column([a, b], |[a, b]| Some((a != 0 || b != 0) as i64));
        both.unwrap_or_else(|| self.intern(Expr::Or(a, b)))
    }

    /// One or the other.
    pub fn choice(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
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
        // Of two numbers one is found by reckoning.
        if let (Some(high), Some(low), true) = (self.constant(yes), self.constant(no), self.is_truth(condition)) {
            if (high, low) == (0, 1) {
                return self.not(condition);
            }
            if let Some(between) = high.checked_sub(low) {
                let between = self.number(between);
                let above = self.two(Two::Mul, condition, between);
                return self.two(Two::Add, above, no);
            }
        }
        self.intern(Expr::If(condition, yes, no))
    }

    /// One of several numbers by index; the last stands for all beyond.
    pub fn table(&mut self, index: ExprId, values: &[i64]) -> ExprId {
        let at = |[index]: [i64; 1]| values.get(cast::index(index.max(0))).or(values.last()).copied();
        if let Some(known) = self.as_column([index], at) {
            return known;
        }
        if values.is_empty() {
            return self.number(0);
        }
        let table = u32::try_from(index_of(&mut self.tables, values.into())).unwrap_or(u32::MAX);
        self.intern(Expr::Table(index, table))
    }

    /// Any other expression.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        self.intern(expr)
    }
}

mod loops;
#[cfg(test)]
mod tests;
