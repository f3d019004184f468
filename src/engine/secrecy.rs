//! What seats know of hidden values while the program changes them.
//!
//! An amount that rests on nothing hidden is told to everybody, so that who knew a value goes on knowing it. An amount that a seat cannot
//! know makes it lose track of the value, and so does a condition that it cannot know, whether anything is written then or not.

use super::card_log;
use super::decision::Stop;
use super::eval::Env;
use super::hidden::seat_bit;
use super::locals::seats_without;
use super::op::{Op, Pc};
use super::ruleset::{Cells, NodeId, Owner, Ruleset, VariableSort, Write};
use super::secrecy_of_op::Secrecy;
use super::secrets::{with_seats, without_seats};
use super::store::Store;
use crate::cast;
use houserule_ruleset::graph::reads_locals;
use houserule_ruleset::hidden::Branch;
use houserule_state::layout::TABLE;

/// Prepares an op of rules with hidden values: forgets what depends on a branch before the op, and returns how the op changes what seats
/// know.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write no variables")]
pub(crate) fn prepare(store: &mut Store<'_>, op: &Op, pc: Pc, env: &mut Env) -> Result<Secrecy, Stop> {
    let rules = store.rules;
    if let Some(branch) = rules.hidden.values.branch_at(pc) {
        forget_branch(store, branch, op, env)?;
    }
    let decided = rules.hidden.values.is_decided(pc);
    let mut replaces = false;
    let unknown_to = match op {
        Op::Write { written } => {
            let (target, operator, value) = &**written;
            let offset = usize::from(target.offset);
            let Some(secret) = secret_in(rules, target.of, offset) else { return Ok(Secrecy::default()) };
            let mut unknown = unknown_to_any(store, [*value].into_iter().chain(target.element.map(|(_, index)| index)), pc, env);
            if let Cells::Seat(Some(seat)) = target.of {
                let whose = unknown_to(store, seat, pc, env);
                if whose != 0 {
                    forget_all(store, secret, whose)?;
                }
                unknown |= whose;
            }
            replaces = *operator == Write::Set && !decided && rules.secrets[secret].slot.len == 1;
            unknown
        }
        Op::WriteWord { of, offset, word, .. } => match secret_in(rules, *of, usize::from(*offset)) {
            Some(_) => unknown_to(store, *word, pc, env),
            None => 0,
        },
        Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } | Op::Pay { amount, resource } => {
            unknown_to_any(store, [*resource, *amount].into_iter(), pc, env)
        }
        Op::Costs { choice } => {
            let costs = rules.choices[usize::from(*choice)].costs.iter().filter(|cost| cost.tokens.is_none());
            unknown_to_any(store, costs.map(|cost| cost.amount), pc, env)
        }
        Op::PayFirst { costs } => unknown_to_any(store, costs.iter().map(|cost| cost.0), pc, env),
        Op::PayCard => {
            let action = usize::try_from(env.locals[0]).ok().and_then(|card| rules.definition(card).action.as_ref());
            unknown_to_any(store, action.iter().flat_map(|action| &action.costs).map(|cost| cost.0), pc, env)
        }
        Op::Script { .. } => rules.everybody() & !(1 << env.me),
        _ => 0,
    };
    Ok(Secrecy { unknown_to, replaces })
}

/// Returns the hidden value to which a cell belongs; `None` if it is no secret.
fn secret_in(rules: &Ruleset, of: Cells, offset: usize) -> Option<usize> {
    match of {
        Cells::Table => rules.secret_at(offset).map(|at| at.0),
        Cells::Seat(_) => secret_of_seat(rules, offset),
        Cells::Piece(_) => None,
    }
}

fn secret_of_seat(rules: &Ruleset, offset: usize) -> Option<usize> {
    rules.secret_at(rules.layout.seat(0, offset)).map(|at| at.0)
}

