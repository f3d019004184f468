//! A linear model of outcomes, written as readable rules text.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::cast;
use crate::elastic_net::SecondMoments;
use serde::{Deserialize, Serialize};

use super::features::{Feature, OWN_WORTH};
use super::sample::{StateSample, relative_to_others};

/// A column of the regression, computed from a feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Column {
    /// The feature as rules text.
    pub feature: String,
    /// Upper bound to which the feature is clamped.
    pub up_to: Option<i64>,
    /// A factor as rules text: the number of rounds left, or of rounds played if the end is unknown.
    pub times: Option<String>,
}

/// A term of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The column of the regression that the term weights.
    pub column: Column,
    /// Weight in points per unit of the column.
    pub weight: f64,
    /// Weight in points per standard deviation of the column between players.
    pub standardised: f64,
}

/// A linear model of the outcome of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Terms, the largest standardised weight first.
    pub terms: Vec<Term>,
    /// Fraction of the target's variance explained in held-out games; 0 after stochastic approximation.
    pub explained: f64,
    /// Number of states that agents sample with this model; 0 if it is not known yet, so that it is left to them.
    pub states: u32,
}

/// Number of units per point in the written weights, so that small weights are not rounded to 0.
const UNITS_PER_POINT: f64 = 100.0;
/// Number of terms in one definition, since the language limits the length of a sum.
const TERMS_PER_DEFINITION: usize = 20;
/// Every n-th game is held out from the regression.
const HELD_OUT_INTERVAL: u64 = 5;
/// Weight of the final outcome against predictions for intermediate states: lambda of the returns.
const OUTCOME_WEIGHT: f64 = 0.9;
/// Correlation above which columns count as redundant.
const REDUNDANT_CORRELATION: f64 = 0.97;
/// Ratio of the ridge penalty to the lasso penalty.
const RIDGE_RATIO: f64 = 0.1;
/// Number of times that the model is fitted to its own returns.
const FIT_ROUNDS: usize = 12;
/// Number of penalties on the regularisation path.
const PATH_LENGTH: usize = 40;
/// Ratio of successive penalties.
const PENALTY_RATIO: f64 = 0.8;
/// Maximum number of distinct values for which a feature is not clamped.
const MAX_UNCLAMPED_VALUES: usize = 5;

impl Column {
    /// Creates the column of a feature as it is.
    pub fn plain(feature: &str) -> Column {
        Column { feature: feature.to_string(), up_to: None, times: None }
    }

    /// Writes the column as rules text.
    pub fn text(&self) -> String {
        let limited = match self.up_to {
            Some(most) => format!("min({}, {most})", self.feature),
            None if self.feature.contains(' ') => format!("({})", self.feature),
            None => self.feature.clone(),
        };
        match &self.times {
            Some(time) => format!("{time} * {limited}"),
            None => limited,
        }
    }

    fn compute(&self, feature: f32, time: f32) -> f32 {
        let limited = self.up_to.map_or(feature, |most| feature.min(most as f32));
        if self.times.is_some() { limited * time } else { limited }
    }
}

impl Model {
    /// Returns the model with its terms ordered by their columns, so that models of the same columns are written alike but for their weights.
    pub fn ordered_by_column(&self) -> Model {
        let mut terms = self.terms.clone();
        terms.sort_by(|a, b| a.column.cmp(&b.column));
        Model { terms, ..self.clone() }
    }

