//! Plays pairs of games, one of a seed without the change and one with it.

use crate::cast;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::super::as_pairs;
use super::super::distinct::Distinct;
use super::super::dropped::Dropped;
use super::super::histogram::Histogram;
use super::super::measure::{Notes, Played};
use super::super::run::{Ahead, Ended, MakeScripts, Outcome, Plan, Table, play_safely};
use super::inference::{ALPHA, Basis, Looks, Pairs};
use super::measures::{Measure, measures};
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::state::chance::{hash_text, join};

/// So many pairs are taken in before somebody looks whether it is enough, however many threads there are.
const CHUNK: u64 = 64;
/// With fewer pairs than these a run does not stop by itself: the sequence of intervals holds for large numbers.
pub const FEWEST: u64 = 100;

/// Both sides, and how they are played.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// The rules without the change.
    pub plain: &'a Ruleset,
    /// The rules with it.
    pub changed: &'a Ruleset,
    /// Who plays; in each pair one seat further on.
    pub agents: &'a [AgentKind],
    /// Seed of the run.
    pub seed: u64,
    /// How many threads; 0 for one on each core.
    pub threads: usize,
    /// Whether the changed side has draws of its own: games of one number share nothing then. So may two runs of the same rules be compared.
    pub apart: bool,
}

/// When it is enough.
#[derive(Clone, Debug)]
pub struct Stop {
    /// So many pairs at most.
    pub pairs: u64,
    /// Before, once the interval of this measure reaches no further than so much to either side.
    pub until: Option<(Measure, f64)>,
}

impl Stop {
    /// How often somebody looks.
    pub fn looks(&self) -> Looks {
        if self.until.is_some() { Looks::Always } else { Looks::Once }
    }
}

/// Where two games of a pair part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parting {
    /// The number of the pair, from 0.
    pub pair: u64,
    /// The answer, counted from 1.
    pub answer: usize,
    /// The round and the seat, from 0, and what is answered without the change; nothing if that game is over.
    pub plain: Option<(i32, u8, String)>,
    /// The same with it.
    pub changed: Option<(i32, u8, String)>,
}

/// What came of the pairs. It is the same in whatever order and in however many parts they were played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    /// The numbers of the pairs that are done.
    pub done: RangeSet<u64>,
    /// Complete pairs.
    pub pairs: u64,
    /// Which of them are different.
    pub different: Distinct,
    /// Pairs of which a game met a fault.
    pub dropped: Outcome,
    /// Each measure.
    #[serde(with = "as_pairs")]
    pub measures: BTreeMap<Measure, Pairs>,
    /// Points of all players of a pair together, changed less plain.
    pub differences: Histogram,
    /// Where the first pair parts that does.
    pub parting: Option<Parting>,
    /// Pairs whose games went alike, answer by answer.
    pub alike: u64,
    /// Pairs of which the games ended alike, in every measure.
    pub same_end: u64,
    /// Whether the interval became narrow enough.
    pub enough: bool,
    /// Whether somebody stopped it.
    pub stopped: bool,
}

/// Hears of a comparison while it goes on: how many of its pairs are done, and all that is done, now and before.
pub type Hears<'a> = dyn FnMut(u64, &Compared) + 'a;

/// Plays those pairs with numbers in a range that are not done, until it is enough.
///
/// # Errors
/// What is wrong with the scripts of one side.
pub fn compare(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    until: &Stop,
    (begun, pairs): (Compared, Range<u64>),
    stop: &AtomicBool,
    hears: &mut Hears<'_>,
) -> Result<Compared, Vec<Diagnostic>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(sides.threads).build();
    let pool = pool.map_err(|fault| vec![Diagnostic::error("G204", None, format!("cannot start threads: {fault}"))])?;
    let threads = pool.current_num_threads() as u64;
    let ahead = Ahead::new(&begun.done, &pairs, threads);
    let enough = AtomicBool::new(begun.enough);
    let (sender, receiver) = mpsc::channel();
    let mut found = begun;
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, ahead, enough) = (sender.clone(), &ahead, &enough);
            scope.spawn(move |_| work(sides, scripts, ahead, (stop, enough), &sender));
        }
        drop(sender);
        found.fold((sides, until), &ahead, &receiver, &enough, hears)
    })?;
    found.stopped = !found.enough && found.done.gaps(&pairs).next().is_some();
    Ok(found)
}

/// Pairs that one thread has played, one after another, and how many are before them.
type Message = Result<(u64, Vec<OnePair>), Vec<Diagnostic>>;

