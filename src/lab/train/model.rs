//! A linear model of what states come to, as rules text that can be read.

use crate::cast;
use serde::Serialize;

use super::fit::Moments;
use super::sample::{Sample, beside_others};

/// What a column is worked out from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// A feature, as rules text.
    pub feature: String,
    /// It counts up to here only.
    pub up_to: Option<i64>,
    /// It counts for each round that is left (or gone, where nobody knows how many will come): the rules text of that.
    pub times: Option<String>,
}

/// A term of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    /// What counts.
    pub column: Column,
    /// How many points one of it is worth.
    pub weight: f64,
    /// How many points its usual difference from the other players (one standard deviation) is worth.
    pub standardised: f64,
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Model {
    /// Its terms, the weightiest first.
    pub terms: Vec<Term>,
    /// The share of what it was aimed at that it explains, in games it has not learnt from; 0 once its weights went on.
    pub explained: f64,
    /// How many states players imagine who go by it; none and one are the same.
    pub states: u32,
}

/// Weights are written in hundredths of a point, so that small ones are not lost.
const SCALE: f64 = 100.0;
/// So many terms stand under one name: the language reads no sum without end.
const TERMS_IN_PART: usize = 20;
/// One of so many games is not learnt from.
const HELD_OUT: u64 = 5;
/// How far what came of a game counts against what the model says of the states on the way.
const LAMBDA: f64 = 0.9;
/// Columns whose correlation is higher say nearly the same.
const ALIKE: f64 = 0.97;
/// The penalty on squares, as a share of the one on sizes.
const RIDGE: f64 = 0.1;
/// How often the model is fitted to what it says itself.
const PASSES: usize = 12;
/// Penalties on the way from the one at which nothing counts.
const STEPS: usize = 40;
/// Each is so much smaller than the one before.
const STEP: f64 = 0.8;
/// A feature with no more values than these does not count up to a limit.
const FEW_VALUES: usize = 5;

impl Column {
    /// As rules text.
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

    fn value(&self, feature: f32, time: f32) -> f32 {
        let limited = self.up_to.map_or(feature, |most| feature.min(most as f32));
        if self.times.is_some() { limited * time } else { limited }
    }
}

impl Model {
    /// The style of this name as lines of `agents`: a term on each line, with what its usual difference is worth, and a name for every
    /// so many of them.
    pub fn lines(&self, name: &str) -> String {
        let over = if self.states > 1 { format!(" over {} states", self.states) } else { String::new() };
        if self.terms.is_empty() {
            return format!("  style {name}{over} = score");
        }
        let mut text = String::new();
        let mut parts = Vec::new();
        for (nth, terms) in self.terms.chunks(TERMS_IN_PART).enumerate() {
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
                let line = format!("{sign} {} * {}", number(term.weight.abs() * SCALE), term.column.text());
                text.push_str(&format!("    {line:<80} // {:+.2}\n", term.standardised));
            }
        }
        text.push_str(&format!("  style {name}{over} = {}", parts.join(" + ")));
        text
    }
}

/// With three digits that count, and three decimals at most.
fn number(value: f64) -> String {
    let decimals = cast::index((2 - cast::whole::<i64>(value.abs().max(1e-9).log10().floor())).clamp(0, 3));
    format!("{value:.decimals$}")
}

/// Which features differ between players in some state.
pub fn varying(samples: &[Sample]) -> Vec<bool> {
    let features = samples.first().and_then(|sample| sample.values.first()).map_or(0, Vec::len);
    let mut varies = vec![false; features];
    for seats in samples.iter().map(|sample| &sample.values) {
        for (at, varies) in varies.iter_mut().enumerate().filter(|(_, varies)| !**varies) {
            *varies = seats.iter().any(|seat| seat[at] != seats[0][at]);
        }
    }
    varies
}

