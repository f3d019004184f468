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
    pub fn walk_file(found: &mut FileTokens, sort: FileSort, text: &str) {
        let keys = read_valid_parts(FileId(0), text);
        let mut walk = TomlWalk { found, length: text.len() };
        match sort {
            FileSort::Cards => walk.walk_cards(&keys),
            FileSort::Manifest => walk.walk_top_level(&schema::MANIFEST_TABLE, &keys),
            FileSort::Names => walk.walk_top_level(&schema::NAMES_TABLE, &keys),
            FileSort::Scenarios => walk.walk_top_level(&schema::SCENARIO_FILE_TABLE, &keys),
            FileSort::Rules => {}
        }
        walk.found.zones.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    }

    fn walk_top_level(&mut self, table: &'static TableSchema, keys: &TableEntries) {
        self.add_zone(0, self.length, Zone::Keys(table));
        self.walk_table(table, keys);
    }

    fn walk_cards(&mut self, keys: &TableEntries) {
        for (key, value) in keys {
            if let Some(table) = schema::CARD_FILE_TABLES.into_iter().find(|table| table.name() == key.text) {
                self.walk_tables(table, value);
            }
        }
    }

    /// Records the zones of tables under headers, each up to the next header. The file is split there later.
    fn walk_tables(&mut self, table: &'static TableSchema, value: &Spanned) {
        match &value.value {
            TomlValue::List(items) => items.iter().for_each(|item| self.walk_tables(table, item)),
            TomlValue::Table(keys) => {
                let (start, end) = byte_range(value.span);
                // An inline table ends with its brace, one under a header where the next begins.
                let inside = keys.iter().all(|(key, _)| key.span.end as usize <= end) && !keys.is_empty();
                self.add_zone(start, if inside { end } else { self.length }, Zone::Keys(table));
                self.walk_table(table, keys);
            }
            TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    fn walk_table(&mut self, table: &'static TableSchema, keys: &TableEntries) {
        let declares = std::ptr::eq(table, &raw const schema::CARD_TABLE);
        let has_fields = declares || std::ptr::eq(table, &raw const schema::PATCH_TABLE);
        for (key, value) in keys {
            let card_key = || schema::CARD_TABLE.keys.iter().find(|known| known.name == key.text);
            let known = table.keys.iter().find(|known| known.name == key.text).or_else(|| card_key().filter(|_| has_fields));
            let (start, end) = byte_range(key.span);
            match known {
                Some(known) => {
                    self.found.push(start, end, &key.text, SymbolAtCursor::Key(table, known));
                    let (start, end) = byte_range(value.span);
                    self.add_zone(start, end, Zone::Value(known));
                    match (known.holds, value.text()) {
                        (ValueType::Id, Some(id)) if declares => self.add_token(id, SymbolAtCursor::Declaration(CompletionContext::Cards)),
                        _ => self.walk_value(known, value),
                    }
                }
                None if has_fields => {
                    self.found.push(start, end, &key.text, SymbolAtCursor::Name(CompletionContext::Fields));
                    self.walk_field(value);
                }
                None => {}
            }
        }
    }

    /// Records the value of a card's field: words of the rules, ids of cards, or numbers by word.
    fn walk_field(&mut self, value: &Spanned) {
        match &value.value {
            TomlValue::Text(text) => self.add_token(text, SymbolAtCursor::Name(CompletionContext::All)),
            TomlValue::List(items) => items.iter().for_each(|item| self.walk_field(item)),
            TomlValue::Table(keys) => {
                for (key, value) in keys {
                    self.add_token(key, SymbolAtCursor::Name(CompletionContext::All));
                    self.walk_field(value);
                }
            }
            TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    fn walk_value(&mut self, key: &'static KeySchema, value: &Spanned) {
        if let ValueType::Entries(table) = key.holds {
            return self.walk_entries(table, value);
        }
        if let ValueType::Tables(table) = key.holds {
            return self.walk_tables(table, value);
        }
        match &value.value {
            TomlValue::Text(text) => self.walk_text(key.holds, text),
            TomlValue::List(items) => items.iter().for_each(|item| self.walk_value(key, item)),
            TomlValue::Table(keys) => keys.iter().for_each(|(name, value)| self.walk_pair(key.holds, name, value)),
            TomlValue::Integer(_) | TomlValue::Boolean(_) => {}
        }
    }

    /// Records a pair in a table from names to values.
    fn walk_pair(&mut self, holds: ValueType, name: &Text, value: &Spanned) {
        match (holds, value.text()) {
            (ValueType::Values, Some(text)) => self.add_rules(text, TextSort::Expression),
            (ValueType::Translations(sort), _) => self.add_token(
                name,
                SymbolAtCursor::Name(match sort {
                    NameSort::Card => CompletionContext::Cards,
                    NameSort::Kind => CompletionContext::Kinds,
                    NameSort::Word => CompletionContext::All,
                }),
            ),
            (ValueType::Options, _) => self.add_token(name, SymbolAtCursor::Name(CompletionContext::Options)),
            (ValueType::Numbers, _) => self.add_token(name, SymbolAtCursor::Declaration(CompletionContext::Fields)),
            _ => {}
        }
    }

    fn walk_text(&mut self, holds: ValueType, text: &Text) {
        match holds {
            ValueType::Amount | ValueType::Condition | ValueType::Selection => self.add_rules(text, TextSort::Expression),
            ValueType::Ask => self.add_rules(text, TextSort::Ask),
            ValueType::Cost => self.add_rules(text, TextSort::Costs),
            ValueType::Given => self.add_rules(text, TextSort::Given),
            ValueType::When => self.add_rules(text, TextSort::When),
            ValueType::Then => self.add_rules(text, TextSort::Then),
            ValueType::Rules => self.add_rules(text, TextSort::Rules),
            ValueType::Script | ValueType::Scripts => {
                let (start, end) = byte_range(text.span);
                self.add_zone(start, end, Zone::Script);
                if has_exact_offsets(text) {
                    self.found.add_script(&text.text, start);
                } else {
                    self.found.escaped.push((start, end));
                }
            }
            ValueType::Card => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Cards)),
            ValueType::Kind => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Kinds)),
            ValueType::Moment => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Moments)),
            ValueType::Quantity => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Quantities)),
            ValueType::Action => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Actions)),
            ValueType::Loss => self.add_token(text, SymbolAtCursor::Name(CompletionContext::Losses)),
            ValueType::Id
            | ValueType::Text
            | ValueType::Texts
            | ValueType::Number(..)
            | ValueType::Numbers
            | ValueType::Each
            | ValueType::Word(_)
            | ValueType::Values => {}
            ValueType::Limit | ValueType::Set | ValueType::Game | ValueType::GameOrPack | ValueType::Packs | ValueType::Options => {}
            ValueType::Entries(_) | ValueType::Tables(_) | ValueType::Translations(_) => {}
        }
    }

    /// Walks the entries of a card: tables under headers, or lines whose keys name their subject.
    fn walk_entries(&mut self, table: &'static TableSchema, value: &Spanned) {
        let Some(kind) = EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table)) else { return };
        match &value.value {
            TomlValue::List(_) => self.walk_tables(table, value),
            TomlValue::Table(keys) if kind.subject_key().is_none() || kind.is_entry(keys) => self.walk_tables(table, value),
            TomlValue::Table(keys) => keys.iter().for_each(|(key, value)| self.walk_line(kind, key, key.clone(), value)),
            TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.walk_short_entry(kind, value),
        }
    }

    /// Walks an entry written as `on.SUBJECT = …`; the name of the subject may continue after a dot.
    fn walk_line(&mut self, kind: EntryKind, key: &Text, subject: Text, value: &Spanned) {
        if let TomlValue::Table(keys) = &value.value
            && !keys.is_empty()
            && !kind.is_entry(keys)
            && keys.iter().all(|(inner, _)| !kind.table().names().contains(&inner.text.as_str()))
        {
            for (inner, value) in keys {
                let span = Span { end: inner.span.end, ..subject.span };
                self.walk_line(kind, inner, Text { text: format!("{}.{}", subject.text, inner.text), span }, value);
            }
            return;
        }
        let among =
            kind.subject_key().and_then(|about| kind.table().keys.iter().find(|known| known.name == about)).map(|known| known.holds);
        if let Some(holds) = among {
            // The last part of a name written in parts represents the whole.
            let whole = if has_exact_offsets(&subject) { &subject } else { key };
            self.walk_text(holds, &Text { text: whole.text.clone(), span: whole.span });
        }
        match &value.value {
            TomlValue::List(items) => items.iter().for_each(|item| self.walk_entry(kind, item)),
            TomlValue::Table(_) | TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.walk_entry(kind, value),
        }
    }

    fn walk_entry(&mut self, kind: EntryKind, value: &Spanned) {
        match &value.value {
            TomlValue::Table(_) => self.walk_tables(kind.table(), value),
            TomlValue::List(_) | TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) => self.walk_short_entry(kind, value),
        }
    }

    /// Records an entry whose value is a single text or number.
    fn walk_short_entry(&mut self, kind: EntryKind, value: &Spanned) {
        if let Some(key) = kind.table().keys.iter().find(|known| known.name == kind.short_key()) {
            self.walk_value(key, value);
        }
    }

    fn add_token(&mut self, text: &Text, symbol: SymbolAtCursor) {
        let (start, end) = byte_range(text.span);
        let own = text.text.strip_prefix("this.").filter(|_| has_exact_offsets(text));
        let start = if own.is_some() { start + "this.".len() } else { start };
        if let SymbolAtCursor::Name(among) | SymbolAtCursor::Declaration(among) = symbol {
            self.add_zone(start, end, Zone::Name(among));
        }
        self.found.push(start, end, own.unwrap_or(&text.text), symbol);
    }

    fn add_rules(&mut self, text: &Text, sort: TextSort) {
        let (start, end) = byte_range(text.span);
        self.add_zone(start, end, Zone::Text(sort));
        if has_exact_offsets(text) {
            self.found.add_rules(&text.text, start, sort);
        } else {
            self.found.escaped.push((start, end));
        }
    }

    fn add_zone(&mut self, start: usize, end: usize, zone: Zone) {
        self.found.zones.push((start, end, zone));
    }
}

fn byte_range(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

/// Whether offsets in a text match those in the file, that is whether the text contains no escapes.
fn has_exact_offsets(text: &Text) -> bool {
    text.text.len() == (text.span.end - text.span.start) as usize
}
