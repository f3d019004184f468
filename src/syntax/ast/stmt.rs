//! Statements, as they are written.

use super::tree::*;
use super::{ActionParam, ActionPart, Block, Cards, Expr, FoldDomain, FromPurse, Name, Placed, Quoted, Tokens, WhichTeams};
use crate::source::Span;

tree! {
    /// The sorts of statements, each shown by an example.
    pub enum StatementKind {
        // ------------------------------------------------------------ control
        /// A statement such as `if C { … } else …`.
        If { condition: Expr, yes: Body, no: Option<Else> } = if_else,
        /// A statement such as `unless C { … }`.
        Unless { condition: Expr, body: Body } = unless,
        /// A statement such as `let rest = wisp - 2`.
        Let { name: Name, value: Expr } = let_value,
        /// A statement such as `let prize = random card of my yard`.
        LetRandom { name: Name, cards: Cards } = let_random,
        /// A statement such as `let n = random n in 1 to 6 where n > wisp`.
        LetChance { name: Name, each: Name, domain: Box<FoldDomain>, filter: Option<Expr> } = let_chance,
        /// A statement such as `for r in wisp, moss { … }` or `for n in 1 to 6 { … }`.
        For { name: Name, within: FoldDomain, body: Body } = for_words,
        /// A statement such as `repeat until C { … }`.
        RepeatUntil { condition: Expr, body: Body } = repeat_until,
        /// A statement such as `repeat N { … }`.
        Repeat { times: Expr, body: Body } = repeat,
        /// A statement such as `advance path by 2`.
        Advance { track: Name, by: Expr } = advance,
        /// A statement such as `each player in reverse order where … { … }`.
        EachPlayer { others: bool as EACH_OTHER_PLAYER, teams: WhichTeams, from: Option<Expr> as (from_player), reverse: bool as IN_REVERSE_ORDER, filter: Option<Expr>, body: Body } = each_player,
        /// A statement such as `each player in reverse order chooses { … }`.
        EachPlayerChooses { others: bool as EACH_OTHER_PLAYER, teams: WhichTeams, from: Option<Expr> as (from_player), reverse: bool as IN_REVERSE_ORDER, title: Option<Quoted>, choices: Block<Choice> } = each_player_chooses,
        /// A statement such as `each card in my yard { … }`.
        EachCard { name: Name, cards: Cards, body: Body } = each_card,
        /// A statement such as `all players secretly where … { … }`.
        AllPlayers { others: bool as OTHER, teams: WhichTeams, secretly: bool as SECRETLY, filter: Option<Expr>, body: Body } = all_players,
        /// A statement such as `as target { gain 1 wisp }`.
        As { player: Expr, body: Body } = as_player,
        /// A statement such as `do feed(2)`.
        Do { effect: Name, args: Vec<Expr> } = effect_call,
        /// A statement such as `moment howl(card)`.
        Moment { name: Name, args: Vec<Expr> } = moment,
        // ------------------------------------------------------------ questions
        /// A statement such as `player chooses { … }`.
        Choose { title: Option<Quoted>, choices: Block<Choice> } = choose,
        /// A statement such as `player may choose { … }`.
        MayChoose { title: Option<Quoted>, choices: Block<Choice> } = may_choose,
        /// A statement such as `player picks any { … }`, `player picks 2 { … }`, `player picks up to 2 { … }`.
        PickAny { up_to: bool as UP_TO, count: Option<Expr>, title: Option<Quoted>, choices: Block<Choice> } = pick_any,
        /// A statement such as `player picks any die in hand, at least 1 { … }`.
        PickTokens { tokens: Tokens, pools: Vec<Name>, at_least: Option<Expr>, body: Body } = pick_tokens,
        /// A statement such as `player picks 2 die in hand { … }`.
        PickSome { count: Expr, tokens: Tokens, pools: Vec<Name>, body: Body } = pick_some,
        // ------------------------------------------------------------ numbers
        /// A statement such as `gain 2 wisp`.
        Gain { amount: Expr, resource: Expr } = gain,
        /// A statement such as `lose 2 wisp for storm`.
        Lose { amount: Expr, resource: Expr, named: Option<Name> } = lose,
        /// A statement such as `noting losses in last_paid { … }`.
        Noting { tally: Name, body: Body } = noting,
        /// A statement such as `pay 2 wisp`.
        Pay { amount: Expr, resource: Expr } = pay,
        /// A statement such as `pay card.yield from hoard in any mix`.
        PayFrom { price: Name, from: Vec<FromPurse>, mix: bool as IN_ANY_MIX } = pay_from,
        /// A statement such as `pay 2 of wisp, moss in any mix`.
        PayMix { amount: Expr, resources: Vec<Name> } = pay_mix,
        /// A statement such as `add r to short`.
        AddTo { value: Expr, set: Name } = add_to,
        /// A statement such as `remove r from short`.
        RemoveFrom { value: Expr, set: Name } = remove_from,
        /// A statement such as `clear short`: empties a set or a tally.
        Clear { variable: Name } = clear,
        /// A statement such as `card.bites += 1`, `seen[wall] = 2`.
        Assign { target: Name, index: Option<Expr>, op: AssignOp, value: Expr } = assign,
        // ------------------------------------------------------------ cards
        /// A statement such as `draw 3 from pile[2] to yard for storm`.
        Draw { count: Option<Expr>, from_bottom: bool as BOTTOM_OF, from: Deck, to: Name, named: Option<Name> } = draw,
        /// A statement such as `fill market from pile[1]`.
        Fill { place: Name, from: Deck } = fill,
        /// A statement such as `move cards in market row 3 to row 1, packed left`.
        MoveRow { place: Name, from: Expr, to: Expr } = move_row,
        /// A statement such as `pass on yard in reverse order`.
        PassOn { place: Name, reverse: bool as IN_REVERSE_ORDER } = pass_on,
        /// A statement such as `shuffle my yard into pile[1]`, `shuffle my yard onto pile[1]`, `shuffle my yard under pile[1]`.
        Shuffle { cards: Option<Cards>, onto: bool as ONTO, under: bool as UNDER, deck: Deck } = shuffle,
        /// A statement such as `swap card with other`.
        Swap { card: Expr, with: Expr } = swap,
        /// `remove cards in market rows 1, 2`; the name can also refer to a single card.
        Remove { cards: Cards } = remove,
        /// A statement such as `remove first card of market where …`.
        RemoveCard { card: Expr } = remove_card,
        /// A statement such as `show target.hand to me`: to all players, to all others, or to one.
        Show { cards: Cards, to_all: bool as ALL, to_others: bool as OTHER, to_teams: WhichTeams, to: Option<Expr> } = show,
        /// A statement such as `show top card of pile to me`.
        ShowCard { card: Expr, to_all: bool as ALL, to_others: bool as OTHER, to_teams: WhichTeams, to: Option<Expr> } = show_card,
        /// A statement such as `show yard[2].height to me`, `show whether card.height > 2 to all players`.
        ShowPart { whether: bool as WHETHER, value: Expr, to_all: bool as ALL, to_others: bool as OTHER, to_teams: WhichTeams, to: Option<Expr> } = show_part,
        /// A statement such as `put wall, gate in yard`, `put home.first_cards in yard`.
        Put { cards: Vec<Name>, place: Name } = put,
        /// A statement such as `place 2 random cards of market in yard`.
        PlaceSeveral { count: Expr, cards: Cards, under: bool as UNDER, place: Name } = place_several,
        /// A statement such as `place my hand in left.taken`.
        PlaceCards { cards: Cards, under: bool as UNDER, place: Name } = place_cards,
        /// A statement such as `place card in its slot`.
        PlaceInSlot { card: Expr } = place_in_slot,
        /// A statement such as `place card in yard, or over one`, `place card under pile`.
        PlaceIn { card: Expr, under: bool as UNDER, place: Name, or_over_one: bool as OR_OVER_ONE } = place_in | place_found,
        /// A statement such as `place card in walkers at other`.
        PlaceAt { card: Expr, place: Name, at: Expr } = place_at,
        /// A statement such as `place card in market row 3 column 2`.
        PlaceInRow { card: Expr, place: Name, row: Expr, column: Expr } = place_in_row,
        /// A statement such as `card acts`.
        Acts { card: Name } = acts,
        /// A statement such as `random card of my yard acts`.
        CardActs { card: Expr } = card_acts,
        // ------------------------------------------------------------ the order of players
        /// A statement such as `order at random`.
        OrderAtRandom = order_at_random,
        /// A statement such as `order in reverse`.
        OrderInReverse = order_in_reverse,
        /// A statement such as `order begins with player where passed`.
        OrderFrom { filter: Expr } = order_from,
        /// A statement such as `order by fame, then order`.
        OrderBy { keys: Vec<OrderKey> } = order_by,
        /// A statement such as `play again`.
        PlayAgain = play_again,
        /// A statement such as `end turn`.
        EndTurn = end_turn,
        /// A statement such as `end phase`.
        EndPhase = end_phase,
        /// A statement such as `end round`.
        EndRound = end_round,
        /// A statement such as `end game`.
        EndGame = end_game,
        // ------------------------------------------------------------ tokens
        /// A statement such as `take 2 pebble from box to hand`, `take 2 pebble at random from box to hand`.
        TakeTokens { amount: Expr, tokens: Tokens, at_random: bool as AT_RANDOM, from: Name, to: Name } = take,
        /// A statement such as `move all die from hand to box`.
        MoveTokens { tokens: Tokens, from: Name, to: Name } = move_tokens,
        /// A statement such as `move it to box`.
        MoveToken { token: Name, to: Name } = move_token,
        /// A statement such as `lift all die in hand`.
        LiftTokens { tokens: Tokens, pool: Name } = lift_tokens,
        /// A statement such as `lift it`.
        LiftToken { token: Name } = lift_token,
        /// A statement such as `roll hand`.
        Roll { pool: Name } = roll,
        /// A statement such as `spend 2 moss from hand to box`.
        Spend { amount: Expr, symbol: Expr, from: Name, to: Name } = spend,
    }

    /// The part of an `if` after `else`.
    pub enum Else {
        /// `else { … }`
        Body(Body),
        /// `else if …`: the statement is always an `If`.
        If(Box<Statement>),
    }

    /// A deck, or one pile of it: `pile`, `pile[2]`.
    pub struct Deck = parts {
        pub name: Name,
        pub index: Option<Expr>,
    }

    /// A sort key of players or cards.
    pub enum OrderKey {
        /// `order`: the current order.
        Present(Span) = order_key @ ORDER,
        /// Descending by this value.
        By(Expr) = order_key,
    }

    /// A line of a question.
    pub struct Choice {
        /// The words in quotes: a word, what stands ahead of what is chosen, or a text with `{NAME}` for it.
        pub words: Option<Quoted>,
        /// `each …`: what is chosen. Without this and words, the line is `else`, for the case that nothing can be chosen.
        pub params: Vec<ActionParam>,
        /// `if …`: the condition under which the line is offered.
        pub condition: Option<Expr>,
        /// `, up to N`: how often one option can be picked.
        pub up_to: Option<Expr>,
        /// The statements to run if the line is chosen.
        pub body: Body,
        /// The guards and costs.
        pub parts: Vec<ActionPart> as list,
        /// `else { … }` directly after it: the statements to run if nothing can be chosen.
        pub otherwise: Option<Body>,
        pub span: Span,
    }

    /// A question on a card: `ask = "may one of wisp, moss if wisp > 2, each card in my yard"`.
    pub struct Ask = parts {
        /// Whether choosing nothing is allowed.
        pub may: bool as MAY,
        /// What the question offers; empty for a yes-or-no question.
        pub offers: Vec<AskOffer>,
        pub span: Span,
    }

    /// An alternative of a card's question.
    pub struct AskOffer = parts {
        /// The word or set of cards that is offered.
        pub what: AskWhat,
        /// `if …`: the condition under which it is offered.
        pub condition: Option<Expr>,
        pub span: Span,
    }

    /// What an alternative of a card's question offers.
    pub enum AskWhat {
        /// An offer such as `each card in my yard`.
        Cards { name: Name, cards: Cards } = ask_offer @ EACH,
        /// A word to choose.
        Word(Name) = ask_offer,
    }
}

/// A statement with its place.
pub type Statement = Placed<StatementKind>;

/// A block of statements.
pub type Body = Block<Statement>;

/// The operators of assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// The operator `=`.
    Set,
    /// The operator `+=`.
    Add,
    /// The operator `-=`.
    Sub,
}
