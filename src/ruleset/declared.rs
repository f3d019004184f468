//! What rules declare: ranks, quantities, places, variables, scripts and what a state is worth.

pub use crate::state::terms::Lifetime;

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;

/// A rank: who counts as being on top, or at the bottom.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Its name.
    pub name: String,
    /// From the top, or from the bottom.
    pub top: bool,
    /// How many count.
    pub leaders: NodeId,
    /// Whether those tied at the edge count.
    pub ties_in: bool,
    /// What rivals without a seat have.
    pub rivals: Vec<NodeId>,
}

/// Something that cards may change, for one seat: a stat, a price, the room of a place.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Its name, as cards write it.
    pub name: String,
    /// Without changes.
    pub base: NodeId,
    /// Number of arguments.
    pub args: u8,
    /// Highest value, applied after the changes.
    pub most: Option<NodeId>,
    /// Lowest value, applied after the changes.
    pub least: Option<NodeId>,
    /// Quantity by which it is ranked, if not by itself.
    pub ranked: Option<u16>,
    /// Seat offset of its lasting differences, one cell for each [`Lifetime`] and behind them one for their sum.
    pub differences: Option<u16>,
    /// A stat (shown to people), not only a changeable number.
    pub stat: bool,
    /// Whether some loaded card changes it.
    pub changed: bool,
}

/// What a place is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A face-down pile, drawn from the top.
    Deck,
    /// Rows and columns, open to all.
    Grid {
        /// Number of rows.
        rows: u16,
        /// Number of columns.
        columns: u16,
        /// The spaces are hexagons around a middle: two corners of the square are no spaces.
        hexes: bool,
    },
    /// Open slots.
    Slots,
}

/// A place as declared.
#[derive(Clone, Debug)]
pub struct PlaceDecl {
    /// Its name.
    pub name: String,
    /// Every seat has one.
    pub of_seat: bool,
    /// Shape.
    pub shape: Shape,
    /// Index of its first instance in the layout; those of other seats, or of other ages, follow.
    pub first: u16,
    /// Number of instances.
    pub instances: u16,
    /// Bit set of the kinds that may lie there.
    pub kinds: u64,
    /// Quantity that says how many cards have room.
    pub limit: Option<u16>,
    /// Cards here hear moments and change quantities.
    pub hearing: bool,
    /// Only its owner knows what lies here, and on the table nobody.
    pub hidden: bool,
    /// Where that begins which happens to a card that leaves, with the card in local 1.
    pub on_leave: Option<Pc>,
    /// Counters of a card that leaves which are added to counters of the seat: both offsets.
    pub returned: Vec<(u16, u16)>,
}

impl PlaceDecl {
    /// Whether something can lie in a slot: on a map of hexagons all of whose rows and columns together are neither too low nor too
    /// high.
    pub fn is_space(&self, slot: usize) -> bool {
        let Shape::Grid { columns, hexes: true, .. } = self.shape else { return true };
        let columns = columns as usize;
        let (rings, line) = (columns / 2, slot / columns + slot % columns);
        (rings..=3 * rings).contains(&line)
    }
}

/// A counter, flag, set or tally.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Offset: a cell of the table, or from the seat's or piece's base.
    pub offset: u16,
    /// Number of cells.
    pub len: u16,
    /// How long it lasts.
    pub lifetime: Lifetime,
    /// Truth, a bit set, or a number.
    pub sort: VariableSort,
    /// Of a set or a tally its words, by bit or by cell.
    pub words: Vec<NameId>,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSort {
    /// A whole number.
    Counter,
    /// A resource: never below 0, gained and lost.
    Resource,
    /// Yes or no.
    Flag,
    /// A set of words.
    Set,
    /// A number for each of several words.
    Tally,
}

/// A state-based check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Cards in play leave when they say so.
    Leaving,
    /// Cards leave that lie beyond the room of their place.
    Room,
}

/// A script of a card, as text.
#[derive(Clone, Debug)]
pub struct ScriptText {
    /// Card and hook, for messages.
    pub owner: String,
    /// Definition, or -1 for a kind's entry.
    pub definition: i32,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Option<crate::source::Span>,
    /// Words that its question offers.
    pub words: Vec<NameId>,
    /// What is worked out just before it runs.
    pub lets: Vec<Named>,
}

/// A value that a script knows by a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: crate::source::Span,
    /// It is yes or no.
    pub truth: bool,
    /// What it is; the locals are the card that speaks, the moment's card and player.
    pub value: NodeId,
}

/// A pack that a ruleset was made with, for those who want to know afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackOf {
    /// Its name.
    pub name: String,
    /// Its version, in its author's words.
    pub version: String,
    /// Hash of its `pack.toml`, its rules and its cards.
    pub hash: u64,
}

/// What a state is worth to machine players of a style.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The name of the style; that of everybody has none.
    pub style: String,
    /// How many states they imagine unless told otherwise, from 1 to [`MOST_STATES`](crate::style::MOST_STATES).
    pub states: u32,
    /// What it is worth to a seat, in thousandths.
    pub value: NodeId,
}