/// Returns the seats that cannot know the value of an expression where an op reads it, as a bit set.
fn unknown_to(store: &mut Store<'_>, value: NodeId, pc: Pc, env: &Env) -> i32 {
    let rules = store.rules;
    if rules.graph.constant(value).is_some() {
        return 0;
    }
    if rules.hidden.values.has_private_locals(pc) && reads_locals(&rules.graph, value) {
        return rules.everybody() & !(1 << env.me);
    }
    seats_without(store, value, env)
}

/// Returns the seats that cannot know one of several values where an op reads them, as a bit set.
fn unknown_to_any(store: &mut Store<'_>, values: impl Iterator<Item = NodeId>, pc: Pc, env: &Env) -> i32 {
    values.fold(0, |seats, value| seats | unknown_to(store, value, pc, env))
}

/// Lets seats lose track of all values that a branch may write.
fn forget_branch(store: &mut Store<'_>, branch: &Branch, op: &Op, env: &mut Env) -> Result<(), Stop> {
    let rules = store.rules;
    let is_filter = matches!(op, Op::NextPlayer { .. } | Op::Simultaneous { .. });
    let unknown = match branch.condition {
        None => rules.everybody() & !(1 << env.me),
        Some(filter) if is_filter => {
            let (mut seats, mut of_seat) = (0, *env);
            for me in 0..rules.players {
                of_seat.me = me;
                seats |= seats_without(store, filter, &of_seat);
            }
            seats
        }
        Some(condition) => seats_without(store, condition, env),
    };
    if unknown == 0 {
        return Ok(());
    }
    for &secret in &branch.values {
        let secret = usize::from(secret);
        match branch.of_all || rules.secrets[secret].slot.owner == Owner::Table {
            true => forget_all(store, secret, unknown)?,
            false => forget(store, secret, cast::seat(env.me), unknown)?,
        }
    }
    Ok(())
}

fn forget_all(store: &mut Store<'_>, secret: usize, seats: i32) -> Result<(), Stop> {
    let rules = store.rules;
    rules.secrets[secret].owners(rules.players).try_for_each(|owner| forget(store, secret, owner, seats))
}

fn forget(store: &mut Store<'_>, secret: usize, owner: u8, seats: i32) -> Result<(), Stop> {
    let cell = store.rules.knowledge_of_secret(secret, owner);
    store.put(cell, without_seats(store.state.cells()[cell], seats & !seat_bit(owner)).into())
}

/// Notes that the running op has written a cell: who cannot know what, loses track of the value to which it belongs.
///
/// # Errors
/// A fault of the state.
#[inline]
pub(crate) fn lose_track_of_written(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    if store.rules.secrets.is_empty() { Ok(()) } else { note_secret_written(store, cell) }
}

#[cold]
fn note_secret_written(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    let Some((secret, owner)) = store.rules.secret_at(cell) else { return Ok(()) };
    let Secrecy { unknown_to, replaces } = store.live.running.secrecy;
    if replaces {
        learn(store, (secret, owner))?;
    }
    forget(store, secret, owner, unknown_to)
}

/// Lets all seats know a hidden value without showing it.
fn learn(store: &mut Store<'_>, (secret, owner): (usize, u8)) -> Result<(), Stop> {
    let cell = store.rules.knowledge_of_secret(secret, owner);
    let shown = store.state.cells()[cell] & !store.rules.everybody();
    store.put(cell, shown.into())
}

/// Notes that a forced loss has left nothing: everybody knows that, unless the amount is hidden.
pub(crate) fn note_nothing_left(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    if store.live.running.secrecy.unknown_to == 0 { note_cleared(store, cell) } else { Ok(()) }
}

/// Notes that values whose time is over are 0 again.
pub(crate) fn note_cleared(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    store.rules.secret_at(cell).map_or(Ok(()), |at| learn(store, at))
}

/// Hides a value from all seats but its owner, for scenarios, which say what it is. A value whose range nothing tells stays known.
///
/// # Errors
/// A fault of the state.
pub fn conceal(store: &mut Store<'_>, cell: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let Some((secret, owner)) = rules.secret_at(cell) else { return Ok(()) };
    if rules.secrets[secret].pool.is_none() && rules.hidden.values.range(rules, secret).is_none() {
        return Ok(());
    }
    forget(store, secret, owner, rules.everybody())?;
    if rules.secrets[secret].pool.is_some() { forget_sorts(store, secret, owner, rules.everybody()) } else { Ok(()) }
}

