//! Statistical inference for paired games: differences, confidence sequences, and p-values of many measures at once.
//!
//! Everything is derived from an interval at any level: a p-value is the level at which the interval just excludes 0, so that intervals
//! and tests always agree.
//!
//! * Means: Student's t interval of paired differences (Student 1908), with a variance that includes two artificial pairs, one a unit
//!   above the mean and one a unit below (`stats`). With common random numbers the paired difference has a smaller variance than the
//!   difference of independent games (Law, Simulation Modeling and Analysis, ch. 11.2).
//! * Binary measures: the shares of pairs in which the event occurs only with the change, and only without it, each with its Wilson
//!   interval, combined (Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17,
//!   1998, method 10, and Zou, Donner, Construction of confidence limits about effect measures, ibid. 27, 2008, for dependent shares);
//!   and McNemar's exact test.
//! * Few pairs: with any test, `m` differing pairs all have the same sign by chance in one of `2^(m - 1)` cases. No p-value is smaller
//!   than that (the sign-flip test, Fisher 1935).
//! * [`InterimLooks::Always`]: confidence sequences, which are valid at all times simultaneously, so that a run may stop as soon as they are
//!   narrow enough. For measures between 0 and 1 a nonasymptotic one: an empirical-Bernstein supermartingale (Howard, Ramdas, McAuliffe,
//!   Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49(2), 2021, theorem 4), mixed over
//!   several rates. For other measures an asymptotic one (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Time-uniform central limit theory
//!   and asymptotic confidence sequences, Annals of Statistics 52(6), 2024, theorem 2.2) with the same addition to the variance.
//! * [`false_discoveries`]: Benjamini, Hochberg, Controlling the false discovery rate, JRSS B 57(1), 1995; intervals of selected
//!   measures: Benjamini, Yekutieli, False discovery rate-adjusted multiple confidence intervals for selected parameters, JASA 100, 2005.

use crate::cast;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use super::super::exact::ExactSum;
pub use super::super::stats::ALPHA;
use super::super::stats::{half_width, normal, standard_error, wilson_at};

/// Minimum number of pairs for a significant result: five pairs have the same sign by chance in one of 16 cases.
pub const MIN_PAIRS: u64 = 6;

/// Number of pairs for which the asymptotic confidence sequence is optimised.
const OPTIMAL_PAIRS: f64 = 500.0;

/// Rates of the mixture in the empirical-Bernstein sequence, each half of the previous one: the largest is best before any pair differs,
/// the smallest after about 50,000 differing pairs.
const BERNSTEIN_RATES: [f64; 8] = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028_125, 0.014_062_5, 0.007_031_25];

/// Sums of a measure over pairs of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Number of pairs in which the measure was defined.
    pub taken: u64,
    plain: ExactSum,
    plain_squares: ExactSum,
    changed: ExactSum,
    changed_squares: ExactSum,
    difference: ExactSum,
    difference_squares: ExactSum,
    /// Number of pairs whose values differ.
    differing: u64,
    /// Number of pairs in which the value is 1 with the change and 0 without it.
    gained: u64,
    /// Number of pairs in which the value is 0 with the change and 1 without it.
    lost: u64,
    /// Number of pairs with a value other than 0 and 1.
    other: u64,
}

/// The paired difference of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Mean without the change.
    pub plain: f64,
    /// Mean with the change.
    pub changed: f64,
    /// Mean difference: `changed` minus `plain`.
    pub difference: f64,
    /// Standard deviation between games, from the mean of both sides' variances.
    pub deviation: f64,
    /// 95 % interval of the difference.
    pub interval: [f64; 2],
    /// p-value of the difference.
    pub p: f64,
    /// Fraction of games saved by pairing, compared to independent games with the same precision; `None` if there is no variance.
    pub saved: Option<f64>,
}

/// When the data is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InterimLooks {
    /// Once, after the number of games that was requested.
    Once,
    /// At any time: the run stops when an interval is narrow enough.
    Always,
}

/// The possible values of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRange {
    /// Values from 0 to 1: whether an event occurs, or a fraction of a game.
    Share,
    /// Values that differ by at least this amount.
    Steps(f64),
}

