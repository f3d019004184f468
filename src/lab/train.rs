//! Trains an evaluation of states by self-play, for rules without a hand-written `worth`, or rules that were changed.
//!
//! Agents that look one answer ahead play against each other. States on the way are described by features derived from the declarations
//! of a player (`features`), relative to the other players, and a sparse linear model (`elastic_net`) predicts their outcome (fitted
//! lambda-returns; Sutton and Barto, *Reinforcement Learning*, 2nd edition, chapter 12). Since regression mistakes correlation for
//! causation, the weights are then improved by stochastic approximation (`spsa`): agents with randomly perturbed weights meet, and the
//! weights follow the better ones. Where all win or lose together, games with the same deals are compared instead (`together`). The result is rules text: a `style` in the rules of `agents`.

mod adapt;
mod features;
mod lessons;
mod model;
mod result;
mod sample;
mod search;
mod spsa;
mod together;
mod trial;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentKind, TRAINED};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::engine::native::share_code;
use crate::lang::checked::Checked;
use crate::playtest::{MakeScripts, script_host};
use crate::source::Sources;
use crate::state::chance::{hash_text, join};
use crate::steps::Steps;
pub use adapt::{Foundation, Meetings, adapt, found, meet_others, prepare, time_of_training};
use features::OWN_WORTH;
use lessons::{Taught, take_lessons};
pub use model::{Column, Model, Term};
pub use result::TrainingResult;
use spsa::WeightOptimiser;
use trial::play_trials;
pub use trial::{Duel, duel};

/// The parameters of a training.
pub struct Training<'a> {
    /// The rules without the style that is to be learnt, checked by the compiler.
    pub checked: &'a Checked,
    /// What the rules say a state is `worth`, as rules text; `None` if they say nothing.
    pub own_worth: Option<String>,
    /// Compiles the rules with additional rules text.
    pub compile: &'a mut dyn FnMut(&str) -> Result<Arc<Ruleset>, CompileFailure>,
    /// The rules that were compiled last, if any were: those with the same columns of other weights run by the same generated code.
    pub last_compiled: Option<Arc<Ruleset>>,
    /// Number of games of each lesson, and the most of each generation and of the comparison with the rules' own agent; where there is but one
    /// side, the most that each model plays.
    pub games: u64,
    /// Number of lessons: in each, agents play with the latest model and a new one is fitted. They are preceded by random games.
    pub lessons: usize,
    /// Number of generations of stochastic approximation; `None` for as many as the time budget allows.
    pub generations: Option<usize>,
    /// Maximum number of terms of the model.
    pub terms: usize,
    /// Number of iterations with which players search who are to go by what is learnt; `None` for players who look one answer ahead.
    pub search: Option<u32>,
    /// Seed of all random choices of the training.
    pub seed: u64,
    /// The steps of the training: what lessons have taught, and what came of games by models.
    pub steps: Steps<'a>,
    /// Set from outside to end the training early.
    pub stop: &'a AtomicBool,
    /// Receives progress events.
    pub on_event: &'a mut dyn FnMut(&TrainingEvent),
}

/// Rules with additional text that could not be compiled.
#[derive(Debug)]
pub struct CompileFailure {
    /// Diagnostics of the rules.
    pub diagnostics: Vec<Diagnostic>,
    /// Source texts that the diagnostics refer to.
    pub sources: Sources,
}

impl From<Vec<Diagnostic>> for CompileFailure {
    /// Diagnostics of scripts, which name no place in additional text.
    fn from(diagnostics: Vec<Diagnostic>) -> CompileFailure {
        CompileFailure { diagnostics, sources: Sources::new() }
    }
}

/// The result of a lesson.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LessonResult {
    /// Number of the lesson, from 1.
    pub lesson: usize,
    /// Number of states sampled.
    pub states: usize,
    /// Mean number of answers that agents tried in sampled states in a game.
    pub tried: u64,
    /// Number of candidate columns.
    pub columns: usize,
    /// Number of terms with a weight other than 0.
    pub terms: usize,
    /// Fraction of the target's variance that the model explains in held-out games.
    pub explained: f64,
}

