//! Moves and rolls tokens. Tokens of equal sort and face are interchangeable: a pool holds one count for each class of them.

use super::card_log;
use super::decision::Stop;
use super::eval::Env;
use super::reader::{classes, decode_token, mask_of_set, pool_base};
use super::ruleset::NodeId;
use super::secrecy;
use super::store::Store;
use crate::cast;
pub use houserule_ruleset::tokens::*;
use houserule_state::chance::{below, draw, hash_text, join};

/// The name, as a hash, of the random stream of rolls.
const ROLL: u64 = hash_text("roll");
/// The name, as a hash, of the random stream of tokens taken at random.
const TAKE: u64 = hash_text("take");

/// Returns the step of a random stream that belongs to the value of a counter.
fn stream_step(step: i32) -> u64 {
    i64::from(step).cast_unsigned()
}

/// Returns the classes of a set of tokens, as a bit set.
pub(crate) fn token_mask(store: &mut Store<'_>, set: u32, env: &mut Env) -> u64 {
    let rules = store.rules;
    let set = &rules.token_sets[set as usize];
    let [sort, showing] = [set.sort, set.showing].map(|part| part.map(|part| store.eval(part, env)));
    mask_of_set(rules, set, sort, showing)
}

/// Moves `amount` tokens of a class from one pool to another; nothing happens if `amount` is 0 or less.
pub(crate) fn move_tokens(store: &mut Store<'_>, class: usize, amount: i64, from: u8, to: u8, seat: usize) -> Result<(), Stop> {
    let rules = store.rules;
    if amount <= 0 {
        return Ok(());
    }
    if !rules.secrets.is_empty() && store.live.log.is_on() {
        redact_move(store, class, amount, (from, to), seat);
    }
    let source = pool_base(rules, from, seat) + class;
    let target_class =
        if rules.pools[to as usize].face_down { rules.tokens[rules.classes[class].token as usize].blank as usize } else { class };
    let target = pool_base(rules, to, seat) + target_class;
    store.add(source, -amount)?;
    store.add(target, amount)?;
    store.log_line(|| {
        let name = |pool: u8| rules.names.text(rules.pools[pool as usize].name);
        format!("p{}: {amount} {} from {} to {}", seat + 1, rules.names.text(rules.classes[class].key), name(from), name(to))
    });
    Ok(())
}

/// Hides in the log which tokens go between pools that somebody does not see.
#[cold]
fn redact_move(store: &mut Store<'_>, class: usize, amount: i64, (from, to): (u8, u8), seat: usize) {
    let rules = store.rules;
    let told = secrecy::seats_told_of_move(rules, from, to, seat);
    let name = |pool: u8| rules.names.text(rules.pools[pool as usize].name);
    // The sorts of tokens in a pool that lie face down are seen.
    let what = match secrecy::seats_that_see_into(rules, to, seat) | told == told {
        true => "tokens",
        false => rules.names.text(rules.tokens[rules.classes[class].token as usize].name),
    };
    card_log::redact(store, told, || format!("p{}: {amount} {what} from {} to {}", seat + 1, name(from), name(to)));
}

fn turn_class_blank(store: &mut Store<'_>, class: usize, amount: i64, pool: u8, seat: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let base = pool_base(rules, pool, seat);
    let blank = rules.tokens[rules.classes[class].token as usize].blank as usize;
    if blank == class || amount == 0 {
        return Ok(());
    }
    store.add(base + class, -amount)?;
    store.put(base + blank, store.state.cells()[base + blank] as i64 + amount)
}

/// Sets the contents of a pool, for scenarios. The difference is taken from, or returned to, the pool in which all tokens start.
///
/// # Errors
/// That pool holds too few tokens.
pub fn set_pool(store: &mut Store<'_>, pool: u8, seat: usize, contents: &[(usize, i64)]) -> Result<(), Stop> {
    let rules = store.rules;
    let supply = (0..cast::fit::<u8>(rules.pools.len())).find(|&other| rules.pools[other as usize].full && other != pool);
    let base = pool_base(rules, pool, seat);
    // How many more tokens of each sort there are, on whatever face.
    let mut change = vec![0; rules.tokens.len()];
    for (class, known) in rules.classes.iter().enumerate() {
        let wanted: i64 = contents.iter().filter(|c| c.0 == class).map(|c| c.1).sum();
        change[known.token as usize] += wanted - i64::from(store.state.cells()[base + class]);
        store.put(base + class, wanted)?;
    }
    for (token, change) in change.into_iter().enumerate() {
        if let Some(supply) = supply {
            let blank = rules.tokens[token].blank as usize;
            let cell = pool_base(rules, supply, seat) + blank;
            let left = i64::from(store.state.cells()[cell]) - change;
            if left < 0 {
                let (key, pool) = (rules.names.text(rules.classes[blank].key), rules.names.text(rules.pools[supply as usize].name));
                let left = store.state.cells()[cell];
                return Err(Stop::fault(format!("that takes {change} `{key}` from `{pool}`, and there are only {left}")));
            }
            store.put(cell, left)?;
        }
    }
    // A seat with rolled dice counts as having begun its turns.
    if rules.pools[pool as usize].of_seat {
        for taken in rules.turns.iter().filter(|turns| turns.first.is_some()).filter_map(|turns| turns.taken) {
            let cell = rules.layout.seat(seat, taken as usize);
            store.put(cell, store.state.cells()[cell].max(1) as i64)?;
        }
    }
    Ok(())
}

