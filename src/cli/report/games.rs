//! The report of a run of games, as `playtest` and `merge` show it.

use serde::Serialize;

use super::super::faults::report_faults;
use super::super::load::{CompiledGame, Workspace, compile_side};
use super::super::output::{color, print, usage_error};
use super::super::result::CommandResult;
use super::super::saver::check_same_rules;
use super::super::show::boards_of_first_game;
use super::{Outputs, card_names};
use crate::agent::parse_seats;
use crate::engine::Ruleset;
use crate::lang::GameText;
use crate::pack::Translations;
use crate::playtest::saved::{RunIdentity, Saved, SavedCommand, SideRules, TypedSettings};
use crate::playtest::{PageNames, PartialRun, RecordOptions, Report, RunPlan, playtest_document, report, text};
use crate::source::Sources;

/// JSON output: the result is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct PlaytestOutput<'a> {
    result: &'a Report,
    /// Translated names by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Translations>,
    /// Speed of the run; `None` for merged runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<RunTiming>,
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
    pub fn new((games, decisions): (u64, i64), seconds: f64, threads: usize) -> RunTiming {
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

/// Prints a report and writes its output files.
pub fn show(
    workspace: &Workspace,
    (report, names): (&Report, &Translations),
    (game, plan): (&GameText, &RunPlan<'_>),
    outputs: Outputs,
    quiet: bool,
    timing: Option<RunTiming>,
) -> CommandResult {
    if !quiet {
        print(&text(report, names, color()));
        timing.iter().for_each(|timing| print(&timing.text()));
    }
    let called = PageNames { names, cards: &card_names(game, names) };
    let written = PlaytestOutput { result: report, names: workspace.language().map(|_| names), timing };
    outputs.write_files(|| playtest_document(report, None, &boards_of_first_game(plan, game, names), called), &written)
}

/// Reports a saved run.
pub fn show_saved(workspace: &Workspace, saved: &Saved, partial: &PartialRun, outputs: Outputs) -> CommandResult {
    let (run, typed) = (&saved.run, &saved.typed);
    let mut sources = Sources::new();
    let side = typed.sides.first().cloned().unwrap_or_default();
    let CompiledGame { text: game, rules, .. } = compile_side(workspace, &mut sources, &run.game, &side, Some(run.players))?;
    workspace.expect_language(std::slice::from_ref(&run.game), &side.packs)?;
    let names = workspace.load_names(&sources, &game.content)?;
    let agents = parse_seats(&typed.agents, run.players, None).or_else(usage_error)?;
    let notes = RecordOptions { scripts: run.hooks, ..RecordOptions::default() };
    let plan = RunPlan { rules: &rules, agents: &agents, games: run.games, seed: run.seed, threads: 1, notes };
    check_same_rules(run, &run_of(&plan, typed))?;
    check_own_figures(partial, &rules)?;
    let report = report(&plan, &partial.outcome, &sources, typed.changes.clone()).of_part(saved.part).at_pace(outputs.pace);
    let quiet = outputs.on_terminal();
    show(workspace, (&report, &names), (&game, &plan), outputs, quiet, None).and(report_faults(&sources, &partial.outcome))
}

/// Checks that the figures of a saved run are of seats, cards and actions that its rules have.
pub fn check_own_figures(saved: &PartialRun, rules: &Ruleset) -> CommandResult {
    match saved.outcome.tally.foreign(rules) {
        Some(what) => {
            usage_error(format!("the saved run is of no games of `{}`: its `{what}` tells of what these rules do not have", rules.game))
        }
        None => Ok(()),
    }
}

/// Returns the identity of a run: everything its games depend on.
pub fn run_of(plan: &RunPlan<'_>, typed: &TypedSettings) -> RunIdentity {
    RunIdentity {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: SavedCommand::Playtest,
        game: plan.rules.game.clone(),
        players: plan.rules.players,
        agents: plan.agents.iter().map(ToString::to_string).collect(),
        games: plan.games,
        seed: plan.seed,
        hooks: plan.notes.scripts,
        until: None,
        sides: typed.sides.iter().map(|side| SideRules::new(plan.rules, side)).collect(),
    }
}
