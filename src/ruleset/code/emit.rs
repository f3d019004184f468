//! Emits the code of an expression: common subexpressions are evaluated once, loop-invariant ones before the loop, and conditions become
//! jumps.

use super::{Body, Code, Expr, ExprId, Fold, Graph, NONE, Nested, NumberOp, Op, REGISTERS, Read, Reg, Terms, Unit, ValueId};
use crate::boards::SET_WORDS;
use crate::cast;
use crate::graph::Facts;

/// How many registers must stay free for further evaluation; results are kept for reuse only while more than these are free.
const SPARE: u32 = 24;

/// Finds the expressions that occur more than once in the code of `id` and are not cached; returns for each expression whether it does.
fn find_reused(code: &Code, graph: &Graph, id: ExprId) -> Vec<bool> {
    let (mut named, mut reused) = (vec![false; graph.count()], vec![false; graph.count()]);
    let mut below: Vec<ExprId> = evaluated_parts(graph, id).collect();
    while let Some(part) = below.pop() {
        if std::mem::replace(&mut named[part.index()], true) {
            reused[part.index()] = true;
        } else if code.cached[part.index()].is_none() {
            below.extend(evaluated_parts(graph, part));
        }
    }
    reused
}

/// Returns the expressions whose code is evaluated as part of an expression: its operands, except for the value that a rank compares and
/// what is asked about the spaces of ways, which have code of their own.
fn evaluated_parts(graph: &Graph, id: ExprId) -> impl Iterator<Item = ExprId> {
    let compared = if let Expr::Rank { by, .. } = graph[id] { Some(by) } else { None };
    let (over, joined) = graph[id].ways().map_or((None, None), |(ways, _)| (ways.over, ways.joined));
    let elsewhere = [compared, over, joined];
    graph[id].operands().filter(move |&part| !elsewhere.contains(&Some(part)))
}

/// Returns the register in which separate code expects an outer loop variable.
pub fn outer_var_register(var: u8) -> Reg {
    var + 1
}

/// Returns the indices of the set bits, ascending.
pub fn set_bits(set: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |bit| set >> bit & 1 == 1)
}

/// A result in a register, available for reuse.
struct Available {
    expr: ExprId,
    reg: Reg,
    /// The number of the block that last changed the current seat when the result was computed.
    seat: u32,
    /// The number of enclosing loops when the result was computed. Inner loops may bind variables with the same numbers again.
    loops: usize,
}

struct Emitter<'c> {
    code: &'c Code,
    graph: &'c Graph,
    ops: Vec<Op>,
    constants: Vec<i64>,
    reads: Vec<Read>,
    nested_ops: Vec<Nested>,
    terms: Vec<Terms>,
    /// For each expression, whether it occurs more than once.
    reused: Vec<bool>,
    /// The registers in use, as a bit set.
    used: u64,
    known: Vec<Available>,
    /// The loop variables and their registers.
    vars: Vec<(u8, Reg)>,
    /// The number of the innermost block that changes the current seat.
    seat: u32,
    seats: u32,
    /// How many sets of spaces have registers.
    space_sets: usize,
    too_deep: bool,
}