/// One thread: takes the next pairs until there are none, or enough.
fn work(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    ahead: &Ahead,
    (stop, enough): (&AtomicBool, &AtomicBool),
    sender: &mpsc::Sender<Message>,
) {
    let mut both = match Both::new(sides, scripts) {
        Ok(both) => both,
        Err(faults) => {
            // Nobody listens only when another thread has met the same.
            let _ = sender.send(Err(faults));
            return;
        }
    };
    let go_on = || !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed);
    while go_on() {
        let Some((first, numbers)) = ahead.take() else { return };
        let numbers = numbers.take_while(|_| go_on());
        // What is stopped in the middle of a pair is not done.
        let played = numbers.map_while(|number| one_pair(sides, scripts, &mut both, number, stop)).collect();
        if sender.send(Ok((first, played))).is_err() {
            return;
        }
    }
}

/// What one thread plays with.
struct Both {
    plain: Table,
    changed: Table,
}

impl Both {
    fn new(sides: &Sides<'_>, (plain, changed): (&MakeScripts<'_>, &MakeScripts<'_>)) -> Result<Both, Vec<Diagnostic>> {
        Ok(Both { plain: Table::new(sides.agents, plain()?), changed: Table::new(sides.agents, changed()?) })
    }
}

/// Both games of a pair.
struct Pair {
    number: u64,
    plain: Box<Played>,
    changed: Box<Played>,
}

type OnePair = Result<Pair, Box<Dropped>>;

/// Nothing if the run is stopped before both have ended.
fn one_pair(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    both: &mut Both,
    number: u64,
    stop: &AtomicBool,
) -> Option<OnePair> {
    let notes = Notes { course: true, ..Notes::default() };
    let one = |rules, table: &mut Table, scripts: &MakeScripts<'_>, seed| -> Option<Ended> {
        table.turn(number);
        let plan = Plan { rules, agents: sides.agents, games: 1, seed, threads: 1, notes };
        play_safely(&plan, table, number, stop, scripts)
    };
    // Who fails without the change stops the run: the other game is not begun.
    let plain = match one(sides.plain, &mut both.plain, scripts.0, sides.seed)? {
        Ok(plain) => plain,
        Err(dropped) => return Some(Err(dropped)),
    };
    let seed = if sides.apart { join(sides.seed, hash_text("draws of its own")) } else { sides.seed };
    Some(one(sides.changed, &mut both.changed, scripts.1, seed)?.map(|changed| Pair { number, plain, changed }))
}

impl Compared {
    /// Takes in what is done of the same comparison elsewhere; no pair may be in both.
    pub fn merge(&mut self, other: &Compared) {
        let Compared { done, pairs, different, dropped, measures, differences, parting, alike, same_end, enough, stopped } = other;
        self.done.extend(done.iter().cloned());
        self.pairs += pairs;
        self.different.merge(different);
        self.dropped.merge(dropped);
        for (measure, pairs) in measures {
            self.measures.entry(measure.clone()).or_default().merge(pairs);
        }
        self.differences.merge(differences);
        parting.iter().for_each(|parting| self.part(parting.clone()));
        self.alike += alike;
        self.same_end += same_end;
        self.enough |= enough;
        self.stopped |= stopped;
    }

    /// Without pairs that ended because a player did not answer: they can be played again.
    pub fn without_unanswered(mut self) -> Compared {
        for pair in self.dropped.without_unanswered() {
            self.done.remove(pair..pair + 1);
        }
        self
    }

