//! The course of one test: its position is written, its lines are done, and what must hold is judged.

use super::chance::never_came;
use super::problem::Problem;
use super::trial::{Trial, lines_of};
use super::{given, then, when};
use crate::diagnostic::Diagnostic;
use crate::engine::Game;
use crate::pack::{Choice, Text};
use crate::source::Span;
use crate::syntax::parse_when;

/// A scenario or the test of a card.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub name: String,
    pub given: Option<Text>,
    pub when: Option<Text>,
    pub then: Option<Text>,
    pub refused: Option<Text>,
    pub players: Option<i64>,
    pub seed: i64,
    pub options: Choice,
    pub without: Vec<Text>,
    pub span: Span,
}

/// What is told of a run.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What is wrong: nothing, if it has passed.
    pub wrong: Vec<Diagnostic>,
    /// What is odd about its lines.
    pub notes: Vec<Diagnostic>,
    /// What happened.
    pub log: Vec<String>,
}

impl Trial<'_> {
    /// Writes the position and reads what must hold; lines that cannot be read are told in the order in which people read.
    fn prepare<'c>(&mut self, test: &'c Test, wrong: &mut Vec<Diagnostic>) -> Vec<then::Claim<'c>> {
        given::write(self, test.given.as_ref(), test.span, wrong);
        let mut claims = Vec::new();
        if wrong.is_empty() {
            let acts = test.when.as_ref().is_some_and(|when| !when.text.trim().is_empty());
            claims = then::read(self, test.then.as_ref(), acts, wrong);
        }
        wrong.sort_by_key(|found| found.span.map(|span| span.start));
        claims
    }

    /// Which of its lines cannot be read; nothing is done.
    pub fn unreadable(&mut self, test: &Test) -> Vec<Diagnostic> {
        let (mut wrong, mark) = (Vec::new(), self.reader.mark());
        self.prepare(test, &mut wrong);
        lines_of(test.when.as_ref(), parse_when, &mut wrong);
        put_in_place(test, &mut wrong);
        self.reader.take_back(mark);
        wrong
    }

    /// Runs it.
    pub fn run(&mut self, test: &Test) -> Told {
        // What the lines are lowered to is of this test alone: however many a file has, there is room for each.
        let (mut wrong, mark) = (Vec::new(), self.reader.mark());
        let mut claims = self.prepare(test, &mut wrong);
        if wrong.is_empty() {
            then::remember(self, &mut claims);
            self.game.keep_log();
            self.game.keep_taken();
            let keeps_open = then::asks_for_offers(&claims);
            self.any_answer = when::act(self, test.when.as_ref(), keeps_open, &mut wrong) && !keeps_open;
            if wrong.is_empty() {
                wrong.extend(then::looks_ahead(&claims).and_then(|span| self.go_to_next_question(span)));
            }
            if wrong.is_empty() {
                then::judge(self, &claims, &mut wrong);
                never_came(self, &mut wrong);
            }
        }
        put_in_place(test, &mut wrong);
        put_in_place(test, &mut self.notes);
        self.reader.take_back(mark);
        Told { wrong, notes: std::mem::take(&mut self.notes), log: self.game.log().to_vec() }
    }

    /// Goes on to the question that comes next, or to the end, of which all lines of `then` speak; gives back what keeps it from that.
    fn go_to_next_question(&mut self, span: Span) -> Option<Diagnostic> {
        if let Err(why) = self.next(span) {
            return Some(Problem::NotReached { why: why.join("; ") }.at(span));
        }
        if let Some(next) = self.next.take() {
            self.where_when_ended = Some(Box::new(std::mem::replace(&mut self.game, *next)));
        }
        None
    }

    /// The game behind `given` and `when`, at the question that comes next.
    ///
    /// # Errors
    /// What is wrong with the lines.
    pub fn position(mut self, test: &Test) -> Result<Game, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        given::write(&mut self, test.given.as_ref(), test.span, &mut wrong);
        if wrong.is_empty() {
            when::act(&mut self, test.when.as_ref(), true, &mut wrong);
        }
        if wrong.is_empty() {
            // A position may be one from which the game cannot go on; it can be looked at all the same.
            let stands = self.game.clone();
            if self.game.decision().is_none() && self.game.on(&self.rules).advance(self.host).is_err() {
                self.game = stands;
            }
            return Ok(self.game);
        }
        put_in_place(test, &mut wrong);
        Err(wrong)
    }
}

/// Diagnostics of a test's lines stand where its file has them.
fn put_in_place(test: &Test, wrong: &mut [Diagnostic]) {
    for text in [&test.given, &test.when, &test.then].into_iter().flatten() {
        wrong.iter_mut().filter_map(|found| found.span.as_mut()).for_each(|span| *span = placed(text, *span));
    }
}

/// The place of a part of a text in its file: all of it where something in the text is escaped.
fn placed(text: &Text, span: Span) -> Span {
    let (start, end) = (span.start.wrapping_sub(text.span.start) as usize, span.end.wrapping_sub(text.span.start) as usize);
    if span.file == text.span.file && start <= end && end <= text.text.len() { text.part(start, end) } else { span }
}
