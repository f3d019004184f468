//! Emits quantities, and the changes that cards in play make to them.

use crate::cast;
use crate::emitter::{Emitter, Task};
use crate::function::{Argument, Function, I};
use crate::memory::RECORD_SIZE;
use crate::numbers::{checked_sum, extreme};
use houserule_ruleset::code::QuantityCode;
use houserule_ruleset::definition::ChangeOp;
use houserule_ruleset::graph::ExprId;
use houserule_state::layout::TABLE;

/// The numbers by which records say whom a change concerns.
pub mod concerned {
    /// All seats.
    pub const ALL: i32 = 0;
    /// The owner of the card; any seat, if the card belongs to none.
    pub const OWNER: i32 = 1;
    /// All but the owner.
    pub const OTHERS: i32 = 2;
}

impl Emitter<'_> {
    /// Leaves a quantity on the stack.
    pub fn quantity(&mut self, f: &mut Function, quantity: u16, args: [Option<ExprId>; 2]) {
        if let QuantityCode::Value(value) = self.rules.code.quantity_code(quantity) {
            // The arguments have been left out: there are none.
            return self.call_value(f, value);
        }
        let function = self.function(Task::Quantity(quantity));
        let args = args.map(|arg| self.argument(f, arg));
        f.slot().me();
        args.into_iter().for_each(|arg| _ = f.get(arg));
        f.call(function);
    }

    /// Evaluates an argument of a quantity into a local; it must fit into a local of the environment.
    fn argument(&mut self, f: &mut Function, arg: Option<ExprId>) -> u32 {
        let Some(arg) = arg else {
            let local = f.long();
            f.i64(-1).set(local);
            return local;
        };
        let local = self.value_in_local(f, arg);
        if !self.ranges.of(arg).fits_a_cell() {
            f.get(local).narrow().put(I::I64ExtendI32S).get(local).put(I::I64Ne).trap_if();
        }
        local
    }

    /// The function of a quantity with arguments.
    pub fn quantity_function(&mut self, quantity: u16) -> Function {
        let QuantityCode::Run(body) = self.rules.code.quantity_code(quantity) else { return self.unsupported_function(4) };
        let mut f = self.begin(4, &[body]);
        f.set_locals(1, &[Argument::Given(2), Argument::Given(3)]);
        self.value(&mut f, body);
        f
    }

    /// Leaves a number on the stack after the changes of a quantity by cards in play.
    pub fn applied(&mut self, f: &mut Function, quantity: u16, value: ExprId, args: [Option<ExprId>; 2]) {
        let changes = self.function(Task::Changes);
        let value = self.value_in_local(f, value);
        let args = args.map(|arg| self.argument(f, arg));
        f.slot().me().slot().address(self.memory.changes + u32::from(quantity) * 8).put(I::I32Add);
        args.into_iter().for_each(|arg| _ = f.get(arg));
        f.get(value).call(changes);
        // What cards do is called by index.
        for (definition, of) in self.rules.definitions.iter().enumerate() {
            for (change, _) in of.changes.iter().enumerate().filter(|(_, change)| change.quantity == quantity) {
                let function = self.function(Task::Change(cast::fit::<u32>(definition), cast::fit::<u16>(change)));
                f.calls.push(function);
            }
        }
    }

    /// Emits the functions of all changes; returns their indices.
    pub fn emit_changes(&mut self) -> Vec<Vec<u32>> {
        let rules = self.rules;
        let of_definition = |(definition, of): (u32, &houserule_ruleset::definition::Definition)| {
            (0..cast::fit::<u16>(of.changes.len())).map(|change| self.function(Task::Change(definition, change))).collect()
        };
        (0..).zip(&rules.definitions).map(of_definition).collect()
    }

    /// The function that makes all changes of a quantity: slot, seat, the address of the number of changes and of the first, two arguments and
    /// the number to change.
    pub fn changes_function(&mut self) -> Function {
        let mut f = Function::helper(6);
        let [slot, me, head, a, b, value] = [0, 1, 2, 3, 4, 5];
        let (left, record, owner) = (f.int(), f.int(), f.int());
        f.get(head).load(0).tee(left).begin_if();
        f.get(head).load(4).get(slot).put(I::I32Add).set(record);
        f.begin_loop();
        f.begin_block();
        f.get(record).load(4).set(owner);
        // Whether it does not concern the seat.
        f.get(record).load(12).i32(concerned::OWNER).put(I::I32Eq);
        f.get(owner).get(me).put(I::I32Ne).put(I::I32And);
        f.get(owner).i32(TABLE.into()).put(I::I32Ne).put(I::I32And).again_if();
        f.get(record).load(12).i32(concerned::OTHERS).put(I::I32Eq);
        f.get(owner).get(me).put(I::I32Eq).put(I::I32And).again_if();
        // The change is evaluated for the owner of its card.
        f.get(slot).get(me).get(owner).get(owner).i32(TABLE.into()).put(I::I32Eq).put(I::Select);
        f.get(record).load(0).get(a).get(b).get(value).get(record).load(8);
        f.put(I::CallIndirect { type_index: crate::emitter::Kind::Change as u32, table_index: 0 }).set(value);
        f.end();
        f.advance(record, RECORD_SIZE);
        f.again_while(left);
        f.end();
        f.end();
        f.get(value);
        f
    }

    /// The function of one change: slot, seat, the card counted from 1, two arguments, and the number to change.
    pub fn change_function(&mut self, definition: u32, change: u16) -> Function {
        let change = &self.rules.definitions[definition as usize].changes[usize::from(change)];
        let mut f = self.begin(6, &change.when.into_iter().chain([change.amount]).collect::<Vec<_>>());
        let (card, value) = (f.long(), 5);
        f.get(2).put(I::I64ExtendI32S).i64(1).put(I::I64Sub).set(card);
        f.set_locals(0, &[Argument::Given(card), Argument::Given(3), Argument::Given(4)]);
        if let Some(when) = change.when {
            self.condition(&mut f, when);
            f.put(I::I32Eqz).begin_if();
            f.get(value).put(I::Return);
            f.end();
        }
        let amount = self.value_in_local(&mut f, change.amount);
        match change.operator {
            ChangeOp::To => _ = f.get(amount),
            ChangeOp::By => {
                f.get(value).get(amount);
                checked_sum(&mut f, false);
            }
            ChangeOp::AtLeast => extreme(&mut f, value, amount, true),
            ChangeOp::AtMost => extreme(&mut f, value, amount, false),
        }
        f
    }
}
