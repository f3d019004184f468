//! Statements, as the engine runs them, and the questions among them.

use super::node::NodeId;
use super::ruleset::{BodyId, NameId};
use super::tokens::TokenStmt;

/// What a statement writes to.
#[derive(Clone, Debug)]
pub enum Target {
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat spoken of.
    Own(u16),
    /// One of a row of cells of the seat.
    OwnAt(u16, u16, NodeId),
    /// A counter of a piece.
    Counter(NodeId, u8),
}

/// How a statement writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}

/// One thing that can be chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is offered.
    pub offer: Offer,
    /// When.
    pub when: Option<NodeId>,
    /// What it does.
    pub body: BodyId,
    /// How often it can be picked, in a series of picks.
    pub up_to: Option<NodeId>,
}

/// What a choice offers.
#[derive(Clone, Debug)]
pub enum Offer {
    /// A word.
    Word {
        /// The word.
        name: NameId,
        /// The key is the word alone, without `choose` before it.
        bare: bool,
    },
    /// Each card of a set.
    Cards(u32),
}

/// A question with its choices.
#[derive(Clone, Debug)]
pub struct Question {
    /// Stable id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// Several may be chosen, one after another in declared order.
    pub picks: bool,
    /// The choices.
    pub choices: Vec<Choice>,
    /// What happens when nothing can be chosen.
    pub otherwise: Option<BodyId>,
}

/// How seats follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// First to last.
    Forward,
    /// Last to first.
    Reverse,
}

/// A key of an order of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// More of an expression goes first.
    By(NodeId),
    /// The present order.
    Present,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Gain a number of a resource (an index among the resources).
    Gain(NodeId, NodeId),
    /// Lose, with what follows when there is less; the name lets cards replace it.
    Lose(NodeId, NodeId, Option<u16>),
    /// Pay what one has.
    Pay(NodeId, NodeId),
    /// Pay a number of resources in any mix.
    PayMix(NodeId, Box<[u8]>),
    /// Write a cell.
    Write(Target, Write, NodeId),
    /// Put a bit into a set of the seat.
    AddBit(u16, NodeId),
    /// Draw from a deck into a place; the name lets cards replace it.
    Draw(u16, NodeId, u16, Option<u16>),
    /// Fill the gaps of a grid from a deck.
    Fill(u16, u16, NodeId),
    /// Remove all cards of a set.
    RemoveSet(u32),
    /// Remove one card.
    Remove(NodeId),
    /// Move the cards of a row to another row of a grid, packed left.
    MoveRow(u16, NodeId, NodeId),
    /// Take copies of the cards that a printed list names out of the box into a place.
    Put(NodeId, u16, u16),
    /// Take copies of cards out of the box into a place.
    PutNamed(Box<[i32]>, u16),
    /// Put a card into the slot of its kind.
    PlaceInSlot(NodeId),
    /// Put a card into a place; the flag lets it cover another even if there is room.
    PlaceIn(NodeId, u16, bool),
    /// Raise a moment and wait for its hearers.
    Moment(u16, Option<NodeId>),
    /// One or the other.
    If(NodeId, BodyId, Option<BodyId>),
    /// For each index of a list, in a local.
    ForWords(u8, Box<[i32]>, BodyId),
    /// For each card of a set.
    ForCards(u32, BodyId),
    /// So many times.
    Repeat(NodeId, BodyId),
    /// Each player, one after another.
    EachPlayer(Direction, Option<NodeId>, BodyId),
    /// All players at once.
    AllPlayers(Option<NodeId>, BodyId),
    /// A question.
    Ask(u32),
    /// An effect of the rules, with arguments.
    Effect(u16, Vec<NodeId>),
    /// A new order of seats.
    OrderBy(Box<[OrderKey]>),
    /// An order by chance.
    OrderRandom,
    /// The action printed on a card.
    CardActs(NodeId),
    /// Something with tokens.
    Tokens(Box<TokenStmt>),
}

/// A body of an effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// Number of parameters; they are locals 1, 2, ….
    pub params: u8,
    /// What it does.
    pub body: BodyId,
}
