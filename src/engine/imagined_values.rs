//! Hidden values in states that a seat imagines: what it does not know is drawn from what it can be.

use super::hidden::seat_bit;
use super::ruleset::Ruleset;
use super::secrets::{is_known_to, is_shown_to};
use crate::cast;
use houserule_state::chance::{below, draw, hash_text, join};
use houserule_state::layout::head;

/// The names, as hashes, of the random streams of imagined values.
const VALUES: u64 = hash_text("hidden values");
const SORTS: u64 = hash_text("sorts of hidden tokens");
const FACES: u64 = hash_text("faces of hidden dice");

/// Calls `write` with each cell of a hidden value that a seat does not know, and a number that it can be. Without `random` it is always the
/// same one, which depends on nothing that the seat does not know.
pub(crate) fn imagine_values(rules: &Ruleset, cells: &[i32], seat: usize, random: Option<u64>, write: &mut impl FnMut(usize, i32)) {
    for (secret, owner) in rules.secrets_and_owners() {
        if rules.secrets[secret].pool.is_some() || rules.knows_secret(cells, seat, (secret, owner)) {
            continue;
        }
        let Some((low, high)) = rules.hidden.values.range(rules, secret) else { continue };
        for cell in rules.cells_of_secret(secret, owner) {
            let many = cast::fit::<u32>(i64::from(high) - i64::from(low) + 1);
            let drawn = random.map(|random| i64::from(low) + i64::from(below(draw(join(random, VALUES), 0, cell as u64), many)));
            write(cell, drawn.map_or_else(|| 0.clamp(low, high), cast::fit::<i32>));
        }
    }
    imagine_pools(rules, cells, seat, random, write);
}

/// Returns a number of a range by chance.
pub(crate) fn number_within((low, high): (i32, i32), chance: u64) -> i32 {
    let many = cast::fit::<u64>(i64::from(high) - i64::from(low) + 1);
    cast::fit::<i32>(i64::from(low) + cast::fit::<i64>(chance % many))
}

/// A pool whose tokens a seat does not know.
struct UnknownPool {
    /// The cell of the first class of tokens.
    base: usize,
    /// Whether the seat knows the sorts of its tokens.
    sorts_known: bool,
    /// The pools with which it exchanges tokens.
    group: u8,
}

/// Draws what lies in the hidden pools that a seat does not know: their dice fall anew, and where it does not know the sorts of tokens, they
/// change places with those of other such pools.
fn imagine_pools(rules: &Ruleset, cells: &[i32], seat: usize, random: Option<u64>, write: &mut impl FnMut(usize, i32)) {
    let unknown = rules.secrets_and_owners().filter_map(|at| {
        let pool = rules.secrets[at.0].pool?;
        let group = *rules.hidden.values.pool_groups.get(usize::from(pool))?;
        let sorts_known = rules.knows_sorts(cells, seat, at);
        let base = rules.cells_of_secret(at.0, at.1).start;
        (!rules.knows_secret(cells, seat, at) || !sorts_known && cells[head::FINISHED] == 0).then_some(UnknownPool {
            base,
            sorts_known,
            group,
        })
    });
    let unknown: Vec<UnknownPool> = unknown.collect();
    for (number, pool) in unknown.iter().enumerate() {
        if pool.sorts_known {
            roll_anew(rules, cells, pool.base, random, write);
        } else if unknown[..number].iter().all(|before| before.sorts_known || before.group != pool.group) {
            let bases: Vec<usize> =
                unknown[number..].iter().filter(|other| !other.sorts_known && other.group == pool.group).map(|other| other.base).collect();
            exchange(rules, cells, &bases, random, write);
        }
    }
}

/// Returns the class of a token of a sort: blank, or one of its faces.
fn class_of(rules: &Ruleset, sort: usize, rolled: bool, random: Option<u64>, number: u64) -> usize {
    let token = &rules.tokens[sort];
    let drawn = |random: u64| below(draw(join(random, FACES), 0, number), cast::fit::<u32>(token.faces.len())) as usize;
    let face = random.filter(|_| !token.faces.is_empty()).map_or(0, drawn);
    match token.faces.get(face) {
        Some(&class) if rolled => usize::from(class),
        Some(_) | None => usize::from(token.blank),
    }
}

