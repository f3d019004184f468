//! Executes single ops of the rules program: [`execute`] calls one function for each op. What it calls, by family:
//!
//! * `exec/control.rs`: calls, names and loops. They write the running frame and its operands.
//! * `exec/course.rs` and [`turn`]: rounds, passes and turns. They write the header, and end lifetimes.
//! * [`question`], [`picks`], [`payment`], [`scripts`]: what asks a player. They change nothing but their operands before they have the answer.
//! * `exec/changes.rs`: resources, variables, what is shown, the order of seats. They write cells and tell of it.
//! * [`pieces`], [`placing`], [`moves`]: cards. What leaves a place may run other ops: see [`run_consequence`].
//! * [`tokens`]: pools of tokens. [`simultaneous`]: what all players do at once.
//!
//! Whoever gets a [`Store`] only reads and changes the state; the checks that are due then are run here, by [`Machine::change`] or, where listeners
//! may follow, by [`check_and_hear`]. When an op has ended, frames are queued only if the next op is [`Op::Waiting`], which runs them, and checks are due only if they are off, or if an action or a
//! turn has ended: what that clears is checked with the next change.

mod changes;
mod control;
mod course;

use super::decision::Stop;
use super::eval::Env;
use super::machine::{Machine, OPS_OF_A_SCRIPT};
use super::op::{Op, Pc};
use super::scripts::{self, NoScripts, Scripts};
use super::state::Frame;
use super::store::Store;
use super::{
    chance, checks, dealing, idle, listeners, locals, moves, payment, picks, pieces, placing, question, secrecy, simultaneous, tokens,
    turn, turn_stage, waiting,
};
use crate::cast;
use houserule_state::layout::head;

/// The most levels of nested native consequences.
const MAX_NESTED: u32 = 16;

/// Executes one op. The program counter of the frame already points to the next op.
#[inline(always)]
pub(crate) fn run_op(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    if machine.store.rules.secrets.is_empty() {
        execute(machine, scripts, op, frame)
    } else {
        run_op_of_secrets(machine, scripts, op, frame)
    }
}

/// Executes one op of rules with hidden values.
#[inline(never)]
pub(crate) fn run_op_of_secrets(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    let secrecy = secrecy::prepare(&mut machine.store, op, Pc(frame.pc.0 - 1), &mut frame.env)?;
    let outer = std::mem::replace(&mut machine.store.live.running.secrecy, secrecy);
    let done = execute(machine, scripts, op, frame);
    machine.store.live.running.secrecy = outer;
    done
}

