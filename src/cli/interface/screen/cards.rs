//! The table as it is drawn: one's own seat first, then what is common to all, then the other seats. Cards lie in frames with their prices,
//! figures and texts, as far as there is room for them.

use std::collections::BTreeMap;

use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::Line;
use unicode_width::UnicodeWidthStr;

use super::text::{FAINT, HEADING, MARKED, OFFERED, PLAIN, beside, card_style, styled, table_line};
use crate::engine::Ruleset;
use crate::table::{Cell, DisplayNames, Section, SheetBlock, block_lines, hidden_cards, section_lines, wrap};

/// Minimum width of a column for showing seats side by side.
const MIN_COLUMN_WIDTH: usize = 44;
/// Number of spaces between columns.
const COLUMN_GAP: usize = 2;
/// Minimum and maximum width of a framed card, with its frame.
const FRAME_WIDTHS: (usize, usize) = (13, 30);
/// What the borders and the blanks beside them take of a frame's width.
const FRAME_BORDER: usize = 4;

/// How much of a card can stand in its frame, from the least on: its name, its prices and its counters; also its kind and its figures; also its
/// text.
const FRAME_FORMS: [usize; 3] = [0, 1, 2];

/// A part of the drawn table, from top to bottom.
struct TablePart {
    /// Its lines. Cards in frames have them in each of the [`FRAME_FORMS`].
    forms: Vec<Vec<Line<'static>>>,
    /// Which of them is drawn.
    drawn: usize,
    /// Whether it belongs to the viewer's seat.
    is_own: bool,
}

impl TablePart {
    fn of_lines(lines: Vec<Line<'static>>) -> TablePart {
        TablePart { forms: vec![lines], drawn: 0, is_own: false }
    }

    fn lines(&self) -> &[Line<'static>] {
        &self.forms[self.drawn]
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
    pub fn rows(&self, sheet: &[Section], width: usize, height: usize) -> Vec<Line<'static>> {
        let others = self.other_seats(sheet, width);
        let mut rows = match self.arranged(sheet, width) {
            Some(mut parts) if height_of(&parts) <= height => {
                // Before other seats are scrolled out of sight, cards lose their texts and figures.
                fill(&mut parts, height.saturating_sub(others.len()));
                parts.iter().flat_map(|part| part.lines().to_vec()).collect()
            }
            Some(_) | None => self.listed(sheet, width),
        };
        rows.extend(others);
        rows
    }

