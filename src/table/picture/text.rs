//! Draws a board as text: a cell for each space, with the numbers of rows and columns, and a legend below.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use super::super::lines::{TextLine, wrap};
use super::{BoardLayout, BoardPicture, EMPTY, PicturePart, PictureSpace, joined};

/// The widest that a picture is drawn, in columns, however wide the terminal is.
const MAX_WIDTH: usize = 80;

/// Draws a board in lines of at most `width` columns.
pub fn board_lines(picture: &BoardPicture, width: usize) -> Vec<TextLine> {
    let plain = |text: String| TextLine { text, heading: false };
    let wrapped = |text: &str| wrap(text, width, 2).into_iter().map(plain).collect::<Vec<_>>();
    if picture.layout == BoardLayout::Names {
        let mut lines = wrapped(&format!(
            "{}: {}",
            picture.title,
            picture.phrases.say("{number} spaces", &[("number", &picture.spaces.len().to_string())])
        ));
        lines.extend(picture.spaces.iter().flat_map(|space| wrapped(&named_space(picture, space))));
        return lines;
    }
    let mut lines: Vec<TextLine> = wrap(&picture.title, width, 0).into_iter().map(TextLine::heading).collect();
    let left_out = match Grid::fitting(picture, width.min(MAX_WIDTH)) {
        Some(grid) => {
            lines.extend(grid.lines().into_iter().map(plain));
            grid.left_out
        }
        None => {
            lines.extend(rows_in_words(picture).iter().flat_map(|row| wrapped(row)));
            BTreeSet::new()
        }
    };
    let mut notes: Vec<String> = picture.legend(&left_out).iter().map(super::LegendLine::text).collect();
    let not_drawn = picture.titles_of(&left_out);
    if !not_drawn.is_empty() {
        notes.push(picture.phrases.say("not drawn: {what}", &[("what", &not_drawn.join(", "))]));
    }
    lines.extend(notes.iter().flat_map(|note| wrapped(note)));
    lines
}

/// Says what is on a space with a name, which are its neighbours, and to which others links lead; of a link, what it joins.
fn named_space(picture: &BoardPicture, space: &PictureSpace) -> String {
    let phrases = &picture.phrases;
    let of_board = |spaces: &[usize]| joined(phrases, &spaces.iter().map(|space| picture.spaces[*space].name.as_str()).collect::<Vec<_>>());
    let mut facts = space.words(phrases);
    if space.ends.is_empty() {
        if !space.near.is_empty() {
            facts.push(phrases.say("next to {spaces}", &[("spaces", &of_board(&space.near))]));
        }
        if !space.linked.is_empty() {
            facts.push(phrases.say("linked to {spaces}", &[("spaces", &of_board(&space.linked))]));
        }
        if space.near.is_empty() && space.linked.is_empty() {
            facts.push(phrases.word("next to nothing"));
        }
    }
    format!("{}: {}", space.name, facts.join(", "))
}

/// Returns what is drawn in the cell of a space.
fn cell(space: &PictureSpace, left_out: &BTreeSet<usize>) -> String {
    if space.blank {
        return String::new();
    }
    let parts: Vec<&PicturePart> = space.parts.iter().filter(|part| !left_out.contains(&part.member)).collect();
    let text = join_signs(parts.iter().map(|part| part.sign.as_str()));
    if text.is_empty() { EMPTY.to_string() } else { text }
}

/// Joins signs, so that none can be taken for a part of another.
pub(super) fn join_signs<'s>(signs: impl Iterator<Item = &'s str>) -> String {
    let mut out = String::new();
    for sign in signs {
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        if is_digit(out.chars().next_back()) && is_digit(sign.chars().next()) {
            out.push(':');
        }
        out.push_str(sign);
    }
    out
}

/// Lists the rows of a board, each with what its spaces have. Of hexagons the first column of each row is said.
fn rows_in_words(picture: &BoardPicture) -> Vec<String> {
    let row = |row: usize| {
        let spaces = picture.drawn_in_row(row);
        let is_hex = matches!(picture.layout, BoardLayout::Hexes { .. });
        let from = spaces.first().filter(|_| is_hex).map_or_else(String::new, |first| {
            format!(" {}", picture.phrases.say("from column {number}", &[("number", &(first.column + 1).to_string())]))
        });
        let cells = spaces.iter().map(|space| Some(cell(space, &BTreeSet::new())).filter(|cell| !cell.is_empty()));
        let cells: Vec<String> = cells.map(|cell| cell.unwrap_or_else(|| "-".to_string())).collect();
        let row = picture.phrases.say("row {number}", &[("number", &(row + 1).to_string())]);
        format!("{row}{from}: {}", cells.join(" "))
    };
    picture.drawn_rows().map(row).collect()
}

