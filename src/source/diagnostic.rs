//! Diagnostics: messages about somebody's files, as data; [`render`] draws them.
//!
//! Codes never change their meaning. Their letters: `P` parse, `R` rules, `C` cards, `S` script, `G` game.
#![warn(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::source::{FileId, Span};

mod fix;
mod problem;
pub mod render;

pub use fix::{Fix, FixEdit, word_to_replace};
pub use problem::{Problem, SharedProblem};

/// Words longer than this are not compared for "did you mean", to save time.
const MAX_COMPARED_LENGTH: usize = 100;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Severity {
    /// The file cannot be used as it is.
    Error,
    /// The file can be used, but probably means something else than its author intended.
    Warning,
}

/// A diagnostic as an error value, boxed to keep results small.
pub type BoxedDiagnostic = Box<Diagnostic>;

/// A diagnostic: a message to the author of a file that says what is wrong, where, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The code: a letter and a number, such as `R012`.
    pub code: &'static str,
    /// Whether the diagnostic is an error or a warning.
    pub severity: Severity,
    /// The message: one line in lower case without a full stop, names in backticks.
    pub message: String,
    /// Where the problem is, if it has a place.
    pub span: Option<Span>,
    /// A short text beside the underlined place.
    pub label: String,
    /// Related places, each with an explanation.
    pub secondary: Vec<(Span, String)>,
    /// Pieces of advice how to fix the problem.
    pub help: Vec<String>,
    /// Changes that solve the problem, for an editor. Each says the same as a piece of advice.
    pub fixes: Vec<Fix>,
    /// The call stack of a run-time error: card, hook, rule and turn.
    pub trace: Vec<String>,
    /// An unknown name and the known name that was probably meant. Of several diagnostics with the same pair, only one is reported.
    pub unknown: Option<Box<(String, String)>>,
    /// The problem as a value of an enum, if the diagnostic was made from one.
    pub problem: Option<SharedProblem>,
}

/// Whether any diagnostic is an error, and not only a warning.
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|found| found.severity == Severity::Error)
}

impl Diagnostic {
    /// Creates an error.
    pub fn error(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: span.into(),
            label: String::new(),
            secondary: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
            trace: Vec::new(),
            unknown: None,
            problem: None,
        }
    }

    /// Creates a warning.
    pub fn warning(code: &'static str, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text beside the underlined place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = text.into();
        self
    }

    /// Adds a related place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push((span, text.into()));
        self
    }

    /// Adds several related places.
    pub fn also_at(mut self, places: impl IntoIterator<Item = (Span, impl Into<String>)>) -> Diagnostic {
        self.secondary.extend(places.into_iter().map(|(span, text)| (span, text.into())));
        self
    }

    /// Adds a piece of advice how to fix the problem.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds several pieces of advice.
    pub fn helps(mut self, texts: impl IntoIterator<Item = impl Into<String>>) -> Diagnostic {
        self.help.extend(texts.into_iter().map(Into::into));
        self
    }

    /// Whether the message contains these words, for scenarios that expect a certain message. Code that looks for a problem uses
    /// [`Diagnostic::problem`].
    pub fn says(&self, words: &str) -> bool {
        self.message.contains(words)
    }

    /// Applies `more` to the diagnostic, which adds what is special to this occurrence.
    pub fn with(self, more: impl FnOnce(Diagnostic) -> Diagnostic) -> Diagnostic {
        more(self)
    }

    /// Adds an entry to the call stack.
    pub fn trace(mut self, text: impl Into<String>) -> Diagnostic {
        self.trace.push(text.into());
        self
    }

    /// Marks the diagnostic as one about an unknown name, and adds "did you mean" if there is a near known name.
    pub fn unknown(self, name: &str, nearest: Option<&str>) -> Diagnostic {
        let unknown = nearest.map(|known| Box::new((name.to_string(), known.to_string())));
        let advised = self.help.len();
        let mut meant = Diagnostic { unknown, ..self.meant(nearest) };
        // Here the word as it is written is known.
        if let (Some(known), true) = (nearest, meant.help.len() > advised) {
            meant.fixes.pop();
            meant.fixes.push(Fix::word(name, known));
        }
        meant
    }

    /// Adds "did you mean" if there is a near known name.
    pub fn meant(self, nearest: Option<&str>) -> Diagnostic {
        match nearest {
            Some(word) => {
                let edit = FixEdit::Word { wrong: None, right: word.to_string() };
                self.help(format!("did you mean `{word}`?")).fix(Fix::new(format!("write `{word}`"), edit))
            }
            None => self,
        }
    }
}

/// Removes diagnostics that repeat an earlier one, of this list or of `before`: the same message at the same place.
pub fn without_duplicates(found: Vec<Diagnostic>, before: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut reported: BTreeSet<(Option<Place>, String)> = before.iter().map(|one| (place(one.span), one.message.clone())).collect();
    found.into_iter().filter(|one| reported.insert((place(one.span), one.message.clone()))).collect()
}

/// A span in a form that can be a sort key.
type Place = (FileId, u32, u32);

fn place(span: Option<Span>) -> Option<Place> {
    span.map(|span| (span.file, span.start, span.end))
}

/// An index for finding equal diagnostics in a growing list. The list may only be appended to; after any other change a new index is
/// needed.
#[derive(Clone, Debug, Default)]
pub struct DuplicateIndex {
    /// The number of elements that are indexed.
    indexed_count: usize,
    at: BTreeMap<(Option<Place>, String), Vec<usize>>,
}

impl DuplicateIndex {
    /// Whether the list contains an equal diagnostic.
    pub fn holds(&mut self, list: &[Diagnostic], one: &Diagnostic) -> bool {
        if self.indexed_count > list.len() {
            *self = DuplicateIndex::default();
        }
        for (at, known) in list.iter().enumerate().skip(self.indexed_count) {
            self.at.entry((place(known.span), known.message.clone())).or_default().push(at);
        }
        self.indexed_count = list.len();
        let same = self.at.get(&(place(one.span), one.message.clone()));
        same.is_some_and(|same| same.iter().any(|at| list.get(*at) == Some(one)))
    }
}

/// Removes all but the first of equal diagnostics.
pub fn deduplicate(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut index = DuplicateIndex::default();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(found.len());
    for one in found {
        if !index.holds(&kept, &one) {
            kept.push(one);
        }
    }
    kept
}

/// Whether a character is invisible or changes how the text around it is displayed: control characters other than line breaks and tabs, and
/// characters that change the text direction, such as `U+202E`.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text for display in messages: invisible characters are escaped as `\u{1b}`.
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

/// Returns the known word nearest to `word`, if it is near enough for a typing error: one letter in three may differ, and at least one
/// letter. Of equally near words, the first in the alphabet.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length == 0 || length > MAX_COMPARED_LENGTH {
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
        let mut index = DuplicateIndex::default();
        assert!(index.holds(&list, &one("a")) && !index.holds(&list, &one("b")));
        list.push(one("b"));
        assert!(index.holds(&list, &one("b")) && !index.holds(&list, &one("b").help("c")));
        assert_eq!(deduplicate(vec![one("a"), one("b"), one("a"), one("a").help("c")]), [one("a"), one("b"), one("a").help("c")]);
        assert_eq!(without_duplicates(vec![one("a"), one("b"), one("b").help("c")], &[one("a")]), [one("b")]);
    }
}
