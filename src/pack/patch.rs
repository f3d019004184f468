//! `[[patch]]` and `[[remove]]` as written, and how a patch changes a card.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::{MAX_AGE, MAX_COPIES, RawCard, parse_counters};
use super::entries::{CardTest, EntryKind, RawEntry, take_entries, take_tests};
use super::keys::{Keys, wrong_type};
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};
use super::schema;

/// The keys that all cards have and whose values are texts.
const TEXT_KEYS: [&str; 6] = ["name", "kind", "set", "source", "text", "leaves_when"];

/// Which cards a patch or removal applies to.
#[derive(Clone, PartialEq, Debug)]
pub enum CardTarget {
    /// `card = "wisp"`
    Card(Text),
    /// `where = "kind is wall"`
    Where(Text),
}

/// A `[[patch]]` table: changes to the cards that it selects.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// The cards that the patch changes.
    pub target: CardTarget,
    /// Keys that the patch sets, with their new values.
    pub keys: Vec<(Text, Spanned)>,
    /// Keys that the patch removes; `on.ID` removes a single entry.
    pub drops: Vec<Text>,
    /// Entries that the patch adds; each replaces an existing entry with the same id.
    pub entries: Vec<RawEntry>,
    /// Tests that the patch adds.
    pub tests: Vec<CardTest>,
    /// Location of the table's header.
    pub span: Span,
    /// Name of the pack that contains this table.
    pub pack: String,
}

/// A `[[remove]]` table: cards that are taken out of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Remove {
    /// The cards that are taken out of the game.
    pub target: CardTarget,
    /// Location of the table's header.
    pub span: Span,
    /// Name of the pack that contains this table.
    pub pack: String,
}

/// A key that a patch writes, such as `wisp`, or a single entry under a key, such as `on.moment`.
#[derive(Clone, PartialEq)]
pub(super) struct KeyPath {
    pub(super) key: String,
    pub(super) entry: Option<String>,
}

impl KeyPath {
    pub(super) fn key(key: &str) -> KeyPath {
        KeyPath { key: key.to_owned(), entry: None }
    }

    /// Parses an item of `drop`: `wisp`, `on` or `on.moment`.
    pub(super) fn parse_drop(name: &str) -> KeyPath {
        let entry = name.split_once('.').filter(|(key, _)| entry_kind(key).is_some());
        entry.map_or_else(|| KeyPath::key(name), |(key, id)| KeyPath { key: key.to_owned(), entry: Some(id.to_owned()) })
    }

    /// Whether both paths are equal, or one contains the other.
    pub(super) fn overlaps(&self, other: &KeyPath) -> bool {
        self.key == other.key && (self.entry.is_none() || other.entry.is_none() || self.entry == other.entry)
    }
}

fn entry_kind(word: &str) -> Option<EntryKind> {
    EntryKind::ALL.into_iter().find(|kind| kind.header_word() == word)
}

