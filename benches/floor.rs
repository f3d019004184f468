//! How far generated code is from what can be reached: `worth` of base Nations for four, and what a seat may do in its turn, written by hand
//! over the same cells, beside generated code and the walker, by turns.
//!
//! First every number is compared: in states of whole games with every seat, in the same with numbers changed by chance, and in states after
//! an option. The bench ends with an error if one differs. Then `cargo bench --bench floor` prints figures of this machine; no figure is a pass mark.
//!
//! Nothing is kept where cells have just been copied in: there the copy is measured for itself. Where values are kept a state was copied from
//! another, and what it takes until the first number is known is part of each: see the last row.
//!
//! Left out of the comparison are states within a simultaneous block, which seats read differently. What the engine does beyond the list by
//! hand is part of its time: the keys of options, and looking for options that are alike.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a bench may panic, looks at the clock, and its numbers are small"
)]

mod compiled;
mod measure;
mod nations_by_hand;

use compiled::{compile, give_up};
use houserule::agent::{AgentKind, SeatAgents};
use houserule::engine::decision::Question;
use houserule::engine::native::{BackEnd, Native, set_back_end};
use houserule::engine::{Game, Opt, Ruleset, Style};
use houserule::script::ScriptHost;
use houserule::state::chance::seed_of_game;
use measure::median;
use nations_by_hand::{ByHand, Listed, as_listed};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// How many games of each kind of players are played, each with another seed.
const GAMES: u64 = 12;
/// The fewest states that are compared.
const FEWEST: usize = 1000;
/// How many states are measured.
const MEASURED: usize = 480;
/// How often each way is measured, one after the other, so that all see the same machine.
const TURNS: usize = 7;
/// How many states are evaluated between two looks at the clock: the memory of generated code holds so many beside the one that they were
/// copied from.
const BATCH: usize = 6;

/// A state that was met in a game.
struct Met {
    /// Who played, the seed, and the number of the decision: for messages.
    name: String,
    saved: Vec<i32>,
    seat: usize,
    /// The turns of which an action is chosen, if it is one.
    turns: Option<u16>,
    /// The options after which the action is over without a further question.
    ending: Vec<usize>,
}

impl Met {
    fn cells(&self) -> &[i32] {
        &self.saved[1..=self.saved[0] as usize]
    }

    /// Loads the cells alone, so that no value is kept. With generated code they lie in its memory afterwards: a number is asked for on which
    /// nothing depends that is measured.
    fn load_cells(&self, bench: &Bench<'_>, game: &mut Game) {
        game.on(bench.rules).load_position(self.cells());
        black_box(game.store(bench.rules).quantity(bench.unrelated, self.seat, [-1; 2]));
    }
}

struct Bench<'r> {
    rules: &'r Ruleset,
    style: Style,
    by_hand: ByHand,
    /// A quantity on which neither `worth` nor the options of a turn depend.
    unrelated: u16,
    native: Arc<Native>,
}

/// What one look costs, in ns.
#[derive(Clone, Copy, Default)]
struct Cost {
    worth: f64,
    list: f64,
    /// To copy the cells in; of a copy of another state, to bring what is known of it up to date, which is then part of the others.
    copy: f64,
}

/// Time and number of evaluations.
#[derive(Default)]
struct Spent {
    seconds: f64,
    times: usize,
}

impl Spent {
    fn time(&mut self, times: usize, f: impl FnOnce()) {
        let start = Instant::now();
        f();
        self.seconds += start.elapsed().as_secs_f64();
        self.times += times;
    }

    fn each(&self) -> f64 {
        self.seconds * 1e9 / self.times.max(1) as f64
    }
}

/// Plays whole games and returns the states in which somebody was asked.
fn play(rules: &Ruleset, host: &mut ScriptHost) -> Vec<Met> {
    let greedy = AgentKind::Greedy { style: String::new(), states: None };
    let mut met = Vec::new();
    for (name, kind) in [("greedy", greedy), ("random", AgentKind::Random)] {
        let mut agents = SeatAgents::new(&vec![kind; rules.players]);
        for index in 0..GAMES {
            let seed = seed_of_game(1, index);
            let mut game = Game::new(rules, seed);
            agents.begin_game(seed);
            for number in 0_u64.. {
                let Some(decision) = fine(name, game.on(rules).advance(host)) else { break };
                let (seat, question) = (decision.seat, decision.question);
                if !game.in_simultaneous_block() {
                    let turns = if let Question::Turn(turns) = question { Some(turns) } else { None };
                    let name = format!("decision {number} of the game of {name} players with seed {seed}");
                    met.push(Met { name, saved: game.save(), seat, turns, ending: Vec::new() });
                }
                let option = fine(name, agents.choose(rules, &game, host));
                fine(name, game.on(rules).answer(host, option));
            }
        }
    }
    met
}

