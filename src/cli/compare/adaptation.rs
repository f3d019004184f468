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
use crate::train::{Foundation, Model, adapt, found, prepare};

/// The sides with what was learnt, those of the first training first, and how good whoever learnt it is beside greedy players.
pub(super) type TrainedSides = (Vec<SideSettings>, Vec<Option<f64>>);

/// Players who begin with one model, which is learnt once by the rules of both sides, and adapt it to the rules of each.
pub(super) struct Adaptation<'a> {
    workspace: &'a Workspace,
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
        workspace: &'a Workspace,
        read: &'a Sources,
        args: &'a CompareArgs,
        sides: &'a [SideSettings],
        (players, seed): (usize, u64),
    ) -> Result<Adaptation<'a>, ExitReason> {
        let setups = sides.iter().map(|side| set_up(players, &side.options, &side.deal)).collect::<Result<Vec<_>, _>>()?;
        let mut begun = Adaptation { workspace, read, args, sides, setups, foundations: Vec::new(), model: Model::default() };
        for side in 0..sides.len() {
            let foundation = with_training(workspace, &begun.task(side, seed), &mut |_| {}, prepare)?;
            begun.foundations.push(foundation);
        }
        begun.model = begun.foundations.first().map(|plain| plain.model.clone()).unwrap_or_default();
        // By the rules of each side in turn, so that neither has been played more.
        for (side, foundation) in begun.foundations.iter().enumerate() {
            let begin = begun.model.clone();
            begun.model = with_training(workspace, &begun.task(side, seed), &mut |_| {}, |training| found(training, foundation, &begin))?;
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
        for training in 0..self.args.trainings {
            if self.args.trainings > 1 {
                print_error(&format!("training {} of {}\n", training + 1, self.args.trainings));
            }
            let seed = join(self.args.run.seed, hash_text("a training") ^ u64::from(training));
            let (sides, skill) = self.train(|_| seed)?;
            all.0.extend(sides);
            all.1.extend(skill);
        }
        Ok(all)
    }

    /// Trains players for each side once, with chances by side.
    pub fn train(&self, seed: impl Fn(usize) -> u64) -> Result<TrainedSides, ExitReason> {
        let (mut trained, mut skill) = (Vec::new(), Vec::new());
        for (at, (side, foundation)) in self.sides.iter().zip(&self.foundations).enumerate() {
            let pupil = self.task(at, seed(at));
            let learnt = with_training(self.workspace, &pupil, &mut |_| {}, |training| adapt(training, foundation, &self.model))?;
            let model = learnt.models.first().unwrap_or(&self.model);
            skill.push((learnt.duel.pairs.taken > 0).then(|| learnt.against_untrained().difference));
            let learnt = learnt_rules(self.workspace, &pupil, model)?;
            trained.push(SideSettings { with: side.with.iter().cloned().chain([learnt]).collect(), ..side.clone() });
        }
        Ok((trained, skill))
    }
}