    /// Writes the style of this name as lines of `agents`: a term on each line with its standardised weight, grouped into named
    /// definitions.
    pub fn style_lines(&self, name: &str) -> String {
        let over = if self.states > 0 { format!(" over {} states", self.states) } else { String::new() };
        if self.terms.is_empty() {
            return format!("  style {name}{over} = score");
        }
        let mut text = String::new();
        let mut parts = Vec::new();
        for (nth, terms) in self.terms.chunks(TERMS_PER_DEFINITION).enumerate() {
            parts.push(format!("{name}_{}", nth + 1));
            text.push_str(&format!("  define {name}_{} =\n", nth + 1));
            for (at, term) in terms.iter().enumerate() {
                let sign = if term.weight < 0.0 {
                    "-"
                } else if at == 0 {
                    " "
                } else {
                    "+"
                };
                let line = format!("{sign} {} * {}", number(term.weight.abs() * UNITS_PER_POINT), term.column.text());
                text.push_str(&format!("    {line:<80} // {:+.2}\n", term.standardised));
            }
        }
        text.push_str(&format!("  style {name}{over} = {}", parts.join(" + ")));
        text
    }
}

/// Formats a number with three significant digits, and with one to three decimals: factors with decimals are weights, which make no difference to
/// generated code.
fn number(value: f64) -> String {
    let decimals = cast::index((2 - cast::whole::<i64>(value.abs().max(1e-9).log10().floor())).clamp(1, 3));
    format!("{value:.decimals$}")
}

/// Returns for each feature whether it differs between players in some state; for one of the table, or where there is but one side, whether
/// it differs between states.
pub fn varying_features(base: &[Feature], samples: &[StateSample]) -> Vec<bool> {
    let first = samples.first().and_then(|sample| sample.feature_values.first());
    let features = samples.first().and_then(|sample| sample.feature_values.first()).map_or(0, Vec::len);
    let mut varies = vec![false; features];
    let alone = samples.first().is_some_and(|sample| sample.sides == 1);
    for seats in samples.iter().map(|sample| &sample.feature_values) {
        for (at, varies) in varies.iter_mut().enumerate().filter(|(_, varies)| !**varies) {
            let of_table = alone || base.get(at).is_some_and(|feature| feature.of_table);
            let against = first.filter(|_| of_table).unwrap_or(&seats[0]);
            *varies = seats.iter().any(|seat| seat[at] != against[at]);
        }
    }
    varies
}

