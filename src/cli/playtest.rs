//! `houserule playtest`: plays many games on all cores and summarises them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::Serialize;

mod cards;
mod series;
mod tables;

use self::tables::GameTableFiles;
use super::args::PlaytestArgs;
use super::load::{CompiledGame, Workspace, compile_side};
use super::output::{OutputFile, check_outputs, color, print, print_error, show_diagnostics, usage_error};
use super::play::fault_diagnostic;
use super::progress::Progress;
use super::saver::RunSaver;
use super::signals::{STOP, install_signal_handlers};
use super::{CommandResult, ExitReason};
use crate::agent::parse_seats;
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Scripts};
use crate::lang::{GameText, Setup};
use crate::pack::Names;
use crate::playtest::saved::{RunIdentity, Saved, SavedCommand, SavedResults, SideRules, SideSettings, TypedSettings, difference_message};
use crate::playtest::{
    Listener, PageNames, PartialRun, PlayedGame, RecordOptions, Report, RunOutcome, RunPart, RunPlan, playtest_page, report, resume, text,
};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::state::chance::seed_of_game;
use crate::table::{AnswerFailure, Replay, SeatPlayer, SeatedSession, Session, Start, StopReason};

/// Maximum number of faults shown in full; the rest is only counted.
const MAX_SHOWN: usize = 5;

/// JSON output: the result is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct PlaytestOutput<'a> {
    result: &'a Report,
    /// Translated names by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Names>,
    /// Speed of the run; `None` for merged runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<RunTiming>,
}

/// Speed of a run.
#[derive(Serialize)]
struct RunTiming {
    /// Number of games played.
    #[serde(skip)]
    games: u64,
    seconds: f64,
    threads: usize,
    games_per_second: f64,
    decisions_per_second: f64,
}

/// Runs `houserule playtest`.
pub fn playtest(workspace: &Workspace, args: &PlaytestArgs) -> CommandResult {
    let mut sources = Sources::new();
    let typed = typed_settings(args);
    let CompiledGame { text: text_of_game, setup, rules } =
        compile_side(workspace, &mut sources, &args.game, &typed.sides[0], args.run.players)?;
    let [json, csv, parquet, report] = [&args.written.json, &args.csv, &args.parquet, &args.written.report];
    let outputs = [("--json", json), ("--csv", csv), ("--parquet", parquet), ("--report", report), ("--replay", &args.replay)];
    check_outputs(&outputs, args.save.as_deref(), sources.read_paths())?;
    workspace.expect_language(std::slice::from_ref(&args.game), &args.changed.pack)?;
    let names = workspace.names(&sources, &text_of_game.content)?;
    let agents = parse_seats(&args.who.agents, setup.players, args.who.time_limit).or_else(usage_error)?;
    agents.iter().try_for_each(|agent| agent.suits(&rules)).or_else(usage_error)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let plan = RunPlan {
        rules: &rules,
        agents: &agents,
        games: args.games,
        seed: args.run.seed,
        threads,
        notes: RecordOptions { scripts: args.hooks, ..RecordOptions::default() },
    };
    if let (Some(number), Some(path)) = (args.game_number, &args.replay) {
        if number >= args.games {
            return usage_error(format!(
                "`--game {number}`: the games of {} are numbered from 0 to {}",
                args.games,
                args.games.saturating_sub(1)
            ));
        }
        return write_replay_of(&plan, number, path, &sources, args);
    }
    if args.series {
        return series::playtest(&plan, &setup, (&sources, &text_of_game), args);
    }
    if let Some(wanted) = &args.cards {
        return cards::playtest(&plan, &rules, (&setup, wanted), (&sources, &text_of_game), (workspace.language().map(|_| &names), args));
    }
    let part = parse_part(args.shard, args.games)?;
    let partial = PartialRun::new(&rules);
    let saved = |partial| Saved { run: run_of(&plan, &typed), typed: typed.clone(), part, sums: SavedResults::Playtest(Box::new(partial)) };
    let (saver, partial) = open_saver(args.save.as_deref(), saved(partial.clone()), partial)?;
    let changes = saver.as_ref().map_or(&typed.changes, |saver| &saver.saved().typed.changes).clone();
    if !partial.done.is_empty() && (args.csv.is_some() || args.parquet.is_some()) {
        return usage_error(
            "games that are done already would be missing from --csv and --parquet, since --save keeps their sums alone; leave these out, or begin anew with another file",
        );
    }
    // Outputs are opened before the games are played, so that a wrong path wastes no time.
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    let tables = GameTableFiles::open(&plan, args.csv.as_ref(), args.parquet.as_ref())?;
    let quiet = outputs.on_terminal() || args.csv.as_deref() == Some("-");
    install_signal_handlers();
    let scripts = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let (started, games) = (Instant::now(), part.games(args.games));
    let before = (partial.outcome.tally.games, partial.outcome.tally.decisions.sum);
    let skipped = games.end - games.start - partial.done.iter().map(|range| range.end - range.start).sum::<u64>();
    let mut watch = RunListener::new(skipped, tables, saver);
    let partial = resume(&plan, partial, games, &scripts, &STOP, &mut watch);
    let seconds = started.elapsed().as_secs_f64();
    let partial = match partial {
        Ok(partial) => partial,
        Err(faults) => return show_diagnostics(&sources, &faults).and(Err(ExitReason::Findings)),
    };
    // An error of an output file does not suppress the report.
    let written = watch.end(&partial);
    let outcome = partial.outcome;
    let timing = RunTiming::new((outcome.tally.games - before.0, outcome.tally.decisions.sum - before.1), seconds, threads);
    let report = self::report(&plan, &outcome, &sources, changes).of_part(part);
    let shown = show(workspace, (&report, &names), &text_of_game, outputs, quiet, Some(timing));
    written.and(shown).and(report_faults(&sources, &outcome))
}

