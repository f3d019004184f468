//! Emits operations on numbers: what may grow too large is checked, and traps.

use crate::compare::Compare;
use crate::emitter::{Emitter, Task};
use crate::function::{Function, I};
use houserule_ruleset::graph::{ExprId, NumberOp};

impl Emitter<'_> {
    /// Leaves the result of a binary operation on the stack.
    pub fn binary(&mut self, f: &mut Function, operator: NumberOp, a: ExprId, b: ExprId) {
        let (_, may_overflow) = self.ranges.binary(operator, a, b);
        if matches!(operator, NumberOp::Add | NumberOp::Sub | NumberOp::Mul | NumberOp::Is(_)) {
            self.value(f, a);
            self.value(f, b);
        }
        match operator {
            NumberOp::Add => sum(f, may_overflow),
            NumberOp::Sub if may_overflow => checked_sum(f, true),
            NumberOp::Sub => _ = f.put(I::I64Sub),
            NumberOp::Mul => self.product(f, may_overflow),
            NumberOp::Min | NumberOp::Max => {
                let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
                extreme(f, x, y, operator == NumberOp::Max);
            }
            NumberOp::Div => self.quotient(f, a, b),
            NumberOp::Remainder => self.remainder(f, a, b),
            NumberOp::Within => {
                let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
                // Neither below 0 nor beyond the end.
                f.get(x).i64(0).put(I::I64LtS);
                f.get(x).get(y).put(I::I64GeS).put(I::I32Or).trap_if();
                f.get(x);
            }
            NumberOp::Is(operator) => _ = f.put(comparison(operator)).widen(),
        }
    }

    /// Evaluates an expression into a local.
    pub fn value_in_local(&mut self, f: &mut Function, id: ExprId) -> u32 {
        self.value(f, id);
        let local = f.long();
        f.set(local);
        local
    }

    /// Multiplies the two numbers on the stack.
    pub fn product(&mut self, f: &mut Function, may_overflow: bool) {
        if !may_overflow {
            f.put(I::I64Mul);
            return;
        }
        let (a, b) = (f.long(), f.long());
        let product = self.function(Task::Product);
        f.set(b);
        f.set(a);
        // Two numbers of 32 bits, as nearly always.
        for local in [a, b] {
            f.get(local).i64(1 << 31).put(I::I64Add);
        }
        f.put(I::I64Or).i64(32).put(I::I64ShrU).put(I::I64Eqz).begin_if_long();
        f.get(a).get(b).put(I::I64Mul).or_else();
        f.get(a).get(b).call(product).end();
    }

    /// The quotient, rounded down. A division by 0 traps by itself.
    fn quotient(&mut self, f: &mut Function, a: ExprId, b: ExprId) {
        let x = self.value_in_local(f, a);
        if let Some(divisor) = self.rules.graph.constant(b).filter(|divisor| *divisor > 0) {
            if divisor & (divisor - 1) == 0 {
                f.get(x).i64(i64::from(divisor.trailing_zeros())).put(I::I64ShrS);
                return;
            }
            let quotient = f.long();
            f.get(x).i64(divisor).put(I::I64DivS).tee(quotient);
            // One less if there is a remainder below 0.
            f.get(x).get(quotient).i64(divisor).put(I::I64Mul).put(I::I64Sub);
            f.i64(63).put(I::I64ShrS).put(I::I64Add);
            return;
        }
        let y = self.value_in_local(f, b);
        let (quotient, left) = (f.long(), f.long());
        f.get(x).get(y).put(I::I64DivS).tee(quotient);
        f.get(x).get(quotient).get(y).put(I::I64Mul).put(I::I64Sub).set(left);
        is_against(f, left, y);
        f.widen().put(I::I64Sub);
    }

    /// The remainder of that division, which has the sign of the divisor.
    fn remainder(&mut self, f: &mut Function, a: ExprId, b: ExprId) {
        let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
        let left = f.long();
        // Traps by itself where there is no quotient.
        f.get(x).get(y).put(I::I64DivS).put(I::Drop);
        f.get(x).get(y).put(I::I64RemS).set(left);
        f.get(left).get(y).put(I::I64Add).get(left);
        is_against(f, left, y);
        f.put(I::Select);
    }
}

/// Leaves on the stack whether a remainder is not 0 and has another sign than the divisor.
fn is_against(f: &mut Function, left: u32, divisor: u32) {
    f.get(left).get(divisor).put(I::I64Xor).i64(0).put(I::I64LtS);
    f.get(left).i64(0).put(I::I64Ne).put(I::I32And);
}

/// Leaves the larger or smaller of two locals on the stack.
pub(crate) fn extreme(f: &mut Function, a: u32, b: u32, larger: bool) {
    f.get(a).get(b).get(a).get(b).put(if larger { I::I64GtS } else { I::I64LtS }).put(I::Select);
}

/// Raises a local to a limit.
pub(crate) fn at_least(f: &mut Function, local: u32, limit: i64) {
    bound(f, local, limit, true);
}

/// Lowers a local to a limit.
pub(crate) fn at_most(f: &mut Function, local: u32, limit: i64) {
    bound(f, local, limit, false);
}

fn bound(f: &mut Function, local: u32, limit: i64, larger: bool) {
    f.get(local).i64(limit).get(local).i64(limit).put(if larger { I::I64GtS } else { I::I64LtS }).put(I::Select).set(local);
}

/// Adds the two numbers on the stack; traps, if that is checked, where the sum does not fit into 64 bits.
pub(crate) fn sum(f: &mut Function, is_checked: bool) {
    if is_checked { checked_sum(f, false) } else { _ = f.put(I::I64Add) }
}

/// Adds the two numbers on the stack, or subtracts the second; traps if the result does not fit into 64 bits.
pub(crate) fn checked_sum(f: &mut Function, is_difference: bool) {
    let (a, b, sum) = (f.long(), f.long(), f.long());
    f.set(b);
    f.tee(a).get(b).put(if is_difference { I::I64Sub } else { I::I64Add }).set(sum);
    // A sum has another sign than both of its terms only if it was too large; a difference than the first, if both terms differ.
    f.get(a).get(if is_difference { b } else { sum }).put(I::I64Xor);
    f.get(if is_difference { a } else { b }).get(sum).put(I::I64Xor);
    f.put(I::I64And).i64(0).put(I::I64LtS).trap_if();
    f.get(sum);
}

/// The comparison of two numbers of 64 bits.
pub(crate) fn comparison(operator: Compare) -> I<'static> {
    match operator {
        Compare::Equal => I::I64Eq,
        Compare::Unequal => I::I64Ne,
        Compare::Less => I::I64LtS,
        Compare::AtMost => I::I64LeS,
        Compare::More => I::I64GtS,
        Compare::AtLeast => I::I64GeS,
    }
}

/// The function that multiplies two numbers, and traps if the product does not fit into 64 bits.
pub(crate) fn product_function() -> Function {
    let mut f = Function::helper(2);
    let product = f.long();
    f.get(0).get(1).put(I::I64Mul).set(product);
    f.get(0).put(I::I64Eqz).begin_if();
    f.i64(0).put(I::Return);
    f.end();
    // The division traps where -1 is multiplied by the smallest number.
    f.get(product).get(0).put(I::I64DivS).get(1).put(I::I64Ne).trap_if();
    f.get(product);
    f
}
