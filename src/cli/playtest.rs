//! `houserule playtest`: many games on all cores, summed up.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

mod cards;
mod series;

use super::args::PlaytestArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, one_for_the_terminal, print, say, tell, watched, wrong};
use super::play::of_fault;
use super::{Done, Trouble};
use crate::agent::parse_seats;
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Scripts};
use crate::lang::{GameText, Setup};
use crate::pack::Names;
use crate::playtest::{Called, GamesCsv, Listener, Notes, Outcome, Plan, Played, Report, playtest_page, report, run, text};
use crate::script::{ScriptHost, check_scripts};
use crate::source::Sources;
use crate::state::chance::seed_of_game;
use crate::table::{Chair, Failed, Replay, Session, Start, Stopped, Table};

/// Faults shown in full; more are only counted.
const MAX_SHOWN: usize = 5;

/// Set by Ctrl-C.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// What `--json` writes: the result is the same for the same seed, the timing is not.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a Report,
    /// What ids are called in the language that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Names>,
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
    one_for_the_terminal(&[("--json", &args.json), ("--csv", &args.csv), ("--report", &args.report)])?;
    let mut sources = Sources::new();
    let text_of_game = ground.text(&mut sources, &args.game, &args.pack, &args.with)?;
    ground.expect_language(std::slice::from_ref(&args.game), &args.pack)?;
    let names = ground.names(&sources, &text_of_game.content)?;
    let setup = set_up(players(&text_of_game, args.players)?, &args.option, &args.deal)?;
    let agents = parse_seats(&args.agents, setup.players, args.time_limit).or_else(wrong)?;
    let rules = compiled(&sources, &text_of_game, &setup)?;
    agents.iter().try_for_each(|agent| agent.suits(&rules)).or_else(wrong)?;
    // A misspelt call would otherwise drop the games that come to it.
    tell(&sources, &check_scripts(&rules))?;
    let threads = if args.threads > 0 { args.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let plan = Plan {
        rules: &rules,
        agents: &agents,
        games: args.games,
        seed: args.seed,
        threads,
        notes: Notes { scripts: args.hooks, ..Notes::default() },
    };
    if let (Some(number), Some(path)) = (args.game_number, &args.replay) {
        return one_game(&plan, number, path, &sources, args);
    }
    if args.series {
        return series::playtest(&plan, &setup, (&sources, &text_of_game), args);
    }
    if let Some(wanted) = &args.cards {
        return cards::playtest(&plan, &rules, (&setup, wanted), (&sources, &text_of_game), (&names, args));
    }
    // Before anything is played: a path that cannot be written would otherwise cost the games.
    let json = Out::open_if(args.json.as_ref())?;
    let csv = Out::open_if(args.csv.as_ref())?;
    let page = Out::open_if(args.report.as_ref())?;
    let quiet = [&json, &csv, &page].into_iter().flatten().any(Out::is_terminal);
    hear_ctrl_c();
    let scripts = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let started = Instant::now();
    let mut watch = Watch::new(args.games, started, csv, &plan)?;
    let outcome = run(&plan, &scripts, &STOP, &mut watch);
    let seconds = started.elapsed().as_secs_f64();
    watch.end()?;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    let report = report(&plan, &outcome, &sources, changes(&args.pack, &args.with, &args.option, &args.deal));
    let timing = timing(&outcome, seconds, threads);
    if !quiet {
        print(&text(&report, &names, color()));
        print(&speed(&outcome, &timing));
    }
    if let Some(page) = page {
        let cards = &card_names(&text_of_game, &names);
        page.page(playtest_page(&report, Called { names: &names, cards }))?;
    }
    if let Some(json) = json {
        json.json(&Written { result: &report, names: ground.language().map(|_| &names), timing })?;
    }
    tell_faults(&sources, &outcome)
}

/// Plays one game of a run, and writes its replay.
fn one_game(plan: &Plan<'_>, number: u64, path: &str, sources: &Sources, args: &PlaytestArgs) -> Done {
    let out = Out::open(path)?;
    let quiet = out.is_terminal();
    let seed = seed_of_game(plan.seed, number);
    let start = Start {
        game: args.game.clone(),
        players: plan.rules.players,
        seed,
        options: args.option.clone(),
        deal: args.deal.clone(),
        with: args.with.clone(),
        packs: args.pack.clone(),
        from: None,
    };
    let chairs: Vec<Chair> = plan.agents.iter().cloned().map(Chair::Machine).collect();
    let rules = Arc::new(plan.rules.clone());
    let mut session = match Session::new(&rules, Game::new(&rules, seed)) {
        Ok(session) => session,
        Err(faults) => return tell(sources, &faults).and(Err(Trouble::Finding)),
    };
    let told = |fault: &Fault, count: usize| tell(sources, &[of_fault(fault, seed, count)]);
    if let Err(failed) = session.start(&[]) {
        return told(&failed.fault, 0);
    }
    let mut table = match Table::new(session, chairs.clone()) {
        Ok(table) => table,
        Err(failed) => return told(&failed.fault, 0),
    };
    let mut stopped = Ok(());
    while table.waits_for_machine() {
        if let Err(found) = table.machine_answers() {
            // What was played until then can be looked at all the same.
            let (Stopped::Failed(Failed { fault, .. }, _) | Stopped::Player(fault)) = found;
            stopped = told(&fault, table.session.steps().len() + 1);
            break;
        }
    }
    table.end();
    out.text(&Replay::text_of(&start, &chairs, &table.session))?;
    if !quiet {
        let count = table.session.steps().len();
        let end = if table.session.game().finished() { "to its end" } else { "up to the fault" };
        print(&format!("game {number}, its seed {seed}: {count} answers, {end}; `houserule replay {path}` shows it\n"));
    }
    stopped
}

