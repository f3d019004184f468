//! A comparison in its stages: what players learn, the pairs of games, and what is told of them.

use std::path::Path;
use std::slice;

use super::super::faults::report_faults;
use super::super::output::{print_error, usage_error};
use super::super::result::{CommandResult, ExitReason};
use super::super::run::{CompiledSides, Run};
use super::super::saver::{RunSaver, read};
use super::super::stage::Stage;
use super::adaptation::Adaptation;
use super::pairs::PairsOfGames;
use super::{crossed, searching};
use crate::agent::AgentKind;
use crate::disk::OnDisk;
use crate::playtest::compare::{Comparison, ComparisonResults, RuleChange, StoppingRule};
use crate::playtest::saved::{RunIdentity, SavedResults};
use crate::spec::{Learning, RunSpec};

/// What is compared, and by whom.
pub(super) struct Plan<'a> {
    pub run: Run<'a>,
    /// The rules for each training of the players who learn, with what they have learnt; none if nobody does.
    learnt: Vec<CompiledSides>,
    /// What the rules and options of the sides differ in, without what was learnt.
    changes: Vec<RuleChange>,
    stop: StoppingRule,
    /// Whether players who search may play in place of those who have learnt.
    pub may_search: bool,
}

impl<'a> Plan<'a> {
    /// The comparison of a run, as it is before anybody has learnt the rules.
    pub fn of(run: Run<'a>) -> Result<Plan<'a>, ExitReason> {
        let stop = run.spec.stopping_rule(&run.sides.plain.rules).or_else(usage_error)?;
        let changes = run.sides.rule_changes(&run.spec.typed.sides_before_learning());
        Ok(Plan { run, learnt: Vec::new(), changes, stop, may_search: false })
    }

    /// Checks that the sides differ.
    pub fn check_difference(&self) -> CommandResult {
        let CompiledSides { plain, .. } = &self.run.sides;
        self.run.spec.check_difference(&plain.rules, &self.run.sides.changed().rules).or_else(usage_error)
    }

    /// Lets players learn the rules of both sides, if they are to, or takes over what they had learnt when a run that was saved began.
    pub fn learn(&mut self, save: Option<&Path>) -> CommandResult {
        if let Some(Learning { trainings, .. }) = self.run.spec.learning {
            let saved = save.filter(|path| path.is_there()).map(read).transpose()?.map(|saved| saved.typed);
            let learnt = match saved.filter(|saved| saved.is_learnt_from(&self.run.spec.typed, trainings)) {
                Some(learnt) => learnt,
                None => Adaptation::begin(&self.run, self.run.spec.run.seed)?.train_all(trainings)?,
            };
            if Stage::is_stopped() {
                return usage_error("stopped while players were learning; nothing has been compared");
            }
            self.run.spec.typed = learnt;
            self.compile_learnt()?;
        }
        Ok(())
    }

    /// Checks that the agents can play by the rules, with what players have learnt.
    pub fn check_players(&self) -> CommandResult {
        self.run.check_players(self.first())
    }

    /// Compiles the rules with what players have learnt, if they have.
    pub fn compile_learnt(&mut self) -> CommandResult {
        let Run { workspace, spec: RunSpec { typed, .. }, sides, .. } = &self.run;
        if typed.is_learnt() {
            self.learnt = sides.trained(workspace, &typed.sides)?;
        }
        Ok(())
    }

    /// The rules of all trainings; those of both sides alone if nobody has learnt.
    fn trainings(&self) -> &[CompiledSides] {
        if self.learnt.is_empty() { slice::from_ref(&self.run.sides) } else { &self.learnt }
    }

    /// The rules of the first training.
    fn first(&self) -> &CompiledSides {
        self.learnt.first().unwrap_or(&self.run.sides)
    }

    /// Checks that the rules of a saved run have not changed.
    pub fn check_same_rules(&self, saved: &RunIdentity) -> CommandResult {
        self.run.check_same_rules(self.trainings(), saved)
    }

    /// Opens the file in which the run is kept, if there is to be one, and returns it with what is done already.
    pub fn open_saver(&mut self, save: Option<&Path>) -> Result<(Option<RunSaver>, ComparisonResults), ExitReason> {
        let fresh = ComparisonResults::default();
        let (saver, begun) = RunSaver::open(save, self.run.to_save(self.trainings(), &fresh), "pairs")?;
        self.run.spec.typed = begun.typed;
        match begun.sums {
            SavedResults::Compare(begun) => Ok((saver, *begun)),
            SavedResults::Playtest(_) | SavedResults::Steps(_) => Ok((saver, fresh)),
        }
    }

    /// Returns the pairs of games by these agents. Only those who have learnt play differently after another training.
    fn pairs<'p>(&'p self, agents: &'p [AgentKind]) -> PairsOfGames<'p> {
        let have_learnt = !self.learnt.is_empty() && agents.contains(&AgentKind::trained());
        let rules = if have_learnt { self.trainings() } else { slice::from_ref(self.first()) };
        let whole = PairsOfGames::whole(&self.run, rules, agents, self.stop.pairs);
        PairsOfGames { have_learnt, stop: self.stop.clone(), part: self.run.spec.part, ..whole }
    }

    /// Plays the pairs that are missing, and keeps them.
    pub fn play(&self, agents: &[AgentKind], begun: ComparisonResults, saver: Option<RunSaver>) -> Result<ComparisonResults, ExitReason> {
        let word = if self.stop.until.is_some() { "pairs at most" } else { "pairs" };
        let pairs = self.pairs(agents);
        let stage = Stage::begin(pairs.left(&begun), word, saver);
        let played = stage.play(pairs.sources(), |stage| {
            let found = pairs.play(begun, stage)?;
            stage.keep_all(&found);
            Ok(found)
        })?;
        played.kept.map(|()| played.found)
    }

    /// Returns what is told of the pairs that were played, and whether anything went wrong in them.
    pub fn report(&self, agents: &[AgentKind], found: &ComparisonResults) -> Result<(Comparison, CommandResult), ExitReason> {
        let (pairs, RunSpec { typed, part, learning, pace, .. }) = (self.pairs(agents), &self.run.spec);
        let (mut told, mut result) = (pairs.report(found, typed).of_part(*part), Ok(()));
        if let Some(skill) = typed.skill().filter(|_| pairs.have_learnt) {
            told = told.by_players_of_skill(skill).beside_search(typed.skill_beside_search());
        }
        if self.may_search && (told.is_below_even() || told.is_below_search()) && !Stage::is_stopped() {
            told = searching::in_place_of(told, &self.run, self.first())?;
        }
        if learning.as_ref().is_some_and(|learning| learning.cross) && !Stage::is_stopped() {
            match crossed::cross_play(&self.run) {
                Ok(Some([without, with])) => told = told.beside([&without, &with]),
                Ok(None) => print_error("stopped before the players of each side had played both\n"),
                // What has been compared is reported all the same.
                Err(why) => {
                    print_error("the players of one side cannot play the rules of the other, so that nothing is told of that\n");
                    result = Err(why);
                }
            }
        }
        let told = self.first().in_language(told.at_pace(*pace).between(self.changes.clone()));
        Ok((told, result.and(report_faults(pairs.sources(), &found.dropped))))
    }
}
