//! Simultaneous blocks (`all players`): every seat executes the same body.
//!
//! A seat reads its own current cells, and all others, the table and ranks as they were at the start. Where the rules say that bodies ask, the
//! questions are asked first: from the last seat to the first, each on the state at the start, to which everything is rolled back after each.
//! When all seats have answered, the bodies are executed in turn order with these answers. Other bodies are executed at once; if one has to ask
//! all the same, such as for a card that has heard it, everything is rolled back, and the questions are asked first.
//! Nothing else in the engine is executed twice.

use super::decision::Stop;
use super::env::ReadView;
use super::flows;
use super::op::Pc;
use super::queued_frame::push_deferred;
use super::ruleset::{Direction, NodeId, Whom};
use super::seats;
use super::state::{BlockSeats, Frame, begin_block};
use super::store::{ALL_SEATS, Live, Store};
use crate::cast;

/// [`super::op::Op::Simultaneous`]: starts a simultaneous block; each seat executes the body that follows, up to the op
/// [`super::op::Op::NextSimultaneous`]. Returns whether nobody takes part, so that the block is over.
///
/// # Errors
/// A block inside another block.
pub(crate) fn begin(
    store: &mut Store<'_>,
    (whom, filter): (Whom, Option<NodeId>),
    secretly: bool,
    end: Pc,
    frame: &mut Frame,
) -> Result<bool, Stop> {
    if !store.reads_current() {
        return Err(Stop::fault("`all players` within `all players`"));
    }
    let (mut seats, mut count) = (0_u64, 0);
    let mut env = frame.env;
    seats::push_seats(store, (Direction::Forward, None), whom, env.me);
    while let Some(seat) = seats::next_seat(store) {
        env.me = seat;
        if store.holds_if(filter, &mut env) {
            seats |= cast::fit::<u64>(seat) << (4 * count);
            count += 1;
        }
    }
    if count == 0 {
        frame.pc = end;
        store.live.dirty.checks = true;
        return Ok(true);
    }
    store.write_frame(frame);
    begin_block(store.state, store.rules.layout.len, &BlockSeats { seats, count, secretly }, frame);
    store.live.log.set_mark();
    store.live.flows.iter_mut().for_each(|recorder| recorder.set_mark());
    let values = &mut store.live.values;
    values.active.begin_block();
    values.kept.begin_block();
    let begin = Pc(frame.pc.0 - 1);
    if store.rules.asking_blocks.binary_search(&begin).is_ok() {
        store.state.collect_answers(store.rules.layout.len);
        act_as(store, count - 1, frame);
    } else {
        act_as(store, 0, frame);
    }
    Ok(false)
}

/// Starts the body for a participant, by its number.
fn act_as(store: &mut Store<'_>, number: i32, frame: &mut Frame) {
    let seat = store.state.act_as(store.rules.layout.len, number, frame);
    store.live.values.view = ReadView::OwnCurrent(seat);
}

/// [`super::op::Op::NextSimultaneous`]: a participant has finished the body; starts the next one. Returns whether there was none: then the
/// block is over, and after the checks comes [`end`].
pub(crate) fn next(store: &mut Store<'_>, body: Pc, frame: &mut Frame) -> bool {
    let stack_start = store.stack_start();
    let behind = frame.pc;
    let (number, count) = store.state.participant(stack_start);
    if store.is_collecting_answers() {
        restore(store);
        if number == 0 {
            store.state.apply_answers(stack_start);
        }
        act_as(store, (number - 1).max(0), frame);
        return false;
    }
    if number + 1 < count {
        act_as(store, number + 1, frame);
        return false;
    }
    debug_assert_eq!(store.state.body_of_block(stack_start), body);
    frame.pc = behind;
    frame.env.me = store.state.outer_seat(stack_start);
    let Live { values, dirty, .. } = &mut *store.live;
    values.view = ReadView::Current;
    values.kept.end_block(store.rules, store.state);
    values.active.end_block();
    dirty.checks = true;
    true
}

/// Ends a block whose bodies have all been executed.
pub(crate) fn end(store: &mut Store<'_>) {
    store.state.end_block(store.rules.layout.len, push_deferred);
}

/// Rolls everything back to the start of the block, except for the answers.
fn restore(store: &mut Store<'_>) {
    store.live.values.kept.restore_block(store.rules, store.state);
    store.state.restore_snapshot(store.rules.layout.len);
    let Live { values, dirty, queue, log, unseen_moves, .. } = &mut *store.live;
    values.active.restore_block();
    (dirty.checks, dirty.room) = (true, ALL_SEATS);
    queue.clear();
    unseen_moves.clear();
    log.restore_draws();
}

/// Switches to collecting answers, because a body has to ask: starts the body of the last participant.
pub(crate) fn ask_all_first(store: &mut Store<'_>) -> Frame {
    let stack_start = store.stack_start();
    store.live.log.truncate_to_mark();
    store.state.collect_answers(stack_start);
    restore(store);
    flows::roll_back(store);
    let mut frame = store.read_frame();
    let last = store.state.participant(stack_start).1 - 1;
    act_as(store, last, &mut frame);
    frame
}
