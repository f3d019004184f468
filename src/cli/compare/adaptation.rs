//! Lets players adapt to the rules of each side before they are compared.

use super::super::args::{CompareArgs, DEFAULT_GAMES, DEFAULT_LESSONS, DEFAULT_TERMS};
use super::super::learn::{TrainingTask, learnt_rules, with_training};
use super::super::load::{Workspace, set_up};
use super::super::output::print_error;
use super::super::result::ExitReason;
use crate::lang::Setup;
use crate::playtest::saved::SideSettings;
use crate::source::Sources;
use crate::state::chance::{hash_text, join};
use crate::train::{Duel, Foundation, Model, Training, adapt, found, meet_others, prepare};
use indicatif::HumanDuration;
use std::time::Duration;
use web_time::Instant;

/// The sides with what was learnt, those of the first training first.
#[derive(Default)]
pub(super) struct TrainedSides {
    pub sides: Vec<SideSettings>,
    /// How good whoever learnt it is beside greedy players.
    pub above_greedy: Vec<Option<f64>>,
    /// The same beside players who search as long for their answers.
    pub above_search: Vec<Option<f64>>,
}

/// Players who begin with one model, which is learnt once by the rules of both sides, and adapt it to the rules of each.
pub(super) struct Adaptation<'a> {
    /// The workspace of each side.
    workspaces: Vec<Workspace>,
    /// Files as of the beginning of the run.
    read: &'a Sources,
    args: &'a CompareArgs,
    sides: &'a [SideSettings],
    setups: Vec<Setup>,
    foundations: Vec<Foundation>,
    model: Model,
}

impl<'a> Adaptation<'a> {
    /// Learns the model with which all begin, with chances of this seed.
    pub fn begin(
        workspace: &Workspace,
        read: &'a Sources,
        args: &'a CompareArgs,
        sides: &'a [SideSettings],
        (players, seed): (usize, u64),
    ) -> Result<Adaptation<'a>, ExitReason> {
        let setups = sides.iter().map(|side| set_up(players, &side.options, &side.deal)).collect::<Result<Vec<_>, _>>()?;
        let workspaces = sides.iter().map(|side| workspace.at_version(&side.version)).collect::<Result<Vec<_>, _>>()?;
        let mut begun = Adaptation { workspaces, read, args, sides, setups, foundations: Vec::new(), model: Model::default() };
        for side in 0..sides.len() {
            let foundation = with_training(&begun.workspaces[side], &begun.task(side, seed), &mut |_| {}, prepare)?;
            begun.foundations.push(foundation);
        }
        begun.model = begun.foundations.first().map(|plain| plain.model.clone()).unwrap_or_default();
        // By the rules of each side in turn, so that neither has been played more.
        for (side, foundation) in begun.foundations.iter().enumerate() {
            let begin = begun.model.clone();
            begun.model = with_training(&begun.workspaces[side], &begun.task(side, seed), &mut |_| {}, |training| {
                found(training, foundation, &begin)
            })?;
        }
        Ok(begun)
    }

    fn task(&self, side: usize, seed: u64) -> TrainingTask<'_> {
        TrainingTask {
            read: self.read,
            game: &self.args.game,
            packs: &self.sides[side].packs,
            rule_changes: &self.sides[side].with,
            setup: &self.setups[side],
            games: DEFAULT_GAMES,
            lessons: DEFAULT_LESSONS,
            generations: self.args.generations,
            terms: DEFAULT_TERMS,
            search: None,
            seed,
        }
    }

    /// Trains players for each side as often as is wanted, both sides with the same chances.
    pub fn train_all(&self) -> Result<TrainedSides, ExitReason> {
        let mut all = TrainedSides::default();
        let started = Instant::now();
        for training in 0..self.args.trainings {
            if self.args.trainings > 1 {
                print_error(&announced((training, self.args.trainings), started.elapsed()));
            }
            let seed = join(self.args.run.seed, hash_text("a training") ^ u64::from(training));
            for (side, model) in self.train(|_| seed)?.into_iter().enumerate() {
                let meet = |training: &mut Training<'_>| meet_others(training, &self.foundations[side], &model);
                let met = with_training(&self.workspaces[side], &self.task(side, seed), &mut |_| {}, meet)?;
                let mean = |duel: &Duel| (duel.pairs.taken > 0).then(|| duel.difference().difference);
                all.above_greedy.push(mean(&met.with_greedy));
                all.above_search.push(mean(&met.with_search));
                all.sides.push(self.learnt(side, &model)?);
            }
        }
        Ok(all)
    }

    /// Trains players for each side once, with chances by side.
    pub fn train(&self, seed: impl Fn(usize) -> u64) -> Result<Vec<Model>, ExitReason> {
        let adapt_to = |(side, foundation): (usize, &Foundation)| {
            with_training(&self.workspaces[side], &self.task(side, seed(side)), &mut |_| {}, |training| {
                adapt(training, foundation, &self.model)
            })
        };
        self.foundations.iter().enumerate().map(adapt_to).collect()
    }

    /// Returns a side with what was learnt.
    pub fn learnt(&self, side: usize, model: &Model) -> Result<SideSettings, ExitReason> {
        let (learnt, of_side) = (learnt_rules(&self.workspaces[side], &self.task(side, 0), model)?, &self.sides[side]);
        Ok(SideSettings { with: of_side.with.iter().cloned().chain([learnt]).collect(), ..of_side.clone() })
    }
}

/// What is told ahead of a training: which one it is, and how long this and the others take by those before it.
fn announced((before, all): (u32, u32), elapsed: Duration) -> String {
    let left = match elapsed.checked_div(before) {
        None => "; how long they take is told after it".to_string(),
        Some(each) => format!(", about {} of training left", HumanDuration(each * (all - before))),
    };
    format!("training {} of {all}{left}\n", before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_training_is_told_with_how_long_the_rest_takes() {
        assert_eq!(announced((0, 5), Duration::from_secs(3)), "training 1 of 5; how long they take is told after it\n");
        assert_eq!(announced((2, 5), Duration::from_secs(80)), "training 3 of 5, about 2 minutes of training left\n");
        assert_eq!(announced((4, 5), Duration::from_secs(80)), "training 5 of 5, about 20 seconds of training left\n");
    }
}
