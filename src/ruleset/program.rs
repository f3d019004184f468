//! What the ops refer to: effects, shortage rules, questions with choices, turns and actions.

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;
use super::tokens::TokenCost;
use crate::cast;
use crate::source::Span;
use houserule_state::layout::Layout;

/// The most guards of an action.
pub const MAX_GUARDS: usize = 16;

/// The most parameters of an action.
pub const MAX_PARAMS: usize = 3;

/// The costs and guards of an action that can be tested once a certain number of parameters is chosen.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The indices of the costs.
    pub costs: Box<[u8]>,
    /// The indices of the guards.
    pub guards: Box<[u8]>,
}

/// Returns the stages of an action, by the number of chosen parameters.
pub fn list_stages(params: usize, guards: &[Guard], costs: &[Cost]) -> Box<[Stage]> {
    let stage = |stage: usize| Stage {
        costs: (0..costs.len()).filter(|&index| costs[index].stage as usize == stage).map(cast::fit::<u8>).collect(),
        guards: (0..guards.len()).filter(|&index| guards[index].stage as usize == stage).map(cast::fit::<u8>).collect(),
    };
    (0..=params).map(stage).collect()
}

/// An effect: a named routine of the rules, with parameters.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The name of the effect.
    pub name: String,
    /// The number of parameters; they are locals 1, 2, ….
    pub params: u8,
    /// The parameters that are cards, as a bit set of locals.
    pub cards: u16,
    /// The index of the effect's first op.
    pub first_op: Pc,
}

/// A shortage rule: what happens when a seat must lose more than it has.
#[derive(Clone, Debug)]
pub struct Shortage {
    /// The resources that it covers, as a bit set.
    pub resources: u64,
    /// The index of the first op of its code, which has the resource in local 1 and the missing amount in local 2.
    pub first_op: Pc,
}

/// A choice that a question offers.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What the player is offered.
    pub offer: Offer,
    /// The condition under which the choice is offered; `None` if it always is.
    pub when: Option<NodeId>,
    /// How often it can be picked, in a series of picks.
    pub up_to: Option<NodeId>,
}

/// What a choice offers to the player: one or several options.
#[derive(Clone, Debug)]
pub enum Offer {
    /// One option: a word.
    Word {
        /// The word to choose.
        name: NameId,
        /// Whether the option key is the word alone, without `choose`.
        bare: bool,
    },
    /// One option for each card of a set.
    Cards(u32),
    /// One option for each of several words.
    Words {
        /// The local that holds the word.
        local: u8,
        /// The words with their values in the local.
        words: Box<[(NameId, i32)]>,
    },
    /// One option for each number of a range.
    Numbers {
        /// The local that holds the number.
        local: u8,
        /// The lower bound, inclusive.
        from: NodeId,
        /// The upper bound, inclusive.
        to: NodeId,
    },
}

/// A question with its choices.
#[derive(Clone, Debug)]
pub struct Question {
    /// The stable id of the question.
    pub id: String,
    /// Whether the player may choose nothing.
    pub may: bool,
    /// Whether several can be chosen, one after another in declared order.
    pub picks: bool,
    /// The choices to offer.
    pub choices: Vec<Choice>,
}

/// A guard: a condition for an action, with name and reason.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The name of the guard in the rules file.
    pub name: String,
    /// The condition, which must hold for the action to be allowed.
    pub node: NodeId,
    /// The reason in words, if it does not hold.
    pub reason: String,
    /// The number of parameters that must be chosen before it can be tested.
    pub stage: u8,
    /// The kinds of the last of these parameters for which the condition is tested, as a bit set; it holds for other kinds.
    pub kinds: Option<u64>,
    /// The condition for these kinds if it is the same for all candidates, so that it is evaluated once while options are listed.
    pub once: Option<NodeId>,
}

/// A cost of an action.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The expression for the amount to pay.
    pub amount: NodeId,
    /// The index of the resource; [`u8::MAX`] for a cost in tokens.
    pub resource: u8,
    /// The cost in tokens; `None` for a cost in a resource.
    pub tokens: Option<TokenCost>,
    /// The number of parameters that must be chosen before it can be tested.
    pub stage: u8,
}

/// A parameter of an action: a card to choose with it.
#[derive(Clone, Debug)]
pub struct Param {
    /// The set of its candidates.
    pub set: u32,
    /// Whether the parameter may be left out.
    pub maybe: bool,
    /// The word before the parameter in the option key.
    pub word: Option<NameId>,
}

/// An action of a turn.
#[derive(Clone, Debug)]
pub struct Action {
    /// The first word of its option keys.
    pub name: NameId,
    /// The address of the action, for messages.
    pub address: String,
    /// Whether the action leaves the number of actions in the turn unchanged.
    pub free: bool,
    /// The parameters of the action: cards to choose with it.
    pub params: Vec<Param>,
    /// The conditions that must hold for the action to be allowed.
    pub guards: Vec<Guard>,
    /// The costs of the action.
    pub costs: Vec<Cost>,
    /// The costs and guards to test, by the number of chosen parameters.
    pub stages: Box<[Stage]>,
    /// The index of the action's first op.
    pub first_op: Pc,
    /// Whether the action ends the turns of the seat.
    pub passes: bool,
    /// The index of the parameter whose card then takes the action printed on it.
    pub acting: Option<u8>,
}

/// The turns that seats take in a phase.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The id of the question that asks for an action.
    pub question: String,
    /// The part of the program that runs them.
    pub part: u32,
    /// The offset of a seat's flag that says that it takes no more turns; `None` if there is no such flag.
    pub passed: Option<u16>,
    /// The condition under which no further turn begins, evaluated for the seat whose turn it would be.
    pub until: Option<NodeId>,
    /// Whether seats without any option are skipped.
    pub skips: bool,
    /// The offset of a seat's counter of turns begun in this round.
    pub taken: Option<u16>,
    /// The code to run before a seat's first action of the round.
    pub first: Option<Pc>,
    /// The place of their declaration.
    pub span: Option<Span>,
    /// The number of actions in a turn.
    pub actions_each: NodeId,
    /// The indices of the actions to choose from.
    pub actions: Vec<u16>,
}

impl Turns {
    /// Whether a seat has set the flag that says that it takes no more turns. `cells` are those of the game.
    #[inline]
    pub fn has_passed(&self, cells: &[i32], layout: &Layout, seat: usize) -> bool {
        self.passed.is_some_and(|passed| cells[layout.seat(seat, passed as usize)] != 0)
    }
}
