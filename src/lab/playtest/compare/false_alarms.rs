//! A/A tests: comparisons of the same rules with themselves, with independent seeds for both sides. Every difference found is a false
//! alarm; the rate of false alarms shows how far intervals and tests can be trusted.

use serde::Serialize;

use super::super::stats::{SumsByGame, clopper_pearson};
use super::super::table::{TextTable, heading, wrapped};
use super::inference::ALPHA;
use super::measures::Measure;
use super::pairs::{ComparisonResults, Sides, StoppingRule};
use super::report::{Comparison, comparison};
use crate::document::numbers::plural;
use crate::state::chance::{hash_text, join};

/// A rate of false alarms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alarm {
    /// Name of the interval or test.
    #[serde(rename = "of")]
    pub method: String,
    /// Number of times that the interval or test could have raised a false alarm.
    pub looks: u64,
    /// Number of false alarms.
    pub alarms: u64,
    /// Rate of false alarms.
    pub rate: f64,
    /// 95 % interval of the rate: Clopper-Pearson for independent runs, clustered by run if each run contributes several measures.
    pub interval: [f64; 2],
    /// The rate that the method promises; for tests of many measures at once, the maximum.
    pub promised: f64,
}

/// The result of A/A tests, without timing.
#[derive(Clone, Debug, Serialize)]
pub struct FalseAlarms {
    /// Id of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Number of players.
    pub players: usize,
    /// Names of the agents, by seat.
    pub agents: Vec<String>,
    /// Seed of the first run; the seeds of the others are derived from it.
    pub seed: u64,
    /// Settings of both sides, as typed.
    #[serde(rename = "both")]
    pub settings_of_both: Vec<String>,
    /// Number of runs requested.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of runs completed.
    pub runs: u64,
    /// Number of pairs of games in each run.
    pub pairs: u64,
    /// Number of pairs dropped because of a fault.
    pub dropped: u64,
    /// Rates of false alarms.
    pub alarms: Vec<Alarm>,
}

/// Counts of the intervals that exclude 0, by run.
#[derive(Default)]
pub struct AlarmCounts {
    runs: u64,
    dropped: u64,
    points: u64,
    wins: SumsByGame,
    all: SumsByGame,
    shown: u64,
}

impl AlarmCounts {
    /// Adds a run: both sides have the same rules, and nothing in common by chance.
    pub fn add(&mut self, sides: &Sides<'_>, pairs: u64, found: &ComparisonResults) {
        self.runs += 1;
        self.dropped += found.dropped.dropped;
        self.count(&comparison(sides, &StoppingRule { pairs, until: None }, found, Vec::new(), Vec::new()));
    }

    fn count(&mut self, said: &Comparison) {
        let rows = || said.rows.iter().filter(|row| row.same_as.is_none() && row.difference.interval[0].is_finite());
        let wrong = |p: f64| i64::from(p <= ALPHA);
        self.points += rows().filter(|row| row.is_primary && row.difference.p <= ALPHA).count() as u64;
        self.wins.add(rows().filter(|row| row.family == Measure::WonBy(1).family()).map(|row| wrong(row.difference.p)));
        self.all.add(rows().map(|row| wrong(row.difference.p)));
        self.shown += u64::from(rows().any(|row| row.significant && !row.is_primary));
    }

    /// Returns the rates of all runs, of which so many were asked for; the game and the agents are those of `sides`.
    pub fn finish(&self, sides: &Sides<'_>, asked: u64, pairs: u64, both: Vec<String>) -> FalseAlarms {
        let runs = self.runs;
        let of_runs = |of: &str, alarms: u64, promised: f64| {
            let rate = if runs == 0 { 0.0 } else { alarms as f64 / runs as f64 };
            Alarm {
                method: of.to_string(),
                looks: runs,
                alarms,
                rate,
                interval: clopper_pearson(alarms as f64, runs as f64, ALPHA),
                promised,
            }
        };
        let of_measures = |of: &str, sums: &SumsByGame| {
            let mean = sums.mean();
            let interval = mean.interval.map_or([0.0, 1.0], |[low, high]| [low.max(0.0), high.min(1.0)]);
            let alarms = u64::try_from(sums.values.sum).unwrap_or_default();
            Alarm { method: of.to_string(), looks: sums.values.count, alarms, rate: mean.mean, interval, promised: ALPHA }
        };
        let mut alarms = vec![of_runs("points", self.points, ALPHA)];
        alarms.extend((self.wins.values.count > 0).then(|| of_measures("games won", &self.wins)));
        alarms.extend([of_measures("all measures", &self.all), of_runs("anything shown of those tested together", self.shown, ALPHA)]);
        FalseAlarms {
            game: sides.plain.game.clone(),
            title: sides.plain.title.clone(),
            version: env!("CARGO_PKG_VERSION"),
            players: sides.plain.players,
            agents: sides.agents.iter().map(ToString::to_string).collect(),
            seed: sides.seed,
            settings_of_both: both,
            requested: asked,
            runs,
            pairs,
            dropped: self.dropped,
            alarms,
        }
    }
}

