//! Tokens: pieces that nothing tells apart but their sort and the face they show, counted in pools; rolling them, picking some of
//! them, and paying with what they show.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::frame::Frame;
use super::game::{Eyes, Game};
use super::op::Pc;
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::chance::{below, draw, hash_text, join};
pub use houserule_ruleset::tokens::*;

/// The streams of rolls.
const ROLL: u64 = hash_text("roll");
/// The streams of what is taken at random.
const TAKE: u64 = hash_text("take");

/// A picked token as a local holds it: its pool and class.
fn picked(pool: u8, class: u8) -> i32 {
    (pool as i32) << 8 | class as i32
}

/// The pool and class of a picked token; `None` where nothing was picked.
fn of_picked(local: i32) -> Option<(u8, usize)> {
    (local >= 0).then_some((cast::low(i64::from(local >> 8)), cast::index(local & 0xFF)))
}

/// The classes in a bit set, in declared order.
fn classes(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let class = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (class < 64).then_some(class)
    })
}

/// A step of a stream, whatever its counter holds.
fn nth(step: i32) -> u64 {
    i64::from(step).cast_unsigned()
}

impl Game {
    #[inline]
    pub(super) fn pool_base(rules: &Ruleset, pool: u8, seat: usize) -> usize {
        let pool = &rules.pools[pool as usize];
        if pool.of_seat { rules.layout.seat(seat, pool.offset as usize) } else { pool.offset as usize }
    }

    /// The classes that a set means, as a bit set.
    fn token_mask(&mut self, rules: &Ruleset, set: u32, env: &mut Env) -> u64 {
        let set = &rules.token_sets[set as usize];
        let [of, showing] = [set.of, set.showing].map(|part| part.map(|part| self.eval(rules, part, env)));
        Self::mask_of_set(rules, set, of, showing)
    }

    fn mask_of_set(rules: &Ruleset, set: &TokenSet, of: Option<i64>, showing: Option<i64>) -> u64 {
        let mut mask = set.classes;
        if let Some(token) = of {
            mask &= usize::try_from(token).ok().and_then(|token| rules.tokens.get(token)).map_or(0, |token| token.classes);
        }
        if let Some(symbol) = showing {
            mask &= usize::try_from(symbol).ok().and_then(|symbol| rules.showing.get(symbol)).map_or(0, |&classes| classes);
        }
        mask
    }

    /// How many tokens of a set lie in a pool, of a sort and showing a symbol if these are given.
    pub(super) fn count_tokens(&self, rules: &Ruleset, set: u32, pool: u8, seat: usize, of: Option<i64>, showing: Option<i64>) -> i64 {
        let base = Self::pool_base(rules, pool, seat);
        let meant = &rules.token_sets[set as usize];
        if self.eyes == Eyes::Live && of.is_none() && showing.is_none() {
            return self.masked(base, &meant.mask) as i64;
        }
        let mask = Self::mask_of_set(rules, meant, of, showing);
        classes(mask).map(|class| self.cell(rules, base + class) as i64).sum()
    }

    /// How many tokens of the masked classes lie in the pool with this base, as it is: whole rows at once. A pool never lies at
    /// the very end of the cells.
    pub(super) fn masked(&self, base: usize, mask: &[i32]) -> i32 {
        let mut lanes = [0; LANES];
        for (counts, masks) in self.cells[base..].chunks_exact(LANES).zip(mask.chunks_exact(LANES)) {
            for (lane, (count, mask)) in lanes.iter_mut().zip(counts.iter().zip(masks)) {
                *lane += count & mask;
            }
        }
        lanes.iter().sum()
    }

    /// How much of a symbol the tokens of a pool show.
    pub(super) fn shown_in(&mut self, rules: &Ruleset, symbol: i64, pool: u8, seat: usize) -> i64 {
        let base = Self::pool_base(rules, pool, seat);
        let Some(&showing) = rules.showing.get(cast::index(symbol.max(0))) else { return 0 };
        let shown = |class: usize| self.cell(rules, base + class) as i64 * shows(&rules.classes[class], cast::index(symbol.max(0))) as i64;
        classes(showing).map(shown).sum()
    }

    /// How much of a symbol a picked token shows.
    pub(super) fn shown_by(rules: &Ruleset, symbol: i64, local: i32) -> i64 {
        of_picked(local).map_or(0, |(_, class)| shows(&rules.classes[class], cast::index(symbol.max(0))) as i64)
    }

