//! Symbols: the cards and rule names that a file declares, and those of the whole workspace.

use std::collections::BTreeMap;

use lsp_types::{DocumentSymbol, SymbolInformation, SymbolKind};

use super::analysis::Analysis;
use super::names::{SymbolCategory, definitions};
use super::position::range_of;
use super::report::to_editor_location;
use crate::lang::defs::{DefKind, Definition};

/// Lists the symbols declared in a file, in order, as far as their text is unchanged since the last analysis.
#[allow(deprecated, reason = "the protocol's type has a field that nobody uses any more")]
pub(super) fn list_symbols(found: &Analysis, name: &str, text: &str) -> Vec<DocumentSymbol> {
    let Some(defs) = definitions(found) else { return Vec::new() };
    let here = |one: &&Definition| one.span.is_some_and(|span| found.sources.name(span.file) == name) && one.kind != DefKind::Broken;
    let mut all: Vec<(usize, DocumentSymbol)> = Vec::new();
    for one in defs.all().map(|(_, one)| one).filter(here) {
        let Some(span) = one.span else { continue };
        let range = range_of(text, span.start as usize, span.end as usize);
        let symbol = DocumentSymbol {
            name: one.name.clone(),
            detail: Some(one.kind.describe().to_string()),
            kind: kind_of(one),
            tags: None,
            deprecated: None,
            range,
            selection_range: range,
            children: None,
        };
        all.push((span.start as usize, symbol));
    }
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, symbol)| symbol).collect()
}

fn kind_of(one: &Definition) -> SymbolKind {
    match SymbolCategory::of(&one.kind) {
        SymbolCategory::Card => SymbolKind::OBJECT,
        SymbolCategory::Class => SymbolKind::CLASS,
        SymbolCategory::Event => SymbolKind::EVENT,
        SymbolCategory::Function => SymbolKind::FUNCTION,
        SymbolCategory::Field => SymbolKind::FIELD,
        SymbolCategory::Constant => SymbolKind::CONSTANT,
        SymbolCategory::Variable => SymbolKind::VARIABLE,
        SymbolCategory::Part => SymbolKind::MODULE,
    }
}

/// Finds what the games and packs of the workspace declare in files on disk: names, and printed names of cards, that contain all letters of
/// the query in its order, in any case. Names that begin with the query come first, then those that contain it.
#[allow(deprecated, reason = "the protocol's type has a field that nobody uses any more")]
pub(super) fn find_symbols<'a>(all: impl Iterator<Item = &'a Analysis>, query: &str) -> Vec<SymbolInformation> {
    let query = query.to_lowercase();
    let mut found: Vec<(usize, SymbolInformation)> = Vec::new();
    for one in all {
        let cards = one.text.iter().flat_map(|text| &text.content.cards);
        let printed: BTreeMap<&str, &str> = cards.map(|card| (card.id.text.as_str(), card.name.text.as_str())).collect();
        for (_, definition) in definitions(one).into_iter().flat_map(|defs| defs.all()) {
            let is_card = matches!(definition.kind, DefKind::Card(_));
            let title = printed.get(definition.name.as_str()).copied().filter(|_| is_card);
            let ranks = [Some(definition.name.as_str()), title].into_iter().flatten().filter_map(|name| rank_of(name, &query));
            let (Some(rank), Some(span)) = (ranks.min(), definition.span.filter(|_| definition.kind != DefKind::Broken)) else { continue };
            let Some(location) = to_editor_location(&one.sources, span) else { continue };
            let container_name = Some(title.map_or_else(|| definition.kind.describe().to_string(), str::to_string));
            let symbol = SymbolInformation {
                name: definition.name.clone(),
                kind: kind_of(definition),
                tags: None,
                deprecated: None,
                location,
                container_name,
            };
            found.push((rank, symbol));
        }
    }
    found.sort_by(|(rank, one), (other_rank, other)| {
        (rank, &one.name, one.location.range.start).cmp(&(other_rank, &other.name, other.location.range.start))
    });
    found.dedup_by(|one, other| one.1.name == other.1.name && one.1.location == other.1.location);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Returns how well a name fits a query in small letters: 0 if it begins with it, 1 if it contains it, 2 if it contains its letters in order.
fn rank_of(name: &str, query: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let mut letters = name.chars();
    match name.find(query) {
        Some(0) => Some(0),
        Some(_) => Some(1),
        None => query.chars().all(|wanted| letters.any(|letter| letter == wanted)).then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_finds_beginnings_parts_and_letters_in_order() {
        assert_eq!(rank_of("Grey Wolf", "grey"), Some(0));
        assert_eq!(rank_of("grey_wolf", "wolf"), Some(1));
        assert_eq!(rank_of("grey_wolf", "gwf"), Some(2));
        assert_eq!(rank_of("grey_wolf", "fwg"), None);
        assert_eq!(rank_of("wall", ""), Some(0));
    }
}
