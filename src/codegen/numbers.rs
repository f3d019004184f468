//! Emits operations on numbers: what may grow too large is checked, and traps.

use crate::compare::Compare;
use crate::emitter::{Emitter, Task};
use crate::function::{Function, I};
use houserule_ruleset::graph::{ExprId, NumberOp};

impl Emitter<'_> {
    /// Leaves the result of a binary operation on the stack.
    pub fn binary(&mut self, f: &mut Function, operator: NumberOp, a: ExprId, b: ExprId) {
        let (_, may_overflow) = self.ranges.binary(operator, a, b);
        match operator {
            NumberOp::Add | NumberOp::Sub => {
                self.value(f, a);
                self.value(f, b);
                if may_overflow {
                    checked_sum(f, operator == NumberOp::Sub)
                } else {
                    f.put(if operator == NumberOp::Add { I::I64Add } else { I::I64Sub })
                }
            }
            NumberOp::Mul => {
                self.value(f, a);
                self.value(f, b);
                self.product(f, may_overflow);
            }
            NumberOp::Min | NumberOp::Max => {
                let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
                extreme(f, x, y, operator == NumberOp::Max);
            }
            NumberOp::Div => self.quotient(f, a, b),
            NumberOp::Remainder => self.remainder(f, a, b),
            NumberOp::Within => {
                let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
                // Neither below 0 nor beyond the end.
                f.get(x);
                f.i64(0);
                f.put(I::I64LtS);
                f.get(x);
                f.get(y);
                f.put(I::I64GeS);
                f.put(I::I32Or);
                f.trap_if();
                f.get(x);
            }
            NumberOp::Is(operator) => {
                self.value(f, a);
                self.value(f, b);
                f.put(comparison(operator));
                f.widen();
            }
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
            return f.put(I::I64Mul);
        }
        let (a, b) = (f.long(), f.long());
        let product = self.function(Task::Product);
        f.set(b);
        f.set(a);
        // Two numbers of 32 bits, as nearly always.
        for local in [a, b] {
            f.get(local);
            f.i64(1 << 31);
            f.put(I::I64Add);
        }
        f.put(I::I64Or);
        f.i64(32);
        f.put(I::I64ShrU);
        f.put(I::I64Eqz);
        f.begin_if_long();
        f.get(a);
        f.get(b);
        f.put(I::I64Mul);
        f.or_else();
        f.get(a);
        f.get(b);
        f.call(product);
        f.end();
    }

    /// The quotient, rounded down. A division by 0 traps by itself.
    fn quotient(&mut self, f: &mut Function, a: ExprId, b: ExprId) {
        let x = self.value_in_local(f, a);
        if let Some(divisor) = self.rules.graph.constant(b).filter(|divisor| *divisor > 0) {
            if divisor & (divisor - 1) == 0 {
                f.get(x);
                f.i64(i64::from(divisor.trailing_zeros()));
                return f.put(I::I64ShrS);
            }
            let quotient = f.long();
            f.get(x);
            f.i64(divisor);
            f.put(I::I64DivS);
            f.tee(quotient);
            // One less if there is a remainder below 0.
            f.get(x);
            f.get(quotient);
            f.i64(divisor);
            f.put(I::I64Mul);
            f.put(I::I64Sub);
            f.i64(63);
            f.put(I::I64ShrS);
            return f.put(I::I64Add);
        }
        let y = self.value_in_local(f, b);
        let (quotient, left) = (f.long(), f.long());
        f.get(x);
        f.get(y);
        f.put(I::I64DivS);
        f.tee(quotient);
        f.get(x);
        f.get(quotient);
        f.get(y);
        f.put(I::I64Mul);
        f.put(I::I64Sub);
        f.set(left);
        is_against(f, left, y);
        f.widen();
        f.put(I::I64Sub);
    }

    /// The remainder of that division, which has the sign of the divisor.
    fn remainder(&mut self, f: &mut Function, a: ExprId, b: ExprId) {
        let (x, y) = (self.value_in_local(f, a), self.value_in_local(f, b));
        let left = f.long();
        // Traps by itself where there is no quotient.
        f.get(x);
        f.get(y);
        f.put(I::I64DivS);
        f.put(I::Drop);
        f.get(x);
        f.get(y);
        f.put(I::I64RemS);
        f.set(left);
        f.get(left);
        f.get(y);
        f.put(I::I64Add);
        f.get(left);
        is_against(f, left, y);
        f.put(I::Select);
    }
}

/// Leaves on the stack whether a remainder is not 0 and has another sign than the divisor.
fn is_against(f: &mut Function, left: u32, divisor: u32) {
    f.get(left);
    f.get(divisor);
    f.put(I::I64Xor);
    f.i64(0);
    f.put(I::I64LtS);
    f.get(left);
    f.i64(0);
    f.put(I::I64Ne);
    f.put(I::I32And);
}

/// Leaves the larger or smaller of two locals on the stack.
pub(crate) fn extreme(f: &mut Function, a: u32, b: u32, larger: bool) {
    f.get(a);
    f.get(b);
    f.get(a);
    f.get(b);
    f.put(if larger { I::I64GtS } else { I::I64LtS });
    f.put(I::Select);
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
    f.get(local);
    f.i64(limit);
    f.get(local);
    f.i64(limit);
    f.put(if larger { I::I64GtS } else { I::I64LtS });
    f.put(I::Select);
    f.set(local);
}

/// Adds the two numbers on the stack, or subtracts the second; traps if the result does not fit into 64 bits.
pub(crate) fn checked_sum(f: &mut Function, is_difference: bool) {
    let (a, b, sum) = (f.long(), f.long(), f.long());
    f.set(b);
    f.tee(a);
    f.get(b);
    f.put(if is_difference { I::I64Sub } else { I::I64Add });
    f.set(sum);
    // A sum has another sign than both of its terms only if it was too large; a difference than the first, if both terms differ.
    f.get(a);
    f.get(if is_difference { b } else { sum });
    f.put(I::I64Xor);
    f.get(if is_difference { a } else { b });
    f.get(sum);
    f.put(I::I64Xor);
    f.put(I::I64And);
    f.i64(0);
    f.put(I::I64LtS);
    f.trap_if();
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
    f.get(0);
    f.get(1);
    f.put(I::I64Mul);
    f.set(product);
    f.get(0);
    f.put(I::I64Eqz);
    f.begin_if();
    f.i64(0);
    f.put(I::Return);
    f.end();
    // The division traps where -1 is multiplied by the smallest number.
    f.get(product);
    f.get(0);
    f.put(I::I64DivS);
    f.get(1);
    f.put(I::I64Ne);
    f.trap_if();
    f.get(product);
    f
}