/// Makes the next line of the log readable for the seats alone that learn the amount of a hidden resource which the running op writes.
pub(crate) fn redact_amount(store: &mut Store<'_>, cell: usize, seat: usize, instead: impl FnOnce() -> String) {
    let unknown_to = store.live.running.secrecy.unknown_to & !(1 << seat);
    if unknown_to != 0 && store.rules.secret_at(cell).is_some() {
        card_log::redact(store, !unknown_to, instead);
    }
}

/// Checks that a cell may hold a number.
///
/// # Errors
/// A fault if its range does not contain the number.
#[inline]
pub(crate) fn check_bounds(store: &Store<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    if store.rules.bounds.is_empty() { Ok(()) } else { check_declared_bounds(store, cell, value) }
}

#[cold]
fn check_declared_bounds(store: &Store<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    let Some(bound) = store.rules.bound_at(cell) else { return Ok(()) };
    let (low, high) = bound.range;
    if (i64::from(low)..=i64::from(high)).contains(&value) {
        return Ok(());
    }
    Err(store.fault(format!("`{}` would be {value}, and it goes from {low} to {high}", store.rules.names.text(bound.name))))
}

/// Shows a hidden value to seats, a bit set: they see it until somebody may change it unseen.
///
/// # Errors
/// A value beyond 32 bits is a fault.
pub(crate) fn show_value(store: &mut Store<'_>, secret: usize, owner: u8, seats: i32) -> Result<(), Stop> {
    let rules = store.rules;
    if seats == 0 {
        return Ok(());
    }
    let cell = rules.knowledge_of_secret(secret, owner);
    store.put(cell, with_seats(store.state.cells()[cell], seats).into())?;
    if rules.secrets[secret].pool.is_some() {
        store.put(cell + 1, (store.state.cells()[cell + 1] & !seats).into())?;
    }
    if store.live.log.is_on() && !store.is_collecting_answers() {
        let to = card_log::names_of_seats(rules, seats);
        let name = rules.names.text(rules.secrets[secret].name);
        let what = if owner == TABLE { name.to_string() } else { format!("p{}'s {name}", owner + 1) };
        card_log::redact(store, seats | seat_bit(owner), || format!("{what} is shown to {to}"));
        let value = value_text(store, secret, owner);
        store.log_line(|| format!("{what} is shown to {to}: {value}"));
    }
    Ok(())
}

/// Writes a hidden value in words.
fn value_text(store: &Store<'_>, secret: usize, owner: u8) -> String {
    let (rules, cells) = (store.rules, store.state.cells());
    let first = rules.cells_of_secret(secret, owner).start;
    let listed = |all: Vec<String>| if all.is_empty() { "nothing".to_string() } else { all.join(", ") };
    let secret = &rules.secrets[secret];
    if secret.pool.is_some() {
        let counts = (0..rules.classes.len()).map(|class| (cells[first + class], rules.names.text(rules.classes[class].key)));
        return listed(counts.filter(|(count, _)| *count > 0).map(|(count, key)| format!("{count} {key}")).collect());
    }
    let Some(variable) = rules.variables(secret.slot.owner).iter().find(|variable| variable.offset == secret.slot.offset) else {
        return String::new();
    };
    let words = || variable.words.iter().map(|word| rules.names.text(*word)).enumerate();
    match variable.sort {
        VariableSort::Flag => if cells[first] == 0 { "no" } else { "yes" }.to_string(),
        VariableSort::Set => listed(words().filter(|(at, _)| cells[first] >> at & 1 == 1).map(|(_, word)| word.to_string()).collect()),
        VariableSort::Tally => {
            let counts = words().map(|(at, word)| (cells[first + at], word)).filter(|(count, _)| *count != 0);
            listed(counts.map(|(count, word)| format!("{count} {word}")).collect())
        }
        VariableSort::Counter | VariableSort::Resource => {
            let word = words().find(|(at, _)| cast::count(*at) == i64::from(cells[first]));
            word.map_or_else(|| cells[first].to_string(), |(_, word)| word.to_string())
        }
    }
}

