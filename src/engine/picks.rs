//! Series of picks, each a question: among the choices of a question, and of tokens.

use super::decision::{Act, Args, Opt, Question, Stop};
use super::eval::Env;
use super::machine::Machine;
use super::op::Pc;
use super::options::{self, MAX_PARAMS};
use super::question;
use super::reader::{classes, encode_token, pool_base};
use super::ruleset::{NodeId, Ruleset};
use super::state::{Frame, card_of_operand, operand_of_card};
use super::store::Store;
use super::tokens;
use crate::cast;

/// The number of operands of an entry of a series of picks: its option, and how often it may be picked.
const ENTRY: usize = OPTION + 1;
/// The number of operands of an option: its choice, and what is chosen with it.
const OPTION: usize = 1 + MAX_PARAMS;

/// How many operands lie behind the entries of a series of picks.
const BEHIND: usize = 5;

/// [`super::op::Op::Picks`]: lists what can be picked. Operands pushed: for each entry its option and how often it may be picked; then the
/// number of entries, the index of the first entry that may be picked next, the number of picks so far, and the least and the most of them.
pub(crate) fn begin_picks(store: &mut Store<'_>, question: u32, (least, most): (Option<NodeId>, Option<NodeId>), env: &mut Env) {
    let rules = store.rules;
    let least = least.map_or(0, |least| store.eval(least, env));
    let most = most.map_or(i64::MAX, |most| store.eval(most, env));
    let mut options = std::mem::take(&mut store.live.lists.picks);
    options.clear();
    options::list_question(store, question, env, &mut options);
    let mut count = 0;
    for option in &options {
        let Act::Choice(index, args) = option.act else { continue };
        let choice = &rules.choices[usize::from(index)];
        let mut inner = *env;
        inner.set_args(&choice.params, args);
        let limit = choice.up_to.map_or(1, |node| store.eval(node, &mut inner));
        store.state.push_all(encode_option(rules, index, args));
        store.state.push(cast::fit::<i32>(limit.clamp(0, i32::MAX as i64)));
        count += 1;
    }
    store.live.lists.picks = options;
    let bounds = [least, most].map(|bound| cast::fit::<i32>(bound.clamp(0, i32::MAX.into())));
    store.state.push_all([count, 0, 0, bounds[0], bounds[1]]);
}

/// [`super::op::Op::NextPick`]: asks for the next pick, and jumps to the body of what was picked, or behind the series.
pub(crate) fn next_pick(machine: &mut Machine<'_>, question: u32, list: u32, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let behind = machine.store.state.top() - BEHIND;
    let [count, from, taken, least, most] = std::array::from_fn(|at| machine.store.state.cells()[behind + at]);
    let (count, from) = (cast::index(count), cast::index(from));
    let base = behind - ENTRY * count;
    let env = frame.env;
    let mut choices = rules.questions[cast::index(question)].choices.iter().map(|&choice| &rules.choices[usize::from(choice)]);
    // Where a pick can make others impossible, how many there can still be is not known: then they go in any order.
    let in_any_order = least > 0 && choices.any(|choice| !choice.costs.is_empty() || !choice.guards.is_empty());
    let from = if in_any_order { 0 } else { from };
    let offer = |game: &mut Store<'_>, options: &mut Vec<Opt>| {
        let mut times_of_options = Vec::new();
        for entry in from..count {
            let cells = &game.state.cells()[base + ENTRY * entry..];
            let (act, times) = (decode_option(cells), cells[OPTION]);
            let Act::Choice(choice, args) = act else { continue };
            // An earlier pick may have spent what this one costs.
            if times > 0 && options::is_still_allowed(game, choice, args, &env) {
                options.push(Opt::new(rules, act));
                times_of_options.push(i64::from(times));
            }
        }
        let mut left = times_of_options.iter().sum();
        let missing = i64::from(least - taken).min(left);
        if !in_any_order {
            // Who picks an option leaves out those before it: enough must be left.
            let mut times = times_of_options.into_iter();
            options.retain(|_| {
                let is_enough = left >= missing;
                left -= times.next().unwrap_or(0);
                is_enough
            });
        }
        if missing <= 0 && !options.is_empty() {
            options.push(Opt::new(rules, Act::Done));
        }
    };
    let asked = Question::Rules(question);
    let chosen = if taken < most { question::ask(machine, frame.env.me, asked, offer)? } else { None };
    let targets = &rules.ops.choices[list as usize];
    let picked = chosen.filter(|option| option.act != Act::Done);
    let Some(option) = picked else {
        machine.store.state.drop_operands(ENTRY * count + BEHIND);
        frame.pc = targets[targets.len() - 1];
        return Ok(());
    };
    let cells = machine.store.state.cells();
    let entry = (0..count).find(|entry| decode_option(&cells[base + ENTRY * entry..]) == option.act).unwrap_or(from);
    *machine.store.state.operand_at(base + ENTRY * entry + OPTION) -= 1;
    *machine.store.state.operand_at(behind + 1) = cast::fit::<i32>(entry);
    *machine.store.state.operand_at(behind + 2) += 1;
    frame.pc = question::begin_of_choice(&machine.store, question, targets, option, frame);
    Ok(())
}

