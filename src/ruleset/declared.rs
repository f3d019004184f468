//! Declarations of the rules: ranks, quantities, places, variables, scripts, and formulas for the value of a state.

pub use crate::state::terms::Lifetime;

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;

/// A rank: which seats count as having the most, or the least.
#[derive(Clone, Debug)]
pub struct Rank {
    /// The name of the rank.
    pub name: String,
    /// Whether the highest values lead, and not the lowest.
    pub top: bool,
    /// The number of seats that lead.
    pub leaders: NodeId,
    /// Whether those tied with the last leading seat are included.
    pub ties_in: bool,
    /// The values of rivals without a seat.
    pub rivals: Vec<NodeId>,
}

/// A number of each seat that cards may change: a stat, a price, the room of a place.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    /// The name of the quantity, as cards write it.
    pub name: String,
    /// The value of the quantity before changes.
    pub base: NodeId,
    /// The number of its arguments, at most 2.
    pub args: u8,
    /// The highest value that the quantity may have, applied after the changes; `None` if there is no upper bound.
    pub upper_bound: Option<NodeId>,
    /// The lowest value that the quantity may have, applied after the changes; `None` if there is no lower bound.
    pub lower_bound: Option<NodeId>,
    /// The quantity to rank seats by instead of this one.
    pub ranked: Option<u16>,
    /// The offset, in the cells of a seat, of its temporary differences: one cell for each [`Lifetime`], then their sum.
    pub differences: Option<u16>,
    /// Whether the quantity is a stat, which is displayed to players.
    pub stat: bool,
    /// Whether a loaded card changes the quantity.
    pub changed: bool,
}

/// The shape of a place: how cards lie in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A face-down pile, drawn from the top.
    Deck,
    /// A grid of rows and columns, open to all.
    Grid {
        /// The number of rows of the grid.
        rows: u16,
        /// The number of columns of the grid.
        columns: u16,
        /// Whether the slots are hexagons: a map in the shape of a large hexagon, so that two corners of the grid are not part of it.
        hexes: bool,
        /// Whether rows and columns go on at the other side; never with hexagons.
        endless: bool,
    },
    /// A row of slots.
    #[default]
    Slots,
}

/// A place that the rules declare, for cards.
#[derive(Clone, Debug, Default)]
pub struct PlaceDecl {
    /// The name of the place.
    pub name: String,
    /// Whether each seat has a place of this name.
    pub of_seat: bool,
    /// The shape of the place.
    pub shape: Shape,
    /// The index of the place's first instance in the layout; the other instances follow.
    pub first_instance: u16,
    /// The number of instances: one for each seat, or the piles of a deck.
    pub instances: u16,
    /// The kinds of cards that may lie there, as a bit set; 0 for all.
    pub kinds: u64,
    /// The quantity that limits the number of cards.
    pub limit: Option<u16>,
    /// Whether cards here are in play: they hear moments and change quantities.
    pub in_play: bool,
    /// Whether only its owner knows the cards here, or all others if they are hidden `from_owner`; without an owner nobody does.
    pub hidden: bool,
    /// Whether the cards here are hidden from the owner alone.
    pub from_owner: bool,
    /// Whether cards lie upon each other: a card that comes lies on top, and those above a card that goes move up.
    pub heap: bool,
    /// The code to run when a card leaves, with the card in local 1.
    pub on_leave: Option<Pc>,
    /// The counters of a leaving card that are added to counters of the seat: pairs of offsets.
    pub returned: Vec<(u16, u16)>,
    /// Of a deck, the place whose cards are shuffled into it when a card is drawn from it and it is empty.
    pub refill: Option<u16>,
}

impl PlaceDecl {
    /// Whether a slot exists: a hexagon map is a grid with two corners cut off.
    pub fn is_space(&self, slot: usize) -> bool {
        let Shape::Grid { columns, hexes: true, .. } = self.shape else { return true };
        let columns = columns as usize;
        let (rings, line) = (columns / 2, slot / columns + slot % columns);
        (rings..=3 * rings).contains(&line)
    }
}

/// The owner of a counter or place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The table owns it.
    Table,
    /// Each player owns one.
    Player,
    /// Each card owns one.
    Card,
}

