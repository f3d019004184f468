//! Bayesian optimisation over a lattice with noisy evaluations.
//!
//! What is modelled are the means themselves (points, shares, rounds), each by a Gaussian process, and not their distance from a target,
//! whose noise is skewed and which has a kink where it is smallest; the distance follows from the means (Astudillo and Frazier, *Bayesian
//! optimization of composite functions*, ICML 2019). A setting is asked for where the loss is expected to fall most below the best, or, by
//! turns, among the best the one that has been played least, so that none is best by luck alone (as in racing: Maron and Moore, *Hoeffding
//! races*, NIPS 1993). All settings are played over the same games in the same order, so that they differ by what they do and not by their
//! draws (common random numbers).

use std::collections::BTreeMap;

use super::lattice::{Lattice, Point};
use super::objective::Objective;
use super::process::{Noisy, Process, Smoothness};
use crate::playtest::{Merge, Moments};
use crate::state::chance::{Stream, hash_text};

/// Number of draws from what is believed, half of them mirrored, by which losses are averaged.
const DRAWS: usize = 32;
/// Largest number of settings that are looked at before each evaluation; of a larger lattice some are drawn.
const POOL: usize = 1000;
/// Number of the best settings whose neighbours are looked at in a larger lattice.
const SURROUNDED: usize = 8;
/// Number of the best settings among which the least played is played again.
const RACERS: usize = 4;
/// Every so many evaluations one goes to a racer.
const TURNS: u64 = 3;
/// Lattices of at most this size are played completely before anything is modelled.
const SMALL_LATTICE: u64 = 12;
/// How much the loss of all criteria counts in looking for the setting that comes nearest to one.
const OTHER_CRITERIA: f64 = 0.05;
/// The variance between games at a setting is worth its games; that of all settings together is worth this number.
const POOLED_GAMES: f64 = 10.0;

/// What has been measured at a setting.
#[derive(Clone, Debug)]
struct Measured {
    /// Number of evaluations.
    visits: u64,
    /// Sums of each mean.
    sums: Vec<Moments>,
}

/// A setting with what is believed of it, from its own games and from those of its neighbours.
#[derive(Clone, Debug)]
struct Believed {
    point: Point,
    /// Expected loss of each criterion.
    losses: Vec<f64>,
    /// By how much the loss is expected to fall below a bound, where one was given.
    improvement: f64,
}

impl Believed {
    /// Returns the expected loss.
    fn loss(&self) -> f64 {
        self.losses.iter().sum()
    }
}

/// A search that is asked which setting to play next, and told what came of it.
#[derive(Clone, Debug)]
pub struct Search {
    lattice: Lattice,
    objective: Objective,
    /// Settings to be played first, the last one first.
    design: Vec<Point>,
    measured: BTreeMap<Point, Measured>,
    smoothness: Vec<Smoothness>,
    /// Number of settings for which the smoothness was fitted.
    fitted: usize,
    seed: u64,
    /// Standard normal numbers: for each draw one for each mean.
    draws: Vec<Vec<f64>>,
    evaluations: u64,
}

impl Search {
    /// Begins a search; `known` is played first, if it is given: the setting of the rules as they are.
    pub fn new(lattice: Lattice, objective: Objective, known: Option<Point>, seed: u64) -> Search {
        let mut chance = Stream::new(seed, hash_text("tuning"), 0);
        let mut design = match lattice.size() <= SMALL_LATTICE {
            true => lattice.all(),
            false => lattice.spread(3 * lattice.axes.len() + 3, &mut chance),
        };
        design.reverse();
        if let Some(known) = known {
            design.retain(|point| *point != known);
            design.push(known);
        }
        let half: Vec<Vec<f64>> = (0..DRAWS / 2).map(|_| (0..objective.parts()).map(|_| draw_normal(&mut chance)).collect()).collect();
        let mirrored: Vec<Vec<f64>> = half.iter().map(|draw| draw.iter().map(|number| -number).collect()).collect();
        let draws = half.into_iter().chain(mirrored).collect();
        let smoothness = vec![Smoothness::assumed(&lattice); objective.parts()];
        Search { lattice, objective, design, measured: BTreeMap::new(), smoothness, fitted: 0, seed, draws, evaluations: 0 }
    }

    /// Returns how many evaluations are enough as a rule: every setting some times, but no more than so many for each axis.
    pub fn usual_evaluations(lattice: &Lattice) -> u64 {
        let by_axes = 24 * (lattice.axes.len() as u64 + 1);
        lattice.size().saturating_mul(4).clamp(8, by_axes)
    }

