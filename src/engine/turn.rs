//! Turns: finds the next seat, asks for its action and executes it.

use super::card_log;
use super::decision::{Act, Decision, Fault, Opt, Question, Stop};
use super::eval::Env;
use super::forgetting;
use super::idle;
use super::lifetimes;
use super::limits;
use super::machine::Machine;
use super::op::Pc;
use super::options;
use super::question;
use super::ruleset::{Lifetime, Turns};
use super::state::Frame;
use super::watch::Watch;
use crate::cast;
use houserule_state::layout::head;

/// The most answers in one turn; more are a fault.
const MAX_ANSWERS: i64 = 1000;
/// The most turns in one round; more are a fault.
const MAX_TURNS: i32 = 2000;

/// [`super::op::Op::Turn`]: executes one step of a turn. The op is repeated until all seats have passed.
pub(crate) fn run_turn(machine: &mut Machine<'_>, index: u16, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let this_op = Pc(frame.pc.0 - 1);
    let seat = cast::index(machine.state.cells()[head::ORDER + cast::index(machine.state.cells()[head::TURN_PLACE]) % rules.players]);
    if let Some(chosen) = machine.memory.run.chosen.take() {
        let not_an_action = || Stop::fault("the answer of a turn is no action");
        let Act::Choice(action, args) = chosen.act else { return Err(not_an_action()) };
        let choice = &rules.choices[action as usize];
        let first_op = choice.action.as_ref().ok_or_else(not_an_action)?.first_op;
        card_log::log_answer(machine, seat, chosen);
        let answers = answers_of_turn(machine.state.cells()[head::ANSWERS]) + 1;
        if answers > MAX_ANSWERS {
            let address = &choice.address;
            return Err(Stop::fault(format!(
                "more than {MAX_ANSWERS} answers in one turn: something in it can be done without end; the last was to `{address}`"
            )));
        }
        machine.put(head::ANSWERS, answers)?;
        let mut env = Env::for_seat(seat);
        env.set_args(&choice.params, args);
        frame.pc = this_op;
        return machine.enter(frame, first_op, env);
    }
    limits::rest(machine)?;
    forgetting::forget_moved(machine)?;
    let turns = &rules.turns[index as usize];
    let passed = |machine: &Machine<'_>, seat: usize| turns.has_passed(machine.state.cells(), &rules.layout, seat);
    let place = cast::index(machine.state.cells()[head::TURN_PLACE]) % rules.players;
    if machine.state.cells()[head::ACTIONS_LEFT] > 0 && !passed(machine, seat) {
        let mut options = std::mem::take(&mut machine.memory.scratch.options);
        options.clear();
        list(machine, index, seat, &mut options);
        question::hide_unseen(machine, seat, &mut options);
        if !options.is_empty() {
            return question::open(machine, Decision { seat, question: Question::Turn(index), options });
        }
        machine.memory.scratch.options = options;
        if !turns.skips {
            return Err(Stop::fault(format!(
                "p{} can do nothing in its turn, not even pass: end the line of `turns` with `, skipping who cannot act`, or let an action have no guards",
                seat + 1
            )));
        }
    }
    if machine.state.cells()[head::ACTIONS_LEFT] >= 0 {
        let answers = machine.state.cells()[head::ANSWERS];
        if let Some(after) = turns.after.filter(|_| answers >= 0) {
            machine.put(head::ACTIONS_LEFT, 0)?;
            machine.put(head::ANSWERS, i64::from(!answers))?;
            frame.pc = this_op;
            return machine.enter(frame, after, Env::for_seat(seat));
        }
        lifetimes::clear_lifetime(machine, Lifetime::Turn)?;
        machine.put(head::ACTIONS_LEFT, -1)?;
        let next = if machine.state.cells()[head::FROM_FIRST] == 1 { 0 } else { (place + 1) % rules.players };
        machine.put(head::FROM_FIRST, 0)?;
        machine.put(head::TURN_PLACE, cast::count(next))?;
        frame.pc = this_op;
        return Ok(());
    }
    let Some((place, seat)) = next_seat(machine, index, place) else {
        idle::note_end_of_turns(machine, index);
        return machine.put(head::TURN_PLACE, 0);
    };
    frame.pc = this_op;
    if machine.state.cells()[head::TURN] >= MAX_TURNS {
        return Err(endless_turns(machine, turns, seat));
    }
    machine.put(head::TURN_PLACE, cast::count(place))?;
    machine.add(head::TURN, 1)?;
    idle::note_turn_begins(machine, index);
    machine.put(head::ANSWERS, 0)?;
    let actions = machine.eval(turns.actions_each, &mut Env::for_seat(seat)).max(0);
    machine.put(head::ACTIONS_LEFT, actions)?;
    let mut begin = [None, turns.each];
    if let Some(taken) = turns.taken {
        let cell = rules.layout.seat(seat, taken as usize);
        let before = machine.state.cells()[cell];
        machine.put(cell, before as i64 + 1)?;
        begin[0] = turns.first.filter(|_| before == 0);
    }
    // The routine that is entered last runs first.
    for routine in begin.into_iter().flatten() {
        machine.enter(frame, routine, Env::for_seat(seat))?;
    }
    Ok(())
}