// ---------------------------------------------------------------------- pools

/// Returns the hidden value that a pool is, and its owner where a seat acts.
fn secret_of_pool(rules: &Ruleset, pool: u8, seat: usize) -> Option<(usize, u8)> {
    let secret = rules.secrets.iter().position(|secret| secret.pool == Some(pool))?;
    Some((secret, if rules.secrets[secret].slot.owner == Owner::Player { cast::seat(seat) } else { TABLE }))
}

fn forget_sorts(store: &mut Store<'_>, secret: usize, owner: u8, seats: i32) -> Result<(), Stop> {
    let cell = store.rules.knowledge_of_secret(secret, owner) + 1;
    store.put(cell, i64::from(store.state.cells()[cell] | seats & !seat_bit(owner)))
}

/// Returns the seats that see what happens in a pool, as a bit set.
pub(crate) fn seats_that_see_into(rules: &Ruleset, pool: u8, seat: usize) -> i32 {
    secret_of_pool(rules, pool, seat).map_or(rules.everybody(), |(_, owner)| seat_bit(owner))
}

/// Notes that dice of a pool have been rolled: only who sees into the pool knows what they show.
pub(crate) fn note_rolled(store: &mut Store<'_>, pool: u8, seat: usize) -> Result<(), Stop> {
    let seats = store.rules.everybody();
    secret_of_pool(store.rules, pool, seat).map_or(Ok(()), |(secret, owner)| forget(store, secret, owner, seats))
}

/// Notes that all dice of a pool show nothing now: who knows the sorts knows the pool.
pub(crate) fn note_lifted(store: &mut Store<'_>, pool: u8, seat: usize) -> Result<(), Stop> {
    let Some((secret, owner)) = secret_of_pool(store.rules, pool, seat) else { return Ok(()) };
    let cell = store.rules.knowledge_of_secret(secret, owner);
    let (known, sorts) = (store.state.cells()[cell], store.state.cells()[cell + 1]);
    let shown = known & !store.rules.everybody();
    store.put(cell, (shown | known & sorts).into())
}

/// Notes that tokens go from one pool to another. What comes into a pool that all see, or goes out of one, is seen. Between hidden pools, who
/// does not know what lay in the first, or did not see which were chosen, does not know what lies in the second. `chosen` are the seats that
/// do not know which tokens went, as a bit set.
pub(crate) fn note_moved(store: &mut Store<'_>, from: u8, to: u8, seat: usize, chosen: i32) -> Result<(), Stop> {
    let rules = store.rules;
    let (Some((source, giver)), Some((target, taker))) = (secret_of_pool(rules, from, seat), secret_of_pool(rules, to, seat)) else {
        return Ok(());
    };
    let cell = rules.knowledge_of_secret(source, giver);
    let [faces, sorts] = [cell, cell + 1].map(|cell| store.state.cells()[cell] & rules.everybody());
    // The owner of either pool sees what goes.
    let chosen = chosen & !seats_that_see_into(rules, from, seat) & !seats_that_see_into(rules, to, seat);
    forget(store, source, giver, chosen)?;
    // Which tokens go may depend on what they show.
    forget_sorts(store, source, giver, faces | chosen)?;
    forget(store, target, taker, faces | chosen)?;
    forget_sorts(store, target, taker, faces | sorts | chosen)
}

/// Returns the seats that read in the log which tokens go from one pool to another, as a bit set.
pub(crate) fn seats_told_of_move(rules: &Ruleset, from: u8, to: u8, seat: usize) -> i32 {
    seats_that_see_into(rules, from, seat) | if rules.pools[usize::from(to)].face_down { 0 } else { seats_that_see_into(rules, to, seat) }
}
