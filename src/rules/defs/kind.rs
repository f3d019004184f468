//! The sorts of things that a name can stand for, and the namespaces.

use super::DefId;
use crate::engine::node::Type;
pub use crate::engine::ruleset::Owner;
use crate::engine::ruleset::{Lifetime, VariableSort};

/// A namespace. The same name can be used once in each: a place may have the name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Values, places, effects: what expressions and statements name.
    Value,
    /// Kinds of cards.
    Kind,
    /// Fields of cards that hold a single value.
    Field,
    /// Fields of cards that hold a list.
    List,
    /// Fields of cards that hold a row of numbers indexed by words.
    Row,
    /// Counters on cards.
    Counter,
    /// Symbols that tokens can show.
    Symbol,
    /// Sorts of tokens.
    Token,
    /// Kinds of tokens.
    TokenKind,
    /// Types of words that the rules declare.
    Words,
    /// Words that index printed rows in addition to the resources.
    RowWord,
    /// Moments: named events that rules raise and cards listen to.
    Moment,
    /// Named losses and draws.
    Loss,
    /// Actions of turns.
    Action,
    /// Phases of a round.
    Phase,
    /// Steps, with names of the form `phase.step`.
    Step,
    /// Cards, by their ids.
    Card,
}

/// The type of a field of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldType {
    /// A single number, a resource, or a word of an option or a list.
    One(Type),
    /// A list of numbers, cards or words.
    List(Type),
    /// A number for each sort of token, for each word of a list, or for each resource and some further words.
    Row(Type),
}

impl FieldType {
    /// Returns the namespace of the field's name: two kinds may use one name, for a number and for a list.
    pub fn space(self) -> Space {
        match self {
            FieldType::One(_) => Space::Field,
            FieldType::List(_) => Space::List,
            FieldType::Row(_) => Space::Row,
        }
    }

    /// Whether it is a list of words.
    pub fn lists_words(self) -> bool {
        matches!(self, FieldType::List(Type::Resource | Type::Choice(_)))
    }
}

/// An option of set-up.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDef {
    /// The values that can be chosen.
    pub values: Vec<String>,
    /// Whether the values are numbers.
    pub numeric: bool,
    /// Whether several values can be chosen together.
    pub several: bool,
    /// Whether each player chooses a value.
    pub each_player: bool,
    /// The values that hold if nothing is chosen.
    pub default: Vec<String>,
    /// The index of the list of words that are the option's values.
    pub list: u16,
}

/// The shape of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceShape {
    /// One or several face-down piles.
    Deck,
    /// A grid of rows and columns.
    Grid,
    /// A row of open slots.
    Slots,
    /// The spaces of a board, which are no cards.
    Board,
}

/// The thing that a name stands for. Indices are those of the ruleset, which numbers things of one sort in source order.
#[derive(Clone, Debug, PartialEq)]
pub enum DefKind {
    /// An option of set-up.
    Option(OptionDef),
    /// A constant of the rules.
    Constant,
    /// A counter, flag, resource, set or tally.
    Variable {
        /// The owner of the variable.
        owner: Owner,
        /// What the values of the variable are.
        sort: VariableSort,
        /// The part of the game after which the value is reset.
        lifetime: Lifetime,
        /// What the words of a set or tally stand for, or what a counter is one of: resources, kinds, words, players, spaces of a board, or
        /// for a tally the numbers that it declares; `None` for other variables.
        over: Option<Type>,
        /// The index of the resource, if the variable is one.
        resource: u16,
    },
    /// A place for cards.
    Place {
        /// The index of the place in the ruleset.
        index: u16,
        /// The shape of the place.
        shape: PlaceShape,
        /// Whether every player has a place of this name.
        of_seat: bool,
    },
    /// A zone: several places.
    Zone(Vec<DefId>),
    /// A pool of tokens.
    Pool(u8),
    /// A kind of card.
    Kind(u16),
    /// A field of cards.
    Field(FieldType),
    /// A symbol of tokens.
    Symbol(u8),
    /// A sort of token.
    Token(u8),
    /// A kind of token: its sorts as a bit set.
    TokenKind(u64),
    /// A type of words, by the index of its list.
    Words(u16),
    /// A word that indexes printed rows: its index after the resources.
    RowWord(u16),
    /// A number that cards can change.
    Quantity {
        /// The index of the quantity in the ruleset.
        index: u16,
        /// Whether players can see and compare it: a `stat`.
        stat: bool,
    },
    /// A definition: a named expression, possibly with parameters.
    Define,
    /// A named condition.
    Condition,
    /// The score, or the rounds left, which exist if they are declared.
    Standing,
    /// A rank, such as "most" or "least".
    Rank(u16),
    /// A purse: what prices in several words are paid with.
    Purse,
    /// An effect: statements with a name.
    Effect(u16),
    /// A moment: a named event that rules raise and cards listen to.
    Moment(u16),
    /// A named loss or draw.
    Loss(u16),
    /// An action of a turn.
    Action,
    /// A phase of a round.
    Phase,
    /// A step of a phase.
    Step,
    /// A card, by its index.
    Card(u32),
    /// A declaration that failed, which has been reported: uses are not reported.
    Broken,
}

