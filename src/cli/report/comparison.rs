//! A comparison of two sides, and its report, as `compare` and `merge` show it.

use std::sync::Arc;

use super::super::faults::report_faults;
use super::super::load::{Workspace, compile_side};
use super::super::output::{color, print, usage_error};
use super::super::result::{CommandResult, ExitReason};
use super::super::saver::check_same_rules;
use super::{Outputs, card_names};
use crate::agent::{AgentKind, parse_seats};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::{Ruleset, Scripts};
use crate::lang::GameText;
use crate::pack::Translations;
use crate::playtest::PageNames;
use crate::playtest::compare::{Comparison, ComparisonResults, Ladder, Measure, RuleChange, Sides, StoppingRule, comparison, rule_changes};
use crate::playtest::saved::{RunIdentity, Saved, SavedCommand, SideRules, SideSettings, TypedSettings};
use crate::script::ScriptHost;
use crate::source::Sources;

/// The compiled rules of both sides of a comparison.
pub struct BothRulesets {
    /// The files of both sides.
    pub sources: Sources,
    /// Rules of the side without the change.
    pub plain: Arc<Ruleset>,
    /// Rules of the side with the change.
    pub changed: Arc<Ruleset>,
    /// Source of the rules without the change.
    plain_text: GameText,
    /// Source of the changed side's rules.
    text: GameText,
    /// Translated names, if a language was chosen.
    names: Option<Translations>,
}

impl BothRulesets {
    /// Compiles the rules of both sides, and shows the diagnostics. Sides are always loaded in the same order, so that locations of saved
    /// faults stay valid.
    pub fn compile_side(
        workspace: &Workspace,
        mut sources: Sources,
        game: &str,
        typed: &TypedSettings,
        seats: usize,
    ) -> Result<BothRulesets, ExitReason> {
        let mut make = |side: &SideSettings| compile_side(workspace, &mut sources, game, side, Some(seats));
        let [plain, changed] = typed.sides.as_slice() else { return usage_error("a comparison has two sides") };
        workspace.expect_language(&[game.to_string()], &changed.packs)?;
        let (plain, changed) = (make(plain)?, make(changed)?);
        let names = workspace.language().map(|_| workspace.load_names(&sources, &changed.text.content)).transpose()?;
        Ok(BothRulesets { sources, plain: plain.rules, plain_text: plain.text, changed: changed.rules, text: changed.text, names })
    }

    /// Compiles the rules of both sides for each training of the players that `typed` names, and shows the diagnostics. The first is all that
    /// there is if players were not trained.
    pub fn compile_trainings(
        workspace: &Workspace,
        mut sources: Sources,
        game: &str,
        typed: &TypedSettings,
        seats: usize,
    ) -> Result<Vec<BothRulesets>, ExitReason> {
        let mut all: Vec<BothRulesets> = Vec::new();
        for sides in typed.sides.chunks(2) {
            let of_training = TypedSettings { sides: sides.to_vec(), ..typed.clone() };
            let both = BothRulesets::compile_side(workspace, sources.snapshot(), game, &of_training, seats)?;
            sources = both.sources.snapshot();
            all.push(both);
        }
        if all.is_empty() { usage_error("a comparison has two sides") } else { Ok(all) }
    }

    /// Returns what the rules and options of one side have that those of the other have not, as text.
    pub fn rule_changes(&self, typed: &TypedSettings) -> Vec<RuleChange> {
        let mut found = rule_changes(&self.sources, &self.plain_text, &self.text);
        if let [plain, changed, ..] = typed.sides.as_slice() {
            let value = |options: &[String], name: &str| {
                let of = |option: &String| option.split_once('=').filter(|(own, _)| *own == name).map(|(_, value)| value.to_string());
                options.iter().rev().find_map(of)
            };
            for (name, after) in
                changed.options.iter().filter(|option| !plain.options.contains(option)).filter_map(|option| option.split_once('='))
            {
                let before = value(&plain.options, name).or(Some("as it is by default".to_string()));
                found.push(RuleChange { address: format!("option {name}"), before, after: Some(after.to_string()) });
            }
            let dealt = changed.deal.iter().filter(|card| !plain.deal.contains(card));
            found.extend(dealt.map(|card| RuleChange {
                address: "in play from the start".to_string(),
                before: None,
                after: Some(card.clone()),
            }));
        }
        found
    }

    /// Adds translated names to a comparison.
    pub fn in_language(&self, comparison: Comparison) -> Comparison {
        match &self.names {
            Some(names) => comparison.in_language(PageNames { names, cards: &card_names(&self.text, names) }),
            None => comparison,
        }
    }

