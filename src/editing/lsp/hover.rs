//! Hover texts: keywords, keys, native functions, definitions with their comments, and cards.

use crate::lang::built_in::{BUILT_INS, NameContext};
use crate::lang::defs::{DefKind, Definition};
use crate::pack::Translations;
use crate::script::{natives, rule_natives};
use crate::syntax::reference::{Construct, reference};
use crate::table::{DisplayNames, card_lines};

use super::analysis::Analysis;
use super::names::{SymbolRef, resolve};
use super::place::{CompletionContext, SourceToken, SymbolAtCursor};

/// Maximum number of examples of a construct.
const MAX_EXAMPLES: usize = 3;

/// Writes the hover text of a symbol in Markdown.
pub(super) fn hover(found: &Analysis, place: &SourceToken) -> Option<String> {
    match place.symbol {
        SymbolAtCursor::Key(table, key) => {
            Some(format!("`{}` of `{}`: {}\n\n```toml\n{}\n```", key.name, table.header, key.doc, key.example))
        }
        SymbolAtCursor::Keyword(Some(around)) if around.keywords.contains(&place.text) || place.text.contains(' ') => {
            Some(construct_text(around))
        }
        SymbolAtCursor::Keyword(_) => reference().constructs_with(&place.text).first().map(|found| construct_text(found)),
        SymbolAtCursor::Name(among) => {
            let called = (among == CompletionContext::Call).then(|| native_text(found, &place.text)).flatten();
            called
                .or_else(|| definition_text(found, &resolve(found, place)?))
                .or_else(|| built_in_text(&place.text, place.whole.as_deref(), among))
        }
        SymbolAtCursor::Declaration(_) => definition_text(found, &resolve(found, place)?),
    }
}

fn construct_text(found: &Construct) -> String {
    let examples: Vec<&str> = found.examples.iter().take(MAX_EXAMPLES).map(String::as_str).collect();
    format!("`{}`\n\n{}\n\n```rules\n{}\n```", found.form, found.meaning, examples.join("\n"))
}

/// Writes the documentation of a native function.
fn native_text(found: &Analysis, name: &str) -> Option<String> {
    let fixed = natives().iter().filter(|native| native.name == name);
    let fixed = fixed.map(|native| format!("```rhai\n{}\n```\n{}\n\n```rhai\n{}\n```", native.signature(), native.doc, native.example));
    let added = found.rules.iter().flat_map(|rules| rule_natives(rules));
    let added = added.filter(|(signature, _)| signature.split('(').next() == Some(name));
    let all: Vec<String> = fixed.chain(added.map(|(signature, doc)| format!("```rhai\n{signature}\n```\n{doc}"))).collect();
    (!all.is_empty()).then(|| all.join("\n\n"))
}

fn built_in_text(name: &str, whole: Option<&str>, among: CompletionContext) -> Option<String> {
    let of_script =
        |place: NameContext| (place == NameContext::Script) == matches!(among, CompletionContext::Script | CompletionContext::Call);
    let called = |pattern: &str| whole == Some(pattern) || pattern.split([' ', '(', ',']).next() == Some(name);
    let known = BUILT_INS.iter().filter(|known| of_script(known.place) && called(known.pattern));
    let docs: Vec<String> = known.map(|known| format!("`{}`: {}", known.pattern, known.doc)).collect();
    (!docs.is_empty()).then(|| docs.join("\n\n"))
}

/// Writes the documentation of a definition: what it is, its declaration, and the author's comment.
pub(super) fn definition_text(found: &Analysis, meant: &SymbolRef) -> Option<String> {
    let one = meant.definition(found)?;
    if meant.is_card() {
        return card_text(found, &meant.name);
    }
    let mut out = format!("`{}`: {}", one.name, one.kind.describe());
    if let DefKind::Moment(_) = one.kind
        && let Some(docs) = moment_text(found, &one.name)
    {
        out.push_str(&format!(": {docs}"));
    }
    if let Some((line, comment)) = declaration_text(found, one) {
        if !comment.is_empty() {
            out.push_str(&format!("\n\n{comment}"));
        }
        out.push_str(&format!("\n\n```rules\n{line}\n```"));
    }
    if let Some(span) = one.span {
        out.push_str(&format!("\n\n{}", found.sources.place(span)));
    }
    Some(out)
}

fn moment_text(found: &Analysis, name: &str) -> Option<String> {
    let docs = &found.text.as_ref()?.checked().rules.moment_docs;
    docs.iter().find(|(moment, _)| moment == name).map(|(_, docs)| docs.clone())
}

/// Returns the line that declares a definition, and the comment above it.
pub(super) fn declaration_text(found: &Analysis, one: &Definition) -> Option<(String, String)> {
    let span = one.span?;
    let sources = &found.sources;
    let line = |index: usize| sources.line_range(span.file, index).and_then(|range| sources.text(span.file).get(range)).map(str::trim);
    let at = sources.line_index(span.file, span.start as usize);
    let mut above: Vec<&str> = Vec::new();
    let comments = (0..at).rev().map_while(|index| line(index)?.strip_prefix("//").filter(|text| !text.trim_start().starts_with("===")));
    above.extend(comments.map(|text| text.trim_start_matches('/').trim()));
    above.reverse();
    Some((line(at)?.to_string(), above.join(" ")))
}

/// Writes the hover text of a card: name, kind, printed values and text.
fn card_text(found: &Analysis, id: &str) -> Option<String> {
    let text = found.text.as_ref()?;
    let raw = text.content.cards.iter().find(|card| card.id.text == id)?;
    let lines = card_lines(text, &DisplayNames::new(text, Translations::default()), id)?;
    let mut out = format!("`{id}`: {}", lines.join("\n\n"));
    if raw.pack != text.content.game {
        out.push_str(&format!("\n\nfrom pack `{}`", raw.pack));
    }
    out.push_str(&format!("\n\n{}", found.sources.place(raw.span)));
    Some(out)
}
