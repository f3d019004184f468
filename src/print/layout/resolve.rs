//! Makes a complete layout of what was read, and checks it against a game.

use std::collections::{BTreeMap, BTreeSet};

use super::super::content::CardContent;
use super::super::marks::Color;
use super::super::problem::PrintProblem;
use super::super::template::{COMMON_VALUES, Template};
use super::read::{RawBox, RawFormat, RawLayout, RawSheet};
use super::{Align, CardBox, Format, Icon, Layout, Sheet, Vertical};
use crate::diagnostic::{Diagnostic, nearest};
use crate::lang::GameText;
use crate::pack::Text;
use crate::source::Span;

/// Least margin in which cut marks can be drawn, in millimetres.
pub(crate) const MARGIN_FOR_MARKS: f64 = 3.0;
/// Lengths that differ by less than this are equal, in millimetres.
const TOLERANCE: f64 = 0.01;

/// The names of a game that a layout may mention.
#[derive(Clone, Debug, Default)]
pub struct KnownWords {
    /// The fields and counters of each kind of cards.
    kinds: BTreeMap<String, BTreeSet<String>>,
    /// The words on cards that can have icons.
    words: BTreeSet<String>,
}

impl KnownWords {
    /// Collects the names of a game and its cards.
    pub fn new(text: &GameText, cards: &[CardContent]) -> KnownWords {
        let rules = &text.checked().rules;
        let mut known = KnownWords::default();
        for kind in &rules.kinds {
            let fields = kind.fields.iter().map(|field| rules.defs[field.def].name.clone());
            known.kinds.entry(rules.defs[kind.def].name.clone()).or_default().extend(fields);
        }
        for card in cards {
            let fields = card.figures.iter().map(|figure| figure.field.clone());
            known.kinds.entry(card.kind.clone()).or_default().extend(fields.clone());
            known.words.extend(fields.chain(card.figures.iter().flat_map(|figure| &figure.value).filter_map(|part| part.word.clone())));
        }
        known
    }
}

/// Makes a complete layout for a game. Returns `None` after reports if it has errors; warnings are reported, too.
pub fn resolve_layout(raw: RawLayout, known: &KnownWords, diagnostics: &mut Vec<Diagnostic>) -> Option<Layout> {
    let before = diagnostics.len();
    let sheet = resolve_sheet(&raw.sheet, diagnostics);
    let mut own: Vec<(Text, RawFormat)> = Vec::new();
    for (kind, format) in raw.kinds {
        if !known.kinds.contains_key(&kind.text) {
            let near = nearest(&kind.text, known.kinds.keys().map(String::as_str)).map(String::from);
            let all = known.kinds.keys().cloned().collect::<Vec<_>>().join(", ");
            diagnostics.push(PrintProblem::UnknownKind { kind: kind.text.clone(), near, known: all }.at(kind.span));
            continue;
        }
        let fields = known.kinds.get(&kind.text).map(|fields| fields.iter().map(String::as_str).collect()).unwrap_or_default();
        let names = Names { what: "", fields: &fields, shapes: &BTreeSet::new() };
        // What is said of one kind alone shows its own fields.
        for template in format.boxes.iter().flat_map(|(_, own)| own.show.iter().flatten()) {
            expect_values(template, &names, diagnostics);
        }
        let mut whole = raw.card.clone();
        whole.lay_over(format);
        own.push((kind, whole));
    }
    let shapes: BTreeMap<_, _> = raw.shapes.into_iter().map(|(name, path)| (name.text, path)).collect();
    let all_fields: BTreeSet<&str> = known.kinds.values().flatten().map(String::as_str).collect();
    let mut found = Vec::new();
    let mut resolve = |what: &str, raw: RawFormat, fields: &BTreeSet<&str>| {
        let names = Names { what, fields, shapes: &shapes.keys().map(String::as_str).collect() };
        resolve_format(raw, &names, &sheet, &mut found)
    };
    let card = resolve("a card", raw.card, &all_fields);
    let of_kind = |(kind, raw): (Text, RawFormat)| {
        // What all kinds share may show fields that this one does not have: that part is then left out.
        let format = resolve(&format!("a card of kind `{}`", kind.text), raw, &all_fields);
        (kind.text, format)
    };
    let kinds = own.into_iter().map(of_kind).collect();
    // What is wrong with a box of all kinds is wrong with each.
    for fault in found {
        if !diagnostics.iter().any(|known| known.span == fault.span && known.code == fault.code) {
            diagnostics.push(fault);
        }
    }
    let mut icons = BTreeMap::new();
    for (word, icon) in raw.icons {
        if !known.words.contains(&word.text) {
            let near = nearest(&word.text, known.words.iter().map(String::as_str)).map(String::from);
            diagnostics.push(PrintProblem::IconOfNothing { word: word.text.clone(), near }.at(word.span));
        }
        expect_shape(&icon.shape, &shapes.keys().map(String::as_str).collect(), diagnostics);
        icons.insert(word.text, Icon { shape: icon.shape.text, color: icon.color });
    }
    let sound = !crate::diagnostic::has_errors(diagnostics.get(before..).unwrap_or_default());
    sound.then(|| Layout { sheet, card, kinds, space: raw.space.unwrap_or(25.0), icons, shapes })
}

