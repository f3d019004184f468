//! What paired games prove: differences, intervals that hold at any time, and p-values of many measures at once.
//!
//! Everything follows from an interval at any level: a p-value is the level at which the interval just leaves out 0, so that both always say
//! the same.
//!
//! * Means: Student's t interval of paired differences (Student 1908), with the variance that two pairs more would give, one a unit above the
//!   mean and one a unit below (`stats`). With common random numbers the difference of two games varies less than that of two games that
//!   share nothing (Law, Simulation Modeling and Analysis, ch. 11.2).
//! * What happens in a game or does not: the shares of pairs in which it happens only with the change, and only without it, by their Wilson
//!   intervals put together (Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17,
//!   1998, method 10, and Zou, Donner, Construction of confidence limits about effect measures, ibid. 27, 2008, for shares that are not
//!   independent); and the exact test of McNemar.
//! * Few pairs: whatever test one takes, of `m` pairs that differ all go one way by chance alone in one of `2^(m - 1)` cases. No p-value is
//!   smaller than that (the sign-flip test, Fisher 1935).
//! * [`Looks::Always`]: confidence sequences, which cover the truth at all times at once, so that a run may stop when they are narrow enough.
//!   For parts of a game one that needs no large numbers: an empirical-Bernstein supermartingale (Howard, Ramdas, McAuliffe, Sekhon,
//!   Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals of Statistics 49(2), 2021, theorem 4), mixed over a few
//!   rates. For the others an asymptotic one (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Time-uniform central limit theory and asymptotic
//!   confidence sequences, Annals of Statistics 52(6), 2024, theorem 2.2) with the same addition to the variance.
//! * [`false_discoveries`]: Benjamini, Hochberg, Controlling the false discovery rate, JRSS B 57(1), 1995; intervals of what was chosen so:
//!   Benjamini, Yekutieli, False discovery rate-adjusted multiple confidence intervals for selected parameters, JASA 100, 2005.

use crate::cast;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use super::super::exact::Exact;
pub use super::super::stats::ALPHA;
use super::super::stats::{error_of_mean, half_of_mean, normal, wilson_at};

/// Of fewer pairs than these nothing is shown: by chance alone five pairs go one way in one of 16 cases.
pub const FEWEST_SHOWN: u64 = 6;

/// The asymptotic confidence sequence is narrowest, for its age, at so many pairs.
const NARROWEST_AT: f64 = 500.0;

/// The rates that are mixed in the empirical-Bernstein sequence, each half of the one before: the largest is best where nothing has happened
/// yet, the smallest after some 50,000 pairs that differ.
const RATES: [f64; 8] = [0.9, 0.45, 0.225, 0.1125, 0.05625, 0.028_125, 0.014_062_5, 0.007_031_25];

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
    /// Pairs whose games differ.
    differing: u64,
    /// Pairs in which it is 1 with the change and 0 without it.
    gained: u64,
    /// Pairs in which it is 0 with the change and 1 without it.
    lost: u64,
    /// Pairs in which it is something else than 0 or 1.
    other: u64,
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

/// Which values a measure can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// From 0 to 1: whether something happens, or a part of a game.
    Share,
    /// Any that lie apart by so much at least.
    Steps(f64),
}

/// What is known of pairs besides the numbers of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis {
    /// How many there are; those that were not taken in count as 0 on both sides.
    pub pairs: u64,
    /// What part of them is different: pairs that repeat another one are no evidence.
    pub distinct: f64,
    /// How often somebody looks.
    pub looks: Looks,
    /// Which values there are.
    pub scale: Scale,
}

impl Basis {
    /// So many pairs, all different, of values that lie apart by so much at least, looked at once.
    pub fn once(pairs: u64, unit: f64) -> Basis {
        Basis { pairs, distinct: 1.0, looks: Looks::Once, scale: Scale::Steps(unit) }
    }

    /// As many pairs as there is evidence.
    fn evidence(&self) -> f64 {
        self.pairs as f64 * self.distinct
    }

