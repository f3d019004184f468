//! A card's id is changed wherever it stands: cards, rules, packs, scenarios, names in other languages.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{TextEdit, Uri, WorkspaceEdit};

use super::analysis::Analysis;
use super::complete::is_taken;
use super::define::uses;
use super::documents::uri_of;
use super::names::{Meant, is_doubtful};
use super::position::range_of;
use crate::pack::is_snake_case;

/// Whether a name can be changed at all.
///
/// # Errors
/// Why not, in plain words.
pub(super) fn can_rename(all: &[&Analysis], wanted: &Meant) -> Result<(), String> {
    let known = all.iter().find_map(|found| Some((found, wanted.definition(found)?)));
    let Some((found, one)) = known else { return Err(format!("`{}` is not known", wanted.name)) };
    if !wanted.is_card() {
        return Err(format!("only ids of cards can be renamed: `{}` is {}", wanted.name, one.what.describe()));
    }
    let inside = one.span.is_none_or(|span| !Path::new(found.sources.name(span.file)).is_absolute());
    if inside {
        return Err(format!("`{}` is a card inside the program: its file is not here to be changed", wanted.name));
    }
    Ok(())
}

/// The changes that give a card another id.
///
/// # Errors
/// Why it cannot be done, in plain words.
pub(super) fn rename(all: &[&Analysis], wanted: &Meant, name: &str) -> Result<WorkspaceEdit, String> {
    can_rename(all, wanted)?;
    if !is_snake_case(name) {
        return Err(format!("`{name}` is not an id: ids are lower-case words joined by `_`, and begin with a letter"));
    }
    if let Some(what) = all.iter().find_map(|found| is_taken(found, name)) {
        return Err(format!("there is {what} `{name}` already"));
    }
    if let Some(place) = doubtful(all, wanted) {
        return Err(format!("in {place} `{}` may mean something else than the card: change it by hand", wanted.name));
    }
    if let Some(place) = escaped(all, wanted) {
        return Err(format!(
            "`{}` stands in {place}, in a text with escapes such as `\\t`: write that text without them first",
            wanted.name
        ));
    }
    #[allow(clippy::mutable_key_type, reason = "the protocol's own map")]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for one in uses(all, wanted) {
        let place = format!("{}:{}", one.name, range_of(one.text, one.place.start, one.place.start).start.line + 1);
        let Some(uri) = Some(Path::new(one.name)).filter(|path| path.is_absolute()).and_then(uri_of) else {
            return Err(format!("`{}` is named in {place}, which is inside the program and cannot be changed", wanted.name));
        };
        let range = range_of(one.text, one.place.start, one.place.end);
        changes.entry(uri).or_default().push(TextEdit { range, new_text: name.to_string() });
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Where the name stands and could be that of something else.
fn doubtful(all: &[&Analysis], wanted: &Meant) -> Option<String> {
    all.iter().find_map(|found| {
        found.known.iter().find_map(|(name, seen)| {
            let here = seen.places().all.iter().find(|place| place.text == wanted.name && is_doubtful(found, place, wanted))?;
            Some(format!("{name}:{}", range_of(&seen.text, here.start, here.start).start.line + 1))
        })
    })
}

/// Where the name stands in a text of which nobody can tell what stands where.
fn escaped(all: &[&Analysis], wanted: &Meant) -> Option<String> {
    all.iter().find_map(|found| {
        found.known.iter().find_map(|(name, seen)| {
            let holds = |&&(start, end): &&(usize, usize)| {
                let text = seen.text.get(start..end).unwrap_or("");
                text.split(|one: char| !one.is_alphanumeric() && one != '_').any(|word| word == wanted.name)
            };
            let &(start, _) = seen.places().escaped.iter().find(holds)?;
            Some(format!("{name}:{}", range_of(&seen.text, start, start).start.line + 1))
        })
    })
}
