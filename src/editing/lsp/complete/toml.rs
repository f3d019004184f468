//! Completion in TOML: headers, keys, and the values that keys and fields can have.

use std::collections::BTreeSet;

use lsp_types::CompletionItemKind;

use super::super::analysis::Analysis;
use super::super::names::{definitions, variants};
use super::super::place::CompletionContext;
use super::{CursorPlace, ItemCollector, is_letter, offer_names};
use crate::engine::node::Type;
use crate::lang::defs::{DefKind, Definition, FieldType, Space};
use crate::pack::EntryKind;
use crate::pack::schema::{self, KeySchema, TableSchema, ValueType};

/// Offers items outside of any zone: a key at the beginning of a line, or the value of a key whose line cannot be parsed yet.
pub(super) fn offer_in_plain_line(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema, place: &CursorPlace<'_>) {
    let ahead = place.ahead_from(0);
    let line = ahead.rsplit(['\n', '{']).next().unwrap_or("");
    if line.trim_start().starts_with('[') {
        let tables = [&raw const schema::SCENARIO_FILE_TABLE, &raw const schema::SCENARIO_TABLE];
        return offer_headers(offers, ahead, tables.iter().any(|known| std::ptr::eq(table, *known)));
    }
    if let Some((key, inside)) = opened_brace(ahead.rsplit('\n').next().unwrap_or("")) {
        let of_key = all_keys(table).into_iter().find(|known| known.name == key.split('.').next().unwrap_or(key)).map(|known| known.holds);
        match of_key {
            // `on.MOMENT = { KEY = …`
            Some(ValueType::Entries(entry)) => return offer_in_part(found, offers, entry, place, inside),
            None if has_fields(table) => return offer_field_value(found, offers, place),
            Some(_) | None => {}
        }
    }
    offer_in_part(found, offers, table, place, line);
}

/// Returns the key and what is written behind it of a line that ends within braces: `on.dusk = { if = …`.
fn opened_brace(line: &str) -> Option<(&str, &str)> {
    let open = line.rfind('{').filter(|open| !line.get(*open..).unwrap_or("").contains('}'))?;
    let (key, _) = line.get(..open)?.split_once('=')?;
    let inside = line.get(open + 1..)?;
    // A brace within quotes opens nothing.
    (line.get(..open)?.matches('"').count() % 2 == 0).then(|| (key.trim(), inside.rsplit(',').next().unwrap_or(inside)))
}

/// Offers a key, or what a key can be, behind the part of a line that stands ahead.
fn offer_in_part(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema, place: &CursorPlace<'_>, line: &str) {
    match line.split_once('=') {
        // A key that continues with a dot: `on.MOMENT`.
        None if line.contains('.') => offer_subjects(found, offers, table, place, line.trim_start()),
        None => offer_keys(found, offers, table, place),
        Some((name, _)) => match all_keys(table).into_iter().find(|key| key.name == name.trim()) {
            Some(key) => offer_values(found, offers, place, key),
            None => offer_field_value(found, offers, place),
        },
    }
}

/// Offers what an entry is about, behind the key and a dot: the moments behind `on.`, and behind `on.this.`.
fn offer_subjects(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema, place: &CursorPlace<'_>, typed: &str) {
    let Some((name, behind)) = typed.split_once('.') else { return };
    let Some(key) = all_keys(table).into_iter().find(|key| key.name == name) else { return };
    offer_values(found, offers, place, key);
    if key.name == EntryKind::On.header_word() && behind.is_empty() {
        offers.add("this", CompletionItemKind::KEYWORD, "only if the moment is about this card", "0");
    }
}

fn has_fields(table: &'static TableSchema) -> bool {
    [&raw const schema::CARD_TABLE, &raw const schema::PATCH_TABLE].iter().any(|card| std::ptr::eq(table, *card))
}

/// Returns the keys of a table; a patch also accepts those of a card.
fn all_keys(table: &'static TableSchema) -> Vec<&'static KeySchema> {
    let of_card = schema::CARD_TABLE.keys.iter().filter(|_| has_fields(table));
    table.keys.iter().chain(of_card).collect()
}

/// Offers the keys of a table that are not there yet, for a card also the fields of its kind.
fn offer_keys(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema, place: &CursorPlace<'_>) {
    let region = TableRegion::around(place);
    let is_new = |name: &str| !region.keys.contains(&name);
    for key in all_keys(table).into_iter().filter(|key| is_new(key.name) || matches!(key.holds, ValueType::Entries(_))) {
        offers.add(key.name, CompletionItemKind::PROPERTY, key.doc, "1");
    }
    if !has_fields(table) {
        return;
    }
    match fields_of_kind(found, region.kind(found).as_deref()) {
        Some(fields) => fields.into_iter().filter(|field| is_new(&field.name)).for_each(|field| offers.add_definition(field, "0")),
        None => offer_names(found, offers, CompletionContext::Fields),
    }
}

/// Returns the fields of a kind of cards, in their order; `None` if there is no such kind.
fn fields_of_kind<'f>(found: &'f Analysis, kind: Option<&str>) -> Option<Vec<&'f Definition>> {
    let rules = &found.text.as_ref()?.checked().rules;
    let defs = definitions(found)?;
    let kind = rules.kinds.get(usize::from(defs.kind(kind?)?))?;
    Some(kind.fields.iter().map(|field| &defs[field.def]).collect())
}

