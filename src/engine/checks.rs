//! State-based checks: they run after every change, and repeat until they change nothing more.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::moves;
use super::ruleset::Check;
use crate::cast;
use houserule_state::layout::TABLE;

/// The most times the checks may repeat after one change; more is a fault.
const MAX_CHECKS: usize = 256;

/// Runs the state-based checks if a change made them due. They are off during simultaneous blocks and while several steps form one change.
#[inline]
pub fn after_change(machine: &mut Machine<'_>) -> Result<(), Stop> {
    if machine.memory.dirty.checks && machine.memory.run.suppressed == 0 && machine.reads_current() { check(machine) } else { Ok(()) }
}

fn check(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.rules;
    machine.memory.run.suppressed += 1;
    let mut rounds = 0;
    let mut result = Ok(());
    while machine.memory.dirty.checks && result.is_ok() {
        machine.memory.dirty.checks = false;
        rounds += 1;
        if rounds > MAX_CHECKS {
            result = Err(Stop::fault("state-based checks never come to rest"));
            break;
        }
        for check in &rules.checks {
            result = match check {
                Check::Leaving => check_leaving(machine),
                Check::Room => check_room(machine),
            };
            if result.is_err() {
                break;
            }
        }
    }
    machine.memory.run.suppressed -= 1;
    result
}

fn check_leaving(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.rules;
    machine.evaluator().refresh_active();
    machine.evaluator().watch_entries(|definition| definition.leaves_when.is_some());
    if machine.memory.values.active.leavers().is_empty() {
        return Ok(());
    }
    let mut leaving = std::mem::take(&mut machine.memory.scratch.cards);
    leaving.clear();
    for i in 0..machine.memory.values.active.leavers().len() {
        let active = machine.memory.values.active.leavers()[i];
        let Some(when) = rules.definition(active.piece.index()).leaves_when else { continue };
        let me = if active.owner == TABLE { 0 } else { active.owner as usize };
        if machine.holds(when, &mut Env::with_locals(me, &[active.piece.local(), active.piece.local()])) {
            leaving.push(active.piece.local());
        }
    }
    let left = leaving.iter().try_for_each(|&card| moves::remove(machine, cast::index(card)));
    machine.memory.scratch.cards = leaving;
    left
}

fn check_room(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.rules;
    if !std::mem::take(&mut machine.memory.dirty.room) {
        return Ok(());
    }
    for declared in rules.places.iter().filter(|p| p.of_seat && p.limit.is_some()) {
        for seat in 0..rules.players {
            let instance = declared.first_instance as usize + seat;
            if machine.position().pieces_in(instance) == 0 {
                continue;
            }
            let limit = cast::index(declared.limit.map_or(0, |q| machine.quantity(q, seat, [-1; 2])).max(0));
            // Surplus cards are removed from the last slot on.
            for slot in (0..rules.layout.places[instance].room as usize).rev() {
                if machine.position().pieces_in(instance) <= limit {
                    break;
                }
                if let Some(card) = machine.position().piece_at(instance, slot) {
                    moves::remove(machine, card)?;
                }
            }
        }
    }
    Ok(())
}
