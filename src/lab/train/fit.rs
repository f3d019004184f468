//! The elastic net by coordinate descent on covariances (Friedman, Hastie and Tibshirani, *Journal of Statistical Software* 33(1), 2010):
//! a linear model in which what explains little beside the rest counts nothing.

use rayon::prelude::*;

/// Sums of products of standardised columns and of the target.
#[derive(Clone, Debug)]
pub struct Moments {
    /// How many columns.
    pub columns: usize,
    /// Mean of the product of each two columns, row by row.
    pub covariance: Vec<f64>,
    /// Mean of the product of each column and the target.
    pub target: Vec<f64>,
    /// Mean square of the target.
    pub square: f64,
}

/// Sweeps over all columns at most; a path that begins where the last one ended needs few.
const MOST_SWEEPS: usize = 1000;
/// A sweep that moves no weight further than this, in standard deviations of the target, is the last.
const STILL: f64 = 1e-5;

/// So many rows are summed up in one go.
const ROWS_OF_PART: usize = 1024;

/// Sums of products of each two columns.
fn products(columns: usize, rows: &[&[f32]]) -> Vec<f64> {
    let mut sums = vec![0.0; columns * columns];
    for row in rows {
        for (i, &a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            let line = &mut sums[i * columns..i * columns + i + 1];
            line.iter_mut().zip(*row).for_each(|(sum, &b)| *sum += f64::from(a * b));
        }
    }
    sums
}

impl Moments {
    /// Of rows of columns; they aim at nothing yet.
    pub fn of<'r>(columns: usize, rows: impl Iterator<Item = &'r [f32]>) -> Moments {
        let rows: Vec<&[f32]> = rows.collect();
        // Each part sums up by itself, and the parts in their order, so that the sums do not depend on the threads.
        let parts: Vec<Vec<f64>> = rows.par_chunks(ROWS_OF_PART).map(|part| products(columns, part)).collect();
        let mut covariance = vec![0.0; columns * columns];
        for part in parts {
            covariance.iter_mut().zip(part).for_each(|(sum, one)| *sum += one);
        }
        let count = rows.len().max(1) as f64;
        for i in 0..columns {
            for j in 0..=i {
                let mean = covariance[i * columns + j] / count;
                covariance[i * columns + j] = mean;
                covariance[j * columns + i] = mean;
            }
        }
        Moments { columns, covariance, target: vec![0.0; columns], square: 0.0 }
    }

    /// Aims the same rows at these targets.
    pub fn aim<'r>(&mut self, rows: impl Iterator<Item = (&'r [f32], f32)>) {
        self.target.fill(0.0);
        self.square = 0.0;
        let mut count = 0.0_f64;
        for (row, target) in rows {
            self.target.iter_mut().zip(row).for_each(|(sum, &value)| *sum += f64::from(value * target));
            self.square += f64::from(target * target);
            count += 1.0;
        }
        self.target.iter_mut().chain([&mut self.square]).for_each(|sum| *sum /= count.max(1.0));
    }

    /// The weights at which the squared error with a penalty on their sizes is least, sought from `weights` on. Where `ridge` is above 0,
    /// columns that say the same share what they explain.
    pub fn descend(&self, weights: &mut [f64], lasso: f64, ridge: f64) {
        // What is left to explain for each column.
        let mut left: Vec<f64> = (0..self.columns)
            .map(|i| {
                let line = &self.covariance[i * self.columns..(i + 1) * self.columns];
                self.target[i] - line.iter().zip(weights.iter()).map(|(a, b)| a * b).sum::<f64>()
            })
            .collect();
        for _ in 0..MOST_SWEEPS {
            let mut moved = 0.0_f64;
            for i in 0..self.columns {
                let own = self.covariance[i * self.columns + i];
                if own <= 1e-9 {
                    continue;
                }
                let pull = left[i] + own * weights[i];
                let weight = pull.signum() * (pull.abs() - lasso).max(0.0) / (own + ridge);
                let by = weight - weights[i];
                if by != 0.0 {
                    weights[i] = weight;
                    let line = &self.covariance[i * self.columns..(i + 1) * self.columns];
                    left.iter_mut().zip(line).for_each(|(left, with)| *left -= by * with);
                    moved = moved.max(by.abs());
                }
            }
            if moved < STILL {
                return;
            }
        }
    }

    /// The mean squared error of weights, less the target's own mean square.
    pub fn error(&self, weights: &[f64]) -> f64 {
        let mut error = 0.0;
        for i in (0..self.columns).filter(|&i| weights[i] != 0.0) {
            let line = &self.covariance[i * self.columns..(i + 1) * self.columns];
            let explained: f64 = line.iter().zip(weights).map(|(a, b)| a * b).sum();
            error += weights[i] * (explained - 2.0 * self.target[i]);
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two columns that do not go along with each other, of which the target is 2 and -1 times.
    fn moments() -> Moments {
        let rows: Vec<[f32; 2]> = vec![[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let mut moments = Moments::of(2, rows.iter().map(|row| row.as_slice()));
        moments.aim(rows.iter().map(|row| (row.as_slice(), 2.0 * row[0] - row[1])));
        moments
    }

    #[test]
    fn a_penalty_draws_all_weights_to_nothing_by_as_much() {
        let moments = moments();
        assert_eq!((moments.covariance.clone(), moments.square), (vec![1.0, 0.0, 0.0, 1.0], 5.0));
        for (lasso, ridge, wanted) in [(0.0, 0.0, [2.0, -1.0]), (0.5, 0.0, [1.5, -0.5]), (1.5, 0.0, [0.5, 0.0]), (0.0, 1.0, [1.0, -0.5])] {
            let mut weights = vec![0.0; 2];
            moments.descend(&mut weights, lasso, ridge);
            assert!(weights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{weights:?} {wanted:?}");
        }
        assert_eq!(moments.error(&[2.0, -1.0]), -5.0);
        assert_eq!(moments.error(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn columns_that_say_the_same_share() {
        let rows: Vec<[f32; 2]> = vec![[1.0, 1.0], [-1.0, -1.0]];
        let mut moments = Moments::of(2, rows.iter().map(|row| row.as_slice()));
        moments.aim(rows.iter().map(|row| (row.as_slice(), row[0])));
        let mut weights = vec![0.0; 2];
        moments.descend(&mut weights, 0.0, 0.01);
        assert!((weights[0] - weights[1]).abs() < 0.05 && (weights[0] + weights[1] - 1.0).abs() < 0.02, "{weights:?}");
    }
}
