//! What statements and scripts name: sets of cards and players, and the types of values, by which scripts and scenarios know what they
//! read and hand over.

pub use crate::compare::Compare;
use crate::graph::Cards;
pub use crate::graph::{ExprId as NodeId, Whose};

/// Cards that a statement, a choice or a loop goes through.
#[derive(Clone, Debug)]
pub struct CardSet {
    /// Place declarations, in order.
    pub places: Box<[u16]>,
    /// Whose places.
    pub whose: Whose,
    /// Bit set of kinds, 0 for all.
    pub kinds: u64,
    /// Rows of a grid, as a bit set from bit 1; 0 for all.
    pub rows: u32,
    /// Local that holds the card.
    pub local: u8,
    /// Offset of a counter on the card that must be above 0.
    pub with: Option<u8>,
    /// Further condition.
    pub filter: Option<NodeId>,
}

impl CardSet {
    /// Its cards, but for the condition.
    pub fn cards(&self) -> Cards {
        let CardSet { ref places, whose, kinds, rows, with, .. } = *self;
        Cards { places: places.clone(), whose, kinds, rows, with }
    }
}

/// Players that a loop goes through.
#[derive(Clone, Debug)]
pub struct PlayerSet {
    /// Without the seat spoken of.
    pub others: bool,
    /// Condition, read with the other player as the one spoken of; `local` holds the seat that asks.
    pub filter: Option<NodeId>,
    /// Local that holds the seat that asks.
    pub local: u8,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A whole number.
    Number,
    /// A number in thousandths.
    Thousandths,
    /// Yes or no.
    Truth,
    /// A card, or none.
    Card,
    /// A player.
    Seat,
    /// One of the resources.
    Resource,
    /// What a printed row has a number for: a resource, or a word more.
    RowWord,
    /// A kind of card.
    Kind,
    /// One of the words of this list: the values of an option.
    Choice(u16),
    /// What tokens can show.
    Symbol,
    /// A sort of token.
    Token,
    /// A token that was picked.
    Picked,
    /// A parameter of which no use tells what it is.
    Open(u16),
}

impl Type {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Thousandths => "a number with decimals",
            Type::Truth => "a condition",
            Type::Card => "a card",
            Type::Seat => "a player",
            Type::Resource => "a resource",
            Type::RowWord => "a word of a printed row",
            Type::Kind => "a kind",
            Type::Choice(_) => "one of several words",
            Type::Symbol => "a symbol",
            Type::Token => "a token",
            Type::Picked => "a picked token",
            Type::Open(_) => "anything",
        }
    }
}

/// What a name that scripts can call stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// A cell of the table.
    Table(u16),
    /// A cell of a seat.
    Seat(u16),
    /// A row of cells of a seat, by a word: its offset, and how many.
    Tally(u16, u16),
    /// A set of a seat, by a word.
    Set(u16),
    /// An expression of the rules.
    Expression(NodeId),
    /// A quantity that cards may change.
    Quantity(u16),
    /// An effect, which waits until the script has ended.
    Effect(u16),
}

/// A declaration of the rules, as scripts call it.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Its name, in one or several words.
    pub name: String,
    /// What it is, for people.
    pub what: &'static str,
    /// What it takes, besides the player.
    pub params: Vec<(String, Type)>,
    /// What it gives; nothing for an effect.
    pub gives: Option<Type>,
    /// Whether it can be called without a player, being the same for all.
    pub of_table: bool,
    /// What is called.
    pub called: Called,
}

#[cfg(test)]
mod tests {
    use super::Type;

    #[test]
    fn each_type_has_words_of_its_own() {
        let all = [
            Type::Number,
            Type::Thousandths,
            Type::Truth,
            Type::Card,
            Type::Seat,
            Type::Resource,
            Type::RowWord,
            Type::Kind,
            Type::Choice(0),
            Type::Symbol,
            Type::Token,
            Type::Picked,
            Type::Open(0),
        ];
        let words: std::collections::BTreeSet<&str> = all.iter().map(|one| one.words()).collect();
        assert_eq!(words.len(), all.len());
    }
}
