//! Groups of tests that share one compiled ruleset.

use crate::cast;
use std::sync::Arc;
use web_time::Instant;

use super::course::{ScenarioTest, TrialResult};
use super::problem::ScenarioProblem;
use super::report;
use super::trial::Trial;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::Game;
use crate::engine::ruleset::Ruleset;
use crate::lang::reader::LineReader;
use crate::lang::{GameText, Setup, is_of_choice, is_refusal, open_reader};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{Sources, Span};

/// Default number of players.
pub(super) const DEFAULT_PLAYERS: i64 = 3;

/// The result of running one test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// Name of the test.
    pub name: String,
    /// Whether all lines of the test hold.
    pub passed: bool,
    /// The failures, with locations and the log of the game; empty if the test passed.
    pub message: String,
    /// Running time in seconds.
    pub seconds: f64,
    /// Location of the test's header.
    pub span: Span,
}

/// Tests that share one compiled ruleset.
#[derive(Clone, Debug)]
pub(super) struct TestGroup {
    /// Players and options for which the ruleset is compiled.
    setup: Setup,
    /// The tests, each with its index among all tests of the file.
    pub(super) tests: Vec<(usize, ScenarioTest)>,
}

impl TestGroup {
    /// Returns the group of the tests that `wanted` selects. `None` if there are none.
    pub(super) fn select(&self, wanted: impl Fn(&ScenarioTest) -> bool) -> Option<TestGroup> {
        let tests: Vec<(usize, ScenarioTest)> = self.tests.iter().filter(|(_, test)| wanted(test)).cloned().collect();
        (!tests.is_empty()).then(|| TestGroup { setup: self.setup.clone(), tests })
    }
}

/// Groups tests by the setup for which their ruleset is compiled.
pub(super) fn group_by_setup(text: &GameText, tests: Vec<ScenarioTest>) -> Vec<TestGroup> {
    let mut groups: Vec<TestGroup> = Vec::new();
    for (at, test) in tests.into_iter().enumerate() {
        let setup = setup_of(text, &test);
        match groups.iter_mut().find(|group| group.setup == setup) {
            Some(group) => group.tests.push((at, test)),
            None => groups.push(TestGroup { setup, tests: vec![(at, test)] }),
        }
    }
    groups
}

/// Returns the setup for which the ruleset of a test is compiled.
pub(super) fn setup_of(text: &GameText, test: &ScenarioTest) -> Setup {
    let (fewest, most) = text.players();
    Setup {
        players: cast::index(
            test.players.unwrap_or(DEFAULT_PLAYERS.clamp(cast::count(fewest), cast::count(most.max(fewest)))).clamp(0, 1000),
        ),
        options: test.options.game_options(),
        seat_options: test.options.seat_options(),
        every_piece: true,
        ..Setup::default()
    }
}

/// A compiled game in which tests can run.
pub(super) struct TestGame {
    reader: LineReader,
    rules: Arc<Ruleset>,
    host: ScriptHost,
    /// Warnings about the game.
    warnings: Vec<Diagnostic>,
}

impl TestGame {
    /// Compiles the game with the players and options of a group.
    ///
    /// # Errors
    /// Errors in the game or in the choice of players and options.
    pub(super) fn new(text: &GameText, group: &TestGroup) -> Result<TestGame, Vec<Diagnostic>> {
        if let Some(wrong) = text.player_count_problem(group.setup.players) {
            return Err(vec![wrong]);
        }
        TestGame::compile(text, &group.setup)
    }

    fn compile(text: &GameText, setup: &Setup) -> Result<TestGame, Vec<Diagnostic>> {
        let mut warnings = Vec::new();
        let Some(reader) = open_reader(text, setup, &mut warnings) else { return Err(warnings) };
        let rules = Arc::new(reader.rules().clone());
        let host = ScriptHost::new(&rules)?;
        Ok(TestGame { reader, rules, host, warnings })
    }

    /// Returns the compiled rules of the game.
    pub(super) fn rules(&self) -> &Ruleset {
        &self.rules
    }

    fn start_trial(&mut self, seed: i64) -> Trial<'_> {
        let game = Game::new(&self.rules, seed.cast_unsigned());
        Trial::new(&mut self.reader, Arc::clone(&self.rules), &mut self.host, game)
    }
}

