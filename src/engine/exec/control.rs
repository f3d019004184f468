//! Calls, loops and whose turn it is to act. Each function leaves the frame at the op that comes next, and the operands of the loops around its own
//! as they were; those of its own are counted on, and popped when the loop ends.

use crate::decision::Stop;
use crate::eval::Env;
use crate::op::{Direction, Pc, Whom};
use crate::ruleset::NodeId;
use crate::state::{Frame, card_of_operand, operand_of_card};
use crate::store::Store;
use crate::{cast, chance, seats, sets};

/// The most passes through a loop over numbers, or through a phase that is repeated; more are a fault.
pub(super) const MAX_PASSES: i64 = 1000;

/// Jumps if a condition does not hold.
#[inline]
pub(super) fn unless(store: &mut Store<'_>, condition: NodeId, to: Pc, frame: &mut Frame) {
    if store.eval(condition, &mut frame.env) == 0 {
        frame.pc = to;
    }
}

/// Calls an effect with arguments.
pub(super) fn call(store: &mut Store<'_>, effect: u16, args: &[NodeId], frame: &mut Frame) -> Result<(), Stop> {
    let rules = store.rules;
    if rules.hidden.chances.handed(effect) != 0 {
        chance::check_handed(store, effect, args, frame.pc, &frame.env)?;
    }
    let mut callee = Env::for_seat(frame.env.me);
    callee.locals[0] = frame.env.locals[0];
    for (local, arg) in callee.locals[1..].iter_mut().zip(args) {
        let value = store.eval(*arg, &mut frame.env);
        *local = i32::try_from(value).map_err(|_| Stop::fault(format!("{value} is too large to be handed to an effect")))?;
    }
    store.enter(frame, rules.effects[usize::from(effect)].first_op, callee)
}

/// Starts the action printed on a card.
pub(super) fn begin_card_action(store: &mut Store<'_>, card: NodeId, frame: &mut Frame) -> Result<(), Stop> {
    let card = store.eval(card, &mut frame.env);
    let rules = store.rules;
    let Some(action) = usize::try_from(card).ok().and_then(|card| rules.definition(card).action.as_ref()) else { return Ok(()) };
    let (me, card) = (frame.env.me, cast::fit::<i32>(card));
    store.enter(frame, action.first_op, Env::with_locals(me, &[card, card, cast::fit::<i32>(me)]))
}

/// Stores the next number of a list.
pub(super) fn next_word(store: &mut Store<'_>, local: u8, words: u32, end: Pc, frame: &mut Frame) {
    let index = store.state.operand(0);
    match store.rules.ops.words[words as usize].get(cast::index(*index)) {
        Some(&word) => {
            *index += 1;
            frame.env.locals[usize::from(local)] = word;
        }
        None => {
            store.state.pop();
            frame.pc = end;
        }
    }
}

/// Begins a loop over numbers. Operands pushed: the last number, and how many are left.
pub(super) fn each_number(store: &mut Store<'_>, from: NodeId, to: NodeId, env: &mut Env) -> Result<(), Stop> {
    let (from, to) = (store.eval(from, env), store.eval(to, env));
    let count = to.saturating_sub(from).saturating_add(1).max(0);
    let (Ok(to), true, true) = (i32::try_from(to), i32::try_from(from).is_ok(), count <= MAX_PASSES) else {
        return Err(Stop::fault(format!("this goes through the numbers from {from} to {to}, and {MAX_PASSES} are the most")));
    };
    store.state.push(to);
    store.state.push(cast::fit::<i32>(count));
    Ok(())
}

/// Stores the next number.
pub(super) fn next_number(store: &mut Store<'_>, local: u8, end: Pc, frame: &mut Frame) {
    match store.state.pop() {
        0 => {
            store.state.pop();
            frame.pc = end;
        }
        left => {
            frame.env.locals[usize::from(local)] = *store.state.operand(0) - (left - 1);
            store.state.push(left - 1);
        }
    }
}

/// Begins a loop over the cards of a set. Operands pushed: the cards, the last first, and how many are left.
pub(super) fn each_card(store: &mut Store<'_>, set: u32, env: &mut Env) {
    let (first, local) = (store.state.top(), usize::from(store.rules.sets[set as usize].local));
    sets::each_card(store, set, env, |store, env| {
        store.state.push(operand_of_card(env.locals[local]));
        true
    });
    store.state.reverse_from(first);
    store.state.push(cast::fit::<i32>(store.state.top() - first));
}

/// Stores the next card.
pub(super) fn next_card(store: &mut Store<'_>, local: u8, end: Pc, frame: &mut Frame) {
    match store.state.pop() {
        0 => frame.pc = end,
        left => {
            let card = store.state.pop();
            frame.env.locals[usize::from(local)] = card_of_operand(card).unwrap_or(-1);
            store.state.push(left - 1);
        }
    }
}

/// Begins a loop with a number of repetitions. Operand pushed: how many are left.
pub(super) fn repeat(store: &mut Store<'_>, times: NodeId, env: &mut Env) {
    let times = store.eval(times, env);
    store.state.push(cast::fit::<i32>(times.clamp(0, i32::MAX.into())));
}

/// Counts down the repetitions that are left, or jumps to `end` if there are none.
pub(super) fn next_time(store: &mut Store<'_>, end: Pc, frame: &mut Frame) {
    let left = store.state.operand(0);
    if *left > 0 {
        *left -= 1;
    } else {
        store.state.pop();
        frame.pc = end;
    }
}

/// Jumps when a condition holds.
pub(super) fn until(store: &mut Store<'_>, condition: NodeId, end: Pc, frame: &mut Frame) -> Result<(), Stop> {
    if store.eval(condition, &mut frame.env) != 0 {
        store.state.pop();
        frame.pc = end;
        return Ok(());
    }
    let left = store.state.operand(0);
    if *left <= 0 {
        return Err(Stop::fault("this `repeat until` never became true in 1000 passes"));
    }
    *left -= 1;
    Ok(())
}

/// Begins a loop over players. Operands pushed: the current seat, and those of [`seats::push_seats`].
pub(super) fn each_player(store: &mut Store<'_>, whom: Whom, (direction, from): (Direction, Option<NodeId>), env: &mut Env) {
    let from = from.and_then(|from| store.seat_of(from, env));
    store.state.push(cast::fit::<i32>(env.me));
    seats::push_seats(store, (direction, from), whom, env.me);
}

/// Makes the next player for whom the filter holds the current seat.
pub(super) fn next_player(store: &mut Store<'_>, filter: Option<NodeId>, end: Pc, frame: &mut Frame) {
    while let Some(seat) = seats::next_seat(store) {
        frame.env.me = seat;
        if store.holds_if(filter, &mut frame.env) {
            return;
        }
    }
    frame.env.me = cast::index(store.state.pop());
    frame.pc = end;
}

/// Makes another seat the current one, and pushes the one that was.
pub(super) fn begin_as(store: &mut Store<'_>, seat: NodeId, end: Pc, frame: &mut Frame) {
    match store.seat_of(seat, &mut frame.env) {
        Some(seat) => {
            store.state.push(cast::fit::<i32>(frame.env.me));
            frame.env.me = seat;
        }
        None => frame.pc = end,
    }
}