/// Prints a report and writes its output files.
fn show(
    workspace: &Workspace,
    (report, names): (&Report, &Names),
    game: &GameText,
    outputs: Outputs,
    quiet: bool,
    timing: Option<RunTiming>,
) -> CommandResult {
    if !quiet {
        print(&text(report, names, color()));
        timing.iter().for_each(|timing| print(&timing.text()));
    }
    let called = PageNames { names, cards: &card_names(game, names) };
    let page = outputs.page.map_or(Ok(()), |page| page.page(playtest_page(report, None, called)));
    let written = PlaytestOutput { result: report, names: workspace.language().map(|_| names), timing };
    let json = outputs.json.map_or(Ok(()), |json| json.json(&written));
    page.and(json)
}

/// Reports a saved run.
pub(super) fn show_saved(workspace: &Workspace, saved: &Saved, partial: &PartialRun, outputs: Outputs) -> CommandResult {
    let (run, typed) = (&saved.run, &saved.typed);
    let mut sources = Sources::new();
    let side = typed.sides.first().cloned().unwrap_or_default();
    let CompiledGame { text: game, rules, .. } = compile_side(workspace, &mut sources, &run.game, &side, Some(run.players))?;
    workspace.expect_language(std::slice::from_ref(&run.game), &side.packs)?;
    let names = workspace.names(&sources, &game.content)?;
    let agents = parse_seats(&typed.agents, run.players, None).or_else(usage_error)?;
    let notes = RecordOptions { scripts: run.hooks, ..RecordOptions::default() };
    let plan = RunPlan { rules: &rules, agents: &agents, games: run.games, seed: run.seed, threads: 1, notes };
    check_same_rules(run, &run_of(&plan, typed))?;
    let report = report(&plan, &partial.outcome, &sources, typed.changes.clone()).of_part(saved.part);
    let quiet = outputs.on_terminal();
    show(workspace, (&report, &names), &game, outputs, quiet, None).and(report_faults(&sources, &partial.outcome))
}

/// The identity of a run: everything its games depend on.
fn run_of(plan: &RunPlan<'_>, typed: &TypedSettings) -> RunIdentity {
    RunIdentity {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: SavedCommand::Playtest,
        game: plan.rules.game.clone(),
        players: plan.rules.players,
        agents: plan.agents.iter().map(ToString::to_string).collect(),
        games: plan.games,
        seed: plan.seed,
        hooks: plan.notes.scripts,
        until: None,
        sides: typed.sides.iter().map(|side| SideRules::new(plan.rules, side)).collect(),
    }
}

/// Checks that the rules of a saved run have not changed.
pub(super) fn check_same_rules(saved: &RunIdentity, now: &RunIdentity) -> CommandResult {
    let differences = saved.differences(now);
    if differences.is_empty() {
        return Ok(());
    }
    usage_error(format!(
        "{}\nrun it where the game and its packs are as they were",
        difference_message(("the saved run", "this folder"), &differences)
    ))
}

