//! How a card speaks: its entries, and the tests that stand beside them.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::keys::{Keys, is_snake_case};
use super::read::{Spanned, Text, Value};

/// The ways in which a card speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// `[[card.on]]` hears a moment and does something.
    On,
    /// `[[card.action]]` can be chosen.
    Action,
    /// `[[card.change]]` adds to, caps or sets a quantity.
    Change,
    /// `[[card.forbid]]` adds a guard to an action.
    Forbid,
    /// `[[card.instead]]` replaces or waives what would happen.
    Instead,
}

impl EntryKind {
    /// All of them.
    pub const ALL: [EntryKind; 5] = [EntryKind::On, EntryKind::Action, EntryKind::Change, EntryKind::Forbid, EntryKind::Instead];

    /// The word in the header.
    pub fn word(self) -> &'static str {
        match self {
            EntryKind::On => "on",
            EntryKind::Action => "action",
            EntryKind::Change => "change",
            EntryKind::Forbid => "forbid",
            EntryKind::Instead => "instead",
        }
    }

    /// The keys that it may have.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            EntryKind::On => &["id", "when", "who", "if", "ask", "do"],
            EntryKind::Action => &["id", "needs", "because", "cost", "limit", "ask", "do"],
            EntryKind::Change => &["id", "what", "who", "if", "by", "to", "at_least", "at_most", "until"],
            EntryKind::Forbid => &["id", "action", "who", "if", "because"],
            EntryKind::Instead => &["id", "of", "who", "if", "ask", "do"],
        }
    }

    /// The key that names what it is about, and so is its id where none is given.
    fn subject(self) -> Option<&'static str> {
        match self {
            EntryKind::On => Some("when"),
            EntryKind::Action => None,
            EntryKind::Change => Some("what"),
            EntryKind::Forbid => Some("action"),
            EntryKind::Instead => Some("of"),
        }
    }
}

/// One way in which a card speaks.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Which way.
    pub kind: EntryKind,
    /// `id`, or what it is about; a second one about the same thing is `thing#2`. An action without an id is `action`.
    pub id: Text,
    /// Its other keys in the order of writing.
    pub keys: Vec<(Text, Spanned)>,
    /// Its header.
    pub span: Span,
}

