//! The loop: op after op, always forward, until somebody must decide.

use super::checks;
use super::decision::{Decision, Fault, Stop};
use super::env::{Env, ReadView};
use super::exec;
use super::fault::Trace;
use super::machine::{Machine, Run};
use super::op::{Op, Pc};
use super::pace;
use super::queued;
use super::scripts::{NoScripts, Scripts};
use super::simultaneous;
use super::state::Frame;
use crate::cast;
use houserule_state::layout::head;

/// Native consequences within native consequences.
const MAX_NESTED: u32 = 16;

fn go_on(machine: &mut Machine<'_>, scripts: &mut dyn Scripts) -> Result<(), Fault> {
    let rules = machine.rules;
    machine.memory.values.forget_wrong_number();
    machine.memory.run.fuel = pace::MAX_OPS;
    let mut at = machine.read_frame();
    let stop = loop {
        match run_ops(machine, scripts, &mut at) {
            Stop::Ask if machine.memory.pending.is_none() => at = simultaneous::ask_all_first(machine),
            stop @ (Stop::Ask | Stop::Pause | Stop::Fault(_)) => break stop,
        }
    };
    // The op that stopped is run again: with the answer, or when there is time to go on.
    at.pc = Pc(at.pc.0 - 1);
    if let Stop::Fault(_) = stop {
        machine.write_frame(&at);
        let mut fault = traced(machine, at.pc, stop);
        if let Some(last) = machine.memory.queue.last().filter(|_| queued::too_many_wait(machine)) {
            fault.also.extend(rules.ops.span(last.pc).map(|span| (span, format!("`{}` is one of them", rules.ops.owner(last.pc)))));
        }
        machine.memory.queue.clear();
        machine.memory.run = Run::default();
        return Err(fault);
    }
    machine.write_frame(&at);
    match machine.memory.run.chosen.take() {
        Some(_) => Err(Fault::new("internal error: an answer was not used; please report it")),
        None => Ok(()),
    }
}

/// A fault with its place, and with the frames in which it happened.
#[cold]
fn traced(machine: &Machine<'_>, pc: Pc, stop: Stop) -> Fault {
    let rules = machine.rules;
    let mut fault = stop.into_fault();
    let ops = &rules.ops;
    fault.span = fault.span.or_else(|| ops.span(pc));
    let places = std::iter::once(pc).chain(machine.state.places_of_frames(machine.fixed()));
    let frames = places.map(|pc| (ops.owner(pc).to_string(), ops.span(pc))).collect();
    fault.trace = Some(Box::new(Trace {
        seed: machine.state.seed(),
        decision: machine.state.cells()[head::DECISIONS],
        round: machine.state.round(),
        frames,
    }));
    fault
}

/// Runs ops until one of them stops.
fn run_ops(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, at: &mut Frame) -> Stop {
    let rules = machine.rules;
    loop {
        let Some(op) = rules.ops.all.get(at.pc.0 as usize) else {
            return Stop::fault("internal error: what runs has no end; please report it");
        };
        let behind = at.pc.next();
        at.pc = behind;
        let done = pace::burn(machine, 1).and_then(|()| exec::run_op(machine, scripts, op, at));
        let stop = match (done, machine.memory.values.evaluation.wrong_number()) {
            (Ok(()), None) => continue,
            (Ok(()) | Err(Stop::Pause | Stop::Ask), Some(_)) => {
                machine.memory.pending = None;
                Stop::Fault(Box::new(machine.wrong_number().unwrap_or_default()))
            }
            (Err(stop), _) => stop,
        };
        if let Stop::Fault(_) = stop {
            // It happened in this op, wherever that would have gone on.
            at.pc = behind;
        }
        return stop;
    }
}

/// Runs what follows natively from something: it never asks, calls no script and is heard by nobody.
///
/// # Errors
/// Faults, and whatever it must not do.
pub(crate) fn run_native(machine: &mut Machine<'_>, pc: Pc, env: Env) -> Result<(), Stop> {
    let rules = machine.rules;
    if machine.memory.run.nested >= MAX_NESTED {
        return Err(Stop::fault(format!("native consequences set each other off more than {MAX_NESTED} deep")));
    }
    let (view, frame, heard) = (machine.memory.values.view, machine.state.cells()[head::FRAME], machine.memory.queue.len());
    machine.state.push_frame()?;
    let mut at = Frame { pc, env };
    machine.memory.run.nested += 1;
    machine.memory.run.quiet += 1;
    let mut result = Ok(());
    while result.is_ok() && machine.state.cells()[head::FRAME] != frame {
        let op = &rules.ops.all[at.pc.0 as usize];
        at.pc = at.pc.next();
        result = pace::burn(machine, 1).and_then(|()| exec::run_op(machine, &mut NoScripts, op, &mut at));
    }
    machine.memory.run.quiet -= 1;
    machine.memory.run.nested -= 1;
    machine.memory.values.view = view;
    if result == Err(Stop::Ask) {
        machine.memory.pending = None;
        return Err(
            Stop::fault("a question came up in a native consequence; only effects may ask").in_the_name_of("", rules.ops.span(at.pc))
        );
    }
    if result.is_ok() && machine.memory.queue.len() > heard {
        return Err(Stop::fault("a native consequence cannot be heard; let an effect do it"));
    }
    result
}