/// Fits a model to samples, which must be in order of their games. Returns also the number of candidate columns; `None` if `stop` is set
/// before the model is fitted.
pub fn learn(base: &[Feature], time: &str, samples: &[StateSample], most_terms: usize, stop: &AtomicBool) -> Option<(Model, usize)> {
    let columns = columns(base, time, samples);
    let mut rows = rows_of_all(base, &columns, samples);
    let deviations = standardise(&mut rows, columns.len());
    let outcomes: Vec<f32> = samples.iter().flat_map(|sample| sample.outcome.iter().copied()).collect();
    let square = outcomes.iter().map(|one| f64::from(*one) * f64::from(*one)).sum::<f64>() / outcomes.len().max(1) as f64;
    let of_target = square.sqrt().max(1e-9);
    let seats = samples.first().map_or(1, |sample| sample.outcome.len());
    let is_held_out: Vec<bool> = samples.iter().flat_map(|sample| vec![sample.game % HELD_OUT_INTERVAL == 0; seats]).collect();
    let part = |held_out: bool| {
        SecondMoments::from_rows(
            columns.len(),
            rows.iter().zip(&is_held_out).filter(|(_, held)| **held == held_out).map(|(row, _)| row.as_slice()),
            stop,
        )
    };
    let (mut learnt, mut held_out) = (part(false), part(true));
    let mut weights = vec![0.0; columns.len()];
    let mut explained = 0.0;
    for pass in 0..FIT_ROUNDS {
        let targets = if pass == 0 {
            outcomes.iter().map(|one| *one / cast::single(of_target)).collect()
        } else {
            lambda_returns(samples, &rows, &weights, &outcomes, of_target)
        };
        for (moments, held) in [(&mut learnt, false), (&mut held_out, true)] {
            moments.set_target(
                rows.iter()
                    .zip(&targets)
                    .zip(&is_held_out)
                    .filter(|(_, is_held)| **is_held == held)
                    .map(|((row, target), _)| (row.as_slice(), *target)),
            );
        }
        (weights, explained) = fit_path(&learnt, &held_out, most_terms, stop);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    let terms = columns.iter().zip(weights.iter().zip(&deviations)).filter(|(_, (weight, _))| **weight != 0.0);
    let mut terms: Vec<Term> = terms
        .map(|((_, column), (weight, deviation))| Term {
            column: column.clone(),
            weight: weight * of_target / deviation,
            standardised: weight * of_target,
        })
        .collect();
    terms.sort_by(|a, b| b.standardised.abs().total_cmp(&a.standardised.abs()));
    let varied = deviations.iter().filter(|deviation| **deviation > 1e-9).count();
    Some((Model { terms, explained, states: 0 }, varied))
}

/// Returns the rows of all seats in all samples. What is the same for all counts for who has made the last move, from its mean on; where there
/// is but one side, everything counts for each from its mean on.
fn rows_of_all(base: &[Feature], columns: &[(usize, Column)], samples: &[StateSample]) -> Vec<Vec<f32>> {
    let alone = samples.first().is_some_and(|sample| sample.sides == 1);
    let mean = |(feature, column): &(usize, Column)| {
        let of_sample = |sample: &StateSample| {
            let values = sample.feature_values.iter().filter_map(|seat| seat.get(*feature));
            values.map(|value| column.compute(*value, sample.time)).sum::<f32>() / sample.feature_values.len().max(1) as f32
        };
        let centred = alone || base.get(*feature).is_some_and(|feature| feature.of_table);
        centred.then(|| samples.iter().map(of_sample).sum::<f32>() / samples.len().max(1) as f32)
    };
    let means: Vec<Option<f32>> = columns.iter().map(mean).collect();
    samples.iter().flat_map(|sample| rows_of(columns, &means, sample)).collect()
}

/// Returns for each seat the value of each column relative to the other seats.
fn rows_of(columns: &[(usize, Column)], means: &[Option<f32>], sample: &StateSample) -> Vec<Vec<f32>> {
    let seats = sample.feature_values.len();
    let mut rows = vec![vec![0.0_f32; columns.len()]; seats];
    let mut values = vec![0.0_f32; seats];
    for (at, (feature, column)) in columns.iter().enumerate() {
        values.iter_mut().zip(&sample.feature_values).for_each(|(value, seat)| *value = column.compute(seat[*feature], sample.time));
        if let Some(mean) = means[at] {
            let counts = |seat: usize| sample.sides == 1 || seat == sample.mover;
            values.iter_mut().enumerate().for_each(|(seat, value)| *value = if counts(seat) { *value - mean } else { 0.0 });
        }
        relative_to_others(&values, sample.sides).into_iter().zip(&mut rows).for_each(|(value, row)| row[at] = value);
    }
    rows
}

/// Divides each column by its standard deviation around 0, since all are differences between players; returns the deviations.
fn standardise(rows: &mut [Vec<f32>], columns: usize) -> Vec<f64> {
    let mut squares = vec![0.0_f64; columns];
    for row in &*rows {
        squares.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value) * f64::from(*value));
    }
    let deviations: Vec<f64> = squares.iter().map(|square| (square / rows.len().max(1) as f64).sqrt()).collect();
    for row in rows {
        row.iter_mut()
            .zip(&deviations)
            .for_each(|(value, &by)| *value = if by > 1e-9 { cast::single(f64::from(*value) / by) } else { 0.0 });
    }
    deviations
}

