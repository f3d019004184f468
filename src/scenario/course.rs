//! The execution of one test: its position is set up, its lines are executed, and `then` is checked.

use super::chance::report_unused;
use super::problem::ScenarioProblem;
use super::trial::{Trial, parse_lines};
use super::{given, then, when};
use crate::diagnostic::Diagnostic;
use crate::engine::Game;
use crate::pack::{ChosenOptions, Text};
use crate::source::Span;
use crate::syntax::parse_when;

/// A scenario or a test of a card.
#[derive(Clone, Debug)]
pub(super) struct ScenarioTest {
    pub name: String,
    pub given: Option<Text>,
    pub when: Option<Text>,
    pub then: Option<Text>,
    pub refused: Option<Text>,
    pub players: Option<i64>,
    pub seed: i64,
    pub options: ChosenOptions,
    pub without: Vec<Text>,
    pub span: Span,
}

/// The result of running one test.
#[derive(Debug, Default)]
pub(super) struct TrialResult {
    /// Failures and errors. Empty if the test passed.
    pub wrong: Vec<Diagnostic>,
    /// Warnings about the lines of the test.
    pub notes: Vec<Diagnostic>,
    /// The lines of the game's log.
    pub log: Vec<String>,
}

impl Trial<'_> {
    /// Sets up the position and reads `then`. Errors are sorted by their order in the text.
    fn prepare<'c>(&mut self, test: &'c ScenarioTest, wrong: &mut Vec<Diagnostic>) -> Vec<then::ThenClaim<'c>> {
        given::set_up_position(self, test.given.as_ref(), test.span, wrong);
        let mut claims = Vec::new();
        if wrong.is_empty() {
            let acts = test.when.as_ref().is_some_and(|when| !when.text.trim().is_empty());
            claims = then::read_claims(self, test.then.as_ref(), acts, wrong);
        }
        wrong.sort_by_key(|found| found.span.map(|span| span.start));
        claims
    }

    /// Returns diagnostics about the lines of a test that cannot be parsed. Nothing is executed.
    pub fn find_unreadable_lines(&mut self, test: &ScenarioTest) -> Vec<Diagnostic> {
        let (mut wrong, mark) = (Vec::new(), self.reader.checkpoint());
        self.prepare(test, &mut wrong);
        parse_lines(test.when.as_ref(), parse_when, &mut wrong);
        relocate(test, &mut wrong);
        self.reader.roll_back(mark);
        wrong
    }

    /// Runs the test.
    pub fn run(&mut self, test: &ScenarioTest) -> TrialResult {
        // The compiled lines are discarded after each test, so the number of tests in a file is not limited.
        let (mut wrong, mark) = (Vec::new(), self.reader.checkpoint());
        let mut claims = self.prepare(test, &mut wrong);
        if wrong.is_empty() {
            then::store_values(self, &mut claims);
            self.game.keep_log();
            self.game.record_automatic_answers();
            let keeps_open = then::asks_for_offers(&claims);
            self.any_answer = when::execute_lines(self, test.when.as_ref(), keeps_open, &mut wrong) && !keeps_open;
            if wrong.is_empty() {
                wrong.extend(then::looks_ahead(&claims).and_then(|span| self.go_to_next_question(span)));
            }
            if wrong.is_empty() {
                then::check_claims(self, &claims, &mut wrong);
                report_unused(self, &mut wrong);
            }
        }
        relocate(test, &mut wrong);
        relocate(test, &mut self.warnings);
        self.reader.roll_back(mark);
        TrialResult { wrong, notes: std::mem::take(&mut self.warnings), log: self.game.log().to_vec() }
    }

    /// Runs the game to the next question or to its end, if lines of `then` are about it. Returns a diagnostic if that fails.
    fn go_to_next_question(&mut self, span: Span) -> Option<Diagnostic> {
        if let Err(why) = self.game_at_next_question(span) {
            return Some(ScenarioProblem::NotReached { why: why.join("; ") }.at(span));
        }
        if let Some(next) = self.next_game.take() {
            self.after_when = Some(Box::new(std::mem::replace(&mut self.game, *next)));
        }
        None
    }

    /// Returns the game after `given` and `when`, at the next question.
    ///
    /// # Errors
    /// Errors in the lines.
    pub fn position(mut self, test: &ScenarioTest) -> Result<Game, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        given::set_up_position(&mut self, test.given.as_ref(), test.span, &mut wrong);
        if wrong.is_empty() {
            when::execute_lines(&mut self, test.when.as_ref(), true, &mut wrong);
        }
        if wrong.is_empty() {
            // The game may be unable to go on from the position, which can still be shown.
            let stands = self.game.clone();
            if self.game.decision().is_none() && self.game.on(&self.rules).advance(self.host).is_err() {
                self.game = stands;
            }
            return Ok(self.game);
        }
        relocate(test, &mut wrong);
        Err(wrong)
    }
}

/// Moves diagnostics to the locations of the lines in the file.
fn relocate(test: &ScenarioTest, wrong: &mut [Diagnostic]) {
    for text in [&test.given, &test.when, &test.then].into_iter().flatten() {
        wrong.iter_mut().filter_map(|found| found.span.as_mut()).for_each(|span| *span = file_span(text, *span));
    }
}

/// Converts a location within a text to the location in the file. For a text with escapes it is that of the whole text.
fn file_span(text: &Text, span: Span) -> Span {
    let (start, end) = (span.start.wrapping_sub(text.span.start) as usize, span.end.wrapping_sub(text.span.start) as usize);
    if span.file == text.span.file && start <= end && end <= text.text.len() { text.part(start, end) } else { span }
}
