//! Definitions of cards: what is printed on them, and their entries. An entry is a rule on a card: a hook, a change, a prohibition or a
//! replacement.

use super::ids::Pc;
use super::names::NameId;
use super::node::NodeId;
use super::program::Offer;
use crate::source::Span;
use crate::state::layout::TABLE;
pub use crate::state::terms::Who;

/// The question that is asked before a script of a card runs.
#[derive(Clone, Debug)]
pub struct ScriptQuestion {
    /// The stable id of the question.
    pub id: String,
    /// Whether the player may choose nothing.
    pub may: bool,
    /// For a yes-or-no question, the word for no.
    pub no: Option<NameId>,
    /// The offers, each with a condition.
    pub offers: Vec<(Offer, Option<NodeId>)>,
}

/// A hook: an entry that listens to a moment (a named event of the rules) and then runs code.
#[derive(Clone, Debug)]
pub struct Hook {
    /// The address within the card, for messages.
    pub id: String,
    /// The index of the moment that the hook listens to.
    pub moment: u16,
    /// The seats whose moments the hook listens to.
    pub who: Who,
    /// Whether the hook hears only moments of the card itself.
    pub own_only: bool,
    /// The condition, evaluated when the moment is raised; `None` if the hook always runs.
    pub when: Option<NodeId>,
    /// The index of the hook's first op.
    pub first_op: Pc,
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
    /// The index of the quantity that is changed.
    pub quantity: u16,
    /// The seats whose quantity changes.
    pub who: Who,
    /// The condition under which the change is in effect; `None` if it always is.
    pub when: Option<NodeId>,
    /// How the operand changes the value.
    pub operator: ChangeOp,
    /// The operand of the change: the number to set, add, or bound the value by.
    pub amount: NodeId,
    /// The place of the change in the card's file.
    pub span: Option<Span>,
}

/// A prohibition of an action, in effect while the card is in play.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// The index of the forbidden action.
    pub action: u16,
    /// The seats that may not take the action.
    pub who: Who,
    /// The condition under which the action is forbidden; `None` if it always is.
    pub when: Option<NodeId>,
    /// The reason shown to the player, in words.
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
    /// The condition under which the loss or draw is replaced; `None` if it always is.
    pub when: Option<NodeId>,
    /// The index of the first op to run instead.
    pub first_op: Pc,
}

/// An action printed on a card.
#[derive(Clone, Debug)]
pub struct CardAction {
    /// The address within the card, for messages.
    pub id: String,
    /// The condition under which the action can be taken; `None` if it always can.
    pub needs: Option<NodeId>,
    /// The reason in words, if the condition does not hold.
    pub because: String,
    /// The costs: amount and resource of each.
    pub costs: Vec<(NodeId, u8)>,
    /// The most uses, and the offset of the piece's cell that counts them.
    pub limit: Option<(i64, u16)>,
    /// The index of the action's first op.
    pub first_op: Pc,
}

/// A card as defined; each copy of it in a game is a piece.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// The id of the card.
    pub id: NameId,
    /// The name printed on the card.
    pub name: String,
    /// A description of its effect.
    pub text: String,
    /// The index of the card's kind.
    pub kind: u16,
    /// The age that the card belongs to: the part of the game in which it appears.
    pub age: i32,
    /// The printed numbers, by field; a field with a list holds the index of the list in the pool.
    pub fields: Vec<i32>,
    /// The card's hooks: what it does at moments.
    pub hooks: Vec<Hook>,
    /// The changes that the card makes to quantities while it is in play.
    pub changes: Vec<Change>,
    /// The actions that the card forbids while it is in play.
    pub forbids: Vec<Forbid>,
    /// The losses and draws that the card replaces.
    pub replacements: Vec<Instead>,
    /// The action that its owner may take with it.
    pub action: Option<CardAction>,
    /// Whether the card has such an action; set before the code of the action is generated.
    pub acts: bool,
    /// The initial values of its counters that are not 0: offset in the piece's cells, and value.
    pub counters: Vec<(u16, i32)>,
    /// The condition under which it leaves the game.
    pub leaves_when: Option<NodeId>,
    /// The source of the card's facts, as its file names it.
    pub source: String,
    /// The number of copies of the card, each of which is a piece.
    pub copies: u16,
    /// Whether its changes are never in effect; they have code all the same, so that it is that of the game in which they are.
    pub is_silenced: bool,
}

impl Definition {
    /// Takes away all that the card says: its entries, and the condition under which it leaves the game. Must be called before
    /// [`Ruleset::prepare`](super::ruleset::Ruleset::prepare).
    pub fn silence(&mut self) {
        self.hooks.clear();
        self.forbids.clear();
        self.replacements.clear();
        self.action = None;
        self.leaves_when = None;
        self.is_silenced = true;
    }

    /// Adds the entries of another definition, and its condition under which it leaves the game.
    pub fn add_entries(&mut self, of: Definition) {
        self.hooks.extend(of.hooks);
        self.changes.extend(of.changes);
        self.forbids.extend(of.forbids);
        self.replacements.extend(of.replacements);
        self.action = of.action.or(self.action.take());
        self.leaves_when = of.leaves_when.or(self.leaves_when);
    }

    /// Returns the changes of quantities that are in effect while the card is in play.
    pub fn effective_changes(&self) -> &[Change] {
        if self.is_silenced { &[] } else { &self.changes }
    }

    /// Whether the card has any entry, or a condition under which it leaves the game.
    pub fn has_entries(&self) -> bool {
        !self.hooks.is_empty()
            || !self.effective_changes().is_empty()
            || !self.forbids.is_empty()
            || !self.replacements.is_empty()
            || self.action.is_some()
            || self.leaves_when.is_some()
    }
}

/// A kind of card.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The name of the kind.
    pub name: NameId,
    /// The place into which cards of this kind go; `None` if there is none.
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

    #[test]
    fn a_silenced_card_keeps_its_changes_and_none_is_in_effect() {
        let (amount, operator) = (NodeId::default(), ChangeOp::By);
        let change = Change { quantity: 0, who: Who::Me, when: None, operator, amount, span: None };
        let mut card = Definition { changes: vec![change], leaves_when: Some(amount), ..Definition::default() };
        assert_eq!(card.effective_changes().len(), 1);
        card.silence();
        assert!(!card.has_entries() && card.effective_changes().is_empty() && card.changes.len() == 1);
    }
}
