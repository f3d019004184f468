//! Simultaneous blocks (`all players`): every seat executes the same body.
//!
//! A seat reads its own current cells, and all others, the table and ranks as they were at the start. Where the rules say that bodies ask, the
//! questions are asked first: from the last seat to the first, each on the state at the start, to which everything is rolled back after each.
//! When all seats have answered, the bodies are executed in turn order with these answers. Other bodies are executed at once; if one has to ask
//! all the same, such as for a card that has heard it, everything is rolled back, and the questions are asked first.
//! Nothing else in the engine is executed twice.

use super::checks;
use super::decision::Stop;
use super::env::ReadView;
use super::flows;
use super::machine::{Machine, Memory};
use super::op::Pc;
use super::queued_frame::push_deferred;
use super::ruleset::{Direction, NodeId, Whom};
use super::seats;
use super::state::{BlockSeats, Frame, begin_block};
use crate::cast;

/// [`super::op::Op::Simultaneous`]: starts a simultaneous block; each seat executes the body that follows, up to the op
/// [`super::op::Op::NextSimultaneous`].
///
/// # Errors
/// A block inside another block.
pub(crate) fn begin_simultaneous(
    machine: &mut Machine<'_>,
    (whom, filter): (Whom, Option<NodeId>),
    secretly: bool,
    end: Pc,
    frame: &mut Frame,
) -> Result<(), Stop> {
    if !machine.reads_current() {
        return Err(Stop::fault("`all players` within `all players`"));
    }
    let (mut seats, mut count) = (0_u64, 0);
    let mut env = frame.env;
    seats::push_seats(machine, Direction::Forward, whom, env.me);
    while let Some(seat) = seats::next_seat(machine) {
        env.me = seat;
        if machine.holds_if(filter, &mut env) {
            seats |= cast::fit::<u64>(seat) << (4 * count);
            count += 1;
        }
    }
    if count == 0 {
        frame.pc = end;
        return after_block(machine);
    }
    machine.write_frame(frame);
    begin_block(machine.state, machine.rules.layout.len, &BlockSeats { seats, count, secretly }, frame);
    machine.memory.journal.begin_block();
    machine.memory.log.set_mark();
    machine.memory.flows.iter_mut().for_each(|recorder| recorder.set_mark());
    let values = &mut machine.memory.values;
    values.active.listed_in_block = false;
    values.kept.begin_block();
    let begin = Pc(frame.pc.0 - 1);
    if machine.rules.asking_blocks.binary_search(&begin).is_ok() {
        machine.state.collect_answers(machine.rules.layout.len);
        act_as(machine, count - 1, frame);
    } else {
        act_as(machine, 0, frame);
    }
    Ok(())
}

/// Starts the body for a participant, by its number.
fn act_as(machine: &mut Machine<'_>, number: i32, frame: &mut Frame) {
    let seat = machine.state.act_as(machine.rules.layout.len, number, frame);
    machine.memory.values.view = ReadView::OwnCurrent(seat);
}

/// [`super::op::Op::NextSimultaneous`]: a participant has finished the body; starts the next one, or ends the block.
pub(crate) fn next_simultaneous(machine: &mut Machine<'_>, body: Pc, frame: &mut Frame) -> Result<(), Stop> {
    let stack_start = machine.stack_start();
    let behind = frame.pc;
    let (number, count) = machine.state.participant(stack_start);
    if machine.is_collecting_answers() {
        restore(machine);
        if number == 0 {
            machine.state.apply_answers(stack_start);
        }
        act_as(machine, (number - 1).max(0), frame);
        return Ok(());
    }
    if number + 1 < count {
        act_as(machine, number + 1, frame);
        return Ok(());
    }
    debug_assert_eq!(machine.state.body_of_block(stack_start), body);
    frame.pc = behind;
    frame.env.me = machine.state.outer_seat(stack_start);
    machine.memory.values.view = ReadView::Current;
    machine.memory.values.kept.end_block(machine.rules, machine.state);
    after_block(machine)?;
    machine.state.end_block(stack_start, push_deferred);
    machine.memory.journal.end_block();
    Ok(())
}

fn after_block(machine: &mut Machine<'_>) -> Result<(), Stop> {
    machine.memory.dirty.checks = true;
    checks::after_change(machine)
}

/// Rolls everything back to the start of the block, except for the answers.
fn restore(machine: &mut Machine<'_>) {
    machine.state.restore_snapshot(machine.rules.layout.len, &mut machine.memory.journal);
    let Memory { values, dirty, queue, log, unseen_moves, .. } = &mut *machine.memory;
    values.kept.restore_block();
    values.active.stale |= values.active.listed_in_block;
    (dirty.checks, dirty.room) = (true, true);
    queue.clear();
    unseen_moves.clear();
    log.restore_draws();
}

/// Switches to collecting answers, because a body has to ask: starts the body of the last participant.
pub(crate) fn ask_all_first(machine: &mut Machine<'_>) -> Frame {
    let stack_start = machine.stack_start();
    machine.memory.log.truncate_to_mark();
    machine.state.collect_answers(stack_start);
    restore(machine);
    flows::roll_back(machine);
    let mut frame = machine.read_frame();
    let last = machine.state.participant(stack_start).1 - 1;
    act_as(machine, last, &mut frame);
    frame
}
