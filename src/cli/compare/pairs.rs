//! Pairs of games, and what they come to.

use std::ops::Range;

use super::super::result::ExitReason;
use super::super::run::{CompiledSides, Run};
use super::super::signals::STOP;
use super::super::stage::Stage;
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::playtest::compare::{Comparison, ComparisonResults, Sides, StoppingRule, compare, comparison};
use crate::playtest::{RunPart, script_host};
use crate::source::Sources;
use crate::spec::TypedSettings;

/// Pairs of games: by which rules they are played, by whom, and how many.
pub(super) struct PairsOfGames<'a> {
    /// The rules of both sides, for each training of the players who have learnt them.
    pub rules: &'a [CompiledSides],
    /// Agents by seat.
    pub agents: &'a [AgentKind],
    /// Whether they play by what was learnt, by another training's in each block of pairs.
    pub have_learnt: bool,
    /// Whether both sides have draws of their own.
    pub independent_seeds: bool,
    pub seed: u64,
    pub threads: usize,
    pub stop: StoppingRule,
    pub part: RunPart,
}

impl<'a> PairsOfGames<'a> {
    /// So many pairs of the games of a run, by these rules and agents.
    pub fn whole(run: &Run<'_>, rules: &'a [CompiledSides], agents: &'a [AgentKind], pairs: u64) -> PairsOfGames<'a> {
        PairsOfGames {
            rules,
            agents,
            have_learnt: false,
            independent_seeds: false,
            seed: run.spec.run.seed,
            threads: run.threads,
            stop: StoppingRule { pairs, until: None },
            part: RunPart::WHOLE,
        }
    }

    /// The files of all rules.
    pub fn sources(&self) -> &Sources {
        &self.rules[self.rules.len() - 1].sources
    }

    /// Returns both sides as they are in the first training.
    pub fn sides(&self) -> Sides<'_> {
        self.sides_of(&self.rules[0])
    }

    fn sides_of<'s>(&'s self, both: &'s CompiledSides) -> Sides<'s> {
        let PairsOfGames { agents, seed, threads, independent_seeds, .. } = *self;
        let (plain, changed) = (&both.plain.rules, &both.changed().rules);
        Sides { plain, changed, agents, seed, threads, independent_seeds, training: None }
    }

    /// Returns how many pairs are missing in what was begun.
    pub fn left(&self, begun: &ComparisonResults) -> u64 {
        begun.finished.gaps(&self.part.games(self.stop.pairs)).map(|missing| missing.end - missing.start).sum()
    }

    /// Plays the pairs that are missing in what was begun: those of each training by its rules.
    pub fn play(&self, begun: ComparisonResults, stage: &mut Stage) -> Result<ComparisonResults, Vec<Diagnostic>> {
        let (mut found, mut stopped) = (begun, false);
        for (training, both) in self.rules.iter().enumerate() {
            if Stage::is_stopped() {
                stopped = true;
                break;
            }
            let sides = Sides { training: self.have_learnt.then_some(training), ..self.sides_of(both) };
            let (plain, changed) = (|| script_host(&both.plain.rules), || script_host(&both.changed().rules));
            let block = RunPart { number: training as u64 + 1, parts: self.rules.len() as u64 };
            let pairs = overlap(self.part.games(self.stop.pairs), block.games(self.stop.pairs));
            let mut done_here = 0;
            found = compare(&sides, (&plain, &changed), &self.stop, found, pairs, &STOP, &mut |done, found| {
                done_here = done;
                stage.done(done);
                stage.keep(found);
            })?;
            stage.add(done_here);
            stopped |= found.stopped;
        }
        found.stopped = stopped;
        Ok(found)
    }

    /// Plays all pairs as a stage of their own, whose units have this name.
    pub fn play_all(&self, word: &'static str) -> Result<ComparisonResults, ExitReason> {
        let stage = Stage::begin(self.stop.pairs, word, None);
        Ok(stage.play(self.sources(), |stage| self.play(ComparisonResults::default(), stage))?.found)
    }

    /// Returns what is told of the pairs that were played.
    pub fn report(&self, found: &ComparisonResults, typed: &TypedSettings) -> Comparison {
        comparison(&self.sides(), &self.stop, found, typed.both.clone(), typed.changes.clone())
    }
}

/// Returns the numbers that are in both ranges.
fn overlap(one: Range<u64>, other: Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}