/// Something that can be appended to the code as an operation.
trait AppendAsOp {
    /// Returns the operation to append.
    fn into_op(self, emitter: &mut Emitter<'_>) -> Op;
}

impl AppendAsOp for Op {
    fn into_op(self, _: &mut Emitter<'_>) -> Op {
        self
    }
}

impl AppendAsOp for Read {
    fn into_op(self, emitter: &mut Emitter<'_>) -> Op {
        emitter.reads.push(self);
        Op::Read { index: cast::fit::<u16>(emitter.reads.len()) - 1 }
    }
}

impl AppendAsOp for Nested {
    fn into_op(self, emitter: &mut Emitter<'_>) -> Op {
        emitter.nested_ops.push(self);
        Op::Nested { index: cast::fit::<u16>(emitter.nested_ops.len()) - 1 }
    }
}

/// Emits the code of an expression. Cached values are read, except for this expression itself.
pub fn emit(code: &Code, graph: &Graph, id: ExprId) -> Unit {
    let (ops, constants, reads, nested_ops, terms, known) = Default::default();
    let reused = find_reused(code, graph, id);
    // Outer loop variables are passed in registers; only ranks have separate code inside a loop.
    let vars: Vec<(u8, Reg)> = set_bits(graph.facts(id).vars).map(|var| (var, outer_var_register(var))).collect();
    let used = vars.iter().fold(1, |used, var| used | 1 << var.1);
    let (seat, seats, space_sets, too_deep) = (0, 0, 0, false);
    let mut emitter =
        Emitter { code, graph, ops, constants, reads, nested_ops, terms, reused, used, known, vars, seat, seats, space_sets, too_deep };
    if let Expr::Rows { cards, var, filter, field, len, factor } = graph[id] {
        emitter.emit_rows(cards, var, filter, (field, len), factor);
    } else {
        emitter.eval_uncached(id, 0);
    }
    if emitter.ops.len() > u16::MAX as usize {
        emitter.too_deep = true;
    }
    Unit {
        ops: emitter.ops.into(),
        constants: emitter.constants.into(),
        reads: emitter.reads.into(),
        nested_ops: emitter.nested_ops.into(),
        terms: emitter.terms.into(),
        too_deep: emitter.too_deep,
    }
}

impl Emitter<'_> {
    fn facts(&self, id: ExprId) -> &Facts {
        self.graph.facts(id)
    }

    /// Allocates a free register.
    fn allocate(&mut self) -> Reg {
        let reg = (!self.used).trailing_zeros();
        if reg as usize >= REGISTERS {
            self.too_deep = true;
            return 1;
        }
        self.used |= 1 << reg;
        cast::fit::<Reg>(reg)
    }

    /// Allocates `count` consecutive registers.
    fn allocate_row(&mut self, count: u8) -> Reg {
        let mask = (1_u64 << count) - 1;
        let first = (0..=cast::fit::<u32>(REGISTERS) - count as u32).find(|&first| self.used & mask << first == 0);
        let Some(first) = first else {
            self.too_deep = true;
            return 1;
        };
        self.used |= mask << first;
        cast::fit::<Reg>(first)
    }

    /// Frees a register after its result was read, unless the result is kept for reuse.
    fn release(&mut self, reg: Reg) {
        let kept = reg == 0 || self.known.iter().any(|known| known.reg == reg) || self.vars.iter().any(|var| var.1 == reg);
        if !kept && reg != NONE {
            self.used &= !(1 << reg);
        }
    }

    fn mark(&self) -> usize {
        self.known.len()
    }

    /// Leaves conditional code: drops the results that were computed in it.
    fn drop_since(&mut self, mark: usize) {
        for known in self.known.split_off(mark) {
            self.used &= !(1 << known.reg);
        }
    }

    /// Sets the target of a jump to the next operation that is emitted.
    fn bind_jump(&mut self, op: usize) {
        self.bind_to(op, self.ops.len());
    }

    fn bind_to(&mut self, op: usize, target: usize) {
        if let Some(to) = self.ops[op].target() {
            *to = cast::fit::<u16>(target);
        }
    }

    fn bind_all(&mut self, ops: Vec<usize>) {
        ops.into_iter().for_each(|op| self.bind_jump(op));
    }