impl<'a> Machine<'a> {
    /// Runs until somebody must decide; `None` when the game is over.
    ///
    /// # Errors
    /// A fault of a card or of the rules, with its place.
    pub fn advance(mut self, scripts: &mut dyn Scripts) -> Result<Option<&'a Decision>, Fault> {
        self.run_on(scripts)?;
        Ok(self.memory.pending.as_ref())
    }

    fn run_on(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        if self.memory.pending.is_some() || self.state.finished() {
            return Ok(());
        }
        self.memory.run.rests = None;
        go_on(self, scripts)
    }

    /// Runs to the next point at which the state is at rest, or to the first question before it; does nothing while one is open.
    ///
    /// # Errors
    /// As for [`Machine::advance`].
    pub fn advance_part(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        let rules = self.rules;
        if self.memory.pending.is_none() && !self.state.finished() {
            let op = rules.ops.all.get(self.read_frame().pc.0 as usize);
            self.memory.run.rests = Some(matches!(op, Some(Op::Part { .. } | Op::Turn { .. } | Op::Rest)) as u32);
            go_on(self, scripts)?;
        }
        Ok(())
    }

    /// Answers the open question and goes on until somebody must decide, or the state is at rest.
    ///
    /// # Errors
    /// A fault.
    pub fn answer(&mut self, scripts: &mut dyn Scripts, option: usize) -> Result<(), Fault> {
        let Some(mut decision) = self.memory.pending.take() else { return Err(Fault::new("there is no open question")) };
        let Some(&chosen) = decision.options.get(option) else {
            let count = decision.options.len();
            self.memory.pending = Some(decision);
            return Err(Fault::new(format!("there is no option {option}; there are {count}")));
        };
        decision.options.clear();
        self.memory.scratch.options = decision.options;
        self.state.write(head::DECISIONS, self.state.cells()[head::DECISIONS].saturating_add(1));
        self.memory.run.chosen = Some(chosen);
        self.memory.run.rests = Some(0);
        go_on(self, scripts)
    }

    /// Takes up a state that was written from outside: goes on from where its frames stand, up to the question that is open there.
    ///
    /// # Errors
    /// A fault.
    pub(crate) fn resume_from_cells(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        self.forget();
        self.memory.pending = None;
        self.run_on(scripts)
    }

    /// Goes to another part of the program, whatever is under way. Not while a question is open.
    ///
    /// # Errors
    /// A part that is not there.
    pub fn jump_to(&mut self, part: usize) -> Result<(), Fault> {
        let rules = self.rules;
        let Some(&begin) = rules.ops.parts.get(part) else { return Err(Fault::new(format!("the program has no part {part}"))) };
        self.put(head::PROGRAM, cast::count(part)).map_err(Stop::into_fault)?;
        self.state.drop_block();
        self.state.push_first_frame(rules.layout.len, begin);
        self.memory.values.view = ReadView::Current;
        Ok(())
    }

    /// Whether a part of the program is under way: something of it has been done, and something is left.
    pub fn is_under_way(&mut self) -> bool {
        if self.state.finished() {
            return false;
        }
        let pc = self.read_frame().pc.0;
        let between = matches!(self.rules.ops.all.get(pc as usize), Some(Op::Part { .. } | Op::Turn { .. }));
        self.state.acts_at_once() || !between
    }

    /// The op at which the open question is asked, or the one behind it; with what expressions can name there.
    pub fn asked_at(&mut self) -> (Pc, Env) {
        let frame = self.read_frame();
        (frame.pc, frame.env)
    }

    /// From now on checks and listeners are off: a position is written from outside, step by step.
    pub fn hold_checks(&mut self) {
        self.memory.run.quiet += 1;
    }

    /// The position is written: nothing waits for what was done, and checks run.
    ///
    /// # Errors
    /// A fault of a check.
    pub fn release_checks(&mut self) -> Result<(), Fault> {
        self.memory.run.quiet = self.memory.run.quiet.saturating_sub(1);
        self.memory.queue.clear();
        self.memory.dirty.checks = true;
        self.memory.dirty.room = true;
        checks::after_change(self).map_err(Stop::into_fault)
    }
}