    /// Returns the setting to be played next, with the number of evaluations that it has had: the games of this evaluation are those that
    /// every setting has at this number.
    pub fn ask(&mut self) -> (Point, u64) {
        let next = self.design.last().cloned().unwrap_or_else(|| self.choose());
        let visits = self.visits(&next);
        (next, visits)
    }

    fn visits(&self, point: &Point) -> u64 {
        self.measured.get(point).map_or(0, |measured| measured.visits)
    }

    /// Takes the sums of the games that were played at a setting.
    pub fn tell(&mut self, point: &Point, sums: &[Moments]) {
        self.design.retain(|other| other != point);
        self.evaluations += 1;
        let known = self.measured.entry(point.clone());
        let known = known.or_insert_with(|| Measured { visits: 0, sums: vec![Moments::default(); self.objective.parts()] });
        known.visits += 1;
        known.sums.iter_mut().zip(sums).for_each(|(known, sums)| known.merge(sums));
    }

    /// Returns the settings that have been played, the one of the least expected loss first; without those of which nothing could be
    /// measured, such as where all games ended with a fault: what their neighbours measure says nothing of that.
    fn ranking(&mut self) -> Vec<Believed> {
        self.fit_when_due(true);
        self.believe(&self.processes(), &self.known(), None)
    }

    /// Returns the settings at which something was measured.
    fn known(&self) -> Vec<Point> {
        self.measured.keys().filter(|point| !self.is_barren(point)).cloned().collect()
    }

    /// Whether a setting was played and no game of it could be measured.
    fn is_barren(&self, point: &Point) -> bool {
        self.measured.get(point).is_some_and(|measured| measured.sums.iter().all(|sums| sums.count == 0))
    }

    /// Returns at most `count` settings for a second look: the best, for each of several criteria the one that comes nearest to it, and
    /// those that follow.
    pub fn finalists(&mut self, count: usize) -> Vec<Point> {
        let ranking = self.ranking();
        let mut chosen: Vec<usize> = Vec::new();
        // Of settings that are as near to one criterion, that counts which costs the others less.
        let loss = |at: usize, criterion: usize| ranking[at].losses[criterion] + OTHER_CRITERIA * ranking[at].loss();
        let of_criterion = |criterion: usize| (0..ranking.len()).min_by(|a, b| loss(*a, criterion).total_cmp(&loss(*b, criterion)));
        let extremes = (0..self.objective.criteria.len()).filter_map(of_criterion);
        for at in (0..ranking.len().min(1)).chain(extremes).chain(0..ranking.len()) {
            if chosen.len() < count && !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        chosen.into_iter().map(|at| ranking[at].point.clone()).collect()
    }

    /// Chooses the next setting by what is believed.
    fn choose(&mut self) -> Point {
        self.fit_when_due(false);
        let processes = self.processes();
        let played = self.known();
        let ranking = self.believe(&processes, &played, None);
        let Some(best) = ranking.first() else { return vec![0; self.lattice.axes.len()] };
        let racers = ranking.iter().take(RACERS).map(|believed| &believed.point);
        let racer = racers.min_by_key(|point| self.visits(point)).unwrap_or(&best.point).clone();
        if self.evaluations % TURNS == TURNS - 1 {
            return racer;
        }
        // Streams of different evaluations share no numbers.
        let mut chance = Stream::new(self.seed, hash_text("settings to look at"), self.evaluations << 32);
        let mut pool = pool(&self.lattice, &ranking, &played, &mut chance);
        pool.retain(|point| !self.is_barren(point));
        let believed = self.believe(&processes, &pool, Some(best.loss()));
        let promising = believed.iter().max_by(|a, b| a.improvement.total_cmp(&b.improvement));
        // If nothing is expected to be better, more games tell the best ones apart.
        promising.filter(|most| most.improvement > 1e-6 * best.loss()).map_or(racer, |most| most.point.clone())
    }

    /// Fits the smoothness anew, once a fifth more settings have been played.
    fn fit_when_due(&mut self, now: bool) {
        let played = self.measured.len();
        if !now && played * 5 < self.fitted * 6 {
            return;
        }
        self.fitted = played;
        for part in 0..self.smoothness.len() {
            let (points, means) = self.means_of(part);
            if points.len() > 1 {
                let known = self.smoothness[part].clone();
                self.smoothness[part] = known.fitted(&self.lattice, &points, &means);
            }
        }
    }

    /// Returns the settings at which a mean has been measured, with its values.
    fn means_of(&self, part: usize) -> (Vec<Point>, Vec<Noisy>) {
        let of_part: Vec<(&Point, &Moments)> =
            self.measured.iter().map(|(point, measured)| (point, &measured.sums[part])).filter(|(_, sums)| sums.count > 0).collect();
        let games: f64 = of_part.iter().map(|(_, sums)| sums.count as f64 - 1.0).sum();
        let pooled = of_part.iter().map(|(_, sums)| sums.variance() * (sums.count as f64 - 1.0)).sum::<f64>() / games.max(1.0);
        let mean = |(point, sums): (&Point, &Moments)| {
            let count = sums.count as f64;
            let variance = (sums.variance() * (count - 1.0) + pooled * POOLED_GAMES) / (count - 1.0 + POOLED_GAMES);
            (point.clone(), Noisy { mean: sums.mean().unwrap_or_default(), variance: variance / count })
        };
        of_part.into_iter().map(mean).unzip()
    }

    /// Returns a process for each mean; `None` for one that has never been measured.
    fn processes(&self) -> Vec<Option<Process<'_>>> {
        let process = |(part, smoothness): (usize, &Smoothness)| {
            let (points, means) = self.means_of(part);
            if points.is_empty() { None } else { Process::new(&self.lattice, &points, &means, smoothness.clone()) }
        };
        self.smoothness.iter().enumerate().map(process).collect()
    }