impl Entry {
    /// The text under a key.
    pub fn text(&self, key: &str) -> Option<&Text> {
        self.get(key)?.text()
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Spanned> {
        self.keys.iter().find(|(found, _)| found.text == key).map(|(_, value)| value)
    }
}

/// A test that stands beside the card or kind that it tests.
#[derive(Clone, PartialEq, Debug)]
pub struct CardTest {
    /// The position.
    pub given: Option<Text>,
    /// What is done.
    pub when: Option<Text>,
    /// What must hold then. It is missing only from a test that has been reported.
    pub then: Option<Text>,
    /// A name for messages.
    pub name: Option<Text>,
    /// How many seats.
    pub players: Option<i64>,
    /// Options of the game.
    pub options: Vec<(Text, Spanned)>,
    /// The seed.
    pub seed: Option<i64>,
    /// Its header.
    pub span: Span,
}

/// Takes the entries of a card, kind or patch, in the order of writing. `owner` is the first part of their headers.
pub fn take_entries(keys: &mut Keys<'_>, owner: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for kind in EntryKind::ALL {
        let header = format!("{owner}.{}", kind.word());
        let tables = keys.tables(kind.word(), &header);
        let mut found: Vec<(Option<Text>, Entry)> = tables
            .into_iter()
            .map(|(table, span)| entry_of(kind, Keys::new(format!("`[[{header}]]`"), span, table, keys.diagnostics()), span))
            .collect();
        name_entries(&mut found, keys.diagnostics());
        entries.extend(found.into_iter().map(|(_, entry)| entry));
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

/// An entry with the id that was written, if one was.
fn entry_of(kind: EntryKind, mut keys: Keys<'_>, span: Span) -> (Option<Text>, Entry) {
    let id = keys.text("id");
    match kind.subject() {
        Some("when") => keys.expect("when", "add `when = \"…\"` with a moment that the rules name"),
        Some("what") => keys.expect("what", "add `what = \"…\"` with a quantity that the rules let cards change"),
        Some("of") => keys.expect("of", "add `of = \"…\"` with a loss, removal or draw that the rules name"),
        Some(subject) => keys.expect(subject, "add `action = \"…\"` with an action of the rules"),
        None => {}
    }
    if matches!(kind, EntryKind::On | EntryKind::Action) {
        keys.expect("do", "add `do = \"…\"` with what is done");
    }
    let amounts = ["by", "to", "at_least", "at_most"];
    if kind == EntryKind::Change && !amounts.iter().any(|amount| keys.has(amount)) {
        keys.expect("by", "say how it changes: `by`, `to`, `at_least` or `at_most`");
    }
    let mut taken: Vec<(Text, Spanned)> = Vec::new();
    for known in kind.keys() {
        if let Some((key, value)) = keys.take(known) {
            match unfit(known, &value.value) {
                Some(written) => {
                    let fault = Diagnostic::error("C004", value.span, format!("`{known}` must be {written}"));
                    keys.diagnostics().push(fault.label(format!("this is {}", value.sort())));
                }
                None => taken.push((key, value)),
            }
        }
    }
    if let Some((_, Spanned { value: Value::Text(who), .. })) = taken.iter().find(|(key, _)| key.text == "who") {
        check_who(who, keys.diagnostics());
    }
    keys.refuse_rest(kind.keys());
    taken.sort_by_key(|(key, _)| key.span.start);
    let mut entry = Entry { kind, id: Text { text: kind.word().to_owned(), span }, keys: taken, span };
    if let Some(subject) = id.as_ref().or(kind.subject().and_then(|subject| entry.text(subject))) {
        entry.id = subject.clone();
    }
    (id, entry)
}

fn check_who(who: &Text, diagnostics: &mut Vec<Diagnostic>) {
    let known = ["me", "others", "all"];
    if !known.contains(&who.text.as_str()) {
        let fault = Diagnostic::error("C004", who.span, format!("`who` cannot be `{}`", who.text));
        let fault = fault.label("`who` is `me`, `others` or `all`");
        diagnostics.push(fault.meant(nearest(&who.text, known)));
    }
}

/// What a key's value must be, if it is something else.
fn unfit(key: &str, value: &Value) -> Option<&'static str> {
    let is_text = matches!(value, Value::Text(_));
    match key {
        "by" | "to" | "at_least" | "at_most" | "limit" => {
            (!is_text && !matches!(value, Value::Integer(_))).then_some("a number, or an expression in quotes")
        }
        "do" => {
            let is_texts = match value {
                Value::List(parts) => !parts.is_empty() && parts.iter().all(|part| part.text().is_some()),
                _ => is_text,
            };
            (!is_texts).then_some("a script in quotes, or a list of scripts")
        }
        _ => (!is_text).then_some("a text in quotes"),
    }
}

/// Checks written ids and numbers those that would stand twice.
fn name_entries(found: &mut [(Option<Text>, Entry)], diagnostics: &mut Vec<Diagnostic>) {
    let mut taken: Vec<Text> = Vec::new();
    for (written, _) in found.iter() {
        let Some(id) = written else { continue };
        // Patches write default ids too, such as `moment`, `quantity.limit` or `moment#2`.
        let (name, number) = id.text.split_once('#').unwrap_or((&id.text, "1"));
        if !name.split('.').all(is_snake_case) || number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            let fault = Diagnostic::error("C005", id.span, format!("`{}` is not an id", id.text));
            diagnostics.push(fault.label("ids are lower-case words joined by `_`, and begin with a letter"));
        }
        match taken.iter().find(|other| other.text == id.text) {
            Some(other) => diagnostics.push(
                Diagnostic::error("C006", id.span, format!("two entries have the id `{}`", id.text))
                    .label("the second")
                    .also(other.span, "the first"),
            ),
            None => taken.push(id.clone()),
        }
    }
    for (_, entry) in found.iter_mut().filter(|(written, _)| written.is_none()) {
        let name = entry.id.text.clone();
        let mut number = 1;
        while taken.iter().any(|other| other.text == entry.id.text) {
            number += 1;
            entry.id.text = format!("{name}#{number}");
        }
        taken.push(entry.id.clone());
    }
}

const TEST_KEYS: [&str; 7] = ["name", "players", "options", "seed", "given", "when", "then"];

/// Takes the tests of a card, kind or patch.
pub fn take_tests(keys: &mut Keys<'_>, owner: &str) -> Vec<CardTest> {
    let header = format!("{owner}.test");
    let tables = keys.tables("test", &header);
    tables
        .into_iter()
        .map(|(table, span)| {
            let mut keys = Keys::new(format!("`[[{header}]]`"), span, table, keys.diagnostics());
            let test = take_test(&mut keys, span);
            keys.refuse_rest(&TEST_KEYS);
            test
        })
        .collect()
}

/// Takes what a test and a scenario have in common.
pub fn take_test(keys: &mut Keys<'_>, span: Span) -> CardTest {
    let then = keys.expect_text("then", "add `then = \"…\"` with what must hold at the end");
    if let Some(then) = &then {
        let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        if then.text.lines().all(says_nothing) {
            let fault = Diagnostic::error("C003", then.span, "`then` is empty, so nothing is tested");
            keys.diagnostics().push(fault.label("no condition stands here"));
        }
    }
    CardTest {
        given: keys.text("given"),
        when: keys.text("when"),
        then,
        name: keys.text("name"),
        players: keys.integer("players"),
        options: keys.table("options").unwrap_or_default(),
        seed: keys.integer("seed"),
        span,
    }
}
