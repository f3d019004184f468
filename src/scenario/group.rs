//! Tests that share one compiled ruleset, and how they are run.

use std::sync::Arc;
use std::time::Instant;

use super::report;
use super::trial::{Test, Trial};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::Game;
use crate::lang::{GameText, REFUSED, Setup, open};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{Sources, Span};

/// How many play where nothing is said.
pub(super) const USUAL_PLAYERS: i64 = 3;

/// One test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// Whether everything holds.
    pub passed: bool,
    /// What does not, with the places and what happened; empty if it passed.
    pub message: String,
    /// How long it took.
    pub seconds: f64,
    /// Where it stands: its header.
    pub span: Span,
}

/// Tests that share one compiled ruleset.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// What it is compiled for.
    setup: Setup,
    /// Its tests, each with its place among all of the file.
    pub(super) tests: Vec<(usize, Test)>,
}

impl Group {
    /// Those of its tests that are wanted; `None` if there are none.
    pub(super) fn of(&self, wanted: impl Fn(&Test) -> bool) -> Option<Group> {
        let tests: Vec<(usize, Test)> = self.tests.iter().filter(|(_, test)| wanted(test)).cloned().collect();
        (!tests.is_empty()).then(|| Group { setup: self.setup.clone(), tests })
    }
}

/// Tests by what they are compiled for.
pub(super) fn by_setup(text: &GameText, tests: Vec<Test>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, test) in tests.into_iter().enumerate() {
        let setup = setup_of(text, &test);
        match groups.iter_mut().find(|group| group.setup == setup) {
            Some(group) => group.tests.push((at, test)),
            None => groups.push(Group { setup, tests: vec![(at, test)] }),
        }
    }
    groups
}

/// What a test is compiled for.
pub(super) fn setup_of(text: &GameText, test: &Test) -> Setup {
    let (fewest, most) = text.players();
    Setup {
        players: test.players.unwrap_or(USUAL_PLAYERS.clamp(fewest as i64, most.max(fewest) as i64)).clamp(0, 1000) as usize,
        options: test.options.clone(),
        every_piece: true,
        ..Setup::default()
    }
}

/// Where the game stands behind `given` and `when` of a test.
///
/// # Errors
/// What is wrong with the game, the setup or the lines.
pub(super) fn position_of(text: &GameText, setup: &Setup, test: &Test) -> Result<Game, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let Some(mut reader) = open(text, setup, &mut diagnostics) else { return Err(diagnostics) };
    let rules = Arc::new(reader.rules().clone());
    let mut host = ScriptHost::new(&rules)?;
    let game = Game::new(&rules, test.seed as u64);
    Trial::new(&mut reader, Arc::clone(&rules), &mut host, game).position(test)
}

/// How long tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// All of them.
    End,
    /// Up to the first that fails.
    Failure,
}

/// Runs tests that share a ruleset one after another.
#[allow(clippy::disallowed_methods, reason = "how long a test took is told, and nothing depends on it")]
pub(super) fn run_group(sources: &Sources, text: &GameText, group: &Group, until: Until) -> (Vec<(usize, Case)>, Vec<Diagnostic>) {
    let (fewest, most) = text.players();
    let players = group.setup.players;
    let unbegun = |errors: &dyn Fn(&Test) -> Vec<Diagnostic>| {
        let told = |test: &Test| match &test.refused {
            Some(reason) => not_refused_for(reason, errors(test)),
            None => errors(test),
        };
        group.tests.iter().map(|(at, test)| (*at, case(test, report::message(sources, &told(test), &[]), 0.0))).collect::<Vec<_>>()
    };
    if players < fewest || players > most {
        let wrong =
            |test: &Test| vec![Diagnostic::error("G004", test.span, format!("this game is for {fewest} to {most} players, not {players}"))];
        return (unbegun(&wrong), Vec::new());
    }
    let mut diagnostics = Vec::new();
    let mut cases = Vec::new();
    let mut is_begun = false;
    if let Some(mut reader) = open(text, &group.setup, &mut diagnostics) {
        let rules = Arc::new(reader.rules().clone());
        match ScriptHost::new(&rules) {
            Ok(mut host) => {
                is_begun = true;
                for (at, test) in &group.tests {
                    let begun = Instant::now();
                    let game = Game::new(&rules, test.seed as u64);
                    let (wrong, log) = match &test.refused {
                        Some(reason) => (vec![begins(reason)], Vec::new()),
                        None => Trial::new(&mut reader, Arc::clone(&rules), &mut host, game).run(test),
                    };
                    let message = report::message(sources, &wrong, &log);
                    let case = case(test, message, begun.elapsed().as_secs_f64());
                    let failed = !case.passed;
                    cases.push((*at, case));
                    if until == Until::Failure && failed {
                        break;
                    }
                }
            }
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    if !is_begun {
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
        cases = unbegun(&|_| errors.clone());
        if group.tests.iter().any(|(_, test)| test.refused.is_some()) {
            // That the game is refused is what they wanted; others have it in their messages.
            diagnostics.retain(|found| !REFUSALS.contains(&found.code));
        }
    }
    (cases, diagnostics)
}

/// Which lines cannot be read in tests that share a ruleset; those that want to be refused have none.
pub(super) fn unreadable(text: &GameText, group: &Group) -> Vec<Diagnostic> {
    let Some(mut reader) = open(text, &group.setup, &mut Vec::new()) else { return Vec::new() };
    let rules = Arc::new(reader.rules().clone());
    let Ok(mut host) = ScriptHost::new(&rules) else { return Vec::new() };
    let mut found = Vec::new();
    for (_, test) in group.tests.iter().filter(|(_, test)| test.refused.is_none()) {
        let game = Game::new(&rules, test.seed as u64);
        found.extend(Trial::new(&mut reader, Arc::clone(&rules), &mut host, game).unreadable(test));
    }
    found
}

/// What keeps a game from being begun: an option that has no such value, a number of players, a guard of set-up.
const REFUSALS: [&str; 3] = ["G001", "G004", REFUSED];

/// A game that should have been refused begins.
fn begins(reason: &Text) -> Diagnostic {
    Diagnostic::error("G150", reason.span, "the game begins with these players and options").label("nothing refuses it")
}

/// What is wrong with errors that should be a refusal for a reason.
fn not_refused_for(reason: &Text, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let refusals = || errors.iter().filter(|found| REFUSALS.contains(&found.code));
    if refusals().count() == errors.len() && refusals().any(|found| found.message.contains(reason.text.trim())) {
        return Vec::new();
    }
    let other = Diagnostic::error("G150", reason.span, "the game is refused for another reason").label("not this one");
    [other].into_iter().chain(errors).collect()
}

fn case(test: &Test, message: String, seconds: f64) -> Case {
    Case { name: test.name.clone(), passed: message.is_empty(), message, seconds, span: test.span }
}
