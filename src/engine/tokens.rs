//! Tokens: pieces that nothing tells apart but their sort and the face they show, counted in pools; rolling them, picking some of
//! them, and paying with what they show.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::game::Game;
use super::moment::Scripts;
use super::node::NodeId;
use super::ruleset::{BodyId, NameId, Ruleset};
use crate::state::chance::{below, draw, hash_text, join};

/// A sort of token, such as a white die.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its name.
    pub name: NameId,
    /// How many there are.
    pub count: i32,
    /// Class of a token of this sort that shows nothing yet; of one that cannot be rolled, its only class.
    pub blank: u8,
    /// Class of each face, in declared order; empty for what cannot be rolled.
    pub faces: Vec<u8>,
}

/// Tokens that nothing tells apart: a sort and the face it shows.
#[derive(Clone, Debug)]
pub struct TokenClass {
    /// The sort.
    pub token: u8,
    /// What it is called in option keys, such as `white:food`.
    pub key: NameId,
    /// How often it shows each symbol.
    pub shows: Vec<u8>,
}

/// Where tokens lie: one cell for each class.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its name.
    pub name: NameId,
    /// Every seat has one.
    pub of_seat: bool,
    /// Its first cell: of the table, or from the seat's base.
    pub offset: u16,
    /// Tokens lie here without showing a face.
    pub face_down: bool,
    /// All tokens lie here at the start.
    pub full: bool,
}

/// Several tokens of a kind that stand for one of some symbols.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// How many.
    pub count: u8,
    /// Sorts of token, as a bit set.
    pub tokens: u64,
    /// Symbols, as a bit set.
    pub symbols: u64,
}

/// Which tokens are meant.
#[derive(Clone, Debug)]
pub struct TokenSet {
    /// Classes, as a bit set.
    pub classes: u64,
    /// Only of this sort.
    pub of: Option<NodeId>,
    /// Only those that show this symbol.
    pub showing: Option<NodeId>,
}

/// What a statement does with tokens.
#[derive(Clone, Debug)]
pub enum TokenStmt {
    /// Up to so many go from pool to pool.
    Take(NodeId, u32, u8, u8),
    /// All go from pool to pool.
    MoveAll(u32, u8, u8),
    /// The picked one, in a local, goes to a pool.
    MoveOne(u8, u8),
    /// All in a pool are taken up: they show nothing until they are rolled.
    Lift(u32, u8),
    /// The picked one is taken up.
    LiftOne(u8),
    /// What shows nothing in a pool is rolled.
    Roll(u8),
    /// What shows so much of a symbol goes from pool to pool, of the player's choice where payments differ.
    Spend(TokenCost),
    /// A series of picks.
    Pick {
        /// Its question.
        question: u32,
        /// Which tokens.
        set: u32,
        /// From these pools.
        pools: Box<[u8]>,
        /// At least so many; all there are, if there are fewer.
        least: NodeId,
        /// At most so many.
        most: Option<NodeId>,
        /// Local that holds the picked token.
        local: u8,
        /// Done with each.
        body: BodyId,
    },
}

/// A price in symbols.
#[derive(Clone, Copy, Debug)]
pub struct TokenCost {
    /// How many.
    pub amount: NodeId,
    /// Which symbol.
    pub symbol: NodeId,
    /// Pool that pays.
    pub from: u8,
    /// Pool where it goes.
    pub to: u8,
}

/// Larger prices are not worked out.
const HIGHEST_PRICE: i64 = 60;

/// A picked token in one number: its pool and class.
fn picked(pool: u8, class: usize) -> i32 {
    (pool as i32) << 8 | class as i32
}

impl Game {
    #[inline]
    fn pool_base(rules: &Ruleset, pool: u8, seat: usize) -> usize {
        let pool = &rules.pools[pool as usize];
        if pool.of_seat { rules.layout.seat(seat, pool.offset as usize) } else { pool.offset as usize }
    }