/// The context of an inference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// Number of pairs; pairs in which the measure is undefined count as 0 on both sides.
    pub pairs: u64,
    /// Fraction of distinct pairs: a repeated pair is no additional evidence.
    pub distinct: f64,
    /// When the data is examined: once at the end, or repeatedly.
    pub looks: InterimLooks,
    /// The possible values of the measure.
    pub scale: ValueRange,
}

impl Basis {
    /// Returns the context for distinct pairs, examined once, of values that differ by at least `unit`.
    pub fn single_look(pairs: u64, unit: f64) -> Basis {
        Basis { pairs, distinct: 1.0, looks: InterimLooks::Once, scale: ValueRange::Steps(unit) }
    }

    /// Returns the effective number of pairs: the distinct ones.
    fn evidence(&self) -> f64 {
        self.pairs as f64 * self.distinct
    }

    /// Returns the smallest difference between two values.
    fn unit(&self) -> f64 {
        match self.scale {
            ValueRange::Share => 1.0,
            ValueRange::Steps(unit) => unit,
        }
    }
}

impl Pairs {
    /// Adds a pair of values.
    pub fn add(&mut self, plain: f64, changed: f64) {
        let difference = changed - plain;
        self.taken += 1;
        let of = [(&mut self.plain, &mut self.plain_squares), (&mut self.changed, &mut self.changed_squares)];
        let of = of.into_iter().chain([(&mut self.difference, &mut self.difference_squares)]);
        for ((sum, squares), value) in of.zip([plain, changed, difference]) {
            sum.add(value);
            squares.add(value * value);
        }
        let is_binary = |value: f64| value == 0.0 || value == 1.0;
        self.differing += u64::from(difference != 0.0);
        self.gained += u64::from(plain == 0.0 && changed == 1.0);
        self.lost += u64::from(plain == 1.0 && changed == 0.0);
        self.other += u64::from(!is_binary(plain) || !is_binary(changed));
    }

    /// Adds the sums of other pairs. The result does not depend on the order or the grouping.
    pub fn merge(&mut self, more: &Pairs) {
        let Pairs { taken, plain, plain_squares, changed, changed_squares, difference, difference_squares, .. } = more;
        let Pairs { differing, gained, lost, other, .. } = more;
        self.taken += taken;
        self.plain.merge(plain);
        self.plain_squares.merge(plain_squares);
        self.changed.merge(changed);
        self.changed_squares.merge(changed_squares);
        self.difference.merge(difference);
        self.difference_squares.merge(difference_squares);
        self.differing += differing;
        self.gained += gained;
        self.lost += lost;
        self.other += other;
    }

    /// Returns the paired difference with its interval and p-value.
    pub fn difference(&self, basis: &Basis) -> Difference {
        let n = basis.pairs.max(1) as f64;
        let [plain, changed, difference] = [&self.plain, &self.changed, &self.difference].map(ExactSum::sum);
        let spread = self.difference_variance(basis.pairs);
        let independent_seeds =
            variance(plain, self.plain_squares.sum(), basis.pairs) + variance(changed, self.changed_squares.sum(), basis.pairs);
        Difference {
            plain: plain / n,
            changed: changed / n,
            difference: difference / n,
            deviation: (independent_seeds / 2.0).sqrt(),
            interval: self.interval(basis, ALPHA),
            p: self.p(basis),
            saved: (independent_seeds > 0.0).then(|| 1.0 - spread / independent_seeds),
        }
    }

    /// Whether both measures had the same values in all games, and these vary: then one is an alias of the other.
    pub fn same_as(&self, other: &Pairs) -> bool {
        let near = |a: &ExactSum, b: &ExactSum| (a.sum() - b.sum()).abs() <= 1e-9 * a.sum().abs().max(1.0);
        let varies = |pairs: &Pairs| {
            let of = [(&pairs.plain, &pairs.plain_squares), (&pairs.changed, &pairs.changed_squares)];
            of.into_iter().any(|(sum, squares)| variance(sum.sum(), squares.sum(), pairs.taken) > 0.0)
        };
        self.taken == other.taken
            && self.differing == other.differing
            && near(&self.plain, &other.plain)
            && near(&self.plain_squares, &other.plain_squares)
            && near(&self.changed, &other.changed)
            && near(&self.changed_squares, &other.changed_squares)
            && near(&self.difference_squares, &other.difference_squares)
            && varies(self)
    }

