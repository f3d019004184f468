//! Lets players who have learnt the rules of one side play both.

use super::super::faults::report_faults;
use super::super::result::ExitReason;
use super::super::run::Run;
use super::super::stage::Stage;
use super::pairs::PairsOfGames;
use crate::agent::AgentKind;
use crate::playtest::compare::Comparison;
use crate::spec::SideSettings;

/// Plays the pairs of a comparison by the players of each side on both sides. Returns the comparison by who has learnt the rules without the
/// change, and that by who has learnt those with it; `None` if the run is stopped.
pub(super) fn cross_play(run: &Run<'_>) -> Result<Option<[Comparison; 2]>, ExitReason> {
    let (without, with) = (by_learners_of(run, 0)?, by_learners_of(run, 1)?);
    Ok(without.zip(with).map(<[Comparison; 2]>::from))
}

/// Plays the pairs by those who have learnt the rules of one side, those of each training by its players; `None` if the run is stopped.
fn by_learners_of(run: &Run<'_>, side: usize) -> Result<Option<Comparison>, ExitReason> {
    let sides = run.spec.typed.sides.chunks(2).flat_map(|of_training| {
        let learnt = of_training.get(side).and_then(|side| side.with.last());
        of_training.iter().map(move |side| side.with_learnt(learnt))
    });
    let rules = run.sides.trained(run.workspace, &sides.collect::<Vec<SideSettings>>())?;
    let agents = vec![AgentKind::trained(); run.agents().len()];
    let pairs = PairsOfGames { have_learnt: true, ..PairsOfGames::whole(run, &rules, &agents, run.spec.run.games) };
    let found = pairs.play_all("pairs")?;
    if Stage::is_stopped() {
        return Ok(None);
    }
    report_faults(pairs.sources(), &found.dropped)?;
    Ok(Some(pairs.report(&found, &run.spec.typed)))
}