    /// The classes that a set means.
    fn token_mask(&mut self, rules: &Ruleset, set: u32, env: &mut Env) -> u64 {
        let set = &rules.token_sets[set as usize];
        let mut mask = set.classes;
        if let Some(of) = set.of {
            let token = self.eval(rules, of, env);
            mask &= bits(rules, |class| class.token as i64 == token);
        }
        if let Some(showing) = set.showing {
            let symbol = self.eval(rules, showing, env).max(0) as usize;
            mask &= bits(rules, |class| class.shows.get(symbol).is_some_and(|&n| n > 0));
        }
        mask
    }

    /// How many tokens of a set lie in a pool.
    pub(super) fn count_tokens(&mut self, rules: &Ruleset, set: u32, pool: u8, env: &mut Env) -> i64 {
        let mask = self.token_mask(rules, set, env);
        let base = Self::pool_base(rules, pool, env.me);
        (0..rules.classes.len()).filter(|class| mask >> class & 1 == 1).map(|class| self.cell(rules, base + class) as i64).sum()
    }

    /// How much of a symbol the tokens of a pool show.
    pub(super) fn shown_in(&mut self, rules: &Ruleset, symbol: i64, pool: u8, seat: usize) -> i64 {
        let base = Self::pool_base(rules, pool, seat);
        let symbol = symbol.max(0) as usize;
        rules.classes.iter().enumerate().map(|(i, class)| self.cell(rules, base + i) as i64 * shows(&class.shows, symbol)).sum()
    }

    /// How much of a symbol a pool can pay, with exchanges.
    pub(super) fn payable(&mut self, rules: &Ruleset, symbol: i64, pool: u8, seat: usize) -> i64 {
        let base = Self::pool_base(rules, pool, seat);
        let Some(payers) = rules.payers.get(symbol.max(0) as usize) else { return 0 };
        let (mut shown, mut idle) = (0, 0);
        for payer in payers.iter() {
            let count = self.cell(rules, base + payer.class as usize) as i64;
            shown += count * payer.value as i64;
            idle += if payer.value == 0 { count } else { 0 };
        }
        shown + rules.exchange.map_or(0, |exchange| idle / exchange.count.max(1) as i64)
    }

    fn move_tokens(&mut self, rules: &Ruleset, class: usize, n: i64, from: u8, to: u8, seat: usize) -> Result<(), Stop> {
        let source = Self::pool_base(rules, from, seat) + class;
        let arrives =
            if rules.pools[to as usize].face_down { rules.tokens[rules.classes[class].token as usize].blank as usize } else { class };
        let target = Self::pool_base(rules, to, seat) + arrives;
        self.put(rules, source, self.cells[source] as i64 - n)?;
        self.put(rules, target, self.cells[target] as i64 + n)?;
        self.say(|| {
            let name = |pool: u8| rules.names.text(rules.pools[pool as usize].name);
            format!("p{}: {n} {} from {} to {}", seat + 1, rules.names.text(rules.classes[class].key), name(from), name(to))
        });
        Ok(())
    }

    fn lift_class(&mut self, rules: &Ruleset, class: usize, n: i64, pool: u8, seat: usize) -> Result<(), Stop> {
        let base = Self::pool_base(rules, pool, seat);
        let blank = rules.tokens[rules.classes[class].token as usize].blank as usize;
        if blank == class || n == 0 {
            return Ok(());
        }
        self.put(rules, base + class, self.cells[base + class] as i64 - n)?;
        self.put(rules, base + blank, self.cells[base + blank] as i64 + n)
    }

