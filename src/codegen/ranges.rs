//! Between which numbers the value of an expression lies: what cannot grow too large is not checked when it is evaluated.

use crate::cast;
use houserule_ruleset::Ruleset;
use houserule_ruleset::definition::ChangeOp;
use houserule_ruleset::graph::{CardsId, Expr, ExprId, Fold, MAX_WEIGHT, NumberOp, ValueRange, Whose};
use std::collections::HashMap;

/// The numbers between two bounds, which are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    /// All numbers.
    pub const ALL: Range = Range { low: i64::MIN, high: i64::MAX };
    /// What a cell can hold.
    const CELL: Range = Range { low: i32::MIN as i64, high: i32::MAX as i64 };
    const TRUTH: Range = Range { low: 0, high: 1 };
    const ZERO: Range = Range { low: 0, high: 0 };

    fn of(numbers: impl IntoIterator<Item = i64>) -> Range {
        let one = |number: i64| Range { low: number, high: number };
        numbers.into_iter().map(one).reduce(Range::or).unwrap_or(Range::ZERO)
    }

    fn to(high: usize) -> Range {
        Range { low: 0, high: cast::count(high) }
    }

    /// The numbers of either range, and those between.
    pub fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether all numbers fit into 32 bits.
    pub fn fits_a_cell(self) -> bool {
        self.low >= Range::CELL.low && self.high <= Range::CELL.high
    }

    /// The bounds of results that are exact; and whether any of these does not fit into 64 bits.
    fn exact(low: i128, high: i128) -> (Range, bool) {
        let clamp = |number: i128| i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX });
        let range = Range { low: clamp(low), high: clamp(high) };
        (range, i128::from(range.low) != low || i128::from(range.high) != high)
    }

    /// The sum of a number of either range; and whether it may be too large.
    pub fn plus(self, other: Range) -> (Range, bool) {
        Range::exact(i128::from(self.low) + i128::from(other.low), i128::from(self.high) + i128::from(other.high))
    }

    fn minus(self, other: Range) -> (Range, bool) {
        Range::exact(i128::from(self.low) - i128::from(other.high), i128::from(self.high) - i128::from(other.low))
    }

    /// The product of a number of either range; and whether it may be too large.
    pub fn times(self, other: Range) -> (Range, bool) {
        let products = [self.low, self.high].map(|a| [other.low, other.high].map(|b| i128::from(a) * i128::from(b)));
        let all = products.as_flattened();
        Range::exact(all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0))
    }

    /// The largest absolute value, as far as 64 bits hold it.
    fn most(self) -> i64 {
        self.low.saturating_abs().max(self.high.saturating_abs())
    }
}

/// The most expressions within each other that are looked at; beyond that nothing is known.
const MAX_DEPTH: u32 = 1000;

/// The ranges of expressions, as they are found.
pub(crate) struct Ranges<'r> {
    rules: &'r Ruleset,
    /// What is known; `None` while it is being found, since a number may depend on itself.
    known: HashMap<ExprId, Option<Range>>,
    /// How many expressions within each other are being looked at.
    depth: u32,
}

