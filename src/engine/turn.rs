//! Turns: finds the next seat, asks for its action and executes it.

use super::decision::{Act, Decision, Fault, Opt, Question, Stop};
use super::eval::Env;
use super::machine::Machine;
use super::op::Pc;
use super::ruleset::{Lifetime, Turns};
use super::state::Frame;
use super::store::Store;
use super::turn_stage::{self, TurnStage};
use super::watch::Watch;
use super::{card_log, forgetting, idle, lifetimes, options, question};
use crate::cast;
use houserule_state::layout::head;

/// The most answers in one turn; more are a fault.
const MAX_ANSWERS: i32 = 1000;
/// The most turns in one round; more are a fault.
const MAX_TURNS: i32 = 2000;

/// [`super::op::Op::Turn`]: executes one step of a turn. With an answer it enters that action. Otherwise it rests, and then asks for an action, or ends
/// the turn (with what is done after it), or begins the turn of the next seat; if there is none, it goes on behind the op, which else is repeated.
pub(crate) fn run_turn(machine: &mut Machine<'_>, index: u16, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let this_op = Pc(frame.pc.0 - 1);
    let (place, seat) = turn_stage::place_and_seat(&machine.store);
    if let Some(chosen) = machine.memory.run.chosen.take() {
        frame.pc = this_op;
        return begin_action(&mut machine.store, seat, (Question::Turn(index), chosen), frame);
    }
    machine.memory.run.rest()?;
    let store = &mut machine.store;
    forgetting::forget_moved(store)?;
    let turns = &rules.turns[index as usize];
    let stage = TurnStage::of(store.state.cells());
    let can_act = stage.counts().is_some_and(|(left, _)| left > 0);
    if can_act && !turns.has_passed(store.state.cells(), &rules.layout, seat) {
        let mut options = std::mem::take(&mut machine.memory.scratch.options);
        options.clear();
        list(store, index, seat, &mut options);
        options::hide_unseen(store, seat, &mut options);
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
    let store = &mut machine.store;
    match (stage, turns.after) {
        (TurnStage::Running { answers, .. }, Some(after)) => {
            TurnStage::Ending { left: 0, answers }.write(store)?;
            frame.pc = this_op;
            store.enter(frame, after, Env::for_seat(seat))
        }
        (TurnStage::Running { .. } | TurnStage::Ending { .. }, _) => {
            lifetimes::clear_lifetime(store, Lifetime::Turn)?;
            TurnStage::Between.write(store)?;
            frame.pc = this_op;
            turn_stage::pass_on(store)
        }
        (TurnStage::Between, _) => match next_seat(store, index, place) {
            None => {
                idle::note_end_of_turns(store, index);
                store.put(head::TURN_PLACE, 0)
            }
            Some((_, seat)) if store.state.turn() >= MAX_TURNS => Err(endless_turns(machine, turns, seat)),
            Some((place, seat)) => {
                store.put(head::TURN_PLACE, cast::count(place))?;
                frame.pc = this_op;
                begin_turn(store, index, seat, frame)
            }
        },
    }
}

/// Begins the action that a seat has chosen.
fn begin_action(store: &mut Store<'_>, seat: usize, (question, chosen): (Question, Opt), frame: &mut Frame) -> Result<(), Stop> {
    let not_an_action = || Stop::fault("the answer of a turn is no action");
    let Act::Choice(action, args) = chosen.act else { return Err(not_an_action()) };
    let choice = &store.rules.choices[action as usize];
    let first_op = choice.action.as_ref().ok_or_else(not_an_action)?.first_op;
    card_log::log_answer(store, seat, question, chosen);
    let (left, answers) = TurnStage::of(store.state.cells()).counts().ok_or_else(not_an_action)?;
    if answers >= MAX_ANSWERS {
        let address = &choice.address;
        return Err(Stop::fault(format!(
            "more than {MAX_ANSWERS} answers in one turn: something in it can be done without end; the last was to `{address}`"
        )));
    }
    TurnStage::Running { left, answers: answers + 1 }.write(store)?;
    let mut env = Env::for_seat(seat);
    env.set_args(&choice.params, args);
    store.enter(frame, first_op, env)
}

/// Begins the turn of a seat, with what is done ahead of it.
fn begin_turn(store: &mut Store<'_>, index: u16, seat: usize, frame: &mut Frame) -> Result<(), Stop> {
    let rules = store.rules;
    let turns = &rules.turns[index as usize];
    store.add(head::TURN, 1)?;
    store.live.running.last_turns = Some(index);
    let actions = store.eval(turns.actions_each, &mut Env::for_seat(seat)).max(0);
    let left = i32::try_from(actions).map_err(|_| Stop::fault(format!("a turn cannot have {actions} actions")))?;
    TurnStage::Running { left, answers: 0 }.write(store)?;
    let mut begin = [None, turns.each];
    if let Some(taken) = turns.taken {
        let cell = rules.layout.seat(seat, taken as usize);
        let before = store.state.cells()[cell];
        store.add(cell, 1)?;
        begin[0] = turns.first.filter(|_| before == 0);
    }
    // The routine that is entered last runs first.
    begin.into_iter().flatten().try_for_each(|routine| store.enter(frame, routine, Env::for_seat(seat)))
}

/// Returns the position in the order, from `place` on, and the seat whose turn comes next; `None` if the turns are over.
fn next_seat(store: &mut Store<'_>, index: u16, place: usize) -> Option<(usize, usize)> {
    let rules = store.rules;
    let turns = &rules.turns[index as usize];
    let can_act = |store: &mut Store<'_>, seat: usize| {
        if turns.has_passed(store.state.cells(), &rules.layout, seat) {
            return false;
        }
        if !turns.skips {
            return true;
        }
        let mut options = std::mem::take(&mut store.live.lists.picks);
        options.clear();
        list(store, index, seat, &mut options);
        let any = !options.is_empty();
        store.live.lists.picks = options;
        any
    };
    let mut places = (0..rules.players).map(|behind| (place + behind) % rules.players);
    let next = places.find_map(|place| {
        let seat = cast::index(store.state.cells()[head::ORDER + place]);
        can_act(store, seat).then_some((place, seat))
    })?;
    let over = turns.until.is_some_and(|until| store.eval(until, &mut Env::for_seat(next.1)) != 0);
    (!over).then_some(next)
}

/// Lists the actions of a turn. Nothing is recorded if the game is watched for another seat, since only the acting seat sees its actions.
fn list(store: &mut Store<'_>, turns: u16, seat: usize, options: &mut Vec<Opt>) {
    let watch = store.live.values.watch.clone();
    if watch.seat().is_some_and(|watched| watched != seat) {
        store.live.values.watch = Watch::default();
    }
    options::list_turn(store, turns, seat, options);
    if watch.is_on() && !store.live.values.watch.is_on() {
        store.live.values.watch = watch;
    }
}

/// Creates the fault of endless turns; it names the owner of the script that ran last, if any.
#[cold]
fn endless_turns(machine: &Machine<'_>, turns: &Turns, seat: usize) -> Stop {
    let rules = machine.store.rules;
    let mut fault = Fault::new(match turns.passed {
        Some(_) => format!("after {MAX_TURNS} turns in one round p{} has still not passed", seat + 1),
        None => format!("after {MAX_TURNS} turns in one round the turns are still not over"),
    });
    if let Some(script) = machine.memory.run.last_script.and_then(|script| rules.scripts.get(script as usize)) {
        fault.also.extend(script.span.map(|span| (span, format!("`{}` has spoken last", script.owner))));
    }
    Stop::Fault(Box::new(fault))
}