/// [`super::op::Op::PickTokens`]: begins a series of picks of tokens, in the declared order of classes, so that each selection is reached
/// in exactly one way. Operands pushed: for each entry its pool and class, and its number of tokens; then the number of entries, the index
/// of the first entry that may be picked next, the number of tokens picked so far, and the least and the most to pick.
///
/// Tokens that a pick moves into another pool of the series are not offered again there.
pub(crate) fn begin_token_picks(store: &mut Store<'_>, pick: u32, env: &mut Env) {
    let rules = store.rules;
    let pick = &rules.ops.picks[pick as usize];
    let least = store.eval(pick.least, env);
    let most = pick.most.map_or(i64::MAX, |most| store.eval(most, env));
    let mask = tokens::token_mask(store, pick.set, env);
    let (mut entries, mut all) = (0, 0);
    for &pool in &pick.pools {
        let base = pool_base(rules, pool, env.me);
        for class in classes(mask) {
            let count = store.state.cells()[base + class];
            if count > 0 {
                store.state.push_all([encode_token(pool, cast::fit::<u8>(class)), count]);
                entries += 1;
                all += count as i64;
            }
        }
    }
    store.state.push_all([entries, 0, 0, cast::fit::<i32>(least.clamp(0, all)), cast::fit::<i32>(most.clamp(0, i32::MAX as i64))]);
}

/// [`super::op::Op::NextToken`]: asks for the next token, and stores it in the local, or jumps to `end` after the last.
pub(crate) fn next_token_pick(machine: &mut Machine<'_>, pick: u32, end: Pc, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let pick = &rules.ops.picks[pick as usize];
    let top = machine.store.state.top() - 5;
    let [entries, from, taken, least, most] = std::array::from_fn(|at| machine.store.state.cells()[top + at]);
    let (entries, from) = (cast::index(entries), cast::index(from));
    let base = top - 2 * entries;
    let named = pick.pools.len() > 1;
    let mut chosen = None;
    if taken < most {
        chosen = question::ask(machine, frame.env.me, Question::Rules(pick.question), |game, options| {
            let remaining = &game.state.cells()[base + 2 * from..top];
            let mut beyond: i32 = remaining.chunks_exact(2).map(|entry| entry[1]).sum();
            for entry in remaining.chunks_exact(2) {
                if entry[1] > 0 && taken + beyond >= least {
                    let pool = if named { cast::low(i64::from(entry[0] >> 8)) } else { u8::MAX };
                    options.push(Opt::new(rules, Act::Token(cast::low(i64::from(entry[0])), pool)));
                }
                beyond -= entry[1];
            }
            if taken >= least && !options.is_empty() {
                options.push(Opt::new(rules, Act::Done));
            }
        })?;
    }
    let found = match chosen {
        Some(Opt { act: Act::Token(class, pool), .. }) => (0..entries).find(|entry| {
            let token = machine.store.state.cells()[base + 2 * entry];
            token & 0xFF == i32::from(class) && (!named || token >> 8 == pool as i32)
        }),
        _ => None,
    };
    let Some(entry) = found else {
        machine.store.state.drop_from(base);
        frame.pc = end;
        return Ok(());
    };
    *machine.store.state.operand_at(top + 1) = cast::fit::<i32>(entry);
    *machine.store.state.operand_at(top + 2) += 1;
    *machine.store.state.operand_at(base + 2 * entry + 1) -= 1;
    frame.env.locals[pick.local as usize] = machine.store.state.cells()[base + 2 * entry];
    Ok(())
}

/// Encodes an option of a series of picks as operands. Cards are written so that they are exchanged when what is hidden is drawn anew.
fn encode_option(rules: &Ruleset, choice: u16, args: Args) -> [i32; OPTION] {
    let mut operands = [choice.into(), args[0], args[1], args[2]];
    for (param, operand) in rules.choices[choice as usize].params.iter().zip(&mut operands[1..]) {
        if param.cards().is_some() && *operand >= 0 {
            *operand = operand_of_card(*operand);
        }
    }
    operands
}

/// Decodes an option from the first operands.
fn decode_option(operands: &[i32]) -> Act {
    let arg = |index: usize| card_of_operand(operands[1 + index]).unwrap_or(operands[1 + index]);
    Act::Choice(cast::fit::<u16>(operands[0]), std::array::from_fn(arg))
}
