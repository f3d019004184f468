//! The settings among which is searched: every combination of the levels of what is varied.

use crate::cast;
use crate::state::chance::Stream;

/// A setting: the index of a level on each axis.
pub type Point = Vec<usize>;

/// What is varied, in the eyes of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Number of levels.
    pub levels: usize,
    /// Whether near levels do nearly the same, as numbers do; words have no order.
    pub ordered: bool,
}

/// All combinations of the levels of several axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// What is varied.
    pub axes: Vec<Axis>,
}

impl Lattice {
    /// Returns the number of settings, at most `u64::MAX`.
    pub fn size(&self) -> u64 {
        self.axes.iter().fold(1, |size, axis| size.saturating_mul(axis.levels as u64))
    }

    /// Returns all settings; the last axis changes first.
    pub fn all(&self) -> Vec<Point> {
        let mut found = vec![Vec::new()];
        for axis in &self.axes {
            let longer = |point: &Point| (0..axis.levels).map(|level| [&point[..], &[level]].concat()).collect::<Vec<_>>();
            found = found.iter().flat_map(longer).collect();
        }
        found
    }

    /// Returns how far two settings are apart on one axis, as a fraction of its length. Words are all equally far from each other.
    pub fn distance(&self, axis: usize, a: &[usize], b: &[usize]) -> f64 {
        let Axis { levels, ordered } = self.axes[axis];
        let apart = a[axis].abs_diff(b[axis]);
        if ordered { apart as f64 / levels.saturating_sub(1).max(1) as f64 } else { f64::from(u8::from(apart > 0)) }
    }

    /// Returns a setting drawn at random.
    pub fn draw(&self, chance: &mut Stream) -> Point {
        self.axes.iter().map(|axis| draw_below(axis.levels, chance)).collect()
    }

    /// Returns the settings that differ on one axis: by one level, or by any word.
    pub fn neighbours(&self, point: &[usize]) -> Vec<Point> {
        let mut found = Vec::new();
        for (at, axis) in self.axes.iter().enumerate() {
            let near = |level: &usize| *level != point[at] && (!axis.ordered || level.abs_diff(point[at]) == 1);
            for level in (0..axis.levels).filter(near) {
                let mut other = point.to_vec();
                other[at] = level;
                found.push(other);
            }
        }
        found
    }

    /// Returns at most `count` settings that spread over every axis, both ends included (McKay, Beckman and Conover, *A comparison of three
    /// methods for selecting values of input variables*, Technometrics 21(2), 1979: a Latin hypercube).
    pub fn spread(&self, count: usize, chance: &mut Stream) -> Vec<Point> {
        let mut columns = Vec::new();
        for axis in &self.axes {
            let last = axis.levels.saturating_sub(1);
            let mut column: Vec<usize> =
                (0..count).map(|at| (at * last + count.saturating_sub(1) / 2) / count.saturating_sub(1).max(1)).collect();
            for at in (1..column.len()).rev() {
                column.swap(at, draw_below(at + 1, chance));
            }
            columns.push(column);
        }
        let mut found: Vec<Point> = Vec::new();
        for row in 0..count {
            let point: Point = columns.iter().map(|column| column[row]).collect();
            if !found.contains(&point) {
                found.push(point);
            }
        }
        found
    }
}

/// Draws an index below `count`, which is at most the number of levels of an axis.
fn draw_below(count: usize, chance: &mut Stream) -> usize {
    chance.below(cast::fit::<u32>(count.max(1))) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(axes: &[(usize, bool)]) -> Lattice {
        Lattice { axes: axes.iter().map(|&(levels, ordered)| Axis { levels, ordered }).collect() }
    }

    #[test]
    fn all_settings_and_their_neighbours() {
        let both = lattice(&[(3, true), (3, false)]);
        assert_eq!((both.size(), both.all().len()), (9, 9));
        assert_eq!(both.all()[..4], [[0, 0], [0, 1], [0, 2], [1, 0]]);
        assert_eq!(both.neighbours(&[0, 0]), [[1, 0], [0, 1], [0, 2]]);
        assert_eq!([both.distance(0, &[0, 0], &[1, 2]), both.distance(1, &[0, 0], &[1, 2])], [0.5, 1.0]);
        assert_eq!(lattice(&[(u32::MAX as usize, true); 4]).size(), u64::MAX);
    }

    #[test]
    fn a_spread_reaches_both_ends_of_every_axis() {
        let three = lattice(&[(11, true), (7, true), (2, false)]);
        for seed in 0..20 {
            let found = three.spread(8, &mut Stream::new(seed, 0, 0));
            for (at, axis) in three.axes.iter().enumerate() {
                let levels: Vec<usize> = found.iter().map(|point| point[at]).collect();
                assert!(levels.contains(&0) && levels.contains(&(axis.levels - 1)), "{found:?}");
                assert!(levels.iter().all(|level| *level < axis.levels));
            }
        }
        assert_eq!(three.spread(1, &mut Stream::new(1, 0, 0)).len(), 1);
    }
}
