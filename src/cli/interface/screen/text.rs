//! Scrollable text, and the view of a game as such a text.

use unicode_width::UnicodeWidthStr;

use crate::table::{Section, TextLine, section_lines, wrap};

/// Minimum width of a column for showing seats side by side.
const MIN_COLUMN_WIDTH: usize = 44;
/// Number of spaces between columns.
const COLUMN_GAP: usize = 2;

/// A line consisting of parts, each plain or a heading.
pub type ScreenRow = Vec<TextLine>;

/// Wraps lines of plain text to a width.
pub fn plain(lines: &[String], width: usize) -> Vec<ScreenRow> {
    lines.iter().flat_map(|line| wrap(line, width, 2)).map(|text| vec![TextLine { text, heading: false }]).collect()
}

/// Arranges the view of a seat for a width: the table over the whole width, and the seats below it, side by side if there is room.
pub fn everything(sheet: &[Section], width: usize) -> Vec<ScreenRow> {
    let (common, players): (Vec<&Section>, Vec<&Section>) = sheet.iter().partition(|section| section.seat.is_none());
    let mut rows: Vec<ScreenRow> = Vec::new();
    for section in common {
        rows.extend(section_lines(section, width, true).into_iter().map(|line| vec![line]));
    }
    let beside = ((width + COLUMN_GAP) / (MIN_COLUMN_WIDTH + COLUMN_GAP)).clamp(1, players.len().max(1));
    let column = (width + COLUMN_GAP) / beside - COLUMN_GAP;
    for some in players.chunks(beside) {
        rows.push(Vec::new());
        let columns: Vec<Vec<TextLine>> = some.iter().map(|section| section_lines(section, column, true)).collect();
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut row = ScreenRow::new();
            for lines in &columns {
                let mut line = lines.get(at).cloned().unwrap_or(TextLine { text: String::new(), heading: false });
                if beside > 1 {
                    line.text.push_str(&" ".repeat((column + COLUMN_GAP).saturating_sub(line.text.width())));
                }
                row.push(line);
            }
            // Trailing blanks are removed.
            if let Some(last) = row.last_mut() {
                last.text.truncate(last.text.trim_end().len());
            }
            rows.push(row);
        }
    }
    rows
}
