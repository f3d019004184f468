//! Plays games of given numbers, and sums up what is measured in them: the same numbers have the same draws under other rules.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::as_pairs;
use super::compare::{Measure, measures};
use super::distinct::DistinctSketch;
use super::measure::{PlayedGame, RecordOptions};
use super::merge::{Merge, merge_by_field};
use super::moments::Moments;
use super::run::{GameQueue, MakeScripts, RunOutcome, RunPlan, WorkerTable, play_safely};
use crate::diagnostic::Diagnostic;
use crate::threads::Threads;

/// What was measured in games. It does not depend on the order in which they were played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredMeans {
    /// Number of complete games.
    pub games: u64,
    /// Sums of each measure. A measure that is not there was never defined.
    #[serde(with = "as_pairs")]
    pub sums: BTreeMap<Measure, Moments>,
    /// Distinct games: one that repeats another is no further evidence.
    pub different: DistinctSketch,
    /// Games that were left out because of a fault.
    pub dropped: RunOutcome,
    /// Whether some games are missing since the run was stopped.
    pub stopped: bool,
}

merge_by_field!(MeasuredMeans: games, sums, different, dropped, stopped);

impl MeasuredMeans {
    /// Returns the sums of measures, in this order; one that was never defined has none.
    pub fn sums_of(&self, wanted: &[Measure]) -> Vec<Moments> {
        wanted.iter().map(|measure| self.sums.get(measure).cloned().unwrap_or_default()).collect()
    }

    fn add(&mut self, plan: &RunPlan<'_>, wanted: &[Measure], number: u64, game: &PlayedGame) {
        let found = measures(plan.rules, plan.agents, number, game);
        self.games += 1;
        self.different.add(game.course_hash);
        self.dropped.add_avoided(number, game);
        for measure in wanted {
            if let Some(value) = found.get(measure).copied().or(measure.if_missing()) {
                self.sums.entry(measure.clone()).or_default().add(value);
            }
        }
    }
}

/// Plays the games of a plan with numbers in a range on these threads, until they are done or `stop` is set; agents are rotated by one seat from
/// game to game. `on_game` is called after each of them.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn measured_means(
    plan: &RunPlan<'_>,
    games: Range<u64>,
    wanted: &[Measure],
    threads: &Threads,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    on_game: &(dyn Fn() + Sync),
) -> Result<MeasuredMeans, Vec<Diagnostic>> {
    let queue = GameQueue::new(&RangeSet::new(), &games, threads.count() as u64);
    // Who was in the lead is known only from the course of a game.
    let plan = &RunPlan { notes: RecordOptions { course: true, ..plan.notes }, ..plan.clone() };
    let go_on = || !stop.load(Ordering::Relaxed);
    let table = || scripts().map(|scripts| WorkerTable::new(plan.agents, scripts));
    let play = |table: &mut WorkerTable, number| {
        table.rotate(number);
        let ended = play_safely(plan, table, number, stop, scripts)?;
        // Who does not answer stops the run.
        let mut found = MeasuredMeans { stopped: ended.as_ref().is_err_and(|dropped| dropped.unanswered), ..MeasuredMeans::default() };
        match ended {
            Ok(game) => found.add(plan, wanted, number, &game),
            Err(dropped) => found.dropped.add_dropped(*dropped),
        }
        if !found.stopped {
            on_game();
        }
        Some(found)
    };
    let mut whole = threads.collect(
        || queue.play_batches(table(), go_on, play),
        |messages| {
            let mut whole = MeasuredMeans::default();
            for message in messages {
                message?.1.iter().for_each(|found| whole.merge(found));
            }
            Ok::<_, Vec<Diagnostic>>(whole)
        },
    )?;
    whole.stopped |= whole.games + whole.dropped.dropped < queue.count;
    Ok(whole)
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
            let plan = RunPlan { rules: &rules, agents: &agents, games: games.end, seed: 5, threads: 1, notes: RecordOptions::default() };
            measured_means(&plan, games, &wanted, &pool, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(stop), &|| ()).unwrap()
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
