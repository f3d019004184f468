//! Groups of points: *k*-means with the start of *k*-means++ (Arthur, Vassilvitskii, *k-means++: the advantages of careful seeding*, SODA
//! 2007), silhouettes from one table of distances, and data without groups for comparison, drawn by a Cholesky factor.

use crate::state::chance::join;

/// Number of starts, of which the best is kept.
const STARTS: usize = 4;
/// Most steps after a start.
const MOST_STEPS: usize = 40;
/// Share of a variance below which what is left of it is taken for a rounding error.
const SMALLEST_REST: f64 = 1e-9;

/// Random numbers by seed.
pub struct Draws {
    seed: u64,
    drawn: u64,
}

impl Draws {
    /// Begins a stream of numbers.
    pub fn new(seed: u64) -> Draws {
        Draws { seed, drawn: 0 }
    }

    /// Returns a number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        self.drawn += 1;
        (join(self.seed, self.drawn) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws so many of the values, each as likely as any other, and leaves them in their order (selection sampling; Knuth, *The Art of Computer
    /// Programming* 2, 3.4.2); all if there are no more.
    pub fn some<T: Clone>(&mut self, values: &[T], count: usize) -> Vec<T> {
        let mut drawn = Vec::with_capacity(count.min(values.len()));
        for (at, value) in values.iter().enumerate() {
            let left = values.len() - at;
            let wanted = count - drawn.len();
            if left <= wanted || self.unit() * (left as f64) < wanted as f64 {
                drawn.push(value.clone());
            }
        }
        drawn
    }

    /// Returns a number with the standard normal distribution (Box, Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Returns the squared distance of two points: several sums side by side, so that it takes a fraction of the time.
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.0.iter().zip(b.0) {
        for lane in 0..4 {
            sums[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    let rest: f64 = a.1.iter().zip(b.1).map(|(a, b)| (a - b) * (a - b)).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Returns the nearest mean of a point, with the squared distance.
fn nearest(point: &[f64], means: &[Vec<f64>]) -> (usize, f64) {
    let each = means.iter().map(|mean| squared_distance(point, mean)).enumerate();
    each.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}

/// Returns the group of each point, of `groups` groups, so that points are near the means of their groups.
pub fn k_means(points: &[Vec<f64>], groups: usize, draws: &mut Draws) -> Vec<usize> {
    let found = (0..STARTS).map(|_| k_means_once(points, groups, draws));
    found.reduce(|best, found| if found.0 < best.0 { found } else { best }).map_or(Vec::new(), |(_, group_of)| group_of)
}

fn k_means_once(points: &[Vec<f64>], groups: usize, draws: &mut Draws) -> (f64, Vec<usize>) {
    let mut means = first_means(points, groups, draws);
    let mut group_of = vec![usize::MAX; points.len()];
    let mut spread = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        spread = 0.0;
        let mut moved = false;
        for (point, group) in points.iter().zip(&mut group_of) {
            let (nearest, distance) = nearest(point, &means);
            spread += distance;
            moved |= *group != nearest;
            *group = nearest;
        }
        if !moved {
            break;
        }
        for (group, mean) in means.iter_mut().enumerate() {
            let members = points.iter().zip(&group_of).filter(|(_, of)| **of == group).map(|(point, _)| point);
            let count = members.clone().count() as f64;
            // A mean without points stays where it is.
            if count > 0.0 {
                mean.fill(0.0);
                members.for_each(|point| mean.iter_mut().zip(point).for_each(|(sum, value)| *sum += value / count));
            }
        }
    }
    (spread, group_of)
}

/// Draws means among the points, each with a probability that grows with the squared distance from those before.
fn first_means(points: &[Vec<f64>], groups: usize, draws: &mut Draws) -> Vec<Vec<f64>> {
    let mut distances = vec![1.0; points.len()];
    let mut means: Vec<Vec<f64>> = Vec::with_capacity(groups);
    for _ in 0..groups {
        let all: f64 = distances.iter().sum();
        let mut left = draws.unit() * all;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        let Some(mean) = points.get(drawn.unwrap_or(0)).cloned() else { break };
        let is_first = means.is_empty();
        for (distance, point) in distances.iter_mut().zip(points) {
            let new = squared_distance(point, &mean);
            *distance = if is_first { new } else { distance.min(new) };
        }
        means.push(mean);
    }
    means
}

/// The distances between all points, row by row.
pub struct Distances {
    all: Vec<f64>,
    count: usize,
}

impl Distances {
    /// Computes all distances.
    pub fn between(points: &[Vec<f64>]) -> Distances {
        let count = points.len();
        let mut all = vec![0.0; count * count];
        for (a, point) in points.iter().enumerate() {
            for (b, other) in points.iter().enumerate().take(a) {
                let distance = squared_distance(point, other).sqrt();
                (all[a * count + b], all[b * count + a]) = (distance, distance);
            }
        }
        Distances { all, count }
    }

    /// Returns the mean silhouette of groups: for each point how much nearer its own group is than the next one, from -1 to 1.
    pub fn silhouette(&self, group_of: &[usize], groups: usize) -> f64 {
        let mut sizes = vec![0.0_f64; groups];
        group_of.iter().for_each(|group| sizes[*group] += 1.0);
        let (mut sum, mut to_groups) = (0.0, vec![0.0; groups]);
        for (from_point, own) in self.all.chunks(self.count.max(1)).zip(group_of) {
            to_groups.fill(0.0);
            from_point.iter().zip(group_of).for_each(|(distance, group)| to_groups[*group] += distance);
            // A point that is alone in its group has a silhouette of 0.
            if sizes[*own] > 1.0 {
                let within = to_groups[*own] / (sizes[*own] - 1.0);
                let others = (0..groups).filter(|group| group != own && sizes[*group] > 0.0);
                let next = others.map(|group| to_groups[group] / sizes[group]).fold(f64::INFINITY, f64::min);
                if next.is_finite() && within.max(next) > 0.0 {
                    sum += (next - within) / within.max(next);
                }
            }
        }
        sum / self.count.max(1) as f64
    }
}

/// The normal distribution with the means and covariances of given points: they have no groups in it.
pub struct WithoutGroups {
    means: Vec<f64>,
    /// The lower triangle whose product with its transpose is the matrix of covariances, row by row.
    factor: Vec<Vec<f64>>,
}

impl WithoutGroups {
    /// Finds means and covariances, and the Cholesky factor of these. What depends on other numbers altogether, as shares that sum to 1 do, adds
    /// nothing of its own.
    pub fn like(points: &[Vec<f64>]) -> WithoutGroups {
        let n = points.len().max(1) as f64;
        let size = points.first().map_or(0, Vec::len);
        let means: Vec<f64> = (0..size).map(|at| points.iter().map(|point| point[at]).sum::<f64>() / n).collect();
        let covariance = |a: usize, b: usize| points.iter().map(|point| (point[a] - means[a]) * (point[b] - means[b])).sum::<f64>() / n;
        let mut factor = vec![vec![0.0; size]; size];
        for row in 0..size {
            let variance = covariance(row, row);
            for column in 0..=row {
                let (of_row, of_column) = (&factor[row][..column], &factor[column][..column]);
                let left = covariance(row, column) - of_row.iter().zip(of_column).map(|(a, b)| a * b).sum::<f64>();
                factor[row][column] = if row == column {
                    if left > SMALLEST_REST * variance { left.sqrt() } else { 0.0 }
                } else if factor[column][column] > 0.0 {
                    left / factor[column][column]
                } else {
                    0.0
                };
            }
        }
        WithoutGroups { means, factor }
    }

    /// Draws so many points.
    pub fn draw(&self, count: usize, draws: &mut Draws) -> Vec<Vec<f64>> {
        let mut point = || {
            let normal: Vec<f64> = self.means.iter().map(|_| draws.normal()).collect();
            let deviations = self.factor.iter().map(|row| row.iter().zip(&normal).map(|(a, b)| a * b).sum::<f64>());
            self.means.iter().zip(deviations).map(|(mean, deviation)| mean + deviation).collect()
        };
        (0..count).map(|_| point()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_are_drawn_from_everywhere() {
        let all: Vec<usize> = (0..400).collect();
        let some = Draws::new(3).some(&all, 240);
        assert!(some.len() == 240 && some.is_sorted() && some[239] > 380, "{some:?}");
        let odd = some.iter().filter(|value| *value % 2 == 1).count();
        assert!((100..140).contains(&odd), "{odd}");
        assert_eq!(Draws::new(3).some(&all, 400), all);
        assert_eq!(Draws::new(3).some(&all, 500), all);
    }

    #[test]
    fn silhouettes_by_hand() {
        let points: Vec<Vec<f64>> = [0.0, 1.0, 10.0, 12.0].iter().map(|x| vec![*x]).collect();
        // 0: within 1, next (10 + 12) / 2 = 11; 1: 1 and 10; 10: 2 and 9.5; 12: 2 and 11.5.
        let by_hand = (10.0 / 11.0 + 9.0 / 10.0 + 7.5 / 9.5 + 9.5 / 11.5) / 4.0;
        let distances = Distances::between(&points);
        assert!((distances.silhouette(&[0, 0, 1, 1], 2) - by_hand).abs() < 1e-12);
        // Who is alone counts 0: 10 and 12 have 2 within, and 9 and 11 to the next.
        let alone = (0.0 + 0.0 + 7.0 / 9.0 + 9.0 / 11.0) / 4.0;
        assert!((distances.silhouette(&[0, 1, 2, 2], 3) - alone).abs() < 1e-12);
    }

    #[test]
    fn groups_that_lie_apart_are_found() {
        let points: Vec<Vec<f64>> = (0..60).map(|at| vec![f64::from(at % 3) * 10.0, f64::from(at % 7) / 7.0]).collect();
        let found = k_means(&points, 3, &mut Draws::new(5));
        for (at, group) in found.iter().enumerate() {
            assert_eq!(*group, found[at % 3]);
        }
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
        let distances = Distances::between(&points);
        let silhouettes: Vec<f64> =
            (2..=5).map(|groups| distances.silhouette(&k_means(&points, groups, &mut Draws::new(5)), groups)).collect();
        assert!(silhouettes[1] > 0.9 && silhouettes.iter().all(|one| *one <= silhouettes[1]), "{silhouettes:?}");
    }

    #[test]
    fn data_without_groups_have_the_same_covariances() {
        // The last number is the sum of the others, so that it varies only with them.
        let point = |at: u32| [f64::from(at % 2), f64::from(at % 2) * 2.0 + f64::from(at % 5)];
        let points: Vec<Vec<f64>> = (0..400).map(|at| [&point(at)[..], &[point(at).iter().sum()]].concat()).collect();
        let drawn = WithoutGroups::like(&points).draw(400, &mut Draws::new(3));
        assert!(drawn.iter().all(|point| (point[0] + point[1] - point[2]).abs() < 1e-6));
        let covariance = |points: &[Vec<f64>], a: usize, b: usize| {
            let n = points.len() as f64;
            let mean = |at: usize| points.iter().map(|point| point[at]).sum::<f64>() / n;
            points.iter().map(|point| (point[a] - mean(a)) * (point[b] - mean(b))).sum::<f64>() / n
        };
        // Standard errors of variances of 400 normal values are 7 %.
        for (a, b) in [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)] {
            let (was, is) = (covariance(&points, a, b), covariance(&drawn, a, b));
            assert!((is / was - 1.0).abs() < 0.25, "{was} and {is}");
        }
    }
}
