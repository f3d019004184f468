//! Lays cards on sheets, in rows and columns with cut marks, and boards on sheets of their own.

use std::collections::BTreeSet;

use kurbo::BezPath;

use super::board::draw_board;
use super::card::{Brush, Overflow};
use super::content::CardContent;
use super::fonts::Fonts;
use super::layout::{Format, Layout, Sheet};
use super::marks::{Color, Mark, Page};
use super::problem::PrintProblem;
use super::text::POINT;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::table::BoardDrawing;

/// Length of a cut mark, and its distance from the cards, in millimetres.
const MARK_LENGTH: f64 = 4.0;
const MARK_DISTANCE: f64 = 1.0;
/// Width of its line, in millimetres.
const MARK_WIDTH: f64 = 0.1;
/// Size of the letters of the foot, in points.
const FOOT_SIZE: f64 = 6.0;
/// Smallest size of letters on a board, in points, that can be read.
const MIN_BOARD_SIZE: f64 = 4.0;

/// Sheets that are being filled.
pub struct Sheets<'a> {
    fonts: Fonts,
    layout: &'a Layout,
    /// Display name of the game.
    game: &'a str,
    word_name: &'a dyn Fn(&str) -> String,
    pages: Vec<Page>,
    /// The foot of each page, without its number.
    feet: Vec<Foot>,
}

/// Where the foot of a page is, and what it says.
struct Foot {
    at: (f64, f64),
    width: f64,
    text: String,
}

