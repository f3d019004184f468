//! Script functions that are derived from the declarations of the rules, such as resources, definitions and effects.

use super::super::host::{NativeResult, ScriptContext};
use super::super::tokens::is_name;
use super::read::{card, seat};
use super::{Sort, TRUTH_RESULT, signature};
use crate::engine::eval::Env;
use crate::engine::listeners;
use crate::engine::node::{Called, Signature, Type};
use crate::engine::ruleset::Ruleset;
use crate::engine::{Machine, Stop};
use rhai::{Dynamic, Engine};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A script function derived from a declaration of the rules.
#[derive(Clone, Debug)]
pub(crate) struct RuleFunction {
    pub name: String,
    pub params: Vec<String>,
    pub of: Signature,
}

impl RuleFunction {
    /// Formats the name, parameters and result, as shown to users.
    pub fn signature(&self) -> String {
        let params: Vec<&str> = self.params.iter().map(String::as_str).collect();
        let result = match self.of.gives {
            None => "",
            Some(Type::Truth) => TRUTH_RESULT,
            Some(Type::Card | Type::Space(_)) => "card",
            Some(Type::Choice(_)) => "word",
            Some(_) => "number",
        };
        signature(&self.name, &params, result)
    }

    pub fn is_truth(&self) -> bool {
        self.of.gives == Some(Type::Truth)
    }

    /// Returns the sort of what a call gives.
    pub fn sort(&self) -> Sort {
        match self.of.gives {
            None => Sort::Nothing,
            Some(Type::Truth) if !matches!(self.of.called, Called::Quantity(_)) => Sort::Truth,
            Some(_) => Sort::Number,
        }
    }
}

/// Largest number that can be passed to an effect, which may repeat something that number of times.
const MAX_EFFECT_ARGUMENT: i32 = 10_000;

/// Returns all functions derived from the rules. Natives take precedence over functions with the same name and number of parameters, and so
/// do earlier declarations.
pub(crate) fn rule_functions(rules: &Ruleset) -> Vec<RuleFunction> {
    let mut all: Vec<RuleFunction> = Vec::new();
    let mut taken: BTreeSet<(String, usize)> = super::natives().iter().map(|n| (n.name.to_string(), n.params.len())).collect();
    for found in &rules.signatures {
        let name = found.name.replace(' ', "_");
        let alone = found.of_table.then_some(Vec::new());
        let of_player = (!matches!(found.called, Called::Table(_)))
            .then(|| std::iter::once("p".to_string()).chain(found.params.iter().map(|param| param.0.clone())).collect());
        for params in [alone, of_player].into_iter().flatten() {
            let params: Vec<String> = params;
            if is_name(&name) && taken.insert((name.clone(), params.len())) {
                all.push(RuleFunction { name: name.clone(), params, of: found.clone() });
            }
        }
    }
    all
}

/// Returns the signature and description of each function derived from the rules.
pub fn rule_natives(rules: &Ruleset) -> Vec<(String, String)> {
    let doc = |of: &Signature| if of.name.contains(' ') { format!("{} \"{}\"", of.what, of.name) } else { of.what.to_string() };
    rule_functions(rules).iter().map(|added| (added.signature(), doc(&added.of))).collect()
}

impl ScriptContext {
    /// Calls a function of the rules for a player, or for the whole game if nothing is given; truth is 1 or 0.
    pub(crate) fn call_rule(&self, machine: &mut Machine<'_>, added: &RuleFunction, args: &[i64]) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let value = |i: usize| args.get(i).copied().unwrap_or(-1);
        let given = |i: usize| added.of.params.get(i - 1).map_or(Ok(-1), |param| self.convert_argument(rules, param.1, value(i)));
        // Values of the whole game need no seat.
        let p = if args.is_empty() { self.me() } else { seat(rules, value(0))? };
        let cell = |offset: usize| rules.layout.seat(p, offset);
        let read = |cell: i32| match added.of.gives {
            Some(Type::Truth) => i64::from(cell != 0),
            // A cell has the seat or space + 1.
            Some(Type::Seat | Type::Space(_)) => i64::from(cell) - 1,
            gives => self.words.convert_result(cell.into(), gives),
        };
        Ok(match added.of.called {
            Called::Table(offset) => read(store.cell(offset as usize)),
            Called::Seat(offset) => read(store.cell(cell(offset as usize))),
            Called::Tally(offset, len) => {
                let index = self.words.check_index(value(1), given(1)?, len as usize)?;
                read(store.cell(cell(offset as usize + index)))
            }
            Called::Set(offset) => {
                let index = self.words.check_index(value(1), given(1)?, 31)?;
                read(store.cell(cell(offset as usize)) >> index & 1)
            }
            Called::Quantity(quantity) => store.quantity(quantity, p, [given(1)?, given(2)?]),
            Called::Expression(node) => {
                let mut env = Env::for_seat(p);
                for (i, local) in env.locals.iter_mut().enumerate().take(args.len()).skip(1) {
                    *local = given(i)?;
                }
                let value = store.eval(node, &mut env);
                if added.is_truth() { i64::from(value != 0) } else { self.words.convert_result(value, added.of.gives) }
            }
            Called::Effect(effect) => {
                let mut handed = [-1; 4];
                for (i, arg) in handed.iter_mut().enumerate().take(args.len().saturating_sub(1)) {
                    *arg = given(i + 1)?;
                    if *arg > MAX_EFFECT_ARGUMENT {
                        return Err(Stop::fault(format!("{arg} is too much for an effect; at most {MAX_EFFECT_ARGUMENT} is handed over")));
                    }
                }
                listeners::effect_later(store, effect, p, handed);
                0
            }
        })
    }

    /// Calls a function of the rules with values of rhai.
    fn call_with_values(&self, added: &RuleFunction, args: &[&mut Dynamic]) -> NativeResult<Dynamic> {
        self.with_game(|machine| {
            let number = |arg: &&mut Dynamic| arg.as_int().or_else(|_| arg.as_bool().map(i64::from));
            let args: Result<Vec<i64>, _> = args.iter().map(number).collect();
            let args = args.map_err(|_| Stop::fault("only numbers, words, cards and players can be handed over"))?;
            Ok(added.sort().dynamic(self.call_rule(machine, added, &args)?))
        })
    }

    /// Converts an argument to the representation of the rules: words to the index of their meaning, while cards and players are checked.
    fn convert_argument(&self, rules: &Ruleset, ty: Type, value: i64) -> Result<i32, Stop> {
        if ty.is_piece() {
            card(rules, value)?;
        } else if ty == Type::Seat {
            seat(rules, value)?;
        }
        self.words.convert_argument(value, ty)
    }
}

pub(super) fn register(engine: &mut Engine, context: &Rc<ScriptContext>) {
    for added in rule_functions(&context.rules) {
        let mut types = vec![TypeId::of::<i64>(); added.params.len()];
        if matches!(added.of.called, Called::Effect(_)) {
            // Arguments of effects may be truth values.
            types.iter_mut().skip(1).for_each(|t| *t = TypeId::of::<Dynamic>());
        }
        let context = Rc::clone(context);
        engine.register_raw_fn(added.name.clone(), types, move |_, args| context.call_with_values(&added, args));
    }
}
