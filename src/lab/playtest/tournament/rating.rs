//! Ratings of agents from their results against each other: the choice model of Luce (*Individual Choice Behavior*, 1959), which for two
//! seats is that of Bradley and Terry (*Biometrika* 39, 1952), by maximum likelihood.
//!
//! Each seat of an agent of strength `s` wins with a probability proportional to `s`. With `k` of `n` seats the odds of the first agent
//! are `k s : (n - k) t`, a logistic regression with the offset `log(k / (n - k))`, fitted by Newton's method. As in BayesElo, one drawn
//! game is added between each two agents that met, so that ratings are finite even for an agent that won or lost all games.
//!
//! The games of one deal, which is played in several seatings, are negatively correlated. Standard errors are therefore clustered by deal
//! (the sandwich estimator of Huber and White; Liang and Zeger, *Longitudinal data analysis using generalized linear models*, Biometrika
//! 73, 1986), from the residuals of whole deals.

use serde::Serialize;

use super::super::distinct::DistinctSketch;
use super::super::stats::{ALPHA, half_width, student};

/// Elo points for odds of ten to one.
const ELO_PER_DECADE: f64 = 400.0;
/// Regularisation that keeps the equations solvable if some agents have not met.
const REGULARISATION: f64 = 1e-9;
/// Standard errors above this value count as undefined.
const MAX_RATING_ERROR: f64 = 1e5;
/// Maximum number of steps of Newton's method, which converges after a few.
const MAX_NEWTON_STEPS: usize = 100;

/// The results of two agents against each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeadToHead {
    /// Index of the first agent.
    pub first: usize,
    /// Index of the second agent.
    pub second: usize,
    /// Deals grouped by seating.
    deals: Vec<Deals>,
    /// Distinct deals; a repeated deal is no additional evidence.
    different: DistinctSketch,
}

/// Deals with the same seatings.
#[derive(Clone, Debug, Default, PartialEq)]
struct Deals {
    /// For each game of a deal the odds of the first agent due to seats alone.
    odds: Vec<f64>,
    /// Number of deals.
    count: u64,
    /// Number of games that the first agent won.
    won: f64,
    /// Sum over deals of the squared number of games won.
    squares: f64,
}

impl HeadToHead {
    /// Creates an empty record of two agents.
    pub fn new(first: usize, second: usize) -> HeadToHead {
        HeadToHead { first, second, ..HeadToHead::default() }
    }

    /// Adds a deal with the given hash: for each of its games the first agent's number of seats and its share of the win.
    pub fn add(&mut self, games: &[(usize, f64)], players: usize, course_hash: u64) {
        let odds: Vec<f64> = games.iter().map(|(seats, _)| *seats as f64 / (players - seats) as f64).collect();
        let won: f64 = games.iter().map(|(_, won)| won).sum();
        let at = self.deals.iter().position(|deals| deals.odds == odds).unwrap_or_else(|| {
            self.deals.push(Deals { odds, ..Deals::default() });
            self.deals.len() - 1
        });
        let deals = &mut self.deals[at];
        deals.count += 1;
        deals.won += won;
        deals.squares += won * won;
        self.different.add(course_hash);
    }

    /// Returns the number of games played.
    pub fn games(&self) -> u64 {
        self.deals.iter().map(|deals| deals.count * deals.odds.len() as u64).sum()
    }

    /// Returns the number of deals played.
    pub fn deals(&self) -> u64 {
        self.deals.iter().map(|deals| deals.count).sum()
    }

    /// Returns the number of distinct deals.
    pub fn distinct(&self) -> u64 {
        self.different.count(self.deals())
    }

    /// Returns the number of games that the first agent won; shared wins count in part.
    pub fn won(&self) -> f64 {
        self.deals.iter().map(|deals| deals.won).sum()
    }

    /// Returns the 95 % interval of the first agent's share of wins, clustered by deal.
    pub fn interval(&self) -> [f64; 2] {
        let (deals, games) = (self.deals() as f64, self.games() as f64);
        let share = self.won() / games.max(1.0);
        // Residual of a deal as a share of its games.
        let of_deal = games / deals.max(1.0);
        let spread = self.spread(&|odds| odds.len() as f64 * share) / (of_deal * of_deal * (deals - 1.0).max(1.0));
        let half = half_width(spread, self.distinct() as f64, 1.0 / of_deal, ALPHA);
        half.map_or([0.0, 1.0], |half| [(share - half).max(0.0), (share + half).min(1.0)])
    }

