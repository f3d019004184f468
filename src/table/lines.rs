//! Renders sections as lines of text. Long lines are wrapped, never truncated.

use unicode_width::UnicodeWidthStr;

use super::phrases::Phrases;
use super::picture::board_lines;
use super::sheet::{Cell, Section, SheetBlock};

/// Minimum width of a grid column; narrower grids are listed row by row.
const MIN_COLUMN_WIDTH: usize = 7;
/// Number of spaces between columns.
const COLUMN_GAP: usize = 1;

/// A line of text that may be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// Text of the line without a line break.
    pub text: String,
    /// Whether the line is a heading.
    pub heading: bool,
}

impl TextLine {
    fn plain(text: impl Into<String>) -> TextLine {
        TextLine { text: text.into(), heading: false }
    }

    /// Creates a heading.
    pub fn heading(text: impl Into<String>) -> TextLine {
        TextLine { text: text.into(), heading: true }
    }
}

/// Renders a section in lines of at most `width` columns. Grids are drawn as tables if `may_draw` is set and the width suffices, else
/// listed row by row.
pub fn section_lines(section: &Section, phrases: &Phrases, width: usize, may_draw: bool) -> Vec<TextLine> {
    let mut lines: Vec<TextLine> = wrap(&section.title, width, 0).into_iter().map(TextLine::heading).collect();
    lines.extend(section.blocks.iter().flat_map(|block| block_lines(block, phrases, width, may_draw)));
    lines
}

/// Renders a part of a section in lines of at most `width` columns, as [`section_lines`] does.
pub fn block_lines(block: &SheetBlock, phrases: &Phrases, width: usize, may_draw: bool) -> Vec<TextLine> {
    let plain = |text: String| -> Vec<TextLine> { wrap(&text, width, 2).into_iter().map(TextLine::plain).collect() };
    match block {
        SheetBlock::Facts { title, facts } => {
            let facts = if facts.is_empty() { phrases.word("none") } else { facts.join(", ") };
            plain(if title.is_empty() { facts } else { format!("{title}: {facts}") })
        }
        SheetBlock::Cards { title, cards, hidden } => {
            let (title, cards) = with_common_notes(title, cards, phrases);
            plain(format!("{title}: {}", cards_in_words(&cards, *hidden, phrases).join(", ")))
        }
        SheetBlock::Empty(places) => plain(format!("{}: {}", phrases.word("empty"), places.join(", "))),
        SheetBlock::Board(picture) => board_lines(picture, width),
        SheetBlock::Grid { title, columns, rings, cells } => {
            let mut lines: Vec<TextLine> = wrap(title, width, 0).into_iter().map(TextLine::heading).collect();
            match if may_draw { draw_grid(cells, *columns, *rings, width) } else { None } {
                Some(drawn) => lines.extend(drawn.into_iter().map(TextLine::plain)),
                None => {
                    lines.extend(list_rows(cells, *columns, phrases).into_iter().flat_map(|row| wrap(&row, width, 2)).map(TextLine::plain))
                }
            }
            lines
        }
    }
}

/// Says notes that all of several known cards have once, behind the title: `shelf (each buy 1 coin)`.
fn with_common_notes(title: &str, cards: &[Cell], phrases: &Phrases) -> (String, Vec<Cell>) {
    let common = cards.first().map(|first| first.notes.clone()).filter(|notes| cards.len() > 1 && !notes.is_empty());
    match common.filter(|notes| cards.iter().all(|card| card.piece.is_some() && card.notes == *notes)) {
        Some(notes) => {
            let bare = cards.iter().map(|card| Cell { notes: Vec::new(), ..card.clone() });
            (format!("{title} ({})", phrases.say("each {notes}", &[("notes", &notes.join(", "))])), bare.collect())
        }
        None => (title.to_string(), cards.to_vec()),
    }
}

/// Says which cards lie beside each other, each with its notes, and how many more nobody knows.
fn cards_in_words(cards: &[Cell], hidden: usize, phrases: &Phrases) -> Vec<String> {
    let unknown = (hidden > 0).then(|| hidden_cards(hidden, phrases));
    cards.iter().map(Cell::text).chain(unknown).collect()
}

