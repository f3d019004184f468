//! Means and shares with their 95 % intervals.
//!
//! What has not come up in `n` games may come up all the same, in up to some 3 of `n`: no mean is told without an interval, even where all
//! games have the same number. Its variance is as if two games more had been played, one a unit above the mean and one a unit below (for
//! rare events the interval of Bonett and Price, *Adjusted Wald confidence interval for a difference of binomial proportions based on paired
//! data*, Journal of Educational and Behavioral Statistics 37(4), 2012).
//!
//! A game that is repeated move by move is evidence once: intervals are those of the different games among all (`distinct`).

use crate::cast;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How often an interval may miss.
pub const ALPHA: f64 = 0.05;

/// Whole numbers summed up, so that no order of adding makes a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: i128,
}

impl Sums {
    /// Takes in a number.
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += i128::from(value) * i128::from(value);
    }

    /// Takes in all that another sum has.
    pub fn merge(&mut self, other: &Sums) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean of what was taken in, if all games are different.
    pub fn mean(&self) -> Mean {
        self.mean_of(1.0)
    }

    /// The mean of what was taken in; of the games such a share is different.
    pub fn mean_of(&self, distinct: f64) -> Mean {
        let n = self.count as f64;
        if self.count == 0 {
            return Mean::default();
        }
        let mean = self.sum as f64 / n;
        if self.count == 1 {
            return Mean { mean, ..Mean::default() };
        }
        // n·Σx² − (Σx)² in whole numbers: nothing cancels.
        let spread = i128::from(self.count) * self.squares - i128::from(self.sum) * i128::from(self.sum);
        let variance = spread as f64 / (n * (n - 1.0));
        let half = half_of_mean(variance, n * distinct, 1.0, ALPHA);
        Mean { mean, deviation: Some(variance.sqrt()), interval: half.map(|half| [mean - half, mean + half]) }
    }
}

/// Whole numbers of players, summed up game by game: games are independent, the players of one game are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SumsByGame {
    /// Every number by itself.
    pub values: Sums,
    /// The sum of each game.
    pub games: Sums,
    /// The squares of how many numbers each game has, summed up.
    pub sizes: u64,
    /// The products of how many numbers a game has and their sum, summed up.
    pub products: i128,
}

impl SumsByGame {
    /// Takes in the numbers of one game.
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

    /// Takes in all that another sum has.
    pub fn merge(&mut self, other: &SumsByGame) {
        self.values.merge(&other.values);
        self.games.merge(&other.games);
        self.sizes += other.sizes;
        self.products += other.products;
    }

    /// The mean of the numbers, if all games are different.
    pub fn mean(&self) -> Mean {
        self.mean_of(1.0)
    }

    /// The mean of the numbers, with the interval that whole games give (Cochran, *Sampling Techniques*, third edition, 9A.1: clusters of
    /// unequal sizes, by the ratio of their sums to their sizes); of the games such a share is different.
    pub fn mean_of(&self, distinct: f64) -> Mean {
        let Mean { mean, deviation, .. } = self.values.mean();
        let n = self.games.count as f64;
        // Σ(y − R·m)² of games with the sum y and the size m, where R = Σy / Σm, times (Σm)²: in whole numbers, so that nothing cancels.
        let (sum, size) = (i128::from(self.values.sum), i128::from(self.values.count));
        let squares = size * size * self.games.squares - 2 * sum * size * self.products + sum * sum * i128::from(self.sizes);
        // Of the sum of a game, in units of the mean number of values in a game.
        let size = size as f64;
        let variance = if n < 2.0 { 0.0 } else { squares.max(0) as f64 / (n - 1.0) * (n / (size * size)) * (n / (size * size)) };
        let half = half_of_mean(variance, n * distinct, n / size, ALPHA);
        Mean { mean, deviation, interval: half.map(|half| [mean - half, mean + half]) }
    }
}

/// A mean; spread and interval only where there are at least two values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: Option<f64>,
    /// 95 % confidence interval of the mean, by Student's t.
    pub interval: Option<[f64; 2]>,
}

/// Games won, of which those that several win together count in equal parts: whole numbers of a part that all of them are made of, so that
/// no order of adding makes a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wins(u64);

impl Wins {
    /// Into so many parts a game is cut: as many as can be shared by each number of winners up to 16 without a rest.
    const PARTS: u64 = 720_720;

    /// What each of so many winners has of a game.
    pub fn shared_by(winners: usize) -> Wins {
        Wins(Wins::PARTS / (winners.max(1) as u64))
    }

    /// Takes in others.
    pub fn add(&mut self, more: &Wins) {
        self.0 += more.0;
    }

    /// How many games that makes.
    pub fn games(self) -> f64 {
        self.0 as f64 / Wins::PARTS as f64
    }

    /// What share of so many games that is, of which such a share is different. A game that is won in part varies less than one that is won or lost: Wilson's interval, made
    /// for those, is a little wider than it need be.
    pub fn of(self, games: u64, distinct: f64) -> Share {
        let count = self.games();
        let share = if games == 0 { 0.0 } else { count / games as f64 };
        Share { count, of: games, share, interval: wilson_interval(share, games as f64 * distinct) }
    }
}

