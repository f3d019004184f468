//! Finds where a name is used.

use std::collections::BTreeMap;

use lsp_types::Location;

use super::analysis::Analysis;
use super::documents::uri_of;
use super::names::{SymbolRef, definitions, resolve};
use super::place::{SourceToken, SymbolAtCursor};
use super::position::range_of;

/// A reference to a name in a file.
pub(super) struct NameUse<'a> {
    /// Name of the file that contains the reference.
    pub name: &'a str,
    /// Text of the file that contains the reference.
    pub text: &'a str,
    /// Token that is the reference, with its location in the text.
    pub place: &'a SourceToken,
}

/// Finds all references to a name, including its declarations, in all analyses of a game; each location once.
pub(super) fn find_references<'a>(all: &[&'a Analysis], wanted: &SymbolRef) -> Vec<NameUse<'a>> {
    let mut files: BTreeMap<&str, (&'a Analysis, Vec<&'a SourceToken>, &'a str)> = BTreeMap::new();
    for found in all {
        let declared = collect_declared_names(found);
        for (name, seen) in &found.files {
            // A part of a dotted name is found through the whole name.
            let could = |place: &&SourceToken| {
                let last = wanted.name.rsplit('.').next();
                matches!(place.symbol, SymbolAtCursor::Name(_) | SymbolAtCursor::Declaration(_))
                    && (place.text == wanted.name || Some(place.text.as_str()) == last)
            };
            // A declaration of another symbol with the same name takes precedence.
            let other = |place: &SourceToken| {
                declared.get(&(name.as_str(), place.start)).is_some_and(|known| !known.contains(&wanted.name.as_str()))
            };
            let meant = |place: &&SourceToken| resolve(found, place).as_ref() == Some(wanted) && !other(place);
            let here: Vec<&SourceToken> = seen.places().tokens.iter().filter(could).filter(meant).collect();
            if !here.is_empty() {
                files.entry(name).or_insert((found, here, &seen.text));
            }
        }
    }
    let uses = files.into_iter().flat_map(|(name, (_, here, text))| here.into_iter().map(move |place| NameUse { name, text, place }));
    uses.collect()
}

impl NameUse<'_> {
    /// Returns the location of the reference for the editor; `None` inside embedded files.
    pub fn location(&self) -> Option<Location> {
        let path = std::path::Path::new(self.name);
        let uri = path.has_root().then(|| uri_of(path)).flatten()?;
        Some(Location { uri, range: range_of(self.text, self.place.start, self.place.end) })
    }

    /// Whether the reference is the declaration of the name.
    pub fn is_declaration(&self, all: &[&Analysis], wanted: &SymbolRef) -> bool {
        all.iter()
            .filter_map(|found| Some((found, wanted.definition(found)?.span?)))
            .any(|(found, span)| found.sources.name(span.file) == self.name && span.start as usize == self.place.start)
    }
}

/// Collects the names that are declared, by file and first byte.
fn collect_declared_names(found: &Analysis) -> BTreeMap<(&str, usize), Vec<&str>> {
    let mut all: BTreeMap<(&str, usize), Vec<&str>> = BTreeMap::new();
    for (_, one) in definitions(found).into_iter().flat_map(|defs| defs.all()) {
        if let Some(span) = one.span {
            all.entry((found.sources.name(span.file), span.start as usize)).or_default().push(&one.name);
        }
    }
    all
}