impl DefKind {
    /// Returns the index of the thing in the ruleset; 0 for sorts that have no index.
    pub fn index(&self) -> u32 {
        match self {
            DefKind::Card(index) => *index,
            DefKind::Place { index, .. } | DefKind::Quantity { index, .. } => *index as u32,
            DefKind::Kind(index) | DefKind::RowWord(index) | DefKind::Rank(index) => *index as u32,
            DefKind::Effect(index) | DefKind::Moment(index) | DefKind::Loss(index) => *index as u32,
            DefKind::Pool(index) | DefKind::Symbol(index) | DefKind::Token(index) => *index as u32,
            DefKind::Option(_) | DefKind::Constant | DefKind::Variable { .. } | DefKind::Zone(_) | DefKind::Field(_) => 0,
            DefKind::TokenKind(_) | DefKind::Words(_) | DefKind::Define | DefKind::Condition | DefKind::Standing => 0,
            DefKind::Purse | DefKind::Action | DefKind::Phase | DefKind::Step | DefKind::Broken => 0,
        }
    }

    /// Returns a counter that lasts for the whole game.
    pub(crate) fn counter_of(owner: Owner) -> DefKind {
        DefKind::Variable { owner, sort: VariableSort::Counter, lifetime: Lifetime::Game, over: None, resource: 0 }
    }

    /// Whether it is a resource.
    pub fn is_resource(&self) -> bool {
        matches!(self, DefKind::Variable { sort: VariableSort::Resource, .. })
    }

    /// Returns a description with an article, for messages: "a resource".
    pub fn describe(&self) -> &'static str {
        match self {
            DefKind::Option(_) => "an option",
            DefKind::Constant => "a constant",
            DefKind::Variable { sort: VariableSort::Resource, .. } => "a resource",
            DefKind::Variable { sort: VariableSort::Flag, .. } => "a flag",
            DefKind::Variable { sort: VariableSort::Set, .. } => "a set",
            DefKind::Variable { sort: VariableSort::Tally, .. } => "a tally",
            DefKind::Variable { sort: VariableSort::Counter, .. } => "a counter",
            DefKind::Place { shape: PlaceShape::Deck, .. } => "a deck",
            DefKind::Place { shape: PlaceShape::Grid, .. } => "a grid",
            DefKind::Place { shape: PlaceShape::Slots, .. } => "a place",
            DefKind::Place { shape: PlaceShape::Board, .. } => "a board",
            DefKind::Zone(_) => "a zone",
            DefKind::Pool(_) => "a pool",
            DefKind::Kind(_) => "a kind",
            DefKind::Field(_) => "a field of cards",
            DefKind::Symbol(_) => "a symbol",
            DefKind::Token(_) => "a token",
            DefKind::TokenKind(_) => "a kind of token",
            DefKind::Words(_) => "a list of words",
            DefKind::RowWord(_) => "a word of a printed row",
            DefKind::Quantity { stat: true, .. } => "a stat",
            DefKind::Quantity { stat: false, .. } => "a quantity",
            DefKind::Define => "a definition",
            DefKind::Condition => "a condition",
            DefKind::Standing => "a number",
            DefKind::Rank(_) => "a rank",
            DefKind::Purse => "a purse",
            DefKind::Effect(_) => "an effect",
            DefKind::Moment(_) => "a moment",
            DefKind::Loss(_) => "a named loss or draw",
            DefKind::Action => "an action",
            DefKind::Phase => "a phase",
            DefKind::Step => "a step",
            DefKind::Card(_) => "a card",
            DefKind::Broken => "something that could not be read",
        }
    }
}
