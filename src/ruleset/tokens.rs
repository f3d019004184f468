//! Tokens, which are interchangeable if they have the same sort and show the same face, and their pools.

use crate::names::NameId;
use crate::node::NodeId;

/// A sort of token, such as a white die.
#[derive(Clone, Debug)]
pub struct Token {
    /// The name of the sort.
    pub name: NameId,
    /// How many tokens of this sort there are.
    pub count: i32,
    /// The class of these tokens while they show no face, before a roll; for a sort that cannot be rolled, its only class.
    pub blank: u8,
    /// The class of each face, in declared order; empty if these tokens cannot be rolled.
    pub faces: Vec<u8>,
    /// All classes of this sort, as a bit set.
    pub classes: u64,
}

/// A class of interchangeable tokens: a sort and a face.
#[derive(Clone, Debug)]
pub struct TokenClass {
    /// The index of the sort.
    pub token: u8,
    /// The name of the class in option keys, such as `white:food`.
    pub key: NameId,
    /// How much of each symbol a token of the class shows.
    pub shows: Vec<u8>,
}

/// A pool of tokens: one cell with a count for each class.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The name of the pool.
    pub name: NameId,
    /// Whether each seat has a pool of this name.
    pub of_seat: bool,
    /// The offset of its first cell, in the table's or a seat's cells.
    pub offset: u16,
    /// Whether tokens in this pool show no face.
    pub face_down: bool,
    /// Whether all tokens are in this pool at the start.
    pub full: bool,
    /// Whether only the pool's owner sees what lies there.
    pub hidden: bool,
}

/// An exchange: several tokens that count together as one unit of a symbol.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    /// The number of tokens for one unit.
    pub count: u8,
    /// The sorts of tokens that can be exchanged, as a bit set.
    pub tokens: u64,
    /// The symbols that can be paid by the exchange, as a bit set.
    pub symbols: u64,
}

/// A set of tokens that a statement or expression selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSet {
    /// The classes, as a bit set.
    pub classes: u64,
    /// Only tokens of this sort.
    pub sort: Option<NodeId>,
    /// Only tokens that show this symbol.
    pub showing: Option<NodeId>,
    /// The classes as a mask for summing counts in lanes.
    pub mask: Box<[i32]>,
}

/// The number of counts that are summed at a time.
pub const LANES: usize = 4;

/// Returns the mask of a bit set of classes: all bits set for a class in the set, and 0 for the others; padded to full lanes.
pub fn mask_of(all: &[TokenClass], classes: u64) -> Box<[i32]> {
    let bit = |class: usize| if class < all.len() && classes >> class & 1 == 1 { -1 } else { 0 };
    (0..all.len().next_multiple_of(LANES)).map(bit).collect()
}

/// A series of picks of tokens.
#[derive(Clone, Debug)]
pub struct TokenPick {
    /// The index of its question.
    pub question: u32,
    /// The index of the set of tokens that can be picked.
    pub set: u32,
    /// The pools to pick from.
    pub pools: Box<[u8]>,
    /// The least number of picks, or all tokens if there are fewer.
    pub least: NodeId,
    /// The most picks; `None` for no limit.
    pub most: Option<NodeId>,
    /// The local that holds the picked token.
    pub local: u8,
}

/// A cost in tokens that show a symbol.
#[derive(Clone, Copy, Debug)]
pub struct TokenCost {
    /// The expression for the amount to pay.
    pub amount: NodeId,
    /// The expression for the symbol that the tokens must show.
    pub symbol: NodeId,
    /// The pool that pays.
    pub from: u8,
    /// The pool that receives the tokens.
    pub to: u8,
}

/// The most classes, so that they fit a bit set.
pub const MAX_TOKEN_CLASSES: usize = 62;

/// Returns how much of a symbol a token of a class shows.
pub fn shown_count(class: &TokenClass, symbol: usize) -> u8 {
    class.shows.get(symbol).copied().unwrap_or(0)
}

/// Returns the classes for which `wanted` is true, as a bit set.
pub fn classes_where(all: &[TokenClass], wanted: impl Fn(&TokenClass) -> bool) -> u64 {
    all.iter().enumerate().take(u64::BITS as usize).filter(|(_, class)| wanted(class)).fold(0, |mask, (i, _)| mask | 1 << i)
}
