//! The program of a game: phases, steps, turns and their actions, and shortages.

use super::super::defs::DefId;
use super::{BindingId, Block, Cards, Expr, Stmt, TokenPrice};
use crate::source::Span;

/// A phase with its parts in order.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The name of the phase.
    pub name: String,
    /// The condition until which the parts are repeated; `None` if they run once.
    pub until: Option<Expr>,
    /// The parts, in the order in which they run.
    pub parts: Vec<PhasePart>,
}

/// A part of a phase.
#[derive(Clone, Debug)]
pub enum PhasePart {
    /// A named step.
    Step(Step),
    /// Turns of the players.
    Turns(Turns),
    /// A single statement.
    Do(Stmt),
}

/// A named step of a phase.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the step.
    pub name: String,
    /// The condition under which the step runs; `None` if it always does.
    pub when: Option<Expr>,
    /// The statements to run in the step.
    pub block: Block,
}

/// Turns, which are taken until all players have passed, a condition holds, or nobody can act.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The flag of players who have passed; `None` if no flag ends the turns of a player.
    pub passed: Option<DefId>,
    /// The condition under which no further turn begins, evaluated for the player whose turn it would be.
    pub until: Option<Expr>,
    /// Whether players who can do nothing have no turn.
    pub skips: bool,
    /// The counter of turns that a player has begun in this round.
    pub counted: Option<DefId>,
    /// The place of the `turns` line.
    pub span: Span,
    /// The number of actions per turn; one if `None`.
    pub actions_each: Option<Expr>,
    /// Statements that run before a player's first action.
    pub first: Option<Block>,
    /// The actions to choose from.
    pub actions: Vec<Action>,
}

/// An action of a turn.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name of the action.
    pub name: String,
    /// Whether the action does not count as one of the turn's actions.
    pub free: bool,
    /// The cards that the player chooses together with the action.
    pub params: Vec<ActionParam>,
    /// The conditions under which the action is allowed.
    pub guards: Vec<Guard>,
    /// The costs that the player must pay for the action.
    pub costs: Vec<Cost>,
    /// The statements that the action runs after its costs are paid.
    pub body: Block,
    /// Where the action is declared.
    pub span: Span,
}

/// A parameter of an action: a card that the player chooses together with it.
#[derive(Clone, Debug)]
pub struct ActionParam {
    /// The set of cards to choose from.
    pub cards: Cards,
    /// Whether the player may leave out this card.
    pub maybe: bool,
    /// The word in front of it in the option's key.
    pub word: Option<String>,
}

/// A condition for an action to be allowed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The name of the condition.
    pub name: String,
    /// The condition, which must hold for the action to be allowed.
    pub holds: Expr,
    /// The reason shown to the player if it does not hold.
    pub reason: String,
}

/// A cost of an action.
#[derive(Clone, Debug)]
pub enum Cost {
    /// An amount of a resource.
    Resource(Expr, u16),
    /// An amount of a symbol, paid with tokens.
    Tokens(TokenPrice),
}

/// Statements for a player who must lose more of a resource than available: `when short of …`.
#[derive(Clone, Debug)]
pub struct Shortage {
    /// The resources that the rule applies to.
    pub resources: Vec<u16>,
    /// The binding of the resource.
    pub resource: BindingId,
    /// The binding of the missing amount.
    pub missing: BindingId,
    /// The statements to run.
    pub block: Block,
}
