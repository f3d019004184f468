//! Random playouts of every built-in game and of two small ones on one core, options enumerated at every decision, effects scripted, limits
//! on: by code that is generated before the first game, and by turns with it by the walker.
//!
//! `cargo bench` prints figures of this machine, `cargo bench --bench playouts -- GAME` those of one game; no figure is a pass mark.

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
mod dice_twin;
mod measure;

use compiled::{compile, give_up};
use dice_twin::Twin;
use houserule::engine::native::{BackEnd, set_back_end};
use houserule::engine::{Call, Game, Machine, Ruleset, Scripts, Stop};
use houserule::script::ScriptHost;
use houserule::state::chance::{below, join, seed_of_game};
use measure::median;
use std::path::Path;
use std::time::Instant;

/// How often each way is measured, one after the other, so that all see the same machine.
const TURNS: usize = 5;
/// How long each way is measured in each turn.
const SECONDS: f64 = 0.6;
/// How long each way runs before it is measured.
const WARM: f64 = 0.3;

/// Small games that are no built-in ones: their folder, their name and the number of players.
const SMALL: [(&str, &str, usize); 2] = [("examples/recipes", "columns", 2), ("tests/games", "dormice", 2)];

/// Scripts that do nothing: what the engine alone costs.
struct Silent;

impl Scripts for Silent {
    fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
        Ok(())
    }
}

#[derive(Default)]
struct Counts {
    games: u64,
    decisions: u64,
    options: u64,
    seconds: f64,
}

impl Counts {
    fn games_a_second(&self) -> f64 {
        self.games as f64 / self.seconds
    }

    fn decisions_a_second(&self) -> f64 {
        self.decisions as f64 / self.seconds
    }
}

/// Plays by one back end from the first game on.
fn playouts_by(back_end: BackEnd, rules: &Ruleset, scripts: &mut dyn Scripts, seconds: f64) -> Counts {
    set_back_end(back_end);
    playouts(rules, scripts, seconds)
}

fn playouts(rules: &Ruleset, scripts: &mut dyn Scripts, seconds: f64) -> Counts {
    let mut game = Game::new(rules, 0);
    let mut counts = Counts::default();
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        let seed = seed_of_game(1, counts.games);
        game.restart(rules, seed);
        let mut number = 0_u64;
        while let Ok(Some(decision)) = game.on(rules).advance(scripts) {
            let key = join(seed, number);
            let best = decision.options.iter().enumerate().max_by_key(|(_, o)| join(key, o.key));
            counts.options += decision.options.len() as u64;
            let option = best.map_or(0, |b| b.0);
            number += 1;
            if game.on(rules).answer(scripts, option).is_err() {
                break;
            }
        }
        counts.decisions += number;
        counts.games += 1;
    }
    counts.seconds = start.elapsed().as_secs_f64();
    counts
}

/// Whether the twin ends some games with the scores of the interpreter; `cargo test` compares every step.
fn scores_agree(rules: &Ruleset, scripts: &mut dyn Scripts) -> bool {
    let mut game = Game::new(rules, 0);
    let mut twin = Twin::<true>::new(rules.players, 0);
    (0..100).all(|index| {
        let seed = seed_of_game(1, index);
        game.restart(rules, seed);
        twin.restart(seed);
        let mut number = 0_u64;
        while let Ok(Some(decision)) = game.on(rules).advance(scripts) {
            let option = below(join(seed, number), decision.options.len() as u32) as usize;
            number += 1;
            if game.on(rules).answer(scripts, option).is_err() {
                return false;
            }
            twin.answer(option);
        }
        twin.finished() && (0..rules.players).all(|seat| game.store(rules).score(seat) == twin.score(seat))
    })
}

/// Games by the twin: with keys the same as [`playouts`] plays; without, freed of our keys and of choosing by them, it takes an
/// option by its number.
fn playouts_by_hand<const KEYS: bool>(players: usize, seconds: f64) -> Counts {
    let mut twin = Twin::<KEYS>::new(players, 0);
    let mut counts = Counts::default();
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        let seed = seed_of_game(1, counts.games);
        twin.restart(seed);
        let mut number = 0_u64;
        while let Some((_, options)) = twin.decision() {
            let key = join(seed, number);
            counts.options += options.len() as u64;
            let option = if KEYS {
                options.iter().enumerate().max_by_key(|(_, option)| join(key, **option)).map_or(0, |best| best.0)
            } else {
                below(key, options.len() as u32) as usize
            };
            number += 1;
            twin.answer(option);
        }
        counts.decisions += number;
        counts.games += 1;
    }
    counts.seconds = start.elapsed().as_secs_f64();
    counts
}

