//! The program of a game: phases, steps, turns and their actions, and shortages.

use super::super::defs::DefId;
use super::{BindingId, Block, Cards, Expr, Seats, Stmt, TokenPrice};
use crate::engine::node::Type;
use crate::engine::ruleset::TextPart;
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
    /// Statements that run when any turn of a player begins.
    pub each: Option<Block>,
    /// Statements that run when any turn of a player ends.
    pub after: Option<Block>,
    /// The actions to choose from.
    pub actions: Vec<Choice>,
}

/// What can be chosen: an action of a turn, or an answer to a question.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The first word of the keys of its options, or the only one; `choose` if an answer has no words of its own.
    pub name: String,
    /// Whether `choose` stands before the name in the keys.
    pub chooses: bool,
    /// The text of the keys, if they are made of a text with values in it.
    pub text: Option<Vec<TextPart>>,
    /// Whether it is an action that does not count as one of the turn's actions.
    pub free: bool,
    /// What the player chooses together with it.
    pub params: Vec<ChoiceParam>,
    /// The condition under which it is offered; `None` if it always is.
    pub when: Option<Expr>,
    /// The conditions under which it is allowed.
    pub guards: Vec<Guard>,
    /// The costs that the player must pay for it.
    pub costs: Vec<Cost>,
    /// How often each option can be picked, in a series of picks; once if `None`.
    pub up_to: Option<Expr>,
    /// The statements that run after the costs are paid.
    pub body: Block,
    /// Where it is declared.
    pub span: Span,
}

impl Choice {
    /// Creates a choice of this name without anything to choose, conditions, costs and effects.
    pub(crate) fn new(name: String, span: Span) -> Choice {
        let (params, guards, costs, body) = (Vec::new(), Vec::new(), Vec::new(), Block::new());
        Choice { name, chooses: false, text: None, free: false, params, when: None, guards, costs, up_to: None, body, span }
    }

    /// Whether another choice is always offered with the same only option.
    pub fn is_same_word(&self, other: &Choice) -> bool {
        let alone = |choice: &Choice| choice.params.is_empty() && choice.when.is_none() && choice.guards.is_empty();
        self.name == other.name && alone(self) && alone(other)
    }
}

/// A parameter of a choice: what the player chooses together with it.
#[derive(Clone, Debug)]
pub struct ChoiceParam {
    /// What can be chosen.
    pub domain: Domain,
    /// Whether the player may leave it out.
    pub maybe: bool,
    /// The word in front of it in the option's key.
    pub word: Option<String>,
}

/// What can be chosen for a parameter.
#[derive(Clone, Debug)]
pub enum Domain {
    /// Each card of a set.
    Cards(Cards),
    /// Each of several words, which are resources or sorts of tokens.
    Words(BindingId, Vec<i32>, Type),
    /// Each number in a range, bounds included.
    Numbers(BindingId, Expr, Expr),
    /// Each of these players.
    Players(BindingId, Seats),
}

impl Domain {
    /// Returns the binding of what is chosen.
    pub fn bind(&self) -> BindingId {
        match self {
            Domain::Cards(cards) => cards.bind,
            Domain::Words(bind, ..) | Domain::Numbers(bind, ..) | Domain::Players(bind, _) => *bind,
        }
    }
}

/// A condition for a choice to be allowed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The name of the condition; `needs` if it has none.
    pub name: String,
    /// The condition, which must hold for the choice to be allowed.
    pub holds: Expr,
    /// The reason shown to the player if it does not hold.
    pub reason: String,
}

/// A cost of a choice.
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
