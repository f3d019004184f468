//! Lets players adapt to the rules of each side before they are compared.

use super::super::args::{DEFAULT_GAMES, DEFAULT_LESSONS, DEFAULT_TERMS};
use super::super::learn::{TrainingTask, limit_threads};
use super::super::load::Workspace;
use super::super::output::print_error;
use super::super::result::ExitReason;
use super::super::run::Run;
use crate::spec::{SideSettings, TypedSettings};
use crate::state::chance::{hash_text, join};
use crate::train::{CompileFailure, Duel, Foundation, Model, Training, adapt, found, meet_others, prepare, time_of_training};
use indicatif::HumanDuration;
use std::time::Duration;
use web_time::Instant;

/// Players who begin with one model, which is learnt once by the rules of both sides, and adapt it to the rules of each.
pub(super) struct Adaptation<'a> {
    run: &'a Run<'a>,
    /// The workspace of each side.
    workspaces: Vec<Workspace>,
    foundations: Vec<Foundation>,
    model: Model,
    /// How long a training of both sides takes, about, by how long it took to improve the model with which all begin.
    expected: Duration,
}

impl<'a> Adaptation<'a> {
    /// Learns the model with which all begin, with chances of this seed.
    pub fn begin(run: &'a Run<'a>, seed: u64) -> Result<Adaptation<'a>, ExitReason> {
        limit_threads(run.threads);
        let sides = &run.spec.typed.sides;
        let workspaces = sides.iter().map(|side| run.workspace.at_version(&side.version)).collect::<Result<Vec<_>, _>>()?;
        let mut begun = Adaptation { run, workspaces, foundations: Vec::new(), model: Model::default(), expected: Duration::ZERO };
        for side in 0..sides.len() {
            let foundation = begun.train_with(side, seed, prepare)?;
            begun.foundations.push(foundation);
        }
        begun.model = begun.foundations.first().map(|plain| plain.model.clone()).unwrap_or_default();
        // By the rules of each side in turn, so that neither has been played more.
        for (side, foundation) in begun.foundations.iter().enumerate() {
            let started = Instant::now();
            let model = begun.train_with(side, seed, |training| found(training, foundation, &begun.model))?;
            begun.expected += started.elapsed().mul_f64(time_of_training(foundation));
            begun.model = model;
        }
        Ok(begun)
    }

    fn task(&self, side: usize, seed: u64) -> TrainingTask<'_> {
        let learning = self.run.spec.learning.as_ref();
        TrainingTask {
            run: self.run,
            side,
            workspace: &self.workspaces[side],
            games: DEFAULT_GAMES,
            lessons: DEFAULT_LESSONS,
            generations: learning.and_then(|learning| learning.generations),
            terms: DEFAULT_TERMS,
            search: None,
            seed,
        }
    }

    /// Trains by the rules of one side.
    fn train_with<T>(
        &self,
        side: usize,
        seed: u64,
        train: impl FnOnce(&mut Training<'_>) -> Result<T, CompileFailure>,
    ) -> Result<T, ExitReason> {
        Ok(self.task(side, seed).play(Vec::new(), None, train)?.found.0)
    }

    /// Trains players for each side so many times, both sides with the same chances. Returns the settings with what they have learnt, those of
    /// the first training first.
    pub fn train_all(&self, trainings: u32) -> Result<TypedSettings, ExitReason> {
        let mut all = TypedSettings { sides: Vec::new(), ..self.run.spec.typed.clone() };
        let started = Instant::now();
        for training in 0..trainings {
            let each = started.elapsed().checked_div(training).unwrap_or(self.expected);
            print_error(&announced(training, trainings, each));
            let seed = join(self.run.spec.run.seed, hash_text("a training") ^ u64::from(training));
            for (side, model) in self.train(|_| seed)?.into_iter().enumerate() {
                let met = self.train_with(side, seed, |training| meet_others(training, &self.foundations[side], &model))?;
                let mean = |duel: &Duel| (duel.pairs.taken > 0).then(|| duel.difference().difference);
                all.above_greedy.push(mean(&met.with_greedy));
                all.above_search.push(mean(&met.with_search));
                all.sides.push(self.learnt(side, &model));
            }
        }
        Ok(all)
    }

    /// Trains players for each side once, with chances by side.
    pub fn train(&self, seed: impl Fn(usize) -> u64) -> Result<Vec<Model>, ExitReason> {
        let adapt_to = |(side, foundation)| self.train_with(side, seed(side), |training| adapt(training, foundation, &self.model));
        self.foundations.iter().enumerate().map(adapt_to).collect()
    }

    /// Returns a side with what was learnt.
    pub fn learnt(&self, side: usize, model: &Model) -> SideSettings {
        let (learnt, of_side) = (self.task(side, 0).learnt_rules(model), &self.run.spec.typed.sides[side]);
        SideSettings { with: of_side.with.iter().cloned().chain([learnt]).collect(), ..of_side.clone() }
    }
}

/// What is told ahead of a training: which one it is, and how long this and the others take if each takes so long.
fn announced(before: u32, all: u32, each: Duration) -> String {
    format!("training {} of {all}, about {} of training left\n", before + 1, HumanDuration(each * (all - before)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_training_is_told_with_how_long_the_rest_takes() {
        assert_eq!(announced(0, 5, Duration::from_secs(3)), "training 1 of 5, about 15 seconds of training left\n");
        assert_eq!(announced(2, 5, Duration::from_secs(40)), "training 3 of 5, about 2 minutes of training left\n");
        assert_eq!(announced(4, 5, Duration::from_secs(20)), "training 5 of 5, about 20 seconds of training left\n");
    }
}