/// The rates that were measured by turns, in games a second.
fn middle(turns: &[Counts]) -> f64 {
    median(turns.iter().map(Counts::games_a_second).collect())
}

/// Times the engine against the Dice Game written straight in Rust, turn about, so that both see the same machine.
fn against_the_twin(rules: &Ruleset, host: &mut ScriptHost) {
    let players = rules.players;
    for back_end in [BackEnd::Native, BackEnd::Walker] {
        set_back_end(back_end);
        if !scores_agree(rules, host) {
            give_up("the twin does not play the same game");
        }
    }
    playouts_by_hand::<true>(players, WARM);
    let [mut native, mut walker, mut twin, mut free] = [const { Vec::new() }; 4];
    for _ in 0..TURNS {
        native.push(playouts_by(BackEnd::Native, rules, host, SECONDS));
        walker.push(playouts_by(BackEnd::Walker, rules, host, SECONDS));
        twin.push(playouts_by_hand::<true>(players, SECONDS));
        free.push(playouts_by_hand::<false>(players, SECONDS));
    }
    let [native, walker, twin, free] = [native, walker, twin, free].map(|turns| middle(&turns));
    println!("  with {players} players: generated code {native:.0} games/s, the walker {walker:.0}, the hand-coded twin {twin:.0}");
    for (what, rate) in [("generated code", native), ("the walker", walker)] {
        println!(
            "  {what} takes {:.1} times as long as the twin, and {:.1} times as long as the twin freed of keys and of choosing by them ({free:.0} games/s)",
            twin / rate,
            free / rate
        );
    }
}

/// Measures a game, by turns with generated code, with the walker, and with generated code without what cards do.
fn measure_game(root: Option<&Path>, name: &str, players: usize) {
    let start = Instant::now();
    let (rules, mut host) = compile(root, name, players);
    let started = start.elapsed();
    let start = Instant::now();
    set_back_end(BackEnd::Native);
    if !Game::new(&rules, 0).is_native() {
        give_up(&format!("{name}: no code can be generated"));
    }
    let (players, generated) = (rules.players, start.elapsed().as_secs_f64() * 1e3);
    println!(
        "{name}, {players} players: start-up with all content {:.1} ms, generated code {generated:.0} ms",
        started.as_secs_f64() * 1e3
    );
    let [mut native, mut walker, mut silent] = [const { Vec::new() }; 3];
    for back_end in [BackEnd::Native, BackEnd::Walker] {
        playouts_by(back_end, &rules, &mut host, WARM);
    }
    for _ in 0..TURNS {
        native.push(playouts_by(BackEnd::Native, &rules, &mut host, SECONDS));
        walker.push(playouts_by(BackEnd::Walker, &rules, &mut host, SECONDS));
        if !rules.scripts.is_empty() {
            silent.push(playouts_by(BackEnd::Native, &rules, &mut Silent, SECONDS));
        }
    }
    let measured = [("generated code", &native), ("the walker", &walker), ("generated code, without effects", &silent)];
    for (what, turns) in measured.into_iter().filter(|(_, turns)| !turns.is_empty()) {
        let sum = |of: fn(&Counts) -> u64| turns.iter().map(of).sum::<u64>() as f64;
        let (games, decisions, options) = (sum(|one| one.games), sum(|one| one.decisions), sum(|one| one.options));
        println!(
            "  {what}: {:.0} games/s, {:.0} decisions/s, {:.1} decisions a game, {:.1} options a decision",
            middle(turns),
            median(turns.iter().map(Counts::decisions_a_second).collect()),
            decisions / games,
            options / decisions,
        );
    }
    let ratio = |these: &[Counts], those: &[Counts]| {
        median(these.iter().zip(those).map(|(one, other)| one.decisions_a_second() / other.decisions_a_second()).collect())
    };
    println!("  decisions/s by generated code against the walker: {:.2}", ratio(&native, &walker));
    if !silent.is_empty() {
        println!("  decisions/s with scripts against without: {:.2}", ratio(&native, &silent));
    }
}

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    // Words name games: all without any.
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |name: &str| named.is_empty() || named.iter().any(|wanted| wanted == name);
    for name in houserule::pack::list_games(None).into_iter().filter(|name| is_wanted(name)) {
        measure_game(None, &name, 0);
        if name == "nations-dice" {
            let (rules, mut host) = compile(None, &name, 2);
            against_the_twin(&rules, &mut host);
        }
    }
    for (folder, name, players) in SMALL.into_iter().filter(|(_, name, _)| is_wanted(name)) {
        measure_game(Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)), name, players);
    }
}
