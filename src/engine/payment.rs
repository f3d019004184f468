//! Paying with what tokens show: which selections are offered, and how they are picked.
//!
//! A payment is a selection from which no token could be left out. It is picked token by token in the declared order of
//! classes, so that each selection has one path, and a token is offered only if such a selection can still be reached.

use super::decision::{Act, Opt, Question, Stop};
use super::frame::Frame;
use super::game::{Eyes, Game};
use super::ruleset::Ruleset;
use super::tokens::shows;
use crate::cast;
pub use houserule_ruleset::payers::*;

/// Higher prices are not worked out: sums up to the price and a face more must fit a bit set.
pub const HIGHEST_PRICE: i64 = 50;

/// Tokens of one class in a payment in the making.
#[derive(Clone, Copy, Debug)]
struct Purse {
    payer: Payer,
    there: i32,
    chosen: i32,
    /// For each amount paid too much the sums that all purses behind it can show with tokens that show more than that amount,
    /// as a bit set.
    sums: [u64; MOST_SHOWN],
    /// How many tokens of the purses behind it can stand in.
    standing_in: i32,
}

/// A payment in the making. Tokens with a value of 0 stand in together, `group` of them for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Payment {
    price: i32,
    group: i32,
    /// What was picked: classes in declared order, with how many.
    picked: Vec<(u8, i32)>,
    /// What the picked tokens show together; the least that one of them shows; how many of them stand in.
    shown: i32,
    smallest: i32,
    idle: i32,
    /// All that could pay, the last class first; filled only when there is something to offer.
    purses: Vec<Purse>,
    /// So many of them, those up to the last pick's, can still be picked from.
    open: usize,
    /// What any token here shows at most, and at least 1: less than that can be paid too much.
    largest: i32,
}

impl Payment {
    /// Begins anew, in the memory of an earlier one.
    fn begin(&mut self, price: i32, group: i32) {
        (self.price, self.group, self.open) = (price, group, 0);
        (self.shown, self.smallest, self.idle) = (0, i32::MAX, 0);
        self.picked.clear();
        self.purses.clear();
    }

    fn complete(&self) -> bool {
        match self.idle {
            0 => self.shown >= self.price,
            idle => idle % self.group == 0 && self.shown + idle / self.group >= self.price,
        }
    }

    fn pick(&mut self, payer: Payer) {
        match self.picked.last_mut() {
            Some((class, count)) if *class == payer.class => *count += 1,
            _ => self.picked.push((payer.class, 1)),
        }
        match payer.value as i32 {
            0 => self.idle += 1,
            value => {
                self.shown += value;
                self.smallest = self.smallest.min(value);
            }
        }
        if let Some(at) = self.purses.iter().position(|purse| purse.payer == payer) {
            self.purses[at].chosen += 1;
            self.open = at + 1;
        }
    }

    /// Looks into all purses, from the last to the first, and works out what they can show together; once for a payment, and only
    /// if there is something to offer. Gives back what they can pay in all.
    fn survey(&mut self, there: impl DoubleEndedIterator<Item = (Payer, i32)>) -> i32 {
        let mut sums = [1; MOST_SHOWN];
        let (mut standing_in, mut shown) = (0, 0);
        self.largest = 1;
        for (payer, there) in there.rev() {
            if there == 0 {
                continue;
            }
            let chosen = self.picked.iter().find(|picked| picked.0 == payer.class).map_or(0, |picked| picked.1);
            self.purses.push(Purse { payer, there, chosen, sums, standing_in });
            let value = payer.value as i32;
            if value == 0 {
                standing_in += there;
                continue;
            }
            shown += value * there;
            self.largest = self.largest.max(value);
            for sums in &mut sums[..cast::index(value)] {
                *sums = with_more(*sums, value, there.min(self.price));
            }
        }
        self.open = match self.picked.last() {
            Some(&(class, _)) => self.purses.iter().position(|purse| purse.payer.class == class).map_or(0, |at| at + 1),
            None => self.purses.len(),
        };
        shown + standing_in / self.group
    }

