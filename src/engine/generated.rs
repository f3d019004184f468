//! Asks generated code for values, sets and lists of options.

use super::decision::Args;
use super::env::Env;
use super::evaluator::{Evaluator, Values};
use super::native::{Instance, Native};
use super::ruleset::NodeId;
use crate::cast;
use houserule_codegen::{LOCALS_AT, Listed};
use houserule_ruleset::boards::SpaceSet;
use houserule_ruleset::code::ValueId;

/// What generated code gives: `None` if there is none for what is asked, or if it went wrong.
impl Evaluator<'_> {
    /// Asks the generated code of the game: `ask` gets a slot with the cells as expressions read them now.
    #[inline]
    fn ask_native<T>(
        &mut self,
        function: impl FnOnce(&Native) -> Option<u32>,
        ask: impl FnOnce(&mut Instance, Asked<'_>) -> Option<T>,
    ) -> Option<T> {
        let (rules, state) = (self.rules, self.state);
        let Values { view, kept, active, .. } = &mut *self.values;
        kept.on_instance((rules, state), (*view, active), |instance, mut held| {
            let function = function(held.native)?;
            let slot = instance.hold(&mut held)?;
            ask(instance, Asked { native: held.native, slot, function })
        })
    }

    /// Asks for what a function writes into the memory of generated code; `read` gets the number that it returns.
    #[inline]
    fn read_native<T>(
        &mut self,
        function: impl FnOnce(&Native) -> Option<u32>,
        env: &Env,
        read: impl FnOnce(&Instance, i64) -> T,
    ) -> Option<T> {
        self.ask_native(function, |instance, asked| {
            instance.write(LOCALS_AT, &env.locals);
            let found = instance.call(asked.slot, env.me, asked.function)?;
            Some(read(instance, found))
        })
    }

    /// Evaluates an expression.
    #[inline]
    pub(super) fn native_value(&mut self, node: NodeId, env: &Env) -> Option<i64> {
        let rules = self.rules;
        self.ask_native(
            |native| native.function_of_expr(node),
            |instance, asked| {
                if rules.graph.facts(node).locals != 0 {
                    instance.write(LOCALS_AT, &env.locals);
                }
                instance.call(asked.slot, env.me, asked.function)
            },
        )
    }

    /// Evaluates a set of spaces.
    pub(super) fn native_spaces(&mut self, node: NodeId, env: &Env) -> Option<SpaceSet> {
        let rules = self.rules;
        let board = &rules.boards[usize::from(rules.graph[node].board_of_spaces()?)];
        self.read_native(|native| native.function_of_expr(node), env, |instance, _| instance.read_spaces(board))
    }

    /// Returns the number in a slot of a cached value of a seat.
    pub(super) fn native_number(&mut self, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        let rules = self.rules;
        // What is valid needs no function.
        self.ask_native(
            |_| Some(0),
            |instance, asked| {
                let layout = &asked.native.memory;
                let seat_at = asked.slot + cast::low::<u32>(cast::count(seat)) * layout.seat_size;
                let (word, bit) = (seat_at + layout.valid + u32::from(value.0) / 64 * 8, u32::from(value.0 % 64));
                let number = seat_at + layout.values + u32::from(slot) * 8;
                let (is_valid, known) = instance.read_value(word, bit, number);
                if is_valid {
                    return Some(known);
                }
                let first = instance.call(asked.slot, seat, asked.native.function_of_value(value)?)?;
                let is_first = slot == rules.code.cached_value(value).slot;
                Some(if is_first { first } else { instance.read_value(word, bit, number).1 })
            },
        )
    }

    /// Lists the cards of a set.
    pub(super) fn native_cards(&mut self, set: u32, env: &Env, cards: &mut Vec<i32>) -> Option<()> {
        self.read_native(|native| native.function_of_set(set), env, |instance, count| instance.read_cards(cast::index(count), cards))
    }

    /// Lists the options of several choices: each choice with the values of its parameters for which no condition, guard or cost objects.
    pub(super) fn native_options(&mut self, listed: Listed, env: &Env, options: &mut Vec<(u16, Args)>) -> Option<()> {
        let read = |instance: &Instance, count| instance.read_options(cast::index(count), options);
        self.read_native(|native| native.function_of_choices(listed), env, read)
    }
}

/// What generated code is asked.
struct Asked<'a> {
    native: &'a Native,
    /// The address of the slot with the cells.
    slot: u32,
    /// The index of the function.
    function: u32,
}