/// Says how many cards nobody knows who looks at the table.
pub fn hidden_cards(count: usize, phrases: &Phrases) -> String {
    match count {
        1 => phrases.word("a hidden card"),
        _ => phrases.say("{number} hidden cards", &[("number", &count.to_string())]),
    }
}

/// Formats a grid as a list of rows with their contents.
fn list_rows(cells: &[Option<Cell>], columns: usize, phrases: &Phrases) -> Vec<String> {
    let row = |(number, row): (usize, &[Option<Cell>])| {
        let spaces =
            row.iter().enumerate().filter_map(|(column, cell)| Some((column, cell.as_ref().filter(|cell| !cell.name.is_empty())?)));
        let (columns, cells): (Vec<usize>, Vec<Cell>) = spaces.map(|(column, cell)| (column, cell.clone())).unzip();
        let (title, cells) = with_common_notes(&phrases.say("row {number}", &[("number", &(number + 1).to_string())]), &cells, phrases);
        let spaces: Vec<String> = columns.iter().zip(&cells).map(|(column, cell)| format!("{} {}", column + 1, cell.text())).collect();
        format!("{title}: {}", if spaces.is_empty() { phrases.word("empty") } else { spaces.join("; ") })
    };
    cells.chunks(columns.max(1)).enumerate().map(row).collect()
}

/// Formats a grid as a table; on a hexagonal map each row is shifted by half a space against the one above. `None` if the width does not
/// suffice.
fn draw_grid(cells: &[Option<Cell>], columns: usize, rings: Option<usize>, width: usize) -> Option<Vec<String>> {
    cells.len().checked_div(columns)?;
    let label = (cells.len() / columns).to_string().len() + 1;
    let space = width.checked_sub(label)?.checked_div(columns)?.checked_sub(COLUMN_GAP)?;
    let widest =
        cells.iter().flatten().flat_map(|cell| cell.text().split_whitespace().map(str::width).collect::<Vec<_>>()).max().unwrap_or(0);
    if space < MIN_COLUMN_WIDTH || widest > space {
        return None;
    }
    // Columns are no wider than their contents require.
    let wanted = cells.iter().flatten().map(|cell| cell.text().width()).max().unwrap_or(0);
    let space = space.min(wanted.max(MIN_COLUMN_WIDTH));
    let mut lines = Vec::new();
    for (number, row) in cells.chunks(columns).enumerate() {
        // Rows above the middle of a hexagonal map start further right.
        let first = rings.map_or(0, |rings| rings.saturating_sub(number));
        let moved = rings.map_or(0, |rings| number.abs_diff(rings) * (space + COLUMN_GAP) / 2);
        let texts: Vec<Vec<String>> = row.iter().skip(first).flatten().map(|cell| wrap(&cell.text(), space, 0)).collect();
        let height = texts.iter().map(Vec::len).max().unwrap_or(1);
        for line in 0..height {
            let mut out = if line == 0 { format!("{:<label$}", number + 1) } else { " ".repeat(label) };
            out.push_str(&" ".repeat(moved));
            for text in &texts {
                let text = text.get(line).map_or("", String::as_str);
                out.push_str(text);
                out.push_str(&" ".repeat(space + COLUMN_GAP - text.width()));
            }
            lines.push(out.trim_end().to_string());
        }
    }
    Some(lines)
}

/// Wraps a text to lines of at most `width` columns; lines after the first are indented. A word longer than a line is split.
pub fn wrap(text: &str, width: usize, indent: usize) -> Vec<String> {
    let width = width.max(1);
    let indent = indent.min(width / 3);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut fresh = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let gap = usize::from(!fresh);
        if !fresh && line.width() + gap + word.width() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        for letter in word.chars() {
            if line.width() + unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0) > width {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            }
            line.push(letter);
        }
        fresh = false;
    }
    lines.push(line);
    lines
}
