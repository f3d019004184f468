//! Quick training for comparisons: players of both sides begin with one model, learnt once, and adapt its weights to the rules of their side.
//!
//! A model is replaced only by one that wins more in deals of their own, so that whoever adapts is not worse for it but by luck.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::lessons::{Lessons, give_lessons};
use super::model::{Column, Model};
use super::search::searcher;
use super::trial;
use super::{
    CompileFailure, Duel, MIN_GAMES_IN_GENERATION, PERTURBATIONS_PER_GENERATION, Training, cost_of_states, duel_of, duel_with_default,
    evolve, trained_agent,
};
use crate::agent::{AgentKind, TRAINED};
use crate::cast;
use crate::engine::POINTS;
use crate::engine::Ruleset;
use crate::playtest::MakeScripts;
use crate::state::chance::{hash_text, join};

/// What players know of the rules of a side before they adapt to them.
#[derive(Clone, Debug)]
pub struct Foundation {
    /// The model with which they begin.
    pub model: Model,
    lessons: Lessons,
    /// Rules compiled for it, whose generated code those of later trainings share.
    compiled: Option<Arc<Ruleset>>,
}

/// How players who have adapted do beside others.
#[derive(Clone, Debug)]
pub struct Meetings {
    /// With greedy players, who are the first.
    pub with_greedy: Duel,
    /// With players who search as long for their answers, by points alone, who are the first.
    pub with_search: Duel,
}

/// Maximum number of columns whose weights are adapted beside those of the model to begin with: with few games, few weights can be told apart.
const MAX_COLUMNS: usize = 30;
/// Minimum number of columns beside those of the model.
const MIN_NEW_COLUMNS: usize = 10;
/// Budget for the model with which both sides begin, for the rules of each, as the number of answers tried in sampled states.
const FOUNDATION_BUDGET: u64 = 1_000_000;
/// Budget for each training of each side.
const ADAPTATION_BUDGET: u64 = 500_000;
/// Budget of each comparison of two models.
const TRIAL_BUDGET: u64 = 300_000;
/// Maximum number of games in a generation, however short they are.
const MAX_GAMES_IN_GENERATION: u64 = 200;
/// Minimum and maximum number of generations, whatever the budget.
const GENERATIONS: [u64; 2] = [8, 60];
/// Minimum and maximum number of deals, each played twice, whatever the budget, in which two models meet.
const DEALS: [u64; 2] = [30, 200];
/// Minimum number of deals, each played twice, with which a training ends: several trainings of each side are summarised.
const MIN_LAST_DEALS: u64 = 24;

/// Minimum and maximum number of deals, each played twice, in which a model meets players who search.
const DEALS_WITH_SEARCH: [u64; 2] = [10, 100];
/// Budget of these deals, in iterations.
const BUDGET_WITH_SEARCH: u64 = 20_000;
/// Minimum and maximum number of iterations with which these search.
const ITERATIONS: [u64; 2] = [8, 1000];

/// Plays the lessons of a side. The model to begin with is what greedy players go by, unless what the lessons have taught wins more.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn prepare(training: &mut Training<'_>) -> Result<Foundation, CompileFailure> {
    let lessons = give_lessons(training)?;
    let model = match (lessons.of_greedy(), lessons.models.last().cloned()) {
        (Some(greedy), Some(learnt)) if wins_more(training, [&greedy, &learnt], deals(lessons.tried), "lessons")? => learnt,
        (Some(greedy), _) => greedy,
        (None, learnt) => learnt.unwrap_or_default(),
    };
    Ok(Foundation { model, lessons, compiled: training.last_compiled.clone() })
}

/// Improves a model by the rules of one side, at leisure. Both sides of a comparison begin with one that was improved by the rules of each in turn.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn found(training: &mut Training<'_>, of_side: &Foundation, begin: &Model) -> Result<Model, CompileFailure> {
    training.last_compiled.clone_from(&of_side.compiled);
    let (generations, games) = schedule(training, of_side.lessons.tried, FOUNDATION_BUDGET);
    improve(training, of_side, begin, generations, games)
}

/// Adapts a model to the rules of a side. Columns that the model does not know, such as what only these rules have, begin with the weight 0.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn adapt(training: &mut Training<'_>, of_side: &Foundation, begin: &Model) -> Result<Model, CompileFailure> {
    training.last_compiled.clone_from(&of_side.compiled);
    let (generations, games) = schedule(training, of_side.lessons.tried, ADAPTATION_BUDGET);
    improve(training, of_side, begin, generations, games)
}

/// Lets players with an adapted model meet greedy players, and players who search as long for their answers.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn meet_others(training: &mut Training<'_>, of_side: &Foundation, model: &Model) -> Result<Meetings, CompileFailure> {
    training.last_compiled.clone_from(&of_side.compiled);
    let with_greedy = duel_with_default(training, model, model.states, of_side.lessons.tried, TRIAL_BUDGET, MIN_LAST_DEALS)?;
    let with_search = duel_with_search(training, &of_side.lessons, model)?;
    Ok(Meetings { with_greedy, with_search })
}

