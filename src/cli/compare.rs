//! `houserule compare`: plays the same games with and without a change.

mod aa;
mod adaptation;
mod crossed;
mod pairs;
mod plan;
mod searching;

use super::args::CompareArgs;
use super::load::{Workspace, players};
use super::output::{check_outputs, usage_error};
use super::report::Outputs;
use super::report::comparison::{show, show_ladder};
use super::result::CommandResult;
use super::run::Run;
use super::spec::of_compare;
use crate::playtest::compare::{ComparisonResults, Ladder};
use crate::playtest::saved::RunIdentity;
use crate::source::Sources;
use crate::spec::RunKind;
use plan::Plan;

/// Runs `houserule compare`.
pub fn compare_games(workspace: &Workspace, args: &CompareArgs) -> CommandResult {
    let (mut spec, written, save) = (of_compare(args)?, &args.written, args.kept.save.as_deref());
    // Both sides have as many players as the rules without the change have by default.
    spec.players = {
        let text = workspace.load_text(&mut Sources::new(), &args.game, &args.pack, &args.both)?;
        Some(players(&text, args.run.players)?)
    };
    spec.check_version(&workspace.at_version(spec.typed.version())?.games()).or_else(usage_error)?;
    let run = Run::compile(workspace, spec, args.run.thread_count())?;
    if let RunKind::FalseAlarms(runs) = run.spec.kind {
        return aa::compare(&run, runs, Outputs::open(written.json.as_ref(), None)?);
    }
    check_outputs(&written.named(), save, run.sides.sources.read_paths())?;
    let mut plan = Plan::of(run)?;
    plan.check_difference()?;
    plan.learn(save)?;
    plan.check_players()?;
    // A part of a run, or one that is to go on, is by those it was begun with.
    plan.may_search = args.ladder.is_none() && save.is_none() && args.kept.shard.is_none();
    let (mut saver, mut begun) = plan.open_saver(save)?;
    let outputs = Outputs::open(written.json.as_ref(), written.report.as_ref())?;
    let (mut comparisons, mut result) = (Vec::new(), Ok(()));
    for agents in &plan.run.line_ups {
        let found = plan.play(agents, std::mem::take(&mut begun), saver.take())?;
        let (comparison, ended) = plan.report(agents, &found)?;
        comparisons.push(comparison);
        result = result.and(ended);
    }
    if args.ladder.is_some() {
        return show_ladder(&Ladder::new(comparisons), outputs).and(result);
    }
    comparisons.first().map_or(Ok(()), |comparison| show(comparison, args.all, outputs)).and(result)
}

/// Reports a saved comparison, of which nothing is left to be played.
pub fn show_saved(run: Run<'_>, saved: &RunIdentity, found: &ComparisonResults, all: bool, outputs: Outputs) -> CommandResult {
    let mut plan = Plan::of(run)?;
    plan.compile_learnt()?;
    plan.check_same_rules(saved)?;
    let (comparison, result) = plan.report(plan.run.agents(), found)?;
    show(&comparison, all, outputs).and(result)
}
