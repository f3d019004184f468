//! `houserule merge`: saved parts of one run, put together.

use std::path::PathBuf;

use super::args::MergeArgs;
use super::keeper::read;
use super::load::Ground;
use super::output::{outputs_apart, say, wrong};
use super::playtest::Outputs;
use super::{Done, Trouble, compare, playtest};
use crate::playtest::saved::{Merged, Sums, merge};

/// Puts parts together, and reports them as one run.
pub fn merge_runs(ground: &Ground, args: &MergeArgs) -> Done {
    let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
    outputs_apart(&outputs, None, args.files.iter().map(PathBuf::as_path))?;
    let parts = args.files.iter().map(|path| Ok((path.display().to_string(), read(path)?))).collect::<Result<Vec<_>, Trouble>>()?;
    let Merged { whole, missing } = merge(parts).or_else(wrong)?;
    if !missing.is_empty() {
        say(&format!("{}\n", missing.join("\n")));
        if !args.partial {
            say("not all of the run is there; --partial sums up what is\n");
            return Err(Trouble::Finding);
        }
    }
    if args.all && matches!(whole.sums, Sums::Playtest(_)) {
        return wrong("`--all` is for comparisons, and these are games of `playtest`");
    }
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    match &whole.sums {
        Sums::Playtest(begun) => playtest::show_saved(ground, &whole, begun, outputs),
        Sums::Compare(found) => compare::show_saved(ground, &whole, found, args.all, outputs),
    }
}
