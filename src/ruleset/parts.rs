//! Boards whose spaces are parts of cards: they lie where their cards lie in a grid, turned as these are, and go on in parts of the cards beside
//! them.

use crate::boards::{Board, SpaceSet};
use crate::cast;
use crate::state::layout::{Layout, piece};
use std::borrow::Cow;

/// At how many places of a side a part can come to the edge of its card: at its beginning, clockwise, in its middle, and at its end.
pub const PORTS_OF_SIDE: usize = 3;
/// The most sides of a card.
pub const MAX_SIDES: usize = 6;
/// The most ports of a card: those of its first side, of the next one clockwise, and so on.
pub const MAX_PORTS: usize = MAX_SIDES * PORTS_OF_SIDE;

/// Reads a cell of a state, by its index.
pub type Cells<'c> = &'c dyn Fn(usize) -> i32;

/// The steps to the row and column beside each side of a square, clockwise from the top.
const SQUARE: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
/// The same of a hexagon, whose rows are level, clockwise from the one above to the right.
const HEXAGON: [(i32, i32); 6] = [(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)];

/// The names of the sides of a square or of a hexagon, clockwise.
pub fn side_names(hexes: bool) -> &'static [&'static str] {
    if hexes { &["ne", "e", "se", "sw", "w", "nw"] } else { &["n", "e", "s", "w"] }
}

/// A part of a card, which is a space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardPart {
    /// The piece of which it is a part; `None` if the card is not in this game.
    pub card: Option<u16>,
    /// The ports at which it comes to the edge of the card as it is printed, as a bit set.
    pub ports: u32,
    /// The number that must be the same where parts touch.
    pub value: i32,
}

/// What lies beyond a port of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// No card.
    Nothing,
    /// A card, which has this part there, if any.
    Card(Option<u16>),
}

/// Where a card lies, and how it is turned.
#[derive(Clone, Copy, Debug)]
struct Lie {
    /// The cell of the first slot of its grid.
    first_slot: usize,
    slot: usize,
    turn: usize,
}

/// The grid in which cards lie whose parts are the spaces of a board.
#[derive(Clone, Debug, Default)]
pub struct PartsGrid {
    /// The index of the declared place.
    pub place: u16,
    /// For each instance of it its index and the cell of its first slot.
    pub instances: Box<[(usize, usize)]>,
    /// The numbers of rows and columns.
    pub size: [i32; 2],
    /// Whether it is a map of hexagons.
    pub hexes: bool,
    /// Whether rows and columns go on at the other side.
    pub endless: bool,
    /// For each instance of a place whether it is of the same shape and size.
    pub same_shape: Box<[bool]>,
}

/// What the cards of a grid are made of.
#[derive(Clone, Debug, Default)]
pub struct CardParts {
    /// The grid in which the cards must lie.
    pub grid: PartsGrid,
    /// The offset of the counter on cards that says by how many sides each is turned clockwise; `None` if they are never turned.
    pub turn: Option<u16>,
    /// The parts, by space.
    of_space: Box<[CardPart]>,
    /// For each piece the number of its row in `at_ports` plus 1; 0 for pieces without parts.
    rows_of_pieces: Box<[u16]>,
    /// The space at each port of a card; `None` where no part comes to the edge.
    at_ports: Vec<[Option<u16>; MAX_PORTS]>,
    /// The cell of the first piece, and how many cells each has.
    pieces: (usize, usize),
}

impl CardParts {
    /// Creates what is known of the parts of cards: `parts` says it for each space.
    pub fn new(layout: &Layout, grid: PartsGrid, turn: Option<u16>, parts: Vec<CardPart>) -> CardParts {
        let mut rows_of_pieces = vec![0; layout.pieces];
        let mut at_ports: Vec<[Option<u16>; MAX_PORTS]> = Vec::new();
        for (space, part) in (0_u16..).zip(&parts) {
            let Some(row) = part.card.and_then(|card| rows_of_pieces.get_mut(usize::from(card))) else { continue };
            if *row == 0 {
                at_ports.push([None; MAX_PORTS]);
                *row = cast::fit::<u16>(at_ports.len());
            }
            let ports = at_ports[usize::from(*row) - 1].iter_mut().enumerate();
            ports.filter(|(port, _)| part.ports >> port & 1 == 1).for_each(|(_, at)| *at = Some(space));
        }
        let pieces = (layout.piece_base, layout.piece_size);
        CardParts { grid, turn, of_space: parts.into(), rows_of_pieces: rows_of_pieces.into(), at_ports, pieces }
    }

    /// Returns the parts of a card.
    pub fn parts_of(&self, card: usize) -> impl Iterator<Item = usize> {
        let is_of = move |part: &CardPart| part.card.is_some_and(|of| usize::from(of) == card);
        self.of_space.iter().enumerate().filter(move |(_, part)| is_of(part)).map(|(space, _)| space)
    }

