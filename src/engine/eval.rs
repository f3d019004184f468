//! The door to expressions: what one is worth to whom.

pub use houserule_ruleset::op::LOCALS;

use super::Fault;
use super::code::{Code, Reg, Regs, Root};
use super::game::Game;
use super::options::MOST_PARAMS;
use super::ruleset::{NodeId, Ruleset};
use crate::source::Span;
use houserule_ruleset::readers::Noting;
use std::cell::Cell;

/// What an expression can name: the seat spoken of, and locals.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// The seat spoken of.
    pub me: usize,
    /// Loop variables, parameters, the card that speaks (0), the moment's card (1).
    pub locals: [i32; LOCALS],
}

impl Env {
    /// Nothing but a seat.
    pub fn of(me: usize) -> Env {
        Env { me, locals: [-1; LOCALS] }
    }

    /// A seat and the first locals.
    pub fn with(me: usize, locals: &[i32]) -> Env {
        let mut env = Env::of(me);
        for (to, from) in env.locals.iter_mut().zip(locals) {
            *to = *from;
        }
        env
    }

    /// Takes the candidates of an action as its parameters.
    pub(super) fn set_args(&mut self, args: [i16; MOST_PARAMS]) {
        for (local, arg) in self.locals[1..].iter_mut().zip(args) {
            *local = arg as i32;
        }
    }
}

/// What is needed while expressions are worked out; between two of them it means nothing, but for what went wrong.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    /// The value of the caches that is being worked out.
    pub noting: Noting,
    /// How many expressions are within one another.
    pub depth: u32,
    /// Registers that nothing is worked out in; what they hold means nothing.
    #[expect(clippy::vec_box, reason = "they are taken out and put back at every expression")]
    spare: Vec<Box<Regs>>,
    /// What went wrong with a number.
    wrong_number: Cell<Option<&'static str>>,
    /// The card by whose change it did, and where that says so.
    pub wrong_in: Option<(u32, Option<Span>)>,
}

impl Evaluation {
    /// Registers to work something out in: every operation writes those that are read behind it.
    #[inline]
    pub fn take_registers(&mut self) -> Box<Regs> {
        let mut regs = self.spare.pop().unwrap_or_else(|| Box::new([0; Reg::MAX as usize + 1]));
        if cfg!(debug_assertions) {
            regs.fill(i64::MIN + 7);
        }
        regs
    }

    /// Takes registers back when their result was read.
    #[inline]
    pub fn give_back(&mut self, regs: Box<Regs>) {
        self.spare.push(regs);
    }

    /// Something went wrong with a number; the first of it is told. Gives back what stands for the number.
    pub fn went_wrong(&self, what: &'static str) -> i64 {
        self.wrong_number.set(self.wrong_number.get().or(Some(what)));
        0
    }

    /// What went wrong, if anything did.
    #[inline(always)]
    pub fn wrong_number(&self) -> Option<&'static str> {
        self.wrong_number.get()
    }

    /// The like, and forgets it.
    pub fn take_wrong_number(&self) -> Option<&'static str> {
        self.wrong_number.take()
    }
}

impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        Evaluation { wrong_number: self.wrong_number.clone(), wrong_in: self.wrong_in, ..Evaluation::default() }
    }

    fn clone_from(&mut self, source: &Evaluation) {
        self.wrong_number.set(source.wrong_number.get());
        self.wrong_in = source.wrong_in;
    }
}

impl Game {
    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> i64 {
        if self.watch.is_on() {
            self.look_through(rules, node, env);
        }
        match rules.code.root(node) {
            Some(Root::Leaf(leaf)) => self.read_leaf(rules, &rules.code, *leaf, env),
            Some(root) => self.root_of(rules, &rules.code, root, env),
            None => self.eval_late(rules, node, env),
        }
    }

    /// The value of an expression that was read after the ruleset was compiled.
    #[cold]
    fn eval_late(&mut self, rules: &Ruleset, node: NodeId, env: &Env) -> i64 {
        let (code, expr) = Code::of_one(rules, node);
        self.run(rules, &code, expr, env)
    }

    /// The fault of a number that could not be worked out since this was asked last.
    pub fn wrong_number(&mut self, rules: &Ruleset) -> Option<Fault> {
        let fault = Fault::new(self.evaluation.wrong_number.take()?);
        let Some((piece, span)) = self.evaluation.wrong_in.take() else { return Some(fault) };
        Some(Fault { owner: rules.names.text(rules.definition(piece as usize).id).to_string(), span, ..fault })
    }

    /// What went wrong with a number before is told, or means nothing any longer.
    pub(super) fn forget_wrong_number(&mut self) {
        self.evaluation.take_wrong_number();
        self.evaluation.wrong_in = None;
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> bool {
        self.eval(rules, node, env) != 0
    }

    /// Whether an optional condition holds; absent means yes.
    #[inline]
    pub(super) fn holds_if(&mut self, rules: &Ruleset, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(rules, node, env) != 0)
    }
}

pub(super) mod plain;
#[cfg(test)]
mod tests;