fn write_counts(cells: &[i32], base: usize, counts: &[i32], write: &mut impl FnMut(usize, i32)) {
    for (class, &count) in counts.iter().enumerate() {
        if cells[base + class] != count {
            write(base + class, count);
        }
    }
}

/// Lets the dice of a pool that show something fall anew.
fn roll_anew(rules: &Ruleset, cells: &[i32], base: usize, random: Option<u64>, write: &mut impl FnMut(usize, i32)) {
    let mut counts = cells[base..base + rules.classes.len()].to_vec();
    for (sort, token) in rules.tokens.iter().enumerate() {
        let faces: std::collections::BTreeSet<u8> = token.faces.iter().copied().filter(|&class| class != token.blank).collect();
        let rolled: i32 = faces.iter().map(|&class| counts[usize::from(class)]).sum();
        faces.iter().for_each(|&class| counts[usize::from(class)] = 0);
        for die in 0..rolled {
            let number = join(base as u64, join(sort as u64, cast::fit::<u64>(die)));
            counts[class_of(rules, sort, true, random, number)] += 1;
        }
    }
    write_counts(cells, base, &counts, write);
}

/// Exchanges the tokens of pools; each keeps its number of tokens, and how many of them show something.
fn exchange(rules: &Ruleset, cells: &[i32], bases: &[usize], random: Option<u64>, write: &mut impl FnMut(usize, i32)) {
    // For each sort its tokens, in all the pools together.
    let mut sorts: Vec<(u64, usize)> = Vec::new();
    let mut slots: Vec<(usize, bool)> = Vec::new();
    for &base in bases {
        let mut of_pool = Vec::new();
        for (class, described) in rules.classes.iter().enumerate() {
            let rolled = rules.tokens[usize::from(described.token)].blank as usize != class;
            for _ in 0..cells[base + class] {
                sorts.push((0, usize::from(described.token)));
                of_pool.push((base, rolled));
            }
        }
        of_pool.sort_unstable();
        slots.append(&mut of_pool);
    }
    sorts.sort_unstable();
    if let Some(random) = random {
        for (number, sort) in sorts.iter_mut().enumerate() {
            sort.0 = draw(join(random, SORTS), 0, number as u64);
        }
        sorts.sort_unstable();
    }
    for &base in bases {
        let mut counts = vec![0; rules.classes.len()];
        for (number, (&(_, sort), &(_, rolled))) in sorts.iter().zip(&slots).enumerate().filter(|(_, (_, slot))| slot.0 == base) {
            counts[class_of(rules, sort, rolled, random, join(base as u64, number as u64))] += 1;
        }
        write_counts(cells, base, &counts, write);
    }
}

/// Calls `write` with the cells of what seats know of hidden values, and what a seat knows of that itself: of all other seats, only owners
/// know anything.
pub(crate) fn hide_knowledge(rules: &Ruleset, cells: &[i32], seat: usize, write: &mut impl FnMut(usize, i32)) {
    for (secret, owner) in rules.secrets_and_owners() {
        let first = rules.knowledge_of_secret(secret, owner);
        let cells_of_knowledge = if rules.secrets[secret].pool.is_some() { 2 } else { 1 };
        for (cell, &knowledge) in cells.iter().enumerate().skip(first).take(cells_of_knowledge) {
            let others = rules.everybody() & !seat_bit(owner) & !(1 << seat);
            let unknown = if is_known_to(knowledge, seat) { 0 } else { 1 << seat };
            let shown = if is_shown_to(knowledge, seat) { 1 << (head::MAX_SEATS + seat) } else { 0 };
            write(cell, others | unknown | shown);
        }
    }
    // How often chance has chosen for another seat would tell what that seat did in secret.
    if !rules.secrets.is_empty() || !rules.hidden.secret.is_empty() {
        let rolls = Some(rules.roll_counters.1).filter(|_| !rules.tokens.is_empty());
        for counter in [rules.card_draws, rolls].into_iter().flatten() {
            (0..rules.players).filter(|&other| other != seat).for_each(|other| write(rules.layout.seat(other, counter.into()), 0));
        }
    }
}
