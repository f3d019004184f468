//! How strong players are in every small game: each kind of player meets another in all games, with seats swapped.
//!
//! `cargo run --release -p houserule-agent --example strength -- 40 search:points:25ms greedy [GAME…]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "a tool of our own")]

use houserule_agent::{AgentKind, SeatAgents};
use houserule_engine::{Game, Ruleset};
use houserule_rules::{self as lang, Setup};
use houserule_script::ScriptHost;
use houserule_source::source::Sources;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Folders of small games below the repository.
const ROOTS: [&str; 2] = ["examples/recipes", "tests/games"];

fn main() {
    houserule_engine::native::set_back_end(houserule_engine::native::BackEnd::Native);
    let args: Vec<String> = std::env::args().skip(1).collect();
    let deals: u64 = args[0].parse().unwrap();
    let kinds = [AgentKind::parse(&args[1]).unwrap(), AgentKind::parse(&args[2]).unwrap()];
    let only = &args[3..];
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut games: Vec<(Option<PathBuf>, String)> = Vec::new();
    for root in ROOTS {
        let mut names: Vec<String> = std::fs::read_dir(here.join(root).join("rules"))
            .unwrap()
            .flatten()
            .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".rules")?.to_string()))
            .collect();
        names.sort();
        games.extend(names.into_iter().map(|name| (Some(here.join(root)), name)));
    }
    // Other names are those of games inside the program.
    let built_in: Vec<_> =
        only.iter().filter(|name| games.iter().all(|(_, small)| small != *name)).map(|name| (None, name.clone())).collect();
    games.retain(|(_, name)| only.is_empty() || only.contains(name));
    games.extend(built_in);
    let (mut sum, mut least, mut count) = (0.0, 0, 0);
    for (root, name) in games {
        let rules = compile(root.as_deref(), &name);
        let began = Instant::now();
        let played: Vec<(f64, [f64; 4], u64)> =
            (0..deals as usize).into_par_iter().with_max_len(1).map(|deal| play_deal(&rules, &kinds, deal as u64)).collect();
        let share = played.iter().map(|one| one.0).sum::<f64>() / deals as f64;
        let error =
            (played.iter().map(|one| (one.0 - share).powi(2)).sum::<f64>() / (deals * deals.saturating_sub(1).max(1)) as f64).sqrt();
        let time = |at: usize| {
            1000.0 * played.iter().map(|one| one.1[at]).sum::<f64>() / played.iter().map(|one| one.1[at + 1]).sum::<f64>().max(1.0)
        };
        let asked = played.iter().map(|one| one.2).sum::<u64>() / deals / 2;
        println!(
            "{name:12} {:5.1} % ± {:4.1}   {:7.2} ms, {:7.2} ms, {asked} answers a game, {:.1} s",
            100.0 * share,
            196.0 * error,
            time(0),
            time(2),
            began.elapsed().as_secs_f64()
        );
        sum += share;
        least += u32::from(share >= 0.6);
        count += 1;
    }
    println!("mean {:.1} %, {least} of {count} at 60 % or more", 100.0 * sum / f64::from(count.max(1)));
}

fn compile(root: Option<&Path>, name: &str) -> Arc<Ruleset> {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let text = lang::load(&mut sources, root, name, &[], &[], &mut diagnostics).unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    (2..5)
        .find_map(|players| lang::compile(&text, &Setup { players, ..Setup::default() }, &mut Vec::new()).map(Arc::new))
        .unwrap_or_else(|| panic!("{name}"))
}

/// Plays a deal twice, with the seats swapped; returns the share of the first kind, for each kind seconds and answers, and all answers.
fn play_deal(rules: &Arc<Ruleset>, kinds: &[AgentKind; 2], deal: u64) -> (f64, [f64; 4], u64) {
    let mut seats = SeatAgents::new(kinds);
    seats.measure_thinking_time();
    let mut host = ScriptHost::new(rules).unwrap();
    let (mut won, mut points, mut asked) = ([0.0; 2], [0.0; 2], 0);
    let seed = houserule_state::chance::seed_of_game(77, deal);
    for first in 0..2 {
        let sitting: Vec<usize> = (0..rules.players).map(|seat| (rules.side(seat) + first) % 2).collect();
        let mut game = Game::new(rules, seed);
        seats.assign_seats(sitting.clone());
        seats.begin_game(seed);
        while game.on(rules).advance(&mut host).unwrap().is_some() {
            let chosen = seats.choose(rules, &game, &mut host).unwrap();
            game.on(rules).answer(&mut host, chosen).unwrap();
            asked += 1;
        }
        let winners = game.on(rules).winners();
        for &seat in &winners {
            won[sitting[seat]] += 1.0 / winners.len() as f64;
        }
        points[sitting[0]] += game.on(rules).score_of_side(0) as f64 + if winners.is_empty() { 0.0 } else { 1e9 };
    }
    let time = seats.take_thinking_time();
    let time = [time[0].0.as_secs_f64(), time[0].1 as f64, time[1].0.as_secs_f64(), time[1].1 as f64];
    let share = if rules.side_count() == 1 {
        if points[0] > points[1] {
            1.0
        } else if points[0] < points[1] {
            0.0
        } else {
            0.5
        }
    } else {
        won[0] / (won[0] + won[1]).max(1e-9)
    };
    (share, time, asked)
}
