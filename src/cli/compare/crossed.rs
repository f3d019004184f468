//! Lets players who have learnt the rules of one side play both.

use std::sync::atomic::Ordering;

use super::super::args::CompareArgs;
use super::super::faults::report_faults;
use super::super::load::Workspace;
use super::super::progress::Progress;
use super::super::report::comparison::BothRulesets;
use super::super::result::ExitReason;
use super::super::signals::STOP;
use super::plan::{PairPlayers, play_pairs};
use crate::agent::AgentKind;
use crate::playtest::RunPart;
use crate::playtest::compare::{Comparison, ComparisonResults, StoppingRule, comparison};
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
    let stop = StoppingRule { pairs: args.games, until: None };
    let Some(first) = rules.first() else { return Ok(None) };
    let agents = vec![AgentKind::trained(); first.plain.players];
    let progress = Progress::new(args.games, "pairs");
    let players = PairPlayers { agents: &agents, have_learnt: true, seed: args.run.seed, threads };
    let begun = ComparisonResults::default();
    let found = play_pairs(rules, &players, (&stop, RunPart::WHOLE), begun, &mut |done, _| progress.set_done(done))?;
    if STOP.load(Ordering::Relaxed) {
        return Ok(None);
    }
    progress.finish();
    report_faults(&first.sources, &found.dropped)?;
    let sides = first.sides(&agents, args.run.seed, threads);
    Ok(Some(comparison(&sides, &stop, &found, typed.both.clone(), typed.changes.clone())))
}
