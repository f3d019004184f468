//! Places, kinds and tokens, and what cards say.

use super::super::defs::DefId;
use super::{Bind, Expr, Offer, Param};
use crate::engine::ruleset::{How, Who};
use crate::source::Span;
use std::collections::BTreeMap;

/// What a card or kind says beside its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Address within the card, for messages.
    pub id: String,
    /// Whom it concerns.
    pub who: Who,
    /// When.
    pub when: Option<Expr>,
    /// What it says.
    pub says: Says,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// It hears a moment and does something.
    On {
        /// The moment.
        moment: DefId,
        /// Only moments of the card itself.
        own_only: bool,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It changes a quantity.
    Change {
        /// Which.
        quantity: DefId,
        /// The card, and the quantity's parameters.
        params: Vec<Param>,
        /// How, and by how much or to what.
        amounts: Vec<(How, Expr)>,
    },
    /// It forbids an action.
    Forbid {
        /// Which.
        action: String,
        /// What a person is told.
        because: String,
    },
    /// It replaces a named loss or draw.
    Instead {
        /// Which.
        of: DefId,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It can be done.
    Action {
        /// What a person is told where its condition does not hold.
        because: String,
        /// What is paid: amounts and resources.
        costs: Vec<(Expr, u16)>,
        /// How often, and the counter on the card.
        limit: Option<(i64, DefId)>,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// When it does something cannot be told; what it does can be looked at.
    Unheard {
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It leaves.
    Leaves,
}

/// One step of what an entry does.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryPart {
    /// When; if it does not hold, the next one follows.
    pub when: Option<Expr>,
    /// What is paid before the script, and that it can be.
    pub cost: Option<EntryCost>,
    /// What is asked before that.
    pub ask: Option<Ask>,
    /// Names for values that are worked out just before the script, with their places.
    pub lets: Vec<(String, Span, Expr)>,
    /// The script, with its place.
    pub script: (String, Span),
}

/// What a part of an entry costs.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryCost {
    /// Amounts and resources.
    pub costs: Vec<(Expr, u16)>,
    /// Whether there is as much.
    pub payable: Expr,
}

/// A question before a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Its id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// What is offered; empty for yes or no.
    pub offers: Vec<(Offer, Option<Expr>)>,
}

/// What cards and kinds say.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// Of each card.
    pub of_cards: Vec<Vec<Entry>>,
    /// Of each kind.
    pub of_kinds: BTreeMap<u16, Vec<Entry>>,
    /// In entries, the card itself, the card of the moment, and the player whose moment it is.
    pub binds: [Bind; 3],
}

/// A place as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its definition.
    pub def: DefId,
    /// The kinds that may lie there, as a bit set; 0 for all.
    pub kinds: u64,
    /// How much room there is.
    pub room: Room,
    /// The quantity that says how many cards have room.
    pub limit: Option<DefId>,
    /// Cards here hear moments and change quantities.
    pub hearing: bool,
    /// Only its owner knows what lies here.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// How much room there is in a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Room {
    /// As much as the deck's cards need.
    Deck {
        /// The field of cards that says in which pile one lies; one pile without it.
        by: Option<DefId>,
        /// What cards must fulfil.
        filter: Option<DeckFilter>,
    },
    /// Rows and columns.
    Grid(Expr, Expr),
    /// A map of hexagons with so many rings.
    Hexes(Expr),
    /// So many slots.
    Slots(u16),
}

/// Which cards lie in a deck: those of which a key has a value that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct DeckFilter {
    /// The card's key.
    pub key: String,
    /// The option.
    pub option: DefId,
}

/// A kind of card.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its definition.
    pub def: DefId,
    /// The place to which its cards go.
    pub slot: Option<DefId>,
    /// Its fields.
    pub fields: Vec<KindField>,
}

/// A field as a kind declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct KindField {
    /// The field, which kinds that declare it alike share.
    pub def: DefId,
    /// What it is where a card says nothing.
    pub default: Option<i64>,
    /// The words that a row has beside the resources.
    pub more: Vec<String>,
}

/// A sort of token.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its definition.
    pub def: DefId,
    /// How many there are.
    pub count: Expr,
    /// Class of one that shows nothing yet.
    pub blank: u8,
    /// Class of each face; empty for what cannot be rolled.
    pub faces: Vec<u8>,
}

/// Tokens that nothing tells apart.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenClass {
    /// The sort.
    pub token: u8,
    /// What it is called in option keys.
    pub key: String,
    /// How often it shows each symbol.
    pub shows: Vec<u8>,
}

/// A pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Its definition.
    pub def: DefId,
    /// Every player has one.
    pub of_seat: bool,
    /// Tokens lie here without showing a face.
    pub face_down: bool,
    /// All tokens lie here at the start.
    pub full: bool,
}