    /// Returns the interval of the difference at level `1 - alpha`. It excludes 0 exactly if [`Pairs::p`] is at most `alpha`.
    pub fn interval(&self, basis: &Basis, alpha: f64) -> [f64; 2] {
        let [low, high] = self.raw_interval(basis, alpha);
        if self.p(basis) > alpha { [low.min(0.0), high.max(0.0)] } else { [low, high] }
    }

    /// Returns the p-value of the difference.
    pub fn p(&self, basis: &Basis) -> f64 {
        let n = basis.evidence();
        if n < 2.0 {
            return 1.0;
        }
        let (mean, spread) = (self.mean(basis), self.difference_variance(basis.pairs));
        let p = match (basis.looks, basis.scale) {
            (InterimLooks::Once, ValueRange::Share) if self.other == 0 => {
                let by_interval = smallest_level(&|alpha| excludes_zero(self.raw_interval(basis, alpha)));
                by_interval.max(mcnemar_p_value(self.gained as f64 * basis.distinct, self.lost as f64 * basis.distinct))
            }
            (InterimLooks::Once, _) => standard_error(spread, n, basis.unit()).map_or(1.0, |error| two_sided(mean / error, n - 1.0)),
            (InterimLooks::Always, ValueRange::Share) => self.bernstein(basis).p(),
            (InterimLooks::Always, ValueRange::Steps(unit)) => asymptotic_p_value(mean, with_artificial_pairs(spread, n, unit), n),
        };
        // With any test, all differing pairs have the same sign in one of this number of cases.
        let all_one_way = (1.0 - self.differing as f64 * basis.distinct).exp2();
        p.max(all_one_way).min(1.0)
    }

    /// Computes the interval before it is made to agree with the p-value.
    fn raw_interval(&self, basis: &Basis, alpha: f64) -> [f64; 2] {
        let n = basis.evidence();
        if n < 2.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let (mean, spread) = (self.mean(basis), self.difference_variance(basis.pairs));
        let around = |half: f64| [mean - half, mean + half];
        match (basis.looks, basis.scale) {
            (InterimLooks::Once, ValueRange::Share) if self.other == 0 => {
                let pairs = basis.pairs.max(1) as f64;
                let [low, high] = binary_interval(self.gained as f64 / pairs, self.lost as f64 / pairs, n, normal(alpha));
                [low.max(-1.0), high.min(1.0)]
            }
            (InterimLooks::Once, _) => half_width(spread, n, basis.unit(), alpha).map_or([f64::NEG_INFINITY, f64::INFINITY], around),
            (InterimLooks::Always, ValueRange::Share) => self.bernstein(basis).interval(alpha),
            (InterimLooks::Always, ValueRange::Steps(unit)) => {
                around(asymptotic_half_width(with_artificial_pairs(spread, n, unit), n, alpha))
            }
        }
    }

    /// Returns the standard error of the mean difference; `None` if there are too few pairs.
    pub fn error(&self, basis: &Basis) -> Option<f64> {
        standard_error(self.difference_variance(basis.pairs), basis.evidence(), basis.unit())
    }

    /// Returns the mean difference.
    pub(super) fn mean(&self, basis: &Basis) -> f64 {
        self.difference.sum() / basis.pairs.max(1) as f64
    }

    /// Returns the variance of the differences.
    fn difference_variance(&self, pairs: u64) -> f64 {
        variance(self.difference.sum(), self.difference_squares.sum(), pairs)
    }

    fn bernstein(&self, basis: &Basis) -> Bernstein {
        let [sum, squares] = [&self.difference, &self.difference_squares].map(|of| of.sum() * basis.distinct);
        Bernstein { n: basis.evidence(), sum, squares }
    }
}

/// Returns the variance of a sample; 0 for fewer than two values.
fn variance(sum: f64, squares: f64, count: u64) -> f64 {
    let n = count as f64;
    if count < 2 { 0.0 } else { ((squares - sum * sum / n) / (n - 1.0)).max(0.0) }
}

/// Returns the variance with two artificial pairs added, one a unit above the mean and one below.
fn with_artificial_pairs(variance: f64, n: f64, unit: f64) -> f64 {
    variance + 2.0 * unit * unit / (n - 1.0)
}