    /// Writes what lies in a pool: for scenarios. What lay there goes back to where all tokens lie at the start, and what comes
    /// is taken from there, if it lasts.
    ///
    /// # Errors
    /// None in practice; cells are written through the common door.
    pub fn set_pool(&mut self, rules: &Ruleset, pool: u8, seat: usize, contents: &[(usize, i64)]) -> Result<(), Stop> {
        let supply = (0..rules.pools.len() as u8).find(|&other| rules.pools[other as usize].full && other != pool);
        let base = Self::pool_base(rules, pool, seat);
        let mut change = vec![0; rules.classes.len()];
        for (class, change) in change.iter_mut().enumerate() {
            let there = self.cells[base + class] as i64;
            let wanted: i64 = contents.iter().filter(|c| c.0 == class).map(|c| c.1).sum();
            *change = wanted - there;
            self.put(rules, base + class, wanted)?;
        }
        for (class, change) in change.into_iter().enumerate() {
            if let Some(supply) = supply {
                let blank = rules.tokens[rules.classes[class].token as usize].blank as usize;
                let cell = Self::pool_base(rules, supply, seat) + blank;
                self.put(rules, cell, (self.cells[cell] as i64 - change).max(0))?;
            }
        }
        // Whoever's dice lie so has begun its turns.
        if rules.pools[pool as usize].of_seat {
            for taken in rules.turns.iter().filter(|turns| turns.first.is_some()).filter_map(|turns| turns.taken) {
                let cell = rules.layout.seat(seat, taken as usize);
                self.put(rules, cell, self.cells[cell].max(1) as i64)?;
            }
        }
        self.after_change(rules)
    }

