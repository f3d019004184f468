//! Plays the games of a run on all cores and folds them in their order.

use crate::cast;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc;
use std::time::Duration;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};

use super::dropped::{Alike, Dropped, take_in};
use super::hooks::go_on;
use super::measure::{Notes, Played};
use super::tally::Tally;
use crate::agent::{AgentKind, Seats};
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::state::chance::seed_of_game;

/// A game with more questions than this will not end.
const MAX_QUESTIONS: u64 = 1_000_000;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// Who plays, seat by seat.
    pub agents: &'a [AgentKind],
    /// How many games.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// How many threads; 0 for one on each core.
    pub threads: usize,
    /// What is noted besides.
    pub notes: Notes,
}

/// What came of a run. Its size does not depend on the number of games, and it is the same in whatever order and in however many parts they
/// were played.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The complete games.
    pub tally: Tally,
    /// How many met a fault.
    pub dropped: u64,
    /// The faults that they met, in the order of the games.
    pub faults: Vec<Alike>,
    /// Faults that players met only in thought, since they keep away from answers that meet one; the games are complete.
    pub avoided: Vec<Alike>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// What is done of a run, with which it can go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// The numbers of the games.
    pub done: RangeSet<u64>,
    /// What came of them.
    pub outcome: Outcome,
}

/// What makes a worker's own scripts.
pub type MakeScripts<'a> = dyn Fn() -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// Hears of a run while it goes on.
pub trait Listener {
    /// A game is complete; they are told in the order of their numbers.
    fn game(&mut self, number: u64, game: &Played);

    /// So many games of this run are done.
    fn done(&mut self, count: u64);

    /// So much is done, now and before this run.
    fn begun(&mut self, _: &Begun) {}
}

/// Hears nothing.
impl Listener for () {
    fn game(&mut self, _: u64, _: &Played) {}
    fn done(&mut self, _: u64) {}
}

/// Plays all games of a plan, or those that are done when `stop` is set; a player who does not answer sets it.
///
/// # Errors
/// What is wrong with the scripts.
pub fn run(plan: &Plan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool, listener: &mut dyn Listener) -> Result<Outcome, Vec<Diagnostic>> {
    Ok(go_on_with(plan, Begun::new(plan.rules), 0..plan.games, scripts, stop, listener)?.outcome)
}

/// Plays those games of a plan with numbers in a range that are not done.
///
/// # Errors
/// As for [`run`].
pub fn go_on_with(
    plan: &Plan<'_>,
    begun: Begun,
    games: Range<u64>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener,
) -> Result<Begun, Vec<Diagnostic>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|fault| vec![Diagnostic::error("G204", None, format!("cannot start threads: {fault}"))])?;
    let threads = pool.current_num_threads() as u64;
    let ahead = Ahead::new(&begun.done, &games, threads);
    let (sender, receiver) = mpsc::channel();
    let mut folded = Folded { begun, next: 0, waiting: BTreeMap::new() };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, ahead) = (sender.clone(), &ahead);
            scope.spawn(move |_| work(plan, scripts, stop, ahead, &sender));
        }
        drop(sender);
        folded.fold(plan, &ahead, &receiver, stop, listener)
    })?;
    let mut begun = folded.begun;
    begun.outcome.stopped = begun.done.gaps(&games).next().is_some();
    Ok(begun)
}

/// Which games are still to be played, and how far the threads are with them.
pub(super) struct Ahead {
    /// Their numbers.
    left: Vec<Range<u64>>,
    /// How many.
    pub(super) count: u64,
    next: AtomicU64,
    /// So many are taken at once.
    batch: u64,
}

/// So many parts of a run for each thread: waking the thread that sums up for each game costs more than a short game.
const PARTS: u64 = 32;
/// Games in a batch at most.
const LARGEST_BATCH: u64 = 64;

impl Ahead {
    pub(super) fn new(done: &RangeSet<u64>, games: &Range<u64>, threads: u64) -> Ahead {
        // Of no games there are no gaps to be asked for.
        let left: Vec<Range<u64>> = if games.is_empty() { Vec::new() } else { done.gaps(games).collect() };
        let count = left.iter().map(|range| range.end - range.start).sum();
        Ahead { left, count, next: AtomicU64::new(0), batch: (count / (threads * PARTS)).clamp(1, LARGEST_BATCH) }
    }

    /// The next games for one thread: how many are before them, and their numbers.
    pub(super) fn take(&self) -> Option<(u64, impl Iterator<Item = u64>)> {
        let first = self.next.fetch_add(self.batch, Relaxed);
        let batch = first..first.saturating_add(self.batch).min(self.count);
        (first < self.count).then(|| (first, batch.filter_map(|at| self.number(at))))
    }

