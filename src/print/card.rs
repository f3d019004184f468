//! Draws a card: its background, and each of its boxes with what it shows.

use kurbo::{Affine, BezPath, Rect, RoundedRect, Shape};

use super::content::CardContent;
use super::fonts::Fonts;
use super::layout::{Align, CardBox, Format, Layout, Vertical};
use super::marks::{Color, Mark};
use super::template::Source;
use super::text::{BASE_LINE, FittedText, ICON, LINE_HEIGHT, POINT, Paragraph, Piece, Word, blank, fit, is_break, word_width, words};
use crate::source::Span;

/// How exactly curves are drawn, in millimetres.
const EXACTNESS: f64 = 0.01;

/// A box of a card that holds less than it should.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Overflow {
    /// Name of the box.
    pub name: String,
    /// Where the layout declares it.
    pub span: Span,
    /// How many lines are left out.
    pub lines: usize,
    /// Size of its letters, in points.
    pub size: f64,
    /// Whether it shows the text of the card, which is then too long.
    pub shows_text: bool,
}

/// What cards are drawn with.
pub(crate) struct Brush<'a> {
    /// The layout.
    pub layout: &'a Layout,
    /// The fonts.
    pub fonts: &'a Fonts,
    /// Display name of the game.
    pub game: &'a str,
    /// Returns the display name of a word.
    pub word_name: &'a dyn Fn(&str) -> String,
}

/// Returns a rectangle, with round corners of this radius.
pub(crate) fn rectangle([left, top, width, height]: [f64; 4], corner: f64) -> BezPath {
    let rect = Rect::new(left, top, left + width, top + height);
    if corner == 0.0 { rect.to_path(EXACTNESS) } else { RoundedRect::from_rect(rect, corner).to_path(EXACTNESS) }
}

