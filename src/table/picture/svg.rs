//! Draws a board as a vector graphic: hexagons, squares, or named spaces around a circle with lines between neighbours. What a space holds
//! is said by signs as well as by colours, and in words by its title.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::members::Sort;
use super::shapes::{BoardDrawing, BoardShape, TextStyle};
use super::text::join_signs;
use super::{BoardLayout, BoardPicture, LegendLine, PicturePart, PictureSpace};

/// Where a graphic is to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvgUse {
    /// In a file of its own.
    File,
    /// In an HTML page.
    Page,
}

/// Colours of the ground by the index of its word: light, so that black letters can be read on them, and told apart by most people who see
/// few colours.
const GROUNDS: [&str; 12] =
    ["#77aadd", "#eedd88", "#ee8866", "#44bb99", "#ffaabb", "#bbcc33", "#dddddd", "#99ddff", "#c5a5d8", "#d9b38c", "#aaaa00", "#8fd3a3"];
/// Colours of players: dark, for rings and figures.
const PLAYERS: [&str; 12] =
    ["#0072b2", "#c43c00", "#007a57", "#8a3a7a", "#000000", "#7a5c00", "#2f4b9b", "#a8005c", "#4d6b00", "#5b3b1c", "#006d77", "#6b6b6b"];
/// Colour of edges and lines.
const EDGE: &str = "#555555";
/// Half the width of a space.
const HALF: i64 = 35;
/// Distance of the corners of a hexagon from its middle.
const CORNER: i64 = 40;
/// Distance of one row of hexagons from the next.
const HEX_ROW: i64 = 60;
/// Radius of a space with a name.
const RADIUS: i64 = 50;
/// Width of the margin around the board, in which the numbers of rows and columns stand.
const MARGIN: i64 = 50;
/// Height of a line of the legend.
const LINE: i64 = 20;
/// Most letters of what is drawn below the middle of a space.
const MOST_SIGNS: usize = 5;
/// Most lines of words in a space with a name; its title says all.
const MOST_LINES: usize = 5;
/// Height of such a line.
const SMALL_LINE: i64 = 13;

/// Draws a board as shapes.
pub fn board_drawing(picture: &BoardPicture) -> BoardDrawing {
    let drawing = Drawing::new(picture);
    let (width, height) = drawing.size;
    let mut shapes = drawing.edges();
    for (at, space) in picture.spaces.iter().enumerate() {
        drawing.space(at, space, &mut shapes);
    }
    drawing.numbers(&mut shapes);
    let height = drawing.legend(height, &mut shapes);
    BoardDrawing { title: picture.title.clone(), width, height, shapes }
}

/// Draws a board as an SVG graphic.
pub fn board_svg(picture: &BoardPicture, used: SvgUse) -> String {
    let BoardDrawing { title, width, height, shapes } = board_drawing(picture);
    // In a page options are shown on the spaces themselves.
    let (namespace, board) = match used {
        SvgUse::File => (" xmlns=\"http://www.w3.org/2000/svg\"", None),
        SvgUse::Page => ("", Some(picture.name.as_str())),
    };
    let body: String = shapes.iter().map(|shape| shape_svg(shape, board)).collect();
    let title = escape_markup(&title);
    format!(
        "<svg{namespace} viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"14\" text-anchor=\"middle\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         {body}</svg>\n"
    )
}

