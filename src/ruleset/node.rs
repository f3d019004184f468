//! Expressions as the engine runs them: a tree of wide nodes in one arena, the sets of cards and players they go through, and the
//! types of values, by which scripts and scenarios know what they read and hand over.

use super::ruleset::{NameId, Ruleset};
pub use crate::compare::Compare;

/// Index of a [`Node`].
pub type NodeId = u32;

/// An expression. Truth is 1 or 0, a missing piece is -1.
#[derive(Clone, Debug)]
pub enum Node {
    /// A number.
    Const(i64),
    /// A loop variable, parameter or argument.
    Local(u8),
    /// The seat that is spoken of.
    Me,
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat that is spoken of.
    Own(u16),
    /// A tally or a row of cells of the seat: `offset`, how many, which.
    OwnAt(u16, u16, NodeId),
    /// Whether a bit is in a set of the seat.
    OwnBit(u16, NodeId),
    /// A counter of a piece.
    Counter(NodeId, u8),
    /// A number printed on a card.
    Field(NodeId, u16),
    /// A number printed on a card, by an index of this many.
    FieldAt(NodeId, u16, u16, NodeId),
    /// An element of a printed list, from 0.
    ListAt(NodeId, u16, NodeId),
    /// The length of a printed list.
    ListLen(NodeId, u16),
    /// The sum of the first so many elements of a printed list.
    ListFirst(NodeId, u16, NodeId),
    /// The kind of a piece.
    KindOf(NodeId),
    /// Whether a piece is of one of the kinds of a bit set.
    IsKind(NodeId, u64),
    /// Whether a piece lies in a place that this bit set of declarations names.
    InPlaces(NodeId, u64),
    /// The first piece in a place: own, or on the table.
    FirstIn(u16),
    /// Whether nothing lies in a place.
    NoneIn(u16),
    /// The row of a piece in its grid, from 1.
    Row(NodeId, u16),
    /// The column of a piece in its grid, from 1.
    Column(NodeId, u16),
    /// The seat that owns the place of a piece, or -1.
    OwnerOf(NodeId),
    /// Whether a piece has an action of its own.
    HasAction(NodeId),
    /// Whether a piece is of this definition.
    IsCard(NodeId, u32),
    /// Where the seat stands in the order, from 1.
    PlaceInOrder,
    /// `+`
    Add(NodeId, NodeId),
    /// `-`
    Sub(NodeId, NodeId),
    /// `*`
    Mul(NodeId, NodeId),
    /// `/`, rounded down; by 0 is a fault.
    Div(NodeId, NodeId),
    /// The smaller.
    Min(NodeId, NodeId),
    /// The larger.
    Max(NodeId, NodeId),
    /// Not.
    Not(NodeId),
    /// And; the second is not looked at when the first is false.
    And(NodeId, NodeId),
    /// Or; the second is not looked at when the first is true.
    Or(NodeId, NodeId),
    /// A comparison.
    Cmp(Compare, NodeId, NodeId),
    /// One or the other.
    If(NodeId, NodeId, NodeId),
    /// Sum of an expression over cards.
    Sum(u32, NodeId),
    /// Highest value of an expression over cards, 0 without any.
    Highest(u32, NodeId),
    /// Lowest value of an expression over cards, 0 without any.
    Lowest(u32, NodeId),
    /// Number of cards.
    Count(u32),
    /// Whether there is a card.
    Any(u32),
    /// Number of players.
    CountPlayers(u32),
    /// Whether there is such a player.
    AnyPlayer(u32),
    /// Sum of an expression over players.
    SumPlayers(u32, NodeId),
    /// The highest over players, 0 without any.
    HighestPlayers(u32, NodeId),
    /// The lowest over players, 0 without any.
    LowestPlayers(u32, NodeId),
    /// A quantity with its changes, for the seat spoken of, and up to two arguments.
    Quantity(u16, [Option<NodeId>; 2]),
    /// Whether the seat is in a rank by an expression.
    Rank(u16, NodeId),
    /// One of several values, by index from 0; the last stands for all beyond.
    Table(NodeId, Box<[i64]>),
    /// An expression about another seat.
    Of(NodeId, NodeId),
    /// A word: a constant that remembers that it is one.
    Word(NameId),
    /// How many places a place instance of the seat has by the rules.
    Limit(u16),
    /// How many tokens of a set lie in a pool.
    CountTokens(u32, u8),
    /// How much of a symbol the tokens of a pool show.
    ShownIn(NodeId, u8),
    /// How much of a symbol a pool can pay.
    Payable(NodeId, u8),
    /// How much of a symbol a picked token, in a local, shows.
    ShownBy(u8, NodeId),
}

/// What the parts of a [`Node`] stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A card.
    Card,
    /// Anything else.
    Value,
}

