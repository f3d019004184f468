//! Learns what a state is worth, from self-play: for rules that nobody has written a `worth` for, or that were changed.
//!
//! Players who look one answer ahead play against each other. States on the way are described by what the rules declare of a player
//! (`features`), beside the others, and a sparse linear model (`fit`) learns what comes of them (fitted lambda-returns; Sutton and
//! Barto, *Reinforcement Learning*, 2nd edition, chapter 12). That mistakes much that goes along with winning for its cause; from there the
//! weights go on by stochastic approximation (`evolve`): players with weights moved at random meet, and the weights follow those who
//! do better. What comes out is rules text, a `style` of the rules of `agents`.

mod evolve;
mod features;
mod fit;
mod learnt;
mod model;
mod sample;
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
use evolve::Evolution;
pub use learnt::Learnt;
pub use model::{Column, Model, Term};
use sample::{Plan, Width, sample};
pub use trial::Duel;
use trial::trial;

/// What is to be learnt.
pub struct Training<'a> {
    /// The rules as they are, checked.
    pub checked: &'a Checked,
    /// Compiles them with more rules text.
    pub compile: &'a mut dyn FnMut(&str) -> Result<Arc<Ruleset>, Failed>,
    /// Games of each lesson.
    pub games: u64,
    /// How often players go by what they have learnt, and learn again; games by chance alone come first.
    pub lessons: usize,
    /// How often weights are moved and players with moved ones meet; if nobody says, as often as there is time for.
    pub generations: Option<usize>,
    /// Terms of the model at most.
    pub terms: usize,
    /// Seed of the run.
    pub seed: u64,
    /// Set to end it early.
    pub stop: &'a AtomicBool,
    /// Hears what happens.
    pub hear: &'a mut dyn FnMut(&Heard),
}

/// Why rules with more text could not be compiled.
#[derive(Debug)]
pub struct Failed {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts in which it stands.
    pub sources: Sources,
}

/// What came of a lesson.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// Its number, from 1.
    pub lesson: usize,
    /// States that were looked at.
    pub states: usize,
    /// Columns that could explain something.
    pub columns: usize,
    /// Terms that are left.
    pub terms: usize,
    /// The share of what it is aimed at that the model explains, in games it has not learnt from.
    pub explained: f64,
}

/// So many perturbations are tried in a generation, there and back.
const PERTURBATIONS: u64 = 12;
/// So many columns go on at most.
const COLUMNS: usize = 100;
/// So many answers are tried in imagined states in all generations together, if nobody says how many generations there are …
const TRIED: u64 = 150_000_000;
/// … but there are as many generations as these at least …
const FEWEST_GENERATIONS: u64 = 120;
/// … and as these at most.
const MOST_GENERATIONS: u64 = 2000;
/// So many states may be imagined at each question, if fewer tell clearly less.
const STATES: [u32; 3] = [1, 4, 16];
/// More states are tried where no more than so many options are looked at in a game, in all states together.
const MOST_LOOKED_AT: u64 = 12_500;
/// So many deals are played at least, twice each, to see whether more states win more …
const FEWEST_DEALS: u64 = 400;
/// … and so many at most …
const MOST_DEALS: u64 = 2000;
/// … as many as let players look at so many options there.
const OPTIONS_OF_DEALS: u64 = 20_000_000;
/// So many models of the way are kept.
const CHECKPOINTS: usize = 4;

/// What is heard of a training.
#[derive(Clone, Debug)]
pub enum Heard {
    /// A lesson is over.
    Lesson(Lesson),
    /// A generation has played; its number, from 1, and how many there are.
    Generation(usize, usize),
}