/// Learns from samples, which stand in the order of their games; also says how many columns could explain something.
pub fn learn(base: &[String], time: &str, samples: &[Sample], most_terms: usize) -> (Model, usize) {
    let columns = columns(base, time, samples);
    let mut rows: Vec<Vec<f32>> = samples.iter().flat_map(|sample| rows_of(&columns, sample)).collect();
    let deviations = standardise(&mut rows, columns.len());
    let outcomes: Vec<f32> = samples.iter().flat_map(|sample| sample.outcome.iter().copied()).collect();
    let square = outcomes.iter().map(|one| f64::from(*one) * f64::from(*one)).sum::<f64>() / outcomes.len().max(1) as f64;
    let of_target = square.sqrt().max(1e-9);
    let seats = samples.first().map_or(1, |sample| sample.outcome.len());
    let is_held_out: Vec<bool> = samples.iter().flat_map(|sample| vec![sample.game % HELD_OUT == 0; seats]).collect();
    let part = |held_out: bool| {
        Moments::of(columns.len(), rows.iter().zip(&is_held_out).filter(|(_, held)| **held == held_out).map(|(row, _)| row.as_slice()))
    };
    let (mut learnt, mut held_out) = (part(false), part(true));
    let mut weights = vec![0.0; columns.len()];
    let mut explained = 0.0;
    for pass in 0..PASSES {
        let targets = if pass == 0 {
            outcomes.iter().map(|one| *one / cast::single(of_target)).collect()
        } else {
            returns(samples, &rows, &weights, &outcomes, of_target)
        };
        for (moments, held) in [(&mut learnt, false), (&mut held_out, true)] {
            moments.aim(
                rows.iter()
                    .zip(&targets)
                    .zip(&is_held_out)
                    .filter(|(_, is_held)| **is_held == held)
                    .map(|((row, target), _)| (row.as_slice(), *target)),
            );
        }
        (weights, explained) = path(&learnt, &held_out, most_terms);
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
    (Model { terms, explained, states: 1 }, varied)
}

/// What each seat has in each column, beside the others.
fn rows_of(columns: &[(usize, Column)], sample: &Sample) -> Vec<Vec<f32>> {
    let seats = sample.values.len();
    let mut rows = vec![vec![0.0_f32; columns.len()]; seats];
    let mut values = vec![0.0_f32; seats];
    for (at, (feature, column)) in columns.iter().enumerate() {
        values.iter_mut().zip(&sample.values).for_each(|(value, seat)| *value = column.value(seat[*feature], sample.time));
        beside_others(&values).into_iter().zip(&mut rows).for_each(|(value, row)| row[at] = value);
    }
    rows
}

/// Divides each column by its standard deviation, about 0 since all are differences between players; gives back the deviations.
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

/// Lambda-returns: of each state what the model says of those after it, the nearer the more, and at the end what came of the game.
fn returns(samples: &[Sample], rows: &[Vec<f32>], weights: &[f64], outcomes: &[f32], of_target: f64) -> Vec<f32> {
    let lambda = LAMBDA;
    let seats = samples.first().map_or(1, |sample| sample.outcome.len());
    let said = |row: &[f32]| row.iter().zip(weights).map(|(value, weight)| f64::from(*value) * weight).sum::<f64>();
    let mut targets = vec![0.0_f32; rows.len()];
    for at in (0..rows.len()).rev() {
        let last = samples.get(at / seats + 1).is_none_or(|next| next.game != samples[at / seats].game);
        targets[at] = if last {
            cast::single(f64::from(outcomes[at]) / of_target)
        } else {
            cast::single((1.0 - lambda) * said(&rows[at + seats]) + lambda * f64::from(targets[at + seats]))
        };
    }
    targets
}

/// The weights of that penalty at which games that are held out are explained best, and how much of them.
fn path(learnt: &Moments, held_out: &Moments, most_terms: usize) -> (Vec<f64>, f64) {
    let mut lasso = learnt.target.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
    let mut weights = vec![0.0; learnt.columns];
    let (mut best, mut least) = (weights.clone(), 0.0);
    for _ in 0..STEPS {
        lasso *= STEP;
        learnt.descend(&mut weights, lasso, lasso * RIDGE);
        if weights.iter().filter(|weight| **weight != 0.0).count() > most_terms {
            break;
        }
        let error = held_out.error(&weights);
        if error < least {
            (best, least) = (weights.clone(), error);
        }
    }
    (best, -least / held_out.square.max(1e-9))
}

/// Columns to go on with, each with its standard deviation: those of the model, and of the others those that go along with what comes of
/// games; of several that say nearly the same only the first.
pub fn chosen(base: &[String], time: &str, samples: &[Sample], model: &Model, most: usize) -> Vec<(Column, f64)> {
    let columns = columns(base, time, samples);
    let mut rows: Vec<Vec<f32>> = samples.iter().flat_map(|sample| rows_of(&columns, sample)).collect();
    let deviations = standardise(&mut rows, columns.len());
    let mut moments = Moments::of(columns.len(), rows.iter().map(Vec::as_slice));
    let outcomes = samples.iter().flat_map(|sample| sample.outcome.iter().copied());
    moments.aim(rows.iter().map(Vec::as_slice).zip(outcomes));
    let of_model = |at: usize| model.terms.iter().any(|term| term.column == columns[at].1);
    let mut order: Vec<usize> = (0..columns.len()).filter(|&at| deviations[at] > 1e-9).collect();
    order.sort_by(|&a, &b| of_model(b).cmp(&of_model(a)).then(moments.target[b].abs().total_cmp(&moments.target[a].abs())).then(a.cmp(&b)));
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        let alike = |other: &usize| moments.covariance[at * columns.len() + other].abs() > ALIKE;
        if kept.len() < most && !kept.iter().any(alike) {
            kept.push(at);
        }
    }
    kept.into_iter().map(|at| (columns[at].1.clone(), deviations[at])).collect()
}

