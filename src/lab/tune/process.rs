//! A Gaussian process over a lattice: what a measure probably is at settings that have not been played, from those that have, each known
//! with a noise of its own (Rasmussen and Williams, *Gaussian Processes for Machine Learning*, 2006, algorithm 2.1).

use super::lattice::{Lattice, Point};

/// A mean that was measured at a setting, with the variance of that mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noisy {
    /// The mean.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
}

/// How far along each axis the measure hardly changes, and how much it changes over all: the process's hyperparameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothness {
    /// Length scale of each axis, in lengths of the axis.
    lengths: Vec<f64>,
    /// Standard deviation of the function, in standard deviations of the measured means.
    signal: f64,
}

/// Length scales that are tried: from settings that say nothing of their neighbours to a nearly straight line.
const LENGTHS: [f64; 7] = [0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12];
/// Standard deviations of the function that are tried.
const SIGNALS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];
/// How often all hyperparameters are chosen anew, one after the other.
const SWEEPS: usize = 2;
/// Added to the variances, relative to the function's, so that the factorisation stays stable.
const JITTER: f64 = 1e-8;

/// A process that is conditioned on what was measured.
#[derive(Clone, Debug)]
pub struct Process<'l> {
    lattice: &'l Lattice,
    points: Vec<Point>,
    smoothness: Smoothness,
    /// Mean and standard deviation of the measured means, which standardise them.
    centre: f64,
    unit: f64,
    /// Lower triangular factor of the covariance matrix of the measured means, row by row.
    factor: Vec<f64>,
    /// The covariance matrix's inverse times the standardised means.
    weights: Vec<f64>,
}

impl Smoothness {
    /// Returns what is assumed before anything is known.
    pub fn assumed(lattice: &Lattice) -> Smoothness {
        Smoothness { lengths: vec![0.64; lattice.axes.len()], signal: 1.0 }
    }

    /// Returns the hyperparameters under which the measured means are most likely, beginning with these: a search along each axis.
    pub fn fitted(mut self, lattice: &Lattice, points: &[Point], measured: &[Noisy]) -> Smoothness {
        let likelihood = |of: &Smoothness| {
            Process::new(lattice, points, measured, of.clone())
                .map_or(f64::NEG_INFINITY, |process| process.log_likelihood(measured) + of.log_prior())
        };
        let mut best = likelihood(&self);
        for _ in 0..SWEEPS {
            for at in 0..=self.lengths.len() {
                let tried = if at < self.lengths.len() { &LENGTHS[..] } else { &SIGNALS[..] };
                for &value in tried {
                    let mut other = self.clone();
                    *other.lengths.get_mut(at).unwrap_or(&mut other.signal) = value;
                    let found = likelihood(&other);
                    if found > best {
                        (best, self) = (found, other);
                    }
                }
            }
        }
        self
    }

    /// Returns the logarithm of a weak prior: smooth over about half an axis.
    fn log_prior(&self) -> f64 {
        let lengths: f64 = self.lengths.iter().map(|length| (length / 0.64).ln().powi(2)).sum();
        -0.25 * lengths - 0.125 * self.signal.ln().powi(2)
    }
}

impl<'l> Process<'l> {
    /// Conditions a process on means measured at points. `None` if there are none, or if their covariances cannot be factorised.
    pub fn new(lattice: &'l Lattice, points: &[Point], measured: &[Noisy], smoothness: Smoothness) -> Option<Process<'l>> {
        let count = points.len() as f64;
        let centre = measured.iter().map(|one| one.mean).sum::<f64>() / count;
        let spread = (measured.iter().map(|one| (one.mean - centre).powi(2)).sum::<f64>() / count).sqrt();
        let noise = (measured.iter().map(|one| one.variance).sum::<f64>() / count).sqrt();
        // Means that hardly differ still may differ elsewhere, by as much as their noise.
        let unit = spread.max(noise).max(f64::MIN_POSITIVE.sqrt());
        let mut process = Process { lattice, points: points.to_vec(), smoothness, centre, unit, factor: Vec::new(), weights: Vec::new() };
        let size = points.len();
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                matrix[row * size + column] = process.covariance(&points[row], &points[column]);
            }
            let own = process.smoothness.signal.powi(2) * JITTER;
            matrix[row * size + row] += measured[row].variance / (unit * unit) + own;
        }
        factorise(&mut matrix, size)?;
        process.factor = matrix;
        let standardised: Vec<f64> = measured.iter().map(|one| (one.mean - centre) / unit).collect();
        process.weights = process.solve_transposed(process.solve(standardised));
        (size > 0).then_some(process)
    }

    /// Returns what the measure probably is at a setting: its mean, and the variance of what is not known of it.
    pub fn at(&self, point: &[usize]) -> Noisy {
        let near: Vec<f64> = self.points.iter().map(|other| self.covariance(point, other)).collect();
        let mean: f64 = near.iter().zip(&self.weights).map(|(near, weight)| near * weight).sum();
        let known: f64 = self.solve(near).iter().map(|part| part * part).sum();
        let variance = (self.smoothness.signal.powi(2) - known).max(0.0);
        Noisy { mean: self.centre + mean * self.unit, variance: variance * self.unit * self.unit }
    }

    fn covariance(&self, a: &[usize], b: &[usize]) -> f64 {
        let Smoothness { lengths, signal } = &self.smoothness;
        let apart: f64 = lengths.iter().enumerate().map(|(axis, length)| (self.lattice.distance(axis, a, b) / length).powi(2)).sum();
        signal * signal * (-0.5 * apart).exp()
    }

    /// Returns the logarithm of the likelihood of the measured means, without a constant.
    fn log_likelihood(&self, measured: &[Noisy]) -> f64 {
        let standardised = measured.iter().map(|one| (one.mean - self.centre) / self.unit);
        let fit: f64 = standardised.zip(&self.weights).map(|(mean, weight)| mean * weight).sum();
        let size = self.points.len();
        let volume: f64 = (0..size).map(|at| self.factor[at * size + at].ln()).sum();
        -0.5 * fit - volume
    }

    /// Solves for the lower factor.
    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let size = self.points.len();
        for row in 0..size {
            let line = &self.factor[row * size..row * size + row];
            let known: f64 = line.iter().zip(&right).map(|(factor, solved)| factor * solved).sum();
            right[row] = (right[row] - known) / self.factor[row * size + row];
        }
        right
    }

    /// Solves for the transposed factor.
    fn solve_transposed(&self, mut right: Vec<f64>) -> Vec<f64> {
        let size = self.points.len();
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|below| self.factor[below * size + row] * right[below]).sum();
            right[row] = (right[row] - known) / self.factor[row * size + row];
        }
        right
    }
}