    /// Returns the sum of the squared residuals of deals.
    fn spread(&self, expected: &dyn Fn(&[f64]) -> f64) -> f64 {
        let of = |deals: &Deals| {
            let mean = expected(&deals.odds);
            deals.squares - 2.0 * mean * deals.won + deals.count as f64 * mean * mean
        };
        self.deals.iter().map(of).sum::<f64>().max(0.0)
    }
}

/// The rating of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the first agent: 400 for odds of ten to one with equal seats.
    pub points: f64,
    /// Standard error of the difference to the first agent in Elo points, clustered by deal; `None` if no chain of games connects the
    /// two, or if a single deal was repeated.
    pub error: Option<f64>,
    /// 95 % interval of the points.
    pub interval: Option<[f64; 2]>,
}

/// Computes the ratings of all agents relative to the first one, which is 0. An agent without games has no error.
pub fn ratings(kinds: usize, records: &[HeadToHead]) -> Vec<Rating> {
    let records: Vec<&HeadToHead> = records.iter().filter(|record| record.games() > 0).collect();
    let fit = fit_strengths(kinds, &records, true);
    let freedom = records.iter().map(|record| record.distinct()).sum::<u64>() as f64 - kinds as f64 + 1.0;
    let reach = student(freedom.max(1.0), ALPHA);
    let rating = |kind: usize| {
        let (points, error) = (scale() * fit.logits[kind], fit.error(kind, &records));
        Rating { points, error, interval: error.map(|error| [points - reach * error, points + reach * error]) }
    };
    (0..kinds).map(rating).collect()
}

/// Returns the number of Elo points of one logit.
fn scale() -> f64 {
    ELO_PER_DECADE / std::f64::consts::LN_10
}

/// The maximum likelihood fit: strengths in logits, and the information matrix.
struct Fit {
    logits: Vec<f64>,
    information: Vec<Vec<f64>>,
}

impl Fit {
    /// Returns the derivative of an agent's rating with respect to the residuals.
    fn sensitivity(&self, kind: usize) -> Option<Vec<f64>> {
        let mut unit = vec![0.0; self.logits.len()];
        if kind == 0 {
            return Some(unit);
        }
        unit[kind] = 1.0;
        solve(&self.information, &unit)
    }

    /// Returns the standard error of a rating if games were independent.
    fn error_by_games(&self, kind: usize) -> Option<f64> {
        self.sensitivity(kind).map(|column| scale() * column[kind].sqrt()).filter(|error| *error < MAX_RATING_ERROR)
    }

    /// Returns the standard error of a rating, clustered by deal.
    fn error(&self, kind: usize, records: &[&HeadToHead]) -> Option<f64> {
        // An agent without games has none, whatever is known of the others.
        self.error_by_games(kind)?;
        let column = self.sensitivity(kind)?;
        let mut variance = 0.0;
        for record in records {
            let weight = column[record.first] - column[record.second];
            let (deals, distinct) = (record.deals() as f64, record.distinct() as f64);
            if weight.abs() < REGULARISATION {
                continue;
            }
            if distinct < 2.0 {
                return None;
            }
            // Includes two artificial deals, one with a game more than expected and one with a game less.
            let spread = record.spread(&|odds| odds.iter().map(|odds| chance(&self.logits, record, *odds)).sum()) + 2.0;
            variance += weight * weight * spread * deals / distinct * distinct / (distinct - 1.0);
        }
        Some(scale() * variance.sqrt())
    }
}

/// Returns the probability that the first agent of a record wins with these odds of seats.
fn chance(logits: &[f64], record: &HeadToHead, odds: f64) -> f64 {
    let ratio = odds * f64::exp(logits[record.first] - logits[record.second]);
    ratio / (1.0 + ratio)
}

/// Fits the strengths, optionally with a drawn game added to each record. Without it they are unbounded if an agent has won all games.
fn fit_strengths(kinds: usize, records: &[&HeadToHead], with_a_draw: bool) -> Fit {
    let mut logits = vec![0.0; kinds];
    let mut information = vec![vec![0.0; kinds]; kinds];
    for _ in 0..MAX_NEWTON_STEPS {
        let mut slope = vec![0.0; kinds];
        for (kind, row) in information.iter_mut().enumerate() {
            row.fill(0.0);
            row[kind] = REGULARISATION;
        }
        for record in records {
            let (first, second) = (record.first, record.second);
            let drawn = with_a_draw.then_some((1.0, 1.0, 0.5));
            let played = record.deals.iter().flat_map(|deals| {
                // Wins are recorded by deal and attributed to its first game.
                deals.odds.iter().enumerate().map(|(game, odds)| (*odds, deals.count as f64, if game == 0 { deals.won } else { 0.0 }))
            });
            for (odds, games, won) in played.chain(drawn) {
                let chance = chance(&logits, record, odds);
                let (surplus, spread) = (won - games * chance, games * chance * (1.0 - chance));
                slope[first] += surplus;
                slope[second] -= surplus;
                for (row, column, sign) in [(first, first, 1.0), (second, second, 1.0), (first, second, -1.0), (second, first, -1.0)] {
                    information[row][column] += sign * spread;
                }
            }
        }
        let Some(step) = solve(&information, &slope) else { break };
        // Far from the solution a full step may overshoot.
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        logits.iter_mut().zip(&step).for_each(|(logit, step)| *logit += scale * step);
        if longest < 1e-10 {
            break;
        }
    }
    Fit { logits, information }
}

