//! The table as it is drawn: one's own seat first, then what is common to all, then the other seats. Cards lie in frames with their prices,
//! figures and texts, as far as there is room for them.

use std::collections::BTreeMap;

use unicode_width::UnicodeWidthStr;

use super::text::{Look, Part, ScreenRow, beside, row_width};
use crate::engine::Ruleset;
use crate::table::{Cell, DisplayNames, Phrases, Section, SheetBlock, TextLine, block_lines, hidden_cards, section_lines, wrap};

/// Minimum width of a column for showing seats side by side.
const MIN_COLUMN_WIDTH: usize = 44;
/// Number of spaces between columns.
const COLUMN_GAP: usize = 2;
/// Minimum and maximum width of a framed card, with its frame.
const FRAME_WIDTHS: (usize, usize) = (13, 30);
/// How much stands in the frames of one's own cards and in those of the table, from the most on; less is only the name in all.
const CONTENTS: [(FrameContents, FrameContents); 5] = [
    (FrameContents::Text, FrameContents::Text),
    (FrameContents::Figures, FrameContents::Text),
    (FrameContents::Name, FrameContents::Text),
    (FrameContents::Figures, FrameContents::Figures),
    (FrameContents::Name, FrameContents::Figures),
];

/// How much of a card stands in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameContents {
    /// Its name, its prices and its counters.
    Name,
    /// Also its kind and its figures.
    Figures,
    /// Also its text.
    Text,
}

/// What the drawn table shows, besides what lies on it.
pub struct TableView<'v> {
    pub rules: &'v Ruleset,
    pub words: &'v DisplayNames,
    /// The seat from whose view the game is shown.
    pub viewer: usize,
    /// For each card, by the index of its piece, the numbers of the options that are about it, from 1.
    pub offers: BTreeMap<usize, Vec<usize>>,
    /// The card of the marked option, by the index of its piece.
    pub marked: Option<usize>,
    /// Facts of the viewer's seat that stand above the table already.
    pub told: Vec<String>,
}

