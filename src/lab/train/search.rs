//! Learns for players who search: the value of a state at a leaf of their tree (expert iteration: Anthony, Tian and Barber, NeurIPS 2017, with
//! a linear value).
//!
//! After the lessons of players who look one answer ahead come some of players who search with the latest model. Players who search with the
//! model of each lesson then meet players who search without, and the one that wins most is kept.

use super::lessons::{Taught, take_lessons};
use super::model::Model;
use super::trial::{self, play_trials};
use super::{CompileFailure, Training, TrainingResult, duel_of};
use crate::agent::{AgentKind, Budget, TRAINED};
use crate::state::chance::{hash_text, join};

/// Number of lessons in which players search.
pub const SEARCH_LESSONS: usize = 1;
/// Budget of each lesson, and for each model of the comparison of models, in iterations.
const BUDGET: u64 = 300_000;
/// Minimum and maximum number of games of a lesson, whatever the budget.
const GAMES: [u64; 2] = [40, 300];
/// Minimum and maximum number of games of each model in the comparison, whatever the budget.
const TRIALS: [u64; 2] = [30, 150];
/// Minimum and maximum number of deals, each played twice, against the search without what was learnt.
const DEALS: [u64; 2] = [30, 100];

/// Returns the player that searches with this style and number of iterations.
pub fn searcher(style: &str, iterations: u32) -> AgentKind {
    AgentKind::Search { style: style.to_string(), budget: Budget::Iterations(iterations) }
}

/// Returns the number of games of a lesson with so many answers in each game: no more than `most`.
pub fn games_of_lesson(answers: u64, iterations: u32, most: u64) -> u64 {
    games(answers, iterations, GAMES, most)
}

/// Returns the number of games that the budget allows, within a range and no more than `wanted`.
fn games(answers: u64, iterations: u32, [fewest, most]: [u64; 2], wanted: u64) -> u64 {
    (BUDGET / (answers * u64::from(iterations)).max(1)).clamp(fewest, most).min(wanted).max(1)
}

/// Runs a training for players who search.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn train(training: &mut Training<'_>, iterations: u32) -> Result<TrainingResult, CompileFailure> {
    let Taught { models, answers, .. } = take_lessons(training)?;
    let won = if models.is_empty() || training.is_stopped() { Vec::new() } else { play_models(training, &models, answers, iterations)? };
    let mut learnt = TrainingResult { models, won, search: Some(iterations), ..TrainingResult::default() };
    if let Some(best) = learnt.best().filter(|_| !training.is_stopped()).cloned() {
        learnt.duel = meet_default(training, &best, answers, iterations)?;
    }
    learnt.stopped = training.is_stopped();
    Ok(learnt)
}

/// Lets players who search with each model meet players who search without any; returns the games won and played by each model, and last by those
/// without. What wins most among models need not win against none.
fn play_models(training: &mut Training<'_>, models: &[Model], answers: u64, iterations: u32) -> Result<Vec<(f64, u64)>, CompileFailure> {
    let name = |at: usize| format!("{TRAINED}_{at}");
    let games = games(answers, iterations, TRIALS, training.games);
    let seed = join(training.seed, hash_text("trial"));
    training.play(models, name, |rules, scripts, stop| {
        let (mut won, mut untrained) = (Vec::new(), (0.0, 0));
        for at in 0..models.len() {
            let agents = [searcher(&name(at), iterations), searcher("", iterations)];
            let met = play_trials(rules, &agents, games, seed, scripts, stop)?;
            won.extend(met.first());
            untrained = met.get(1).map_or(untrained, |(won, games)| (untrained.0 + won, untrained.1 + games));
        }
        won.push(untrained);
        Ok(won)
    })
}

/// Lets players who search with a model meet players who search without.
fn meet_default(training: &mut Training<'_>, model: &Model, answers: u64, iterations: u32) -> Result<trial::Duel, CompileFailure> {
    let rivals = [searcher("", iterations), searcher(TRAINED, iterations)];
    let deals = games(answers, iterations, DEALS, training.games);
    duel_of(training, model, &rivals, deals, "duel")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_games_are_learnt_from_in_few_of_them() {
        // 300,000 iterations are 234 games of 20 answers with 64 iterations each.
        assert_eq!(games(20, 64, GAMES, 1000), 234);
        assert_eq!(games(20, 64, GAMES, 50), 50, "no more than a training plays in each lesson");
        assert_eq!(games(5000, 64, GAMES, 1000), 40, "as few as make sense, however long that takes");
        assert_eq!(games(1, 2, GAMES, 1000), 300);
        assert_eq!(games(5000, 64, TRIALS, 0), 1);
    }
}
