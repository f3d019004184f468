//! Means and shares with 95 % confidence intervals.
//!
//! An event that did not occur in `n` games may still have a probability of about `3 / n`. Every mean therefore has an interval, even if
//! all values are equal: its variance includes two artificial games, one a unit above the mean and one a unit below (for rare events the
//! interval of Bonett and Price, *Adjusted Wald confidence interval for a difference of binomial proportions based on paired data*,
//! Journal of Educational and Behavioral Statistics 37(4), 2012).
//!
//! A game that repeats another one move by move is no additional evidence: intervals are based on the number of distinct games
//! (`distinct`).

use super::merge::{Merge, merge_by_field};
use super::quantiles;
pub use super::quantiles::{normal, student, two_sided};
use crate::cast;
use serde::{Deserialize, Serialize};

/// Error level of all intervals: a 95 % interval misses the true value in 5 % of cases.
pub const ALPHA: f64 = 0.05;

/// Exact sums of integers, which do not depend on the order of addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSums")]
pub struct IntegerSums {
    /// Number of values.
    pub count: u64,
    /// Sum of the values.
    pub sum: i64,
    /// Sum of the squared values.
    pub squares: i128,
}

/// Sums as they are read from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedSums {
    count: u64,
    sum: i64,
    squares: i128,
}

impl TryFrom<UncheckedSums> for IntegerSums {
    type Error = String;

    /// Refuses what no numbers come to: by Cauchy and Schwarz the square of a sum is at most the sum of squares, as often as there are numbers.
    fn try_from(read: UncheckedSums) -> Result<IntegerSums, String> {
        let UncheckedSums { count, sum, squares } = read;
        let most = i128::from(count).checked_mul(squares);
        match most.is_none_or(|most| i128::from(sum) * i128::from(sum) <= most) && squares >= 0 {
            true => Ok(IntegerSums { count, sum, squares }),
            false => Err(format!("no {count} numbers have the sum {sum} and the sum of squares {squares}")),
        }
    }
}

merge_by_field!(IntegerSums: count, sum, squares);

impl IntegerSums {
    /// Adds a value.
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += i128::from(value) * i128::from(value);
    }

    /// Returns the mean with its interval, if all games are distinct.
    pub fn mean(&self) -> Mean {
        self.mean_with_distinct(1.0)
    }

    /// Returns the mean with its interval, if this fraction of the games is distinct.
    pub fn mean_with_distinct(&self, distinct: f64) -> Mean {
        let n = self.count as f64;
        let mean = self.sum as f64 / n.max(1.0);
        let variance = (self.count >= 2).then(|| {
            // n·Σx² − (Σx)² in integers, without cancellation.
            let square = i128::from(self.sum) * i128::from(self.sum);
            let exact = i128::from(self.count).checked_mul(self.squares).and_then(|all| all.checked_sub(square));
            let spread = exact.map_or_else(|| n * self.squares as f64 - (self.sum as f64).powi(2), |exact| exact as f64);
            spread.max(0.0) / (n * (n - 1.0))
        });
        let half = variance.and_then(|variance| half_width(variance, n * distinct, 1.0, ALPHA));
        Mean { mean, deviation: variance.map(f64::sqrt), interval: half.map(|half| [mean - half, mean + half]) }
    }
}

/// Exact sums of the players' values by game: games are independent samples, the players of a game are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SumsByGame {
    /// Sums of the single values.
    pub values: IntegerSums,
    /// Sums of the totals of games.
    pub games: IntegerSums,
    /// Sum of the squared numbers of values per game.
    pub sizes: u64,
    /// Sum of the products of a game's number of values and its total.
    pub products: i128,
}

merge_by_field!(SumsByGame: values, games, sizes, products);

impl SumsByGame {
    /// Adds the values of one game.
    pub fn add(&mut self, of_game: impl IntoIterator<Item = i64>) {
        let before = self.values;
        of_game.into_iter().for_each(|value| self.values.add(value));
        let (size, sum) = (self.values.count - before.count, self.values.sum - before.sum);
        if size > 0 {
            self.games.add(sum);
            self.sizes += size * size;
            self.products += i128::from(size) * i128::from(sum);
        }
    }

