//! Inference about players that were trained for the comparison. What they learn differs from training to training, so that games by the
//! players of one training say what these do, and not what a rule does to whoever learns it. Players are therefore trained several times for
//! each side, and a difference has to be large beside what differs from training to training.
//!
//! The mean over all pairs has the standard error of a mean of clusters, here trainings (Liang, Zeger, Longitudinal data analysis using
//! generalized linear models, Biometrika 73, 1986), and Student's t with one degree of freedom less than there are trainings. An interval is never
//! narrower, and a p-value never smaller, than of the same pairs by players who are given.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::as_pairs;
use super::super::exact::ExactSum;
use super::super::merge::merge_by_field;
use super::super::precision::GamesNeeded;
use super::super::stats::student;
use super::inference::{ALPHA, Basis, Difference, Pairs, two_sided};
use super::measures::Measure;

/// The pairs of games by the players of one training.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingResults {
    /// Number of complete pairs.
    pub pairs: u64,
    /// Of each measure how many pairs it is defined in, and the sum of differences.
    #[serde(with = "as_pairs")]
    measures: BTreeMap<Measure, (u64, ExactSum)>,
}

merge_by_field!(TrainingResults: pairs, measures);

impl TrainingResults {
    /// Adds the difference of a measure in one pair.
    pub fn add(&mut self, measure: &Measure, difference: f64) {
        let (taken, sum) = self.measures.entry(measure.clone()).or_default();
        *taken += 1;
        sum.add(difference);
    }
}

/// How a measure differs from training to training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetweenTrainings {
    /// The number of trainings, of each side.
    count: u64,
    /// The standard error of the mean difference.
    error: f64,
}

impl BetweenTrainings {
    /// Compares the mean differences of a measure in the pairs of each training; `None` if players were not trained for the comparison.
    pub fn new(trainings: &BTreeMap<usize, TrainingResults>, measure: &Measure) -> Option<BetweenTrainings> {
        if trainings.is_empty() {
            return None;
        }
        let of = |found: &TrainingResults| {
            let (taken, sum) = found.measures.get(measure).map_or((0, 0.0), |(taken, sum)| (*taken, sum.sum()));
            (measure.pairs(found.pairs, taken) as f64, sum)
        };
        let clusters: Vec<(f64, f64)> = trainings.values().map(of).filter(|(pairs, _)| *pairs > 0.0).collect();
        let (pairs, sum) = clusters.iter().fold((0.0, 0.0), |(pairs, sum), cluster| (pairs + cluster.0, sum + cluster.1));
        let (count, mean) = (clusters.len() as f64, sum / f64::max(pairs, 1.0));
        let squares: f64 = clusters.iter().map(|(pairs, sum)| (sum - pairs * mean).powi(2)).sum();
        let error = if count < 2.0 { f64::INFINITY } else { (count / (count - 1.0) * squares).sqrt() / pairs };
        Some(BetweenTrainings { count: clusters.len() as u64, error })
    }

    fn freedom(self) -> f64 {
        self.count.saturating_sub(1) as f64
    }
}

/// A measure with all that is known of its difference.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The sums over all pairs.
    pub pairs: &'a Pairs,
    /// The context of inferences.
    pub basis: Basis,
    /// How it differs from training to training, if players were trained for the comparison.
    pub trainings: Option<BetweenTrainings>,
}

