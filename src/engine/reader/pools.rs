//! Reads pools of tokens: how many tokens they hold, and what these show.

use super::Reader;
use crate::cast;
use crate::env::ReadView;
use crate::ruleset::Ruleset;
use houserule_ruleset::payers::Payer;
use houserule_ruleset::tokens::{LANES, Token, TokenSet, shown_count};

/// Returns the index of the first cell of a pool, which holds the number of tokens of class 0.
#[inline]
pub(crate) fn pool_base(rules: &Ruleset, pool: u8, seat: usize) -> usize {
    let pool = &rules.pools[pool as usize];
    if pool.of_seat { rules.layout.seat(seat, pool.offset as usize) } else { pool.offset as usize }
}

/// Encodes a picked token, its pool and class, as the value of a local.
pub(crate) fn encode_token(pool: u8, class: u8) -> i32 {
    (pool as i32) << 8 | class as i32
}

/// Decodes the pool and class of a picked token; `None` if no token was picked.
pub(crate) fn decode_token(local: i32) -> Option<(u8, usize)> {
    (local >= 0).then_some((cast::low(i64::from(local >> 8)), cast::index(local & 0xFF)))
}

/// How much of a symbol a picked token shows.
pub(crate) fn shown_by(rules: &Ruleset, symbol: i64, local: i32) -> i64 {
    decode_token(local).map_or(0, |(_, class)| shown_count(&rules.classes[class], cast::index(symbol.max(0))) as i64)
}

/// Returns the classes in a bit set, in declared order.
pub(crate) fn classes(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let class = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (class < 64).then_some(class)
    })
}

/// Returns the classes of a set as a bit set; only those of the sort `sort` and those that show the symbol `showing`, if these are given.
pub(crate) fn mask_of_set(rules: &Ruleset, set: &TokenSet, sort: Option<i64>, showing: Option<i64>) -> u64 {
    let mut mask = set.classes;
    if let Some(token) = sort {
        mask &= usize::try_from(token).ok().and_then(|token| rules.tokens.get(token)).map_or(0, |token| token.classes);
    }
    if let Some(symbol) = showing {
        mask &= usize::try_from(symbol).ok().and_then(|symbol| rules.showing.get(symbol)).map_or(0, |&classes| classes);
    }
    mask
}

/// How many substitute tokens together count as one unit of a payment.
pub(crate) fn exchange_count(rules: &Ruleset) -> i32 {
    rules.exchange.map_or(1, |exchange| exchange.count.max(1) as i32)
}

impl Reader<'_> {
    /// Returns the sum of the counts in a pool whose mask is set, several lanes at a time. Both the masks and the cells are padded with
    /// zeroes.
    fn masked_sum(self, base: usize, mask: &[i32]) -> i32 {
        let mut lanes = [0; LANES];
        for (counts, masks) in self.current[base..].chunks_exact(LANES).zip(mask.chunks_exact(LANES)) {
            for (lane, (count, mask)) in lanes.iter_mut().zip(counts.iter().zip(masks)) {
                *lane += count & mask;
            }
        }
        lanes.iter().sum()
    }

    /// Returns how many tokens of a set a pool holds; only those of the sort `sort` and those that show the symbol `showing`, if these are
    /// given.
    pub fn count_tokens(self, set: u32, pool: u8, seat: usize, sort: Option<i64>, showing: Option<i64>) -> i64 {
        let base = pool_base(self.rules, pool, seat);
        let tokens = &self.rules.token_sets[set as usize];
        if self.view == ReadView::Current && sort.is_none() && showing.is_none() {
            return self.masked_sum(base, &tokens.mask) as i64;
        }
        let mask = mask_of_set(self.rules, tokens, sort, showing);
        classes(mask).map(|class| self.cell(base + class) as i64).sum()
    }

    /// Returns how much of a symbol the tokens of a pool show.
    pub fn shown_in(self, symbol: i64, pool: u8, seat: usize) -> i64 {
        let (rules, base, symbol) = (self.rules, pool_base(self.rules, pool, seat), cast::index(symbol.max(0)));
        let Some(&showing) = rules.showing.get(symbol) else { return 0 };
        classes(showing).map(|class| self.cell(base + class) as i64 * shown_count(&rules.classes[class], symbol) as i64).sum()
    }

    /// Returns how many different sorts of tokens lie in a pool.
    pub fn sorts_in(self, pool: u8, seat: usize) -> i64 {
        let base = pool_base(self.rules, pool, seat);
        let lies_there = |token: &&Token| classes(token.classes).any(|class| self.cell(base + class) > 0);
        cast::count(self.rules.tokens.iter().filter(lies_there).count())
    }

    /// Returns how much of a symbol a pool can pay, including exchanges.
    pub fn payable(self, symbol: i64, pool: u8, seat: usize) -> i64 {
        let base = pool_base(self.rules, pool, seat);
        let Some(payers) = self.rules.payers.get(cast::index(symbol.max(0))) else { return 0 };
        let count = |payer: &Payer| self.cell(base + payer.class as usize);
        let shown: i32 = payers.showing.iter().map(|payer| count(payer) * payer.value as i32).sum();
        let substitutes: i32 = match self.view {
            // The fast path, for nearly all reads.
            ReadView::Current => self.masked_sum(base, &payers.standing_in),
            ReadView::OwnCurrent(_) | ReadView::Snapshot => payers.classes.iter().filter(|payer| payer.value == 0).map(count).sum(),
        };
        (if substitutes == 0 { shown } else { shown + substitutes / exchange_count(self.rules) }) as i64
    }
}
