//! The two fonts of the program, Noto Sans regular and bold: which letters they have and how wide these are.

use std::collections::BTreeSet;

use super::marks::Mark;
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// Noto Sans Regular, reduced to the letters of European languages and some signs (`fonts/OFL.txt` in the repository).
pub(crate) const REGULAR: &[u8] = include_bytes!("../../fonts/NotoSans-Regular.ttf");
/// Noto Sans Bold, reduced alike.
pub(crate) const BOLD: &[u8] = include_bytes!("../../fonts/NotoSans-Bold.ttf");

/// A blank at which no line ends.
pub(crate) const NO_BREAK: char = '\u{a0}';

/// Units in which the fonts measure, for a letter as high as its size.
const UNITS_PER_EM: f64 = 1000.0;

/// A font that is read.
struct Face {
    letters: Charmap<'static>,
    widths: GlyphMetrics<'static>,
}

/// Both fonts.
pub(crate) struct Fonts {
    regular: Face,
    bold: Face,
}

impl Fonts {
    /// Reads the fonts; `None` if the program was built with broken ones.
    pub(crate) fn new() -> Option<Fonts> {
        let face = |data: &'static [u8]| {
            let font = FontRef::new(data).ok()?;
            Some(Face { letters: font.charmap(), widths: font.glyph_metrics(Size::unscaled(), LocationRef::default()) })
        };
        Some(Fonts { regular: face(REGULAR)?, bold: face(BOLD)? })
    }

    /// Returns the number of a letter's glyph in a font, and its width, for size 1. A letter that the font does not have is glyph 0, an
    /// empty box.
    pub(crate) fn glyph(&self, letter: char, bold: bool) -> (u32, f64) {
        let letter = if letter == NO_BREAK { ' ' } else { letter };
        let face = if bold { &self.bold } else { &self.regular };
        let glyph = face.letters.map(letter).unwrap_or(GlyphId::new(0));
        (glyph.to_u32(), f64::from(face.widths.advance_width(glyph).unwrap_or(0.0)) / UNITS_PER_EM)
    }

    /// Returns the width of a text for size 1.
    pub(crate) fn width(&self, text: &str, bold: bool) -> f64 {
        text.chars().map(|letter| self.glyph(letter, bold).1).sum()
    }

    /// Returns the letters of a text that a font does not have.
    pub(crate) fn missing_letters(&self, text: &str, bold: bool) -> BTreeSet<char> {
        text.chars().filter(|letter| !letter.is_control() && self.glyph(*letter, bold).0 == 0).collect()
    }

    /// Returns the letters that are to be drawn and that their fonts do not have.
    pub(crate) fn missing_in(&self, marks: &[Mark]) -> BTreeSet<char> {
        let of_mark = |mark: &Mark| match mark {
            Mark::Text { text, bold, .. } => self.missing_letters(text, *bold),
            Mark::Path { .. } => BTreeSet::new(),
        };
        marks.iter().flat_map(of_mark).collect()
    }
}
