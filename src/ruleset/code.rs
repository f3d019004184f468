//! What is kept of expressions: which values are cached, and which expressions are short enough to be read in one step.

#[allow(clippy::wildcard_enum_match_arm, reason = "what is not read in one step is walked, or has generated code")]
mod leaf;

use crate::cast;
pub use crate::graph::{Cards, CardsId, ColumnId, Columns, Expr, ExprId, Fold, Graph, NumberOp};
pub use leaf::{CompiledExpr, Leaf, MAX_STACK, Step, Test};

use super::dependencies::Dependencies;
use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest printed row whose numbers are summed in one pass.
pub const MAX_ROW_LENGTH: usize = 12;

/// The most cached values of a seat, and the most numbers in them together; expressions beyond the limit are evaluated each time.
const MAX_CACHED_VALUES: usize = u16::MAX as usize;

/// The index of a cached value: its result is stored for each seat, and evaluated again only when something it read has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u16);

/// A value that is kept in the cache of each seat.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The expression, which has several numbers if it computes a sum for each number of a printed row. `None` stands for the state-based
    /// checks, and is valid as long as nothing that they read has changed.
    pub body: Option<ExprId>,
    /// The index of its first number among the cached numbers of a seat.
    pub slot: u16,
    /// How many numbers the value consists of.
    pub len: u8,
}

/// How a quantity is evaluated.
#[derive(Clone, Copy, Debug)]
pub enum QuantityCode {
    /// The quantity is a cached value.
    Value(ValueId),
    /// The quantity is not cached: its expression is evaluated with the arguments.
    Run(ExprId),
}

/// A place for what an engine makes of the code, shared by all who run it.
#[derive(Default)]
pub struct BackEndSlot(pub OnceLock<Box<dyn Any + Send + Sync>>);

impl std::fmt::Debug for BackEndSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BackEndSlot").field(&self.0.get().is_some()).finish()
    }
}

/// Where the value of an expression is kept once it has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Nowhere: it is as quickly found anew.
    Nowhere,
    /// Among the notes of an evaluation, until that ends.
    Noted,
    /// In the cache, until a cell is written on which it depends.
    Cached(ValueId),
}

/// The weight of an expression from which on its value is noted.
const NOTED_WEIGHT: u32 = 64;

/// The number of the code that is made next.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What is kept of the expressions that exist when a ruleset is compiled.
#[derive(Debug, Default)]
pub struct Code {
    /// A number that no other code of this process has, from 1 on: whoever keeps something of rules can tell by it whether they are the same.
    pub number: u64,
    /// The compiled form of each expression.
    compiled: Vec<CompiledExpr>,
    /// For each expression where its value is kept.
    kept: Vec<Keeping>,
    values: Vec<Value>,
    /// How each quantity is evaluated, by the quantity's index.
    quantities: Vec<QuantityCode>,
    /// The number of numbers in the cache of one seat.
    pub slots: usize,
    /// What the engine keeps with it.
    pub back_end: BackEndSlot,
    /// What cached values depend on; found when all code exists.
    pub dependencies: Dependencies,
}

impl Code {
    /// Compiles the expressions of a ruleset. A quantity is given by the expression that names it, its body, and its number of arguments.
    pub fn new(graph: &Graph, quantities: &[(ExprId, ExprId, u8)]) -> Code {
        let by_weight = |(id, _)| if graph.facts(id).weight < NOTED_WEIGHT { Keeping::Nowhere } else { Keeping::Noted };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut code = Code { number, kept: graph.all().map(by_weight).collect(), ..Code::default() };
        code.values.push(Value { body: None, slot: 0, len: 0 });
        for &(name, body, args) in quantities {
            let kept = (args == 0).then(|| code.value_of(body).or_else(|| code.keep(name, 1, body))).flatten();
            let Some(value) = kept else {
                code.quantities.push(QuantityCode::Run(body));
                continue;
            };
            code.kept[name.index()] = Keeping::Cached(value);
            if !matches!(graph[body], Expr::Quantity { .. }) {
                // The expression that names a quantity and its body share a cached value.
                code.kept[body.index()] = Keeping::Cached(value);
            }
            code.quantities.push(QuantityCode::Value(value));
        }
        // Only loops over cards, seats or tokens that depend on nothing but the seat: other expressions are as fast to evaluate as to
        // cache.
        for (id, expr) in graph.all().filter(|(id, expr)| expr.has_loop() && graph.facts(*id).closed()) {
            let len = if let Expr::Rows { len, .. } = expr { cast::fit::<u8>(*len) } else { 1 };
            code.keep(id, len, id);
        }
        code.compiled = graph.all().map(|(id, _)| code.compile(graph, id)).collect();
        code
    }

    /// Adds a cached value and returns its id; `None` if the limits of the cache are reached.
    fn keep(&mut self, id: ExprId, len: u8, body: ExprId) -> Option<ValueId> {
        if let Some(known) = self.value_of(id) {
            return Some(known);
        }
        if self.values.len() >= MAX_CACHED_VALUES || self.slots + usize::from(len) > MAX_CACHED_VALUES {
            return None;
        }
        let (value, slot) = (u16::try_from(self.values.len()).ok()?, u16::try_from(self.slots).ok()?);
        self.values.push(Value { body: Some(body), slot, len });
        self.slots += usize::from(len);
        self.kept[id.index()] = Keeping::Cached(ValueId(value));
        Some(ValueId(value))
    }

    /// Returns the compiled form of an expression; `None` if the expression was created after compilation.
    #[inline(always)]
    pub fn compiled(&self, id: ExprId) -> Option<&CompiledExpr> {
        self.compiled.get(id.index())
    }

    /// Returns the cached value of an expression, if there is one.
    #[inline]
    pub fn value_of(&self, id: ExprId) -> Option<ValueId> {
        match self.kept.get(id.index()) {
            Some(&Keeping::Cached(value)) => Some(value),
            _ => None,
        }
    }

    /// Returns where the value of an expression is kept: nowhere if the expression was created after compilation.
    #[inline]
    pub fn keeping(&self, id: ExprId) -> Keeping {
        self.kept.get(id.index()).copied().unwrap_or(Keeping::Nowhere)
    }

    /// Returns how a quantity is evaluated.
    #[inline]
    pub fn quantity_code(&self, quantity: u16) -> QuantityCode {
        self.quantities[quantity as usize]
    }

    /// Returns the expression of a quantity.
    pub fn quantity_body(&self, quantity: u16) -> Option<ExprId> {
        match self.quantity_code(quantity) {
            QuantityCode::Run(body) => Some(body),
            QuantityCode::Value(value) => self.cached_value(value).body,
        }
    }

    /// Returns a cached value.
    #[inline]
    pub fn cached_value(&self, value: ValueId) -> &Value {
        &self.values[value.0 as usize]
    }

    /// Lists all cached values, each with the index of its first number in the cache of a seat.
    pub fn cached_values(&self) -> impl Iterator<Item = (ValueId, u16)> {
        self.values.iter().enumerate().map(|(index, value)| (ValueId(cast::fit::<u16>(index)), value.len as u16))
    }

    /// Returns a description of a cached value, for test messages.
    pub fn describe(&self, graph: &Graph, value: ValueId) -> String {
        self.cached_value(value).body.map_or("state-based checks".to_string(), |expr| format!("{:?}", graph[expr]))
    }
}
