//! Executes single ops of the rules program.

use super::change;
use super::checks;
use super::dealing;
use super::decision::Stop;
use super::eval::Env;
use super::idle;
use super::lifetimes;
use super::limits;
use super::listeners;
use super::machine::Machine;
use super::moves;
use super::op::{ANSWER, Op, Pc};
use super::payment;
use super::picks;
use super::pieces;
use super::placing::{self, Cover};
use super::question;
use super::ruleset::{Lifetime, NodeId};
use super::scripts::{self, Scripts};
use super::seats;
use super::secrecy;
use super::sets;
use super::showing;
use super::simultaneous;
use super::state::{Frame, card_of_operand, operand_of_card};
use super::tokens;
use super::turn;
use super::waiting;
use super::{chance, locals};
use crate::cast;
use houserule_state::chance::{draw, hash_text};
use houserule_state::layout::{TABLE, head};

/// The most passes through a phase that is repeated, or a loop over numbers; more are a fault.
const MAX_PASSES: i64 = 1000;

/// The name, as a hash, of the random stream that orders seats.
const ORDER: u64 = hash_text("order");

/// Executes one op. The program counter of the frame already points to the next op.
#[inline(always)]
pub(crate) fn run_op(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    if machine.rules.secrets.is_empty() { execute(machine, scripts, op, frame) } else { run_op_of_secrets(machine, scripts, op, frame) }
}

/// Executes one op of rules with hidden values.
#[cold]
#[inline(never)]
fn run_op_of_secrets(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    let secrecy = secrecy::prepare(machine, op, Pc(frame.pc.0 - 1), &mut frame.env)?;
    let outer = std::mem::replace(&mut machine.memory.run.secrecy, secrecy);
    let done = execute(machine, scripts, op, frame);
    machine.memory.run.secrecy = outer;
    done
}