    /// Returns both sides with the agents that play them.
    pub fn sides<'a>(&'a self, agents: &'a [AgentKind], seed: u64, threads: usize) -> Sides<'a> {
        Sides { plain: &self.plain, changed: &self.changed, agents, seed, threads, independent_seeds: false, training: None }
    }
}

/// Creates the host that runs the scripts of these rules.
pub fn script_host(rules: &Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> {
    ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>)
}

/// Prints a comparison and writes its output files.
pub fn show(comparison: &Comparison, all: bool, outputs: Outputs) -> CommandResult {
    if !outputs.on_terminal() {
        print(&comparison.text(all, color()));
    }
    outputs.write_files(|| comparison.document(all), comparison)
}

/// Prints the same comparison by players of several strengths, and writes its output files.
pub fn show_ladder(ladder: &Ladder, outputs: Outputs) -> CommandResult {
    if !outputs.on_terminal() {
        print(&ladder.text(color()));
    }
    outputs.write_files(|| ladder.document(), ladder)
}

/// Reports a saved comparison.
pub fn show_saved(workspace: &Workspace, saved: &Saved, found: &ComparisonResults, all: bool, outputs: Outputs) -> CommandResult {
    let (run, typed) = (&saved.run, &saved.typed);
    let trainings = BothRulesets::compile_trainings(workspace, Sources::new(), &run.game, typed, run.players)?;
    let ([both, ..], Some(last)) = (trainings.as_slice(), trainings.last()) else { return usage_error("a comparison has two sides") };
    let agents = parse_seats(&typed.agents, run.players, None).or_else(usage_error)?;
    let sides = both.sides(&agents, run.seed, 1);
    let until = match &run.until {
        Some((name, width)) => Some((measure(Some(name), &both.plain)?, width.parse().unwrap_or_default())),
        None => None,
    };
    let stop = StoppingRule { pairs: run.games, until };
    check_same_rules(run, &run_of(&trainings, &sides, &stop, typed))?;
    let mut comparison = comparison(&sides, &stop, found, typed.both.clone(), typed.changes.clone()).of_part(saved.part);
    if let Some(skill) = typed.skill() {
        comparison = comparison.by_players_of_skill(skill).beside_search(typed.skill_beside_search());
    }
    let comparison = comparison.at_pace(outputs.pace).between(match typed.above_greedy.is_empty() {
        true => both.rule_changes(typed),
        false => changes_before_learning(workspace, run, typed)?,
    });
    show(&both.in_language(comparison), all, outputs).and(report_faults(&last.sources, &found.dropped))
}

/// Returns what a saved comparison changes, without what players have learnt, which is the last that each side was given.
fn changes_before_learning(workspace: &Workspace, run: &RunIdentity, typed: &TypedSettings) -> Result<Vec<RuleChange>, ExitReason> {
    let mut sides: Vec<SideSettings> = typed.sides.iter().take(2).cloned().collect();
    sides.iter_mut().for_each(|side| _ = side.with.pop());
    let typed = TypedSettings { sides, ..typed.clone() };
    Ok(BothRulesets::compile_side(workspace, Sources::new(), &run.game, &typed, run.players)?.rule_changes(&typed))
}

/// Returns the identity of a comparison: everything its games depend on.
pub fn run_of(trainings: &[BothRulesets], sides: &Sides<'_>, stop: &StoppingRule, typed: &TypedSettings) -> RunIdentity {
    let rules = trainings.iter().flat_map(|both| [&both.plain, &both.changed]);
    RunIdentity {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: SavedCommand::Compare,
        game: sides.plain.game.clone(),
        players: sides.plain.players,
        agents: sides.agents.iter().map(ToString::to_string).collect(),
        games: stop.pairs,
        seed: sides.seed,
        hooks: false,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), width.to_string())),
        sides: rules.zip(&typed.sides).map(|(rules, side)| SideRules::new(rules, side)).collect(),
    }
}

/// Parses the measure of `--measure`; without one it is the points.
pub fn measure(name: Option<&str>, rules: &Ruleset) -> Result<Measure, ExitReason> {
    let Some(name) = name else { return Ok(Measure::Points) };
    let mut known = Measure::always_defined(rules);
    if let Some(at) = known.iter().position(|measure| measure.to_string() == name) {
        return Ok(known.swap_remove(at));
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let meant = nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    usage_error(format!("nothing that is measured is called `{name}`{meant}\nthere are {}", names.join(", ")))
}