/// Parses a `[[patch]]` table. Returns `None`, after a report, if it selects no cards.
pub(super) fn parse_patch(table: Vec<(Text, Spanned)>, span: Span, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Patch> {
    let told = diagnostics.len();
    let mut keys = Keys::new("`[[patch]]`", span, table, diagnostics);
    let target = take_target(&mut keys, "[[patch]]", span);
    let drops = keys.take_texts("drop");
    let entries = take_entries(&mut keys, "patch");
    let tests = take_tests(&mut keys, "patch");
    if let Some((id, _)) = keys.take("id") {
        let wrong = PackProblem::PatchOf { what: "change an id", key: "id", help: "`card = \"…\"` says which card is changed" };
        keys.diagnostics().push(wrong.at(id.span));
    }
    if let Some((like, _)) = keys.take("like") {
        let help = "give the keys themselves, or `[[remove]]` the card and write a `[[card]]` that is like the other";
        keys.diagnostics().push(PackProblem::PatchOf { what: "make a card like another", key: "like", help }.at(like.span));
    }
    if let Some((each, _)) = keys.take("each") {
        let help = "a patch changes cards by their ids, or many with `where`";
        keys.diagnostics().push(PackProblem::PatchOf { what: "make cards", key: "each", help }.at(each.span));
    }
    let mut kept = Vec::new();
    let mut unfit = Vec::new();
    for (key, value) in keys.into_rest() {
        match patch_value_must_be(&key.text, &value.value) {
            Some(written) => unfit.push(wrong_type(&key.text, written, &value)),
            None => kept.push((key, value)),
        }
    }
    diagnostics.extend(unfit);
    if kept.is_empty() && drops.is_empty() && entries.is_empty() && tests.is_empty() && diagnostics.len() == told {
        diagnostics.push(PackProblem::PatchOfNothing.at(span));
    }
    Some(Patch { target: target?, keys: kept, drops, entries, tests, span, pack: pack.to_owned() })
}

/// Returns the type that a key of all cards must have, if the value has another type.
fn patch_value_must_be(key: &str, value: &TomlValue) -> Option<&'static str> {
    match key {
        "age" => (!matches!(value, TomlValue::Integer(0..=MAX_AGE))).then_some("a whole number from 0 to 99"),
        "copies" => (!matches!(value, TomlValue::Integer(1..=MAX_COPIES))).then_some("a whole number from 1 to 99"),
        "counters" => match value {
            TomlValue::Table(counters) if counters.iter().all(|(_, value)| value.integer().is_some()) => None,
            _ => Some("a table of whole numbers"),
        },
        "alt_names" => match value {
            TomlValue::List(names) if names.iter().all(|name| name.text().is_some()) => None,
            _ => Some("a list of texts in quotes"),
        },
        key if TEXT_KEYS.contains(&key) => (!matches!(value, TomlValue::Text(_))).then_some("a text in quotes"),
        _ => None,
    }
}