/// How often something happened among so many, with Wilson's 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How often; games that several have won together count in part.
    #[serde(serialize_with = "whole_if_it_is")]
    pub count: f64,
    /// Of how many.
    pub of: u64,
    /// The share.
    pub share: f64,
    /// Wilson's 95 % interval.
    pub interval: [f64; 2],
}

/// A whole number is written as one.
fn whole_if_it_is<S: serde::Serializer>(count: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if count.fract() == 0.0 { serializer.serialize_u64(cast::whole::<u64>(*count)) } else { serializer.serialize_f64(*count) }
}

/// A share with its interval (Wilson 1927, without continuity correction); of the games such a share is different.
pub fn wilson(count: u64, of: u64, distinct: f64) -> Share {
    let share = if of == 0 { 0.0 } else { count as f64 / of as f64 };
    Share { count: count as f64, of, share, interval: wilson_interval(share, of as f64 * distinct) }
}

/// Wilson's 95 % interval of a share of so many, which need not be a whole number of them: a win may be shared.
pub fn wilson_interval(share: f64, of: f64) -> [f64; 2] {
    wilson_at(share, of, NORMAL)
}

/// Wilson's interval of a share of so many that reaches to so many standard errors.
pub fn wilson_at(share: f64, of: f64, z: f64) -> [f64; 2] {
    if of <= 0.0 {
        return [0.0, 1.0];
    }
    let (n, p) = (of, share);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).max(0.0).sqrt();
    // At the ends rounding could leave the range.
    [if p <= 0.0 { 0.0 } else { middle - half }, if p >= 1.0 { 1.0 } else { middle + half }]
}

/// 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// How far the interval of a mean of so many independent values reaches to either side, of which the variance was found to be this, and
/// which lie apart by this unit at least; none for fewer than two.
pub fn half_of_mean(variance: f64, n: f64, unit: f64, alpha: f64) -> Option<f64> {
    error_of_mean(variance, n, unit).map(|error| student(n - 1.0, alpha) * error)
}

/// The standard error of such a mean.
pub fn error_of_mean(variance: f64, n: f64, unit: f64) -> Option<f64> {
    (n >= 2.0).then(|| ((variance + 2.0 * unit * unit / (n - 1.0)) / n).sqrt())
}

/// The point of Student's t with so many degrees of freedom that lies outside of the middle with a chance of `alpha`, to both sides together.
pub fn student(freedom: f64, alpha: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - alpha / 2.0))
}

/// The same point of the normal distribution.
pub fn normal(alpha: f64) -> f64 {
    Normal::new(0.0, 1.0).map_or(f64::INFINITY, |normal| -normal.inverse_cdf(alpha / 2.0))
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
    fn sums_are_written_without_loss() {
        let sums = Sums { count: u64::MAX, sum: i64::MIN, squares: i128::MAX };
        let written = serde_json::to_string(&sums).unwrap();
        assert_eq!(serde_json::from_str::<Sums>(&written).unwrap(), sums);
    }

    #[test]
    fn players_of_one_game_are_not_independent() {
        let of = |games: &[&[i64]]| {
            let mut sums = SumsByGame::default();
            games.iter().for_each(|game| sums.add(game.iter().copied()));
            sums
        };
        // Who all have the same in a game tell no more than one of them.
        let means = [3, 7, 5, 6].into_iter().fold(Sums::default(), |mut sums, value| {
            sums.add(value);
            sums
        });
        let (alike, alone) = (of(&[&[3, 3], &[7, 7], &[5, 5], &[6, 6]]).mean(), means.mean());
        // Σ(y − 5.25)² is 8.75; a point of one of two players is half a point of their mean.
        near(alone.interval.unwrap()[1] - 5.25, 3.182_45 * ((8.75 + 2.0) / 12.0_f64).sqrt(), 1e-4);
        near(alike.interval.unwrap()[1] - 5.25, 3.182_45 * ((8.75 + 0.5) / 12.0_f64).sqrt(), 1e-4);
        assert_eq!(alike.mean, alone.mean);
        // Where all share what is there, the mean is known, but for what has not come up.
        near(of(&[&[3, 7], &[9, 1], &[5, 5]]).mean().interval.unwrap()[1] - 5.0, 4.302_65 * (0.5 / 6.0_f64).sqrt(), 1e-4);
        // Games of one player each are numbers by themselves.
        assert_eq!(of(&[&[3], &[7], &[5], &[6]]).mean(), alone);
        // By hand: R = 20 / 5, Σ(y − R·m)² = 2² + 2² + 0² = 8 and 2 for what has not come up, s = √(3/2 · 10) / 5, and t with 2 degrees is 4.3027.
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
        let mut sums = Sums::default();
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
        // Where half of the games repeat others, they say as much as four.
        near(sums.mean_of(0.5).interval.unwrap()[1], 5.0 + 3.182_45 * ((4.571_43 + 2.0 / 3.0) / 4.0_f64).sqrt(), 1e-3);
        assert_eq!(sums.mean_of(0.125).interval, None, "one game, eight times");
    }

    #[test]
    fn what_has_not_come_up_may_come_up_all_the_same() {
        let mut sums = Sums::default();
        (0..50).for_each(|_| sums.add(0));
        // The rule of three: an event that was not seen in n games may have a chance of some 3 in n.
        let [low, high] = sums.mean().interval.unwrap();
        assert!((3.0 / 50.0 - high).abs() < 0.005 && low == -high, "{low} to {high}");
    }
}
