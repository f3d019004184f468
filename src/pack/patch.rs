//! `[[patch]]` and `[[remove]]` as they are written, and what a patch does to a card.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::{MAX_AGE, MOST_COPIES, RawCard, counters_of};
use super::entries::{CardTest, Entry, EntryKind, take_entries, take_tests};
use super::keys::{Keys, must_be};
use super::problem::Problem;
use super::read::{Spanned, Text, Value};
use super::schema;

/// The keys of every card that hold a text.
const TEXT_KEYS: [&str; 6] = ["name", "kind", "set", "source", "text", "leaves_when"];

/// Which cards an overlay is about.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// `card = "wisp"`
    Card(Text),
    /// `where = "kind is wall"`
    Where(Text),
}

/// A `[[patch]]`: what it says replaces what the card says.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// Which cards.
    pub target: Target,
    /// Keys and their new values.
    pub keys: Vec<(Text, Spanned)>,
    /// Keys taken away, `on.ID` for a single entry.
    pub drops: Vec<Text>,
    /// Entries that replace those with their ids or are added.
    pub entries: Vec<Entry>,
    /// Further tests.
    pub tests: Vec<CardTest>,
    /// Its header.
    pub span: Span,
    /// The pack that says it.
    pub pack: String,
}

/// A `[[remove]]`: the cards are not in the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Remove {
    /// Which cards.
    pub target: Target,
    /// Its header.
    pub span: Span,
    /// The pack that says it.
    pub pack: String,
}

/// What is written: a key, or an entry under it.
#[derive(Clone, PartialEq)]
pub(super) struct What {
    pub(super) key: String,
    pub(super) entry: Option<String>,
}

impl What {
    pub(super) fn key(key: &str) -> What {
        What { key: key.to_owned(), entry: None }
    }

    /// A drop: `wisp`, `on`, `on.moment`.
    pub(super) fn named(name: &str) -> What {
        let entry = name.split_once('.').filter(|(key, _)| kind_of(key).is_some());
        entry.map_or_else(|| What::key(name), |(key, id)| What { key: key.to_owned(), entry: Some(id.to_owned()) })
    }

    /// The same, or one inside the other.
    pub(super) fn meets(&self, other: &What) -> bool {
        self.key == other.key && (self.entry.is_none() || other.entry.is_none() || self.entry == other.entry)
    }
}

fn kind_of(word: &str) -> Option<EntryKind> {
    EntryKind::ALL.into_iter().find(|kind| kind.word() == word)
}

/// Reads a `[[patch]]`.
pub(super) fn patch_of(table: Vec<(Text, Spanned)>, span: Span, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Patch> {
    let told = diagnostics.len();
    let mut keys = Keys::new("`[[patch]]`", span, table, diagnostics);
    let target = target_of(&mut keys, "[[patch]]", span);
    let drops = keys.texts("drop");
    let entries = take_entries(&mut keys, "patch");
    let tests = take_tests(&mut keys, "patch");
    if let Some((id, _)) = keys.take("id") {
        let wrong = Problem::PatchOf { what: "change an id", key: "id", help: "`card = \"…\"` says which card is changed" };
        keys.diagnostics().push(wrong.at(id.span));
    }
    if let Some((like, _)) = keys.take("like") {
        let help = "give the keys themselves, or `[[remove]]` the card and write a `[[card]]` that is like the other";
        keys.diagnostics().push(Problem::PatchOf { what: "make a card like another", key: "like", help }.at(like.span));
    }
    let mut kept = Vec::new();
    let mut unfit = Vec::new();
    for (key, value) in keys.rest() {
        match patch_value_must_be(&key.text, &value.value) {
            Some(written) => unfit.push(must_be(&key.text, written, &value)),
            None => kept.push((key, value)),
        }
    }
    diagnostics.extend(unfit);
    if kept.is_empty() && drops.is_empty() && entries.is_empty() && tests.is_empty() && diagnostics.len() == told {
        diagnostics.push(Problem::PatchOfNothing.at(span));
    }
    Some(Patch { target: target?, keys: kept, drops, entries, tests, span, pack: pack.to_owned() })
}

/// What the value of a key that every card has must be, if it is something else.
fn patch_value_must_be(key: &str, value: &Value) -> Option<&'static str> {
    match key {
        "age" => (!matches!(value, Value::Integer(0..=MAX_AGE))).then_some("a whole number from 0 to 99"),
        "copies" => (!matches!(value, Value::Integer(1..=MOST_COPIES))).then_some("a whole number from 1 to 99"),
        "counters" => match value {
            Value::Table(counters) if counters.iter().all(|(_, value)| value.integer().is_some()) => None,
            _ => Some("a table of whole numbers"),
        },
        "alt_names" => match value {
            Value::List(names) if names.iter().all(|name| name.text().is_some()) => None,
            _ => Some("a list of texts in quotes"),
        },
        key if TEXT_KEYS.contains(&key) => (!matches!(value, Value::Text(_))).then_some("a text in quotes"),
        _ => None,
    }
}

