//! Expressions so short that they need no code: what can be read in one step, perhaps compared with a number.

use super::{Code, ColumnId, Expr, ExprId, Graph, Two, ValueId};
use crate::cast;
use crate::compare::Compare;

/// What is read in one step.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// A number.
    Const(i64),
    /// A local.
    Local(u8),
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat spoken of.
    Own(u16),
    /// One of several cells of the seat: offset, how many, and the local that says which.
    OwnAt(u16, u16, u8),
    /// What is printed on the card in a local.
    Column(u8, ColumnId),
    /// One of a row of numbers printed on the card in a local: field, how many, and the local that says which.
    FieldAt(u8, u16, u16, u8),
    /// What is printed on the first card of a place.
    OfFirst(u16, ColumnId),
    /// A counter of the piece in a local.
    Counter(u8, u8),
    /// The row in a grid of the piece in a local.
    Row(u8, u16),
    /// How many pieces lie in a place.
    Lying(u16),
    /// A number that is cached: of which value, in which slot.
    Value(ValueId, u16),
}

/// A comparison of what is read in one step each.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// How both are compared.
    pub how: Compare,
    /// What stands on the left.
    pub a: Leaf,
    /// What stands on the right.
    pub b: Leaf,
}

/// How an expression is worked out from outside.
#[derive(Clone, Debug)]
pub enum Root {
    /// What is read in one step.
    Leaf(Leaf),
    /// A comparison.
    Is(Test),
    /// Whether all of several comparisons hold, from left to right.
    All(Box<[Test]>),
    /// Whether one of them does.
    Any(Box<[Test]>),
    /// What holds as long as no card changes a quantity, and what is worked out otherwise.
    Unchanged(u16, Leaf, ExprId),
    /// What has code.
    Run(ExprId),
}

impl Code {
    /// How an expression is worked out from outside.
    pub(super) fn root_of(&self, graph: &Graph, id: ExprId) -> Root {
        let short = match graph[id] {
            _ if self.cached[id.index()].is_some() => None,
            Expr::Two { how: Two::Is(_), .. } | Expr::Not { .. } | Expr::Truth { .. } => self.test(graph, id).map(Root::Is),
            Expr::And { .. } => self.tests(graph, id).map(|tests| Root::All(tests.into())),
            Expr::Or { .. } => self.tests(graph, id).map(|tests| Root::Any(tests.into())),
            Expr::If { condition, no: plain, .. } => match graph[condition] {
                Expr::Changed { quantity } => self.leaf(graph, plain).map(|plain| Root::Unchanged(quantity, plain, id)),
                _ => None,
            },
            _ => None,
        };
        short.or_else(|| self.leaf(graph, id).map(Root::Leaf)).unwrap_or(Root::Run(id))
    }

    /// A condition that is one comparison.
    fn test(&self, graph: &Graph, id: ExprId) -> Option<Test> {
        let leaf = |id: ExprId| self.leaf(graph, id);
        let (how, a, b) = match graph[id] {
            _ if self.cached[id.index()].is_some() => (Compare::Unequal, leaf(id)?, Leaf::Const(0)),
            Expr::Two { how: Two::Is(how), a, b } => (how, leaf(a)?, leaf(b)?),
            Expr::Not { a } => (Compare::Equal, leaf(a)?, Leaf::Const(0)),
            Expr::Truth { a } => (Compare::Unequal, leaf(a)?, Leaf::Const(0)),
            _ => (Compare::Unequal, leaf(id)?, Leaf::Const(0)),
        };
        Some(Test { how, a, b })
    }

    /// The comparisons of which a chain of `and`, or of `or`, is made.
    fn tests(&self, graph: &Graph, id: ExprId) -> Option<Vec<Test>> {
        let mut tests = Vec::new();
        let mut rest = vec![id];
        while let Some(part) = rest.pop() {
            match (graph[id], graph[part]) {
                (Expr::And { .. }, Expr::And { a, b }) | (Expr::Or { .. }, Expr::Or { a, b }) => rest.extend([b, a]),
                _ => tests.push(self.test(graph, part)?),
            }
        }
        Some(tests)
    }

    fn leaf(&self, graph: &Graph, id: ExprId) -> Option<Leaf> {
        let slot = |value: ValueId| self.value(value).slot;
        if let Some(value) = self.cached[id.index()] {
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
            Expr::Lying { place, .. } => Leaf::Lying(place),
            Expr::RowAt { row, index } => {
                let (value, at) = (self.cached[row.index()]?, graph.constant(index)?);
                Leaf::Value(value, slot(value) + cast::fit::<u16>(at))
            }
            _ => return None,
        })
    }
}
