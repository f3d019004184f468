//! Layouts: how large sheets and cards are, and which box of a card shows what.

mod read;
mod resolve;

use std::collections::BTreeMap;

use kurbo::BezPath;

pub use read::{RawLayout, parse_layout};
pub use resolve::{KnownWords, resolve_layout};

use super::marks::Color;
use super::problem::PrintProblem;
use super::template::Template;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};

/// A complete layout.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The sheets.
    pub(crate) sheet: Sheet,
    /// The format of cards of kinds that have none of their own.
    pub(crate) card: Format,
    /// The formats of single kinds.
    pub(crate) kinds: BTreeMap<String, Format>,
    /// Largest width of a space of a board, in millimetres.
    pub(crate) space: f64,
    /// The icons of words.
    pub(crate) icons: BTreeMap<String, Icon>,
    /// The shapes by name, each in a square of 100.
    pub(crate) shapes: BTreeMap<String, BezPath>,
}

impl Layout {
    /// Returns the format of the cards of a kind.
    pub(crate) fn format(&self, kind: &str) -> &Format {
        self.kinds.get(kind).unwrap_or(&self.card)
    }
}

/// The sheets on which cards and boards are printed. Lengths are in millimetres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sheet {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What stays empty on each side, but for cut marks and the foot.
    pub margin: f64,
    /// Distance between cards.
    pub gap: f64,
    /// Whether lines in the margin show where to cut.
    pub marks: bool,
    /// Whether the foot says what the sheet is of.
    pub foot: bool,
}

/// How cards are printed. Lengths are in millimetres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Format {
    /// Width of the cut card.
    pub width: f64,
    /// Height of the cut card.
    pub height: f64,
    /// How far the background goes on beyond each edge.
    pub bleed: f64,
    /// Radius of the corners of the outline.
    pub corner: f64,
    /// Width of the outline; 0 for none.
    pub line: f64,
    /// Colour of the background.
    pub fill: Option<Color>,
    /// The boxes, from the lowest to the topmost.
    pub boxes: Vec<CardBox>,
}

/// A part of a card. Lengths are in millimetres from its upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CardBox {
    /// Name of the box.
    pub name: String,
    /// Left, top, width and height.
    pub place: [f64; 4],
    /// What it shows; texts of which a value is missing are left out.
    pub show: Vec<Template>,
    /// What stands between two texts.
    pub join: String,
    /// Largest and smallest size of its letters, in points.
    pub sizes: (f64, f64),
    /// Whether its letters are bold.
    pub bold: bool,
    /// Where lines lie between left and right.
    pub align: Align,
    /// Where the text lies between top and bottom.
    pub vertical: Vertical,
    /// Colour of its letters.
    pub color: Color,
    /// Colour behind it.
    pub fill: Option<Color>,
    /// Width of its outline; 0 for none.
    pub line: f64,
    /// Radius of its corners.
    pub corner: f64,
    /// A shape that fills it, with its colour.
    pub symbol: Option<(String, Color)>,
    /// The box whose room it takes as well, on cards where that shows nothing.
    pub takes: Option<String>,
    /// Where the layout declares it.
    pub span: Span,
}

/// Where the lines of a box lie between left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Center,
    Right,
}

/// Where the text of a box lies between top and bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertical {
    Top,
    Center,
    Bottom,
}

/// The icon of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Icon {
    /// Name of its shape.
    pub shape: String,
    /// Its colour.
    pub color: Color,
}

/// The default layout.
const DEFAULT_LAYOUT: &str = include_str!("default.toml");

/// Returns the text of the default layout.
pub fn default_layout_text() -> &'static str {
    DEFAULT_LAYOUT
}

/// Reads the default layout, which fits every kind of every game.
pub fn default_layout(sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> RawLayout {
    let file = sources.add("the default layout", DEFAULT_LAYOUT);
    parse_layout(file, DEFAULT_LAYOUT, diagnostics)
}

/// Says that a layout in `print/` is of no game; `game` is the one that is probably meant.
pub fn stray_layout(file: FileId, name: &str, game: &str) -> Diagnostic {
    let span = Span { file, start: 0, end: 0 };
    PrintProblem::LayoutOfNothing { name: name.to_string(), game: game.to_string() }.at(span)
}
