//! Expressions as they run: flat code for a small machine with registers.
//!
//! When a ruleset is compiled, its nodes become a graph in which equal expressions are one (`expr`); what is printed on cards is
//! worked out beforehand (`columns`); what is worth keeping becomes a value of the caches. The code of an expression is made when it
//! is first run (`emit`), and `run` runs it.

mod build;
mod columns;
#[allow(clippy::wildcard_enum_match_arm, reason = "what has no operation of its own goes to `work_out`, which leaves nothing out")]
mod emit;
mod expr;
#[allow(clippy::wildcard_enum_match_arm, reason = "what is not read in one step has code")]
mod leaf;
mod op;

use crate::cast;
pub use columns::ColumnId;
pub use columns::Columns;
pub use emit::{bits, given_in};
pub use expr::Cards;
pub use expr::{CardsId, Expr, ExprId, Exprs, Fold, Two};
pub use leaf::{Leaf, Root, Test};
pub use op::{NONE, Op, Read, Reg, Terms, WorkOut};

use super::node::NodeId;
use super::readers::Readers;
use super::ruleset::Ruleset;
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

/// The code of a ruleset.
#[derive(Debug, Default)]
pub struct Code {
    /// All expressions.
    pub exprs: Exprs,
    units: Vec<OnceLock<Unit>>,
    /// How each node is worked out from outside.
    roots: Vec<Root>,
    /// How each expression is.
    steps: Vec<Root>,
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
    /// The code of all nodes of a ruleset, with `classes` classes of cells.
    pub fn new(rules: &Ruleset, classes: usize) -> Code {
        let mut builder = build::Builder::new(rules);
        let ids: Vec<ExprId> = (0..cast::fit::<NodeId>(rules.nodes.len())).map(|node| builder.root(node)).collect();
        let bodies: Vec<ExprId> = (0..cast::fit::<u16>(rules.quantities.len())).map(|quantity| builder.quantity(quantity)).collect();
        let quantities: Vec<ExprId> =
            (0..cast::fit::<u16>(rules.quantities.len())).map(|quantity| builder.exprs.add(Expr::Quantity(quantity, [None; 2]))).collect();
        let mut code = Code { exprs: builder.exprs, ..Code::default() };
        code.cached = vec![None; code.exprs.count()];
        code.values.push(Value { body: Body::Checks, slot: 0, len: 0 });
        for (index, (&leaf, body)) in quantities.iter().zip(bodies).enumerate() {
            if rules.quantities[index].args > 0 {
                code.quantities.push(Named::Run(body));
                continue;
            }
            let Some(value) = code.cached[body.0 as usize].or_else(|| code.keep(leaf, 1, Body::Expr(body))) else {
                code.quantities.push(Named::Run(body));
                continue;
            };
            code.cached[leaf.0 as usize] = Some(value);
            if !matches!(code.exprs[body], Expr::Quantity(..)) {
                // The quantity and what it comes to are one value.
                code.cached[body.0 as usize] = Some(value);
            }
            code.quantities.push(Named::Value(value));
        }
        for id in code.worth_keeping(rules, &ids) {
            let len = if let Expr::Rows(_, _, _, (_, len), _) = code.exprs[id] { cast::fit::<u8>(len) } else { 1 };
            code.keep(id, len, Body::Expr(id));
        }
        code.finish();
        code.roots = ids.iter().map(|&id| code.step(id).clone()).collect();
        code.readers = Readers::new(classes, rules.quantities.len(), code.values.len());
        code
    }

    /// The code of one node alone, of which nothing is kept: what a scenario asks when the ruleset is long compiled.
    pub fn of_one(rules: &Ruleset, node: NodeId) -> (Code, ExprId) {
        let mut builder = build::Builder::new(rules);
        let id = builder.root(node);
        let mut code = Code { exprs: builder.exprs, ..Code::default() };
        code.cached = vec![None; code.exprs.count()];
        code.finish();
        (code, id)
    }

    /// All expressions are there, and what is cached of them is known.
    fn finish(&mut self) {
        self.steps = self.exprs.all().map(|(id, _)| self.root_of(id)).collect();
        self.units = vec![OnceLock::new(); self.exprs.count()];
    }

    /// Keeps a value, if there is room.
    fn keep(&mut self, id: ExprId, len: u8, body: Body) -> Option<ValueId> {
        if let Some(known) = self.cached[id.0 as usize] {
            return Some(known);
        }
        if self.values.len() >= MAX_VALUES || self.slots + usize::from(len) > MAX_VALUES {
            return None;
        }
        let (value, slot) = (u16::try_from(self.values.len()).ok()?, u16::try_from(self.slots).ok()?);
        self.values.push(Value { body, slot, len });
        self.slots += usize::from(len);
        self.cached[id.0 as usize] = Some(ValueId(value));
        Some(ValueId(value))
    }

    /// Expressions of the seat alone that go through cards, seats or tokens: others are worked out anew as quickly as they are kept.
    fn worth_keeping(&self, rules: &Ruleset, roots: &[ExprId]) -> Vec<ExprId> {
        let mut named = vec![0_u32; self.exprs.count()];
        for (_, expr) in self.exprs.all() {
            expr.parts().for_each(|part| named[part.0 as usize] += 1);
        }
        let mut is_part = vec![false; roots.len()];
        rules.nodes.iter().for_each(|node| node.parts().into_iter().for_each(|(part, _)| is_part[part as usize] = true));
        for (&id, _) in roots.iter().zip(is_part).filter(|(_, is_part)| !is_part) {
            named[id.0 as usize] += 1;
        }
        let worth_it = |(id, expr): &(ExprId, &Expr)| expr.is_long() && self.exprs.facts(*id).closed() && named[id.0 as usize] > 0;
        self.exprs.all().filter(worth_it).map(|(id, _)| id).collect()
    }

    /// What a node comes to; `None` for one that was added later.
    #[inline(always)]
    pub fn root(&self, node: NodeId) -> Option<&Root> {
        self.roots.get(node as usize)
    }

    /// What an expression comes to.
    #[inline(always)]
    pub fn step(&self, id: ExprId) -> &Root {
        &self.steps[id.0 as usize]
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
    pub fn describe(&self, value: ValueId) -> String {
        match self.value(value).body {
            Body::Expr(expr) => format!("{:?}", self.exprs[expr]),
            Body::Checks => "state-based checks".to_string(),
        }
    }

    /// A number of a column.
    #[inline(always)]
    pub fn column(&self, column: ColumnId, card: i64) -> i64 {
        self.exprs.columns.get(column, card)
    }

    /// The code of an expression.
    #[inline(always)]
    pub fn unit(&self, id: ExprId) -> &Unit {
        self.units[id.0 as usize].get_or_init(|| emit::emit(self, id))
    }
}
