//! What the rules add to what scripts can call: a function for everything that they declare, with the types that they give it.

use super::super::host::{Out, Shell};
use super::super::tokens::is_name;
use super::read::{card, seat};
use super::signature;
use crate::engine::Stop;
use crate::engine::eval::Env;
use crate::engine::listeners;
use crate::engine::node::{Called, Signature, Type};
use crate::engine::ruleset::Ruleset;
use rhai::{Dynamic, Engine};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A function that the rules add.
#[derive(Clone, Debug)]
pub(crate) struct Added {
    pub name: String,
    pub params: Vec<String>,
    pub gives: &'static str,
    doc: String,
    /// The types of what stands behind the player.
    types: Vec<Type>,
    truth: bool,
    called: Called,
}

impl Added {
    /// Name and parameters for people.
    pub fn signature(&self) -> String {
        let params: Vec<&str> = self.params.iter().map(String::as_str).collect();
        signature(&self.name, &params, self.gives)
    }
}

/// A number that an effect is given is at most this: it may repeat something so often.
const MAX_OF_AN_EFFECT: i32 = 10_000;

/// Everything that the rules add. Of two with the same name and number of parameters the first counts; natives come before all.
pub(crate) fn added(rules: &Ruleset) -> Vec<Added> {
    let mut all: Vec<Added> = Vec::new();
    let mut taken: BTreeSet<(String, usize)> = super::natives().iter().map(|n| (n.name.to_string(), n.params.len())).collect();
    for found in &rules.signatures {
        let name = found.name.replace(' ', "_");
        let alone = found.of_table.then_some(Vec::new());
        let of_player = (!matches!(found.called, Called::Table(_)))
            .then(|| std::iter::once("p".to_string()).chain(found.params.iter().map(|param| param.0.clone())).collect());
        for params in [alone, of_player].into_iter().flatten() {
            let params: Vec<String> = params;
            if is_name(&name) && taken.insert((name.clone(), params.len())) {
                all.push(added_by(found, name.clone(), params));
            }
        }
    }
    all
}

fn added_by(found: &Signature, name: String, params: Vec<String>) -> Added {
    let truth = found.gives == Some(Type::Truth);
    let gives = match found.gives {
        None => "",
        Some(Type::Truth) => "yes or no",
        Some(Type::Card) => "card",
        Some(_) => "number",
    };
    let doc = match found.name.contains(' ') {
        true => format!("{} \"{}\"", found.what, found.name),
        false => found.what.to_string(),
    };
    let types = found.params.iter().map(|param| param.1).collect();
    Added { name, params, gives, doc, types, truth, called: found.called }
}

/// The functions that the rules add: how each is written, and what it is for.
pub fn natives_of(rules: &Ruleset) -> Vec<(String, String)> {
    added(rules).into_iter().map(|added| (added.signature(), added.doc)).collect()
}

impl Shell {
    fn perform(&self, added: &Added, args: &[&mut Dynamic]) -> Out<Dynamic> {
        self.act(|machine| {
            let rules = machine.rules;
            let value = |i: usize| match args.get(i) {
                Some(arg) => arg
                    .as_int()
                    .or_else(|_| arg.as_bool().map(i64::from))
                    .map_err(|_| Stop::fault("only numbers, words, cards and players can be handed over")),
                None => Ok(-1),
            };
            let given = |i: usize| match added.types.get(i - 1) {
                Some(&ty) => self.argument(rules, ty, value(i)?),
                None => Ok(-1),
            };
            // What is the same for all needs no seat.
            let p = if args.is_empty() { self.me() } else { seat(rules, value(0)?)? };
            let cell = |offset: usize| rules.layout.seat(p, offset);
            let read = |cell: i32| if added.truth { (cell != 0).into() } else { Dynamic::from_int(cell as i64) };
            Ok(match added.called {
                Called::Table(offset) => read(machine.cell(offset as usize)),
                Called::Seat(offset) => read(machine.cell(cell(offset as usize))),
                Called::Tally(offset, len) => {
                    let index = self.words.inside(value(1)?, given(1)?, len as usize)?;
                    read(machine.cell(cell(offset as usize + index)))
                }
                Called::Set(offset) => {
                    let index = self.words.inside(value(1)?, given(1)?, 31)?;
                    read(machine.cell(cell(offset as usize)) >> index & 1)
                }
                Called::Quantity(quantity) => machine.quantity(quantity, p, [given(1)?, given(2)?]).into(),
                Called::Expression(node) => {
                    let mut env = Env::of(p);
                    for (i, local) in env.locals.iter_mut().enumerate().take(args.len()).skip(1) {
                        *local = given(i)?;
                    }
                    let value = machine.eval(node, &mut env);
                    if added.truth { (value != 0).into() } else { value.into() }
                }
                Called::Effect(effect) => {
                    let mut handed = [-1; 4];
                    for (i, arg) in handed.iter_mut().enumerate().take(args.len().saturating_sub(1)) {
                        *arg = given(i + 1)?;
                        if *arg > MAX_OF_AN_EFFECT {
                            return Err(Stop::fault(format!("{arg} is too much for an effect; at most {MAX_OF_AN_EFFECT} is handed over")));
                        }
                    }
                    listeners::effect_later(machine, effect, p, handed);
                    Dynamic::UNIT
                }
            })
        })
    }

    /// An argument as the rules know it: words by what they stand for, cards and players only if they are such.
    fn argument(&self, rules: &Ruleset, ty: Type, value: i64) -> Result<i32, Stop> {
        if ty == Type::Card {
            card(rules, value)?;
        } else if ty == Type::Seat {
            seat(rules, value)?;
        }
        self.words.argument(value, ty)
    }
}

pub(super) fn register(engine: &mut Engine, shell: &Rc<Shell>) {
    for added in added(&shell.rules) {
        let mut types = vec![TypeId::of::<i64>(); added.params.len()];
        if matches!(added.called, Called::Effect(_)) {
            // A truth can be handed over as such.
            types.iter_mut().skip(1).for_each(|t| *t = TypeId::of::<Dynamic>());
        }
        let shell = Rc::clone(shell);
        engine.register_raw_fn(added.name.clone(), types, move |_, args| shell.perform(&added, args));
    }
}