/// Executes one op of rules without hidden values.
#[inline(always)]
pub(crate) fn execute(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    let store = &mut machine.store;
    match *op {
        Op::Jump { to } => frame.pc = to,
        Op::Unless { condition, to } => control::unless(store, condition, to, frame),
        Op::Return => *frame = store.leave(),
        Op::Call { effect, ref args } => return control::call(store, effect, args, frame),
        Op::Let { local, value, private, .. } => return locals::set_local(store, local, value, private, &mut frame.env),
        Op::LetRandom { local, set, .. } => return chance::set_random_card(store, local, set, &mut frame.env),
        Op::LetChance { local, chance, .. } => return chance::set_random(store, local, chance, (frame.pc, &mut frame.env)),
        Op::EachWord => store.state.push(0),
        Op::NextWord { local, words, end } => control::next_word(store, local, words, end, frame),
        Op::EachNumber { from, to } => return control::each_number(store, from, to, &mut frame.env),
        Op::NextNumber { local, end } => control::next_number(store, local, end, frame),
        Op::EachCard { set } => control::each_card(store, set, &mut frame.env),
        Op::NextCard { local, end } => control::next_card(store, local, end, frame),
        Op::Repeat { times } => control::repeat(store, times, &mut frame.env),
        Op::NextTime { end } => control::next_time(store, end, frame),
        Op::Until { condition, end } => return control::until(store, condition, end, frame),
        Op::EachPlayer { whom, direction, from } => control::each_player(store, whom, (direction, from), &mut frame.env),
        Op::NextPlayer { filter, end } => control::next_player(store, filter, end, frame),
        Op::As { seat, end } => control::begin_as(store, seat, end, frame),
        Op::EndAs => frame.env.me = cast::index(store.state.pop()),
        Op::Waiting => return waiting::run_waiting(store, frame),

        Op::Simultaneous { whom, filter, secretly, end } => {
            if simultaneous::begin(store, (whom, filter), secretly, end, frame)? {
                return checks::after_change(machine);
            }
        }
        Op::NextSimultaneous { body } => {
            if simultaneous::next(store, body, frame) {
                checks::after_change(machine)?;
                simultaneous::end(&mut machine.store);
            }
        }

        Op::Part { part } => {
            store.put(head::PROGRAM, i64::from(part))?;
            machine.memory.run.rest()?;
            frame.env = Env::for_seat(cast::index(machine.store.state.cells()[head::ORDER]));
        }
        Op::Rest => return machine.memory.run.rest(),
        Op::BeginPasses => return store.put(head::PASSES, 0),
        Op::NextPass { condition, end } => return course::next_pass(store, condition, end, frame),
        Op::Deal => {
            dealing::put_all_dealt(machine)?;
            return hear(&mut machine.store, frame);
        }
        Op::Round => {
            machine.change(course::begin_round)?;
            idle::note_round_begins(&mut machine.store);
        }
        Op::End { lifetime } => return machine.change(|store| super::lifetimes::clear_lifetime(store, lifetime)),
        Op::Turn { turns } => return turn::run_turn(machine, turns, frame),
        Op::Acted { free } => return course::end_action(store, free),
        Op::PlayAgain => return course::play_again(store),
        Op::EndNow { what } => return machine.change(|store| course::end_now(store, what, frame)),
        Op::RoundEnd { back } => course::end_round(store, back, frame),
        Op::Finish => return course::finish(store),

        Op::Ask { question, list } => return question::ask_rules(machine, question, list, frame),
        Op::Picks { question, least, most } => picks::begin_picks(store, question, (least, most), &mut frame.env),
        Op::NextPick { question, list } => return picks::next_pick(machine, question, list, frame),
        Op::PickTokens { pick } => picks::begin_token_picks(store, pick, &mut frame.env),
        Op::NextToken { pick, end } => return picks::next_token_pick(machine, pick, end, frame),
        Op::Mix { amount, mix } => return payment::begin_mix(store, amount, mix, &mut frame.env),
        Op::NextUnit { mix } => {
            payment::next_unit(machine, mix, frame.env.me)?;
            return check_and_hear(machine, frame);
        }
        Op::Spend { ref cost } => return payment::begin_spending(store, cost, frame),
        Op::NextPayer { from, to } => {
            payment::next_payer(machine, from, to, frame.env.me)?;
            return checks::after_change(machine);
        }
        Op::AskFirst { ask, no } => return scripts::ask_first(machine, ask, no, frame),
        Op::Script { script } => {
            machine.memory.run.burn(OPS_OF_A_SCRIPT)?;
            scripts::run_script(machine, scripts, script, &frame.env)?;
            return check_and_hear(machine, frame);
        }

        Op::Gain { amount, resource } => return machine.change(|store| changes::gain(store, amount, resource, &mut frame.env)),
        Op::Lose { amount, resource, name } => {
            let follows = machine.change(|store| changes::lose(store, amount, resource, name, &mut frame.env))?;
            if let Some(item) = follows {
                return waiting::start_frame(&mut machine.store, frame, item);
            }
        }
        Op::Pay { amount, resource } => {
            changes::pay(store, amount, resource, &mut frame.env)?;
            return check_and_hear(machine, frame);
        }
        Op::Costs { choice } => {
            changes::pay_costs_of(store, choice, &mut frame.env)?;
            return check_and_hear(machine, frame);
        }
        Op::ExpectPaid { lacking } => return changes::expect_paid(store, lacking, &mut frame.env),
        Op::PayCard => {
            changes::pay_card(store, &mut frame.env)?;
            return check_and_hear(machine, frame);
        }
        Op::PayFirst { ref costs } => {
            changes::pay_costs(store, costs.iter().copied(), &mut frame.env)?;
            return check_and_hear(machine, frame);
        }
        Op::Write { ref written } => return machine.change(|store| changes::write(store, written, &mut frame.env)),
        Op::WriteWord { of, offset, word, is_in } => {
            return machine.change(|store| changes::write_word(store, of, offset.into(), (word, is_in), &mut frame.env));
        }
        Op::Show { set, to } => return machine.change(|store| changes::show(store, set, to, &mut frame.env)),
        Op::ShowCard { card, to } => return machine.change(|store| changes::show_card(store, card, to, &mut frame.env)),
        Op::ShowPart { card, clue, whether, to } => {
            return machine.change(|store| changes::show_part(store, (card, clue), whether, to, &mut frame.env));
        }
        Op::ShowValue { secret, owner, to } => {
            return machine.change(|store| changes::show_value(store, secret, owner, to, &mut frame.env));
        }
        Op::OrderBy { ref keys } => return machine.change(|store| changes::order_by(store, keys)),
        Op::OrderFrom { holds } => {
            if machine.change(|store| changes::order_from(store, holds, &frame.env))? {
                return turn_stage::begin_anew(&mut machine.store);
            }
        }
        Op::OrderReversed => return machine.change(changes::order_reversed),
        Op::OrderRandom => return machine.change(changes::order_random),

        Op::PlaceInSlot { card } => return placing::place_in_slot(machine, card, &mut frame.env),
        Op::PlaceIn { card, place, how, owner } => return placing::place_in(machine, card, (place, owner), how, &mut frame.env),
        Op::PlaceAt { card, map, position } => return pieces::place_at(machine, card, map, position, &mut frame.env),
        Op::PlaceInRow { card, map, row, column } => return pieces::place_in_row(machine, card, map, (row, column), &mut frame.env),
        Op::Draw { deck, pile, from_bottom, to, name, owner } => {
            return pieces::draw_card(machine, (deck, pile, from_bottom), (to, owner), name, frame);
        }
        Op::Fill { grid, deck, pile } => return pieces::fill(machine, grid, deck, pile, &mut frame.env),
        Op::RemoveSet { set } => return pieces::remove_set(machine, set, &mut frame.env),
        Op::Remove { card } => {
            if let Ok(card) = usize::try_from(store.eval(card, &mut frame.env)) {
                return moves::remove(machine, card);
            }
        }
        Op::MoveRow { grid, from, to } => return pieces::move_row(machine, grid, from, to, &mut frame.env),
        Op::PassOn { place, direction } => return pieces::pass_on(machine, usize::from(place), direction),
        Op::Shuffle { set, stacking, deck, pile } => return pieces::shuffle(machine, set, stacking, (deck, pile), &mut frame.env),
        Op::Swap { a, b } => return pieces::swap(machine, a, b, &mut frame.env),
        Op::Put { card, field, to } => return pieces::put_printed(machine, card, field, to, &mut frame.env),
        Op::PutNamed { ref definitions, to } => return pieces::put_copies(machine, definitions, usize::from(to), frame.env.me),

        Op::Moment { moment, card } => {
            let card = cast::fit::<i32>(card.map_or(-1, |card| store.eval(card, &mut frame.env)));
            listeners::raise(store, moment, frame.env.me, card);
            return hear(store, frame);
        }
        Op::CardActs { card } => return control::begin_card_action(store, card, frame),

        Op::Take { amount: Some(amount), at_random: true, set, from, to } => {
            return machine.change(|store| tokens::take_at_random(store, amount, set, (from, to), &mut frame.env));
        }
        Op::Take { amount, set, from, to, at_random: _ } => {
            return machine.change(|store| tokens::take_tokens(store, amount, set, (from, to), &mut frame.env));
        }
        Op::MoveOne { local, to } => return machine.change(|store| tokens::move_picked(store, local, to, &frame.env)),
        Op::Lift { set, pool } => return machine.change(|store| tokens::turn_blank(store, set, pool, &mut frame.env)),
        Op::LiftOne { local } => return machine.change(|store| tokens::turn_picked_blank(store, local, &frame.env)),
        Op::Roll { pool } => return machine.change(|store| tokens::roll(store, pool, frame.env.me)),
    }
    Ok(())
}

