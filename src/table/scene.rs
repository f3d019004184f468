//! A game as a seat sees it, as data: what a page draws. Cards carry the index of their piece and options the pieces and spaces that they name, so
//! that an option can be shown on the thing itself.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

use crate::agent::{Owned, SeenCard, SeenGame, SeenPlace, describe_view, seat_name};
use crate::engine::ruleset::Shape;
use crate::engine::{Game, Ruleset};
use crate::lang::GameText;

use super::card::card_lines;
use super::picture::{SvgUse, board_picture, board_svg, lies_over_a_board};
use super::price_notes::price_notes;
use super::sheet::{facts_of_parts, seats_from};
use super::values::{partly_known_card, variables_text};
use super::words::DisplayNames;

/// The table, or one seat, with what lies there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SceneSection {
    /// Name of the table or of the seat, as rules and keys of options write it.
    pub title: String,
    /// The seat, from 0; `None` for the table.
    pub seat: Option<usize>,
    /// Resources, counters and stats, each as a short text.
    pub facts: Vec<String>,
    /// The places of cards and the pools of tokens.
    pub places: Vec<ScenePlace>,
}

/// How the cards of a place lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneShape {
    /// In rows and columns, or on a map of hexagons.
    Grid,
    /// Side by side.
    Slots,
    /// One upon the other.
    Deck,
    /// It is a board of spaces, drawn as a picture.
    Board,
    /// There are tokens and no cards.
    Pool,
}

/// A place of cards, a board or a pool of tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScenePlace {
    /// Name in the rules, with its owner or index.
    pub name: String,
    /// Name to be shown.
    pub title: String,
    /// How its cards lie.
    pub shape: SceneShape,
    /// Number of columns of a grid; 0 elsewhere.
    pub columns: usize,
    /// Number of rings around the middle of a map of hexagons.
    pub rings: Option<usize>,
    /// For each space of a grid, row by row, whether the map has it; empty elsewhere.
    pub spaces: Vec<bool>,
    /// Number of cards that the viewer does not know.
    pub hidden: usize,
    /// Tokens, each kind as a short text, or what the viewer has been told of cards that it does not know.
    pub facts: Vec<String>,
    /// The cards that the viewer knows, in order.
    pub cards: Vec<SceneCard>,
    /// The drawing of a board. Its spaces are groups with the attribute `data-space`, which is the name of the board, a stroke and the key of the
    /// space.
    pub svg: Option<String>,
}

/// A card that the viewer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SceneCard {
    /// Index of the piece, by which options name it.
    pub piece: usize,
    /// Id of the card.
    pub card: String,
    /// Name to be shown.
    pub name: String,
    /// Kind of the card, to be shown.
    pub kind: String,
    /// Prices, and counters that are not 0.
    pub notes: Vec<String>,
    /// Printed figures, and the text of the card, line by line.
    pub text: Vec<String>,
    /// Index of its space in a grid, from 0.
    pub slot: Option<usize>,
}

/// Describes what a seat sees of a game: the table, then the seat itself, then the others in turn order. Decks and pools of the table listed
/// in `unused` are left out.
pub fn scene(
    rules: &Ruleset,
    text: &GameText,
    game: &Game,
    seat: usize,
    words: &DisplayNames,
    unused: &BTreeSet<String>,
) -> Vec<SceneSection> {
    let view = game.view_of(rules, seat);
    let seen = describe_view(rules, &view);
    let prices = price_notes(rules, words, game, seat);
    let draw = SceneBuilder { rules, text, words, seen: &seen, prices };
    let mut places = draw.places(&seen.table);
    places.retain(|place| !unused.contains(&place.name));
    let table = SceneSection { title: "table".to_string(), seat: None, facts: draw.facts(&seen.table), places };
    let mut areas = vec![table];
    for number in seats_from(&seen, seat) {
        let of_seat = &seen.seats[number];
        let mut facts = draw.facts(&of_seat.owned);
        facts.extend(of_seat.stats.0.iter().filter_map(|(name, value)| Some(format!("{} {}", words.word_name(name), (*value)?))));
        areas.push(SceneSection { title: seat_name(number), seat: Some(number), facts, places: draw.places(&of_seat.owned) });
    }
    areas
}

