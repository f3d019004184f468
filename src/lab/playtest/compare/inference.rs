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
use statrs::distribution::{Binomial, DiscreteCDF};

use super::super::exact::ExactSum;
use super::super::merge::merge_by_field;
pub use super::super::stats::ALPHA;
pub use super::super::stats::two_sided;
use super::super::stats::{half_width, normal, standard_error, variance, wilson_at, with_artificial_games};

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

merge_by_field!(Pairs:
    taken, plain, plain_squares, changed, changed_squares, difference, difference_squares, differing, gained, lost, other,
);

impl Pairs {
    /// Adds a pair of values.
    pub fn add(&mut self, plain: f64, changed: f64) {
        let difference = changed - plain;
        self.taken += 1;
        for (sum, squares, value) in [
            (&mut self.plain, &mut self.plain_squares, plain),
            (&mut self.changed, &mut self.changed_squares, changed),
            (&mut self.difference, &mut self.difference_squares, difference),
        ] {
            sum.add(value);
            squares.add(value * value);
        }
        let is_binary = |value: f64| value == 0.0 || value == 1.0;
        self.differing += u64::from(difference != 0.0);
        self.gained += u64::from(plain == 0.0 && changed == 1.0);
        self.lost += u64::from(plain == 1.0 && changed == 0.0);
        self.other += u64::from(!is_binary(plain) || !is_binary(changed));
    }

    /// Returns the paired difference with its interval and p-value.
    pub fn difference(&self, basis: &Basis) -> Difference {
        let n = basis.pairs.max(1) as f64;
        let [plain, changed, difference] = [&self.plain, &self.changed, &self.difference].map(ExactSum::sum);
        let (paired_variance, _) = self.variance_and_unit(basis);
        let unpaired_variance =
            variance(plain, self.plain_squares.sum(), basis.pairs) + variance(changed, self.changed_squares.sum(), basis.pairs);
        Difference {
            plain: plain / n,
            changed: changed / n,
            difference: difference / n,
            deviation: (unpaired_variance / 2.0).sqrt(),
            interval: self.interval(basis, ALPHA),
            p: self.p(basis),
            saved: (unpaired_variance > 0.0).then(|| 1.0 - paired_variance / unpaired_variance),
        }
    }

    /// Whether both measures had the same values in all games, and these vary: then one is an alias of the other.
    pub fn same_as(&self, other: &Pairs) -> bool {
        let sums = |of: &Pairs| [&of.plain, &of.plain_squares, &of.changed, &of.changed_squares, &of.difference_squares].map(ExactSum::sum);
        let [plain, plain_squares, changed, changed_squares, _] = sums(self);
        self.taken == other.taken
            && self.differing == other.differing
            && sums(self).into_iter().zip(sums(other)).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0))
            && variance(plain, plain_squares, self.taken) + variance(changed, changed_squares, self.taken) > 0.0
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
        let (mean, (variance, unit)) = (self.mean(basis), self.variance_and_unit(basis));
        let p = match (basis.looks, basis.scale) {
            (InterimLooks::Once, ValueRange::Share) if self.other == 0 => {
                let by_interval = smallest_level(|alpha| self.raw_interval(basis, alpha));
                by_interval.max(mcnemar_p_value(self.gained as f64 * basis.distinct, self.lost as f64 * basis.distinct))
            }
            (InterimLooks::Once, _) => standard_error(variance, n, unit).map_or(1.0, |error| two_sided(mean / error, n - 1.0)),
            (InterimLooks::Always, ValueRange::Share) => self.bernstein(basis).p(),
            (InterimLooks::Always, ValueRange::Steps(_)) => asymptotic_p_value(mean, with_artificial_games(variance, n, unit), n),
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
        let (mean, (variance, unit)) = (self.mean(basis), self.variance_and_unit(basis));
        let around = |half: f64| [mean - half, mean + half];
        match (basis.looks, basis.scale) {
            (InterimLooks::Once, ValueRange::Share) if self.other == 0 => {
                let pairs = basis.pairs.max(1) as f64;
                let [low, high] = binary_interval(self.gained as f64 / pairs, self.lost as f64 / pairs, n, normal(alpha));
                [low.max(-1.0), high.min(1.0)]
            }
            (InterimLooks::Once, _) => half_width(variance, n, unit, alpha).map_or([f64::NEG_INFINITY, f64::INFINITY], around),
            (InterimLooks::Always, ValueRange::Share) => self.bernstein(basis).interval(alpha),
            (InterimLooks::Always, ValueRange::Steps(_)) => {
                around(asymptotic_half_width(with_artificial_games(variance, n, unit), n, alpha))
            }
        }
    }

    /// Returns the mean difference.
    pub(super) fn mean(&self, basis: &Basis) -> f64 {
        self.difference.sum() / basis.pairs.max(1) as f64
    }

    /// Returns the variance of the differences from pair to pair, and the smallest difference between two values.
    pub(super) fn variance_and_unit(&self, basis: &Basis) -> (f64, f64) {
        (variance(self.difference.sum(), self.difference_squares.sum(), basis.pairs), basis.unit())
    }

    fn bernstein(&self, basis: &Basis) -> Bernstein {
        let [sum, squares] = [&self.difference, &self.difference_squares].map(|of| of.sum() * basis.distinct);
        Bernstein { n: basis.evidence(), sum, squares }
    }
}

fn excludes_zero([low, high]: [f64; 2]) -> bool {
    low > 0.0 || high < 0.0
}

/// Returns the smallest level at which the interval that is computed for a level excludes 0; 1 if none does.
fn smallest_level(interval: impl Fn(f64) -> [f64; 2]) -> f64 {
    let leaves_out = |alpha| excludes_zero(interval(alpha));
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
mod tests;