/// Number of perturbations in a generation, each with both signs.
const PERTURBATIONS_PER_GENERATION: u64 = 12;
/// Maximum number of columns in the stochastic approximation.
const MAX_COLUMNS: usize = 100;
/// Budget of all generations together, as the number of answers tried in sampled states, if the number of generations is not given: for
/// `MAX_COLUMNS` weights. More weights take more games, and more of them in each generation; for fewer the budget falls with the third power of their number.
const BUDGET_OF_MOST_WEIGHTS: u64 = 150_000_000;
/// Minimum budget of all generations together.
const MIN_BUDGET: u64 = 4_000_000;
/// Minimum number of generations, whatever the budget: fewer games are played in each instead.
const MIN_GENERATIONS: u64 = 60;
/// Minimum number of games in a generation.
const MIN_GAMES_IN_GENERATION: u64 = 48;
/// Maximum number of generations, whatever the budget.
const MAX_GENERATIONS: u64 = 2000;
/// Numbers of sampled states at each question that are compared; more are used if they probably win more.
const STATE_COUNTS: [u32; 3] = [1, 4, 16];
/// Number of times as long as with one state that agents take with each of these numbers of states, about: see [`crate::agent::GreedyAgent`].
const COSTS_OF_STATES: [u64; 3] = [1, 3, 6];
/// Minimum number of deals, each played twice, for comparing numbers of sampled states; where the budget allows fewer, they are not compared.
const MIN_DEALS: u64 = 60;
/// Maximum number of deals, each played twice, for comparing numbers of sampled states.
const MAX_DEALS: u64 = 2000;
/// Budget of the comparison of models, of each comparison of numbers of sampled states, and of the last one with the default agent, as the
/// number of answers tried in sampled states.
const COMPARISON_BUDGET: u64 = 2_000_000;
/// Minimum number of games, whatever the budget, in which models are compared.
const MIN_TRIALS: u64 = 100;
/// Minimum number of deals, each played twice, against the default agent.
const MIN_LAST_DEALS: u64 = 50;
/// Number of checkpoints of the stochastic approximation.
const CHECKPOINTS: usize = 4;

/// A progress event of a training.
#[derive(Clone, Debug)]
pub enum TrainingEvent {
    /// A lesson has ended.
    Lesson(LessonResult),
    /// A generation has ended: its number, from 1, and the total.
    Generation(usize, usize),
}

/// Runs a training.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn train(training: &mut Training<'_>) -> Result<TrainingResult, CompileFailure> {
    if let Some(iterations) = training.search {
        return search::train(training, iterations);
    }
    let Taught { mut models, columns, of_greedy, tried, .. } = take_lessons(training)?;
    let mut greedy = None;
    if let Some(model) = models.last().filter(|_| !training.is_stopped()).cloned() {
        let (generations, games) = generations(training, tried, columns.len());
        models.extend(evolve(training, &model, columns, generations, games)?);
        // What greedy players go by meets what was learnt.
        greedy = of_greedy.as_ref().map(|_| models.len());
        models.extend(of_greedy);
    }
    let won = if models.is_empty() { Vec::new() } else { play_models(training, &models, tried)? };
    let mut learnt = TrainingResult { models, won, ..TrainingResult::default() };
    if let Some(best) = learnt.at_best() {
        meet_default(training, &mut learnt, best, tried)?;
        if let Some(greedy) = greedy.filter(|greedy| *greedy != best && learnt.is_worse_than_untrained()) {
            learnt.greedy_instead = Some(greedy);
            meet_default(training, &mut learnt, greedy, tried)?;
        }
    }
    learnt.stopped = training.is_stopped();
    Ok(learnt)
}

/// Chooses the number of states for a model, and plays it against the default agent.
fn meet_default(training: &mut Training<'_>, learnt: &mut TrainingResult, at: usize, tried: u64) -> Result<(), CompileFailure> {
    (learnt.models[at].states, learnt.untried) = choose_states(training, &learnt.models[at], tried)?;
    let model = learnt.models[at].clone();
    learnt.duel = duel_with_default(training, &model, model.states, tried, COMPARISON_BUDGET, MIN_LAST_DEALS)?;
    // With the number of states that is enough among equals, others may know better.
    for more in STATE_COUNTS.into_iter().filter(|states| *states > model.states && !learnt.untried.contains(states)) {
        let so_far = learnt.duel.difference();
        if so_far.interval[1] >= 0.0 {
            break;
        }
        let duel = duel_with_default(training, &model, more, tried, COMPARISON_BUDGET, MIN_LAST_DEALS)?;
        if duel.difference().difference > so_far.difference {
            (learnt.models[at].states, learnt.duel) = (more, duel);
        }
    }
    Ok(())
}

