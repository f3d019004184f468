//! Blocks in which all act at once.
//!
//! Each sees the others, the table and ranks as they were, and its own things as they are. Hardly ever does anybody have a choice,
//! so the bodies are applied in turn order first. If a question comes up, all is as it was, and the questions are put: from the last
//! seat to the first, each on the state as it was. When all have answered the bodies are applied with those answers. This is the
//! only place where anything is gone through twice.

use super::checks;
use super::decision::Stop;
use super::env::ReadView;
use super::machine::{Machine, Memory};
use super::op::Pc;
use super::queue::push_deferred;
use super::ruleset::{Direction, NodeId, Whom};
use super::seats;
use super::state::{BlockSeats, Frame, begin_block};
use crate::cast;

/// [`super::op::Op::AtOnce`]: the body behind it is done by each of the seats, to the op [`super::op::Op::NextAtOnce`].
pub(crate) fn begin_simultaneous(
    machine: &mut Machine<'_>,
    (whom, filter): (Whom, Option<NodeId>),
    secretly: bool,
    end: Pc,
    at: &mut Frame,
) -> Result<(), Stop> {
    if !machine.reads_current() {
        return Err(Stop::fault("`all players` within `all players`"));
    }
    let (mut seats, mut count) = (0, 0);
    let mut env = at.env;
    seats::push_seats(machine, Direction::Forward, whom, env.me);
    while let Some(seat) = seats::next_seat(machine) {
        env.me = seat;
        if machine.holds_if(filter, &mut env) {
            seats |= cast::fit::<u32>(seat) << (4 * count);
            count += 1;
        }
    }
    if count == 0 {
        at.pc = end;
        return after_block(machine);
    }
    machine.write_frame(at);
    begin_block(machine.state, machine.rules.layout.len, &BlockSeats { seats, count, secretly }, at);
    machine.memory.log.begin_try();
    let values = &mut machine.memory.values;
    values.active.listed = false;
    values.snapshot.clone_from(&values.current);
    act_as(machine, 0, at);
    Ok(())
}

/// The body begins for one of those who take part, by number.
fn act_as(machine: &mut Machine<'_>, number: i32, at: &mut Frame) {
    let seat = machine.state.act_as(machine.rules.layout.len, number, at);
    machine.memory.values.view = ReadView::OwnCurrent(seat);
}

/// [`super::op::Op::NextAtOnce`]: somebody has done the body.
pub(crate) fn next_simultaneous(machine: &mut Machine<'_>, body: Pc, at: &mut Frame) -> Result<(), Stop> {
    let (rules, fixed) = (machine.rules, machine.fixed());
    let behind = at.pc;
    let (number, count) = machine.state.place_in_block(fixed);
    if machine.is_collecting_answers() {
        restore(machine);
        if number == 0 {
            machine.state.apply_answers(fixed);
        }
        act_as(machine, (number - 1).max(0), at);
        return Ok(());
    }
    if number + 1 < count {
        act_as(machine, number + 1, at);
        return Ok(());
    }
    debug_assert_eq!(machine.state.body_of_block(fixed), body);
    at.pc = behind;
    at.env.me = machine.state.me_outside_of_block(fixed);
    machine.memory.values.view = ReadView::Current;
    // What was worked out while others were read as they were.
    let mut changed = std::mem::take(&mut machine.memory.values.current.changed);
    for index in changed.drain(..).map(|index| index as usize) {
        if machine.state.cells()[index] != machine.state.snapshot()[index] {
            machine.note_change(index, rules.layout.class_of[index]);
        }
    }
    machine.memory.values.current.changed = changed;
    after_block(machine)?;
    machine.state.end_block(fixed, push_deferred);
    Ok(())
}

fn after_block(machine: &mut Machine<'_>) -> Result<(), Stop> {
    machine.memory.dirty.checks = true;
    checks::after_change(machine)
}

/// All is as it was when the block began, but for the answers given.
fn restore(machine: &mut Machine<'_>) {
    machine.state.restore_snapshot(machine.rules.layout.len);
    let Memory { values, dirty, queue, log, .. } = &mut *machine.memory;
    values.current.clone_from(&values.snapshot);
    values.active.stale |= values.active.listed;
    (dirty.checks, dirty.room) = (true, true);
    queue.clear();
    log.undo_draws();
}

/// Somebody has a choice while the bodies are tried: the questions are put first, from the last seat on.
pub(crate) fn ask_all_first(machine: &mut Machine<'_>) -> Frame {
    let fixed = machine.fixed();
    machine.memory.log.forget_try();
    machine.state.collect_answers(fixed);
    restore(machine);
    let mut at = machine.read_frame();
    let last = machine.state.place_in_block(fixed).1 - 1;
    act_as(machine, last, &mut at);
    at
}
