//! Compares styles by playing them against each other.

use crate::cast;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sample::{MAX_QUESTIONS, mean_leads};
use super::together::{GameTogether, outcomes_together};
use crate::agent::{AgentKind, SeatAgents};
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::playtest::DistinctSketch;
use crate::playtest::MakeScripts;
use crate::playtest::compare::{Basis, Difference, Pairs};
use crate::state::chance::{draw, hash_text, join, seed_of_game};

/// The outcome of one game for each seat with the index of its agent, or diagnostics of the scripts. Where there is but one side, it is one
/// outcome of one agent.
type TableOutcome = Result<Vec<(usize, f64)>, Vec<Diagnostic>>;

/// The shares of wins of two agents per seat in a deal, and a hash of the games; `None` if a game does not end. Or diagnostics of the
/// scripts.
type DealShares = Result<Option<([f64; 2], u64)>, Vec<Diagnostic>>;

/// How a game of one agent at all seats ended, with its index; `None` if it does not end. Or diagnostics of the scripts.
type TogetherResult = Result<Option<(usize, GameTogether)>, Vec<Diagnostic>>;

/// Deals that two agents have played twice, the second time with their seats swapped.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Duel {
    /// Shares of wins per seat of the first and of the second agent, by deal.
    pub pairs: Pairs,
    /// Distinct deals: a repeated one is no additional evidence.
    pub different: DistinctSketch,
    /// Number of players whose wins are counted: one where all win or lose together.
    pub players: usize,
    /// Whether all win or lose together, so that nobody has met anybody.
    pub together: bool,
}

impl Duel {
    /// Returns the number of distinct deals.
    pub fn distinct(&self) -> u64 {
        self.different.count(self.pairs.taken)
    }

    /// Returns the paired difference in the share of wins between the second agent and the first.
    pub fn difference(&self) -> Difference {
        let basis = Basis::single_look(self.pairs.taken, 1.0 / self.players.max(1) as f64);
        self.pairs.difference(&Basis { distinct: self.different.share(self.pairs.taken), ..basis })
    }
}

/// Plays games among these agents, or with one of them at all seats where all win or lose together. Returns for each the number of games won and of games played, equally often at every seat; joint winners
/// share. No other game has one agent at all seats.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn play_trials(
    rules: &Ruleset,
    agents: &[AgentKind],
    games: u64,
    seed: u64,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
) -> Result<Vec<(f64, u64)>, Vec<Diagnostic>> {
    let make = || scripts().map(|scripts| (Game::default(), scripts));
    let played: Vec<TableOutcome> = (0..cast::fit::<usize>(games))
        .into_par_iter()
        .with_min_len(8)
        .map_init(make, |table, number| match table {
            Ok(_) if stop.load(Ordering::Relaxed) => Ok(Vec::new()),
            // Each game has a different selection of agents, rotated over the seats.
            Ok((game, scripts)) => {
                let step = 1 + number / agents.len() % (agents.len() - 1).max(1);
                let sitting: Vec<usize> = (0..rules.players).map(|seat| (number + rules.side(seat) * step) % agents.len()).collect();
                let deal = if rules.side_count() == 1 { number / agents.len() } else { number };
                let played = play(rules, agents, &sitting, game, scripts.as_mut(), stop, seed_of_game(seed, deal as u64));
                Ok(played.map(|_| shares(rules, game, &sitting)).unwrap_or_default())
            }
            Err(faults) => Err(faults.clone()),
        })
        .collect();
    let mut won = vec![(0.0, 0); agents.len()];
    let mut played = played.into_iter().collect::<Result<Vec<_>, _>>()?;
    if goes_by_points(rules) {
        // All agents have played each deal: who has the most points has won it.
        played = played.chunks(agents.len().max(1)).filter(|deal| deal.len() == agents.len()).map(|deal| best_of(&deal.concat())).collect();
    }
    for one in played {
        for (agent, share) in one {
            won[agent].0 += share;
            won[agent].1 += 1;
        }
    }
    Ok(won)
}

