//! `houserule merge`: merges saved parts of one run.

use std::path::PathBuf;

use super::args::MergeArgs;
use super::load::Workspace;
use super::output::{check_outputs, print_error, usage_error};
use super::report::{Outputs, comparison, games};
use super::result::{CommandResult, ExitReason};
use super::saver::read;
use crate::playtest::saved::{MergedRun, SavedResults, merge};

/// Runs `houserule merge`.
pub fn merge_runs(workspace: &Workspace, args: &MergeArgs) -> CommandResult {
    let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
    check_outputs(&outputs, None, args.files.iter().map(PathBuf::as_path))?;
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
    let outputs = Outputs::open(&args.written)?;
    match &whole.sums {
        SavedResults::Playtest(begun) => games::show_saved(workspace, &whole, begun, outputs),
        SavedResults::Compare(found) => comparison::show_saved(workspace, &whole, found, args.all, outputs),
    }
}