/// Parses a `[[remove]]` table. Returns `None`, after a report, if it selects no cards.
pub(super) fn parse_remove(table: Vec<(Text, Spanned)>, span: Span, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Remove> {
    let mut keys = Keys::new("`[[remove]]`", span, table, diagnostics);
    let target = take_target(&mut keys, "[[remove]]", span);
    keys.report_unknown_keys(&schema::REMOVE_TABLE.names());
    Some(Remove { target: target?, span, pack: pack.to_owned() })
}

fn take_target(keys: &mut Keys<'_>, header: &str, span: Span) -> Option<CardTarget> {
    let both = keys.has_key("card") && keys.has_key("where");
    if !keys.has_key("card") && !keys.has_key("where") {
        keys.expect("card", "say which cards are meant: `card = \"…\"` or `where = \"…\"`");
    }
    if both {
        keys.diagnostics().push(PackProblem::CardAndWhere { header: header.to_string() }.at(span));
    }
    let (card, cards) = (keys.take_text("card"), keys.take_text("where"));
    card.map(CardTarget::Card).or(cards.map(CardTarget::Where))
}

impl RawCard {
    /// Returns the whole number that is printed under a key: a field of its kind, its age or its number of copies.
    pub fn figure(&self, key: &str) -> Option<i64> {
        match key {
            "age" => Some(self.age),
            "copies" => self.copies.map(i64::from),
            _ => self.fields.iter().find(|(field, _)| field.text == key).and_then(|(_, value)| value.integer()),
        }
    }

    /// Changes a whole number as a patch with this key does. Returns false if the key cannot have this number.
    pub fn set_figure(&mut self, key: &str, number: i64) -> bool {
        let value = TomlValue::Integer(number);
        if patch_value_must_be(key, &value).is_some() {
            return false;
        }
        let span = self.fields.iter().find(|(field, _)| field.text == key).map_or(self.span, |(_, value)| value.span);
        self.set_key(&Text { text: key.to_string(), span }, &Spanned { value, span }, &mut Vec::new());
        true
    }

    /// Removes a key or entry that `drop` names, and reports one that the card does not have. With `wide`, for a patch with `where`, it may
    /// be absent.
    pub(super) fn drop_key(&mut self, name: &Text, wide: bool, diagnostics: &mut Vec<Diagnostic>) {
        let what = KeyPath::parse_drop(&name.text);
        let is_needed = ["id", "name", "kind"].contains(&name.text.as_str());
        let had = match (what.key.as_str(), what.entry) {
            ("set", _) => self.set.take().is_some(),
            ("source", _) => self.source.take().is_some(),
            ("text", _) => self.text.take().is_some(),
            ("leaves_when", _) => self.leaves_when.take().is_some(),
            ("copies", _) => self.copies.take().is_some(),
            ("age", _) => std::mem::take(&mut self.age) != 0,
            ("alt_names", _) => !std::mem::take(&mut self.alt_names).is_empty(),
            ("counters", _) => !std::mem::take(&mut self.counters).is_empty(),
            ("test", _) => !std::mem::take(&mut self.tests).is_empty(),
            (key, entry) => match entry_kind(key) {
                Some(kind) => {
                    remove_matching(&mut self.entries, |found| found.kind() == kind && entry.as_ref().is_none_or(|id| *id == found.id.text))
                }
                None => remove_matching(&mut self.fields, |(field, _)| field.text == key),
            },
        };
        if is_needed {
            diagnostics.push(PackProblem::NeededByAll { key: name.text.clone() }.at(name.span));
        } else if !had && !wide {
            let entries = self.entries.iter().map(|entry| format!("{}.{}", entry.kind().header_word(), entry.id.text));
            let known: Vec<String> = entries.chain(self.fields.iter().map(|(key, _)| key.text.clone())).collect();
            let near = nearest(&name.text, known.iter().map(String::as_str)).map(String::from);
            diagnostics.push(PackProblem::NothingToDrop { card: self.id.text.clone(), key: name.text.clone(), near }.at(name.span));
        }
    }

    /// Sets a key to a new value.
    pub(super) fn set_key(&mut self, key: &Text, value: &Spanned, diagnostics: &mut Vec<Diagnostic>) {
        match (key.text.as_str(), &value.value) {
            ("name", TomlValue::Text(text)) => self.name = text.clone(),
            ("kind", TomlValue::Text(text)) => self.kind = text.clone(),
            ("set", TomlValue::Text(text)) => self.set = Some(text.clone()),
            ("source", TomlValue::Text(text)) => self.source = Some(text.clone()),
            ("text", TomlValue::Text(text)) => self.text = Some(text.clone()),
            ("leaves_when", TomlValue::Text(text)) => self.leaves_when = Some(text.clone()),
            ("age", TomlValue::Integer(age)) => (self.age, self.age_span) = (*age, Some(value.span)),
            ("copies", TomlValue::Integer(copies)) => self.copies = u16::try_from(*copies).ok(),
            ("alt_names", TomlValue::List(names)) => self.alt_names = names.iter().filter_map(|name| name.text().cloned()).collect(),
            ("counters", _) => self.counters = parse_counters(value, diagnostics),
            // A wrong type of a common key was reported when the patch was parsed.
            (common, _) if TEXT_KEYS.contains(&common) || ["age", "copies", "alt_names"].contains(&common) => {}
            (name, _) => match self.fields.iter_mut().find(|(field, _)| field.text == name) {
                Some(field) => *field = (key.clone(), value.clone()),
                None => self.fields.push((key.clone(), value.clone())),
            },
        }
    }
}

fn remove_matching<T>(list: &mut Vec<T>, goes: impl Fn(&T) -> bool) -> bool {
    let before = list.len();
    list.retain(|item| !goes(item));
    list.len() < before
}

/// Replaces the entry with the same id in its position, or appends the entry.
pub(super) fn replace_or_add_entry(entries: &mut Vec<RawEntry>, entry: &RawEntry) {
    match entries.iter_mut().find(|found| found.kind() == entry.kind() && found.id.text == entry.id.text) {
        Some(found) => *found = RawEntry { replaces: Some(found.span), ..entry.clone() },
        None => entries.push(entry.clone()),
    }
}
