//! Plays the games of a run on all cores and folds the results in a fixed order.

use crate::cast;
use crate::threads::Threads;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::cards::Guide;
use super::dropped::{DroppedGame, FaultGroup, add_fault};
use super::hooks::run_recording;
use super::measure::{PlayedGame, RecordOptions};
use super::merge::{Merge, merge_by_field};
use super::tally::RunTally;
use crate::agent::{AgentKind, SeatAgents};
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::script::ScriptHost;
use crate::state::chance::seed_of_game;

/// Number of questions after which a game is considered endless.
const MAX_QUESTIONS: u64 = 1_000_000;

/// The parameters of a run.
#[derive(Clone, Debug)]
pub struct RunPlan<'a> {
    /// Rules of the game.
    pub rules: &'a Ruleset,
    /// Agents by seat.
    pub agents: &'a [AgentKind],
    /// Number of games.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Number of threads; 0 for one on each core.
    pub threads: usize,
    /// Which optional records of the games are kept.
    pub notes: RecordOptions,
}

/// The results of a run. Their size does not depend on the number of games, and they do not depend on the order or the grouping in which
/// games were played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOutcome {
    /// Sums over the complete games.
    pub tally: RunTally,
    /// Number of games dropped because of a fault.
    pub dropped: u64,
    /// Faults that dropped games, in order of the games.
    pub faults: Vec<FaultGroup>,
    /// Faults that occurred only in sampled states, since agents avoid options that cause one. These games are complete.
    pub avoided: Vec<FaultGroup>,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
}

/// The finished part of a run, from which it can be resumed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialRun {
    /// Numbers of the finished games.
    #[serde(rename = "done")]
    pub finished: RangeSet<u64>,
    /// Results of the finished games.
    pub outcome: RunOutcome,
}

/// Creates a script host for one thread.
pub type MakeScripts<'a> = dyn Fn() -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// Creates the host that runs the scripts of these rules.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn script_host(rules: &Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> {
    ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>)
}

/// Receives the events of a run.
pub trait Listener {
    /// Called for each complete game, in order of the numbers.
    fn on_game(&mut self, number: u64, game: &PlayedGame);

    /// Called with the number of games done in this run.
    fn on_count(&mut self, _: u64) {}

    /// Called with all finished games, including those of an earlier run that is resumed.
    fn on_progress(&mut self, _: &PartialRun) {}
}

/// A listener that ignores all events.
impl Listener for () {
    fn on_game(&mut self, _: u64, _: &PlayedGame) {}
}

/// Plays all games of a plan, or those that end before `stop` is set. An agent that does not answer sets it.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn run(
    plan: &RunPlan<'_>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<RunOutcome, Vec<Diagnostic>> {
    Ok(resume(plan, PartialRun::new(plan.rules), 0..plan.games, scripts, stop, listener)?.outcome)
}

