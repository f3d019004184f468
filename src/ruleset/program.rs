//! What the ops of the rules go by: effects, shortages, questions with their choices, turns and their actions.

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;
use super::tokens::TokenCost;
use crate::cast;
use crate::source::Span;

/// Actions may have this many guards.
pub const MOST_GUARDS: usize = 16;

/// Actions may have this many parameters.
pub const MOST_PARAMS: usize = 3;

/// What must be looked at once so many parameters of an action are known.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Which costs.
    pub costs: Box<[u8]>,
    /// Which guards.
    pub guards: Box<[u8]>,
}

/// What must be looked at, by the number of parameters that are known.
pub fn stages_of(params: usize, guards: &[Guard], costs: &[Cost]) -> Box<[Stage]> {
    let stage = |stage: usize| Stage {
        costs: (0..costs.len()).filter(|&at| costs[at].stage as usize == stage).map(cast::fit::<u8>).collect(),
        guards: (0..guards.len()).filter(|&at| guards[at].stage as usize == stage).map(cast::fit::<u8>).collect(),
    };
    (0..=params).map(stage).collect()
}

/// An effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// Number of parameters; they are locals 1, 2, ….
    pub params: u8,
    /// Those of them that are cards, as a bit set by their locals.
    pub cards: u16,
    /// Where it begins.
    pub begin: Pc,
}

/// What happens when a seat must lose more than it has.
#[derive(Clone, Debug)]
pub struct Shortage {
    /// Bit set of the resources it covers.
    pub resources: u64,
    /// Where that begins, with the resource in local 1 and what is missing in local 2.
    pub begin: Pc,
}

/// One thing that can be chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is offered.
    pub offer: Offer,
    /// When.
    pub when: Option<NodeId>,
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
    /// Each of several words.
    Words {
        /// Where the word lies.
        local: u8,
        /// What people call each, and what lies in the local.
        words: Box<[(NameId, i32)]>,
    },
    /// Each number from one to another.
    Numbers {
        /// Where the number lies.
        local: u8,
        /// The first.
        from: NodeId,
        /// The last.
        to: NodeId,
    },
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
}

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
    /// What must be looked at, by the number of parameters that are known.
    pub stages: Box<[Stage]>,
    /// Where it begins.
    pub begin: Pc,
    /// It ends the turns of who takes it.
    pub passes: bool,
    /// The parameter whose card acts, if the body says so.
    pub acting: Option<u8>,
}

/// Turns of a phase.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Name of the question.
    pub question: String,
    /// The part of the program in which they are taken.
    pub part: u32,
    /// Flag of a seat that takes no more turns.
    pub passed: u16,
    /// Counter of the turns that a seat has begun in this round, if there is one.
    pub taken: Option<u16>,
    /// Where that begins which is done before a seat's first action of the round.
    pub first: Option<Pc>,
    /// Where the rules say so.
    pub span: Option<Span>,
    /// Actions of the turn that begins.
    pub actions_each: NodeId,
    /// What can be done.
    pub actions: Vec<u16>,
}
