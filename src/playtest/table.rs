//! Text for a terminal: aligned columns, wrapped lists, bold headings.

/// How wide a terminal is taken to be.
pub const WIDTH: usize = 100;

/// Rows of cells: the first column is aligned left, the others right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Table {
    /// A table whose first `left` columns are aligned left.
    pub fn new(left: usize) -> Table {
        Table { rows: Vec::new(), left }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// How wide it is.
    pub fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + widths.len().saturating_sub(1) * 2
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        (0..columns).map(|column| self.rows.iter().map(|row| length(row, column)).max().unwrap_or(0)).collect()
    }

    /// Its lines, each after so many spaces.
    pub fn text(&self, indent: usize) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let space = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if column < self.left { ("", space.as_str()) } else { (space.as_str(), "") };
                line.push_str(before);
                line.push_str(cell);
                line.push_str(after);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Items one after another, with a new line where the terminal ends; later lines are indented further.
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

/// A heading; bold where colour is wanted.
pub fn heading(text: &str, color: bool) -> String {
    if color { format!("\u{1b}[1m{text}\u{1b}[0m\n") } else { format!("{text}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(1);
        table.row(["", "wolf", "wall"]);
        table.row(["wisp", "1.0", "20.25"]);
        assert_eq!(table.text(2), "        wolf   wall\n  wisp   1.0  20.25\n");
        assert_eq!(table.width(), 17);
        assert_eq!(Table::new(1).text(0), "");
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