fn expect_shape(shape: &Text, shapes: &BTreeSet<&str>, diagnostics: &mut Vec<Diagnostic>) {
    if !shapes.contains(shape.text.as_str()) {
        let near = nearest(&shape.text, shapes.iter().copied()).map(String::from);
        let known = shapes.iter().copied().collect::<Vec<_>>().join(", ");
        diagnostics.push(PrintProblem::UnknownShape { shape: shape.text.clone(), near, known }.at(shape.span));
    }
}

fn resolve_sheet(raw: &RawSheet, diagnostics: &mut Vec<Diagnostic>) -> Sheet {
    let (mut width, mut height) = raw.size.map_or((210.0, 297.0), |(size, _)| size);
    if raw.landscape == Some(true) {
        std::mem::swap(&mut width, &mut height);
    }
    let (margin, marks) = (raw.margin.map_or(8.0, |(margin, _)| margin), raw.marks.is_none_or(|(marks, _)| marks));
    if marks && margin < MARGIN_FOR_MARKS {
        // The later of the two does not suit the other.
        let spans = [raw.marks.map(|(_, span)| span), raw.margin.map(|(_, span)| span)];
        let later = spans.into_iter().flatten().max_by_key(|span| (span.file, span.start));
        diagnostics.push(PrintProblem::NoRoomForMarks { margin: millimetres(margin) }.at(later));
    }
    Sheet { width, height, margin, gap: raw.gap.unwrap_or(0.0), marks, foot: raw.foot.unwrap_or(true) }
}

/// Writes a length.
pub(crate) fn millimetres(length: f64) -> String {
    format!("{} mm", (length * 100.0).round() / 100.0)
}

/// The names that boxes of a format may mention.
struct Names<'a> {
    /// What the format is of, for messages.
    what: &'a str,
    fields: &'a BTreeSet<&'a str>,
    shapes: &'a BTreeSet<&'a str>,
}

fn resolve_format(raw: RawFormat, names: &Names<'_>, sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) -> Format {
    let ((width, height), span) = raw.size.map_or(((63.0, 88.0), None), |(size, span)| (size, Some(span)));
    let bleed = raw.bleed.unwrap_or(0.0);
    let room = |whole: f64| whole - 2.0 * sheet.margin + TOLERANCE;
    if width + 2.0 * bleed > room(sheet.width) || height + 2.0 * bleed > room(sheet.height) {
        let size = |width: f64, height: f64| format!("{} by {}", millimetres(width), millimetres(height));
        let needs = format!("it takes {}", size(width + 2.0 * bleed, height + 2.0 * bleed));
        let has = format!("there is room for {}", size(room(sheet.width) - TOLERANCE, room(sheet.height) - TOLERANCE));
        diagnostics.push(PrintProblem::NoRoom { what: names.what.to_string(), needs, has }.at(span));
    }
    let known: Vec<String> = raw.boxes.iter().map(|(name, _)| name.text.clone()).collect();
    for taken in raw.boxes.iter().filter_map(|(_, raw)| raw.takes.as_ref()).filter(|taken| !taken.text.is_empty()) {
        if !known.contains(&taken.text) {
            let near = nearest(&taken.text, known.iter().map(String::as_str)).map(String::from);
            diagnostics.push(PrintProblem::UnknownBox { name: taken.text.clone(), near, known: known.join(", ") }.at(taken.span));
        }
    }
    let boxes: Vec<CardBox> =
        raw.boxes.into_iter().filter_map(|(name, raw)| resolve_box(name, raw, names, (width, height), diagnostics)).collect();
    if boxes.is_empty() {
        diagnostics.push(PrintProblem::EmptyCards { what: names.what.to_string() }.at(span));
    }
    Format {
        width,
        height,
        bleed,
        corner: raw.corner.unwrap_or(0.0).min(width / 2.0).min(height / 2.0),
        line: raw.line.unwrap_or(0.0),
        fill: raw.fill.flatten(),
        boxes,
    }
}