    /// The least by which two values differ.
    fn unit(&self) -> f64 {
        match self.scale {
            Scale::Share => 1.0,
            Scale::Steps(unit) => unit,
        }
    }
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
        let settled = |value: f64| value == 0.0 || value == 1.0;
        self.differing += u64::from(difference != 0.0);
        self.gained += u64::from(plain == 0.0 && changed == 1.0);
        self.lost += u64::from(plain == 1.0 && changed == 0.0);
        self.other += u64::from(!settled(plain) || !settled(changed));
    }

    /// Takes in other pairs; in which order and in how many parts they were taken in makes no difference.
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

    /// What they say.
    pub fn difference(&self, basis: &Basis) -> Difference {
        let n = basis.pairs.max(1) as f64;
        let [plain, changed, difference] = [&self.plain, &self.changed, &self.difference].map(Exact::sum);
        let spread = self.spread(basis.pairs);
        let apart = variance(plain, self.plain_squares.sum(), basis.pairs) + variance(changed, self.changed_squares.sum(), basis.pairs);
        Difference {
            plain: plain / n,
            changed: changed / n,
            difference: difference / n,
            deviation: (apart / 2.0).sqrt(),
            interval: self.interval(basis, ALPHA),
            p: self.p(basis),
            saved: (apart > 0.0).then(|| 1.0 - spread / apart),
        }
    }

    /// Whether both games of each pair had the same values as with another measure, and these vary: then it is the same under another name.
    pub fn same_as(&self, other: &Pairs) -> bool {
        let near = |a: &Exact, b: &Exact| (a.sum() - b.sum()).abs() <= 1e-9 * a.sum().abs().max(1.0);
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

    /// The interval of the difference that misses it with this chance. It leaves out 0 where [`Pairs::p`] is no larger.
    pub fn interval(&self, basis: &Basis, alpha: f64) -> [f64; 2] {
        let [low, high] = self.uncovered(basis, alpha);
        if self.p(basis) > alpha { [low.min(0.0), high.max(0.0)] } else { [low, high] }
    }

    /// How likely at least such a difference is where there is none.
    pub fn p(&self, basis: &Basis) -> f64 {
        let n = basis.evidence();
        if n < 2.0 {
            return 1.0;
        }
        let (mean, spread) = (self.mean(basis), self.spread(basis.pairs));
        let p = match (basis.looks, basis.scale) {
            (Looks::Once, Scale::Share) if self.other == 0 => {
                let by_interval = level(&|alpha| leaves_out_zero(self.uncovered(basis, alpha)));
                by_interval.max(mcnemar(self.gained as f64 * basis.distinct, self.lost as f64 * basis.distinct))
            }
            (Looks::Once, _) => error_of_mean(spread, n, basis.unit()).map_or(1.0, |error| two_sided(mean / error, n - 1.0)),
            (Looks::Always, Scale::Share) => self.bernstein(basis).p(),
            (Looks::Always, Scale::Steps(unit)) => asymptotic_p(mean, floored(spread, n, unit), n),
        };
        // Of these cases one is left if all pairs that differ go one way.
        let all_one_way = (1.0 - self.differing as f64 * basis.distinct).exp2();
        p.max(all_one_way).min(1.0)
    }

    /// The interval, before it is settled by the p-value whether 0 lies in it.
    fn uncovered(&self, basis: &Basis, alpha: f64) -> [f64; 2] {
        let n = basis.evidence();
        if n < 2.0 {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let (mean, spread) = (self.mean(basis), self.spread(basis.pairs));
        let around = |half: f64| [mean - half, mean + half];
        match (basis.looks, basis.scale) {
            (Looks::Once, Scale::Share) if self.other == 0 => {
                let pairs = basis.pairs.max(1) as f64;
                let [low, high] = of_yes_and_no(self.gained as f64 / pairs, self.lost as f64 / pairs, n, normal(alpha));
                [low.max(-1.0), high.min(1.0)]
            }
            (Looks::Once, _) => half_of_mean(spread, n, basis.unit(), alpha).map_or([f64::NEG_INFINITY, f64::INFINITY], around),
            (Looks::Always, Scale::Share) => self.bernstein(basis).interval(alpha),
            (Looks::Always, Scale::Steps(unit)) => around(asymptotic(floored(spread, n, unit), n, alpha)),
        }
    }

    /// The standard error of the mean difference; none where there are too few pairs.
    pub fn error(&self, basis: &Basis) -> Option<f64> {
        error_of_mean(self.spread(basis.pairs), basis.evidence(), basis.unit())
    }

    /// The mean difference.
    pub(super) fn mean(&self, basis: &Basis) -> f64 {
        self.difference.sum() / basis.pairs.max(1) as f64
    }

    /// The variance of differences.
    fn spread(&self, pairs: u64) -> f64 {
        variance(self.difference.sum(), self.difference_squares.sum(), pairs)
    }

    fn bernstein(&self, basis: &Basis) -> Bernstein {
        let [sum, squares] = [&self.difference, &self.difference_squares].map(|of| of.sum() * basis.distinct);
        Bernstein { n: basis.evidence(), sum, squares }
    }
}

/// Of a sample; 0 for fewer than two.
fn variance(sum: f64, squares: f64, count: u64) -> f64 {
    let n = count as f64;
    if count < 2 { 0.0 } else { ((squares - sum * sum / n) / (n - 1.0)).max(0.0) }
}

/// A variance as if two pairs more had been played, one a unit above the mean and one below.
fn floored(variance: f64, n: f64, unit: f64) -> f64 {
    variance + 2.0 * unit * unit / (n - 1.0)
}

fn leaves_out_zero([low, high]: [f64; 2]) -> bool {
    low > 0.0 || high < 0.0
}

/// The p-value of Student's t.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |student| 2.0 * student.cdf(-t.abs()))
}

