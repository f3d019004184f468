//! How strong players are in every small game: each kind of player meets another in all games, with seats swapped.
//!
//! `cargo run --release -p houserule-lab --example strength -- 40 search:points:25ms greedy [GAME…]`
//!
//! A kind that plays by the style `trained` is trained before it plays, from the rules without what they say a state is worth: for players who
//! search if `SEARCH` is a number of iterations. What it learns is kept in the folder `LEARNT`, and read again from there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "a tool of our own")]

use houserule_agent::{AgentKind, SeatAgents};
use houserule_engine::{Game, Ruleset};
use houserule_lab::steps::Steps;
use houserule_lab::train::{CompileFailure, Training, style_rules, train};
use houserule_rules::{self as lang, Setup};
use houserule_script::ScriptHost;
use houserule_source::source::Sources;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
        let began = Instant::now();
        let learnt = args[1..3].iter().any(|kind| kind.contains("trained")).then(|| kept(root.as_deref(), &name));
        let learning = began.elapsed().as_secs_f64();
        let rules = compile(root.as_deref(), &name, learnt.as_slice());
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
            "{name:12} {:5.1} % ± {:4.1}   {:7.2} ms, {:7.2} ms, {asked} answers a game, {:.1} s, learning {learning:.1} s",
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

/// Returns what was learnt before, which is kept in the folder that `LEARNT` names, or learns it now.
fn kept(root: Option<&Path>, name: &str) -> String {
    let file = std::env::var_os("LEARNT").map(|folder| Path::new(&folder).join(format!("{name}.rules")));
    if let Some(text) = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()) {
        return text;
    }
    let learnt = learn(root, name);
    if let Some(file) = file {
        std::fs::write(file, &learnt).unwrap();
    }
    learnt
}

/// Compiles a game with more rules for as few players as it has, at least two.
fn compile(root: Option<&Path>, name: &str, with: &[String]) -> Arc<Ruleset> {
    (2..5).find_map(|players| compile_for(root, name, with, players).ok()).unwrap_or_else(|| panic!("{name}"))
}

fn compile_for(root: Option<&Path>, name: &str, with: &[String], players: usize) -> Result<Arc<Ruleset>, CompileFailure> {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, root, name, &[], with, &mut diagnostics);
    let rules = text.and_then(|text| lang::compile(&text, &Setup { players, ..Setup::default() }, &mut diagnostics));
    rules.map(Arc::new).ok_or(CompileFailure { diagnostics, sources })
}

/// Returns changes that take away what the rules say a state is worth, and add others.
fn without(root: Option<&Path>, name: &str, more: &str) -> Vec<String> {
    let text = lang::load(&mut Sources::new(), root, name, &[], &[], &mut Vec::new()).unwrap();
    let has_worth = text.checked().rules.worths.iter().any(|worth| worth.style.is_empty());
    // It stands by itself or among what is for machine players.
    let removed = ["remove worth", "remove agents.worth"].into_iter().filter(|_| has_worth);
    let is_right = |change: &&str| {
        let mut diagnostics = Vec::new();
        lang::load(&mut Sources::new(), root, name, &[], &[(*change).to_string()], &mut diagnostics);
        diagnostics.is_empty()
    };
    let removed = removed.into_iter().find(is_right).map(str::to_string);
    assert_eq!(has_worth, removed.is_some(), "{name}");
    [removed, Some(more.to_string()).filter(|more| !more.is_empty())].into_iter().flatten().collect()
}

/// Trains players who know nothing of what the rules say a state is worth; returns what they have learnt as rules.
fn learn(root: Option<&Path>, name: &str) -> String {
    let players = compile(root, name, &[]).players;
    let text = lang::load(&mut Sources::new(), root, name, &[], &without(root, name, ""), &mut Vec::new()).unwrap();
    let learnt = train(&mut Training {
        checked: text.checked(),
        own_worth: None,
        compile: &mut |more| compile_for(root, name, &without(root, name, more), players),
        last_compiled: None,
        games: 300,
        lessons: 2,
        generations: None,
        terms: 60,
        search: std::env::var("SEARCH").ok().map(|number| number.parse().unwrap()),
        seed: 5,
        steps: Steps::default(),
        stop: &AtomicBool::new(false),
        on_event: &mut |_| {},
    });
    let learnt = learnt.unwrap_or_else(|failed| panic!("{name}: {:?}", failed.diagnostics));
    let model = learnt.best().cloned().unwrap_or_default();
    if std::env::var_os("SHOW").is_some() {
        println!("{}\n{}", learnt.text(), style_rules(text.checked(), None, &model));
    }
    let whole = lang::load(&mut Sources::new(), root, name, &[], &[], &mut Vec::new()).unwrap();
    style_rules(whole.checked(), None, &model)
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
        let winners = game.store(rules).winners();
        for &seat in &winners {
            won[sitting[seat]] += 1.0 / winners.len() as f64;
        }
        points[sitting[0]] += game.store(rules).score_of_side(0) as f64 + if winners.is_empty() { 0.0 } else { 1e9 };
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
