//! What a seat sees, in sections for people: one for the table and one for each seat. The contents follow from the declarations of the
//! rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::agent::{HIDDEN, Owned, SeenCard, SeenGame, SeenPlace, VariableValue, describe_view};
use crate::engine::ruleset::Shape;
use crate::engine::{Game, Ruleset};

use super::picture::{BoardPicture, board_picture, lies_over_a_board};
use super::price_notes::price_notes;
use super::replay::Start;
use super::seat_players::SeatPlayer;
use super::session::Session;
use super::values::{partly_known_card, variables_text};
use super::words::DisplayNames;

/// What a sheet shows of the table or of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Heading of the section.
    pub title: String,
    /// Seat that owns the contents; `None` for the table.
    pub seat: Option<usize>,
    /// Summary of the seat's resources and counters, then its pools, then its stats.
    pub summary: Vec<String>,
    /// The contents of the section in order.
    pub blocks: Vec<SheetBlock>,
}

/// A part of a section: facts below a heading, a grid, or a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetBlock {
    /// Short facts below a heading, which may be empty.
    Facts {
        /// The heading above the facts.
        title: String,
        /// The facts, each a short text.
        facts: Vec<String>,
    },
    /// Cards that lie beside each other.
    Cards {
        /// Name of the place.
        title: String,
        /// The cards that the seat knows, in their order, then those of which it has been told a part.
        cards: Vec<Cell>,
        /// Number of cards of which the seat knows nothing.
        hidden: usize,
    },
    /// Names of places in which nothing lies.
    Empty(Vec<String>),
    /// A grid of rows and columns.
    Grid {
        /// Name of the grid.
        title: String,
        /// Number of columns.
        columns: usize,
        /// Number of rings around the middle of a hexagonal map; `None` for a rectangular grid.
        rings: Option<usize>,
        /// Cells row by row; `None` where the map has no space.
        cells: Vec<Option<Cell>>,
    },
    /// A board of spaces that are no cards.
    Board(Box<BoardPicture>),
}

impl SheetBlock {
    /// Formats facts in one line; `None` if there are none, or if the block is something else.
    pub fn facts_in_one_line(&self) -> Option<String> {
        match self {
            SheetBlock::Facts { facts, .. } if facts.is_empty() => None,
            SheetBlock::Facts { title, facts } if title.is_empty() => Some(facts.join(", ")),
            SheetBlock::Facts { title, facts } => Some(format!("{title}: {}", facts.join(", "))),
            SheetBlock::Cards { .. } | SheetBlock::Empty(_) | SheetBlock::Grid { .. } | SheetBlock::Board(_) => None,
        }
    }
}

/// A card in its place, or a space of a grid that may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Index of the card among all pieces of the game; `None` if the space is empty or the seat does not know the card.
    pub piece: Option<usize>,
    /// Id of the card, by which [`DisplayNames::face`] finds what is printed on it; empty if the space is empty or the seat does
    /// not know the card.
    pub card: String,
    /// Name of the card; empty if the space is empty.
    pub name: String,
    /// Additional information: prices and counters.
    pub notes: Vec<String>,
}

impl Cell {
    /// Formats the name and notes of the cell in one line.
    pub fn text(&self) -> String {
        match (self.name.is_empty(), self.notes.is_empty()) {
            (true, _) => "-".to_string(),
            (false, true) => self.name.clone(),
            (false, false) => format!("{} ({})", self.name, self.notes.join(", ")),
        }
    }
}

