//! Scrollable text: rows of parts, each with its look.

use unicode_width::UnicodeWidthStr;

use crate::table::{TextLine, wrap};

/// How a part of a row looks. Nothing is told by colour alone: what a colour says is also said by words, bold letters, a number or a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// As it comes.
    #[default]
    Plain,
    /// A heading.
    Heading,
    /// What is less important, such as the frame of a card that no option is about.
    Faint,
    /// The name of a card, with the number of its kind, which chooses the colour.
    Card(usize),
    /// What an option is about.
    Offered,
    /// What the marked option is about.
    Marked,
}

/// A part of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The text, without line breaks.
    pub text: String,
    /// How it looks.
    pub look: Look,
}

impl Part {
    pub fn new(text: impl Into<String>, look: Look) -> Part {
        Part { text: text.into(), look }
    }
}

impl From<TextLine> for Part {
    fn from(line: TextLine) -> Part {
        Part::new(line.text, if line.heading { Look::Heading } else { Look::Plain })
    }
}

/// A line consisting of parts.
pub type ScreenRow = Vec<Part>;

/// Wraps lines of plain text to a width.
pub fn plain(lines: &[String], width: usize) -> Vec<ScreenRow> {
    looking(lines, width, Look::Plain)
}

/// Wraps lines of text to a width; all parts have the same look.
pub fn looking(lines: &[String], width: usize, look: Look) -> Vec<ScreenRow> {
    lines.iter().flat_map(|line| wrap(line, width, 2)).map(|text| vec![Part::new(text, look)]).collect()
}

/// Returns the width of a row in columns.
pub fn row_width(row: &ScreenRow) -> usize {
    row.iter().map(|part| part.text.width()).sum()
}

/// Puts columns of rows side by side, `width` columns each with `gap` blanks between them.
pub fn beside(columns: Vec<Vec<ScreenRow>>, width: usize, gap: usize) -> Vec<ScreenRow> {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let last = columns.len().saturating_sub(1);
    let mut rows: Vec<ScreenRow> = vec![ScreenRow::new(); height];
    for (at, column) in columns.into_iter().enumerate() {
        let mut lines = column.into_iter();
        for row in &mut rows {
            let line = lines.next().unwrap_or_default();
            let missing = (width + gap).saturating_sub(row_width(&line));
            row.extend(line);
            if at < last {
                row.push(Part::new(" ".repeat(missing), Look::Plain));
            }
        }
    }
    rows
}
