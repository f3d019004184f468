//! Text for a terminal: aligned columns, wrapped lists, bold headings.

use comfy_table::CellAlignment;

/// Assumed width of a terminal in columns.
pub const WIDTH: usize = 100;

/// A table of cells: the first columns are left-aligned, the others right-aligned.
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    rows: Vec<Vec<String>>,
    left: usize,
    headless: bool,
}

impl TextTable {
    /// Creates a table whose first `left` columns are left-aligned, and whose first row is its head.
    pub fn new(left: usize) -> TextTable {
        TextTable { rows: Vec::new(), left, headless: false }
    }

    /// Creates a table without a head.
    pub fn headless(left: usize) -> TextTable {
        TextTable { headless: true, ..TextTable::new(left) }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The rows, with the head first if there is one.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The number of columns that are left-aligned.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Whether the first row is a head.
    pub fn has_head(&self) -> bool {
        !self.headless
    }

    /// Whether there is nothing but a head.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= usize::from(!self.headless)
    }

    /// Returns the width of the table in columns.
    pub fn width(&self) -> usize {
        self.text(0).lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    /// Returns the lines of the table, each indented by `indent` spaces.
    pub fn text(&self, indent: usize) -> String {
        let mut table = comfy_table::Table::new();
        table.load_preset(comfy_table::presets::NOTHING);
        for row in &self.rows {
            table.add_row(row.iter().map(comfy_table::Cell::new));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((if index == 0 { 0 } else { 2 }, 0));
            column.set_cell_alignment(if index < self.left { CellAlignment::Left } else { CellAlignment::Right });
        }
        let blanks = " ".repeat(indent);
        table.lines().map(|line| format!("{blanks}{}\n", line).trim_end().to_owned() + "\n").collect()
    }
}

/// Formats a comma-separated list, wrapped at the width of a terminal; later lines are indented further.
pub fn wrapped(indent: usize, first: &str, items: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut line = format!("{}{first}", " ".repeat(indent));
    let hanging = " ".repeat(line.chars().count().min(WIDTH / 3));
    let mut fresh = true;
    for item in items {
        if !fresh && line.chars().count() + 2 + item.chars().count() > WIDTH {
            text.push_str(line.trim_end());
            text.push('\n');
            line.clone_from(&hanging);
            fresh = true;
        }
        if !fresh {
            line.push_str("  ");
        }
        line.push_str(&item);
        fresh = false;
    }
    text.push_str(line.trim_end());
    text.push('\n');
    text
}

/// Formats a sentence, wrapped between words at the width of a terminal; later lines are indented further.
pub fn paragraph(indent: usize, first: &str, sentence: &str) -> String {
    let mut text = format!("{}{first}", " ".repeat(indent));
    let mut column = text.chars().count();
    let hanging = column;
    for word in sentence.split(' ') {
        let length = word.chars().count();
        if column > hanging && column + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(hanging));
            column = hanging;
        } else if column > hanging {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}

/// Formats a heading; bold if `color` is set.
pub fn heading(text: &str, color: bool) -> String {
    if color { format!("\u{1b}[1m{text}\u{1b}[0m\n") } else { format!("{text}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = TextTable::new(1);
        table.row(["", "wolf", "wall"]);
        table.row(["wisp", "1.0", "20.25"]);
        assert_eq!(table.text(2), "        wolf   wall\n  wisp   1.0  20.25\n");
        assert_eq!(table.width(), 17);
        assert_eq!(TextTable::new(1).text(0), "");
    }

    #[test]
    fn sentences_are_wrapped_between_words() {
        let text = paragraph(2, "1. ", &"wolf wall ".repeat(30));
        assert!(text.lines().count() == 4 && text.starts_with("  1. wolf wall") && text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().skip(1).all(|line| line.starts_with("     w")), "{text}");
        assert_eq!(paragraph(0, "", "wisp"), "wisp\n");
    }

    #[test]
    fn lists_are_wrapped_under_their_first_item() {
        let items = (0..30).map(|i| format!("wolf {i}"));
        let text = wrapped(2, "wisp: ", items);
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().skip(1).all(|line| line.starts_with("        wolf")));
    }
}