    /// The classes that can be picked from next, in declared order.
    fn offered(&self) -> impl Iterator<Item = Payer> {
        (0..self.open).rev().filter(|&at| self.leads_on(at)).map(|at| self.purses[at].payer)
    }

    /// Whether a token of this purse can be the next of a payment from which none could be left out: what is paid too much, if
    /// anything, is less than what each chosen token shows, and nothing is when tokens stand in.
    fn leads_on(&self, at: usize) -> bool {
        let Purse { payer, there, chosen, ref sums, standing_in } = self.purses[at];
        if chosen == there {
            return false;
        }
        let (value, left) = (payer.value as i32, there - chosen - 1);
        let (shown, idle) = (self.shown + value, self.idle + (value == 0) as i32);
        let smallest = if value == 0 { self.smallest } else { self.smallest.min(value) };
        let too_much = if idle > 0 { 1 } else { self.largest.min(smallest) };
        (0..too_much).any(|beyond| {
            let need = self.price + beyond - shown;
            if need < 0 {
                return false;
            }
            let behind = sums[cast::index(beyond)];
            let sums = if value > beyond { with_more(behind, value, left.min(need)) } else { behind };
            if beyond > 0 {
                return sums >> need & 1 == 1;
            }
            let rest = standing_in + if value == 0 { left } else { 0 };
            let fewest = (idle + self.group - 1) / self.group;
            let most = ((idle + rest) / self.group).min(need);
            (fewest..=most).any(|groups| sums >> (need - groups) & 1 == 1)
        })
    }
}

/// How many tokens stand in together for one.
fn group_of(rules: &Ruleset) -> i32 {
    rules.exchange.map_or(1, |exchange| exchange.count.max(1) as i32)
}

/// Sums, as a bit set, with up to so many more of a value.
fn with_more(mut sums: u64, value: i32, times: i32) -> u64 {
    for _ in 0..times {
        sums |= sums << value;
    }
    sums
}

impl Game {
    /// How much of a symbol a pool can pay, with exchanges.
    pub(super) fn payable(&mut self, rules: &Ruleset, symbol: i64, pool: u8, seat: usize) -> i64 {
        let base = Self::pool_base(rules, pool, seat);
        let Some(payers) = rules.payers.get(cast::index(symbol.max(0))) else { return 0 };
        let (shown, idle): (i32, i32) = if self.eyes == Eyes::Live {
            // Nearly always all is read as it is.
            let shown = payers.showing.iter().map(|payer| self.cells[base + payer.class as usize] * payer.value as i32).sum();
            (shown, self.masked(base, &payers.standing_in))
        } else {
            let count = |payer: &Payer| self.cell(rules, base + payer.class as usize);
            let shown = payers.showing.iter().map(|payer| count(payer) * payer.value as i32).sum();
            (shown, payers.classes.iter().filter(|payer| payer.value == 0).map(count).sum())
        };
        (if idle == 0 { shown } else { shown + idle / group_of(rules) }) as i64
    }

    /// [`super::op::Op::Spend`]: a price that cannot be worked out is a fault; without one the payment is over. Operands: the price,
    /// the symbol, what was picked (each a class and how many), and how many classes that are.
    pub(super) fn begin_spending(&mut self, rules: &Ruleset, price: i64, symbol: i64, at: &mut Frame) -> Result<(), Stop> {
        if price <= 0 {
            at.pc = at.pc.next();
            return Ok(());
        }
        let symbol = cast::index(symbol.max(0));
        if price > HIGHEST_PRICE {
            return Err(self.unpaid(rules, price, symbol, &format!("{HIGHEST_PRICE} is the highest price in tokens")));
        }
        self.cells.extend([cast::fit::<i32>(price), cast::fit::<i32>(symbol), 0]);
        Ok(())
    }

