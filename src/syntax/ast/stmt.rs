//! Statements.

use super::tree::*;
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
        If { condition: Expr, yes: Body, no: Option<Else> } = if_else,
        /// `unless C { … }`
        Unless { condition: Expr, body: Body } = unless,
        /// `for r in wisp, moss { … }`
        For { name: Name, within: Vec<Name>, body: Body } = for_words,
        /// `repeat until C { … }`
        RepeatUntil { condition: Expr, body: Body } = repeat_until,
        /// `repeat N { … }`
        Repeat { times: Expr, body: Body } = repeat,
        /// `advance path by 2`
        Advance { track: Name, by: Expr } = advance,
        /// `each player in reverse order where … { … }`
        EachPlayer { others: bool as EACH_OTHER_PLAYER, reverse: bool as IN_REVERSE_ORDER, filter: Option<Expr>, body: Body } = each_player,
        /// `each player in reverse order chooses { … }`
        EachPlayerChooses { others: bool as EACH_OTHER_PLAYER, reverse: bool as IN_REVERSE_ORDER, choices: Block<Choice> } = each_player_chooses,
        /// `each card in my yard { … }`
        EachCard { name: Name, cards: Cards, body: Body } = each_card,
        /// `all players secretly where … { … }`
        AllPlayers { others: bool as OTHER, secretly: bool as SECRETLY, filter: Option<Expr>, body: Body } = all_players,
        /// `do feed(2)`
        Do { effect: Name, args: Vec<Expr> } = effect_call,
        /// `moment howl(card)`
        Moment { name: Name, args: Vec<Expr> } = moment,
        // ------------------------------------------------------------ questions
        /// `player chooses { … }`
        Choose { choices: Block<Choice> } = choose,
        /// `player may choose { … }`
        MayChoose { choices: Block<Choice> } = may_choose,
        /// `player picks any { … }`
        PickAny { choices: Block<Choice> } = pick_any,
        /// `player picks any die in hand, at least 1 { … }`
        PickTokens { tokens: Tokens, pools: Vec<Name>, at_least: Option<Expr>, body: Body } = pick_tokens,
        /// `player picks 2 die in hand { … }`
        PickSome { count: Expr, tokens: Tokens, pools: Vec<Name>, body: Body } = pick_some,
        // ------------------------------------------------------------ numbers
        /// `gain 2 wisp`
        Gain { amount: Expr, resource: Expr } = gain,
        /// `lose 2 wisp for storm`
        Lose { amount: Expr, resource: Expr, named: Option<Name> } = lose,
        /// `noting losses in last_paid { … }`
        Noting { tally: Name, body: Body } = noting,
        /// `pay 2 wisp`
        Pay { amount: Expr, resource: Expr } = pay,
        /// `pay 2 of wisp, moss in any mix`
        PayMix { amount: Expr, resources: Vec<Name> } = pay_mix,
        /// `add r to short`
        AddTo { value: Expr, set: Name } = add_to,
        /// `card.bites += 1`, `seen[wall] = 2`
        Assign { target: Name, index: Option<Expr>, op: AssignOp, value: Expr } = assign,
        // ------------------------------------------------------------ cards
        /// `draw from pile[2] to yard for storm`
        Draw { from: Deck, to: Name, named: Option<Name> } = draw,
        /// `fill market from pile[1]`
        Fill { place: Name, from: Deck } = fill,
        /// `move cards in market row 3 to row 1, packed left`
        MoveRow { place: Name, from: Expr, to: Expr } = move_row,
        /// `pass on yard in reverse order`
        PassOn { place: Name, reverse: bool as IN_REVERSE_ORDER } = pass_on,
        /// `shuffle my yard into pile[1]`
        Shuffle { cards: Option<Cards>, deck: Deck } = shuffle,
        /// `swap card with other`
        Swap { card: Expr, with: Expr } = swap,
        /// `remove cards in market rows 1, 2`; the name may also be a single card's.
        Remove { cards: Cards } = remove,
        /// `put wall, gate in yard`, `put home.first_cards in yard`
        Put { cards: Vec<Name>, place: Name } = put,
        /// `place card in its slot`
        PlaceInSlot { card: Expr } = place_in_slot,
        /// `place card in yard, or over one`
        PlaceIn { card: Expr, place: Name, or_over_one: bool as OR_OVER_ONE } = place_in,
        /// `place card in walkers at other`
        PlaceAt { card: Expr, place: Name, at: Expr } = place_at,
        /// `card acts`
        Acts { card: Name } = acts,
        // ------------------------------------------------------------ the order of players
        /// `order at random`
        OrderAtRandom = order_at_random,
        /// `order begins with player where passed`
        OrderFrom { filter: Expr } = order_from,
        /// `order by fame, then order`
        OrderBy { keys: Vec<OrderKey> } = order_by,
        // ------------------------------------------------------------ tokens
        /// `take 2 pebble from box to hand`, `take 2 pebble at random from box to hand`
        TakeTokens { amount: Expr, tokens: Tokens, at_random: bool as AT_RANDOM, from: Name, to: Name } = take,
        /// `move all die from hand to box`
        MoveTokens { tokens: Tokens, from: Name, to: Name } = move_tokens,
        /// `move it to box`
        MoveToken { token: Name, to: Name } = move_token,
        /// `lift all die in hand`
        LiftTokens { tokens: Tokens, pool: Name } = lift_tokens,
        /// `lift it`
        LiftToken { token: Name } = lift_token,
        /// `roll hand`
        Roll { pool: Name } = roll,
        /// `spend 2 moss from hand to box`
        Spend { amount: Expr, symbol: Expr, from: Name, to: Name } = spend,
    }

    /// What stands behind `else`.
    pub enum Else {
        /// `else { … }`
        Body(Body),
        /// `else if …`: always an `If`.
        If(Box<Statement>),
    }

    /// `pile`, `pile[2]`
    pub struct Deck = parts {
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
