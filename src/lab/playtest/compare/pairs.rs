//! Plays pairs of games with the same seed, one without the change and one with it.

use crate::cast;
use crate::threads::Threads;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::super::as_pairs;
use super::super::distinct::DistinctSketch;
use super::super::dropped::DroppedGame;
use super::super::histogram::Histogram;
use super::super::measure::{PlayedGame, RecordOptions};
use super::super::run::{GameQueue, MakeScripts, PlayResult, RunOutcome, RunPlan, WorkerTable, play_safely};
use super::inference::{ALPHA, Basis, InterimLooks, Pairs};
use super::measures::{Measure, measures};
use super::trainings::TrainingResults;
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::state::chance::{hash_text, join};

/// Number of pairs between two checks of the stopping rule, independent of the number of threads.
const PAIRS_BETWEEN_CHECKS: u64 = 64;
/// Minimum number of pairs before a run stops by itself, since the confidence sequence is asymptotic.
pub const MIN_PAIRS_TO_STOP: u64 = 100;

/// Both sides of a comparison, and the agents that play them.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// Rules without the change.
    pub plain: &'a Ruleset,
    /// Rules with the change.
    pub changed: &'a Ruleset,
    /// Agents by seat; they are rotated by one seat from pair to pair.
    pub agents: &'a [AgentKind],
    /// Seed of the run.
    pub seed: u64,
    /// Number of threads; 0 for one on each core.
    pub threads: usize,
    /// Whether the changed side has an independent seed, so that the games of a pair share no random numbers. Used for A/A tests.
    pub independent_seeds: bool,
    /// Which training the agents have gone through, if they were trained for the comparison; from 0.
    pub training: Option<usize>,
}

/// When a comparison stops.
#[derive(Clone, Debug)]
pub struct StoppingRule {
    /// Maximum number of pairs.
    pub pairs: u64,
    /// Stops earlier, once half the width of this measure's interval is at most the given value.
    pub until: Option<(Measure, f64)>,
}

impl StoppingRule {
    /// Returns when the data is examined: at any time if the run may stop earlier, otherwise once.
    pub fn looks(&self) -> InterimLooks {
        if self.until.is_some() { InterimLooks::Always } else { InterimLooks::Once }
    }
}

/// The first answer at which the two games of a pair differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Divergence {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// Number of the answer, from 1.
    pub answer: usize,
    /// Round, seat (from 0) and answer without the change; `None` if that game has ended.
    pub plain: Option<(i32, u8, String)>,
    /// Round, seat (from 0) and answer with the change; `None` if that game has ended.
    pub changed: Option<(i32, u8, String)>,
}

/// The result of pairs of games. It does not depend on the order or the grouping in which they were played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonResults {
    /// Numbers of the pairs that are done.
    #[serde(rename = "done")]
    pub finished: RangeSet<u64>,
    /// Number of complete pairs.
    pub pairs: u64,
    /// Number of distinct pairs.
    pub different: DistinctSketch,
    /// Pairs of games that were left out because one of the games met a fault.
    pub dropped: RunOutcome,
    /// Sums of each measure.
    #[serde(with = "as_pairs")]
    pub measures: BTreeMap<Measure, Pairs>,
    /// The same by training, if players were trained for the comparison.
    #[serde(with = "as_pairs", default)]
    pub trainings: BTreeMap<usize, TrainingResults>,
    /// Differences in the total points of all players, `changed` minus `plain`.
    pub differences: Histogram,
    /// The first pair whose games differ, with the answer at which they do.
    #[serde(rename = "parting")]
    pub first_divergence: Option<Divergence>,
    /// Number of pairs with identical answers.
    pub alike: u64,
    /// Number of pairs with identical values of all measures.
    pub same_end: u64,
    /// Whether the interval of the stopping rule became narrow enough.
    pub enough: bool,
    /// Whether the run was stopped by the user.
    pub stopped: bool,
}

/// Callback of a running comparison, with the number of pairs done in this run and all results so far.
pub type OnPair<'a> = dyn FnMut(u64, &ComparisonResults) + 'a;

