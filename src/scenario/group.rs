//! Tests that share one compiled ruleset, and how they are run.

use crate::cast;
use std::sync::Arc;
use std::time::Instant;

use super::course::{Test, Told};
use super::problem::Problem;
use super::report;
use super::trial::Trial;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::Game;
use crate::engine::ruleset::Ruleset;
use crate::lang::reader::Reader;
use crate::lang::{GameText, Setup, is_of_choice, is_refusal, open};
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
        players: cast::index(
            test.players.unwrap_or(USUAL_PLAYERS.clamp(cast::count(fewest), cast::count(most.max(fewest)))).clamp(0, 1000),
        ),
        options: test.options.plain(),
        seat_options: test.options.plain_of_seats(),
        every_piece: true,
        ..Setup::default()
    }
}

/// A game that tests can be run in.
pub(super) struct Begun {
    reader: Reader,
    rules: Arc<Ruleset>,
    host: ScriptHost,
    /// What is odd about the game.
    warnings: Vec<Diagnostic>,
}

impl Begun {
    /// The game with the options and players of a group.
    ///
    /// # Errors
    /// What is wrong with the game, or with the choice.
    pub(super) fn new(text: &GameText, group: &Group) -> Result<Begun, Vec<Diagnostic>> {
        if let Some(wrong) = text.refuses_players(group.setup.players) {
            return Err(vec![wrong]);
        }
        Begun::with(text, &group.setup)
    }

    fn with(text: &GameText, setup: &Setup) -> Result<Begun, Vec<Diagnostic>> {
        let mut warnings = Vec::new();
        let Some(reader) = open(text, setup, &mut warnings) else { return Err(warnings) };
        let rules = Arc::new(reader.rules().clone());
        let host = ScriptHost::new(&rules)?;
        Ok(Begun { reader, rules, host, warnings })
    }

    /// The rules.
    pub(super) fn rules(&self) -> &Ruleset {
        &self.rules
    }

    fn trial(&mut self, seed: i64) -> Trial<'_> {
        let game = Game::new(&self.rules, seed.cast_unsigned());
        Trial::new(&mut self.reader, Arc::clone(&self.rules), &mut self.host, game)
    }
}

/// Where the game stands behind `given` and `when` of a test.
///
/// # Errors
/// What is wrong with the game, the setup or the lines.
pub(super) fn position_of(text: &GameText, setup: &Setup, test: &Test) -> Result<Game, Vec<Diagnostic>> {
    Begun::with(text, setup)?.trial(test.seed).position(test)
}

/// How long tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// All of them.
    End,
    /// Up to the first that fails.
    Failure,
}

/// What came of tests that share a ruleset.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// Those that were run, each with its place among all of the file.
    pub cases: Vec<(usize, Case)>,
    /// The names of those that could not be run.
    pub unrun: Vec<String>,
    /// What is wrong with the files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs tests that share a ruleset one after another.
#[allow(clippy::disallowed_methods, reason = "how long a test took is told, and nothing depends on it")]
pub(super) fn run_group(sources: &Sources, group: &Group, begun: Result<Begun, Vec<Diagnostic>>, until: Until) -> Ran {
    let mut begun = match begun {
        Ok(begun) => begun,
        Err(wrong) => return not_begun(sources, group, wrong),
    };
    let mut ran = Ran { diagnostics: std::mem::take(&mut begun.warnings), ..Ran::default() };
    for (at, test) in &group.tests {
        let start = Instant::now();
        let told = match &test.refused {
            Some(reason) => Told { wrong: vec![begins(reason)], ..Told::default() },
            None => begun.trial(test.seed).run(test),
        };
        ran.diagnostics.extend(told.notes);
        let case = case(test, report::message(sources, &told.wrong, &told.log), start.elapsed().as_secs_f64());
        let failed = !case.passed;
        ran.cases.push((*at, case));
        if until == Until::Failure && failed {
            break;
        }
    }
    ran
}

/// What comes of tests whose game cannot be begun: where that is because of what they choose they fail, or wanted it so.
fn not_begun(sources: &Sources, group: &Group, mut wrong: Vec<Diagnostic>) -> Ran {
    wrong.retain(|found| found.severity == Severity::Error);
    if !wrong.iter().all(is_of_choice) {
        return Ran { unrun: group.tests.iter().map(|(_, test)| test.name.clone()).collect(), diagnostics: wrong, ..Ran::default() };
    }
    let told = |test: &Test| {
        let placed = |found: &Diagnostic| Diagnostic { span: found.span.or(Some(test.span)), ..found.clone() };
        let wrong = wrong.iter().map(placed).collect();
        test.refused.as_ref().map_or_else(|| Vec::clone(&wrong), |reason| not_refused_for(reason, wrong.clone()))
    };
    let cases = group.tests.iter().map(|(at, test)| (*at, case(test, report::message(sources, &told(test), &[]), 0.0)));
    Ran { cases: cases.collect(), ..Ran::default() }
}

/// Which lines cannot be read in tests that share a ruleset; those that want to be refused have none.
pub(super) fn unreadable(text: &GameText, group: &Group) -> Vec<Diagnostic> {
    let Ok(mut begun) = Begun::with(text, &group.setup) else { return Vec::new() };
    let read = group.tests.iter().filter(|(_, test)| test.refused.is_none());
    read.flat_map(|(_, test)| begun.trial(test.seed).unreadable(test)).collect()
}

/// A game that should have been refused begins.
fn begins(reason: &Text) -> Diagnostic {
    Problem::Begins.at(reason.span)
}

/// What is wrong with errors that should be a refusal for a reason.
fn not_refused_for(reason: &Text, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if errors.iter().all(is_refusal) && errors.iter().any(|found| found.says(reason.text.trim())) {
        return Vec::new();
    }
    let other = Problem::RefusedOtherwise.at(reason.span);
    [other].into_iter().chain(errors).collect()
}

fn case(test: &Test, message: String, seconds: f64) -> Case {
    Case { name: test.name.clone(), passed: message.is_empty(), message, seconds, span: test.span }
}