/// Plays two agents against each other and records their shares of wins per seat. Each deal is played twice, the second time with the
/// seats swapped, and counts as one pair.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn duel(
    rules: &Ruleset,
    agents: &[AgentKind; 2],
    deals: u64,
    seed: u64,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
) -> Result<Duel, Vec<Diagnostic>> {
    let make = || scripts().map(|scripts| (Game::default(), scripts));
    let together = rules.together.is_some();
    let by_points = goes_by_points(rules);
    let counted = if together || by_points { 1 } else { rules.players };
    let played: Vec<DealShares> = (0..cast::fit::<usize>(deals))
        .into_par_iter()
        .with_min_len(4)
        .map_init(make, |table, number| {
            let (game, scripts) = table.as_mut().map_err(|faults| faults.clone())?;
            let (mut won, mut went) = ([0.0; 2], 0);
            for first in 0..2 {
                let sitting: Vec<usize> = (0..rules.players).map(|seat| (rules.side(seat) + first) % 2).collect();
                let seed = seed_of_game(seed, number as u64);
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let Ok((course, _)) = play(rules, agents, &sitting, game, scripts.as_mut(), stop, seed) else { return Ok(None) };
                went = join(went, course);
                shares(rules, game, &sitting).into_iter().for_each(|(agent, share)| won[agent] += share);
            }
            if by_points {
                best_of(&[(0, won[0]), (1, won[1])]).into_iter().for_each(|(agent, share)| won[agent] = share);
            }
            Ok(Some((won.map(|won| won / counted as f64), went)))
        })
        .collect();
    let mut duel = Duel { players: counted, together, ..Duel::default() };
    for deal in played {
        if let Some(([one, other], went)) = deal? {
            duel.pairs.add(one, other);
            duel.different.add(went);
        }
    }
    Ok(duel)
}

/// Whether nobody can lose, since there is but one side and no condition under which it wins: points then tell agents apart.
fn goes_by_points(rules: &Ruleset) -> bool {
    rules.side_count() == 1 && rules.together.is_none()
}

/// Returns the shares of a win by points, from the points of each agent: those with the most share it.
fn best_of(points: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let most = points.iter().map(|(_, points)| *points).fold(f64::MIN, f64::max);
    let best = points.iter().filter(|(_, points)| *points >= most).count().max(1) as f64;
    points.iter().map(|&(agent, points)| (agent, if points >= most { 1.0 / best } else { 0.0 })).collect()
}

/// Returns for each seat the index of its agent and its share of the win; where all win or lose together, once for all. Where points tell
/// agents apart, it is these, once.
fn shares(rules: &Ruleset, game: &mut Game, sitting: &[usize]) -> Vec<(usize, f64)> {
    if goes_by_points(rules) {
        let points = game.store(rules).score_of_side(0) as f64;
        return sitting.first().map(|&agent| (agent, points)).into_iter().collect();
    }
    let winners = game.store(rules).winners();
    if rules.together.is_some() {
        return sitting.first().map(|&agent| (agent, if winners.is_empty() { 0.0 } else { 1.0 })).into_iter().collect();
    }
    let share = |seat: usize| if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 };
    sitting.iter().enumerate().map(|(seat, &agent)| (agent, share(seat))).collect()
}

/// Plays games at tables to which agents are assigned at random, or with one agent at all seats where there is but one side; returns the mean
/// outcome of each agent.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn outcomes(
    rules: &Ruleset,
    agents: &[AgentKind],
    games: u64,
    seed: u64,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
) -> Result<Vec<f64>, Vec<Diagnostic>> {
    if rules.side_count() == 1 {
        return outcomes_of_one_side(rules, agents, games, seed, scripts, stop);
    }
    let make = || scripts().map(|scripts| (Game::default(), scripts));
    let played: Vec<TableOutcome> = (0..cast::fit::<usize>(games))
        .into_par_iter()
        .with_min_len(8)
        .map_init(make, |table, number| match table {
            Ok(_) if stop.load(Ordering::Relaxed) => Ok(Vec::new()),
            Ok((game, scripts)) => {
                // Each seed is played twice, the second time with opposite perturbations.
                let seed = seed_of_game(seed, number as u64 / 2);
                let mut order: Vec<usize> = (0..agents.len()).collect();
                order.sort_by_key(|&agent| draw(seed, hash_text("seats"), agent as u64));
                let at = |seat: usize| order[rules.side(seat) % order.len()] ^ (number & 1);
                let sitting: Vec<usize> = (0..rules.players).map(at).collect();
                let played = play(rules, agents, &sitting, game, scripts.as_mut(), stop, seed);
                Ok(played
                    .map(|_| sitting.into_iter().zip(mean_leads(rules, game).into_iter().map(f64::from)).collect())
                    .unwrap_or_default())
            }
            Err(faults) => Err(faults.clone()),
        })
        .collect();
    let mut sums = vec![(0.0, 0.0); agents.len()];
    for one in played {
        for (agent, outcome) in one? {
            sums[agent].0 += outcome;
            sums[agent].1 += 1.0;
        }
    }
    Ok(sums.into_iter().map(|(sum, count)| sum / f64::max(count, 1.0)).collect())
}