    /// Returns the variance from game to game that the mean of the single values has if it is taken over one game, and what a unit of a
    /// single value is worth in that mean.
    pub fn variance_and_unit(&self) -> (f64, f64) {
        let n = self.games.count as f64;
        // Σ(y − R·m)² over games with total y and size m, where R = Σy / Σm, times (Σm)²: in integers, without cancellation.
        let (sum, size) = (i128::from(self.values.sum), i128::from(self.values.count));
        let exact = || {
            let squares = size.checked_mul(size)?.checked_mul(self.games.squares)?;
            let products = sum.checked_mul(2 * size)?.checked_mul(self.products)?;
            squares.checked_sub(products)?.checked_add(sum.checked_mul(sum)?.checked_mul(self.sizes.into())?)
        };
        let squares = exact();
        // Relative to the total of a game, in units of the mean number of values per game.
        let (sum, size) = (sum as f64, size as f64);
        let squares = match squares {
            Some(squares) => squares as f64,
            // Beyond 128 bits there are so many games that what cancels is far less than what is left.
            None => size * size * self.games.squares as f64 - 2.0 * sum * size * self.products as f64 + sum * sum * self.sizes as f64,
        };
        let variance = if n < 2.0 { 0.0 } else { squares.max(0.0) / (n - 1.0) * (n / (size * size)) * (n / (size * size)) };
        (variance, n / size)
    }

    /// Returns the mean of the single values, if all games are distinct.
    pub fn mean(&self) -> Mean {
        self.mean_with_distinct(1.0)
    }

    /// Returns the mean of the single values, with the interval of a cluster sample whose clusters are games (Cochran, *Sampling
    /// Techniques*, third edition, 9A.1: clusters of unequal sizes, ratio to size), if this fraction of the games is distinct.
    pub fn mean_with_distinct(&self, distinct: f64) -> Mean {
        let Mean { mean, deviation, .. } = self.values.mean();
        let (variance, unit) = self.variance_and_unit();
        let half = half_width(variance, self.games.count as f64 * distinct, unit, ALPHA);
        Mean { mean, deviation, interval: half.map(|half| [mean - half, mean + half]) }
    }
}

/// A mean; deviation and interval are defined for at least two values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    /// Mean of the values.
    pub mean: f64,
    /// Standard deviation of the values.
    pub deviation: Option<f64>,
    /// 95 % confidence interval of the mean, by Student's t.
    pub interval: Option<[f64; 2]>,
}

impl Mean {
    /// Returns the mean of what is counted: its interval has nothing below 0.
    pub fn of_counts(self) -> Mean {
        Mean { interval: self.interval.map(|ends| ends.map(|end| end.max(0.0))), ..self }
    }
}

/// Number of games won, where joint winners share equally: an integer number of parts, so that sums are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wins(u64);

impl Merge for Wins {
    fn merge(&mut self, other: &Wins) {
        self.0 += other.0;
    }
}

impl Wins {
    /// Number of parts of a game: divisible by each number of winners up to 16.
    const PARTS_PER_GAME: u64 = 720_720;

    /// Returns the share of each of `winners` winners of a game.
    pub fn share_of_each(winners: usize) -> Wins {
        Wins(Wins::PARTS_PER_GAME / (winners.max(1) as u64))
    }

    /// Returns one of `parts` equal parts.
    pub fn part(self, parts: usize) -> Wins {
        Wins(self.0 / (parts.max(1) as u64))
    }

    /// Returns the number of games.
    pub fn games(self) -> f64 {
        self.0 as f64 / Wins::PARTS_PER_GAME as f64
    }

    /// Computes the share of `games` games that were won; the fraction `distinct` of the games is distinct. A game won jointly varies less
    /// than one that is won or lost, so that Wilson's interval is slightly conservative.
    pub fn share_of_games(self, games: u64, distinct: f64) -> Share {
        Share::new(self.games(), games, distinct)
    }
}

/// A proportion with Wilson's 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Number of successes, such as games won; joint winners count in part.
    #[serde(serialize_with = "serialize_integral")]
    pub count: f64,
    /// Number of trials.
    #[serde(rename = "of")]
    pub trials: u64,
    /// Proportion of successes among the trials.
    pub share: f64,
    /// Wilson's 95 % interval.
    pub interval: [f64; 2],
}

/// Serialises an integral value as an integer.
fn serialize_integral<S: serde::Serializer>(count: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if count.fract() == 0.0 { serializer.serialize_u64(cast::whole::<u64>(*count)) } else { serializer.serialize_f64(*count) }
}

impl Share {
    /// Returns a proportion with Wilson's interval (Wilson 1927, without continuity correction), if this fraction of the trials is distinct; the
    /// number of successes need not be an integer, since wins may be shared.
    fn new(count: f64, trials: u64, distinct: f64) -> Share {
        let share = if trials == 0 { 0.0 } else { count / trials as f64 };
        Share { count, trials, share, interval: wilson_at(share, trials as f64 * distinct, NORMAL_QUANTILE) }
    }
}

