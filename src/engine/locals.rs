//! Local names of blocks. One whose value rests on hidden cards is private: the next local holds the seats that do not know it, and the seat
//! for which it was worked out. In a state that such a seat imagines, it is worked out anew.

use super::decision::Stop;
use super::eval::{Env, plain};
use super::evaluator::Evaluator;
use super::op::LOCALS;
use super::ruleset::{NodeId, Ruleset};
use super::state::{frame_of_block, frames_of};
use super::store::Store;
use super::watch::Watch;
use crate::cast;
use crate::op::Pc;
use houserule_ruleset::hidden::PrivateLocal;

/// The bits of a private local's second local that are seats; above them is the seat for which it was worked out.
const SEATS: u32 = 16;

/// Stores the value of an expression in a local.
///
/// # Errors
/// The value does not fit.
pub(crate) fn set_local(store: &mut Store<'_>, local: u8, value: NodeId, private: bool, env: &mut Env) -> Result<(), Stop> {
    let found = store.eval(value, env);
    let unknown_to = if private { seats_without(store, value, env) } else { 0 };
    env.locals[local as usize] = i32::try_from(found).map_err(|_| Stop::fault(format!("{found} is too large to be kept under a name")))?;
    if private {
        env.locals[local as usize + 1] = unknown_to | cast::fit::<i32>(env.me) << SEATS;
    }
    Ok(())
}

/// Returns the seats that cannot know a value, as a bit set.
pub(crate) fn seats_without(store: &mut Store<'_>, value: NodeId, env: &Env) -> i32 {
    let rules = store.rules;
    if rules.hidden.exposures.is_known_to_all(rules, value, &env.locals) {
        return 0;
    }
    seats_that_miss(store, |eval| _ = plain::evaluate(eval, value, env))
}

/// Returns the seats that cannot know which cards or spaces are in a set, as a bit set.
pub(crate) fn seats_without_set(store: &mut Store<'_>, set: u32, env: &Env) -> i32 {
    let rules = store.rules;
    if rules.hidden.exposures.is_set_known_to_all(rules, &rules.sets[set as usize], &env.locals) {
        return 0;
    }
    seats_that_miss(store, |eval| _ = plain::cards_in(eval, set, env))
}

fn seats_that_miss(store: &mut Store<'_>, walk: impl FnOnce(&mut Evaluator<'_>)) -> i32 {
    let all = Watch::for_all(store.rules.players);
    let outside = std::mem::replace(&mut store.live.values.watch, all);
    store.evaluator().record_reads(|eval| walk(eval));
    std::mem::replace(&mut store.live.values.watch, outside).missing()
}

/// Removes the private values that a seat does not know from the frames of a state, and from a block of all players.
pub(crate) fn hide_private(rules: &Ruleset, cells: &mut [i32], before: &mut [i32], seat: usize) {
    if rules.hidden.private.is_empty() {
        return;
    }
    for (at, pc) in frames_of(rules, cells) {
        hide_in_frame(rules, &mut cells[at..], pc, seat);
    }
    if let Some((at, pc)) = frame_of_block(rules, before) {
        hide_in_frame(rules, &mut before[at..], pc, seat);
    }
}

fn hide_in_frame(rules: &Ruleset, locals: &mut [i32], pc: Pc, seat: usize) {
    for private in rules.hidden.private_at(pc) {
        if is_unknown(locals, private, seat) {
            locals[private.local as usize] = 0;
        }
    }
}

fn is_unknown(locals: &[i32], private: &PrivateLocal, seat: usize) -> bool {
    locals[private.local as usize + 1] >> seat & 1 == 1
}

/// Works out the private values that a seat does not know anew, in a state that it imagines.
pub(crate) fn imagine_private(store: &mut Store<'_>, seat: usize) {
    let rules = store.rules;
    if rules.hidden.private.is_empty() {
        return;
    }
    let frames = frames_of(rules, store.state.cells()).into_iter().map(|frame| (false, frame));
    let of_block = frame_of_block(rules, store.state.snapshot()).map(|frame| (true, frame));
    for (is_before, (at, pc)) in frames.chain(of_block) {
        let cells = if is_before { store.state.snapshot() } else { store.state.cells() };
        let mut locals = std::array::from_fn(|local| cells[at + local]);
        imagine_in_frame(store, &mut locals, pc, seat);
        let (cells, before) = store.state.parts_mut();
        let cells = if is_before { before } else { cells };
        cells[at..at + LOCALS].copy_from_slice(&locals);
    }
}

fn imagine_in_frame(store: &mut Store<'_>, locals: &mut [i32; LOCALS], pc: Pc, seat: usize) {
    let rules = store.rules;
    for private in rules.hidden.private_at(pc) {
        if is_unknown(locals, private, seat) {
            let mut env = Env::with_locals(cast::index(locals[private.local as usize + 1] >> SEATS), locals);
            let value = store.eval(private.value, &mut env);
            store.live.values.discard_arithmetic_error();
            locals[private.local as usize] = i32::try_from(value).unwrap_or(0);
        }
    }
}
