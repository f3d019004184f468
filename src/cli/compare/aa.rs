//! `houserule compare --aa`: compares the same rules with themselves to measure the rate of false alarms.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::load::Workspace;
use super::super::output::{OutputFile, color, print, show_diagnostics};
use super::super::progress::Progress;
use super::super::report::comparison::{BothRulesets, script_host};
use super::super::result::{CommandResult, ExitReason};
use super::super::signals::{STOP, install_signal_handlers};
use super::typed_settings;
use crate::agent::parse_seats;
use crate::playtest::compare::{FalseAlarms, false_alarms};
use crate::source::Sources;

/// JSON output of `compare --aa`: `result` is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct FalseAlarmOutput<'a> {
    result: &'a FalseAlarms,
    seconds: f64,
}

/// Compares a game with itself in several runs, and reports how often a difference is found although there is none.
pub(super) fn compare(workspace: &Workspace, args: &CompareArgs, seats: usize, runs: u64) -> CommandResult {
    let typed = typed_settings(args)?;
    let both = BothRulesets::compile_side(workspace, Sources::new(), &args.game, &typed, seats)?;
    let agents = parse_seats(&args.who.agents, seats, args.who.time_limit).or_else(super::usage_error)?;
    agents.iter().try_for_each(|agent| agent.check_rules(&both.plain)).or_else(super::usage_error)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let json = OutputFile::open_if(args.written.json.as_ref())?;
    install_signal_handlers();
    let (started, progress) = (Instant::now(), Progress::new(runs * args.games, "pairs"));
    let scripts = || script_host(&Arc::clone(&both.plain));
    let sides = both.sides(&agents, args.run.seed, threads);
    let found = false_alarms(&sides, &scripts, (runs, args.games), typed.both.clone(), &STOP, &mut |done| progress.set_done(done));
    progress.finish();
    let found = match found {
        Ok(found) => found,
        Err(faults) => return show_diagnostics(&both.sources, &faults).and(Err(ExitReason::Findings)),
    };
    let seconds = started.elapsed().as_secs_f64();
    if !json.as_ref().is_some_and(OutputFile::is_terminal) {
        print(&found.text(color()));
        print(&format!("{} games in {seconds:.1} s\n", 2 * found.runs * found.pairs));
    }
    json.map_or(Ok(()), |json| json.write_json(&FalseAlarmOutput { result: &found, seconds }))
}