fn excludes_zero([low, high]: [f64; 2]) -> bool {
    low > 0.0 || high < 0.0
}

/// Returns the two-sided p-value of Student's t with `freedom` degrees of freedom.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |student| 2.0 * student.cdf(-t.abs()))
}

/// Returns the smallest level at which an interval excludes 0; 1 if none does.
fn smallest_level(leaves_out: &dyn Fn(f64) -> bool) -> f64 {
    let (mut out, mut within) = (1.0_f64, 1e-15_f64);
    if !leaves_out(out - 1e-12) {
        return 1.0;
    }
    if leaves_out(within) {
        return within;
    }
    // Bisects from one side, so that the interval at the resulting level excludes 0.
    while out / within > 1.0 + 1e-9 {
        let middle = (out * within).sqrt();
        if leaves_out(middle) { out = middle } else { within = middle }
    }
    out
}

/// Returns the p-value of McNemar's exact test for `one` pairs with one sign and `other` with the opposite sign.
fn mcnemar_p_value(one: f64, other: f64) -> f64 {
    let (most, least) = (cast::whole::<u64>(one.max(other).round()), cast::whole::<u64>(one.min(other).round()));
    Binomial::new(0.5, most + least).map_or(1.0, |coins| 2.0 * coins.cdf(least)).min(1.0)
}

/// Returns the interval of the difference of two exclusive shares of `n` pairs, from their Wilson intervals.
fn binary_interval(gained: f64, lost: f64, n: f64, z: f64) -> [f64; 2] {
    let ([gained_low, gained_high], [lost_low, lost_high]) = (wilson_at(gained, n, z), wilson_at(lost, n, z));
    // The shares are negatively correlated, since they are exclusive.
    let against = if gained < 1.0 && lost < 1.0 { (gained * lost / ((1.0 - gained) * (1.0 - lost))).sqrt() } else { 0.0 };
    let reach = |one: f64, other: f64| (one * one + other * other + 2.0 * against * one * other).sqrt();
    let difference = gained - lost;
    [difference - reach(gained - gained_low, lost_high - lost), difference + reach(gained_high - gained, lost - lost_low)]
}

/// Returns the square of the rate of the asymptotic confidence sequence.
fn squared_asymptotic_rate() -> f64 {
    (-2.0 * ALPHA.ln() + (1.0 - 2.0 * ALPHA.ln()).ln()) / OPTIMAL_PAIRS
}

/// Returns half the width of the asymptotic confidence sequence.
fn asymptotic_half_width(variance: f64, n: f64, alpha: f64) -> f64 {
    let rate = squared_asymptotic_rate();
    let grown = n * rate + 1.0;
    (variance * 2.0 * grown / (n * n * rate) * (grown.sqrt() / alpha).ln()).sqrt()
}

/// Returns the p-value that corresponds to the asymptotic confidence sequence and is valid at all times.
fn asymptotic_p_value(mean: f64, variance: f64, n: f64) -> f64 {
    let rate = squared_asymptotic_rate();
    let grown = n * rate + 1.0;
    grown.sqrt() * (-(n * n * rate * mean * mean) / (2.0 * grown * variance)).exp()
}

/// Sums of differences between -1 and 1, for a confidence sequence of their mean.
///
/// For a rate `r` below 1, the expectation of `exp(r (S - n m) - psi(r) V)` with the sum `S`, the sum of squares `V` and `psi(r) = -ln(1
/// - r) - r` is at most 1 for the true mean `m` at all times. The same holds for a mixture of several rates, and by Ville's inequality it
/// ever exceeds `1 / a` with probability at most `a`.
struct Bernstein {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Bernstein {
    /// Returns the logarithm of the evidence that the true mean is above `mean`, or below it if `sign` is -1.
    fn evidence(&self, mean: f64, sign: f64) -> f64 {
        let of = BERNSTEIN_RATES.map(|rate| rate * sign * (self.sum - self.n * mean) - (-(1.0 - rate).ln() - rate) * self.squares);
        let most = of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + of.iter().map(|one| (one - most).exp()).sum::<f64>().ln() - (BERNSTEIN_RATES.len() as f64).ln()
    }

