//! Sums over games that are put together from those of other games.

use std::collections::BTreeMap;

use rangemap::RangeSet;

/// Sums over games. What parts come to together does not depend on their order or their grouping.
pub trait Merge {
    /// Adds the sums of other games.
    fn merge(&mut self, other: &Self);
}

/// Says of a struct that it is merged field by field, and names all of its fields: the compiler refuses a list from which one is missing.
macro_rules! merge_by_field {
    ($sums:ident: $($field:ident),+ $(,)?) => {
        impl $crate::playtest::merge::Merge for $sums {
            fn merge(&mut self, other: &Self) {
                let Self { $($field),+ } = other;
                $($crate::playtest::merge::Merge::merge(&mut self.$field, $field);)+
            }
        }
    };
}
pub(super) use merge_by_field;

/// Says of a kind of numbers that they are added.
macro_rules! merge_by_adding {
    ($($number:ty)+) => {
        $(impl Merge for $number {
            fn merge(&mut self, other: &Self) {
                *self += other;
            }
        })+
    };
}

merge_by_adding!(u64 i64 i128);

/// Whether something holds of any of the games.
impl Merge for bool {
    fn merge(&mut self, other: &Self) {
        *self |= other;
    }
}

/// What is done: no game may be done in both.
impl Merge for RangeSet<u64> {
    fn merge(&mut self, other: &Self) {
        self.extend(other.iter().cloned());
    }
}

impl<A: Merge, B: Merge> Merge for (A, B) {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
        self.1.merge(&other.1);
    }
}

/// Merges entries at the same places.
impl<T: Merge + Clone + Default> Merge for Vec<T> {
    fn merge(&mut self, other: &Self) {
        self.resize(self.len().max(other.len()), T::default());
        self.iter_mut().zip(other).for_each(|(all, more)| all.merge(more));
    }
}

/// Merges entries with the same keys.
impl<K: Ord + Clone, T: Merge + Default> Merge for BTreeMap<K, T> {
    fn merge(&mut self, other: &Self) {
        for (key, more) in other {
            self.entry(key.clone()).or_default().merge(more);
        }
    }
}

/// Merges what there is.
impl<T: Merge + Clone> Merge for Option<T> {
    fn merge(&mut self, other: &Self) {
        match self {
            Some(all) => other.iter().for_each(|more| all.merge(more)),
            None => self.clone_from(other),
        }
    }
}
