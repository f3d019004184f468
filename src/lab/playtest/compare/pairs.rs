//! Plays pairs of games with the same seed, one without the change and one with it.

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
use super::super::merge::{Merge, merge_by_field};
use super::super::run::{BatchMessage, GameQueue, MakeScripts, PlayResult, RunOutcome, RunPlan, WorkerTable, play_safely};
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

merge_by_field!(ComparisonResults:
    finished, pairs, different, dropped, measures, trainings, differences, first_divergence, alike, same_end, enough, stopped,
);

impl Merge for Divergence {
    fn merge(&mut self, other: &Divergence) {
        if other.pair < self.pair {
            self.clone_from(other);
        }
    }
}

/// Both games of a pair.
struct Pair {
    number: u64,
    plain: Box<PlayedGame>,
    changed: Box<PlayedGame>,
}

type PairResult = Result<Pair, Box<DroppedGame>>;

/// A table at which one thread plays the games of one side.
struct SideTable<'a> {
    plan: RunPlan<'a>,
    scripts: &'a MakeScripts<'a>,
    table: WorkerTable,
}

impl<'a> SideTable<'a> {
    fn new(sides: &Sides<'a>, rules: &'a Ruleset, seed: u64, scripts: &'a MakeScripts<'a>) -> Result<SideTable<'a>, Vec<Diagnostic>> {
        let notes = RecordOptions { course: true, ..RecordOptions::default() };
        let plan = RunPlan { rules, agents: sides.agents, games: 1, seed, threads: 1, notes };
        Ok(SideTable { plan, scripts, table: WorkerTable::new(sides.agents, scripts()?) })
    }

    fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<PlayResult> {
        self.table.rotate(number);
        play_safely(&self.plan, &mut self.table, number, stop, self.scripts)
    }
}

/// Plays the missing pairs with numbers in a range until the stopping rule holds.
///
/// # Errors
/// Diagnostics of the scripts of one side.
pub fn compare(
    sides: &Sides<'_>,
    scripts: (&MakeScripts<'_>, &MakeScripts<'_>),
    rule: &StoppingRule,
    begun: ComparisonResults,
    pairs: Range<u64>,
    stop: &AtomicBool,
    on_pair: &mut OnPair<'_>,
) -> Result<ComparisonResults, Vec<Diagnostic>> {
    let threads = Threads::start(sides.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let queue = GameQueue::new(&begun.finished, &pairs, threads.count() as u64);
    let enough = AtomicBool::new(begun.enough);
    let go_on = || !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed);
    let other_seed = if sides.independent_seeds { join(sides.seed, hash_text("draws of its own")) } else { sides.seed };
    let tables = || {
        let plain = SideTable::new(sides, sides.plain, sides.seed, scripts.0)?;
        Ok((plain, SideTable::new(sides, sides.changed, other_seed, scripts.1)?))
    };
    let play = |(plain, changed): &mut (SideTable<'_>, SideTable<'_>), number| {
        // A pair that was interrupted is not counted. An agent that fails in the plain game stops the run, and the other game is not started.
        let plain = if go_on() { plain.play(number, stop) } else { None };
        match plain? {
            Ok(plain) => Some(changed.play(number, stop)?.map(|changed| Pair { number, plain, changed })),
            Err(dropped) => Some(Err(dropped)),
        }
    };
    let mut found = begun;
    threads
        .collect(|| queue.play_batches(tables(), go_on, play), |messages| found.fold(sides, rule, &queue, messages, &enough, on_pair))?;
    found.stopped = !found.enough && found.finished.gaps(&pairs).next().is_some();
    Ok(found)
}

