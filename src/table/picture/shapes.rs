//! A drawn board as a list of shapes, for graphics and for paper.

/// A drawn board: its size and its shapes, from the lowest to the topmost. Lengths are in units of which a space of a grid has 70.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDrawing {
    /// Display name of the board.
    pub title: String,
    /// Width of the whole.
    pub width: i64,
    /// Height of the whole, with the legend.
    pub height: i64,
    /// The shapes in the order in which they are drawn.
    pub shapes: Vec<BoardShape>,
}

/// A colour by its red, green and blue, as in `#77aadd`.
pub type ShapeColor = &'static str;

/// One shape of a drawn board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardShape {
    /// From here to [`BoardShape::SpaceEnds`] all belongs to one space.
    SpaceBegins {
        /// Key of the space in the rules.
        key: String,
        /// What is on it, in words.
        words: String,
    },
    /// The shapes of a space end.
    SpaceEnds,
    /// A rectangle with a thin grey edge.
    Rectangle {
        /// Left edge.
        x: i64,
        /// Upper edge.
        y: i64,
        /// Width.
        width: i64,
        /// Height.
        height: i64,
        /// Colour inside.
        fill: ShapeColor,
    },
    /// A polygon with a thin grey edge.
    Polygon {
        /// The corners, each with its distance from the left and from the top.
        corners: Vec<(i64, i64)>,
        /// Colour inside.
        fill: ShapeColor,
    },
    /// A circle.
    Circle {
        /// The place of its centre.
        at: (i64, i64),
        /// Its radius.
        radius: i64,
        /// Colour inside.
        fill: ShapeColor,
        /// Colour and width of the edge.
        edge: (ShapeColor, i64),
    },
    /// A grey line of width 2.
    Line {
        /// Where it begins.
        from: (i64, i64),
        /// Where it ends.
        to: (i64, i64),
    },
    /// A line of text.
    Text {
        /// Where its base line is: the centre of the text, or its beginning if it is aligned to the left.
        at: (i64, i64),
        /// How it looks.
        style: TextStyle,
        /// The letters.
        text: String,
    },
}

/// How a text on a board looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Of size 14, centred.
    Plain,
    /// Of size 14, bold, centred.
    Bold,
    /// Of size 14, grey, centred: a number of a row or column.
    Number,
    /// Of size 12, bold, centred: the name of a space.
    Name,
    /// Of size 11, centred: what is on a space with a name.
    Small,
    /// Of size 14, aligned to the left: a text of the legend.
    Legend,
}

impl TextStyle {
    /// Returns the size of the letters.
    pub fn size(self) -> i64 {
        match self {
            TextStyle::Plain | TextStyle::Bold | TextStyle::Number | TextStyle::Legend => 14,
            TextStyle::Name => 12,
            TextStyle::Small => 11,
        }
    }
}