/// Returns a proportion with Wilson's interval, if this fraction of the trials is distinct.
pub fn wilson(count: u64, of: u64, distinct: f64) -> Share {
    Share::new(count as f64, of, distinct)
}

/// Returns Wilson's interval of a proportion of `of` trials at `z` standard errors.
pub fn wilson_at(share: f64, of: f64, z: f64) -> [f64; 2] {
    if of <= 0.0 {
        return [0.0, 1.0];
    }
    let (n, p) = (of, share);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).max(0.0).sqrt();
    // Rounding at the ends must not leave the range.
    [if p <= 0.0 { 0.0 } else { middle - half }, if p >= 1.0 { 1.0 } else { middle + half }]
}

/// Returns the exact interval of a binomial proportion at level `1 - alpha` (Clopper, Pearson, *The use of confidence or fiducial limits*,
/// Biometrika 26, 1934). Counts need not be integers, since repeated games count in part.
pub fn clopper_pearson(count: f64, of: f64, alpha: f64) -> [f64; 2] {
    let low = if count > 0.0 { quantiles::beta(count, of - count + 1.0, alpha / 2.0) } else { 0.0 };
    let high = if count < of { quantiles::beta(count + 1.0, of - count, 1.0 - alpha / 2.0) } else { 1.0 };
    [low, high]
}

/// Returns how far two proportions are apart in units that do not depend on where they lie: Cohen's *h* (*Statistical Power Analysis for the
/// Behavioral Sciences*, second edition, 1988, ch. 6).
pub fn cohens_h(share: f64, other: f64) -> f64 {
    let angle = |share: f64| 2.0 * share.clamp(0.0, 1.0).sqrt().asin();
    angle(share) - angle(other)
}

/// 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// Returns half the width of the interval of a mean of `n` independent values with this variance, which differ by at least `unit`; `None`
/// for fewer than two values.
pub fn half_width(variance: f64, n: f64, unit: f64, alpha: f64) -> Option<f64> {
    standard_error(variance, n, unit).map(|error| student(n - 1.0, alpha) * error)
}

/// Returns the standard error of a mean of `n` independent values with this variance, which differ by at least `unit`.
pub fn standard_error(variance: f64, n: f64, unit: f64) -> Option<f64> {
    (n >= 2.0).then(|| (with_artificial_games(variance, n, unit) / n).sqrt())
}

/// Returns the variance of a sample; 0 for fewer than two values.
pub fn variance(sum: f64, squares: f64, count: u64) -> f64 {
    let n = count as f64;
    if count < 2 { 0.0 } else { ((squares - sum * sum / n) / (n - 1.0)).max(0.0) }
}