/// Ends an op that may have queued listeners. If the queue is empty, the next op [`Op::Waiting`] is skipped; otherwise the queue moves to
/// the stack.
#[inline]
fn hear(store: &mut Store<'_>, frame: &mut Frame) -> Result<(), Stop> {
    if store.live.queue.is_empty() {
        frame.pc = frame.pc.next();
        return Ok(());
    }
    waiting::push_waiting(store)
}

/// Ends an op that has changed the state and may have queued listeners.
#[inline]
fn check_and_hear(machine: &mut Machine<'_>, frame: &mut Frame) -> Result<(), Stop> {
    checks::after_change(machine)?;
    hear(&mut machine.store, frame)
}

/// Executes the native consequence of a piece leaving its place to its end. It must not ask, call scripts or be heard by listeners.
///
/// # Errors
/// Faults of the consequence, and any of these violations.
pub(crate) fn run_consequence(machine: &mut Machine<'_>, pc: Pc, env: Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    if machine.memory.run.native_depth >= MAX_NESTED {
        return Err(Stop::fault(format!("native consequences set each other off more than {MAX_NESTED} deep")));
    }
    let store = &mut machine.store;
    let (view, caller, queued) = (store.live.values.view, store.state.cells()[head::FRAME], store.live.queue.len());
    store.state.push_frame()?;
    let mut frame = Frame { pc, env };
    machine.memory.run.native_depth += 1;
    machine.memory.run.suppressed += 1;
    let mut result = Ok(());
    while result.is_ok() && machine.store.state.cells()[head::FRAME] != caller {
        let op = &rules.ops.all[frame.pc.0 as usize];
        frame.pc = frame.pc.next();
        result = machine.memory.run.burn(1).and_then(|()| run_op(machine, &mut NoScripts, op, &mut frame));
    }
    machine.memory.run.suppressed -= 1;
    machine.memory.run.native_depth -= 1;
    machine.store.live.values.view = view;
    if result == Err(Stop::Ask) {
        machine.memory.pending = None;
        return Err(
            Stop::fault("a question came up in a native consequence; only effects may ask").with_owner("", rules.ops.span(frame.pc))
        );
    }
    if result.is_ok() && machine.store.live.queue.len() > queued {
        return Err(Stop::fault("a native consequence cannot be heard; let an effect do it"));
    }
    result
}
