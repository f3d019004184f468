//! One run of one test: the lines in which it is written, what they say of the game, and whether it holds.

use crate::cast;
use std::sync::Arc;

use super::chance::{Fixed, never_came};
use super::problem::Problem;
use super::{given, then, when};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::engine::{Fault, Game};
use crate::lang::reader::Reader;
use crate::lang::{Type, seat_number};
use crate::pack::{Choice, Text};
use crate::script::ScriptHost;
use crate::source::{FileId, Span};
use crate::syntax::ast::scenario::ScenarioLine;
use crate::syntax::ast::{Expr, Name};
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
    /// What lines have fixed of chance.
    pub fixed: Fixed,
    /// Each line of `when` answers the next question: all of them are written, and none that was taken unasked.
    pub every_answer: bool,
    /// What is odd about its lines, although they can be read and done.
    pub notes: Vec<Diagnostic>,
    /// Where `when` ended, if lines of `then` speak of the question that comes behind it.
    pub where_when_ended: Option<Box<Game>>,
    /// How the game goes on to the next question, once somebody asked.
    next: Option<Box<Game>>,
    /// Questions that come up before it are answered with the first option.
    any_answer: bool,
}

/// What is wrong with a line.
pub(super) type Wrong = Box<Diagnostic>;

/// So many questions are answered by themselves before the next one that is told.
const MOST_ANSWERS: usize = 2000;

impl<'t> Trial<'t> {
    /// A trial of a game that has not been set up.
    pub fn new(reader: &'t mut Reader, rules: Arc<Ruleset>, host: &'t mut ScriptHost, game: Game) -> Trial<'t> {
        let (fixed, notes) = (Fixed::default(), Vec::new());
        Trial { reader, rules, host, game, fixed, every_answer: false, notes, where_when_ended: None, next: None, any_answer: false }
    }

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

    /// An expression in which cards and seats can be named.
    pub fn read(&mut self, expr: &Expr) -> Result<(NodeId, Type), Wrong> {
        self.reader.read(expr)
    }

    /// The value of an expression for a seat, as the game stands.
    pub fn value(&mut self, node: NodeId, me: usize) -> i64 {
        self.game.on(self.reader.rules()).eval(node, &mut Env::of(me))
    }

    /// What went wrong with a number that was worked out since this was asked last.
    pub fn wrong_number(&mut self) -> Option<String> {
        self.game.on(self.reader.rules()).wrong_number().map(|fault| fault.to_string())
    }

    /// The game at the question that comes next, or at its end; what is done now stays as it is.
    pub fn next(&mut self, span: Span) -> Result<&mut Game, Vec<String>> {
        let next = match self.next.take() {
            Some(next) => next,
            None => {
                let mut next = Box::new(self.game.clone());
                let told = |fault: Fault| faulted(&fault, span).message;
                for _ in 0..MOST_ANSWERS {
                    next.on(&self.rules).advance(self.host).map_err(|fault| vec![told(fault)])?;
                    if !self.any_answer || !next.asks_inside() {
                        break;
                    }
                    next.on(&self.rules).answer(self.host, 0).map_err(|fault| vec![told(fault)])?;
                }
                next
            }
        };
        Ok(self.next.insert(next))
    }

    /// The card that a word names.
    pub fn definition(&self, word: &Name) -> Result<usize, Wrong> {
        let rules = &self.rules;
        rules.find_definition(&word.text).ok_or_else(|| {
            let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
            let (name, near) = (word.text.clone(), nearest(&word.text, names).map(String::from));
            Box::new(Problem::NoCard { name, near }.at(word.span))
        })
    }

    /// The seat that a word such as `p2` names.
    pub fn seat(&self, word: &Name) -> Result<usize, Wrong> {
        match seat_number(&word.text) {
            Some(seat) => self.seat_at(seat, word.span),
            None => Err(Box::new(Problem::NotAPlayer { found: word.text.clone() }.at(word.span))),
        }
    }

    /// A seat, if somebody sits there.
    pub fn seat_at(&self, seat: usize, span: Span) -> Result<usize, Wrong> {
        if seat < self.rules.players {
            return Ok(seat);
        }
        Err(Box::new(Problem::NoPlayer { player: seat + 1, players: self.rules.players }.at(span)))
    }
}

/// A fault of the game, at the line that brought it about.
pub(super) fn faulted(fault: &Fault, span: Span) -> Wrong {
    let found = fault.tell(Problem::Fault { fault: fault.to_string() }.at(span));
    Box::new(match fault.span {
        Some(place) => found.also(place, "here"),
        None => found,
    })
}

// ------------------------------------------------------------------ lines

/// What reads the lines of a text.
type Parse<T> = fn(FileId, &str, u32, &mut Vec<Diagnostic>) -> Vec<ScenarioLine<T>>;

/// The lines of a text; what cannot be read is added to `wrong`.
pub(super) fn lines_of<T>(text: Option<&Text>, parse: Parse<T>, wrong: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<T>> {
    text.map_or_else(Vec::new, |text| parse(text.span.file, &text.text, text.span.start, wrong))
}

/// What was written there.
pub(super) fn written(text: Option<&Text>, span: Span) -> &str {
    let within = |text: &Text| (span.start.saturating_sub(text.span.start)) as usize..(span.end.saturating_sub(text.span.start)) as usize;
    text.and_then(|text| text.text.get(within(text))).unwrap_or("")
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

/// The words of a name that has several, each with its place.
pub(super) fn words_of(name: &Name) -> impl Iterator<Item = Name> {
    let start = name.text.as_ptr() as usize;
    name.text.split_whitespace().map(move |word| {
        let at = name.span.start + cast::fit::<u32>(word.as_ptr() as usize - start);
        Name { text: word.to_string(), span: Span { file: name.span.file, start: at, end: at + cast::fit::<u32>(word.len()) } }
    })
}
