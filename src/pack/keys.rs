//! Taking a table apart key by key, so that nothing in it is passed over.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::read::{Spanned, Text, Value};

/// The keys of one table while they are taken out by name. What is left at the end is unknown.
pub struct Keys<'a> {
    owner: String,
    span: Span,
    keys: Vec<(Text, Spanned)>,
    /// How much had been told before.
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
            let label = if sort == "a list" { "this does not fit".to_owned() } else { format!("this is {sort}") };
            let fault = Diagnostic::error("C004", span, format!("`{}` must be {written}", name.text));
            self.diagnostics.push(fault.label(label));
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
            let fault = Diagnostic::error("C003", self.span, format!("{} has no `{key}`", self.owner));
            self.diagnostics.push(fault.label(format!("`{key}` is missing")).help(help));
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

    /// Reports what has not been taken as unknown.
    pub fn refuse_rest(self, known: &[&str]) {
        let lacks = format!("{} has no `", self.owner);
        let is_missing = |told: &Diagnostic| told.code == "C003" && told.span == Some(self.span) && told.message.starts_with(&lacks);
        // Before this table was begun, nothing had been told of it.
        let mut told = self.diagnostics.split_off(self.before.min(self.diagnostics.len()));
        let mut lacking: BTreeSet<String> = told.iter().filter(|told| is_missing(told)).map(|told| told.message.clone()).collect();
        for (key, _) in &self.keys {
            let mut unknown = unknown_key(key, &self.owner, known);
            let meant = nearest(&key.text, known.iter().copied()).map(|near| format!("{lacks}{near}`"));
            if let Some(meant) = meant {
                // One that is missing and one that is nearly it are one fault.
                if lacking.remove(&meant) {
                    told.retain(|told| told.span != Some(self.span) || told.message != meant);
                }
            } else if let (1, 1) = (self.keys.len(), lacking.len()) {
                // So are the only one that is missing and the only one that nobody knows.
                for message in std::mem::take(&mut lacking) {
                    told.retain(|told| told.span != Some(self.span) || told.message != message);
                    let name = message.trim_start_matches(&lacks).trim_end_matches('`');
                    unknown.help.insert(0, format!("did you mean `{name}`, which is missing?"));
                }
            }
            told.push(unknown);
        }
        self.diagnostics.append(&mut told);
    }
}

/// The message about a key that does not exist.
pub fn unknown_key(key: &Text, owner: &str, known: &[&str]) -> Diagnostic {
    let fault = Diagnostic::error("C002", key.span, format!("{owner} has no key `{}`", key.text));
    let fault = fault.label("unknown key");
    match nearest(&key.text, known.iter().copied()) {
        Some(word) => fault.help(format!("did you mean `{word}`?")),
        None => fault.help(format!("its keys are {}", known.join(", "))),
    }
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
    let fault = Diagnostic::error("C005", id.span, format!("`{}` is not an id", id.text));
    let fault = fault.label("ids are lower-case words joined by `_`, and begin with a letter");
    diagnostics.push(match snake_case(&id.text) {
        Some(better) => fault.help(format!("write `{better}`")),
        None => fault,
    });
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
    let fault = Diagnostic::error("C004", span, format!("`[{header}]` has one bracket on each side, and there may be several of it"));
    fault.label(format!("write `[[{header}]]`"))
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
