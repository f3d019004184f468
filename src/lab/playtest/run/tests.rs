//! Tests of how games are played and summed.

use super::*;
use crate::agent::parse_agents;
use crate::engine::NoScripts;
use crate::playtest::toy::{Panics, toy, toy_with};
use crate::playtest::{GamesCsv, Report, report};
use crate::source::Sources;

fn playtest_toy(agents: &str, games: u64, threads: usize) -> (Report, String) {
    let rules = toy(3);
    let agents = parse_agents(agents, 3).unwrap();
    let plan = RunPlan { rules: &rules, agents: &agents, games, seed: 5, threads, notes: RecordOptions::default() };
    let mut table = Vec::new();
    let outcome = {
        let mut listener = GameLog { table: GamesCsv::new(&plan, &mut table).unwrap(), next: 0 };
        let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut listener).unwrap();
        assert_eq!((outcome.dropped, listener.next), (0, games));
        listener.table.finish().unwrap();
        outcome
    };
    (report(&plan, &outcome, &Sources::new(), Vec::new()), String::from_utf8(table).unwrap())
}

/// Writes the reported games, which must arrive in order.
struct GameLog<'a> {
    table: GamesCsv<&'a mut Vec<u8>>,
    next: u64,
}

impl Listener for GameLog<'_> {
    fn on_game(&mut self, number: u64, game: &PlayedGame) {
        assert_eq!(number, self.next);
        self.next += 1;
        self.table.game(number, game).unwrap();
    }

    fn on_count(&mut self, count: u64) {
        assert_eq!(count, self.next);
    }
}

#[test]
fn one_thread_and_three_say_the_same() {
    for agents in ["random", "greedy:2,random,random"] {
        let (one, three) = (playtest_toy(agents, 60, 1), playtest_toy(agents, 60, 3));
        assert_eq!(serde_json::to_string(&one.0).unwrap(), serde_json::to_string(&three.0).unwrap());
        assert_eq!(one.1, three.1);
        assert_eq!((one.0.games, one.0.dropped, one.1.lines().count()), (60, 0, 1 + 60 * 3));
    }
}

#[test]
fn the_greedy_one_wins_and_answers_well() {
    let (found, _) = playtest_toy("greedy,random,random", 100, 2);
    assert!(found.by_seat[0].won.share > 0.9, "{:?}", found.by_seat);
    let (found, _) = playtest_toy("greedy", 20, 2);
    assert!(found.answers.iter().all(|answer| answer.answer == "two"));
    assert!(found.actions.iter().all(|action| action.action != "waste"));
}

#[test]
fn everything_is_counted() {
    let (found, _) = playtest_toy("random", 200, 2);
    let chosen: u64 = found.cards.iter().map(|card| card.times).sum();
    let fetched: f64 = found.actions.iter().filter(|action| action.action == "fetch").map(|action| action.per_game).sum();
    assert_eq!(chosen as f64, fetched * 200.0);
    let words: f64 = found.answers.iter().map(|answer| answer.per_game).sum();
    assert!((words - fetched).abs() < 1e-9);
    assert_eq!(found.by_seat.iter().map(|seat| seat.won.count).sum::<f64>(), 200.0);
    assert_eq!(found.by_round.iter().map(|row| row.round).collect::<Vec<_>>(), [Some(1), Some(2), Some(3), None]);
    assert!(found.by_rank[0].mean > found.by_rank[2].mean);
    let text = crate::playtest::text(&found, &crate::pack::Translations::default(), false);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_game_that_meets_a_fault_is_dropped_and_counted() {
    // One of two words divides by 0 sooner or later.
    let rules = toy_with(2, "2 / (wisp - 1)", "");
    let agents = parse_agents("random", 2).unwrap();
    let plan = RunPlan { rules: &rules, agents: &agents, games: 50, seed: 1, threads: 2, notes: RecordOptions::default() };
    let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!(outcome.tally.games + outcome.dropped, 50);
    assert!(outcome.dropped > 0 && !outcome.stopped);
    assert_eq!(outcome.faults.iter().map(|alike| alike.games).sum::<u64>(), outcome.dropped);
    let sound = |dropped: &DroppedGame| dropped.decision > 0 && dropped.seed == seed_of_game(1, dropped.game);
    assert!(outcome.faults.iter().all(|alike| sound(&alike.first)));
    let found = report(&plan, &outcome, &Sources::new(), Vec::new());
    assert_eq!(found.faults.len(), 1);
    assert_eq!(found.faults[0].games, found.dropped);
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_done() {
    let rules = toy(2);
    let agents = parse_agents("random", 2).unwrap();
    let plan = RunPlan { rules: &rules, agents: &agents, games: 1_000_000, seed: 1, threads: 2, notes: RecordOptions::default() };
    struct StopAt20<'a>(&'a AtomicBool);
    impl Listener for StopAt20<'_> {
        fn on_game(&mut self, _: u64, _: &PlayedGame) {}

        fn on_count(&mut self, count: u64) {
            if count > 20 {
                self.0.store(true, Relaxed);
            }
        }
    }
    let stop = AtomicBool::new(false);
    let outcome = run(&plan, &|| Ok(Box::new(NoScripts)), &stop, &mut StopAt20(&stop)).unwrap();
    assert!(outcome.stopped && outcome.tally.games > 20 && outcome.tally.games < 1_000_000);
}

