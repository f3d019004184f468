//! Paying with what tokens show: which selections are offered, and how they are picked.
//!
//! A payment is a selection from which no token could be left out. It is picked token by token in the declared order of
//! classes, so that each selection has one path, and a token is offered only if such a selection can still be reached.

use super::decision::{Act, Opt, Question, Stop};
use super::game::{Eyes, Game};
use super::ruleset::Ruleset;
use super::tokens::shows;

/// Higher prices are not worked out: sums up to the price and a face more must fit a bit set.
pub const HIGHEST_PRICE: i64 = 50;

/// A class of tokens that can help to pay a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payer {
    /// The class.
    pub class: u8,
    /// How much one of them shows; 0 for what stands in together with others.
    pub value: u8,
}

/// What can pay a symbol.
#[derive(Clone, Debug)]
pub struct Payers {
    /// The classes that can help, in declared order.
    pub classes: Vec<Payer>,
    /// For each class -1 if it stands in together with others, 0 if not; empty where nothing can.
    pub standing_in: Box<[i32]>,
}

/// For each symbol what can pay it.
pub fn payers_of(rules: &Ruleset) -> Vec<Payers> {
    let of = |symbol: usize| {
        let stands_in = |token: u8| rules.exchange.is_some_and(|e| e.tokens >> token & 1 == 1 && e.symbols >> symbol & 1 == 1);
        let all = rules.classes.iter().enumerate().map(|(class, shown)| (class, shown.token, shows(shown, symbol)));
        let useful = all.filter(|&(_, token, value)| value > 0 || stands_in(token));
        let classes: Vec<Payer> = useful.map(|(class, _, value)| Payer { class: class as u8, value }).collect();
        let mut standing_in = vec![0; if classes.iter().any(|payer| payer.value == 0) { rules.classes.len() } else { 0 }];
        for payer in classes.iter().filter(|payer| payer.value == 0) {
            standing_in[payer.class as usize] = -1;
        }
        Payers { classes, standing_in: standing_in.into() }
    };
    (0..rules.symbols.len()).map(of).collect()
}

/// Tokens of one class in a payment in the making.
#[derive(Clone, Copy, Debug)]
struct Purse {
    payer: Payer,
    there: i32,
    chosen: i32,
}

/// A payment in the making. Tokens with a value of 0 stand in together, `group` of them for one.
#[derive(Clone, Debug, Default)]
pub(super) struct Payment {
    purses: Vec<Purse>,
    price: i32,
    group: i32,
    /// What the chosen tokens show together; the least that one of them shows; how many of them stand in.
    shown: i32,
    smallest: i32,
    idle: i32,
    /// The purse of the last pick: those before it are done with.
    at: usize,
    /// What any token here shows at most, and at least 1: less than that can be paid too much.
    largest: i32,
    /// For each purse and each amount paid too much, the sums that it and all behind it can show with tokens that show more
    /// than that amount, as a bit set.
    sums: Vec<u64>,
    /// For each purse how many tokens of it and all behind it can stand in.
    standing_in: Vec<i32>,
}

impl Payment {
    /// Begins anew, in the memory of an earlier one.
    fn begin(&mut self, price: i32, group: i32, there: impl Iterator<Item = (Payer, i32)>) {
        self.purses.clear();
        self.purses.extend(there.filter(|t| t.1 > 0).map(|(payer, there)| Purse { payer, there, chosen: 0 }));
        (self.price, self.group, self.at) = (price, group, 0);
        (self.shown, self.smallest, self.idle) = (0, i32::MAX, 0);
        self.sums.clear();
    }

    /// What all purses can pay together.
    fn most(&self) -> i32 {
        let (shown, idle) = self.purses.iter().fold((0, 0), |(shown, idle), purse| {
            let value = purse.payer.value as i32;
            (shown + value * purse.there, idle + if value == 0 { purse.there } else { 0 })
        });
        shown + idle / self.group
    }

    fn complete(&self) -> bool {
        self.idle % self.group == 0 && self.shown + self.idle / self.group >= self.price
    }

    fn pick(&mut self, at: usize) {
        let purse = &mut self.purses[at];
        purse.chosen += 1;
        self.at = at;
        match purse.payer.value as i32 {
            0 => self.idle += 1,
            value => {
                self.shown += value;
                self.smallest = self.smallest.min(value);
            }
        }
    }

    /// Works out what the purses can show together; once for a payment, and only if there is something to offer.
    fn survey(&mut self) {
        if !self.sums.is_empty() {
            return;
        }
        self.largest = self.purses.iter().map(|purse| purse.payer.value as i32).max().unwrap_or(0).max(1);
        let (count, width) = (self.purses.len(), self.largest as usize);
        self.sums.resize((count + 1) * width, 1);
        self.sums[count * width..].fill(1);
        self.standing_in.clear();
        self.standing_in.resize(count + 1, 0);
        for at in (0..count).rev() {
            let Purse { payer, there, .. } = self.purses[at];
            let value = payer.value as i32;
            self.standing_in[at] = self.standing_in[at + 1] + if value == 0 { there } else { 0 };
            for beyond in 0..width {
                let behind = self.sums[(at + 1) * width + beyond];
                let useful = value > beyond as i32;
                self.sums[at * width + beyond] = if useful { with_more(behind, value, there.min(self.price)) } else { behind };
            }
        }
    }

