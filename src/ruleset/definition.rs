//! Definitions of cards: what is printed on them, and their entries. An entry is a rule on a card: a hook, a change, a prohibition or a
//! replacement.

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;
use super::program::Offer;
use crate::source::Span;
use crate::state::layout::TABLE;
pub use crate::state::terms::Who;

/// The question before a script.
#[derive(Clone, Debug)]
pub struct ScriptQuestion {
    /// Its stable id.
    pub id: String,
    /// Whether nothing may be chosen.
    pub may: bool,
    /// For a yes-or-no question, the word for no.
    pub no: Option<NameId>,
    /// The offers, each with a condition.
    pub offers: Vec<(Offer, Option<NodeId>)>,
}

/// A hook: listens to a moment and then runs code.
#[derive(Clone, Debug)]
pub struct Hook {
    /// The address within the card, for messages.
    pub id: String,
    /// The moment.
    pub moment: u16,
    /// Which seats' moments it hears.
    pub who: Who,
    /// Whether the hook hears only moments of the card itself.
    pub own_only: bool,
    /// The condition, evaluated when the moment is raised.
    pub when: Option<NodeId>,
    /// The start of its code.
    pub begin: Pc,
}

/// The operation of a change, in the order of application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeOp {
    /// Sets the value.
    To,
    /// Adds to the value.
    By,
    /// Sets a lower bound.
    AtLeast,
    /// Sets an upper bound.
    AtMost,
}

/// A change of a quantity, in effect while the card is in play.
#[derive(Clone, Debug)]
pub struct Change {
    /// The quantity.
    pub quantity: u16,
    /// The seats whose quantity changes.
    pub who: Who,
    /// The condition.
    pub when: Option<NodeId>,
    /// The operation.
    pub operator: ChangeOp,
    /// Its operand.
    pub amount: NodeId,
    /// Its place in the card's file.
    pub span: Option<Span>,
}

/// A prohibition of an action, in effect while the card is in play.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// The action.
    pub action: u16,
    /// The seats that may not take the action.
    pub who: Who,
    /// The condition.
    pub when: Option<NodeId>,
    /// The reason in words.
    pub because: String,
}

/// A replacement: code that runs instead of a named loss or draw.
#[derive(Clone, Debug)]
pub struct Instead {
    /// The address within the card, for messages.
    pub id: String,
    /// The index of the named loss or draw.
    pub replaced: u16,
    /// The seats whose losses or draws are replaced.
    pub who: Who,
    /// The condition.
    pub when: Option<NodeId>,
    /// The start of its code.
    pub begin: Pc,
}

/// An action printed on a card.
#[derive(Clone, Debug)]
pub struct CardAction {
    /// The address within the card, for messages.
    pub id: String,
    /// The condition.
    pub needs: Option<NodeId>,
    /// The reason in words, if the condition does not hold.
    pub because: String,
    /// The costs: amount and resource of each.
    pub costs: Vec<(NodeId, u8)>,
    /// The most uses, and the offset of the piece's cell that counts them.
    pub limit: Option<(i64, u16)>,
    /// The start of its code.
    pub begin: Pc,
}

/// A card as defined; each copy of it in a game is a piece.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// Its id.
    pub id: NameId,
    /// Printed name.
    pub name: String,
    /// A description of its effect.
    pub text: String,
    /// The index of its kind.
    pub kind: u16,
    /// The age it belongs to.
    pub age: i32,
    /// The printed numbers, by field; a field with a list holds the index of the list in the pool.
    pub fields: Vec<i32>,
    /// Its hooks.
    pub hooks: Vec<Hook>,
    /// Its changes of quantities.
    pub changes: Vec<Change>,
    /// Its prohibitions of actions.
    pub forbids: Vec<Forbid>,
    /// Its replacements of losses and draws.
    pub replacements: Vec<Instead>,
    /// The action that its owner may take with it.
    pub action: Option<CardAction>,
    /// Whether it has such an action; known before the action is lowered.
    pub acts: bool,
    /// The initial values of its counters that are not 0: offset in the piece's cells, and value.
    pub counters: Vec<(u16, i32)>,
    /// The condition under which it leaves the game.
    pub leaves_when: Option<NodeId>,
    /// The source of the card's facts, as its file names it.
    pub source: String,
    /// The number of its pieces.
    pub copies: u16,
}

impl Definition {
    /// Whether it has any entry, or a condition to leave.
    pub fn has_entries(&self) -> bool {
        !self.hooks.is_empty()
            || !self.changes.is_empty()
            || !self.forbids.is_empty()
            || !self.replacements.is_empty()
            || self.action.is_some()
            || self.leaves_when.is_some()
    }
}

/// A kind of card.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: NameId,
    /// The place that its cards go to.
    pub slot: Option<u16>,
}

/// Whether an entry of a card with this owner concerns a seat.
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
        assert!(!plain.has_entries());
        assert!(Definition { leaves_when: Some(NodeId::default()), ..plain }.has_entries());
    }
}
