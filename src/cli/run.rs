//! A run whose rules are compiled.

use super::load::{CompiledGame, Workspace, compile_side};
use super::output::usage_error;
use super::report::card_names;
use super::result::{CommandResult, ExitReason};
use crate::agent::AgentKind;
use crate::engine::Ruleset;
use crate::pack::Translations;
use crate::playtest::PageNames;
use crate::playtest::compare::{Comparison, RuleChange, rule_changes};
use crate::playtest::saved::{RunIdentity, Saved, SavedResults, expect_same};
use crate::source::Sources;
use crate::spec::{RunSpec, SideSettings};

/// The compiled rules of a run, or of both sides of a comparison.
pub struct CompiledSides {
    /// The files of the sides.
    pub sources: Sources,
    /// The game; of a comparison the side without the change.
    pub plain: CompiledGame,
    /// The side with the change.
    changed: Option<CompiledGame>,
    /// Translated names, if a language was chosen.
    pub names: Option<Translations>,
}

impl CompiledSides {
    /// Compiles the rules of one side or of two, and shows the diagnostics. Sides are always loaded in the same order, so that locations of saved
    /// faults stay valid.
    fn compile(
        workspace: &Workspace,
        mut sources: Sources,
        game: &str,
        sides: &[SideSettings],
        players: Option<usize>,
    ) -> Result<CompiledSides, ExitReason> {
        let mut compile = |side: &SideSettings| compile_side(workspace, &mut sources, game, side, players);
        let ([plain, rest @ ..], Some(last)) = (sides, sides.last()) else { return usage_error("a comparison has two sides") };
        workspace.expect_game(game)?;
        workspace.expect_language(&[game.to_string()], &last.packs)?;
        let plain = compile(plain)?;
        let changed = rest.first().map(compile).transpose()?;
        let content = &changed.as_ref().unwrap_or(&plain).text.content;
        let names = workspace.language().map(|_| workspace.load_names(&sources, content)).transpose()?;
        Ok(CompiledSides { sources, plain, changed, names })
    }

    /// Compiles the same game for each training of its players: the sides with what they have learnt, those of the first training first.
    pub fn trained(&self, workspace: &Workspace, sides: &[SideSettings]) -> Result<Vec<CompiledSides>, ExitReason> {
        let mut all: Vec<CompiledSides> = Vec::new();
        let Ruleset { game, players, .. } = &*self.plain.rules;
        for sides in sides.chunks(2) {
            let sources = all.last().unwrap_or(self).sources.snapshot();
            all.push(CompiledSides::compile(workspace, sources, game, sides, Some(*players))?);
        }
        Ok(all)
    }

    /// The side with the change.
    pub fn changed(&self) -> &CompiledGame {
        self.changed.as_ref().unwrap_or(&self.plain)
    }

    /// The rules of each side.
    pub fn rules(&self) -> impl Iterator<Item = &Ruleset> {
        [Some(&self.plain), self.changed.as_ref()].into_iter().flatten().map(|side| &*side.rules)
    }

    /// Returns what the rules and options of one side have that those of the other have not, as text.
    pub fn rule_changes(&self, sides: &[SideSettings]) -> Vec<RuleChange> {
        let mut found = rule_changes(&self.sources, &self.plain.text, &self.changed().text);
        let [plain, changed] = sides else { return found };
        let value = |name: &str| {
            let of = |option: &String| option.split_once('=').filter(|(own, _)| *own == name).map(|(_, value)| value.to_string());
            plain.options.iter().rev().find_map(of)
        };
        let options = changed.options.iter().filter(|option| !plain.options.contains(option)).filter_map(|option| option.split_once('='));
        found.extend(options.map(|(name, after)| RuleChange {
            address: format!("option {name}"),
            before: value(name).or(Some("as it is by default".to_string())),
            after: Some(after.to_string()),
        }));
        let dealt = changed.deal.iter().filter(|card| !plain.deal.contains(card));
        found.extend(dealt.map(|card| RuleChange {
            address: "in play from the start".to_string(),
            before: None,
            after: Some(card.clone()),
        }));
        found
    }

    /// Adds translated names to a comparison.
    pub fn in_language(&self, comparison: Comparison) -> Comparison {
        match &self.names {
            Some(names) => comparison.in_language(PageNames { names, cards: &card_names(&self.changed().text, names) }),
            None => comparison,
        }
    }
}

/// A run whose rules are compiled.
pub struct Run<'a> {
    /// Where its games are found.
    pub workspace: &'a Workspace,
    /// What is run.
    pub spec: RunSpec,
    /// Number of threads.
    pub threads: usize,
    /// The rules of its sides, as they are before anybody has learnt them.
    pub sides: CompiledSides,
    /// The agents of all seats, for each strength of a ladder; of a tournament those who take part in it.
    pub line_ups: Vec<Vec<AgentKind>>,
}

impl<'a> Run<'a> {
    /// Compiles the rules of a run, and shows the diagnostics.
    pub fn compile(workspace: &'a Workspace, spec: RunSpec, threads: usize) -> Result<Run<'a>, ExitReason> {
        let sides = spec.typed.sides_before_learning();
        let sides = CompiledSides::compile(workspace, Sources::new(), &spec.run.game, &sides, spec.players)?;
        let line_ups = spec.line_ups(sides.plain.setup.players).or_else(usage_error)?;
        Ok(Run { workspace, spec, threads, sides, line_ups })
    }

    /// The agents of all seats; on a ladder the weakest.
    pub fn agents(&self) -> &[AgentKind] {
        self.line_ups.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// Checks that the agents can play by the rules of these sides.
    pub fn check_players(&self, sides: &CompiledSides) -> CommandResult {
        self.spec.check_players(&self.line_ups, &sides.rules().collect::<Vec<_>>()).or_else(usage_error)
    }

    /// Returns everything that the games depend on, by the rules of all trainings.
    fn identity(&self, trainings: &[CompiledSides]) -> RunIdentity {
        let RunSpec { run, typed, .. } = &self.spec;
        run.with_rules(self.agents(), &typed.sides, trainings.iter().flat_map(CompiledSides::rules))
    }

    /// Returns the run as it is saved with these results.
    pub fn to_save(&self, trainings: &[CompiledSides], results: impl Into<SavedResults>) -> Saved {
        Saved { run: self.identity(trainings), typed: self.spec.typed.clone(), part: self.spec.part, sums: results.into() }
    }

    /// Checks that the rules of a saved run have not changed.
    pub fn check_same_rules(&self, trainings: &[CompiledSides], saved: &RunIdentity) -> CommandResult {
        let same = expect_same("the saved run", "this folder", &saved.differences(&self.identity(trainings)));
        same.or_else(|message| usage_error(format!("{message}\nrun it where the game and its packs are as they were")))
    }
}
