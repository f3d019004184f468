//! `houserule compare --aa`: compares the same rules with themselves to measure the rate of false alarms.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use web_time::Instant;

use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::learn::limit_threads;
use super::super::load::Workspace;
use super::super::output::{OutputFile, color, print, show_diagnostics};
use super::super::progress::Progress;
use super::super::report::comparison::{BothRulesets, script_host};
use super::super::result::{CommandResult, ExitReason};
use super::super::signals::{STOP, install_signal_handlers};
use super::adaptation::Adaptation;
use super::typed_settings;
use crate::agent::{AgentKind, parse_seats};
use crate::playtest::compare::{
    AlarmCounts, ComparisonResults, FalseAlarms, Sides, StoppingRule, compare as compare_pairs, false_alarms, seed_of_run,
};
use crate::playtest::saved::TypedSettings;
use crate::playtest::{MakeScripts, RunPart};
use crate::source::Sources;
use crate::state::chance::{hash_text, join};

/// JSON output of `compare --aa`: `result` is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct FalseAlarmOutput<'a> {
    result: &'a FalseAlarms,
    seconds: f64,
}

/// Compares a game with itself in several runs, and reports how often a difference is found although there is none.
pub(super) fn compare(workspace: &Workspace, args: &CompareArgs, seats: usize, runs: u64) -> CommandResult {
    let typed = typed_settings(args)?;
    let both = BothRulesets::compile_side(workspace, Sources::new(), &args.game, &typed, seats)?;
    let agents = match args.adapt {
        true => vec![AgentKind::trained(); seats],
        false => parse_seats(&args.who.agents, seats, args.who.time_limit).or_else(super::usage_error)?,
    };
    // Rules that nobody has learnt yet have no style for those who have.
    let playing = if args.adapt { &[][..] } else { &agents };
    playing.iter().try_for_each(|agent| agent.check_rules(&both.plain)).or_else(super::usage_error)?;
    let threads = args.run.thread_count();
    let json = OutputFile::open_if(args.written.json.as_ref())?;
    install_signal_handlers();
    let started = Instant::now();
    let sides = both.sides(&agents, args.run.seed, threads);
    let found = match args.adapt {
        true => by_learners(workspace, args, &typed, &both, (&sides, runs))?,
        false => {
            let progress = Progress::new(runs * args.games, "pairs");
            let scripts = || script_host(&Arc::clone(&both.plain));
            let found = false_alarms(&sides, &scripts, (runs, args.games), typed.both.clone(), &STOP, &mut |done| progress.set_done(done));
            progress.finish();
            found.or_else(|faults| show_diagnostics(&both.sources, &faults).and(Err(ExitReason::Findings)))?
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    if !json.as_ref().is_some_and(OutputFile::is_terminal) {
        print(&found.text(color()));
        print(&format!("{} games in {seconds:.1} s\n", 2 * found.runs * found.pairs));
    }
    json.map_or(Ok(()), |json| json.write_json(&FalseAlarmOutput { result: &found, seconds }))
}

/// Compares a game with itself by players who have adapted to it: in each run they begin with a model of its own, and both sides are trained as often as
/// in a comparison, each with chances of its own.
fn by_learners(
    workspace: &Workspace,
    args: &CompareArgs,
    typed: &TypedSettings,
    both: &BothRulesets,
    (of_all, runs): (&Sides<'_>, u64),
) -> Result<FalseAlarms, ExitReason> {
    limit_threads(args.run.threads);
    let plain = typed.sides.first().cloned().unwrap_or_default();
    let same = [plain.clone(), plain];
    let (mut counted, progress) = (AlarmCounts::default(), Progress::new(runs * args.games, "pairs"));
    let stop = StoppingRule { pairs: args.games, until: None };
    for run in 0..runs {
        let (seed, mut found) = (seed_of_run(args.run.seed, run), ComparisonResults::default());
        let (mut last, trainings) = (None, u64::from(args.trainings));
        let begun = Adaptation::begin(workspace, &both.sources, args, &same, (both.plain.players, seed))?;
        for training in 0..trainings {
            let chances = |side: usize| join(seed, hash_text("a training of a side") ^ (2 * training + u64::from(side > 0)));
            let models = begun.train(chances)?;
            let sides = models.iter().enumerate().map(|(side, model)| begun.learnt(side, model)).collect::<Result<Vec<_>, _>>()?;
            let typed = TypedSettings { sides, ..typed.clone() };
            let rules = BothRulesets::compile_side(workspace, both.sources.snapshot(), &args.game, &typed, both.plain.players)?;
            let pairs = RunPart { number: training + 1, parts: trainings }.games(args.games);
            let done_before = run * args.games + pairs.start;
            let sides = Sides {
                training: usize::try_from(training).ok(),
                independent_seeds: true,
                ..rules.sides(of_all.agents, seed, of_all.threads)
            };
            let (of_plain, of_changed) = (|| script_host(&rules.plain), || script_host(&rules.changed));
            let scripts = (&of_plain as &MakeScripts<'_>, &of_changed as &MakeScripts<'_>);
            let played = compare_pairs(&sides, scripts, &stop, found, pairs, &STOP, &mut |done, _| progress.set_done(done_before + done));
            found = played.or_else(|faults| show_diagnostics(&rules.sources, &faults).and(Err(ExitReason::Findings)))?;
            if STOP.load(Ordering::Relaxed) {
                progress.finish();
                return Ok(counted.finish(of_all, (runs, args.games), typed.both));
            }
            last = Some(rules);
        }
        if let Some(rules) = last {
            counted.add(&rules.sides(of_all.agents, seed, of_all.threads), args.games, &found);
        }
    }
    progress.finish();
    Ok(counted.finish(of_all, (runs, args.games), typed.both.clone()))
}