/// Returns the elements of a shape. Where the name of the board is given, spaces are named in their groups.
fn shape_svg(shape: &BoardShape, board: Option<&str>) -> String {
    match shape {
        BoardShape::SpaceBegins { key, words } => {
            let named = board.map_or_else(String::new, |board| format!(" data-space=\"{}/{}\"", escape_markup(board), escape_markup(key)));
            format!("<g{named}><title>{}</title>\n", escape_markup(words))
        }
        BoardShape::SpaceEnds => "</g>\n".to_string(),
        BoardShape::Rectangle { x, y, width, height, fill } => {
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"{EDGE}\"/>\n")
        }
        BoardShape::Polygon { corners, fill } => {
            let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
            format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{EDGE}\"/>\n", corners.join(" "))
        }
        BoardShape::Circle { at: (x, y), radius, fill, edge: (colour, width) } => {
            let width = if *width == 1 { String::new() } else { format!(" stroke-width=\"{width}\"") };
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{colour}\"{width}/>\n")
        }
        BoardShape::Line { from: (x1, y1), to: (x2, y2) } => {
            format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{EDGE}\" stroke-width=\"2\"/>\n")
        }
        BoardShape::Text { at: (x, y), style, text } => {
            let look = match style {
                TextStyle::Plain => "",
                TextStyle::Bold => " font-weight=\"bold\"",
                TextStyle::Number => " fill=\"#555555\"",
                TextStyle::Name => " font-weight=\"bold\" font-size=\"12\"",
                TextStyle::Small => " font-size=\"11\"",
                TextStyle::Legend => " text-anchor=\"start\"",
            };
            format!("<text x=\"{x}\" y=\"{y}\"{look}>{}</text>\n", escape_markup(text))
        }
    }
}

/// A picture with the places of its spaces.
struct Drawing<'p> {
    picture: &'p BoardPicture,
    /// The middle of each space.
    middles: Vec<(i64, i64)>,
    /// Width and height of the board with its margin.
    size: (i64, i64),
    /// The member whose words are the colours of spaces.
    ground: Option<usize>,
    /// The member whose players are rings.
    owner: Option<usize>,
    /// Members that are said in the titles alone, since there is no room for them.
    left_out: BTreeSet<usize>,
}