/// Reads a `[[remove]]`.
pub(super) fn remove_of(table: Vec<(Text, Spanned)>, span: Span, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Remove> {
    let mut keys = Keys::new("`[[remove]]`", span, table, diagnostics);
    let target = target_of(&mut keys, "[[remove]]", span);
    keys.refuse_rest(&schema::REMOVE_TABLE.names());
    Some(Remove { target: target?, span, pack: pack.to_owned() })
}

fn target_of(keys: &mut Keys<'_>, header: &str, span: Span) -> Option<Target> {
    let both = keys.has("card") && keys.has("where");
    if !keys.has("card") && !keys.has("where") {
        keys.expect("card", "say which cards are meant: `card = \"…\"` or `where = \"…\"`");
    }
    if both {
        keys.diagnostics().push(Problem::CardAndWhere { header: header.to_string() }.at(span));
    }
    let (card, cards) = (keys.text("card"), keys.text("where"));
    card.map(Target::Card).or(cards.map(Target::Where))
}

impl RawCard {
    /// Takes away what a `drop` names; of a patch of many cards, some need not have it.
    pub(super) fn drop_key(&mut self, name: &Text, wide: bool, diagnostics: &mut Vec<Diagnostic>) {
        let what = What::named(&name.text);
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
            (key, entry) => match kind_of(key) {
                Some(kind) => {
                    shrinks(&mut self.entries, |found| found.kind() == kind && entry.as_ref().is_none_or(|id| *id == found.id.text))
                }
                None => shrinks(&mut self.fields, |(field, _)| field.text == key),
            },
        };
        if is_needed {
            diagnostics.push(Problem::NeededByAll { key: name.text.clone() }.at(name.span));
        } else if !had && !wide {
            let entries = self.entries.iter().map(|entry| format!("{}.{}", entry.kind().word(), entry.id.text));
            let known: Vec<String> = entries.chain(self.fields.iter().map(|(key, _)| key.text.clone())).collect();
            let near = nearest(&name.text, known.iter().map(String::as_str)).map(String::from);
            diagnostics.push(Problem::NothingToDrop { card: self.id.text.clone(), key: name.text.clone(), near }.at(name.span));
        }
    }

    /// Gives a key a new value.
    pub(super) fn set_key(&mut self, key: &Text, value: &Spanned, diagnostics: &mut Vec<Diagnostic>) {
        match (key.text.as_str(), &value.value) {
            ("name", Value::Text(text)) => self.name = text.clone(),
            ("kind", Value::Text(text)) => self.kind = text.clone(),
            ("set", Value::Text(text)) => self.set = Some(text.clone()),
            ("source", Value::Text(text)) => self.source = Some(text.clone()),
            ("text", Value::Text(text)) => self.text = Some(text.clone()),
            ("leaves_when", Value::Text(text)) => self.leaves_when = Some(text.clone()),
            ("age", Value::Integer(age)) => (self.age, self.age_span) = (*age, Some(value.span)),
            ("copies", Value::Integer(copies)) => self.copies = u16::try_from(*copies).ok(),
            ("alt_names", Value::List(names)) => self.alt_names = names.iter().filter_map(|name| name.text().cloned()).collect(),
            ("counters", _) => self.counters = counters_of(value, diagnostics),
            // A common key of the wrong sort has been reported when it was read.
            (common, _) if TEXT_KEYS.contains(&common) || ["age", "copies", "alt_names"].contains(&common) => {}
            (name, _) => match self.fields.iter_mut().find(|(field, _)| field.text == name) {
                Some(field) => *field = (key.clone(), value.clone()),
                None => self.fields.push((key.clone(), value.clone())),
            },
        }
    }
}

fn shrinks<T>(list: &mut Vec<T>, goes: impl Fn(&T) -> bool) -> bool {
    let before = list.len();
    list.retain(|item| !goes(item));
    list.len() < before
}

/// Replaces the entry with the same id where it stands, or adds a new one at the end.
pub(super) fn put_entry(entries: &mut Vec<Entry>, entry: &Entry) {
    match entries.iter_mut().find(|found| found.kind() == entry.kind() && found.id.text == entry.id.text) {
        Some(found) => *found = Entry { replaces: Some(found.span), ..entry.clone() },
        None => entries.push(entry.clone()),
    }
}
