//! How far what was measured is from a target.

use serde::Serialize;

use super::super::objective::Wanted;
use super::super::target::{Target, is_share};
use super::Candidate;
use crate::playtest::Moments;
use crate::playtest::compare::{Measure, ValueRange};

/// How far a setting is from a target.
#[derive(Clone, Debug, Serialize)]
pub struct Distance {
    /// Name of the target.
    pub target: String,
    /// Distance from what is wanted: of several measures, the largest one; `None` if nothing was measured.
    pub distance: Option<f64>,
    /// Interval of the distance. If they are from fresh games, those of all settings in the report hold together in 95 % of runs.
    pub interval: Option<[f64; 2]>,
    /// Whether the distance is near enough; `None` if the games cannot tell, as those in which one of its measures was never defined.
    pub met: Option<bool>,
}

impl Distance {
    /// Returns the distance by which settings are put in order: one of which nothing is known comes last.
    pub(super) fn or_infinite(&self) -> f64 {
        self.distance.unwrap_or(f64::INFINITY)
    }

    pub(super) fn in_words(&self, target: &Target) -> String {
        self.distance.map_or("unknown".to_string(), |distance| target.format_distance(distance))
    }
}

/// One measure of a target.
pub(super) struct Part<'a> {
    pub measure: &'a Measure,
    pub sums: &'a Moments,
    pub wanted: &'a Wanted,
}

impl Part<'_> {
    pub fn interval(&self, candidate: &Candidate, distinct: f64, alpha: f64) -> Option<[f64; 2]> {
        let range = self.measure.scale(candidate.players);
        let range = if is_share(self.measure) { ValueRange::Share } else { range };
        self.sums.interval(range, distinct, alpha)
    }
}

/// Returns the distance from a target: of its measures the largest, with an interval that holds for all of them.
pub(super) fn distance(target: &Target, parts: &[Part<'_>], candidate: &Candidate, distinct: f64, alpha: f64) -> Distance {
    let far = parts.iter().filter_map(|part| Some(part.wanted.gap(part.sums.mean()?))).reduce(f64::max);
    let bounds = parts.iter().filter(|part| part.sums.count > 0).map(|part| {
        let [low, high] = part.interval(candidate, distinct, alpha)?;
        let nearest =
            if low <= part.wanted.high && part.wanted.low <= high { 0.0 } else { part.wanted.gap(low).min(part.wanted.gap(high)) };
        Some([nearest, part.wanted.gap(low).max(part.wanted.gap(high))])
    });
    let bounds: Option<Vec<[f64; 2]>> = bounds.collect();
    let interval = bounds
        .filter(|bounds| !bounds.is_empty())
        .map(|bounds| bounds.iter().fold([0.0_f64, 0.0_f64], |all, bounds| [all[0].max(bounds[0]), all[1].max(bounds[1])]));
    let all = parts.iter().all(|part| part.sums.count > 0);
    let met = interval.filter(|_| all).and_then(|[low, high]| match target.criterion.tolerance {
        near if high <= near => Some(true),
        near if low > near => Some(false),
        _ => None,
    });
    Distance { target: target.name.clone(), distance: far, interval, met }
}
