//! Payments in tokens: which tokens are offered, one pick after another.
//!
//! A payment must be minimal: without any one of its tokens it would be too small. Tokens are picked in the declared order of classes, so
//! that each selection is reached in exactly one way; a token is offered only if a minimal payment can still be reached.

use crate::cast;
pub use houserule_ruleset::payers::*;

/// The highest price in tokens. The sums up to this price plus the largest face must fit into a 64-bit set.
pub const MAX_PRICE: i64 = 50;

/// The tokens of one class that can be used to pay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Funds {
    payer: Payer,
    count: i32,
    chosen: i32,
    /// The sums that the funds behind this one can reach, as bit sets. Entry `n` is for an overpayment of `n`, and counts only tokens that
    /// show more than `n`.
    sums: [u64; MAX_SHOWN],
    /// How many tokens in the funds behind this one are substitutes.
    substitutes: i32,
}

/// A payment of a price in tokens, in progress. Tokens of value 0 are substitutes: `group` of them together count as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Payment {
    pub price: i32,
    group: i32,
    /// The picked tokens: classes in declared order, each with a number.
    pub picked: Vec<(u8, i32)>,
    /// The sum of what the picked tokens show.
    shown: i32,
    /// The smallest value among the picked tokens.
    smallest: i32,
    /// The number of picked tokens that are substitutes.
    substitutes_picked: i32,
    /// The classes that can pay, the last class first. Empty until something is offered.
    pub funds: Vec<Funds>,
    /// How many of the funds, from the first on, can still be picked from.
    pickable: usize,
    /// The largest value of any token that can pay, at least 1. Overpayments are smaller than this.
    largest: i32,
}

impl Payment {
    /// Starts another payment, reusing the memory.
    pub fn start(&mut self, price: i32, group: i32) {
        (self.price, self.group, self.pickable) = (price, group, 0);
        (self.shown, self.smallest, self.substitutes_picked) = (0, i32::MAX, 0);
        self.picked.clear();
        self.funds.clear();
    }

    pub fn is_complete(&self) -> bool {
        match self.substitutes_picked {
            0 => self.shown >= self.price,
            substitutes_picked => substitutes_picked % self.group == 0 && self.shown + substitutes_picked / self.group >= self.price,
        }
    }

    pub fn pick(&mut self, payer: Payer) {
        match self.picked.last_mut() {
            Some((class, count)) if *class == payer.class => *count += 1,
            _ => self.picked.push((payer.class, 1)),
        }
        match payer.value as i32 {
            0 => self.substitutes_picked += 1,
            value => {
                self.shown += value;
                self.smallest = self.smallest.min(value);
            }
        }
        if let Some(index) = self.funds.iter().position(|fund| fund.payer == payer) {
            self.funds[index].chosen += 1;
            self.pickable = index + 1;
        }
    }

    /// Fills the funds and computes the sums that they can reach; called once for a payment, if something is offered. Returns the largest
    /// amount that can be paid.
    pub fn fill_funds(&mut self, count: impl DoubleEndedIterator<Item = (Payer, i32)>) -> i32 {
        let mut sums = [1; MAX_SHOWN];
        let (mut substitutes, mut shown) = (0, 0);
        self.largest = 1;
        for (payer, count) in count.rev() {
            if count == 0 {
                continue;
            }
            let chosen = self.picked.iter().find(|picked| picked.0 == payer.class).map_or(0, |picked| picked.1);
            self.funds.push(Funds { payer, count, chosen, sums, substitutes });
            let value = payer.value as i32;
            if value == 0 {
                substitutes += count;
                continue;
            }
            shown += value * count;
            self.largest = self.largest.max(value);
            for sums in &mut sums[..cast::index(value)] {
                *sums = add_repeatedly(*sums, value, count.min(self.price));
            }
        }
        self.pickable = match self.picked.last() {
            Some(&(class, _)) => self.funds.iter().position(|fund| fund.payer.class == class).map_or(0, |index| index + 1),
            None => self.funds.len(),
        };
        shown + substitutes / self.group
    }

    /// Returns the classes that can be picked next, in declared order.
    pub fn offered(&self) -> impl Iterator<Item = Payer> {
        (0..self.pickable).rev().filter(|&index| self.can_complete(index)).map(|index| self.funds[index].payer)
    }

