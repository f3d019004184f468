//! What a seat sees, in sections for people: the table, and each seat. What is shown, and where, follows from what the rules declare.

use std::collections::BTreeMap;

use crate::agent::{Had, InOrder, Owned, Seen, SeenCard, SeenPlace};
use crate::engine::reasons::Price;
use crate::engine::ruleset::{Shape, Variable};
use crate::engine::{Game, Ruleset};

use super::chairs::Chair;
use super::words::Words;

/// What belongs together: the table, or a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub title: String,
    /// Whose it is; nobody's is the table.
    pub seat: Option<usize>,
    /// What is there.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Short facts under a heading, which may be empty.
    Facts {
        /// What they are.
        title: String,
        /// One after another.
        facts: Vec<String>,
    },
    /// A grid of rows and columns.
    Grid {
        /// Its name.
        title: String,
        /// How many columns.
        columns: usize,
        /// Of a map of hexagons how many rings lie around its middle.
        rings: Option<usize>,
        /// Row after row; a slot that is no space is `None`.
        cells: Vec<Option<Cell>>,
    },
}

/// What lies in a space of a grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it is called; empty if nothing lies there.
    pub name: String,
    /// What else is to be known of it: prices, counters.
    pub notes: Vec<String>,
}

impl Cell {
    /// Name and notes.
    pub fn text(&self) -> String {
        match (self.name.is_empty(), self.notes.is_empty()) {
            (true, _) => "-".to_string(),
            (false, true) => self.name.clone(),
            (false, false) => format!("{} ({})", self.name, self.notes.join(", ")),
        }
    }
}

/// What a seat sees of a game, with what each card would cost it. The table comes first, then the seat itself, then the others in turn
/// order.
pub fn sheet(rules: &Ruleset, game: &Game, seen: &Seen<'_>, seat: usize, words: &Words, chairs: &[Chair]) -> Vec<Section> {
    let mut position = Game::default();
    game.view_of(rules, seat).position(rules, 0, &mut position);
    let mut prices: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    position.watch(seat);
    let all = position.prices(rules, seat);
    let actions: std::collections::BTreeSet<u16> = all.iter().map(|price| price.action).collect();
    for price in &all {
        prices.entry(price.card).or_default().push(price_text(rules, words, price, actions.len() > 1));
    }
    let drawn = Drawn { rules, words, prices };
    let mut parts = vec![Section { title: "table".to_string(), seat: None, blocks: drawn.owned(&seen.table) }];
    let order: Vec<usize> = seen.order.iter().filter_map(|name| seen.seats.iter().position(|seat| seat.seat == *name)).collect();
    let first = order.iter().position(|other| *other == seat).unwrap_or(0);
    for place in 0..order.len() {
        let number = order[(first + place) % order.len()];
        let of_seat = &seen.seats[number];
        let who = chairs.get(number).map(Chair::to_string).unwrap_or_default();
        let you = if number == seat && chairs.len() > 1 { ", you" } else { "" };
        let points = of_seat.points.map_or_else(|| "points not known".to_string(), |points| format!("{points} points"));
        let title = if who.is_empty() { format!("{}: {points}", of_seat.seat) } else { format!("{} ({who}{you}): {points}", of_seat.seat) };
        let mut blocks = Vec::new();
        let stats = of_seat.stats.0.iter().map(|(name, value)| format!("{} {}", words.word(name), known(*value)));
        let stats: Vec<String> = stats.collect();
        if !stats.is_empty() {
            blocks.push(Block::Facts { title: String::new(), facts: stats });
        }
        blocks.extend(drawn.owned(&of_seat.owned));
        let rows: Vec<String> = of_seat
            .score
            .0
            .iter()
            .filter(|row| row.1 != Some(0))
            .map(|(name, value)| format!("{} {}", words.word(name), known(*value)))
            .collect();
        if !rows.is_empty() && of_seat.score.0.len() > 1 {
            blocks.push(Block::Facts { title: "score".to_string(), facts: rows });
        }
        parts.push(Section { title, seat: Some(number), blocks });
    }
    parts
}

/// A figure that may not be known.
fn known(value: Option<i64>) -> String {
    value.map_or_else(|| "?".to_string(), |value| value.to_string())
}

fn price_text(rules: &Ruleset, words: &Words, price: &Price, named: bool) -> String {
    let costs: Vec<String> = price.costs.iter().map(|(amount, what)| format!("{amount} {}", words.word(rules.names.text(*what)))).collect();
    let costs = costs.join(" + ");
    if !named {
        return costs;
    }
    format!("{} {costs}", words.word(rules.names.text(rules.actions[price.action as usize].name)))
}

struct Drawn<'a> {
    rules: &'a Ruleset,
    words: &'a Words,
    /// Of each card what actions would cost with it.
    prices: BTreeMap<usize, Vec<String>>,
}