/// Every feature as it is, up to its median, and both for each round.
fn columns(base: &[String], time: &str, samples: &[Sample]) -> Vec<(usize, Column)> {
    let mut columns = Vec::new();
    for (at, feature) in base.iter().enumerate() {
        let mut values: Vec<f32> = samples.iter().flat_map(|sample| sample.values.iter().map(|seat| seat[at])).collect();
        values.sort_by(f32::total_cmp);
        let median = values.get(values.len() / 2).map_or(0, |median| cast::whole::<i64>(f64::from(*median)));
        values.dedup();
        let limits = [None, (values.len() > FEW_VALUES && median > 0).then_some(median)];
        for up_to in limits.into_iter().enumerate().filter(|(nth, limit)| *nth == 0 || limit.is_some()).map(|(_, limit)| limit) {
            for times in [None, Some(time.to_string())] {
                columns.push((at, Column { feature: feature.clone(), up_to, times }));
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players with two features that move by chance; only the first of them counts, 3 points each, and luck does the rest.
    fn samples() -> Vec<Sample> {
        let noise = |game: u64, stream: u64| (crate::state::chance::draw(game, stream, 0) % 1000) as f32 / 100.0;
        let sample = |game: u64, step: u64| {
            let seat = |seat: u64| vec![noise(game, seat) + step as f32, noise(game, 10 + seat + 7 * step), 4.0];
            let values: Vec<Vec<f32>> = (0..2).map(seat).collect();
            let lead = 3.0 * (noise(game, 0) - noise(game, 1)) + noise(game, 20) - 5.0;
            Sample { game, time: 2.0, values, outcome: vec![lead, -lead] }
        };
        (0..1500).flat_map(|game| (0..2).map(move |step| (game, step))).map(|(game, step)| sample(game, step)).collect()
    }

    #[test]
    fn what_counts_is_learnt_and_what_does_not_is_not() {
        let base = ["moss", "fog", "rule"].map(String::from);
        let samples = samples();
        assert_eq!(varying(&samples), [true, true, false]);
        let (model, columns) = learn(&base, "time", &samples, 10);
        assert!(columns >= 4);
        // Time stands still here: both columns of a feature say the same, and share.
        let of = |feature: &str| -> f64 {
            let own = model.terms.iter().filter(|term| term.column.feature == feature && term.column.up_to.is_none());
            own.map(|term| term.weight * if term.column.times.is_some() { 2.0 } else { 1.0 }).sum()
        };
        assert!((2.0..3.3).contains(&of("moss")), "{model:?}");
        assert!(of("fog").abs() < 0.3, "{model:?}");
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
        let text = Model { terms, ..Model::default() }.lines("bold");
        let bare: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("").trim_end()).collect();
        assert_eq!(
            bare,
            [
                "  define bold_1 =",
                "      12.3 * moss",
                "    - 200 * rounds_left * min(count my wall, 3)",
                "    + 0.004 * (sum card.vp of my den)",
                "  style bold = bold_1"
            ]
        );
        assert_eq!(Model::default().lines("bold"), "  style bold = score");
    }
}