/// Moves up to `amount` tokens of a set from one pool to another, or all.
pub(crate) fn take_tokens(
    store: &mut Store<'_>,
    amount: Option<NodeId>,
    set: u32,
    (from, to): (u8, u8),
    env: &mut Env,
) -> Result<(), Stop> {
    let rules = store.rules;
    let mut left = amount.map_or(i64::MAX, |amount| store.eval(amount, env));
    if left <= 0 {
        return Ok(());
    }
    let base = pool_base(rules, from, env.me);
    secrecy::note_moved(store, from, to, env.me, 0)?;
    for class in classes(token_mask(store, set, env)) {
        let amount = left.min(store.state.cells()[base + class] as i64);
        if amount > 0 {
            move_tokens(store, class, amount, from, to, env.me)?;
            left -= amount;
        }
    }
    Ok(())
}

/// Moves up to `amount` random tokens of a set from one pool to another. Each token uses a step of the random stream of the seat (or the
/// table) in this round.
pub(crate) fn take_at_random(store: &mut Store<'_>, amount: NodeId, set: u32, (from, to): (u8, u8), env: &mut Env) -> Result<(), Stop> {
    let (rules, amount, seat) = (store.rules, store.eval(amount, env), env.me);
    let base = pool_base(rules, from, seat);
    let mut available = [0; MAX_TOKEN_CLASSES];
    for class in classes(token_mask(store, set, env)) {
        available[class] = store.state.cells()[base + class];
    }
    let mut left: i32 = available.iter().sum();
    let (counter, stream) = counter_and_stream(store, TAKE, from, seat);
    let first = store.state.cells()[counter];
    let (mut taken, seed) = ([0; MAX_TOKEN_CLASSES], store.seed_of_chance());
    let count = cast::fit::<i32>(amount.clamp(0, i64::from(left)));
    for step in first..first + count {
        let class = if store.live.log.fixed.takes.is_empty() {
            let mut at = cast::fit::<i32>(below(draw(seed, stream, stream_step(step)), cast::fit::<u32>(left)));
            let found = available.iter().position(|&count| {
                at -= count;
                at < 0
            });
            found.ok_or_else(|| Stop::fault("fewer tokens lie there than were counted"))?
        } else {
            fixed_token(store, from, &available)?
        };
        available[class] -= 1;
        left -= 1;
        taken[class] += 1;
    }
    store.put(counter, i64::from(first) + i64::from(count))?;
    if count > 0 {
        secrecy::note_moved(store, from, to, seat, rules.everybody())?;
    }
    for (class, amount) in taken.into_iter().enumerate().filter(|(_, amount)| *amount > 0) {
        move_tokens(store, class, amount, from, to, seat)?;
    }
    Ok(())
}

/// Takes the next token that a scenario has fixed, and returns its class.
///
/// # Errors
/// The pool holds no such token, or a simultaneous block is running.
#[cold]
fn fixed_token(store: &mut Store<'_>, from: u8, available: &[i32]) -> Result<usize, Stop> {
    let rules = store.rules;
    if store.state.in_simultaneous_block() {
        return Err(Stop::fault("what all players take at once cannot be fixed by `next take`"));
    }
    let wanted = store.live.log.fixed.takes.pop_front().unwrap_or(0);
    classes(wanted).find(|&class| available[class] > 0).ok_or_else(|| {
        let name = |class: usize| rules.names.text(rules.classes[class].key);
        let known: Vec<&str> = (0..rules.classes.len()).filter(|&class| available[class] > 0).map(name).collect();
        let pool = rules.names.text(rules.pools[from as usize].name);
        Stop::fault(format!("`next take` gives a token that cannot be taken from `{pool}` now; there is {}", known.join(", ")))
    })
}