/// Solves the linear equations with the first unknown fixed at 0, by Gaussian elimination; `None` if the matrix is singular.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len() - 1;
    let mut rows: Vec<Vec<f64>> = (1..=size).map(|row| matrix[row][1..].iter().copied().chain([right[row]]).collect()).collect();
    for pivot in 0..size {
        // The matrix is positive semidefinite, so that pivoting by the largest element suffices.
        let best = (pivot..size).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))?;
        rows.swap(pivot, best);
        if rows[pivot][pivot].abs() < 1e-12 {
            return None;
        }
        let top = rows[pivot].clone();
        for row in rows.iter_mut().skip(pivot + 1) {
            let factor = row[pivot] / top[pivot];
            row.iter_mut().zip(&top).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut found = vec![0.0; size + 1];
    for row in (0..size).rev() {
        let rest: f64 = (row + 1..size).map(|column| rows[row][column] * found[column + 1]).sum();
        found[row + 1] = (rows[row][size] - rest) / rows[row][row];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::hash_text;

    fn record_of(first: usize, second: usize, won: u64, lost: u64) -> HeadToHead {
        let mut record = HeadToHead::new(first, second);
        for game in 0..won + lost {
            record.add(&[(1, f64::from(u8::from(game < won)))], 2, hash_text(&game.to_string()));
        }
        record
    }

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    #[test]
    fn two_that_meet_are_as_far_apart_as_their_odds() {
        // Odds of ten to one, with the added drawn game.
        let found = ratings(2, &[record_of(0, 1, 100, 1000)]);
        let odds: f64 = 1000.5 / 100.5;
        near(found[1].points, 400.0 * odds.log10(), 1e-6);
        // Standard error of a log odds ratio: √(1/a + 1/b); clustered by deals of a single game it is nearly the same.
        near(found[1].error.unwrap(), 400.0 / std::f64::consts::LN_10 * (1.0 / 1000.5 + 1.0 / 100.5_f64).sqrt(), 0.5);
        assert_eq!((found[0].points, found[0].error), (0.0, Some(0.0)));
    }

    #[test]
    fn baseball_teams_as_published() {
        // Agresti, Categorical Data Analysis, 1990, table 10.10: the American League of 1987. Log strengths above Baltimore, as R's
        // BradleyTerry2 has them without home advantage (Turner and Firth, Journal of Statistical Software 48(9), 2012).
        let teams = ["Baltimore", "Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland"];
        let wins = [
            (1, 2, 7, 6),
            (1, 3, 9, 4),
            (1, 4, 7, 6),
            (1, 5, 7, 6),
            (1, 6, 9, 4),
            (1, 0, 11, 2),
            (2, 3, 7, 6),
            (2, 4, 5, 8),
            (2, 5, 11, 2),
            (2, 6, 9, 4),
            (2, 0, 9, 4),
            (3, 4, 7, 6),
            (3, 5, 7, 6),
            (3, 6, 8, 5),
            (3, 0, 12, 1),
            (4, 5, 6, 7),
            (4, 6, 7, 6),
            (4, 0, 10, 3),
            (5, 6, 7, 6),
            (5, 0, 12, 1),
            (6, 0, 6, 7),
        ];
        let records: Vec<HeadToHead> = wins.iter().map(|&(a, b, won, lost)| record_of(a, b, won, lost)).collect();
        let found = fit_strengths(teams.len(), &records.iter().collect::<Vec<_>>(), false);
        let published =
            [(1, 1.5814, 0.3433), (2, 1.4364, 0.3396), (3, 1.2945, 0.3367), (4, 1.2476, 0.3359), (5, 1.1077, 0.3339), (6, 0.6839, 0.3319)];
        for (team, logit, error) in published {
            near(found.logits[team], logit, 0.000_05);
            near(found.error_by_games(team).unwrap() / scale(), error, 0.000_05);
        }
        let found = |team: usize| scale() * found.logits[team];
        // The added drawn games reduce the differences a little.
        let drawn = ratings(teams.len(), &records);
        assert!((1..7).all(|team| drawn[team].points < found(team) && drawn[team].points > 0.85 * found(team)));
    }

    #[test]
    fn seats_are_no_skill() {
        // One of three seats wins a third of the games, two of three win two thirds.
        let mut record = HeadToHead::new(0, 1);
        for game in 0..300 {
            let (one, two) = if game % 3 == 0 { (1.0, 0.0) } else { (0.0, 1.0) };
            record.add(&[(1, one), (2, two)], 3, hash_text(&game.to_string()));
        }
        near(ratings(2, &[record])[1].points, 0.0, 1e-9);
    }

    #[test]
    fn who_has_won_all_has_a_number_and_who_met_nobody_has_none() {
        let found = ratings(3, &[record_of(1, 0, 20, 0)]);
        near(found[1].points, 400.0 * (20.5_f64 / 0.5).log10(), 1e-6);
        assert_eq!((found[2].points, found[2].error, found[2].interval), (0.0, None, None));
        // Two agents that met each other, but not the first one.
        let found = ratings(3, &[record_of(1, 2, 20, 10)]);
        assert!(found.iter().skip(1).all(|rating| rating.error.is_none()));
    }

    #[test]
    fn intervals_miss_as_often_as_they_say() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        // Three players with odds 1 : 2 : 4, 40 games for each two, in 400 tournaments.
        let mut random = StdRng::seed_from_u64(3);
        let odds: [f64; 3] = [1.0, 2.0, 4.0];
        let mut missed = 0;
        for _ in 0..400 {
            let records: Vec<HeadToHead> = [(0, 1), (0, 2), (1, 2)]
                .map(|(a, b)| {
                    let won = (0..40).filter(|_| random.random_bool(odds[a] / (odds[a] + odds[b]))).count() as u64;
                    record_of(a, b, won, 40 - won)
                })
                .into();
            let [low, high] = ratings(3, &records)[2].interval.unwrap();
            let truth = 400.0 * 4.0_f64.log10();
            missed += usize::from(low > truth || high < truth);
        }
        // 5 % of 400 are 20, and at most 32 in 99 of 100 cases; the artificial games make it rather fewer.
        assert!((5..=32).contains(&missed), "{missed} of 400 miss");
    }

    #[test]
    fn a_deal_with_the_seats_exchanged_is_one_unit() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        // In nine of ten deals the lucky seat wins with any agent; in the tenth the stronger agent wins both games.
        let mut random = StdRng::seed_from_u64(5);
        let (mut points, mut told, mut missed, mut missed_share, runs) = (Vec::new(), Vec::new(), 0, 0, 400);
        for _ in 0..runs {
            let mut record = HeadToHead::new(0, 1);
            for deal in 0..50_u64 {
                let second: f64 = if random.random_bool(0.9) { 0.5 } else { f64::from(u8::from(random.random_bool(0.75))) };
                let games = if second == 0.5 { [(1, 1.0), (1, 0.0)] } else { [(1, 1.0 - second), (1, 1.0 - second)] };
                record.add(&games, 2, hash_text(&deal.to_string()));
            }
            // The second kind wins 0.9 / 2 + 0.1 * 0.75 = 0.525 of all games.
            let rating = ratings(2, std::slice::from_ref(&record))[1];
            let ([low, high], truth) = (rating.interval.unwrap(), 400.0 * (0.525_f64 / 0.475).log10());
            missed += u64::from(truth < low || high < truth);
            let [low, high] = record.interval();
            missed_share += u64::from(0.475 < low || high < 0.475);
            points.push(rating.points);
            told.push(rating.error.unwrap());
        }
        let mean = points.iter().sum::<f64>() / runs as f64;
        let real = (points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (runs - 1) as f64).sqrt();
        let told = told.iter().sum::<f64>() / runs as f64;
        // With independent games the reported error would be 35 points.
        assert!(real < 20.0 && (0.9..1.35).contains(&(told / real)), "told {told}, and it is {real}");
        assert!(missed <= 32 && missed_share <= 32, "{missed} and {missed_share} of {runs}");
    }

    #[test]
    fn one_deal_again_and_again_has_no_error() {
        let mut record = HeadToHead::new(0, 1);
        (0..100).for_each(|_| record.add(&[(1, 0.0), (1, 0.0)], 2, 7));
        let found = ratings(2, std::slice::from_ref(&record))[1];
        assert_eq!((found.error, found.interval, record.interval(), record.distinct()), (None, None, [0.0, 1.0], 1));
    }
}