impl Brush<'_> {
    /// Draws a card whose upper left corner is at a place; returns the boxes in which something is left out.
    pub(crate) fn card(&self, card: &CardContent, (x, y): (f64, f64), marks: &mut Vec<Mark>) -> Vec<Overflow> {
        let format = self.layout.format(&card.kind);
        let Format { width, height, bleed, corner, line, fill, boxes } = format;
        if let Some(fill) = fill {
            let outline =
                rectangle([x - bleed, y - bleed, width + 2.0 * bleed, height + 2.0 * bleed], if *bleed > 0.0 { 0.0 } else { *corner });
            marks.push(Mark::Path { outline, fill: Some(*fill), line: None });
        }
        let has_icon = |word: &str| self.layout.icons.contains_key(word);
        let nothing = Source { card, game: self.game, shown: &[], has_icon: &has_icon, word_name: self.word_name, bold: false };
        // A text that is left out for want of a value shows none of its others.
        let templates = boxes.iter().flat_map(|own| &own.show).filter(|template| template.fill(&nothing).is_some());
        let shown: Vec<String> = templates.flat_map(|template| template.shown_fields()).map(String::from).collect();
        let filled: Vec<(&CardBox, Vec<Paragraph>)> =
            boxes.iter().map(|own| (own, joined(own, &Source { shown: &shown, bold: own.bold, ..nothing }))).collect();
        // A box for a text that the card does not have is not there at all.
        let is_there = |(own, paragraphs): &&(&CardBox, Vec<Paragraph>)| match own.show.is_empty() {
            true => own.fill.is_some() || own.line > 0.0 || own.symbol.is_some(),
            false => !paragraphs.is_empty(),
        };
        let mut overflows = Vec::new();
        for (own, paragraphs) in filled.iter().filter(is_there) {
            let taken = filled.iter().filter(|other| !is_there(other)).find(|(other, _)| own.takes.as_ref() == Some(&other.name));
            let place = taken.map_or(own.place, |(taken, _)| around(own.place, taken.place));
            overflows.extend(self.card_box(own, paragraphs, (place, (x, y)), marks));
        }
        if *line > 0.0 {
            let outline = rectangle([x, y, *width, *height], *corner);
            marks.push(Mark::Path { outline, fill: None, line: Some((Color::BLACK, *line)) });
        }
        overflows
    }

    fn card_box(
        &self,
        own: &CardBox,
        paragraphs: &[Paragraph],
        (place, (x, y)): ([f64; 4], (f64, f64)),
        marks: &mut Vec<Mark>,
    ) -> Option<Overflow> {
        let [left, top, width, height] = place;
        let (left, top) = (x + left, y + top);
        if own.fill.is_some() || own.line > 0.0 {
            let line = (own.line > 0.0).then_some((own.color, own.line));
            marks.push(Mark::Path { outline: rectangle([left, top, width, height], own.corner), fill: own.fill, line });
        }
        if let Some((shape, color)) = &own.symbol {
            let side = width.min(height);
            let place = (left + (width - side) / 2.0, top + (height - side) / 2.0);
            marks.extend(self.shape(shape, *color, place, side));
        }
        if paragraphs.is_empty() {
            return None;
        }
        let fitted = fit(self.fonts, paragraphs, (width, height), own.sizes);
        self.text(own, &fitted, [left, top, width, height], marks);
        (fitted.missing > 0).then(|| Overflow {
            name: own.name.clone(),
            span: own.span,
            lines: fitted.missing,
            size: fitted.size,
            shows_text: own.show.iter().any(|template| template.names().any(|(name, _)| name == "text")),
        })
    }

    /// Draws a shape in a square.
    fn shape(&self, name: &str, color: Color, (left, top): (f64, f64), side: f64) -> Option<Mark> {
        let path = self.layout.shapes.get(name)?;
        let outline = Affine::translate((left, top)) * Affine::scale(side / 100.0) * path.clone();
        Some(Mark::Path { outline, fill: Some(color), line: None })
    }

    /// Draws the lines of a box.
    fn text(&self, own: &CardBox, fitted: &FittedText, [left, top, width, height]: [f64; 4], marks: &mut Vec<Mark>) {
        let em = fitted.size * POINT;
        let high = em * LINE_HEIGHT * fitted.lines.iter().map(|_| 1.0).sum::<f64>();
        let mut y = top
            + match own.vertical {
                Vertical::Top => 0.0,
                Vertical::Center => (height - high) / 2.0,
                Vertical::Bottom => height - high,
            };
        for line in &fitted.lines {
            let gaps = line.iter().skip(1).map(|_| blank(self.fonts)).sum::<f64>();
            let wide = em * (line.iter().map(|word| word_width(self.fonts, word)).sum::<f64>() + gaps);
            let x = left
                + match own.align {
                    Align::Left => 0.0,
                    Align::Center => (width - wide) / 2.0,
                    Align::Right => width - wide,
                };
            self.line(line, (x, y), fitted.size, own.color, marks);
            y += em * LINE_HEIGHT;
        }
    }

    /// Draws a line, whose upper left corner is at a place. Words that look alike are one text, so that it can be copied and searched.
    fn line(&self, line: &[Word], (x, y): (f64, f64), size: f64, color: Color, marks: &mut Vec<Mark>) {
        let em = size * POINT;
        let base = y + BASE_LINE * em;
        let mut at = x;
        let mut run: Option<(f64, bool, String)> = None;
        let end = |run: &mut Option<(f64, bool, String)>, marks: &mut Vec<Mark>| {
            marks.extend(run.take().map(|(x, bold, text)| Mark::Text { x, y: base, size, bold, color, text }));
        };
        for (index, word) in line.iter().enumerate() {
            if index > 0 {
                // A blank is as wide in bold letters as in others.
                at += blank(self.fonts) * em;
                if let Some((_, _, text)) = &mut run {
                    text.push(' ');
                }
            }
            for piece in word {
                match piece {
                    Piece::Letters { text, bold } => {
                        if run.as_ref().is_some_and(|(_, was, _)| was != bold) {
                            end(&mut run, marks);
                        }
                        run.get_or_insert_with(|| (at, *bold, String::new())).2.push_str(text);
                        at += self.fonts.width(text, *bold) * em;
                    }
                    Piece::Icon(name) => {
                        end(&mut run, marks);
                        if let Some(icon) = self.layout.icons.get(name) {
                            marks.extend(self.shape(&icon.shape, icon.color, (at, base - 0.82 * em), ICON * em));
                        }
                        at += word_width(self.fonts, std::slice::from_ref(piece)) * em;
                    }
                }
            }
        }
        end(&mut run, marks);
    }
}

/// Adds words to a line with what stands between, which touches its neighbours where it has no blank.
fn join(line: &mut Paragraph, between: &str, behind: Paragraph, bold: bool) {
    let mut behind = behind.into_iter();
    let mut parts: Vec<Word> = words(between, bold);
    if between.is_empty() {
        parts.push(Word::new());
    }
    if !between.ends_with(is_break)
        && let Some(last) = parts.last_mut()
    {
        last.extend(behind.next().unwrap_or_default());
    }
    let mut parts = parts.into_iter();
    if !between.starts_with(is_break)
        && let Some(last) = line.last_mut()
    {
        last.extend(parts.next().unwrap_or_default());
    }
    line.extend(parts.chain(behind));
}

/// Returns the smallest place that holds two.
fn around([left, top, width, height]: [f64; 4], [other_left, other_top, other_width, other_height]: [f64; 4]) -> [f64; 4] {
    let (from_left, from_top) = (left.min(other_left), top.min(other_top));
    let (right, bottom) = ((left + width).max(other_left + other_width), (top + height).max(other_top + other_height));
    [from_left, from_top, right - from_left, bottom - from_top]
}

/// Fills the texts of a box, and joins them.
fn joined(own: &CardBox, source: &Source<'_>) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    for mut next in own.show.iter().filter_map(|template| template.fill(source)).filter(|filled| !filled.is_empty()) {
        if own.join.contains('\n') || all.is_empty() {
            all.append(&mut next);
            continue;
        }
        let first = next.remove(0);
        if let Some(last) = all.last_mut() {
            join(last, &own.join, first, own.bold);
        }
        all.append(&mut next);
    }
    all
}
