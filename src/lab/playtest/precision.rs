//! How many games it takes to know something, from how much it has varied so far.

use serde::Serialize;

use super::quantiles::first_without;
use super::stats::{ALPHA, normal, standard_error, student};
use crate::cast;

/// Twice the share of runs that may miss a difference which is there: of five runs four show it.
const MISSED_ON_BOTH_SIDES: f64 = 0.4;
/// Number of games above which nobody asks how many more it takes.
const MOST_GAMES: u64 = 1 << 50;

/// How many games it takes to know a measure to within a given size. In a comparison these are pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GamesNeeded {
    /// The size: one, or 0.01 of a share.
    pub size: f64,
    /// Number of games after which the 95 % interval reaches no further than `size` to either side (Student's t).
    pub interval: u64,
    /// Number of games after which a difference of `size` is shown in four of five runs: the power of the test is 80 %.
    pub effect: u64,
}

impl GamesNeeded {
    /// Computes the numbers for values with this variance from game to game, which differ by at least `unit`; `None` if it takes more games
    /// than anybody plays.
    pub fn new(variance: f64, unit: f64, size: f64) -> Option<GamesNeeded> {
        let half = |n: u64, beyond: f64| {
            let n = n as f64;
            standard_error(variance, n, unit).is_some_and(|error| (student(n - 1.0, ALPHA) + beyond) * error <= size)
        };
        let needed = |beyond: f64| least(games_by_normal(variance, size, beyond)?, &|n| half(n, beyond));
        Some(GamesNeeded { size, interval: needed(0.0)?, effect: needed(normal(MISSED_ON_BOTH_SIDES))? })
    }
}

/// Returns the number of games by the normal distribution, which is never more than that by Student's; `None` if nobody plays so many.
fn games_by_normal(variance: f64, size: f64, beyond: f64) -> Option<u64> {
    let games = ((normal(ALPHA) + beyond) / size).powi(2) * variance;
    (games <= MOST_GAMES as f64).then(|| cast::whole::<u64>(games.floor()).max(2))
}

/// Returns the least number from `start` on for which a condition holds that holds for all greater numbers, too.
fn least(start: u64, holds: &dyn Fn(u64) -> bool) -> Option<u64> {
    if holds(start) {
        return Some(start);
    }
    let (mut low, mut step) = (start, 1);
    while !holds(low + step) {
        low += step;
        step *= 2;
        if step > MOST_GAMES {
            return None;
        }
    }
    Some(first_without(low, low + step, |games| !holds(games)))
}

/// Writes a number of games as one says it: with two digits that count, and a comma after thousands.
pub(super) fn about(games: u64) -> String {
    let scale = 10_u64.pow(games.checked_ilog10().unwrap_or(0).saturating_sub(1));
    let digits = (games.div_ceil(scale) * scale).to_string();
    let thousands = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    thousands.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_games_make_an_interval_so_wide() {
        // With a standard deviation of 10 the normal interval reaches 1 after 1.96² · 100 = 384.1 games; Student's t is 1.9662 with 386
        // degrees of freedom, and two artificial games hardly count: 1.9662 · √((100 + 2 / 386) / 387) = 0.99949, and after 386 it is 1.0008.
        let found = GamesNeeded::new(100.0, 1.0, 1.0).unwrap();
        assert_eq!(found.interval, 387);
        // (1.96 + 0.8416)² · 100 = 784.9 for the power of 80 %; with t a game or two more.
        assert!((785..=788).contains(&found.effect), "{found:?}");
        // The artificial games alone: 12.706 · √(2 / 2) after two, 4.303 · √(1 / 3) = 2.48, 3.182 · √(2 / 3 / 4) = 1.30, 2.776 · √(0.5 / 5) = 0.88.
        assert_eq!(GamesNeeded::new(0.0, 1.0, 1.0).map(|found| found.interval), Some(5));
        assert_eq!(GamesNeeded::new(f64::INFINITY, 1.0, 1.0), None);
        // A share of a half is known to a hundredth after 1.96² · 0.25 / 0.0001 = 9,604 games; Student's t adds three, and two artificial
        // games that differ by 1 another 1.96² · 0.0002 / 0.0001 = 8.
        assert_eq!(GamesNeeded::new(0.25, 1.0, 0.01).map(|found| found.interval), Some(9615));
    }

    #[test]
    fn numbers_of_games_are_told_with_two_digits() {
        for (games, said) in [(0, "0"), (7, "7"), (99, "99"), (384, "390"), (1000, "1,000"), (9604, "9,700"), (1_234_567, "1,300,000")] {
            assert_eq!(about(games), said);
        }
    }
}
