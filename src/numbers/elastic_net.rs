//! The elastic net by coordinate descent on covariances (Friedman, Hastie and Tibshirani, *Journal of Statistical Software* 33(1), 2010):
//! a linear model in which columns that add little to the others get the weight 0.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

/// Second moments of standardised columns and of the target.
#[derive(Clone, Debug)]
pub struct SecondMoments {
    /// Number of columns.
    pub columns: usize,
    /// Covariance matrix of the columns, row by row.
    pub covariance: Vec<f64>,
    /// Covariance of each column with the target.
    pub target: Vec<f64>,
    /// Mean square of the target.
    pub square: f64,
}

/// Maximum number of sweeps over all columns; a warm start needs few.
const MAX_SWEEPS: usize = 1000;
/// Convergence threshold: largest change of a weight in a sweep, in standard deviations of the target.
const TOLERANCE: f64 = 1e-5;

/// Number of rows that are summed in one task.
const ROWS_PER_TASK: usize = 1024;

/// Returns the sums of products of all pairs of columns.
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

impl SecondMoments {
    /// Computes the covariances of the columns; the target is set by [`SecondMoments::set_target`]. Rows that are left when `stop` is set
    /// are left out.
    pub fn from_rows<'r>(columns: usize, rows: impl Iterator<Item = &'r [f32]>, stop: &AtomicBool) -> SecondMoments {
        let rows: Vec<&[f32]> = rows.collect();
        // The partial sums are added in a fixed order, so that the result does not depend on the threads.
        let part = |part: &[&[f32]]| if stop.load(Ordering::Relaxed) { Vec::new() } else { products(columns, part) };
        let parts: Vec<Vec<f64>> = rows.par_chunks(ROWS_PER_TASK).map(part).collect();
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
        SecondMoments { columns, covariance, target: vec![0.0; columns], square: 0.0 }
    }

    /// Sets the target of the same rows.
    pub fn set_target<'r>(&mut self, rows: impl Iterator<Item = (&'r [f32], f32)>) {
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

    /// Minimises the penalised squared error, starting at `weights`, until `stop` is set. With `ridge` above 0, correlated columns share
    /// their weight.
    pub fn descend(&self, weights: &mut [f64], (lasso, ridge): (f64, f64), stop: &AtomicBool) {
        // Unexplained covariance of each column with the target.
        let mut left: Vec<f64> = (0..self.columns)
            .map(|i| {
                let line = &self.covariance[i * self.columns..(i + 1) * self.columns];
                self.target[i] - line.iter().zip(weights.iter()).map(|(a, b)| a * b).sum::<f64>()
            })
            .collect();
        for _ in 0..MAX_SWEEPS {
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
            if moved < TOLERANCE || stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Returns the mean squared error of weights, minus the target's mean square.
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
