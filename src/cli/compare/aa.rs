//! `houserule compare --aa`: compares the same rules with themselves to measure the rate of false alarms.

use std::slice;

use serde::Serialize;

use super::super::faults::or_show;
use super::super::output::color;
use super::super::report::Outputs;
use super::super::result::{CommandResult, ExitReason};
use super::super::run::{CompiledSides, Run};
use super::super::stage::Stage;
use super::adaptation::Adaptation;
use super::pairs::PairsOfGames;
use crate::playtest::compare::{AlarmCounts, ComparisonResults, FalseAlarms, seed_of_run};
use crate::spec::{Learning, RunSpec};
use crate::state::chance::{hash_text, join};

/// JSON output of `compare --aa`: `result` is reproducible for a seed, the timing is not.
#[derive(Serialize)]
struct FalseAlarmOutput<'a> {
    result: &'a FalseAlarms,
    seconds: f64,
}

/// Compares a game with itself in several runs, and reports how often a difference is found although there is none.
pub(super) fn compare(run: &Run<'_>, runs: u64, outputs: Outputs) -> CommandResult {
    let (RunSpec { learning, typed, .. }, games) = (&run.spec, run.spec.run.games);
    // Rules that nobody has learnt yet have no style for those who have.
    if learning.is_none() {
        run.check_players(&run.sides)?;
    }
    let (mut counted, mut stage) = (AlarmCounts::default(), Stage::begin(runs * games, "pairs", None));
    let all = PairsOfGames::whole(run, slice::from_ref(&run.sides), run.agents(), games);
    for number in 0..runs {
        let seed = seed_of_run(run.spec.run.seed, number);
        let learnt = learning.as_ref().map(|learning| learn(run, learning, seed)).transpose()?;
        if Stage::is_stopped() {
            break;
        }
        let rules = learnt.as_deref().unwrap_or(all.rules);
        let whole = PairsOfGames::whole(run, rules, run.agents(), games);
        let pairs = PairsOfGames { seed, have_learnt: learnt.is_some(), independent_seeds: true, ..whole };
        let found = or_show(pairs.sources(), pairs.play(ComparisonResults::default(), &mut stage))?;
        if Stage::is_stopped() {
            break;
        }
        counted.add(&pairs.sides(), games, &found);
    }
    let seconds = stage.seconds();
    drop(stage);
    let found = counted.finish(&all.sides(), runs, games, typed.both.clone());
    let text = || format!("{}{} games in {seconds:.1} s\n", found.text(color()), 2 * found.runs * found.pairs);
    outputs.write_without_page(text, &FalseAlarmOutput { result: &found, seconds })
}

/// Lets players adapt to the game: in each run they begin with a model of its own, and both sides are trained as often as in a comparison, each
/// with chances of its own. Returns the rules of all trainings up to where the run is stopped.
fn learn(run: &Run<'_>, learning: &Learning, seed: u64) -> Result<Vec<CompiledSides>, ExitReason> {
    let (begun, mut sides) = (Adaptation::begin(run, seed)?, Vec::new());
    for training in (0..u64::from(learning.trainings)).take_while(|_| !Stage::is_stopped()) {
        let chances = |side: usize| join(seed, hash_text("a training of a side") ^ (2 * training + u64::from(side > 0)));
        for (side, model) in begun.train(chances)?.iter().enumerate() {
            sides.push(begun.learnt(side, model));
        }
    }
    run.sides.trained(run.workspace, &sides)
}
