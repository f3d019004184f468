//! What a file declares: cards, and names of rules.

use lsp_types::{DocumentSymbol, SymbolKind};

use super::analysis::Analysis;
use super::names::{Sort, definitions};
use super::position::range_of;
use crate::lang::defs::{Definition, DefKind};

/// What a file declares, in its order, as far as it stands where it stood when it was last looked at.
#[allow(deprecated, reason = "the protocol's type has a field that nobody uses any more")]
pub(super) fn symbols(found: &Analysis, name: &str, text: &str) -> Vec<DocumentSymbol> {
    let Some(defs) = definitions(found) else { return Vec::new() };
    let here = |one: &&Definition| one.span.is_some_and(|span| found.sources.name(span.file) == name) && one.what != DefKind::Broken;
    let mut all: Vec<(usize, DocumentSymbol)> = Vec::new();
    for one in defs.all().map(|(_, one)| one).filter(here) {
        let Some(span) = one.span else { continue };
        let range = range_of(text, span.start as usize, span.end as usize);
        let kind = match Sort::of(&one.what) {
            Sort::Card => SymbolKind::OBJECT,
            Sort::Class => SymbolKind::CLASS,
            Sort::Event => SymbolKind::EVENT,
            Sort::Function => SymbolKind::FUNCTION,
            Sort::Field => SymbolKind::FIELD,
            Sort::Constant => SymbolKind::CONSTANT,
            Sort::Variable => SymbolKind::VARIABLE,
            Sort::Part => SymbolKind::MODULE,
        };
        let symbol = DocumentSymbol {
            name: one.name.clone(),
            detail: Some(one.what.describe().to_string()),
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
