//! Purses: what prices in several words are paid with.

use super::{Cards, Expr, Target};
use crate::engine::node::Type;

/// What a price in several words can be paid with.
#[derive(Clone, Debug)]
pub struct Purse {
    /// The type of the words.
    pub over: Type,
    /// What pays, in the order in which it is used.
    pub means: Vec<Means>,
}

/// Something in a purse.
#[derive(Clone, Debug)]
pub struct Means {
    /// The words for any of which it pays, as a bit set; of cards each says it for itself.
    pub words: u64,
    /// How much there is of it.
    pub supply: Supply,
    /// What is used up when it pays, with its name for players; `None` if it stays as it is.
    pub taken: Option<(Taken, String)>,
}

/// How much there is of something in a purse.
#[derive(Clone, Debug)]
pub enum Supply {
    /// A number.
    Number(Expr),
    /// One of each of some cards, for any of the words whose bits this number of the card has.
    OneOfEach(Box<Cards>, Expr),
}

/// What is used up when something in a purse pays.
#[derive(Clone, Debug)]
pub enum Taken {
    /// A counter, or an entry of a tally.
    Written(Target),
    /// A resource, by its index.
    Resource(u16),
}
