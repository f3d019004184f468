//! Plays games of given numbers, and sums up what is measured in them: the same numbers have the same draws under other rules.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rangemap::RangeSet;

use super::compare::{Measure, add_wins_by_agent, measures};
use super::distinct::DistinctSketch;
use super::dropped::DroppedGame;
use super::measure::{PlayedGame, RecordOptions};
use super::moments::Moments;
use super::run::{GameQueue, MakeScripts, RunOutcome, RunPlan, WorkerTable, play_safely};
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::threads::Threads;

/// Games to be played and measured.
#[derive(Clone, Debug)]
pub struct MeasuredGames<'a> {
    /// Rules of the game.
    pub rules: &'a Ruleset,
    /// Agents by seat; they are rotated by one seat from game to game.
    pub agents: &'a [AgentKind],
    /// Seed of the run.
    pub seed: u64,
    /// Numbers of the games.
    pub games: Range<u64>,
}

/// What was measured in games. It does not depend on the order in which they were played.
#[derive(Clone, Debug, Default)]
pub struct MeasuredMeans {
    /// Number of complete games.
    pub games: u64,
    /// Sums of each measure. A measure that is not there was never defined.
    pub sums: BTreeMap<Measure, Moments>,
    /// Distinct games: one that repeats another is no further evidence.
    pub different: DistinctSketch,
    /// Games that were left out because of a fault.
    pub dropped: RunOutcome,
    /// Whether some games are missing since the run was stopped.
    pub stopped: bool,
}

impl MeasuredMeans {
    /// Adds what was measured in other games.
    pub fn merge(&mut self, other: &MeasuredMeans) {
        let MeasuredMeans { games, sums, different, dropped, stopped } = other;
        self.games += games;
        for (measure, sums) in sums {
            self.sums.entry(measure.clone()).or_default().merge(sums);
        }
        self.different.merge(different);
        self.dropped.merge(dropped);
        self.stopped |= stopped;
    }

    /// Returns the sums of measures, in this order; one that was never defined has none.
    pub fn sums_of(&self, wanted: &[Measure]) -> Vec<Moments> {
        wanted.iter().map(|measure| self.sums.get(measure).cloned().unwrap_or_default()).collect()
    }

    fn add(&mut self, plan: &MeasuredGames<'_>, wanted: &[Measure], number: u64, game: &PlayedGame) {
        let mut found = measures(plan.rules, game);
        add_wins_by_agent(plan.agents, number, game, &mut found);
        self.games += 1;
        self.different.add(game.course_hash);
        self.dropped.add_avoided(number, game);
        for measure in wanted {
            match found.get(measure) {
                Some(value) => self.sums.entry(measure.clone()).or_default().add(*value),
                // It is defined only in games in which somebody begins with the card.
                None if matches!(measure, Measure::WonWith(_)) => {}
                None => self.sums.entry(measure.clone()).or_default().add(0.0),
            }
        }
    }
}

/// Plays games on all threads until they are done or `stop` is set. `on_game` is called after each of them.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn measured_means(
    plan: &MeasuredGames<'_>,
    wanted: &[Measure],
    threads: &Threads,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    on_game: &(dyn Fn() + Sync),
) -> Result<MeasuredMeans, Vec<Diagnostic>> {
    let queue = GameQueue::new(&RangeSet::new(), &plan.games, threads.count() as u64);
    let (whole, trouble) = (Mutex::new(MeasuredMeans::default()), Mutex::new(Ok(())));
    let done = AtomicU64::new(0);
    threads.on_each(|| match play_batches(plan, wanted, (&queue, &done), scripts, stop, on_game) {
        Ok(part) => whole.lock().unwrap_or_else(PoisonError::into_inner).merge(&part),
        Err(faults) => *trouble.lock().unwrap_or_else(PoisonError::into_inner) = Err(faults),
    });
    trouble.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let mut whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    whole.stopped = done.into_inner() < queue.count;
    Ok(whole)
}

/// Plays games in one thread until the queue is empty.
fn play_batches(
    plan: &MeasuredGames<'_>,
    wanted: &[Measure],
    (queue, done): (&GameQueue, &AtomicU64),
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    on_game: &(dyn Fn() + Sync),
) -> Result<MeasuredMeans, Vec<Diagnostic>> {
    let mut part = MeasuredMeans::default();
    let mut table = WorkerTable::new(plan.agents, scripts()?);
    // Who was in the lead is known only from the course of a game.
    let notes = RecordOptions { course: true, ..RecordOptions::default() };
    let run = RunPlan { rules: plan.rules, agents: plan.agents, games: plan.games.end, seed: plan.seed, threads: 1, notes };
    while !stop.load(Ordering::Relaxed) {
        let Some((_, numbers)) = queue.take_batch() else { break };
        for number in numbers {
            table.rotate(number);
            match play_safely(&run, &mut table, number, stop, scripts) {
                Some(Ok(game)) => part.add(plan, wanted, number, &game),
                Some(Err(dropped)) => {
                    let unanswered = dropped.unanswered;
                    part.dropped.add_dropped(DroppedGame::clone(&dropped));
                    if unanswered {
                        return Ok(part);
                    }
                }
                // The run was stopped in the middle of the game.
                None => return Ok(part),
            }
            done.fetch_add(1, Ordering::Relaxed);
            on_game();
        }
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::super::toy::toy;
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;

    #[test]
    fn parts_of_a_run_make_the_whole_whatever_the_threads() {
        let rules = toy(3);
        let agents = parse_agents("random,random,greedy", 3).unwrap();
        let rare = Measure::Action("nobody does this".to_string());
        let wanted = [Measure::Points, Measure::WonBy(1), Measure::WonByKind("greedy".to_string()), rare];
        let play = |games: Range<u64>, threads: usize, stop: bool| {
            let pool = Threads::start(threads).unwrap();
            let plan = MeasuredGames { rules: &rules, agents: &agents, seed: 5, games };
            measured_means(&plan, &wanted, &pool, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(stop), &|| ()).unwrap()
        };
        let whole = play(0..60, 1, false);
        let mut parts = play(0..13, 3, false);
        parts.merge(&play(13..60, 2, false));
        assert_eq!((whole.games, whole.stopped), (60, false));
        assert_eq!((parts.games, &parts.sums, &parts.different), (60, &whole.sums, &whole.different));
        let [_, first, greedy, none] = whole.sums_of(&wanted).try_into().unwrap();
        assert_eq!((none.count, none.mean()), (60, Some(0.0)), "what does not happen is counted as 0");
        // Who plays moves on by a seat from game to game, so that the first seat wins as others do.
        assert!(greedy.mean().unwrap() > 0.9 && first.mean().unwrap() < 0.5, "{first:?} {greedy:?}");
        let stopped = play(0..60, 1, true);
        assert!(stopped.stopped && stopped.games == 0);
    }
}
