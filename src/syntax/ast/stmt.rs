//! Statements.

use super::tree::{Node, Part, tree};
use super::{Block, Cards, Expr, Name, Quoted, Tokens};
use crate::source::Span;

tree! {
    /// A statement.
    pub struct Statement {
        /// Which, and its parts.
        pub kind: StatementKind,
        /// Where it stands.
        pub span: Span,
    }

    /// What a statement does.
    pub enum StatementKind {
        // ------------------------------------------------------------ control
        /// `if C { … } else …`
        If { condition: Expr, yes: Body, no: Option<Else> },
        /// `unless C { … }`
        Unless { condition: Expr, body: Body },
        /// `for r in wisp, moss { … }`
        For { name: Name, within: Vec<Name>, body: Body },
        /// `repeat until C { … }`
        RepeatUntil { condition: Expr, body: Body },
        /// `repeat N { … }`
        Repeat { times: Expr, body: Body },
        /// `advance path by 2`
        Advance { track: Name, by: Expr },
        /// `each player in reverse order where … { … }`
        EachPlayer { others: bool, reverse: bool, filter: Option<Expr>, body: Body },
        /// `each player in reverse order chooses { … }`
        EachPlayerChooses { others: bool, reverse: bool, choices: Block<Choice> },
        /// `each card in my yard { … }`
        EachCard { name: Name, cards: Cards, body: Body },
        /// `all players secretly where … { … }`
        AllPlayers { others: bool, secretly: bool, filter: Option<Expr>, body: Body },
        /// `do feed(2)`
        Do { effect: Name, args: Vec<Expr> },
        /// `moment howl(card)`
        Moment { name: Name, args: Vec<Expr> },
        // ------------------------------------------------------------ questions
        /// `player chooses { … }`
        Choose { choices: Block<Choice> },
        /// `player may choose { … }`
        MayChoose { choices: Block<Choice> },
        /// `player picks any { … }`
        PickAny { choices: Block<Choice> },
        /// `player picks any die in hand, at least 1 { … }`
        PickTokens { tokens: Tokens, pools: Vec<Name>, at_least: Option<Expr>, body: Body },
        /// `player picks 2 die in hand { … }`
        PickSome { count: Expr, tokens: Tokens, pools: Vec<Name>, body: Body },
        // ------------------------------------------------------------ numbers
        /// `gain 2 wisp`
        Gain { amount: Expr, resource: Expr },
        /// `lose 2 wisp for storm`
        Lose { amount: Expr, resource: Expr, named: Option<Name> },
        /// `noting losses in last_paid { … }`
        Noting { tally: Name, body: Body },
        /// `pay 2 wisp`
        Pay { amount: Expr, resource: Expr },
        /// `pay 2 of wisp, moss in any mix`
        PayMix { amount: Expr, resources: Vec<Name> },
        /// `add r to short`
        AddTo { value: Expr, set: Name },
        /// `card.bites += 1`, `seen[wall] = 2`
        Assign { target: Name, index: Option<Expr>, op: AssignOp, value: Expr },
        // ------------------------------------------------------------ cards
        /// `draw from pile[2] to yard for storm`
        Draw { from: Deck, to: Name, named: Option<Name> },
        /// `fill market from pile[1]`
        Fill { place: Name, from: Deck },
        /// `move cards in market row 3 to row 1, packed left`
        MoveRow { place: Name, from: Expr, to: Expr },
        /// `pass on yard in reverse order`
        PassOn { place: Name, reverse: bool },
        /// `shuffle my yard into pile[1]`
        Shuffle { cards: Option<Cards>, deck: Deck },
        /// `swap card with other`
        Swap { card: Expr, with: Expr },
        /// `remove cards in market rows 1, 2`; the name may also be a single card's.
        Remove { cards: Cards },
        /// `put wall, gate in yard`, `put home.first_cards in yard`
        Put { cards: Vec<Name>, place: Name },
        /// `place card in its slot`
        PlaceInSlot { card: Expr },
        /// `place card in yard, or over one`
        PlaceIn { card: Expr, place: Name, or_over_one: bool },
        /// `place card in walkers at other`
        PlaceAt { card: Expr, place: Name, at: Expr },
        /// `card acts`
        Acts { card: Name },
        // ------------------------------------------------------------ the order of players
        /// `order at random`
        OrderAtRandom,
        /// `order begins with player where passed`
        OrderFrom { filter: Expr },
        /// `order by fame, then order`
        OrderBy { keys: Vec<OrderKey> },
        // ------------------------------------------------------------ tokens
        /// `take 2 pebble from box to hand`, `take 2 pebble at random from box to hand`
        TakeTokens { amount: Expr, tokens: Tokens, at_random: bool, from: Name, to: Name },
        /// `move all die from hand to box`
        MoveTokens { tokens: Tokens, from: Name, to: Name },
        /// `move it to box`
        MoveToken { token: Name, to: Name },
        /// `lift all die in hand`
        LiftTokens { tokens: Tokens, pool: Name },
        /// `lift it`
        LiftToken { token: Name },
        /// `roll hand`
        Roll { pool: Name },
        /// `spend 2 moss from hand to box`
        Spend { amount: Expr, symbol: Expr, from: Name, to: Name },
    }

    /// What stands behind `else`.
    pub enum Else {
        /// `else { … }`
        Body(Body),
        /// `else if …`: always an `If`.
        If(Box<Statement>),
    }

    /// `pile`, `pile[2]`
    pub struct Deck {
        /// Its name.
        pub name: Name,
        /// Which of its piles.
        pub index: Option<Expr>,
    }

    /// What an order goes by.
    pub enum OrderKey {
        /// `order`: the present one.
        Present(Span),
        /// More of this goes first.
        By(Expr),
    }

    /// One line of a question.
    pub struct Choice {
        /// What is offered.
        pub offer: Offer,
        /// `if …`
        pub condition: Option<Expr>,
        /// `, up to N`: how often one card can be picked.
        pub up_to: Option<Expr>,
        /// What happens.
        pub body: Body,
        /// `else { … }` directly behind it: if nothing can be chosen.
        pub otherwise: Option<Body>,
        /// All of it.
        pub span: Span,
    }

    /// What a line of a question offers.
    pub enum Offer {
        /// `"wisp"`
        Word(Quoted),
        /// `each card in my yard`; a kind of token stands here, too.
        Cards { name: Name, cards: Cards },
        /// `each r in wisp, moss`
        Words { name: Name, within: Vec<Name> },
        /// `each n in 0 to wisp`
        Numbers { name: Name, from: Expr, to: Expr },
        /// `else`: what happens if nothing can be chosen.
        Otherwise,
    }

    /// `ask = "may one of wisp, moss if wisp > 2, each card in my yard"` of a card's entry.
    pub struct Ask {
        /// Whether nothing may be answered, too.
        pub may: bool,
        /// What is offered; empty: yes or no.
        pub offers: Vec<AskOffer>,
        /// All of it.
        pub span: Span,
    }

    /// One thing that a card's question offers.
    pub struct AskOffer {
        /// What.
        pub what: AskWhat,
        /// `if …`
        pub condition: Option<Expr>,
        /// All of it.
        pub span: Span,
    }

    /// What a card's question offers.
    pub enum AskWhat {
        /// A word.
        Word(Name),
        /// `each card in my yard`
        Cards { name: Name, cards: Cards },
    }
}

/// Statements in braces.
pub type Body = Block<Statement>;

/// How a target is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}