    /// Returns the piece of which a space is a part; `None` if the card is not in this game.
    pub fn card_of(&self, space: usize) -> Option<u16> {
        self.of_space.get(space).and_then(|part| part.card)
    }

    /// Returns how many sides the cards have.
    pub fn sides(&self) -> usize {
        if self.grid.hexes { HEXAGON.len() } else { SQUARE.len() }
    }

    fn piece_cell(&self, piece: usize, offset: usize, cells: Cells<'_>) -> i32 {
        cells(self.pieces.0 + piece * self.pieces.1 + offset)
    }

    /// Returns where a card lies in the grid; `None` if it lies elsewhere.
    fn lie(&self, card: usize, cells: Cells<'_>) -> Option<Lie> {
        let place = usize::try_from(self.piece_cell(card, piece::PLACE, cells)).ok()?;
        let &(_, first_slot) = self.grid.instances.iter().find(|(index, _)| *index == place)?;
        let slot = usize::try_from(self.piece_cell(card, piece::POSITION, cells)).ok()?;
        let turn = self.turn.map_or(0, |offset| self.turned(self.piece_cell(card, offset.into(), cells).into()));
        Some(Lie { first_slot, slot, turn })
    }

    /// Returns by how many sides a card is turned that is turned so often.
    fn turned(&self, times: i64) -> usize {
        cast::index(times.rem_euclid(cast::count(self.sides())))
    }

    /// Returns the slot that lies beyond a side of one; `None` beyond the edge of the grid.
    fn slot_beyond(&self, slot: usize, side: usize) -> Option<usize> {
        let [rows, columns] = self.grid.size;
        let (down, right) = if self.grid.hexes { HEXAGON[side] } else { SQUARE[side] };
        let slot = cast::fit::<i32>(slot);
        let (mut row, mut column) = (slot / columns + down, slot % columns + right);
        if self.grid.endless {
            (row, column) = (row.rem_euclid(rows), column.rem_euclid(columns));
        }
        let rings = columns / 2;
        let is_inside = (0..rows).contains(&row) && (0..columns).contains(&column);
        let is_in_corner = self.grid.hexes && !(rings..=3 * rings).contains(&(row + column));
        (is_inside && !is_in_corner).then(|| cast::fit::<usize>(row * columns + column))
    }

    /// Whether a part is there: its card lies in the grid.
    pub fn is_there(&self, space: usize, cells: Cells<'_>) -> bool {
        self.card_of(space).is_some_and(|card| self.lie(card.into(), cells).is_some())
    }

    /// Returns the card in a slot of the grid whose first slot is in a cell.
    fn card_in(&self, first_slot: usize, slot: usize, cells: Cells<'_>) -> Option<usize> {
        usize::try_from(cells(first_slot + slot) - 1).ok()
    }

    /// Returns the part at a port of a card as it is printed.
    fn part_at(&self, card: usize, port: usize) -> Option<u16> {
        let row = self.rows_of_pieces.get(card).and_then(|row| usize::from(*row).checked_sub(1))?;
        self.at_ports[row][port]
    }

    /// Returns the card that lies beyond a side of a card as it is printed, if the card lies so, and the side of that one which touches it.
    fn touched(&self, lie: Lie, side: usize, cells: Cells<'_>) -> Option<(usize, usize)> {
        let sides = self.sides();
        let side = (side + lie.turn) % sides;
        let other = self.slot_beyond(lie.slot, side).and_then(|slot| self.card_in(lie.first_slot, slot, cells))?;
        let turn = self.turn.map_or(0, |offset| self.turned(self.piece_cell(other, offset.into(), cells).into()));
        Some((other, (side + sides / 2 + sides - turn) % sides))
    }

    /// Returns what lies beyond a port of a card as it is printed, if the card lies so.
    fn beyond(&self, lie: Lie, port: usize, cells: Cells<'_>) -> Beyond {
        match self.touched(lie, port / PORTS_OF_SIDE, cells) {
            Some((other, facing)) => Beyond::Card(self.part_at(other, facing_port(facing, port))),
            None => Beyond::Nothing,
        }
    }

