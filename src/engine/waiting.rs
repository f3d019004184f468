//! Runs queued frames: from the queue of the running op they move to the stack, and from there they start one by one.

use super::decision::Stop;
use super::env::ReadView;
use super::eval::Env;
use super::machine::Machine;
use super::queued_frame::{QueuedFrame, WAITING};
use super::state::Frame;
use crate::cast;
use houserule_state::layout::head;

/// The most frames that may wait at the same time; more are a fault.
const MAX_WAITING: i32 = 256;

/// Moves the queue to the stack, for the op [`super::op::Op::Waiting`]: the first frame on top, and above it the number of frames.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn push_waiting(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let count = machine.memory.queue.len();
    count_waiting(machine, count)?;
    for index in (0..count).rev() {
        let cells = machine.memory.queue[index].cells();
        machine.state.push_all(cells);
    }
    machine.memory.queue.clear();
    machine.state.push(cast::fit::<i32>(count));
    Ok(())
}

/// Counts additional waiting frames.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn count_waiting(machine: &mut Machine<'_>, more: usize) -> Result<(), Stop> {
    let waiting = machine.state.cells()[head::WAITING] + cast::fit::<i32>(more);
    machine.state.write(head::WAITING, waiting);
    if too_many_wait(machine) {
        return Err(Stop::fault(format!(
            "more than {MAX_WAITING} effects wait for each other; cards may be setting each other off for ever"
        )));
    }
    Ok(())
}

/// Whether more frames wait than are allowed.
pub(crate) fn too_many_wait(machine: &Machine<'_>) -> bool {
    machine.state.cells()[head::WAITING] > MAX_WAITING
}

/// Starts the next waiting frame from the stack. Returns whether there was one.
///
/// # Errors
/// A stack overflow.
pub(crate) fn begin_waiting(machine: &mut Machine<'_>, frame: &mut Frame) -> Result<bool, Stop> {
    let left = machine.state.pop();
    if left == 0 {
        return Ok(false);
    }
    let from = machine.state.top() - WAITING;
    let item = QueuedFrame::from_cells(&machine.state.cells()[from..]);
    machine.state.drop_from(from);
    machine.state.push(left - 1);
    machine.state.write(head::WAITING, machine.state.cells()[head::WAITING] - 1);
    start_frame(machine, frame, item)?;
    Ok(true)
}

/// Starts a frame on top of the running one. In a simultaneous block, the frame reads the current cells of its own seat.
///
/// # Errors
/// A stack overflow.
pub(crate) fn start_frame(machine: &mut Machine<'_>, frame: &mut Frame, item: QueuedFrame) -> Result<(), Stop> {
    machine.enter(frame, item.pc, Env::with_locals(item.me as usize, &item.locals))?;
    if !machine.reads_current() {
        machine.memory.values.view = ReadView::OwnCurrent(item.me);
    }
    Ok(())
}

/// Makes a frame wait until the end of the simultaneous block.
///
/// # Errors
/// Too many frames wait.
pub(crate) fn defer(machine: &mut Machine<'_>, item: QueuedFrame) -> Result<(), Stop> {
    if !machine.is_collecting_answers() {
        count_waiting(machine, 1)?;
        machine.state.defer(&item.cells());
    }
    Ok(())
}
