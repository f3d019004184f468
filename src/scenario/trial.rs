//! A run of one test as its lines see it: the game, the random events that lines have fixed, and how expressions are read.

use crate::cast;
use std::sync::Arc;

use super::problem::ScenarioProblem;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::engine::{Fault, Game};
use crate::lang::reader::LineReader;
use crate::lang::{Type, seat_number};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{FileId, Span};
use crate::syntax::ast::scenario::ScenarioLine;
use crate::syntax::ast::{Expr, Name};

/// The locations of lines that fixed random events which have not happened yet.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedEvents {
    /// The last line that fixed dice rolls.
    pub rolls: Option<Span>,
    /// The last line that fixed random takes of tokens.
    pub takes: Option<Span>,
    /// The last line that fixed what chance chooses.
    pub chances: Option<Span>,
    /// The lines that fixed drawn cards, in the order in which the game stores them.
    pub draws: Vec<Span>,
}

/// A run of one test: its game, and what its lines have fixed.
pub(super) struct Trial<'t> {
    /// Compiles the expressions in the lines.
    pub reader: &'t mut LineReader,
    /// The ruleset, extended by the compiled lines.
    pub rules: Arc<Ruleset>,
    /// Runs the scripts of cards.
    pub host: &'t mut ScriptHost,
    /// The game in its current state.
    pub game: Game,
    /// Random events that lines have fixed.
    pub fixed_events: FixedEvents,
    /// Whether each line of `when` answers the next question. If not, forced answers are left out.
    pub every_answer: bool,
    /// Warnings about lines that can be executed.
    pub warnings: Vec<Diagnostic>,
    /// The game at the end of `when`, if lines of `then` are about the question after it.
    pub after_when: Option<Box<Game>>,
    /// A copy of the game at the next question; `None` until a line needs it.
    pub next_game: Option<Box<Game>>,
    /// Whether questions in the middle of effects, before the next question, are answered with the first option.
    pub any_answer: bool,
}

/// A diagnostic about a line of a test.
pub(super) use crate::diagnostic::BoxedDiagnostic;

/// Largest number of questions that are answered automatically on the way to the next one.
const MAX_ANSWERS: usize = 2000;

impl<'t> Trial<'t> {
    /// Creates a run for a game whose set-up has not been run.
    pub fn new(reader: &'t mut LineReader, rules: Arc<Ruleset>, host: &'t mut ScriptHost, game: Game) -> Trial<'t> {
        let (fixed, notes) = (FixedEvents::default(), Vec::new());
        Trial {
            reader,
            rules,
            host,
            game,
            fixed_events: fixed,
            every_answer: false,
            warnings: notes,
            after_when: None,
            next_game: None,
            any_answer: false,
        }
    }

    /// Compiles an expression in which cards and seats can be named.
    pub fn compile(&mut self, expr: &Expr) -> Result<(NodeId, Type), BoxedDiagnostic> {
        self.reader.read(expr)
    }

    /// Evaluates an expression for a seat.
    pub fn evaluate(&mut self, node: NodeId, me: usize) -> i64 {
        self.game.store(self.reader.rules()).eval(node, &mut Env::for_seat(me))
    }

    /// Takes the arithmetic error that has occurred since the last call, if any.
    pub fn take_arithmetic_error(&mut self) -> Option<String> {
        self.game.store(self.reader.rules()).take_arithmetic_fault().map(|fault| fault.to_string())
    }

    /// Returns the game at the next question or at its end. Later changes to the state are not included.
    pub fn game_at_next_question(&mut self, span: Span) -> Result<&mut Game, Vec<String>> {
        let next = match self.next_game.take() {
            Some(next) => next,
            None => {
                let mut next = Box::new(self.game.clone());
                let told = |fault: Fault| fault_diagnostic(&fault, span).message;
                for _ in 0..MAX_ANSWERS {
                    next.on(&self.rules).advance(self.host).map_err(|fault| vec![told(fault)])?;
                    if !self.any_answer || !next.asks_in_effect() {
                        break;
                    }
                    next.on(&self.rules).answer(self.host, 0).map_err(|fault| vec![told(fault)])?;
                }
                next
            }
        };
        Ok(self.next_game.insert(next))
    }

    /// Returns the index of the card definition that a word names.
    pub fn find_definition(&self, word: &Name) -> Result<usize, BoxedDiagnostic> {
        let rules = &self.rules;
        rules.find_definition(&word.text).ok_or_else(|| {
            let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
            let (name, near) = (word.text.clone(), nearest(&word.text, names).map(String::from));
            Box::new(ScenarioProblem::NoCard { name, near }.at(word.span))
        })
    }

    /// Returns the index of the seat that a word such as `p2` names.
    pub fn find_seat(&self, word: &Name) -> Result<usize, BoxedDiagnostic> {
        match seat_number(&word.text) {
            Some(seat) => self.expect_seat(seat, word.span),
            None => Err(Box::new(ScenarioProblem::NotAPlayer { found: word.text.clone() }.at(word.span))),
        }
    }

    /// Returns the seat, or a diagnostic if the game has no such seat.
    pub fn expect_seat(&self, seat: usize, span: Span) -> Result<usize, BoxedDiagnostic> {
        if seat < self.rules.players {
            return Ok(seat);
        }
        Err(Box::new(ScenarioProblem::NoPlayer { player: seat + 1, players: self.rules.players }.at(span)))
    }
}

/// Builds the diagnostic for a fault of the game, at the line that caused it.
pub(super) fn fault_diagnostic(fault: &Fault, span: Span) -> BoxedDiagnostic {
    let found = fault.add_to(ScenarioProblem::Fault { fault: fault.to_string() }.at(span));
    Box::new(match fault.span {
        Some(place) => found.also(place, "here"),
        None => found,
    })
}

// ------------------------------------------------------------------ lines

/// A function that parses the lines of one part of a test.
type Parse<T> = fn(FileId, &str, u32, &mut Vec<Diagnostic>) -> Vec<ScenarioLine<T>>;

/// Parses the lines of a text. Errors are added to `wrong`.
pub(super) fn parse_lines<T>(text: Option<&Text>, parse: Parse<T>, wrong: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<T>> {
    text.map_or_else(Vec::new, |text| parse(text.span.file, &text.text, text.span.start, wrong))
}

/// Returns the source text at a location.
pub(super) fn source_text(text: Option<&Text>, span: Span) -> &str {
    let within = |text: &Text| (span.start.saturating_sub(text.span.start)) as usize..(span.end.saturating_sub(text.span.start)) as usize;
    text.and_then(|text| text.text.get(within(text))).unwrap_or("")
}

/// Returns the words of a name, each with its location.
pub(super) fn split_words(name: &Name) -> impl Iterator<Item = Name> {
    let start = name.text.as_ptr() as usize;
    name.text.split_whitespace().map(move |word| {
        let at = name.span.start + cast::fit::<u32>(word.as_ptr() as usize - start);
        Name { text: word.to_string(), span: Span { file: name.span.file, start: at, end: at + cast::fit::<u32>(word.len()) } }
    })
}
