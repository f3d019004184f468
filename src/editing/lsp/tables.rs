//! Walks a TOML file by the key tables and determines what each key and value is.

use crate::pack::schema::{self, KeySchema, NameSort, TableSchema, ValueType};
use crate::pack::{EntryKind, Spanned, Text, TomlValue, read_valid_parts};
use crate::source::{FileId, Span};
use crate::syntax::words::TextSort;

use super::place::{CompletionContext, FileSort, FileTokens, SymbolAtCursor, Zone};

/// Walks through one TOML file and collects its tokens and zones.
pub(super) struct TomlWalk<'p> {
    found: &'p mut FileTokens,
    /// Length of the text in bytes.
    length: usize,
}

type TableEntries = [(Text, Spanned)];

impl TomlWalk<'_> {
    /// Finds the tokens and zones of a whole TOML file.
    pub fn file(found: &mut FileTokens, sort: FileSort, text: &str) {
        let keys = read_valid_parts(FileId(0), text);
        let mut walk = TomlWalk { found, length: text.len() };
        match sort {
            FileSort::Cards => walk.cards(&keys),
            FileSort::Manifest => walk.top(&schema::MANIFEST, &keys),
            FileSort::Names => walk.top(&schema::NAMES, &keys),
            FileSort::Scenarios => walk.top(&schema::SCENARIO_FILE, &keys),
            FileSort::Rules => {}
        }
        walk.found.zones.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    }

    fn top(&mut self, table: &'static TableSchema, keys: &TableEntries) {
        self.zone(0, self.length, Zone::Keys(table));
        self.table(table, keys);
    }

    fn cards(&mut self, keys: &TableEntries) {
        for (key, value) in keys {
            if let Some(table) = schema::CARD_FILE.into_iter().find(|table| table.name() == key.text) {
                self.tables(table, value);
            }
        }
    }

    /// Records the zones of tables under headers, each up to the next header. The file is split there later.
    fn tables(&mut self, table: &'static TableSchema, value: &Spanned) {
        match &value.value {
            TomlValue::List(items) => items.iter().for_each(|item| self.tables(table, item)),
            TomlValue::Table(keys) => {
                let (start, end) = bytes(value.span);
                // An inline table ends with its brace, one under a header where the next begins.
                let inside = keys.iter().all(|(key, _)| key.span.end as usize <= end) && !keys.is_empty();
                self.zone(start, if inside { end } else { self.length }, Zone::Keys(table));
                self.table(table, keys);
            }
            TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    fn table(&mut self, table: &'static TableSchema, keys: &TableEntries) {
        let declares = std::ptr::eq(table, &raw const schema::CARD_TABLE);
        let has_fields = declares || std::ptr::eq(table, &raw const schema::PATCH_TABLE);
        for (key, value) in keys {
            let card_key = || schema::CARD_TABLE.keys.iter().find(|known| known.name == key.text);
            let known = table.keys.iter().find(|known| known.name == key.text).or_else(|| card_key().filter(|_| has_fields));
            let (start, end) = bytes(key.span);
            match known {
                Some(known) => {
                    self.found.push(start, end, &key.text, SymbolAtCursor::Key(table, known));
                    let (start, end) = bytes(value.span);
                    self.zone(start, end, Zone::Value(known));
                    match (known.holds, value.text()) {
                        (ValueType::Id, Some(id)) if declares => self.named(id, SymbolAtCursor::Declaration(CompletionContext::Cards)),
                        _ => self.value(known, value),
                    }
                }
                None if has_fields => {
                    self.found.push(start, end, &key.text, SymbolAtCursor::Name(CompletionContext::Fields));
                    self.field(value);
                }
                None => {}
            }
        }
    }

    /// Records the value of a card's field: words of the rules, ids of cards, or numbers by word.
    fn field(&mut self, value: &Spanned) {
        match &value.value {
            TomlValue::Text(text) => self.named(text, SymbolAtCursor::Name(CompletionContext::All)),
            TomlValue::List(items) => items.iter().for_each(|item| self.field(item)),
            TomlValue::Table(keys) => {
                for (key, value) in keys {
                    self.named(key, SymbolAtCursor::Name(CompletionContext::All));
                    self.field(value);
                }
            }
            TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    fn value(&mut self, key: &'static KeySchema, value: &Spanned) {
        if let ValueType::Entries(table) = key.holds {
            return self.entries(table, value);
        }
        if let ValueType::Tables(table) = key.holds {
            return self.tables(table, value);
        }
        match &value.value {
            TomlValue::Text(text) => self.text(key.holds, text),
            TomlValue::List(items) => items.iter().for_each(|item| self.value(key, item)),
            TomlValue::Table(keys) => keys.iter().for_each(|(name, value)| self.pair(key.holds, name, value)),
            TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    /// Records a pair in a table from names to values.
    fn pair(&mut self, holds: ValueType, name: &Text, value: &Spanned) {
        match (holds, value.text()) {
            (ValueType::Values, Some(text)) => self.rules(text, TextSort::Expression),
            (ValueType::Translations(sort), _) => self.named(
                name,
                SymbolAtCursor::Name(match sort {
                    NameSort::Card => CompletionContext::Cards,
                    NameSort::Kind => CompletionContext::Kinds,
                    NameSort::Word => CompletionContext::All,
                }),
            ),
            (ValueType::Options, _) => self.named(name, SymbolAtCursor::Name(CompletionContext::Options)),
            (ValueType::Numbers, _) => self.named(name, SymbolAtCursor::Declaration(CompletionContext::Fields)),
            _ => {}
        }
    }

    fn text(&mut self, holds: ValueType, text: &Text) {
        match holds {
            ValueType::Amount | ValueType::Condition | ValueType::Selection => self.rules(text, TextSort::Expression),
            ValueType::Ask => self.rules(text, TextSort::Ask),
            ValueType::Cost => self.rules(text, TextSort::Costs),
            ValueType::Given => self.rules(text, TextSort::Given),
            ValueType::When => self.rules(text, TextSort::When),
            ValueType::Then => self.rules(text, TextSort::Then),
            ValueType::Rules => self.rules(text, TextSort::Rules),
            ValueType::Script | ValueType::Scripts => {
                let (start, end) = bytes(text.span);
                self.zone(start, end, Zone::Script);
                if exact(text) {
                    self.found.script(&text.text, start);
                } else {
                    self.found.escaped.push((start, end));
                }
            }
            ValueType::Card => self.named(text, SymbolAtCursor::Name(CompletionContext::Cards)),
            ValueType::Kind => self.named(text, SymbolAtCursor::Name(CompletionContext::Kinds)),
            ValueType::Moment => self.named(text, SymbolAtCursor::Name(CompletionContext::Moments)),
            ValueType::Quantity => self.named(text, SymbolAtCursor::Name(CompletionContext::Quantities)),
            ValueType::Action => self.named(text, SymbolAtCursor::Name(CompletionContext::Actions)),
            ValueType::Loss => self.named(text, SymbolAtCursor::Name(CompletionContext::Losses)),
            ValueType::Id
            | ValueType::Text
            | ValueType::Texts
            | ValueType::Number(..)
            | ValueType::Numbers
            | ValueType::Word(_)
            | ValueType::Values => {}
            ValueType::Limit | ValueType::Set | ValueType::Game | ValueType::GameOrPack | ValueType::Packs | ValueType::Options => {}
            ValueType::Entries(_) | ValueType::Tables(_) | ValueType::Translations(_) => {}
        }
    }

    /// Walks the entries of a card: tables under headers, or lines whose keys name their subject.
    fn entries(&mut self, table: &'static TableSchema, value: &Spanned) {
        let Some(kind) = EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table)) else { return };
        match &value.value {
            TomlValue::List(_) => self.tables(table, value),
            TomlValue::Table(keys) if kind.subject_key().is_none() || kind.is_entry(keys) => self.tables(table, value),
            TomlValue::Table(keys) => keys.iter().for_each(|(key, value)| self.line(kind, key, key.clone(), value)),
            TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.short(kind, value),
        }
    }

    /// Walks an entry written as `on.SUBJECT = …`; the name of the subject may continue after a dot.
    fn line(&mut self, kind: EntryKind, key: &Text, subject: Text, value: &Spanned) {
        if let TomlValue::Table(keys) = &value.value
            && !keys.is_empty()
            && !kind.is_entry(keys)
            && keys.iter().all(|(inner, _)| !kind.table().names().contains(&inner.text.as_str()))
        {
            for (inner, value) in keys {
                let span = Span { end: inner.span.end, ..subject.span };
                self.line(kind, inner, Text { text: format!("{}.{}", subject.text, inner.text), span }, value);
            }
            return;
        }
        let among =
            kind.subject_key().and_then(|about| kind.table().keys.iter().find(|known| known.name == about)).map(|known| known.holds);
        if let Some(holds) = among {
            // The last part of a name written in parts represents the whole.
            let whole = if exact(&subject) { &subject } else { key };
            self.text(holds, &Text { text: whole.text.clone(), span: whole.span });
        }
        match &value.value {
            TomlValue::List(items) => items.iter().for_each(|item| self.entry(kind, item)),
            TomlValue::Table(_) | TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.entry(kind, value),
        }
    }

    fn entry(&mut self, kind: EntryKind, value: &Spanned) {
        match &value.value {
            TomlValue::Table(_) => self.tables(kind.table(), value),
            TomlValue::List(_) | TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.short(kind, value),
        }
    }

    /// Records an entry whose value is a single text or number.
    fn short(&mut self, kind: EntryKind, value: &Spanned) {
        if let Some(key) = kind.table().keys.iter().find(|known| known.name == kind.short_key()) {
            self.value(key, value);
        }
    }

    fn named(&mut self, text: &Text, symbol: SymbolAtCursor) {
        let (start, end) = bytes(text.span);
        let own = text.text.strip_prefix("this.").filter(|_| exact(text));
        let start = if own.is_some() { start + "this.".len() } else { start };
        if let SymbolAtCursor::Name(among) | SymbolAtCursor::Declaration(among) = symbol {
            self.zone(start, end, Zone::Name(among));
        }
        self.found.push(start, end, own.unwrap_or(&text.text), symbol);
    }

    fn rules(&mut self, text: &Text, sort: TextSort) {
        let (start, end) = bytes(text.span);
        self.zone(start, end, Zone::Text(sort));
        if exact(text) {
            self.found.rules(&text.text, start, sort);
        } else {
            self.found.escaped.push((start, end));
        }
    }

    fn zone(&mut self, start: usize, end: usize, zone: Zone) {
        self.found.zones.push((start, end, zone));
    }
}

fn bytes(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

/// Whether offsets in a text match those in the file, that is whether the text contains no escapes.
fn exact(text: &Text) -> bool {
    text.text.len() == (text.span.end - text.span.start) as usize
}