/// Returns the number of generations that the budget for so many weights allows if agents try this number of answers in a game, and the number
/// of games in each.
fn generations(training: &Training<'_>, tried: u64, weights: usize) -> (usize, u64) {
    let share = weights as f64 / MAX_COLUMNS as f64;
    let games_in_all = cast::whole::<u64>(BUDGET_OF_MOST_WEIGHTS as f64 * share.powi(3)).max(MIN_BUDGET) / tried;
    let games = (games_in_all / MIN_GENERATIONS).max(MIN_GAMES_IN_GENERATION).min(training.games).max(1);
    let generations = cast::fit::<usize>((games_in_all / games).clamp(MIN_GENERATIONS, MAX_GENERATIONS));
    training.generations.map_or((generations, games), |generations| (generations, games))
}

/// Returns about how many times as long as with one state agents take with this number.
fn cost_of_states(states: u32) -> u64 {
    STATE_COUNTS.into_iter().zip(COSTS_OF_STATES).find(|(count, _)| *count >= states).map_or(COSTS_OF_STATES[2], |(_, cost)| cost)
}

/// Returns the number of states that agents with this model should sample, and the numbers that were not compared since games are too long:
/// a larger number is chosen if it probably wins more. `tried` is the number of answers that an agent with one state tries in a game.
fn choose_states(training: &mut Training<'_>, model: &Model, tried: u64) -> Result<(u32, Vec<u32>), CompileFailure> {
    let (mut chosen, mut untried) = (STATE_COUNTS[0], Vec::new());
    for more in STATE_COUNTS.into_iter().skip(1) {
        let cost = tried * 2 * (cost_of_states(chosen) + cost_of_states(more)) / 2;
        let deals = (COMPARISON_BUDGET / cost.max(1)).min(MAX_DEALS);
        if deals < MIN_DEALS {
            untried.push(more);
            continue;
        }
        let found = duel_of(training, model, &[trained_agent(chosen), trained_agent(more)], deals, "states")?.difference();
        // Half of Student's 95 % interval below the difference: better in five of six cases. More states only take more time.
        if found.difference + found.interval[0] > 0.0 {
            chosen = more;
        }
    }
    Ok((chosen, untried))
}

/// Plays the default agent of the rules against one with this model and number of states.
fn duel_with_default(
    training: &mut Training<'_>,
    model: &Model,
    states: u32,
    tried: u64,
    budget: u64,
    fewest: u64,
) -> Result<Duel, CompileFailure> {
    let rivals = [AgentKind::with_style(""), trained_agent(states)];
    let cost = tried * 2 * (cost_of_states(states) + COSTS_OF_STATES[1]);
    let deals = training.games.min((budget / cost.max(1)).max(fewest));
    duel_of(training, model, &rivals, deals, "duel")
}

/// Returns the agent that plays by the trained style with this number of sampled states; 0 leaves the number to the agent.
fn trained_agent(states: u32) -> AgentKind {
    AgentKind::Greedy { style: TRAINED.to_string(), states: (states > 0).then_some(states) }
}

/// Plays two agents that use this model against each other, with deals from the stream of this name.
fn duel_of(training: &mut Training<'_>, model: &Model, rivals: &[AgentKind; 2], deals: u64, stream: &str) -> Result<Duel, CompileFailure> {
    if training.is_stopped() {
        return Ok(Duel::default());
    }
    let seed = join(training.seed, hash_text(stream));
    training.play(
        std::slice::from_ref(model),
        |_| TRAINED.to_string(),
        |rules, scripts, stop| trial::duel(rules, rivals, deals, seed, scripts, stop),
    )
}

/// Improves the weights of a model in so many generations of so many games. Returns a checkpoint of every quarter.
fn evolve(
    training: &mut Training<'_>,
    model: &Model,
    columns: Vec<(Column, f64)>,
    generations: usize,
    games: u64,
) -> Result<Vec<Model>, CompileFailure> {
    let mut evolution = WeightOptimiser::new(model, columns, training.seed);
    let mut checkpoints = Vec::new();
    for generation in 0..generations {
        let moved: Vec<Model> = (0..PERTURBATIONS_PER_GENERATION).flat_map(|number| evolution.perturbed(number)).collect();
        let won = mean_outcomes(training, &moved, games, join(training.seed, hash_text("generation") ^ generation as u64))?;
        if training.is_stopped() {
            break;
        }
        let pairs: Vec<[f64; 2]> = won.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        evolution.learn(&pairs, generation as f64 / generations as f64);
        (training.on_event)(&TrainingEvent::Generation(generation + 1, generations));
        if (generation + 1) % generations.div_ceil(CHECKPOINTS) == 0 || generation + 1 == generations {
            checkpoints.push(evolution.model());
        }
    }
    Ok(checkpoints)
}

