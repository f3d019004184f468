//! Places, decks, kinds and tokens, and the entries of cards.

use super::super::defs::DefId;
use super::{BindingId, Expr, Offer, Param};
use crate::engine::ruleset::{ChangeOp, Who};
use crate::source::Span;
use std::collections::BTreeMap;

/// An entry: a rule on a card or a kind, in addition to its figures.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The address of the entry within the card, for messages.
    pub id: String,
    /// The players whom the entry concerns.
    pub who: Who,
    /// The condition under which the entry applies; `None` if it always does.
    pub when: Option<Expr>,
    /// What the entry does, and its parts.
    pub body: EntryBody,
}

/// What an entry does.
#[derive(Clone, Debug)]
pub enum EntryBody {
    /// Listens to a moment (a named event of the rules) and then runs its parts.
    On {
        /// The moment to listen to.
        moment: DefId,
        /// Whether the entry only listens to moments about its own card.
        own_only: bool,
        /// The parts to run, in order.
        parts: Vec<EntryPart>,
    },
    /// Changes a quantity.
    Change {
        /// The quantity that is changed.
        quantity: DefId,
        /// The binding of the card, and of the quantity's parameters.
        params: Vec<Param>,
        /// The operations, each with its operand.
        amounts: Vec<(ChangeOp, Expr)>,
    },
    /// Forbids an action.
    Forbid {
        /// The name of the action.
        action: String,
        /// The reason shown to the player.
        because: String,
    },
    /// Replaces a named loss or draw.
    Instead {
        /// The name of the loss or draw.
        of: DefId,
        /// The parts to run instead.
        parts: Vec<EntryPart>,
    },
    /// An action that the card's owner can choose.
    Action {
        /// The reason shown when its condition does not hold.
        because: String,
        /// Costs: amounts and resources.
        costs: Vec<(Expr, u16)>,
        /// How often it can be used, and the counter on the card that counts uses.
        limit: Option<(i64, DefId)>,
        /// The parts to run.
        parts: Vec<EntryPart>,
    },
    /// A listener whose moment could not be resolved; its parts are still checked.
    Unheard {
        /// The parts to check.
        parts: Vec<EntryPart>,
    },
    /// Makes the card leave its place (`leaves_when`).
    Leaves,
}

/// One part of an entry: an optional question and cost, then a script.
#[derive(Clone, Debug)]
pub struct EntryPart {
    /// The condition of the part; if it does not hold, the part is skipped.
    pub when: Option<Expr>,
    /// The cost to pay before the script.
    pub cost: Option<EntryCost>,
    /// The question to ask before the cost is paid.
    pub ask: Option<Ask>,
    /// Values computed just before the script: name, place, and expression.
    pub lets: Vec<(String, Span, Expr)>,
    /// The source text of the script, with its place.
    pub script: (String, Span),
}

/// The cost of a part of an entry.
#[derive(Clone, Debug)]
pub struct EntryCost {
    /// Amounts and resources.
    pub costs: Vec<(Expr, u16)>,
    /// The condition that the player can pay.
    pub payable: Expr,
}

/// A question asked before a script.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The id of the question.
    pub id: String,
    /// Whether choosing nothing is allowed.
    pub may: bool,
    /// The answers offered, each with its condition; empty for a yes-or-no question.
    pub offers: Vec<(Offer, Option<Expr>)>,
}

/// The checked entries of all cards and kinds.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// The entries of each card, by index.
    pub of_cards: Vec<Vec<Entry>>,
    /// The entries of each kind.
    pub of_kinds: BTreeMap<u16, Vec<Entry>>,
    /// The bindings of `own`, `card` and `player` in entries.
    pub binds: [BindingId; 3],
}

/// A declared place for cards.
#[derive(Clone, Debug)]
pub struct Place {
    /// The definition of the place.
    pub def: DefId,
    /// The kinds that may lie there, as a bit set; 0 for all.
    pub kinds: u64,
    /// How many cards the place can hold.
    pub room: Room,
    /// The quantity that limits the number of cards.
    pub limit: Option<DefId>,
    /// Whether cards in this place listen to moments and change quantities.
    pub hearing: bool,
    /// Whether not all players see its cards: its owner alone does, or, if `from_owner`, all others.
    pub hidden: bool,
    /// Whether the cards are hidden from the owner of the place, and not from the others.
    pub from_owner: bool,
    /// Where the place is declared.
    pub span: Span,
}

/// How many cards a place can hold, and in which arrangement.
#[derive(Clone, Debug, PartialEq)]
pub enum Room {
    /// As many slots as the deck has cards.
    Deck {
        /// The field that divides the deck into piles; a single pile if `None`.
        by: Option<DefId>,
        /// Which cards belong in the deck; all if `None`.
        filter: Option<DeckFilter>,
        /// The place whose cards are shuffled into the deck when a card is drawn from it and it is empty.
        refill: Option<DefId>,
    },
    /// A grid with this number of rows and columns, and whether these go on at the other side.
    Grid(Expr, Expr, bool),
    /// A hexagonal map with this number of rings.
    Hexes(Expr),
    /// A row with this number of slots.
    Slots(u16),
    /// The spaces of a board, by its index: nothing else can lie there.
    Board(usize),
}

/// A kind of card.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The definition of the kind.
    pub def: DefId,
    /// The place into whose slots the cards of this kind go; `None` if there is none.
    pub slot: Option<DefId>,
    /// The fields that cards of this kind have.
    pub fields: Vec<KindField>,
}

/// A field in the declaration of a kind.
#[derive(Clone, Debug)]
pub struct KindField {
    /// The field's definition, shared by kinds that declare it alike.
    pub def: DefId,
    /// The value for cards that do not set it.
    pub default: Option<i64>,
    /// The words that index the row in addition to the resources, if the field holds a row.
    pub extra_words: Vec<String>,
}

/// A sort of token.
#[derive(Clone, Debug)]
pub struct Token {
    /// The definition of the sort.
    pub def: DefId,
    /// The number of tokens in the game.
    pub count: Expr,
    /// The class of a token that shows no face.
    pub blank: u8,
    /// The class of each face; empty for tokens that cannot be rolled.
    pub faces: Vec<u8>,
}

/// A class of tokens: tokens of a class are interchangeable.
#[derive(Clone, Debug)]
pub struct TokenClass {
    /// The index of the sort of token.
    pub token: u8,
    /// The name of the class in the keys of options.
    pub key: String,
    /// How often a token of the class shows each symbol, by index.
    pub shows: Vec<u8>,
}

/// A pool: a place for tokens.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The definition of the pool.
    pub def: DefId,
    /// Whether every player has a pool of this name.
    pub of_seat: bool,
    /// Whether tokens lie in this pool without showing a face.
    pub face_down: bool,
    /// Whether the pool contains all tokens at the start.
    pub full: bool,
    /// Whether only the owner of the pool sees what lies there.
    pub hidden: bool,
}

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
