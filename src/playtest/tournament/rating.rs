//! How strong players are, from who won against whom: the choice model of Luce (*Individual Choice Behavior*, 1959), which with one seat
//! each is that of Bradley and Terry (*Biometrika* 39, 1952), by maximum likelihood.
//!
//! Each seat of a kind of strength `s` wins with a chance in proportion to `s`. So with `k` of `n` seats the first kind wins with the odds
//! `k s : (n - k) t`, a logistic regression with the offset `log(k / (n - k))`. It is fitted by Newton's method; standard errors come from
//! the information at the fit. One drawn game between each two that met is added, as BayesElo does, so that whoever has won or lost
//! all has a number.

use serde::Serialize;

/// Elo points for odds of ten to one.
const POINTS: f64 = 400.0;
/// 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;
/// Keeps the equations solvable where some kinds have not met.
const HARDLY: f64 = 1e-9;
/// An error beyond this is none.
const BEYOND: f64 = 1e5;
/// The fit is found after a few steps; more than these are never needed.
const MAX_STEPS: usize = 100;

/// Games of two kinds of players with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The number of the first kind.
    pub first: usize,
    /// The number of the second kind.
    pub second: usize,
    /// By the odds that the seats alone give the first kind: those odds, how many games, how many of them the first kind won.
    tables: Vec<(f64, u64, f64)>,
}

impl Record {
    /// Two kinds that have not met.
    pub fn new(first: usize, second: usize) -> Record {
        Record { first, second, tables: Vec::new() }
    }

    /// A game in which the first kind had so many of all seats, and won, lost or shared.
    pub fn add(&mut self, seats: usize, players: usize, won: f64) {
        let odds = seats as f64 / (players - seats) as f64;
        match self.tables.iter_mut().find(|table| table.0 == odds) {
            Some((_, games, sum)) => {
                *games += 1;
                *sum += won;
            }
            None => self.tables.push((odds, 1, won)),
        }
    }

    /// How many games they played.
    pub fn games(&self) -> u64 {
        self.tables.iter().map(|(_, games, _)| games).sum()
    }

    /// How many of them the first kind won; a shared win counts in part.
    pub fn won(&self) -> f64 {
        self.tables.iter().map(|(_, _, won)| won).sum()
    }
}

/// How strong a kind of players is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the first kind: 400 for odds of ten to one at equal seats.
    pub points: f64,
    /// Standard error of the difference to the first kind, in the same points; none where no games lead from one to the other.
    pub error: Option<f64>,
    /// 95 % interval.
    pub interval: Option<[f64; 2]>,
}

/// The strengths of so many kinds; the first one's is 0. Whoever met nobody has no error.
pub fn ratings(kinds: usize, records: &[Record]) -> Vec<Rating> {
    // One drawn game is added to each record: without it, strengths are without bounds where somebody has won all.
    let with_a_draw = |record: &Record| {
        let mut record = record.clone();
        record.add(1, 2, 0.5);
        record
    };
    let records: Vec<Record> = records.iter().filter(|record| record.games() > 0).map(with_a_draw).collect();
    fitted(kinds, &records)
}

/// The strengths for which what happened is likeliest.
fn fitted(kinds: usize, records: &[Record]) -> Vec<Rating> {
    let mut logits = vec![0.0; kinds];
    let mut information = vec![vec![0.0; kinds]; kinds];
    for _ in 0..MAX_STEPS {
        let mut slope = vec![0.0; kinds];
        for (kind, row) in information.iter_mut().enumerate() {
            row.fill(0.0);
            row[kind] = HARDLY;
        }
        for record in records {
            let (first, second) = (record.first, record.second);
            for &(odds, games, won) in &record.tables {
                let ratio = odds * f64::exp(logits[first] - logits[second]);
                let chance = ratio / (1.0 + ratio);
                let (surplus, spread) = (won - games as f64 * chance, games as f64 * chance * (1.0 - chance));
                slope[first] += surplus;
                slope[second] -= surplus;
                for (row, column, sign) in [(first, first, 1.0), (second, second, 1.0), (first, second, -1.0), (second, first, -1.0)] {
                    information[row][column] += sign * spread;
                }
            }
        }
        let Some(step) = solve(&information, &slope) else { break };
        // Far from the fit a whole step may go too far.
        let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        logits.iter_mut().zip(&step).for_each(|(logit, step)| *logit += scale * step);
        if longest < 1e-10 {
            break;
        }
    }
    let scale = POINTS / std::f64::consts::LN_10;
    let rating = |(kind, logit): (usize, f64)| {
        let mut unit = vec![0.0; kinds];
        unit[kind] = 1.0;
        let variance = if kind == 0 { Some(0.0) } else { solve(&information, &unit).map(|column| column[kind]) };
        let error = variance.map(|variance| scale * variance.sqrt()).filter(|error| *error < BEYOND);
        let points = scale * logit;
        Rating { points, error, interval: error.map(|error| [points - NORMAL * error, points + NORMAL * error]) }
    };
    logits.iter().copied().enumerate().map(rating).collect()
}