    /// Appends an operation; returns its index.
    fn push(&mut self, op: impl AppendAsOp) -> usize {
        let op = op.into_op(self);
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn long(&mut self, value: i64) -> u32 {
        self.constants.push(value);
        cast::fit::<u32>(self.constants.len()) - 1
    }

    fn const_to(&mut self, d: Reg, value: i64) {
        match i32::try_from(value) {
            Ok(value) => self.push(Op::Const { d, value }),
            Err(_) => {
                let index = self.long(value);
                self.push(Read::Long { d, index })
            }
        };
    }

    /// Emits the evaluation of an expression, or finds the register that holds it.
    fn emit_value(&mut self, id: ExprId) -> Reg {
        if let Some(reg) = self.find_register(id) {
            return reg;
        }
        let d = self.allocate();
        self.eval_into(id, d);
        let keep = !matches!(self.graph[id], Expr::Const { .. }) && cast::fit::<u32>(REGISTERS) - self.used.count_ones() > SPARE;
        if keep && self.reused[id.index()] {
            self.remember(id, d);
        }
        d
    }

    /// Emits an expression as `emit_value` does, with the result in register `d` unless it may be reused.
    fn emit_value_in(&mut self, id: ExprId, d: Reg) -> Reg {
        if self.find_register(id).is_some() || self.reused[id.index()] {
            return self.emit_value(id);
        }
        self.eval_into(id, d);
        d
    }

    /// Registers a result for reuse.
    fn remember(&mut self, expr: ExprId, reg: Reg) {
        self.known.push(Available { expr, reg, seat: self.seat, loops: self.vars.len() });
    }

    /// Returns the register that holds an expression.
    fn find_register(&self, id: ExprId) -> Option<Reg> {
        if let Expr::Var { var } = self.graph[id] {
            return self.vars.iter().rev().find(|bound| bound.0 == var).map(|bound| bound.1);
        }
        // INVARIANT: a result is reused only if the loop variables of the expression are still the same. A loop that reads nothing of the
        // enclosing loop binds the same variable, so that an equal expression has another value inside it.
        let vars = self.facts(id).vars;
        let same_vars = |known: &Available| self.vars[known.loops..].iter().all(|bound| vars >> bound.0 & 1 == 0);
        let known = self.known.iter().rev().find(|known| known.expr == id && known.seat == self.seat && same_vars(known));
        known.map(|known| known.reg)
    }

    /// Emits the evaluation of an expression into register `d`; a cached value is read.
    fn eval_into(&mut self, id: ExprId, d: Reg) {
        if let Some(reg) = self.find_register(id) {
            self.push(Op::Copy { d, a: reg });
            return;
        }
        match self.code.cached[id.index()] {
            Some(value) => self.cached(value, 0, d),
            None => self.eval_uncached(id, d),
        }
    }

    fn cached(&mut self, value: ValueId, index: i64, d: Reg) {
        let kept = self.code.cached_value(value);
        if let Body::Expr(body) = kept.body
            && let Some(number) = self.graph.constant(body)
        {
            return self.const_to(d, number);
        }
        self.push(Op::Value { d, value, slot: kept.slot + cast::fit::<u16>(index) });
    }

    /// Emits the evaluation of two expressions, the more expensive first, so that fewer registers are needed.
    fn eval_both(&mut self, a: ExprId, b: ExprId) -> (Reg, Reg) {
        if self.facts(a).weight >= self.facts(b).weight {
            let a = self.emit_value(a);
            (a, self.emit_value(b))
        } else {
            let b = self.emit_value(b);
            (self.emit_value(a), b)
        }
    }

    fn eval_uncached(&mut self, id: ExprId, d: Reg) {
        let expr = self.graph[id];
        macro_rules! of {
            ($a:ident => $op:expr) => {{
                let $a = self.emit_value($a);
                self.push($op);
                self.release($a);
            }};
            ($a:ident, $b:ident => $op:expr) => {{
                let ($a, $b) = self.eval_both($a, $b);
                self.push($op);
                self.release($a);
                self.release($b);
            }};
        }
        match expr {
            Expr::Const { value } => self.const_to(d, value),
            Expr::Local { local } => _ = self.push(Op::Local { d, local }),
            Expr::Var { var } => {
                let a = self.register_of(var);
                self.push(Op::Copy { d, a });
            }
            Expr::Me => _ = self.push(Read::Me { d }),
            Expr::Own { offset } => _ = self.push(Op::Own { d, offset }),
            Expr::OwnAt { offset, len, index } => of!(index => Op::OwnAt { d, index, offset, len }),
            Expr::Column { card, column } => of!(card => Op::Column { d, card, column }),
            Expr::FieldAt { card, field, len, index } => of!(card, index => Read::FieldAt { d, card, index, field, len }),
            Expr::Counter { card, offset } => of!(card => Op::Counter { d, card, offset }),
            Expr::PiecesIn { place, .. } => _ = self.push(Op::PiecesIn { d, place }),
            Expr::Binary { operator, a, b } => self.binary(operator, a, b, d),
            Expr::Not { a } => of!(a => Op::Not { d, a }),
            Expr::Truth { a } => of!(a => Op::Truth { d, a }),
            Expr::And { .. } | Expr::Or { .. } => {
                let no = self.emit_unless_uncached(id);
                self.push(Op::Const { d, value: 1 });
                let end = self.push(Op::Jump { to: 0 });
                self.bind_all(no);
                self.push(Op::Const { d, value: 0 });
                self.bind_jump(end);
            }
            Expr::If { condition, yes, no } => {
                let jumps = self.emit_unless(condition);
                let mark = self.mark();
                self.eval_into(yes, d);
                let end = self.push(Op::Jump { to: 0 });
                self.drop_since(mark);
                self.bind_all(jumps);
                self.eval_into(no, d);
                self.drop_since(mark);
                self.bind_jump(end);
            }
            Expr::OverCards { fold, cards, var, filter, body } => {
                if let (Fold::Sum, Some(body)) = (fold, body)
                    && let Some(terms) = self.find_terms(cards, var, filter, body, (0, 0))
                {
                    self.push(Read::SumCards { d, cards, terms });
                    return;
                }
                let any = self.begin_loop(fold, d);
                self.over_cards(cards, var, filter, body, |emitter, body| emitter.fold(fold, d, any, body));
                self.release(any);
            }
            Expr::OverSeats { fold, others, var, filter, body } => self.over_seats(fold, others, var, filter, body, d),
            Expr::CounterAt { card, offset, len, index } => of!(card, index => Read::CounterAt { d, card, index, offset, len }),
            Expr::Spaces { cards, board, var, filter } => self.spaces((cards, board), var, filter, d),
            Expr::Group { board, spaces, from } => {
                let set = self.registers_of_spaces();
                of!(spaces, from => Read::Group { set, spaces, from, board });
                self.push(Op::Const { d, value: i32::from(set) });
            }
            Expr::Reached { from, steps: with, .. } | Expr::StepsOver { from, to: with, .. } => self.ways(id, (from, with), d),
            Expr::InSpaces { board, spaces, card } => of!(spaces, card => Read::InSpaces { d, spaces, card, board }),
            Expr::LongestLine { board, spaces } => of!(spaces => Read::LongestLine { d, spaces, board }),
            Expr::LargestGroup { board, spaces } => of!(spaces => Read::LargestGroup { d, spaces, board }),
            Expr::OverNeighbours { fold, board: _, of, var, filter, body } => self.over_neighbours((fold, of), var, filter, body, d),
            Expr::Rows { .. } => self.const_to(d, 0),
            Expr::RowAt { row, index } => self.row_at(row, index, d),
            Expr::Quantity { quantity, args: [a, b] } => {
                let [a, b] = [a, b].map(|arg| arg.map_or(NONE, |arg| self.emit_value(arg)));
                self.push(Nested::Quantity { d, a, b, quantity });
                self.release(a);
                self.release(b);
            }
            Expr::Applied { quantity, value, args: [a, b] } => {
                let value = self.emit_value(value);
                let [a, b] = [a, b].map(|arg| arg.map_or(NONE, |arg| self.emit_value(arg)));
                self.push(Nested::Applied { d, value, a, b, quantity });
                [value, a, b].into_iter().for_each(|reg| self.release(reg));
            }
            Expr::Changed { quantity } => _ = self.push(Op::Changed { d, quantity }),
            Expr::Rank { rank, by, leaders } => {
                let by = self.constants_of(by);
                of!(leaders => Nested::Rank { d, a: leaders, rank, by });
            }
            Expr::Of { seat, body } => {
                let seat = self.emit_value(seat);
                let (me, mark, outer) = (self.allocate(), self.mark(), self.seat);
                self.push(Op::Const { d, value: 0 });
                let outside = self.push(Op::Enter { d: me, seat, to: 0 });
                self.seats += 1;
                self.seat = self.seats;
                self.eval_into(body, d);
                self.seat = outer;
                self.drop_since(mark);
                self.push(Op::Leave { me });
                self.bind_jump(outside);
                self.release(me);
                self.release(seat);
            }
            strict => {
                let mut parts = strict.operands().map(|part| self.emit_value(part)).collect::<Vec<_>>().into_iter();
                let [a, b] = [(); 2].map(|()| parts.next().unwrap_or(NONE));
                self.push(Read::Step { d, a, b, expr: id });
                self.release(a);
                self.release(b);
            }
        }
    }

    /// Adds an expression that has code of its own to the constants, followed by the registers of its loop variables. Returns its index.
    fn constants_of(&mut self, id: ExprId) -> u16 {
        let at = cast::fit::<u16>(self.long(i64::from(id.number())));
        for var in set_bits(self.facts(id).vars) {
            let reg = self.register_of(var);
            self.long(reg as i64);
        }
        at
    }

    /// Returns the register of a loop variable.
    fn register_of(&self, var: u8) -> Reg {
        self.vars.iter().rev().find(|bound| bound.0 == var).map_or(0, |bound| bound.1)
    }

    /// Emits the evaluation of two expressions. The more expensive one goes into register `d`, so that nesting needs no further registers.
    fn eval_both_in(&mut self, a: ExprId, b: ExprId, d: Reg) -> (Reg, Reg) {
        if self.facts(a).weight >= self.facts(b).weight {
            let a = self.emit_value_in(a, d);
            (a, self.emit_value(b))
        } else {
            let b = self.emit_value_in(b, d);
            (self.emit_value(a), b)
        }
    }

    fn small(&self, id: ExprId) -> Option<i32> {
        self.graph.constant(id).and_then(|value| i32::try_from(value).ok()).filter(|&value| value != i32::MIN)
    }

    fn binary(&mut self, operator: NumberOp, a: ExprId, b: ExprId, d: Reg) {
        if operator == NumberOp::Sub && self.emit_with_product(false, a, b, d)
            || operator == NumberOp::Add && (self.emit_with_product(true, a, b, d) || self.emit_with_product(true, b, a, d))
        {
            return;
        }
        if let (NumberOp::Sub, Some(value)) = (operator, self.small(a)) {
            let a = self.emit_value_in(b, d);
            return self.push_done(Op::FromConst { d, a, value }, d, [a]);
        }
        if let Some(value) = self.small(b) {
            let a = self.emit_value_in(a, d);
            let op = match operator {
                NumberOp::Add => Op::AddConst { d, a, value },
                NumberOp::Sub => Op::AddConst { d, a, value: -value },
                NumberOp::Mul => Op::MulConst { d, a, value },
                NumberOp::Is(operator) => Op::IsConst { operator, d, a, value },
                operator => Op::BinaryConst { operator, d, a, value },
            };
            return self.push_done(op, d, [a]);
        }
        if let (NumberOp::Add | NumberOp::Mul, Expr::Column { card, column }, None) = (operator, self.graph[b], self.find_register(b)) {
            let a = self.emit_value_in(a, d);
            let card = self.emit_value(card);
            let op = if operator == NumberOp::Add { Op::AddColumn { d, a, card, column } } else { Op::MulColumn { d, a, card, column } };
            return self.push_done(op, d, [a, card]);
        }
        let (a, b) = self.eval_both_in(a, b, d);
        let op = match operator {
            NumberOp::Add => Op::Add { d, a, b },
            NumberOp::Sub => Op::Sub { d, a, b },
            NumberOp::Mul => Op::Mul { d, a, b },
            operator => Op::Binary { operator, d, a, b },
        };
        self.push_done(op, d, [a, b]);
    }

    /// Emits a sum or difference with a product as one operation, if there is such an operation.
    fn emit_with_product(&mut self, plus: bool, a: ExprId, product: ExprId, d: Reg) -> bool {
        let Expr::Binary { operator: NumberOp::Mul, a: x, b: y } = self.graph[product] else { return false };
        if self.reused[product.index()] || self.find_register(product).is_some() {
            return false;
        }
        let first = self.facts(a).weight >= self.facts(x).weight.max(self.facts(y).weight);
        if let Some(value) = self.small(y) {
            let (a, b) = self.eval_both_in(a, x, d);
            self.push_done(Op::AddTimes { d, a, b, value: if plus { value } else { -value } }, d, [a, b]);
        } else if let (Expr::Column { card, column }, None, true, true) = (self.graph[y], self.find_register(y), plus, first) {
            let sum = self.emit_value_in(a, d);
            let a = self.emit_value(x);
            let card = self.emit_value(card);
            if sum != d {
                self.push(Op::Copy { d, a: sum });
            }
            self.push_done(Op::AddTimesColumn { d, a, card, column }, d, [sum, a, card]);
        } else if first {
            let a = self.emit_value_in(a, d);
            let (b, c) = self.eval_both(x, y);
            let op = if plus { Op::AddProduct { d, a, b, c } } else { Op::SubProduct { d, a, b, c } };
            self.push_done(op, d, [a, b, c]);
        } else {
            return false;
        }
        true
    }

    /// Appends the operation that computes a result, and frees the registers it reads.
    fn push_done<const N: usize>(&mut self, op: Op, d: Reg, read: [Reg; N]) {
        self.push(op);
        read.into_iter().filter(|&reg| reg != d).for_each(|reg| self.release(reg));
    }

    /// Emits jumps that are taken if a condition is false; returns their indices, so that their targets can be set later.
    fn emit_unless(&mut self, id: ExprId) -> Vec<usize> {
        if self.find_register(id).is_some() || self.code.cached[id.index()].is_some() {
            self.unless_value(id)
        } else {
            self.emit_unless_uncached(id)
        }
    }

    /// Does the same as `emit_unless` for a condition that is in no register yet.
    fn emit_unless_uncached(&mut self, id: ExprId) -> Vec<usize> {
        match self.graph[id] {
            Expr::And { a, b } => {
                let mut jumps = self.emit_unless(a);
                let mark = self.mark();
                jumps.extend(self.emit_unless(b));
                self.drop_since(mark);
                jumps
            }
            Expr::Or { a, b } => {
                let mut holds = self.emit_unless(a);
                let yes = self.push(Op::Jump { to: 0 });
                self.bind_all(std::mem::take(&mut holds));
                let mark = self.mark();
                let jumps = self.emit_unless(b);
                self.drop_since(mark);
                self.bind_jump(yes);
                jumps
            }
            Expr::Truth { a } => self.unless_value(a),
            Expr::Not { a } => {
                let a = self.emit_value(a);
                let jump = self.push(Op::When { a, to: 0 });
                self.release(a);
                vec![jump]
            }
            Expr::Binary { operator: NumberOp::Is(operator), a, b } => {
                let small = self.graph.constant(b).and_then(|value| i16::try_from(value).ok());
                let jump = match small {
                    Some(value) => {
                        let a = self.emit_value(a);
                        self.release(a);
                        Op::UnlessConst { operator, a, value, to: 0 }
                    }
                    None => {
                        let (a, b) = self.eval_both(a, b);
                        self.release(a);
                        self.release(b);
                        Op::UnlessIs { operator, a, b, to: 0 }
                    }
                };
                vec![self.push(jump)]
            }
            _ => self.unless_value(id),
        }
    }

    fn unless_value(&mut self, id: ExprId) -> Vec<usize> {
        let a = self.emit_value(id);
        let jump = self.push(Op::Unless { a, to: 0 });
        self.release(a);
        vec![jump]
    }
}

mod loops;
mod spaces;
#[cfg(test)]
mod tests;