/// Computes lambda-returns: for each state the model's predictions for later states with decreasing weight, and finally the outcome of the
/// game.
fn lambda_returns(samples: &[StateSample], rows: &[Vec<f32>], weights: &[f64], outcomes: &[f32], of_target: f64) -> Vec<f32> {
    let lambda = OUTCOME_WEIGHT;
    let seats = samples.first().map_or(1, |sample| sample.outcome.len());
    let prediction = |row: &[f32]| row.iter().zip(weights).map(|(value, weight)| f64::from(*value) * weight).sum::<f64>();
    let mut targets = vec![0.0_f32; rows.len()];
    for at in (0..rows.len()).rev() {
        let last = samples.get(at / seats + 1).is_none_or(|next| next.game != samples[at / seats].game);
        targets[at] = if last {
            cast::single(f64::from(outcomes[at]) / of_target)
        } else {
            cast::single((1.0 - lambda) * prediction(&rows[at + seats]) + lambda * f64::from(targets[at + seats]))
        };
    }
    targets
}

/// Returns the weights at the penalty with which held-out games are explained best, and the fraction explained.
fn fit_path(learnt: &SecondMoments, held_out: &SecondMoments, most_terms: usize, stop: &AtomicBool) -> (Vec<f64>, f64) {
    let mut lasso = learnt.target.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let mut weights = vec![0.0; learnt.columns];
    let (mut best, mut least) = (weights.clone(), 0.0);
    for _ in 0..PATH_LENGTH {
        lasso *= PENALTY_RATIO;
        learnt.descend(&mut weights, (lasso, lasso * RIDGE_RATIO), stop);
        if stop.load(Ordering::Relaxed) || weights.iter().filter(|weight| **weight != 0.0).count() > most_terms {
            break;
        }
        let error = held_out.error(&weights);
        if error < least {
            (best, least) = (weights.clone(), error);
        }
    }
    (best, -least / held_out.square.max(1e-9))
}

/// Returns the standard deviation of a column between players, and how many points go with one unit of it; `None` if it never differs, or if its
/// feature is none of these.
pub fn slope(base: &[Feature], samples: &[StateSample], column: &Column) -> Option<[f64; 2]> {
    let at = base.iter().position(|feature| feature.text == column.feature)?;
    let mut rows = rows_of_all(base, &[(at, column.clone())], samples);
    let deviation = standardise(&mut rows, 1).into_iter().next().filter(|deviation| *deviation > 1e-9)?;
    let mut moments = SecondMoments::from_rows(1, rows.iter().map(Vec::as_slice), &AtomicBool::new(false));
    let outcomes = samples.iter().flat_map(|sample| sample.outcome.iter().copied());
    moments.set_target(rows.iter().map(Vec::as_slice).zip(outcomes));
    moments.target.first().map(|target| [deviation, target / deviation])
}

/// Selects columns for the stochastic approximation, each with its standard deviation: those of the model, then others that are correlated
/// with the outcome; among redundant ones only the first.
pub fn select_columns(base: &[Feature], time: &str, samples: &[StateSample], model: &Model, most: usize) -> Vec<(Column, f64)> {
    let columns = columns(base, time, samples);
    let mut rows = rows_of_all(base, &columns, samples);
    let deviations = standardise(&mut rows, columns.len());
    let mut moments = SecondMoments::from_rows(columns.len(), rows.iter().map(Vec::as_slice), &AtomicBool::new(false));
    let outcomes = samples.iter().flat_map(|sample| sample.outcome.iter().copied());
    moments.set_target(rows.iter().map(Vec::as_slice).zip(outcomes));
    let of_model = |at: usize| model.terms.iter().any(|term| term.column == columns[at].1);
    let mut order: Vec<usize> = (0..columns.len()).filter(|&at| deviations[at] > 1e-9).collect();
    order.sort_by(|&a, &b| of_model(b).cmp(&of_model(a)).then(moments.target[b].abs().total_cmp(&moments.target[a].abs())).then(a.cmp(&b)));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let alike = |other: &usize| moments.covariance[at * columns.len() + other].abs() > REDUNDANT_CORRELATION;
        if kept.len() < most && !kept.iter().any(alike) {
            kept.push(at);
        }
    }
    kept.into_iter().map(|at| (columns[at].1.clone(), deviations[at])).collect()
}