    /// Whether picking a token of this fund can lead to a minimal payment: the overpayment is smaller than each picked token's value, and
    /// it is 0 if substitutes are used.
    fn can_complete(&self, index: usize) -> bool {
        let Funds { payer, count, chosen, ref sums, substitutes } = self.funds[index];
        if chosen == count {
            return false;
        }
        let (value, left) = (payer.value as i32, count - chosen - 1);
        let (shown, substitutes_picked) = (self.shown + value, self.substitutes_picked + (value == 0) as i32);
        let smallest = if value == 0 { self.smallest } else { self.smallest.min(value) };
        let too_much = if substitutes_picked > 0 { 1 } else { self.largest.min(smallest) };
        (0..too_much).any(|beyond| {
            let need = self.price + beyond - shown;
            if need < 0 {
                return false;
            }
            let behind = sums[cast::index(beyond)];
            let sums = if value > beyond { add_repeatedly(behind, value, left.min(need)) } else { behind };
            if beyond > 0 {
                return sums >> need & 1 == 1;
            }
            let rest = substitutes + if value == 0 { left } else { 0 };
            let fewest = (substitutes_picked + self.group - 1) / self.group;
            let most = ((substitutes_picked + rest) / self.group).min(need);
            (fewest..=most).any(|groups| sums >> (need - groups) & 1 == 1)
        })
    }
}

/// Returns the sums, as a bit set, after adding a value up to `times` times.
fn add_repeatedly(mut sums: u64, value: i32, times: i32) -> u64 {
    for _ in 0..times {
        sums |= sums << value;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_state::chance::{below, draw};

    fn payment_of(price: i32, classes: &[(u8, i32)]) -> Payment {
        let mut payment = Payment::default();
        payment.start(price, 2);
        payment.fill_funds(classes.iter().enumerate().map(|(class, &(value, there))| (Payer { class: class as u8, value }, there)));
        payment
    }

    /// Returns all complete payments that can be reached by the picks that are offered, and the greatest number of picks offered at once.
    fn payments(payment: &Payment, found: &mut Vec<Vec<i32>>) -> usize {
        if payment.is_complete() {
            found.push(payment.funds.iter().rev().map(|c| c.chosen).collect());
            return 0;
        }
        let offered: Vec<Payer> = payment.offered().collect();
        assert!(!offered.is_empty(), "a pick that leads nowhere was offered: {payment:?}");
        let beneath = offered.iter().map(|&payer| {
            let mut next = payment.clone();
            next.pick(payer);
            payments(&next, found)
        });
        beneath.max().unwrap_or(0).max(offered.len())
    }

    fn total(classes: &[(u8, i32)], chosen: &[i32]) -> i32 {
        let shown: i32 = classes.iter().zip(chosen).map(|(c, n)| c.0 as i32 * n).sum();
        let substitutes_picked: i32 = classes.iter().zip(chosen).filter(|(c, _)| c.0 == 0).map(|(_, n)| n).sum();
        shown + substitutes_picked / 2
    }

    /// Returns all selections that pay the price and from which nothing can be left out, found by trying everything.
    fn by_trying(classes: &[(u8, i32)], price: i32) -> Vec<Vec<i32>> {
        let mut all = vec![Vec::new()];
        for &(_, there) in classes {
            all = all.into_iter().flat_map(|c: Vec<i32>| (0..=there).map(move |n| [c.clone(), vec![n]].concat())).collect();
        }
        all.retain(|chosen| {
            total(classes, chosen) >= price
                && (0..chosen.len()).filter(|&i| chosen[i] > 0).all(|i| {
                    let mut less = chosen.clone();
                    less[i] -= 1;
                    total(classes, &less) < price
                })
        });
        all
    }

    #[test]
    fn picks_reach_each_payment_without_a_needless_token_once_and_nothing_else() {
        for seed in 0..1000 {
            let number = |stream: u64, n: u32| below(draw(seed, stream, 0), n) as i32;
            let count = 1 + number(1, 5) as u64;
            let classes: Vec<(u8, i32)> = (0..count).map(|class| (number(10 + class, 4) as u8, 1 + number(30 + class, 3))).collect();
            let price = 1 + number(2, 5);
            let all: Vec<i32> = classes.iter().map(|c| c.1).collect();
            if total(&classes, &all) < price {
                continue;
            }
            let mut wanted = by_trying(&classes, price);
            let mut found = Vec::new();
            payments(&payment_of(price, &classes), &mut found);
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted, "seed {seed}");
        }
    }

    #[test]
    fn three_are_paid_with_many_tokens_in_a_few_picks() {
        let classes = [(0, 2), (1, 2), (0, 3), (2, 2), (3, 1), (0, 1), (1, 6)];
        let most = payments(&payment_of(3, &classes), &mut Vec::new());
        assert!(most <= 7, "{most} options at once");
    }

    #[test]
    fn the_highest_price_is_worked_out_with_the_largest_faces() {
        let classes = [(9, 3), (8, 3), (1, 3)];
        let mut found = Vec::new();
        payments(&payment_of(MAX_PRICE as i32, &classes), &mut found);
        assert!(!found.is_empty() && found.iter().all(|chosen| total(&classes, chosen) >= MAX_PRICE as i32));
        let mut wanted = by_trying(&classes, MAX_PRICE as i32);
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}
