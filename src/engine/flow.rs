//! The main loop: executes ops until a player must answer or the game is over.

use super::decision::{Decision, Fault, Stop};
use super::env::{Env, ReadView};
use super::fault::Trace;
use super::machine::{MAX_OPS, Machine, Run};
use super::op::{Op, Pc};
use super::scripts::Scripts;
use super::state::Frame;
use super::store::{ALL_SEATS, Store};
use super::{checks, exec, flows, forgetting, simultaneous, waiting};
use crate::cast;
use houserule_state::layout::head;

/// Executes ops up to a question, a point of rest or the end. An op that asks has put its question into [`super::machine::Memory`]; it is executed
/// again with the answer, and so is one that rests.
fn run_until_stopped(machine: &mut Machine<'_>, scripts: &mut dyn Scripts) -> Result<(), Fault> {
    let rules = machine.store.rules;
    machine.store.live.values.discard_arithmetic_error();
    machine.memory.run.fuel = MAX_OPS;
    let mut frame = machine.store.read_frame();
    machine.store.live.values.kept.attach();
    machine.store.state.log_mut().limit();
    let stop = loop {
        let stopped = match machine.store.live.flows {
            Some(_) => run_ops(machine, scripts, &mut frame, exec::run_op, flows::note_changes),
            None if rules.secrets.is_empty() => run_ops(machine, scripts, &mut frame, exec::execute, |_, _| ()),
            None => run_ops(machine, scripts, &mut frame, exec::run_op_of_secrets, |_, _| ()),
        };
        match stopped {
            Stop::Ask if machine.memory.pending.is_none() => frame = simultaneous::ask_all_first(&mut machine.store),
            stop @ (Stop::Ask | Stop::Pause | Stop::Fault(_)) => break stop,
        }
    };
    machine.store.live.values.kept.detach();
    if !matches!(stop, Stop::Fault(_)) {
        forgetting::forget_moved(&mut machine.store).map_err(Stop::into_fault)?;
    }
    machine.store.live.unseen_moves.clear();
    // The op that stopped is executed again, with the answer or after the pause.
    frame.pc = Pc(frame.pc.0 - 1);
    if let Stop::Fault(_) = stop {
        machine.store.write_frame(&frame);
        let mut fault = with_trace(machine, frame.pc, stop);
        if let Some(last) = machine.store.live.queue.last().filter(|_| waiting::too_many_wait(&machine.store)) {
            fault.also.extend(rules.ops.span(last.pc).map(|span| (span, format!("`{}` is one of them", rules.ops.owner(last.pc)))));
        }
        machine.store.live.queue.clear();
        machine.store.live.running = Default::default();
        machine.memory.run = Run::default();
        return Err(fault);
    }
    machine.store.write_frame(&frame);
    match machine.memory.run.chosen.take() {
        Some(_) => Err(Fault::new("internal error: an answer was not used; please report it")),
        None => Ok(()),
    }
}

/// Adds the place of the op and the call stack to a fault.
#[cold]
fn with_trace(machine: &Machine<'_>, pc: Pc, stop: Stop) -> Fault {
    let rules = machine.store.rules;
    let mut fault = stop.into_fault();
    let ops = &rules.ops;
    fault.span = fault.span.or_else(|| ops.span(pc));
    let places = std::iter::once(pc).chain(machine.store.state.return_addresses(machine.store.stack_start()));
    let frames = places.map(|pc| (ops.owner(pc).to_string(), ops.span(pc))).collect();
    fault.trace = Some(Box::new(Trace {
        seed: machine.store.state.seed(),
        decision: machine.store.state.cells()[head::DECISIONS],
        round: machine.store.state.round(),
        frames,
    }));
    fault
}

/// Executes ops by `run` until one of them stops: to ask, to pause, because of a fault, or at the end of the game. `watch` sees the machine after
/// each op, with the place of the op.
fn run_ops<'m>(
    machine: &mut Machine<'m>,
    scripts: &mut dyn Scripts,
    frame: &mut Frame,
    run: impl Fn(&mut Machine<'m>, &mut dyn Scripts, &Op, &mut Frame) -> Result<(), Stop>,
    watch: impl Fn(&mut Store<'_>, Pc),
) -> Stop {
    let rules = machine.store.rules;
    loop {
        let Some(op) = rules.ops.all.get(frame.pc.0 as usize) else {
            return Stop::fault("internal error: what runs has no end; please report it");
        };
        let (here, next) = (frame.pc, frame.pc.next());
        frame.pc = next;
        let done = match machine.memory.run.burn(1) {
            Ok(()) => run(machine, scripts, op, frame),
            Err(stop) => Err(stop),
        };
        watch(&mut machine.store, here);
        if done.is_err() || machine.store.live.values.evaluation.error().is_some() {
            return why_stopped(machine, done, (frame, next));
        }
    }
}

/// Returns why an op was the last: because of what it says itself, or of an arithmetic error.
#[cold]
fn why_stopped(machine: &mut Machine<'_>, done: Result<(), Stop>, (frame, next): (&mut Frame, Pc)) -> Stop {
    let stop = match done {
        Err(stop @ Stop::Fault(_)) => stop,
        Err(stop) if machine.store.live.values.evaluation.error().is_none() => stop,
        Ok(()) | Err(Stop::Pause | Stop::Ask) => {
            machine.memory.pending = None;
            Stop::Fault(Box::new(machine.store.take_arithmetic_fault().unwrap_or_default()))
        }
    };
    if let Stop::Fault(_) = stop {
        // The fault belongs to this op, even if the op has jumped.
        frame.pc = next;
    }
    stop
}

/// What has ended when the machine is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// An action of a turn, or what comes before turns: the next thing asked is an action.
    Turn,
    /// The last step of a round.
    Round,
    /// The game.
    Game,
}

