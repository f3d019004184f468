//! Emits what is lacking of a price: what is due and all that pays is laid into memory, where a function of the host finds it.

use crate::cast;
use crate::emitter::Emitter;
use crate::function::{Function, I};
use crate::memory::{NUMBERS_AT, OPTIONS_AT};
use houserule_ruleset::graph::{CardsId, Expr, ExprId, any_part};

/// By how many bits the group to which something that pays belongs lies above its words.
pub const GROUP_SHIFT: u32 = 16;
/// By how many bits the number of groups lies above the number of words, in what the host is given.
pub const GROUPS_SHIFT: u32 = 8;

/// The size of something that pays: its words and group, and how much there is, 64 bits each.
const MEANS_SIZE: u32 = 16;

/// All that is found in the chains of [`Expr::Lacking`].
#[derive(Default)]
struct Payment {
    due: Vec<ExprId>,
    /// The limit of each group; the first has none.
    limits: Vec<Option<ExprId>>,
    /// Group, words, amount.
    means: Vec<(usize, i64, ExprId)>,
    /// Group, cards, variable, filter, words.
    of_cards: Vec<(usize, CardsId, u8, Option<ExprId>, ExprId)>,
}

/// Leaves on the stack how much of a price cannot be paid.
pub fn lacking(emitter: &mut Emitter<'_>, f: &mut Function, due: ExprId, means: ExprId) {
    let payment = payment_of(emitter, due, means);
    let visited: usize = payment.of_cards.iter().map(|of| emitter.ranges.most_cards(of.1)).sum();
    let counts = payment.due.len() + payment.limits.len();
    let size = cast::fit::<u32>(counts) * 8 + cast::fit::<u32>(payment.means.len() + visited) * MEANS_SIZE;
    // While cards are gone through, nothing else may use the same memory.
    let is_simple = |id: ExprId| !uses_numbers(emitter, id);
    if NUMBERS_AT + size > OPTIONS_AT || !payment.of_cards.iter().all(|of| is_simple(of.4) && of.3.is_none_or(is_simple)) {
        return emitter.give_up(f);
    }
    let due: Vec<u32> = payment.due.iter().map(|&id| emitter.value_in_local(f, id)).collect();
    let limits: Vec<Option<u32>> = payment.limits.iter().map(|limit| limit.map(|id| emitter.value_in_local(f, id))).collect();
    let amounts: Vec<u32> = payment.means.iter().map(|&(.., amount)| emitter.value_in_local(f, amount)).collect();
    let mut at = NUMBERS_AT;
    let mut lay = |f: &mut Function, value: Result<u32, i64>| {
        f.address(0);
        match value {
            Ok(local) => f.get(local),
            Err(constant) => f.i64(constant),
        };
        f.store_long(at);
        at += 8;
    };
    due.iter().for_each(|&local| lay(f, Ok(local)));
    limits.iter().for_each(|limit| lay(f, limit.ok_or(i64::MAX)));
    for (&(group, words, _), &amount) in payment.means.iter().zip(&amounts) {
        lay(f, Err(tagged(group, words)));
        lay(f, Ok(amount));
    }
    let end = f.int();
    f.address(at).set(end);
    for (group, cards, var, filter, words) in payment.of_cards {
        emitter.over_cards(f, cards, (var, filter), Some(words), |emitter, f, _| {
            let words = emitter.value_in_local(f, words);
            f.get(end).get(words).i64(tagged(group, 0)).put(I::I64Or).store_long(0);
            f.get(end).i64(1).store_long(8);
            f.get(end).address(MEANS_SIZE).put(I::I32Add).set(end);
        });
    }
    f.i32(cast::fit::<i32>(due.len() | limits.len() << GROUPS_SHIFT)).get(end);
    emitter.call_host(f, "lacking");
}

/// Whether something in an expression lays numbers into memory for the host.
fn uses_numbers(emitter: &Emitter<'_>, id: ExprId) -> bool {
    any_part(&emitter.rules.graph, id, &|expr: Expr| matches!(expr, Expr::Lacking { .. })) || emitter.searches(id)
}

fn payment_of(emitter: &Emitter<'_>, due: ExprId, means: ExprId) -> Payment {
    let graph = &emitter.rules.graph;
    let mut found = Payment { limits: vec![None], ..Payment::default() };
    let mut last = due;
    while let Expr::Due { rest, amount } = graph[last] {
        found.due.insert(0, amount);
        last = rest;
    }
    let mut left = vec![(means, 0)];
    while let Some((id, group)) = left.pop() {
        let rest = if let Expr::Means { rest, words, amount } = graph[id] {
            found.means.push((group, words, amount));
            rest
        } else if let Expr::OneOfEach { rest, cards, var, filter, words } = graph[id] {
            found.of_cards.push((group, cards, var, filter, words));
            rest
        } else if let Expr::MeansUpTo { rest, of, most } = graph[id] {
            left.push((of, found.limits.len()));
            found.limits.push(Some(most));
            rest
        } else {
            continue;
        };
        left.push((rest, group));
    }
    found
}

/// Words with the group to which what pays for them belongs.
fn tagged(group: usize, words: i64) -> i64 {
    words | cast::count(group) << GROUP_SHIFT
}