    fn p(&self) -> f64 {
        let most = self.evidence(0.0, 1.0).max(self.evidence(0.0, -1.0));
        (2.0 * (-most).exp()).min(1.0)
    }

    fn interval(&self, alpha: f64) -> [f64; 2] {
        let enough = (2.0 / alpha).ln();
        let mean = self.sum / self.n;
        let end = |sign: f64| {
            // The true mean is not beyond `out`; up to `within` it is possible.
            let (mut out, mut within) = (-sign, mean);
            if self.evidence(out, sign) < enough {
                return out;
            }
            for _ in 0..60 {
                let middle = f64::midpoint(out, within);
                if self.evidence(middle, sign) >= enough { out = middle } else { within = middle }
            }
            out
        };
        [end(1.0), end(-1.0)]
    }
}

/// Adjusts p-values for multiple tests: for each the smallest false discovery rate at which it is significant.
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

/// Returns the level of the intervals of `chosen` measures selected from `all`, such that at most one selected interval in twenty misses.
pub fn selection_alpha(chosen: usize, all: usize) -> f64 {
    ALPHA * chosen.max(1) as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    fn basis(pairs: u64, looks: InterimLooks, scale: ValueRange) -> Basis {
        Basis { pairs, distinct: 1.0, looks, scale }
    }

    #[test]
    fn student_s_sleep() {
        // Student 1908, table: hours of sleep gained by ten patients with two drugs; t = 4.0621, p = 0.002833.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let mut pairs = Pairs::default();
        first.iter().zip(second).for_each(|(a, b)| pairs.add(*a, b));
        // Nothing is added to the variance of values that may be arbitrarily close.
        let found = pairs.difference(&Basis::single_look(10, 0.0));
        near(found.difference, 1.58, 1e-9);
        near(found.interval[0], 0.700_1, 1e-4);
        near(found.interval[1], 2.459_9, 1e-4);
        // One of ten pairs did not differ: the other nine have the same sign in one of 256 cases, and no test can have a smaller p-value.
        near(found.p, 1.0 / 256.0, 1e-12);
        near(two_sided(4.062_1, 9.0), 0.002_833, 1e-6);
        // The variances are 3.2005 and 4.0090, and 1.5129 for the differences.
        near(found.saved.unwrap_or_default(), 1.0 - 1.512_9 / (3.200_6 + 4.009), 1e-3);
        // Hours are recorded in tenths: 2 · 0.1² is added to 9 · 1.5129.
        near(pairs.difference(&Basis::single_look(10, 0.1)).interval[0], 1.58 - 0.879_9 * ((13.616_4 + 0.02) / 13.616_4_f64).sqrt(), 1e-3);
    }

    #[test]
    fn benjamini_and_hochberg_s_own_example() {
        // Their table of 15 p-values: at 0.05 the first four are discoveries.
        let p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0];
        let found = false_discoveries(&p);
        assert_eq!(found.iter().filter(|q| **q <= 0.05).count(), 4);
        near(found[3], 0.0095 * 15.0 / 4.0, 1e-12);
        // The order does not matter.
        let turned: Vec<f64> = p.iter().rev().copied().collect();
        assert_eq!(false_discoveries(&turned).into_iter().rev().collect::<Vec<_>>(), found);
        // Benjamini and Yekutieli: intervals of those four miss with a chance of 4 / 15 of 5 %.
        near(selection_alpha(4, 15), 0.05 * 4.0 / 15.0, 1e-12);
    }

    #[test]
    fn mcnemar_s_test_as_published() {
        // Agresti, Categorical Data Analysis, 2002, 10.1: 150 and 86 of 1,600 changed their minds; z² = 17.36, p = 3.1e-5.
        let p = mcnemar_p_value(150.0, 86.0);
        assert!((2.0e-5..5.0e-5).contains(&p), "{p}");
        near(mcnemar_p_value(6.0, 0.0), 2.0 / 64.0, 1e-12);
        near(mcnemar_p_value(3.0, 2.0), 1.0, 1e-12);
        assert_eq!(mcnemar_p_value(0.0, 0.0), 1.0);
        // The same table: a difference of 0.04 in 1,600, and the interval 0.022 to 0.059 of Wald's method.
        let [low, high] = binary_interval(150.0 / 1600.0, 86.0 / 1600.0, 1600.0, normal(ALPHA));
        near(low, 0.021, 0.001_5);
        near(high, 0.059, 0.001_5);
    }

