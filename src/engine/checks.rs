//! State-based checks: they run after every change, and repeat until they change nothing more.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::moves;
use super::ruleset::Check;
use super::store::Store;
use crate::cast;
use houserule_state::layout::TABLE;

/// The most times the checks may repeat after one change; more is a fault.
const MAX_CHECKS: usize = 256;

impl<'a> Machine<'a> {
    /// Changes the state, and runs the checks that are due then.
    ///
    /// # Errors
    /// A fault of the change or of a check.
    #[inline]
    pub fn change<T>(&mut self, change: impl FnOnce(&mut Store<'a>) -> Result<T, Stop>) -> Result<T, Stop> {
        let done = change(&mut self.store)?;
        after_change(self)?;
        Ok(done)
    }
}

/// Runs the state-based checks if a change made them due. They are off during simultaneous blocks and while several steps form one change.
#[inline]
pub fn after_change(machine: &mut Machine<'_>) -> Result<(), Stop> {
    if machine.store.live.dirty.checks && machine.memory.run.suppressed == 0 && machine.store.reads_current() {
        check(machine)
    } else {
        Ok(())
    }
}

fn check(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.store.rules;
    machine.without_checks(|machine| {
        let mut rounds = 0;
        while std::mem::take(&mut machine.store.live.dirty.checks) {
            rounds += 1;
            if rounds > MAX_CHECKS {
                return Err(Stop::fault("state-based checks never come to rest"));
            }
            for check in &rules.checks {
                match check {
                    Check::Leaving => check_leaving(machine)?,
                    Check::Room => check_room(machine)?,
                }
            }
        }
        Ok(())
    })
}

fn check_leaving(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.store.rules;
    machine.store.evaluator().refresh_active();
    machine.store.evaluator().watch_entries(|definition| definition.leaves_when.is_some());
    if machine.store.live.values.active.leavers().is_empty() {
        return Ok(());
    }
    let mut leaving = std::mem::take(&mut machine.store.live.lists.cards);
    leaving.clear();
    for i in 0..machine.store.live.values.active.leavers().len() {
        let active = machine.store.live.values.active.leavers()[i];
        let Some(when) = rules.definition(active.piece.index()).leaves_when else { continue };
        let me = if active.owner == TABLE { 0 } else { active.owner as usize };
        if machine.store.holds(when, &mut Env::with_locals(me, &[active.piece.local(), active.piece.local()])) {
            leaving.push(active.piece.local());
        }
    }
    let left = leaving.iter().try_for_each(|&card| moves::remove(machine, cast::index(card)));
    machine.store.live.lists.cards = leaving;
    left
}

fn check_room(machine: &mut Machine<'_>) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let due = std::mem::take(&mut machine.store.live.dirty.room);
    if due == 0 {
        return Ok(());
    }
    for declared in rules.places.iter().filter(|p| p.of_seat && p.limit.is_some()) {
        for seat in (0..rules.players).filter(|seat| due >> seat & 1 == 1) {
            let instance = declared.first_instance as usize + seat;
            if machine.store.position().pieces_in(instance) == 0 {
                continue;
            }
            let limit = cast::index(declared.limit.map_or(0, |q| machine.store.quantity(q, seat, [-1; 2])).max(0));
            // Surplus cards are removed from the last slot on.
            for slot in (0..rules.layout.places[instance].room as usize).rev() {
                if machine.store.position().pieces_in(instance) <= limit {
                    break;
                }
                if let Some(card) = machine.store.position().piece_at(instance, slot) {
                    moves::remove(machine, card)?;
                }
            }
        }
    }
    Ok(())
}
