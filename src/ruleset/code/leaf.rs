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
    /// The first piece in a place.
    FirstIn(u16),
    /// The position of the current seat in the order.
    PlaceInOrder,
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

/// The most values that are worked on at once in a short expression.
pub const MAX_STACK: usize = 4;
/// The most steps of a short expression, and the most kept values that it reads: beyond them generated code is as fast.
const MAX_STEPS: usize = 16;
const MAX_VALUES: usize = 2;

/// A step of a short expression. Values lie on a stack of at most [`MAX_STACK`].
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Pushes what a single read gives.
    Read(Leaf),
    /// Replaces the last two values by what an operator makes of them.
    Apply(NumberOp),
    /// Replaces the last value by whether it is 0.
    Not,
    /// Replaces the last value by whether it is not 0.
    Truth,
    /// Replaces the last value by whether this set of the current seat contains it.
    Bit(u16),
    /// Replaces the last value by the element of a table with this index.
    Element(u32),
    /// Pushes whether a card in play changes a quantity.
    Changed(u16),
    /// If the last value is 0, it stays, and so many steps are skipped; otherwise it is dropped.
    And(u8),
    /// If the last value is not 0, 1 stays, and so many steps are skipped; otherwise it is dropped.
    Or(u8),
    /// Drops the last value; if it is 0, so many steps are skipped.
    Unless(u8),
    /// Skips so many steps.
    Skip(u8),
}

/// The compiled form of an expression.
#[derive(Clone, Debug)]
pub enum CompiledExpr {
    /// A single read.
    Leaf(Leaf),
    /// A comparison of two single reads.
    Is(Test),
    /// A few steps; the expression itself says what is wrong if one has no result.
    Short(Box<[Step]>, ExprId),
    /// Any other expression.
    Run(ExprId),
}

impl Code {
    /// Returns the compiled form of an expression.
    pub(super) fn compile(&self, graph: &Graph, id: ExprId) -> CompiledExpr {
        if let Some(leaf) = self.leaf(graph, id) {
            return CompiledExpr::Leaf(leaf);
        }
        if let Some(test) = self.compile_test(graph, id) {
            return CompiledExpr::Is(test);
        }
        let mut steps = Vec::new();
        let depth = self.compile_steps(graph, id, &mut steps);
        let is_value = |step: &&Step| matches!(step, Step::Read(Leaf::Value(..)));
        match depth {
            Some(..=MAX_STACK) if steps.iter().filter(is_value).count() <= MAX_VALUES => CompiledExpr::Short(steps.into(), id),
            Some(_) | None => CompiledExpr::Run(id),
        }
    }

    /// Adds the steps of an expression. Returns how many values it has on the stack at most; `None` if it is not short.
    fn compile_steps(&self, graph: &Graph, id: ExprId, steps: &mut Vec<Step>) -> Option<usize> {
        if let Some(leaf) = self.leaf(graph, id) {
            steps.push(Step::Read(leaf));
            return (steps.len() <= MAX_STEPS).then_some(1);
        }
        // Inserts a step that skips those which `part` adds.
        let skipping = |steps: &mut Vec<Step>, step: fn(u8) -> Step, part: &dyn Fn(&mut Vec<Step>) -> Option<usize>| {
            let at = steps.len();
            steps.push(step(0));
            let depth = part(steps)?;
            steps[at] = step(u8::try_from(steps.len() - at - 1).ok()?);
            Some(depth)
        };
        let one = |part: ExprId, step: Step, steps: &mut Vec<Step>| {
            let depth = self.compile_steps(graph, part, steps)?;
            steps.push(step);
            Some(depth)
        };
        let depth = match graph[id] {
            Expr::Binary { operator, a, b } => {
                let depth = self.compile_steps(graph, a, steps)?.max(1 + self.compile_steps(graph, b, steps)?);
                steps.push(Step::Apply(operator));
                depth
            }
            Expr::Not { a } => one(a, Step::Not, steps)?,
            Expr::Truth { a } => one(a, Step::Truth, steps)?,
            Expr::OwnBit { offset, index } => one(index, Step::Bit(offset), steps)?,
            Expr::Table { table, index } => one(index, Step::Element(table), steps)?,
            Expr::Changed { quantity } => {
                steps.push(Step::Changed(quantity));
                1
            }
            Expr::And { a, b } => {
                self.compile_steps(graph, a, steps)?.max(skipping(steps, Step::And, &|steps| one(b, Step::Truth, steps))?)
            }
            Expr::Or { a, b } => self.compile_steps(graph, a, steps)?.max(skipping(steps, Step::Or, &|steps| one(b, Step::Truth, steps))?),
            Expr::If { condition, yes, no } => {
                let mut depth = self.compile_steps(graph, condition, steps)?;
                let at = steps.len();
                depth = depth.max(skipping(steps, Step::Unless, &|steps| self.compile_steps(graph, yes, steps))?);
                depth = depth.max(skipping(steps, Step::Skip, &|steps| self.compile_steps(graph, no, steps))?);
                // Behind the first part comes what skips the second.
                if let Some(Step::Unless(skipped)) = steps.get_mut(at) {
                    *skipped += 1;
                }
                depth
            }
            _ => return None,
        };
        (steps.len() <= MAX_STEPS).then_some(depth)
    }

    /// Compiles a condition to a comparison of two single reads; `None` if it is anything else.
    fn compile_test(&self, graph: &Graph, id: ExprId) -> Option<Test> {
        let leaf = |id: ExprId| self.leaf(graph, id);
        let (operator, a, b) = match graph[id] {
            Expr::Binary { operator: NumberOp::Is(operator), a, b } => (operator, leaf(a)?, leaf(b)?),
            Expr::Not { a } => (Compare::Equal, leaf(a)?, Leaf::Const(0)),
            Expr::Truth { a } => (Compare::Unequal, leaf(a)?, Leaf::Const(0)),
            _ => return None,
        };
        Some(Test { operator, a, b })
    }

    fn leaf(&self, graph: &Graph, id: ExprId) -> Option<Leaf> {
        let slot = |value: ValueId| self.cached_value(value).slot;
        if let Some(value) = self.value_of(id) {
            return Some(Leaf::Value(value, slot(value)));
        }
        let local = |part: ExprId| if let Expr::Local { local } = graph[part] { Some(local) } else { None };
        Some(match graph[id] {
            Expr::Const { value } => Leaf::Const(value),
            Expr::Weight { index } => Leaf::Const(graph.weights()[usize::from(index)]),
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
            Expr::FirstIn { place, .. } => Leaf::FirstIn(place),
            Expr::PlaceInOrder => Leaf::PlaceInOrder,
            Expr::RowAt { row, index } => {
                let (value, at) = (self.value_of(row)?, graph.constant(index)?);
                Leaf::Value(value, slot(value) + cast::fit::<u16>(at))
            }
            _ => return None,
        })
    }
}
