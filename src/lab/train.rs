//! Trains an evaluation of states by self-play, for rules without a hand-written `worth`, or rules that were changed.
//!
//! Agents that look one answer ahead play against each other. States on the way are described by features derived from the declarations
//! of a player (`features`), relative to the other players, and a sparse linear model (`fit`) predicts their outcome (fitted
//! lambda-returns; Sutton and Barto, *Reinforcement Learning*, 2nd edition, chapter 12). Since regression mistakes correlation for
//! causation, the weights are then improved by stochastic approximation (`spsa`): agents with randomly perturbed weights meet, and the
//! weights follow the better ones. The result is rules text: a `style` in the rules of `agents`.

mod features;
mod fit;
mod model;
mod result;
mod sample;
mod spsa;
mod trial;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::agent::{AgentKind, TRAINED};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::{Ruleset, Scripts, Style};
use crate::lang::checked::Checked;
use crate::script::ScriptHost;
use crate::source::{Sources, Span};
use crate::state::chance::{hash_text, join};
use features::Feature;
pub use model::{Column, Model, Term};
pub use result::TrainingResult;
use sample::{DecisionCounts, SamplePlan, sample};
use spsa::WeightOptimiser;
pub use trial::Duel;
use trial::play_trials;

/// The parameters of a training.
pub struct Training<'a> {
    /// The rules without the style that is to be learnt, checked by the compiler.
    pub checked: &'a Checked,
    /// Compiles the rules with additional rules text.
    pub compile: &'a mut dyn FnMut(&str) -> Result<Arc<Ruleset>, CompileFailure>,
    /// Number of games of each lesson.
    pub games: u64,
    /// Number of lessons: in each, agents play with the latest model and a new one is fitted. They are preceded by random games.
    pub lessons: usize,
    /// Number of generations of stochastic approximation; `None` for as many as the time budget allows.
    pub generations: Option<usize>,
    /// Maximum number of terms of the model.
    pub terms: usize,
    /// Seed of all random choices of the training.
    pub seed: u64,
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

/// The result of a lesson.
#[derive(Clone, Debug, Serialize)]
pub struct LessonResult {
    /// Number of the lesson, from 1.
    pub lesson: usize,
    /// Number of states sampled.
    pub states: usize,
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
/// Budget of all generations together, as the number of answers tried in sampled states, if the number of generations is not given.
const TRIED_ANSWERS_BUDGET: u64 = 150_000_000;
/// Minimum number of generations, whatever the budget.
const MIN_GENERATIONS: u64 = 120;
/// Maximum number of generations, whatever the budget.
const MAX_GENERATIONS: u64 = 2000;
/// Numbers of sampled states at each question that are compared; more are used only if fewer win clearly less.
const STATE_COUNTS: [u32; 3] = [1, 4, 16];
/// Maximum number of options per game, times states, up to which larger numbers of states are compared.
const MAX_OPTIONS_EXAMINED: u64 = 12_500;
/// Minimum number of deals, each played twice, for comparing numbers of sampled states.
const MIN_DEALS: u64 = 400;
/// Maximum number of deals, each played twice, for comparing numbers of sampled states.
const MAX_DEALS: u64 = 2000;
/// Budget for comparing numbers of sampled states, as the number of options examined.
const DEAL_OPTIONS_BUDGET: u64 = 20_000_000;
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
    let mut base = accepted_features(training)?;
    let has_agents = training.checked.has_agents();
    let time = if training.checked.rules.rounds.is_some() { "rounds_left" } else { "round" };
    let mut models: Vec<Model> = Vec::new();
    let mut width = DecisionCounts::default();
    let mut last = Vec::new();
    for lesson in 0..=training.lessons {
        let learnt = models.last().map(|model| model.style_lines(TRAINED));
        let (rules, styles, time_style) = with_styles(training, &base, time, has_agents, learnt)?;
        let agent = if models.is_empty() { AgentKind::Random } else { AgentKind::trained() };
        // The first, random games show which features vary.
        let games = if lesson == 0 { training.games / 4 } else { training.games }.max(1);
        let seed = join(training.seed, hash_text("lesson") ^ lesson as u64);
        let plan = SamplePlan { rules: &rules, features: &styles, time: time_style, agent: &agent, games, seed, answers: width.answers };
        let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
        let (samples, wide) =
            sample(&plan, &make, training.stop).map_err(|diagnostics| CompileFailure { diagnostics, sources: Sources::new() })?;
        width = wide;
        if training.stop.load(Ordering::Relaxed) || samples.is_empty() {
            break;
        }
        let (model, columns) = model::learn(&base, time, &samples, training.terms);
        let heard =
            LessonResult { lesson: lesson + 1, states: samples.len(), columns, terms: model.terms.len(), explained: model.explained };
        (training.on_event)(&TrainingEvent::Lesson(heard));
        if lesson == 0 && training.lessons > 0 {
            let varies = model::varying_features(&base, &samples);
            base = base.into_iter().zip(varies).filter(|(_, varies)| *varies).map(|(text, _)| text).collect();
        }
        models.push(model);
        last = samples;
    }
    let options = width.options;
    if let Some(model) = models.last().cloned() {
        let generations = training.generations.unwrap_or_else(|| generations(width.tried.max(options) * training.games));
        evolve(training, generations, &mut models, model::select_columns(&base, time, &last, &model, MAX_COLUMNS))?;
    }
    let won = if models.is_empty() { Vec::new() } else { play_models(training, &models)? };
    let mut learnt = TrainingResult { models, won, ..TrainingResult::default() };
    if let Some(best) = learnt.at_best() {
        let (tried, untried): (Vec<u32>, Vec<u32>) =
            STATE_COUNTS.into_iter().partition(|states| *states == 1 || options * u64::from(*states) <= MAX_OPTIONS_EXAMINED);
        let chosen = choose_states(training, &learnt.models[best], &tried, options)?;
        learnt.models[best].states = chosen;
        learnt.untried = untried;
        let rivals = [AgentKind::with_style(""), trained_agent(chosen)];
        learnt.duel = duel(training, &learnt.models[best], &rivals, (training.games, "duel"))?;
    }
    learnt.stopped = training.stop.load(Ordering::Relaxed);
    Ok(learnt)
}

