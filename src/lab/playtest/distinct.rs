//! How many different games there are among many: a game that comes up again, move by move, is no new evidence.

use crate::cast;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// So many hashes are kept. Up to as many different games they are counted, beyond that estimated.
const KEPT: usize = 4096;
/// Where fewer than one game in twenty is a repetition, or the estimate cannot tell, all count as different.
const ALL_BUT: f64 = 0.95;

/// The smallest hashes of all that was taken in, each once (a bottom-k sketch: Bar-Yossef, Jayram, Kumar, Sivakumar, Trevisan, *Counting
/// distinct elements in a data stream*, RANDOM 2002). Its size does not grow with the number of games, and neither order nor parts make
/// a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Distinct(BTreeSet<u64>);

impl Distinct {
    /// Takes in a hash; hashes of different games must be spread evenly.
    pub fn add(&mut self, hash: u64) {
        let full = self.0.len() >= KEPT;
        if full && self.0.last().is_some_and(|last| hash >= *last) {
            return;
        }
        if self.0.insert(hash) && full {
            self.0.pop_last();
        }
    }

    /// Takes in all that another one has.
    pub fn merge(&mut self, other: &Distinct) {
        other.0.iter().for_each(|hash| self.add(*hash));
    }

    /// How many of so many are different.
    pub fn count(&self, of: u64) -> u64 {
        let found = match self.0.last() {
            // Of hashes spread evenly the k-th smallest lies where k of all of them lie below it.
            Some(last) if self.0.len() >= KEPT => (KEPT - 1) as f64 * (u64::MAX as f64 / *last as f64),
            Some(_) | None => self.0.len() as f64,
        };
        if found >= ALL_BUT * of as f64 { of } else { cast::whole::<u64>(found.round()) }
    }

    /// What part of so many is different: 1 if all are.
    pub fn share(&self, of: u64) -> f64 {
        if of == 0 { 1.0 } else { self.count(of) as f64 / of as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::join;

    fn of(hashes: impl IntoIterator<Item = u64>) -> Distinct {
        let mut found = Distinct::default();
        hashes.into_iter().for_each(|hash| found.add(join(7, hash)));
        found
    }

    #[test]
    fn repeated_games_are_counted_once() {
        assert_eq!(of(std::iter::repeat_n(3, 1000)).count(1000), 1);
        assert_eq!(of((0..1000).map(|game| game % 37)).count(1000), 37);
        assert_eq!(of(0..1000).count(1000), 1000);
        // Two games of a thousand that chance has made alike take nothing away.
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
        assert_eq!(serde_json::from_str::<Distinct>(&serde_json::to_string(&whole).unwrap()).unwrap(), whole);
    }
}