impl TableView<'_> {
    /// Arranges the sections for a pane. What is shown of a card depends on the room there is: all that is printed on it, or its figures, or
    /// only its name and price, and more of the cards of the table than of one's own; where frames do not fit at all, cards are listed in
    /// words.
    pub fn rows(&self, sheet: &[Section], width: usize, height: usize) -> Vec<ScreenRow> {
        let others = self.other_seats(sheet, width);
        // Most attempts need not be made: what does not fit with the least in each frame does not fit with more.
        let least = self.arranged(sheet, width, (FrameContents::Name, FrameContents::Name)).filter(|rows| rows.len() <= height);
        let mut rows = match least {
            // Before other seats are scrolled out of sight, cards lose their texts and figures.
            Some(least) if least.len() + others.len() <= height => {
                let fits = |rows: &Vec<ScreenRow>| rows.len() + others.len() <= height;
                CONTENTS.iter().find_map(|contents| self.arranged(sheet, width, *contents).filter(fits)).unwrap_or(least)
            }
            Some(least) => least,
            None => self.listed(sheet, width),
        };
        rows.extend(others);
        rows
    }

    /// Lists the viewer's seat and the table in words.
    fn listed(&self, sheet: &[Section], width: usize) -> Vec<ScreenRow> {
        let here = self.own_and_table(sheet);
        let lines = here.iter().flat_map(|section| {
            let lines = section_lines(section, self.words.phrases(), width, true);
            lines.into_iter().skip(usize::from(section.title.is_empty()))
        });
        lines.map(to_row).collect()
    }

    /// Draws the viewer's seat and the table with cards in frames; `contents` says how much stands in those of the seat and in those of the
    /// table. `None` if a grid of cards is too wide.
    fn arranged(&self, sheet: &[Section], width: usize, contents: (FrameContents, FrameContents)) -> Option<Vec<ScreenRow>> {
        let heading = |title: &str| wrap(title, width, 0).into_iter().map(|text| vec![Part::new(text, Look::Heading)]);
        let mut rows = Vec::new();
        for section in self.own_and_table(sheet) {
            if !section.title.is_empty() {
                rows.extend(heading(&section.title));
            }
            let contents = if section.seat.is_some() { contents.0 } else { contents.1 };
            let count = |block: &SheetBlock| match block {
                SheetBlock::Cards { cards, hidden, .. } => cards.len() + usize::from(*hidden > 0),
                SheetBlock::Facts { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => 0,
            };
            let count = section.blocks.iter().map(count).sum::<usize>().max(1);
            let frame = (width / count).clamp(FRAME_WIDTHS.0.min(width), FRAME_WIDTHS.1);
            let mut loose: Vec<Frame> = Vec::new();
            for block in &section.blocks {
                match block {
                    SheetBlock::Cards { title, cards, hidden } => {
                        loose.extend(cards.iter().map(|card| self.frame(card, title, frame, contents)));
                        loose.extend((*hidden > 0).then(|| hidden_frame(title, *hidden, self.words.phrases(), frame)));
                    }
                    SheetBlock::Grid { title, columns, cells, .. } if self.is_framed(block) => {
                        let frame = (width / columns).min(FRAME_WIDTHS.1);
                        if frame < FRAME_WIDTHS.0 {
                            return None;
                        }
                        rows.extend(heading(title));
                        let frames = cells.iter().map(|cell| match cell.as_ref().filter(|cell| !cell.name.is_empty()) {
                            Some(cell) => self.frame(cell, "", frame, contents),
                            None => Frame::default(),
                        });
                        rows.extend(frame_rows(frames.collect(), *columns, frame));
                    }
                    SheetBlock::Facts { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => {
                        rows.extend(block_lines(block, self.words.phrases(), width, true).into_iter().map(to_row));
                    }
                }
            }
            rows.extend(frame_rows(loose, width / frame, frame));
        }
        Some(rows)
    }

    /// Returns the viewer's seat, without what stands above the table already, and the table.
    fn own_and_table(&self, sheet: &[Section]) -> Vec<Section> {
        let own = sheet.iter().filter(|section| section.seat == Some(self.viewer)).map(|section| {
            let mut own = section.clone();
            own.blocks.retain(|block| block.facts_in_one_line().is_none_or(|facts| !self.told.contains(&facts)));
            if !self.told.is_empty() {
                own.title.clear();
            }
            own
        });
        own.chain(sheet.iter().filter(|section| section.seat.is_none()).cloned()).collect()
    }

    /// Lists the other seats in words, side by side if there is room.
    fn other_seats(&self, sheet: &[Section], width: usize) -> Vec<ScreenRow> {
        let others: Vec<&Section> = sheet.iter().filter(|section| section.seat.is_some_and(|seat| seat != self.viewer)).collect();
        let count = ((width + COLUMN_GAP) / (MIN_COLUMN_WIDTH + COLUMN_GAP)).clamp(1, others.len().max(1));
        let column = (width + COLUMN_GAP) / count - COLUMN_GAP;
        let mut rows = Vec::new();
        for some in others.chunks(count) {
            rows.push(ScreenRow::new());
            let lines = |section: &&Section| section_lines(section, self.words.phrases(), column, true).into_iter().map(to_row).collect();
            rows.extend(beside(some.iter().map(lines).collect(), column, COLUMN_GAP));
        }
        rows
    }

    /// Whether a block is a grid whose cards are drawn in frames: most spaces have a card, and something is printed on them, or they have a
    /// price. Maps, and boards on which pieces move, are drawn as they lie.
    fn is_framed(&self, block: &SheetBlock) -> bool {
        let SheetBlock::Grid { columns, rings: None, cells, .. } = block else { return false };
        let is_said_of = |cell: &Cell| {
            let printed = self.words.face(&cell.card).is_some_and(|face| !face.figures.is_empty() || face.text.is_some());
            printed || !cell.notes.is_empty()
        };
        let cards: Vec<&Cell> = cells.iter().flatten().filter(|cell| cell.piece.is_some()).collect();
        *columns > 0 && cards.len() * 2 >= cells.len() && cards.iter().any(|cell| is_said_of(cell))
    }

    /// Makes the frame of a card. Its border says the number of the option that is about it, and in which place it lies.
    fn frame(&self, cell: &Cell, place: &str, width: usize, contents: FrameContents) -> Frame {
        let inner = width.saturating_sub(4).max(1);
        let offers = cell.piece.and_then(|piece| self.offers.get(&piece)).map_or(&[][..], Vec::as_slice);
        let number = match offers {
            [] => String::new(),
            [one] => one.to_string(),
            [first, ..] => format!("{first}+"),
        };
        let face = self.words.face(&cell.card);
        let kind = cell.piece.map(|piece| usize::from(self.rules.definition(piece).kind));
        let mut lines: Vec<Part> = Vec::new();
        let mut add = |text: &str, look: Look| lines.extend(wrap(text, inner, 1).into_iter().map(|text| Part::new(text, look)));
        let title = [number.as_str(), place].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let fits = title.width() + 4 <= width;
        if !fits {
            add(place, Look::Faint);
        }
        add(&cell.name, kind.map_or(Look::Heading, Look::Card));
        if !cell.notes.is_empty() {
            add(&cell.notes.join(", "), Look::Plain);
        }
        if contents != FrameContents::Name {
            let figures = face.map(|face| face.figures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
            let printed = [face.map(|face| face.sort.clone()), figures];
            let text = face.and_then(|face| face.text.clone()).filter(|_| contents == FrameContents::Text);
            printed.into_iter().chain([text]).flatten().filter(|text| !text.is_empty()).for_each(|text| add(&text, Look::Faint));
        }
        let border = match (cell.piece.is_some() && cell.piece == self.marked, offers.is_empty()) {
            (true, _) => Border::Marked,
            (false, false) => Border::Offered,
            (false, true) => Border::Plain,
        };
        Frame { title: if fits { title } else { number }, lines, border }
    }
}

fn to_row(line: TextLine) -> ScreenRow {
    vec![line.into()]
}

/// The border of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Border {
    /// Nothing lies there.
    #[default]
    None,
    /// No option is about the card.
    Plain,
    /// An option is about the card; its number stands in the border.
    Offered,
    /// The marked option is about the card; its border is double.
    Marked,
}

/// A card in a frame.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// What stands in the upper border.
    title: String,
    /// What stands in the frame.
    lines: Vec<Part>,
    border: Border,
}

