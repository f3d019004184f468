//! Games by one choice of rules, and their report, as `playtest` and `merge` show it.

use serde::Serialize;

use super::super::faults::report_faults;
use super::super::output::{color, usage_error};
use super::super::result::CommandResult;
use super::super::run::Run;
use super::super::show::boards_of_first_game;
use super::{Outputs, card_names};
use crate::pack::Translations;
use crate::playtest::cards::CardEffects;
use crate::playtest::saved::RunIdentity;
use crate::playtest::{PageNames, PartialRun, RecordOptions, Report, RunOutcome, RunPlan, playtest_document, report, text};
use crate::spec::RunSpec;

/// JSON output: the result is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct PlaytestOutput<'a> {
    result: &'a Report,
    /// Translated names by id; `None` if no language was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Translations>,
    /// The effects of single cards, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    card_effects: Option<&'a CardEffects>,
    /// Speed of the run; `None` for merged runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<&'a RunTiming>,
}

/// Speed of a run.
#[derive(Serialize)]
pub struct RunTiming {
    /// Number of games played.
    #[serde(skip)]
    games: u64,
    seconds: f64,
    threads: usize,
    games_per_second: f64,
    decisions_per_second: f64,
}

impl RunTiming {
    /// Computes the speed of a run with this number of games and decisions.
    pub fn new(games: u64, decisions: i64, seconds: f64, threads: usize) -> RunTiming {
        let per_second = |number: f64| if seconds > 0.0 { number / seconds } else { 0.0 };
        let (games_per_second, decisions_per_second) = (per_second(games as f64), per_second(decisions as f64));
        RunTiming { games, seconds, threads, games_per_second, decisions_per_second }
    }

    fn text(&self) -> String {
        let RunTiming { games, seconds, threads, games_per_second, decisions_per_second } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        let speed = format!("{games_per_second:.0} games and {decisions_per_second:.0} decisions a second");
        format!("{games} games in {seconds:.2} s with {threads} thread{plural}: {speed}\n")
    }
}

impl Run<'_> {
    /// Returns the parameters of the games.
    pub fn plan(&self) -> RunPlan<'_> {
        let RunIdentity { games, seed, hooks, .. } = self.spec.run;
        let notes = RecordOptions { scripts: hooks, ..RecordOptions::default() };
        RunPlan { rules: &self.sides.plain.rules, agents: self.agents(), games, seed, threads: self.threads, notes }
    }

    /// Checks that the figures of a saved run are of seats, cards and actions that these rules have.
    pub fn check_own_figures(&self, begun: &PartialRun) -> CommandResult {
        let rules = &self.sides.plain.rules;
        match begun.outcome.tally.foreign(rules) {
            Some(what) => {
                usage_error(format!("the saved run is of no games of `{}`: its `{what}` tells of what these rules do not have", rules.game))
            }
            None => Ok(()),
        }
    }

    /// Returns the report of the games.
    pub fn report(&self, outcome: &RunOutcome) -> Report {
        let RunSpec { part, pace, typed, .. } = &self.spec;
        report(&self.plan(), outcome, &self.sides.sources, typed.changes.clone()).of_part(*part).at_pace(*pace)
    }

    /// Prints the report of the games, and writes its output files; shows what was wrong in games.
    pub fn show(&self, outcome: &RunOutcome, outputs: Outputs, timing: Option<&RunTiming>) -> CommandResult {
        self.show_with_effects(&self.report(outcome), None, outputs, timing).and(report_faults(&self.sides.sources, outcome))
    }

    /// Prints a report, with the effects of cards if there are any, and writes its output files.
    pub fn show_with_effects(
        &self,
        report: &Report,
        effects: Option<&CardEffects>,
        outputs: Outputs,
        timing: Option<&RunTiming>,
    ) -> CommandResult {
        let (game, printed) = (&self.sides.plain.text, Translations::default());
        let names = self.sides.names.as_ref().unwrap_or(&printed);
        let cards = &card_names(game, names);
        let told = || -> String {
            let effects = effects.map(|effects| effects.text(report, names, cards, color()));
            [Some(text(report, names, color())), effects, timing.map(RunTiming::text)].into_iter().flatten().collect()
        };
        let document = || {
            let boards = boards_of_first_game(&self.plan(), game, names);
            playtest_document(report, effects, &boards, PageNames { names, cards })
        };
        outputs.write(told, document, &PlaytestOutput { result: report, names: self.sides.names.as_ref(), card_effects: effects, timing })
    }
}