/// What cards are called, by their ids.
pub(super) fn card_names<'a>(text: &'a GameText, names: &'a Names) -> BTreeMap<&'a str, &'a str> {
    text.content.cards.iter().map(|card| (card.id.text.as_str(), names.card(card))).collect()
}

/// What was typed of options and of cards that are dealt.
pub(super) fn set_up<'a>(
    seats: usize,
    options: impl IntoIterator<Item = &'a String>,
    deal: impl IntoIterator<Item = &'a String>,
) -> Result<Setup, Trouble> {
    Setup::read(seats, options, deal).or_else(wrong)
}

/// The first Ctrl-C stops the run, a second one ends the program as usual. Where there can be no handler, the first one does.
pub(super) fn hear_ctrl_c() {
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130)
        }
    });
}

/// What was changed on the command line, for the report.
pub(super) fn changes(packs: &[PathBuf], with: &[String], options: &[String], dealt: &[String]) -> Vec<String> {
    let packs = packs.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = with.iter().map(|text| format!("--with '{text}'"));
    let options = options.iter().map(|option| format!("--option {option}"));
    let dealt = dealt.iter().map(|card| format!("--deal {card}"));
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

/// Faults that dropped games, each with how to meet it again.
pub(super) fn tell_faults(sources: &Sources, outcome: &Outcome) -> Done {
    let shown = outcome.faults.iter().take(MAX_SHOWN).map(|alike| {
        let dropped = &alike.first;
        let mut found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
        if dropped.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (dropped.game, dropped.seed, dropped.decision, dropped.round);
        found =
            dropped.fault.tell(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, after question {decision}"));
        if alike.games > 1 { found.help(format!("{} games were dropped for it", alike.games)) } else { found }
    });
    let shown: Vec<_> = shown.collect();
    let done = tell(sources, &shown);
    if outcome.faults.len() > MAX_SHOWN {
        say(&format!("and {} more faults\n", outcome.faults.len() - MAX_SHOWN));
    }
    done
}

/// Listens to a run: writes the single games, and draws a bar on the standard error if a person watches and it takes more than a
/// second.
struct Watch {
    bar: Option<ProgressBar>,
    games: u64,
    started: Instant,
    watched: bool,
    csv: Option<GamesCsv<Out>>,
    /// What went wrong with the table of games.
    trouble: csv::Result<()>,
}

impl Watch {
    fn new(games: u64, started: Instant, csv: Option<Out>, plan: &Plan<'_>) -> Result<Watch, Trouble> {
        let csv = csv.map(|out| GamesCsv::new(plan, out)).transpose().or_else(unwritten)?;
        Ok(Watch { bar: None, games, started, watched: watched(), csv, trouble: Ok(()) })
    }

    fn end(self) -> Done {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let ended = self.csv.map_or(Ok(()), GamesCsv::end);
        self.trouble.and(ended).or_else(unwritten)
    }
}

/// A table of games that could not be written; a reader that has gone away is no fault.
fn unwritten<T: Default>(fault: csv::Error) -> Result<T, Trouble> {
    match fault.kind() {
        csv::ErrorKind::Io(fault) if fault.kind() == std::io::ErrorKind::BrokenPipe => Ok(T::default()),
        _ => wrong(format!("cannot write the table of games: {fault}")),
    }
}

impl Listener for Watch {
    fn game(&mut self, number: u64, game: &Played) {
        if let (Some(csv), Ok(())) = (&mut self.csv, &self.trouble) {
            self.trouble = csv.game(number, game);
            if self.trouble.is_err() {
                // The rest of the games would be played in vain.
                STOP.store(true, Ordering::Relaxed);
            }
        }
    }

    fn done(&mut self, count: u64) {
        if self.bar.is_none() && self.watched && self.started.elapsed() > Duration::from_secs(1) {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left");
            let bar = ProgressBar::new(self.games).with_elapsed(self.started.elapsed());
            self.bar = Some(style.map_or(bar.clone(), |style| bar.with_style(style)));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(count);
        }
    }
}