/// The requested part of the run.
pub(super) fn parse_part(shard: Option<RunPart>, games: u64) -> Result<RunPart, ExitReason> {
    match shard {
        Some(part) if part.of > games => {
            usage_error(format!("`--shard {}/{}`: {games} games cannot be parted so often", part.number, part.of))
        }
        shard => Ok(shard.unwrap_or(RunPart::WHOLE)),
    }
}

/// Opens the file of `--save`, if it was given; returns also the results in it.
fn open_saver(path: Option<&Path>, saved: Saved, fresh: PartialRun) -> Result<(Option<RunSaver>, PartialRun), ExitReason> {
    let Some(path) = path else { return Ok((None, fresh)) };
    let saver = RunSaver::open(path, saved, "games")?;
    let partial = match &saver.saved().sums {
        SavedResults::Playtest(partial) => (**partial).clone(),
        SavedResults::Compare(_) => fresh,
    };
    Ok((Some(saver), partial))
}

/// The arguments as typed.
fn typed_settings(args: &PlaytestArgs) -> TypedSettings {
    let side = SideSettings {
        packs: args.changed.pack.clone(),
        with: args.changed.with.clone(),
        options: args.changed.option.clone(),
        deal: args.changed.deal.clone(),
    };
    TypedSettings {
        sides: vec![side],
        agents: args.who.agents.clone(),
        both: Vec::new(),
        changes: changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal),
    }
}

/// Output files of a report.
pub(super) struct Outputs {
    pub json: Option<OutputFile>,
    pub page: Option<OutputFile>,
}

impl Outputs {
    /// Opens the files that were given.
    pub fn open(json: Option<&String>, page: Option<&String>) -> Result<Outputs, ExitReason> {
        Ok(Outputs { json: OutputFile::open_if(json)?, page: OutputFile::open_if(page)? })
    }

    /// Whether one of them is the standard output, which suppresses the text report.
    pub fn on_terminal(&self) -> bool {
        [&self.json, &self.page].into_iter().flatten().any(OutputFile::is_terminal)
    }
}

/// Plays one game of a run and writes its replay.
fn write_replay_of(plan: &RunPlan<'_>, number: u64, path: &str, sources: &Sources, args: &PlaytestArgs) -> CommandResult {
    let out = OutputFile::open(path)?;
    let quiet = out.is_terminal();
    let seed = seed_of_game(plan.seed, number);
    let start = Start {
        game: args.game.clone(),
        players: plan.rules.players,
        seed,
        options: args.changed.option.clone(),
        deal: args.changed.deal.clone(),
        with: args.changed.with.clone(),
        packs: args.changed.pack.clone(),
        from: None,
    };
    let seat_players: Vec<SeatPlayer> = plan.agents.iter().cloned().map(SeatPlayer::Machine).collect();
    let rules = Arc::new(plan.rules.clone());
    let mut session = match Session::new(&rules, Game::new(&rules, seed)) {
        Ok(session) => session,
        Err(faults) => return show_diagnostics(sources, &faults).and(Err(ExitReason::Findings)),
    };
    let report_fault = |fault: &Fault, count: usize| show_diagnostics(sources, &[fault_diagnostic(fault, seed, count)]);
    if let Err(failed) = session.start(&[]) {
        return report_fault(&failed.fault, 0);
    }
    let mut table = match SeatedSession::new(session, seat_players.clone()) {
        Ok(table) => table,
        Err(failed) => return report_fault(&failed.fault, 0),
    };
    let mut stopped = Ok(());
    while table.is_agent_asked() {
        if let Err(found) = table.let_agent_answer() {
            // The replay up to the fault is written all the same.
            let (StopReason::Failed(AnswerFailure { fault, .. }, _) | StopReason::Player(fault)) = found;
            stopped = report_fault(&fault, table.session.answers().len() + 1);
            break;
        }
    }
    table.end();
    out.text(&Replay::text_of(&start, &seat_players, &table.session))?;
    if !quiet {
        let count = table.session.answers().len();
        let end = if table.session.game().finished() { "to its end" } else { "up to the fault" };
        print(&format!("game {number}, its seed {seed}: {count} answers, {end}; `houserule replay {path}` shows it\n"));
    }
    stopped
}

