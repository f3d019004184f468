//! Scripts and random games: what only shows when rules are run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::output::count;
use crate::agent::AgentKind;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::engine::{Ruleset, Scripts};
use crate::lang::{GameText, Setup, compile, misspelt_offer};
use crate::playtest::{IdleGames, RecordOptions, RunPlan, run, smoke, unreachable};
use crate::script::{ScriptHost, check_scripts};
use crate::source::{Sources, Span};

/// Number of random games for each number of players.
const RANDOM_GAMES: u64 = 20;
/// Seed of the random games and positions.
const RANDOM_GAMES_SEED: u64 = 1;

/// What is known of the scripts of all cards.
#[derive(Default)]
pub(super) struct TriedScripts {
    pub count: usize,
    /// The owners of those that never ran without a fault.
    pub unrun: Vec<String>,
    /// The owners and places of those that rhai runs; `None` if they could not be compiled.
    by_rhai: Option<Vec<(String, Option<Span>)>>,
}

impl TriedScripts {
    /// Lists the scripts that are left to rhai, as further lines.
    pub fn by_rhai_text(&self, sources: &Sources) -> String {
        let place = |span: &Option<Span>| span.map(|span| format!(" ({})", sources.place(span))).unwrap_or_default();
        match self.by_rhai.as_deref() {
            None => String::new(),
            Some([]) => "\n  no script is left to rhai".to_string(),
            Some(left) => left.iter().map(|(owner, span)| format!("\n  {owner} is left to rhai{}", place(span))).collect(),
        }
    }
}

/// A set-up with every card in play, including cards that are in no deck by default.
fn with_every_card(text: &GameText, players: usize) -> Setup {
    Setup { every_piece: true, ..compile::allowed_setup(text, players) }
}

/// Reads every script of every card.
pub(super) fn read_scripts(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> TriedScripts {
    let rules = compile::compile(text, &with_every_card(text, players), &mut Vec::new());
    diagnostics.extend(rules.iter().flat_map(check_scripts));
    TriedScripts::default()
}

/// Runs every script of every card.
pub(super) fn try_scripts(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> TriedScripts {
    let setup = with_every_card(text, players);
    let Some(rules) = compile::compile(text, &setup, diagnostics).map(Arc::new) else {
        diagnostics.extend(compile::compile_despite_card_errors(text, &setup).iter().flat_map(check_scripts));
        return TriedScripts::default();
    };
    let wrong = check_scripts(&rules);
    let faulty = has_errors(&wrong);
    diagnostics.extend(wrong);
    let mut host = match ScriptHost::new(&rules) {
        Ok(host) if !faulty => host,
        unfit => {
            diagnostics.extend(unfit.err().unwrap_or_default());
            let unrun = rules.scripts.iter().map(|script| script.owner.clone()).collect();
            return TriedScripts { count: rules.scripts.len(), unrun, by_rhai: None };
        }
    };
    let found = smoke(&rules, &mut host, RANDOM_GAMES_SEED);
    let new: Vec<Diagnostic> = found.diagnostics.into_iter().filter(|wrong| !follows(diagnostics, &wrong.message)).collect();
    diagnostics.extend(new);
    // After errors, cards may be unreachable for that reason alone.
    if !has_errors(diagnostics) {
        diagnostics.extend(unreachable(text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?))));
    }
    let by_rhai = host.left_to_rhai().map(|script| &rules.scripts[script]).map(|script| (script.owner.clone(), script.span)).collect();
    TriedScripts { count: found.scripts, unrun: found.unrun, by_rhai: Some(by_rhai) }
}

/// Whether a fault follows from a misspelt word of a question that has been reported.
fn follows(reported: &[Diagnostic], message: &str) -> bool {
    reported.iter().filter_map(misspelt_offer).any(|word| message.contains(&format!("`{word}`")))
}

/// Plays random games; returns the number of those that ended normally.
pub(super) fn play_some(rules: &Arc<Ruleset>, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    // A fault in the first game may not occur in all of them.
    match play(rules, 1, halt, diagnostics) {
        1 => play(rules, RANDOM_GAMES, halt, diagnostics),
        games => games,
    }
}

fn play(rules: &Arc<Ruleset>, games: u64, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    let agents = vec![AgentKind::Random; rules.players];
    let plan = RunPlan { rules, agents: &agents, games, seed: RANDOM_GAMES_SEED, threads: 0, notes: RecordOptions::default() };
    let scripts = || ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let outcome = match run(&plan, &scripts, halt, &mut ()) {
        Ok(outcome) => outcome,
        Err(faults) => {
            diagnostics.extend(faults);
            return 0;
        }
    };
    for dropped in outcome.faults.into_iter().map(|alike| alike.first) {
        let (fault, seed, decision) = (dropped.fault, dropped.seed, dropped.decision);
        // A fault at one place is reported for one number of players only.
        let is_known = |found: &Diagnostic| fault.span.is_some() && found.code == "G201" && found.span == fault.span;
        if !follows(diagnostics, &fault.to_string()) && !diagnostics.iter().any(is_known) {
            let trace = format!("a random game with {}, seed {seed}, after question {decision}", count(rules.players, "player"));
            diagnostics.push(fault.add_to(Diagnostic::error("G201", fault.span, fault.to_string())).trace(trace));
        }
    }
    diagnostics.extend(outcome.tally.idle.map(|idle| idle_rounds(rules, &idle, games)));
    outcome.tally.games
}

/// Returns the warning about random games with a round in which nothing happened.
fn idle_rounds(rules: &Ruleset, idle: &IdleGames, games: u64) -> Diagnostic {
    let found = Diagnostic::warning("G206", idle.span, "a round went by in which nobody could do anything and nothing changed");
    let found = found.label("what is done in a round begins here, and did nothing");
    let found =
        found.help("let something end the game then, as in `rounds … until CONDITION`, or let an action be allowed always, such as `pass`");
    let players = count(rules.players, "player");
    found.trace(format!("round {} of a random game with {players}, seed {}; {} of {games}", idle.round, idle.seed, idle.games))
}