impl ComparisonResults {
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
        sides: &Sides<'_>,
        rule: &StoppingRule,
        queue: &GameQueue,
        messages: &mut dyn Iterator<Item = BatchMessage<PairResult>>,
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
            // Without a stopping rule the order does not matter. With one, pairs after a gap are lost if the run is stopped.
            while !self.enough && waiting.first_key_value().is_some_and(|(at, _)| *at == next || rule.until.is_none()) {
                let Some((at, pair)) = waiting.pop_first() else { break };
                let number = queue.game_number(at);
                self.count(sides, number, pair);
                next += 1;
                if let (Some((measure, width)), Some(number)) = (&rule.until, number)
                    && ((number + 1) % PAIRS_BETWEEN_CHECKS == 0 || number + 1 == rule.pairs)
                {
                    self.enough = self.pairs >= MIN_PAIRS_TO_STOP && self.is_narrow_enough(measure, *width, sides.plain.players);
                    enough.fetch_or(self.enough, Ordering::Relaxed);
                }
            }
            on_pair(next, self);
        }
        trouble
    }

    fn count(&mut self, sides: &Sides<'_>, number: Option<u64>, pair: PairResult) {
        self.finished.extend(number.map(|number| number..number + 1));
        match pair {
            Ok(pair) => self.add(sides, &pair),
            Err(dropped) => self.dropped.add_dropped(*dropped),
        }
    }

    fn add(&mut self, sides: &Sides<'_>, pair: &Pair) {
        let [plain, changed] = [(sides.plain, &pair.plain), (sides.changed, &pair.changed)].map(|(rules, game)| {
            self.dropped.add_avoided(pair.number, game);
            measures(rules, sides.agents, pair.number, game)
        });
        self.add_measures(&plain, &changed, sides.training);
        self.different.add(join(pair.plain.course_hash, pair.changed.course_hash));
        let points = |game: &PlayedGame| (0..game.rows.len()).map(|seat| game.points(seat)).sum::<i64>();
        self.differences.add(points(&pair.changed) - points(&pair.plain));
        let difference = first_difference(pair);
        self.alike += u64::from(difference.is_none());
        self.first_divergence.merge(&difference);
    }

    /// Adds the measures of both games.
    fn add_measures(&mut self, plain: &BTreeMap<Measure, f64>, changed: &BTreeMap<Measure, f64>, training: Option<usize>) {
        self.pairs += 1;
        self.same_end += u64::from(plain == changed);
        let mut trained = training.map(|training| self.trainings.entry(training).or_default());
        trained.iter_mut().for_each(|trained| trained.pairs += 1);
        let of_changed_alone = changed.keys().filter(|measure| !plain.contains_key(*measure));
        for measure in plain.keys().chain(of_changed_alone) {
            let value = |of: &BTreeMap<Measure, f64>| of.get(measure).copied().or(measure.if_missing());
            let (Some(of_plain), Some(of_changed)) = (value(plain), value(changed)) else { continue };
            self.measures.entry(measure.clone()).or_default().add(of_plain, of_changed);
            trained.iter_mut().for_each(|trained| trained.add(measure, of_changed - of_plain));
        }
    }

    /// Returns the context for inferences about a measure, in games with this number of players.
    pub fn basis(&self, measure: &Measure, players: usize, looks: InterimLooks) -> Basis {
        let taken = self.measures.get(measure).map_or(0, |pairs| pairs.taken);
        let (pairs, distinct) = (measure.pairs(self.pairs, taken), self.different.share(self.pairs));
        Basis { pairs, distinct, looks, scale: measure.scale(players) }
    }

    /// Whether half the width of a measure's interval is at most `width`.
    fn is_narrow_enough(&self, measure: &Measure, width: f64, players: usize) -> bool {
        let none = Pairs::default();
        let (pairs, basis) = (self.measures.get(measure).unwrap_or(&none), self.basis(measure, players, InterimLooks::Always));
        let ([low, high], mean) = (pairs.interval(&basis, ALPHA), pairs.mean(&basis));
        (high - mean).max(mean - low) <= width
    }
}

/// Finds the first answer at which the games of a pair differ; `None` if they are equal.
fn first_difference(pair: &Pair) -> Option<Divergence> {
    let courses = [&pair.plain, &pair.changed].map(|game| game.course.as_ref());
    let [plain, changed] = courses.map(|course| course.map_or(&[][..], |course| course.answers.as_slice()));
    // Rounds may be counted differently by both rules, so that only seats and answers are compared.
    let at = plain.iter().zip(changed).take_while(|(a, b)| (a.1, &a.2) == (b.1, &b.2)).count();
    let (plain, changed) = (plain.get(at).cloned(), changed.get(at).cloned());
    (plain.is_some() || changed.is_some()).then_some(Divergence { pair: pair.number, answer: at + 1, plain, changed })
}

#[cfg(test)]
mod tests;