/// Returns the cell that counts the rolls and random takes from a pool in this round, and the random stream of one of both.
fn counter_and_stream(store: &Store<'_>, name: u64, pool: u8, seat: usize) -> (usize, u64) {
    let rules = store.rules;
    let (counter, owner) = match rules.pools[pool as usize].of_seat {
        true => (rules.layout.seat(seat, rules.roll_counters.1 as usize), seat as u64),
        false => (rules.roll_counters.0 as usize, u8::MAX as u64),
    };
    (counter, join(join(name, owner), cast::fit::<u64>(store.state.round())))
}

/// Moves the picked token in a local to another pool.
pub(crate) fn move_picked(store: &mut Store<'_>, local: u8, to: u8, env: &Env) -> Result<(), Stop> {
    let Some((pool, class)) = decode_token(env.locals[local as usize]) else { return Ok(()) };
    secrecy::note_moved(store, pool, to, env.me, store.rules.everybody())?;
    move_tokens(store, class, 1, pool, to, env.me)
}

/// Turns all tokens of a set in a pool blank, to be rolled again.
pub(crate) fn turn_blank(store: &mut Store<'_>, set: u32, pool: u8, env: &mut Env) -> Result<(), Stop> {
    let rules = store.rules;
    let base = pool_base(rules, pool, env.me);
    for class in classes(token_mask(store, set, env)) {
        let amount = store.state.cells()[base + class];
        if amount > 0 {
            turn_class_blank(store, class, amount as i64, pool, env.me)?;
        }
    }
    let set = &rules.token_sets[set as usize];
    if set.sort.is_none() && set.showing.is_none() && (0..rules.classes.len()).all(|class| set.classes >> class & 1 == 1) {
        secrecy::note_lifted(store, pool, env.me)?;
    }
    Ok(())
}

/// Turns the picked token in a local blank, to be rolled again.
pub(crate) fn turn_picked_blank(store: &mut Store<'_>, local: u8, env: &Env) -> Result<(), Stop> {
    let Some((pool, class)) = decode_token(env.locals[local as usize]) else { return Ok(()) };
    turn_class_blank(store, class, 1, pool, env.me)
}

/// Takes the next face that a scenario has fixed, and returns its class.
///
/// # Errors
/// The die has no such face, or a simultaneous block is running.
#[cold]
fn fixed_face(store: &mut Store<'_>, token: &Token) -> Result<u8, Stop> {
    let rules = store.rules;
    if store.state.in_simultaneous_block() {
        return Err(Stop::fault("what all players roll at once cannot be fixed by `next roll`"));
    }
    let wanted = store.live.log.fixed.rolls.pop_front().unwrap_or(0);
    token.faces.iter().copied().find(|&class| wanted >> class & 1 == 1).ok_or_else(|| {
        let faces: Vec<&str> = token.faces.iter().map(|&class| rules.names.text(rules.classes[class as usize].key)).collect();
        let name = rules.names.text(token.name);
        Stop::fault(format!("`next roll` gives a face that `{name}`, which is rolled next, does not have; it has {}", faces.join(", ")))
    })
}

/// Rolls all blank dice in a pool. Each uses a step of the random stream of the seat (or the table) in this round.
pub(crate) fn roll(store: &mut Store<'_>, pool: u8, seat: usize) -> Result<(), Stop> {
    let rules = store.rules;
    let base = pool_base(rules, pool, seat);
    let of_seat = rules.pools[pool as usize].of_seat;
    let (counter, stream) = counter_and_stream(store, ROLL, pool, seat);
    for token in rules.tokens.iter().filter(|token| !token.faces.is_empty()) {
        let count = store.state.cells()[base + token.blank as usize];
        if count == 0 {
            continue;
        }
        let first = store.state.cells()[counter];
        secrecy::note_rolled(store, pool, seat)?;
        let told = secrecy::seats_that_see_into(rules, pool, seat);
        let (mut fallen, seed) = ([0; MAX_TOKEN_CLASSES], store.seed_of_chance());
        for step in first..first + count {
            let class = match store.live.log.fixed.rolls.is_empty() {
                true => token.faces[below(draw(seed, stream, stream_step(step)), cast::fit::<u32>(token.faces.len())) as usize],
                false => fixed_face(store, token)?,
            } as usize;
            fallen[class] += 1;
            let roller = || if of_seat { format!("p{}", seat + 1) } else { "the table".to_string() };
            card_log::redact(store, told, || format!("{} rolls {} in secret", roller(), rules.names.text(token.name)));
            store.log_line(|| format!("{} rolls {}", roller(), rules.names.text(rules.classes[class].key)));
        }
        store.put(counter, (first + count) as i64)?;
        store.put(base + token.blank as usize, 0)?;
        for class in classes(token.classes).filter(|&class| fallen[class] > 0) {
            store.put(base + class, (store.state.cells()[base + class] + fallen[class]) as i64)?;
        }
    }
    Ok(())
}
