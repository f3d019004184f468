//! Expressions.

use super::tree::*;
use super::{Block, Name, Quoted};
use crate::source::Span;

tree! {
    /// What an expression is. Brackets are not kept: the tree says what belongs together.
    pub enum ExprKind {
        /// `3` is 3000 thousandths, `0.35` is 350 and decimal.
        Number { thousandths: i64, decimal: bool },
        /// `yes`, `no`
        Truth(bool as YES) = truth,
        /// `"most stable"`: a condition by its name.
        Quoted(Quoted),
        /// `wisp`, `wolf.age`: whatever has this name.
        Name(Name),
        /// `most stable`: two words or more; a condition, or a rank and what it ranks, or both in a row.
        Words(Vec<Name>),
        /// `most (wisp + moss)`, `most price(card)`: a rank of what is no plain name.
        Ranked { rank: Name, by: Expr } = ranked,
        /// `price(card)`
        Call { name: Name, args: Vec<Expr> } = call,
        /// `pile[2]`
        Item { name: Name, index: Expr } = item,
        /// `not E`
        Not(Expr),
        /// `-E`
        Minus(Expr),
        /// `A + B`, `A and B`, `A < B`
        Binary { op: BinaryOp, left: Expr, right: Expr },
        /// `A is B`, `A is not B`
        Is { left: Expr, not: bool, right: Expr },
        /// `A is there`, `A is not there`
        IsThere { left: Expr, not: bool },
        /// `CARD is next to CARD`
        NextTo { left: Expr, not: bool, to: Expr },
        /// `A in 1 to 4`
        InRange { left: Expr, from: Expr, to: Expr },
        /// `A in yard`, `A in my yard`: a card in places, a word in a set, a value among an option's.
        In { left: Expr, my: bool, name: Name },
        /// `if C then A else B`
        If { condition: Expr, yes: Expr, no: Expr } = if_then,
        /// `by players { 2: 4, else: 5 }`
        By { over: Name, entries: Block<Entry> } = by_table,
        /// `no construction`: nothing lies in the place.
        NoneIn(Name) = none_in,
        /// `first round`
        FirstRound = first_round,
        /// `round is last of age`
        LastOf(Name) = last_of,
        /// `count players where …`
        CountPlayers(Players) = count_players,
        /// `any players where …`
        AnyPlayers(Players) = any_players,
        /// `count my yard`; with a dotted name alone it may be a printed list: `count card.points`.
        CountCards(Cards) = count_cards,
        /// `any my yard where …`
        AnyCards(Cards) = any_cards,
        /// `sum EACH of CARDS`, `highest EACH of CARDS`
        OverCards { fold: Fold, each: Expr, of: Cards },
        /// `sum EACH of PLAYERS`, `highest EACH of PLAYERS`
        OverPlayers { fold: Fold, each: Expr, of: Players },
        /// `first N of card.points`
        FirstOf { count: Expr, list: Name } = first_of,
        /// `row of CARD`
        Row(Expr) = row_of,
        /// `column of CARD`
        Column(Expr) = column_of,
        /// `distance from CARD to CARD`
        Distance { from: Expr, to: Expr } = distance,
        /// `amount of RESOURCE`
        Amount(Expr) = amount_of,
        /// `shown SYMBOL in POOL`
        Shown { symbol: Expr, pool: Name } = shown,
        /// `payable SYMBOL from POOL`
        Payable { symbol: Expr, pool: Name } = payable,
        /// `number of TOKENS in POOL`
        NumberOf { tokens: Tokens, pool: Name } = number_of,
    }

    /// `1, 2: 5` of a table of values.
    pub struct Entry {
        /// Words and numbers; `else` for all others.
        pub keys: Vec<Name>,
        /// What it is then.
        pub value: Expr as value,
        /// All of it.
        pub span: Span,
    }

    /// `my cards in play with bites and …`: cards of places, some of them.
    pub struct Cards {
        /// `my`, `all`, or neither.
        pub whose: Whose,
        /// A place, a zone or a kind; or a card by its name, where a statement takes one.
        pub name: Name,
        /// `rows 1, 2`; empty: all rows.
        pub rows: Vec<Expr>,
        /// `with bites`: a counter, or `action`.
        pub with: Option<Name>,
        /// `where …`, or `and …` behind `with`.
        pub filter: Option<Expr>,
        /// Whether the condition stands behind `and`: then each part of it is about the cards.
        pub joined: bool,
        /// All of it.
        pub span: Span,
    }

    /// `other players with fewer wisp`
    pub struct Players {
        /// Without the player who asks.
        pub other: bool,
        /// Which of them.
        pub which: PlayersWhich,
        /// All of it.
        pub span: Span,
    }

    /// Which players.
    pub enum PlayersWhich {
        /// Every one.
        Any,
        /// `where …`
        Where(Expr),
        /// `with fewer X`, `with less X`: than the player who asks.
        Fewer(Expr),
        /// `with more X`
        More(Expr),
    }

    /// `die`, `white:food`, `chit showing book`: a kind, a sort or a face of tokens, and what they must show.
    pub struct Tokens {
        /// A kind, a sort or a loop's name.
        pub name: Name,
        /// `:food`
        pub face: Option<Name>,
        /// `showing food`
        pub showing: Option<Expr>,
        /// All of it.
        pub span: Span,
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Which, and its parts.
    pub kind: Box<ExprKind>,
    /// Where it stands.
    pub span: Span,
}

impl Node for Expr {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        visit(Part::Expr(self));
    }
}

impl Expr {
    /// The whole number that it is as it is written, with a sign perhaps.
    pub fn literal(&self) -> Option<i64> {
        match &*self.kind {
            ExprKind::Number { thousandths, decimal: false } => Some(thousandths / 1000),
            ExprKind::Minus(inner) => inner.literal().map(|number| -number),
            _ => None,
        }
    }
}

/// What is made of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// They are added up.
    Sum,
    /// The highest, 0 without any.
    Highest,
    /// The lowest, 0 without any.
    Lowest,
    /// The one in the middle, of two the lower, 0 without any.
    Median,
    /// How many there are.
    Count,
    /// Whether there is one.
    Any,
}

impl Fold {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Highest => "highest",
            Fold::Lowest => "lowest",
            Fold::Median => "median",
            Fold::Count => "count",
            Fold::Any => "any",
        }
    }
}

/// Operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down
    Div,
}

impl BinaryOp {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::AtMost => "<=",
            BinaryOp::More => ">",
            BinaryOp::AtLeast => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
        }
    }
}

/// Whose cards are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Not said.
    Unsaid,
    /// `my`
    My,
    /// `all`
    All,
}
