//! Histograms of integers with a bounded number of bins, whatever the range of the numbers.

use super::merge::Merge;
use crate::cast;
use serde::{Deserialize, Serialize};

/// Maximum number of bins.
const MAX_BINS: u64 = 128;

/// A histogram whose bin width is the smallest power of two for which all numbers fit into the maximum number of bins. It does not depend
/// on the order or the grouping in which numbers were added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Bins", into = "Bins")]
pub struct Histogram {
    /// Bins have the width `2^shift`, and bin `n` begins at `n · 2^shift`.
    shift: u32,
    /// Index of the first bin with a count.
    first: i64,
    counts: Vec<u64>,
}

/// A histogram in serialised form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bins {
    /// Width of a bin.
    width: u64,
    /// Smallest number of the first bin.
    #[serde(rename = "from")]
    start: i64,
    /// Counts of the bins; the first and the last are not 0.
    counts: Vec<u64>,
}

impl Histogram {
    /// Adds a number.
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    fn add_times(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        let mut bin = value >> self.shift;
        let known = usize::try_from(bin.saturating_sub(self.first)).ok();
        if let Some(count) = known.and_then(|at| self.counts.get_mut(at)) {
            *count += times;
            return;
        }
        let (mut low, mut high) = self.ends().map_or((bin, bin), |(low, high)| (low.min(bin), high.max(bin)));
        while high.abs_diff(low) >= MAX_BINS {
            self.widen();
            (bin, low, high) = (bin >> 1, low >> 1, high >> 1);
        }
        if self.counts.is_empty() {
            self.first = low;
        }
        let before = cast::fit::<usize>(self.first.abs_diff(low));
        self.counts.splice(0..0, std::iter::repeat_n(0, before));
        self.first = low;
        self.counts.resize(cast::fit::<usize>(high.abs_diff(low)) + 1, 0);
        self.counts[cast::fit::<usize>(bin.abs_diff(low))] += times;
    }

    /// Returns the indices of the first and the last bin.
    fn ends(&self) -> Option<(i64, i64)> {
        let last = self.counts.len().checked_sub(1)?;
        Some((self.first, self.first + cast::count(last)))
    }

    /// Doubles the width of the bins.
    fn widen(&mut self) {
        let (first, counts) = (self.first, std::mem::take(&mut self.counts));
        self.shift += 1;
        self.first = first >> 1;
        for (bin, count) in (first..).zip(counts) {
            let at = (bin >> 1).abs_diff(self.first) as usize;
            self.counts.resize(self.counts.len().max(at + 1), 0);
            self.counts[at] += count;
        }
    }
}

impl Merge for Histogram {
    fn merge(&mut self, other: &Histogram) {
        while self.shift < other.shift {
            self.widen();
        }
        for (bin, count) in (other.first..).zip(&other.counts) {
            self.add_times(bin << other.shift, *count);
        }
    }
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Smallest number that it counts.
    pub from: i64,
    /// Largest number that it counts.
    pub to: i64,
    /// How often they were added.
    pub count: u64,
}

impl Histogram {
    /// The bins, from the smallest number on.
    pub fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        let width = 1_i64 << self.shift.min(62);
        (self.first..).zip(&self.counts).map(move |(bin, &count)| Bin { from: bin * width, to: bin * width + (width - 1), count })
    }

    /// The largest number of the bin at or below which such a share of all numbers lies; `None` without numbers.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let all: u64 = self.counts.iter().sum();
        let mut sum = 0;
        self.bins()
            .find(|bin| {
                sum += bin.count;
                sum as f64 / all as f64 >= share - 1e-12
            })
            .map(|bin| bin.to)
    }
}

impl From<Histogram> for Bins {
    fn from(histogram: Histogram) -> Bins {
        Bins { width: 1 << histogram.shift, start: histogram.first << histogram.shift, counts: histogram.counts }
    }
}

impl TryFrom<Bins> for Histogram {
    type Error = String;

    fn try_from(bins: Bins) -> Result<Histogram, String> {
        let Bins { width, start: from, counts } = bins;
        let shift = width.trailing_zeros();
        let last = i64::try_from(counts.len()).ok().and_then(|bins| (from >> shift.min(63)).checked_add(bins));
        let ends = counts.first().zip(counts.last()).is_none_or(|(first, last)| *first > 0 && *last > 0);
        let sound = width.is_power_of_two() && shift < 64 && (from >> shift) << shift == from && counts.len() as u64 <= MAX_BINS && ends;
        match last {
            Some(_) if sound => Ok(Histogram { shift, first: from >> shift, counts }),
            _ => Err(format!("no histogram has {} bins of width {width} from {from}", counts.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    #[test]
    fn numbers_near_each_other_have_a_bin_each() {
        let text = serde_json::to_string(&of(&[3, -1, 3, 0])).unwrap();
        assert_eq!(text, r#"{"width":1,"from":-1,"counts":[1,1,0,0,2]}"#);
        assert_eq!(serde_json::to_string(&Histogram::default()).unwrap(), r#"{"width":1,"from":0,"counts":[]}"#);
    }

    #[test]
    fn bins_grow_wider_and_lose_nothing() {
        let all: Vec<i64> = (-300..300).collect();
        let found = Bins::from(of(&all));
        assert_eq!((found.width, found.start, found.counts.len()), (8, -304, 76));
        assert_eq!((found.counts.iter().sum::<u64>(), found.counts[0], found.counts[1]), (600, 4, 8));
        let ends = Bins::from(of(&[i64::MIN, i64::MAX]));
        assert_eq!((ends.counts.iter().sum::<u64>(), ends.counts.len()), (2, 128));
    }

    #[test]
    fn what_is_no_histogram_is_refused() {
        for wrong in [
            r#"{"width":0,"from":0,"counts":[]}"#,
            r#"{"width":3,"from":0,"counts":[1]}"#,
            r#"{"width":4,"from":2,"counts":[1]}"#,
            r#"{"width":1,"from":9223372036854775807,"counts":[1]}"#,
            r#"{"width":1,"from":0,"counts":[0,1]}"#,
        ] {
            assert!(serde_json::from_str::<Histogram>(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn the_order_makes_no_difference_and_parts_are_the_whole(values in prop::collection::vec(-100_000_i64..100_000, 0..60), cut in 0..60_usize) {
            let whole = of(&values);
            let (one, two) = values.split_at(cut.min(values.len()));
            let (mut merged, second) = (of(two), of(one));
            merged.merge(&second);
            prop_assert_eq!(&merged, &whole);
            let text = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), whole);
        }
    }
}
