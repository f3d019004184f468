//! What chance chooses among several: cards, spaces, numbers, words and players.

use super::decision::Stop;
use super::env::Env;
use super::key::text_of_value;
use super::locals::seats_without;
use super::machine::Machine;
use super::program::Domain;
use super::sets;
use crate::cast;
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
fn choose(machine: &mut Machine<'_>, found: &[i32], me: usize, text: impl Fn(i32) -> String) -> Result<Option<usize>, Stop> {
    let rules = machine.rules;
    let (count, Some(counter)) = (cast::fit::<u32>(found.len()), rules.card_draws) else { return Ok(None) };
    if count == 0 {
        return Ok(None);
    }
    let chosen = match machine.memory.log.fixed_chances.is_empty() {
        true => None,
        false => Some(find_fixed(machine, found, text)?),
    };
    let cell = rules.layout.seat(me, counter.into());
    let step = machine.state.cells()[cell];
    let random = draw(machine.state.seed(), join(CARD, me as u64), cast::fit::<u64>(step));
    machine.put(cell, i64::from(step) + 1)?;
    Ok(Some(chosen.unwrap_or(below(random, count) as usize)))
}

/// Returns the index of what a scenario says that chance chooses next.
#[cold]
fn find_fixed(machine: &mut Machine<'_>, found: &[i32], text: impl Fn(i32) -> String) -> Result<usize, Stop> {
    if machine.state.in_simultaneous_block() {
        return Err(Stop::fault("what chance chooses for all players at once cannot be fixed by `next random`"));
    }
    let wanted = machine.memory.log.fixed_chances.pop().unwrap_or_default();
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
pub(crate) fn set_random_card(machine: &mut Machine<'_>, local: u8, set: u32, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.rules;
    let mut cards = std::mem::take(&mut machine.memory.scratch.cards);
    sets::cards_of(machine, set, env, &mut cards);
    let chosen = choose(machine, &cards, env.me, |card| rules.names.text(rules.definition(cast::index(card)).id).to_string());
    env.locals[local as usize] = -1;
    if let Ok(Some(index)) = chosen {
        env.locals[local as usize] = cards[index];
    }
    machine.memory.scratch.cards = cards;
    chosen.map(|_| ())
}

/// Stores a random number, word or player in a local: 0 or nobody if there is none.
///
/// # Errors
/// See [`choose`]; there is no word, or there are too many numbers.
pub(crate) fn set_random(machine: &mut Machine<'_>, local: u8, chance: u32, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.rules;
    let Chance { domain, filter, may_tell } = &rules.ops.chances[chance as usize];
    let at = local as usize;
    let (mut found, mut tells) = (Vec::new(), false);
    let mut note = |machine: &mut Machine<'_>, env: &mut Env, value: i32| {
        env.locals[at] = value;
        if let Some(filter) = filter.filter(|_| *may_tell) {
            tells |= seats_without(machine, filter, env) != 0;
        }
        if machine.holds_if(*filter, env) {
            found.push(value);
        }
    };
    match domain {
        Domain::Numbers { from, to } => {
            let (from, to) = (machine.eval(*from, env), machine.eval(*to, env));
            if to.saturating_sub(from) >= MAX_NUMBERS {
                return Err(Stop::fault(format!(
                    "chance chooses among {MAX_NUMBERS} numbers at most, and there are more from {from} to {to}"
                )));
            }
            for number in from..=to {
                let number = i32::try_from(number).map_err(|_| Stop::fault(format!("{number} is too large to be kept under a name")))?;
                note(machine, env, number);
            }
        }
        Domain::Words(words) => words.iter().for_each(|&(_, word)| note(machine, env, word)),
        Domain::Players(set) => {
            let me = env.me;
            let outer = std::mem::replace(&mut env.locals[set.local as usize], i32::from(cast::seat(me)));
            for player in (0..rules.players).filter(|&player| player != me || !set.others) {
                let value = i32::from(cast::seat(player));
                env.locals[at] = value;
                env.me = player;
                let fits = machine.holds_if(set.filter, env);
                env.me = me;
                if fits {
                    note(machine, env, value);
                }
            }
            env.locals[set.local as usize] = outer;
        }
        Domain::Cards(set) => sets::cards_of(machine, *set, env, &mut found),
    }
    if tells {
        return Err(Stop::fault("what chance chooses here goes by cards that not all players know, and would tell them"));
    }
    env.locals[at] = if matches!(domain, Domain::Numbers { .. }) { 0 } else { -1 };
    let me = env.me;
    match choose(machine, &found, me, |value| text_of_value(rules, domain, value))? {
        Some(index) => {
            env.locals[at] = found[index];
            machine.log_line(|| format!("p{}: by chance {}", me + 1, text_of_value(rules, domain, found[index])));
            Ok(())
        }
        None if matches!(domain, Domain::Words(_)) => Err(Stop::fault("chance cannot choose a word: there is none for which this holds")),
        None => Ok(()),
    }
}
