//! Lines of scenarios. In their expressions a name may begin with a seat (`p1.wisp`), and cards are referred to by their ids.

use super::tree::*;
use super::{ConditionName, Expr, Name, Placed, Quoted};

tree! {
    /// A line of `given`, which describes the position.
    pub enum Given {
        /// A line such as `as set up`.
        AsSetUp = given_as_set_up,
        /// A line such as `from the beginning`.
        FromBeginning = given_from_beginning,
        /// A line such as `round 2`.
        Round(Expr) = given_round,
        /// A line such as `order p2, p1`.
        Order(Vec<Name>) = given_order,
        /// A line such as `empty market`, `empty pile[2]`.
        Empty { place: Name, number: Option<Expr> } = given_empty,
        /// A line such as `legend g = grey_wolf, r = red_wolf`.
        Legend(Vec<LegendSign>) = given_legend,
        /// A line such as `market | g . r | . . .`.
        Picture { place: Name, rows: Vec<Vec<Name>> } = given_picture,
        /// A line such as `put grey_wolf in p1.yard row 1 column 2 over red_wolf with 2 bites`.
        Put {
            card: Name,
            place: Name,
            row: Option<Expr> as (given_row),
            column: Option<Expr> as (given_column),
            over: Option<Name>,
            with: Option<PutCounters>,
        } = given_put,
        /// A line such as `p1 has grey_wolf`.
        Has { seat: Name, card: Name } = given_has,
        /// A line such as `p1 passed`.
        Flag { seat: Name, flag: Name } = given_flag,
        /// A line such as `den grey_wolf`.
        Card { place: Name, card: Name } = given_card,
        /// `p1.wisp = 3`; the target can also be a pool.
        Set { target: Expr, value: GivenValue } = given_set,
        /// Fixes the result of a random event.
        Next(Next) = next_roll | next_draw | next_take | next_random,
    }

    /// A sign that stands for a card in pictures: `g = grey_wolf`.
    pub struct LegendSign = parts {
        /// The sign: a word, and often a single letter.
        pub sign: Name,
        pub card: Name,
    }

    /// Counters on a card: `with 2 bites`.
    pub struct PutCounters = parts {
        pub count: Expr,
        pub counter: Name,
    }

    /// The result of the next random event.
    pub enum Next {
        /// A line such as `next roll sun, grey:rain_sun`.
        Roll(Vec<NextFace>) = next_roll,
        /// A line such as `next take grey, red:sun`.
        Take(Vec<NextToken>) = next_take,
        /// A line such as `next random north, 3`.
        Random(Vec<Name>) = next_random,
        /// A line such as `next draw grey_wolf from pile[1]`.
        Draw { card: Name, deck: Name, number: Option<Expr> } = next_draw,
    }

    /// A face of a die: `sun`, `grey:sun`.
    pub struct NextFace {
        /// The sort of die; any if `None`.
        pub sort: Option<Name>,
        pub face: Name,
    }

    /// A token that is drawn: `grey`, `grey:sun`.
    pub struct NextToken = parts {
        pub sort: Name,
        /// The face that it shows; any if `None`.
        pub face: Option<Name>,
    }

    /// The value in `TARGET = VALUE`.
    pub enum GivenValue {
        /// An expression; a single name may also be a token.
        Expr(Expr),
        /// `2 grey:sun, seed`; empty for `nothing`.
        Tokens(Vec<GivenToken>),
    }

    /// Tokens in a pool: `2 grey:sun`.
    pub struct GivenToken = parts {
        /// The number of tokens; one if `None`.
        pub count: Option<Expr>,
        pub name: Name,
        /// The face, for a sort with several.
        pub face: Option<Name>,
    }

    /// A line of `when`, which advances the game.
    pub enum When {
        /// `p1: fetch grey_wolf`; the key identifies an option.
        Answer { seat: Name, key: Name } = when_answer,
        /// A line such as `run to next decision`.
        RunToNextDecision = when_run_on,
        /// A line such as `run night.meal`.
        Run(Name) = when_run,
        /// A line such as `others pass`.
        OthersPass = when_others_pass,
        /// A line such as `any answer`.
        AnyAnswer = when_any_answer,
        /// Fixes the result of a random event.
        Next(Next) = next_roll | next_draw | next_take | next_random,
    }

    /// A line of `then`, which claims something about the result.
    pub enum Then {
        /// A line such as `log has "howl"`, `not log has "howl"`.
        LogHas { not: bool as NOT, words: Quoted } = then_log,
        /// `winner is p1, p2`; empty for `nobody`.
        Winner(Vec<Name>) = then_winner,
        /// A line such as `standing is p2, p1`.
        Standing(Vec<Name>) = then_standing,
        /// `honour is "the Owl"`; `None` for `nobody`.
        Honour(Option<Quoted>) = then_honour,
        /// A line such as `order is p2, p1`.
        Order(Vec<Name>) = then_order,
        /// A line such as `game is over`.
        Over { not: bool as NOT } = then_over,
        /// A line such as `grey_wolf is removed`.
        Removed { not: bool as NOT, card: Name } = then_removed,
        /// A line such as `p1 has grey_wolf`.
        Has { not: bool as NOT, seat: Name, card: Name } = then_has,
        /// A line such as `p1 sees p2.bid`.
        Sees { not: bool as NOT, seat: Name, what: Name } = then_sees,
        /// A line such as `p1 is offered choose sun`.
        Offered { not: bool as IS_NOT_OFFERED, seat: Name, key: Name } = then_offered,
        /// A line such as `p1 can fetch grey_wolf`.
        Can { seat: Name, key: Name } = then_able @ CAN,
        /// A line such as `p1 cannot fetch grey_wolf because …`.
        Cannot { seat: Name, key: Name, because: Option<Because> } = then_able,
        /// A line such as `p1.wisp gained 2`.
        Gained { what: Expr, by: Expr } = then_moved @ GAINED,
        /// A line such as `p1.wisp lost 2`.
        Lost { what: Expr, by: Expr } = then_moved,
        /// `most famous is p1, p2`: exactly these players satisfy the condition; empty for `nobody`.
        Exactly { condition: ConditionName, seats: Vec<Name> } = then_exactly,
        /// An expression that must hold.
        Holds(Expr) = then_holds,
    }

    /// The reason why an action is not possible.
    pub enum Because {
        /// A part of the text of the reason.
        Text(Quoted),
        /// A condition that holds, and that a guard of the action refers to.
        Condition(Expr),
    }
}

/// A line of `given`, `when` or `then`, with its place.
pub type ScenarioLine<T> = Placed<T>;
