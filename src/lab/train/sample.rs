//! Samples states from self-play, with their outcomes: those up to which agents follow their answers.

use crate::cast;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::together::{GameTogether, outcomes_together};
use crate::agent::{AgentKind, SeatAgents, highest_hash_option};
use crate::diagnostic::Diagnostic;
use crate::engine::decision::Question;
use crate::engine::{Fault, Game, Ruleset, Scripts, Style};
use crate::playtest::MakeScripts;
use crate::state::chance::{draw, hash_text, join, seed_of_game};

/// A state after an action of a turn, or at any other question.
#[derive(Clone, Debug)]
pub struct StateSample {
    /// Number of the game.
    pub game: u64,
    /// Number of rounds left, or of rounds played if the end is unknown.
    pub time: f32,
    /// The seat that has made the last move, in turns; else the one that is asked.
    pub mover: usize,
    /// Number of sides: seat `s` is of side `s mod sides`.
    pub sides: usize,
    /// For each seat the value of each feature.
    pub feature_values: Vec<Vec<f32>>,
    /// For each seat its outcome: see [`outcome`], and [`outcomes_together`] where there is but one side.
    pub outcome: Vec<f32>,
}

/// The parameters of sampling.
#[derive(Clone, Copy, Debug)]
pub struct SamplePlan<'a> {
    /// Rules with the features as styles.
    pub rules: &'a Ruleset,
    /// The styles of the features.
    pub features: &'a [Style],
    /// The style that represents time.
    pub time: Style,
    /// Agent at every seat.
    pub agent: &'a AgentKind,
    /// Number of games.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Number of answers of a game. Up to this number are given at random at its beginning, so that the samples are diverse.
    pub answers: u64,
}

/// Approximate number of states that are kept of each game.
const STATES_PER_GAME: u64 = 40;
/// Number of games, out of ten, that begin with random answers.
const RANDOM_STARTS_IN_TEN: u64 = 6;
/// Number of questions after which a game is considered endless.
pub(super) const MAX_QUESTIONS: u64 = 100_000;

/// Amount of decision-making in a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecisionCounts {
    /// Number of answers given.
    pub answers: u64,
    /// Total number of options of all questions.
    pub options: u64,
    /// Number of answers that agents tried in sampled states.
    pub tried: u64,
}

/// The samples of one game and its amount of decision-making, or diagnostics of the scripts.
type SampleResult = Result<(Vec<StateSample>, DecisionCounts), Vec<Diagnostic>>;

/// The same with how the game ended.
type GameSamples = (Vec<StateSample>, DecisionCounts, GameTogether);

/// Plays games and samples their states; games that meet a fault are skipped. Returns also the mean amount of decision-making.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn sample(plan: &SamplePlan<'_>, scripts: &MakeScripts<'_>, stop: &AtomicBool) -> SampleResult {
    let make = || scripts().map(|scripts| (Game::default(), SeatAgents::new(&vec![plan.agent.clone(); plan.rules.players]), scripts));
    let played: Vec<Result<Option<GameSamples>, Vec<Diagnostic>>> = (0..cast::fit::<usize>(plan.games))
        .into_par_iter()
        .with_min_len(8)
        .map_init(make, |table, number| match table {
            Ok(_) if stop.load(Ordering::Relaxed) => Ok(None),
            Ok((game, seats, scripts)) => Ok(play(plan, game, seats, scripts.as_mut(), number as u64, stop).ok()),
            Err(faults) => Err(faults.clone()),
        })
        .collect();
    let (mut samples, mut all, mut games) = (Vec::new(), DecisionCounts::default(), 0);
    // A game that has met a fault has no end that others could be compared with.
    let played: Vec<GameSamples> = played.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let ends: Vec<GameTogether> = played.iter().map(|(_, _, end)| *end).collect();
    let of_all = if plan.rules.side_count() == 1 { outcomes_together(&ends) } else { Vec::new() };
    for (number, (mut found, width, _)) in played.into_iter().enumerate() {
        if let Some(&outcome) = of_all.get(number) {
            found.iter_mut().for_each(|sample| sample.outcome.fill(outcome));
        }
        samples.extend(found);
        all.answers += width.answers;
        all.options += width.options;
        all.tried += width.tried;
        games += u64::from(width.answers > 0);
    }
    let mean = |sum: u64| sum / games.max(1);
    Ok((samples, DecisionCounts { answers: mean(all.answers), options: mean(all.options), tried: mean(all.tried) }))
}