#[inline(always)]
fn execute(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, op: &Op, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let env = &mut frame.env;
    match op {
        Op::Jump { to } => frame.pc = *to,
        Op::Unless { condition, to } => {
            if machine.eval(*condition, env) == 0 {
                frame.pc = *to;
            }
        }
        Op::Return => *frame = machine.leave(),
        Op::Call { effect, args } => {
            if rules.hidden.chances.handed(*effect) != 0 {
                chance::check_handed(machine, *effect, args, frame.pc, env)?;
            }
            let mut callee = Env::for_seat(env.me);
            callee.locals[0] = env.locals[0];
            for (index, arg) in args.iter().enumerate() {
                let value = machine.eval(*arg, env);
                callee.locals[1 + index] =
                    i32::try_from(value).map_err(|_| Stop::fault(format!("{value} is too large to be handed to an effect")))?;
            }
            return machine.enter(frame, rules.effects[*effect as usize].first_op, callee);
        }
        Op::Let { local, value, private, .. } => return locals::set_local(machine, *local, *value, *private, env),
        Op::LetRandom { local, set, .. } => return chance::set_random_card(machine, *local, *set, env),
        Op::LetChance { local, chance, .. } => return chance::set_random(machine, *local, *chance, (frame.pc, env)),
        Op::EachWord => machine.state.push(0),
        Op::NextWord { local, words, end } => {
            let index = machine.state.operand(0);
            match rules.ops.words[*words as usize].get(cast::index(*index)) {
                Some(&word) => {
                    *index += 1;
                    env.locals[*local as usize] = word;
                }
                None => {
                    machine.state.pop();
                    frame.pc = *end;
                }
            }
        }
        Op::EachNumber { from, to } => {
            let (from, to) = (machine.eval(*from, env), machine.eval(*to, env));
            let count = to.saturating_sub(from).saturating_add(1).max(0);
            let (Ok(to), true, true) = (i32::try_from(to), i32::try_from(from).is_ok(), count <= MAX_PASSES) else {
                return Err(Stop::fault(format!("this goes through the numbers from {from} to {to}, and {MAX_PASSES} are the most")));
            };
            machine.state.push(to);
            machine.state.push(cast::fit::<i32>(count));
        }
        Op::NextNumber { local, end } => match machine.state.pop() {
            0 => {
                machine.state.pop();
                frame.pc = *end;
            }
            left => {
                env.locals[*local as usize] = *machine.state.operand(0) - (left - 1);
                machine.state.push(left - 1);
            }
        },
        Op::EachCard { set } => {
            let (first, local) = (machine.state.top(), rules.sets[*set as usize].local as usize);
            sets::each_card(machine, *set, env, |game, env| {
                game.state.push(operand_of_card(env.locals[local]));
                true
            });
            machine.state.reverse_from(first);
            machine.state.push(cast::fit::<i32>(machine.state.top() - first));
        }
        Op::NextCard { local, end } => match machine.state.pop() {
            0 => frame.pc = *end,
            left => {
                let card = machine.state.pop();
                env.locals[*local as usize] = card_of_operand(card).unwrap_or(-1);
                machine.state.push(left - 1);
            }
        },
        Op::Repeat { times } => {
            let times = machine.eval(*times, env);
            machine.state.push(cast::fit::<i32>(times.clamp(0, i32::MAX as i64)));
        }
        Op::NextTime { end } => {
            let left = machine.state.operand(0);
            if *left > 0 {
                *left -= 1;
            } else {
                machine.state.pop();
                frame.pc = *end;
            }
        }
        Op::Until { condition, end } => {
            if machine.eval(*condition, env) != 0 {
                machine.state.pop();
                frame.pc = *end;
            } else if *machine.state.operand(0) > 0 {
                *machine.state.operand(0) -= 1;
            } else {
                return Err(Stop::fault("this `repeat until` never became true in 1000 passes"));
            }
        }
        Op::EachPlayer { whom, direction } => {
            machine.state.push(cast::fit::<i32>(env.me));
            seats::push_seats(machine, *direction, *whom, env.me);
        }
        Op::NextPlayer { filter, end } => {
            while let Some(seat) = seats::next_seat(machine) {
                env.me = seat;
                if machine.holds_if(*filter, env) {
                    return Ok(());
                }
            }
            env.me = cast::index(machine.state.pop());
            frame.pc = *end;
        }
        Op::Simultaneous { whom, filter, secretly, end } => {
            return simultaneous::begin_simultaneous(machine, (*whom, *filter), *secretly, *end, frame);
        }
        Op::NextSimultaneous { body } => return simultaneous::next_simultaneous(machine, *body, frame),
        Op::As { seat, end } => match usize::try_from(machine.eval(*seat, env)) {
            Ok(seat) if seat < rules.players => {
                machine.state.push(cast::fit::<i32>(env.me));
                env.me = seat;
            }
            _ => frame.pc = *end,
        },
        Op::EndAs => env.me = cast::index(machine.state.pop()),
        Op::Waiting => {
            // This op repeats until no queued frame is left.
            let this_op = frame.pc.0 - 1;
            frame.pc.0 = this_op;
            if !waiting::begin_waiting(machine, frame)? {
                frame.pc.0 = this_op + 1;
            }
        }

        Op::Part { part } => {
            machine.put(head::PROGRAM, *part as i64)?;
            limits::rest(machine)?;
            *env = Env::for_seat(cast::index(machine.state.cells()[head::ORDER]));
        }
        Op::Rest => return limits::rest(machine),
        Op::BeginPasses => return machine.put(head::PASSES, 0),
        Op::NextPass { condition, end } => {
            if machine.eval(*condition, env) != 0 {
                frame.pc = *end;
                return Ok(());
            }
            let passes = i64::from(machine.state.cells()[head::PASSES]);
            if passes >= MAX_PASSES {
                return Err(Stop::fault(format!("this phase has been gone through {MAX_PASSES} times, and its `until` never became true")));
            }
            return machine.put(head::PASSES, passes + 1);
        }
        Op::Deal => {
            for &(definition, seat) in &rules.dealt_cards {
                dealing::put_dealt(machine, definition, seat)?;
            }
            return wait_for_listeners(machine, frame);
        }
        Op::Round => {
            machine.add(head::ROUND, 1)?;
            machine.put(head::TURN, 0)?;
            machine.put(head::TURN_PLACE, 0)?;
            lifetimes::clear_lifetime(machine, Lifetime::Round)?;
            let round = machine.state.cells()[head::ROUND];
            machine.log_line(|| format!("round {round}"));
            checks::after_change(machine)?;
            idle::note_round_begins(machine);
        }
        Op::End { lifetime } => {
            lifetimes::clear_lifetime(machine, *lifetime)?;
            return checks::after_change(machine);
        }
        Op::Turn { turns } => return turn::run_turn(machine, *turns, frame),
        Op::Costs { choice } => {
            let costs = rules.choices[*choice as usize].costs.iter();
            let costs = costs.filter(|cost| cost.tokens.is_none()).map(|cost| (cost.amount, cost.resource));
            pay_costs(machine, costs, env)?;
            return wait_for_listeners(machine, frame);
        }
        Op::Acted { free } => {
            lifetimes::clear_lifetime(machine, Lifetime::Action)?;
            if !free {
                return machine.put(head::ACTIONS_LEFT, machine.state.cells()[head::ACTIONS_LEFT] as i64 - 1);
            }
        }
        Op::PlayAgain => {
            let left = machine.state.cells()[head::ACTIONS_LEFT];
            if left < 0 {
                return Err(Stop::fault("no turn is running that could go on: `play again` belongs in what is done in a turn"));
            }
            return machine.put(head::ACTIONS_LEFT, i64::from(left) + 1);
        }
        Op::RoundEnd { back } => {
            idle::note_round_ends(machine);
            let rounds = rules.rounds.map_or(1, |node| machine.eval(node, &mut Env::for_seat(0)));
            if (machine.state.cells()[head::ROUND] as i64) < rounds && !machine.until_holds() {
                frame.pc = *back;
            }
        }
        Op::Finish => {
            machine.check_score()?;
            machine.put(head::FINISHED, 1)?;
            return Err(Stop::Pause);
        }

        Op::Ask { question, list } => return question::ask_rules(machine, *question, *list, frame),
        Op::Picks { question } => picks::begin_picks(machine, *question, env),
        Op::NextPick { question, list } => return picks::next_pick(machine, *question, *list, frame),
        Op::PickTokens { pick } => return picks::begin_token_picks(machine, *pick, frame),
        Op::NextToken { pick, end } => return picks::next_token_pick(machine, *pick, *end, frame),
        Op::Mix { amount, mix } => {
            let amount = machine.eval(*amount, env);
            return payment::begin_mix(machine, amount, *mix, env.me);
        }
        Op::NextUnit { mix } => {
            payment::next_unit(machine, *mix, env.me)?;
            return wait_for_listeners(machine, frame);
        }
        Op::Spend { cost } => {
            let (price, symbol) = (machine.eval(cost.amount, env), machine.eval(cost.symbol, env));
            return payment::begin_spending(machine, price, symbol, frame);
        }
        Op::NextPayer { from, to } => return payment::next_payer(machine, *from, *to, env.me),
        Op::AskFirst { ask, no } => match scripts::ask_first(machine, &rules.ops.card_questions[*ask as usize], env)? {
            Some(answer) => env.locals[ANSWER] = answer,
            None => frame.pc = *no,
        },
        Op::Script { script } => {
            limits::burn(machine, limits::OPS_OF_A_SCRIPT)?;
            scripts::run_script(machine, scripts, *script, env)?;
            return wait_for_listeners(machine, frame);
        }
        Op::PlaceInSlot { card } => {
            let card = machine.eval(*card, env);
            if card >= 0 {
                let kind = rules.definition(cast::index(card)).kind as usize;
                let Some(slot) = rules.kinds[kind].slot else {
                    return Err(Stop::fault(format!("cards of kind `{}` have no slot", rules.names.text(rules.kinds[kind].name))));
                };
                return placing::place(machine, cast::index(card), slot as usize, env.me, Cover::WhenFull);
            }
        }
        Op::PlaceIn { card, place, over, owner } => {
            let card = machine.eval(*card, env);
            if let (Ok(card), Some(owner)) = (usize::try_from(card), owner_of(machine, *owner, env)) {
                return placing::place(machine, card, *place as usize, owner, if *over { Cover::ByChoice } else { Cover::Never });
            }
        }

        Op::PlaceAt { card, map, position } => {
            let (card, position) = (machine.eval(*card, env), machine.eval(*position, env));
            if let (Ok(card), Ok(position)) = (usize::try_from(card), usize::try_from(position)) {
                return pieces::place_at(machine, card, *map as usize, position);
            }
        }

        Op::PlaceInRow { card, map, row, column } => {
            let [card, row, column] = [card, row, column].map(|part| machine.eval(*part, env));
            if let Ok(card) = usize::try_from(card) {
                return pieces::place_in_row(machine, card, *map as usize, (row, column));
            }
        }

        Op::Gain { amount, resource } => {
            let (amount, resource) = (machine.eval(*amount, env), resource_of(machine, *resource, env)?);
            return change::gain(machine, env.me, resource, amount);
        }
        Op::Lose { amount, resource, name } => {
            let (amount, resource) = (machine.eval(*amount, env), resource_of(machine, *resource, env)?);
            let instead = match name {
                Some(name) if amount > 0 => listeners::replaced(machine, *name, Some(env.me)),
                _ => None,
            };
            let follows = if instead.is_some() { instead } else { change::take_forced(machine, env.me, resource, amount)? };
            if let Some(item) = follows {
                return waiting::start_frame(machine, frame, item);
            }
        }
        Op::Pay { amount, resource } => {
            let (amount, resource) = (machine.eval(*amount, env), resource_of(machine, *resource, env)?);
            change::pay(machine, env.me, &[(resource, amount)])?;
            return wait_for_listeners(machine, frame);
        }
        Op::PayCard => {
            if let Some(action) = &rules.definition(cast::index(env.locals[0])).action {
                pay_costs(machine, action.costs.iter().copied(), env)?;
                if let Some((_, used)) = action.limit {
                    let cell = rules.layout.piece(cast::index(env.locals[0]), used as usize);
                    machine.add(cell, 1)?;
                }
            }
            return wait_for_listeners(machine, frame);
        }
        Op::PayFirst { costs } => {
            pay_costs(machine, costs.iter().copied(), env)?;
            return wait_for_listeners(machine, frame);
        }
        Op::Write { written } => {
            let (target, write, value) = &**written;
            let value = machine.eval(*value, env);
            return change::write_target(machine, target, *write, value, env);
        }
        Op::AddBit { offset, index } => {
            let offset = usize::from(*offset);
            let bit = change::bit_to_add(&rules.seat, &rules.names, offset, machine.eval(*index, env))?;
            let old = machine.state.cells()[rules.layout.seat(env.me, offset)];
            return change::write_seat(machine, env.me, offset, i64::from(old | bit));
        }
        Op::AddBitTo { card, offset, index } => {
            let (card, index) = (machine.eval(*card, env), machine.eval(*index, env));
            if let Ok(card) = usize::try_from(card) {
                let offset = usize::from(*offset);
                let bit = change::bit_to_add(&rules.piece, &rules.names, offset, index)?;
                let old = machine.state.cells()[rules.layout.piece(card, offset)];
                return change::write_piece(machine, card, offset, i64::from(old | bit));
            }
        }
        Op::RemoveBit { offset, index } => {
            let bit = change::bit_of(machine.eval(*index, env));
            let cell = rules.layout.seat(env.me, *offset as usize);
            return change::write_seat(machine, env.me, *offset as usize, i64::from(machine.state.cells()[cell] & !bit));
        }
        Op::RemoveBitFrom { card, offset, index } => {
            let (card, bit) = (machine.eval(*card, env), change::bit_of(machine.eval(*index, env)));
            if let Ok(card) = usize::try_from(card) {
                let old = machine.state.cells()[rules.layout.piece(card, usize::from(*offset))];
                return change::write_piece(machine, card, usize::from(*offset), i64::from(old & !bit));
            }
        }
        Op::Show { set, to } => {
            let seats = showing::viewers(machine, *to, env);
            let mut cards = std::mem::take(&mut machine.memory.scratch.cards);
            sets::cards_of(machine, *set, env, &mut cards);
            let shown = showing::show(machine, &cards, seats);
            machine.memory.scratch.cards = cards;
            return shown;
        }
        Op::ShowCard { card, to } => {
            let (card, seats) = (machine.eval(*card, env), showing::viewers(machine, *to, env));
            if let Ok(card) = i32::try_from(card)
                && card >= 0
            {
                return showing::show(machine, &[card], seats);
            }
        }
        Op::ShowValue { secret, owner, to } => {
            let (owner, seats) = (owner_of(machine, *owner, env), showing::viewers(machine, *to, env));
            let Some(owner) = owner else { return Ok(()) };
            let owner = if rules.secrets[usize::from(*secret)].of_seat { cast::seat(owner) } else { TABLE };
            return secrecy::show_value(machine, (*secret).into(), owner, seats);
        }
        Op::Draw { deck, pile: index, to, name, owner } => {
            let Some(owner) = owner_of(machine, *owner, env) else { return Ok(()) };
            if let Some(name) = name
                && let Some(instead) = listeners::replaced(machine, *name, None)
            {
                return waiting::start_frame(machine, frame, instead);
            }
            let instance = pieces::deck_instance(machine, *deck, *index, env)?;
            return pieces::draw_into(machine, instance, *to as usize, owner);
        }
        Op::Fill { grid, deck, pile: index } => return pieces::fill(machine, *grid, *deck, *index, env),
        Op::RemoveSet { set } => {
            let mut cards = std::mem::take(&mut machine.memory.scratch.cards);
            sets::cards_of(machine, *set, env, &mut cards);
            let removed = cards.iter().try_for_each(|&card| moves::remove(machine, cast::index(card)));
            machine.memory.scratch.cards = cards;
            return removed;
        }
        Op::Remove { card } => {
            let card = machine.eval(*card, env);
            if card >= 0 {
                return moves::remove(machine, cast::index(card));
            }
        }
        Op::MoveRow { grid, from, to } => {
            let (from, to) = (machine.eval(*from, env), machine.eval(*to, env));
            return pieces::move_row(machine, *grid as usize, from, to);
        }
        Op::PassOn { place, direction } => return pieces::pass_on(machine, *place as usize, *direction),
        Op::Shuffle { set, deck, pile: index } => return pieces::shuffle(machine, *set, *deck, *index, env),
        Op::Swap { a, b } => {
            let (a, b) = (machine.eval(*a, env), machine.eval(*b, env));
            if let (Ok(a), Ok(b)) = (usize::try_from(a), usize::try_from(b)) {
                return pieces::swap(machine, a, b);
            }
        }
        Op::Put { card: holder, field, to } => {
            let holder = machine.eval(*holder, env);
            return pieces::put_printed(machine, holder, *field as usize, *to as usize, env.me);
        }
        Op::PutNamed { definitions, to } => return pieces::put_copies(machine, definitions, *to as usize, env.me),
        Op::Moment { moment, card } => {
            let card = cast::fit::<i32>(card.map_or(-1, |card| machine.eval(card, env)));
            listeners::raise(machine, *moment, env.me, card);
            return wait_for_listeners(machine, frame);
        }
        Op::OrderBy { keys } => {
            let seats = machine.ordered(keys);
            return change::set_order(machine, &seats[..rules.players]);
        }
        Op::OrderFrom { holds } => {
            let mut seats = machine.position().order();
            let mut inner = *env;
            let found = seats.iter().position(|&seat| {
                inner.me = seat;
                machine.eval(*holds, &mut inner) != 0
            });
            if let Some(first) = found {
                seats.rotate_left(first);
                change::set_order(machine, &seats)?;
                // In the middle of a turn, the next one is that of the player with whom the order begins.
                return machine.put(head::FROM_FIRST, i64::from(machine.state.cells()[head::ACTIONS_LEFT] >= 0));
            }
        }
        Op::OrderReversed => {
            let mut seats = machine.position().order();
            seats.reverse();
            return change::set_order(machine, &seats);
        }
        Op::OrderRandom => {
            let seed = machine.state.seed();
            let mut seats: [usize; head::MAX_SEATS] = std::array::from_fn(|seat| seat);
            let seats = &mut seats[..rules.players];
            seats.sort_by_key(|&seat| draw(seed, ORDER, seat as u64));
            return change::set_order(machine, seats);
        }
        Op::CardActs { card } => {
            let card = machine.eval(*card, env);
            if card >= 0
                && let Some(action) = &rules.definition(cast::index(card)).action
            {
                let me = env.me;
                return machine.enter(
                    frame,
                    action.first_op,
                    Env::with_locals(me, &[cast::fit::<i32>(card), cast::fit::<i32>(card), cast::fit::<i32>(me)]),
                );
            }
        }
        Op::Take { amount, set, from, to } => {
            let amount = machine.eval(*amount, env);
            return tokens::take_tokens(machine, amount, *set, *from, *to, env);
        }
        Op::TakeAtRandom { amount, set, from, to } => {
            let amount = machine.eval(*amount, env);
            return tokens::take_at_random(machine, amount, *set, (*from, *to), env);
        }
        Op::MoveAll { set, from, to } => return tokens::take_tokens(machine, i64::MAX, *set, *from, *to, env),
        Op::MoveOne { local, to } => return tokens::move_picked(machine, *local, *to, env),
        Op::Lift { set, pool } => return tokens::turn_blank(machine, *set, *pool, env),
        Op::LiftOne { local } => return tokens::turn_picked_blank(machine, *local, env),
        Op::Roll { pool } => return tokens::roll(machine, *pool, env.me),
    }
    Ok(())
}