#[test]
fn a_panic_loses_one_game_and_not_the_run() {
    let rules = toy_with(2, "2", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"gain(me, wisp, 1)\"\n");
    let agents = parse_agents("random", 2).unwrap();
    let plan = RunPlan { rules: &rules, agents: &agents, games: 40, seed: 1, threads: 1, notes: RecordOptions::default() };
    let scripts = || Ok(Box::<Panics>::default() as Box<dyn Scripts>);
    let outcome = run(&plan, &scripts, &AtomicBool::new(false), &mut ()).unwrap();
    assert!(outcome.dropped > 0 && outcome.tally.games > 0);
    assert_eq!(outcome.tally.games + outcome.dropped, 40);
    assert_eq!(outcome.faults.len(), 1);
    assert!(outcome.faults[0].first.fault.message.contains("a third script"), "{:?}", outcome.faults);
}

#[test]
fn neither_stops_nor_parts_make_a_difference() {
    // Some games meet a fault.
    let rules = toy_with(2, "1 + 0 / (wisp - 5)", "");
    let agents = parse_agents("random", 2).unwrap();
    let plan = RunPlan { rules: &rules, agents: &agents, games: 3000, seed: 1, threads: 2, notes: RecordOptions::default() };
    let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
    let played = |begun: PartialRun, games: Range<u64>, stop_at: u64| {
        struct StopAt<'a>(&'a AtomicBool, u64);
        impl Listener for StopAt<'_> {
            fn on_game(&mut self, _: u64, _: &PlayedGame) {}

            fn on_count(&mut self, count: u64) {
                self.0.fetch_or(count >= self.1, Relaxed);
            }
        }
        let stop = AtomicBool::new(false);
        let begun = resume(&plan, begun, games, &scripts, &stop, &mut StopAt(&stop, stop_at)).unwrap();
        // Saved and loaded again.
        serde_json::from_str::<PartialRun>(&serde_json::to_string(&begun).unwrap()).unwrap()
    };
    let whole = serde_json::to_string(&played(PartialRun::new(&rules), 0..3000, u64::MAX)).unwrap();
    // A stop may be noticed only after the last game.
    let mut stops = (0..50).map(|_| played(PartialRun::new(&rules), 0..3000, 20));
    let mut stopped = stops.find(|begun| begun.outcome.stopped && begun.outcome.tally.games < 3000).expect("a run that is stopped");
    while stopped.outcome.stopped {
        stopped = played(stopped, 0..3000, 400);
    }
    assert_eq!(serde_json::to_string(&stopped).unwrap(), whole);
    let mut parts = played(PartialRun::new(&rules), 2100..3000, u64::MAX);
    for games in [0..7, 7..2100] {
        parts.merge(&played(PartialRun::new(&rules), games, u64::MAX));
    }
    assert!(parts.outcome.dropped > 0 && parts.outcome.tally.games > 0);
    assert_eq!(serde_json::to_string(&parts).unwrap(), whole);
}

#[test]
fn a_game_that_is_played_again_and_again_says_nothing() {
    let rules = toy(2);
    let agents = parse_agents("random", 2).unwrap();
    let plan = |games| RunPlan { rules: &rules, agents: &agents, games, seed: 1, threads: 1, notes: RecordOptions::default() };
    let played = |games| run(&plan(games), &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!(report(&plan(300), &played(300), &Sources::new(), Vec::new()).distinct, 300);
    let (mut found, one) = (played(1), played(1));
    (1..1000).for_each(|_| found.merge(&one));
    let said = report(&plan(1000), &found, &Sources::new(), Vec::new());
    assert_eq!((said.games, said.distinct, said.rounds.interval), (1000, 1, None));
    assert!(said.by_seat.iter().all(|seat| seat.won.interval[1] - seat.won.interval[0] > 0.7), "{:?}", said.by_seat);
    let text = crate::playtest::text(&said, &crate::pack::Translations::default(), false);
    assert!(text.contains("1000 games, 1 distinct: the same one again and again"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}
