//! `houserule playtest`: plays many games on all cores and summarises them.

use std::slice;

mod cards;
mod replay;
mod series;
mod tables;

use self::tables::GameTableFiles;
use super::args::PlaytestArgs;
use super::load::Workspace;
use super::output::{check_outputs, usage_error};
use super::report::Outputs;
use super::report::games::RunTiming;
use super::result::CommandResult;
use super::run::Run;
use super::saver::RunSaver;
use super::signals::STOP;
use super::spec::of_playtest;
use super::stage::Stage;
use crate::playtest::saved::SavedResults;
use crate::playtest::{Listener, PartialRun, PlayedGame, resume, script_host};

/// Runs `houserule playtest`.
pub fn playtest(workspace: &Workspace, args: &PlaytestArgs) -> CommandResult {
    let (written, save) = (&args.written, args.kept.save.as_deref());
    let mut run = Run::compile(workspace, of_playtest(args)?, args.run.thread_count())?;
    let [json, report] = written.named();
    let named = [json, ("--csv", &args.csv), ("--parquet", &args.parquet), report, ("--replay", &args.replay)];
    check_outputs(&named, save, run.sides.sources.read_paths())?;
    run.check_players(&run.sides)?;
    if let (Some(number), Some(path)) = (args.game_number, &args.replay) {
        return replay::write(&run, number, path);
    }
    if args.series {
        return series::playtest(&run, Outputs::open(written.json.as_ref(), None)?);
    }
    if let Some(wanted) = &args.cards {
        return cards::playtest(&run, wanted, args.early, written);
    }
    let fresh = PartialRun::new(&run.sides.plain.rules);
    let (saver, begun) = RunSaver::open(save, run.to_save(slice::from_ref(&run.sides), &fresh), "games")?;
    let left = begun.games_left();
    run.spec.typed = begun.typed;
    let begun = match begun.sums {
        SavedResults::Playtest(begun) => *begun,
        SavedResults::Compare(_) | SavedResults::Steps(_) => fresh,
    };
    run.check_own_figures(&begun)?;
    if !begun.finished.is_empty() && (args.csv.is_some() || args.parquet.is_some()) {
        return usage_error(
            "games that are done already would be missing from --csv and --parquet, since --save keeps their sums alone; leave these out, or begin anew with another file",
        );
    }
    // Outputs are opened before the games are played, so that a wrong path wastes no time.
    let mut outputs = Outputs::open(written.json.as_ref(), written.report.as_ref())?;
    outputs.quiet |= args.csv.as_deref() == Some("-");
    let plan = run.plan();
    let mut tables = GameTableFiles::open(&plan, args.csv.as_ref(), args.parquet.as_ref())?;
    let (games, decisions) = (begun.outcome.tally.games, begun.outcome.tally.decisions.sum);
    let stage = Stage::begin(left, "games", saver);
    let played = stage.play(&run.sides.sources, |stage| {
        let (part, scripts) = (run.spec.part.games(plan.games), || script_host(&run.sides.plain.rules));
        let played = resume(&plan, begun, part, &scripts, &STOP, &mut StageWithTables { stage, tables: &mut tables })?;
        stage.keep_all(&played);
        Ok(played)
    })?;
    // An error of an output file does not suppress the report.
    let written = tables.finish().and(played.kept);
    let outcome = &played.found.outcome;
    let (games, decisions) = (outcome.tally.games - games, outcome.tally.decisions.sum - decisions);
    written.and(run.show(outcome, outputs, Some(&RunTiming::new(games, decisions, played.seconds, run.threads))))
}

/// A stage whose games are written to tables.
struct StageWithTables<'a> {
    stage: &'a mut Stage,
    tables: &'a mut GameTableFiles,
}

impl Listener for StageWithTables<'_> {
    fn on_game(&mut self, number: u64, game: &PlayedGame) {
        if !self.tables.game(number, game) {
            // The remaining games could not be saved.
            Stage::stop();
        }
    }

    fn on_count(&mut self, count: u64) {
        self.stage.done(count);
    }

    fn on_progress(&mut self, so_far: &PartialRun) {
        self.stage.keep(so_far);
    }
}