/// Returns the game after the `given` and `when` lines of a test.
///
/// # Errors
/// Errors in the game, the setup or the lines.
pub(super) fn position_of(text: &GameText, setup: &Setup, test: &ScenarioTest) -> Result<Game, Vec<Diagnostic>> {
    TestGame::compile(text, setup)?.start_trial(test.seed).position(test)
}

/// When a run of several tests is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopAfter {
    /// The run stops after all tests.
    End,
    /// The run stops after the first failure.
    Failure,
}

/// The results of a group of tests.
#[derive(Debug, Default)]
pub(super) struct GroupResult {
    /// The results, each with the index of its test among all tests of the file.
    pub cases: Vec<(usize, TestResult)>,
    /// Names of the tests that could not run.
    pub unrun: Vec<String>,
    /// Diagnostics about the files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs the tests of a group in order.
#[allow(clippy::disallowed_methods, reason = "how long a test took is told, and nothing depends on it")]
pub(super) fn run_group(
    sources: &Sources,
    group: &TestGroup,
    compiled: Result<TestGame, Vec<Diagnostic>>,
    until: StopAfter,
) -> GroupResult {
    let mut compiled = match compiled {
        Ok(compiled) => compiled,
        Err(wrong) => return results_without_game(sources, group, wrong),
    };
    let mut result = GroupResult { diagnostics: std::mem::take(&mut compiled.warnings), ..GroupResult::default() };
    for (at, test) in &group.tests {
        let start = Instant::now();
        let trial_result = match &test.refused {
            Some(reason) => TrialResult { wrong: vec![unexpected_start(reason)], ..TrialResult::default() },
            None => compiled.start_trial(test.seed).run(test),
        };
        result.diagnostics.extend(trial_result.notes);
        let case =
            test_result(test, report::failure_message(sources, &trial_result.wrong, &trial_result.log), start.elapsed().as_secs_f64());
        let failed = !case.passed;
        result.cases.push((*at, case));
        if until == StopAfter::Failure && failed {
            break;
        }
    }
    result
}

/// Makes the results of tests whose game cannot start. If the chosen players or options are the reason, the tests fail, or pass if they
/// expect the refusal.
fn results_without_game(sources: &Sources, group: &TestGroup, mut wrong: Vec<Diagnostic>) -> GroupResult {
    wrong.retain(|found| found.severity == Severity::Error);
    if !wrong.iter().all(is_of_choice) {
        return GroupResult {
            unrun: group.tests.iter().map(|(_, test)| test.name.clone()).collect(),
            diagnostics: wrong,
            ..GroupResult::default()
        };
    }
    let trial_result = |test: &ScenarioTest| {
        let placed = |found: &Diagnostic| Diagnostic { span: found.span.or(Some(test.span)), ..found.clone() };
        let wrong = wrong.iter().map(placed).collect();
        test.refused.as_ref().map_or_else(|| Vec::clone(&wrong), |reason| not_refused_for(reason, wrong.clone()))
    };
    let cases =
        group.tests.iter().map(|(at, test)| (*at, test_result(test, report::failure_message(sources, &trial_result(test), &[]), 0.0)));
    GroupResult { cases: cases.collect(), ..GroupResult::default() }
}

/// Returns diagnostics about the lines of a group of tests that cannot be parsed. Tests that expect a refusal have no such lines.
pub(super) fn find_unreadable_lines(text: &GameText, group: &TestGroup) -> Vec<Diagnostic> {
    let Ok(mut compiled) = TestGame::compile(text, &group.setup) else { return Vec::new() };
    let read = group.tests.iter().filter(|(_, test)| test.refused.is_none());
    read.flat_map(|(_, test)| compiled.start_trial(test.seed).find_unreadable_lines(test)).collect()
}

/// Builds the diagnostic for a game that starts although the test expects a refusal.
fn unexpected_start(reason: &Text) -> Diagnostic {
    ScenarioProblem::Begins.at(reason.span)
}

/// Checks errors against the expected reason for a refusal. Returns no diagnostics if they match.
fn not_refused_for(reason: &Text, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if errors.iter().all(is_refusal) && errors.iter().any(|found| found.says(reason.text.trim())) {
        return Vec::new();
    }
    let other = ScenarioProblem::RefusedOtherwise.at(reason.span);
    [other].into_iter().chain(errors).collect()
}

fn test_result(test: &ScenarioTest, message: String, seconds: f64) -> TestResult {
    TestResult { name: test.name.clone(), passed: message.is_empty(), message, seconds, span: test.span }
}
