//! Random playouts of every built-in game on one core, options enumerated at every decision, effects scripted, limits on.
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

mod dice_twin;

use dice_twin::Twin;
use houserule::diagnostic::render::render;
use houserule::engine::{Call, Game, Machine, Ruleset, Scripts, Stop};
use houserule::lang::{self, Setup};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use houserule::state::chance::{below, join, seed_of_game};
use std::sync::Arc;
use std::time::Instant;

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
        twin.finished() && (0..rules.players).all(|seat| game.on(rules).score(seat) == twin.score(seat))
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

/// Times the interpreter against the Dice Game written straight in Rust, turn about, so that both see the same machine.
fn against_the_twin(rules: &Arc<Ruleset>, host: &mut ScriptHost) {
    let players = rules.players;
    if !scores_agree(rules, host) {
        eprintln!("the twin does not play the same game");
        std::process::exit(1);
    }
    playouts_by_hand::<true>(players, 0.3);
    let (mut interpreter, mut twin, mut free) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..5 {
        let [a, b, c] = [playouts(rules, host, 0.6), playouts_by_hand::<true>(players, 0.6), playouts_by_hand::<false>(players, 0.6)];
        interpreter.push(a.games as f64 / a.seconds);
        twin.push(b.games as f64 / b.seconds);
        free.push(c.games as f64 / c.seconds);
    }
    let middle = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let (interpreter, twin, free) = (middle(&mut interpreter), middle(&mut twin), middle(&mut free));
    println!("  with {players} players: the interpreter {interpreter:.0} games/s, the hand-coded twin {twin:.0} games/s");
    println!("  the interpreter takes {:.1} times as long as the hand-coded twin", twin / interpreter);
    println!("  and {:.1} times as long as the twin freed of keys and of choosing by them ({free:.0} games/s)", free / interpreter);
}

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    // Words name games: all without any.
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for name in houserule::pack::list_games(None).into_iter().filter(|name| named.is_empty() || named.contains(name)) {
        let start = Instant::now();
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let text = lang::load(&mut sources, None, &name, &[], &[], &mut diagnostics);
        let rules = text.as_ref().and_then(|text| lang::compile(text, &Setup::default(), &mut diagnostics)).map(Arc::new);
        let Some(rules) = rules else {
            eprintln!("{}", render(&sources, &diagnostics, false));
            std::process::exit(1);
        };
        let Ok(mut host) = ScriptHost::new(&rules) else {
            eprintln!("{name}: scripts do not compile");
            std::process::exit(1);
        };
        println!("{name}: start-up with all content {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        playouts(&rules, &mut host, 0.3);
        let mut ratio = Vec::new();
        for (what, counts) in
            [("effects scripted", playouts(&rules, &mut host, 3.0)), ("without effects", playouts(&rules, &mut Silent, 3.0))]
        {
            println!(
                "  {what}: {:.0} games/s, {:.0} decisions/s, {:.1} decisions a game, {:.1} options a decision",
                counts.games as f64 / counts.seconds,
                counts.decisions as f64 / counts.seconds,
                counts.decisions as f64 / counts.games as f64,
                counts.options as f64 / counts.decisions as f64,
            );
            ratio.push(counts.decisions as f64 / counts.seconds);
        }
        println!("  decisions/s with scripts against without: {:.2}", ratio[0] / ratio[1]);
        if name == "nations-dice" {
            let setup = Setup { players: 2, ..Setup::default() };
            let rules = text.as_ref().and_then(|text| lang::compile(text, &setup, &mut diagnostics)).map(Arc::new);
            let Some((rules, mut host)) = rules.and_then(|rules| ScriptHost::new(&rules).ok().map(|host| (rules, host))) else {
                eprintln!("{name} for 2 players: {}", render(&sources, &diagnostics, false));
                std::process::exit(1);
            };
            playouts(&rules, &mut host, 0.3);
            against_the_twin(&rules, &mut host);
        }
    }
}
