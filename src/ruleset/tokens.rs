//! Tokens: pieces that nothing tells apart but their sort and the face they show, and where they lie.

use crate::names::NameId;
use crate::node::NodeId;

/// A sort of token, such as a white die.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its name.
    pub name: NameId,
    /// How many there are.
    pub count: i32,
    /// Class of a token of this sort that shows nothing yet; of one that cannot be rolled, its only class.
    pub blank: u8,
    /// Class of each face, in declared order; empty for what cannot be rolled.
    pub faces: Vec<u8>,
    /// All its classes, as a bit set.
    pub classes: u64,
}

/// Tokens that nothing tells apart: a sort and the face it shows.
#[derive(Clone, Debug)]
pub struct TokenClass {
    /// The sort.
    pub token: u8,
    /// What it is called in option keys, such as `white:food`.
    pub key: NameId,
    /// How often it shows each symbol.
    pub shows: Vec<u8>,
}

/// Where tokens lie: one cell for each class.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its name.
    pub name: NameId,
    /// Every seat has one.
    pub of_seat: bool,
    /// Its first cell: of the table, or from the seat's base.
    pub offset: u16,
    /// Tokens lie here without showing a face.
    pub face_down: bool,
    /// All tokens lie here at the start.
    pub full: bool,
}

/// Several tokens of a kind that stand for one of some symbols.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// How many.
    pub count: u8,
    /// Sorts of token, as a bit set.
    pub tokens: u64,
    /// Symbols, as a bit set.
    pub symbols: u64,
}

/// Which tokens are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSet {
    /// Classes, as a bit set.
    pub classes: u64,
    /// Only of this sort.
    pub of: Option<NodeId>,
    /// Only those that show this symbol.
    pub showing: Option<NodeId>,
    /// The classes once more, as a mask that whole rows of counts are summed by.
    pub mask: Box<[i32]>,
}

/// Counts that are summed at a time.
pub const LANES: usize = 4;

/// For each class all bits if it is in a bit set, none if not; filled up to whole rows of lanes.
pub fn mask_of(all: &[TokenClass], classes: u64) -> Box<[i32]> {
    let bit = |class: usize| if class < all.len() && classes >> class & 1 == 1 { -1 } else { 0 };
    (0..all.len().next_multiple_of(LANES)).map(bit).collect()
}

/// A series of picks among tokens.
#[derive(Clone, Debug)]
pub struct TokenPick {
    /// Its question.
    pub question: u32,
    /// Which tokens.
    pub set: u32,
    /// From these pools.
    pub pools: Box<[u8]>,
    /// At least so many; all there are, if there are fewer.
    pub least: NodeId,
    /// At most so many.
    pub most: Option<NodeId>,
    /// Local that holds the picked token.
    pub local: u8,
}

/// A price in symbols.
#[derive(Clone, Copy, Debug)]
pub struct TokenCost {
    /// How many.
    pub amount: NodeId,
    /// Which symbol.
    pub symbol: NodeId,
    /// Pool that pays.
    pub from: u8,
    /// Pool where it goes.
    pub to: u8,
}

/// More classes do not fit a bit set.
pub const MOST_CLASSES: usize = 62;

/// How much of a symbol tokens of a class show.
pub fn shows(class: &TokenClass, symbol: usize) -> u8 {
    class.shows.get(symbol).copied().unwrap_or(0)
}

/// The classes of which this is true, as a bit set.
pub fn classes_where(all: &[TokenClass], wanted: impl Fn(&TokenClass) -> bool) -> u64 {
    all.iter().enumerate().take(u64::BITS as usize).filter(|(_, class)| wanted(class)).fold(0, |mask, (i, _)| mask | 1 << i)
}