    /// The number of a game before which there are so many.
    pub(super) fn number(&self, mut at: u64) -> Option<u64> {
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

/// A game that came to an end, by itself or by a fault.
pub(super) type Ended = Result<Box<Played>, Box<Dropped>>;
/// Games that one thread has played, one after another, and how many are before them.
type Batch = (u64, Vec<Ended>);
type Message = Result<Batch, Vec<Diagnostic>>;

/// One thread: takes the next games until there are none.
fn work(plan: &Plan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool, ahead: &Ahead, sender: &mpsc::Sender<Message>) {
    let mut table = match scripts() {
        Ok(scripts) => Table::new(plan.agents, scripts),
        Err(faults) => {
            // Nobody listens only when another thread has met the same.
            let _ = sender.send(Err(faults));
            return;
        }
    };
    while !stop.load(Relaxed) {
        let Some((first, numbers)) = ahead.take() else { return };
        let mut played = Vec::new();
        for number in numbers {
            match play_safely(plan, &mut table, number, stop, scripts) {
                Some(ended) => played.push(ended),
                // The run is stopped in the middle of a game: what is done is kept.
                None => break,
            }
        }
        if sender.send(Ok((first, played))).is_err() {
            return;
        }
    }
}

/// What one thread plays with.
pub(super) struct Table {
    pub(super) game: Game,
    seats: Seats,
    scripts: Box<dyn Scripts>,
}

impl Table {
    /// Everybody sits so many seats further on than they were named.
    pub(super) fn turn(&mut self, by: u64) {
        self.seats.turn(cast::fit::<usize>(by));
    }

    /// An empty one.
    pub(super) fn new(agents: &[AgentKind], scripts: Box<dyn Scripts>) -> Table {
        Table { game: Game::default(), seats: Seats::new(agents), scripts }
    }

    /// One at which it is noted how long agents think; there may be more of them than seats.
    pub(super) fn watched(agents: &[AgentKind], scripts: Box<dyn Scripts>) -> Table {
        let mut table = Table::new(agents, scripts);
        table.seats.watch();
        table
    }

    /// Says which agent sits at each seat.
    pub(super) fn sit(&mut self, sitting: Vec<usize>) {
        self.seats.sit(sitting);
    }

    /// How long each agent has thought since this was asked last, and about how many questions.
    pub(super) fn thought(&mut self) -> Vec<(Duration, u64)> {
        self.seats.thought()
    }
}

/// Plays one game as [`play`] does; a fault of this program in the middle of it drops that game, and no other.
pub(super) fn play_safely(plan: &Plan<'_>, table: &mut Table, number: u64, stop: &AtomicBool, scripts: &MakeScripts<'_>) -> Option<Ended> {
    match catch_unwind(AssertUnwindSafe(|| play(plan, table, number, stop))) {
        Ok(ended) => ended,
        Err(panic) => {
            let dropped = panicked(plan, table, number, &*panic);
            // Whatever the panic has left half done is not used again.
            if let Ok(scripts) = scripts() {
                *table = Table::new(plan.agents, scripts);
            }
            Some(Err(dropped))
        }
    }
}

fn panicked(plan: &Plan<'_>, table: &Table, number: u64, panic: &(dyn std::any::Any + Send)) -> Box<Dropped> {
    let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    let message = format!("internal error: {said}; please report it");
    let (seed, round) = (seed_of_game(plan.seed, number), table.game.round());
    Box::new(Dropped { game: number, seed, decision: 0, round, fault: Fault::new(message), unanswered: false })
}

/// What the thread that sums up has.
struct Folded {
    begun: Begun,
    /// So many games have been told to who listens.
    next: u64,
    /// Games that are told when those before them have been.
    waiting: BTreeMap<u64, Option<Box<Played>>>,
}

impl Folded {
    fn fold(
        &mut self,
        plan: &Plan<'_>,
        ahead: &Ahead,
        receiver: &mpsc::Receiver<Message>,
        stop: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut trouble = Ok(());
        for message in receiver {
            match message {
                Ok((first, played)) => (first..).zip(played).for_each(|(at, ended)| self.take_in(plan, ahead, at, ended)),
                Err(faults) => {
                    stop.store(true, Relaxed);
                    trouble = Err(faults);
                }
            }
            while let Some(played) = self.waiting.remove(&self.next) {
                tell(ahead, self.next, played, listener);
                self.next += 1;
            }
            listener.done(self.next);
            listener.begun(&self.begun);
        }
        // Only a run that was stopped leaves gaps; what lies behind them counts all the same.
        std::mem::take(&mut self.waiting).into_iter().for_each(|(at, played)| tell(ahead, at, played, listener));
        trouble
    }

    /// Sums a game up at once: no order makes a difference to that.
    fn take_in(&mut self, plan: &Plan<'_>, ahead: &Ahead, at: u64, ended: Ended) {
        let Some(number) = ahead.number(at) else { return };
        self.begun.done.insert(number..number + 1);
        let played = match ended {
            Ok(played) => {
                self.begun.outcome.tally.add(plan.rules, &played);
                self.begun.outcome.avoid(number, &played);
                Some(played)
            }
            Err(dropped) => {
                self.begun.outcome.drop(*dropped);
                None
            }
        };
        self.waiting.insert(at, played);
    }
}

/// Tells of a game, if it is complete.
fn tell(ahead: &Ahead, at: u64, played: Option<Box<Played>>, listener: &mut dyn Listener) {
    if let Some((number, played)) = ahead.number(at).zip(played) {
        listener.game(number, &played);
    }
}

impl Begun {
    /// Nothing yet.
    pub fn new(rules: &Ruleset) -> Begun {
        Begun { done: RangeSet::new(), outcome: Outcome { tally: Tally::new(rules), ..Outcome::default() } }
    }

    /// Takes in what is done of the same run elsewhere; no game may be in both.
    pub fn merge(&mut self, other: &Begun) {
        self.done.extend(other.done.iter().cloned());
        self.outcome.merge(&other.outcome);
    }

    /// Without games that ended because a player did not answer: they can be played again.
    pub fn without_unanswered(mut self) -> Begun {
        for game in self.outcome.without_unanswered() {
            self.done.remove(game..game + 1);
        }
        self
    }
}

impl Outcome {
    pub(super) fn drop(&mut self, dropped: Dropped) {
        self.dropped += 1;
        take_in(&mut self.faults, Alike { first: dropped, games: 1 });
    }

    /// Takes in faults of a game that players met only in thought.
    pub(super) fn avoid(&mut self, number: u64, game: &Played) {
        for (decision, round, fault) in &game.avoided {
            let (seed, decision, round) = (game.seed, *decision, *round);
            let first = Dropped { game: number, seed, decision, round, fault: fault.clone(), unanswered: false };
            take_in(&mut self.avoided, Alike { first, games: 1 });
        }
    }

    /// Takes in what came of other games.
    pub fn merge(&mut self, other: &Outcome) {
        let Outcome { tally, dropped, faults, avoided, stopped } = other;
        avoided.iter().for_each(|alike| take_in(&mut self.avoided, alike.clone()));
        self.tally.merge(tally);
        self.dropped += dropped;
        faults.iter().for_each(|alike| take_in(&mut self.faults, alike.clone()));
        self.stopped |= stopped;
    }

    /// Forgets the game that was dropped because a player did not answer, which stops a run; its number.
    pub(super) fn without_unanswered(&mut self) -> Vec<u64> {
        let unanswered = self.faults.extract_if(.., |alike| alike.first.unanswered);
        let games: Vec<u64> = unanswered.map(|alike| alike.first.game).collect();
        self.dropped -= games.len() as u64;
        games
    }
}

/// Plays one game to its end; nothing if the run is stopped before it.
pub(super) fn play(plan: &Plan<'_>, table: &mut Table, number: u64, stop: &AtomicBool) -> Option<Ended> {
    let rules = plan.rules;
    let seed = seed_of_game(plan.seed, number);
    let mut played = Box::new(Played::new(seed, plan.notes));
    let mut asked = 0;
    table.game.restart(rules, seed);
    table.seats.begin(seed);
    let ended = play_on(rules, table, &mut played, &mut asked, stop);
    let round = table.game.round();
    let dropped = |decision, fault, unanswered| Some(Err(Box::new(Dropped { game: number, seed, decision, round, fault, unanswered })));
    match ended {
        Ok(true) => {
            played.note_end(rules, &mut table.game);
            table.seats.end(rules, &mut table.game);
            Some(Ok(played))
        }
        Ok(false) => None,
        // Who fails once would fail in each of the games that follow; and who fails while the run is stopped need not be told.
        Err(Lost::Agent(_)) if stop.swap(true, Relaxed) => None,
        Err(Lost::Agent(fault)) => dropped(asked - 1, fault, true),
        Err(Lost::Game(fault)) => dropped(asked, fault, false),
    }
}

/// Why a game has no end.
enum Lost {
    /// The rules or a card met a fault.
    Game(Fault),
    /// A player did not answer.
    Agent(Fault),
}

impl From<Fault> for Lost {
    fn from(fault: Fault) -> Lost {
        Lost::Game(fault)
    }
}

/// Whether the game came to its end; it does not if the run is stopped.
fn play_on(rules: &Ruleset, table: &mut Table, played: &mut Played, asked: &mut u64, stop: &AtomicBool) -> Result<bool, Lost> {
    let Table { game, seats, scripts } = table;
    let scripts = scripts.as_mut();
    loop {
        if go_on(scripts, played.ran.as_mut(), |scripts| game.on(rules).advance(scripts).map(|asked| asked.is_none()))? {
            return Ok(true);
        }
        if stop.load(Relaxed) {
            return Ok(false);
        }
        *asked += 1;
        if *asked > MAX_QUESTIONS {
            return Err(Lost::Game(Fault::new(format!("more than {MAX_QUESTIONS} questions; the game may never end"))));
        }
        played.note_round(rules, game);
        let chosen = seats.choose_unless(rules, game, scripts, stop).map_err(Lost::Agent)?;
        if let Some(fault) = seats.avoided() {
            played.note_avoided(*asked, *fault);
        }
        if let Some(decision) = game.decision() {
            played.note_answer(rules, decision, chosen);
        }
        go_on(scripts, played.ran.as_mut(), |scripts| game.on(rules).answer(scripts, chosen))?;
    }
}

#[cfg(test)]
mod tests;