/// Plays the missing games of a plan with numbers in a range.
///
/// # Errors
/// As for [`run`].
pub fn resume(
    plan: &RunPlan<'_>,
    partial: PartialRun,
    games: Range<u64>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<PartialRun, Vec<Diagnostic>> {
    let threads = Threads::start(plan.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let queue = GameQueue::new(&partial.finished, &games, threads.count() as u64);
    let mut folded = OrderedFold { partial, next: 0, waiting: BTreeMap::new() };
    let go_on = || !stop.load(Relaxed);
    let table = || scripts().map(|scripts| WorkerTable::new(plan.agents, scripts));
    let play = |table: &mut WorkerTable, number| play_safely(plan, table, number, stop, scripts);
    threads.collect(|| queue.play_batches(table(), go_on, play), |found| folded.fold(plan, &queue, found, stop, listener))?;
    let mut partial = folded.partial;
    partial.outcome.stopped = partial.finished.gaps(&games).next().is_some();
    Ok(partial)
}

/// The queue of games to be played, shared by all threads.
pub(super) struct GameQueue {
    /// Ranges of the numbers of games that no thread has taken yet.
    left: Vec<Range<u64>>,
    /// Total number of games in the queue.
    pub(super) count: u64,
    next: AtomicU64,
    /// Number of games in a batch.
    batch: u64,
}

/// Number of batches into which the games of a run are divided for each thread: waking the folding thread for each single game would cost
/// more than a short game.
const BATCHES_PER_THREAD: u64 = 32;
/// Maximum number of games in a batch.
const MAX_BATCH: u64 = 64;

impl GameQueue {
    pub(super) fn new(done: &RangeSet<u64>, games: &Range<u64>, threads: u64) -> GameQueue {
        // Ranges of gaps must not be queried with an empty range.
        let left: Vec<Range<u64>> = if games.is_empty() { Vec::new() } else { done.gaps(games).collect() };
        let count = left.iter().map(|range| range.end - range.start).sum();
        GameQueue { left, count, next: AtomicU64::new(0), batch: (count / (threads * BATCHES_PER_THREAD)).clamp(1, MAX_BATCH) }
    }

    /// Takes the next batch for a thread: the number of games before it, and the numbers of its games.
    pub(super) fn take_batch(&self) -> Option<(u64, impl Iterator<Item = u64>)> {
        let first = self.next.fetch_add(self.batch, Relaxed);
        let batch = first..first.saturating_add(self.batch).min(self.count);
        (first < self.count).then(|| (first, batch.filter_map(|at| self.game_number(at))))
    }

    /// Plays games in one thread, at a table of its own, while it is to go on and the queue is not empty. If a game is interrupted, those before it
    /// are kept.
    pub(super) fn play_batches<Table, Played>(
        &self,
        table: Result<Table, Vec<Diagnostic>>,
        go_on: impl Fn() -> bool,
        mut play: impl FnMut(&mut Table, u64) -> Option<Played>,
    ) -> impl Iterator<Item = BatchMessage<Played>> {
        let mut table = table.map_err(Some);
        std::iter::from_fn(move || match &mut table {
            Ok(table) => {
                let (first, numbers) = if go_on() { self.take_batch() } else { None }?;
                Some(Ok((first, numbers.map_while(|number| play(table, number)).collect())))
            }
            Err(faults) => faults.take().map(Err),
        })
    }

    /// Returns the number of the game at a position in the queue.
    pub(super) fn game_number(&self, mut at: u64) -> Option<u64> {
        for range in &self.left {
            let games = range.end - range.start;
            if at < games {
                return Some(range.start + at);
            }
            at -= games;
        }
        None
    }
}

/// A game that ended normally or with a fault.
pub(super) type PlayResult = Result<Box<PlayedGame>, Box<DroppedGame>>;
/// What one thread has found in consecutive games, with the number of games before them; or diagnostics of its scripts.
pub(super) type BatchMessage<Played> = Result<(u64, Vec<Played>), Vec<Diagnostic>>;

/// What one thread needs to play games: agents, scripts and memory that is reused.
pub(super) struct WorkerTable {
    pub(super) game: Game,
    seats: SeatAgents,
    scripts: Box<dyn Scripts>,
    /// What is known of the answers in the next game.
    guide: Option<Guide>,
}

impl WorkerTable {
    /// Seats the agents in their original order, rotated by this number of seats.
    pub(super) fn rotate(&mut self, by: u64) {
        self.seats.rotate_seats(cast::fit::<usize>(by));
    }

    /// Creates a table without a game.
    pub(super) fn new(agents: &[AgentKind], scripts: Box<dyn Scripts>) -> WorkerTable {
        WorkerTable { game: Game::default(), seats: SeatAgents::new(agents), scripts, guide: None }
    }

    /// Lets players give the answers in the next game that are known.
    pub(super) fn follow(&mut self, guide: Option<Guide>) {
        self.guide = guide;
    }

    /// Creates a table that measures how long agents think; it may have more agents than seats.
    pub(super) fn measuring_time(agents: &[AgentKind], scripts: Box<dyn Scripts>) -> WorkerTable {
        let mut table = WorkerTable::new(agents, scripts);
        table.seats.measure_thinking_time();
        table
    }

    /// Assigns an agent to each seat.
    pub(super) fn assign_seats(&mut self, sitting: Vec<usize>) {
        self.seats.assign_seats(sitting);
    }

    /// Takes the thinking time of each agent since the last call, and the number of its questions.
    pub(super) fn take_thinking_time(&mut self) -> Vec<(Duration, u64)> {
        self.seats.take_thinking_time()
    }
}

/// Plays one game like [`play`]. A panic drops that game only.
pub(super) fn play_safely(
    plan: &RunPlan<'_>,
    table: &mut WorkerTable,
    number: u64,
    stop: &AtomicBool,
    scripts: &MakeScripts<'_>,
) -> Option<PlayResult> {
    match catch_unwind(AssertUnwindSafe(|| play(plan, table, number, stop))) {
        Ok(ended) => ended,
        Err(panic) => {
            let dropped = dropped_by_panic(plan, table, number, &*panic);
            // State that may be inconsistent after the panic is not used again.
            if let Ok(scripts) = scripts() {
                *table = WorkerTable::new(plan.agents, scripts);
            }
            Some(Err(dropped))
        }
    }
}

fn dropped_by_panic(plan: &RunPlan<'_>, table: &WorkerTable, number: u64, panic: &(dyn std::any::Any + Send)) -> Box<DroppedGame> {
    let message = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    let message = format!("internal error: {message}; please report it");
    let (seed, round) = (seed_of_game(plan.seed, number), table.game.round());
    Box::new(DroppedGame { game: number, seed, decision: 0, round, fault: Fault::new(message), unanswered: false })
}

/// The state of the folding thread.
struct OrderedFold {
    partial: PartialRun,
    /// Number of games that were reported to the listener.
    next: u64,
    /// Games that have ended before a game with a lower number, and wait until that one is reported.
    waiting: BTreeMap<u64, Option<Box<PlayedGame>>>,
}

impl OrderedFold {
    fn fold(
        &mut self,
        plan: &RunPlan<'_>,
        queue: &GameQueue,
        messages: &mut dyn Iterator<Item = BatchMessage<PlayResult>>,
        stop: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut trouble = Ok(());
        for message in messages {
            match message {
                Ok((first, played)) => (first..).zip(played).for_each(|(at, ended)| self.add(plan, queue, at, ended)),
                Err(faults) => {
                    stop.store(true, Relaxed);
                    trouble = Err(faults);
                }
            }
            while let Some(played) = self.waiting.remove(&self.next) {
                report(queue, self.next, played, listener);
                self.next += 1;
            }
            listener.on_count(self.next);
            listener.on_progress(&self.partial);
        }
        // Only a stopped run leaves gaps; games after them are reported all the same.
        std::mem::take(&mut self.waiting).into_iter().for_each(|(at, played)| report(queue, at, played, listener));
        trouble
    }

    /// Adds a game to the sums at once, since their order does not matter.
    fn add(&mut self, plan: &RunPlan<'_>, queue: &GameQueue, at: u64, ended: PlayResult) {
        let Some(number) = queue.game_number(at) else { return };
        self.partial.finished.insert(number..number + 1);
        let played = match ended {
            Ok(played) => {
                self.partial.outcome.tally.add(plan.rules, &played);
                self.partial.outcome.add_avoided(number, &played);
                Some(played)
            }
            Err(dropped) => {
                self.partial.outcome.add_dropped(*dropped);
                None
            }
        };
        self.waiting.insert(at, played);
    }
}

/// Reports a game to the listener if it is complete.
fn report(queue: &GameQueue, at: u64, played: Option<Box<PlayedGame>>, listener: &mut dyn Listener) {
    if let Some((number, played)) = queue.game_number(at).zip(played) {
        listener.on_game(number, &played);
    }
}

merge_by_field!(PartialRun: finished, outcome);

impl PartialRun {
    /// Creates an empty result.
    pub fn new(rules: &Ruleset) -> PartialRun {
        PartialRun { finished: RangeSet::new(), outcome: RunOutcome { tally: RunTally::new(rules), ..RunOutcome::default() } }
    }

    /// Removes games in which an agent did not answer, so that they are played again.
    pub fn without_unanswered(mut self) -> PartialRun {
        for game in self.outcome.without_unanswered() {
            self.finished.remove(game..game + 1);
        }
        self
    }
}

impl Merge for RunOutcome {
    fn merge(&mut self, other: &RunOutcome) {
        let RunOutcome { tally, dropped, faults, avoided, stopped } = other;
        avoided.iter().for_each(|alike| add_fault(&mut self.avoided, alike.clone()));
        self.tally.merge(tally);
        self.dropped += dropped;
        faults.iter().for_each(|alike| add_fault(&mut self.faults, alike.clone()));
        self.stopped |= stopped;
    }
}

impl RunOutcome {
    pub(super) fn add_dropped(&mut self, dropped: DroppedGame) {
        self.dropped += 1;
        add_fault(&mut self.faults, FaultGroup { first: dropped, games: 1 });
    }

    /// Adds the faults that occurred in sampled states of a game.
    pub(super) fn add_avoided(&mut self, number: u64, game: &PlayedGame) {
        for (decision, round, fault) in &game.avoided {
            let (seed, decision, round) = (game.seed, *decision, *round);
            let first = DroppedGame { game: number, seed, decision, round, fault: fault.clone(), unanswered: false };
            add_fault(&mut self.avoided, FaultGroup { first, games: 1 });
        }
    }

    /// Removes games that were dropped because an agent did not answer, and returns their numbers.
    pub(super) fn without_unanswered(&mut self) -> Vec<u64> {
        let unanswered = self.faults.extract_if(.., |alike| alike.first.unanswered);
        let games: Vec<u64> = unanswered.map(|alike| alike.first.game).collect();
        self.dropped -= games.len() as u64;
        games
    }
}

/// Plays one game to its end; `None` if the run is stopped before.
pub(super) fn play(plan: &RunPlan<'_>, table: &mut WorkerTable, number: u64, stop: &AtomicBool) -> Option<PlayResult> {
    let rules = plan.rules;
    let seed = seed_of_game(plan.seed, number);
    let mut played = Box::new(PlayedGame::new(seed, plan.notes));
    let mut asked = 0;
    table.game.restart(rules, seed);
    table.game.watch_idle_rounds();
    if plan.notes.flows {
        table.game.record_flows(rules);
    }
    table.seats.begin_game(seed);
    let ended = play_to_end(rules, table, &mut played, &mut asked, stop);
    let round = table.game.round();
    let dropped = |decision, fault, unanswered| Some(Err(Box::new(DroppedGame { game: number, seed, decision, round, fault, unanswered })));
    match ended {
        Ok(true) => {
            played.record_end(rules, &mut table.game);
            table.seats.end_game(rules, &mut table.game);
            Some(Ok(played))
        }
        Ok(false) => None,
        // An agent that fails once would fail in all following games. A failure after the run was stopped is not reported.
        Err(UnfinishedReason::Agent(_)) if stop.swap(true, Relaxed) => None,
        Err(UnfinishedReason::Agent(fault)) => dropped(asked - 1, fault, true),
        Err(UnfinishedReason::Game(fault)) => dropped(asked, fault, false),
    }
}

/// Why a game could not be finished.
enum UnfinishedReason {
    /// A fault of the rules or of a card.
    Game(Fault),
    /// An agent did not answer.
    Agent(Fault),
}

impl From<Fault> for UnfinishedReason {
    fn from(fault: Fault) -> UnfinishedReason {
        UnfinishedReason::Game(fault)
    }
}

/// Plays a game to its end; returns false if the run is stopped before.
fn play_to_end(
    rules: &Ruleset,
    table: &mut WorkerTable,
    played: &mut PlayedGame,
    asked: &mut u64,
    stop: &AtomicBool,
) -> Result<bool, UnfinishedReason> {
    let WorkerTable { game, seats, scripts, guide } = table;
    let scripts = scripts.as_mut();
    loop {
        if run_recording(scripts, played.ran.as_mut(), |scripts| game.on(rules).advance(scripts).map(|asked| asked.is_none()))? {
            return Ok(true);
        }
        if stop.load(Relaxed) {
            return Ok(false);
        }
        *asked += 1;
        if *asked > MAX_QUESTIONS {
            return Err(UnfinishedReason::Game(Fault::new(format!("more than {MAX_QUESTIONS} questions; the game may never end"))));
        }
        played.record_round(rules, game);
        let chosen = match guide.as_mut().and_then(|guide| guide.next_answer(rules, game)) {
            Some(known) => {
                seats.observe_answer(game, known);
                known
            }
            None => seats.choose_or_stop(rules, game, scripts, stop).map_err(UnfinishedReason::Agent)?,
        };
        if let Some(fault) = seats.take_avoided_fault() {
            played.record_avoided(*asked, *fault);
        }
        played.record_answer(rules, game, chosen);
        run_recording(scripts, played.ran.as_mut(), |scripts| game.on(rules).answer(scripts, chosen))?;
    }
}

#[cfg(test)]
mod tests;