/// Plays the missing pairs with numbers in a range until the stopping rule holds.
///
/// # Errors
/// Diagnostics of the scripts of one side.
pub fn compare(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    until: &StoppingRule,
    (begun, pairs): (ComparisonResults, Range<u64>),
    stop: &AtomicBool,
    on_pair: &mut OnPair<'_>,
) -> Result<ComparisonResults, Vec<Diagnostic>> {
    let threads = Threads::start(sides.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let queue = GameQueue::new(&begun.finished, &pairs, threads.count() as u64);
    let enough = AtomicBool::new(begun.enough);
    let mut found = begun;
    threads.collect(
        || batches(sides, scripts, &queue, (stop, &enough)),
        |messages| found.fold((sides, until), &queue, messages, &enough, on_pair),
    )?;
    found.stopped = !found.enough && found.finished.gaps(&pairs).next().is_some();
    Ok(found)
}

/// Consecutive pairs that one thread has played, with the number of pairs before them.
type PairsMessage = Result<(u64, Vec<PairResult>), Vec<Diagnostic>>;

/// Plays pairs of games in one thread until none are left or the stopping rule holds.
fn batches<'a>(
    sides: &'a Sides<'_>,
    scripts: (&'a MakeScripts<'_>, &'a MakeScripts<'_>),
    queue: &'a GameQueue,
    (stop, enough): (&'a AtomicBool, &'a AtomicBool),
) -> impl Iterator<Item = PairsMessage> {
    let (mut both, mut faults) = match PairTables::new(sides, scripts) {
        Ok(both) => (Some(both), None),
        Err(faults) => (None, Some(Err(faults))),
    };
    let go_on = move || !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed);
    std::iter::from_fn(move || {
        let Some(both) = &mut both else { return faults.take() };
        let (first, numbers) = if go_on() { queue.take_batch() } else { None }?;
        let numbers = numbers.take_while(|_| go_on());
        // A pair that was interrupted is not counted.
        let played = numbers.map_while(|number| play_pair(sides, scripts, both, number, stop)).collect();
        Some(Ok((first, played)))
    })
}

/// The two tables at which one thread plays pairs of games.
struct PairTables {
    plain: WorkerTable,
    changed: WorkerTable,
}

impl PairTables {
    fn new(sides: &Sides<'_>, (plain, changed): (&MakeScripts<'_>, &MakeScripts<'_>)) -> Result<PairTables, Vec<Diagnostic>> {
        Ok(PairTables { plain: WorkerTable::new(sides.agents, plain()?), changed: WorkerTable::new(sides.agents, changed()?) })
    }
}

/// Both games of a pair.
struct Pair {
    number: u64,
    plain: Box<PlayedGame>,
    changed: Box<PlayedGame>,
}

type PairResult = Result<Pair, Box<DroppedGame>>;

/// Plays a pair; `None` if the run is stopped before both games have ended.
fn play_pair(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    both: &mut PairTables,
    number: u64,
    stop: &AtomicBool,
) -> Option<PairResult> {
    let notes = RecordOptions { course: true, ..RecordOptions::default() };
    let one = |rules, table: &mut WorkerTable, scripts: &MakeScripts<'_>, seed| -> Option<PlayResult> {
        table.rotate(number);
        let plan = RunPlan { rules, agents: sides.agents, games: 1, seed, threads: 1, notes };
        play_safely(&plan, table, number, stop, scripts)
    };
    // An agent that fails in the plain game stops the run, and the other game is not started.
    let plain = match one(sides.plain, &mut both.plain, scripts.0, sides.seed)? {
        Ok(plain) => plain,
        Err(dropped) => return Some(Err(dropped)),
    };
    let seed = if sides.independent_seeds { join(sides.seed, hash_text("draws of its own")) } else { sides.seed };
    Some(one(sides.changed, &mut both.changed, scripts.1, seed)?.map(|changed| Pair { number, plain, changed }))
}

