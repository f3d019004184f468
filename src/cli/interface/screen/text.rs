//! Lines of styled text. Nothing is told by colour alone: what a colour says is also said by words, bold letters, a number or a frame.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::table::{TextLine, wrap};

/// Text as it comes.
pub const PLAIN: Style = Style::new();
/// A heading.
pub const HEADING: Style = Style::new().add_modifier(Modifier::BOLD);
/// What is less important, such as the frame of a card that no option is about.
pub const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
/// What an option is about.
pub const OFFERED: Style = Style::new().fg(Color::Green);
/// What the marked option is about.
pub const MARKED: Style = HEADING.fg(Color::Green);

/// Colours of the kinds of cards, by turns, by their numbers among those that every terminal has. The kind is also named.
const KIND_COLOURS: [u8; 6] = [6, 5, 2, 4, 3, 1];

/// Returns the style of the name of a card, by the number of its kind.
pub fn card_style(kind: usize) -> Style {
    HEADING.fg(Color::Indexed(KIND_COLOURS[kind % KIND_COLOURS.len()]))
}

/// Makes a line of one part.
pub fn styled(text: impl Into<String>, style: Style) -> Line<'static> {
    Line::from(Span::styled(text.into(), style))
}

/// Makes a line of the table.
pub fn table_line(line: TextLine) -> Line<'static> {
    styled(line.text, if line.heading { HEADING } else { PLAIN })
}

/// Wraps lines of text to a width.
pub fn wrapped(lines: &[String], width: usize, style: Style) -> Vec<Line<'static>> {
    lines.iter().flat_map(|line| wrap(line, width, 2)).map(|text| styled(text, style)).collect()
}

/// Puts columns of lines side by side, `width` columns each with `gap` blanks between them.
pub fn beside(columns: Vec<Vec<Line<'static>>>, width: usize, gap: usize) -> Vec<Line<'static>> {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let last = columns.len().saturating_sub(1);
    let mut rows = vec![Line::default(); height];
    for (at, column) in columns.into_iter().enumerate() {
        let mut lines = column.into_iter();
        for row in &mut rows {
            let line = lines.next().unwrap_or_default();
            let missing = (width + gap).saturating_sub(line.width());
            row.extend(line);
            if at < last {
                row.push_span(" ".repeat(missing));
            }
        }
    }
    rows
}
