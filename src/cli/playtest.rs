//! `houserule playtest`: many games on all cores, summed up.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::PlaytestArgs;
use super::load::{Ground, compiled, parse_deal, parse_option, players};
use super::output::{color, print, say, tell, write_file, write_json, wrong};
use super::{Done, Trouble};
use crate::agent::parse_agents;
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Scripts};
use crate::lang::compile::Setup;
use crate::playtest::{Outcome, Plan, Report, csv, report, run, text};
use crate::script::{ScriptHost, check_scripts};
use crate::source::Sources;

/// Faults shown in full; more are only counted.
const MOST_SHOWN: usize = 5;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// What `--json` writes: the result is the same for the same seed, the timing is not.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a Report,
    timing: Timing,
}

/// How fast it was.
#[derive(Serialize)]
struct Timing {
    seconds: f64,
    threads: usize,
    games_per_second: f64,
    decisions_per_second: f64,
}

/// Plays many games.
pub fn playtest(ground: &Ground, args: &PlaytestArgs) -> Done {
    let mut sources = Sources::new();
    let text_of_game = ground.text(&mut sources, &args.game, &args.pack, &args.with)?;
    let mut setup = Setup { players: players(&text_of_game, args.players)?, ..Setup::default() };
    for option in &args.option {
        parse_option(option, &mut setup).or_else(wrong)?;
    }
    let seats = setup.players;
    if let Some((seat, name, _)) = setup.seat_options.iter().find(|(seat, ..)| *seat >= seats) {
        return wrong(format!("`{name}@p{}` speaks of a player that is not there; there are {seats}", seat + 1));
    }
    for card in &args.deal {
        setup.deal.push(parse_deal(card).or_else(wrong)?);
    }
    let agents = parse_agents(&args.agents, setup.players).or_else(wrong)?;
    let rules = compiled(&sources, &text_of_game, &setup)?;
    // A misspelt call would otherwise drop the games that come to it.
    tell(&sources, &check_scripts(&rules))?;
    let threads = if args.threads > 0 { args.threads } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let keep = args.csv.is_some();
    let plan = Plan { rules: &rules, agents: &agents, games: args.games, seed: args.seed, threads, keep };
    // A second Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130)
        }
    });
    let scripts = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let started = Instant::now();
    let mut watch = Watch::new(args.games, started);
    let outcome = run(&plan, &scripts, &STOP, &mut |done| watch.show(done));
    let seconds = started.elapsed().as_secs_f64();
    watch.end();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    let report = report(&plan, &outcome, &sources, changes(args));
    let timing = timing(&outcome, seconds, threads);
    if [&args.json, &args.csv].iter().all(|file| file.as_deref() != Some("-")) {
        print(&text(&report, color()));
        print(&speed(&outcome, &timing));
    }
    if let Some(file) = &args.json {
        write_json(file, &Written { result: &report, timing })?;
    }
    if let Some(file) = &args.csv {
        write_file(file, &csv(&plan, &outcome))?;
    }
    tell_faults(&sources, &outcome)
}

/// What was changed on the command line, for the report.
fn changes(args: &PlaytestArgs) -> Vec<String> {
    let with = args.with.iter().map(|text| format!("--with '{text}'"));
    let packs = args.pack.iter().map(|dir| format!("--pack {}", dir.display()));
    let dealt = args.deal.iter().map(|card| format!("--deal {card}"));
    let options = args.option.iter().map(|option| format!("--option {option}"));
    packs.chain(with).chain(options).chain(dealt).collect()
}

fn timing(outcome: &Outcome, seconds: f64, threads: usize) -> Timing {
    let per_second = |number: f64| if seconds > 0.0 { number / seconds } else { 0.0 };
    Timing {
        seconds,
        threads,
        games_per_second: per_second(outcome.tally.games as f64),
        decisions_per_second: per_second(outcome.tally.decisions.sum as f64),
    }
}

fn speed(outcome: &Outcome, timing: &Timing) -> String {
    format!(
        "{} games in {:.2} s with {} thread{}: {:.0} games and {:.0} decisions a second\n",
        outcome.tally.games,
        timing.seconds,
        timing.threads,
        if timing.threads == 1 { "" } else { "s" },
        timing.games_per_second,
        timing.decisions_per_second
    )
}

/// Faults that dropped games, alike ones together, each with how to meet it again.
fn tell_faults(sources: &Sources, outcome: &Outcome) -> Done {
    let mut alike: Vec<(&crate::playtest::Dropped, usize)> = Vec::new();
    for dropped in &outcome.dropped {
        // At one place the same goes wrong, perhaps with other numbers.
        let same = |found: &Fault| {
            found.alike(&dropped.fault) || found.span.is_some() && (&found.owner, found.span) == (&dropped.fault.owner, dropped.fault.span)
        };
        match alike.iter_mut().find(|(found, _)| same(&found.fault)) {
            Some((_, count)) => *count += 1,
            None => alike.push((dropped, 1)),
        }
    }
    let shown = alike.iter().take(MOST_SHOWN).map(|(dropped, count)| {
        let mut found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
        if dropped.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (dropped.game, dropped.seed, dropped.decision, dropped.round);
        found = found.trace(format!("game {game} of the run, its seed {seed}, round {round}, after question {decision}"));
        if *count > 1 { found.help(format!("{count} games were dropped for it")) } else { found }
    });
    let shown: Vec<_> = shown.collect();
    let done = tell(sources, &shown);
    if alike.len() > MOST_SHOWN {
        say(&format!("and {} more faults\n", alike.len() - MOST_SHOWN));
    }
    done
}

/// A bar on the standard error, if a person watches and it takes more than a second.
struct Watch {
    bar: Option<ProgressBar>,
    games: u64,
    started: Instant,
    watched: bool,
}

impl Watch {
    fn new(games: u64, started: Instant) -> Watch {
        Watch { bar: None, games, started, watched: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, done: u64) {
        if self.bar.is_none() && self.watched && self.started.elapsed() > Duration::from_secs(1) {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left");
            let bar = ProgressBar::new(self.games).with_elapsed(self.started.elapsed());
            self.bar = Some(style.map_or(bar.clone(), |style| bar.with_style(style)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
