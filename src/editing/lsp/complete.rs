//! Completion: keys of a table, ids, names of the rules, keywords and native functions.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, TextEdit};

use crate::lang::built_in::is_reserved;
use crate::lang::built_in::{BUILT_INS, NameContext};
use crate::lang::defs::DefKind;
use crate::pack::schema::{self, KeySchema, TableSchema, ValueType};
use crate::script::{SCRIPT_VARIABLES, natives, rule_natives};
use crate::syntax::reference::reference;
use crate::syntax::words::TextSort;

use super::analysis::Analysis;
use super::names::{SymbolCategory, definitions, variants};
use super::place::{CompletionContext, FileSort, FileTokens, Zone};
use super::position::range_of;

/// Collects completion items, each name once.
#[derive(Default)]
struct ItemCollector {
    all: BTreeMap<String, (CompletionItemKind, String, &'static str)>,
}

impl ItemCollector {
    /// Adds an item; items with a lower `rank` are listed first.
    fn add(&mut self, name: &str, kind: CompletionItemKind, detail: impl Into<String>, rank: &'static str) {
        self.all.entry(name.to_string()).or_insert_with(|| (kind, detail.into(), rank));
    }
}

/// Returns the completion items at a byte of a text.
pub(super) fn complete(found: &Analysis, sort: FileSort, places: &FileTokens, text: &str, byte: usize) -> Vec<CompletionItem> {
    let before = text.get(..byte).unwrap_or("");
    let start = before.len() - before.trim_end_matches(is_letter).len();
    let start = byte - start;
    let ahead = before.get(..start).unwrap_or("");
    let mut offers = ItemCollector::default();
    match sort {
        FileSort::Rules => offer_rules_text(found, &mut offers, ahead, TextSort::Rules),
        FileSort::Cards | FileSort::Manifest | FileSort::Names | FileSort::Scenarios => {
            let inside = |(from, to, _): &&(usize, usize, Zone)| *from <= start && byte <= *to;
            match places.zones.iter().rev().find(inside).map(|(from, _, zone)| (*from, *zone)) {
                Some((from, Zone::Text(sort))) => offer_rules_text(found, &mut offers, ahead.get(from..).unwrap_or(""), sort),
                Some((_, Zone::Script)) => offer_script_text(found, &mut offers, text, byte),
                Some((_, Zone::Name(among))) => offer_names(found, &mut offers, among),
                Some((_, Zone::Value(key))) => offer_values(found, &mut offers, key),
                Some((_, Zone::Keys(table))) => offer_in_plain_line(found, &mut offers, table, ahead),
                None if sort == FileSort::Cards => offer_headers(&mut offers, ahead, false),
                None => {}
            }
        }
    }
    let range = range_of(text, start, byte);
    let item = |(name, (kind, detail, rank)): (String, (CompletionItemKind, String, &'static str))| CompletionItem {
        sort_text: Some(format!("{rank}{name}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: name.clone() })),
        label: name,
        kind: Some(kind),
        detail: Some(detail),
        ..CompletionItem::default()
    };
    offers.all.into_iter().map(item).collect()
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Offers items outside of any zone: a key at the beginning of a line, or the value of a key whose line cannot be parsed yet.
fn offer_in_plain_line(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema, ahead: &str) {
    let line = ahead.rsplit(['\n', '{']).next().unwrap_or("");
    if line.trim_start().starts_with('[') {
        let tables = [&raw const schema::SCENARIO_FILE_TABLE, &raw const schema::SCENARIO_TABLE];
        return offer_headers(offers, ahead, tables.iter().any(|known| std::ptr::eq(table, *known)));
    }
    match line.split_once('=') {
        None => offer_keys(found, offers, table),
        Some((name, _)) => {
            let key = all_keys(table).into_iter().find(|key| key.name == name.trim());
            key.into_iter().for_each(|key| offer_values(found, offers, key));
        }
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

fn offer_keys(found: &Analysis, offers: &mut ItemCollector, table: &'static TableSchema) {
    for key in all_keys(table) {
        offers.add(key.name, CompletionItemKind::PROPERTY, key.doc, "0");
    }
    if has_fields(table) {
        offer_names(found, offers, CompletionContext::Fields);
    }
}

/// Offers the table headers of a card file or a scenario file.
fn offer_headers(offers: &mut ItemCollector, ahead: &str, of_scenarios: bool) {
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
fn offer_values(found: &Analysis, offers: &mut ItemCollector, key: &'static KeySchema) {
    match key.holds {
        ValueType::Word(words) => words.iter().for_each(|word| offers.add(word, CompletionItemKind::ENUM_MEMBER, key.doc, "0")),
        ValueType::Card => offer_names(found, offers, CompletionContext::Cards),
        ValueType::Kind => offer_names(found, offers, CompletionContext::Kinds),
        ValueType::Moment => offer_names(found, offers, CompletionContext::Moments),
        ValueType::Quantity => offer_names(found, offers, CompletionContext::Quantities),
        ValueType::Action => offer_names(found, offers, CompletionContext::Actions),
        ValueType::Loss => offer_names(found, offers, CompletionContext::Losses),
        ValueType::Options => offer_names(found, offers, CompletionContext::Options),
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
            let about = crate::pack::EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table));
            let about = about.and_then(crate::pack::EntryKind::subject_key);
            let about = table.keys.iter().find(|known| Some(known.name) == about);
            about.into_iter().for_each(|key| offer_values(found, offers, key));
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

/// Offers the names of the given category.
fn offer_names(found: &Analysis, offers: &mut ItemCollector, among: CompletionContext) {
    let Some(defs) = definitions(found) else { return };
    for (_, one) in defs.all() {
        let fits = match (among, &one.kind) {
            (_, DefKind::Broken) => false,
            (CompletionContext::Quantities, what) => matches!(what, DefKind::Quantity { .. }),
            (CompletionContext::Options, what) => matches!(what, DefKind::Option(_)),
            _ => among.namespaces().iter().any(|space| defs.kind_of(*space, &one.name) == Some(&one.kind)),
        };
        if fits {
            offers.add(&one.name, item_kind_of(&one.kind), one.kind.describe(), "1");
        }
    }
}

fn item_kind_of(what: &DefKind) -> CompletionItemKind {
    match SymbolCategory::of(what) {
        SymbolCategory::Card => CompletionItemKind::VALUE,
        SymbolCategory::Class => CompletionItemKind::CLASS,
        SymbolCategory::Event => CompletionItemKind::EVENT,
        SymbolCategory::Function => CompletionItemKind::FUNCTION,
        SymbolCategory::Field => CompletionItemKind::FIELD,
        SymbolCategory::Constant => CompletionItemKind::CONSTANT,
        SymbolCategory::Variable => CompletionItemKind::VARIABLE,
        SymbolCategory::Part => CompletionItemKind::MODULE,
    }
}

/// Offers names and keywords in rules text; at the beginning of a statement the keywords that begin one come first.
fn offer_rules_text(found: &Analysis, offers: &mut ItemCollector, ahead: &str, sort: TextSort) {
    let line = ahead.rsplit(['\n', '{', ';', '}']).next().unwrap_or("");
    let begins = line.trim().is_empty();
    if ahead.ends_with('.') {
        return offer_names(found, offers, CompletionContext::AfterDot);
    }
    let of_scenario = matches!(sort, TextSort::Given | TextSort::When | TextSort::Then);
    for construct in reference().with_examples() {
        if construct.chapter.contains("cenarios") && !of_scenario {
            continue;
        }
        let first = construct.form.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("");
        for word in construct.keywords.iter().filter(|word| word.chars().all(is_letter)) {
            let rank = if begins && word == first { "0" } else { "2" };
            offers.add(word, CompletionItemKind::KEYWORD, &construct.meaning, rank);
        }
    }
    for known in BUILT_INS.iter().filter(|known| known.place != NameContext::Script) {
        let name = known.pattern.split([' ', '(', '.']).next().unwrap_or("");
        offers.add(name, CompletionItemKind::VARIABLE, known.doc, "1");
    }
    // Rules rarely refer to single cards, scenarios do.
    offer_names(found, offers, if of_scenario { CompletionContext::All } else { CompletionContext::Script });
}

/// Offers what a script can contain: native functions, the names bound by its entry, and names of the rules.
fn offer_script_text(found: &Analysis, offers: &mut ItemCollector, text: &str, byte: usize) {
    for native in natives() {
        offers.add(native.name, CompletionItemKind::FUNCTION, format!("{}: {}", native.signature(), native.doc), "0");
    }
    for (signature, doc) in found.rules.iter().flat_map(|rules| rule_natives(rules)) {
        let name = signature.split('(').next().unwrap_or("").to_string();
        offers.add(&name, CompletionItemKind::FUNCTION, format!("{signature}: {doc}"), "0");
    }
    for known in BUILT_INS.iter().filter(|known| known.place == NameContext::Script && SCRIPT_VARIABLES.contains(&known.pattern)) {
        offers.add(known.pattern, CompletionItemKind::VARIABLE, known.doc, "0");
    }
    offer_entry_bindings(offers, found, text, byte);
    offer_names(found, offers, CompletionContext::Script);
    ["yes", "no"].iter().for_each(|word| offers.add(word, CompletionItemKind::CONSTANT, "for a flag", "1"));
}

/// Offers the names bound by the entry that contains the script, as of the last analysis.
fn offer_entry_bindings(offers: &mut ItemCollector, found: &Analysis, text: &str, byte: usize) {
    let Some(content) = found.text.as_ref().map(|text| &text.content) else { return };
    let of_cards = content.cards.iter().flat_map(|card| &card.entries).chain(content.kinds.iter().flat_map(|kind| &kind.entries));
    for part in of_cards.flat_map(|entry| entry.parts()) {
        let (span, file) = (part.script.span, found.sources.text(part.script.span.file));
        // The text may have changed since: the script is recognised by its start and the text before it.
        let same = span.start as usize <= byte && file.get(..span.start as usize) == text.get(..span.start as usize);
        if same && byte <= span.end as usize + text.len().saturating_sub(file.len()) {
            part.lets.iter().for_each(|(name, value)| offers.add(&name.text, CompletionItemKind::VARIABLE, &value.text, "0"));
        }
    }
}

/// Describes what already has a name, so that no card can have it as its id. Returns `None` for a free name.
pub(super) fn describe_existing_use(found: &Analysis, name: &str) -> Option<&'static str> {
    if is_reserved(name) {
        return Some("the word of the language");
    }
    let mut taken = definitions(found)?.all().map(|(_, one)| one).filter(|one| one.name == name && one.kind != DefKind::Broken);
    taken.next().map(|one| one.kind.describe())
}