    /// [`super::op::Op::NextPayer`]: picks what pays, token by token, and pays when it is complete.
    ///
    /// # Errors
    /// [`Stop::Ask`] where payments differ in what is left; a price that cannot be paid.
    pub(super) fn next_payer(&mut self, rules: &Ruleset, from: u8, to: u8, me: usize) -> Result<(), Stop> {
        let count = cast::index(*self.operand(0));
        let base = self.cells.len() - 3 - 2 * count;
        let (price, symbol) = (self.cells[base], cast::index(self.cells[base + 1]));
        let mut payment = std::mem::take(&mut self.scratch.payment);
        payment.begin(price, group_of(rules));
        for picked in self.cells[base + 2..base + 2 + 2 * count].chunks_exact(2) {
            let class = cast::fit::<u8>(picked[0]);
            (0..picked[1]).for_each(|_| payment.pick(Payer { class, value: shows(&rules.classes[class as usize], symbol) }));
        }
        let mut result = self.pick_payment(rules, &mut payment, me, symbol, from);
        match result {
            Ok(()) => {
                self.cells.truncate(base);
                result = payment.picked.iter().try_for_each(|&(class, n)| self.move_tokens(rules, class as usize, n as i64, from, to, me));
            }
            Err(Stop::Ask) => {
                self.cells.truncate(base + 2);
                self.cells.extend(payment.picked.iter().flat_map(|&(class, n)| [class as i32, n]));
                self.push(cast::fit::<i32>(payment.picked.len()));
            }
            Err(_) => {}
        }
        self.scratch.payment = payment;
        result?;
        self.after_change(rules)
    }

    /// Picks what pays, without paying yet.
    fn pick_payment(&mut self, rules: &Ruleset, payment: &mut Payment, me: usize, symbol: usize, from: u8) -> Result<(), Stop> {
        while !payment.complete() {
            if payment.purses.is_empty() && self.run.chosen.is_none() {
                let base = Self::pool_base(rules, from, me);
                let payers = rules.payers.get(symbol).map_or(&[][..], |payers| &payers.classes);
                let have = payment.survey(payers.iter().map(|&payer| (payer, self.cells[base + payer.class as usize])));
                if have < payment.price {
                    return Err(self.unpaid(rules, payment.price as i64, symbol, &format!("there were only {have}")));
                }
            }
            let offered = payment.offered().map(|payer| Opt::new(rules, Act::Token(payer.class, u8::MAX)));
            let chosen = self.ask(rules, me, Question::Payment, |_, options| options.extend(offered))?;
            let Some(Opt { act: Act::Token(class, _), .. }) = chosen else {
                return Err(self.fault(rules, "internal error: a payment could not be completed; please report it"));
            };
            payment.pick(Payer { class, value: shows(&rules.classes[class as usize], symbol) });
        }
        Ok(())
    }

    fn unpaid(&self, rules: &Ruleset, price: i64, symbol: usize, why: &str) -> Stop {
        let name = rules.symbols.get(symbol).map_or("?", |&name| rules.names.text(name));
        self.fault(rules, format!("{price} {name} had to be paid, but {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::{below, draw};

    fn payment_of(price: i32, classes: &[(u8, i32)]) -> Payment {
        let mut payment = Payment::default();
        payment.begin(price, 2);
        payment.survey(classes.iter().enumerate().map(|(class, &(value, there))| (Payer { class: class as u8, value }, there)));
        payment
    }

    /// All complete payments by the picks that are offered, and the most offered at once.
    fn payments(payment: &Payment, found: &mut Vec<Vec<i32>>) -> usize {
        if payment.complete() {
            found.push(payment.purses.iter().rev().map(|c| c.chosen).collect());
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
        let idle: i32 = classes.iter().zip(chosen).filter(|(c, _)| c.0 == 0).map(|(_, n)| n).sum();
        shown + idle / 2
    }

    /// All selections from which nothing can be left out, found by trying everything.
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
        payments(&payment_of(HIGHEST_PRICE as i32, &classes), &mut found);
        assert!(!found.is_empty() && found.iter().all(|chosen| total(&classes, chosen) >= HIGHEST_PRICE as i32));
        let mut wanted = by_trying(&classes, HIGHEST_PRICE as i32);
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}