    /// Takes the pairs in as they end; in their order, if that settles when it is enough.
    fn fold(
        &mut self,
        (sides, until): (&Sides<'_>, &Stop),
        ahead: &Ahead,
        receiver: &mpsc::Receiver<Message>,
        enough: &AtomicBool,
        hears: &mut Hears<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut waiting = BTreeMap::new();
        let (mut next, mut trouble) = (0, Ok(()));
        for message in receiver {
            match message {
                Ok((first, played)) => waiting.extend((first..).zip(played)),
                Err(faults) => {
                    enough.store(true, Ordering::Relaxed);
                    trouble = Err(faults);
                }
            }
            let Some((measure, width)) = &until.until else {
                for (at, pair) in std::mem::take(&mut waiting) {
                    self.count(sides, ahead.number(at), pair);
                    next += 1;
                }
                hears(next, self);
                continue;
            };
            while !self.enough {
                let Some(pair) = waiting.remove(&next) else { break };
                let number = ahead.number(next);
                self.count(sides, number, pair);
                next += 1;
                if number.is_some_and(|number| (number + 1) % CHUNK == 0 || number + 1 == until.pairs) {
                    self.enough = self.pairs >= FEWEST && self.is_narrow((measure, *width), sides.plain.players);
                    enough.fetch_or(self.enough, Ordering::Relaxed);
                }
            }
            // Of a run that is stopped, pairs behind a gap are lost: whether it is enough is asked in their order.
            hears(next, self);
        }
        trouble
    }

    fn count(&mut self, sides: &Sides<'_>, number: Option<u64>, pair: OnePair) {
        self.done.extend(number.map(|number| number..number + 1));
        match pair {
            Ok(pair) => {
                [&pair.plain, &pair.changed].into_iter().for_each(|game| self.dropped.avoid(pair.number, game));
                self.add(sides, &pair);
            }
            Err(dropped) => self.dropped.drop(*dropped),
        }
    }

    fn add(&mut self, sides: &Sides<'_>, pair: &Pair) {
        let [plain, changed] = [(sides.plain, &pair.plain), (sides.changed, &pair.changed)].map(|(rules, game)| {
            let mut found = measures(rules, game);
            won_by_kinds(sides.agents, pair.number, game, &mut found);
            found
        });
        self.take_in(&plain, &changed);
        self.different.add(join(pair.plain.went, pair.changed.went));
        let points = |game: &Played| (0..game.rows.len()).map(|seat| game.points(seat)).sum::<i64>();
        self.differences.add(points(&pair.changed) - points(&pair.plain));
        match parting(pair) {
            None => self.alike += 1,
            Some(found) => self.part(found),
        }
    }

    /// Keeps the parting of the first pair that parts.
    fn part(&mut self, found: Parting) {
        if self.parting.as_ref().is_none_or(|first| found.pair < first.pair) {
            self.parting = Some(found);
        }
    }

    /// Takes in what was measured of both games.
    fn take_in(&mut self, plain: &BTreeMap<Measure, f64>, changed: &BTreeMap<Measure, f64>) {
        self.pairs += 1;
        self.same_end += u64::from(plain == changed);
        let mut all: Vec<&Measure> = plain.keys().chain(changed.keys()).collect();
        all.sort_unstable();
        all.dedup();
        // Who begins with a card wins or not only where somebody does.
        let in_both = |measure: &&Measure| plain.contains_key(*measure) && changed.contains_key(*measure);
        for measure in all.into_iter().filter(|measure| !matches!(measure, Measure::WonWith(_)) || in_both(measure)) {
            let value = |of: &BTreeMap<Measure, f64>| of.get(measure).copied().unwrap_or(0.0);
            self.measures.entry(measure.clone()).or_default().add(value(plain), value(changed));
        }
    }

    /// On what is said of a measure rests, in games of so many players.
    pub fn basis(&self, measure: &Measure, players: usize, looks: Looks) -> Basis {
        let taken = self.measures.get(measure).map_or(0, |pairs| pairs.taken);
        let (pairs, distinct) = (measure.pairs(self.pairs, taken), self.different.share(self.pairs));
        Basis { pairs, distinct, looks, scale: measure.scale(players) }
    }

    /// Whether the interval of a measure reaches no further than so much to either side.
    fn is_narrow(&self, (measure, width): (&Measure, f64), players: usize) -> bool {
        let none = Pairs::default();
        let (pairs, basis) = (self.measures.get(measure).unwrap_or(&none), self.basis(measure, players, Looks::Always));
        let ([low, high], mean) = (pairs.interval(&basis, ALPHA), pairs.mean(&basis));
        (high - mean).max(mean - low) <= width
    }
}

/// What each kind of players has won of a game, if there are several; agents sit one seat further on from pair to pair.
fn won_by_kinds(agents: &[AgentKind], number: u64, game: &Played, found: &mut BTreeMap<Measure, f64>) {
    if agents.iter().all(|agent| *agent == agents[0]) {
        return;
    }
    let by = cast::fit::<usize>(number % agents.len() as u64);
    for (at, agent) in agents.iter().enumerate() {
        let won = game.won((at + by) % agents.len()).games();
        *found.entry(Measure::WonByKind(agent.to_string())).or_default() += won;
    }
}

/// The first answer that differs.
fn parting(pair: &Pair) -> Option<Parting> {
    let answers = |game: &Played| game.course.as_ref().map_or(Vec::new(), |course| course.answers.clone());
    let (plain, changed) = (answers(&pair.plain), answers(&pair.changed));
    // The round may be counted otherwise; who answers what is the course of the game.
    let same = |a: &(i32, u8, String), b: &(i32, u8, String)| (a.1, &a.2) == (b.1, &b.2);
    let at = plain.iter().zip(&changed).position(|(a, b)| !same(a, b)).unwrap_or(plain.len().min(changed.len()));
    let (plain, changed) = (plain.get(at).cloned(), changed.get(at).cloned());
    (plain.is_some() || changed.is_some()).then_some(Parting { pair: pair.number, answer: at + 1, plain, changed })
}

#[cfg(test)]
mod tests;