/// Returns the number of generations that the budget allows if each tries this number of answers: minutes on two cores for any game.
fn generations(tried: u64) -> usize {
    (TRIED_ANSWERS_BUDGET / tried.max(1)).clamp(MIN_GENERATIONS, MAX_GENERATIONS) as usize
}

/// Returns the number of states that agents with this model should sample: the smallest one that does not win clearly less than a larger
/// one. `options` is the number of options per game that an agent with one state examines.
fn choose_states(training: &mut Training<'_>, model: &Model, tried: &[u32], options: u64) -> Result<u32, CompileFailure> {
    let mut chosen = 1;
    for &more in tried.iter().filter(|states| **states > 1) {
        let deals = (DEAL_OPTIONS_BUDGET / (2 * options * u64::from(more)).max(1)).clamp(MIN_DEALS, MAX_DEALS);
        let duel = duel(training, model, &[trained_agent(chosen), trained_agent(more)], (deals, "states"))?;
        if duel.difference().interval[0] > 0.0 {
            chosen = more;
        }
    }
    Ok(chosen)
}

/// Returns the agent that plays by the trained style with this number of sampled states.
fn trained_agent(states: u32) -> AgentKind {
    AgentKind::Greedy { style: TRAINED.to_string(), states: Some(states) }
}

/// Plays two agents that use this model against each other, with deals from the stream of this name.
fn duel(training: &mut Training<'_>, model: &Model, rivals: &[AgentKind; 2], (deals, stream): (u64, &str)) -> Result<Duel, CompileFailure> {
    let rules = (training.compile)(&agents_block(training.checked.has_agents(), &[model.style_lines(TRAINED)]))?;
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let seed = join(training.seed, hash_text(stream));
    let duel = trial::duel(&rules, rivals, (deals, seed), &make, training.stop);
    duel.map_err(|diagnostics| CompileFailure { diagnostics, sources: Sources::new() })
}

/// Improves the weights of the last model, and stores a checkpoint at every quarter.
fn evolve(
    training: &mut Training<'_>,
    generations: usize,
    models: &mut Vec<Model>,
    columns: Vec<(Column, f64)>,
) -> Result<(), CompileFailure> {
    let Some(model) = models.last() else { return Ok(()) };
    let mut evolution = WeightOptimiser::new(model, columns, training.seed);
    for generation in 0..generations {
        let moved: Vec<Model> = (0..PERTURBATIONS_PER_GENERATION).flat_map(|number| evolution.perturbed(number)).collect();
        let won = mean_outcomes(training, &moved, training.games, join(training.seed, hash_text("generation") ^ generation as u64))?;
        if training.stop.load(Ordering::Relaxed) {
            break;
        }
        let pairs: Vec<[f64; 2]> = won.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        evolution.learn(&pairs, generation as f64 / generations as f64);
        (training.on_event)(&TrainingEvent::Generation(generation + 1, generations));
        if (generation + 1) % generations.div_ceil(CHECKPOINTS) == 0 || generation + 1 == generations {
            models.push(evolution.model());
        }
    }
    Ok(())
}

