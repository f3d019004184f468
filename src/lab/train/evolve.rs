//! Simultaneous perturbation stochastic approximation (Spall, *IEEE Transactions on Automatic Control* 37(3), 1992), with steps by Adam
//! (Kingma and Ba, ICLR 2015): all weights of a model are moved a little at once, at random, and players with weights moved so and the
//! other way meet at one table. What regression mistakes for a cause, because it goes along with winning, loses games here.

use super::model::{Column, Model, Term};
use crate::cast;
use crate::state::chance::{draw, hash_text};

/// Weights on their way. A weight is in points for the usual difference between players of its column.
#[derive(Clone, Debug)]
pub struct Evolution {
    columns: Vec<(Column, f64)>,
    weights: Vec<f64>,
    /// Running means of the slope and of its square.
    slope: Vec<f64>,
    square: Vec<f64>,
    /// Steps that were made.
    step: i32,
    seed: u64,
}

/// All weights together are moved so far, in points for the usual difference of each.
const REACH: f64 = 1.0;
/// How far a weight goes in one step at most, in the same measure, at the beginning.
const STRIDE: f64 = 0.15;
/// How long slopes are remembered.
const MEMORY: [f64; 2] = [0.8, 0.95];

impl Evolution {
    /// Begins with a model's weights, and with nothing for other columns, which come with their standard deviations.
    pub fn new(model: &Model, columns: Vec<(Column, f64)>, seed: u64) -> Evolution {
        let of_model = |column: &Column| model.terms.iter().find(|term| term.column == *column).map_or(0.0, |term| term.weight);
        let weights: Vec<f64> = columns.iter().map(|(column, deviation)| of_model(column) * deviation).collect();
        let none = vec![0.0; columns.len()];
        Evolution { columns, weights, slope: none.clone(), square: none, step: 0, seed }
    }

    /// Which way perturbation `number` of this step moves each weight.
    fn sign(&self, number: u64, column: usize) -> f64 {
        let stream = hash_text("perturbation") ^ cast::fit::<u64>(self.step) << 32 ^ number;
        if draw(self.seed, stream, column as u64) & 1 == 1 { 1.0 } else { -1.0 }
    }

    fn reach(&self) -> f64 {
        REACH / (self.columns.len().max(1) as f64).sqrt()
    }

    /// The model with its weights moved by a perturbation, there and back.
    pub fn moved(&self, number: u64) -> [Model; 2] {
        [1.0, -1.0].map(|way| {
            let weights = self.weights.iter().enumerate().map(|(at, weight)| weight + way * self.reach() * self.sign(number, at));
            self.model_of(weights)
        })
    }

    /// Goes a step, shorter the more of the way is gone, after what the players with moved weights have brought home: for each perturbation, there and back, their mean outcome.
    pub fn learn(&mut self, outcomes: &[[f64; 2]], gone: f64) {
        let reach = self.reach();
        let slopes: Vec<f64> = (0..self.columns.len())
            .map(|at| {
                let of_one = |(number, [there, back]): (usize, &[f64; 2])| (there - back) * self.sign(number as u64, at) / (2.0 * reach);
                outcomes.iter().enumerate().map(of_one).sum::<f64>() / outcomes.len().max(1) as f64
            })
            .collect();
        self.step += 1;
        let bias = MEMORY.map(|memory: f64| 1.0 - memory.powi(self.step));
        for (at, slope) in slopes.into_iter().enumerate() {
            self.slope[at] = MEMORY[0] * self.slope[at] + (1.0 - MEMORY[0]) * slope;
            self.square[at] = MEMORY[1] * self.square[at] + (1.0 - MEMORY[1]) * slope * slope;
            let by = self.slope[at] / bias[0] / ((self.square[at] / bias[1]).sqrt() + 1e-9);
            self.weights[at] += STRIDE * (1.0 - gone) * by;
        }
    }

    /// The model that it has come to.
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
        Model { terms, explained: 0.0, states: 1 }
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
        let mut evolution = Evolution::new(&Model::default(), columns, 7);
        let best = [3.0, -2.0, 0.5];
        let does = |model: &Model| {
            let weight = |name: &str| model.terms.iter().find(|term| term.column.feature == name).map_or(0.0, |term| term.standardised);
            -["moss", "fog", "dew"].iter().zip(best).map(|(name, best)| (weight(name) - best).powi(2)).sum::<f64>()
        };
        let before = does(&evolution.model());
        for step in 0..120 {
            let outcomes: Vec<[f64; 2]> = (0..4).map(|number| evolution.moved(number).map(|model| does(&model))).collect();
            evolution.learn(&outcomes, f64::from(step) / 120.0);
        }
        let after = does(&evolution.model());
        assert!(before < -12.0 && after > -0.3, "{before} {after}");
    }

    #[test]
    fn there_and_back_lie_on_both_sides_of_the_model() {
        let model = Model { terms: vec![Term { column: column("moss").0, weight: 1.5, standardised: 3.0 }], ..Model::default() };
        let evolution = Evolution::new(&model, vec![column("moss"), column("fog")], 1);
        let [there, back] = evolution.moved(0);
        let weight = |model: &Model, name: &str| model.terms.iter().find(|t| t.column.feature == name).map_or(0.0, |t| t.weight);
        for (name, own) in [("moss", 1.5), ("fog", 0.0)] {
            assert!((weight(&there, name) + weight(&back, name) - 2.0 * own).abs() < 1e-9);
            assert!((weight(&there, name) - own).abs() > 0.1);
        }
        assert_eq!(evolution.model().terms.len(), 1);
    }
}
