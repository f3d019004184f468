//! The one shape of every message about somebody's file. A diagnostic is data; [`render`] draws it.
//!
//! Codes never change their meaning: `P` parse, `R` rules, `C` cards, `S` script, `G` game.
#![warn(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::source::{FileId, Span};

mod problem;
pub mod render;

pub use problem::{Problem, Shared};

/// Words longer than this are not compared: nobody mistypes them by one letter.
const LONGEST_COMPARED: usize = 100;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Severity {
    /// The file cannot be used as it is.
    Error,
    /// The file can be used, but probably does not say what was meant.
    Warning,
}

/// A diagnostic as an error value, boxed to keep results small.
pub type BoxedDiagnostic = Box<Diagnostic>;

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// A letter and a number, `R012`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line in lower case without a full stop, names in backticks.
    pub message: String,
    /// The place that is wrong.
    pub span: Option<Span>,
    /// What is wrong *here*; stands beside the underlined place.
    pub label: String,
    /// Other places that matter, each with what it has to do with it.
    pub secondary: Vec<(Span, String)>,
    /// What to type instead.
    pub help: Vec<String>,
    /// How play came here: card, hook, rule, turn.
    pub trace: Vec<String>,
    /// The name that nothing has, and the name that was probably meant: where many miss the same, one of them is told.
    pub unknown: Option<Box<(String, String)>>,
    /// What is wrong as a value, where it has been made from one.
    pub problem: Option<Shared>,
}

/// Whether something is wrong, and not only odd.
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

impl Diagnostic {
    /// A fault.
    pub fn error(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: span.into(),
            label: String::new(),
            secondary: Vec::new(),
            help: Vec::new(),
            trace: Vec::new(),
            unknown: None,
            problem: None,
        }
    }

    /// A doubt.
    pub fn warning(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Says what is wrong at the place itself.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = text.into();
        self
    }

    /// Points at another place that matters.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push((span, text.into()));
        self
    }

    /// Points at any number of other places.
    pub fn also_at(mut self, places: impl IntoIterator<Item = (Span, impl Into<String>)>) -> Diagnostic {
        self.secondary.extend(places.into_iter().map(|(span, text)| (span, text.into())));
        self
    }

    /// Says what to type instead.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Says in any number of ways what to type instead.
    pub fn helps(mut self, texts: impl IntoIterator<Item = impl Into<String>>) -> Diagnostic {
        self.help.extend(texts.into_iter().map(Into::into));
        self
    }

    /// Whether its message has these words, for people who quote it: a scenario can name the reason why a game is refused. Whoever looks
    /// for a kind of problem asks [`Diagnostic::problem`].
    pub fn says(&self, words: &str) -> bool {
        self.message.contains(words)
    }

    /// Adds what is not said of every problem of its kind.
    pub fn with(self, more: impl FnOnce(Diagnostic) -> Diagnostic) -> Diagnostic {
        more(self)
    }

    /// Adds one station of the way by which play came here.
    pub fn trace(mut self, text: impl Into<String>) -> Diagnostic {
        self.trace.push(text.into());
        self
    }

    /// A name that is not known: adds "did you mean" if there is something to mean.
    pub fn unknown(self, name: &str, nearest: Option<&str>) -> Diagnostic {
        let unknown = nearest.map(|known| Box::new((name.to_string(), known.to_string())));
        Diagnostic { unknown, ..self.meant(nearest) }
    }

    /// Adds "did you mean" if there is something to mean.
    pub fn meant(self, nearest: Option<&str>) -> Diagnostic {
        match nearest {
            Some(word) => self.help(format!("did you mean `{word}`?")),
            None => self,
        }
    }
}

/// Of those that say the same about the same place the first, and only what has not been said `before`.
pub fn without_doubles(found: Vec<Diagnostic>, before: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut said: BTreeSet<(Option<Place>, String)> = before.iter().map(|one| (place(one.span), one.message.clone())).collect();
    found.into_iter().filter(|one| said.insert((place(one.span), one.message.clone()))).collect()
}

/// A span that can be ordered.
type Place = (FileId, u32, u32);

fn place(span: Option<Span>) -> Option<Place> {
    span.map(|span| (span.file, span.start, span.end))
}

/// Finds equal diagnostics in a growing list without comparing each with each. The list may be added to by others; whoever takes
/// something out of it or puts something in begins a new index.
#[derive(Clone, Debug, Default)]
pub struct DoublesIndex {
    /// How much of the list has been taken in.
    seen: usize,
    at: BTreeMap<(Option<Place>, String), Vec<usize>>,
}

impl DoublesIndex {
    /// Whether the list holds this very diagnostic.
    pub fn holds(&mut self, list: &[Diagnostic], one: &Diagnostic) -> bool {
        if self.seen > list.len() {
            *self = DoublesIndex::default();
        }
        for (at, known) in list.iter().enumerate().skip(self.seen) {
            self.at.entry((place(known.span), known.message.clone())).or_default().push(at);
        }
        self.seen = list.len();
        let same = self.at.get(&(place(one.span), one.message.clone()));
        same.is_some_and(|same| same.iter().any(|at| list.get(*at) == Some(one)))
    }
}

/// Of equal ones the first.
pub fn once(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut index = DoublesIndex::default();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(found.len());
    for one in found {
        if !index.holds(&kept, &one) {
            kept.push(one);
        }
    }
    kept
}

/// Whether a character is not seen, or changes how what stands around it is seen: control characters but line breaks and tabs, and the
/// signs by which text changes its direction (`U+202E` and its like), so that a reader sees something else than is there.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text from somebody's file as messages show it: what would not be seen is written as `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_unseen(letter) {
            true => out.extend(letter.escape_unicode()),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// The known word that is nearest to `word`, if one is near enough to have been meant: one letter in three may differ,
/// and one letter may differ even in short words. Of equally near ones the first in the alphabet is taken.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length == 0 || length > LONGEST_COMPARED {
        return None;
    }
    let allowed = (length / 3).max(1);
    let lower = word.to_lowercase();
    known
        .into_iter()
        .filter(|candidate| *candidate != word && candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_a_slip_away() {
        let known = ["wisp", "wolf", "wall", "graveyard"];
        assert_eq!(nearest("wlof", known), Some("wolf"));
        assert_eq!(nearest("graveyrad", known), Some("graveyard"));
        assert_eq!(nearest("Wall", known), Some("wall"));
        assert_eq!(nearest("hedgehog", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn what_would_not_be_seen_is_shown_escaped() {
        assert_eq!(visible("a\tb\n"), "a\tb\n");
        assert_eq!(visible("a\u{1b}[8m\r\u{202e}b"), "a\\u{1b}[8m\\u{d}\\u{202e}b");
    }

    #[test]
    fn equal_diagnostics_are_found_though_others_add_to_the_list() {
        let one = |message: &str| Diagnostic::error("R001", None, message);
        let mut list = vec![one("a")];
        let mut index = DoublesIndex::default();
        assert!(index.holds(&list, &one("a")) && !index.holds(&list, &one("b")));
        list.push(one("b"));
        assert!(index.holds(&list, &one("b")) && !index.holds(&list, &one("b").help("c")));
        assert_eq!(once(vec![one("a"), one("b"), one("a"), one("a").help("c")]), [one("a"), one("b"), one("a").help("c")]);
        assert_eq!(without_doubles(vec![one("a"), one("b"), one("b").help("c")], &[one("a")]), [one("b")]);
    }
}
