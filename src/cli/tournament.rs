//! `houserule tournament`: every agent plays against every other.

use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

use serde::Serialize;

use super::args::TournamentArgs;
use super::faults::report_faults;
use super::load::{Workspace, compile_rules, players, set_up};
use super::output::{OutputFile, check_outputs, color, print, show_diagnostics, usage_error};
use super::progress::Progress;
use super::report::changes;
use super::result::{CommandResult, ExitReason};
use super::signals::{STOP, install_signal_handlers};
use crate::agent::{AgentKind, parse_kinds};
use crate::engine::Scripts;
use crate::playtest::tournament::{Tournament, TournamentPlan, tournament, tournament_report};
use crate::script::{ScriptHost, check_scripts};
use crate::source::Sources;

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
    let mut sources = Sources::new();
    let text = workspace.load_text(&mut sources, &args.game, &args.changed.pack, &args.changed.with)?;
    workspace.expect_language(std::slice::from_ref(&text.content.game), &args.changed.pack)?;
    let names = workspace.load_names(&sources, &text.content)?;
    let setup = set_up(players(&text, args.run.players)?, &args.changed.option, &args.changed.deal)?;
    if setup.players < 2 {
        return usage_error("nobody meets anybody in a game of one player");
    }
    let agents = kinds(args)?;
    let rules = compile_rules(&sources, &text, &setup)?;
    if rules.together.is_some() {
        return usage_error(
            "nobody meets anybody where all win or lose together; `houserule playtest --agents …` tells how many games each kind of players wins",
        );
    }
    agents.iter().try_for_each(|agent| agent.check_rules(&rules)).or_else(usage_error)?;
    show_diagnostics(&sources, &check_scripts(&rules))?;
    let threads = args.run.thread_count();
    let field = TournamentPlan { rules: &rules, agents: &agents, deals: args.games / 2, seed: args.run.seed, threads };
    check_outputs(&[("--json", &args.json), ("--report", &args.report)], None, sources.read_paths())?;
    let (json, page) = (OutputFile::open_if(args.json.as_ref())?, OutputFile::open_if(args.report.as_ref())?);
    install_signal_handlers();
    let progress = Progress::new(args.games * (agents.len() * (agents.len() - 1) / 2) as u64, "games");
    let host = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let started = Instant::now();
    let results = tournament(&field, &host, &STOP, &|done| progress.set_done(done));
    let seconds = started.elapsed().as_secs_f64();
    progress.finish();
    let results = match results {
        Ok(results) => results,
        Err(faults) => return show_diagnostics(&sources, &faults).and(Err(ExitReason::Findings)),
    };
    let mut found =
        tournament_report(&field, &results, changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal));
    found.title = names.title(&found.title).to_string();
    let milliseconds = |(time, count): &(Duration, u64)| (*count > 0).then(|| time.as_secs_f64() * 1000.0 / *count as f64);
    let thought: Vec<Option<f64>> = results.thinking_times.iter().map(milliseconds).collect();
    if ![&json, &page].into_iter().flatten().any(OutputFile::is_terminal) {
        print(&found.text(&thought, color()));
    }
    let written = page.map_or(Ok(()), |page| page.write_document(&found.document(&thought)));
    if let Some(json) = json {
        let thought = found.ratings.iter().zip(&results.thinking_times).zip(thought).map(|((rated, (_, decisions)), time)| ThinkingTime {
            agent: &rated.agent,
            decisions: *decisions,
            milliseconds_per_decision: time,
        });
        json.write_json(&TournamentOutput { result: &found, timing: TournamentTiming { seconds, threads, thought: thought.collect() } })?;
    }
    written.and(report_faults(&sources, &results.faults))
}

/// Parses the agents named on the command line, without duplicates.
fn kinds(args: &TournamentArgs) -> Result<Vec<AgentKind>, ExitReason> {
    let kinds = parse_kinds(&args.agents, args.time_limit).or_else(usage_error)?;
    if let Some(twice) = kinds.iter().enumerate().find_map(|(at, kind)| kinds[..at].contains(kind).then_some(kind)) {
        return usage_error(format!("`{twice}` is named twice; each kind of player is named once"));
    }
    match kinds.as_slice() {
        [] | [_] => usage_error("name at least two kinds of players, such as `--agents random,greedy`"),
        _ => Ok(kinds),
    }
}
