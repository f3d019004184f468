//! What the rules add to what scripts can call: a function for everything that they declare.

use super::super::host::{Out, Shell};
use super::super::tokens::{alias, is_name};
use super::params;
use super::read::{card, seat};
use super::signature;
use crate::engine::Stop;
use crate::engine::eval::Env;
use crate::engine::ruleset::{Node, NodeId, Ruleset, Variable, VariableSort};
use rhai::{Dynamic, Engine};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a function does.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Reads a cell of a seat.
    Seat(u16, bool),
    /// Reads one of a row of cells of a seat.
    Tally(u16, u16),
    /// Reads a bit of a set of a seat.
    Set(u16),
    /// Reads a cell of the table.
    Table(u16, bool),
    /// Works out a quantity.
    Quantity(u16),
    /// Works out an expression.
    Expression(NodeId, bool),
    /// Lets an effect wait.
    Effect(u16),
}

/// A function that the rules add.
#[derive(Clone, Debug)]
pub(in crate::script) struct Added {
    pub name: String,
    pub params: Vec<&'static str>,
    pub gives: &'static str,
    doc: String,
    task: Task,
}

impl Added {
    /// Name and parameters for people.
    pub fn signature(&self) -> String {
        signature(&self.name, &self.params, self.gives)
    }
}

/// A number that an effect is given is at most this: it may repeat something so often.
const MOST_OF_AN_EFFECT: i32 = 10_000;

const ARGUMENTS: [&str; 5] = ["p", "a", "b", "d", "e"];

/// A seat and so many arguments; those that are cards are called so.
fn arguments(count: usize, cards: u16) -> Vec<&'static str> {
    (0..=count.min(ARGUMENTS.len() - 1)).map(|i| if i > 0 && cards >> i & 1 == 1 { "c" } else { ARGUMENTS[i] }).collect()
}

/// Everything that the rules add. Of two with the same name and number of parameters the first counts; natives come before all.
pub(in crate::script) fn added(rules: &Ruleset) -> Vec<Added> {
    let mut all: Vec<Added> = Vec::new();
    let mut taken: BTreeSet<(String, usize)> = super::natives().iter().map(|n| (n.name.to_string(), n.params.len())).collect();
    let mut add = |name: String, params: &[&'static str], gives, doc, task| {
        if is_name(&name) && taken.insert((name.clone(), params.len())) {
            all.push(Added { name, params: params.to_vec(), gives, doc, task });
        }
    };
    for variable in &rules.seat {
        let name = variable.name.clone();
        match variable.sort {
            VariableSort::Resource => {
                add(name, &["p"], "number", "what a player has of it".to_string(), Task::Seat(variable.offset, false))
            }
            VariableSort::Counter => add(name, &["p"], "number", "a counter of a player".to_string(), Task::Seat(variable.offset, false)),
            VariableSort::Flag => add(name, &["p"], "yes or no", "a flag of a player".to_string(), Task::Seat(variable.offset, true)),
            VariableSort::Tally => {
                add(name, &["p", "WORD"], "number", "counts of a player, by word".to_string(), Task::Tally(variable.offset, variable.len))
            }
            VariableSort::Set => {
                add(name, &["p", "WORD"], "yes or no", "whether a word is in a set of a player".to_string(), Task::Set(variable.offset))
            }
        }
    }
    for variable in rules.table.iter().filter(|v| v.len == 1) {
        let flag = variable.sort == VariableSort::Flag;
        let (gives, doc) = if flag { ("yes or no", "a flag of the table") } else { ("number", "a counter of the table") };
        add(variable.name.clone(), &[], gives, doc.to_string(), Task::Table(variable.offset, flag));
    }
    for (i, quantity) in rules.quantities.iter().enumerate() {
        let params = arguments((quantity.args as usize).min(2), params::of_quantity(rules, i as u16));
        let doc = if quantity.stat { "a stat of a player" } else { "a quantity of a player that cards may change" };
        add(quantity.name.clone(), &params, "number", doc.to_string(), Task::Quantity(i as u16));
    }
    for (name, params, node) in &rules.defines {
        let truth = truth_of(rules, *node) == Some(true);
        let gives = if truth { "yes or no" } else { "number" };
        let (doc, task) = ("worked out as the rules define it", Task::Expression(*node, truth));
        if *params == 0 && is_of_table(rules, *node) {
            add(name.clone(), &[], gives, doc.to_string(), task);
        }
        add(name.clone(), &arguments(*params as usize, params::of_expression(rules, *node)), gives, doc.to_string(), task);
    }
    for (name, node) in &rules.conditions {
        add(name.replace(' ', "_"), &["p"], "yes or no", format!("the condition \"{name}\""), Task::Expression(*node, true));
    }
    for (i, effect) in rules.effects.iter().enumerate() {
        let params = arguments(effect.params as usize, params::of_effect(rules, i as u16));
        add(
            effect.name.clone(),
            &params,
            "",
            "an effect of the rules; it runs when the script has ended".to_string(),
            Task::Effect(i as u16),
        );
    }
    all
}

/// The functions that the rules add: how each is written, and what it is for.
pub fn natives_of(rules: &Ruleset) -> Vec<(String, String)> {
    added(rules).into_iter().map(|added| (added.signature(), added.doc)).collect()
}

