//! `houserule tournament`: every agent plays against every other.

use std::time::Duration;

use serde::Serialize;

use super::args::TournamentArgs;
use super::faults::report_faults;
use super::load::Workspace;
use super::output::{check_outputs, color};
use super::report::Outputs;
use super::result::CommandResult;
use super::run::Run;
use super::signals::STOP;
use super::spec::of_tournament;
use super::stage::{Played, Stage};
use crate::playtest::script_host;
use crate::playtest::tournament::{Tournament, TournamentPlan, tournament, tournament_report};

/// JSON output: the result is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct TournamentOutput<'a> {
    result: &'a Tournament,
    timing: TournamentTiming<'a>,
}

/// Speed of the tournament.
#[derive(Serialize)]
struct TournamentTiming<'a> {
    seconds: f64,
    threads: usize,
    thought: Vec<ThinkingTime<'a>>,
}

/// Thinking time of an agent.
#[derive(Serialize)]
struct ThinkingTime<'a> {
    agent: &'a str,
    decisions: u64,
    milliseconds_per_decision: Option<f64>,
}

/// Runs `houserule tournament`.
pub fn tournament_of_agents(workspace: &Workspace, args: &TournamentArgs) -> CommandResult {
    let run = Run::compile(workspace, of_tournament(args)?, args.run.thread_count())?;
    run.check_players(&run.sides)?;
    let (rules, sources, agents, threads) = (&run.sides.plain.rules, &run.sides.sources, run.agents(), run.threads);
    let field = TournamentPlan { rules, agents, deals: args.games / 2, seed: args.run.seed, threads };
    check_outputs(&[("--json", &args.json), ("--report", &args.report)], None, sources.read_paths())?;
    let outputs = Outputs::open(args.json.as_ref(), args.report.as_ref())?;
    let stage = Stage::begin(args.games * (agents.len() * (agents.len() - 1) / 2) as u64, "games", None);
    let play = |stage: &mut Stage| tournament(&field, &|| script_host(rules), &STOP, &|done| stage.done(done));
    let Played { found: results, seconds, .. } = stage.play(sources, play)?;
    let mut found = tournament_report(&field, &results, run.spec.typed.changes.clone());
    if let Some(names) = &run.sides.names {
        found.title = names.title(&found.title).to_string();
    }
    let milliseconds = |(time, count): &(Duration, u64)| (*count > 0).then(|| time.as_secs_f64() * 1000.0 / *count as f64);
    let times: Vec<Option<f64>> = results.thinking_times.iter().map(milliseconds).collect();
    let thought = found.ratings.iter().zip(&results.thinking_times).zip(&times).map(|((rated, (_, decisions)), time)| ThinkingTime {
        agent: &rated.agent,
        decisions: *decisions,
        milliseconds_per_decision: *time,
    });
    let output = TournamentOutput { result: &found, timing: TournamentTiming { seconds, threads, thought: thought.collect() } };
    let written = outputs.write(|| found.text(&times, color()), || found.document(&times), &output);
    written.and(report_faults(sources, &results.faults))
}