/// Returns the variance with two artificial games added, one a unit above the mean and one below.
pub fn with_artificial_games(variance: f64, n: f64, unit: f64) -> f64 {
    variance + 2.0 * unit * unit / (n - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    #[test]
    fn points_of_student_s_t_as_printed_in_tables() {
        let table = [
            (1.0, 12.7062),
            (2.0, 4.30265),
            (3.0, 3.18245),
            (4.0, 2.77645),
            (5.0, 2.57058),
            (6.0, 2.44691),
            (10.0, 2.22814),
            (30.0, 2.04227),
            (100.0, 1.98397),
            (999.0, 1.96234),
            (1_000_000.0, 1.959_966),
        ];
        for (freedom, point) in table {
            near(student(freedom, ALPHA), point, 0.000_2);
        }
    }

    #[test]
    fn wilson_s_interval_as_published() {
        // Newcombe 1998, table I.
        for (count, of, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = wilson(count, of, 1.0);
            near(found.interval[0], low, 0.000_06);
            near(found.interval[1], high, 0.000_06);
        }
        assert_eq!(wilson(20, 20, 1.0).interval[1], 1.0);
        assert_eq!(wilson(0, 0, 1.0).interval, [0.0, 1.0]);
    }

    #[test]
    fn clopper_and_pearson_as_published() {
        // Newcombe 1998, table I, method 5.
        for (count, of, low, high) in
            [(81.0, 263.0, 0.2527, 0.3676), (15.0, 148.0, 0.0578, 0.1617), (0.0, 20.0, 0.0, 0.1684), (1.0, 29.0, 0.0009, 0.1776)]
        {
            let [found_low, found_high] = clopper_pearson(count, of, ALPHA);
            near(found_low, low, 0.000_06);
            near(found_high, high, 0.000_06);
        }
        assert_eq!(clopper_pearson(0.0, 0.0, ALPHA), [0.0, 1.0]);
    }

    #[test]
    fn how_far_proportions_are_apart_as_published() {
        // Cohen 1988, table 6.2.2: the angles of 0.25 and 0.5 are 1.047 and 1.571.
        near(cohens_h(0.5, 0.25), 0.524, 0.001);
        assert_eq!((cohens_h(0.3, 0.3), cohens_h(0.0, 1.0)), (0.0, -std::f64::consts::PI));
    }

    #[test]
    fn sums_are_written_without_loss() {
        let sums = IntegerSums { count: u64::MAX, sum: i64::MIN, squares: i128::MAX };
        let written = serde_json::to_string(&sums).unwrap();
        assert_eq!(serde_json::from_str::<IntegerSums>(&written).unwrap(), sums);
    }

    #[test]
    fn players_of_one_game_are_not_independent() {
        let of = |games: &[&[i64]]| {
            let mut sums = SumsByGame::default();
            games.iter().for_each(|game| sums.add(game.iter().copied()));
            sums
        };
        // If all players of a game have the same value, they are no more evidence than one of them.
        let means = [3, 7, 5, 6].into_iter().fold(IntegerSums::default(), |mut sums, value| {
            sums.add(value);
            sums
        });
        let (alike, alone) = (of(&[&[3, 3], &[7, 7], &[5, 5], &[6, 6]]).mean(), means.mean());
        // Σ(y − 5.25)² is 8.75; a point of one of two players is half a point of their mean.
        near(alone.interval.unwrap()[1] - 5.25, 3.182_45 * ((8.75 + 2.0) / 12.0_f64).sqrt(), 1e-4);
        near(alike.interval.unwrap()[1] - 5.25, 3.182_45 * ((8.75 + 0.5) / 12.0_f64).sqrt(), 1e-4);
        assert_eq!(alike.mean, alone.mean);
        // If all values are equal the mean is known, except for values that did not occur.
        near(of(&[&[3, 7], &[9, 1], &[5, 5]]).mean().interval.unwrap()[1] - 5.0, 4.302_65 * (0.5 / 6.0_f64).sqrt(), 1e-4);
        // With one player in each game the clusters are single values.
        assert_eq!(of(&[&[3], &[7], &[5], &[6]]).mean(), alone);
        // By hand: R = 20 / 5, Σ(y − R·m)² = 2² + 2² + 0² = 8, plus 2 for the artificial games, s = √(3/2 · 10) / 5, and t with 2 degrees
        // of freedom is 4.3027.
        let unequal = of(&[&[3, 3], &[7, 3], &[4], &[]]).mean();
        let half = 4.302_653 * 15.0_f64.sqrt() / 5.0;
        near(unequal.interval.unwrap()[1] - unequal.mean, half, 1e-6);
        assert_eq!(of(&[&[3, 7]]).mean().interval, None);
        let (mut parts, whole) = (of(&[&[3, 7]]), of(&[&[3, 7], &[2, 2]]));
        parts.merge(&of(&[&[2, 2]]));
        assert_eq!(parts, whole);
    }

    #[test]
    fn means_with_spread_and_interval() {
        let mut sums = IntegerSums::default();
        assert_eq!(sums.mean(), Mean::default());
        sums.add(4);
        assert_eq!(sums.mean(), Mean { mean: 4.0, deviation: None, interval: None });
        for value in [2, 4, 4, 5, 5, 7, 9] {
            sums.add(value);
        }
        let found = sums.mean();
        near(found.mean, 5.0, 1e-12);
        near(found.deviation.unwrap(), 2.138_09, 1e-5);
        // 5 ± 2.36462 · √((32 + 2) / (7 · 8))
        near(found.interval.unwrap()[0], 3.157_5, 1e-3);
        near(found.interval.unwrap()[1], 6.842_5, 1e-3);
        // If half of the games repeat others, the evidence is that of four games.
        near(sums.mean_with_distinct(0.5).interval.unwrap()[1], 5.0 + 3.182_45 * ((4.571_43 + 2.0 / 3.0) / 4.0_f64).sqrt(), 1e-3);
        assert_eq!(sums.mean_with_distinct(0.125).interval, None, "one game, eight times");
    }

    #[test]
    fn what_has_not_come_up_may_come_up_all_the_same() {
        let mut sums = IntegerSums::default();
        (0..50).for_each(|_| sums.add(0));
        // The rule of three: an event that did not occur in n games may have a probability of about 3 / n.
        let [low, high] = sums.mean().interval.unwrap();
        assert!((3.0 / 50.0 - high).abs() < 0.005 && low == -high, "{low} to {high}");
    }
}
