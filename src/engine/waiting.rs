//! Runs queued frames: from the queue of the running op they move to the stack, and from there they start one by one.

use super::decision::Stop;
use super::env::ReadView;
use super::eval::Env;
use super::op::Pc;
use super::queued_frame::{QueuedFrame, WAITING};
use super::state::Frame;
use super::store::Store;
use crate::cast;
use houserule_state::layout::head;

/// The most frames that may wait at the same time; more are a fault.
const MAX_WAITING: i32 = 256;

/// Moves the queue to the stack, for the op [`super::op::Op::Waiting`]: the first frame on top, and above it the number of frames.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn push_waiting(store: &mut Store<'_>) -> Result<(), Stop> {
    let count = store.live.queue.len();
    count_waiting(store, count)?;
    for index in (0..count).rev() {
        let cells = store.live.queue[index].cells();
        store.state.push_all(cells);
    }
    store.live.queue.clear();
    store.state.push(cast::fit::<i32>(count));
    Ok(())
}

/// Counts additional waiting frames.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn count_waiting(store: &mut Store<'_>, more: usize) -> Result<(), Stop> {
    let waiting = store.state.cells()[head::WAITING] + cast::fit::<i32>(more);
    store.state.write(head::WAITING, waiting);
    if too_many_wait(store) {
        return Err(Stop::fault(format!(
            "more than {MAX_WAITING} effects wait for each other; cards may be setting each other off for ever"
        )));
    }
    Ok(())
}

/// Whether more frames wait than are allowed.
pub(crate) fn too_many_wait(store: &Store<'_>) -> bool {
    store.state.cells()[head::WAITING] > MAX_WAITING
}

/// [`super::op::Op::Waiting`]: starts the next waiting frame from the stack, and repeats the op when that has ended, until none is left.
///
/// # Errors
/// A stack overflow.
pub(crate) fn run_waiting(store: &mut Store<'_>, frame: &mut Frame) -> Result<(), Stop> {
    let left = store.state.pop();
    if left == 0 {
        return Ok(());
    }
    frame.pc = Pc(frame.pc.0 - 1);
    let from = store.state.top() - WAITING;
    let item = QueuedFrame::from_cells(&store.state.cells()[from..]);
    store.state.drop_from(from);
    store.state.push(left - 1);
    store.state.write(head::WAITING, store.state.cells()[head::WAITING] - 1);
    start_frame(store, frame, item)
}

/// Starts a frame on top of the running one. In a simultaneous block, the frame reads the current cells of its own seat.
///
/// # Errors
/// A stack overflow.
pub(crate) fn start_frame(store: &mut Store<'_>, frame: &mut Frame, item: QueuedFrame) -> Result<(), Stop> {
    store.enter(frame, item.pc, Env::with_locals(item.me as usize, &item.locals))?;
    if !store.reads_current() {
        store.live.values.view = ReadView::OwnCurrent(item.me);
    }
    Ok(())
}

/// Makes a frame wait until the end of the simultaneous block.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn defer(store: &mut Store<'_>, item: QueuedFrame) -> Result<(), Stop> {
    if !store.is_collecting_answers() {
        count_waiting(store, 1)?;
        store.state.defer(&item.cells());
    }
    Ok(())
}
