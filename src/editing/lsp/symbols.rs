//! Document symbols: the cards and rule names that a file declares.

use lsp_types::{DocumentSymbol, SymbolKind};

use super::analysis::Analysis;
use super::names::{SymbolCategory, definitions};
use super::position::range_of;
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
        let kind = match SymbolCategory::of(&one.kind) {
            SymbolCategory::Card => SymbolKind::OBJECT,
            SymbolCategory::Class => SymbolKind::CLASS,
            SymbolCategory::Event => SymbolKind::EVENT,
            SymbolCategory::Function => SymbolKind::FUNCTION,
            SymbolCategory::Field => SymbolKind::FIELD,
            SymbolCategory::Constant => SymbolKind::CONSTANT,
            SymbolCategory::Variable => SymbolKind::VARIABLE,
            SymbolCategory::Part => SymbolKind::MODULE,
        };
        let symbol = DocumentSymbol {
            name: one.name.clone(),
            detail: Some(one.kind.describe().to_string()),
            kind,
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