impl<'a> Sheets<'a> {
    /// Begins with no sheet. `word_name` returns the display name of a word of the rules. `None` if the fonts of the program are broken.
    pub fn new(layout: &'a Layout, game: &'a str, word_name: &'a dyn Fn(&str) -> String) -> Option<Sheets<'a>> {
        Some(Sheets { fonts: Fonts::new()?, layout, game, word_name, pages: Vec::new(), feet: Vec::new() })
    }

    /// Adds cards; those of one size share sheets, and each stands on them as often as `copies` says. `place` returns where a card
    /// is declared, or its text, for warnings.
    pub fn add_cards(
        &mut self,
        cards: &[CardContent],
        copies: &dyn Fn(&CardContent) -> u16,
        place: &dyn Fn(&CardContent, bool) -> Option<Span>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut groups: Vec<(&Format, Vec<&CardContent>)> = Vec::new();
        for card in cards {
            let format = self.layout.format(&card.kind);
            let size = |format: &Format| (format.width, format.height, format.bleed);
            let all = std::iter::repeat_n(card, copies(card).into());
            match groups.iter_mut().find(|(other, _)| size(other) == size(format)) {
                Some((_, group)) => group.extend(all),
                None => groups.push((format, all.collect())),
            }
        }
        let mut told: Vec<(&str, String)> = Vec::new();
        let mut lacking: Vec<&str> = Vec::new();
        for (format, group) in groups {
            let grid = Grid::new(&self.layout.sheet, format);
            for page in group.chunks(grid.columns * grid.rows) {
                let (overflows, letters) = self.add_page_of_cards(&grid, page);
                for (card, letters) in letters.into_iter().filter(|(_, letters)| !letters.is_empty()) {
                    if !lacking.contains(&card.id.as_str()) {
                        lacking.push(&card.id);
                        diagnostics.push(PrintProblem::NoLetter { card: card.id.clone(), letters: joined(&letters) }.at(place(card, true)));
                    }
                }
                for (card, Overflow { name, span, lines, size, shows_text }) in overflows {
                    // Of several copies one is told.
                    if !told.contains(&(card.id.as_str(), name.clone())) {
                        told.push((&card.id, name.clone()));
                        let fault = PrintProblem::DoesNotFit {
                            card: card.id.clone(),
                            name,
                            lines,
                            smallest: format!("{size}"),
                            place: Some(span).filter(|_| place(card, shows_text).is_some()),
                        };
                        diagnostics.push(fault.at(place(card, shows_text).unwrap_or(span)));
                    }
                }
            }
        }
    }

    /// Adds a page; returns the boxes in which something is left out, and the letters that the fonts lack, each with the card.
    fn add_page_of_cards<'c>(&mut self, grid: &Grid, cards: &[&'c CardContent]) -> (Vec<(&'c CardContent, Overflow)>, Vec<Lacking<'c>>) {
        let sheet = &self.layout.sheet;
        let brush = Brush { layout: self.layout, fonts: &self.fonts, game: self.game, word_name: self.word_name };
        let (mut marks, mut overflows, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
        if sheet.marks {
            grid.cut_marks(&mut marks);
        }
        for (index, card) in cards.iter().enumerate() {
            let before = marks.len();
            let found = brush.card(card, grid.corner(index), &mut marks);
            lacking.push((*card, self.fonts.missing_in(marks.get(before..).unwrap_or_default())));
            overflows.extend(found.into_iter().map(|overflow| (*card, overflow)));
        }
        let (left, bottom) = (grid.left + grid.bleed, grid.bottom());
        let y = (bottom + 3.5).min(sheet.height - 0.5);
        let foot = Foot { at: (left + 1.5, y), width: (sheet.width - 2.0 * left - 3.0).max(1.0), text: self.game.to_string() };
        self.feet.push(foot);
        self.pages.push(Page { width: sheet.width, height: sheet.height, marks });
        (overflows, lacking)
    }

    /// Adds a board on a sheet of its own, upright or on its side as it is larger, and as large as the sheet allows.
    pub fn add_board(&mut self, board: &BoardDrawing, diagnostics: &mut Vec<Diagnostic>) {
        let sheet = &self.layout.sheet;
        let (wide, high) =
            (f64::from(i32::try_from(board.width).unwrap_or(i32::MAX)), f64::from(i32::try_from(board.height).unwrap_or(i32::MAX)));
        let scale = |width: f64, height: f64| {
            let room = |whole: f64| whole - 2.0 * sheet.margin;
            (room(width) / wide).min(room(height) / high).min(self.layout.space / 70.0)
        };
        let (width, height) = match scale(sheet.height, sheet.width) > scale(sheet.width, sheet.height) {
            true => (sheet.height, sheet.width),
            false => (sheet.width, sheet.height),
        };
        let scale = scale(width, height);
        let corner = ((width - wide * scale) / 2.0, (height - high * scale) / 2.0);
        let mut marks = Vec::new();
        let smallest = draw_board(board, &self.fonts, corner, scale, &mut marks);
        let letters = self.fonts.missing_in(&marks);
        if !letters.is_empty() {
            diagnostics.push(PrintProblem::NoLetter { card: board.title.clone(), letters: joined(&letters) }.at(None));
        }
        if smallest < MIN_BOARD_SIZE {
            let size = format!("{:.1}", smallest);
            diagnostics.push(PrintProblem::TooSmall { board: board.title.clone(), size }.at(None));
        }
        let foot = Foot {
            at: (sheet.margin, (height - sheet.margin + 3.5).min(height - 0.5)),
            width: width / 2.0,
            text: format!("{}, {}", self.game, board.title),
        };
        self.feet.push(foot);
        self.pages.push(Page { width, height, marks });
    }

    /// Ends: numbers the sheets and returns them.
    pub fn finish(mut self) -> Vec<Page> {
        let count = self.pages.len();
        if self.layout.sheet.foot {
            for (index, (page, Foot { at: (x, y), width, text })) in self.pages.iter_mut().zip(self.feet).enumerate() {
                let text = format!("{text}, {}/{count}", index + 1);
                let size = FOOT_SIZE.min(width / (self.fonts.width(&text, false) * POINT));
                let color = Color([0x77, 0x77, 0x77]);
                page.marks.push(Mark::Text { x, y, size, bold: false, color, text });
            }
        }
        self.pages
    }
}

/// A card with the letters that the fonts lack.
type Lacking<'c> = (&'c CardContent, BTreeSet<char>);