fn fine<T, E: std::fmt::Debug>(what: &str, result: Result<T, E>) -> T {
    result.unwrap_or_else(|fault| give_up(&format!("{what}: {fault:?}")))
}

/// How much was compared.
#[derive(Default)]
struct Compared {
    worths: usize,
    varied: usize,
    worths_after: usize,
    lists: usize,
    options: usize,
}

impl Bench<'_> {
    /// A game that evaluates by generated code, or by the walker.
    fn game(&self, is_native: bool) -> Game {
        let mut game = Game::new(self.rules, 0);
        game.use_native(self.rules, is_native.then(|| self.native.clone()));
        game
    }

    fn compare_worth(&self, game: &mut Game, seat: usize, name: &dyn Fn() -> String) {
        let engine = game.store(self.rules).worth(seat, self.style);
        let hand = self.by_hand.worth(game.cells(), seat);
        if engine != hand {
            give_up(&format!("{}: to p{} it is worth {engine}, by hand {hand}", name(), seat + 1));
        }
    }

    fn compare_list(&self, game: &mut Game, seat: usize, turns: u16, name: &str) -> usize {
        let mut options = Vec::new();
        game.on(self.rules).list_turn(turns, seat, &mut options);
        let mut engine: Vec<Listed> = options.iter().map(|option| as_listed(self.rules, option)).collect();
        let mut hand = Vec::new();
        self.by_hand.list(game.cells(), seat, &mut hand);
        engine.sort_unstable();
        hand.sort_unstable();
        if engine != hand {
            let of = |these: &[Listed], those: &[Listed]| these.iter().filter(|one| !those.contains(one)).copied().collect::<Vec<_>>();
            let (more, fewer) = (of(&engine, &hand), of(&hand, &engine));
            give_up(&format!(
                "{name}: p{} may do {} things, by hand {}; only the engine has {more:?}, only the list by hand {fewer:?}",
                seat + 1,
                engine.len(),
                hand.len()
            ));
        }
        hand.len()
    }

    /// Compares all states, and finds the options that end an action.
    fn compare(&self, met: &mut [Met], host: &mut ScriptHost) -> Compared {
        let mut compared = Compared::default();
        let mut games = [self.game(true), self.game(false)];
        let mut after = Game::default();
        for one in met {
            for game in &mut games {
                one.load_cells(self, game);
                (0..self.rules.players).for_each(|seat| self.compare_worth(game, seat, &|| one.name.clone()));
                compared.worths += self.rules.players;
                if let Some(turns) = one.turns {
                    // Whoever has passed could do as much, were it its turn.
                    let options = (0..self.rules.players).map(|seat| self.compare_list(game, seat, turns, &one.name));
                    compared.options += options.sum::<usize>();
                    compared.lists += self.rules.players;
                }
                let mut varied = one.cells().to_vec();
                self.by_hand.vary(&mut varied, game.hash());
                game.on(self.rules).load_position(&varied);
                let name = format!("{}, with numbers changed by chance", one.name);
                for seat in 0..self.rules.players {
                    self.compare_worth(game, seat, &|| name.clone());
                    if let Some(turns) = one.turns {
                        self.compare_list(game, seat, turns, &name);
                    }
                    compared.varied += 1;
                }
            }
            if one.turns.is_none() {
                continue;
            }
            let [game, _] = &mut games;
            fine(&one.name, game.on(self.rules).load(host, &one.saved));
            game.store(self.rules).keep_worth(one.seat, self.style);
            for option in 0..game.decision().map_or(0, |decision| decision.options.len()) {
                after.clone_from(game);
                fine(&one.name, after.on(self.rules).answer(host, option));
                if after.decision().is_none() && !after.finished() && !after.in_simultaneous_block() {
                    self.compare_worth(&mut after, one.seat, &|| format!("{}, after option {option}", one.name));
                    compared.worths_after += 1;
                    one.ending.push(option);
                }
            }
        }
        compared
    }

    /// Measures states whose cells have just been copied in.
    fn measure_copied(&self, met: &[Met], games: &mut [Game]) -> Cost {
        let [mut worth, mut list, mut copy] = [const { Spent { seconds: 0.0, times: 0 } }; 3];
        let mut options: Vec<Opt> = Vec::new();
        for batch in met.chunks_exact(BATCH) {
            copy.time(BATCH, || batch.iter().zip(&mut *games).for_each(|(one, game)| one.load_cells(self, game)));
            worth.time(BATCH, || {
                for (one, game) in batch.iter().zip(&mut *games) {
                    black_box(game.store(self.rules).worth(one.seat, self.style));
                }
            });
            batch.iter().zip(&mut *games).for_each(|(one, game)| one.load_cells(self, game));
            list.time(BATCH, || {
                for (one, game) in batch.iter().zip(&mut *games) {
                    game.on(self.rules).list_turn(one.turns.unwrap_or_default(), one.seat, &mut options);
                    black_box(&options);
                }
            });
        }
        Cost { worth: worth.each(), list: list.each(), copy: copy.each() }
    }

    /// Measures the same by hand.
    fn measure_copied_by_hand(&self, met: &[Met], cells: &mut [Vec<i32>]) -> Cost {
        let [mut worth, mut list, mut copy] = [const { Spent { seconds: 0.0, times: 0 } }; 3];
        let mut options = Vec::new();
        for batch in met.chunks_exact(BATCH) {
            let mut load = || batch.iter().zip(&mut *cells).for_each(|(one, cells)| one.cells().clone_into(cells));
            copy.time(BATCH, &mut load);
            worth.time(BATCH, || {
                for (one, cells) in batch.iter().zip(&*cells) {
                    black_box(self.by_hand.worth(black_box(cells), one.seat));
                }
            });
            batch.iter().zip(&mut *cells).for_each(|(one, cells)| one.cells().clone_into(cells));
            list.time(BATCH, || {
                for (one, cells) in batch.iter().zip(&*cells) {
                    self.by_hand.list(black_box(cells), one.seat, &mut options);
                    black_box(&options);
                }
            });
        }
        Cost { worth: worth.each(), list: list.each(), copy: copy.each() }
    }

    /// Measures states after an option, as greedy looks at them: copied from the state before, with the values that the option has not
    /// changed. Returns the cost in the engine, and by hand on the same cells.
    fn measure_kept(&self, met: &[Met], host: &mut ScriptHost, (from, games): (&mut Game, &mut [Game])) -> [Cost; 2] {
        let [mut worth, mut list, mut copy, mut worth_by_hand, mut list_by_hand] = [const { Spent { seconds: 0.0, times: 0 } }; 5];
        let (mut options, mut listed): (Vec<Opt>, Vec<Listed>) = Default::default();
        for one in met {
            fine(&one.name, from.on(self.rules).load(host, &one.saved));
            from.store(self.rules).keep_worth(one.seat, self.style);
            for batch in one.ending.chunks(BATCH) {
                let games = &mut games[..batch.len()];
                let answer = |games: &mut [Game], host: &mut ScriptHost| {
                    for (&option, game) in batch.iter().zip(games) {
                        game.clone_from(from);
                        fine(&one.name, game.on(self.rules).answer(host, option));
                    }
                };
                answer(games, host);
                copy.time(batch.len(), || {
                    for game in &mut *games {
                        black_box(game.store(self.rules).quantity(self.unrelated, one.seat, [-1; 2]));
                    }
                });
                answer(games, host);
                worth.time(batch.len(), || {
                    for game in &mut *games {
                        black_box(game.store(self.rules).worth(one.seat, self.style));
                    }
                });
                worth_by_hand.time(batch.len(), || {
                    for game in &*games {
                        black_box(self.by_hand.worth(black_box(game.cells()), one.seat));
                    }
                });
                answer(games, host);
                list.time(batch.len(), || {
                    for game in &mut *games {
                        game.on(self.rules).list_turn(one.turns.unwrap_or_default(), one.seat, &mut options);
                        black_box(&options);
                    }
                });
                list_by_hand.time(batch.len(), || {
                    for game in &*games {
                        self.by_hand.list(black_box(game.cells()), one.seat, &mut listed);
                        black_box(&listed);
                    }
                });
            }
        }
        let [worth, list, copy, worth_by_hand, list_by_hand] = [worth, list, copy, worth_by_hand, list_by_hand].map(|spent| spent.each());
        [Cost { worth, list, copy }, Cost { worth: worth_by_hand, list: list_by_hand, copy: 0.0 }]
    }
}

