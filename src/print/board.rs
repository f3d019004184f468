//! Draws a board on a sheet, from its shapes.

use kurbo::{BezPath, Circle, Shape};

use super::card::rectangle;
use super::fonts::Fonts;
use super::marks::{Color, Mark};
use super::text::POINT;
use crate::table::{BoardDrawing, BoardShape, TextStyle};

/// Colour of edges, lines, and numbers of rows and columns.
const GREY: Color = Color([0x55, 0x55, 0x55]);
/// Room for words in a space, in units of the drawing: of a circle a little less than its diameter.
const ROOM: f64 = 92.0;

/// Draws a board whose upper left corner is at a place; `scale` is how many millimetres a unit of the drawing takes. Words that are wider
/// than their space are made smaller. Returns the smallest size of letters, in points.
pub(crate) fn draw_board(board: &BoardDrawing, fonts: &Fonts, (left, top): (f64, f64), scale: f64, marks: &mut Vec<Mark>) -> f64 {
    let place = |(x, y): (i64, i64)| (left + number(x) * scale, top + number(y) * scale);
    let mut smallest = f64::INFINITY;
    for shape in &board.shapes {
        match shape {
            BoardShape::SpaceBegins { .. } | BoardShape::SpaceEnds => {}
            BoardShape::Rectangle { x, y, width, height, fill } => {
                let (x, y) = place((*x, *y));
                let outline = rectangle([x, y, number(*width) * scale, number(*height) * scale], 0.0);
                marks.push(Mark::Path { outline, fill: Color::parse(fill), line: Some((GREY, scale)) });
            }
            BoardShape::Polygon { corners, fill } => {
                let mut outline = BezPath::new();
                for (index, corner) in corners.iter().enumerate() {
                    if index == 0 { outline.move_to(place(*corner)) } else { outline.line_to(place(*corner)) }
                }
                outline.close_path();
                marks.push(Mark::Path { outline, fill: Color::parse(fill), line: Some((GREY, scale)) });
            }
            BoardShape::Circle { at, radius, fill, edge: (color, width) } => {
                let outline = Circle::new(place(*at), number(*radius) * scale).to_path(0.01);
                let line = Color::parse(color).map(|color| (color, number(*width) * scale));
                marks.push(Mark::Path { outline, fill: Color::parse(fill), line });
            }
            BoardShape::Line { from, to } => {
                let mut outline = BezPath::new();
                outline.move_to(place(*from));
                outline.line_to(place(*to));
                marks.push(Mark::Path { outline, fill: None, line: Some((GREY, 2.0 * scale)) });
            }
            BoardShape::Text { at, style, text } => {
                let (bold, color, centered) = match style {
                    TextStyle::Plain | TextStyle::Small => (false, Color::BLACK, true),
                    TextStyle::Bold | TextStyle::Name => (true, Color::BLACK, true),
                    TextStyle::Number => (false, GREY, true),
                    TextStyle::Legend => (false, Color::BLACK, false),
                };
                let wide = fonts.width(text, bold);
                let mut em = number(style.size()) * scale;
                if centered && wide * em > ROOM * scale {
                    em = ROOM * scale / wide;
                }
                let (x, y) = place(*at);
                let x = if centered { x - wide * em / 2.0 } else { x };
                let size = em / POINT;
                smallest = smallest.min(size);
                marks.push(Mark::Text { x, y, size, bold, color, text: text.clone() });
            }
        }
    }
    smallest
}

fn number(units: i64) -> f64 {
    i32::try_from(units).map_or(f64::MAX, f64::from)
}
