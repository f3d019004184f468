//! The picture of a board: where its spaces lie, and what is drawn on each. All of it follows from what the rules declare, and from what a
//! seat sees; text (`text`) and vector graphics (`svg`) are drawn from this one value.

mod legend;
mod members;
mod shapes;
mod signs;
mod svg;
mod text;

pub use legend::LegendLine;
pub use shapes::{BoardDrawing, BoardShape, ShapeColor, TextStyle};
pub use signs::{SignStyle, Signs};
pub use svg::{SvgUse, board_drawing, board_svg, escape_markup};
pub use text::board_lines;

use std::collections::BTreeSet;

use crate::agent::SeenGame;
use crate::engine::Ruleset;
use crate::engine::boards::Board;
use crate::engine::ruleset::Shape;

use super::phrases::Phrases;
use super::words::DisplayNames;
use members::{Member, members_of, parts_of};

/// A board as a seat sees it, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPicture {
    /// Name of the board in the rules.
    pub name: String,
    /// Display name of the board.
    pub title: String,
    /// How the spaces lie.
    pub layout: BoardLayout,
    /// The spaces in the order of the board.
    pub spaces: Vec<PictureSpace>,
    /// What can be drawn on a space, in the order in which it is drawn.
    members: Vec<Member>,
    /// What the program itself says in the language.
    phrases: Phrases,
}

impl BoardPicture {
    /// Says in words what lies on the space with this name in rules; `None` if the board has no such space, or nothing is drawn on it.
    pub fn words_of_space(&self, key: &str) -> Option<String> {
        let space = self.spaces.iter().find(|space| space.key == key)?;
        let words: Vec<&str> = space.parts.iter().map(|part| part.words.as_str()).collect();
        Some(words.join(", ")).filter(|words| !words.is_empty())
    }

    /// Returns the spaces of a row that are drawn. On a map that leaves spaces blank, these are all from the first to the last that is not.
    fn drawn_in_row(&self, row: usize) -> &[PictureSpace] {
        let from = self.spaces.partition_point(|space| space.row < row);
        let spaces = &self.spaces[from..from + self.spaces[from..].partition_point(|space| space.row == row)];
        match (spaces.iter().position(|space| !space.blank), spaces.iter().rposition(|space| !space.blank)) {
            (Some(first), Some(last)) => &spaces[first..=last],
            _ => &[],
        }
    }

    /// Returns the rows that are drawn: those from the first to the last with a space that is not blank.
    fn drawn_rows(&self) -> std::ops::Range<usize> {
        let rows = || self.spaces.iter().filter(|space| !space.blank).map(|space| space.row);
        rows().min().unwrap_or(0)..rows().max().map_or(0, |last| last + 1)
    }
}

/// How the spaces of a board lie in its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLayout {
    /// In rows and columns.
    Rows {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// As hexagons, each row shifted by half a space against the one above.
    Hexes {
        /// Number of rings around the middle.
        rings: usize,
    },
    /// Anyhow: only their neighbours are known.
    Names,
}

/// A space of a board in its picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureSpace {
    /// The name of the space in rules, such as `lawn.r2c3`.
    pub key: String,
    /// Display name of the space.
    pub name: String,
    /// Row of the space, from 0; 0 for spaces with names.
    pub row: usize,
    /// Column of the space, from 0; for spaces with names the index among them.
    pub column: usize,
    /// Indices of the neighbours.
    pub near: Vec<usize>,
    /// Indices of the spaces to which links of another board lead.
    pub linked: Vec<usize>,
    /// Of a link both ends: the names of the spaces in rules, and their display names.
    pub ends: Vec<(String, String)>,
    /// What is drawn on the space, in the order of the board's members.
    pub parts: Vec<PicturePart>,
    /// Whether nothing at all is drawn, not even an empty space: on a map that does not use all of its hexagons.
    pub blank: bool,
}

impl PictureSpace {
    /// Says what is drawn on the space; of a link first what it joins.
    fn words(&self, phrases: &Phrases) -> Vec<String> {
        let names: Vec<&str> = self.ends.iter().map(|(_, name)| name.as_str()).collect();
        let between = (!names.is_empty()).then(|| phrases.say("between {spaces}", &[("spaces", &joined(phrases, &names))]));
        between.into_iter().chain(self.parts.iter().map(|part| part.words.clone())).collect()
    }
}

/// Joins names of spaces by the word for "and".
fn joined(phrases: &Phrases, names: &[&str]) -> String {
    names.join(&format!(" {} ", phrases.word("and")))
}

/// One thing that is drawn on a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PicturePart {
    /// Index of the member of the board that the part shows.
    member: usize,
    /// What is drawn of it in a cell: a letter or two, or a number.
    pub sign: String,
    /// What it is in words.
    pub words: String,
    /// The words in it that have signs of their own: their index in the list of the member, and their sign.
    entries: Vec<(usize, String)>,
    /// The player that it is about, if it is a player.
    player: Option<usize>,
}

