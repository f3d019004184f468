//! Lets players who have learnt the rules of one side play both.

use std::sync::atomic::Ordering;

use super::super::args::CompareArgs;
use super::super::faults::report_faults;
use super::super::load::Workspace;
use super::super::output::show_diagnostics;
use super::super::progress::Progress;
use super::super::report::comparison::{BothRulesets, script_host};
use super::super::result::ExitReason;
use super::super::signals::STOP;
use crate::agent::AgentKind;
use crate::playtest::RunPart;
use crate::playtest::compare::{Comparison, ComparisonResults, Sides, StoppingRule, compare, comparison};
use crate::playtest::saved::{SideSettings, TypedSettings};
use crate::source::Sources;

/// Plays the pairs of a comparison by the players of each side on both sides. `typed` has the sides of all trainings, each with what was learnt as its
/// last change of the rules. Returns the comparison by who has learnt the rules without the change, and that by who has learnt those with it; `None` if
/// the run is stopped.
pub(super) fn cross_play(
    workspace: &Workspace,
    args: &CompareArgs,
    typed: &TypedSettings,
    (sources, players, threads): (&Sources, usize, usize),
) -> Result<Option<[Comparison; 2]>, ExitReason> {
    let by_learners_of = |side: usize| {
        let sides = typed.sides.chunks(2).flat_map(|of_training| {
            let learnt = of_training.get(side).and_then(|side| side.with.last());
            of_training.iter().map(move |side| {
                let own = side.with.split_last().map_or(&[][..], |(_, own)| own);
                SideSettings { with: own.iter().chain(learnt).cloned().collect(), ..side.clone() }
            })
        });
        let typed = TypedSettings { sides: sides.collect(), ..typed.clone() };
        let rules = BothRulesets::compile_trainings(workspace, sources.snapshot(), &args.game, &typed, players)?;
        play(args, &typed, &rules, threads)
    };
    let (without, with) = (by_learners_of(0)?, by_learners_of(1)?);
    Ok(without.zip(with).map(<[Comparison; 2]>::from))
}

/// Plays the pairs of a comparison, those of each training by its players; `None` if the run is stopped.
fn play(args: &CompareArgs, typed: &TypedSettings, rules: &[BothRulesets], threads: usize) -> Result<Option<Comparison>, ExitReason> {
    let (stop, mut found) = (StoppingRule { pairs: args.games, until: None }, ComparisonResults::default());
    let Some(first) = rules.first() else { return Ok(None) };
    let agents = vec![AgentKind::trained(); first.plain.players];
    let progress = Progress::new(args.games, "pairs");
    for (training, both) in rules.iter().enumerate() {
        let pairs = RunPart { number: training as u64 + 1, parts: rules.len() as u64 }.games(args.games);
        let sides = Sides { training: Some(training), ..both.sides(&agents, args.run.seed, threads) };
        let (done_before, scripts) = (pairs.start, (|| script_host(&both.plain), || script_host(&both.changed)));
        let on_pair = &mut |done, _: &ComparisonResults| progress.set_done(done_before + done);
        let played = compare(&sides, (&scripts.0, &scripts.1), &stop, (found, pairs), &STOP, on_pair);
        found = played.or_else(|faults| show_diagnostics(&both.sources, &faults).and(Err(ExitReason::Findings)))?;
        if STOP.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    progress.finish();
    report_faults(&first.sources, &found.dropped)?;
    let sides = first.sides(&agents, args.run.seed, threads);
    Ok(Some(comparison(&sides, &stop, &found, typed.both.clone(), typed.changes.clone())))
}