/// Solves the equations in which the first unknown is 0, by Gauss's elimination; nothing if they have no single solution.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let size = right.len() - 1;
    let mut rows: Vec<Vec<f64>> = (1..=size).map(|row| matrix[row][1..].iter().copied().chain([right[row]]).collect()).collect();
    for pivot in 0..size {
        // The matrix is never negative: the largest element below stands on the diagonal well enough.
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

    fn met(first: usize, second: usize, won: u64, lost: u64) -> Record {
        let mut record = Record::new(first, second);
        (0..won).for_each(|_| record.add(1, 2, 1.0));
        (0..lost).for_each(|_| record.add(1, 2, 0.0));
        record
    }

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    #[test]
    fn two_that_meet_are_as_far_apart_as_their_odds() {
        // Odds of ten to one, with the drawn game that is added.
        let found = ratings(2, &[met(0, 1, 100, 1000)]);
        let odds: f64 = 1000.5 / 100.5;
        near(found[1].points, 400.0 * odds.log10(), 1e-6);
        // Of a log odds ratio: √(1/a + 1/b).
        near(found[1].error.unwrap(), 400.0 / std::f64::consts::LN_10 * (1.0 / 1000.5 + 1.0 / 100.5_f64).sqrt(), 1e-6);
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
        let records: Vec<Record> = wins.iter().map(|&(a, b, won, lost)| met(a, b, won, lost)).collect();
        let found = fitted(teams.len(), &records);
        let scale = 400.0 / std::f64::consts::LN_10;
        let published =
            [(1, 1.5814, 0.3433), (2, 1.4364, 0.3396), (3, 1.2945, 0.3367), (4, 1.2476, 0.3359), (5, 1.1077, 0.3339), (6, 0.6839, 0.3319)];
        for (team, logit, error) in published {
            near(found[team].points / scale, logit, 0.000_05);
            near(found[team].error.unwrap() / scale, error, 0.000_05);
        }
        // The drawn games that are added draw all of them together a little.
        let drawn = ratings(teams.len(), &records);
        assert!((1..7).all(|team| drawn[team].points < found[team].points && drawn[team].points > 0.85 * found[team].points));
    }

    #[test]
    fn seats_are_no_skill() {
        // One of three seats wins a third of the games, two of three two thirds.
        let mut record = Record::new(0, 1);
        for game in 0..300 {
            record.add(1, 3, if game % 3 == 0 { 1.0 } else { 0.0 });
            record.add(2, 3, if game % 3 == 0 { 0.0 } else { 1.0 });
        }
        near(ratings(2, &[record])[1].points, 0.0, 1e-9);
    }

    #[test]
    fn who_has_won_all_has_a_number_and_who_met_nobody_has_none() {
        let found = ratings(3, &[met(1, 0, 20, 0)]);
        near(found[1].points, 400.0 * (20.5_f64 / 0.5).log10(), 1e-6);
        assert_eq!((found[2].points, found[2].error, found[2].interval), (0.0, None, None));
        // Two that met each other, but nobody who met the first.
        let found = ratings(3, &[met(1, 2, 20, 10)]);
        assert!(found.iter().skip(1).all(|rating| rating.error.is_none()));
    }

    #[test]
    fn intervals_miss_as_often_as_they_say() {
        use rand::{RngExt, SeedableRng, rngs::StdRng};
        // Three players with odds 1 : 2 : 4, 40 games for each two, 400 tournaments.
        let mut random = StdRng::seed_from_u64(3);
        let odds: [f64; 3] = [1.0, 2.0, 4.0];
        let mut missed = 0;
        for _ in 0..400 {
            let records: Vec<Record> = [(0, 1), (0, 2), (1, 2)]
                .map(|(a, b)| {
                    let won = (0..40).filter(|_| random.random_bool(odds[a] / (odds[a] + odds[b]))).count() as u64;
                    met(a, b, won, 40 - won)
                })
                .into();
            let [low, high] = ratings(3, &records)[2].interval.unwrap();
            let truth = 400.0 * 4.0_f64.log10();
            missed += usize::from(low > truth || high < truth);
        }
        // 5 % of 400 are 20; between 9 and 32 lie 99 of 100 such counts.
        assert!((9..=32).contains(&missed), "{missed} of 400 miss");
    }
}