/// The cells in which a definition's value is stored: `len` of them from `offset` on, relative to the owner's first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Whose cells they are; [`Owner::Card`] for a piece's cells and for a card's printed numbers.
    pub owner: Owner,
    /// The first cell: absolute for the table, relative to the base of a seat or piece; for a field, the index among a card's numbers.
    pub offset: u16,
    /// The number of cells.
    pub len: u16,
}

impl Slot {
    /// Whether a cell of an owner lies in it.
    pub(crate) fn has(&self, owner: Owner, offset: usize) -> bool {
        self.owner == owner && (usize::from(self.offset)..usize::from(self.offset + self.len)).contains(&offset)
    }
}

/// A counter, flag, set or tally.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name of the variable.
    pub name: String,
    /// The offset: an index of a cell of the table, or relative to the cells of a seat or piece.
    pub offset: u16,
    /// The number of cells.
    pub len: u16,
    /// The part of the game after which the value is reset.
    pub lifetime: Lifetime,
    /// What the values of the variable are.
    pub sort: VariableSort,
    /// The words of a set by bit, or of a tally by cell.
    pub words: Vec<NameId>,
    /// The kinds of cards and spaces that have the variable, as a bit set; all for variables of the table and of players.
    pub kinds: u64,
    /// Whether it is bookkeeping of the rules, which players are not shown.
    pub unshown: bool,
}

/// What the values of a variable are: numbers, words, or yes and no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSort {
    /// The value is a whole number.
    Counter,
    /// A resource: never below 0.
    Resource,
    /// The value is yes or no.
    Flag,
    /// The value is a set of words.
    Set,
    /// A number for each of several words.
    Tally,
}

/// A state-based check: it runs after every change of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Cards in play leave the game if their own condition to leave holds.
    Leaving,
    /// Surplus cards leave the game if their place has too little room.
    Room,
}

/// The text of a card's script.
#[derive(Clone, Debug)]
pub struct ScriptText {
    /// The card and its entry, for messages.
    pub owner: String,
    /// The index of the card's definition, or -1 for an entry of a kind.
    pub definition: i32,
    /// The source text of the script.
    pub text: String,
    /// The place of the script in the card's file.
    pub span: Option<crate::source::Span>,
    /// The words that its question offers.
    pub words: Vec<NameId>,
    /// The values that are evaluated before the script runs, and that it can read by name.
    pub lets: Vec<ScriptValue>,
}

impl ScriptText {
    /// Returns the names in the script, with all else that is made of letters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
    }
}

/// A named value for a script.
#[derive(Clone, Debug)]
pub struct ScriptValue {
    /// The name by which the script reads the value.
    pub name: String,
    /// The place of the name in the card's file.
    pub span: crate::source::Span,
    /// Whether the value is a boolean, so that the script gets `true` or `false`.
    pub truth: bool,
    /// The expression; its locals are the card, the card of the moment, and the player of the moment.
    pub value: NodeId,
}

/// A pack that a ruleset was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedPack {
    /// The name of the pack.
    pub name: String,
    /// The version, in the author's words.
    pub version: String,
    /// The hash of its `pack.toml`, rules and cards.
    pub hash: u64,
}

/// A formula for the value of a state, by which computer players of a style choose.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The name of the style; empty for the default style.
    pub style: String,
    /// The default number of imagined states for each choice, from 1 to [`MAX_STATES`](crate::style::MAX_STATES); `None` if the rules do
    /// not say.
    pub states: Option<u32>,
    /// The value for a seat, in thousandths of a point.
    pub value: NodeId,
}

/// What has to be done when a cell is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteEffect {
    /// The class of the cell; 0 if nothing depends on it.
    pub class: u32,
    /// The seat that owns it, or what stands for the table and for pieces.
    pub owner: u8,
    /// Its lifetime, if it lasts only for a while.
    pub lifetime: Option<Lifetime>,
    /// If it is a temporary difference of a quantity, how far behind it their sum lies; otherwise 0.
    pub to_sum: u8,
    /// Whether the state-based checks read it.
    pub is_checked: bool,
}
