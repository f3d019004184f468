//! `houserule tournament`: every kind of machine player against every other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::args::TournamentArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, print, tell, wrong};
use super::playtest::{changes, set_up, tell_faults};
use super::progress::Progress;
use super::signals::{STOP, hear_signals};
use super::{Done, Trouble};
use crate::agent::{AgentKind, parse_kinds};
use crate::engine::Scripts;
use crate::playtest::tournament::{Field, Tournament, tournament, tournament_report};
use crate::script::{ScriptHost, check_scripts};
use crate::source::Sources;

/// What `--json` writes: the result is the same for the same seed, the timing is not.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a Tournament,
    timing: Timing<'a>,
}

/// How fast it was.
#[derive(Serialize)]
struct Timing<'a> {
    seconds: f64,
    threads: usize,
    thought: Vec<Thought<'a>>,
}

/// How long a kind of players thought.
#[derive(Serialize)]
struct Thought<'a> {
    agent: &'a str,
    decisions: u64,
    milliseconds_per_decision: Option<f64>,
}

/// Lets all kinds meet, and says how strong each of them is.
pub fn tournament_of_agents(ground: &Ground, args: &TournamentArgs) -> Done {
    let mut sources = Sources::new();
    let text = ground.text(&mut sources, &args.game, &args.changed.pack, &args.changed.with)?;
    ground.expect_language(std::slice::from_ref(&text.content.game), &args.changed.pack)?;
    let names = ground.names(&sources, &text.content)?;
    let setup = set_up(players(&text, args.run.players)?, &args.changed.option, &args.changed.deal)?;
    if setup.players < 2 {
        return wrong("nobody meets anybody in a game of one player");
    }
    let agents = kinds(args)?;
    let rules = compiled(&sources, &text, &setup)?;
    agents.iter().try_for_each(|agent| agent.suits(&rules)).or_else(wrong)?;
    tell(&sources, &check_scripts(&rules))?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let field = Field { rules: &rules, agents: &agents, deals: args.games / 2, seed: args.run.seed, threads };
    let json = Out::open_if(args.json.as_ref())?;
    hear_signals();
    let progress = Progress::new(args.games * (agents.len() * (agents.len() - 1) / 2) as u64, "games");
    let host = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let begun = Instant::now();
    let results = tournament(&field, &host, &STOP, &|done| progress.at(done));
    let seconds = begun.elapsed().as_secs_f64();
    progress.end();
    let results = match results {
        Ok(results) => results,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    let mut found =
        tournament_report(&field, &results, changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal));
    found.title = names.title(&found.title).to_string();
    let milliseconds = |(time, count): &(Duration, u64)| (*count > 0).then(|| time.as_secs_f64() * 1000.0 / *count as f64);
    let thought: Vec<Option<f64>> = results.thought.iter().map(milliseconds).collect();
    if !json.as_ref().is_some_and(Out::is_terminal) {
        print(&found.text(&thought, color()));
    }
    if let Some(json) = json {
        let thought = found.ratings.iter().zip(&results.thought).zip(thought).map(|((rated, (_, decisions)), time)| Thought {
            agent: &rated.agent,
            decisions: *decisions,
            milliseconds_per_decision: time,
        });
        json.json(&Written { result: &found, timing: Timing { seconds, threads, thought: thought.collect() } })?;
    }
    tell_faults(&sources, &results.lost)
}

/// The kinds that were named, each once.
fn kinds(args: &TournamentArgs) -> Result<Vec<AgentKind>, Trouble> {
    let kinds = parse_kinds(&args.agents, args.time_limit).or_else(wrong)?;
    if let Some(twice) = kinds.iter().enumerate().find_map(|(at, kind)| kinds[..at].contains(kind).then_some(kind)) {
        return wrong(format!("`{twice}` is named twice; each kind of player is named once"));
    }
    match kinds.as_slice() {
        [] | [_] => wrong("name at least two kinds of players, such as `--agents random,greedy`"),
        _ => Ok(kinds),
    }
}