/// Returns the seed of a run, from 0.
pub fn seed_of_run(seed: u64, run: u64) -> u64 {
    join(seed, hash_text("a run") ^ run)
}

impl FalseAlarms {
    /// Returns the result as text for a terminal.
    pub fn text(&self, color: bool) -> String {
        let FalseAlarms { title, runs, pairs, players, seed, .. } = self;
        let mut agents = self.agents.clone();
        agents.dedup();
        let (s, of_pairs, agents) = (plural(*runs), plural(*pairs), agents.join(", "));
        let mut text =
            format!("{title}: {runs} comparison{s} of {pairs} pair{of_pairs} of games, {players} players ({agents}), seed {seed}\n");
        if !self.settings_of_both.is_empty() {
            text.push_str(&wrapped(0, "both: ", self.settings_of_both.iter().cloned()));
        }
        text.push_str("both sides have the same rules and other draws: what is found to differ is a false alarm\n");
        if runs < &self.requested {
            text.push_str(&format!("stopped: {} were asked for\n", self.requested));
        }
        if self.dropped > 0 {
            text.push_str(&format!("dropped because of a fault: {} pair{}\n", self.dropped, plural(self.dropped)));
        }
        text.push('\n');
        text.push_str(&heading("False alarms", color));
        let mut table = TextTable::new(1);
        table.row(["", "of", "alarms", "rate", "95% interval", "promised"]);
        for alarm in &self.alarms {
            let Alarm { method, looks, alarms, rate, interval: [low, high], promised } = alarm;
            let most = if method == "points" || method == "games won" { "" } else { "at most " };
            let interval = format!("{:.1} to {:.1}%", low * 100.0, high * 100.0);
            let cells = [looks.to_string(), alarms.to_string(), format!("{:.1}%", rate * 100.0), interval];
            table.row([method.clone()].into_iter().chain(cells).chain([format!("{most}{:.0}%", promised * 100.0)]));
        }
        text.push_str(&table.text(2));
        let above =
            self.alarms.iter().filter(|alarm| alarm.interval[0] > alarm.promised).map(|alarm| alarm.method.clone()).collect::<Vec<_>>();
        text.push_str(&if above.is_empty() {
            "\nno rate is shown to be higher than promised\n".to_string()
        } else {
            format!("\nmore often than promised: {}; take what `compare` shows of this game with care\n", above.join(", "))
        });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::compare;
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::{NoScripts, Scripts};
    use crate::playtest::toy::toy;
    use std::sync::atomic::AtomicBool;

    fn run_false_alarms(runs: u64, pairs: u64) -> FalseAlarms {
        let rules = toy(2);
        let agents = parse_agents("random", 2).unwrap();
        let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
        let (once, mut counted) = (StoppingRule { pairs, until: None }, AlarmCounts::default());
        let sides =
            |seed| Sides { plain: &rules, changed: &rules, agents: &agents, seed, threads: 2, independent_seeds: true, training: None };
        for run in 0..runs {
            let (sides, begun) = (sides(seed_of_run(3, run)), ComparisonResults::default());
            let found = compare(&sides, (&scripts, &scripts), &once, begun, 0..pairs, &AtomicBool::new(false), &mut |_, _| ()).unwrap();
            counted.add(&sides, pairs, &found);
        }
        counted.finish(&sides(3), runs, pairs, Vec::new())
    }

    #[test]
    fn the_same_rules_are_found_to_differ_as_seldom_as_promised() {
        let said = run_false_alarms(120, 30);
        assert_eq!((said.runs, said.dropped, said.alarms[0].looks), (120, 0, 120));
        let text = said.text(false);
        assert!(said.alarms.iter().all(|alarm| alarm.interval[0] <= alarm.promised), "{text}");
        // The expected number is 6 of 120 runs; none would occur in one of 470 cases.
        assert!((1..=13).contains(&said.alarms[0].alarms), "{text}");
        assert!(
            text.contains("no rate is shown to be higher than promised") && text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
        assert_eq!(said.alarms, run_false_alarms(120, 30).alarms);
    }

    #[test]
    fn two_pairs_are_no_alarm() {
        let said = run_false_alarms(40, 2);
        assert!(said.alarms.iter().all(|alarm| alarm.alarms == 0), "{}", said.text(false));
    }
}
