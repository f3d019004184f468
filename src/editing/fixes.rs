//! Works out what the fixes of diagnostics change in a text: which bytes, and what stands there afterwards.

use crate::diagnostic::{Diagnostic, Fix, FixEdit, word_to_replace};
use crate::pack::{Spanned, Text, TomlValue, read_valid_parts};
use crate::source::FileId;

/// A change to a text: a range of bytes, and what is put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// First byte that is replaced.
    pub start: usize,
    /// The byte after the last one that is replaced; `start` where text is only added.
    pub end: usize,
    /// The text that is put there.
    pub text: String,
}

/// Works out the change that each fix of a diagnostic makes to `text`, the file in which the diagnostic was found. Fixes whose place is not
/// as it should be are left out.
pub fn changes_of<'d>(text: &str, found: &'d Diagnostic) -> Vec<(&'d Fix, TextChange)> {
    let Some(span) = found.span else { return Vec::new() };
    let place = (span.start as usize, span.end as usize);
    let mut known: Vec<(&Fix, TextChange)> = Vec::new();
    for fix in &found.fixes {
        let change = change_of(text, place, &fix.edit).filter(|change| text.get(change.start..change.end) != Some(&*change.text));
        if let Some(change) = change.filter(|change| known.iter().all(|(_, other)| other != change)) {
            known.push((fix, change));
        }
    }
    known
}

fn change_of(text: &str, (start, end): (usize, usize), edit: &FixEdit) -> Option<TextChange> {
    let place = text.get(start..end)?;
    match edit {
        FixEdit::Word { wrong, right } => {
            let (from, to) = word_to_replace(place, wrong.as_deref(), right)?;
            Some(TextChange { start: start + from, end: start + to, text: right.clone() })
        }
        FixEdit::Place(text) => (start < end || !text.is_empty()).then(|| TextChange { start, end, text: text.clone() }),
        FixEdit::Ahead(text) => Some(TextChange { start, end: start, text: text.clone() }),
        FixEdit::Value(value) => {
            let (start, end) = with_quotes(text, start, end);
            Some(TextChange { start, end, text: value.clone() })
        }
        FixEdit::RemoveEntry => remove_entry(text, start, end),
        FixEdit::AddLines(lines) => add_lines(text, start, place, lines),
    }
}

/// Extends a range over the quotes directly around it.
fn with_quotes(text: &str, mut start: usize, mut end: usize) -> (usize, usize) {
    for quote in [b'"', b'\''] {
        let is_quoted = |start: usize, end: usize| {
            start.checked_sub(1).and_then(|before| text.as_bytes().get(before)) == Some(&quote) && text.as_bytes().get(end) == Some(&quote)
        };
        while is_quoted(start, end) {
            (start, end) = (start - 1, end + 1);
        }
    }
    (start, end)
}

type Entries = [(Text, Spanned)];

/// Finds the innermost key that a place is about: with its own text, or with its value.
fn entry_at(entries: &Entries, start: usize, end: usize) -> Option<&(Text, Spanned)> {
    entries.iter().find_map(|entry| {
        let (key, value) = entry;
        let holds = |from: u32, to: u32| from as usize <= start && end <= to as usize && start < to as usize;
        let inside = match &value.value {
            TomlValue::Table(inner) => entry_at(inner, start, end),
            TomlValue::List(items) => items.iter().find_map(|item| match &item.value {
                TomlValue::Table(inner) => entry_at(inner, start, end),
                TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) => None,
            }),
            TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) => None,
        };
        inside.or_else(|| (holds(key.span.start, key.span.end) || holds(value.span.start, value.span.end)).then_some(entry))
    })
}

/// Removes the key that a place is about: its whole line, or its part of a table on one line.
fn remove_entry(text: &str, start: usize, end: usize) -> Option<TextChange> {
    let entries = read_valid_parts(FileId(0), text);
    let (key, value) = entry_at(&entries, start, end)?;
    let (key_start, value_end) = (key.span.start as usize, value.span.end as usize);
    // A table under a header of its own is more than a key.
    if value_end < key_start {
        return None;
    }
    let before = text.get(..key_start)?.trim_end_matches(|letter: char| letter.is_alphanumeric() || "_-.\"' ".contains(letter));
    let behind = text.get(value_end..)?;
    let rest = behind.trim_start_matches([' ', '\t']);
    let change = |start: usize, end: usize| Some(TextChange { start, end, text: String::new() });
    match before.chars().next_back() {
        None | Some('\n') => {
            let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let is_end = rest.is_empty() || rest.starts_with(['\n', '\r', '#']);
            is_end.then(|| change(before.len(), value_end + behind.len() - rest.len() + line))?
        }
        Some(',') => change(before.len() - 1, value_end),
        Some('{') => {
            let more = rest.strip_prefix(',').map(|more| more.trim_start_matches([' ', '\t']));
            change(text.len() - text.get(before.len()..)?.trim_start().len(), more.map_or(value_end, |more| text.len() - more.len()))
        }
        Some(_) => None,
    }
}