/// The smallest chance of missing at which an interval still leaves out 0; 1 if none does.
fn level(leaves_out: &dyn Fn(f64) -> bool) -> f64 {
    let (mut out, mut within) = (1.0_f64, 1e-15_f64);
    if !leaves_out(out - 1e-12) {
        return 1.0;
    }
    if leaves_out(within) {
        return within;
    }
    // From one side, so that the level itself leaves 0 out.
    while out / within > 1.0 + 1e-9 {
        let middle = (out * within).sqrt();
        if leaves_out(middle) { out = middle } else { within = middle }
    }
    out
}

/// The exact test of McNemar: so many pairs went one way, and so many the other, in which both are as likely.
fn mcnemar(one: f64, other: f64) -> f64 {
    let (most, least) = (cast::whole::<u64>(one.max(other).round()), cast::whole::<u64>(one.min(other).round()));
    Binomial::new(0.5, most + least).map_or(1.0, |coins| 2.0 * coins.cdf(least)).min(1.0)
}

/// The interval of the difference of two shares of so many pairs that exclude each other, each by Wilson's interval.
fn of_yes_and_no(gained: f64, lost: f64, n: f64, z: f64) -> [f64; 2] {
    let ([gained_low, gained_high], [lost_low, lost_high]) = (wilson_at(gained, n, z), wilson_at(lost, n, z));
    // What is in the one share is not in the other.
    let against = if gained < 1.0 && lost < 1.0 { (gained * lost / ((1.0 - gained) * (1.0 - lost))).sqrt() } else { 0.0 };
    let reach = |one: f64, other: f64| (one * one + other * other + 2.0 * against * one * other).sqrt();
    let difference = gained - lost;
    [difference - reach(gained - gained_low, lost_high - lost), difference + reach(gained_high - gained, lost - lost_low)]
}

/// The square of the asymptotic sequence's rate.
fn rate() -> f64 {
    (-2.0 * ALPHA.ln() + (1.0 - 2.0 * ALPHA.ln()).ln()) / NARROWEST_AT
}

/// Half of the asymptotic confidence sequence.
fn asymptotic(variance: f64, n: f64, alpha: f64) -> f64 {
    let rate = rate();
    let grown = n * rate + 1.0;
    (variance * 2.0 * grown / (n * n * rate) * (grown.sqrt() / alpha).ln()).sqrt()
}

/// The p-value that belongs to it and holds at all times.
fn asymptotic_p(mean: f64, variance: f64, n: f64) -> f64 {
    let rate = rate();
    let grown = n * rate + 1.0;
    grown.sqrt() * (-(n * n * rate * mean * mean) / (2.0 * grown * variance)).exp()
}

/// Differences between -1 and 1, summed up, of which is asked at any time how far their mean may lie from the truth.
///
/// For a rate `r` below 1, `exp(r (S - n m) - psi(r) V)` with the sum `S`, the sum of squares `V` and `psi(r) = -ln(1 - r) - r` is on an
/// average 1 at most for the true mean `m`, at all times; so is the mean of several rates, and by Ville's inequality it ever reaches `1 / a`
/// with a chance of `a` at most.
struct Bernstein {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Bernstein {
    /// The logarithm of the evidence that the mean is above `mean`, or, where `sign` is -1, below it.
    fn evidence(&self, mean: f64, sign: f64) -> f64 {
        let of = RATES.map(|rate| rate * sign * (self.sum - self.n * mean) - (-(1.0 - rate).ln() - rate) * self.squares);
        let most = of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + of.iter().map(|one| (one - most).exp()).sum::<f64>().ln() - (RATES.len() as f64).ln()
    }

