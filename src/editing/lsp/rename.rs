//! Renames a card's id in cards, rules, packs, scenarios and translated names.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{TextEdit, Uri, WorkspaceEdit};

use super::analysis::Analysis;
use super::complete::describe_existing_use;
use super::define::find_references;
use super::documents::uri_of;
use super::names::{SymbolRef, is_ambiguous};
use super::position::range_of;
use crate::pack::is_snake_case;

/// Checks that a symbol can be renamed.
///
/// # Errors
/// Why it cannot, as a message for the user.
pub(super) fn can_rename(all: &[&Analysis], wanted: &SymbolRef) -> Result<(), String> {
    let known = all.iter().find_map(|found| Some((found, wanted.definition(found)?)));
    let Some((found, one)) = known else { return Err(format!("`{}` is not known", wanted.name)) };
    if !wanted.is_card() {
        return Err(format!("only ids of cards can be renamed: `{}` is {}", wanted.name, one.kind.describe()));
    }
    let inside = one.span.is_none_or(|span| !Path::new(found.sources.name(span.file)).has_root());
    if inside {
        return Err(format!("`{}` is a card inside the program: its file is not here to be changed", wanted.name));
    }
    let made = found.text.iter().flat_map(|text| &text.content.cards).find(|card| card.id.text == wanted.name && card.each.is_some());
    if made.is_some() {
        return Err(format!("`{}` is made by `each`: change the id in its table, and its name elsewhere, by hand", wanted.name));
    }
    Ok(())
}

/// Returns the edits that give a card another id.
///
/// # Errors
/// Why it cannot be renamed, as a message for the user.
pub(super) fn rename(all: &[&Analysis], wanted: &SymbolRef, name: &str) -> Result<WorkspaceEdit, String> {
    can_rename(all, wanted)?;
    if !is_snake_case(name) {
        return Err(format!("`{name}` is not an id: ids are lower-case words joined by `_`, and begin with a letter"));
    }
    if let Some(what) = all.iter().find_map(|found| describe_existing_use(found, name)) {
        return Err(format!("there is {what} `{name}` already"));
    }
    if let Some(place) = first_ambiguous(all, wanted) {
        return Err(format!("in {place} `{}` may mean something else than the card: change it by hand", wanted.name));
    }
    if let Some(place) = first_escaped(all, wanted) {
        return Err(format!(
            "`{}` stands in {place}, in a text with escapes such as `\\t`: write that text without them first",
            wanted.name
        ));
    }
    #[allow(clippy::mutable_key_type, reason = "the protocol's own map")]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for one in find_references(all, wanted) {
        let place = format!("{}:{}", one.name, range_of(one.text, one.place.start, one.place.start).start.line + 1);
        let Some(uri) = Some(Path::new(one.name)).filter(|path| path.has_root()).and_then(uri_of) else {
            return Err(format!("`{}` is named in {place}, which is inside the program and cannot be changed", wanted.name));
        };
        let range = range_of(one.text, one.place.start, one.place.end);
        changes.entry(uri).or_default().push(TextEdit { range, new_text: name.to_string() });
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Describes the first occurrence of the name where it is ambiguous; `None` if there is none.
fn first_ambiguous(all: &[&Analysis], wanted: &SymbolRef) -> Option<String> {
    all.iter().find_map(|found| {
        found.files.iter().find_map(|(name, seen)| {
            let here = seen.places().tokens.iter().find(|place| place.text == wanted.name && is_ambiguous(found, place, wanted))?;
            Some(format!("{name}:{}", range_of(&seen.text, here.start, here.start).start.line + 1))
        })
    })
}

/// Describes the first occurrence of the name inside a string with escapes, where positions are unknown; `None` if there is none.
fn first_escaped(all: &[&Analysis], wanted: &SymbolRef) -> Option<String> {
    all.iter().find_map(|found| {
        found.files.iter().find_map(|(name, seen)| {
            let holds = |&&(start, end): &&(usize, usize)| {
                let text = seen.text.get(start..end).unwrap_or("");
                text.split(|one: char| !one.is_alphanumeric() && one != '_').any(|word| word == wanted.name)
            };
            let &(start, _) = seen.places().escaped.iter().find(holds)?;
            Some(format!("{name}:{}", range_of(&seen.text, start, start).start.line + 1))
        })
    })
}