/// Replaces the lower triangle of a symmetric matrix by its Cholesky factor; `None` if the matrix is not positive definite.
fn factorise(matrix: &mut [f64], size: usize) -> Option<()> {
    for row in 0..size {
        for column in 0..=row {
            let (above, below) = matrix.split_at(row * size);
            let other = if column < row { &above[column * size..column * size + column] } else { &below[..column] };
            let known: f64 = below[..column].iter().zip(other).map(|(a, b)| a * b).sum();
            let left = below[column] - known;
            matrix[row * size + column] = match column < row {
                true => left / matrix[column * size + column],
                false if left > 0.0 => left.sqrt(),
                false => return None,
            };
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Axis;
    use super::*;

    fn line(levels: usize) -> Lattice {
        Lattice { axes: vec![Axis { levels, ordered: true }] }
    }

    #[test]
    fn two_settings_by_hand() {
        // Two means, -1 and 1, at both ends of an axis, known exactly; a length of 1 makes their covariance exp(-1/2).
        let lattice = line(3);
        let measured = [Noisy { mean: 4.0, variance: 0.0 }, Noisy { mean: 6.0, variance: 0.0 }];
        let smooth = Smoothness { lengths: vec![1.0], signal: 1.0 };
        let process = Process::new(&lattice, &[vec![0], vec![2]], &measured, smooth).unwrap();
        let middle = process.at(&[1]);
        assert!((middle.mean - 5.0).abs() < 1e-6, "{middle:?}");
        // 1 - 2 k² / (1 + c) with k = exp(-1/8) and c = exp(-1/2).
        let wanted = 1.0 - 2.0 * (-0.25_f64).exp() / (1.0 + (-0.5_f64).exp());
        assert!((middle.variance - wanted).abs() < 1e-6, "{middle:?} {wanted}");
        let end = process.at(&[2]);
        assert!((end.mean - 6.0).abs() < 1e-5 && end.variance < 1e-6, "{end:?}");
    }

    #[test]
    fn the_noise_of_a_mean_says_how_much_it_counts() {
        let lattice = line(9);
        let points = [vec![0], vec![4], vec![8]];
        let with = |variance: f64| {
            let measured = [(0.0, 0.01), (5.0, variance), (0.0, 0.01)].map(|(mean, variance)| Noisy { mean, variance });
            Process::new(&lattice, &points, &measured, Smoothness { lengths: vec![0.64], signal: 1.0 }).unwrap().at(&[4]).mean
        };
        assert!(with(0.001) > 4.5 && with(100.0) < 2.0, "{} {}", with(0.001), with(100.0));
    }

    #[test]
    fn a_straight_line_is_found_to_be_smooth_and_a_jagged_one_not() {
        let lattice = line(21);
        let points: Vec<Point> = (0..21).map(|at| vec![at]).collect();
        let lengths = |value: fn(usize) -> f64| {
            let measured: Vec<Noisy> = (0..21).map(|at| Noisy { mean: value(at), variance: 1e-4 }).collect();
            Smoothness::assumed(&lattice).fitted(&lattice, &points, &measured).lengths[0]
        };
        assert!(lengths(|at| at as f64) >= 1.28, "{}", lengths(|at| at as f64));
        assert!(lengths(|at| (at % 2) as f64) <= 0.08);
    }

    #[test]
    fn what_cannot_be_factorised_is_told() {
        assert!(factorise(&mut [1.0, 0.0, 2.0, 1.0], 2).is_none());
        let mut matrix = [4.0, 0.0, 2.0, 10.0];
        factorise(&mut matrix, 2).unwrap();
        assert_eq!([matrix[0], matrix[2], matrix[3]], [2.0, 1.0, 3.0]);
    }
}
