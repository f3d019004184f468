//! What paired games prove: differences, intervals that hold at any time, and p-values of many measures at once.
//!
//! * Paired differences: Student's t interval (Student 1908). With common random numbers the difference of two games varies less than that of
//!   two games that share nothing (Law, Simulation Modeling and Analysis, ch. 11.2).
//! * [`Pairs::always`]: an asymptotic confidence sequence, which covers the truth at all times at once, so that a run may stop when it is
//!   narrow enough: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Time-uniform central limit theory and asymptotic confidence
//!   sequences, Annals of Statistics 52(6), 2024, theorem 2.2.
//! * [`false_discoveries`]: Benjamini, Hochberg, Controlling the false discovery rate, JRSS B 57(1), 1995.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::super::exact::Exact;

/// How often an interval may miss.
pub const ALPHA: f64 = 0.05;

/// The confidence sequence is narrowest, for its age, at so many pairs.
const NARROWEST_AT: f64 = 500.0;

/// A measure in pairs of games, summed up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// How many were taken in.
    pub taken: u64,
    plain: Exact,
    plain_squares: Exact,
    changed: Exact,
    changed_squares: Exact,
    difference: Exact,
    difference_squares: Exact,
}

/// What pairs of games say of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its mean without the change.
    pub plain: f64,
    /// Its mean with the change.
    pub changed: f64,
    /// Changed less plain.
    pub difference: f64,
    /// How much it varies from game to game: the standard deviation, of the variances of both sides on an average.
    pub deviation: f64,
    /// 95 % interval of the difference.
    pub interval: [f64; 2],
    /// How likely at least such a difference is where there is none.
    pub p: f64,
    /// Of all games that would be needed without pairs, the share that pairing saved; none where nothing varies.
    pub saved: Option<f64>,
}

/// How an interval is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Looks {
    /// One look, after as many games as were asked for.
    Once,
    /// As many looks as one likes: the run stops when an interval is narrow enough.
    Always,
}

impl Pairs {
    /// Takes in a pair.
    pub fn add(&mut self, plain: f64, changed: f64) {
        let difference = changed - plain;
        self.taken += 1;
        let of = [(&mut self.plain, &mut self.plain_squares), (&mut self.changed, &mut self.changed_squares)];
        let of = of.into_iter().chain([(&mut self.difference, &mut self.difference_squares)]);
        for ((sum, squares), value) in of.zip([plain, changed, difference]) {
            sum.add(value);
            squares.add(value * value);
        }
    }

    /// Takes in other pairs; in which order and in how many parts they were taken in makes no difference.
    pub fn merge(&mut self, other: &Pairs) {
        let Pairs { taken, plain, plain_squares, changed, changed_squares, difference, difference_squares } = other;
        self.taken += taken;
        self.plain.merge(plain);
        self.plain_squares.merge(plain_squares);
        self.changed.merge(changed);
        self.changed_squares.merge(changed_squares);
        self.difference.merge(difference);
        self.difference_squares.merge(difference_squares);
    }

    /// What so many pairs say; those that were not taken in count as 0 on both sides.
    pub fn difference(&self, pairs: u64, looks: Looks) -> Difference {
        let n = pairs.max(1) as f64;
        let [plain, changed, difference] = [&self.plain, &self.changed, &self.difference].map(Exact::sum);
        let mean = difference / n;
        let spread = variance(difference, self.difference_squares.sum(), pairs);
        let (half, p) = match looks {
            Looks::Once => once(mean, spread, pairs),
            Looks::Always => always(mean, spread, pairs),
        };
        let apart = variance(plain, self.plain_squares.sum(), pairs) + variance(changed, self.changed_squares.sum(), pairs);
        Difference {
            plain: plain / n,
            changed: changed / n,
            difference: mean,
            deviation: (apart / 2.0).sqrt(),
            interval: [mean - half, mean + half],
            p,
            saved: (apart > 0.0).then(|| 1.0 - spread / apart),
        }
    }
}

/// Of a sample; 0 for fewer than two.
fn variance(sum: f64, squares: f64, count: u64) -> f64 {
    let n = count as f64;
    if count < 2 { 0.0 } else { ((squares - sum * sum / n) / (n - 1.0)).max(0.0) }
}

/// Half of Student's interval, and the p-value.
fn once(mean: f64, variance: f64, pairs: u64) -> (f64, f64) {
    if pairs < 2 {
        return (f64::INFINITY, 1.0);
    }
    let error = (variance / pairs as f64).sqrt();
    if error == 0.0 {
        return (0.0, if mean == 0.0 { 1.0 } else { 0.0 });
    }
    let Ok(student) = StudentsT::new(0.0, 1.0, (pairs - 1) as f64) else { return (f64::INFINITY, 1.0) };
    (student.inverse_cdf(1.0 - ALPHA / 2.0) * error, 2.0 * student.cdf(-(mean / error).abs()))
}