impl ComparisonResults {
    /// Adds the results of another part of the same comparison. No pair may be in both.
    pub fn merge(&mut self, other: &ComparisonResults) {
        let ComparisonResults {
            finished,
            pairs,
            different,
            dropped,
            measures,
            trainings,
            differences,
            first_divergence,
            alike,
            same_end,
            enough,
            stopped,
        } = other;
        self.finished.extend(finished.iter().cloned());
        self.pairs += pairs;
        self.different.merge(different);
        self.dropped.merge(dropped);
        for (measure, pairs) in measures {
            self.measures.entry(measure.clone()).or_default().merge(pairs);
        }
        for (training, found) in trainings {
            self.trainings.entry(*training).or_default().merge(found);
        }
        self.differences.merge(differences);
        first_divergence.iter().for_each(|parting| self.keep_divergence(parting.clone()));
        self.alike += alike;
        self.same_end += same_end;
        self.enough |= enough;
        self.stopped |= stopped;
    }

    /// Removes pairs in which an agent did not answer, so that they are played again.
    pub fn without_unanswered(mut self) -> ComparisonResults {
        for pair in self.dropped.without_unanswered() {
            self.finished.remove(pair..pair + 1);
        }
        self
    }

    /// Adds pairs as they end; in order of their numbers if the stopping rule depends on them.
    fn fold(
        &mut self,
        (sides, until): (&Sides<'_>, &StoppingRule),
        queue: &GameQueue,
        messages: &mut dyn Iterator<Item = PairsMessage>,
        enough: &AtomicBool,
        on_pair: &mut OnPair<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut waiting = BTreeMap::new();
        let (mut next, mut trouble) = (0, Ok(()));
        for message in messages {
            match message {
                Ok((first, played)) => waiting.extend((first..).zip(played)),
                Err(faults) => {
                    enough.store(true, Ordering::Relaxed);
                    trouble = Err(faults);
                }
            }
            let Some((measure, width)) = &until.until else {
                for (at, pair) in std::mem::take(&mut waiting) {
                    self.count(sides, queue.game_number(at), pair);
                    next += 1;
                }
                on_pair(next, self);
                continue;
            };
            while !self.enough {
                let Some(pair) = waiting.remove(&next) else { break };
                let number = queue.game_number(next);
                self.count(sides, number, pair);
                next += 1;
                if number.is_some_and(|number| (number + 1) % PAIRS_BETWEEN_CHECKS == 0 || number + 1 == until.pairs) {
                    self.enough = self.pairs >= MIN_PAIRS_TO_STOP && self.is_narrow_enough((measure, *width), sides.plain.players);
                    enough.fetch_or(self.enough, Ordering::Relaxed);
                }
            }
            // If a run is stopped, pairs after a gap are lost, since the stopping rule is checked in order.
            on_pair(next, self);
        }
        trouble
    }

    fn count(&mut self, sides: &Sides<'_>, number: Option<u64>, pair: PairResult) {
        self.finished.extend(number.map(|number| number..number + 1));
        match pair {
            Ok(pair) => {
                [&pair.plain, &pair.changed].into_iter().for_each(|game| self.dropped.add_avoided(pair.number, game));
                self.add(sides, &pair);
            }
            Err(dropped) => self.dropped.add_dropped(*dropped),
        }
    }

    fn add(&mut self, sides: &Sides<'_>, pair: &Pair) {
        let [plain, changed] = [(sides.plain, &pair.plain), (sides.changed, &pair.changed)].map(|(rules, game)| {
            let mut found = measures(rules, game);
            add_wins_by_agent(sides.agents, pair.number, game, &mut found);
            found
        });
        self.add_measures(&plain, &changed, sides.training);
        self.different.add(join(pair.plain.course_hash, pair.changed.course_hash));
        let points = |game: &PlayedGame| (0..game.rows.len()).map(|seat| game.points(seat)).sum::<i64>();
        self.differences.add(points(&pair.changed) - points(&pair.plain));
        match first_difference(pair) {
            None => self.alike += 1,
            Some(found) => self.keep_divergence(found),
        }
    }

    /// Keeps the divergence that belongs to the pair with the lowest number.
    fn keep_divergence(&mut self, found: Divergence) {
        if self.first_divergence.as_ref().is_none_or(|first| found.pair < first.pair) {
            self.first_divergence = Some(found);
        }
    }

    /// Adds the measures of both games.
    fn add_measures(&mut self, plain: &BTreeMap<Measure, f64>, changed: &BTreeMap<Measure, f64>, training: Option<usize>) {
        self.pairs += 1;
        let mut trained = training.map(|training| self.trainings.entry(training).or_default());
        if let Some(trained) = &mut trained {
            trained.pairs += 1;
        }
        self.same_end += u64::from(plain == changed);
        let mut all: Vec<&Measure> = plain.keys().chain(changed.keys()).collect();
        all.sort_unstable();
        all.dedup();
        // The share of wins with a card is defined only if some seat begins with it.
        let in_both = |measure: &&Measure| plain.contains_key(*measure) && changed.contains_key(*measure);
        for measure in all.into_iter().filter(|measure| !matches!(measure, Measure::WonWith(_)) || in_both(measure)) {
            let value = |of: &BTreeMap<Measure, f64>| of.get(measure).copied().unwrap_or(0.0);
            self.measures.entry(measure.clone()).or_default().add(value(plain), value(changed));
            if let Some(trained) = &mut trained {
                trained.add(measure, value(changed) - value(plain));
            }
        }
    }

    /// Returns the context for inferences about a measure, in games with this number of players.
    pub fn basis(&self, measure: &Measure, players: usize, looks: InterimLooks) -> Basis {
        let taken = self.measures.get(measure).map_or(0, |pairs| pairs.taken);
        let (pairs, distinct) = (measure.pairs(self.pairs, taken), self.different.share(self.pairs));
        Basis { pairs, distinct, looks, scale: measure.scale(players) }
    }

    /// Whether half the width of a measure's interval is at most `width`.
    fn is_narrow_enough(&self, (measure, width): (&Measure, f64), players: usize) -> bool {
        let none = Pairs::default();
        let (pairs, basis) = (self.measures.get(measure).unwrap_or(&none), self.basis(measure, players, InterimLooks::Always));
        let ([low, high], mean) = (pairs.interval(&basis, ALPHA), pairs.mean(&basis));
        (high - mean).max(mean - low) <= width
    }
}

/// Adds the share of the win of each agent if there are several; they are rotated by one seat from pair to pair.
pub(in crate::playtest) fn add_wins_by_agent(agents: &[AgentKind], number: u64, game: &PlayedGame, found: &mut BTreeMap<Measure, f64>) {
    if agents.iter().all(|agent| *agent == agents[0]) {
        return;
    }
    let by = cast::fit::<usize>(number % agents.len() as u64);
    for (at, agent) in agents.iter().enumerate() {
        let won = game.won((at + by) % agents.len()).games() / game.side_size() as f64;
        *found.entry(Measure::WonByKind(agent.to_string())).or_default() += won;
    }
}

/// Finds the first answer at which the games of a pair differ; `None` if they are equal.
fn first_difference(pair: &Pair) -> Option<Divergence> {
    let answers = |game: &PlayedGame| game.course.as_ref().map_or(Vec::new(), |course| course.answers.clone());
    let (plain, changed) = (answers(&pair.plain), answers(&pair.changed));
    // Rounds may be counted differently by both rules, so that only seats and answers are compared.
    let same = |a: &(i32, u8, String), b: &(i32, u8, String)| (a.1, &a.2) == (b.1, &b.2);
    let at = plain.iter().zip(&changed).position(|(a, b)| !same(a, b)).unwrap_or(plain.len().min(changed.len()));
    let (plain, changed) = (plain.get(at).cloned(), changed.get(at).cloned());
    (plain.is_some() || changed.is_some()).then_some(Divergence { pair: pair.number, answer: at + 1, plain, changed })
}

#[cfg(test)]
mod tests;