/// What an empty space is drawn as.
const EMPTY: &str = ".";

/// Makes the picture of a board from what a seat sees of the game.
pub fn board_picture(rules: &Ruleset, words: &DisplayNames, seen: &SeenGame<'_>, board: &Board) -> BoardPicture {
    let (layout, columns) = match rules.places[usize::from(board.place)].shape {
        _ if board.named => (BoardLayout::Names, usize::MAX),
        Shape::Grid { columns, hexes: true, .. } => (BoardLayout::Hexes { rings: usize::from(columns) / 2 }, usize::from(columns)),
        Shape::Grid { rows, columns, hexes: false, .. } => {
            (BoardLayout::Rows { rows: rows.into(), columns: columns.into() }, usize::from(columns))
        }
        Shape::Deck | Shape::Slots => (BoardLayout::Names, usize::MAX),
    };
    let members = members_of(rules, words, seen, board);
    let parts = parts_of(rules, words, seen, board, &members);
    let ids = seen_spaces(rules, board);
    let mut spaces: Vec<PictureSpace> = ids
        .zip(parts)
        .zip(board.slots.iter().zip(&board.neighbours))
        .enumerate()
        .map(|(at, ((key, parts), (&slot, near)))| PictureSpace {
            key: key.to_string(),
            name: words.card_name(key).to_string(),
            row: usize::from(slot) / columns.max(1),
            column: usize::from(slot) % columns.max(1),
            near: near.iter().map(|near| usize::from(*near)).collect(),
            linked: linked_to(rules, board, at),
            ends: ends_of(rules, words, board, at),
            parts,
            blank: false,
        })
        .collect();
    if leaves_blanks(layout, &members, &spaces) {
        spaces.iter_mut().for_each(|space| space.blank = space.parts.is_empty());
    }
    BoardPicture {
        name: board.name.clone(),
        title: words.word_name(&board.name),
        layout,
        spaces,
        members,
        phrases: words.phrases().clone(),
    }
}

/// Returns the spaces to which links of other boards lead from a space, ascending.
fn linked_to(rules: &Ruleset, board: &Board, space: usize) -> Vec<usize> {
    let of = |links: &Board| links.between.and_then(|between| rules.boards.get(usize::from(between)));
    let links = rules.boards.iter().filter(|links| of(links).is_some_and(|of| of.place == board.place));
    let to: BTreeSet<u16> = links.flat_map(|links| links.links_at.get(space)).flatten().map(|(_, to)| *to).collect();
    to.into_iter().map(usize::from).collect()
}

/// Returns both ends of a link, in rules and as they are displayed; none of a space.
fn ends_of(rules: &Ruleset, words: &DisplayNames, board: &Board, link: usize) -> Vec<(String, String)> {
    let Some(spaces) = board.between.and_then(|between| rules.boards.get(usize::from(between))) else { return Vec::new() };
    let name = |end: u16| rules.names.text(rules.definition(usize::from(spaces.first_piece + end)).id);
    let ends = board.ends.get(link).copied().into_iter().flatten();
    ends.map(name).map(|key| (key.to_string(), words.card_name(key).to_string())).collect()
}

/// Whether the cards of a place lie on the spaces of a board: of a grid of the same size.
pub(super) fn lies_over_a_board(rules: &Ruleset, place: usize) -> bool {
    let shape = rules.places[place].shape;
    let is_under = |board: &Board| rules.places[usize::from(board.place)].shape == shape && !board.named;
    let is_of_table = !rules.places[place].of_seat;
    is_of_table && rules.board_of_place(place).is_none() && matches!(shape, Shape::Grid { .. }) && rules.boards.iter().any(is_under)
}

/// Returns the names of the spaces of a board in rules.
fn seen_spaces<'r>(rules: &'r Ruleset, board: &Board) -> impl Iterator<Item = &'r str> {
    let first = usize::from(board.first_piece);
    (first..first + board.count()).map(|piece| rules.names.text(rules.definition(piece).id))
}

/// Whether empty spaces are not drawn. On hexagons a first counter of words, with others beside it, is the ground of a map: where it is at
/// its first word, there is no ground, as soon as there is some elsewhere.
fn leaves_blanks(layout: BoardLayout, members: &[Member], spaces: &[PictureSpace]) -> bool {
    let own = members.iter().filter(|member| member.is_of_spaces).count();
    let is_ground = members.first().is_some_and(|first| first.is_of_spaces && first.unmarked.is_some());
    let is_map = matches!(layout, BoardLayout::Hexes { .. }) && own > 1 && is_ground;
    is_map && spaces.iter().any(|space| space.parts.first().is_some_and(|part| part.member == 0))
}
