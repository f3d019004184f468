//! `houserule playtest`: plays many games on all cores and summarises them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use web_time::Instant;

mod cards;
mod series;
mod tables;

use self::tables::GameTableFiles;
use super::args::PlaytestArgs;
use super::faults::{fault_diagnostic, report_faults};
use super::load::{CompiledGame, Workspace, compile_side};
use super::output::{OutputFile, check_outputs, print, show_diagnostics, usage_error};
use super::progress::Progress;
use super::report::games::{RunTiming, check_own_figures, run_of, show};
use super::report::{Outputs, changes};
use super::result::{CommandResult, ExitReason};
use super::saver::{RunSaver, parse_part};
use super::signals::{STOP, install_signal_handlers};
use crate::agent::parse_seats;
use crate::engine::{Fault, Game, Scripts};
use crate::playtest::saved::{Saved, SavedResults, SideSettings, TypedSettings};
use crate::playtest::{Listener, PartialRun, PlayedGame, RecordOptions, RunPlan, report, resume};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::state::chance::seed_of_game;
use crate::table::{AnswerFailure, Replay, SeatPlayer, SeatedSession, Session, Start, StopReason};

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
    let names = workspace.load_names(&sources, &text_of_game.content)?;
    let agents = parse_seats(&args.who.agents, setup.players, args.who.time_limit).or_else(usage_error)?;
    agents.iter().try_for_each(|agent| agent.check_rules(&rules)).or_else(usage_error)?;
    let threads = args.run.thread_count();
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
    check_own_figures(&partial, plan.rules)?;
    let changes = saver.as_ref().map_or(&typed.changes, |saver| &saver.saved().typed.changes).clone();
    if !partial.finished.is_empty() && (args.csv.is_some() || args.parquet.is_some()) {
        return usage_error(
            "games that are done already would be missing from --csv and --parquet, since --save keeps their sums alone; leave these out, or begin anew with another file",
        );
    }
    // Outputs are opened before the games are played, so that a wrong path wastes no time.
    let outputs = Outputs::open(&args.written)?;
    let tables = GameTableFiles::open(&plan, args.csv.as_ref(), args.parquet.as_ref())?;
    let quiet = outputs.on_terminal() || args.csv.as_deref() == Some("-");
    install_signal_handlers();
    let scripts = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let (started, games) = (Instant::now(), part.games(args.games));
    let before = (partial.outcome.tally.games, partial.outcome.tally.decisions.sum);
    let skipped = games.end - games.start - partial.finished.iter().map(|range| range.end - range.start).sum::<u64>();
    let mut watch = RunListener::new(skipped, tables, saver);
    let partial = resume(&plan, partial, games, &scripts, &STOP, &mut watch);
    let seconds = started.elapsed().as_secs_f64();
    let partial = match partial {
        Ok(partial) => partial,
        Err(faults) => return show_diagnostics(&sources, &faults).and(Err(ExitReason::Findings)),
    };
    // An error of an output file does not suppress the report.
    let written = watch.finish(&partial);
    let outcome = partial.outcome;
    let timing = RunTiming::new((outcome.tally.games - before.0, outcome.tally.decisions.sum - before.1), seconds, threads);
    let report = self::report(&plan, &outcome, &sources, changes).of_part(part).at_pace(args.written.pace);
    let shown = show(workspace, (&report, &names), (&text_of_game, &plan), outputs, quiet, Some(timing));
    written.and(shown).and(report_faults(&sources, &outcome))
}

/// Opens the file of `--save`, if it was given. Returns also the results to go on with: those in the file, or `fresh`.
fn open_saver(path: Option<&Path>, saved: Saved, fresh: PartialRun) -> Result<(Option<RunSaver>, PartialRun), ExitReason> {
    let Some(path) = path else { return Ok((None, fresh)) };
    let saver = RunSaver::open(path, saved, "games")?;
    let partial = match &saver.saved().sums {
        SavedResults::Playtest(partial) => (**partial).clone(),
        SavedResults::Compare(_) => fresh,
    };
    Ok((Some(saver), partial))
}

/// Returns the command-line arguments as typed.
fn typed_settings(args: &PlaytestArgs) -> TypedSettings {
    let side = SideSettings {
        packs: args.changed.pack.clone(),
        with: args.changed.with.clone(),
        options: args.changed.option.clone(),
        deal: args.changed.deal.clone(),
        ..SideSettings::default()
    };
    TypedSettings {
        above_greedy: Vec::new(),
        above_search: Vec::new(),
        sides: vec![side],
        agents: args.who.agents.clone(),
        both: Vec::new(),
        changes: changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal),
    }
}

/// Plays one game of a run again and writes its replay.
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
    table.end_game();
    out.write_text(&Replay::text_of(&start, &seat_players, &table.session))?;
    if !quiet {
        let count = table.session.answers().len();
        let end = if table.session.game().finished() { "to its end" } else { "up to the fault" };
        print(&format!("game {number}, its seed {seed}: {count} answers, {end}; `houserule replay {path}` shows it\n"));
    }
    stopped
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

    fn finish(self, partial: &PartialRun) -> CommandResult {
        self.progress.finish();
        let kept = self.saver.map_or(Ok(()), |saver| saver.finish(results_to_save(partial)));
        self.tables.finish().and(kept)
    }
}

/// Returns the results to be saved. Games in which an agent did not answer are left out, since they are to be played again.
fn results_to_save(partial: &PartialRun) -> SavedResults {
    SavedResults::Playtest(Box::new(partial.clone().without_unanswered()))
}

impl Listener for RunListener {
    fn on_game(&mut self, number: u64, game: &PlayedGame) {
        if !self.tables.game(number, game) {
            // The remaining games could not be saved.
            STOP.store(true, Ordering::Relaxed);
        }
    }

    fn on_count(&mut self, count: u64) {
        self.progress.set_done(count);
    }

    fn on_progress(&mut self, partial: &PartialRun) {
        if self.saver.as_mut().is_some_and(|saver| !saver.save_if_due(|| results_to_save(partial))) {
            STOP.store(true, Ordering::Relaxed);
        }
    }
}