    fn p(&self) -> f64 {
        let most = self.evidence(0.0, 1.0).max(self.evidence(0.0, -1.0));
        (2.0 * (-most).exp()).min(1.0)
    }

    fn interval(&self, alpha: f64) -> [f64; 2] {
        let enough = (2.0 / alpha).ln();
        let mean = self.sum / self.n;
        let end = |sign: f64| {
            // Beyond `out` the mean does not lie; up to `within` it may.
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

/// For each p-value the smallest level of the false discovery rate at which it counts as one.
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

/// With which chance intervals of `chosen` of `all` may miss, so that of those that were chosen no more than one in twenty misses.
pub fn for_chosen(chosen: usize, all: usize) -> f64 {
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

    fn basis(pairs: u64, looks: Looks, scale: Scale) -> Basis {
        Basis { pairs, distinct: 1.0, looks, scale }
    }

    #[test]
    fn student_s_sleep() {
        // Student 1908, table: hours of sleep gained by ten patients with two drugs; t = 4.0621, p = 0.002833.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let mut pairs = Pairs::default();
        first.iter().zip(second).for_each(|(a, b)| pairs.add(*a, b));
        // Of values that lie as close as one likes nothing is added to the variance.
        let found = pairs.difference(&Basis::once(10, 0.0));
        near(found.difference, 1.58, 1e-9);
        near(found.interval[0], 0.700_1, 1e-4);
        near(found.interval[1], 2.459_9, 1e-4);
        // One of ten did not differ: of nine all go one way in one of 256 cases, and no test says more.
        near(found.p, 1.0 / 256.0, 1e-12);
        near(two_sided(4.062_1, 9.0), 0.002_833, 1e-6);
        // Var 3.2005 and 4.0090 apart, 1.5129 of the differences.
        near(found.saved.unwrap_or_default(), 1.0 - 1.512_9 / (3.200_6 + 4.009), 1e-3);
        // Hours are read to a tenth: with 2 · 0.1² added to 9 · 1.5129.
        near(pairs.difference(&Basis::once(10, 0.1)).interval[0], 1.58 - 0.879_9 * ((13.616_4 + 0.02) / 13.616_4_f64).sqrt(), 1e-3);
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
        // Benjamini and Yekutieli: intervals of those four miss with a chance of 4 / 15 of 5 %.
        near(for_chosen(4, 15), 0.05 * 4.0 / 15.0, 1e-12);
    }

    #[test]
    fn mcnemar_s_test_as_published() {
        // Agresti, Categorical Data Analysis, 2002, 10.1: 150 and 86 of 1,600 changed their minds; z² = 17.36, p = 3.1e-5.
        let p = mcnemar(150.0, 86.0);
        assert!((2.0e-5..5.0e-5).contains(&p), "{p}");
        near(mcnemar(6.0, 0.0), 2.0 / 64.0, 1e-12);
        near(mcnemar(3.0, 2.0), 1.0, 1e-12);
        assert_eq!(mcnemar(0.0, 0.0), 1.0);
        // The same table: a difference of 0.04 in 1,600, and the interval 0.022 to 0.059 of Wald's method.
        let [low, high] = of_yes_and_no(150.0 / 1600.0, 86.0 / 1600.0, 1600.0, normal(ALPHA));
        near(low, 0.021, 0.001_5);
        near(high, 0.059, 0.001_5);
    }

    /// What is drawn for a pair: its values without and with the change.
    type Draw<'a> = dyn Fn(&mut StdRng) -> (f64, f64) + 'a;

    /// Of so many runs of so many pairs in how many the interval misses the true difference, at the end or, where one looks always, at some
    /// time after 100 pairs; as it is, and as it was before rare events were thought of, by Student's interval alone.
    fn misses(draw: &Draw<'_>, truth: f64, (looks, scale): (Looks, Scale), (runs, pairs): (u64, u64)) -> (u64, u64) {
        let (mut missed, mut by_student) = (0, 0);
        for run in 0..runs {
            let mut random = StdRng::seed_from_u64(run);
            let (mut sums, mut out, mut out_by_student) = (Pairs::default(), false, false);
            for n in 1..=pairs {
                let (plain, changed) = draw(&mut random);
                sums.add(plain, changed);
                if n == pairs || looks == Looks::Always && n >= 100 && n % 64 == 0 {
                    let basis = basis(n, looks, scale);
                    let [low, high] = sums.interval(&basis, ALPHA);
                    out |= truth < low || high < truth;
                    let (mean, spread, n) = (sums.mean(&basis), sums.spread(n), n as f64);
                    let half = match looks {
                        Looks::Once => super::super::super::stats::student(n - 1.0, ALPHA) * (spread / n).sqrt(),
                        Looks::Always => asymptotic(spread, n, ALPHA),
                    };
                    out_by_student |= (mean - truth).abs() > half;
                }
            }
            missed += u64::from(out);
            by_student += u64::from(out_by_student);
        }
        (missed, by_student)
    }

    /// More than these of 2,000 are not 5 %: 100 and three standard deviations.
    const TOO_MANY: u64 = 130;

    fn happens(random: &mut StdRng, chance: f64) -> f64 {
        f64::from(u8::from(random.random_bool(chance)))
    }

    #[test]
    fn rare_events_are_covered() {
        for (chance, pairs) in [(0.0075, 50), (0.0075, 200), (0.0017, 50), (0.0017, 400), (0.03, 50), (0.06, 50), (0.1, 50), (0.05, 20)] {
            for scale in [Scale::Share, Scale::Steps(1.0)] {
                // It happens only with the change, or on both sides alike and now and then only with the change.
                let only = misses(&|random| (0.0, happens(random, chance)), chance, (Looks::Once, scale), (2000, pairs));
                let besides = |random: &mut StdRng| if random.random_bool(0.5) { (1.0, 1.0) } else { (0.0, happens(random, 2.0 * chance)) };
                let besides = misses(&besides, chance, (Looks::Once, scale), (2000, pairs));
                assert!(only.0 <= TOO_MANY && besides.0 <= TOO_MANY, "{chance} in {pairs}, {scale:?}: {only:?} and {besides:?} of 2000");
            }
        }
        let (_, by_student) = misses(&|random| (0.0, happens(random, 0.0075)), 0.0075, (Looks::Once, Scale::Share), (2000, 50));
        assert!(by_student > 1200, "Student's interval alone misses {by_student} of 2000");
    }

    #[test]
    fn rare_counts_are_covered() {
        // How often something is done in a game, of four players together: seldom, and then up to three times.
        let seldom = |chance: f64| {
            move |random: &mut StdRng| if random.random_bool(chance) { f64::from(random.random_range(1..=3_i32)) } else { 0.0 }
        };
        for (mean, pairs) in [(0.008, 90), (0.008, 400), (0.05, 60), (0.2, 60)] {
            let once: f64 = mean;
            let found = misses(&|random| (0.0, happens(random, once)), mean, (Looks::Once, Scale::Steps(1.0)), (2000, pairs));
            assert!(found.0 <= TOO_MANY, "{mean} in {pairs}: {found:?} of 2000");
        }
        // What comes in bursts whose size was never seen cannot be covered; once it is common it is.
        for (mean, pairs) in [(0.2, 100), (0.4, 60)] {
            let draw = seldom(mean / 2.0);
            let found = misses(&|random| (0.0, draw(random)), mean, (Looks::Once, Scale::Steps(1.0)), (2000, pairs));
            assert!(found.0 <= 2 * TOO_MANY, "{mean} in {pairs}: {found:?} of 2000");
        }
    }

    #[test]
    fn a_run_that_looks_again_and_again_covers_rare_events_too() {
        for chance in [0.0075, 0.0017, 0.05] {
            for scale in [Scale::Share, Scale::Steps(1.0)] {
                let found = misses(&|random| (0.0, happens(random, chance)), chance, (Looks::Always, scale), (500, 1600));
                // 25 and three standard deviations.
                assert!(found.0 <= 40, "{chance}, {scale:?}: {found:?} of 500");
            }
        }
    }

    #[test]
    fn what_has_not_happened_yet_ends_no_run_at_once() {
        for scale in [Scale::Share, Scale::Steps(1.0)] {
            let width = |n: u64| {
                let mut pairs = Pairs::default();
                (0..n).for_each(|_| pairs.add(0.0, 0.0));
                let [low, high] = pairs.interval(&basis(n, Looks::Always, scale), ALPHA);
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
                let (missed, _) = misses(&draw, truth, (Looks::Once, Scale::Steps(0.5)), (2000, pairs));
                assert!((70..=TOO_MANY).contains(&missed), "{missed} of 2000 at the end of {pairs}");
            }
            let (ever, _) = misses(&draw, truth, (Looks::Always, Scale::Steps(0.5)), (500, 1000));
            assert!(ever <= 40, "a sequence misses {ever} of 500");
        }
        // Who wins, where a third of the games go otherwise with the change.
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
                let (missed, _) = misses(&draw, gained - lost, (Looks::Once, Scale::Share), (2000, pairs));
                assert!((30..=TOO_MANY).contains(&missed), "{missed} of 2000 miss {gained} less {lost} in {pairs}");
            }
            let (ever, _) = misses(&draw, gained - lost, (Looks::Always, Scale::Share), (500, 1000));
            assert!(ever <= 40, "a sequence misses {ever} of 500");
        }
    }

    #[test]
    fn few_pairs_show_nothing_that_chance_shows_as_often() {
        // 30 measures of games that differ by chance alone: points, and what seldom happens.
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
                    let basis = basis(pairs, Looks::Once, Scale::Steps(1.0));
                    p.push(sums.p(&basis));
                    let (mean, error) = (sums.mean(&basis), (sums.spread(pairs) / pairs as f64).sqrt());
                    by_student.push(if error > 0.0 {
                        two_sided(mean / error, pairs as f64 - 1.0)
                    } else {
                        f64::from(u8::from(mean == 0.0))
                    });
                }
                shown += u64::from(false_discoveries(&p).iter().any(|q| *q <= ALPHA));
                before += u64::from(false_discoveries(&by_student).iter().any(|q| *q <= ALPHA));
            }
            assert!(if pairs < FEWEST_SHOWN { shown == 0 } else { shown <= 33 }, "{shown} of 400 with {pairs} pairs");
            assert!(pairs > 2 || before > 100, "by Student's interval alone {before} of 400");
        }
    }

    #[test]
    fn p_values_and_intervals_agree() {
        let mut random = StdRng::seed_from_u64(4);
        for (looks, scale) in [Looks::Once, Looks::Always].into_iter().flat_map(|looks| [(looks, Scale::Share), (looks, Scale::Steps(1.0))])
        {
            let (mut shown, mut not) = (0, 0);
            for run in 0..200 {
                let mut pairs = Pairs::default();
                for _ in 0..80 {
                    match scale {
                        Scale::Share => pairs.add(happens(&mut random, 0.3), happens(&mut random, 0.3 + f64::from(run) / 300.0)),
                        Scale::Steps(_) => pairs.add(0.0, f64::from(random.random_range(-9..=9_i32)) + f64::from(run) / 60.0),
                    }
                }
                let basis = basis(80, looks, scale);
                let found = pairs.difference(&basis);
                assert_eq!(leaves_out_zero(found.interval), found.p < ALPHA, "{found:?}");
                // At any level.
                let levels = [0.5, 0.01, 1e-4];
                assert!(levels.iter().all(|alpha| leaves_out_zero(pairs.interval(&basis, *alpha)) == (found.p < *alpha)), "{found:?}");
                if found.p < ALPHA { shown += 1 } else { not += 1 }
            }
            assert!(shown > 20 && not > 20, "{shown} and {not} of {looks:?}, {scale:?}");
        }
    }

    #[test]
    fn pairs_that_are_repeated_are_no_evidence() {
        let mut pairs = Pairs::default();
        (0..1000).for_each(|_| pairs.add(0.0, 0.5));
        let of = |distinct: f64| pairs.difference(&Basis { distinct, ..Basis::once(1000, 0.5) });
        // The same pair a thousand times: as it was told, +0.50 (+0.50 to +0.50).
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
        for looks in [Looks::Once, Looks::Always] {
            let found = pairs.difference(&basis(10, looks, Scale::Steps(1.0)));
            assert_eq!((found.difference, found.p, found.saved), (0.0, 1.0, Some(1.0)));
            assert!(found.interval[0] < -0.2 && found.interval[1] > 0.2, "ten pairs alike do not say that all are: {found:?}");
        }
        assert_eq!(Pairs::default().difference(&Basis::once(0, 1.0)).p, 1.0);
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
        // What never varies is not the same as all else that does not.
        let none = of(&[(3.0, 3.0), (3.0, 3.0)]);
        assert!(!none.same_as(&none.clone()));
    }
}