    pub(super) fn run_tokens(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, stmt: &TokenStmt, env: &mut Env) -> Result<(), Stop> {
        match stmt {
            TokenStmt::Take(n, set, from, to) => {
                let mut left = self.eval(rules, *n, env);
                let mask = self.token_mask(rules, *set, env);
                for class in (0..rules.classes.len()).filter(|class| mask >> class & 1 == 1) {
                    let there = self.cells[Self::pool_base(rules, *from, env.me) + class] as i64;
                    let n = left.clamp(0, there);
                    if n > 0 {
                        self.move_tokens(rules, class, n, *from, *to, env.me)?;
                        left -= n;
                    }
                }
                self.after_change(rules)
            }
            TokenStmt::MoveAll(set, from, to) => {
                let mask = self.token_mask(rules, *set, env);
                for class in (0..rules.classes.len()).filter(|class| mask >> class & 1 == 1) {
                    let there = self.cells[Self::pool_base(rules, *from, env.me) + class] as i64;
                    if there > 0 {
                        self.move_tokens(rules, class, there, *from, *to, env.me)?;
                    }
                }
                self.after_change(rules)
            }
            TokenStmt::MoveOne(local, to) => {
                let it = env.locals[*local as usize];
                if it < 0 {
                    return Ok(());
                }
                self.move_tokens(rules, (it & 0xFF) as usize, 1, (it >> 8) as u8, *to, env.me)?;
                self.after_change(rules)
            }
            TokenStmt::Lift(set, pool) => {
                let mask = self.token_mask(rules, *set, env);
                for class in (0..rules.classes.len()).filter(|class| mask >> class & 1 == 1) {
                    let there = self.cells[Self::pool_base(rules, *pool, env.me) + class] as i64;
                    self.lift_class(rules, class, there, *pool, env.me)?;
                }
                self.after_change(rules)
            }
            TokenStmt::LiftOne(local) => {
                let it = env.locals[*local as usize];
                if it < 0 {
                    return Ok(());
                }
                self.lift_class(rules, (it & 0xFF) as usize, 1, (it >> 8) as u8, env.me)?;
                self.after_change(rules)
            }
            TokenStmt::Roll(pool) => self.roll(rules, *pool, env.me),
            TokenStmt::Spend(cost) => {
                let amount = self.eval(rules, cost.amount, env);
                let symbol = self.eval(rules, cost.symbol, env);
                self.spend(rules, env.me, amount, symbol, cost.from, cost.to)
            }
            TokenStmt::Pick { question, set, pools, least, most, local, body } => {
                let least = self.eval(rules, *least, env).max(0);
                let most = match most {
                    Some(most) => self.eval(rules, *most, env),
                    None => i64::MAX,
                };
                let mask = self.token_mask(rules, *set, env);
                let mut there: Vec<(u8, usize, i64)> = Vec::new();
                for &pool in pools.iter() {
                    let base = Self::pool_base(rules, pool, env.me);
                    for class in (0..rules.classes.len()).filter(|class| mask >> class & 1 == 1) {
                        let count = self.cells[base + class] as i64;
                        if count > 0 {
                            there.push((pool, class, count));
                        }
                    }
                }
                let least = least.min(there.iter().map(|t| t.2).sum());
                let named = pools.len() > 1;
                let (mut from, mut taken) = (0, 0);
                while taken < most {
                    let mut options = std::mem::take(&mut self.spare);
                    options.clear();
                    for at in from..there.len() {
                        let beyond: i64 = there[at..].iter().map(|t| t.2).sum();
                        if there[at].2 > 0 && taken + beyond >= least {
                            let (pool, class, _) = there[at];
                            options.push(Opt::new(rules, Act::Token(class as u8, if named { pool } else { u8::MAX })));
                        }
                    }
                    if options.is_empty() {
                        self.spare = options;
                        break;
                    }
                    if taken >= least {
                        options.push(Opt::new(rules, Act::Done));
                    }
                    let chosen = self.ask(rules, env.me, Question::Rules(*question), options)?;
                    let Some(Opt { act: Act::Token(class, pool), .. }) = chosen else { break };
                    let Some(at) = there.iter().position(|t| t.1 == class as usize && (!named || t.0 == pool)) else { break };
                    from = at;
                    there[at].2 -= 1;
                    taken += 1;
                    env.locals[*local as usize] = picked(there[at].0, class as usize);
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
        }
    }

    /// Rolls what shows nothing in a pool: each a step of the stream of the seat (or the table) in this round.
    fn roll(&mut self, rules: &Ruleset, pool: u8, seat: usize) -> Result<(), Stop> {
        let base = Self::pool_base(rules, pool, seat);
        let of_seat = rules.pools[pool as usize].of_seat;
        let counter = if of_seat { rules.layout.seat(seat, rules.rolled.1 as usize) } else { rules.rolled.0 as usize };
        let who = if of_seat { seat as u64 } else { u8::MAX as u64 };
        let round = self.cells[crate::state::layout::head::ROUND] as u64;
        let stream = join(join(hash_text("roll"), who), round);
        for token in rules.tokens.iter().filter(|token| !token.faces.is_empty()) {
            let blank = base + token.blank as usize;
            for _ in 0..self.cells[blank] {
                let step = self.cells[counter] as u64;
                self.put(rules, counter, step as i64 + 1)?;
                let face = self.noted(|game| below(draw(game.seed(), stream, step), token.faces.len() as u32) as i32)?;
                let class = token.faces[face.clamp(0, token.faces.len() as i32 - 1) as usize] as usize;
                self.put(rules, blank, self.cells[blank] as i64 - 1)?;
                self.put(rules, base + class, self.cells[base + class] as i64 + 1)?;
                self.say(|| format!("p{} rolls {}", seat + 1, rules.names.text(rules.classes[class].key)));
            }
        }
        self.after_change(rules)
    }

    /// Pays so much of a symbol. A payment is a selection from which no token could be left out; it is picked token by token in
    /// the declared order of classes, so that each selection has one path, and only where selections differ in what is left.
    pub(super) fn spend(&mut self, rules: &Ruleset, me: usize, price: i64, symbol: i64, from: u8, to: u8) -> Result<(), Stop> {
        if price <= 0 {
            return Ok(());
        }
        if self.payable(rules, symbol, from, me) < price || price > HIGHEST_PRICE {
            let name = rules.symbols.get(symbol.max(0) as usize).map_or("?", |&name| rules.names.text(name));
            return Err(self.fault(rules, format!("{price} {name} had to be paid where there was less")));
        }
        let base = Self::pool_base(rules, from, me);
        let mut classes = std::mem::take(&mut self.payers);
        classes.clear();
        for &payer in rules.payers.get(symbol.max(0) as usize).map_or(&[][..], |payers| payers) {
            let there = self.cells[base + payer.class as usize];
            if there > 0 {
                classes.push(Payer { there, ..payer });
            }
        }
        let group = rules.exchange.map_or(1, |exchange| exchange.count.max(1) as i32);
        let mut payment = Payment { classes, price: price as i32, group };
        let result = self.pick_payment(rules, me, &mut payment, from, to);
        self.payers = payment.classes;
        result
    }

    fn pick_payment(&mut self, rules: &Ruleset, me: usize, payment: &mut Payment, from: u8, to: u8) -> Result<(), Stop> {
        let mut at = 0;
        while !payment.complete() {
            let mut options = std::mem::take(&mut self.spare);
            options.clear();
            for next in at..payment.classes.len() {
                if payment.classes[next].chosen < payment.classes[next].there {
                    payment.classes[next].chosen += 1;
                    if payment.can_be_completed(next) {
                        options.push(Opt::new(rules, Act::Token(payment.classes[next].class, u8::MAX)));
                    }
                    payment.classes[next].chosen -= 1;
                }
            }
            let chosen = self.ask(rules, me, Question::Payment, options)?;
            let Some(Opt { act: Act::Token(class, _), .. }) = chosen else {
                return Err(self.fault(rules, "internal error: a payment could not be completed; please report it"));
            };
            at = payment.classes.iter().position(|c| c.class == class).unwrap_or(at);
            payment.classes[at].chosen += 1;
        }
        for payer in payment.classes.iter().filter(|c| c.chosen > 0) {
            self.move_tokens(rules, payer.class as usize, payer.chosen as i64, from, to, me)?;
        }
        self.after_change(rules)
    }
}

/// A class of tokens that can help to pay a symbol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payer {
    /// The class.
    pub class: u8,
    /// How much one of them shows; 0 for what stands in together with others.
    pub value: i32,
    /// How many there are.
    pub there: i32,
    /// How many are chosen.
    pub chosen: i32,
}

/// For each symbol the classes that can help to pay it.
pub fn payers_of(rules: &Ruleset) -> Vec<Vec<Payer>> {
    let of = |symbol: usize| {
        let all = rules.classes.iter().enumerate().map(move |(class, shown)| (class, shown.token, shows(&shown.shows, symbol)));
        let useful = all.filter(move |&(_, token, value)| value > 0 || stands_in(rules, token, symbol as i64));
        useful.map(|(class, _, value)| Payer { class: class as u8, value: value as i32, ..Payer::default() }).collect()
    };
    (0..rules.symbols.len()).map(of).collect()
}

/// A payment in the making. Tokens with a value of 0 stand in together, `group` of them for one.
#[derive(Clone, Debug)]
struct Payment {
    classes: Vec<Payer>,
    price: i32,
    group: i32,
}

impl Payment {
    fn shown(&self) -> i32 {
        self.classes.iter().map(|c| c.value * c.chosen).sum()
    }

