//! One run of one test as its lines see it: the game, what lines have fixed, and how they are read.

use crate::cast;
use std::sync::Arc;

use super::problem::Problem;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::engine::{Fault, Game};
use crate::lang::reader::Reader;
use crate::lang::{Type, seat_number};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{FileId, Span};
use crate::syntax::ast::scenario::ScenarioLine;
use crate::syntax::ast::{Expr, Name};

/// What lines have fixed and has not been looked for yet in the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// The last line that fixed rolls.
    pub rolls: Option<Span>,
    /// The last line that fixed what is taken at random.
    pub takes: Option<Span>,
    /// The lines that fixed which card is drawn next, in the order in which the game knows their draws.
    pub draws: Vec<Span>,
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
    pub next: Option<Box<Game>>,
    /// Questions that come up before it are answered with the first option.
    pub any_answer: bool,
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

/// The words of a name that has several, each with its place.
pub(super) fn words_of(name: &Name) -> impl Iterator<Item = Name> {
    let start = name.text.as_ptr() as usize;
    name.text.split_whitespace().map(move |word| {
        let at = name.span.start + cast::fit::<u32>(word.as_ptr() as usize - start);
        Name { text: word.to_string(), span: Span { file: name.span.file, start: at, end: at + cast::fit::<u32>(word.len()) } }
    })
}