/// Returns the number of answers in the turn: once what is done after it has begun, the cell holds the complement.
fn answers_of_turn(cell: i32) -> i64 {
    i64::from(cell.max(!cell))
}

/// Returns the position in the order, from `place` on, and the seat whose turn comes next; `None` if the turns are over.
fn next_seat(machine: &mut Machine<'_>, index: u16, place: usize) -> Option<(usize, usize)> {
    let rules = machine.rules;
    let turns = &rules.turns[index as usize];
    let can_act = |machine: &mut Machine<'_>, seat: usize| {
        if turns.has_passed(machine.state.cells(), &rules.layout, seat) {
            return false;
        }
        if !turns.skips {
            return true;
        }
        let mut options = std::mem::take(&mut machine.memory.scratch.options);
        options.clear();
        list(machine, index, seat, &mut options);
        let any = !options.is_empty();
        machine.memory.scratch.options = options;
        any
    };
    let mut places = (0..rules.players).map(|behind| (place + behind) % rules.players);
    let next = places.find_map(|place| {
        let seat = cast::index(machine.state.cells()[head::ORDER + place]);
        can_act(machine, seat).then_some((place, seat))
    })?;
    let over = turns.until.is_some_and(|until| machine.eval(until, &mut Env::for_seat(next.1)) != 0);
    (!over).then_some(next)
}

/// Lists the actions of a turn. Nothing is recorded if the game is watched for another seat, since only the acting seat sees its actions.
fn list(machine: &mut Machine<'_>, turns: u16, seat: usize, options: &mut Vec<Opt>) {
    let watch = machine.memory.values.watch.clone();
    if watch.seat().is_some_and(|watched| watched != seat) {
        machine.memory.values.watch = Watch::default();
    }
    options::list_turn(machine, turns, seat, options);
    if watch.is_on() && !machine.memory.values.watch.is_on() {
        machine.memory.values.watch = watch;
    }
}

/// Creates the fault of endless turns; it names the owner of the script that ran last, if any.
#[cold]
fn endless_turns(machine: &Machine<'_>, turns: &Turns, seat: usize) -> Stop {
    let rules = machine.rules;
    let mut fault = Fault::new(match turns.passed {
        Some(_) => format!("after {MAX_TURNS} turns in one round p{} has still not passed", seat + 1),
        None => format!("after {MAX_TURNS} turns in one round the turns are still not over"),
    });
    if let Some(script) = machine.memory.run.last_script.and_then(|script| rules.scripts.get(script as usize)) {
        fault.also.extend(script.span.map(|span| (span, format!("`{}` has spoken last", script.owner))));
    }
    Stop::Fault(Box::new(fault))
}
