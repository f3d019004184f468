//! Expressions as they run: flat code for a small machine with registers.
//!
//! When a ruleset is compiled, those expressions of its graph that are worth keeping become values of the caches. The code of an
//! expression is made when it is first run (`emit`), and `run` runs it.

#[allow(clippy::wildcard_enum_match_arm, reason = "what has no operation of its own goes to `work_out`, which leaves nothing out")]
mod emit;
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not read in one step has code")]
mod leaf;
mod op;

use crate::cast;
pub use crate::graph::{Cards, CardsId, ColumnId, Columns, Expr, ExprId, Fold, Graph, Two};
pub use emit::{bits, given_in};
pub use leaf::{Leaf, Root, Test};
pub use op::{NONE, Op, Read, Reg, Terms, WorkOut};

use super::readers::Readers;
use std::sync::OnceLock;

/// Printed rows with up to this many numbers are summed at once.
pub const LONGEST_ROW: usize = 12;

/// How many values of a seat are kept, and how many numbers they have together; whatever is beyond is worked out anew each time.
const MAX_VALUES: usize = u16::MAX as usize;

/// How many registers an expression may use.
pub const REGISTERS: usize = 64;

/// Index of a value that is cached for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueId(pub u16);

/// What a value that is cached is.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// How it is worked out.
    pub body: Body,
    /// Its first number among those of a seat.
    pub slot: u16,
    /// How many numbers it has.
    pub len: u8,
}

/// How a value is worked out.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// State-based checks: valid while nothing that they read has changed.
    Checks,
    /// An expression; of the sums of a row all are left in registers.
    Expr(ExprId),
}

/// What a quantity is.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    /// A value that is cached.
    Value(ValueId),
    /// An expression of its arguments.
    Run(ExprId),
}

/// The code of one expression; its result is in the first register.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What is run, in order.
    pub ops: Box<[Op]>,
    /// Numbers too long for an operation, bit sets and indices of expressions.
    pub longs: Box<[i64]>,
    /// What only reads, and comes up less often.
    pub reads: Box<[Read]>,
    /// What may have to work something else out.
    pub works: Box<[WorkOut]>,
    /// What operations sum over cards.
    pub terms: Box<[Terms]>,
    /// It needs more registers than there are.
    pub too_deep: bool,
}

/// The code of a ruleset: of the expressions that there are when it is compiled.
#[derive(Debug, Default)]
pub struct Code {
    units: Vec<OnceLock<Unit>>,
    /// How each expression is worked out from outside.
    roots: Vec<Root>,
    /// Of each expression the value that it is, if it is cached.
    cached: Vec<Option<ValueId>>,
    values: Vec<Value>,
    /// What each quantity is.
    quantities: Vec<Named>,
    /// How many numbers are cached for each seat.
    pub slots: usize,
    /// What was read when values were worked out.
    pub readers: Readers,
}

impl Code {
    /// The code of a ruleset, with `classes` classes of cells. Of each quantity is given what it is called where it is named, what it
    /// comes to, and how many arguments it has.
    pub fn new(graph: &Graph, quantities: &[(ExprId, ExprId, u8)], classes: usize) -> Code {
        let mut code = Code { cached: vec![None; graph.count()], ..Code::default() };
        code.values.push(Value { body: Body::Checks, slot: 0, len: 0 });
        for &(name, body, args) in quantities {
            let kept = (args == 0).then(|| code.cached[body.index()].or_else(|| code.keep(name, 1, Body::Expr(body)))).flatten();
            let Some(value) = kept else {
                code.quantities.push(Named::Run(body));
                continue;
            };
            code.cached[name.index()] = Some(value);
            if !matches!(graph[body], Expr::Quantity { .. }) {
                // The quantity and what it comes to are one value.
                code.cached[body.index()] = Some(value);
            }
            code.quantities.push(Named::Value(value));
        }
        // Expressions of the seat alone that go through cards, seats or tokens: others are worked out anew as quickly as they are kept.
        for (id, expr) in graph.all().filter(|(id, expr)| expr.is_long() && graph.facts(*id).closed()) {
            let len = if let Expr::Rows { len, .. } = expr { cast::fit::<u8>(*len) } else { 1 };
            code.keep(id, len, Body::Expr(id));
        }
        code.roots = graph.all().map(|(id, _)| code.root_of(graph, id)).collect();
        code.units = vec![OnceLock::new(); graph.count()];
        code.readers = Readers::new(classes, quantities.len(), code.values.len());
        code
    }

    /// Keeps a value, if there is room.
    fn keep(&mut self, id: ExprId, len: u8, body: Body) -> Option<ValueId> {
        if let Some(known) = self.cached[id.index()] {
            return Some(known);
        }
        if self.values.len() >= MAX_VALUES || self.slots + usize::from(len) > MAX_VALUES {
            return None;
        }
        let (value, slot) = (u16::try_from(self.values.len()).ok()?, u16::try_from(self.slots).ok()?);
        self.values.push(Value { body, slot, len });
        self.slots += usize::from(len);
        self.cached[id.index()] = Some(ValueId(value));
        Some(ValueId(value))
    }

    /// How an expression is worked out from outside; `None` for one that was made later.
    #[inline(always)]
    pub fn root(&self, id: ExprId) -> Option<&Root> {
        self.roots.get(id.index())
    }

    /// What a quantity is.
    #[inline]
    pub fn of_quantity(&self, quantity: u16) -> Named {
        self.quantities[quantity as usize]
    }

    /// A value that is cached.
    #[inline]
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.0 as usize]
    }

    /// All values that are cached, each with how many numbers it has.
    pub fn values(&self) -> impl Iterator<Item = (ValueId, u16)> {
        self.values.iter().enumerate().map(|(index, value)| (ValueId(cast::fit::<u16>(index)), value.len as u16))
    }

    /// What a value is, for messages of tests.
    pub fn describe(&self, graph: &Graph, value: ValueId) -> String {
        match self.value(value).body {
            Body::Expr(expr) => format!("{:?}", graph[expr]),
            Body::Checks => "state-based checks".to_string(),
        }
    }

    /// The code of an expression.
    #[inline(always)]
    pub fn unit(&self, graph: &Graph, id: ExprId) -> &Unit {
        self.units[id.index()].get_or_init(|| emit::emit(self, graph, id))
    }
}