impl Evidence<'_> {
    /// Returns the difference with its interval and p-value.
    pub fn difference(&self) -> Difference {
        Difference { interval: self.interval(ALPHA), p: self.p(), ..self.pairs.difference(&self.basis) }
    }

    /// Returns how many pairs it takes to know the difference to within `size`; `None` if players were trained for the comparison, since what
    /// they learn differs as well.
    pub fn needed(&self, size: f64) -> Option<GamesNeeded> {
        let (variance, unit) = self.pairs.variance_and_unit(&self.basis);
        if self.trainings.is_some() { None } else { GamesNeeded::new(variance, unit, size) }
    }

    /// Returns the interval of the difference at level `1 - alpha`: unbounded after a single training. It excludes 0 exactly if
    /// [`Evidence::p`] is at most `alpha`.
    pub fn interval(&self, alpha: f64) -> [f64; 2] {
        let [low, high] = self.pairs.interval(&self.basis, alpha);
        let Some(trainings) = self.trainings else { return [low, high] };
        // Both are infinite after a single training.
        let (mean, half) = (self.pairs.mean(&self.basis), student(trainings.freedom(), alpha) * trainings.error);
        [low.min(mean - half), high.max(mean + half)]
    }

    /// Returns the p-value of the difference: 1 after a single training.
    pub fn p(&self) -> f64 {
        let of_pairs = self.pairs.p(&self.basis);
        match self.trainings {
            None => of_pairs,
            Some(trainings) if trainings.count < 2 => 1.0,
            // All trainings differ alike.
            Some(trainings) if trainings.error == 0.0 => of_pairs,
            Some(trainings) => of_pairs.max(two_sided(self.pairs.mean(&self.basis) / trainings.error, trainings.freedom())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::merge::Merge;
    use super::*;
    use crate::state::chance::{below, hash_text, join};

    /// Trainings with these differences of points, pair by pair.
    fn trainings(differences: &[&[f64]]) -> (Pairs, BTreeMap<usize, TrainingResults>) {
        let (mut pairs, mut all) = (Pairs::default(), BTreeMap::new());
        for (at, differences) in differences.iter().enumerate() {
            let found: &mut TrainingResults = all.entry(at).or_default();
            for difference in *differences {
                pairs.add(0.0, *difference);
                found.pairs += 1;
                found.add(&Measure::Points, *difference);
            }
        }
        (pairs, all)
    }

    fn evidence<'a>((pairs, all): &'a (Pairs, BTreeMap<usize, TrainingResults>)) -> Evidence<'a> {
        let basis = Basis::single_look(pairs.taken, 0.0);
        Evidence { pairs, basis, trainings: BetweenTrainings::new(all, &Measure::Points) }
    }

    #[test]
    fn what_differs_between_trainings_widens_the_interval() {
        // Each training shows its own difference exactly; together they show nothing.
        let of_two = [2.0; 200];
        let of_none = [-1.0; 200];
        let found = trainings(&[&of_two, &of_none, &of_two, &of_none]);
        let all = evidence(&found);
        assert!(all.pairs.p(&all.basis) < 1e-6, "players who are given differ");
        // The means 2, -1, 2, -1 have the mean 0.5 and the standard deviation 1.732; t for three degrees of freedom is 3.182.
        let [low, high] = all.interval(ALPHA);
        assert!((low - (0.5 - 3.182 * 1.732 / 2.0)).abs() < 0.01 && (high - (0.5 + 3.182 * 1.732 / 2.0)).abs() < 0.01, "{low} {high}");
        assert!((all.p() - 0.604).abs() < 0.01, "{}", all.p());
        assert_eq!(all.difference().difference, 0.5);
    }

    /// Nearly a standard normal number (Irwin and Hall), by the numbers of a run, a training and a pair.
    fn noise(of: [u64; 3]) -> f64 {
        let seed = of.into_iter().fold(hash_text("noise"), join);
        (0..12).map(|at| f64::from(below(join(seed, at), 1 << 20)) / f64::from(1 << 20)).sum::<f64>() - 6.0
    }

    #[test]
    fn false_alarms_are_as_rare_as_promised_though_trainings_differ() {
        const RUNS: u64 = 4000;
        let (mut alarms, mut alarms_of_pairs) = (0, 0);
        for run in 0..RUNS {
            // Nothing differs but what players happened to learn, and how games went.
            let of_training = |training| (0..40).map(|pair| noise([run, training, 0]) + 2.0 * noise([run, training, pair + 1])).collect();
            let differences: Vec<Vec<f64>> = (0..5).map(of_training).collect();
            let found = trainings(&differences.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let all = evidence(&found);
            alarms += u64::from(all.p() <= ALPHA);
            alarms_of_pairs += u64::from(all.pairs.p(&all.basis) <= ALPHA);
        }
        // 200 are promised, and 95 of 100 times it would be 173 to 228.
        assert!((150..=250).contains(&alarms), "{alarms} of {RUNS}");
        assert!(alarms_of_pairs > RUNS / 3, "the games alone would have raised {alarms_of_pairs}");
    }

    #[test]
    fn one_training_claims_nothing_and_none_changes_nothing() {
        let found = trainings(&[&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]]);
        let one = evidence(&found);
        assert_eq!((one.p(), one.interval(ALPHA)), (1.0, [f64::NEG_INFINITY, f64::INFINITY]));
        let given = Evidence { trainings: BetweenTrainings::new(&BTreeMap::new(), &Measure::Points), ..one };
        assert_eq!(given.difference(), one.pairs.difference(&one.basis));
    }

    #[test]
    fn trainings_that_agree_are_no_more_certain_than_their_pairs() {
        let found = trainings(&[&[0.0, 1.0], &[0.0, 1.0], &[1.0, 0.0], &[0.0, 1.0]]);
        let all = evidence(&found);
        assert_eq!((all.p(), all.interval(ALPHA)), (all.pairs.p(&all.basis), all.pairs.interval(&all.basis, ALPHA)));
    }

    #[test]
    fn an_interval_excludes_zero_exactly_if_p_is_small_enough() {
        let found = trainings(&[&[1.0, 3.0, 2.0, 2.0], &[0.5, 2.5, 1.5, 3.5], &[0.0, 2.0, 1.0, 2.0]]);
        let all = evidence(&found);
        for alpha in [0.001, 0.01, 0.05, 0.1, 0.3, 0.6] {
            let [low, high] = all.interval(alpha);
            assert_eq!(low > 0.0 || high < 0.0, all.p() <= alpha, "{alpha}: {low} {high}, {}", all.p());
        }
    }

    #[test]
    fn parts_of_a_training_are_the_whole() {
        let (_, whole) = trainings(&[&[1.0, 2.0, 3.0], &[4.0]]);
        let (_, mut part) = trainings(&[&[1.0], &[4.0]]);
        let (_, rest) = trainings(&[&[2.0, 3.0]]);
        part.entry(0).or_default().merge(&rest[&0]);
        assert_eq!(BetweenTrainings::new(&part, &Measure::Points), BetweenTrainings::new(&whole, &Measure::Points));
    }
}