impl<'p> Drawing<'p> {
    fn new(picture: &'p BoardPicture) -> Drawing<'p> {
        let find = |sort: Sort| picture.members.iter().position(|member| member.sort == sort);
        let middles: Vec<(i64, i64)> = match picture.layout {
            BoardLayout::Rows { .. } => {
                picture.spaces.iter().map(|space| (2 * HALF * number(space.column), 2 * HALF * number(space.row))).collect()
            }
            BoardLayout::Hexes { rings } => picture
                .spaces
                .iter()
                .map(|space| (2 * HALF * number(space.column) + HALF * (number(space.row) - number(rings)), HEX_ROW * number(space.row)))
                .collect(),
            BoardLayout::Names => around(picture.spaces.len()),
        };
        let drawn = || middles.iter().zip(&picture.spaces).filter(|(_, space)| !space.blank).map(|(middle, _)| middle);
        let least = |of: fn(&(i64, i64)) -> i64| drawn().map(of).min().unwrap_or(0);
        let most = |of: fn(&(i64, i64)) -> i64| drawn().map(of).max().unwrap_or(0);
        let (left, top) = (least(|at| at.0), least(|at| at.1));
        let edge = MARGIN + CORNER;
        let size = (most(|at| at.0) - left + 2 * edge, most(|at| at.1) - top + 2 * edge);
        let middles = middles.iter().map(|(x, y)| (x - left + edge, y - top + edge)).collect();
        let mut drawing =
            Drawing { picture, middles, size, ground: find(Sort::Word), owner: find(Sort::Player), left_out: BTreeSet::new() };
        for member in picture.expendable().into_iter().filter(|_| picture.layout != BoardLayout::Names) {
            let fits = |space: &PictureSpace| drawing.signs_below(space).chars().count() <= MOST_SIGNS;
            if picture.spaces.iter().all(fits) {
                break;
            }
            drawing.left_out.insert(member);
        }
        drawing
    }

    /// Returns what is drawn of a member on a space.
    fn part<'s>(&self, space: &'s PictureSpace, member: Option<usize>) -> Option<&'s PicturePart> {
        space.parts.iter().find(|part| Some(part.member) == member)
    }

    /// Returns the signs that stand below the middle of a space: all but those of the ground and of the owner.
    fn signs_below(&self, space: &PictureSpace) -> String {
        let is_below = |part: &&PicturePart| {
            Some(part.member) != self.ground && Some(part.member) != self.owner && !self.left_out.contains(&part.member)
        };
        join_signs(space.parts.iter().filter(is_below).map(|part| part.sign.as_str()))
    }

    /// Draws a space with all that is on it.
    fn space(&self, at: usize, space: &PictureSpace, shapes: &mut Vec<BoardShape>) {
        if space.blank {
            return;
        }
        let (x, y) = self.middles[at];
        let words = space.words(&self.picture.phrases);
        let words = if words.is_empty() { self.picture.phrases.word("empty") } else { words.join(", ") };
        shapes.push(BoardShape::SpaceBegins { key: space.key.clone(), words: format!("{}: {words}", space.name) });
        let ground = self.part(space, self.ground);
        let fill = ground.and_then(|part| part.entries.first()).map_or("#ffffff", |(index, _)| self.colour_of(*index));
        shapes.push(match self.picture.layout {
            BoardLayout::Rows { .. } => BoardShape::Rectangle { x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF, fill },
            BoardLayout::Hexes { .. } => {
                let corners =
                    [(0, -CORNER), (HALF, -CORNER / 2), (HALF, CORNER / 2), (0, CORNER), (-HALF, CORNER / 2), (-HALF, -CORNER / 2)];
                BoardShape::Polygon { corners: corners.iter().map(|(right, down)| (x + right, y + down)).collect(), fill }
            }
            BoardLayout::Names => BoardShape::Circle { at: (x, y), radius: RADIUS, fill, edge: (EDGE, 1) },
        });
        match self.picture.layout {
            BoardLayout::Names => self.words_on(at, space, shapes),
            BoardLayout::Rows { .. } | BoardLayout::Hexes { .. } => self.signs_on(at, space, shapes),
        }
        shapes.push(BoardShape::SpaceEnds);
    }

    /// Draws what is on a space as signs: the ground at the top, the owner as a ring in the middle, all else below.
    fn signs_on(&self, at: usize, space: &PictureSpace, shapes: &mut Vec<BoardShape>) {
        let (x, y) = self.middles[at];
        shapes.extend(self.part(space, self.ground).map(|part| text((x, y - 18), TextStyle::Plain, &part.sign)));
        if let Some(part) = self.part(space, self.owner) {
            let colour = part.player.map_or("#000000", |player| PLAYERS[player % PLAYERS.len()]);
            shapes.push(BoardShape::Circle { at: (x, y), radius: 12, fill: "#ffffff", edge: (colour, 4) });
            shapes.push(text((x, y + 5), TextStyle::Bold, &part.sign));
        }
        let below = self.signs_below(space);
        if !below.is_empty() {
            shapes.push(text((x, y + 27), TextStyle::Plain, &below));
        }
    }

    /// Draws what is on a space with a name in words, a line for each, below its name.
    fn words_on(&self, at: usize, space: &PictureSpace, shapes: &mut Vec<BoardShape>) {
        let (x, y) = self.middles[at];
        let mut lines = space.words(&self.picture.phrases);
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES - 1);
            lines.push("…".to_string());
        }
        let top = y + 4 - SMALL_LINE * number(lines.len()) / 2;
        shapes.push(text((x, top), TextStyle::Name, &space.name));
        shapes.extend((1..).zip(&lines).map(|(line, words)| text((x, top + SMALL_LINE * line), TextStyle::Small, words)));
    }

    /// Returns the colour of the ground for a word.
    fn colour_of(&self, index: usize) -> &'static str {
        // The first word of a counter is the one for which nothing is drawn.
        let marked = self.ground.is_some_and(|ground| self.picture.members[ground].unmarked.is_some());
        GROUNDS[(index - usize::from(marked && index > 0)) % GROUNDS.len()]
    }

    /// Draws lines between named spaces that are neighbours.
    fn edges(&self) -> Vec<BoardShape> {
        if self.picture.layout != BoardLayout::Names {
            return Vec::new();
        }
        // Links that share an end are neighbours, which nobody wants to see.
        let spaces = self.picture.spaces.iter().enumerate().filter(|(_, space)| space.ends.is_empty());
        let pairs = spaces.flat_map(|(from, space)| space.near.iter().chain(&space.linked).map(move |to| (from, *to)));
        let line = |(from, to): (usize, usize)| BoardShape::Line { from: self.middles[from], to: self.middles[to] };
        pairs.filter(|(from, to)| from < to).map(line).collect()
    }

    /// Draws the numbers of rows and columns: of hexagons the name of the first space of each row, and the columns above and below.
    fn numbers(&self, shapes: &mut Vec<BoardShape>) {
        let spaces = || self.picture.spaces.iter().zip(&self.middles).filter(|(space, _)| !space.blank);
        let rows = self.picture.drawn_rows();
        let (first_row, last_row) = (rows.start, rows.end.saturating_sub(1));
        let grey = TextStyle::Number;
        for row in rows {
            let Some((first, (x, y))) = spaces().find(|(space, _)| space.row == row) else { continue };
            shapes.extend(match self.picture.layout {
                BoardLayout::Rows { .. } => Some(text((x - HALF - 14, y + 5), grey, &format!("{}", row + 1))),
                BoardLayout::Hexes { .. } => Some(text((x - HALF - 24, y + 5), grey, &format!("r{}c{}", row + 1, first.column + 1))),
                BoardLayout::Names => None,
            });
        }
        for (space, (x, y)) in spaces() {
            let label = (space.column + 1).to_string();
            shapes.extend(match self.picture.layout {
                BoardLayout::Rows { .. } if space.row == first_row => Some(text((*x, y - HALF - 8), grey, &label)),
                BoardLayout::Hexes { .. } if space.row == first_row => Some(text((x - HALF / 2, y - CORNER - 4), grey, &label)),
                BoardLayout::Hexes { .. } if space.row == last_row => Some(text((x + HALF / 2, y + CORNER + 14), grey, &label)),
                BoardLayout::Rows { .. } | BoardLayout::Hexes { .. } | BoardLayout::Names => None,
            });
        }
    }

    /// Draws the legend below the board; returns the height of the whole.
    fn legend(&self, from: i64, shapes: &mut Vec<BoardShape>) -> i64 {
        // Spaces with names say what they have in words.
        if self.picture.layout == BoardLayout::Names {
            return from;
        }
        let (mut x, mut y) = (10, from - LINE);
        let mut put = |words: &str, colour: Option<&'static str>, begins: bool| {
            let width = 9 * number(words.chars().count()) + if colour.is_some() { 28 } else { 12 };
            if begins || x + width > self.size.0 {
                y += LINE;
                x = if begins { 10 } else { 30 };
            }
            shapes.extend(colour.map(|fill| BoardShape::Rectangle { x, y: y - 12, width: 14, height: 14, fill }));
            let at = x + if colour.is_some() { 18 } else { 0 };
            shapes.push(text((at, y), TextStyle::Legend, words));
            x += width;
        };
        for LegendLine { member, title, entries, otherwise, .. } in self.picture.legend(&self.left_out) {
            put(&format!("{title}:"), None, true);
            for (index, sign, means) in entries {
                let colour = (self.ground == Some(member)).then(|| self.colour_of(index));
                put(format!("{sign} {means}").trim(), colour, false);
            }
            if !otherwise.is_empty() {
                put(&self.picture.phrases.say("else {what}", &[("what", &otherwise)]), None, false);
            }
        }
        let not_drawn = self.picture.titles_of(&self.left_out);
        if !not_drawn.is_empty() {
            put(&self.picture.phrases.say("only in the titles of spaces: {what}", &[("what", &not_drawn.join(", "))]), None, true);
        }
        y + LINE
    }
}

/// Returns places around a circle, clockwise from the top.
fn around(count: usize) -> Vec<(i64, i64)> {
    let radius = (count as f64 * 150.0 / TAU).max(150.0);
    let place = |at: usize| {
        let angle = TAU * at as f64 / count as f64;
        (whole(radius * angle.sin()), whole(-radius * angle.cos()))
    };
    (0..count).map(place).collect()
}

/// Rounds to a whole number.
#[expect(clippy::cast_possible_truncation, reason = "places in a picture are small")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

fn number(count: usize) -> i64 {
    crate::cast::count(count)
}

/// Draws a text at a place.
fn text(at: (i64, i64), style: TextStyle, text: &str) -> BoardShape {
    BoardShape::Text { at, style, text: text.to_string() }
}

/// Escapes a text for HTML and XML, also within quotation marks.
pub fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
