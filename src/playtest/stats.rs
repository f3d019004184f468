//! Means and shares with their 95 % intervals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

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

    /// The mean of what was taken in.
    pub fn mean(&self) -> Mean {
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
        let deviation = (spread as f64 / (n * (n - 1.0))).sqrt();
        let half = student(self.count - 1) * deviation / n.sqrt();
        Mean { mean, deviation: Some(deviation), interval: Some([mean - half, mean + half]) }
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

    /// The mean of the numbers, with the interval that whole games give (Cochran, *Sampling Techniques*, third edition, 9A.1: clusters of
    /// unequal sizes, by the ratio of their sums to their sizes).
    pub fn mean(&self) -> Mean {
        let Mean { mean, deviation, .. } = self.values.mean();
        let (games, n) = (self.games.count, self.games.count as f64);
        if games < 2 {
            return Mean { mean, deviation, interval: None };
        }
        // Σ(y − R·m)² of games with the sum y and the size m, where R = Σy / Σm, times (Σm)²: in whole numbers, so that nothing cancels.
        let (sum, size) = (i128::from(self.values.sum), i128::from(self.values.count));
        let squares = size * size * self.games.squares - 2 * sum * size * self.products + sum * sum * i128::from(self.sizes);
        let size = size as f64;
        let half = student(games - 1) * (n / (n - 1.0) * squares.max(0) as f64).sqrt() / (size * size);
        Mean { mean, deviation, interval: Some([mean - half, mean + half]) }
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

    /// What share of so many games that is. A game that is won in part varies less than one that is won or lost: Wilson's interval, made
    /// for those, is a little wider than it need be.
    pub fn of(self, games: u64) -> Share {
        let count = self.games();
        let share = if games == 0 { 0.0 } else { count / games as f64 };
        Share { count, of: games, share, interval: wilson_interval(share, games) }
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
    if count.fract() == 0.0 { serializer.serialize_u64(*count as u64) } else { serializer.serialize_f64(*count) }
}

/// A share with its interval (Wilson 1927, without continuity correction).
pub fn wilson(count: u64, of: u64) -> Share {
    let share = if of == 0 { 0.0 } else { count as f64 / of as f64 };
    Share { count: count as f64, of, share, interval: wilson_interval(share, of) }
}

/// Wilson's 95 % interval of a share of so many, which need not be a whole number of them: a win may be shared.
pub fn wilson_interval(share: f64, of: u64) -> [f64; 2] {
    if of == 0 {
        return [0.0, 1.0];
    }
    let z = NORMAL;
    let (n, p) = (of as f64, share);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    // At the ends rounding could leave the range.
    [if p <= 0.0 { 0.0 } else { middle - half }, if p >= 1.0 { 1.0 } else { middle + half }]
}

/// 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// 97.5 % point of Student's t with so many degrees of freedom.
fn student(freedom: u64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975))
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
            (1, 12.7062),
            (2, 4.30265),
            (3, 3.18245),
            (4, 2.77645),
            (5, 2.57058),
            (6, 2.44691),
            (10, 2.22814),
            (30, 2.04227),
            (100, 1.98397),
            (999, 1.96234),
            (1_000_000, 1.959_966),
        ];
        for (freedom, point) in table {
            near(student(freedom), point, 0.000_2);
        }
    }

    #[test]
    fn wilson_s_interval_as_published() {
        // Newcombe 1998, table I.
        for (count, of, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = wilson(count, of);
            near(found.interval[0], low, 0.000_06);
            near(found.interval[1], high, 0.000_06);
        }
        assert_eq!(wilson(20, 20).interval[1], 1.0);
        assert_eq!(wilson(0, 0).interval, [0.0, 1.0]);
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
        // Who all have the same in a game tell no more than one of them; where all share what is there, the mean is known.
        let means = [3, 7, 5, 6].into_iter().fold(Sums::default(), |mut sums, value| {
            sums.add(value);
            sums
        });
        let (alike, alone) = (of(&[&[3, 3], &[7, 7], &[5, 5], &[6, 6]]).mean(), means.mean());
        assert!((alike.mean, alike.interval) == (alone.mean, alone.interval), "{alike:?} {alone:?}");
        assert_eq!(of(&[&[3, 7], &[9, 1], &[5, 5]]).mean().interval, Some([5.0, 5.0]));
        // Games of one player each are numbers by themselves.
        assert_eq!(of(&[&[3], &[7], &[5], &[6]]).mean(), alone);
        // By hand: R = 20 / 5, Σ(y − R·m)² = 2² + 2² + 0² = 8, s = √(3/2 · 8) / 5, and t with 2 degrees is 4.3027.
        let unequal = of(&[&[3, 3], &[7, 3], &[4], &[]]).mean();
        let half = 4.302_653 * 12.0_f64.sqrt() / 5.0;
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
        // 5 ± 2.36462 · 2.13809 / √8
        near(found.interval.unwrap()[0], 3.212_5, 1e-3);
        near(found.interval.unwrap()[1], 6.787_5, 1e-3);
    }
}
