//! What is printed on cards, and what cards say.

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;
use super::program::Offer;
use crate::source::Span;
use crate::state::layout::TABLE;
pub use crate::state::terms::Who;

/// A question put before a script.
#[derive(Clone, Debug)]
pub struct AskBefore {
    /// Stable id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// For a plain yes or no, the word that means no.
    pub no: Option<NameId>,
    /// Words and cards on offer.
    pub offers: Vec<(Offer, Option<NodeId>)>,
}

/// Where a card hears something and what it then does.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Address within the card, for messages.
    pub id: String,
    /// The moment.
    pub moment: u16,
    /// Whose moments.
    pub who: Who,
    /// Only moments of the card itself.
    pub own_only: bool,
    /// When, as it stands when the moment is raised.
    pub when: Option<NodeId>,
    /// Where it begins.
    pub begin: Pc,
}

/// How a change changes, in the order in which changes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Sets.
    To,
    /// Adds.
    By,
    /// Not below.
    AtLeast,
    /// Not above.
    AtMost,
}

/// A change that a card makes to a quantity while it is in play.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which quantity.
    pub quantity: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// How.
    pub how: How,
    /// By how much, or to what.
    pub amount: NodeId,
    /// Where the card says so.
    pub span: Option<Span>,
}

/// A refusal that a card adds.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// Which action.
    pub action: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// What a person is told.
    pub because: String,
}

/// What happens instead of a named loss or draw.
#[derive(Clone, Debug)]
pub struct Instead {
    /// Address within the card, for messages.
    pub id: String,
    /// The named loss or draw.
    pub of: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// Where it begins.
    pub begin: Pc,
}

/// An action printed on a card.
#[derive(Clone, Debug)]
pub struct CardAction {
    /// Address within the card, for messages.
    pub id: String,
    /// What must hold.
    pub needs: Option<NodeId>,
    /// What a person is told.
    pub because: String,
    /// What it costs: amount and resource.
    pub costs: Vec<(NodeId, u8)>,
    /// How often, and the cell of the piece in which it is counted.
    pub limit: Option<(i64, u16)>,
    /// Where it begins.
    pub begin: Pc,
}

/// A card as defined; what lies on the table is a piece of it.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// Its id.
    pub id: NameId,
    /// Printed name.
    pub name: String,
    /// Our words for what it does.
    pub text: String,
    /// Index of the kind.
    pub kind: u16,
    /// The age it belongs to.
    pub age: i32,
    /// Numbers, by field; a list holds its place in the pool.
    pub fields: Vec<i32>,
    /// What it hears.
    pub hooks: Vec<Hook>,
    /// What it changes.
    pub changes: Vec<Change>,
    /// What it forbids.
    pub forbids: Vec<Forbid>,
    /// What it replaces.
    pub insteads: Vec<Instead>,
    /// What its owner may do with it.
    pub action: Option<CardAction>,
    /// Whether there is such an action: known before it is lowered.
    pub acts: bool,
    /// What its counters begin with, where that is not 0: offset within the piece, and number.
    pub counters: Vec<(u16, i32)>,
    /// When it leaves play.
    pub leaves_when: Option<NodeId>,
    /// Where its file says so, for messages.
    pub source: String,
    /// How many pieces of it there are.
    pub copies: u16,
}

impl Definition {
    /// Whether it says anything beyond its numbers.
    pub fn speaks(&self) -> bool {
        !self.hooks.is_empty()
            || !self.changes.is_empty()
            || !self.forbids.is_empty()
            || !self.insteads.is_empty()
            || self.action.is_some()
            || self.leaves_when.is_some()
    }
}

/// A kind of card.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: NameId,
    /// Declared place that it goes to.
    pub slot: Option<u16>,
}

/// Whether an entry of a card concerns this seat.
pub fn concerns(who: Who, owner: u8, seat: usize) -> bool {
    match who {
        Who::All => true,
        Who::Me => owner == TABLE || owner as usize == seat,
        Who::Others => owner as usize != seat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_concerns_its_owner_the_others_or_all() {
        let found = |who| [0, 1].map(|seat| concerns(who, 0, seat));
        assert_eq!([found(Who::Me), found(Who::Others), found(Who::All)], [[true, false], [false, true], [true, true]]);
        assert!([0, 1].iter().all(|&seat| concerns(Who::Me, TABLE, seat)), "a card on the table speaks of whose moment it is");
    }

    #[test]
    fn a_card_with_numbers_only_does_not_speak() {
        let plain = Definition { fields: vec![1, 2], ..Definition::default() };
        assert!(!plain.speaks());
        assert!(Definition { leaves_when: Some(NodeId::default()), ..plain }.speaks());
    }
}
