//! What a name can stand for, and in which space it stands.

use super::DefId;
use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, VariableSort};

/// Names in different spaces do not meet: a place may have the name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Values, places, effects: what expressions and statements name.
    Value,
    /// Kinds of cards.
    Kind,
    /// Fields printed on cards that are one value.
    Field,
    /// Fields that are lists.
    List,
    /// Fields that are rows.
    Row,
    /// Counters on cards.
    Counter,
    /// What tokens can show.
    Symbol,
    /// Sorts of tokens.
    Token,
    /// Kinds of tokens.
    TokenKind,
    /// Words that printed rows have beside the resources.
    RowWord,
    /// Moments.
    Moment,
    /// Losses and draws that have a name.
    Loss,
    /// Actions of turns.
    Action,
    /// Phases.
    Phase,
    /// Steps, as `phase.step`.
    Step,
    /// Cards.
    Card,
}

/// Whose a counter or place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The table's.
    Table,
    /// Each player's.
    Player,
    /// Each card's.
    Card,
}

/// Over which words a set or tally goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Resources.
    Resources,
    /// Kinds of cards.
    Kinds,
}

impl Over {
    /// The type of its words.
    pub fn word_type(self) -> Type {
        match self {
            Over::Resources => Type::Resource,
            Over::Kinds => Type::Kind,
        }
    }
}

/// What a field of a kind holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldType {
    /// A number.
    Number,
    /// A list of numbers.
    Numbers,
    /// A number for each resource, and for some words more.
    Row,
    /// A number for each sort of token.
    Tokens,
    /// A resource.
    Resource,
    /// One of an option's values.
    Choice(u16),
    /// A list of cards.
    Cards,
}

impl FieldType {
    /// Where its name stands: a kind may have a number of a name of which another has a list.
    pub fn space(&self) -> Space {
        match self {
            FieldType::Number | FieldType::Resource | FieldType::Choice(_) => Space::Field,
            FieldType::Numbers | FieldType::Cards => Space::List,
            FieldType::Row | FieldType::Tokens => Space::Row,
        }
    }

    /// The type of a field that is one value.
    pub fn single(&self) -> Option<Type> {
        match self {
            FieldType::Number => Some(Type::Number),
            FieldType::Resource => Some(Type::Resource),
            FieldType::Choice(list) => Some(Type::Choice(*list)),
            FieldType::Numbers | FieldType::Row | FieldType::Tokens | FieldType::Cards => None,
        }
    }
}

/// An option of set-up.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDef {
    /// What can be chosen.
    pub values: Vec<String>,
    /// The values are numbers.
    pub numeric: bool,
    /// Several values may be chosen.
    pub several: bool,
    /// Each player chooses.
    pub each_player: bool,
    /// What holds where nothing is chosen.
    pub default: Vec<String>,
    /// Its list of words.
    pub list: u16,
}

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceShape {
    /// Face-down piles.
    Deck,
    /// Rows and columns.
    Grid,
    /// Open slots.
    Slots,
}

/// What a name stands for. Indices are those of the ruleset, which counts each sort of thing in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum DefKind {
    /// An option of set-up.
    Option(OptionDef),
    /// A constant.
    Constant,
    /// A counter, flag, resource, set or tally.
    Variable {
        /// Whose.
        owner: Owner,
        /// What it holds.
        sort: VariableSort,
        /// How long it lasts.
        lifetime: Lifetime,
        /// Over which words it goes, of a set or tally.
        over: Option<Over>,
        /// Of a resource, which one.
        resource: u16,
    },
    /// A place for cards.
    Place {
        /// Its index.
        index: u16,
        /// What it is.
        shape: PlaceShape,
        /// Every player has one.
        of_seat: bool,
    },
    /// Several places.
    Zone(Vec<DefId>),
    /// A pool of tokens.
    Pool(u8),
    /// A kind of card.
    Kind(u16),
    /// A field printed on cards.
    Field(FieldType),
    /// What tokens can show.
    Symbol(u8),
    /// A sort of token.
    Token(u8),
    /// A kind of token: its sorts as a bit set.
    TokenKind(u64),
    /// A word of printed rows: its index behind the resources.
    RowWord(u16),
    /// A number that cards may change; a stat, if people see it.
    Quantity {
        /// Its index.
        index: u16,
        /// People see and compare it.
        stat: bool,
    },
    /// A named expression.
    Define,
    /// A named condition.
    Condition,
    /// The score, or the rounds still to come: what every game with such a declaration has.
    Standing,
    /// Who counts as most or least.
    Rank(u16),
    /// What several cards and rules do.
    Effect(u16),
    /// A moment.
    Moment(u16),
    /// A named loss or draw.
    Loss(u16),
    /// An action of a turn.
    Action,
    /// A phase.
    Phase,
    /// A step of a phase.
    Step,
    /// A card.
    Card(u32),
    /// Its declaration has been told to be wrong: whoever names it is not blamed.
    Broken,
}

impl DefKind {
    /// The number by which the ruleset knows it; 0 for what it knows in another way.
    pub fn index(&self) -> u32 {
        match self {
            DefKind::Card(index) => *index,
            DefKind::Place { index, .. } | DefKind::Quantity { index, .. } => *index as u32,
            DefKind::Kind(index) | DefKind::RowWord(index) | DefKind::Rank(index) => *index as u32,
            DefKind::Effect(index) | DefKind::Moment(index) | DefKind::Loss(index) => *index as u32,
            DefKind::Pool(index) | DefKind::Symbol(index) | DefKind::Token(index) => *index as u32,
            DefKind::Option(_)
            | DefKind::Constant
            | DefKind::Variable { .. }
            | DefKind::Zone(_)
            | DefKind::Field(_)
            | DefKind::TokenKind(_) => 0,
            DefKind::Define
            | DefKind::Condition
            | DefKind::Standing
            | DefKind::Action
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Broken => 0,
        }
    }

    /// With its article, for people: "a resource".
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
            DefKind::Zone(_) => "a zone",
            DefKind::Pool(_) => "a pool",
            DefKind::Kind(_) => "a kind",
            DefKind::Field(_) => "a field of cards",
            DefKind::Symbol(_) => "a symbol",
            DefKind::Token(_) => "a token",
            DefKind::TokenKind(_) => "a kind of token",
            DefKind::RowWord(_) => "a word of a printed row",
            DefKind::Quantity { stat: true, .. } => "a stat",
            DefKind::Quantity { stat: false, .. } => "a quantity",
            DefKind::Define => "a definition",
            DefKind::Condition => "a condition",
            DefKind::Standing => "a number",
            DefKind::Rank(_) => "a rank",
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
