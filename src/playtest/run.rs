//! Plays the games of a run on all cores and folds them in their order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use super::hooks::go_on;
use super::measure::{Notes, Played, Tally};
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

/// A game that met a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Its number in the run, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The question, counted from 1, after whose answer it happened; 0 before the first.
    pub decision: u64,
    /// The round.
    pub round: i32,
    /// What happened.
    pub fault: Fault,
}

/// Faults that are alike: the same, or at the same place with other numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The first game that met it.
    pub first: Dropped,
    /// How many games did.
    pub games: u64,
}

/// More different faults than these are only counted.
const MAX_ALIKE: usize = 1000;

/// What came of a run. Its size does not depend on the number of games.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The complete games.
    pub tally: Tally,
    /// How many met a fault.
    pub dropped: u64,
    /// The faults that they met, in the order of the games.
    pub faults: Vec<Alike>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// What makes a worker's own scripts.
pub type MakeScripts<'a> = dyn Fn() -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// Hears of a run while it goes on.
pub trait Listener {
    /// A game is complete; they are told in the order of their numbers.
    fn game(&mut self, number: u64, game: &Played);

    /// So many games are done.
    fn done(&mut self, count: u64);
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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|fault| vec![Diagnostic::error("G204", None, format!("cannot start threads: {fault}"))])?;
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut outcome = Outcome { tally: Tally::new(plan.rules), ..Outcome::default() };
    pool.in_place_scope(|scope| {
        let threads = pool.current_num_threads() as u64;
        let batch = (plan.games / (threads * PARTS)).clamp(1, LARGEST_BATCH);
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move |_| work(plan, scripts, stop, (next, batch), &sender));
        }
        drop(sender);
        fold(plan, &receiver, stop, &mut outcome, listener)
    })?;
    outcome.stopped = outcome.tally.games + outcome.dropped < plan.games;
    Ok(outcome)
}

/// A game that came to an end, by itself or by a fault.
pub(super) type Ended = Result<Box<Played>, Box<Dropped>>;
/// Games that one thread has played, one after another from a number on.
type Batch = (u64, Vec<Ended>);
type Message = Result<Batch, Vec<Diagnostic>>;

/// So many parts of a run for each thread: waking the thread that sums up for each game costs more than a short game.
const PARTS: u64 = 32;
/// Games in a batch at most.
const LARGEST_BATCH: u64 = 64;