/// Ends an op that may have queued listeners. If the queue is empty, the next op [`Op::Waiting`] is skipped; otherwise the queue moves to
/// the stack.
#[inline]
fn wait_for_listeners(machine: &mut Machine<'_>, frame: &mut Frame) -> Result<(), Stop> {
    if machine.memory.queue.is_empty() {
        frame.pc = frame.pc.next();
        return Ok(());
    }
    waiting::push_waiting(machine)
}

/// Pays several costs together, each an amount and a resource; listeners are left in the queue.
fn pay_costs(machine: &mut Machine<'_>, due: impl Iterator<Item = (NodeId, u8)>, env: &mut Env) -> Result<(), Stop> {
    let mut costs = std::mem::take(&mut machine.memory.scratch.costs);
    costs.clear();
    costs.extend(due.map(|(amount, resource)| (resource as usize, machine.eval(amount, env))));
    let paid = change::pay(machine, env.me, &costs);
    machine.memory.scratch.costs = costs;
    paid
}

/// Returns the seat to whose place something goes: the current one unless another is named; `None` for nobody.
fn owner_of(machine: &mut Machine<'_>, owner: Option<NodeId>, env: &mut Env) -> Option<usize> {
    let Some(owner) = owner else { return Some(env.me) };
    let players = machine.rules.players;
    usize::try_from(machine.eval(owner, env)).ok().filter(|&seat| seat < players)
}

fn resource_of(machine: &mut Machine<'_>, node: NodeId, env: &mut Env) -> Result<usize, Stop> {
    let rules = machine.rules;
    let index = machine.eval(node, env);
    match usize::try_from(index) {
        Ok(index) if index < rules.resources.len() => Ok(index),
        _ => Err(Stop::fault("a statement names something that is no resource")),
    }
}
