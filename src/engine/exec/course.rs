//! The course of a game between turns: rounds, passes through phases, the end. Only the header is written, and what lasts no longer.

use super::control::MAX_PASSES;
use crate::decision::Stop;
use crate::eval::Env;
use crate::idle;
use crate::lifetimes;
use crate::op::Pc;
use crate::ruleset::{Lifetime, NodeId};
use crate::state::Frame;
use crate::store::Store;
use crate::turn_stage::{self, TurnStage};
use houserule_state::layout::head;

/// Counts a pass through a phase, or jumps when its condition holds.
pub(super) fn next_pass(store: &mut Store<'_>, condition: NodeId, end: Pc, frame: &mut Frame) -> Result<(), Stop> {
    if store.eval(condition, &mut frame.env) != 0 {
        frame.pc = end;
        return Ok(());
    }
    let passes = i64::from(store.state.cells()[head::PASSES]);
    if passes >= MAX_PASSES {
        return Err(Stop::fault(format!("this phase has been gone through {MAX_PASSES} times, and its `until` never became true")));
    }
    store.put(head::PASSES, passes + 1)
}

/// Begins a round.
pub(super) fn begin_round(store: &mut Store<'_>) -> Result<(), Stop> {
    store.add(head::ROUND, 1)?;
    store.put(head::TURN, 0)?;
    store.put(head::TURN_PLACE, 0)?;
    lifetimes::clear_lifetime(store, Lifetime::Round)?;
    let round = store.state.round();
    store.log_line(|| format!("round {round}"));
    Ok(())
}

/// Ends an action; one that is not free uses up an action of the turn.
pub(super) fn end_action(store: &mut Store<'_>, free: bool) -> Result<(), Stop> {
    lifetimes::clear_lifetime(store, Lifetime::Action)?;
    if free { Ok(()) } else { turn_stage::add_actions(store, -1) }
}

/// Adds an action to the turn that is running.
pub(super) fn play_again(store: &mut Store<'_>) -> Result<(), Stop> {
    if TurnStage::of(store.state.cells()) == TurnStage::Between {
        return Err(Stop::fault("no turn is running that could go on: `play again` belongs in what is done in a turn"));
    }
    turn_stage::add_actions(store, 1)
}

/// Ends a round; jumps to `back` if another one follows.
pub(super) fn end_round(store: &mut Store<'_>, back: Pc, frame: &mut Frame) {
    idle::note_round_ends(store);
    let rounds = store.rules.rounds.map_or(1, |node| store.eval(node, &mut Env::for_seat(0)));
    if i64::from(store.state.round()) < rounds && !store.until_holds() {
        frame.pc = back;
    }
}

/// Ends the game.
pub(super) fn finish(store: &mut Store<'_>) -> Result<(), Stop> {
    store.check_score()?;
    store.put(head::FINISHED, 1)?;
    Err(Stop::Pause)
}
