//! Renames what cards and rules declare, in cards, rules, packs, scenarios and translated names.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{TextEdit, Uri, WorkspaceEdit};

use super::analysis::Analysis;
use super::complete::describe_existing_use;
use super::define::find_references;
use super::documents::uri_of;
use super::names::{SymbolRef, is_ambiguous};
use super::place::{SourceToken, SymbolAtCursor};
use super::position::range_of;
use crate::lang::AGENTS;
use crate::pack::is_snake_case;

/// Checks that a symbol can be renamed.
///
/// # Errors
/// Why it cannot, as a message for the user.
pub(super) fn can_rename(all: &[&Analysis], wanted: &SymbolRef) -> Result<(), String> {
    let known = all.iter().find_map(|found| Some((found, wanted.definition(found)?)));
    let Some((found, one)) = known else { return Err(format!("`{}` is not known", wanted.name)) };
    let (name, what) = (own_name(wanted), one.kind.describe());
    let Some(span) = one.span else {
        return Err(format!("`{name}` is {what} of every game: nothing declares it, so it keeps its name"));
    };
    if !Path::new(found.sources.name(span.file)).has_root() {
        return Err(format!("`{name}` is {what} inside the program: its file is not here to be changed"));
    }
    let made = found.text.iter().flat_map(|text| &text.content.cards).find(|card| card.id.text == wanted.name && card.each.is_some());
    if made.is_some() && wanted.is_card() {
        return Err(format!("`{name}` is made by `each`: change the id in its table, and its name elsewhere, by hand"));
    }
    if name.contains(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        return Err(format!("`{name}` is not one word: what is called by several words, or by an address, is renamed by hand"));
    }
    Ok(())
}

/// Returns the edits that give a symbol another name, wherever it is named.
///
/// # Errors
/// Why it cannot be renamed, as a message for the user.
pub(super) fn rename(all: &[&Analysis], wanted: &SymbolRef, name: &str) -> Result<WorkspaceEdit, String> {
    can_rename(all, wanted)?;
    if !is_snake_case(name) {
        let what = if wanted.is_card() { "an id: ids" } else { "a name: names" };
        return Err(format!("`{name}` is not {what} are lower-case words joined by `_`, and begin with a letter"));
    }
    if let Some(what) = all.iter().find_map(|found| describe_existing_use(found, name)) {
        return Err(format!("there is {what} `{name}` already"));
    }
    if let Some(place) = first_ambiguous(all, wanted) {
        let meant = all.iter().find_map(|found| wanted.definition(found)).map_or("this", |one| one.kind.describe());
        return Err(format!("in {place} `{}` may mean something else than {meant}: change it by hand", own_name(wanted)));
    }
    let locals = [own_name(wanted), name].into_iter().filter(|_| !wanted.is_card());
    if let Some(place) = locals.into_iter().find_map(|name| first_local(all, name)) {
        return Err(format!("in {place} a local name hides one of the two names: rename that first"));
    }
    if let Some(place) = first_escaped(all, wanted) {
        return Err(format!(
            "`{}` stands in {place}, in a text with escapes such as `\\t`: write that text without them first",
            own_name(wanted)
        ));
    }
    #[allow(clippy::mutable_key_type, reason = "the protocol's own map")]
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for one in find_references(all, wanted) {
        let place = format!("{}:{}", one.name, range_of(one.text, one.place.start, one.place.start).start.line + 1);
        let Some(uri) = Some(Path::new(one.name)).filter(|path| path.has_root()).and_then(uri_of) else {
            return Err(format!("`{}` is named in {place}, which is inside the program and cannot be changed", own_name(wanted)));
        };
        let range = range_of(one.text, one.place.start, one.place.end);
        changes.entry(uri).or_default().push(TextEdit { range, new_text: name.to_string() });
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Returns the name as it is written: what only machine players know has a prefix of its own in the table of symbols.
fn own_name(wanted: &SymbolRef) -> &str {
    wanted.name.strip_prefix(AGENTS).unwrap_or(&wanted.name)
}

/// Words ahead of which stands what is gone through under a name of its own, as in `count other in my den`.
const GOING_THROUGH: [&str; 8] = ["for", "each", "any", "all", "every", "no", "count", "of"];

/// Describes the first place where a local name is the given one: a parameter, or a name of `let`, `for` and the like; `None` if there is
/// none.
fn first_local(all: &[&Analysis], name: &str) -> Option<String> {
    all.iter().find_map(|found| {
        found.files.iter().find_map(|(file, seen)| {
            let tokens = &seen.places().tokens;
            let is_keyword = |place: Option<&SourceToken>, words: &[&str]| {
                place.is_some_and(|place| matches!(place.symbol, SymbolAtCursor::Keyword(_)) && words.contains(&place.text.as_str()))
            };
            let local = |(at, place): &(usize, &SourceToken)| {
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                place.text == name
                    && (is_keyword(before, &["let"])
                        || is_keyword(before, &GOING_THROUGH) && is_keyword(tokens.get(at + 1), &["in"])
                        || is_parameter(&seen.text, place.start))
            };
            let (_, place) = tokens.iter().enumerate().find(local)?;
            Some(format!("{file}:{}", range_of(&seen.text, place.start, place.start).start.line + 1))
        })
    })
}

/// Whether a byte of a rules file is in the brackets of a declaration's parameters.
fn is_parameter(text: &str, at: usize) -> bool {
    let ahead = text.get(..at).unwrap_or("");
    let line = ahead.rsplit('\n').next().unwrap_or("").trim_start();
    let declares = ["define ", "effect ", "stat ", "changeable "].iter().any(|word| line.starts_with(word));
    declares && line.contains('(') && !line.contains([')', '='])
}

/// Describes the first occurrence of the name where it is ambiguous; `None` if there is none.
fn first_ambiguous(all: &[&Analysis], wanted: &SymbolRef) -> Option<String> {
    all.iter().find_map(|found| {
        found.files.iter().find_map(|(name, seen)| {
            let here = seen.places().tokens.iter().find(|place| place.text == own_name(wanted) && is_ambiguous(found, place, wanted))?;
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
                text.split(|one: char| !one.is_alphanumeric() && one != '_').any(|word| word == own_name(wanted))
            };
            let &(start, _) = seen.places().escaped.iter().find(holds)?;
            Some(format!("{name}:{}", range_of(&seen.text, start, start).start.line + 1))
        })
    })
}