impl<'r> Ranges<'r> {
    pub fn new(rules: &'r Ruleset) -> Ranges<'r> {
        Ranges { rules, known: HashMap::new(), depth: 0 }
    }

    /// Returns the range of an expression.
    pub fn of(&mut self, id: ExprId) -> Range {
        if let Some(&known) = self.known.get(&id) {
            return known.unwrap_or(Range::ALL);
        }
        if self.depth > MAX_DEPTH {
            return Range::ALL;
        }
        self.known.insert(id, None);
        self.depth += 1;
        let found = self.find(id);
        self.depth -= 1;
        self.known.insert(id, Some(found));
        found
    }

    /// Returns the range of a binary operation, and whether its result may be too large.
    pub fn binary(&mut self, operator: NumberOp, a: ExprId, b: ExprId) -> (Range, bool) {
        let (a, b) = (self.of(a), self.of(b));
        match operator {
            NumberOp::Add => a.plus(b),
            NumberOp::Sub => a.minus(b),
            NumberOp::Mul => a.times(b),
            NumberOp::Div => (Range { low: a.most().saturating_neg(), high: a.most() }, true),
            NumberOp::Remainder => (Range { low: b.most().saturating_neg(), high: b.most() }, true),
            NumberOp::Min => (Range { low: a.low.min(b.low), high: a.high.min(b.high) }, false),
            NumberOp::Max => (Range { low: a.low.max(b.low), high: a.high.max(b.high) }, false),
            NumberOp::Within => (Range { low: 0, high: a.high.max(0) }, true),
            NumberOp::Is(_) => (Range::TRUTH, false),
        }
    }

    /// Returns how many cards a loop visits at most.
    pub fn most_cards(&self, cards: CardsId) -> usize {
        let rules = self.rules;
        let cards = rules.graph.cards(cards);
        let rooms = cards.places.iter().map(|&place| {
            let declared = &rules.places[usize::from(place)];
            let visited = if declared.of_seat && cards.whose == Whose::Mine { 1 } else { usize::MAX };
            rules.instances(place).iter().take(visited).map(|instance| usize::from(instance.room)).sum::<usize>()
        });
        rooms.sum::<usize>().min(rules.layout.pieces)
    }

    /// Returns the range of a fold over at most this many elements, and whether a sum may be too large on its way.
    pub fn fold(&mut self, fold: Fold, most: usize, body: Option<ExprId>) -> (Range, bool) {
        let body = body.map_or(Range { low: 1, high: 1 }, |body| self.of(body));
        match fold {
            Fold::Sum => body.or(Range::TRUTH).times(Range::to(most)),
            Fold::Highest | Fold::Lowest | Fold::First | Fold::Last => (body.or(Range::ZERO), false),
            Fold::Count => (Range::to(most), false),
            Fold::Any => (Range::TRUTH, false),
        }
    }

    fn find(&mut self, id: ExprId) -> Range {
        let rules = self.rules;
        match rules.graph[id].value_range() {
            ValueRange::Computed => self.computed(id),
            ValueRange::Cell => Range::CELL,
            ValueRange::Truth => Range::TRUTH,
            ValueRange::Weight => Range { low: -MAX_WEIGHT, high: MAX_WEIGHT },
            ValueRange::Piece => Range { low: -1, high: cast::count(rules.layout.pieces.max(rules.players).max(i32::MAX as usize)) },
            ValueRange::Seat => Range { low: -1, high: cast::count(rules.players) },
            ValueRange::Tokens => Range::CELL.times(Range::to(64 * usize::from(u8::MAX))).0,
            ValueRange::Shown => Range::to(usize::from(u8::MAX)),
            ValueRange::NoNumber => Range::ZERO,
        }
    }

    /// Returns the range of an expression whose sort alone does not say it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing more is known")]
    fn computed(&mut self, id: ExprId) -> Range {
        let rules = self.rules;
        let graph = &rules.graph;
        match graph[id] {
            Expr::Const { value } => Range { low: value, high: value },
            Expr::Column { column, .. } => Range::of(graph.columns().numbers(column).iter().copied()),
            Expr::Binary { operator, a, b } => self.binary(operator, a, b).0,
            Expr::If { yes, no, .. } => self.of(yes).or(self.of(no)),
            Expr::OverNeighbours { fold, body, .. } => self.fold(fold, rules.layout.pieces, body).0,
            Expr::OverCards { fold, cards, body, .. } => self.fold(fold, self.most_cards(cards), body).0,
            Expr::OverSeats { fold, body, .. } => self.fold(fold, rules.players, body).0,
            Expr::Rows { cards, field, len, factor, .. } => self.row_sum(cards, (field, len), factor).0,
            Expr::RowAt { row, .. } => self.of(row).or(Range::ZERO),
            Expr::Quantity { quantity, .. } => rules.code.quantity_body(quantity).map_or(Range::ALL, |body| self.of(body)),
            Expr::Applied { quantity, value, .. } => {
                let value = self.of(value);
                self.applied(quantity, value)
            }
            Expr::Table { table, .. } => Range::of(graph.table_numbers(table).iter().copied()),
            Expr::Of { body, .. } => self.of(body).or(Range::ZERO),
            Expr::Private { value, .. } => self.of(value),
            _ => Range::ALL,
        }
    }

    /// Returns the range of a sum of numbers of a printed row, each times a factor, and whether it may be too large on its way.
    pub fn row_sum(&mut self, cards: CardsId, (field, len): (u16, u16), factor: ExprId) -> (Range, bool) {
        let rows = self.rules.printed.chunks_exact(self.rules.width.max(1));
        let printed = rows.flat_map(|row| row.get(usize::from(field)..usize::from(field + len)).unwrap_or_default());
        let (product, large) = self.of(factor).times(Range::of(printed.map(|&number| number.into())));
        let (sum, larger) = product.or(Range::ZERO).times(Range::to(self.most_cards(cards)));
        (sum, large || larger)
    }

    /// Returns the range of a number after the changes of a quantity by cards.
    fn applied(&mut self, quantity: u16, value: Range) -> Range {
        let rules = self.rules;
        let (mut range, mut added) = (value, Range::ZERO);
        for &definition in &rules.piece_definition {
            for change in rules.definitions[definition as usize].changes.iter().filter(|change| change.quantity == quantity) {
                let amount = self.of(change.amount).or(Range::ZERO);
                match change.operator {
                    ChangeOp::By => added = added.plus(amount).0,
                    ChangeOp::To | ChangeOp::AtLeast | ChangeOp::AtMost => range = range.or(self.of(change.amount)),
                }
            }
        }
        range.plus(added).0
    }
}
