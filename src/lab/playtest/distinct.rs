//! Counts distinct games: a game that repeats another one move by move is no additional evidence.

use super::merge::Merge;
use crate::cast;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Maximum number of hashes in the sketch. Up to this number of distinct games the count is exact, beyond it an estimate.
const MAX_HASHES: usize = 4096;
/// Fraction above which all games count as distinct, since the estimate is not precise enough.
const DISTINCT_THRESHOLD: f64 = 0.95;

/// The smallest hashes of all games, without duplicates (a bottom-k sketch: Bar-Yossef, Jayram, Kumar, Sivakumar, Trevisan, *Counting
/// distinct elements in a data stream*, RANDOM 2002). Its size is bounded, and it does not depend on the order or the grouping of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DistinctSketch(BTreeSet<u64>);

impl Merge for DistinctSketch {
    fn merge(&mut self, other: &DistinctSketch) {
        other.0.iter().for_each(|hash| self.add(*hash));
    }
}

impl DistinctSketch {
    /// Adds a hash; hashes of distinct games must be uniformly distributed.
    pub fn add(&mut self, hash: u64) {
        let full = self.0.len() >= MAX_HASHES;
        if full && self.0.last().is_some_and(|last| hash >= *last) {
            return;
        }
        if self.0.insert(hash) && full {
            self.0.pop_last();
        }
    }

    /// Returns the number of distinct games among `of` games.
    pub fn count(&self, of: u64) -> u64 {
        let found = match self.0.last() {
            // The k-th smallest of uniformly distributed hashes estimates their density.
            Some(last) if self.0.len() >= MAX_HASHES => (MAX_HASHES - 1) as f64 * (u64::MAX as f64 / *last as f64),
            Some(_) | None => self.0.len() as f64,
        };
        if found >= DISTINCT_THRESHOLD * of as f64 { of } else { cast::whole::<u64>(found.round()) }
    }

    /// Returns the fraction of distinct games among `of` games; 1 if all are distinct.
    pub fn share(&self, of: u64) -> f64 {
        if of == 0 { 1.0 } else { self.count(of) as f64 / of as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::join;

    fn of(hashes: impl IntoIterator<Item = u64>) -> DistinctSketch {
        let mut found = DistinctSketch::default();
        hashes.into_iter().for_each(|hash| found.add(join(7, hash)));
        found
    }

    #[test]
    fn repeated_games_are_counted_once() {
        assert_eq!(of(std::iter::repeat_n(3, 1000)).count(1000), 1);
        assert_eq!(of((0..1000).map(|game| game % 37)).count(1000), 37);
        assert_eq!(of(0..1000).count(1000), 1000);
        // Two games of a thousand that are equal by chance do not reduce the evidence.
        assert_eq!(of((0..1000).map(|game| game / 2 * 2 + game % 2 * u64::from(game > 3))).count(1000), 1000);
        assert_eq!((of([]).count(0), of([]).share(0)), (0, 1.0));
    }

    #[test]
    fn of_very_many_games_it_is_an_estimate_and_none_where_all_differ() {
        assert_eq!(of(0..50_000).count(50_000), 50_000);
        let found = of((0..200_000).map(|game| game % 20_000)).count(200_000);
        assert!((19_000..=21_000).contains(&found), "{found}");
    }

    #[test]
    fn neither_order_nor_parts_make_a_difference() {
        let whole = of((0..30_000).map(|game| game % 9000));
        let (mut one, two) = (of((0..30_000).rev().take(11_000).map(|game| game % 9000)), of((0..19_000).map(|game| game % 9000)));
        one.merge(&two);
        assert_eq!(one, whole);
        assert_eq!(serde_json::from_str::<DistinctSketch>(&serde_json::to_string(&whole).unwrap()).unwrap(), whole);
    }
}