/// Plays games with one agent at all seats, all agents with the same deals; returns the mean outcome of each.
fn outcomes_of_one_side(
    rules: &Ruleset,
    agents: &[AgentKind],
    games: u64,
    seed: u64,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
) -> Result<Vec<f64>, Vec<Diagnostic>> {
    let make = || scripts().map(|scripts| (Game::default(), scripts));
    let played: Vec<TogetherResult> = (0..cast::fit::<usize>(games))
        .into_par_iter()
        .with_min_len(8)
        .map_init(make, |table, number| match table {
            Ok(_) if stop.load(Ordering::Relaxed) => Ok(None),
            Ok((game, scripts)) => {
                let (agent, seed) = (number % agents.len(), seed_of_game(seed, (number / agents.len()) as u64));
                let played = play(rules, agents, &vec![agent; rules.players], game, scripts.as_mut(), stop, seed);
                Ok(played.ok().map(|(_, asked)| (agent, GameTogether::of(rules, game, asked))))
            }
            Err(faults) => Err(faults.clone()),
        })
        .collect();
    let played: Vec<(usize, GameTogether)> = played.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let ends: Vec<GameTogether> = played.iter().map(|(_, end)| *end).collect();
    let mut sums = vec![(0.0, 0.0); agents.len()];
    for ((agent, _), outcome) in played.iter().zip(outcomes_together(&ends)) {
        sums[*agent].0 += f64::from(outcome);
        sums[*agent].1 += 1.0;
    }
    Ok(sums.into_iter().map(|(sum, count)| sum / f64::max(count, 1.0)).collect())
}

/// Plays a game to its end; returns a hash of all answers and of the score, and the number of questions.
///
/// # Errors
/// A fault of the game, or that the training was stopped.
fn play(
    rules: &Ruleset,
    agents: &[AgentKind],
    sitting: &[usize],
    game: &mut Game,
    scripts: &mut dyn Scripts,
    stop: &AtomicBool,
    seed: u64,
) -> Result<(u64, u64), Fault> {
    let kinds: Vec<AgentKind> = sitting.iter().map(|&agent| agents[agent].clone()).collect();
    let mut seats = SeatAgents::new(&kinds);
    game.restart(rules, seed);
    seats.begin_game(seed);
    let (mut went, mut asked) = (0, 0);
    while game.on(rules).advance(scripts)?.is_some() {
        if asked >= MAX_QUESTIONS {
            return Err(Fault::new("the game may never end"));
        }
        if stop.load(Ordering::Relaxed) {
            return Err(Fault::new("the training was stopped"));
        }
        let chosen = seats.choose_or_stop(rules, game, scripts, stop)?;
        if let Some(option) = game.decision().and_then(|decision| decision.options.get(chosen)) {
            went = join(went, join(option.key, option.nth.into()));
        }
        game.on(rules).answer(scripts, chosen)?;
        asked += 1;
    }
    let went = (0..rules.players).fold(went, |went, seat| join(went, game.store(rules).score(seat).cast_unsigned()));
    Ok((went, asked))
}

#[cfg(test)]
mod tests {
    use super::best_of;

    #[test]
    fn most_points_win_and_equal_ones_share() {
        assert_eq!(best_of(&[(0, 3.0), (1, 5.0), (2, 5.0)]), [(0, 0.0), (1, 0.5), (2, 0.5)]);
        assert_eq!(best_of(&[(1, -2.0), (0, -3.0)]), [(1, 1.0), (0, 0.0)]);
    }
}
