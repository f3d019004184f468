//! `houserule train`: trains an evaluation of states.

use std::slice;

use serde::Serialize;

use super::args::TrainArgs;
use super::learn::{TrainingTask, limit_threads};
use super::load::Workspace;
use super::output::{OutputFile, check_outputs, print, print_error, usage_error};
use super::result::{CommandResult, ExitReason};
use super::run::Run;
use super::saver::RunSaver;
use super::spec::of_train;
use super::stage::Played;
use crate::playtest::compare::Difference;
use crate::playtest::saved::SavedResults;
use crate::train::{LessonResult, Model, train};

/// JSON output of `train`.
#[derive(Serialize)]
struct TrainingOutput<'a> {
    game: &'a str,
    players: usize,
    seed: u64,
    lessons: &'a [LessonResult],
    /// Whether the training was stopped early.
    stopped: bool,
    model: &'a Model,
    /// Number of iterations with which players search who go by the model; `None` if they look one answer ahead.
    search: Option<u32>,
    /// Shares of wins per seat of the greedy agent (`plain`) and of the model (`changed`); `None` if they have not met.
    against_greedy: Option<Difference>,
    /// The same of players who search without the model, for a model that was learnt for search.
    against_search: Option<Difference>,
    rules: &'a str,
}

/// Beginning of every file that `train` writes: only a file that begins like this may be overwritten.
const GENERATED_HEADER: &str = "// What `houserule train ";

/// Runs `houserule train`.
pub fn train_players(workspace: &Workspace, args: &TrainArgs) -> CommandResult {
    let run = Run::compile(workspace, of_train(args)?, args.run.thread_count())?;
    let save = args.save.as_deref();
    check_outputs(&[("--write", &args.write), ("--json", &args.json)], save, run.sides.sources.read_paths())?;
    let (saver, begun) = RunSaver::open(save, run.to_save(slice::from_ref(&run.sides), SavedResults::Steps(Vec::new())), "steps")?;
    let (write, json) = (
        args.write.as_ref().map(|path| OutputFile::open_generated(path, GENERATED_HEADER)).transpose()?,
        OutputFile::open_if(args.json.as_ref())?,
    );
    limit_threads(args.run.threads);
    let quiet = [&write, &json].into_iter().flatten().any(OutputFile::is_terminal);
    let pupil = TrainingTask {
        run: &run,
        side: 0,
        workspace,
        games: args.games,
        lessons: args.lessons,
        generations: args.generations,
        terms: args.terms,
        search: args.search,
        seed: args.run.seed,
    };
    let Played { found: (learnt, lessons), kept, .. } = pupil.play(begun.sums.steps(), saver, train)?;
    let players = run.sides.plain.setup.players;
    let Some(model) = learnt.best() else { return usage_error("nothing was learnt: the run was stopped before the first lesson was over") };
    let early = if learnt.stopped { " until it was stopped early" } else { "" };
    let search = args.search.map_or(String::new(), |iterations| format!(" --search {iterations}"));
    let head = format!("{GENERATED_HEADER}{} --players {} --seed {}{search}` has learnt{early}", args.game, players, args.run.seed);
    let rules = format!("{head}.\n{}", pupil.learnt_rules(model));
    let is_worse = learnt.is_worse_than_untrained();
    if !quiet {
        print(&format!("{}\n{rules}", learnt.text()));
    }
    match write {
        Some(write) if is_worse => write.withdraw(),
        Some(write) => write.write_text(&rules)?,
        None => {}
    }
    if let Some(json) = json {
        let against = (learnt.duel.pairs.taken > 0).then(|| learnt.against_untrained());
        let (against_search, against_greedy) = if learnt.search.is_some() { (against, None) } else { (None, against) };
        json.write_json(&TrainingOutput {
            game: &args.game,
            players,
            seed: args.run.seed,
            lessons: &lessons,
            stopped: learnt.stopped,
            model,
            search: learnt.search,
            against_greedy,
            against_search,
            rules: &rules,
        })?;
    }
    // What was learnt is told although its steps could not be kept.
    kept?;
    match &args.write {
        Some(path) if is_worse => {
            let untrained = learnt.untrained();
            let how = if learnt.search.is_some() { "`-n`, `--lessons`" } else { "`-n`, `--generations`" };
            print_error(&format!(
                "error: what was learnt loses to {untrained}, so `{path}` is not written: let it learn for longer ({how}), or let players search \
                 without it (`--agents search:100`)\n"
            ));
            Err(ExitReason::Findings)
        }
        Some(_) | None => Ok(()),
    }
}
