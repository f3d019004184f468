//! `houserule merge`: merges saved parts of one run.

use std::path::PathBuf;
use std::slice;

use super::args::MergeArgs;
use super::compare::show_saved;
use super::load::Workspace;
use super::output::{check_outputs, print_error, usage_error};
use super::report::Outputs;
use super::result::{CommandResult, ExitReason};
use super::run::Run;
use super::saver::read;
use crate::playtest::saved::{MergedRun, SavedResults, merge};
use crate::spec::RunSpec;

/// Runs `houserule merge`.
pub fn merge_runs(workspace: &Workspace, args: &MergeArgs) -> CommandResult {
    let written = &args.written;
    check_outputs(&written.named(), None, args.files.iter().map(PathBuf::as_path))?;
    let parts = args.files.iter().map(|path| Ok((path.display().to_string(), read(path)?))).collect::<Result<Vec<_>, ExitReason>>()?;
    let MergedRun { whole, missing } = merge(parts).or_else(usage_error)?;
    if !missing.is_empty() {
        print_error(&format!("{}\n", missing.join("\n")));
        if !args.partial {
            print_error("not all of the run is there; --partial sums up what is\n");
            return Err(ExitReason::Findings);
        }
    }
    if args.all && matches!(whole.sums, SavedResults::Playtest(_)) {
        return usage_error("`--all` is for comparisons, and these are games of `playtest`");
    }
    let outputs = Outputs::open(written.json.as_ref(), written.report.as_ref())?;
    let run = Run::compile(workspace, RunSpec { pace: written.pace, ..whole.spec() }, 1)?;
    match &whole.sums {
        SavedResults::Playtest(begun) => {
            run.check_same_rules(slice::from_ref(&run.sides), &whole.run)?;
            run.check_own_figures(begun)?;
            run.show(&begun.outcome, outputs, None)
        }
        SavedResults::Compare(found) => show_saved(run, &whole.run, found, args.all, outputs),
        SavedResults::Steps(_) => usage_error("what a training or a search has kept has no parts"),
    }
}
