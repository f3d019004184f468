//! The course of a game between turns: rounds, passes through phases, the end. Only the header is written, and what lasts no longer.

use super::control::MAX_PASSES;
use crate::cast;
use crate::decision::Stop;
use crate::env::ReadView;
use crate::eval::Env;
use crate::idle;
use crate::lifetimes;
use crate::op::{Ending, Pc};
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

/// Ends the turn, the phase, the round or the game that is running: whatever runs or waits is abandoned, and what comes behind it begins.
///
/// # Errors
/// No such thing is running, or all players act at once.
pub(super) fn end_now(store: &mut Store<'_>, what: Ending, frame: &mut Frame) -> Result<(), Stop> {
    if store.state.in_simultaneous_block() {
        return Err(Stop::fault("nothing can end in the middle of what all players do at once"));
    }
    let ops = &store.rules.ops;
    let (part, end) = (cast::fit::<u32>(store.state.program_part()), cast::fit::<u32>(ops.part_count()));
    let phase = store.rules.phases.iter().find(|(_, begin, end)| (*begin..*end).contains(&part));
    let turn = TurnStage::of(store.state.cells());
    let next = match (what, phase) {
        (Ending::Turn, _) if turn != TurnStage::Between => Some(("the turn ends", part)),
        (Ending::Turn, _) | (Ending::Phase | Ending::Round, None) => None,
        (Ending::Phase, Some((_, _, end))) => Some(("the phase ends", *end)),
        // The last two parts of a program end the round and the game.
        (Ending::Round, Some(_)) => Some(("the round ends", end - 2)),
        (Ending::Game, _) => Some(("the game ends", end - 1)),
    };
    let Some((told, next)) = next else {
        let named = match what {
            Ending::Turn => "turn",
            Ending::Phase => "phase",
            Ending::Round => "round",
            Ending::Game => "game",
        };
        return Err(Stop::fault(format!("`end {named}`: no {named} is running that could end")));
    };
    lifetimes::clear_lifetime(store, Lifetime::Action)?;
    match (what, turn) {
        (Ending::Turn, TurnStage::Between) => {}
        // What is done after the turn still is, unless this is what ends it.
        (Ending::Turn, TurnStage::Running { answers, .. }) => TurnStage::Running { left: 0, answers }.write(store)?,
        (Ending::Turn, TurnStage::Ending { answers, .. }) => TurnStage::Ending { left: 0, answers }.write(store)?,
        (Ending::Phase | Ending::Round | Ending::Game, _) => {
            lifetimes::clear_lifetime(store, Lifetime::Turn)?;
            lifetimes::clear_lifetime(store, Lifetime::Step)?;
            TurnStage::Between.write(store)?;
            store.put(head::FROM_FIRST, 0)?;
            store.put(head::TURN_PLACE, 0)?;
        }
    }
    store.log_line(|| told.to_string());
    let begin = ops.parts[next as usize];
    store.state.push_first_frame(store.rules.layout.len, begin);
    store.live.values.view = ReadView::Current;
    *frame = store.read_frame();
    Ok(())
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
