//! A TOML file walked through by the tables of keys: what each key and value is.

use crate::pack::schema::{self, Holds, Key, NameSort, Table};
use crate::pack::{EntryKind, Spanned, Text, Value, read_sound};
use crate::source::{FileId, Span};
use crate::syntax::words::TextSort;

use super::place::{Among, FileSort, Is, Places, Zone};

/// A walk through one file.
pub(super) struct Walk<'p> {
    found: &'p mut Places,
    /// How long the text is.
    length: usize,
}

type Keys = [(Text, Spanned)];

impl Walk<'_> {
    /// Takes in a whole file.
    pub fn file(found: &mut Places, sort: FileSort, text: &str) {
        let keys = read_sound(FileId(0), text);
        let mut walk = Walk { found, length: text.len() };
        match sort {
            FileSort::Cards => walk.cards(&keys),
            FileSort::Manifest => walk.top(&schema::MANIFEST, &keys),
            FileSort::Names => walk.top(&schema::NAMES, &keys),
            FileSort::Scenarios => walk.top(&schema::SCENARIO_FILE, &keys),
            FileSort::Rules => {}
        }
        walk.found.zones.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
    }

    fn top(&mut self, table: &'static Table, keys: &Keys) {
        self.zone(0, self.length, Zone::Keys(table));
        self.table(table, keys);
    }

    fn cards(&mut self, keys: &Keys) {
        for (key, value) in keys {
            if let Some(table) = schema::CARD_FILE.into_iter().find(|table| table.name() == key.text) {
                self.tables(table, value);
            }
        }
    }

    /// Tables under their headers, each up to the next header; the file is cut at them later.
    fn tables(&mut self, table: &'static Table, value: &Spanned) {
        match &value.value {
            Value::List(items) => items.iter().for_each(|item| self.tables(table, item)),
            Value::Table(keys) => {
                let (start, end) = bytes(value.span);
                // A table in braces ends with them, one under a header wherever the next begins.
                let inside = keys.iter().all(|(key, _)| key.span.end as usize <= end) && !keys.is_empty();
                self.zone(start, if inside { end } else { self.length }, Zone::Keys(table));
                self.table(table, keys);
            }
            Value::Text(_) | Value::Integer(_) | Value::Boolean(_) => {}
        }
    }

    fn table(&mut self, table: &'static Table, keys: &Keys) {
        let declares = std::ptr::eq(table, &raw const schema::CARD_TABLE);
        let has_fields = declares || std::ptr::eq(table, &raw const schema::PATCH_TABLE);
        for (key, value) in keys {
            let card_key = || schema::CARD_TABLE.keys.iter().find(|known| known.name == key.text);
            let known = table.keys.iter().find(|known| known.name == key.text).or_else(|| card_key().filter(|_| has_fields));
            let (start, end) = bytes(key.span);
            match known {
                Some(known) => {
                    self.found.push(start, end, &key.text, Is::Key(table, known));
                    let (start, end) = bytes(value.span);
                    self.zone(start, end, Zone::Value(known));
                    match (known.holds, value.text()) {
                        (Holds::Id, Some(id)) if declares => self.named(id, Is::New(Among::Cards)),
                        _ => self.value(known, value),
                    }
                }
                None if has_fields => {
                    self.found.push(start, end, &key.text, Is::Name(Among::Fields));
                    self.field(value);
                }
                None => {}
            }
        }
    }

    /// What a field of a card holds: words of the rules, cards, numbers by words.
    fn field(&mut self, value: &Spanned) {
        match &value.value {
            Value::Text(text) => self.named(text, Is::Name(Among::All)),
            Value::List(items) => items.iter().for_each(|item| self.field(item)),
            Value::Table(keys) => {
                for (key, value) in keys {
                    self.named(key, Is::Name(Among::All));
                    self.field(value);
                }
            }
            Value::Integer(_) | Value::Boolean(_) => {}
        }
    }

    fn value(&mut self, key: &'static Key, value: &Spanned) {
        if let Holds::Entries(table) = key.holds {
            return self.entries(table, value);
        }
        if let Holds::Tables(table) = key.holds {
            return self.tables(table, value);
        }
        match &value.value {
            Value::Text(text) => self.text(key.holds, text),
            Value::List(items) => items.iter().for_each(|item| self.value(key, item)),
            Value::Table(keys) => keys.iter().for_each(|(name, value)| self.pair(key.holds, name, value)),
            Value::Integer(_) | Value::Boolean(_) => {}
        }
    }

    /// A name and its value in a table of names.
    fn pair(&mut self, holds: Holds, name: &Text, value: &Spanned) {
        match (holds, value.text()) {
            (Holds::Values, Some(text)) => self.rules(text, TextSort::Expression),
            (Holds::Named(sort), _) => self.named(
                name,
                Is::Name(match sort {
                    NameSort::Card => Among::Cards,
                    NameSort::Kind => Among::Kinds,
                    NameSort::Word => Among::All,
                }),
            ),
            (Holds::Options, _) => self.named(name, Is::Name(Among::Options)),
            (Holds::Numbers, _) => self.named(name, Is::New(Among::Fields)),
            _ => {}
        }
    }

    fn text(&mut self, holds: Holds, text: &Text) {
        match holds {
            Holds::Amount | Holds::Condition | Holds::Selection => self.rules(text, TextSort::Expression),
            Holds::Ask => self.rules(text, TextSort::Ask),
            Holds::Cost => self.rules(text, TextSort::Costs),
            Holds::Given => self.rules(text, TextSort::Given),
            Holds::When => self.rules(text, TextSort::When),
            Holds::Then => self.rules(text, TextSort::Then),
            Holds::Rules => self.rules(text, TextSort::Rules),
            Holds::Script | Holds::Scripts => {
                let (start, end) = bytes(text.span);
                self.zone(start, end, Zone::Script);
                if exact(text) {
                    self.found.script(&text.text, start);
                } else {
                    self.found.escaped.push((start, end));
                }
            }
            Holds::Card => self.named(text, Is::Name(Among::Cards)),
            Holds::Kind => self.named(text, Is::Name(Among::Kinds)),
            Holds::Moment => self.named(text, Is::Name(Among::Moments)),
            Holds::Quantity => self.named(text, Is::Name(Among::Quantities)),
            Holds::Action => self.named(text, Is::Name(Among::Actions)),
            Holds::Loss => self.named(text, Is::Name(Among::Losses)),
            Holds::Id | Holds::Text | Holds::Texts | Holds::Number(..) | Holds::Numbers | Holds::Word(_) | Holds::Values => {}
            Holds::Limit | Holds::Set | Holds::Game | Holds::Base | Holds::Packs | Holds::Options => {}
            Holds::Entries(_) | Holds::Tables(_) | Holds::Named(_) => {}
        }
    }

    /// Entries: tables under headers, or lines whose keys say what they are about.
    fn entries(&mut self, table: &'static Table, value: &Spanned) {
        let Some(kind) = EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table)) else { return };
        match &value.value {
            Value::List(_) => self.tables(table, value),
            Value::Table(keys) if kind.subject_key().is_none() || kind.is_entry(keys) => self.tables(table, value),
            Value::Table(keys) => keys.iter().for_each(|(key, value)| self.line(kind, key, key.clone(), value)),
            Value::Text(_) | Value::Integer(_) | Value::Boolean(_) => self.short(kind, value),
        }
    }

    /// `on.SUBJECT = …`; the name of the subject may go on behind a dot.
    fn line(&mut self, kind: EntryKind, key: &Text, subject: Text, value: &Spanned) {
        if let Value::Table(keys) = &value.value
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
            // The last part stands for all of it where the name was written in parts.
            let whole = if exact(&subject) { &subject } else { key };
            self.text(holds, &Text { text: whole.text.clone(), span: whole.span });
        }
        match &value.value {
            Value::List(items) => items.iter().for_each(|item| self.entry(kind, item)),
            Value::Table(_) | Value::Text(_) | Value::Integer(_) | Value::Boolean(_) => self.entry(kind, value),
        }
    }

    fn entry(&mut self, kind: EntryKind, value: &Spanned) {
        match &value.value {
            Value::Table(_) => self.tables(kind.table(), value),
            Value::List(_) | Value::Text(_) | Value::Integer(_) | Value::Boolean(_) => self.short(kind, value),
        }
    }

    /// A text or number alone.
    fn short(&mut self, kind: EntryKind, value: &Spanned) {
        if let Some(key) = kind.table().keys.iter().find(|known| known.name == kind.short_key()) {
            self.value(key, value);
        }
    }

    fn named(&mut self, text: &Text, is: Is) {
        let (start, end) = bytes(text.span);
        let own = text.text.strip_prefix("this.").filter(|_| exact(text));
        let start = if own.is_some() { start + "this.".len() } else { start };
        if let Is::Name(among) | Is::New(among) = is {
            self.zone(start, end, Zone::Name(among));
        }
        self.found.push(start, end, own.unwrap_or(&text.text), is);
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

/// Whether each byte of a text stands where it seems to: nothing in it is escaped.
fn exact(text: &Text) -> bool {
    text.text.len() == (text.span.end - text.span.start) as usize
}