/// Makes the sections that show what a seat sees of a game, with the price of each card. The table comes first, then the seat itself, then
/// the others in turn order. Decks and pools of the table listed in `unused` are left out.
pub fn sheet(
    rules: &Ruleset,
    game: &Game,
    seat: usize,
    words: &DisplayNames,
    seat_players: &[SeatPlayer],
    unused: &BTreeSet<String>,
) -> Vec<Section> {
    let view = game.view_of(rules, seat);
    let seen = describe_view(rules, &view);
    let drawn = SheetBuilder { rules, words, seen: &seen, prices: price_notes(rules, words, game, seat) };
    let table = drawn.owned_blocks(&seen.table, unused);
    let mut parts = vec![Section { title: words.phrases().word("table"), seat: None, summary: Vec::new(), blocks: table }];
    for number in seats_from(&seen, seat) {
        let of_seat = &seen.seats[number];
        let who = seat_players.get(number).map(SeatPlayer::to_string).unwrap_or_default();
        let you = if number == seat && seat_players.len() > 1 { format!(", {}", words.phrases().word("you")) } else { String::new() };
        let points = match of_seat.points {
            Some(points) => words.phrases().say("{number} points", &[("number", &points.to_string())]),
            None => words.phrases().word("points not known"),
        };
        let team = of_seat.team.map(|team| words.phrases().say("team {number}", &[("number", &team.to_string())]));
        let points = team.map_or_else(|| points.clone(), |team| format!("{points}, {team}"));
        let title = if who.is_empty() { format!("{}: {points}", of_seat.seat) } else { format!("{} ({who}{you}): {points}", of_seat.seat) };
        let mut blocks = Vec::new();
        let stats = of_seat.stats.0.iter().map(|(name, value)| format!("{} {}", words.word_name(name), or_unknown(*value)));
        let stats: Vec<String> = stats.collect();
        if !stats.is_empty() {
            blocks.push(SheetBlock::Facts { title: String::new(), facts: stats });
        }
        let owned = drawn.owned_blocks(&of_seat.owned, &BTreeSet::new());
        let pools = of_seat.owned.pools.0.len();
        // Counters and pools come before places.
        let counters = usize::from(owned.iter().any(|block| matches!(block, SheetBlock::Facts { title, .. } if title.is_empty())));
        let mut summary: Vec<String> = owned.iter().take(counters + pools).filter_map(SheetBlock::facts_in_one_line).collect();
        summary.extend(blocks.iter().filter_map(SheetBlock::facts_in_one_line));
        blocks.extend(owned);
        let rows: Vec<String> = of_seat
            .score
            .0
            .iter()
            .filter(|row| row.1 != Some(0))
            .map(|(name, value)| format!("{} {}", words.word_name(name), or_unknown(*value)))
            .collect();
        if !rows.is_empty() && of_seat.score.0.len() > 1 {
            blocks.push(SheetBlock::Facts { title: words.phrases().word("score"), facts: rows });
        }
        parts.push(Section { title, seat: Some(number), summary, blocks });
    }
    parts
}

/// Returns the seats in turn order, from the viewer's on.
pub(super) fn seats_from(seen: &SeenGame<'_>, viewer: usize) -> Vec<usize> {
    let mut order: Vec<usize> = seen.order.iter().filter_map(|name| seen.seats.iter().position(|seat| seat.seat == *name)).collect();
    let first = order.iter().position(|seat| *seat == viewer).unwrap_or(0);
    order.rotate_left(first);
    order
}

/// Returns the names of decks and pools of the table whose contents have not changed since the beginning, as far as a seat sees them, such as
/// those of a later age or of another number of players.
pub fn unused_places(start: &Start, session: &Session, seat: usize) -> BTreeSet<String> {
    // For a position, the initial contents of decks are unknown.
    if start.from.is_some() {
        return BTreeSet::new();
    }
    let rules = session.rules();
    let [before, now] = [session.initial_game(), session.game()].map(|game| game.view_of(rules, seat));
    find_unused(rules, &describe_view(rules, &before), &describe_view(rules, &now))
}

fn find_unused(rules: &Ruleset, before: &SeenGame<'_>, now: &SeenGame<'_>) -> BTreeSet<String> {
    let is_deck = |name: &str| {
        let declared = rules.find_place(name.split('[').next().unwrap_or(name)).map(|at| &rules.places[at]);
        declared.is_some_and(|declared| declared.shape == Shape::Deck)
    };
    let count = |place: &SeenPlace<'_>| place.cards.len() + place.hidden;
    let decks = now.table.places.0.iter().filter(|(name, place)| {
        let earlier = before.table.places.0.iter().find(|(other, _)| other == name);
        is_deck(name) && earlier.is_some_and(|(_, earlier)| count(earlier) == count(place))
    });
    let pools = now.table.pools.0.iter().filter(|pool| before.table.pools.0.contains(pool));
    decks.map(|(name, _)| name.clone()).chain(pools.map(|(name, _)| (*name).to_string())).collect()
}

/// Formats a value, or a mark if it is unknown.
fn or_unknown(value: Option<i64>) -> String {
    value.map_or_else(|| "?".to_string(), |value| value.to_string())
}

/// Says what lies on parts of cards, without those on which nothing does.
pub(super) fn facts_of_parts(rules: &Ruleset, words: &DisplayNames, place: &SeenPlace<'_>) -> Vec<String> {
    let said = |part: &SeenCard<'_>| {
        let had = part.counters.0.iter().filter(|(_, had)| !matches!(had, VariableValue::Words(words) if words[..] == ["nobody"]));
        let facts = variables_text(rules, words, &had.cloned().collect());
        (!facts.is_empty()).then(|| format!("{} ({})", words.card_name(part.card), facts.join(", ")))
    };
    place.cards.iter().filter_map(said).collect()
}

struct SheetBuilder<'a> {
    rules: &'a Ruleset,
    words: &'a DisplayNames,
    seen: &'a SeenGame<'a>,
    /// For each card the prices of the actions that use it.
    prices: BTreeMap<usize, Vec<String>>,
}

