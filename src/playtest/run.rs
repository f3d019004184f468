//! Plays the games of a run on all cores and folds them in their order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use super::measure::{Played, Tally};
use crate::agent::{AgentKind, Seats};
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::state::chance::seed_of_game;

/// A game with more questions than this will not end.
const MOST_QUESTIONS: u64 = 1_000_000;

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
    /// Whether the single games are kept, for a table of them.
    pub keep: bool,
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

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The complete games.
    pub tally: Tally,
    /// The others, in the order of the games.
    pub dropped: Vec<Dropped>,
    /// The single games, if they were to be kept.
    pub games: Vec<Played>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// What makes a worker's own scripts.
pub type MakeScripts<'a> = dyn Fn() -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// Plays all games of a plan, or those that are done when `stop` is set. `done_so_far` hears how many are done.
///
/// # Errors
/// What is wrong with the scripts.
pub fn run(
    plan: &Plan<'_>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    done_so_far: &mut dyn FnMut(u64),
) -> Result<Outcome, Vec<Diagnostic>> {
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
        fold(plan, &receiver, stop, &mut outcome, done_so_far)
    })?;
    outcome.stopped = outcome.tally.games + (outcome.dropped.len() as u64) < plan.games;
    Ok(outcome)
}

/// Games that one thread has played, one after another from a number on.
type Batch = (u64, Vec<Result<Box<Played>, Box<Dropped>>>);
type Message = Result<Batch, Vec<Diagnostic>>;

/// So many parts of a run for each thread: waking the thread that sums up for each game costs more than a short game.
const PARTS: u64 = 32;
/// Games in a batch at most.
const LARGEST_BATCH: u64 = 64;

/// One thread: takes the next games until there are none.
fn work(plan: &Plan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool, (next, size): (&AtomicU64, u64), sender: &mpsc::Sender<Message>) {
    let mut scripts = match scripts() {
        Ok(scripts) => scripts,
        Err(faults) => {
            // Nobody listens only when another thread has met the same.
            let _ = sender.send(Err(faults));
            return;
        }
    };
    let mut seats = Seats::new(plan.agents);
    let mut game = Game::default();
    while !stop.load(Ordering::Relaxed) {
        let first = next.fetch_add(size, Ordering::Relaxed);
        if first >= plan.games {
            return;
        }
        // What is done when a run is stopped is kept.
        let numbers = (first..(first + size).min(plan.games)).take_while(|&number| number == first || !stop.load(Ordering::Relaxed));
        let played = numbers.map(|number| play(plan, &mut game, &mut seats, &mut *scripts, number)).collect();
        if sender.send(Ok((first, played))).is_err() {
            return;
        }
    }
}

fn fold(
    plan: &Plan<'_>,
    receiver: &mpsc::Receiver<Message>,
    stop: &AtomicBool,
    outcome: &mut Outcome,
    done_so_far: &mut dyn FnMut(u64),
) -> Result<(), Vec<Diagnostic>> {
    let mut waiting = BTreeMap::new();
    let mut done = 0;
    let mut trouble = Ok(());
    let mut add = |played| match played {
        Ok(played) => {
            let played: Box<Played> = played;
            outcome.tally.add(plan.rules, &played);
            if plan.keep {
                outcome.games.push(*played);
            }
        }
        Err(dropped) => {
            let dropped: Box<Dropped> = dropped;
            outcome.dropped.push(*dropped);
        }
    };
    for message in receiver {
        match message {
            Ok((first, played)) => waiting.extend((first..).zip(played)),
            Err(faults) => {
                stop.store(true, Ordering::Relaxed);
                trouble = Err(faults);
            }
        }
        while let Some(played) = waiting.remove(&done) {
            done += 1;
            add(played);
        }
        done_so_far(done);
    }
    // Only a run that was stopped leaves gaps; what lies behind them counts all the same.
    waiting.into_values().for_each(add);
    trouble
}

/// Plays one game to its end.
fn play(plan: &Plan<'_>, game: &mut Game, seats: &mut Seats, scripts: &mut dyn Scripts, number: u64) -> Result<Box<Played>, Box<Dropped>> {
    let rules = plan.rules;
    let seed = seed_of_game(plan.seed, number);
    let mut played = Box::new(Played::new(seed));
    let mut asked = 0;
    game.restart(rules, seed);
    seats.begin(seed);
    match play_on(rules, game, seats, scripts, &mut played, &mut asked) {
        Ok(()) => {
            played.note_end(rules, game);
            Ok(played)
        }
        Err(fault) => Err(Box::new(Dropped { game: number, seed, decision: asked, round: game.round(), fault })),
    }
}

fn play_on(
    rules: &Ruleset,
    game: &mut Game,
    seats: &mut Seats,
    scripts: &mut dyn Scripts,
    played: &mut Played,
    asked: &mut u64,
) -> Result<(), Fault> {
    loop {
        if game.advance(rules, scripts)?.is_none() {
            return Ok(());
        }
        *asked += 1;
        if *asked > MOST_QUESTIONS {
            return Err(Fault::new(format!("more than {MOST_QUESTIONS} questions; the game may never end")));
        }
        played.note_round(rules, game);
        let chosen = seats.choose(rules, game, scripts);
        if let Some(decision) = game.decision() {
            played.note_answer(rules, decision, chosen);
        }
        game.answer(rules, scripts, chosen)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;
    use crate::playtest::toy::{toy, toy_with};
    use crate::playtest::{Report, csv, report};
    use crate::source::Sources;

    fn playtest(agents: &str, games: u64, threads: usize) -> (Report, String) {
        let rules = toy(3);
        let agents = parse_agents(agents, 3).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games, seed: 5, threads, keep: true };
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(outcome.dropped, []);
        let table = csv(&plan, &outcome);
        (report(&plan, &outcome, &Sources::new(), Vec::new()), table)
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
        let text = crate::playtest::text(&found, false);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn a_game_that_meets_a_fault_is_dropped_and_counted() {
        // One of two words divides by 0 sooner or later.
        let rules = toy_with(2, "2 / (wisp - 1)", "");
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 50, seed: 1, threads: 2, keep: true };
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!(outcome.tally.games + outcome.dropped.len() as u64, 50);
        assert!(!outcome.dropped.is_empty() && !outcome.stopped);
        assert!(outcome.dropped.iter().all(|dropped| dropped.decision > 0 && dropped.seed == seed_of_game(1, dropped.game)));
        let found = report(&plan, &outcome, &Sources::new(), Vec::new());
        assert_eq!(found.faults.len(), 1);
        assert_eq!(found.faults[0].games, found.dropped);
    }

    #[test]
    fn a_run_that_is_stopped_keeps_what_is_done() {
        let rules = toy(2);
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 1_000_000, seed: 1, threads: 2, keep: false };
        let stop = AtomicBool::new(false);
        let mut done_so_far = |done| {
            if done > 20 {
                stop.store(true, Ordering::Relaxed)
            }
        };
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &stop, &mut done_so_far).unwrap();
        assert!(outcome.stopped && outcome.tally.games > 20 && outcome.tally.games < 1_000_000);
    }
}
