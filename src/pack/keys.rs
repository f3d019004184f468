//! Taking a table apart key by key, so that nothing in it is passed over.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::problem::Problem;
use super::read::{Spanned, Text, Value};

/// The keys of one table while they are taken out by name. What is left at the end is unknown.
pub struct Keys<'a> {
    owner: String,
    span: Span,
    keys: Vec<(Text, Spanned)>,
    /// How much had been reported before.
    before: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Keys<'a> {
    /// The keys of `owner`, which is a word for messages: `[[scenario]]`.
    pub fn new(owner: impl Into<String>, span: Span, keys: Vec<(Text, Spanned)>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Keys { owner: owner.into(), span, keys, before: diagnostics.len(), diagnostics }
    }

    /// Takes a value of any sort.
    pub fn take(&mut self, key: &str) -> Option<(Text, Spanned)> {
        let at = self.keys.iter().position(|(found, _)| found.text == key)?;
        Some(self.keys.remove(at))
    }

    /// Takes a text.
    pub fn text(&mut self, key: &str) -> Option<Text> {
        self.take_as(key, "a text in quotes", |value| match value {
            Value::Text(text) => Some(text),
            _ => None,
        })
    }

    /// Takes a number.
    pub fn integer(&mut self, key: &str) -> Option<i64> {
        self.take_as(key, "a whole number", |value| match value {
            Value::Integer(number) => Some(number),
            _ => None,
        })
    }

    /// Takes the keys of a table.
    pub fn table(&mut self, key: &str) -> Option<Vec<(Text, Spanned)>> {
        self.take_as(key, "a table, such as `{ name = 1 }`", |value| match value {
            Value::Table(keys) => Some(keys),
            _ => None,
        })
    }

    /// Takes a list of texts; a text alone is a list of one.
    pub fn texts(&mut self, key: &str) -> Vec<Text> {
        self.take_as(key, "a list of texts in quotes", |value| match value {
            Value::Text(text) => Some(vec![text]),
            Value::List(items) => items.into_iter().map(|item| item.text().cloned()).collect(),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// Takes all tables written under `[[header]]`, whose last part is `key`, each with the place of its header.
    pub fn tables(&mut self, key: &str, header: &str) -> Vec<(Vec<(Text, Spanned)>, Span)> {
        if !header.contains('.') && self.keys.iter().any(|(found, value)| found.text == key && matches!(value.value, Value::Table(_))) {
            // Most often a bracket on each side was forgotten.
            if let Some((_, found)) = self.take(key) {
                self.diagnostics.push(one_bracket(header, found.span));
            }
            return Vec::new();
        }
        let written = format!("tables, each under its own `[[{header}]]`");
        self.take_as(key, &written, |value| match value {
            Value::List(items) => items
                .into_iter()
                .map(|item| match item.value {
                    Value::Table(keys) => Some((keys, item.span)),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// Takes a value that `read` understands; `written` says for a message how it must be written.
    pub fn take_as<T>(&mut self, key: &str, written: &str, read: impl FnOnce(Value) -> Option<T>) -> Option<T> {
        let (name, found) = self.take(key)?;
        let (sort, span) = (found.sort(), found.span);
        let value = read(found.value);
        if value.is_none() {
            self.diagnostics.push(Problem::MustBe { key: name.text, expected: written.to_string(), found: sort }.at(span));
        }
        value
    }

    /// Takes a text that must be there; `help` says how to write it.
    pub fn expect_text(&mut self, key: &str, help: &str) -> Option<Text> {
        self.expect(key, help);
        self.text(key)
    }

    /// Reports a key that is not there.
    pub fn expect(&mut self, key: &str, help: &str) {
        if !self.has(key) {
            let (owner, key, help) = (self.owner.clone(), key.to_string(), help.to_string());
            self.diagnostics.push(Problem::MissingKey { owner, key, help }.at(self.span));
        }
    }

    /// The keys that have not been taken yet.
    pub fn keys(&self) -> impl Iterator<Item = &Text> {
        self.keys.iter().map(|(key, _)| key)
    }

    /// Whether a key has not been taken yet.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|(found, _)| found.text == key)
    }

    /// The value of a key that has not been taken yet.
    pub fn value(&self, key: &str) -> Option<&Spanned> {
        self.keys.iter().find(|(found, _)| found.text == key).map(|(_, value)| value)
    }

    /// Where the value of a key stands that has not been taken yet.
    pub fn place(&self, key: &str) -> Option<Span> {
        self.value(key).map(|value| value.span)
    }

    /// What has not been taken.
    pub fn rest(self) -> Vec<(Text, Spanned)> {
        self.keys
    }

    /// The header of the table.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Where faults go.
    pub fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }

    /// Reports what has not been taken as unknown. A key that is missing and one that was meant to be it are one fault.
    pub fn refuse_rest(self, known: &[&str]) {
        let (owner, span) = (&self.owner, self.span);
        let missing = |told: &Diagnostic| match told.problem() {
            Some(Problem::MissingKey { owner: of, key, .. }) if of == owner && told.span == Some(span) => Some(key.clone()),
            _ => None,
        };
        // Before this table was begun, nothing had been reported of it.
        let mut told = self.diagnostics.split_off(self.before.min(self.diagnostics.len()));
        let mut lacking: Vec<String> = told.iter().filter_map(missing).collect();
        for (key, _) in &self.keys {
            let near = nearest(&key.text, known.iter().copied());
            let mut of_key = None;
            if let Some(at) = lacking.iter().position(|lacks| Some(lacks.as_str()) == near) {
                let meant = Some(lacking.remove(at));
                told.retain(|told| missing(told) != meant);
            } else if near.is_none() && self.keys.len() == 1 && lacking.len() == 1 {
                // The only one that is missing and the only one that nobody knows.
                of_key = lacking.pop();
                told.retain(|told| missing(told) != of_key);
            }
            told.push(unknown_key_for(key, owner, known, of_key));
        }
        self.diagnostics.append(&mut told);
    }
}

/// What is reported of a key that does not exist.
pub fn unknown_key(key: &Text, owner: &str, known: &[&str]) -> Diagnostic {
    unknown_key_for(key, owner, known, None)
}

fn unknown_key_for(key: &Text, owner: &str, known: &[&str], missing: Option<String>) -> Diagnostic {
    let near = nearest(&key.text, known.iter().copied()).map(String::from);
    Problem::UnknownKey { owner: owner.to_string(), key: key.text.clone(), missing, near, known: known.join(", ") }.at(key.span)
}

/// What is reported of a value of another sort than what its key holds.
pub(super) fn must_be(key: &str, expected: &str, value: &Spanned) -> Diagnostic {
    Problem::MustBe { key: key.to_string(), expected: expected.to_string(), found: value.sort() }.at(value.span)
}

/// Whether a name is lower-case letters and digits in words joined by `_`.
pub fn is_snake_case(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.split('_').all(is_word)
}

/// Reports an id that is not in snake case.
pub fn check_id(id: &Text, diagnostics: &mut Vec<Diagnostic>) {
    if is_snake_case(&id.text) {
        return;
    }
    diagnostics.push(Problem::NotAnId { id: id.text.clone(), better: snake_case(&id.text) }.at(id.span));
}

/// The id that a name was meant to be, if there is one.
fn snake_case(name: &str) -> Option<String> {
    let mut words = String::new();
    let mut before = '_';
    for letter in name.chars().filter(|letter| *letter != '\'') {
        if letter.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push('_');
        }
        words.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
        before = letter;
    }
    let words = words.split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    is_snake_case(&words).then_some(words)
}

/// A header with one bracket on each side, where there may be several such tables.
pub(super) fn one_bracket(header: &str, span: Span) -> Diagnostic {
    Problem::OneBracket { header: header.to_string() }.at(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_snake_case() {
        assert!(is_snake_case("wisp_2") && is_snake_case("wolf"));
        for bad in ["", "_wolf", "wolf_", "2_wolves", "Wolf", "a__b", "wölf", "a b"] {
            assert!(!is_snake_case(bad), "{bad}");
        }
        assert_eq!(snake_case("Ember Fox's"), Some("ember_foxs".to_owned()));
        assert_eq!(snake_case("emberFox"), Some("ember_fox".to_owned()));
        assert_eq!(snake_case("2"), None);
    }
}