/// Lets players with a model meet players who know nothing but the rules, and imagine as many answers for each of theirs.
fn duel_with_search(training: &mut Training<'_>, lessons: &Lessons, model: &Model) -> Result<Duel, CompileFailure> {
    let tried = lessons.tried * cost_of_states(model.states);
    let iterations = cast::fit::<u32>((tried / lessons.answers.max(1)).clamp(ITERATIONS[0], ITERATIONS[1]));
    // Each deal is played twice, and half of the answers are theirs.
    let deals = BUDGET_WITH_SEARCH / (lessons.answers * u64::from(iterations)).max(1);
    let deals = deals.clamp(DEALS_WITH_SEARCH[0], DEALS_WITH_SEARCH[1]);
    duel_of(training, model, &[searcher(POINTS, iterations), trained_agent(model.states)], deals, "searching")
}

/// Returns the number of generations that a budget allows if agents try this number of answers in a game, and the number of games in each.
fn schedule(training: &Training<'_>, tried: u64, budget: u64) -> (usize, u64) {
    let (generations, games) = generations_of(tried, budget);
    (training.generations.unwrap_or(generations), games.min(training.games.max(1)))
}

/// Returns how long a training by the rules of a side takes, about, where improving the model to begin with took one unit of time.
pub fn time_of_training(of_side: &Foundation) -> f64 {
    let games = |budget: u64| {
        let (generations, games) = generations_of(of_side.lessons.tried, budget);
        (generations as u64 * games * 2 * PERTURBATIONS_PER_GENERATION) as f64
    };
    games(ADAPTATION_BUDGET) / games(FOUNDATION_BUDGET)
}

fn generations_of(tried: u64, budget: u64) -> (usize, u64) {
    let [fewest, most] = GENERATIONS;
    let generations = (budget / (tried * MIN_GAMES_IN_GENERATION).max(1)).clamp(fewest, most);
    let games = (budget / (tried * generations).max(1)).clamp(MIN_GAMES_IN_GENERATION, MAX_GAMES_IN_GENERATION);
    (cast::fit::<usize>(generations), games)
}

/// Improves weights of a model, and returns the last one if it wins more than the first, else the first, without what these rules do not know.
fn improve(
    training: &mut Training<'_>,
    of_side: &Foundation,
    begin: &Model,
    generations: usize,
    games: u64,
) -> Result<Model, CompileFailure> {
    let known = of_side.lessons.known_terms(begin);
    let first = Model { terms: known.iter().map(|(term, _)| term.clone()).collect(), ..begin.clone() };
    let mut columns: Vec<(Column, f64)> = known.into_iter().map(|(term, deviation)| (term.column, deviation)).collect();
    let most = MAX_COLUMNS.max(columns.len() + MIN_NEW_COLUMNS);
    for (column, deviation) in of_side.lessons.columns(&first, MAX_COLUMNS) {
        if columns.len() < most && columns.iter().all(|(other, _)| *other != column) {
            columns.push((column, deviation));
        }
    }
    if columns.is_empty() || generations == 0 {
        return Ok(first);
    }
    let Some(last) = evolve(training, &first, columns, generations, games)?.pop() else { return Ok(first) };
    let wins_more = wins_more(training, [&first, &last], deals(of_side.lessons.tried), "rivals")?;
    Ok(if wins_more { Model { states: first.states, ..last } } else { first })
}

/// Returns the number of deals in which two models meet if agents try this number of answers in a game.
fn deals(tried: u64) -> u64 {
    (TRIAL_BUDGET / (tried * 4).max(1)).clamp(DEALS[0], DEALS[1])
}

/// Whether the second of two models wins more than the first, in deals from the stream of this name: half of a 95 % interval below the difference is
/// above even.
fn wins_more(training: &mut Training<'_>, models: [&Model; 2], deals: u64, stream: &str) -> Result<bool, CompileFailure> {
    if training.is_stopped() {
        return Ok(false);
    }
    let name = |at: usize| format!("{TRAINED}_of_{at}");
    let rivals = [0, 1].map(|at| AgentKind::Greedy { style: name(at), states: Some(1) });
    let seed = join(training.seed, hash_text(stream));
    let duel = |rules: &Ruleset, scripts: &MakeScripts<'_>, stop: &AtomicBool| trial::duel(rules, &rivals, deals, seed, scripts, stop);
    let found = training.play(&models.map(Model::clone), name, duel)?.difference();
    Ok(found.difference + found.interval[0] > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_games_are_adapted_to_in_few_of_them() {
        // 500,000 answers are 52 generations of 48 games with 200 answers each.
        assert_eq!(generations_of(200, ADAPTATION_BUDGET), (52, 48));
        // Of long games as few generations as make sense, however long that takes; of short ones more games each.
        assert_eq!(generations_of(100_000, ADAPTATION_BUDGET), (8, 48));
        assert_eq!(generations_of(50, ADAPTATION_BUDGET), (60, 166));
        assert_eq!(generations_of(1, ADAPTATION_BUDGET), (60, 200), "no more than a training plays in each");
        assert_eq!([deals(1), deals(1000), deals(100_000)], [200, 75, 30]);
    }
}