impl<'a> Machine<'a> {
    /// Runs until a player must answer; `None` when the game is over.
    ///
    /// # Errors
    /// A fault of a card or of the rules, with its place.
    pub fn advance(mut self, scripts: &mut dyn Scripts) -> Result<Option<&'a Decision>, Fault> {
        self.run_to_question(scripts)?;
        Ok(self.memory.pending.as_ref())
    }

    fn run_to_question(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        if self.memory.pending.is_some() || self.store.state.finished() {
            return Ok(());
        }
        self.memory.run.rests_left = None;
        run_until_stopped(self, scripts)
    }

    /// Runs to the next point of rest (between steps or turns), or to an earlier question. Does nothing while a question is open.
    ///
    /// # Errors
    /// As for [`Machine::advance`].
    pub fn advance_part(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        let rules = self.store.rules;
        if self.memory.pending.is_none() && !self.store.state.finished() {
            let op = rules.ops.all.get(self.store.read_frame().pc.0 as usize);
            self.memory.run.rests_left = Some(matches!(op, Some(Op::Part { .. } | Op::Turn { .. } | Op::Rest)) as u32);
            run_until_stopped(self, scripts)?;
        }
        Ok(())
    }

    /// Answers the open question with the option of this index, and runs to the next question or point of rest.
    ///
    /// # Errors
    /// No open question, an index out of bounds, or a fault.
    pub fn answer(&mut self, scripts: &mut dyn Scripts, option: usize) -> Result<(), Fault> {
        let Some(mut decision) = self.memory.pending.take() else { return Err(Fault::new("there is no open question")) };
        let Some(&chosen) = decision.options.get(option) else {
            let count = decision.options.len();
            self.memory.pending = Some(decision);
            return Err(Fault::new(format!("there is no option {option}; there are {count}")));
        };
        decision.options.clear();
        self.memory.scratch.options = decision.options;
        self.store.state.write(head::DECISIONS, self.store.state.cells()[head::DECISIONS].saturating_add(1));
        self.memory.run.chosen = Some(chosen);
        self.memory.run.rests_left = Some(0);
        run_until_stopped(self, scripts)
    }

    /// Resumes a state whose cells were written from outside: runs to the next question.
    ///
    /// # Errors
    /// A fault.
    pub(crate) fn resume_from_cells(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        self.reset_caches();
        self.memory.pending = None;
        self.run_to_question(scripts)
    }

    /// Jumps to another part of the program, and abandons what is running. Must not be called while a question is open.
    ///
    /// # Errors
    /// There is no such part.
    pub fn jump_to(&mut self, part: usize) -> Result<(), Fault> {
        let rules = self.store.rules;
        let Some(&begin) = rules.ops.parts.get(part) else { return Err(Fault::new(format!("the program has no part {part}"))) };
        self.store.put(head::PROGRAM, cast::count(part)).map_err(Stop::into_fault)?;
        self.store.state.drop_block();
        self.store.live.values.active.end_block();
        self.store.state.push_first_frame(rules.layout.len, begin);
        self.store.live.values.view = ReadView::Current;
        Ok(())
    }

    /// Whether the machine is in the middle of a part: between two points of rest.
    pub fn is_within_part(&mut self) -> bool {
        if self.store.state.finished() {
            return false;
        }
        let pc = self.store.read_frame().pc.0;
        let between = matches!(self.store.rules.ops.all.get(pc as usize), Some(Op::Part { .. } | Op::Turn { .. }));
        self.store.state.in_simultaneous_block() || !between
    }

    /// Returns what has ended at this point of rest; `None` if the step goes on.
    pub fn ended(&mut self) -> Option<Ended> {
        if self.store.state.finished() {
            return Some(Ended::Game);
        }
        let pc = self.store.read_frame().pc;
        let op = |pc: Pc| self.store.rules.ops.all.get(pc.0 as usize);
        let next = if matches!(op(pc), Some(Op::Part { .. })) { pc.next() } else { pc };
        if matches!(op(next), Some(Op::Turn { .. })) {
            Some(Ended::Turn)
        } else if matches!(op(next), Some(Op::RoundEnd { .. })) {
            Some(Ended::Round)
        } else {
            None
        }
    }

    /// Returns the op that asks the open question, or the one after it, and the environment.
    pub fn question_op(&mut self) -> (Pc, Env) {
        let frame = self.store.read_frame();
        (frame.pc, frame.env)
    }

    /// Turns checks and listeners off, while a position is written from outside in several steps.
    pub fn hold_checks(&mut self) {
        self.memory.run.suppressed += 1;
    }

    /// Turns checks and listeners on again, discards the queue and runs the checks.
    ///
    /// # Errors
    /// A fault of a check.
    pub fn release_checks(&mut self) -> Result<(), Fault> {
        self.memory.run.suppressed = self.memory.run.suppressed.saturating_sub(1);
        self.store.live.queue.clear();
        self.store.live.dirty.checks = true;
        self.store.live.dirty.room = ALL_SEATS;
        checks::after_change(self).map_err(Stop::into_fault)
    }
}