    /// Returns what is believed of settings, the one of the least expected loss first.
    fn believe(&self, processes: &[Option<Process<'_>>], points: &[Point], below: Option<f64>) -> Vec<Believed> {
        let mut found: Vec<Believed> = points.iter().map(|point| self.believe_of(processes, point, below)).collect();
        found.sort_by(|a, b| a.loss().total_cmp(&b.loss()).then_with(|| a.point.cmp(&b.point)));
        found
    }

    fn believe_of(&self, processes: &[Option<Process<'_>>], point: &Point, below: Option<f64>) -> Believed {
        // Nothing is expected of a mean that cannot be measured: it is where it is wanted.
        let wanted = self.objective.criteria.iter().flat_map(|criterion| &criterion.parts);
        let at = |(process, wanted): (&Option<Process<'_>>, &super::objective::Wanted)| {
            process.as_ref().map_or(Noisy { mean: wanted.low, variance: 0.0 }, |process| process.at(point))
        };
        let means: Vec<Noisy> = processes.iter().zip(wanted).map(at).collect();
        let (mut losses, mut improvement) = (vec![0.0; self.objective.criteria.len()], 0.0);
        for draw in &self.draws {
            let values: Vec<f64> = means.iter().zip(draw).map(|(noisy, number)| noisy.mean + noisy.variance.sqrt() * number).collect();
            let drawn = self.objective.losses(&values);
            improvement += below.map_or(0.0, |below| (below - drawn.iter().sum::<f64>()).max(0.0));
            losses.iter_mut().zip(drawn).for_each(|(sum, loss)| *sum += loss);
        }
        let count = self.draws.len().max(1) as f64;
        losses.iter_mut().for_each(|loss| *loss /= count);
        Believed { point: point.clone(), losses, improvement: improvement / count }
    }
}

/// Returns the settings that are looked at: all of a small lattice, else those that were played, neighbours of the best, and some that are
/// drawn.
fn pool(lattice: &Lattice, ranking: &[Believed], played: &[Point], chance: &mut Stream) -> Vec<Point> {
    if lattice.size() <= POOL as u64 {
        return lattice.all();
    }
    let mut found: Vec<Point> = played.to_vec();
    found.extend(ranking.iter().take(SURROUNDED).flat_map(|best| lattice.neighbours(&best.point)));
    let drawn = POOL.saturating_sub(found.len());
    found.extend((0..drawn).map(|_| lattice.draw(chance)));
    found.sort_unstable();
    found.dedup();
    found
}

/// Draws a standard normal number (Box and Muller 1958).
fn draw_normal(chance: &mut Stream) -> f64 {
    // Uniform between 0 and 1, both excluded.
    let mut uniform = || (chance.below(u32::MAX) as f64 + 0.5) / f64::from(u32::MAX);
    let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
    radius * angle.cos()
}

#[cfg(test)]
mod tests;