impl Drawn<'_> {
    fn owned(&self, owned: &Owned<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        let facts: Vec<String> = owned.has.0.iter().filter_map(|(name, had)| self.had(name, had)).collect();
        if !facts.is_empty() {
            blocks.push(Block::Facts { title: String::new(), facts });
        }
        for (name, tokens) in &owned.pools.0 {
            let facts = tokens.0.iter().map(|(key, count)| if *count == 1 { key.to_string() } else { format!("{count} {key}") }).collect();
            blocks.push(Block::Facts { title: self.words.word(name), facts });
        }
        let mut decks = Vec::new();
        let mut empty = Vec::new();
        for (name, place) in &owned.places.0 {
            let declared = name.split('[').next().unwrap_or(name);
            let Some(declared) = self.rules.find_place(declared).map(|at| &self.rules.places[at]) else { continue };
            let title = self.words.word(name);
            match declared.shape {
                Shape::Deck if place.cards.is_empty() => decks.push(format!("{title} {}", place.hidden)),
                Shape::Grid { rows, columns, hexes } => blocks.push(Block::Grid {
                    title,
                    columns: columns.into(),
                    rings: hexes.then_some(usize::from(columns) / 2),
                    cells: self.grid(place, (rows.into(), columns.into()), |slot| declared.is_space(slot)),
                }),
                Shape::Slots if place.cards.is_empty() && place.hidden == 0 => empty.push(title),
                Shape::Deck | Shape::Slots => {
                    let mut facts: Vec<String> = place.cards.iter().map(|card| self.cell(card).text()).collect();
                    match place.hidden {
                        0 => {}
                        1 => facts.push("a hidden card".to_string()),
                        hidden => facts.push(format!("{hidden} hidden cards")),
                    }
                    blocks.push(Block::Facts { title, facts });
                }
            }
        }
        if !decks.is_empty() {
            blocks.push(Block::Facts { title: "decks".to_string(), facts: decks });
        }
        if !empty.is_empty() {
            blocks.push(Block::Facts { title: "empty".to_string(), facts: empty });
        }
        blocks
    }

    fn grid(&self, place: &SeenPlace<'_>, (rows, columns): (usize, usize), is_space: impl Fn(usize) -> bool) -> Vec<Option<Cell>> {
        let mut cells: Vec<Option<Cell>> = (0..rows * columns).map(|slot| is_space(slot).then(Cell::default)).collect();
        for card in &place.cards {
            let slot = card.at.map(|at| (at.row - 1) * columns + at.column - 1);
            if let Some(cell) = slot.and_then(|slot| cells.get_mut(slot)) {
                *cell = Some(self.cell(card));
            }
        }
        cells
    }

    fn cell(&self, card: &SeenCard<'_>) -> Cell {
        let counters = card.has.0.iter().filter_map(|(name, had)| self.had(name, had));
        let prices = self.prices.get(&card.piece).into_iter().flatten().cloned();
        Cell { name: self.words.card(card.card).to_string(), notes: prices.chain(counters).collect() }
    }

    /// What is had of something; what need not be said is left out: what is no, nothing, or the program's own. A resource is told also
    /// where there is none.
    fn had(&self, name: &str, had: &Had<'_>) -> Option<String> {
        if is_own(self.rules, name) {
            return None;
        }
        let resource = self.rules.names.find(name).is_some_and(|name| self.rules.resources.contains(&name));
        let name = self.words.word(name);
        match had {
            Had::Number(0) if !resource => None,
            Had::Number(number) => Some(format!("{name} {number}")),
            Had::Truth(truth) => truth.then_some(name),
            Had::Words(set) if set.is_empty() => None,
            Had::Words(set) => Some(format!("{name}: {}", set.iter().map(|word| self.words.word(word)).collect::<Vec<_>>().join(" and "))),
            Had::Tally(tally) if tally.is_empty() => None,
            Had::Tally(InOrder(tally)) => {
                let counts: Vec<String> = tally.iter().map(|(word, count)| format!("{} {count}", self.words.word(word))).collect();
                Some(format!("{name}: {}", counts.join(" and ")))
            }
        }
    }
}

/// Whether a variable is the program's own, and no player's affair: names in several words are, and the count of rolls.
pub(super) fn is_own(rules: &Ruleset, name: &str) -> bool {
    let counts_rolls = |variable: &Variable, cell: u16| variable.name == name && variable.offset == cell;
    let (of_table, of_seat) = rules.rolled;
    name.contains(' ')
        || !rules.tokens.is_empty()
            && (rules.table.iter().any(|variable| counts_rolls(variable, of_table))
                || rules.seat.iter().any(|variable| counts_rolls(variable, of_seat)))
}
