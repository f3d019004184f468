//! Series of picks, each a question: among the choices of a question, and of tokens.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::ids::PieceId;
use super::machine::Machine;
use super::offers;
use super::op::Pc;
use super::question;
use super::reader::{classes, encode_token, pool_base};
use super::ruleset::{NameId, Offer};
use super::state::{Frame, card_of_operand, operand_of_card};
use super::tokens;
use crate::cast;

/// [`super::op::Op::Picks`]: lists what can be picked. Operands pushed: for each entry its option and how often it may be picked; then the
/// number of entries, and the index of the first entry that may be picked next.
pub(crate) fn begin_picks(machine: &mut Machine<'_>, question: u32, env: &mut Env) {
    let rules = machine.rules;
    let mut options = std::mem::take(&mut machine.memory.scratch.options);
    let mut count = 0;
    for choice in &rules.questions[question as usize].choices {
        options.clear();
        offers::list(machine, &choice.offer, choice.when, env, &mut options);
        for option in &options {
            let mut inner = *env;
            match &choice.offer {
                Offer::Cards(set) => inner.locals[rules.sets[*set as usize].local as usize] = option.act.card().unwrap_or(-1),
                Offer::Words { local, words } => {
                    let found = words.iter().find(|(name, _)| option.act == Act::Word(*name));
                    inner.locals[*local as usize] = found.map_or(0, |found| found.1);
                }
                // A word needs no local, and numbers are not picked.
                Offer::Word { .. } | Offer::Numbers { .. } => {}
            }
            let limit = choice.up_to.map_or(1, |node| machine.eval(node, &mut inner));
            machine.state.push(encode_option(option.act));
            machine.state.push(cast::fit::<i32>(limit.clamp(0, i32::MAX as i64)));
            count += 1;
        }
    }
    machine.memory.scratch.options = options;
    machine.state.push(count);
    machine.state.push(0);
}

/// [`super::op::Op::NextPick`]: asks for the next pick, and jumps to the body of what was picked, or behind the series.
pub(crate) fn next_pick(machine: &mut Machine<'_>, question: u32, list: u32, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let (count, from) = (cast::index(*machine.state.operand(1)), cast::index(*machine.state.operand(0)));
    let base = machine.state.top() - 2 - 2 * count;
    let chosen = question::ask(machine, frame.env.me, Question::Rules(question), |game, options| {
        let classes = game.state.cells()[base..base + 2 * count].chunks_exact(2).skip(from);
        options.extend(classes.filter(|class| class[1] > 0).map(|class| Opt::new(rules, decode_option(class[0]))));
        if !options.is_empty() {
            options.push(Opt::new(rules, Act::Done));
        }
    })?;
    let targets = &rules.ops.choices[list as usize];
    let picked = chosen.filter(|option| option.act != Act::Done);
    let Some(option) = picked else {
        machine.state.drop_operands(2 * count + 2);
        frame.pc = targets[targets.len() - 1];
        return Ok(());
    };
    let class = (0..count).find(|class| machine.state.cells()[base + 2 * class] == encode_option(option.act)).unwrap_or(from);
    *machine.state.operand_at(base + 2 * class + 1) -= 1;
    *machine.state.operand(0) = cast::fit::<i32>(class);
    frame.pc = question::begin_of_choice(machine, question, targets, option, frame);
    Ok(())
}

/// [`super::op::Op::PickTokens`]: begins a series of picks of tokens, in the declared order of classes, so that each selection is reached
/// in exactly one way. Operands pushed: for each entry its pool and class, and its number of tokens; then the number of entries, the index
/// of the first entry that may be picked next, the number of tokens picked so far, and the least and the most to pick.
///
/// Tokens that a pick moves into another pool of the series are not offered again there.
pub(crate) fn begin_token_picks(machine: &mut Machine<'_>, pick: u32, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let (pick, env) = (&rules.ops.picks[pick as usize], &mut frame.env);
    let least = machine.eval(pick.least, env);
    let most = pick.most.map_or(i64::MAX, |most| machine.eval(most, env));
    let mask = tokens::token_mask(machine, pick.set, env);
    let (mut entries, mut all) = (0, 0);
    for &pool in &pick.pools {
        let base = pool_base(rules, pool, env.me);
        for class in classes(mask) {
            let count = machine.state.cells()[base + class];
            if count > 0 {
                machine.state.push_all([encode_token(pool, cast::fit::<u8>(class)), count]);
                entries += 1;
                all += count as i64;
            }
        }
    }
    machine.state.push_all([entries, 0, 0, cast::fit::<i32>(least.clamp(0, all)), cast::fit::<i32>(most.clamp(0, i32::MAX as i64))]);
    Ok(())
}

/// [`super::op::Op::NextToken`]: asks for the next token, and stores it in the local, or jumps to `end` after the last.
pub(crate) fn next_token_pick(machine: &mut Machine<'_>, pick: u32, end: Pc, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let pick = &rules.ops.picks[pick as usize];
    let top = machine.state.top() - 5;
    let (entries, from) = (cast::index(machine.state.cells()[top]), cast::index(machine.state.cells()[top + 1]));
    let (taken, least, most) = (machine.state.cells()[top + 2], machine.state.cells()[top + 3], machine.state.cells()[top + 4]);
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
            let token = machine.state.cells()[base + 2 * entry];
            token & 0xFF == i32::from(class) && (!named || token >> 8 == pool as i32)
        }),
        _ => None,
    };
    let Some(entry) = found else {
        machine.state.drop_from(base);
        frame.pc = end;
        return Ok(());
    };
    *machine.state.operand_at(top + 1) = cast::fit::<i32>(entry);
    *machine.state.operand_at(top + 2) += 1;
    *machine.state.operand_at(base + 2 * entry + 1) -= 1;
    frame.env.locals[pick.local as usize] = machine.state.cells()[base + 2 * entry];
    Ok(())
}

/// Encodes an option of a series of picks as an operand.
fn encode_option(act: Act) -> i32 {
    match act {
        Act::Card(card) => operand_of_card(card as i32),
        Act::Word(name) => -2 - 2 * cast::fit::<i32>(name),
        Act::Bare(name) => -3 - 2 * cast::fit::<i32>(name),
        Act::Action(..) | Act::Token(..) | Act::Number(_) | Act::Nothing | Act::Done => -1,
    }
}

/// Decodes an option from an operand.
fn decode_option(code: i32) -> Act {
    if let Some(card) = card_of_operand(code) {
        return Act::Card(PieceId::in_option(card));
    }
    match code {
        -1 => Act::Nothing,
        _ if code % 2 == 0 => Act::Word(cast::fit::<NameId>(-code / 2 - 1)),
        _ => Act::Bare(cast::fit::<NameId>((-code - 3) / 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_picks_stand_for_their_options() {
        for act in [Act::Card(0), Act::Card(77), Act::Word(0), Act::Word(5), Act::Bare(0), Act::Bare(5), Act::Nothing] {
            assert_eq!(decode_option(encode_option(act)), act);
        }
    }
}
