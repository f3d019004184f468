//! The compiled form of short expressions, which need no walk: a single read, or comparisons of two reads.

use super::{Code, ColumnId, Expr, ExprId, Graph, NumberOp, ValueId};
use crate::cast;
use crate::compare::Compare;

/// A single read: a value that is read directly from the state, the cards or the locals.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// A constant number.
    Const(i64),
    /// The value of the local with this index.
    Local(u8),
    /// A cell of the table.
    Global(u32),
    /// A cell of the current seat.
    Own(u16),
    /// An element of a run of cells of the current seat: offset, length, and the local with the index.
    OwnAt(u16, u16, u8),
    /// A column value of the card in a local.
    Column(u8, ColumnId),
    /// A number of a row printed on the card in a local: the local, field, length, and the local with the index.
    FieldAt(u8, u16, u16, u8),
    /// A column value of the first card in a place.
    OfFirst(u16, ColumnId),
    /// A counter of the piece in a local: the local, and the counter's offset.
    Counter(u8, u8),
    /// The row of a grid in which the piece in a local lies.
    Row(u8, u16),
    /// The number of pieces in a place.
    PiecesIn(u16),
    /// A number of a cached value: the value and its slot.
    Value(ValueId, u16),
}

/// A comparison of two single reads.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The operator that compares the operands.
    pub operator: Compare,
    /// The left operand of the comparison.
    pub a: Leaf,
    /// The right operand of the comparison.
    pub b: Leaf,
}

/// The compiled form of an expression.
#[derive(Clone, Debug)]
pub enum CompiledExpr {
    /// A single read.
    Leaf(Leaf),
    /// A comparison of two single reads.
    Is(Test),
    /// Whether all comparisons hold, tested from left to right.
    All(Box<[Test]>),
    /// Whether any comparison holds.
    Any(Box<[Test]>),
    /// A single read as long as no card in play changes a quantity, and otherwise any other expression.
    Unchanged(u16, Leaf, ExprId),
    /// Any other expression.
    Run(ExprId),
}

impl Code {
    /// Returns the compiled form of an expression.
    pub(super) fn compile(&self, graph: &Graph, id: ExprId) -> CompiledExpr {
        let short = match graph[id] {
            _ if self.value_of(id).is_some() => None,
            Expr::Binary { operator: NumberOp::Is(_), .. } | Expr::Not { .. } | Expr::Truth { .. } => {
                self.compile_test(graph, id).map(CompiledExpr::Is)
            }
            Expr::And { .. } => self.compile_tests(graph, id).map(|tests| CompiledExpr::All(tests.into())),
            Expr::Or { .. } => self.compile_tests(graph, id).map(|tests| CompiledExpr::Any(tests.into())),
            Expr::If { condition, no: plain, .. } => match graph[condition] {
                Expr::Changed { quantity } => self.leaf(graph, plain).map(|plain| CompiledExpr::Unchanged(quantity, plain, id)),
                _ => None,
            },
            _ => None,
        };
        short.or_else(|| self.leaf(graph, id).map(CompiledExpr::Leaf)).unwrap_or(CompiledExpr::Run(id))
    }

    /// Compiles a condition to a comparison of two single reads; `None` if it is anything else.
    fn compile_test(&self, graph: &Graph, id: ExprId) -> Option<Test> {
        let leaf = |id: ExprId| self.leaf(graph, id);
        let (operator, a, b) = match graph[id] {
            _ if self.value_of(id).is_some() => (Compare::Unequal, leaf(id)?, Leaf::Const(0)),
            Expr::Binary { operator: NumberOp::Is(operator), a, b } => (operator, leaf(a)?, leaf(b)?),
            Expr::Not { a } => (Compare::Equal, leaf(a)?, Leaf::Const(0)),
            Expr::Truth { a } => (Compare::Unequal, leaf(a)?, Leaf::Const(0)),
            _ => (Compare::Unequal, leaf(id)?, Leaf::Const(0)),
        };
        Some(Test { operator, a, b })
    }

    /// Compiles a chain of `and`, or of `or`, to a list of comparisons; `None` unless each condition is a comparison of two single reads.
    fn compile_tests(&self, graph: &Graph, id: ExprId) -> Option<Vec<Test>> {
        let mut tests = Vec::new();
        let mut rest = vec![id];
        while let Some(part) = rest.pop() {
            match (graph[id], graph[part]) {
                (Expr::And { .. }, Expr::And { a, b }) | (Expr::Or { .. }, Expr::Or { a, b }) => rest.extend([b, a]),
                _ => tests.push(self.compile_test(graph, part)?),
            }
        }
        Some(tests)
    }

    fn leaf(&self, graph: &Graph, id: ExprId) -> Option<Leaf> {
        let slot = |value: ValueId| self.cached_value(value).slot;
        if let Some(value) = self.value_of(id) {
            return Some(Leaf::Value(value, slot(value)));
        }
        let local = |part: ExprId| if let Expr::Local { local } = graph[part] { Some(local) } else { None };
        Some(match graph[id] {
            Expr::Const { value } => Leaf::Const(value),
            Expr::Local { local } => Leaf::Local(local),
            Expr::Global { cell } => Leaf::Global(cell),
            Expr::Own { offset } => Leaf::Own(offset),
            Expr::OwnAt { offset, len, index } => Leaf::OwnAt(offset, len, local(index)?),
            Expr::Column { card, column } => match graph[card] {
                Expr::FirstIn { place, .. } => Leaf::OfFirst(place, column),
                _ => Leaf::Column(local(card)?, column),
            },
            Expr::FieldAt { card, field, len, index } => Leaf::FieldAt(local(card)?, field, len, local(index)?),
            Expr::Counter { card, offset } => Leaf::Counter(local(card)?, offset),
            Expr::Row { card, grid } => Leaf::Row(local(card)?, grid),
            Expr::PiecesIn { place, .. } => Leaf::PiecesIn(place),
            Expr::RowAt { row, index } => {
                let (value, at) = (self.value_of(row)?, graph.constant(index)?);
                Leaf::Value(value, slot(value) + cast::fit::<u16>(at))
            }
            _ => return None,
        })
    }
}