/// The cells of a board in rows, as wide as they need to be.
struct Grid<'p> {
    picture: &'p BoardPicture,
    /// Members that are not drawn, since there is no room.
    left_out: BTreeSet<usize>,
    /// The distance of one column from the next.
    pitch: usize,
    /// The width of the labels of rows.
    label: usize,
    /// How far to the right the first space begins that is drawn, in halves of the distance of columns.
    left: isize,
    /// Of hexagons the number of rings around the middle.
    rings: Option<usize>,
}

/// Returns how far to the right a cell begins, in halves of the distance of one column from the next: rows of hexagons are shifted.
fn halves(row: isize, column: usize, rings: Option<usize>) -> isize {
    2 * column.cast_signed() + rings.map_or(0, |rings| row - rings.cast_signed())
}

impl<'p> Grid<'p> {
    /// Leaves out members until the grid fits into `width` columns; `None` if it never does.
    fn fitting(picture: &'p BoardPicture, width: usize) -> Option<Grid<'p>> {
        let rings = match picture.layout {
            BoardLayout::Rows { .. } => None,
            BoardLayout::Hexes { rings } => Some(rings),
            BoardLayout::Names => return None,
        };
        let drawn = || picture.drawn_rows().flat_map(|row| picture.drawn_in_row(row));
        let places = || drawn().map(|space| halves(space.row.cast_signed(), space.column, rings));
        let label = drawn().map(|space| row_label(space, rings).len()).max()? + 1;
        let (left, right) = (places().min()?, places().max()?);
        let columns = drawn().map(|space| space.column + 1).max()?;
        let mut grid = Grid { picture, left_out: BTreeSet::new(), pitch: 0, label, left, rings };
        let mut expendable = picture.expendable().into_iter();
        loop {
            let cells = drawn().map(|space| cell(space, &grid.left_out).width());
            let widest = cells.chain([columns.to_string().len()]).max()?;
            // Rows of hexagons are shifted by half a cell, which is a whole number of columns if there is room.
            let pitch = widest + 1 + usize::from(rings.is_some() && widest % 2 == 0);
            let fits = |pitch: usize| label + (right - left).unsigned_abs() * pitch / 2 + widest <= width;
            if let Some(pitch) = [pitch, widest + 1].into_iter().find(|pitch| fits(*pitch)) {
                grid.pitch = pitch;
                return Some(grid);
            }
            grid.left_out.insert(expendable.next()?);
        }
    }

    /// Returns the column of the text at which a cell begins; rows and columns count from 0, and can be one beyond the edge of the board.
    fn position(&self, row: isize, column: usize) -> usize {
        let halves = (halves(row, column, self.rings) - self.left).max(0).unsigned_abs();
        self.label + halves * self.pitch / 2
    }

    fn lines(&self) -> Vec<String> {
        let rows = self.picture.drawn_rows();
        let mut lines = vec![self.numbers(rows.start.cast_signed() - 1, rows.start)];
        for row in rows.clone() {
            let mut line = String::new();
            for space in self.picture.drawn_in_row(row) {
                if line.is_empty() {
                    line = row_label(space, self.rings);
                }
                self.put(&mut line, self.position(row.cast_signed(), space.column), &cell(space, &self.left_out));
            }
            lines.push(line.trim_end().to_string());
        }
        if self.rings.is_some() {
            lines.push(self.numbers(rows.end.cast_signed(), rows.end.saturating_sub(1)));
        }
        lines
    }

    /// Returns a line with the numbers of the columns of a row, in the row of cells above or below it.
    fn numbers(&self, beside: isize, row: usize) -> String {
        let mut line = String::new();
        for space in self.picture.drawn_in_row(row) {
            let at = self.position(beside, space.column).max(line.width() + usize::from(!line.is_empty()));
            self.put(&mut line, at, &(space.column + 1).to_string());
        }
        line
    }

    /// Adds a text to a line at a column.
    fn put(&self, line: &mut String, at: usize, text: &str) {
        line.push_str(&" ".repeat(at.saturating_sub(line.width())));
        line.push_str(text);
    }
}

/// Returns the label of the row that begins with a space: of hexagons the name of the space, else the number of the row.
fn row_label(space: &PictureSpace, rings: Option<usize>) -> String {
    match rings {
        Some(_) => format!("r{}c{}", space.row + 1, space.column + 1),
        None => (space.row + 1).to_string(),
    }
}
