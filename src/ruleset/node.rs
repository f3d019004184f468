//! Sets of cards and players for statements, and the types of values, by which scripts and scenarios check what they read and pass.

pub use crate::compare::Compare;
use crate::graph::Cards;
pub use crate::graph::{ExprId as NodeId, Whose};

/// The cards that a statement, choice or loop visits.
#[derive(Clone, Debug)]
pub struct CardSet {
    /// The cards, before the further conditions.
    pub cards: Cards,
    /// The local that holds the card.
    pub local: u8,
    /// A further condition on each card; the card is in the local.
    pub filter: Option<NodeId>,
    /// A set of spaces within which alone cards are visited: worked out once, before the loop.
    pub within: Option<NodeId>,
}

/// The players that a loop visits.
#[derive(Clone, Debug)]
pub struct PlayerSet {
    /// Whether the current seat is excluded.
    pub others: bool,
    /// The condition, evaluated with the visited player as the current seat; `local` holds the original seat.
    pub filter: Option<NodeId>,
    /// The local that holds the original seat.
    pub local: u8,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A whole number.
    Number,
    /// A number in thousandths.
    Thousandths,
    /// A boolean: yes or no.
    Truth,
    /// A card, or no card.
    Card,
    /// A space of the board whose spaces are of this kind, or no space.
    Space(u16),
    /// A player, by seat.
    Seat,
    /// One of the resources.
    Resource,
    /// The index of a printed row: a resource, or a further word.
    RowWord,
    /// A kind of card.
    Kind,
    /// A word of this list: the values of an option.
    Choice(u16),
    /// A symbol of tokens.
    Symbol,
    /// A sort of token.
    Token,
    /// A picked token.
    Picked,
    /// A parameter whose type does not follow from its uses.
    Open(u16),
}

impl Type {
    /// Whether the values are cards or spaces: pieces, or none.
    pub fn is_piece(self) -> bool {
        matches!(self, Type::Card | Type::Space(_))
    }

    /// Returns the name of the type for people.
    pub fn words(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Thousandths => "a number with decimals",
            Type::Truth => "a condition",
            Type::Card => "a card",
            Type::Space(_) => "a space",
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

/// The thing that a name in a script stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// A cell of the table.
    Table(u16),
    /// A cell of a seat.
    Seat(u16),
    /// A run of cells of a seat, indexed by a word: offset and length.
    Tally(u16, u16),
    /// A set of a seat, indexed by a word.
    Set(u16),
    /// An expression of the rules.
    Expression(NodeId),
    /// A quantity that cards may change.
    Quantity(u16),
    /// An effect; it runs when the script has ended.
    Effect(u16),
}

/// The signature of a declaration of the rules, for scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The name, of one or several words.
    pub name: String,
    /// The sort of declaration, in words for people.
    pub what: &'static str,
    /// The parameters besides the player: name and type.
    pub params: Vec<(String, Type)>,
    /// The type of the result; `None` for an effect.
    pub gives: Option<Type>,
    /// Whether the value is the same for all players, so that a script can read it without naming a player.
    pub of_table: bool,
    /// What the name stands for in the compiled ruleset.
    pub called: Called,
}

#[cfg(test)]
mod tests {
    use super::Type;

    #[test]
    fn each_type_has_words_of_its_own() {
        use Type::{Card, Choice, Kind, Number, Open, Picked, Resource, RowWord, Seat, Space, Symbol, Thousandths, Token, Truth};
        let all = [Number, Thousandths, Truth, Card, Space(0), Seat, Resource, RowWord, Kind, Choice(0), Symbol, Token, Picked, Open(0)];
        let words: std::collections::BTreeSet<&str> = all.iter().map(|one| one.words()).collect();
        assert_eq!(words.len(), all.len());
    }
}