/// Plays games with each model at tables with the others; returns the mean outcome of each model.
fn mean_outcomes(training: &mut Training<'_>, models: &[Model], games: u64, seed: u64) -> Result<Vec<f64>, CompileFailure> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    // Many games with one sampled state tell more than few with many.
    let agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::Greedy { style: name(at), states: Some(1) }).collect();
    training.play(models, name, |rules, scripts, stop| trial::outcomes(rules, &agents, games, seed, scripts, stop))
}

/// Plays the models against each other and against the rules' own `worth`; nothing is returned once the training is stopped.
fn play_models(training: &mut Training<'_>, models: &[Model], tried: u64) -> Result<Vec<(f64, u64)>, CompileFailure> {
    if training.is_stopped() {
        return Ok(Vec::new());
    }
    let name = |at: usize| format!("{TRAINED}_{at}");
    let mut agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::with_style(&name(at))).collect();
    agents.push(AgentKind::with_style(""));
    let (seed, most) = (join(training.seed, hash_text("trial")), training.games);
    training.play(models, name, |rules, scripts, stop| {
        // Where all win or lose together, each game is one of one agent.
        let most = if rules.side_count() == 1 { most * agents.len() as u64 } else { most };
        let games = (COMPARISON_BUDGET / (tried * COSTS_OF_STATES[1])).max(MIN_TRIALS).min(most);
        play_trials(rules, &agents, games, seed, scripts, stop)
    })
}

/// Writes a model as rules text: the style of trained agents, to be added to the rules. `own_worth` is what these say a state is worth.
pub fn style_rules(checked: &Checked, own_worth: Option<&str>, model: &Model) -> String {
    let own_worth = own_worth.filter(|_| model.terms.iter().any(|term| term.column.feature == OWN_WORTH));
    let lines: Vec<String> = own_worth.map(own_worth_line).into_iter().chain([model.style_lines(TRAINED)]).collect();
    agents_block(checked.rules.has_agents, &lines)
}

/// Writes what the rules say a state is worth under the name by which models know it.
fn own_worth_line(own_worth: &str) -> String {
    format!("  define {OWN_WORTH} = {own_worth}")
}

impl Training<'_> {
    /// Whether the training was stopped from outside: nothing more is played or compiled, and what was learnt before is the result.
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the result of the next step: what a run before has kept of it, or what comes of it now, which is kept unless the training is stopped.
    fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        play: impl FnOnce(&mut Self) -> Result<T, CompileFailure>,
    ) -> Result<T, CompileFailure> {
        if let Some(kept) = self.steps.take_over() {
            return Ok(kept);
        }
        let played = play(self)?;
        if !self.is_stopped() {
            self.steps.keep(&played);
        }
        Ok(played)
    }

    /// Plays games by rules that have a style for each model, as a step. `name` names the styles.
    fn play<T: Serialize + DeserializeOwned>(
        &mut self,
        models: &[Model],
        name: impl Fn(usize) -> String,
        play: impl FnOnce(&Ruleset, &MakeScripts<'_>, &AtomicBool) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, CompileFailure> {
        self.step(|training| {
            let rules = training.compile_models(models, name)?;
            Ok(play(&rules, &|| script_host(&rules), training.stop)?)
        })
    }

    /// Compiles the rules with lines for machine players.
    ///
    /// # Errors
    /// Diagnostics of the rules.
    fn compile_with(&mut self, mut lines: Vec<String>) -> Result<Arc<Ruleset>, CompileFailure> {
        lines.extend(self.own_worth.as_deref().map(own_worth_line));
        let rules = (self.compile)(&agents_block(self.checked.rules.has_agents, &lines))?;
        if let Some(last) = self.last_compiled.replace(rules.clone()) {
            share_code(&last, &rules);
        }
        Ok(rules)
    }

    /// Compiles the rules with a style for each model, under the name that `name` gives it.
    ///
    /// # Errors
    /// Diagnostics of the rules.
    fn compile_models(&mut self, models: &[Model], name: impl Fn(usize) -> String) -> Result<Arc<Ruleset>, CompileFailure> {
        let lines = models.iter().enumerate().map(|(at, model)| model.ordered_by_column().style_lines(&name(at)));
        self.compile_with(lines.collect())
    }
}

/// Wraps lines in a block `agents { … }`.
pub fn agents_block(extend: bool, lines: &[String]) -> String {
    format!("{}agents {{\n{}\n}}\n", if extend { "extend " } else { "" }, lines.join("\n"))
}