    /// Draws the two values of a pair: without the change and with it.
    type Draw<'a> = dyn Fn(&mut StdRng) -> (f64, f64) + 'a;

    /// Counts the runs in which the interval misses the true difference, at the end or, with repeated looks, at any time after 100 pairs:
    /// first with the intervals of this module, then with Student's interval alone.
    fn misses(draw: &Draw<'_>, truth: f64, (looks, scale): (InterimLooks, ValueRange), (runs, pairs): (u64, u64)) -> (u64, u64) {
        let (mut missed, mut by_student) = (0, 0);
        for run in 0..runs {
            let mut random = StdRng::seed_from_u64(run);
            let (mut sums, mut out, mut out_by_student) = (Pairs::default(), false, false);
            for n in 1..=pairs {
                let (plain, changed) = draw(&mut random);
                sums.add(plain, changed);
                if n == pairs || looks == InterimLooks::Always && n >= 100 && n % 64 == 0 {
                    let basis = basis(n, looks, scale);
                    let [low, high] = sums.interval(&basis, ALPHA);
                    out |= truth < low || high < truth;
                    let (mean, spread, n) = (sums.mean(&basis), sums.difference_variance(n), n as f64);
                    let half = match looks {
                        InterimLooks::Once => super::super::super::stats::student(n - 1.0, ALPHA) * (spread / n).sqrt(),
                        InterimLooks::Always => asymptotic_half_width(spread, n, ALPHA),
                    };
                    out_by_student |= (mean - truth).abs() > half;
                }
            }
            missed += u64::from(out);
            by_student += u64::from(out_by_student);
        }
        (missed, by_student)
    }

    /// Number of misses in 2,000 runs that is too high for a rate of 5 %: 100 plus three standard deviations.
    const MAX_MISSES: u64 = 130;

    fn draw_event(random: &mut StdRng, chance: f64) -> f64 {
        f64::from(u8::from(random.random_bool(chance)))
    }

