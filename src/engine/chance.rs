//! What chance chooses among several: cards, spaces, numbers, words and players.

use super::decision::Stop;
use super::env::Env;
use super::key::text_of_value;
use super::locals::{seats_without, seats_without_set};
use super::op::Pc;
use super::program::Domain;
use super::ruleset::NodeId;
use super::sets;
use super::store::Store;
use crate::cast;
use houserule_ruleset::graph::reads_locals;
use houserule_ruleset::hidden::Audience;
use houserule_ruleset::program::Chance;
use houserule_state::chance::{below, draw, hash_text, join};

/// The name, as a hash, of the random streams.
const CARD: u64 = hash_text("random card");

/// The most numbers among which one is chosen by chance.
const MAX_NUMBERS: i64 = 1000;

/// Chooses one of several, each as likely as any other; returns its index, or `None` if there are none. Each seat has a random stream of its
/// own, so that a block of all players gives each the same again when its answers are carried out. `text` is what a scenario calls one.
///
/// # Errors
/// A fault of the state, or a scenario says that something comes which is not among them.
fn choose(store: &mut Store<'_>, found: &[i32], me: usize, text: impl Fn(i32) -> String) -> Result<Option<usize>, Stop> {
    let rules = store.rules;
    let (count, Some(counter)) = (cast::fit::<u32>(found.len()), rules.card_draws) else { return Ok(None) };
    if count == 0 {
        return Ok(None);
    }
    let chosen = match store.live.log.fixed.chosen.is_empty() {
        true => None,
        false => Some(find_fixed(store, found, text)?),
    };
    let cell = rules.layout.seat(me, counter.into());
    let step = store.state.cells()[cell];
    let random = draw(store.seed_of_chance(), join(CARD, me as u64), cast::fit::<u64>(step));
    store.put(cell, i64::from(step) + 1)?;
    Ok(Some(chosen.unwrap_or(below(random, count) as usize)))
}

/// Returns the index of what a scenario says that chance chooses next.
#[cold]
fn find_fixed(store: &mut Store<'_>, found: &[i32], text: impl Fn(i32) -> String) -> Result<usize, Stop> {
    if store.state.in_simultaneous_block() {
        return Err(Stop::fault("what chance chooses for all players at once cannot be fixed by `next random`"));
    }
    let wanted = store.live.log.fixed.chosen.pop_front().unwrap_or_default();
    found.iter().position(|&one| text(one) == wanted).ok_or_else(|| {
        let mut known: Vec<String> = found.iter().map(|&one| text(one)).collect();
        known.dedup();
        Stop::fault(format!("`next random` says `{wanted}`, which cannot come now; there is {}", known.join(", ")))
    })
}

/// Stores a random card of a set in a local, or no card.
///
/// # Errors
/// See [`choose`].
pub(crate) fn set_random_card(store: &mut Store<'_>, local: u8, set: u32, env: &mut Env) -> Result<(), Stop> {
    let rules = store.rules;
    let mut cards = std::mem::take(&mut store.live.lists.cards);
    sets::cards_of(store, set, env, &mut cards);
    let chosen = choose(store, &cards, env.me, |card| rules.names.text(rules.definition(cast::index(card)).id).to_string());
    env.locals[local as usize] = -1;
    if let Ok(Some(index)) = chosen {
        env.locals[local as usize] = cards[index];
    }
    store.live.lists.cards = cards;
    chosen.map(|_| ())
}

