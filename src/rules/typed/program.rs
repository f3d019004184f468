//! What the game goes through: phases, steps, turns and their actions, and what follows a loss.

use super::super::defs::DefId;
use super::{Bind, Block, Cards, Expr, Stmt, TokenPrice};
use crate::source::Span;

/// A phase with its parts in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A step.
    Step(Step),
    /// Turns.
    Turns(Turns),
    /// A statement.
    Do(Stmt),
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// When it is gone through.
    pub when: Option<Expr>,
    /// What is done.
    pub block: Block,
}

/// Turns until all have passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The flag of those who have.
    pub passed: DefId,
    /// The counter of the turns that a player has begun in this round, if there is one.
    pub counted: Option<DefId>,
    /// Where that stands.
    pub span: Span,
    /// How many actions a turn has.
    pub actions_each: Option<Expr>,
    /// What is done before a player's first action.
    pub first: Option<Block>,
    /// What can be done.
    pub actions: Vec<Action>,
}

/// An action of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// It does not use up an action of the turn.
    pub free: bool,
    /// What is chosen with it.
    pub params: Vec<ActionParam>,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What must be paid.
    pub costs: Vec<Cost>,
    /// What it does.
    pub does: Block,
    /// Where it stands.
    pub span: Span,
}

/// What is chosen with an action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionParam {
    /// The cards on offer.
    pub cards: Cards,
    /// It may be left out.
    pub maybe: bool,
    /// The word before it in the option's key.
    pub word: Option<String>,
}

/// What must hold for an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Its name.
    pub name: String,
    /// The condition.
    pub holds: Expr,
    /// What a person is told.
    pub reason: String,
}

/// What an action costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// So many of a resource.
    Resource(Expr, u16),
    /// So much of what tokens show.
    Tokens(TokenPrice),
}

/// What happens when a player must lose more than it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortage {
    /// For these resources.
    pub resources: Vec<u16>,
    /// The resource.
    pub resource: Bind,
    /// What is missing.
    pub missing: Bind,
    /// What happens.
    pub block: Block,
}
