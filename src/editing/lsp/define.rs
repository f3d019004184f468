//! Where a name is declared, and where it is used.

use std::collections::BTreeMap;

use lsp_types::Location;

use super::analysis::Analysis;
use super::documents::uri_of;
use super::names::{Meant, definitions, meant};
use super::place::{Is, Place};
use super::position::range_of;
use super::report::location;

/// Where a name is declared; nothing for what is declared inside the program.
pub(super) fn definition(found: &Analysis, meant: &Meant) -> Option<Location> {
    location(&found.sources, meant.definition(found)?.span?)
}

/// A place where a name is used, in a file.
pub(super) struct Use<'a> {
    /// The file.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The place.
    pub place: &'a Place,
}

/// Everywhere where a name is used or declared, in all that was looked at of a game; each place once.
pub(super) fn uses<'a>(all: &[&'a Analysis], wanted: &Meant) -> Vec<Use<'a>> {
    let mut files: BTreeMap<&str, (&'a Analysis, Vec<&'a Place>, &'a str)> = BTreeMap::new();
    for found in all {
        let declared = declared(found);
        for (name, seen) in &found.known {
            // Parts of a name are found by their whole.
            let could = |place: &&Place| {
                let last = wanted.name.rsplit('.').next();
                matches!(place.is, Is::Name(_) | Is::New(_)) && (place.text == wanted.name || Some(place.text.as_str()) == last)
            };
            // Where something else of this name is declared, that is meant.
            let other =
                |place: &Place| declared.get(&(name.as_str(), place.start)).is_some_and(|known| !known.contains(&wanted.name.as_str()));
            let meant = |place: &&Place| meant(found, place).as_ref() == Some(wanted) && !other(place);
            let here: Vec<&Place> = seen.places().all.iter().filter(could).filter(meant).collect();
            if !here.is_empty() {
                files.entry(name).or_insert((found, here, &seen.text));
            }
        }
    }
    let uses = files.into_iter().flat_map(|(name, (_, here, text))| here.into_iter().map(move |place| Use { name, text, place }));
    uses.collect()
}

impl Use<'_> {
    /// Where it lies; nothing inside the program.
    pub fn location(&self) -> Option<Location> {
        let path = std::path::Path::new(self.name);
        let uri = path.is_absolute().then(|| uri_of(path)).flatten()?;
        Some(Location { uri, range: range_of(self.text, self.place.start, self.place.end) })
    }

    /// Whether it is where the name is declared.
    pub fn declares(&self, all: &[&Analysis], wanted: &Meant) -> bool {
        all.iter()
            .filter_map(|found| Some((found, wanted.definition(found)?.span?)))
            .any(|(found, span)| found.sources.name(span.file) == self.name && span.start as usize == self.place.start)
    }
}

/// What is declared where, by file and first byte.
fn declared(found: &Analysis) -> BTreeMap<(&str, usize), Vec<&str>> {
    let mut all: BTreeMap<(&str, usize), Vec<&str>> = BTreeMap::new();
    for (_, one) in definitions(found).into_iter().flat_map(|defs| defs.all()) {
        if let Some(span) = one.span {
            all.entry((found.sources.name(span.file), span.start as usize)).or_default().push(&one.name);
        }
    }
    all
}