/// What was measured in one turn: by hand, by generated code and by the walker.
struct Turn {
    copied: [Cost; 3],
    kept: [Cost; 3],
}

fn print(what: &str, turns: &[Turn], of: impl Fn(&Turn) -> [f64; 3]) {
    let [hand, native, walker] = [0, 1, 2].map(|way| median(turns.iter().map(|turn| of(turn)[way]).collect()));
    let ratio = |over: usize, under: usize| median(turns.iter().map(|turn| of(turn)[over] / of(turn)[under]).collect());
    // By hand nothing has to be brought up to date.
    let [by_hand, over] = if hand > 0.0 { [format!("{hand:.0}"), format!("{:.2}", ratio(1, 0))] } else { [const { String::new() }; 2] };
    println!("  {what:<38} {by_hand:>8} {native:>10.0} {walker:>8.0} {over:>20} {:>19.2}", ratio(2, 1));
}

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let (rules, mut host) = compile(None, "nations", 4);
    let rules = &*rules;
    let unrelated = rules.quantities.iter().position(|one| one.name == "golden_age_bonus").expect("a quantity") as u16;
    let native = Arc::new(fine("generated code", Native::compile_all(rules)));
    let bench = Bench { rules, style: rules.default_style(), by_hand: ByHand::new(rules), unrelated, native };
    set_back_end(BackEnd::Native);
    let mut met = play(rules, &mut host);
    if met.len() < FEWEST {
        give_up(&format!("only {} states were met", met.len()));
    }
    let compared = bench.compare(&mut met, &mut host);
    println!("nations, {} players, {GAMES} games of greedy players and {GAMES} of random ones:", rules.players);
    println!(
        "  worth by hand is that of generated code and of the walker in {} states for each seat ({} comparisons),",
        met.len(),
        compared.worths
    );
    println!(
        "  in the same with numbers changed by chance ({} comparisons), and in {} states after an option",
        compared.varied, compared.worths_after
    );
    println!(
        "  the options by hand are theirs for each seat in {} turns ({} comparisons, {:.1} options each), and in those with numbers changed",
        met.iter().filter(|one| one.turns.is_some()).count(),
        compared.lists,
        compared.options as f64 / compared.lists as f64
    );
    let mut turns: Vec<Met> = met.into_iter().filter(|one| one.turns.is_some() && !one.ending.is_empty()).collect();
    let (all, mut number) = (turns.len(), 0);
    // Some of all games, and a multiple of what is measured at once.
    turns.retain(|_| {
        number += 1;
        number * MEASURED / all != (number - 1) * MEASURED / all
    });
    let [mut native, mut walker] = [true, false].map(|is_native| (0..BATCH).map(|_| bench.game(is_native)).collect::<Vec<_>>());
    let [mut from_native, mut from_walker] = [true, false].map(|is_native| bench.game(is_native));
    let mut cells = vec![Vec::new(); BATCH];
    let mut measured = Vec::new();
    // The first turn only warms up.
    for turn in 0..=TURNS {
        let copied = [
            bench.measure_copied_by_hand(&turns, &mut cells),
            bench.measure_copied(&turns, &mut native),
            bench.measure_copied(&turns, &mut walker),
        ];
        let [of_native, of_hand] = bench.measure_kept(&turns, &mut host, (&mut from_native, &mut native));
        let [of_walker, _] = bench.measure_kept(&turns, &mut host, (&mut from_walker, &mut walker));
        if turn > 0 {
            measured.push(Turn { copied, kept: [of_hand, of_native, of_walker] });
        }
    }
    println!("{} turns, medians of {TURNS} turns by turns, in ns:", turns.len());
    println!(
        "  {:<38} {:>8} {:>10} {:>8} {:>20} {:>19}",
        "", "by hand", "generated", "walker", "generated / by hand", "walker / generated"
    );
    print("worth, nothing kept", &measured, |turn| turn.copied.map(|cost| cost.worth));
    print("options, nothing kept", &measured, |turn| turn.copied.map(|cost| cost.list));
    print("before either: to copy the cells in", &measured, |turn| turn.copied.map(|cost| cost.copy));
    print("worth, values kept (in greedy)", &measured, |turn| turn.kept.map(|cost| cost.worth));
    print("options, values kept", &measured, |turn| turn.kept.map(|cost| cost.list));
    print("part of either: to bring up to date", &measured, |turn| turn.kept.map(|cost| cost.copy));
}