/// Display names of cards by id.
pub(super) fn card_names<'a>(text: &'a GameText, names: &'a Names) -> BTreeMap<&'a str, &'a str> {
    text.content.cards.iter().map(|card| (card.id.text.as_str(), names.card(card))).collect()
}

/// The set-up from the options and dealt cards on the command line.
pub(super) fn set_up<'a>(
    seats: usize,
    options: impl IntoIterator<Item = &'a String>,
    deal: impl IntoIterator<Item = &'a String>,
) -> Result<Setup, ExitReason> {
    Setup::read(seats, options, deal).or_else(usage_error)
}

/// The changes on the command line, for the report.
pub(super) fn changes(packs: &[PathBuf], with: &[String], options: &[String], dealt: &[String]) -> Vec<String> {
    let packs = packs.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = with.iter().map(|text| format!("--with '{text}'"));
    let options = options.iter().map(|option| format!("--option {option}"));
    let dealt = dealt.iter().map(|card| format!("--deal {card}"));
    packs.chain(with).chain(options).chain(dealt).collect()
}

impl RunTiming {
    fn new((games, decisions): (u64, i64), seconds: f64, threads: usize) -> RunTiming {
        let per_second = |number: f64| if seconds > 0.0 { number / seconds } else { 0.0 };
        let (games_per_second, decisions_per_second) = (per_second(games as f64), per_second(decisions as f64));
        RunTiming { games, seconds, threads, games_per_second, decisions_per_second }
    }

    fn text(&self) -> String {
        let RunTiming { games, seconds, threads, games_per_second, decisions_per_second } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        let speed = format!("{games_per_second:.0} games and {decisions_per_second:.0} decisions a second");
        format!("{games} games in {seconds:.2} s with {threads} thread{plural}: {speed}\n")
    }
}

/// Reports faults that dropped games, and faults in sampled states, with instructions to reproduce them.
pub(super) fn report_faults(sources: &Sources, outcome: &RunOutcome) -> CommandResult {
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
    let avoided = outcome.avoided.iter().take(MAX_SHOWN).map(|alike| {
        let met = &alike.first;
        let mut found = Diagnostic::warning("G205", met.fault.span, format!("met only in thought: {}", met.fault));
        if met.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (met.game, met.seed, met.decision, met.round);
        found = met.fault.tell(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, at question {decision}"));
        let games = if alike.games == 1 { "one game".to_string() } else { format!("{} games", alike.games) };
        found.help(format!(
            "in {games} a player thought of answers after which the rules cannot go on, and kept away from them; others may not"
        ))
    });
    let shown: Vec<_> = shown.chain(avoided).collect();
    let done = show_diagnostics(sources, &shown);
    if outcome.faults.len() > MAX_SHOWN {
        print_error(&format!("and {} more faults\n", outcome.faults.len() - MAX_SHOWN));
    }
    done
}

/// Listener of a run: writes single games, saves results, and shows progress.
struct RunListener {
    progress: Progress,
    tables: GameTableFiles,
    saver: Option<RunSaver>,
}

impl RunListener {
    fn new(games: u64, tables: GameTableFiles, saver: Option<RunSaver>) -> RunListener {
        RunListener { progress: Progress::new(games, "games"), tables, saver }
    }

    fn end(self, partial: &PartialRun) -> CommandResult {
        self.progress.end();
        let kept = self.saver.map_or(Ok(()), |saver| saver.end(sums(partial)));
        self.tables.finish().and(kept)
    }
}

/// The results to be saved, without games in which an agent did not answer, since these are to be played again.
fn sums(partial: &PartialRun) -> SavedResults {
    SavedResults::Playtest(Box::new(partial.clone().without_unanswered()))
}

impl Listener for RunListener {
    fn game(&mut self, number: u64, game: &PlayedGame) {
        if !self.tables.game(number, game) {
            // The remaining games could not be saved.
            STOP.store(true, Ordering::Relaxed);
        }
    }

    fn done(&mut self, count: u64) {
        self.progress.at(count);
    }

    fn on_progress(&mut self, partial: &PartialRun) {
        if self.saver.as_mut().is_some_and(|saver| !saver.save_if_due(|| sums(partial))) {
            STOP.store(true, Ordering::Relaxed);
        }
    }
}