impl SheetBuilder<'_> {
    fn owned_blocks(&self, owned: &Owned<'_>, unused: &BTreeSet<String>) -> Vec<SheetBlock> {
        let mut blocks = Vec::new();
        let facts = variables_text(self.rules, self.words, &owned.variables);
        if !facts.is_empty() {
            blocks.push(SheetBlock::Facts { title: String::new(), facts });
        }
        for (name, tokens) in owned.pools.0.iter().filter(|(name, _)| !unused.contains(*name)) {
            let token_name = |key: &str| if key == HIDDEN { self.words.phrases().word("hidden") } else { self.words.token_name(key) };
            let facts = tokens.0.iter().map(|(key, count)| (token_name(key), count));
            let facts = facts.map(|(key, count)| if *count == 1 && key != HIDDEN { key } else { format!("{count} {key}") }).collect();
            blocks.push(SheetBlock::Facts { title: self.words.word_name(name), facts });
        }
        let mut decks = Vec::new();
        let mut empty = Vec::new();
        for (name, place) in owned.places.0.iter().filter(|(name, _)| !unused.contains(name)) {
            let declared = name.split('[').next().unwrap_or(name);
            let Some(place_index) = self.rules.find_place(declared) else { continue };
            let declared = &self.rules.places[place_index];
            let title = self.words.word_name(name);
            if let Some(board) = self.rules.boards.iter().find(|board| board.name == *name) {
                if board.parts.is_some() {
                    let facts = facts_of_parts(self.rules, self.words, place);
                    blocks.extend((!facts.is_empty()).then_some(SheetBlock::Facts { title, facts }));
                    continue;
                }
                blocks.push(SheetBlock::Board(Box::new(board_picture(self.rules, self.words, self.seen, board))));
                continue;
            }
            // The picture of the board says which cards lie on it, but not their prices and counters.
            if lies_over_a_board(self.rules, place_index) {
                let cells = place.cards.iter().map(|card| (card, self.card_cell(card))).filter(|(_, cell)| !cell.notes.is_empty());
                let place_of = |card: &SeenCard<'_>| card.grid_space.map_or_else(String::new, |at| format!("r{}c{} ", at.row, at.column));
                let facts: Vec<String> = cells.map(|(card, cell)| format!("{}{}", place_of(card), cell.text())).collect();
                if !facts.is_empty() {
                    blocks.push(SheetBlock::Facts { title, facts });
                }
                continue;
            }
            match declared.shape {
                Shape::Deck if place.cards.is_empty() && place.known_in_part.is_empty() => {
                    decks.push(format!("{title} ({})", place.hidden))
                }
                Shape::Grid { rows, columns, hexes, .. } => blocks.push(SheetBlock::Grid {
                    title,
                    columns: columns.into(),
                    rings: hexes.then_some(usize::from(columns) / 2),
                    cells: self.grid_cells(place, rows.into(), columns.into(), |slot| declared.is_space(slot)),
                }),
                Shape::Slots if place.cards.is_empty() && place.hidden == 0 => empty.push(title),
                Shape::Deck | Shape::Slots => {
                    let in_part = place.known_in_part.iter().map(|card| {
                        let (name, notes) = partly_known_card(self.words, card);
                        Cell { name, notes, ..Cell::default() }
                    });
                    let cards = place.cards.iter().map(|card| self.card_cell(card)).chain(in_part).collect();
                    blocks.push(SheetBlock::Cards { title, cards, hidden: place.hidden - place.known_in_part.len() });
                }
            }
        }
        if !decks.is_empty() {
            blocks.push(SheetBlock::Facts { title: self.words.phrases().word("decks"), facts: decks });
        }
        if !empty.is_empty() {
            blocks.push(SheetBlock::Empty(empty));
        }
        blocks
    }

    fn grid_cells(&self, place: &SeenPlace<'_>, rows: usize, columns: usize, is_space: impl Fn(usize) -> bool) -> Vec<Option<Cell>> {
        let mut cells: Vec<Option<Cell>> = (0..rows * columns).map(|slot| is_space(slot).then(Cell::default)).collect();
        for card in &place.cards {
            let slot = card.grid_space.map(|at| (at.row - 1) * columns + at.column - 1);
            if let Some(cell) = slot.and_then(|slot| cells.get_mut(slot)) {
                *cell = Some(self.card_cell(card));
            }
        }
        cells
    }

    fn card_cell(&self, card: &SeenCard<'_>) -> Cell {
        let counters = variables_text(self.rules, self.words, &card.counters);
        let prices = self.prices.get(&card.piece_index).into_iter().flatten().cloned();
        Cell {
            piece: Some(card.piece_index),
            card: card.card.to_string(),
            name: self.words.card_name(card.card).to_string(),
            notes: prices.chain(counters).collect(),
        }
    }
}