impl Node {
    /// Calls `f` for each expression right below this one; those of the sets that it goes through are not among them.
    pub fn each_part(&mut self, mut f: impl FnMut(&mut NodeId, Role)) {
        match self {
            Node::Const(_)
            | Node::Local(_)
            | Node::Me
            | Node::Global(_)
            | Node::Own(_)
            | Node::FirstIn(_)
            | Node::NoneIn(_)
            | Node::PlaceInOrder
            | Node::Word(_)
            | Node::Limit(_)
            | Node::Count(_)
            | Node::Any(_)
            | Node::CountPlayers(_)
            | Node::AnyPlayer(_)
            | Node::CountTokens(..) => {}
            Node::OwnAt(_, _, a)
            | Node::OwnBit(_, a)
            | Node::Not(a)
            | Node::Table(a, _)
            | Node::Rank(_, a)
            | Node::Sum(_, a)
            | Node::Highest(_, a)
            | Node::Lowest(_, a)
            | Node::SumPlayers(_, a)
            | Node::HighestPlayers(_, a)
            | Node::LowestPlayers(_, a)
            | Node::ShownIn(a, _)
            | Node::Payable(a, _)
            | Node::ShownBy(_, a) => f(a, Role::Value),
            Node::Counter(card, _)
            | Node::Field(card, _)
            | Node::ListLen(card, _)
            | Node::KindOf(card)
            | Node::IsKind(card, _)
            | Node::InPlaces(card, _)
            | Node::Row(card, _)
            | Node::Column(card, _)
            | Node::OwnerOf(card)
            | Node::HasAction(card)
            | Node::IsCard(card, _) => f(card, Role::Card),
            Node::FieldAt(card, _, _, a) | Node::ListAt(card, _, a) | Node::ListFirst(card, _, a) => {
                f(card, Role::Card);
                f(a, Role::Value);
            }
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::Min(a, b)
            | Node::Max(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Cmp(_, a, b)
            | Node::Of(a, b) => {
                f(a, Role::Value);
                f(b, Role::Value);
            }
            Node::If(a, b, c) => [a, b, c].into_iter().for_each(|part| f(part, Role::Value)),
            Node::Quantity(_, args) => args.iter_mut().flatten().for_each(|arg| f(arg, Role::Value)),
        }
    }

    /// The expressions right below this one.
    pub fn parts(&self) -> Vec<(NodeId, Role)> {
        let mut parts = Vec::new();
        self.clone().each_part(|part, role| parts.push((*part, role)));
        parts
    }

    /// What it depends on besides the expressions right below it.
    pub fn beside(&self) -> Beside {
        match self {
            Node::Local(local) | Node::ShownBy(local, _) => Beside::Local(*local),
            Node::Sum(set, _) | Node::Highest(set, _) | Node::Lowest(set, _) | Node::Count(set) | Node::Any(set) => Beside::Cards(*set),
            Node::CountPlayers(set)
            | Node::AnyPlayer(set)
            | Node::SumPlayers(set, _)
            | Node::HighestPlayers(set, _)
            | Node::LowestPlayers(set, _) => Beside::Players(*set),
            Node::CountTokens(set, _) => Beside::Tokens(*set),
            Node::Rank(rank, _) => Beside::Rank(*rank),
            Node::Const(_)
            | Node::Me
            | Node::Global(_)
            | Node::Own(_)
            | Node::OwnAt(..)
            | Node::OwnBit(..)
            | Node::Counter(..)
            | Node::Field(..)
            | Node::FieldAt(..)
            | Node::ListAt(..)
            | Node::ListLen(..)
            | Node::ListFirst(..)
            | Node::KindOf(_)
            | Node::IsKind(..)
            | Node::InPlaces(..)
            | Node::FirstIn(_)
            | Node::NoneIn(_)
            | Node::Row(..)
            | Node::Column(..)
            | Node::OwnerOf(_)
            | Node::HasAction(_)
            | Node::IsCard(..)
            | Node::PlaceInOrder
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Mul(..)
            | Node::Div(..)
            | Node::Min(..)
            | Node::Max(..)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Cmp(..)
            | Node::If(..)
            | Node::Quantity(..)
            | Node::Table(..)
            | Node::Of(..)
            | Node::Word(_)
            | Node::Limit(_)
            | Node::ShownIn(..)
            | Node::Payable(..) => Beside::Nothing,
        }
    }
}

/// What a [`Node`] depends on besides the expressions right below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing that has a number.
    Nothing,
    /// A local.
    Local(u8),
    /// The cards of a set, and what they are chosen by.
    Cards(u32),
    /// The players of a set, and what they are chosen by.
    Players(u32),
    /// The tokens of a set, and what they are chosen by.
    Tokens(u32),
    /// A rank, and how many count there.
    Rank(u16),
}

impl Ruleset {
    /// The nodes right below one, those of the sets that it goes through among them.
    pub fn below(&self, node: NodeId) -> Vec<NodeId> {
        let node = &self.nodes[node as usize];
        let of_set = match node.beside() {
            Beside::Nothing | Beside::Local(_) | Beside::Rank(_) => [None, None],
            Beside::Cards(set) => [self.sets[set as usize].filter, None],
            Beside::Players(set) => [self.player_sets[set as usize].filter, None],
            Beside::Tokens(set) => [self.token_sets[set as usize].of, self.token_sets[set as usize].showing],
        };
        of_set.into_iter().flatten().chain(node.parts().into_iter().map(|(part, _)| part)).collect()
    }
}

/// Cards that an expression or a choice goes through.
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

/// Whose places a set of cards speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// Those of the seat spoken of (places of the table where no seat has them).
    Mine,
    /// Everybody's.
    All,
}

/// Players that an expression goes through.
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
