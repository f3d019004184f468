//! Games of self-play, and what the states on their way were and came to.

use crate::cast;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::agent::{AgentKind, Seats, highest};
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Ruleset, Scripts, Style};
use crate::playtest::MakeScripts;
use crate::state::chance::{draw, hash_text, join, seed_of_game};

/// A state at rest, on the way of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The game.
    pub game: u64,
    /// Rounds still to come, or rounds gone where nobody knows how many will come.
    pub time: f32,
    /// Of each seat the value of each feature.
    pub values: Vec<Vec<f32>>,
    /// Of each seat what came of it: see [`outcome`].
    pub outcome: Vec<f32>,
}

/// How games are sampled.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The rules, with the features as styles.
    pub rules: &'a Ruleset,
    /// What states are valued by.
    pub features: &'a [Style],
    /// What stands for time.
    pub time: Style,
    /// Who plays, at every seat.
    pub agent: &'a AgentKind,
    /// How many games.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Answers in a game; so many of them at most are given by chance at its beginning, so that many sorts of states come up.
    pub answers: u64,
}

/// Of a game's states at rest about so many are kept at most.
const STATES: u64 = 40;
/// Of ten games, so many begin by chance.
const BY_CHANCE: u64 = 6;
/// A game with more questions than this will not end.
const MOST_QUESTIONS: u64 = 100_000;

/// How much there is to decide in a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Width {
    /// Answers that are given.
    pub answers: u64,
    /// Options of all questions together.
    pub options: u64,
    /// Answers that players try in imagined states.
    pub tried: u64,
}

/// What one game tells, and how much there was to decide; or what is wrong with the scripts.
type Sampled = Result<(Vec<Sample>, Width), Vec<Diagnostic>>;

/// Plays games and keeps some of their states; games that meet a fault are left out. Also says how much there is to decide in a game.
///
/// # Errors
/// What is wrong with the scripts.
pub fn sample(plan: &Plan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool) -> Sampled {
    let make = || scripts().map(|scripts| (Game::default(), Seats::new(&vec![plan.agent.clone(); plan.rules.players]), scripts));
    let played: Vec<Sampled> = (0..cast::fit::<usize>(plan.games))
        .into_par_iter()
        .with_min_len(8)
        .map_init(make, |table, number| match table {
            Ok(_) if stop.load(Ordering::Relaxed) => Ok((Vec::new(), Width::default())),
            Ok((game, seats, scripts)) => Ok(play(plan, game, seats, scripts.as_mut(), number as u64).unwrap_or_default()),
            Err(faults) => Err(faults.clone()),
        })
        .collect();
    let (mut samples, mut all, mut games) = (Vec::new(), Width::default(), 0);
    for one in played {
        let (found, width) = one?;
        samples.extend(found);
        all.answers += width.answers;
        all.options += width.options;
        all.tried += width.tried;
        games += u64::from(width.answers > 0);
    }
    let mean = |sum: u64| sum / games.max(1);
    Ok((samples, Width { answers: mean(all.answers), options: mean(all.options), tried: mean(all.tried) }))
}

fn play(
    plan: &Plan<'_>,
    game: &mut Game,
    seats: &mut Seats,
    scripts: &mut dyn Scripts,
    number: u64,
) -> Result<(Vec<Sample>, Width), Fault> {
    let rules = plan.rules;
    let seed = seed_of_game(plan.seed, number);
    let own = join(hash_text("training"), seed);
    let by_chance = if draw(own, 0, 0) % 10 < BY_CHANCE { draw(own, 0, 1) % plan.answers.max(1) } else { 0 };
    game.restart(rules, seed);
    seats.begin(seed);
    let before = seats.tried();
    let (mut samples, mut asked, mut options) = (Vec::new(), 0, 0);
    while game.on(rules).advance(scripts)?.is_some() {
        asked += 1;
        options += game.decision().map_or(0, |decision| decision.options.len() as u64);
        if asked > MOST_QUESTIONS {
            return Err(Fault::new("the game may never end"));
        }
        let chosen = match game.decision() {
            Some(decision) if asked <= by_chance => highest(draw(own, 1, asked), &decision.options),
            _ => seats.choose(rules, game, scripts)?,
        };
        game.on(rules).answer(scripts, chosen)?;
        let at_rest = game.decision().is_none() && !game.finished();
        if at_rest && asked >= by_chance && draw(own, 2, asked).is_multiple_of(plan.answers.div_ceil(STATES).max(1)) {
            samples.push(look(plan, game, number));
        }
    }
    let outcome = outcome(rules, game);
    samples.iter_mut().for_each(|sample| sample.outcome.clone_from(&outcome));
    Ok((samples, Width { answers: asked, options, tried: seats.tried() - before }))
}

/// The features of a state.
fn look(plan: &Plan<'_>, game: &mut Game, number: u64) -> Sample {
    let value = |game: &mut Game, seat: usize, style: Style| game.on(plan.rules).worth(seat, style) as f32 / 1000.0;
    let time = value(game, 0, plan.time);
    let values = (0..plan.rules.players).map(|seat| plan.features.iter().map(|&style| value(game, seat, style)).collect()).collect();
    Sample { game: number, time, values, outcome: Vec::new() }
}

/// What came of a game for each seat: how far it is ahead of the others on average, in points, with a prize for who wins that is as large
/// as what lies between the first and the last.
pub fn outcome(rules: &Ruleset, game: &mut Game) -> Vec<f32> {
    let sign = if rules.lowest_wins { -1.0 } else { 1.0 };
    let mut points: Vec<f32> = (0..rules.players).map(|seat| sign * game.on(rules).score(seat) as f32).collect();
    let most = points.iter().copied().fold(f32::MIN, f32::max);
    let least = points.iter().copied().fold(f32::MAX, f32::min);
    let winners = game.on(rules).winners();
    winners.iter().filter(|seat| **seat < rules.players).for_each(|&seat| points[seat] += (most - least + 1.0) / winners.len() as f32);
    beside_others(&points)
}

/// How many points each seat is ahead of the others on average at the end.
pub fn leads(rules: &Ruleset, game: &mut Game) -> Vec<f32> {
    let sign = if rules.lowest_wins { -1.0 } else { 1.0 };
    let points: Vec<f32> = (0..rules.players).map(|seat| sign * game.on(rules).score(seat) as f32).collect();
    beside_others(&points)
}

/// How much more each seat has than the others on average; alone, what it has.
pub fn beside_others(values: &[f32]) -> Vec<f32> {
    let (sum, others) = (values.iter().sum::<f32>(), values.len() as f32 - 1.0);
    values.iter().map(|own| if others > 0.0 { own - (sum - own) / others } else { *own }).collect()
}