/// Stores a random number, word, player, card or space in a local: 0, nobody, or no card if there is none. `pc` is that of the next op.
///
/// # Errors
/// See [`choose`]; there is no word, or there are too many numbers; or it would tell somebody what is hidden.
pub(crate) fn set_random(store: &mut Store<'_>, local: u8, chance: u32, (pc, env): (Pc, &mut Env)) -> Result<(), Stop> {
    let rules = store.rules;
    let Chance { domain, filter, basis, is_logged } = &rules.ops.chances[chance as usize];
    let (at, pc) = (local as usize, Pc(pc.0 - 1));
    let mut unknown_to = 0;
    for &value in &basis.values {
        unknown_to |= seats_without(store, value, env);
    }
    if basis.reads_names && rules.hidden.chances.told_at(pc).is_some_and(|told| told.has_hidden_names) {
        unknown_to |= rules.everybody() & !(1 << env.me);
    }
    let mut found = Vec::new();
    let mut note = |store: &mut Store<'_>, env: &mut Env, value: i32| {
        env.locals[at] = value;
        if let Some(filter) = filter.filter(|_| basis.of_each) {
            unknown_to |= seats_without(store, filter, env);
        }
        if store.holds_if(*filter, env) {
            found.push(value);
        }
    };
    match domain {
        Domain::Numbers { from, to } => {
            let (from, to) = (store.eval(*from, env), store.eval(*to, env));
            if to.saturating_sub(from) >= MAX_NUMBERS {
                return Err(Stop::fault(format!(
                    "chance chooses among {MAX_NUMBERS} numbers at most, and there are more from {from} to {to}"
                )));
            }
            for number in from..=to {
                let number = i32::try_from(number).map_err(|_| Stop::fault(format!("{number} is too large to be kept under a name")))?;
                note(store, env, number);
            }
        }
        Domain::Words(words) => words.iter().for_each(|&(_, word)| note(store, env, word)),
        Domain::Players(set) => {
            let mut hidden = 0;
            let ahead = |store: &mut Store<'_>, env: &Env| {
                if let Some(filter) = set.filter.filter(|_| basis.of_each) {
                    hidden |= seats_without(store, filter, env);
                }
            };
            sets::each_player(store, set, at, env, ahead, |store, env, player| note(store, env, player));
            unknown_to |= hidden;
        }
        Domain::Cards(set) => {
            let mut cards = Vec::new();
            let hidden = if basis.of_spaces { seats_without_set(store, *set, env) } else { 0 };
            sets::cards_of(store, *set, env, &mut cards);
            cards.into_iter().for_each(|card| note(store, env, card));
            unknown_to |= hidden;
        }
    }
    if unknown_to != 0 {
        check_told(store, unknown_to, pc, env)?;
    }
    env.locals[at] = if matches!(domain, Domain::Numbers { .. }) { 0 } else { -1 };
    let me = env.me;
    match choose(store, &found, me, |value| text_of_value(rules, domain, value))? {
        Some(index) => {
            if *is_logged && store.live.log.is_on() && !store.is_collecting_answers() {
                let told = seats_told(store, pc, env);
                if told & rules.everybody() != rules.everybody() {
                    store.live.log.redact_next(told, None);
                }
                let is_of_player = rules.hidden.chances.told_at(pc).is_none_or(|told| told.is_of_player);
                let whose = if is_of_player { format!("p{}: ", me + 1) } else { String::new() };
                store.log_line(|| format!("{whose}by chance {}", text_of_value(rules, domain, found[index])));
            }
            env.locals[at] = found[index];
            Ok(())
        }
        None if matches!(domain, Domain::Words(_)) => Err(Stop::fault("chance cannot choose a word: there is none for which this holds")),
        None => Ok(()),
    }
}

/// Checks what is handed to an effect in which chance goes by it. `pc` is that of the op behind the call.
///
/// # Errors
/// It would tell somebody what is hidden.
#[cold]
pub(crate) fn check_handed(store: &mut Store<'_>, effect: u16, args: &[NodeId], pc: Pc, env: &Env) -> Result<(), Stop> {
    let rules = store.rules;
    let (pc, handed) = (Pc(pc.0 - 1), rules.hidden.chances.handed(effect));
    let mut unknown_to = 0;
    for (_, &arg) in (1..).zip(args).filter(|(param, _)| handed >> param & 1 == 1) {
        if rules.hidden.chances.told_at(pc).is_some_and(|told| told.has_hidden_names) && reads_locals(&rules.graph, arg) {
            unknown_to |= rules.everybody() & !(1 << env.me);
        }
        unknown_to |= seats_without(store, arg, env);
    }
    if unknown_to == 0 { Ok(()) } else { check_told(store, unknown_to, pc, env) }
}

fn check_told(store: &mut Store<'_>, unknown_to: i32, pc: Pc, env: &Env) -> Result<(), Stop> {
    match unknown_to & seats_told(store, pc, env) & store.rules.everybody() {
        0 => Ok(()),
        _ => Err(Stop::fault("what chance chooses here goes by what not all players know, and would tell them")),
    }
}

/// Returns the seats that are told what comes by chance where an op runs, as a bit set.
fn seats_told(store: &mut Store<'_>, pc: Pc, env: &Env) -> i32 {
    let (rules, own) = (store.rules, 1 << env.me);
    let mut seats = if store.state.in_secret_block(store.stack_start()) { own } else { rules.everybody() };
    let Some(told) = rules.hidden.chances.told_at(pc) else { return seats };
    match told.audience {
        Audience::All => {}
        Audience::Own => seats &= own,
        Audience::Nobody => seats = 0,
    }
    for &condition in &told.conditions {
        seats &= !seats_without(store, condition, env);
    }
    seats
}