    /// Lists the viewer's seat and the table in words.
    fn listed(&self, sheet: &[Section], width: usize) -> Vec<Line<'static>> {
        let lines = |section: Section| self.lines_of(&section, width).into_iter().skip(usize::from(section.title.is_empty()));
        self.own_and_table(sheet).into_iter().flat_map(lines).collect()
    }

    fn lines_of(&self, section: &Section, width: usize) -> Vec<Line<'static>> {
        section_lines(section, self.words.phrases(), width, true).into_iter().map(table_line).collect()
    }

    /// Draws the viewer's seat and the table with cards in frames, of which each has the least that it can have. `None` if a grid of cards
    /// is too wide.
    fn arranged(&self, sheet: &[Section], width: usize) -> Option<Vec<TablePart>> {
        let heading = |title: &str| TablePart::of_lines(wrap(title, width, 0).into_iter().map(|text| styled(text, HEADING)).collect());
        let mut parts = Vec::new();
        for section in self.own_and_table(sheet) {
            if !section.title.is_empty() {
                parts.push(heading(&section.title));
            }
            let is_own = section.seat.is_some();
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
                        let lines = block_lines(block, self.words.phrases(), width, true);
                        parts.push(TablePart::of_lines(lines.into_iter().map(table_line).collect()));
                    }
                }
            }
            // No word of a name is cut where there is room for it.
            let least = longest_word(&loose).saturating_add(FRAME_BORDER).clamp(FRAME_WIDTHS.0, FRAME_WIDTHS.1);
            let frame = (width / loose.len().max(1)).clamp(least.min(width), FRAME_WIDTHS.1);
            parts.extend(self.framed(&loose, width / frame, frame, is_own));
        }
        Some(parts)
    }

    /// Puts cards in frames side by side, `per_row` in each row; those of a row are equally high.
    fn framed(&self, cards: &[FramedCard<'_>], per_row: usize, width: usize, is_own: bool) -> Vec<TablePart> {
        let drawn = |cards: &[FramedCard<'_>], form: usize| {
            let frames: Vec<Frame> = cards.iter().map(|card| self.frame(card, width, form)).collect();
            let height = frames.iter().map(|frame| frame.lines.len()).max().unwrap_or(0).max(1);
            beside(frames.into_iter().map(|frame| frame.draw(width, height)).collect(), width, 0)
        };
        let row =
            |cards: &[FramedCard<'_>]| TablePart { forms: FRAME_FORMS.iter().map(|form| drawn(cards, *form)).collect(), drawn: 0, is_own };
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
    fn other_seats(&self, sheet: &[Section], width: usize) -> Vec<Line<'static>> {
        let others: Vec<&Section> = sheet.iter().filter(|section| section.seat.is_some_and(|seat| seat != self.viewer)).collect();
        let count = ((width + COLUMN_GAP) / (MIN_COLUMN_WIDTH + COLUMN_GAP)).clamp(1, others.len().max(1));
        let column = (width + COLUMN_GAP) / count - COLUMN_GAP;
        let mut rows = Vec::new();
        for some in others.chunks(count) {
            rows.push(Line::default());
            rows.extend(beside(some.iter().map(|section| self.lines_of(section, column)).collect(), column, COLUMN_GAP));
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
    fn frame(&self, card: &FramedCard<'_>, width: usize, form: usize) -> Frame {
        let (cell, place) = match card {
            FramedCard::Known(cell, place) => (Some(*cell), *place),
            FramedCard::Hidden(_, place) => (None, *place),
            FramedCard::None => return Frame { title: String::new(), lines: Vec::new(), border: border::EMPTY, style: FAINT },
        };
        let piece = cell.and_then(|cell| cell.piece);
        let offers = piece.and_then(|piece| self.offers.get(&piece)).map_or(&[][..], Vec::as_slice);
        let number = match offers {
            [] => String::new(),
            [one] => one.to_string(),
            [first, ..] => format!("{first}+"),
        };
        let title = [number.as_str(), place].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let fits = title.width() + 4 <= width;
        let inner = width.saturating_sub(FRAME_BORDER).max(1);
        let mut lines: Vec<Line<'static>> = Vec::new();
        let mut add = |text: &str, style: Style| lines.extend(wrap(text, inner, 1).into_iter().map(|text| styled(text, style)));
        if !fits {
            add(place, FAINT);
        }
        if let FramedCard::Hidden(count, _) = card {
            add(&hidden_cards(*count, self.words.phrases()), FAINT);
        }
        if let Some(cell) = cell {
            add(&cell.name, piece.map_or(HEADING, |piece| card_style(self.rules.definition(piece).kind.into())));
            if !cell.notes.is_empty() {
                add(&cell.notes.join(", "), PLAIN);
            }
        }
        if let Some(face) = cell.and_then(|cell| self.words.face(&cell.card)) {
            let figures = face.figures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            let text = face.text.as_deref().unwrap_or("");
            let printed = [(face.sort.as_str(), 1), (figures.as_str(), 1), (text, 2)];
            let shown = printed.iter().filter(|(text, least)| form >= *least && !text.is_empty());
            shown.for_each(|&(text, _)| add(text, FAINT));
        }
        let (border, style) = match (piece.is_some() && piece == self.marked, offers.is_empty()) {
            (true, _) => (border::DOUBLE, MARKED),
            (false, false) => (border::ROUNDED, OFFERED),
            (false, true) => (border::ROUNDED, FAINT),
        };
        Frame { title: if fits { title } else { number }, lines, border, style }
    }
}

/// A card in a frame.
struct Frame {
    /// What stands in the upper border.
    title: String,
    /// What stands in the frame.
    lines: Vec<Line<'static>>,
    /// The border: round, or double for the card of the marked option; blank where nothing lies.
    border: border::Set,
    style: Style,
}

impl Frame {
    /// Draws the frame, with this many lines between its borders.
    fn draw(self, width: usize, height: usize) -> Vec<Line<'static>> {
        let Frame { title, lines, border, style } = self;
        let (across, side) = (border.horizontal_top, border.vertical_left);
        let inner = width.saturating_sub(2);
        let title = if title.is_empty() { title } else { format!("{title} ") };
        let rest = across.repeat(inner.saturating_sub(1 + title.width()));
        let mut rows = vec![styled(format!("{}{across}{title}{rest}{}", border.top_left, border.top_right), style)];
        let mut lines = lines.into_iter();
        for _ in 0..height {
            let mut row = styled(format!("{side} "), style);
            row.extend(lines.next().unwrap_or_default());
            row.push_span(" ".repeat((width - 1).saturating_sub(row.width())));
            row.extend(styled(side, style));
            rows.push(row);
        }
        rows.push(styled(format!("{}{}{}", border.bottom_left, across.repeat(inner), border.bottom_right), style));
        rows
    }
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
    parts.iter().map(|part| part.lines().len()).sum()
}

/// Draws more of cards as long as all fits into a height: first figures and then texts of the cards of the table, and then of one's own.
fn fill(parts: &mut [TablePart], height: usize) {
    let mut taken = height_of(parts);
    for own in [false, true] {
        for more in 1..FRAME_FORMS.len() {
            for part in parts.iter_mut().filter(|part| part.is_own == own && part.drawn + 1 == more) {
                let now = part.lines().len();
                if part.forms.get(more).is_some_and(|lines| taken + lines.len() <= height + now) {
                    part.drawn = more;
                    taken = taken + part.lines().len() - now;
                }
            }
        }
    }
}

/// Returns the width of the longest word in the names of cards.
fn longest_word(cards: &[FramedCard<'_>]) -> usize {
    let names = cards.iter().filter_map(|card| match card {
        FramedCard::Known(cell, _) => Some(cell.name.as_str()),
        FramedCard::Hidden(..) | FramedCard::None => None,
    });
    names.flat_map(str::split_whitespace).map(UnicodeWidthStr::width).max().unwrap_or(0)
}
