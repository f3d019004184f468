//! How long a game is, and how many of them it takes to know something.

use serde::Serialize;

use super::super::precision::{GamesNeeded, about};
use super::super::run::RunOutcome;
use super::super::stats::Mean;
use crate::engine::Ruleset;

/// Seconds that a person is assumed to take for a decision, unless another number is given.
pub const SECONDS_PER_DECISION: f64 = 20.0;

/// How long a game takes people.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Duration {
    /// Seconds that are assumed for each decision, that is each question with at least two options.
    pub seconds_per_decision: f64,
    /// Minutes of a game, if decisions are taken one after the other.
    pub minutes: Mean,
}

impl Duration {
    /// Computes the duration of a game with this number of decisions.
    pub fn new(decisions: Mean, seconds_per_decision: f64) -> Duration {
        let minutes = |decisions: f64| decisions * seconds_per_decision / 60.0;
        let Mean { mean, deviation, interval } = decisions;
        let minutes = Mean { mean: minutes(mean), deviation: deviation.map(minutes), interval: interval.map(|ends| ends.map(minutes)) };
        Duration { seconds_per_decision, minutes }
    }

    /// Says in a sentence how long a game is.
    pub fn sentence(&self) -> String {
        let Duration { seconds_per_decision: seconds, minutes } = self;
        let digits = if minutes.mean < 10.0 { 1 } else { 0 };
        format!("a game takes about {:.digits$} minutes at {seconds} seconds a decision, one after the other", minutes.mean)
    }
}

/// How many games it takes to know a measure of a run.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureNeeds {
    /// Name of the measure.
    pub measure: &'static str,
    /// The numbers of games.
    #[serde(flatten)]
    pub games: GamesNeeded,
}

/// Returns how many games it takes to know the points of a player and the games that a seat wins.
pub(super) fn games_needed(rules: &Ruleset, outcome: &RunOutcome) -> Vec<MeasureNeeds> {
    let tally = &outcome.tally;
    if tally.games < 2 {
        return Vec::new();
    }
    let (variance, unit) = tally.points.variance_and_unit();
    let points = GamesNeeded::new(variance, unit, 1.0).map(|games| MeasureNeeds { measure: "points", games });
    let share = match rules.together {
        Some(_) => tally.won.first().map(|won| won.games() / tally.games as f64),
        None => (rules.players > 1).then(|| 1.0 / rules.side_count().max(1) as f64),
    };
    let won = share.and_then(|share| GamesNeeded::new(share * (1.0 - share), 1.0, 0.01));
    points.into_iter().chain(won.map(|games| MeasureNeeds { measure: "games won", games })).collect()
}

impl MeasureNeeds {
    /// Says in a sentence how many games it takes.
    pub fn sentence(&self) -> String {
        let (of, size) = if self.measure == "points" { ("points of a player", "one point") } else { ("games won", "one percentage point") };
        let GamesNeeded { interval, effect, .. } = self.games;
        format!(
            "{of} are known to {size} either way after about {} games; a difference of {size} is shown after about {}, in four of five runs",
            about(interval),
            about(effect)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_decisions_by_seconds() {
        let decisions = Mean { mean: 90.0, deviation: Some(12.0), interval: Some([84.0, 96.0]) };
        let found = Duration::new(decisions, 20.0);
        assert_eq!(found.minutes, Mean { mean: 30.0, deviation: Some(4.0), interval: Some([28.0, 32.0]) });
        assert_eq!(found.sentence(), "a game takes about 30 minutes at 20 seconds a decision, one after the other");
        let short = Duration::new(Mean { mean: 9.0, ..Mean::default() }, 7.5).sentence();
        assert_eq!(short, "a game takes about 1.1 minutes at 7.5 seconds a decision, one after the other");
    }
}