/// Whether an expression is the same for every seat, as far as can be seen at once.
fn is_of_table(rules: &Ruleset, node: NodeId) -> bool {
    let Some(node) = rules.nodes.get(node as usize) else { return false };
    match node {
        Node::Const(_) | Node::Global(_) | Node::Word(_) => true,
        Node::Not(_)
        | Node::Table(..)
        | Node::Add(..)
        | Node::Sub(..)
        | Node::Mul(..)
        | Node::Div(..)
        | Node::Min(..)
        | Node::Max(..)
        | Node::And(..)
        | Node::Or(..)
        | Node::Cmp(..)
        | Node::If(..) => node.parts().into_iter().all(|(part, _)| is_of_table(rules, part)),
        _ => false,
    }
}

/// Whether an expression is a truth; nothing for 0 and 1 by themselves, which may be meant either way.
fn truth_of(rules: &Ruleset, node: NodeId) -> Option<bool> {
    let flag = |variables: &[Variable], offset: u32| variables.iter().any(|v| v.sort == VariableSort::Flag && v.offset as u32 == offset);
    match rules.nodes.get(node as usize)? {
        Node::Const(0 | 1) => None,
        Node::Not(_)
        | Node::And(..)
        | Node::Or(..)
        | Node::Cmp(..)
        | Node::Any(_)
        | Node::AnyPlayer(_)
        | Node::Rank(..)
        | Node::IsKind(..)
        | Node::InPlaces(..)
        | Node::NoneIn(_)
        | Node::HasAction(_)
        | Node::IsCard(..)
        | Node::OwnBit(..) => Some(true),
        Node::Own(offset) => Some(flag(&rules.seat, *offset as u32)),
        Node::Global(cell) => Some(flag(&rules.table, *cell)),
        Node::Of(_, body) => truth_of(rules, *body),
        Node::If(_, yes, no) => match (truth_of(rules, *yes), truth_of(rules, *no)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (None, None) => None,
            _ => Some(true),
        },
        _ => Some(false),
    }
}

impl Shell {
    fn perform(&self, task: Task, cards: u16, args: &[&mut Dynamic]) -> Out<Dynamic> {
        self.act(|game, rules| {
            let value = |i: usize| match args.get(i) {
                Some(arg) => arg
                    .as_int()
                    .or_else(|_| arg.as_bool().map(i64::from))
                    .map_err(|_| Stop::fault("only numbers, words, cards and players can be handed over")),
                None => Ok(-1),
            };
            if let Task::Table(cell, flag) = task {
                return Ok(read(game.cell(rules, cell as usize), flag));
            }
            // What is the same for all needs no seat.
            let p = if args.is_empty() { self.me() } else { seat(rules, value(0)?)? };
            let cell = |offset: usize| rules.layout.seat(p, offset);
            Ok(match task {
                Task::Table(..) => Dynamic::UNIT,
                Task::Seat(offset, flag) => read(game.cell(rules, cell(offset as usize)), flag),
                Task::Tally(offset, len) => {
                    let index = self.words.index_in(value(1)?, len as usize)?;
                    read(game.cell(rules, cell(offset as usize + index)), false)
                }
                Task::Set(offset) => {
                    let index = self.words.index_in(value(1)?, 31)?;
                    (game.cell(rules, cell(offset as usize)) >> index & 1 == 1).into()
                }
                Task::Quantity(quantity) => {
                    let given = |i: usize| if i < args.len() { self.argument(rules, cards, i, value(i)?) } else { Ok(-1) };
                    game.quantity(rules, quantity, p, [given(1)?, given(2)?]).into()
                }
                Task::Expression(node, truth) => {
                    let mut env = Env::of(p);
                    for (i, local) in env.locals.iter_mut().enumerate().take(args.len()).skip(1) {
                        *local = self.argument(rules, cards, i, value(i)?)?;
                    }
                    let value = game.eval(rules, node, &mut env);
                    if truth { (value != 0).into() } else { value.into() }
                }
                Task::Effect(effect) => {
                    let mut given = [-1; 4];
                    for (i, arg) in given.iter_mut().enumerate().take(args.len().saturating_sub(1)) {
                        *arg = self.argument(rules, cards, i + 1, value(i + 1)?)?;
                        if *arg > MOST_OF_AN_EFFECT {
                            return Err(Stop::fault(format!(
                                "{arg} is too much for an effect; at most {MOST_OF_AN_EFFECT} is handed over"
                            )));
                        }
                    }
                    game.effect_later(rules, effect, p, given);
                    Dynamic::UNIT
                }
            })
        })
    }
}

impl Shell {
    /// The i-th argument as the rules know it; one that is read as a card must be one.
    fn argument(&self, rules: &Ruleset, cards: u16, i: usize, value: i64) -> Result<i32, Stop> {
        if cards >> i & 1 == 1 {
            card(rules, value)?;
        }
        self.words.argument(value)
    }
}

fn read(cell: i32, flag: bool) -> Dynamic {
    if flag { (cell != 0).into() } else { Dynamic::from_int(cell as i64) }
}

pub(super) fn register(engine: &mut Engine, shell: &Rc<Shell>) {
    for added in added(&shell.rules) {
        let task = added.task;
        let mut types = vec![TypeId::of::<i64>(); added.params.len()];
        if matches!(task, Task::Effect(_)) {
            // A truth can be handed over as such.
            types.iter_mut().skip(1).for_each(|t| *t = TypeId::of::<Dynamic>());
        }
        let cards = match task {
            Task::Quantity(quantity) => params::of_quantity(&shell.rules, quantity),
            Task::Expression(node, _) => params::of_expression(&shell.rules, node),
            Task::Effect(effect) => params::of_effect(&shell.rules, effect),
            _ => 0,
        };
        let shell = Rc::clone(shell);
        engine.register_raw_fn(alias(&added.name), types, move |_, args| shell.perform(task, cards, args));
    }
}