/// Returns the columns for each feature: as it is, clamped at its median, and both multiplied by time.
fn columns(base: &[Feature], time: &str, samples: &[StateSample]) -> Vec<(usize, Column)> {
    let mut columns = Vec::new();
    for (at, feature) in base.iter().enumerate() {
        // What the rules say a state is worth is no amount that could be enough, and takes time into account.
        if feature.text == OWN_WORTH {
            columns.push((at, Column::plain(OWN_WORTH)));
            continue;
        }
        let mut values: Vec<f32> = samples.iter().flat_map(|sample| sample.feature_values.iter().map(|seat| seat[at])).collect();
        values.sort_by(f32::total_cmp);
        let median = values.get(values.len() / 2).map_or(0, |median| cast::whole::<i64>(f64::from(*median)));
        values.dedup();
        let limits = [None, (values.len() > MAX_UNCLAMPED_VALUES && median > 0).then_some(median)];
        for up_to in limits.into_iter().enumerate().filter(|(nth, limit)| *nth == 0 || limit.is_some()).map(|(_, limit)| limit) {
            for times in [None, Some(time.to_string())] {
                columns.push((at, Column { feature: feature.text.clone(), up_to, times }));
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns samples of two players with two random features: only the first one counts, 3 points each, and the rest is noise.
    fn samples() -> Vec<StateSample> {
        let noise = |game: u64, stream: u64| (crate::state::chance::draw(game, stream, 0) % 1000) as f32 / 100.0;
        let sample = |game: u64, step: u64| {
            let seat = |seat: u64| vec![noise(game, seat) + step as f32, noise(game, 10 + seat + 7 * step), 4.0];
            let values: Vec<Vec<f32>> = (0..2).map(seat).collect();
            let lead = 3.0 * (noise(game, 0) - noise(game, 1)) + noise(game, 20) - 5.0;
            StateSample { game, time: 2.0, mover: 0, sides: 2, feature_values: values, outcome: vec![lead, -lead] }
        };
        (0..1500).flat_map(|game| (0..2).map(move |step| (game, step))).map(|(game, step)| sample(game, step)).collect()
    }

    #[test]
    fn what_counts_is_learnt_and_what_does_not_is_not() {
        let base = ["moss", "fog", "rule"].map(|text| Feature { text: text.to_string(), of_table: false });
        let samples = samples();
        assert_eq!(varying_features(&base, &samples), [true, true, false]);
        let (model, columns) = learn(&base, "time", &samples, 10, &AtomicBool::new(false)).unwrap();
        assert!(columns >= 4);
        // Time is constant here: both columns of a feature are equal and share the weight.
        let of = |feature: &str| -> f64 {
            let own = model.terms.iter().filter(|term| term.column.feature == feature && term.column.up_to.is_none());
            own.map(|term| term.weight * if term.column.times.is_some() { 2.0 } else { 1.0 }).sum()
        };
        assert!((2.0..3.3).contains(&of("moss")), "{model:?}");
        assert!(of("fog").abs() < 0.3, "{model:?}");
        assert!(model.explained > 0.5);
    }

    /// Who has moved leads by 2 points for each that the first feature is above 5; the second is noise.
    #[test]
    fn what_is_the_same_for_all_counts_for_who_has_moved() {
        let base = ["moon", "mist"].map(|text| Feature { text: text.to_string(), of_table: true });
        let noise = |game: u64, stream: u64| (crate::state::chance::draw(game, stream, 0) % 10) as f32;
        let sample = |game: u64| {
            let (values, mover) = (vec![noise(game, 0), noise(game, 1)], usize::from(noise(game, 2) > 4.0));
            let lead = 2.0 * (values[0] - 5.0) + noise(game, 3) - 4.5;
            let outcome = if mover == 0 { vec![lead, -lead] } else { vec![-lead, lead] };
            StateSample { game, time: 2.0, mover, sides: 2, feature_values: vec![values; 2], outcome }
        };
        let samples: Vec<StateSample> = (0..2000).map(sample).collect();
        assert_eq!(varying_features(&base, &samples), [true, true]);
        let (model, _) = learn(&base, "time", &samples, 10, &AtomicBool::new(false)).unwrap();
        let of = |feature: &str| -> f64 {
            let own = model.terms.iter().filter(|term| term.column.feature == feature && term.column.up_to.is_none());
            own.map(|term| term.weight * if term.column.times.is_some() { 2.0 } else { 1.0 }).sum()
        };
        assert!((1.0..2.5).contains(&of("moon")) && of("mist").abs() < 0.3, "{model:?}");
        assert!(model.explained > 0.5);
    }

    #[test]
    fn a_model_is_rules_text() {
        let column = |feature: &str, up_to, times: Option<&str>| Column { feature: feature.into(), up_to, times: times.map(String::from) };
        let term = |column, weight| Term { column, weight, standardised: 1.25 };
        let terms = vec![
            term(column("moss", None, None), 0.1234),
            term(column("count my wall", Some(3), Some("rounds_left")), -2.0),
            term(column("sum card.vp of my den", None, None), 0.000_04),
        ];
        let text = Model { terms, ..Model::default() }.style_lines("bold");
        let bare: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("").trim_end()).collect();
        assert_eq!(
            bare,
            [
                "  define bold_1 =",
                "      12.3 * moss",
                "    - 200.0 * rounds_left * min(count my wall, 3)",
                "    + 0.004 * (sum card.vp of my den)",
                "  style bold = bold_1"
            ]
        );
        assert_eq!(Model::default().style_lines("bold"), "  style bold = score");
        assert_eq!(Model { states: 1, ..Model::default() }.style_lines("bold"), "  style bold over 1 states = score");
    }

    /// Returns the moments of two uncorrelated columns; the target is 2 times the first minus the second.
    fn moments() -> SecondMoments {
        let rows: Vec<[f32; 2]> = vec![[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let mut moments = SecondMoments::from_rows(2, rows.iter().map(|row| row.as_slice()), &AtomicBool::new(false));
        moments.set_target(rows.iter().map(|row| (row.as_slice(), 2.0 * row[0] - row[1])));
        moments
    }

    #[test]
    fn a_penalty_draws_all_weights_to_nothing_by_as_much() {
        let moments = moments();
        assert_eq!((moments.covariance.clone(), moments.square), (vec![1.0, 0.0, 0.0, 1.0], 5.0));
        for (lasso, ridge, wanted) in [(0.0, 0.0, [2.0, -1.0]), (0.5, 0.0, [1.5, -0.5]), (1.5, 0.0, [0.5, 0.0]), (0.0, 1.0, [1.0, -0.5])] {
            let mut weights = vec![0.0; 2];
            moments.descend(&mut weights, (lasso, ridge), &AtomicBool::new(false));
            assert!(weights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{weights:?} {wanted:?}");
        }
        assert_eq!(moments.error(&[2.0, -1.0]), -5.0);
        assert_eq!(moments.error(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn columns_that_say_the_same_share() {
        let rows: Vec<[f32; 2]> = vec![[1.0, 1.0], [-1.0, -1.0]];
        let mut moments = SecondMoments::from_rows(2, rows.iter().map(|row| row.as_slice()), &AtomicBool::new(false));
        moments.set_target(rows.iter().map(|row| (row.as_slice(), row[0])));
        let mut weights = vec![0.0; 2];
        moments.descend(&mut weights, (0.0, 0.01), &AtomicBool::new(false));
        assert!((weights[0] - weights[1]).abs() < 0.05 && (weights[0] + weights[1] - 1.0).abs() < 0.02, "{weights:?}");
    }
}