    /// Returns what lies beyond each port at which a part comes to the edge of its card; nothing if its card does not lie in the grid.
    fn all_beyond<'c>(&'c self, space: usize, cells: Cells<'c>) -> impl Iterator<Item = Beyond> {
        let part = self.of_space.get(space).copied().unwrap_or_default();
        let lie = part.card.and_then(|card| self.lie(card.into(), cells));
        let ports = (0..MAX_PORTS).filter(move |port| part.ports >> port & 1 == 1);
        lie.into_iter().flat_map(move |lie| ports.clone().map(move |port| self.beyond(lie, port, cells)))
    }

    /// Whether two parts that touch go on in each other.
    fn agree(&self, one: u16, other: u16) -> bool {
        let value = |space: u16| self.of_space.get(usize::from(space)).map(|part| part.value);
        value(one) == value(other)
    }

    /// Adds the parts in which a part goes on.
    fn add_neighbours(&self, space: usize, cells: Cells<'_>, near: &mut Vec<u16>) {
        for beyond in self.all_beyond(space, cells) {
            if let Beyond::Card(Some(other)) = beyond
                && self.agree(cast::fit::<u16>(space), other)
            {
                near.push(other);
            }
        }
    }

    /// Returns at how many ports a part ends beside which no card lies; 0 if its card does not lie in the grid.
    pub fn open_ends(&self, space: usize, cells: Cells<'_>) -> i64 {
        cast::count(self.all_beyond(space, cells).filter(|beyond| *beyond == Beyond::Nothing).count())
    }

    /// Returns the slot in which a piece lies, if its place has the size of the grid.
    pub fn slot_of(&self, piece: usize, cells: Cells<'_>) -> Option<usize> {
        let place = usize::try_from(self.piece_cell(piece, piece::PLACE, cells)).ok()?;
        let fits = self.grid.same_shape.get(place).copied().unwrap_or(false);
        usize::try_from(self.piece_cell(piece, piece::POSITION, cells)).ok().filter(|_| fits)
    }

    /// Whether a card can be laid into a slot of the grid of a seat, turned so often: nothing else lies there, a card lies beside it unless none lies in
    /// the grid at all, and where it touches others, parts that agree meet on both sides, or none.
    pub fn fits(&self, card: usize, (seat, slot): (usize, usize), turn: i64, cells: Cells<'_>) -> bool {
        let Some(&(_, first_slot)) = self.grid.instances.get(seat).or(self.grid.instances.first()) else { return false };
        if self.card_in(first_slot, slot, cells).is_some_and(|there| there != card) {
            return false;
        }
        let (sides, lie) = (self.sides(), Lie { first_slot, slot, turn: self.turned(turn) });
        let mut touches = false;
        for side in 0..sides {
            // The card itself goes away from where it lies.
            let Some((other, facing)) = self.touched(lie, side, cells).filter(|(other, _)| *other != card) else { continue };
            touches = true;
            for port in side * PORTS_OF_SIDE..(side + 1) * PORTS_OF_SIDE {
                let meet = match (self.part_at(card, port), self.part_at(other, facing_port(facing, port))) {
                    (Some(own), Some(other)) => self.agree(own, other),
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                };
                if !meet {
                    return false;
                }
            }
        }
        let lies_there = self.lie(card, cells).is_some_and(|lie| lie.first_slot == first_slot);
        touches || cells(first_slot - 1) == i32::from(lies_there)
    }
}

/// Returns the port of a side that touches a port of another card: where one side begins, the other one ends.
fn facing_port(side: usize, port: usize) -> usize {
    side * PORTS_OF_SIDE + PORTS_OF_SIDE - 1 - port % PORTS_OF_SIDE
}

impl Board {
    /// Returns the neighbours of a space, ascending: what is printed, and the parts in which a part of a card goes on. `found` is working memory.
    pub fn near<'n>(&'n self, space: usize, cells: Cells<'_>, found: &'n mut Vec<u16>) -> &'n [u16] {
        let Some(parts) = &self.parts else { return &self.neighbours[space] };
        found.clear();
        found.extend_from_slice(&self.neighbours[space]);
        parts.add_neighbours(space, cells, found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the neighbours of all spaces.
    pub fn all_near(&self, cells: Cells<'_>) -> Cow<'_, [Box<[u16]>]> {
        let near = |space| self.near(space, cells, &mut Vec::new()).into();
        if self.parts.is_some() { (0..self.count()).map(near).collect() } else { Cow::Borrowed(&self.neighbours) }
    }

    /// Returns the spaces of this board on which nothing lies in a grid of the same size, but beside which something does. `first_slot` is the cell of the
    /// first slot of the grid.
    pub fn beside(&self, first_slot: usize, cells: Cells<'_>) -> SpaceSet {
        let is_taken = |space: u16| cells(first_slot + usize::from(self.slots[usize::from(space)])) != 0;
        let mut set = SpaceSet::default();
        for space in (0..cast::fit::<u16>(self.count())).filter(|space| is_taken(*space)) {
            let near = &self.neighbours[usize::from(space)];
            near.iter().filter(|near| !is_taken(**near)).for_each(|&near| set.add(near.into()));
        }
        set
    }
}
