//! Simultaneous perturbation stochastic approximation (Spall, *IEEE Transactions on Automatic Control* 37(3), 1992), with steps by Adam
//! (Kingma and Ba, ICLR 2015): all weights of a model are perturbed at once, at random, and agents with opposite perturbations meet at
//! one table. Weights that are merely correlated with winning lose games here.

use super::model::{Column, Model, Term};
use crate::cast;
use crate::state::chance::{draw, hash_text};

/// The state of the optimisation. Weights are in points per standard deviation of their column between players.
#[derive(Clone, Debug)]
pub struct WeightOptimiser {
    columns: Vec<(Column, f64)>,
    weights: Vec<f64>,
    /// Running means of the gradient and of its square.
    gradient: Vec<f64>,
    square: Vec<f64>,
    /// Number of steps made.
    step: i32,
    seed: u64,
}

/// Step size of a perturbation, in points per standard deviation.
const PERTURBATION_SIZE: f64 = 1.0;
/// Maximum change of a weight in one step at the beginning, in points per standard deviation.
const MAX_WEIGHT_CHANGE: f64 = 0.15;
/// Decay rates of the running means.
const DECAY_RATES: [f64; 2] = [0.8, 0.95];

impl WeightOptimiser {
    /// Creates an optimiser that starts with a model's weights, and with 0 for the other columns, which come with their standard deviations.
    pub fn new(model: &Model, columns: Vec<(Column, f64)>, seed: u64) -> WeightOptimiser {
        let of_model = |column: &Column| model.terms.iter().find(|term| term.column == *column).map_or(0.0, |term| term.weight);
        let weights: Vec<f64> = columns.iter().map(|(column, deviation)| of_model(column) * deviation).collect();
        let none = vec![0.0; columns.len()];
        WeightOptimiser { columns, weights, gradient: none.clone(), square: none, step: 0, seed }
    }

    /// Returns the sign with which the weight `column` is changed in perturbation `number` of this step.
    fn sign(&self, number: u64, column: usize) -> f64 {
        let stream = hash_text("perturbation") ^ cast::fit::<u64>(self.step) << 32 ^ number;
        if draw(self.seed, stream, column as u64) & 1 == 1 { 1.0 } else { -1.0 }
    }

    fn perturbation_size(&self) -> f64 {
        PERTURBATION_SIZE / (self.columns.len().max(1) as f64).sqrt()
    }

    /// Returns two models: with perturbation `number` added, and subtracted.
    pub fn perturbed(&self, number: u64) -> [Model; 2] {
        [1.0, -1.0].map(|way| {
            let weights =
                self.weights.iter().enumerate().map(|(at, weight)| weight + way * self.perturbation_size() * self.sign(number, at));
            self.model_of(weights)
        })
    }

    /// Makes a step from the mean outcomes of each perturbation with both signs; steps shrink as `progress` goes from 0 to 1.
    pub fn learn(&mut self, outcomes: &[[f64; 2]], progress: f64) {
        let reach = self.perturbation_size();
        let slopes: Vec<f64> = (0..self.columns.len())
            .map(|at| {
                let of_one = |(number, [there, back]): (usize, &[f64; 2])| (there - back) * self.sign(number as u64, at) / (2.0 * reach);
                outcomes.iter().enumerate().map(of_one).sum::<f64>() / outcomes.len().max(1) as f64
            })
            .collect();
        self.step += 1;
        let bias = DECAY_RATES.map(|memory: f64| 1.0 - memory.powi(self.step));
        for (at, gradient) in slopes.into_iter().enumerate() {
            self.gradient[at] = DECAY_RATES[0] * self.gradient[at] + (1.0 - DECAY_RATES[0]) * gradient;
            self.square[at] = DECAY_RATES[1] * self.square[at] + (1.0 - DECAY_RATES[1]) * gradient * gradient;
            let by = self.gradient[at] / bias[0] / ((self.square[at] / bias[1]).sqrt() + 1e-9);
            self.weights[at] += MAX_WEIGHT_CHANGE * (1.0 - progress) * by;
        }
    }

    /// Returns the current model.
    pub fn model(&self) -> Model {
        self.model_of(self.weights.iter().copied())
    }

    fn model_of(&self, weights: impl Iterator<Item = f64>) -> Model {
        let mut terms: Vec<Term> = self
            .columns
            .iter()
            .zip(weights)
            .filter(|((_, deviation), weight)| *deviation > 1e-9 && *weight != 0.0)
            .map(|((column, deviation), standardised)| Term { column: column.clone(), weight: standardised / deviation, standardised })
            .collect();
        terms.sort_by(|a, b| b.standardised.abs().total_cmp(&a.standardised.abs()));
        Model { terms, explained: 0.0, states: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(feature: &str) -> (Column, f64) {
        (Column { feature: feature.to_string(), up_to: None, times: None }, 2.0)
    }

    #[test]
    fn weights_climb_to_where_players_do_best() {
        let columns = ["moss", "fog", "dew"].map(column).to_vec();
        let mut evolution = WeightOptimiser::new(&Model::default(), columns, 7);
        let best = [3.0, -2.0, 0.5];
        let does = |model: &Model| {
            let weight = |name: &str| model.terms.iter().find(|term| term.column.feature == name).map_or(0.0, |term| term.standardised);
            -["moss", "fog", "dew"].iter().zip(best).map(|(name, best)| (weight(name) - best).powi(2)).sum::<f64>()
        };
        let before = does(&evolution.model());
        for step in 0..120 {
            let outcomes: Vec<[f64; 2]> = (0..4).map(|number| evolution.perturbed(number).map(|model| does(&model))).collect();
            evolution.learn(&outcomes, f64::from(step) / 120.0);
        }
        let after = does(&evolution.model());
        assert!(before < -12.0 && after > -0.3, "{before} {after}");
    }

    #[test]
    fn there_and_back_lie_on_both_sides_of_the_model() {
        let model = Model { terms: vec![Term { column: column("moss").0, weight: 1.5, standardised: 3.0 }], ..Model::default() };
        let evolution = WeightOptimiser::new(&model, vec![column("moss"), column("fog")], 1);
        let [there, back] = evolution.perturbed(0);
        let weight = |model: &Model, name: &str| model.terms.iter().find(|t| t.column.feature == name).map_or(0.0, |t| t.weight);
        for (name, own) in [("moss", 1.5), ("fog", 0.0)] {
            assert!((weight(&there, name) + weight(&back, name) - 2.0 * own).abs() < 1e-9);
            assert!((weight(&there, name) - own).abs() > 0.1);
        }
        assert_eq!(evolution.model().terms.len(), 1);
    }
}