    #[test]
    fn rare_events_are_covered() {
        for (chance, pairs) in [(0.0075, 50), (0.0075, 200), (0.0017, 50), (0.0017, 400), (0.03, 50), (0.06, 50), (0.1, 50), (0.05, 20)] {
            for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
                // The event occurs only with the change, or on both sides alike and occasionally only with the change.
                let only = misses(&|random| (0.0, draw_event(random, chance)), chance, (InterimLooks::Once, scale), (2000, pairs));
                let besides =
                    |random: &mut StdRng| if random.random_bool(0.5) { (1.0, 1.0) } else { (0.0, draw_event(random, 2.0 * chance)) };
                let besides = misses(&besides, chance, (InterimLooks::Once, scale), (2000, pairs));
                assert!(
                    only.0 <= MAX_MISSES && besides.0 <= MAX_MISSES,
                    "{chance} in {pairs}, {scale:?}: {only:?} and {besides:?} of 2000"
                );
            }
        }
        let (_, by_student) =
            misses(&|random| (0.0, draw_event(random, 0.0075)), 0.0075, (InterimLooks::Once, ValueRange::Share), (2000, 50));
        assert!(by_student > 1200, "Student's interval alone misses {by_student} of 2000");
    }

    #[test]
    fn rare_counts_are_covered() {
        // Number of occurrences in a game of four players: rare, and then up to three times.
        let seldom = |chance: f64| {
            move |random: &mut StdRng| if random.random_bool(chance) { f64::from(random.random_range(1..=3_i32)) } else { 0.0 }
        };
        for (mean, pairs) in [(0.008, 90), (0.008, 400), (0.05, 60), (0.2, 60)] {
            let once: f64 = mean;
            let found =
                misses(&|random| (0.0, draw_event(random, once)), mean, (InterimLooks::Once, ValueRange::Steps(1.0)), (2000, pairs));
            assert!(found.0 <= MAX_MISSES, "{mean} in {pairs}: {found:?} of 2000");
        }
        // Bursts of a size that was never observed cannot be covered by an interval; common ones can.
        for (mean, pairs) in [(0.2, 100), (0.4, 60)] {
            let draw = seldom(mean / 2.0);
            let found = misses(&|random| (0.0, draw(random)), mean, (InterimLooks::Once, ValueRange::Steps(1.0)), (2000, pairs));
            assert!(found.0 <= 2 * MAX_MISSES, "{mean} in {pairs}: {found:?} of 2000");
        }
    }

    #[test]
    fn a_run_that_looks_again_and_again_covers_rare_events_too() {
        for chance in [0.0075, 0.0017, 0.05] {
            for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
                let found = misses(&|random| (0.0, draw_event(random, chance)), chance, (InterimLooks::Always, scale), (500, 1600));
                // 25 plus three standard deviations.
                assert!(found.0 <= 40, "{chance}, {scale:?}: {found:?} of 500");
            }
        }
    }

    #[test]
    fn what_has_not_happened_yet_ends_no_run_at_once() {
        for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
            let width = |n: u64| {
                let mut pairs = Pairs::default();
                (0..n).for_each(|_| pairs.add(0.0, 0.0));
                let [low, high] = pairs.interval(&basis(n, InterimLooks::Always, scale), ALPHA);
                assert!(low < 0.0 && (low + high).abs() < 1e-9);
                high
            };
            assert!(width(128) > 0.03 && width(384) > 0.01 && width(2000) < 0.01, "{} {} {}", width(128), width(384), width(2000));
        }
    }

    #[test]
    fn an_interval_misses_as_often_as_it_says_and_a_sequence_at_no_time_more_often() {
        for truth in [0.0, 1.5] {
            let draw = move |random: &mut StdRng| {
                let plain = f64::from(random.random_range(0..20_i32));
                (plain, plain + truth + f64::from(random.random_range(0..9_i32) - 4))
            };
            for pairs in [10, 100] {
                let (missed, _) = misses(&draw, truth, (InterimLooks::Once, ValueRange::Steps(0.5)), (2000, pairs));
                assert!((70..=MAX_MISSES).contains(&missed), "{missed} of 2000 at the end of {pairs}");
            }
            let (ever, _) = misses(&draw, truth, (InterimLooks::Always, ValueRange::Steps(0.5)), (500, 1000));
            assert!(ever <= 40, "a sequence misses {ever} of 500");
        }
        // Wins, where a third of the games have another winner with the change.
        for (gained, lost) in [(0.2, 0.1), (0.15, 0.15)] {
            let draw = move |random: &mut StdRng| {
                let at: f64 = random.random();
                if at < gained {
                    (0.0, 1.0)
                } else if at < gained + lost {
                    (1.0, 0.0)
                } else if at < 0.6 {
                    (1.0, 1.0)
                } else {
                    (0.0, 0.0)
                }
            };
            for pairs in [30, 200] {
                let (missed, _) = misses(&draw, gained - lost, (InterimLooks::Once, ValueRange::Share), (2000, pairs));
                assert!((30..=MAX_MISSES).contains(&missed), "{missed} of 2000 miss {gained} less {lost} in {pairs}");
            }
            let (ever, _) = misses(&draw, gained - lost, (InterimLooks::Always, ValueRange::Share), (500, 1000));
            assert!(ever <= 40, "a sequence misses {ever} of 500");
        }
    }

    #[test]
    fn few_pairs_show_nothing_that_chance_shows_as_often() {
        // 30 measures of games that differ by chance alone: points, and rare events.
        for pairs in [2, 3, 4, 5, 6, 8, 12] {
            let (mut shown, mut before) = (0, 0);
            for run in 0..400 {
                let mut random = StdRng::seed_from_u64(run);
                let (mut p, mut by_student) = (Vec::new(), Vec::new());
                for measure in 0..30_u32 {
                    let mut sums = Pairs::default();
                    for _ in 0..pairs {
                        let mut one = || f64::from(random.random_range(0..=measure % 5 + 1));
                        sums.add(one(), one());
                    }
                    let basis = basis(pairs, InterimLooks::Once, ValueRange::Steps(1.0));
                    p.push(sums.p(&basis));
                    let (mean, error) = (sums.mean(&basis), (sums.difference_variance(pairs) / pairs as f64).sqrt());
                    by_student.push(if error > 0.0 {
                        two_sided(mean / error, pairs as f64 - 1.0)
                    } else {
                        f64::from(u8::from(mean == 0.0))
                    });
                }
                shown += u64::from(false_discoveries(&p).iter().any(|q| *q <= ALPHA));
                before += u64::from(false_discoveries(&by_student).iter().any(|q| *q <= ALPHA));
            }
            assert!(if pairs < MIN_PAIRS { shown == 0 } else { shown <= 33 }, "{shown} of 400 with {pairs} pairs");
            assert!(pairs > 2 || before > 100, "by Student's interval alone {before} of 400");
        }
    }

    #[test]
    fn p_values_and_intervals_agree() {
        let mut random = StdRng::seed_from_u64(4);
        for (looks, scale) in [InterimLooks::Once, InterimLooks::Always]
            .into_iter()
            .flat_map(|looks| [(looks, ValueRange::Share), (looks, ValueRange::Steps(1.0))])
        {
            let (mut shown, mut not) = (0, 0);
            for run in 0..200 {
                let mut pairs = Pairs::default();
                for _ in 0..80 {
                    match scale {
                        ValueRange::Share => pairs.add(draw_event(&mut random, 0.3), draw_event(&mut random, 0.3 + f64::from(run) / 300.0)),
                        ValueRange::Steps(_) => pairs.add(0.0, f64::from(random.random_range(-9..=9_i32)) + f64::from(run) / 60.0),
                    }
                }
                let basis = basis(80, looks, scale);
                let found = pairs.difference(&basis);
                assert_eq!(excludes_zero(found.interval), found.p < ALPHA, "{found:?}");
                // At any level.
                let levels = [0.5, 0.01, 1e-4];
                assert!(levels.iter().all(|alpha| excludes_zero(pairs.interval(&basis, *alpha)) == (found.p < *alpha)), "{found:?}");
                if found.p < ALPHA { shown += 1 } else { not += 1 }
            }
            assert!(shown > 20 && not > 20, "{shown} and {not} of {looks:?}, {scale:?}");
        }
    }

    #[test]
    fn pairs_that_are_repeated_are_no_evidence() {
        let mut pairs = Pairs::default();
        (0..1000).for_each(|_| pairs.add(0.0, 0.5));
        let of = |distinct: f64| pairs.difference(&Basis { distinct, ..Basis::single_look(1000, 0.5) });
        // The same pair a thousand times: it used to be reported as +0.50 (+0.50 to +0.50).
        let one = of(0.001);
        assert_eq!((one.difference, one.p, one.interval), (0.5, 1.0, [f64::NEG_INFINITY, f64::INFINITY]));
        let four = of(0.004);
        assert!(four.p > ALPHA && four.interval[0] <= 0.0, "{four:?}");
        assert!(of(1.0).p < 1e-9);
    }

    #[test]
    fn where_nothing_differs_there_is_nothing_to_show() {
        let mut pairs = Pairs::default();
        (0..10).for_each(|n| pairs.add(f64::from(n), f64::from(n)));
        for looks in [InterimLooks::Once, InterimLooks::Always] {
            let found = pairs.difference(&basis(10, looks, ValueRange::Steps(1.0)));
            assert_eq!((found.difference, found.p, found.saved), (0.0, 1.0, Some(1.0)));
            assert!(found.interval[0] < -0.2 && found.interval[1] > 0.2, "ten pairs alike do not say that all are: {found:?}");
        }
        assert_eq!(Pairs::default().difference(&Basis::single_look(0, 1.0)).p, 1.0);
    }

    #[test]
    fn a_measure_under_two_names_is_found() {
        let of = |values: &[(f64, f64)]| {
            let mut pairs = Pairs::default();
            values.iter().for_each(|(plain, changed)| pairs.add(*plain, *changed));
            pairs
        };
        let [points, row, other] =
            [&[(1.0 / 3.0, 2.0), (4.0, 5.0)], &[(0.1 + 0.7 / 3.0, 2.0), (4.0, 5.0)], &[(4.0, 5.0), (2.0, 1.0 / 3.0)]]
                .map(|of_pairs| of(of_pairs));
        assert!(points.same_as(&row) && !points.same_as(&other));
        // A measure without variance is not an alias of other measures without variance.
        let none = of(&[(3.0, 3.0), (3.0, 3.0)]);
        assert!(!none.same_as(&none.clone()));
    }
}