    /// Whether a token of this purse can be the next of a payment from which none could be left out: what is paid too much, if
    /// anything, is less than what each chosen token shows, and nothing is when tokens stand in.
    fn leads_on(&self, at: usize) -> bool {
        let Purse { payer, there, chosen } = self.purses[at];
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
            let behind = self.sums[(at + 1) * self.largest as usize + beyond as usize];
            let sums = if value > beyond { with_more(behind, value, left.min(need)) } else { behind };
            if beyond > 0 {
                return sums >> need & 1 == 1;
            }
            let rest = self.standing_in[at + 1] + if value == 0 { left } else { 0 };
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
        let Some(payers) = rules.payers.get(symbol.max(0) as usize) else { return 0 };
        let shown = self.shown_in(rules, symbol, pool, seat);
        // Nearly always all is read as it is: whole rows at once.
        let idle: i32 = match self.eyes {
            Eyes::Live => self.cells[base..].iter().zip(&payers.standing_in).map(|(count, counts)| count & counts).sum(),
            _ => payers.standing_in.iter().enumerate().map(|(class, counts)| self.cell(rules, base + class) & counts).sum(),
        };
        shown + (idle / group_of(rules)) as i64
    }

    /// Pays so much of a symbol from a pool to another, of the player's choice where payments differ in what is left.
    ///
    /// # Errors
    /// [`Stop::Ask`] when there is a choice; a price that cannot be paid, or is too high to be worked out, is a fault.
    pub(super) fn spend(&mut self, rules: &Ruleset, me: usize, price: i64, symbol: i64, from: u8, to: u8) -> Result<(), Stop> {
        if price <= 0 {
            return Ok(());
        }
        let symbol_index = symbol.max(0) as usize;
        let name = || rules.symbols.get(symbol_index).map_or("?", |&name| rules.names.text(name));
        if price > HIGHEST_PRICE {
            return Err(self.fault(rules, format!("a price of {price} {} is too high for tokens: {HIGHEST_PRICE} at most", name())));
        }
        let base = Self::pool_base(rules, from, me);
        let mut payment = std::mem::take(&mut self.payment);
        let payers = rules.payers.get(symbol_index).map_or(&[][..], |payers| &payers.classes);
        payment.begin(price as i32, group_of(rules), payers.iter().map(|&p| (p, self.cells[base + p.class as usize])));
        let have = payment.most();
        let result = if have < price as i32 {
            Err(self.fault(rules, format!("{price} {} had to be paid where there were only {have}", name())))
        } else {
            self.pick_payment(rules, me, &mut payment, from, to)
        };
        self.payment = payment;
        result
    }

    fn pick_payment(&mut self, rules: &Ruleset, me: usize, payment: &mut Payment, from: u8, to: u8) -> Result<(), Stop> {
        while !payment.complete() {
            let chosen = match self.answered_before(rules, me) {
                Some(known) => known,
                None => {
                    payment.survey();
                    let mut options = self.no_options();
                    for at in (payment.at..payment.purses.len()).filter(|&at| payment.leads_on(at)) {
                        options.push(Opt::new(rules, Act::Token(payment.purses[at].payer.class, u8::MAX)));
                    }
                    self.ask(rules, me, Question::Payment, options)?
                }
            };
            let picked = match chosen {
                Some(Opt { act: Act::Token(class, _), .. }) => payment.purses.iter().position(|purse| purse.payer.class == class),
                _ => None,
            };
            let Some(at) = picked else {
                return Err(self.fault(rules, "internal error: a payment could not be completed; please report it"));
            };
            payment.pick(at);
        }
        for purse in payment.purses.iter().filter(|purse| purse.chosen > 0) {
            self.move_tokens(rules, purse.payer.class as usize, purse.chosen as i64, from, to, me)?;
        }
        self.after_change(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::{below, draw};

    fn payment_of(price: i32, classes: &[(u8, i32)]) -> Payment {
        let mut payment = Payment::default();
        let purses = classes.iter().enumerate().map(|(class, &(value, there))| (Payer { class: class as u8, value }, there));
        payment.begin(price, 2, purses);
        payment.survey();
        payment
    }

    /// All complete payments by the picks that are offered, and the most offered at once.
    fn payments(payment: &Payment, found: &mut Vec<Vec<i32>>) -> usize {
        if payment.complete() {
            found.push(payment.purses.iter().map(|c| c.chosen).collect());
            return 0;
        }
        let offered: Vec<usize> = (payment.at..payment.purses.len()).filter(|&at| payment.leads_on(at)).collect();
        assert!(!offered.is_empty(), "a pick that leads nowhere was offered: {payment:?}");
        let beneath = offered.iter().map(|&at| {
            let mut next = payment.clone();
            next.pick(at);
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
