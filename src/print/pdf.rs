//! Writes pages as PDF. The file holds no time and no number drawn by chance: the same pages are the same bytes.

use std::collections::BTreeMap;

use krilla::Document;
use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use kurbo::{BezPath, PathEl};

use super::fonts::{BOLD, Fonts, REGULAR};
use super::marks::{Color, Mark, Page};
use super::text::POINT;

/// Writes pages as a PDF file with a title, in a language such as `en`.
///
/// # Errors
/// What krilla says if a page cannot be written.
pub fn write_pdf(pages: &[Page], title: &str, language: &str) -> Result<Vec<u8>, String> {
    let font = |data: &'static [u8]| Font::new(data.to_vec().into(), 0).ok_or_else(|| "a font of the program is broken".to_string());
    let files = BTreeMap::from([(false, font(REGULAR)?), (true, font(BOLD)?)]);
    let fonts = Fonts::new().ok_or("a font of the program is broken")?;
    let mut document = Document::new_with(SerializeSettings { enable_tagging: false, ..SerializeSettings::default() });
    let metadata = Metadata::new().title(title.to_string()).language(language.to_string()).producer("houserule".to_string());
    document.set_metadata(metadata);
    for page in pages {
        let settings = PageSettings::from_wh(points(page.width), points(page.height)).ok_or("a page has no size")?;
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        for mark in &page.marks {
            match mark {
                Mark::Path { outline, fill, line } => {
                    let Some(path) = path_of(outline) else { continue };
                    surface.set_fill(fill.map(fill_of));
                    surface.set_stroke(line.map(|(color, width)| Stroke {
                        paint: rgb_of(color).into(),
                        width: points(width),
                        ..Stroke::default()
                    }));
                    surface.draw_path(&path);
                }
                Mark::Text { x, y, size, bold, color, text } => {
                    surface.set_fill(Some(fill_of(*color)));
                    surface.set_stroke(None);
                    let glyphs: Vec<KrillaGlyph> = text
                        .char_indices()
                        .map(|(at, letter)| {
                            let (glyph, width) = fonts.glyph(letter, *bold);
                            KrillaGlyph::new(GlyphId::new(glyph), narrow(width), 0.0, 0.0, 0.0, at..at + letter.len_utf8(), None)
                        })
                        .collect();
                    if let Some(file) = files.get(bold) {
                        let at = Point::from_xy(points(*x), points(*y));
                        surface.draw_glyphs(at, &glyphs, file.clone(), text, narrow(*size), false);
                    }
                }
            }
        }
        surface.finish();
        sheet.finish();
    }
    document.finish().map_err(|fault| format!("{fault:?}"))
}

fn rgb_of(color: Color) -> rgb::Color {
    let [r, g, b] = color.0;
    rgb::Color::new(r, g, b)
}

fn fill_of(color: Color) -> Fill {
    Fill { paint: rgb_of(color).into(), opacity: NormalizedF32::ONE, rule: FillRule::NonZero }
}

/// Converts millimetres to points.
fn points(millimetres: f64) -> f32 {
    narrow(millimetres / POINT)
}

/// Converts to the numbers of a PDF file, which are less exact.
#[expect(clippy::cast_possible_truncation, reason = "seven digits are exact enough on paper")]
fn narrow(number: f64) -> f32 {
    number as f32
}

fn path_of(outline: &BezPath) -> Option<Path> {
    let mut path = PathBuilder::new();
    let at = |point: kurbo::Point| (points(point.x), points(point.y));
    for element in outline.elements() {
        match *element {
            PathEl::MoveTo(to) => path.move_to(at(to).0, at(to).1),
            PathEl::LineTo(to) => path.line_to(at(to).0, at(to).1),
            PathEl::QuadTo(by, to) => path.quad_to(at(by).0, at(by).1, at(to).0, at(to).1),
            PathEl::CurveTo(by, and, to) => path.cubic_to(at(by).0, at(by).1, at(and).0, at(and).1, at(to).0, at(to).1),
            PathEl::ClosePath => path.close(),
        }
    }
    path.finish()
}
