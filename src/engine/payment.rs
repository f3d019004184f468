//! Executes payments: in tokens, and in units of several resources in any mix.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::machine::Machine;
use super::reader::{exchange_count, pool_base};
use super::ruleset::NodeId;
use super::state::Frame;
use super::store::Store;
use super::token_payment::{MAX_PRICE, Payment};
use super::{change, question, secrecy, tokens};
use crate::cast;
use houserule_ruleset::payers::Payer;
use houserule_ruleset::tokens::{TokenCost, shown_count};

/// The most units that can be paid in any mix of resources: each of them may be a question.
const MAX_IN_A_MIX: i64 = 1000;

/// [`super::op::Op::Spend`]: begins a payment in tokens; a price of 0 or less skips it. Operands pushed: the price, the symbol, the picks
/// (a class and a number each), and the number of picks.
///
/// # Errors
/// A price above [`MAX_PRICE`].
pub(crate) fn begin_spending(store: &mut Store<'_>, cost: &TokenCost, frame: &mut Frame) -> Result<(), Stop> {
    let (price, symbol) = (store.eval(cost.amount, &mut frame.env), store.eval(cost.symbol, &mut frame.env));
    if price <= 0 {
        frame.pc = frame.pc.next();
        return Ok(());
    }
    let symbol = cast::index(symbol.max(0));
    if price > MAX_PRICE {
        return Err(unpaid(store, price, symbol, &format!("{MAX_PRICE} is the highest price in tokens")));
    }
    store.state.push_all([cast::fit::<i32>(price), cast::fit::<i32>(symbol), 0]);
    Ok(())
}

/// [`super::op::Op::NextPayer`]: picks tokens one by one, and pays when the payment is complete.
///
/// # Errors
/// [`Stop::Ask`] if there is a choice; a fault if the price cannot be paid.
pub(crate) fn next_payer(machine: &mut Machine<'_>, from: u8, to: u8, me: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let count = cast::index(*machine.store.state.operand(0));
    let base = machine.store.state.top() - 3 - 2 * count;
    let (price, symbol) = (machine.store.state.cells()[base], cast::index(machine.store.state.cells()[base + 1]));
    let mut payment = std::mem::take(&mut machine.memory.scratch.payment);
    payment.start(price, exchange_count(rules));
    for picked in machine.store.state.cells()[base + 2..base + 2 + 2 * count].chunks_exact(2) {
        let class = cast::fit::<u8>(picked[0]);
        (0..picked[1]).for_each(|_| payment.pick(Payer { class, value: shown_count(&rules.classes[class as usize], symbol) }));
    }
    let mut result = pick_payment(machine, &mut payment, me, symbol, from);
    match result {
        Ok(()) => {
            machine.store.state.drop_from(base);
            secrecy::note_moved(&mut machine.store, from, to, me, rules.everybody())?;
            result = payment
                .picked
                .iter()
                .try_for_each(|&(class, amount)| tokens::move_tokens(&mut machine.store, class as usize, amount as i64, from, to, me));
        }
        Err(Stop::Ask) => {
            machine.store.state.drop_from(base + 2);
            machine.store.state.push_all(payment.picked.iter().flat_map(|&(class, amount)| [class as i32, amount]));
            machine.store.state.push(cast::fit::<i32>(payment.picked.len()));
        }
        Err(_) => {}
    }
    machine.memory.scratch.payment = payment;
    result
}