fn play(
    plan: &SamplePlan<'_>,
    game: &mut Game,
    seats: &mut SeatAgents,
    scripts: &mut dyn Scripts,
    number: u64,
    stop: &AtomicBool,
) -> Result<GameSamples, Fault> {
    let rules = plan.rules;
    let seed = seed_of_game(plan.seed, number);
    let own = join(hash_text("training"), seed);
    let by_chance = if draw(own, 0, 0) % 10 < RANDOM_STARTS_IN_TEN { draw(own, 0, 1) % plan.answers.max(1) } else { 0 };
    game.restart(rules, seed);
    seats.begin_game(seed);
    let before = seats.count_tried();
    let (mut samples, mut asked, mut options) = (Vec::new(), 0, 0);
    while game.on(rules).advance(scripts)?.is_some() {
        asked += 1;
        options += game.decision().map_or(0, |decision| decision.options.len() as u64);
        if asked > MAX_QUESTIONS {
            return Err(Fault::new("the game may never end"));
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Fault::new("the training was stopped"));
        }
        let chosen = match game.decision() {
            Some(decision) if asked <= by_chance => highest_hash_option(draw(own, 1, asked), &decision.options),
            _ => seats.choose_or_stop(rules, game, scripts, stop)?,
        };
        let (mover, in_turn) =
            game.decision().map_or((0, false), |decision| (decision.seat, matches!(decision.question, Question::Turn(_))));
        let taken = asked >= by_chance && draw(own, 2, asked).is_multiple_of(plan.answers.div_ceil(STATES_PER_GAME).max(1));
        if taken && !in_turn {
            samples.push(observe(plan, game, number, mover));
        }
        game.on(rules).answer(scripts, chosen)?;
        if taken && in_turn && game.decision().is_none() && !game.finished() {
            samples.push(observe(plan, game, number, mover));
        }
    }
    let outcome = outcome(rules, game);
    samples.iter_mut().for_each(|sample| sample.outcome.clone_from(&outcome));
    let end = GameTogether::of(rules, game, asked);
    Ok((samples, DecisionCounts { answers: asked, options, tried: seats.count_tried() - before }, end))
}

/// Returns the features of a state.
fn observe(plan: &SamplePlan<'_>, game: &mut Game, number: u64, mover: usize) -> StateSample {
    let value = |game: &mut Game, seat: usize, style: Style| game.store(plan.rules).worth(seat, style) as f32 / 1000.0;
    let time = value(game, 0, plan.time);
    let values = (0..plan.rules.players).map(|seat| plan.features.iter().map(|&style| value(game, seat, style)).collect()).collect();
    StateSample { game: number, time, mover, sides: plan.rules.side_count(), feature_values: values, outcome: Vec::new() }
}

/// Returns the outcome of a game for each seat: the mean lead of its side over the others in points, plus a bonus for winners as large as
/// the gap between first and last.
pub fn outcome(rules: &Ruleset, game: &mut Game) -> Vec<f32> {
    let mut points = points_of_sides(rules, game);
    let most = points.iter().copied().fold(f32::MIN, f32::max);
    let least = points.iter().copied().fold(f32::MAX, f32::min);
    let (winners, sides) = (game.store(rules).winners(), game.store(rules).winning_sides().len());
    winners.iter().filter(|seat| **seat < rules.players).for_each(|&seat| points[seat] += (most - least + 1.0) / sides as f32);
    relative_to_others(&points, rules.side_count())
}

/// Returns the mean lead of the side of each seat over the others in points at the end.
pub fn mean_leads(rules: &Ruleset, game: &mut Game) -> Vec<f32> {
    relative_to_others(&points_of_sides(rules, game), rules.side_count())
}

/// Returns for each seat the points of its side, negative where the fewest win.
fn points_of_sides(rules: &Ruleset, game: &mut Game) -> Vec<f32> {
    let sign = if rules.lowest_wins { -1.0 } else { 1.0 };
    (0..rules.players).map(|seat| sign * game.store(rules).score_of_side(rules.side(seat)) as f32).collect()
}

/// Returns the mean difference of each seat from those of other sides; without any it keeps its own value. Seat `s` is of side
/// `s mod sides`.
pub fn relative_to_others(values: &[f32], sides: usize) -> Vec<f32> {
    let mut sums = vec![0.0_f32; sides.max(1)];
    values.iter().enumerate().for_each(|(seat, value)| sums[seat % sides.max(1)] += value);
    let others = (values.len() - values.len() / sides.max(1)) as f32;
    let sum = values.iter().sum::<f32>();
    let relative = |(seat, own): (usize, &f32)| if others > 0.0 { own - (sum - sums[seat % sides.max(1)]) / others } else { *own };
    values.iter().enumerate().map(relative).collect()
}
