//! How good players are who were trained for a comparison. What they do with a rule says little if whoever never learnt anything beats them.

use serde::Serialize;

use super::super::stats::half_width;
use super::inference::{ALPHA, Difference};

/// The share of wins of a seat up to which a mean below even may be chance, unless its interval says otherwise.
const EVEN: f64 = 0.02;

/// How good the players of one side are beside greedy players at the same tables: who was trained in deals that each training ends with, who searches
/// in deals of their own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Skill {
    /// Number of trainings; 0 for players who were not trained.
    pub trainings: usize,
    /// Mean of the share of wins of a seat of theirs, less that of a seat of whom they meet: greedy players unless it is said otherwise.
    pub above: f64,
    /// 95 % interval, over trainings if there were any, else over deals; `None` after a single one.
    pub interval: Option<[f64; 2]>,
    /// Whether they are below even: whom they meet wins more often, shown by the interval, or probably and by more than a little.
    pub is_below_even: bool,
}

impl Skill {
    /// Summarises what each training of a side came to; `None` if it was measured after none.
    pub fn new(of_trainings: &[f64]) -> Option<Skill> {
        let count = of_trainings.len() as f64;
        if of_trainings.is_empty() {
            return None;
        }
        let mean = of_trainings.iter().sum::<f64>() / count;
        let squares: f64 = of_trainings.iter().map(|one| (one - mean).powi(2)).sum();
        let half = half_width(squares / (count - 1.0), count, 0.0, ALPHA);
        Some(Skill::within(of_trainings.len(), mean, half))
    }

    /// Returns the skill of players who were not trained, from deals in which they have met greedy players.
    pub fn of_deals(difference: &Difference) -> Skill {
        let half = (difference.interval[1] - difference.interval[0]) / 2.0;
        Skill::within(0, difference.difference, Some(half).filter(|half| half.is_finite()))
    }

    /// Judges a mean by half of the width of its interval.
    fn within(trainings: usize, mean: f64, half: Option<f64>) -> Skill {
        let interval = half.map(|half| [(mean - half).max(-1.0), (mean + half).min(1.0)]);
        // Half of the interval's half width is somewhat more than a standard error.
        let is_below_even = match half {
            Some(half) => mean + half < 0.0 || mean < -EVEN.max(half / 2.0),
            None => mean < 0.0,
        };
        Skill { trainings, above: mean, interval, is_below_even }
    }

    /// Whether players of any side are below even.
    pub fn any_below_even(of_sides: &Option<[Option<Skill>; 2]>) -> bool {
        of_sides.iter().flatten().flatten().any(|skill| skill.is_below_even)
    }

    /// Whether players of any side are below even for certain, by the whole interval.
    pub fn any_certainly_below_even(of_sides: &Option<[Option<Skill>; 2]>) -> bool {
        of_sides.iter().flatten().flatten().any(|skill| skill.interval.is_some_and(|interval| interval[1] < 0.0))
    }

    /// Returns the skill as text.
    pub fn text(&self) -> String {
        let interval = self.interval.map_or(String::new(), |[low, high]| format!(" ({:+.1} to {:+.1})", low * 100.0, high * 100.0));
        format!("{:+.1}% of wins for each seat{interval}", self.above * 100.0)
    }
}

/// Players who have learnt and in whose place players who search have played, since they win more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replaced {
    /// How good who has learnt is beside greedy players, on both sides.
    pub against_greedy: Option<[Option<Skill>; 2]>,
    /// How good it is beside players who search as long for their answers.
    pub against_search: Option<[Option<Skill>; 2]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skill_is_a_mean_over_trainings() {
        assert_eq!(Skill::new(&[]), None);
        assert_eq!(Skill::new(&[0.25]).map(|one| one.text()), Some("+25.0% of wins for each seat".to_string()));
        // The standard deviation is 0.1, and t for two degrees of freedom 4.303.
        let three = Skill::new(&[0.1, 0.2, 0.3]).expect("there are three");
        assert_eq!(three.text(), "+20.0% of wins for each seat (-4.8 to +44.8)");
        assert!(!three.is_below_even && Skill::new(&[-0.35, -0.25, -0.15]).is_some_and(|worse| worse.is_below_even));
        assert!(Skill::new(&[-0.3, 0.1]).is_some_and(|two| !two.is_below_even), "the interval is 2.5 to either side");
        assert!(Skill::new(&[-0.08, -0.02, -0.06, 0.01, -0.05]).is_some_and(|worse| worse.is_below_even), "-0.04 ± 0.044");
        // As good as greedy but for chance, and a little worse for sure.
        assert!(Skill::new(&[-0.03, 0.02, -0.01]).is_some_and(|even| !even.is_below_even));
        assert!(Skill::new(&[-0.011, -0.010, -0.009]).is_some_and(|worse| worse.is_below_even));
        assert!(Skill::new(&[-0.01]).is_some_and(|one| one.is_below_even));
    }
}
