//! Limits of the main loop: points of rest, and the number of ops between two questions.

use super::decision::Stop;
use super::machine::Machine;

/// The most ops between two questions; more are taken for an endless loop.
pub(crate) const MAX_OPS: u32 = 1_000_000;
/// The number of ops as which a call of a script counts.
pub(crate) const OPS_OF_A_SCRIPT: u32 = 100;

/// Counts a point of rest, and pauses if no more were allowed.
#[inline]
pub(crate) fn rest(machine: &mut Machine<'_>) -> Result<(), Stop> {
    match &mut machine.memory.run.rests_left {
        None => Ok(()),
        Some(0) => Err(Stop::Pause),
        Some(left) => {
            *left -= 1;
            Ok(())
        }
    }
}

/// Consumes some of the ops allowed before the next question.
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
