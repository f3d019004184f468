//! Reads the keys of a TOML table one by one and reports every key that was not used.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};

/// The keys of one table. Each is taken by name; those left at the end are unknown.
pub struct Keys<'a> {
    owner: String,
    span: Span,
    keys: Vec<(Text, Spanned)>,
    /// Number of diagnostics before this table was read.
    before: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Keys<'a> {
    /// Creates a reader of `keys`. `owner` is the table's name in messages, such as `[[scenario]]`.
    pub fn new(owner: impl Into<String>, span: Span, keys: Vec<(Text, Spanned)>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Keys { owner: owner.into(), span, keys, before: diagnostics.len(), diagnostics }
    }

    /// Takes a key, with its value of any type. Returns `None` if the key is absent.
    pub fn take(&mut self, key: &str) -> Option<(Text, Spanned)> {
        let at = self.keys.iter().position(|(found, _)| found.text == key)?;
        Some(self.keys.remove(at))
    }

    /// Takes a text. Reports a value of another type.
    pub fn take_text(&mut self, key: &str) -> Option<Text> {
        self.take_as(key, "a text in quotes", |value| match value {
            TomlValue::Text(text) => Some(text),
            _ => None,
        })
    }

    /// Takes an integer. Reports a value of another type.
    pub fn take_integer(&mut self, key: &str) -> Option<i64> {
        self.take_as(key, "a whole number", |value| match value {
            TomlValue::Integer(number) => Some(number),
            _ => None,
        })
    }

    /// Takes a table and returns its keys. Reports a value of another type.
    pub fn take_table(&mut self, key: &str) -> Option<Vec<(Text, Spanned)>> {
        self.take_as(key, "a table, such as `{ name = 1 }`", |value| match value {
            TomlValue::Table(keys) => Some(keys),
            _ => None,
        })
    }

    /// Takes a list of texts. A single text is accepted as a list of one.
    pub fn take_texts(&mut self, key: &str) -> Vec<Text> {
        self.take_as(key, "a list of texts in quotes", |value| match value {
            TomlValue::Text(text) => Some(vec![text]),
            TomlValue::List(items) => items.into_iter().map(|item| item.text().cloned()).collect(),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// Takes all tables under `[[header]]` headers, where `key` is the last part of the header. Each comes with the location of its header.
    pub fn take_tables(&mut self, key: &str, header: &str) -> Vec<(Vec<(Text, Spanned)>, Span)> {
        if !header.contains('.') && self.keys.iter().any(|(found, value)| found.text == key && matches!(value.value, TomlValue::Table(_))) {
            // The most common cause is a header with single brackets.
            if let Some((_, found)) = self.take(key) {
                self.diagnostics.push(single_bracket_error(header, found.span));
            }
            return Vec::new();
        }
        let written = format!("tables, each under its own `[[{header}]]`");
        self.take_as(key, &written, |value| match value {
            TomlValue::List(items) => items
                .into_iter()
                .map(|item| match item.value {
                    TomlValue::Table(keys) => Some((keys, item.span)),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// Takes a value that `read` converts. If it returns `None`, the value is reported; `written` describes the expected form.
    pub fn take_as<T>(&mut self, key: &str, written: &str, read: impl FnOnce(TomlValue) -> Option<T>) -> Option<T> {
        let (name, found) = self.take(key)?;
        let (sort, span) = (found.type_name(), found.span);
        let value = read(found.value);
        if value.is_none() {
            self.diagnostics.push(PackProblem::MustBe { key: name.text, expected: written.to_string(), found: sort }.at(span));
        }
        value
    }

    /// Takes a required text. If it is missing, the report has `help`, which says how to write it.
    pub fn expect_text(&mut self, key: &str, help: &str) -> Option<Text> {
        self.expect(key, help);
        self.take_text(key)
    }

    /// Reports a required key as missing.
    pub fn expect(&mut self, key: &str, help: &str) {
        if !self.has_key(key) {
            let (owner, key, help) = (self.owner.clone(), key.to_string(), help.to_string());
            self.diagnostics.push(PackProblem::MissingKey { owner, key, help }.at(self.span));
        }
    }

    /// Returns the keys that have not been taken yet.
    pub fn keys(&self) -> impl Iterator<Item = &Text> {
        self.keys.iter().map(|(key, _)| key)
    }

    /// Whether a key is present and has not been taken yet.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.iter().any(|(found, _)| found.text == key)
    }

    /// Returns the value of a key that has not been taken yet.
    pub fn peek_value(&self, key: &str) -> Option<&Spanned> {
        self.keys.iter().find(|(found, _)| found.text == key).map(|(_, value)| value)
    }

    /// Returns the location of the value of a key that has not been taken yet.
    pub fn value_span(&self, key: &str) -> Option<Span> {
        self.peek_value(key).map(|value| value.span)
    }

    /// Returns all keys that have not been taken.
    pub fn into_rest(self) -> Vec<(Text, Spanned)> {
        self.keys
    }

    /// Returns the location of the table's header.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the collection to which errors are reported.
    pub fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }

    /// Reports all keys that were not taken as unknown. A missing key and the misspelt key that was meant to be it are reported as one
    /// error.
    pub fn report_unknown_keys(self, known: &[&str]) {
        let (owner, span) = (&self.owner, self.span);
        let missing = |told: &Diagnostic| match told.problem() {
            Some(PackProblem::MissingKey { owner: of, key, .. }) if of == owner && told.span == Some(span) => Some(key.clone()),
            _ => None,
        };
        // Nothing was reported for this table before this index.
        let mut told = self.diagnostics.split_off(self.before.min(self.diagnostics.len()));
        let mut lacking: Vec<String> = told.iter().filter_map(missing).collect();
        for (key, _) in &self.keys {
            let near = nearest(&key.text, known.iter().copied());
            let mut of_key = None;
            if let Some(at) = lacking.iter().position(|lacks| Some(lacks.as_str()) == near) {
                let meant = Some(lacking.remove(at));
                told.retain(|told| missing(told) != meant);
            } else if near.is_none() && self.keys.len() == 1 && lacking.len() == 1 {
                // Exactly one key is missing and exactly one is unknown.
                of_key = lacking.pop();
                told.retain(|told| missing(told) != of_key);
            }
            told.push(unknown_key_for(key, owner, known, of_key));
        }
        self.diagnostics.append(&mut told);
    }
}

/// Builds the diagnostic for an unknown key. `known` are the keys that a suggestion is chosen from.
pub fn unknown_key(key: &Text, owner: &str, known: &[&str]) -> Diagnostic {
    unknown_key_for(key, owner, known, None)
}

fn unknown_key_for(key: &Text, owner: &str, known: &[&str], missing: Option<String>) -> Diagnostic {
    let near = nearest(&key.text, known.iter().copied()).map(String::from);
    PackProblem::UnknownKey { owner: owner.to_string(), key: key.text.clone(), missing, near, known: known.join(", ") }.at(key.span)
}

/// Builds the diagnostic for a value of the wrong type.
pub(super) fn wrong_type(key: &str, expected: &str, value: &Spanned) -> Diagnostic {
    PackProblem::MustBe { key: key.to_string(), expected: expected.to_string(), found: value.type_name() }.at(value.span)
}

/// Whether a name consists of lower-case letters and digits, in words joined by `_`.
pub fn is_snake_case(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.split('_').all(is_word)
}

/// Reports an id that is not in snake case.
pub fn check_id(id: &Text, diagnostics: &mut Vec<Diagnostic>) {
    if is_snake_case(&id.text) {
        return;
    }
    diagnostics.push(PackProblem::NotAnId { id: id.text.clone(), better: snake_case(&id.text) }.at(id.span));
}

/// Converts a name to snake case, for a suggestion. Returns `None` if no valid id results.
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

/// Builds the diagnostic for a `[header]` that should be `[[header]]`.
pub(super) fn single_bracket_error(header: &str, span: Span) -> Diagnostic {
    PackProblem::OneBracket { header: header.to_string() }.at(span)
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
