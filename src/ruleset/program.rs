//! What the ops refer to: effects, shortage rules, questions and turns with their choices.

use super::ids::Pc;
use super::names::NameId;
use super::node::{CardSet, NodeId, PlayerSet};
use super::tokens::TokenCost;
use crate::source::Span;
use houserule_state::layout::Layout;

/// The most guards of a choice.
pub const MAX_GUARDS: usize = 16;

/// The most parameters of a choice.
pub const MAX_PARAMS: usize = 3;

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

/// What a question on a card offers: one or several options.
#[derive(Clone, Debug)]
pub enum Offer {
    /// One option: a word.
    Word(NameId),
    /// One option for each card of a set.
    Cards(u32),
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
    /// The title that people see in place of the id.
    pub title: Option<String>,
    /// The indices of the choices to offer.
    pub choices: Vec<u16>,
}

/// A guard: a condition for a choice, with name and reason.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The name of the guard in the rules file; `needs` if it has none.
    pub name: String,
    /// The condition, which must hold for the choice to be allowed.
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

/// A cost of a choice.
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

/// What can be chosen for a parameter.
#[derive(Clone, Debug)]
pub enum Domain {
    /// The cards of a set, whose local is the parameter's.
    Cards(u32),
    /// Several words, with their values in the local.
    Words(Box<[(NameId, i32)]>),
    /// The numbers of a range.
    Numbers {
        /// The lower bound, inclusive.
        from: NodeId,
        /// The upper bound, inclusive.
        to: NodeId,
    },
    /// Players, whose positions are the values in the local.
    Players(PlayerSet),
}

/// What chance chooses one of.
#[derive(Clone, Debug)]
pub struct Chance {
    /// The numbers, words, players, cards or spaces.
    pub domain: Domain,
    /// A condition on each, which is in the local that gets the chosen one; `None` if all can be chosen.
    pub filter: Option<NodeId>,
    /// What the outcome may tell of what is hidden: whether all who are told it know that anyway is found out in the game.
    pub basis: ChanceBasis,
    /// Whether the log says what has come; cards are as hidden as the place in which they lie.
    pub is_logged: bool,
}

impl Chance {
    /// Returns all values by which it chooses: bounds and conditions. `sets` are the sets of cards of the ruleset.
    pub fn values(&self, sets: &[CardSet]) -> impl Iterator<Item = NodeId> + use<> {
        let of_domain = match &self.domain {
            Domain::Numbers { from, to } => [Some(*from), Some(*to)],
            Domain::Players(set) => [set.filter, None],
            Domain::Cards(set) => [sets[*set as usize].filter, sets[*set as usize].within],
            Domain::Words(_) => [None, None],
        };
        of_domain.into_iter().chain([self.filter]).flatten()
    }
}

/// On which values that may be hidden an outcome of chance rests.
#[derive(Clone, Debug, Default)]
pub struct ChanceBasis {
    /// Values that are the same whatever comes, such as bounds.
    pub values: Box<[NodeId]>,
    /// Whether the spaces among which it chooses may be found by them.
    pub of_spaces: bool,
    /// Whether the condition on each may be one of them.
    pub of_each: bool,
    /// Whether values that were named or handed over before are read: they may be hidden where nothing hidden is written in the text.
    pub reads_names: bool,
}

impl ChanceBasis {
    /// Whether the outcome tells nothing but itself.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && !self.of_spaces && !self.of_each && !self.reads_names
    }
}

/// A parameter of a choice: what is chosen with it.
#[derive(Clone, Debug)]
pub struct Param {
    /// The local that holds the chosen value.
    pub local: u8,
    /// What can be chosen.
    pub domain: Domain,
    /// Whether the parameter may be left out; only cards may.
    pub maybe: bool,
    /// The word before the parameter in the option key.
    pub word: Option<NameId>,
}

impl Param {
    /// Returns the set of the parameter's cards; `None` if it is no card.
    pub fn cards(&self) -> Option<u32> {
        match self.domain {
            Domain::Cards(set) => Some(set),
            Domain::Words(_) | Domain::Numbers { .. } | Domain::Players(_) => None,
        }
    }
}

/// A part of a key that is written as a text with values in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// These words.
    Text(String),
    /// The value of the parameter with this index.
    Value(u8),
}

/// What can be chosen: an action of a turn, or an answer to a question of the rules.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The first word of the keys of its options, or the only one.
    pub name: NameId,
    /// Whether `choose` stands before the name in the keys.
    pub chooses: bool,
    /// The text of the keys, if they are made of a text with values in it. The name is then this text as it is written.
    pub text: Option<Box<[TextPart]>>,
    /// The address of an action, the id of its question for an answer; for messages.
    pub address: String,
    /// What is chosen with it.
    pub params: Vec<Param>,
    /// The condition under which it is offered, without a reason if it does not hold.
    pub when: Option<NodeId>,
    /// The number of parameters that must be chosen before that can be tested.
    pub when_stage: u8,
    /// The conditions that must hold for it to be allowed.
    pub guards: Vec<Guard>,
    /// The costs.
    pub costs: Vec<Cost>,
    /// How often an option can be picked, in a series of picks.
    pub up_to: Option<NodeId>,
    /// What it has as an action of a turn; `None` for an answer.
    pub action: Option<InTurn>,
}

/// What an action of a turn has besides what any choice has.
#[derive(Clone, Debug)]
pub struct InTurn {
    /// Whether the action leaves the number of actions in the turn unchanged.
    pub free: bool,
    /// The index of the action's first op.
    pub first_op: Pc,
    /// Whether the action ends the turns of the seat.
    pub passes: bool,
    /// The index of the parameter whose card then takes the action printed on it.
    pub acting: Option<u8>,
}

impl Choice {
    /// Whether it is an action of a turn that does not count as one.
    pub fn is_free(&self) -> bool {
        self.action.as_ref().is_some_and(|action| action.free)
    }

    /// Whether it is an action of a turn that ends the turns of the seat.
    pub fn passes(&self) -> bool {
        self.action.as_ref().is_some_and(|action| action.passes)
    }
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
    /// The code to run when a turn of a seat begins, ahead of `first`.
    pub each: Option<Pc>,
    /// The code to run when a turn of a seat ends, ahead of what ends with it.
    pub after: Option<Pc>,
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