/// Learns.
///
/// # Errors
/// What is wrong with rules or scripts.
pub fn train(training: &mut Training<'_>) -> Result<Learnt, Failed> {
    let mut base = allowed(training)?;
    let has_agents = training.checked.has_agents();
    let time = if training.checked.rules.rounds.is_some() { "rounds_left" } else { "round" };
    let mut models: Vec<Model> = Vec::new();
    let mut width = Width::default();
    let mut last = Vec::new();
    for lesson in 0..=training.lessons {
        let learnt = models.last().map(|model| model.lines(TRAINED));
        let (rules, styles, time_style) = with_styles(training, &base, time, has_agents, learnt)?;
        let agent = if models.is_empty() { AgentKind::Random } else { AgentKind::trained() };
        // The first games, by chance alone, tell what varies.
        let games = if lesson == 0 { training.games / 4 } else { training.games }.max(1);
        let seed = join(training.seed, hash_text("lesson") ^ lesson as u64);
        let plan = Plan { rules: &rules, features: &styles, time: time_style, agent: &agent, games, seed, answers: width.answers };
        let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
        let (samples, wide) = sample(&plan, &make, training.stop).map_err(|diagnostics| Failed { diagnostics, sources: Sources::new() })?;
        width = wide;
        if training.stop.load(Ordering::Relaxed) || samples.is_empty() {
            break;
        }
        let (model, columns) = model::learn(&base, time, &samples, training.terms);
        let heard = Lesson { lesson: lesson + 1, states: samples.len(), columns, terms: model.terms.len(), explained: model.explained };
        (training.hear)(&Heard::Lesson(heard));
        if lesson == 0 && training.lessons > 0 {
            let varies = model::varying(&samples);
            base = base.into_iter().zip(varies).filter(|(_, varies)| *varies).map(|(text, _)| text).collect();
        }
        models.push(model);
        last = samples;
    }
    let options = width.options;
    if let Some(model) = models.last().cloned() {
        let generations = training.generations.unwrap_or_else(|| generations(width.tried.max(options) * training.games));
        evolve(training, generations, &mut models, model::chosen(&base, time, &last, &model, COLUMNS))?;
    }
    let won = if models.is_empty() { Vec::new() } else { compete(training, &models)? };
    let mut learnt = Learnt { models, won, ..Learnt::default() };
    if let Some(best) = learnt.at_best() {
        let (tried, untried): (Vec<u32>, Vec<u32>) =
            STATES.into_iter().partition(|states| *states == 1 || options * u64::from(*states) <= MOST_LOOKED_AT);
        let chosen = states(training, &learnt.models[best], &tried, options)?;
        learnt.models[best].states = chosen;
        learnt.untried = untried;
        let rivals = [AgentKind::of_style(""), trained_over(chosen)];
        learnt.duel = duel(training, &learnt.models[best], &rivals, (training.games, "duel"))?;
    }
    learnt.stopped = training.stop.load(Ordering::Relaxed);
    Ok(learnt)
}

/// How many generations there is time for, if in each so many answers are tried: minutes on two cores, whatever the game.
fn generations(tried: u64) -> usize {
    (TRIED / tried.max(1)).clamp(FEWEST_GENERATIONS, MOST_GENERATIONS) as usize
}

/// How many states players should imagine who go by this model: the fewest of these with which they do not win clearly less than with more.
/// So many options are looked at in a game by players who imagine one.
fn states(training: &mut Training<'_>, model: &Model, tried: &[u32], options: u64) -> Result<u32, Failed> {
    let mut chosen = 1;
    for &more in tried.iter().filter(|states| **states > 1) {
        let deals = (OPTIONS_OF_DEALS / (2 * options * u64::from(more)).max(1)).clamp(FEWEST_DEALS, MOST_DEALS);
        let duel = duel(training, model, &[trained_over(chosen), trained_over(more)], (deals, "states"))?;
        if duel.difference().interval[0] > 0.0 {
            chosen = more;
        }
    }
    Ok(chosen)
}

/// Who goes by what was learnt, and imagines so many states.
fn trained_over(states: u32) -> AgentKind {
    AgentKind::Greedy { style: TRAINED.to_string(), states: Some(states) }
}

/// Two players meet where this model is what was learnt, in so many deals from a stream of this name.
fn duel(training: &mut Training<'_>, model: &Model, rivals: &[AgentKind; 2], (deals, stream): (u64, &str)) -> Result<Duel, Failed> {
    let rules = (training.compile)(&block(training.checked.has_agents(), &[model.lines(TRAINED)]))?;
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let seed = join(training.seed, hash_text(stream));
    let duel = trial::duel(&rules, rivals, (deals, seed), &make, training.stop);
    duel.map_err(|diagnostics| Failed { diagnostics, sources: Sources::new() })
}