/// Adds lines to the table whose header begins at `start`: behind its last key of one line or several, or into its braces.
fn add_lines(text: &str, start: usize, place: &str, lines: &[String]) -> Option<TextChange> {
    if place.is_empty() {
        return Some(TextChange { start, end: start, text: lines.iter().map(|line| format!("{line}\n")).collect() });
    }
    if place.starts_with('{') {
        let inside = place.strip_prefix('{')?.strip_suffix('}')?.trim_end();
        let at = start + 1 + inside.len();
        let comma = if inside.trim().is_empty() || inside.ends_with(',') { " " } else { ", " };
        return Some(TextChange { start: at, end: at, text: format!("{comma}{}", lines.join(", ")) });
    }
    if !place.starts_with('[') {
        return None;
    }
    let entries = read_valid_parts(FileId(0), text);
    let keys = table_at(&entries, start)?;
    let header_end = start + place.len();
    let line_start = |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let own = keys.iter().filter(|(key, _)| {
        let line = text.get(line_start(key.span.start as usize)..).unwrap_or("");
        key.span.start as usize >= header_end && !line.trim_start().starts_with('[')
    });
    let last = own.map(|(key, value)| last_byte(key, value)).max().unwrap_or(header_end);
    let line_end = text.get(last..)?.find('\n').map_or(text.len(), |at| last + at + 1);
    let break_before = if text.get(..line_end)?.ends_with('\n') { "" } else { "\n" };
    let added: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Some(TextChange { start: line_end, end: line_end, text: format!("{break_before}{added}") })
}

/// Returns where a key ends with its value, also one that is written with dots.
fn last_byte(key: &Text, value: &Spanned) -> usize {
    let inner = match &value.value {
        TomlValue::Table(keys) => keys.iter().map(|(key, value)| last_byte(key, value)).max().unwrap_or(0),
        TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) => 0,
    };
    inner.max(key.span.end as usize).max(value.span.end as usize)
}

/// Finds the keys of the table whose header begins at a byte.
fn table_at(entries: &Entries, start: usize) -> Option<&Entries> {
    fn in_value(value: &Spanned, start: usize) -> Option<&Entries> {
        match &value.value {
            TomlValue::Table(keys) if value.span.start as usize == start => Some(keys),
            TomlValue::Table(keys) => table_at(keys, start),
            TomlValue::List(items) => items.iter().find_map(|item| in_value(item, start)),
            TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) => None,
        }
    }
    entries.iter().find_map(|(_, value)| in_value(value, start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn done(text: &str, place: &str, edit: FixEdit) -> Option<String> {
        let start = text.find(place).unwrap();
        let span = Span { file: FileId(0), start: start as u32, end: (start + place.len()) as u32 };
        let found = Diagnostic::error("C002", span, "").fix(Fix::new("", edit));
        let changes = changes_of(text, &found);
        let (_, change) = changes.first()?;
        Some(format!("{}{}{}", &text[..change.start], change.text, &text[change.end..]))
    }

    #[test]
    fn a_key_is_removed_with_its_line_or_its_comma() {
        let table = "[[card]]\nid = \"wolf\" # here\nnote = \"\"\"\na\nb\"\"\"\non.dusk = { if = \"x\", do = \"y\", may = 1 }\n";
        let removed = |place: &str| done(table, place, FixEdit::RemoveEntry).map(|text| text.replace("[[card]]\n", ""));
        let rest = "note = \"\"\"\na\nb\"\"\"\non.dusk = { if = \"x\", do = \"y\", may = 1 }\n";
        assert_eq!(removed("id").as_deref(), Some(rest));
        assert_eq!(removed("wolf").as_deref(), Some(rest));
        assert_eq!(removed("note").unwrap(), "id = \"wolf\" # here\non.dusk = { if = \"x\", do = \"y\", may = 1 }\n");
        assert!(removed("if").unwrap().ends_with("on.dusk = { do = \"y\", may = 1 }\n"));
        assert!(removed("do").unwrap().ends_with("on.dusk = { if = \"x\", may = 1 }\n"));
        assert!(removed("may").unwrap().ends_with("on.dusk = { if = \"x\", do = \"y\" }\n"));
        assert_eq!(removed("dusk").unwrap(), "id = \"wolf\" # here\nnote = \"\"\"\na\nb\"\"\"\n");
    }

    #[test]
    fn a_line_is_added_behind_the_keys_of_its_table() {
        let add = |text: &str, place: &str| done(text, place, FixEdit::AddLines(vec!["height = 0".to_string()])).unwrap();
        assert_eq!(
            add("[[card]]\nid = \"a\"\n\n[[card.on]]\ndo = \"\"\n", "[[card]]"),
            "[[card]]\nid = \"a\"\nheight = 0\n\n[[card.on]]\ndo = \"\"\n"
        );
        assert_eq!(
            add("[[card]]\nid = \"a\"\n\n[[card.on]]\ndo = \"\"", "[[card.on]]"),
            "[[card]]\nid = \"a\"\n\n[[card.on]]\ndo = \"\"\nheight = 0\n"
        );
        assert_eq!(add("[[card]]\non.dusk = { do = \"\" }", "{ do = \"\" }"), "[[card]]\non.dusk = { do = \"\", height = 0 }");
        assert_eq!(add("[[card]]", "[[card]]"), "[[card]]\nheight = 0\n");
        assert_eq!(add("a = 1\n", ""), "height = 0\na = 1\n");
    }

    #[test]
    fn values_words_and_places_are_replaced() {
        let name = |wrong: Option<&str>, right: &str| FixEdit::Word { wrong: wrong.map(String::from), right: right.to_string() };
        assert_eq!(done("language = \"1\"", "1", FixEdit::Value("1".to_string())).unwrap(), "language = 1");
        assert_eq!(done("gain 1 wips", "wips", name(None, "wisp")).unwrap(), "gain 1 wisp");
        assert_eq!(done("p1.wips", "p1.wips", name(Some("wips"), "wisp")).unwrap(), "p1.wisp");
        assert_eq!(done("a }", "}", FixEdit::Place(String::new())).unwrap(), "a ");
        assert_eq!(done("a b", "b", FixEdit::Ahead("; ".to_string())).unwrap(), "a ; b");
        // What stands there already is no change.
        assert_eq!(done("wisp", "wisp", name(Some("wisp"), "wisp")), None);
    }
}