/// Lists letters in a message.
fn joined(letters: &BTreeSet<char>) -> String {
    letters.iter().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ")
}

/// How cards of one size lie on a sheet. Lengths are in millimetres.
struct Grid {
    columns: usize,
    rows: usize,
    /// Left and upper edge of the first card with its bleed.
    left: f64,
    top: f64,
    card: (f64, f64),
    bleed: f64,
    gap: f64,
}

impl Grid {
    /// Fills a sheet; the layout has been checked, so that there is room for one card.
    fn new(sheet: &Sheet, format: &Format) -> Grid {
        let (width, height) = (format.width + 2.0 * format.bleed, format.height + 2.0 * format.bleed);
        let count = |whole: f64, one: f64| {
            let mut count = 1;
            while length_of(count + 1, one, sheet.gap) <= whole - 2.0 * sheet.margin + 0.01 {
                count += 1;
            }
            count
        };
        let (columns, rows) = (count(sheet.width, width), count(sheet.height, height));
        let left = (sheet.width - length_of(columns, width, sheet.gap)) / 2.0;
        let top = (sheet.height - length_of(rows, height, sheet.gap)) / 2.0;
        Grid { columns, rows, left, top, card: (format.width, format.height), bleed: format.bleed, gap: sheet.gap }
    }

    /// Distance of a card from the next, to the right and downwards.
    fn step(&self) -> (f64, f64) {
        let step = |length: f64| length + 2.0 * self.bleed + self.gap;
        (step(self.card.0), step(self.card.1))
    }

    /// Where a card begins that is cut.
    fn corner(&self, index: usize) -> (f64, f64) {
        let (right, down) = self.step();
        (self.left + self.bleed + times(index % self.columns, right), self.top + self.bleed + times(index / self.columns, down))
    }

    fn bottom(&self) -> f64 {
        self.top + length_of(self.rows, self.card.1 + 2.0 * self.bleed, self.gap)
    }

    /// Draws a mark at each end of each cut.
    fn cut_marks(&self, marks: &mut Vec<Mark>) {
        let (right, down) = self.step();
        let cuts = |count: usize, first: f64, step: f64, card: f64| -> Vec<f64> {
            let mut cuts: Vec<f64> = (0..count).flat_map(|index| [first + times(index, step), first + times(index, step) + card]).collect();
            // Cards that touch have one cut between them.
            cuts.dedup_by(|one, other| (*one - *other).abs() < 0.01);
            cuts
        };
        let room = |margin: f64| MARK_LENGTH.min(margin - MARK_DISTANCE - 0.5).max(0.5);
        let end = (self.left + length_of(self.columns, self.card.0 + 2.0 * self.bleed, self.gap), self.bottom());
        let mut line = |from: (f64, f64), to: (f64, f64)| {
            let mut outline = BezPath::new();
            outline.move_to(from);
            outline.line_to(to);
            marks.push(Mark::Path { outline, fill: None, line: Some((Color::BLACK, MARK_WIDTH)) });
        };
        for x in cuts(self.columns, self.left + self.bleed, right, self.card.0) {
            let length = room(self.top);
            line((x, self.top - MARK_DISTANCE), (x, self.top - MARK_DISTANCE - length));
            line((x, end.1 + MARK_DISTANCE), (x, end.1 + MARK_DISTANCE + length));
        }
        for y in cuts(self.rows, self.top + self.bleed, down, self.card.1) {
            let length = room(self.left);
            line((self.left - MARK_DISTANCE, y), (self.left - MARK_DISTANCE - length, y));
            line((end.0 + MARK_DISTANCE, y), (end.0 + MARK_DISTANCE + length, y));
        }
    }
}

/// Length of so many things with gaps between them.
fn length_of(count: usize, one: f64, gap: f64) -> f64 {
    times(count, one + gap) - gap
}

fn times(count: usize, length: f64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) * length
}
