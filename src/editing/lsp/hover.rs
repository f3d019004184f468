//! What something means: a word of the language, a key, a native, a definition with what is said about it, a card.

use crate::lang::built_in::{BUILT_INS, Place as BuiltInPlace};
use crate::lang::defs::{DefKind, Definition};
use crate::pack::Names;
use crate::script::{natives, natives_of};
use crate::syntax::reference::{Construct, reference};
use crate::table::{Words, card_lines};

use super::analysis::Analysis;
use super::names::{Meant, meant};
use super::place::{Among, Is, Place};

/// So many examples of a construct are shown.
const EXAMPLES: usize = 3;

/// What is said about a place, in Markdown.
pub(super) fn hover(found: &Analysis, place: &Place) -> Option<String> {
    match place.is {
        Is::Key(table, key) => Some(format!("`{}` of `{}`: {}\n\n```toml\n{}\n```", key.name, table.header, key.doc, key.example)),
        Is::Word(Some(around)) if around.words.contains(&place.text) || place.text.contains(' ') => Some(construct(around)),
        Is::Word(_) => reference().about(&place.text).first().map(|found| construct(found)),
        Is::Name(among) => {
            let called = (among == Among::Call).then(|| native(found, &place.text)).flatten();
            called.or_else(|| defined(found, &meant(found, place)?)).or_else(|| built_in(&place.text, place.whole.as_deref(), among))
        }
        Is::New(_) => defined(found, &meant(found, place)?),
    }
}

fn construct(found: &Construct) -> String {
    let examples: Vec<&str> = found.examples.iter().take(EXAMPLES).map(String::as_str).collect();
    format!("`{}`\n\n{}\n\n```rules\n{}\n```", found.form, found.meaning, examples.join("\n"))
}

/// What scripts can call, by the name.
fn native(found: &Analysis, name: &str) -> Option<String> {
    let fixed = natives().iter().filter(|native| native.name == name);
    let fixed = fixed.map(|native| format!("```rhai\n{}\n```\n{}\n\n```rhai\n{}\n```", native.signature(), native.doc, native.example));
    let added = found.rules.iter().flat_map(|rules| natives_of(rules));
    let added = added.filter(|(signature, _)| signature.split('(').next() == Some(name));
    let all: Vec<String> = fixed.chain(added.map(|(signature, doc)| format!("```rhai\n{signature}\n```\n{doc}"))).collect();
    (!all.is_empty()).then(|| all.join("\n\n"))
}

fn built_in(name: &str, whole: Option<&str>, among: Among) -> Option<String> {
    let of_script = |place: BuiltInPlace| (place == BuiltInPlace::Script) == matches!(among, Among::Script | Among::Call);
    let called = |pattern: &str| whole == Some(pattern) || pattern.split([' ', '(', ',']).next() == Some(name);
    let known = BUILT_INS.iter().filter(|known| of_script(known.place) && called(known.pattern));
    let told: Vec<String> = known.map(|known| format!("`{}`: {}", known.pattern, known.doc)).collect();
    (!told.is_empty()).then(|| told.join("\n\n"))
}

/// A definition: what it is, where it stands, and what its author says about it.
pub(super) fn defined(found: &Analysis, meant: &Meant) -> Option<String> {
    let one = meant.definition(found)?;
    if meant.is_card() {
        return card(found, &meant.name);
    }
    let mut out = format!("`{}`: {}", one.name, one.what.describe());
    if let DefKind::Moment(_) = one.what
        && let Some(told) = told_moment(found, &one.name)
    {
        out.push_str(&format!(": {told}"));
    }
    if let Some((line, comment)) = written(found, one) {
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

fn told_moment(found: &Analysis, name: &str) -> Option<String> {
    let told = &found.text.as_ref()?.checked().rules.told_moments;
    told.iter().find(|(moment, _)| moment == name).map(|(_, told)| told.clone())
}

/// The line on which something is declared, and the comment above it.
fn written(found: &Analysis, one: &Definition) -> Option<(String, String)> {
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

/// A card: its name, kind, figures and text.
fn card(found: &Analysis, id: &str) -> Option<String> {
    let text = found.text.as_ref()?;
    let raw = text.content.cards.iter().find(|card| card.id.text == id)?;
    let lines = card_lines(text, &Words::new(text, Names::default()), id)?;
    let mut out = format!("`{id}`: {}", lines.join("\n\n"));
    if raw.pack != text.content.game {
        out.push_str(&format!("\n\nfrom pack `{}`", raw.pack));
    }
    out.push_str(&format!("\n\n{}", found.sources.place(raw.span)));
    Some(out)
}
