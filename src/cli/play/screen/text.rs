//! Text that is scrolled, and what lies on the table as such a text.

use unicode_width::UnicodeWidthStr;

use crate::table::{Line, Section, section_lines, wrap};

/// From this width on players are shown side by side, each in at least so many columns.
const SIDE_BY_SIDE: usize = 44;
/// Between them.
const GAP: usize = 2;

/// A line of parts, each plain or a heading.
pub type Row = Vec<Line>;

/// Plain lines, wrapped.
pub fn plain(lines: &[String], width: usize) -> Vec<Row> {
    lines.iter().flat_map(|line| wrap(line, width, 2)).map(|text| vec![Line { text, heading: false }]).collect()
}

/// Everything that a seat sees: what is common over the whole width, players below it, side by side where there is room.
pub fn everything(sheet: &[Section], width: usize) -> Vec<Row> {
    let (common, players): (Vec<&Section>, Vec<&Section>) = sheet.iter().partition(|section| section.seat.is_none());
    let mut rows: Vec<Row> = Vec::new();
    for section in common {
        rows.extend(section_lines(section, width, true).into_iter().map(|line| vec![line]));
    }
    let beside = ((width + GAP) / (SIDE_BY_SIDE + GAP)).clamp(1, players.len().max(1));
    let column = (width + GAP) / beside - GAP;
    for some in players.chunks(beside) {
        rows.push(Vec::new());
        let columns: Vec<Vec<Line>> = some.iter().map(|section| section_lines(section, column, true)).collect();
        let height = columns.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut row = Row::new();
            for lines in &columns {
                let mut line = lines.get(at).cloned().unwrap_or(Line { text: String::new(), heading: false });
                if beside > 1 {
                    line.text.push_str(&" ".repeat((column + GAP).saturating_sub(line.text.width())));
                }
                row.push(line);
            }
            // Blanks behind the last column are no part of it.
            if let Some(last) = row.last_mut() {
                last.text.truncate(last.text.trim_end().len());
            }
            rows.push(row);
        }
    }
    rows
}