/// Makes the frame of cards that the seat does not know.
fn hidden_frame(place: &str, count: usize, phrases: &Phrases, width: usize) -> Frame {
    let text = hidden_cards(count, phrases);
    let fits = place.width() + 4 <= width;
    let inner = width.saturating_sub(4).max(1);
    let place_line = (!fits).then(|| wrap(place, inner, 1)).into_iter().flatten();
    let lines = place_line.chain(wrap(&text, inner, 1)).map(|text| Part::new(text, Look::Faint)).collect();
    Frame { title: if fits { place.to_string() } else { String::new() }, lines, border: Border::Plain }
}

/// Puts frames side by side, `per_row` in each row; those of a row are equally high.
fn frame_rows(frames: Vec<Frame>, per_row: usize, width: usize) -> Vec<ScreenRow> {
    let mut rows = Vec::new();
    for row in frames.chunks(per_row.max(1)) {
        let height = row.iter().map(|frame| frame.lines.len()).max().unwrap_or(0).max(1);
        rows.extend(beside(row.iter().map(|frame| frame.rows(width, height)).collect(), width, 0));
    }
    rows
}

impl Frame {
    /// Draws the frame, with this many lines between its borders.
    fn rows(&self, width: usize, height: usize) -> Vec<ScreenRow> {
        let (corners, across, side, look) = match self.border {
            Border::None => ([" "; 4], " ", " ", Look::Faint),
            Border::Plain => (["╭", "╮", "╰", "╯"], "─", "│", Look::Faint),
            Border::Offered => (["╭", "╮", "╰", "╯"], "─", "│", Look::Offered),
            Border::Marked => (["╔", "╗", "╚", "╝"], "═", "║", Look::Marked),
        };
        let inner = width.saturating_sub(2);
        let title = if self.title.is_empty() { String::new() } else { format!("{} ", self.title) };
        let top = format!("{}{across}{title}{}{}", corners[0], across.repeat(inner.saturating_sub(1 + title.width())), corners[1]);
        let mut rows = vec![vec![Part::new(top, look)]];
        for at in 0..height {
            let mut row = vec![Part::new(format!("{side} "), look)];
            row.extend(self.lines.get(at).cloned());
            let missing = (width - 1).saturating_sub(row_width(&row));
            row.push(Part::new(" ".repeat(missing), Look::Plain));
            row.push(Part::new(side, look));
            rows.push(row);
        }
        rows.push(vec![Part::new(format!("{}{}{}", corners[2], across.repeat(inner), corners[3]), look)]);
        rows
    }
}