struct SceneBuilder<'a> {
    rules: &'a Ruleset,
    text: &'a GameText,
    words: &'a DisplayNames,
    seen: &'a SeenGame<'a>,
    /// For each card the prices of the actions that use it.
    prices: BTreeMap<usize, Vec<String>>,
}

impl SceneBuilder<'_> {
    fn facts(&self, owned: &Owned<'_>) -> Vec<String> {
        variables_text(self.rules, self.words, &owned.variables)
    }

    fn places(&self, owned: &Owned<'_>) -> Vec<ScenePlace> {
        let pools = owned.pools.0.iter().map(|(name, tokens)| {
            let facts = tokens.0.iter().map(|(key, count)| format!("{count} {}", self.words.token_name(key))).collect();
            ScenePlace { facts, ..self.empty_place(name, SceneShape::Pool) }
        });
        pools.chain(owned.places.0.iter().filter_map(|(name, place)| self.place(name, place))).collect()
    }

    fn empty_place(&self, name: &str, shape: SceneShape) -> ScenePlace {
        ScenePlace {
            name: name.to_string(),
            title: self.words.word_name(name),
            shape,
            columns: 0,
            rings: None,
            spaces: Vec::new(),
            hidden: 0,
            facts: Vec::new(),
            cards: Vec::new(),
            svg: None,
        }
    }

    fn place(&self, name: &str, place: &SeenPlace<'_>) -> Option<ScenePlace> {
        let (rules, words) = (self.rules, self.words);
        if let Some(board) = rules.boards.iter().find(|board| board.name == name) {
            if board.parts.is_some() {
                let facts = facts_of_parts(rules, words, place);
                return (!facts.is_empty()).then(|| ScenePlace { facts, ..self.empty_place(name, SceneShape::Slots) });
            }
            let svg = Some(board_svg(&board_picture(rules, words, self.seen, board), SvgUse::Page));
            return Some(ScenePlace { svg, ..self.empty_place(name, SceneShape::Board) });
        }
        let index = rules.find_place(name.split('[').next().unwrap_or(name))?;
        let cards = |columns: usize| place.cards.iter().map(|card| self.card(card, columns)).collect();
        // What lies on the spaces of a board is drawn there; cards are listed for their figures.
        if lies_over_a_board(rules, index) && place.cards.is_empty() {
            return None;
        }
        let declared = &rules.places[index];
        Some(match declared.shape {
            Shape::Grid { rows, columns, hexes, .. } => ScenePlace {
                columns: columns.into(),
                rings: hexes.then_some(usize::from(columns) / 2),
                spaces: (0..usize::from(rows) * usize::from(columns)).map(|slot| declared.is_space(slot)).collect(),
                cards: cards(columns.into()),
                ..self.empty_place(name, SceneShape::Grid)
            },
            shape @ (Shape::Slots | Shape::Deck) => {
                let shape = if shape == Shape::Deck { SceneShape::Deck } else { SceneShape::Slots };
                let in_part = place.known_in_part.iter().map(|card| {
                    let (name, notes) = partly_known_card(words, card);
                    format!("{name}: {}", notes.join(", "))
                });
                ScenePlace { hidden: place.hidden, cards: cards(0), facts: in_part.collect(), ..self.empty_place(name, shape) }
            }
        })
    }

    fn card(&self, card: &SeenCard<'_>, columns: usize) -> SceneCard {
        let counters = variables_text(self.rules, self.words, &card.counters);
        let prices = self.prices.get(&card.piece_index).into_iter().flatten().cloned();
        let kind = self.rules.names.text(self.rules.kinds[self.rules.piece_kind[card.piece_index] as usize].name);
        SceneCard {
            piece: card.piece_index,
            card: card.card.to_string(),
            name: self.words.card_name(card.card).to_string(),
            kind: self.words.word_name(self.words.translations().kind(kind)),
            notes: prices.chain(counters).collect(),
            text: card_lines(self.text, self.words, card.card).unwrap_or_default().into_iter().skip(1).collect(),
            slot: card.grid_space.map(|at| (at.row - 1) * columns + at.column - 1),
        }
    }
}
