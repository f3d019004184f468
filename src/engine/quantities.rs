//! Values that are worked out once until a cell that they read changes: quantities with what cards change, and whatever else
//! has a bit in the caches.

use super::definition::concerns;
use super::eval::Env;
use super::game::{Cache, Eyes, Game};
use super::ruleset::{How, NodeId, Ruleset};
use crate::state::layout::TABLE;

/// Rows of sums have up to this many numbers.
pub const LONGEST_ROW: usize = 16;

impl Game {
    /// The cache for a seat's values through the present eyes: live, or as everything was.
    #[inline]
    pub(super) fn cache_for(&mut self, seat: usize) -> &mut Cache {
        match self.eyes {
            Eyes::Live => &mut self.live,
            Eyes::Own(own) if own as usize == seat => &mut self.live,
            _ => &mut self.past,
        }
    }

    /// The value of an expression that is worked out once until a cell that it reads changes.
    pub(super) fn remembered(&mut self, rules: &Ruleset, bit: u8, body: NodeId, env: &mut Env) -> i64 {
        let seat = env.me;
        let slot = seat * rules.cached as usize + bit as usize;
        let cache = self.cache_for(seat);
        if cache.valid[seat] >> bit & 1 == 1 {
            return cache.values[slot];
        }
        let value = self.eval(rules, body, env);
        let cache = self.cache_for(seat);
        cache.valid[seat] |= 1 << bit;
        cache.values[slot] = value;
        value
    }

    /// One value of a row of sums; the others are worked out with it.
    #[inline(never)]
    pub(super) fn row_sum(&mut self, rules: &Ruleset, row: u32, (first, count): (u8, u8), index: i64, env: &mut Env) -> i64 {
        let row = &rules.row_sums[row as usize];
        if index < 0 || index >= count as i64 {
            return self.eval(rules, row.sum, env);
        }
        self.refresh_active(rules);
        if row.unchanged.is_some_and(|quantity| !self.active.changes[quantity as usize].is_empty()) {
            return self.remembered(rules, first + index as u8, row.sum, env);
        }
        let seat = env.me;
        let slot = seat * rules.cached as usize + first as usize;
        let cache = self.cache_for(seat);
        if cache.valid[seat] >> (first + index as u8) & 1 == 1 {
            return cache.values[slot + index as usize];
        }
        let mut sums = [0_i64; LONGEST_ROW];
        let (local, len) = (rules.sets[row.set as usize].local as usize, row.len as usize);
        self.each_card(rules, row.set, env, |game, env| {
            let at = rules.piece_definition[env.locals[local] as usize] as usize * rules.width + row.field as usize;
            let printed = &rules.printed[at..at + len];
            if printed.iter().any(|&number| number != 0) {
                let factor = game.eval(rules, row.factor, env);
                for (sum, &number) in sums.iter_mut().zip(printed) {
                    *sum = sum.saturating_add(factor.saturating_mul(number as i64));
                }
            }
            true
        });
        let cache = self.cache_for(seat);
        cache.valid[seat] |= ((1 << count) - 1) << first;
        cache.values[slot..slot + count as usize].copy_from_slice(&sums[..count as usize]);
        sums[index as usize]
    }

    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        let quantity = &rules.quantities[index as usize];
        let slot = seat * rules.cached as usize + quantity.cached.unwrap_or(0) as usize;
        if let Some(bit) = quantity.cached {
            let cache = self.cache_for(seat);
            if cache.valid[seat] >> bit & 1 == 1 {
                return cache.values[slot];
            }
        }
        let mut env = Env::of(seat);
        env.locals[1] = args[0];
        env.locals[2] = args[1];
        let mut value = self.eval(rules, quantity.base, &mut env);
        if let Some(offset) = quantity.differences {
            let at = rules.layout.seat(seat, offset as usize);
            for lifetime in 0..super::ruleset::Lifetime::ALL.len() {
                value += self.cell(rules, at + lifetime) as i64;
            }
        }
        if quantity.changed {
            value = self.changed(rules, index, seat, args, value);
        }
        if let Some(most) = quantity.most {
            value = value.min(self.eval(rules, most, &mut env));
        }
        if let Some(least) = quantity.least {
            value = value.max(self.eval(rules, least, &mut env));
        }
        if let Some(bit) = quantity.cached {
            let cache = self.cache_for(seat);
            cache.valid[seat] |= 1 << bit;
            cache.values[slot] = value;
        }
        value
    }

    /// Applies what cards in play change: first what sets it, then what adds, then what bounds it.
    pub(super) fn changed(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        self.refresh_active(rules);
        let count = self.active.changes[index as usize].len();
        if count == 0 {
            return value;
        }
        for pass in [How::To, How::By, How::AtLeast, How::AtMost] {
            for i in 0..count {
                let speaker = self.active.changes[index as usize][i];
                let change = &rules.definition(speaker.piece as usize).changes[speaker.entry as usize];
                if change.how != pass || !concerns(change.who, speaker.owner, seat) {
                    continue;
                }
                let owner = if speaker.owner == TABLE { seat } else { speaker.owner as usize };
                let mut env = Env::with(owner, &[speaker.piece as i32, args[0], args[1]]);
                if !self.holds_if(rules, change.when, &mut env) {
                    continue;
                }
                let amount = self.eval(rules, change.amount, &mut env);
                value = match pass {
                    How::To => amount,
                    How::By => value.saturating_add(amount),
                    How::AtLeast => value.max(amount),
                    How::AtMost => value.min(amount),
                };
            }
        }
        value
    }
}
