//! What is drawn on a page: paths and texts, in millimetres from its upper left corner.

use kurbo::BezPath;

/// A colour by its red, green and blue, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// Black.
    pub const BLACK: Color = Color([0, 0, 0]);

    /// Reads `#rrggbb` or `#rgb`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let part = |at: usize, length: usize| u8::from_str_radix(digits.get(at * length..(at + 1) * length)?, 16).ok();
        let color = |length: usize| Some(Color([part(0, length)?, part(1, length)?, part(2, length)?]));
        match digits.len() {
            6 => color(2),
            3 => color(1).map(|short| Color(short.0.map(|digit| digit * 17))),
            _ => None,
        }
    }
}

/// One thing that is drawn on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A path, in millimetres.
    Path {
        /// Its outline.
        outline: BezPath,
        /// Colour inside, if it is filled.
        fill: Option<Color>,
        /// Colour and width in millimetres of its line, if it has one.
        line: Option<(Color, f64)>,
    },
    /// Letters on one line.
    Text {
        /// Where they begin, in millimetres from the left.
        x: f64,
        /// Where their base line is, in millimetres from the top.
        y: f64,
        /// Size in points.
        size: f64,
        /// Whether they are bold.
        bold: bool,
        /// Their colour.
        color: Color,
        /// The letters.
        text: String,
    },
}

/// A page with what is drawn on it, from the lowest to the topmost.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Width in millimetres.
    pub width: f64,
    /// Height in millimetres.
    pub height: f64,
    /// What is drawn.
    pub marks: Vec<Mark>,
}
