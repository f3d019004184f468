//! The program of a game: its parts in order, turns, and the actions of turns.

use super::node::NodeId;
use super::ruleset::{BodyId, NameId};
use super::statement::Direction;
use super::tokens::TokenCost;
use crate::source::Span;

/// A condition that refuses, with its name and reason.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Name in the rules file.
    pub name: String,
    /// Must be true.
    pub node: NodeId,
    /// What a person is told.
    pub reason: String,
    /// How many parameters must be known before it can be read.
    pub stage: u8,
    /// It concerns only candidates of these kinds, of the parameter last known: other kinds pass without a look.
    pub kinds: Option<u64>,
    /// What must hold for those, if it is the same for all candidates: read once in an enumeration.
    pub once: Option<NodeId>,
}

/// What an action costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// How many.
    pub amount: NodeId,
    /// Index of the resource; [`u8::MAX`] when tokens pay.
    pub resource: u8,
    /// The price in what tokens show, if they pay.
    pub tokens: Option<TokenCost>,
    /// How many parameters must be known before it can be read.
    pub stage: u8,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct Param {
    /// Set of candidates.
    pub set: u32,
    /// It may be left out.
    pub maybe: bool,
    /// Word before it in the option's key.
    pub word: Option<NameId>,
}

/// An action of a turn.
#[derive(Clone, Debug)]
pub struct Action {
    /// First word of its option keys.
    pub name: NameId,
    /// Address, for messages.
    pub address: String,
    /// Does not use up an action of the turn.
    pub free: bool,
    /// What is chosen with it.
    pub params: Vec<Param>,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What must be paid.
    pub costs: Vec<Cost>,
    /// What it does.
    pub body: BodyId,
    /// The parameter whose card acts, if the body says so.
    pub acting: Option<u8>,
}

/// One part of the program: what the game goes through.
#[derive(Clone, Debug)]
pub enum Part {
    /// Statements done once.
    Do(BodyId),
    /// A body for each player, one after another.
    Each(Direction, Option<NodeId>, BodyId),
    /// Cards dealt to seats from the start are put into play.
    Deal,
    /// A new round begins.
    Round,
    /// A phase begins.
    Phase(u16),
    /// A step begins: skipped to the part given when the condition is false.
    Step(u16, Option<NodeId>, u32),
    /// A step ends.
    StepEnd(u16),
    /// Turns until all have passed.
    Turns(u16),
    /// The round ends: back to the part given while rounds are left.
    RoundEnd(u32),
    /// The game ends.
    Finish,
}

/// Turns of a phase.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Name of the question.
    pub question: String,
    /// Flag of a seat that takes no more turns.
    pub passed: u16,
    /// Counter of the turns that a seat has begun in this round, if there is one.
    pub taken: Option<u16>,
    /// Done before a seat's first action of the round.
    pub first: Option<BodyId>,
    /// Where the rules say so.
    pub span: Option<Span>,
    /// Actions of the turn that begins.
    pub actions_each: NodeId,
    /// What can be done.
    pub actions: Vec<u16>,
}