/// Half of the confidence sequence, and the p-value that holds at all times.
fn always(mean: f64, variance: f64, pairs: u64) -> (f64, f64) {
    if pairs < 2 {
        return (f64::INFINITY, 1.0);
    }
    if variance == 0.0 {
        return (0.0, if mean == 0.0 { 1.0 } else { 0.0 });
    }
    let n = pairs as f64;
    let rho = ((-2.0 * ALPHA.ln() + (1.0 - 2.0 * ALPHA.ln()).ln()) / NARROWEST_AT).sqrt();
    let grown = n * rho * rho + 1.0;
    let half = variance.sqrt() * (2.0 * grown / (n * n * rho * rho) * (grown.sqrt() / ALPHA).ln()).sqrt();
    let p = grown.sqrt() * (-(n * n * rho * rho * mean * mean) / (2.0 * grown * variance)).exp();
    (half, p.min(1.0))
}

/// For each p-value the smallest share of false discoveries at which it counts as one.
pub fn false_discoveries(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut found = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (rank, &at) in order.iter().enumerate().rev() {
        least = least.min(p[at] * p.len() as f64 / (rank + 1) as f64);
        found[at] = least;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    #[test]
    fn student_s_sleep() {
        // Student 1908, table: hours of sleep gained by ten patients with two drugs; t = 4.0621, p = 0.002833.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let mut pairs = Pairs::default();
        first.iter().zip(second).for_each(|(a, b)| pairs.add(*a, b));
        let found = pairs.difference(10, Looks::Once);
        near(found.difference, 1.58, 1e-9);
        near(found.p, 0.002_833, 1e-6);
        near(found.interval[0], 0.700_1, 1e-4);
        near(found.interval[1], 2.459_9, 1e-4);
        // Var 3.2005 and 4.0090 apart, 1.5129 of the differences.
        near(found.saved.unwrap_or_default(), 1.0 - 1.512_9 / (3.200_6 + 4.009), 1e-3);
    }

    #[test]
    fn benjamini_and_hochberg_s_own_example() {
        // Their table of 15 p-values: at 0.05 the first four are discoveries.
        let p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0];
        let found = false_discoveries(&p);
        assert_eq!(found.iter().filter(|q| **q <= 0.05).count(), 4);
        near(found[3], 0.0095 * 15.0 / 4.0, 1e-12);
        // In any order.
        let turned: Vec<f64> = p.iter().rev().copied().collect();
        assert_eq!(false_discoveries(&turned).into_iter().rev().collect::<Vec<_>>(), found);
    }

    /// Noise around a true difference, as whole points: how often the interval misses it at the end, and how often at some time.
    fn misses(truth: f64, looks: Looks, runs: u64) -> (u64, u64) {
        let (mut at_the_end, mut ever) = (0, 0);
        for seed in 0..runs {
            let mut random = StdRng::seed_from_u64(seed);
            let (mut pairs, mut missed, mut last) = (Pairs::default(), false, false);
            for n in 1..=600 {
                let plain = f64::from(random.random_range(0..20_i32));
                let own = f64::from(random.random_range(0..9_i32) - 4);
                pairs.add(plain, plain + truth + own);
                if n >= 50 {
                    let [low, high] = pairs.difference(n, looks).interval;
                    last = truth < low || high < truth;
                    missed |= last;
                }
            }
            at_the_end += u64::from(last);
            ever += u64::from(missed);
        }
        (at_the_end, ever)
    }

    #[test]
    fn an_interval_misses_as_often_as_it_says_and_a_sequence_at_no_time_more_often() {
        for truth in [0.0, 1.5] {
            let (at_the_end, ever) = misses(truth, Looks::Once, 1000);
            assert!((30..=72).contains(&at_the_end), "{at_the_end} of 1000 at the end");
            assert!(ever > 150, "peeking at a fixed interval misses {ever} of 1000");
            let (_, ever) = misses(truth, Looks::Always, 1000);
            assert!(ever <= 60, "a sequence misses {ever} of 1000");
        }
    }

    #[test]
    fn p_values_and_intervals_agree() {
        let mut random = StdRng::seed_from_u64(4);
        for looks in [Looks::Once, Looks::Always] {
            let (mut shown, mut not) = (0, 0);
            for run in 0..200 {
                let mut pairs = Pairs::default();
                (0..80).for_each(|_| pairs.add(0.0, f64::from(random.random_range(-9..=9_i32)) + f64::from(run) / 60.0));
                let found = pairs.difference(80, looks);
                let outside = found.interval[0] > 0.0 || found.interval[1] < 0.0;
                assert_eq!(outside, found.p < ALPHA, "{found:?}");
                if outside { shown += 1 } else { not += 1 }
            }
            assert!(shown > 20 && not > 20, "{shown} and {not}");
        }
    }

    #[test]
    fn where_nothing_differs_there_is_nothing_to_show() {
        let mut pairs = Pairs::default();
        (0..10).for_each(|n| pairs.add(f64::from(n), f64::from(n)));
        for looks in [Looks::Once, Looks::Always] {
            let found = pairs.difference(10, looks);
            assert_eq!((found.difference, found.interval, found.p, found.saved), (0.0, [0.0, 0.0], 1.0, Some(1.0)));
        }
        assert_eq!(Pairs::default().difference(0, Looks::Once).p, 1.0);
    }
}