/// Moves the weights of the last model on, and keeps it as it is at every quarter of the way.
fn evolve(training: &mut Training<'_>, generations: usize, models: &mut Vec<Model>, columns: Vec<(Column, f64)>) -> Result<(), Failed> {
    let Some(model) = models.last() else { return Ok(()) };
    let mut evolution = Evolution::new(model, columns, training.seed);
    for generation in 0..generations {
        let moved: Vec<Model> = (0..PERTURBATIONS).flat_map(|number| evolution.moved(number)).collect();
        let won = meet(training, &moved, training.games, join(training.seed, hash_text("generation") ^ generation as u64))?;
        if training.stop.load(Ordering::Relaxed) {
            break;
        }
        let pairs: Vec<[f64; 2]> = won.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        evolution.learn(&pairs, generation as f64 / generations as f64);
        (training.hear)(&Heard::Generation(generation + 1, generations));
        if (generation + 1) % generations.div_ceil(CHECKPOINTS) == 0 || generation + 1 == generations {
            models.push(evolution.model());
        }
    }
    Ok(())
}

/// The mean outcome of each model at tables with the others.
fn meet(training: &mut Training<'_>, models: &[Model], games: u64, seed: u64) -> Result<Vec<f64>, Failed> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    let lines: Vec<String> = models.iter().enumerate().map(|(at, model)| model.lines(&name(at))).collect();
    let rules = (training.compile)(&block(training.checked.has_agents(), &lines))?;
    let agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::of_style(&name(at))).collect();
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let won = trial::outcomes(&rules, &agents, (games, seed), &make, training.stop);
    won.map_err(|diagnostics| Failed { diagnostics, sources: Sources::new() })
}

/// Plays the models against each other and against who goes by the rules' own `worth`.
fn compete(training: &mut Training<'_>, models: &[Model]) -> Result<Vec<(f64, u64)>, Failed> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    let lines: Vec<String> = models.iter().enumerate().map(|(at, model)| model.lines(&name(at))).collect();
    let rules = (training.compile)(&block(training.checked.has_agents(), &lines))?;
    let mut agents: Vec<AgentKind> = (0..models.len()).map(|at| AgentKind::of_style(&name(at))).collect();
    agents.push(AgentKind::of_style(""));
    let make = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let seed = join(training.seed, hash_text("trial"));
    let won = trial(&rules, &agents, (training.games, seed), &make, training.stop);
    won.map_err(|diagnostics| Failed { diagnostics, sources: Sources::new() })
}

/// A model as the style of trained players, to be added to the rules.
pub fn declared(checked: &Checked, model: &Model) -> String {
    block(checked.has_agents(), &[model.lines(TRAINED)])
}

/// Rules in which each feature is a style, and what was learnt last is that of trained players.
fn with_styles(
    training: &mut Training<'_>,
    base: &[String],
    time: &str,
    extend: bool,
    learnt: Option<String>,
) -> Result<(Arc<Ruleset>, Vec<Style>, Style), Failed> {
    let mut lines: Vec<String> = base.iter().enumerate().map(|(at, text)| format!("  style feature_{at} = {text}")).collect();
    lines.push(format!("  style time_left = {time}"));
    lines.extend(learnt);
    let rules = (training.compile)(&block(extend, &lines))?;
    let style = |name: &str| rules.style(name).unwrap_or_default();
    let styles = (0..base.len()).map(|at| style(&format!("feature_{at}"))).collect();
    let time = style("time_left");
    Ok((rules, styles, time))
}

/// Lines of `agents`.
pub fn block(extend: bool, lines: &[String]) -> String {
    format!("{}agents {{\n{}\n}}\n", if extend { "extend " } else { "" }, lines.join("\n"))
}

/// The features that the checker allows: each that it refuses is left out.
fn allowed(training: &mut Training<'_>) -> Result<Vec<String>, Failed> {
    let mut base = features::candidates(&training.checked.rules);
    let extend = training.checked.has_agents();
    loop {
        let lines: Vec<String> = base.iter().enumerate().map(|(at, text)| format!("  style feature_{at} = {text}")).collect();
        let text = block(extend, &lines);
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