/// Completes a box; `None` after a report.
fn resolve_box(
    name: Text,
    raw: RawBox,
    names: &Names<'_>,
    (width, height): (f64, f64),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CardBox> {
    let fill = raw.fill.flatten();
    let line = raw.line.unwrap_or(0.0);
    let symbol = raw.symbol.filter(|symbol| !symbol.text.is_empty());
    // One that an upper layer has emptied is still a place, which another box may take.
    if raw.show.is_none() && fill.is_none() && line == 0.0 && symbol.is_none() {
        diagnostics.push(PrintProblem::BoxOfNothing { name: name.text }.at(name.span));
        return None;
    }
    let Some((place, place_span)) = raw.place else {
        let lacks = PrintProblem::BoxLacks { name: name.text, key: "place", example: "place = [4, 4, 55, 9]" };
        diagnostics.push(lacks.at(name.span));
        return None;
    };
    let [left, top, wide, high] = place;
    if left + wide > width + TOLERANCE || top + high > height + TOLERANCE {
        let (width, height) = (millimetres(width), millimetres(height));
        diagnostics.push(PrintProblem::BeyondEdge { name: name.text.clone(), width, height }.at(place_span));
    }
    let font = raw.font.map_or(8.0, |(font, _)| font);
    let smallest = match (raw.font, raw.smallest) {
        (_, None) => font.min(5.0),
        // Who makes the letters of a box smaller need not know how small a layout below lets them become.
        (Some((_, own)), Some((smallest, below))) if own.file != below.file && smallest > font => font,
        (_, Some((smallest, span))) => {
            if smallest > font {
                diagnostics.push(PrintProblem::SizesCrossed { name: name.text.clone() }.at(span));
            }
            smallest
        }
    };
    let no_letters = raw.show.is_none();
    let idle = [
        ("symbol_color", raw.symbol_color.is_some() && symbol.is_none()),
        ("font", no_letters && raw.font.is_some()),
        ("smallest", no_letters && raw.smallest.is_some()),
        ("join", no_letters && raw.join.is_some()),
        ("bold", no_letters && raw.bold.is_some()),
        ("align", no_letters && raw.align.is_some()),
        ("vertical", no_letters && raw.vertical.is_some()),
    ];
    let idle: Vec<String> = idle.iter().filter(|(_, is_idle)| *is_idle).map(|(key, _)| format!("`{key}`")).collect();
    if !idle.is_empty() {
        diagnostics.push(PrintProblem::IdleKeys { name: name.text.clone(), keys: idle.join(", ") }.at(name.span));
    }
    let show = raw.show.unwrap_or_default();
    show.iter().for_each(|template| expect_values(template, names, diagnostics));
    if let Some(symbol) = &symbol {
        expect_shape(symbol, names.shapes, diagnostics);
    }
    Some(CardBox {
        name: name.text,
        place,
        show,
        join: raw.join.unwrap_or_else(|| " · ".to_string()),
        sizes: (font, smallest),
        bold: raw.bold.unwrap_or(false),
        align: raw.align.unwrap_or(Align::Left),
        vertical: raw.vertical.unwrap_or(Vertical::Top),
        color: raw.color.unwrap_or(Color::BLACK),
        fill,
        line,
        corner: raw.corner.unwrap_or(0.0),
        symbol: symbol.map(|symbol| (symbol.text, raw.symbol_color.unwrap_or(Color::BLACK))),
        takes: raw.takes.map(|taken| taken.text).filter(|taken| !taken.is_empty()),
        span: name.span,
    })
}

/// Checks that cards have what a text names.
fn expect_values(template: &Template, names: &Names<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let unknown = |(name, _): &(&str, Span)| !COMMON_VALUES.contains(name) && !names.fields.contains(name);
    for (name, span) in template.names().filter(unknown) {
        let known = || COMMON_VALUES.iter().copied().chain(names.fields.iter().copied());
        let near = nearest(name, known()).map(String::from);
        let known = known().collect::<Vec<_>>().join(", ");
        diagnostics.push(PrintProblem::UnknownValue { name: name.to_string(), near, known }.at(span));
    }
}