/// Plays games with each model at tables with the others; returns the mean outcome of each model.
fn mean_outcomes(training: &mut Training<'_>, models: &[Model], games: u64, seed: u64) -> Result<Vec<f64>, CompileFailure> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    let lines: Vec<String> = models.iter().enumerate().map(|(at, model)| model.style_lines(&name(at))).collect();
    let rules = (training.compile)(&agents_block(training.checked.has_agents(), &lines))?;
    let agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::with_style(&name(at))).collect();
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let won = trial::outcomes(&rules, &agents, (games, seed), &make, training.stop);
    won.map_err(|diagnostics| CompileFailure { diagnostics, sources: Sources::new() })
}

/// Plays the models against each other and against the rules' own `worth`.
fn play_models(training: &mut Training<'_>, models: &[Model]) -> Result<Vec<(f64, u64)>, CompileFailure> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    let lines: Vec<String> = models.iter().enumerate().map(|(at, model)| model.style_lines(&name(at))).collect();
    let rules = (training.compile)(&agents_block(training.checked.has_agents(), &lines))?;
    let mut agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::with_style(&name(at))).collect();
    agents.push(AgentKind::with_style(""));
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let seed = join(training.seed, hash_text("trial"));
    let won = play_trials(&rules, &agents, (training.games, seed), &make, training.stop);
    won.map_err(|diagnostics| CompileFailure { diagnostics, sources: Sources::new() })
}

/// Writes a model as rules text: the style of trained agents, to be added to the rules.
pub fn style_rules(checked: &Checked, model: &Model) -> String {
    agents_block(checked.has_agents(), &[model.style_lines(TRAINED)])
}

/// Compiles rules with each feature as a style, and with the latest model as the style of trained agents.
fn with_styles(
    training: &mut Training<'_>,
    base: &[Feature],
    time: &str,
    extend: bool,
    learnt: Option<String>,
) -> Result<(Arc<Ruleset>, Vec<Style>, Style), CompileFailure> {
    let mut lines: Vec<String> = base.iter().enumerate().map(|(at, feature)| format!("  style feature_{at} = {}", feature.text)).collect();
    lines.push(format!("  style time_left = {time}"));
    lines.extend(learnt);
    let rules = (training.compile)(&agents_block(extend, &lines))?;
    let style = |name: &str| rules.find_style(name).unwrap_or_default();
    let styles = (0..base.len()).map(|at| style(&format!("feature_{at}"))).collect();
    let time = style("time_left");
    Ok((rules, styles, time))
}

/// Wraps lines in a block `agents { … }`.
pub fn agents_block(extend: bool, lines: &[String]) -> String {
    format!("{}agents {{\n{}\n}}\n", if extend { "extend " } else { "" }, lines.join("\n"))
}

/// Returns the candidate features without those that the checker rejects.
fn accepted_features(training: &mut Training<'_>) -> Result<Vec<Feature>, CompileFailure> {
    let mut base = features::candidate_features(&training.checked.rules);
    let extend = training.checked.has_agents();
    loop {
        let lines: Vec<String> = base.iter().enumerate().map(|(at, feature)| format!("  style feature_{at} = {}", feature.text)).collect();
        let text = agents_block(extend, &lines);
        let Err(failed) = (training.compile)(&text) else { return Ok(base) };
        let ours = |span: Span| failed.sources.text(span.file) == text;
        let line_of = |span: Span| text[..span.start as usize].matches('\n').count();
        let errors = failed.diagnostics.iter().filter(|wrong| wrong.severity == Severity::Error);
        let refused: Vec<usize> = errors.filter_map(|wrong| wrong.span).filter(|span| ours(*span)).map(line_of).collect();
        let before = base.len();
        base = base.into_iter().enumerate().filter(|(at, _)| !refused.contains(&(at + 1))).map(|(_, text)| text).collect();
        if base.len() == before {
            return Err(failed);
        }
    }
}