/// The table of a TOML file around the cursor, as it is written: it may be one that cannot be read yet.
struct TableRegion<'t> {
    /// Names of the keys that stand in it.
    keys: Vec<&'t str>,
    /// Lines `KEY = VALUE` of it.
    lines: Vec<(&'t str, &'t str)>,
}

impl<'t> TableRegion<'t> {
    /// Finds the table around a place: from the header above to the next one, or what stands in braces.
    fn around(place: &CursorPlace<'t>) -> TableRegion<'t> {
        let before = place.ahead_from(0);
        let line = before.rsplit('\n').next().unwrap_or("");
        let brace = line.rfind('{').filter(|open| !line.get(*open..).unwrap_or("").contains('}'));
        let behind = place.text.get(place.byte..).unwrap_or("");
        if let Some(open) = brace {
            let inside = line.get(open + 1..).unwrap_or("");
            let rest = behind.split(['}', '\n']).next().unwrap_or("");
            return TableRegion::of_parts(inside.split(',').chain(rest.split(',').skip(1)));
        }
        let is_header = |line: &&str| line.starts_with('[');
        let above: Vec<&str> = before.lines().rev().skip(usize::from(!line.is_empty())).take_while(|line| !is_header(line)).collect();
        let below = behind.lines().skip(1).take_while(|line| !is_header(line));
        TableRegion::of_parts(above.into_iter().rev().chain(below))
    }

    fn of_parts(parts: impl Iterator<Item = &'t str>) -> TableRegion<'t> {
        let lines: Vec<(&str, &str)> =
            parts.filter_map(|part| part.split_once('=')).map(|(key, value)| (key.trim(), value.trim())).collect();
        let is_key = |key: &&str| !key.is_empty() && key.chars().all(|letter| is_letter(letter) || letter == '.');
        let keys = lines.iter().map(|(key, _)| *key).filter(is_key).map(|key| key.split('.').next().unwrap_or(key)).collect();
        TableRegion { keys, lines }
    }

    /// Returns the text in quotes that a key has as its value.
    fn text_of(&self, key: &str) -> Option<&'t str> {
        let (_, value) = self.lines.iter().find(|(known, _)| *known == key)?;
        value.strip_prefix(['"', '\''])?.split(['"', '\'']).next()
    }

    /// Returns the kind of the card that the table is about: its own, that of the card it is like, or that of the card it changes.
    fn kind(&self, found: &Analysis) -> Option<String> {
        let of_card = |id: &str| {
            let cards = &found.text.as_ref()?.content.cards;
            cards.iter().find(|card| card.id.text == id).map(|card| card.kind.text.clone())
        };
        let other = || ["like", "card"].into_iter().find_map(|key| of_card(self.text_of(key)?));
        self.text_of("kind").map(str::to_string).or_else(other)
    }
}

/// Offers the values of the field of a card, or of the option, whose name stands ahead on the line.
pub(super) fn offer_field_value(found: &Analysis, offers: &mut ItemCollector, place: &CursorPlace<'_>) {
    let Some(defs) = definitions(found) else { return };
    let line = place.ahead_from(0).rsplit('\n').next().unwrap_or("");
    let in_braces = line.rfind('{').map(|open| line.split_at(open + 1));
    let (whole, part) = match in_braces {
        Some((ahead, inside)) => (ahead, inside.rsplit(',').next()),
        None => (line, None),
    };
    let name = whole.split('=').next().unwrap_or("").trim();
    let words = |offers: &mut ItemCollector, list: u16| {
        for word in defs.lists.get(usize::from(list)).into_iter().flatten() {
            offers.add(word, CompletionItemKind::ENUM_MEMBER, format!("a value of `{name}`"), "0");
        }
    };
    let resources = |offers: &mut ItemCollector| {
        defs.resources().into_iter().for_each(|name| offers.add(name, CompletionItemKind::VARIABLE, "a resource", "0"));
    };
    let tokens = |offers: &mut ItemCollector| {
        let all = defs.all().map(|(_, one)| one).filter(|one| matches!(one.kind, DefKind::Token(_)));
        all.for_each(|one| offers.add_definition(one, "0"));
    };
    let named_spaces = |offers: &mut ItemCollector, kind: u16| {
        let spaces = found.text.iter().flat_map(|text| text.checked().rules.spaces_of(kind));
        spaces.for_each(|(space, _)| offers.add_definition(space, "0"));
    };
    // Behind `=` within braces stands a number for a word; ahead of it the word.
    let is_number = part.is_some_and(|part| part.contains('='));
    let option = part.and_then(|part| part.split_once('=')).map_or(name, |(option, _)| option.trim());
    if let Some(DefKind::Option(option)) = defs.kind_of(Space::Value, option) {
        return words(offers, option.list);
    }
    if is_number {
        return;
    }
    let spaces = [Space::Field, Space::List, Space::Row];
    let holds =
        spaces.into_iter().find_map(|space| if let Some(DefKind::Field(holds)) = defs.kind_of(space, name) { Some(holds) } else { None });
    match holds {
        Some(FieldType::One(Type::Number) | FieldType::List(Type::Number)) | None => {}
        Some(FieldType::Row(Type::Token)) => tokens(offers),
        Some(FieldType::List(Type::Card)) => offer_names(found, offers, CompletionContext::Cards),
        Some(FieldType::Row(Type::Choice(list)) | FieldType::One(Type::Choice(list)) | FieldType::List(Type::Choice(list))) => {
            words(offers, *list);
        }
        Some(FieldType::One(Type::Space(kind))) => named_spaces(offers, *kind),
        Some(FieldType::Row(_) | FieldType::One(_) | FieldType::List(_)) => resources(offers),
    }
}

/// Offers the table headers of a card file or a scenario file.
pub(super) fn offer_headers(offers: &mut ItemCollector, ahead: &str, of_scenarios: bool) {
    let line = ahead.rsplit('\n').next().unwrap_or("");
    let start = line.trim_start_matches([' ', '[']);
    let is_scenario = |table: &TableSchema| table.header == schema::SCENARIO_TABLE.header;
    for table in schema::tables().into_iter().filter(|table| is_scenario(table) == of_scenarios) {
        let name = table.header.trim_matches(['[', ']']);
        let offered = name.strip_prefix(start).filter(|_| table.header.starts_with('['));
        if let Some(rest) = offered {
            let whole = if line.contains('[') { rest } else { table.header };
            offers.add(whole, CompletionItemKind::STRUCT, table.doc, "0");
        }
    }
}

/// Offers the values that a key can have.
pub(super) fn offer_values(found: &Analysis, offers: &mut ItemCollector, place: &CursorPlace<'_>, key: &'static KeySchema) {
    match key.holds {
        ValueType::Word(words) => words.iter().for_each(|word| offers.add(word, CompletionItemKind::ENUM_MEMBER, key.doc, "0")),
        ValueType::Card => offer_names(found, offers, CompletionContext::Cards),
        ValueType::Kind => offer_names(found, offers, CompletionContext::Kinds),
        ValueType::Moment => offer_names(found, offers, CompletionContext::Moments),
        ValueType::Quantity => offer_names(found, offers, CompletionContext::Quantities),
        ValueType::Action => offer_names(found, offers, CompletionContext::Actions),
        ValueType::Loss => offer_names(found, offers, CompletionContext::Losses),
        // The names of options, and behind them their values.
        ValueType::Options => {
            offer_field_value(found, offers, place);
            if offers.all.is_empty() {
                offer_names(found, offers, CompletionContext::Options);
            }
        }
        ValueType::Set => {
            let cards = found.text.iter().flat_map(|text| &text.content.cards);
            let sets: BTreeSet<&str> = cards.filter_map(|card| card.set.as_ref()).map(|set| set.text.as_str()).collect();
            sets.into_iter().for_each(|set| offers.add(set, CompletionItemKind::ENUM_MEMBER, "a set", "0"));
        }
        ValueType::Game | ValueType::GameOrPack => offers.add(&found.unit.game, CompletionItemKind::MODULE, "the game", "0"),
        ValueType::Packs => {
            let packs = found.text.iter().flat_map(|text| &text.content.packs);
            packs.for_each(|pack| offers.add(&pack.manifest.name, CompletionItemKind::MODULE, "a pack", "0"));
        }
        ValueType::Rules => variants(found).into_iter().for_each(|(name, title)| offers.add(name, CompletionItemKind::MODULE, title, "0")),
        // A value whose name continues with a dot: `on.MOMENT`.
        ValueType::Entries(table) => {
            let about = EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table));
            let about = about.and_then(EntryKind::subject_key);
            let about = table.keys.iter().find(|known| Some(known.name) == about);
            about.into_iter().for_each(|key| offer_values(found, offers, place, key));
        }
        ValueType::Translations(sort) => offer_names(
            found,
            offers,
            match sort {
                schema::NameSort::Card => CompletionContext::Cards,
                schema::NameSort::Kind => CompletionContext::Kinds,
                schema::NameSort::Word => CompletionContext::Script,
            },
        ),
        ValueType::Id
        | ValueType::Text
        | ValueType::Texts
        | ValueType::Number(..)
        | ValueType::Amount
        | ValueType::Numbers
        | ValueType::Each
        | ValueType::Condition => {}
        ValueType::Selection
        | ValueType::Ask
        | ValueType::Cost
        | ValueType::Values
        | ValueType::Script
        | ValueType::Scripts
        | ValueType::Limit => {}
        ValueType::Given | ValueType::When | ValueType::Then | ValueType::Tables(_) => {}
    }
}