/// Picks tokens until the payment is complete, without paying yet.
fn pick_payment(machine: &mut Machine<'_>, payment: &mut Payment, me: usize, symbol: usize, from: u8) -> Result<(), Stop> {
    let rules = machine.store.rules;
    while !payment.is_complete() {
        if payment.funds.is_empty() && machine.memory.run.chosen.is_none() {
            let pool = &machine.store.state.cells()[pool_base(rules, from, me)..][..rules.classes.len()];
            let payers = rules.payers.get(symbol).map_or(&[][..], |payers| &payers.classes);
            let have = payment.fill_funds(payers.iter().map(|&payer| (payer, pool[usize::from(payer.class)])));
            if have < payment.price {
                return Err(unpaid(&machine.store, payment.price as i64, symbol, &format!("there were only {have}")));
            }
        }
        let offered = payment.offered().map(|payer| Opt::new(rules, Act::Token(payer.class, u8::MAX)));
        let chosen = question::ask(machine, me, Question::Payment, |_, options| options.extend(offered))?;
        let Some(Opt { act: Act::Token(class, _), .. }) = chosen else {
            return Err(machine.store.fault("internal error: a payment could not be completed; please report it"));
        };
        payment.pick(Payer { class, value: shown_count(&rules.classes[class as usize], symbol) });
    }
    Ok(())
}

fn unpaid(store: &Store<'_>, price: i64, symbol: usize, why: &str) -> Stop {
    let rules = store.rules;
    let name = rules.symbols.get(symbol).map_or("?", |&name| rules.names.text(name));
    store.fault(format!("{price} {name} had to be paid, but {why}"))
}

/// [`super::op::Op::Mix`]: begins a payment in a mix. Operands pushed: the number picked of each resource, the number of units left to
/// pick, and the index of the first resource that may be picked next.
pub(crate) fn begin_mix(store: &mut Store<'_>, amount: NodeId, mix: u32, env: &mut Env) -> Result<(), Stop> {
    let (rules, amount, me) = (store.rules, store.eval(amount, env), env.me);
    let resources = &rules.ops.mixes[mix as usize];
    let have: i64 = resources.iter().map(|&r| store.position().amount(me, r as usize)).sum();
    if amount > MAX_IN_A_MIX {
        return Err(store.fault(format!("{amount} had to be paid in any mix, which is unit by unit: {MAX_IN_A_MIX} at most")));
    }
    if have < amount {
        return Err(store.fault(format!("{amount} had to be paid where there was less")));
    }
    store.state.push_all(std::iter::repeat_n(0, resources.len()).chain([cast::fit::<i32>(amount.max(0)), 0]));
    Ok(())
}

/// [`super::op::Op::NextUnit`]: picks units in the declared order of resources, so that each payment is reached in exactly one way, and
/// then pays. A resource is skipped only if the later ones suffice.
pub(crate) fn next_unit(machine: &mut Machine<'_>, mix: u32, me: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let resources = &rules.ops.mixes[mix as usize];
    let base = machine.store.state.top() - 2 - resources.len();
    while *machine.store.state.operand(1) > 0 {
        let (left, from) = (*machine.store.state.operand(1) as i64, cast::index(*machine.store.state.operand(0)));
        let chosen = question::ask(machine, me, Question::Payment, |game, options| {
            let rest = |index: usize| game.position().amount(me, resources[index] as usize) - game.state.cells()[base + index] as i64;
            for index in from..resources.len() {
                let beyond: i64 = (index..resources.len()).map(rest).sum();
                if rest(index) > 0 && beyond >= left {
                    options.push(Opt::new(rules, Act::Word(rules.resources[resources[index] as usize])));
                }
            }
        })?;
        let Some(Opt { act: Act::Word(word), .. }) = chosen else { break };
        let class = resources.iter().position(|&r| rules.resources[r as usize] == word).unwrap_or(from);
        *machine.store.state.operand_at(base + class) += 1;
        *machine.store.state.operand(1) -= 1;
        *machine.store.state.operand(0) = cast::fit::<i32>(class);
    }
    let mut costs = std::mem::take(&mut machine.store.live.lists.costs);
    costs.clear();
    costs.extend(resources.iter().zip(&machine.store.state.cells()[base..]).map(|(&resource, &amount)| (resource as usize, amount as i64)));
    machine.store.state.drop_operands(2 + resources.len());
    let paid = change::pay(&mut machine.store, me, &costs);
    machine.store.live.lists.costs = costs;
    paid
}
