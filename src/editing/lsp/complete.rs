//! Completion: what can stand where the cursor is. Rules by the grammar, scripts by what exists where they run, TOML by its keys and the
//! fields of a card's kind.

mod expected;
mod rules;
mod script;
mod toml;

use std::collections::BTreeMap;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, TextEdit};

use crate::lang::AGENTS;
use crate::lang::built_in::is_reserved;
use crate::lang::defs::{DefKind, Definition};

use super::analysis::Analysis;
use super::names::{SymbolCategory, definitions};
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

    /// Adds what the rules or cards declare.
    fn add_definition(&mut self, one: &Definition, rank: &'static str) {
        self.add(&one.name, item_kind_of(&one.kind), one.kind.describe(), rank);
    }
}

/// A place in a text where a word is being typed.
struct CursorPlace<'t> {
    /// The whole text.
    text: &'t str,
    /// First byte of the word that is being typed.
    start: usize,
    /// Byte of the cursor.
    byte: usize,
}

impl<'t> CursorPlace<'t> {
    /// Returns the text ahead of the word, from a byte on.
    fn ahead_from(&self, from: usize) -> &'t str {
        self.text.get(from..self.start).unwrap_or("")
    }
}

/// Returns the completion items at a byte of a text.
pub(super) fn complete(found: &Analysis, sort: FileSort, places: &FileTokens, text: &str, byte: usize) -> Vec<CompletionItem> {
    let before = text.get(..byte).unwrap_or("");
    let start = before.trim_end_matches(is_letter).len();
    let place = CursorPlace { text, start, byte };
    let ahead = place.ahead_from(0);
    let mut offers = ItemCollector::default();
    match sort {
        FileSort::Rules => rules::offer(found, &mut offers, ahead, crate::syntax::words::TextSort::Rules),
        FileSort::Cards | FileSort::Manifest | FileSort::Names | FileSort::Scenarios => {
            let inside = |(from, to, _): &&(usize, usize, Zone)| *from <= start && byte <= *to;
            match places.zones.iter().rev().find(inside).map(|(from, _, zone)| (*from, *zone)) {
                Some((from, Zone::Text(sort))) => rules::offer(found, &mut offers, place.ahead_from(from), sort),
                Some((from, Zone::Script)) => script::offer(found, &mut offers, &place, from),
                Some((_, Zone::Name(CompletionContext::All))) => toml::offer_field_value(found, &mut offers, &place),
                Some((_, Zone::Name(among))) => offer_names(found, &mut offers, among),
                Some((_, Zone::Value(key))) => toml::offer_values(found, &mut offers, &place, key),
                Some((_, Zone::Keys(table))) => toml::offer_in_plain_line(found, &mut offers, table, &place),
                None if sort == FileSort::Cards => toml::offer_headers(&mut offers, ahead, false),
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

/// Offers the names of the given category.
fn offer_names(found: &Analysis, offers: &mut ItemCollector, among: CompletionContext) {
    let Some(defs) = definitions(found) else { return };
    for (_, one) in defs.all() {
        let fits = match (among, &one.kind) {
            (_, DefKind::Broken) => false,
            _ if one.name.starts_with(AGENTS) => false,
            (CompletionContext::Quantities, what) => matches!(what, DefKind::Quantity { .. }),
            // Spaces of a board are no cards.
            (CompletionContext::Kinds, DefKind::Kind(kind)) => {
                found.text.iter().all(|text| text.checked().rules.board_of_kind(*kind).is_none())
            }
            (CompletionContext::Options, what) => matches!(what, DefKind::Option(_)),
            _ => among.namespaces().iter().any(|space| defs.kind_of(*space, &one.name) == Some(&one.kind)),
        };
        if fits {
            offers.add_definition(one, "1");
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

/// Describes what already has a name, so that no card can have it as its id. Returns `None` for a free name.
pub(super) fn describe_existing_use(found: &Analysis, name: &str) -> Option<&'static str> {
    if is_reserved(name) {
        return Some("the word of the language");
    }
    let defs = definitions(found)?;
    let mut taken = defs.all().map(|(_, one)| one).filter(|one| one.name == name && one.kind != DefKind::Broken);
    let word = || defs.lists.iter().flatten().any(|word| word == name).then_some("a word of the rules");
    let function = || crate::script::natives().iter().any(|native| native.name == name).then_some("the function of scripts");
    taken.next().map(|one| one.kind.describe()).or_else(word).or_else(function)
}
