//! One run of one test: the lines in which it is written, what they say of the game, and whether it holds.

use std::sync::Arc;

use super::{given, then, when};
use crate::diagnostic::Diagnostic;
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::engine::{Fault, Game};
use crate::lang::reader::Reader;
use crate::lang::{Type, seat_number};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::Span;

/// A scenario or the test of a card.
pub(super) struct Test<'t> {
    pub name: String,
    pub given: Option<&'t Text>,
    pub when: Option<&'t Text>,
    pub then: Option<&'t Text>,
    pub players: Option<i64>,
    pub seed: i64,
    pub options: Vec<(String, Vec<String>)>,
    pub span: Span,
}

/// One run of one test.
pub(super) struct Trial<'t> {
    /// Reads lines.
    pub reader: &'t mut Reader,
    /// What the game runs on.
    pub rules: Arc<Ruleset>,
    /// Runs its scripts.
    pub host: &'t mut ScriptHost,
    /// The game.
    pub game: Game,
}

/// What is wrong with a line.
pub(super) type Wrong = Box<Diagnostic>;

impl Trial<'_> {
    pub fn run(&mut self, test: &Test<'_>) -> (Vec<Diagnostic>, Vec<String>) {
        let mut wrong = Vec::new();
        let result = given::write(self, test.given, test.span);
        let mut claims = match result {
            Ok(()) => then::read(self, test.then, &mut wrong),
            Err(found) => {
                wrong.push(*found);
                return (wrong, Vec::new());
            }
        };
        if !wrong.is_empty() {
            return (wrong, Vec::new());
        }
        then::remember(self, &mut claims);
        self.game.keep_log();
        self.game.keep_taken();
        match when::act(self, test.when) {
            Ok(()) => then::judge(self, &claims, &mut wrong),
            Err(found) => wrong.push(*found),
        }
        if test.then.is_none() {
            wrong.push(Diagnostic::error("G130", test.span, "there is no `then`, so nothing is tested"));
        }
        (wrong, self.game.log().to_vec())
    }

    /// Reads a line as an expression in which cards and seats can be named.
    pub fn read(&mut self, line: Line<'_>) -> Result<(NodeId, Type), Wrong> {
        self.reader.read(line.whole.span.file, line.text, line.span().start).map_err(|mut found| {
            if line.is_escaped() {
                found.span = Some(line.span());
            }
            found
        })
    }

    fn no_player(&self, seat: usize, span: Span) -> Wrong {
        let message = format!("there is no player {}; there are {}", seat + 1, self.rules.players);
        Box::new(Diagnostic::error("G101", span, message).label("not in this game"))
    }

    /// The value of an expression for a seat, as the game stands.
    pub fn value(&mut self, node: NodeId, me: usize) -> i64 {
        self.game.eval(self.reader.rules(), node, &mut Env::of(me))
    }

    /// What went wrong with a number that was worked out since this was asked last.
    pub fn wrong_number(&mut self) -> Option<String> {
        self.game.wrong_number(self.reader.rules()).map(|fault| fault.to_string())
    }

    /// The seat that a word such as `p2` names.
    pub fn seat(&self, word: Line<'_>) -> Result<usize, Wrong> {
        match seat_number(word.text) {
            Some(seat) if seat < self.rules.players => Ok(seat),
            Some(seat) => Err(self.no_player(seat, word.span())),
            None => Err(word.wrong(format!("expected a player such as `p1`, found `{}`", word.text))),
        }
    }
}

/// A fault of the game, at the line that brought it about.
pub(super) fn faulted(fault: &Fault, span: Span) -> Wrong {
    let found = fault.tell(Diagnostic::error("G140", span, fault.to_string()).label("this line brings it about"));
    Box::new(match fault.span {
        Some(place) => found.also(place, "here"),
        None => found,
    })
}

// ------------------------------------------------------------------ lines

/// A line of a scenario, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// What it says.
    pub text: &'t str,
    whole: &'t Text,
    at: usize,
}

impl<'t> Line<'t> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.whole.part(self.at, self.at + self.text.len())
    }

    /// Whether its places cannot be told from each other, since something in its text is escaped.
    fn is_escaped(&self) -> bool {
        (self.whole.span.end - self.whole.span.start) as usize != self.whole.text.len()
    }

    /// A part of it, without blanks around it.
    pub fn slice(&self, start: usize, end: usize) -> Line<'t> {
        let part = self.text.get(start..end).unwrap_or("");
        let blanks = part.len() - part.trim_start().len();
        Line { text: part.trim(), whole: self.whole, at: self.at + start + blanks }
    }

    /// What stands before and after a byte that is left out.
    pub fn split_at(&self, at: usize, length: usize) -> (Line<'t>, Line<'t>) {
        (self.slice(0, at), self.slice(at + length, self.text.len()))
    }

    /// What blanks part.
    pub fn words(&self) -> Vec<Line<'t>> {
        let mut words = Vec::new();
        let mut start = None;
        for (at, character) in self.text.char_indices().chain([(self.text.len(), ' ')]) {
            match (character.is_whitespace(), start) {
                (false, None) => start = Some(at),
                (true, Some(from)) => {
                    words.push(self.slice(from, at));
                    start = None;
                }
                _ => {}
            }
        }
        words
    }

    /// What stands around the last of these words that is not in quotes.
    pub fn around(&self, word: &str) -> Option<(Line<'t>, Line<'t>)> {
        let found = self.words().into_iter().rev().find(|found| {
            let before = &self.text[..found.at - self.at];
            found.text == word && before.matches('"').count() % 2 == 0
        })?;
        Some(self.split_at(found.at - self.at, word.len()))
    }

    /// Something is wrong with it.
    pub fn wrong(&self, message: impl Into<String>) -> Wrong {
        Box::new(Diagnostic::error("G110", self.span(), message).label("here"))
    }
}

/// The lines of a text: line breaks and `;` part them, `#` begins a comment unless a number follows it.
pub(super) fn lines_of(text: &Text) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let all = Line { text: &text.text, whole: text, at: 0 };
    let bytes = text.text.as_bytes();
    let (mut start, mut quoted, mut comment) = (0, false, None);
    for at in 0..=bytes.len() {
        match bytes.get(at) {
            None | Some(b'\n') => {
                lines.push(all.slice(start, comment.unwrap_or(at)));
                (start, quoted, comment) = (at + 1, false, None);
            }
            _ if comment.is_some() => {}
            Some(b'"') => quoted = !quoted,
            Some(b';') if !quoted => {
                lines.push(all.slice(start, at));
                start = at + 1;
            }
            Some(b'#') if !quoted => {
                let apart = at == start || bytes[at - 1].is_ascii_whitespace();
                let number = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                if apart && !number {
                    comment = Some(at);
                }
            }
            Some(_) => {}
        }
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}
