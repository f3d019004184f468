//! Sums of one measure over games.

use serde::{Deserialize, Serialize};

use super::compare::ValueRange;
use super::exact::ExactSum;
use super::merge::merge_by_field;
use super::stats::{half_width, normal, variance, wilson_at};

/// Number, sum and squares of the values of a measure. The sums are exact, so that neither order nor threads matter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    sum: ExactSum,
    squares: ExactSum,
}

merge_by_field!(Moments: count, sum, squares);

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum.add(value);
        self.squares.add(value * value);
    }

    /// Returns the mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum.sum() / self.count as f64)
    }

    /// Returns the variance between values; 0 for fewer than two.
    pub fn variance(&self) -> f64 {
        variance(self.sum.sum(), self.squares.sum(), self.count)
    }

    /// Returns the interval of the mean at an error level: Wilson's for shares, else Student's, as in reports of `playtest`. A fraction
    /// `distinct` of the games is evidence. `None` if that is less than two games.
    pub fn interval(&self, range: ValueRange, distinct: f64, alpha: f64) -> Option<[f64; 2]> {
        let (mean, evidence) = (self.mean()?, self.count as f64 * distinct);
        match range {
            ValueRange::Share => (evidence >= 2.0).then(|| wilson_at(mean, evidence, normal(alpha))),
            ValueRange::Steps(unit) => half_width(self.variance(), evidence, unit, alpha).map(|half| [mean - half, mean + half]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stats::{ALPHA, IntegerSums, wilson};
    use super::*;

    #[test]
    fn the_same_intervals_as_of_a_playtest() {
        let (mut sums, mut whole) = (Moments::default(), IntegerSums::default());
        for value in [4, 2, 4, 4, 5, 5, 7, 9] {
            sums.add(value as f64);
            whole.add(value);
        }
        let (found, wanted) = (sums.interval(ValueRange::Steps(1.0), 1.0, ALPHA).unwrap(), whole.mean().interval.unwrap());
        assert!((found[0] - wanted[0]).abs() < 1e-9 && (found[1] - wanted[1]).abs() < 1e-9, "{found:?} {wanted:?}");
        let mut won = Moments::default();
        (0..20).for_each(|game| won.add(f64::from(u8::from(game < 7))));
        let (found, wanted) = (won.interval(ValueRange::Share, 1.0, ALPHA).unwrap(), wilson(7, 20, 1.0).interval);
        assert!((found[0] - wanted[0]).abs() < 1e-9 && (found[1] - wanted[1]).abs() < 1e-9, "{found:?} {wanted:?}");
        assert_eq!(Moments::default().interval(ValueRange::Share, 1.0, ALPHA), None);
        assert_eq!(won.interval(ValueRange::Share, 0.05, ALPHA), None, "one game, twenty times");
    }
}
