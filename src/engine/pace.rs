//! How far the loop may go: to where the state is at rest, and not for ever.

use super::decision::Stop;
use super::machine::Machine;

/// Ops between two decisions; more are taken for something that never ends.
pub(crate) const MAX_OPS: u32 = 1_000_000;
/// A script counts as so many ops.
pub(crate) const OPS_OF_A_SCRIPT: u32 = 100;

/// The state is at rest: stops, if this is as far as it was to go.
#[inline]
pub(crate) fn rest(machine: &mut Machine<'_>) -> Result<(), Stop> {
    match &mut machine.memory.run.rests {
        None => Ok(()),
        Some(0) => Err(Stop::Pause),
        Some(left) => {
            *left -= 1;
            Ok(())
        }
    }
}

/// Uses up some of the ops that may be run before the next question.
#[inline]
pub(crate) fn burn(machine: &mut Machine<'_>, ops: u32) -> Result<(), Stop> {
    match machine.memory.run.fuel.checked_sub(ops) {
        Some(left) => {
            machine.memory.run.fuel = left;
            Ok(())
        }
        None => Err(Stop::fault(format!("after {MAX_OPS} steps nobody has been asked anything; a rule or card may never come to an end"))),
    }
}