/// One thread: takes the next games until there are none.
fn work(plan: &Plan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool, (next, size): (&AtomicU64, u64), sender: &mpsc::Sender<Message>) {
    let mut table = match scripts() {
        Ok(scripts) => Table::new(plan.agents, scripts),
        Err(faults) => {
            // Nobody listens only when another thread has met the same.
            let _ = sender.send(Err(faults));
            return;
        }
    };
    while !stop.load(Ordering::Relaxed) {
        let first = next.fetch_add(size, Ordering::Relaxed);
        if first >= plan.games {
            return;
        }
        let mut played = Vec::new();
        for number in first..(first + size).min(plan.games) {
            let ended = catch_unwind(AssertUnwindSafe(|| play(plan, &mut table, number, stop)));
            let ended = ended.unwrap_or_else(|panic| {
                // Whatever the panic has left half done is not used again.
                let dropped = panicked(plan, &table, number, &*panic);
                if let Ok(scripts) = scripts() {
                    table = Table::new(plan.agents, scripts);
                }
                Some(Err(dropped))
            });
            match ended {
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
        self.seats.turn(by as usize);
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

/// A fault of this program in the middle of a game drops that game, and no other.
pub(super) fn panicked(plan: &Plan<'_>, table: &Table, number: u64, panic: &(dyn std::any::Any + Send)) -> Box<Dropped> {
    let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    let message = format!("internal error: {said}; please report it");
    let (seed, round) = (seed_of_game(plan.seed, number), table.game.round());
    Box::new(Dropped { game: number, seed, decision: 0, round, fault: Fault::new(message) })
}

fn fold(
    plan: &Plan<'_>,
    receiver: &mpsc::Receiver<Message>,
    stop: &AtomicBool,
    outcome: &mut Outcome,
    listener: &mut dyn Listener,
) -> Result<(), Vec<Diagnostic>> {
    let mut waiting: BTreeMap<u64, Ended> = BTreeMap::new();
    let mut done = 0;
    let mut trouble = Ok(());
    let mut add = |number: u64, ended: Ended, listener: &mut dyn Listener| match ended {
        Ok(played) => {
            outcome.tally.add(plan.rules, &played);
            listener.game(number, &played);
        }
        Err(dropped) => outcome.drop(*dropped),
    };
    for message in receiver {
        match message {
            Ok((first, played)) => waiting.extend((first..).zip(played)),
            Err(faults) => {
                stop.store(true, Ordering::Relaxed);
                trouble = Err(faults);
            }
        }
        while let Some(ended) = waiting.remove(&done) {
            add(done, ended, listener);
            done += 1;
        }
        listener.done(done);
    }
    // Only a run that was stopped leaves gaps; what lies behind them counts all the same.
    waiting.into_iter().for_each(|(number, ended)| add(number, ended, listener));
    trouble
}

impl Outcome {
    pub(super) fn drop(&mut self, dropped: Dropped) {
        self.dropped += 1;
        let alike = |found: &Fault, fault: &Fault| {
            found.alike(fault) || found.span.is_some() && (&found.owner, found.span) == (&fault.owner, fault.span)
        };
        match self.faults.iter().position(|found| alike(&found.first.fault, &dropped.fault)) {
            Some(known) => self.faults[known].games += 1,
            None if self.faults.len() < MAX_ALIKE => self.faults.push(Alike { first: dropped, games: 1 }),
            None => {}
        }
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
    let dropped = |decision, fault| Some(Err(Box::new(Dropped { game: number, seed, decision, round, fault })));
    match ended {
        Ok(true) => {
            played.note_end(rules, &mut table.game);
            table.seats.end(rules, &mut table.game);
            Some(Ok(played))
        }
        Ok(false) => None,
        // Who fails once would fail in each of the games that follow; and who fails while the run is stopped need not be told.
        Err(Lost::Agent(_)) if stop.swap(true, Ordering::Relaxed) => None,
        Err(Lost::Agent(fault)) => dropped(asked - 1, fault),
        Err(Lost::Game(fault)) => dropped(asked, fault),
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
        if go_on(scripts, played.ran.as_mut(), |scripts| game.advance(rules, scripts).map(|asked| asked.is_none()))? {
            return Ok(true);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        *asked += 1;
        if *asked > MAX_QUESTIONS {
            return Err(Lost::Game(Fault::new(format!("more than {MAX_QUESTIONS} questions; the game may never end"))));
        }
        played.note_round(rules, game);
        let chosen = seats.choose_unless(rules, game, scripts, stop).map_err(Lost::Agent)?;
        if let Some(decision) = game.decision() {
            played.note_answer(rules, decision, chosen);
        }
        go_on(scripts, played.ran.as_mut(), |scripts| game.answer(rules, scripts, chosen))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;
    use crate::playtest::toy::{toy, toy_with};
    use crate::playtest::{GamesCsv, Report, report};
    use crate::source::Sources;

    fn playtest(agents: &str, games: u64, threads: usize) -> (Report, String) {
        let rules = toy(3);
        let agents = parse_agents(agents, 3).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games, seed: 5, threads, notes: Notes::default() };
        let mut table = Vec::new();
        let outcome = {
            let mut listener = Lines { table: GamesCsv::new(&plan, &mut table).unwrap(), next: 0 };
            let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut listener).unwrap();
            assert_eq!((outcome.dropped, listener.next), (0, games));
            listener.table.end().unwrap();
            outcome
        };
        (report(&plan, &outcome, &Sources::new(), Vec::new()), String::from_utf8(table).unwrap())
    }

    /// Writes the games that it is told of, which come in their order.
    struct Lines<'a> {
        table: GamesCsv<&'a mut Vec<u8>>,
        next: u64,
    }

    impl Listener for Lines<'_> {
        fn game(&mut self, number: u64, game: &Played) {
            assert_eq!(number, self.next);
            self.next += 1;
            self.table.game(number, game).unwrap();
        }

        fn done(&mut self, count: u64) {
            assert_eq!(count, self.next);
        }
    }

    #[test]
    fn one_thread_and_three_say_the_same() {
        for agents in ["random", "greedy:2,random,random"] {
            let (one, three) = (playtest(agents, 60, 1), playtest(agents, 60, 3));
            assert_eq!(serde_json::to_string(&one.0).unwrap(), serde_json::to_string(&three.0).unwrap());
            assert_eq!(one.1, three.1);
            assert_eq!((one.0.games, one.0.dropped, one.1.lines().count()), (60, 0, 1 + 60 * 3));
        }
    }

    #[test]
    fn the_greedy_one_wins_and_answers_well() {
        let (found, _) = playtest("greedy,random,random", 100, 2);
        assert!(found.by_seat[0].won.share > 0.9, "{:?}", found.by_seat);
        let (found, _) = playtest("greedy", 20, 2);
        assert!(found.answers.iter().all(|answer| answer.answer == "two"));
        assert!(found.actions.iter().all(|action| action.action != "waste"));
    }

    #[test]
    fn everything_is_counted() {
        let (found, _) = playtest("random", 200, 2);
        let chosen: u64 = found.cards.iter().map(|card| card.times).sum();
        let fetched: f64 = found.actions.iter().filter(|action| action.action == "fetch").map(|action| action.per_game).sum();
        assert_eq!(chosen as f64, fetched * 200.0);
        let words: f64 = found.answers.iter().map(|answer| answer.per_game).sum();
        assert!((words - fetched).abs() < 1e-9);
        assert_eq!(found.by_seat.iter().map(|seat| seat.won.count).sum::<u64>(), 200);
        assert_eq!(found.by_round.iter().map(|row| row.round).collect::<Vec<_>>(), [Some(1), Some(2), Some(3), None]);
        assert!(found.by_rank[0].mean > found.by_rank[2].mean);
        let text = crate::playtest::text(&found, &crate::pack::Names::default(), false);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn a_game_that_meets_a_fault_is_dropped_and_counted() {
        // One of two words divides by 0 sooner or later.
        let rules = toy_with(2, "2 / (wisp - 1)", "");
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 50, seed: 1, threads: 2, notes: Notes::default() };
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut ()).unwrap();
        assert_eq!(outcome.tally.games + outcome.dropped, 50);
        assert!(outcome.dropped > 0 && !outcome.stopped);
        assert_eq!(outcome.faults.iter().map(|alike| alike.games).sum::<u64>(), outcome.dropped);
        let sound = |dropped: &Dropped| dropped.decision > 0 && dropped.seed == seed_of_game(1, dropped.game);
        assert!(outcome.faults.iter().all(|alike| sound(&alike.first)));
        let found = report(&plan, &outcome, &Sources::new(), Vec::new());
        assert_eq!(found.faults.len(), 1);
        assert_eq!(found.faults[0].games, found.dropped);
    }

    #[test]
    fn a_run_that_is_stopped_keeps_what_is_done() {
        let rules = toy(2);
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 1_000_000, seed: 1, threads: 2, notes: Notes::default() };
        struct StopAt20<'a>(&'a AtomicBool);
        impl Listener for StopAt20<'_> {
            fn game(&mut self, _: u64, _: &Played) {}

            fn done(&mut self, count: u64) {
                if count > 20 {
                    self.0.store(true, Ordering::Relaxed);
                }
            }
        }
        let stop = AtomicBool::new(false);
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &stop, &mut StopAt20(&stop)).unwrap();
        assert!(outcome.stopped && outcome.tally.games > 20 && outcome.tally.games < 1_000_000);
    }

    /// Scripts of which one in three panics.
    struct Panics(std::cell::Cell<u64>);

    impl Scripts for Panics {
        fn run(&mut self, _: &mut Game, _: &Ruleset, _: &crate::engine::Call) -> Result<(), crate::engine::Stop> {
            self.0.set(self.0.get() + 1);
            assert!(!self.0.get().is_multiple_of(3), "a third script");
            Ok(())
        }
    }

    #[test]
    fn a_panic_loses_one_game_and_not_the_run() {
        let rules = toy_with(2, "2", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"gain(me, wisp, 1)\"\n");
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 40, seed: 1, threads: 1, notes: Notes::default() };
        let scripts = || Ok(Box::new(Panics(std::cell::Cell::new(0))) as Box<dyn Scripts>);
        let outcome = run(&plan, &scripts, &AtomicBool::new(false), &mut ()).unwrap();
        assert!(outcome.dropped > 0 && outcome.tally.games > 0);
        assert_eq!(outcome.tally.games + outcome.dropped, 40);
        assert_eq!(outcome.faults.len(), 1);
        assert!(outcome.faults[0].first.fault.message.contains("a third script"), "{:?}", outcome.faults);
    }
}
