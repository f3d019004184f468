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
/// What the borders and the blanks beside them take of a frame's width.
const FRAME_BORDER: usize = 4;
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

impl FrameContents {
    /// From the least on.
    const ALL: [FrameContents; 3] = [FrameContents::Name, FrameContents::Figures, FrameContents::Text];
}

/// A part of the drawn table, from top to bottom.
enum TablePart {
    Lines(Vec<ScreenRow>),
    /// Cards in frames side by side: the same row with each of [`FrameContents::ALL`]; and which of them is drawn.
    Frames {
        rows: [Vec<ScreenRow>; 3],
        is_own: bool,
        drawn: usize,
    },
}

impl TablePart {
    fn rows(&self) -> &[ScreenRow] {
        match self {
            TablePart::Lines(rows) => rows,
            TablePart::Frames { rows, drawn, .. } => &rows[*drawn],
        }
    }
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
    /// Arranges the sections for a pane. What is shown of a row of cards depends on the room there is: all that is printed on them, or their
    /// figures, or only names and prices; the cards of the table come ahead of one's own, and upper rows ahead of lower ones. Where frames do
    /// not fit at all, cards are listed in words.
    pub fn rows(&self, sheet: &[Section], width: usize, height: usize) -> Vec<ScreenRow> {
        let others = self.other_seats(sheet, width);
        let mut rows = match self.arranged(sheet, width) {
            Some(mut parts) if height_of(&parts) <= height => {
                // Before other seats are scrolled out of sight, cards lose their texts and figures.
                fill(&mut parts, height.saturating_sub(others.len()));
                parts.iter().flat_map(|part| part.rows().to_vec()).collect()
            }
            Some(_) | None => self.listed(sheet, width),
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

    /// Draws the viewer's seat and the table with cards in frames, of which each has the least that it can have. `None` if a grid of cards
    /// is too wide.
    fn arranged(&self, sheet: &[Section], width: usize) -> Option<Vec<TablePart>> {
        let heading =
            |title: &str| TablePart::Lines(wrap(title, width, 0).into_iter().map(|text| vec![Part::new(text, Look::Heading)]).collect());
        let mut parts = Vec::new();
        for section in self.own_and_table(sheet) {
            if !section.title.is_empty() {
                parts.push(heading(&section.title));
            }
            let is_own = section.seat.is_some();
            let count = |block: &SheetBlock| match block {
                SheetBlock::Cards { cards, hidden, .. } => cards.len() + usize::from(*hidden > 0),
                SheetBlock::Facts { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => 0,
            };
            let count = section.blocks.iter().map(count).sum::<usize>().max(1);
            // No word of a name is cut where there is room for it.
            let least = longest_word(&section).saturating_add(FRAME_BORDER).clamp(FRAME_WIDTHS.0, FRAME_WIDTHS.1);
            let frame = (width / count).clamp(least.min(width), FRAME_WIDTHS.1);
            let mut loose: Vec<FramedCard<'_>> = Vec::new();
            for block in &section.blocks {
                match block {
                    SheetBlock::Cards { title, cards, hidden } => {
                        loose.extend(cards.iter().map(|card| FramedCard::Known(card, title)));
                        loose.extend((*hidden > 0).then_some(FramedCard::Hidden(*hidden, title)));
                    }
                    SheetBlock::Grid { title, columns, cells, .. } if self.is_framed(block) => {
                        let frame = (width / columns).min(FRAME_WIDTHS.1);
                        if frame < FRAME_WIDTHS.0 {
                            return None;
                        }
                        parts.push(heading(title));
                        let cards = cells.iter().map(|cell| match cell.as_ref().filter(|cell| !cell.name.is_empty()) {
                            Some(cell) => FramedCard::Known(cell, ""),
                            None => FramedCard::None,
                        });
                        parts.extend(self.framed(&cards.collect::<Vec<_>>(), *columns, frame, is_own));
                    }
                    SheetBlock::Facts { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => {
                        parts.push(TablePart::Lines(
                            block_lines(block, self.words.phrases(), width, true).into_iter().map(to_row).collect(),
                        ));
                    }
                }
            }
            parts.extend(self.framed(&loose, width / frame, frame, is_own));
        }
        Some(parts)
    }

    /// Puts cards in frames side by side, `per_row` in each row; those of a row are equally high.
    fn framed(&self, cards: &[FramedCard<'_>], per_row: usize, width: usize, is_own: bool) -> Vec<TablePart> {
        let drawn = |cards: &[FramedCard<'_>], contents: FrameContents| {
            let frames: Vec<Frame> = cards
                .iter()
                .map(|card| match card {
                    FramedCard::Known(cell, place) => self.frame(cell, place, width, contents),
                    FramedCard::Hidden(count, place) => hidden_frame(place, *count, self.words.phrases(), width),
                    FramedCard::None => Frame::default(),
                })
                .collect();
            let height = frames.iter().map(|frame| frame.lines.len()).max().unwrap_or(0).max(1);
            beside(frames.iter().map(|frame| frame.rows(width, height)).collect(), width, 0)
        };
        let row = |cards: &[FramedCard<'_>]| TablePart::Frames {
            rows: FrameContents::ALL.map(|contents| drawn(cards, contents)),
            is_own,
            drawn: 0,
        };
        cards.chunks(per_row.max(1)).map(row).collect()
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
        let inner = width.saturating_sub(FRAME_BORDER).max(1);
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
    let inner = width.saturating_sub(FRAME_BORDER).max(1);
    let place_line = (!fits).then(|| wrap(place, inner, 1)).into_iter().flatten();
    let lines = place_line.chain(wrap(&text, inner, 1)).map(|text| Part::new(text, Look::Faint)).collect();
    Frame { title: if fits { place.to_string() } else { String::new() }, lines, border: Border::Plain }
}

/// What is drawn in a frame, with the place where it lies.
enum FramedCard<'s> {
    Known(&'s Cell, &'s str),
    /// So many cards that the seat does not know.
    Hidden(usize, &'s str),
    /// An empty space of a grid.
    None,
}

fn height_of(parts: &[TablePart]) -> usize {
    parts.iter().map(|part| part.rows().len()).sum()
}

/// Draws more of cards as long as all fits into a height: first figures and then texts of the cards of the table, and then of one's own.
fn fill(parts: &mut [TablePart], height: usize) {
    let mut taken = height_of(parts);
    for own in [false, true] {
        for more in 1..FrameContents::ALL.len() {
            for part in parts.iter_mut() {
                if let TablePart::Frames { rows, is_own, drawn } = part
                    && *is_own == own
                    && *drawn + 1 == more
                    && taken + rows[more].len() <= height + rows[*drawn].len()
                {
                    taken = taken + rows[more].len() - rows[*drawn].len();
                    *drawn = more;
                }
            }
        }
    }
}

/// Returns the width of the longest word in the names of the loose cards of a section.
fn longest_word(section: &Section) -> usize {
    let names = section.blocks.iter().flat_map(|block| match block {
        SheetBlock::Cards { cards, .. } => cards.as_slice(),
        SheetBlock::Facts { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => &[],
    });
    names.flat_map(|cell| cell.name.split_whitespace()).map(UnicodeWidthStr::width).max().unwrap_or(0)
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
