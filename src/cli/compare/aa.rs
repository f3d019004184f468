//! `houserule compare --aa`: the same rules on both sides, to see how often a difference is found where there is none.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::load::Ground;
use super::super::output::{Out, color, print, tell};
use super::super::progress::Progress;
use super::super::signals::{STOP, hear_signals};
use super::super::{Done, Trouble};
use super::{Both, host, typed};
use crate::agent::parse_seats;
use crate::playtest::compare::{FalseAlarms, false_alarms};
use crate::source::Sources;

/// What `--json` writes: the result is the same for the same seed, the timing is not.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a FalseAlarms,
    seconds: f64,
}

/// Compares a game with itself, in so many runs.
pub(super) fn compare(ground: &Ground, args: &CompareArgs, seats: usize, runs: u64) -> Done {
    let typed = typed(args)?;
    let both = Both::made(ground, Sources::new(), &args.game, &typed, seats)?;
    let agents = parse_seats(&args.who.agents, seats, args.who.time_limit).or_else(super::wrong)?;
    agents.iter().try_for_each(|agent| agent.suits(&both.plain)).or_else(super::wrong)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let json = Out::open_if(args.written.json.as_ref())?;
    hear_signals();
    let (begun, progress) = (Instant::now(), Progress::new(runs * args.games, "pairs"));
    let scripts = || host(&Arc::clone(&both.plain));
    let sides = both.sides(&agents, args.run.seed, threads);
    let found = false_alarms(&sides, &scripts, (runs, args.games), typed.both.clone(), &STOP, &mut |done| progress.at(done));
    progress.end();
    let found = match found {
        Ok(found) => found,
        Err(faults) => return tell(&both.sources, &faults).and(Err(Trouble::Finding)),
    };
    let seconds = begun.elapsed().as_secs_f64();
    if !json.as_ref().is_some_and(Out::is_terminal) {
        print(&found.text(color()));
        print(&format!("{} games in {seconds:.1} s\n", 2 * found.runs * found.pairs));
    }
    json.map_or(Ok(()), |json| json.json(&Written { result: &found, seconds }))
}