    fn idle(&self) -> i32 {
        self.classes.iter().filter(|c| c.value == 0).map(|c| c.chosen).sum()
    }

    fn complete(&self) -> bool {
        self.idle() % self.group == 0 && self.shown() + self.idle() / self.group >= self.price
    }

    /// Whether tokens of the classes from `at` on can make it a payment from which none could be left out: what is paid too
    /// much, if anything, is less than what each chosen token shows, and nothing is when tokens stand in.
    fn can_be_completed(&self, at: usize) -> bool {
        let (shown, idle) = (self.shown(), self.idle());
        let smallest = self.classes.iter().filter(|c| c.chosen > 0 && c.value > 0).map(|c| c.value).min();
        let largest = self.classes.iter().map(|c| c.value).max().unwrap_or(0);
        (0..largest.max(1)).any(|beyond| {
            if smallest.is_some_and(|value| value <= beyond) || beyond > 0 && idle > 0 {
                return false;
            }
            let need = self.price + beyond - shown;
            if need < 0 {
                return false;
            }
            // Sums that the rest can show, as a bit set.
            let mut sums: u128 = 1;
            for payer in self.classes[at..].iter().filter(|c| c.value > beyond) {
                for _ in 0..(payer.there - payer.chosen).min(need / payer.value) {
                    sums |= sums << payer.value;
                }
            }
            let reaches = |sum: i32| (0..128).contains(&sum) && sums >> sum & 1 == 1;
            if beyond > 0 {
                return reaches(need);
            }
            let rest: i32 = self.classes[at..].iter().filter(|c| c.value == 0).map(|c| c.there - c.chosen).sum();
            let fewest = (idle + self.group - 1) / self.group;
            (fewest..=(idle + rest) / self.group).any(|groups| reaches(need - groups))
        })
    }
}

fn shows(shows: &[u8], symbol: usize) -> i64 {
    shows.get(symbol).map_or(0, |&n| n as i64)
}

/// Whether tokens of a sort that do not show a symbol can stand for it together.
fn stands_in(rules: &Ruleset, token: u8, symbol: i64) -> bool {
    rules.exchange.is_some_and(|e| e.tokens >> token & 1 == 1 && (0..64).contains(&symbol) && e.symbols >> symbol & 1 == 1)
}

fn bits(rules: &Ruleset, wanted: impl Fn(&TokenClass) -> bool) -> u64 {
    rules.classes.iter().enumerate().filter(|(_, class)| wanted(class)).fold(0, |mask, (i, _)| mask | 1 << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All complete payments by the picks that are offered.
    fn payments(payment: &mut Payment, at: usize, found: &mut Vec<Vec<i32>>, most: &mut usize) {
        if payment.complete() {
            found.push(payment.classes.iter().map(|c| c.chosen).collect());
            return;
        }
        let mut offered = 0;
        for next in at..payment.classes.len() {
            if payment.classes[next].chosen == payment.classes[next].there {
                continue;
            }
            payment.classes[next].chosen += 1;
            if payment.can_be_completed(next) {
                offered += 1;
                payments(payment, next, found, most);
            }
            payment.classes[next].chosen -= 1;
        }
        assert!(offered > 0, "a pick that leads nowhere was offered: {payment:?}");
        *most = (*most).max(offered);
    }

    fn total(classes: &[Payer], chosen: &[i32], group: i32) -> i32 {
        let shown: i32 = classes.iter().zip(chosen).map(|(c, n)| c.value * n).sum();
        let idle: i32 = classes.iter().zip(chosen).filter(|(c, _)| c.value == 0).map(|(_, n)| n).sum();
        shown + idle / group
    }

    /// All selections from which nothing can be left out, found by trying everything.
    fn by_trying(classes: &[Payer], price: i32, group: i32) -> Vec<Vec<i32>> {
        let mut all = vec![Vec::new()];
        for payer in classes {
            all = all.into_iter().flat_map(|c: Vec<i32>| (0..=payer.there).map(move |n| [c.clone(), vec![n]].concat())).collect();
        }
        all.retain(|chosen| {
            total(classes, chosen, group) >= price
                && (0..chosen.len()).filter(|&i| chosen[i] > 0).all(|i| {
                    let mut less = chosen.clone();
                    less[i] -= 1;
                    total(classes, &less, group) < price
                })
        });
        all
    }

    #[test]
    fn picks_reach_each_payment_without_a_needless_token_once_and_nothing_else() {
        for seed in 0..400 {
            let number = |stream: u64, n: u32| below(draw(seed, stream, 0), n) as i32;
            let count = 1 + number(1, 5) as usize;
            let classes: Vec<Payer> = (0..count)
                .map(|class| Payer {
                    class: class as u8,
                    value: number(10 + class as u64, 4),
                    there: 1 + number(30 + class as u64, 3),
                    chosen: 0,
                })
                .collect();
            let price = 1 + number(2, 5);
            let all: Vec<i32> = classes.iter().map(|c| c.there).collect();
            if total(&classes, &all, 2) < price {
                continue;
            }
            let mut wanted = by_trying(&classes, price, 2);
            let mut found = Vec::new();
            payments(&mut Payment { classes, price, group: 2 }, 0, &mut found, &mut 0);
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted, "seed {seed}");
        }
    }

    #[test]
    fn three_are_paid_with_many_tokens_in_a_few_picks() {
        let payer = |class: u8, value, there| Payer { class, value, there, chosen: 0 };
        let classes = vec![payer(0, 0, 2), payer(1, 1, 2), payer(2, 0, 3), payer(3, 2, 2), payer(4, 3, 1), payer(5, 0, 1), payer(6, 1, 6)];
        let (mut found, mut most) = (Vec::new(), 0);
        payments(&mut Payment { classes, price: 3, group: 2 }, 0, &mut found, &mut most);
        assert!(most <= 7, "{most} options at once");
    }
}
