//! Which cards lie in a deck.

use super::super::defs::DefId;
use super::expr::{BindingId, Expr};

/// The condition after `where` in a deck, which is evaluated for each card when a game is set up.
#[derive(Clone, Debug, PartialEq)]
pub enum DeckFilter {
    /// The text of a key of the card is among the values that are chosen for an option.
    Chosen {
        /// The key of the card that is compared with the option.
        key: String,
        /// The option that is compared with the key.
        option: DefId,
    },
    /// The card belongs to this set: the text of its key `set`.
    InSet(String),
    /// Any condition on what is printed on the card.
    Printed {
        /// The card that is looked at.
        card: BindingId,
        /// The condition.
        condition: Expr,
    },
    /// The condition does not hold.
    Not(Box<DeckFilter>),
    /// Both conditions hold.
    And(Box<DeckFilter>, Box<DeckFilter>),
    /// One of the conditions holds.
    Or(Box<DeckFilter>, Box<DeckFilter>),
}