    /// So many tokens of a class go from pool to pool.
    pub(super) fn move_tokens(&mut self, rules: &Ruleset, class: usize, n: i64, from: u8, to: u8, seat: usize) -> Result<(), Stop> {
        if n <= 0 {
            return Ok(());
        }
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
    /// is taken from there.
    ///
    /// # Errors
    /// There are not so many there.
    pub fn set_pool(&mut self, rules: &Ruleset, pool: u8, seat: usize, contents: &[(usize, i64)]) -> Result<(), Stop> {
        let supply = (0..cast::fit::<u8>(rules.pools.len())).find(|&other| rules.pools[other as usize].full && other != pool);
        let base = Self::pool_base(rules, pool, seat);
        // How many more of each sort there are, whatever they show.
        let mut change = vec![0; rules.tokens.len()];
        for (class, known) in rules.classes.iter().enumerate() {
            let wanted: i64 = contents.iter().filter(|c| c.0 == class).map(|c| c.1).sum();
            change[known.token as usize] += wanted - i64::from(self.cells[base + class]);
            self.put(rules, base + class, wanted)?;
        }
        for (token, change) in change.into_iter().enumerate() {
            if let Some(supply) = supply {
                let blank = rules.tokens[token].blank as usize;
                let cell = Self::pool_base(rules, supply, seat) + blank;
                let left = i64::from(self.cells[cell]) - change;
                if left < 0 {
                    let (key, pool) = (rules.names.text(rules.classes[blank].key), rules.names.text(rules.pools[supply as usize].name));
                    let there = self.cells[cell];
                    return Err(Stop::fault(format!("that takes {change} `{key}` from `{pool}`, and there are only {there}")));
                }
                self.put(rules, cell, left)?;
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

    /// Up to so many tokens of a set go from pool to pool.
    pub(super) fn take_tokens(&mut self, rules: &Ruleset, n: i64, set: u32, from: u8, to: u8, env: &mut Env) -> Result<(), Stop> {
        let mut left = n;
        if left <= 0 {
            return Ok(());
        }
        let base = Self::pool_base(rules, from, env.me);
        for class in classes(self.token_mask(rules, set, env)) {
            let n = left.min(self.cells[base + class] as i64);
            self.move_tokens(rules, class, n, from, to, env.me)?;
            left -= n;
        }
        self.after_change(rules)
    }

    /// Up to so many tokens of a set, drawn by chance, go from pool to pool: each a step of the stream of the seat (or the table) in this round.
    pub(super) fn take_at_random(&mut self, rules: &Ruleset, n: i64, set: u32, (from, to): (u8, u8), env: &mut Env) -> Result<(), Stop> {
        let seat = env.me;
        let base = Self::pool_base(rules, from, seat);
        let mut there = [0; MOST_CLASSES];
        for class in classes(self.token_mask(rules, set, env)) {
            there[class] = self.cells[base + class];
        }
        let mut left: i32 = there.iter().sum();
        let (counter, who) = Self::chance_of(rules, from, seat);
        let stream = join(join(TAKE, who), cast::fit::<u64>(self.cells[crate::state::layout::head::ROUND]));
        let first = self.cells[counter];
        let mut taken = [0; MOST_CLASSES];
        let count = cast::fit::<i32>(n.clamp(0, i64::from(left)));
        for step in first..first + count {
            let class = if self.told.takes.is_empty() {
                let mut at = cast::fit::<i32>(below(draw(self.seed(), stream, nth(step)), cast::fit::<u32>(left)));
                let found = there.iter().position(|&count| {
                    at -= count;
                    at < 0
                });
                found.ok_or_else(|| Stop::fault("fewer tokens lie there than were counted"))?
            } else {
                self.fixed_token(rules, from, &there)?
            };
            there[class] -= 1;
            left -= 1;
            taken[class] += 1;
        }
        self.put(rules, counter, i64::from(first) + i64::from(count))?;
        for (class, n) in taken.into_iter().enumerate().filter(|(_, n)| *n > 0) {
            self.move_tokens(rules, class, n, from, to, seat)?;
        }
        self.after_change(rules)
    }

    /// The class of the token that a scenario has fixed for the one that is taken next.
    #[cold]
    fn fixed_token(&mut self, rules: &Ruleset, from: u8, there: &[i32]) -> Result<usize, Stop> {
        if self.acts_at_once() {
            return Err(Stop::fault("what all players take at once cannot be fixed by `next take`"));
        }
        let wanted = self.told.takes.pop().unwrap_or(0);
        classes(wanted).find(|&class| there[class] > 0).ok_or_else(|| {
            let name = |class: usize| rules.names.text(rules.classes[class].key);
            let known: Vec<&str> = (0..rules.classes.len()).filter(|&class| there[class] > 0).map(name).collect();
            let pool = rules.names.text(rules.pools[from as usize].name);
            Stop::fault(format!("`next take` gives a token that cannot be taken from `{pool}` now; there is {}", known.join(", ")))
        })
    }

    /// The counter of what has fallen and was drawn by chance in this round for a pool, and whose it is.
    fn chance_of(rules: &Ruleset, pool: u8, seat: usize) -> (usize, u64) {
        match rules.pools[pool as usize].of_seat {
            true => (rules.layout.seat(seat, rules.rolled.1 as usize), seat as u64),
            false => (rules.rolled.0 as usize, u8::MAX as u64),
        }
    }

    /// The picked token, in a local, goes to a pool.
    pub(super) fn move_picked(&mut self, rules: &Ruleset, local: u8, to: u8, env: &mut Env) -> Result<(), Stop> {
        let Some((pool, class)) = of_picked(env.locals[local as usize]) else { return Ok(()) };
        self.move_tokens(rules, class, 1, pool, to, env.me)?;
        self.after_change(rules)
    }

    /// All tokens of a set in a pool show nothing until they are rolled.
    pub(super) fn lift(&mut self, rules: &Ruleset, set: u32, pool: u8, env: &mut Env) -> Result<(), Stop> {
        let base = Self::pool_base(rules, pool, env.me);
        for class in classes(self.token_mask(rules, set, env)) {
            let n = self.cells[base + class];
            if n > 0 {
                self.lift_class(rules, class, n as i64, pool, env.me)?;
            }
        }
        self.after_change(rules)
    }

    /// The picked token shows nothing until it is rolled.
    pub(super) fn lift_picked(&mut self, rules: &Ruleset, local: u8, env: &mut Env) -> Result<(), Stop> {
        let Some((pool, class)) = of_picked(env.locals[local as usize]) else { return Ok(()) };
        self.lift_class(rules, class, 1, pool, env.me)?;
        self.after_change(rules)
    }

    /// [`super::op::Op::PickTokens`]: a series of picks in the declared order of classes, so that each selection has one path; what
    /// has gone elsewhere by an earlier pick is not picked there again. Operands: what lies there (each a pool and class, and how
    /// many), how many entries these are, from which on may be picked, how many were picked, and how many at least and at most.
    pub(super) fn begin_token_picks(&mut self, rules: &Ruleset, pick: u32, at: &mut Frame) -> Result<(), Stop> {
        let (pick, env) = (&rules.ops.picks[pick as usize], &mut at.env);
        let least = self.eval(rules, pick.least, env);
        let most = pick.most.map_or(i64::MAX, |most| self.eval(rules, most, env));
        let mask = self.token_mask(rules, pick.set, env);
        let (mut entries, mut all) = (0, 0);
        for &pool in &pick.pools {
            let base = Self::pool_base(rules, pool, env.me);
            for class in classes(mask) {
                let count = self.cells[base + class];
                if count > 0 {
                    self.cells.extend([picked(pool, cast::fit::<u8>(class)), count]);
                    entries += 1;
                    all += count as i64;
                }
            }
        }
        self.cells.extend([entries, 0, 0, cast::fit::<i32>(least.clamp(0, all)), cast::fit::<i32>(most.clamp(0, i32::MAX as i64))]);
        Ok(())
    }

    /// [`super::op::Op::NextToken`].
    pub(super) fn next_token_pick(&mut self, rules: &Ruleset, pick: u32, end: Pc, at: &mut Frame) -> Result<(), Stop> {
        let pick = &rules.ops.picks[pick as usize];
        let top = self.cells.len() - 5;
        let (entries, from) = (cast::index(self.cells[top]), cast::index(self.cells[top + 1]));
        let (taken, least, most) = (self.cells[top + 2], self.cells[top + 3], self.cells[top + 4]);
        let base = top - 2 * entries;
        let named = pick.pools.len() > 1;
        let mut chosen = None;
        if taken < most {
            chosen = self.ask(rules, at.env.me, Question::Rules(pick.question), |game, options| {
                let there = &game.cells[base + 2 * from..top];
                let mut beyond: i32 = there.chunks_exact(2).map(|entry| entry[1]).sum();
                for entry in there.chunks_exact(2) {
                    if entry[1] > 0 && taken + beyond >= least {
                        let pool = if named { cast::low(i64::from(entry[0] >> 8)) } else { u8::MAX };
                        options.push(Opt::new(rules, Act::Token(cast::low(i64::from(entry[0])), pool)));
                    }
                    beyond -= entry[1];
                }
                if taken >= least && !options.is_empty() {
                    options.push(Opt::new(rules, Act::Done));
                }
            })?;
        }
        let found = match chosen {
            Some(Opt { act: Act::Token(class, pool), .. }) => (0..entries).find(|entry| {
                let there = self.cells[base + 2 * entry];
                there & 0xFF == i32::from(class) && (!named || there >> 8 == pool as i32)
            }),
            _ => None,
        };
        let Some(entry) = found else {
            self.cells.truncate(base);
            at.pc = end;
            return Ok(());
        };
        self.cells[top + 1] = cast::fit::<i32>(entry);
        self.cells[top + 2] += 1;
        self.cells[base + 2 * entry + 1] -= 1;
        at.env.locals[pick.local as usize] = self.cells[base + 2 * entry];
        Ok(())
    }

    /// The face that a scenario has fixed for the die that is rolled next.
    #[cold]
    fn fixed_face(&mut self, rules: &Ruleset, token: &Token) -> Result<u8, Stop> {
        if self.acts_at_once() {
            return Err(Stop::fault("what all players roll at once cannot be fixed by `next roll`"));
        }
        let wanted = self.told.falls.pop().unwrap_or(0);
        token.faces.iter().copied().find(|&class| wanted >> class & 1 == 1).ok_or_else(|| {
            let faces: Vec<&str> = token.faces.iter().map(|&class| rules.names.text(rules.classes[class as usize].key)).collect();
            let name = rules.names.text(token.name);
            Stop::fault(format!("`next roll` gives a face that `{name}`, which is rolled next, does not have; it has {}", faces.join(", ")))
        })
    }

    /// How many dice have been rolled and tokens taken at random in this round, by all and for the table: it differs between two states if
    /// something fell between them.
    pub fn rolls(&self, rules: &Ruleset) -> i64 {
        if rules.tokens.is_empty() {
            return 0;
        }
        let of_seat = |seat: usize| i64::from(self.cells[rules.layout.seat(seat, rules.rolled.1 as usize)]);
        i64::from(self.cells[rules.rolled.0 as usize]) + (0..rules.players).map(of_seat).sum::<i64>()
    }

    /// Rolls what shows nothing in a pool: each a step of the stream of the seat (or the table) in this round.
    pub(super) fn roll(&mut self, rules: &Ruleset, pool: u8, seat: usize) -> Result<(), Stop> {
        let base = Self::pool_base(rules, pool, seat);
        let of_seat = rules.pools[pool as usize].of_seat;
        let (counter, who) = Self::chance_of(rules, pool, seat);
        let round = cast::fit::<u64>(self.cells[crate::state::layout::head::ROUND]);
        let stream = join(join(ROLL, who), round);
        for token in rules.tokens.iter().filter(|token| !token.faces.is_empty()) {
            let count = self.cells[base + token.blank as usize];
            if count == 0 {
                continue;
            }
            let first = self.cells[counter];
            let mut fallen = [0; MOST_CLASSES];
            for step in first..first + count {
                let class = match self.told.falls.is_empty() {
                    true => token.faces[below(draw(self.seed(), stream, nth(step)), cast::fit::<u32>(token.faces.len())) as usize],
                    false => self.fixed_face(rules, token)?,
                } as usize;
                fallen[class] += 1;
                let roller = || if of_seat { format!("p{}", seat + 1) } else { "the table".to_string() };
                self.say(|| format!("{} rolls {}", roller(), rules.names.text(rules.classes[class].key)));
            }
            self.put(rules, counter, (first + count) as i64)?;
            self.put(rules, base + token.blank as usize, 0)?;
            for class in classes(token.classes).filter(|&class| fallen[class] > 0) {
                self.put(rules, base + class, (self.cells[base + class] + fallen[class]) as i64)?;
            }
        }
        self.after_change(rules)
    }
}
