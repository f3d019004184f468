//! Draws a board as a vector graphic: hexagons, squares, or named spaces around a circle with lines between neighbours. What a space holds
//! is said by signs as well as by colours, and in words by its title.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use super::members::Sort;
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

/// Draws a board.
pub fn board_svg(picture: &BoardPicture, used: SvgUse) -> String {
    let drawing = Drawing::new(picture, used);
    let (width, height) = drawing.size;
    let mut body = String::new();
    body.push_str(&drawing.edges());
    for (at, space) in picture.spaces.iter().enumerate() {
        body.push_str(&drawing.space(at, space));
    }
    body.push_str(&drawing.numbers());
    let (legend, below) = drawing.legend(height);
    body.push_str(&legend);
    let namespace = match used {
        SvgUse::File => " xmlns=\"http://www.w3.org/2000/svg\"",
        SvgUse::Page => "",
    };
    let title = escape(&picture.title);
    format!(
        "<svg{namespace} viewBox=\"0 0 {width} {below}\" width=\"{width}\" height=\"{below}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"14\" text-anchor=\"middle\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{below}\" fill=\"#ffffff\"/>\n\
         {body}</svg>\n"
    )
}

/// A picture with the places of its spaces.
struct Drawing<'p> {
    picture: &'p BoardPicture,
    used: SvgUse,
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
    fn new(picture: &'p BoardPicture, used: SvgUse) -> Drawing<'p> {
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
            Drawing { picture, used, middles, size, ground: find(Sort::Word), owner: find(Sort::Player), left_out: BTreeSet::new() };
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
    fn space(&self, at: usize, space: &PictureSpace) -> String {
        if space.blank {
            return String::new();
        }
        let (x, y) = self.middles[at];
        let words: Vec<&str> = space.parts.iter().map(|part| part.words.as_str()).collect();
        let words = if words.is_empty() { self.picture.phrases.word("empty") } else { words.join(", ") };
        let named = match self.used {
            SvgUse::File => String::new(),
            SvgUse::Page => format!(" data-space=\"{}/{}\"", escape(&self.picture.name), escape(&space.key)),
        };
        let mut out = format!("<g{named}><title>{}: {}</title>\n", escape(&space.name), escape(&words));
        let ground = self.part(space, self.ground);
        let fill = ground.and_then(|part| part.entries.first()).map_or("#ffffff", |(index, _)| self.colour_of(*index));
        out.push_str(&match self.picture.layout {
            BoardLayout::Rows { .. } => {
                let side = 2 * HALF;
                format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"#555555\"/>\n",
                    x - HALF,
                    y - HALF
                )
            }
            BoardLayout::Hexes { .. } => {
                let corners =
                    [(0, -CORNER), (HALF, -CORNER / 2), (HALF, CORNER / 2), (0, CORNER), (-HALF, CORNER / 2), (-HALF, -CORNER / 2)];
                let corners: Vec<String> = corners.iter().map(|(right, down)| format!("{},{}", x + right, y + down)).collect();
                format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"#555555\"/>\n", corners.join(" "))
            }
            BoardLayout::Names => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"#555555\"/>\n"),
        });
        out.push_str(&if self.picture.layout == BoardLayout::Names { self.words_on(at, space) } else { self.signs_on(at, space) });
        out.push_str("</g>\n");
        out
    }

    /// Draws what is on a space as signs: the ground at the top, the owner as a ring in the middle, all else below.
    fn signs_on(&self, at: usize, space: &PictureSpace) -> String {
        let (x, y) = self.middles[at];
        let mut out = self.part(space, self.ground).map_or_else(String::new, |part| text((x, y - 18), "", &part.sign));
        if let Some(part) = self.part(space, self.owner) {
            let colour = part.player.map_or("#000000", |player| PLAYERS[player % PLAYERS.len()]);
            out.push_str(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"12\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"4\"/>\n"));
            out.push_str(&text((x, y + 5), " font-weight=\"bold\"", &part.sign));
        }
        let below = self.signs_below(space);
        if !below.is_empty() {
            out.push_str(&text((x, y + 27), "", &below));
        }
        out
    }

    /// Draws what is on a space with a name in words, a line for each, below its name.
    fn words_on(&self, at: usize, space: &PictureSpace) -> String {
        let (x, y) = self.middles[at];
        let mut lines: Vec<&str> = space.parts.iter().map(|part| part.words.as_str()).collect();
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES - 1);
            lines.push("…");
        }
        let top = y + 4 - SMALL_LINE * number(lines.len()) / 2;
        let mut out = text((x, top), " font-weight=\"bold\" font-size=\"12\"", &space.name);
        for (line, words) in (1..).zip(lines) {
            out.push_str(&text((x, top + SMALL_LINE * line), " font-size=\"11\"", words));
        }
        out
    }

    /// Returns the colour of the ground for a word.
    fn colour_of(&self, index: usize) -> &'static str {
        // The first word of a counter is the one for which nothing is drawn.
        let marked = self.ground.is_some_and(|ground| self.picture.members[ground].unmarked.is_some());
        GROUNDS[(index - usize::from(marked && index > 0)) % GROUNDS.len()]
    }

    /// Draws lines between named spaces that are neighbours.
    fn edges(&self) -> String {
        if self.picture.layout != BoardLayout::Names {
            return String::new();
        }
        let pairs = self.picture.spaces.iter().enumerate().flat_map(|(from, space)| space.near.iter().map(move |to| (from, *to)));
        let line = |(from, to): (usize, usize)| {
            let ((x1, y1), (x2, y2)) = (self.middles[from], self.middles[to]);
            format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#555555\" stroke-width=\"2\"/>\n")
        };
        pairs.filter(|(from, to)| from < to).map(line).collect()
    }

    /// Draws the numbers of rows and columns: of hexagons the name of the first space of each row, and the columns above and below.
    fn numbers(&self) -> String {
        let mut out = String::new();
        let spaces = || self.picture.spaces.iter().zip(&self.middles).filter(|(space, _)| !space.blank);
        let rows = self.picture.drawn_rows();
        let (first_row, last_row) = (rows.start, rows.end.saturating_sub(1));
        let grey = " fill=\"#555555\"";
        for row in rows {
            let Some((first, (x, y))) = spaces().find(|(space, _)| space.row == row) else { continue };
            out.push_str(&match self.picture.layout {
                BoardLayout::Rows { .. } => text((x - HALF - 14, y + 5), grey, &format!("{}", row + 1)),
                BoardLayout::Hexes { .. } => text((x - HALF - 24, y + 5), grey, &format!("r{}c{}", row + 1, first.column + 1)),
                BoardLayout::Names => String::new(),
            });
        }
        for (space, (x, y)) in spaces() {
            let label = (space.column + 1).to_string();
            out.push_str(&match self.picture.layout {
                BoardLayout::Rows { .. } if space.row == first_row => text((*x, y - HALF - 8), grey, &label),
                BoardLayout::Hexes { .. } if space.row == first_row => text((x - HALF / 2, y - CORNER - 4), grey, &label),
                BoardLayout::Hexes { .. } if space.row == last_row => text((x + HALF / 2, y + CORNER + 14), grey, &label),
                BoardLayout::Rows { .. } | BoardLayout::Hexes { .. } | BoardLayout::Names => String::new(),
            });
        }
        out
    }

    /// Draws the legend below the board; returns it with the height of the whole.
    fn legend(&self, from: i64) -> (String, i64) {
        // Spaces with names say what they have in words.
        if self.picture.layout == BoardLayout::Names {
            return (String::new(), from);
        }
        let mut out = String::new();
        let (mut x, mut y) = (10, from - LINE);
        let mut put = |text: &str, colour: Option<&str>, begins: bool| {
            let width = 9 * number(text.chars().count()) + if colour.is_some() { 28 } else { 12 };
            if begins || x + width > self.size.0 {
                y += LINE;
                x = if begins { 10 } else { 30 };
            }
            if let Some(colour) = colour {
                out.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{colour}\" stroke=\"#555555\"/>\n",
                    y - 12
                ));
            }
            let at = x + if colour.is_some() { 18 } else { 0 };
            out.push_str(&format!("<text x=\"{at}\" y=\"{y}\" text-anchor=\"start\">{}</text>\n", escape(text)));
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
        (out, y + LINE)
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

/// Draws a text around a place.
fn text((x, y): (i64, i64), style: &str, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\"{style}>{}</text>\n", escape(text))
}

/// Escapes a text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
