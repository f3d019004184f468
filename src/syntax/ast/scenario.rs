//! Lines of scenarios. In their expressions a name may have a seat ahead (`p1.wisp`), and cards are named by their ids.

use super::tree::*;
use super::{ConditionName, Expr, Name, Quoted};
use crate::source::Span;

tree! {
    /// What a line of `given` says of the position.
    pub enum Given {
        /// `as set up`
        AsSetUp = given_as_set_up,
        /// `from the beginning`
        FromBeginning = given_from_beginning,
        /// `round 2`
        Round(Expr) = given_round,
        /// `order p2, p1`
        Order(Vec<Name>),
        /// `empty market`, `empty pile[2]`
        Empty { place: Name, number: Option<Expr> } = given_empty,
        /// `put grey_wolf in p1.yard row 1 column 2 over red_wolf with 2 bites`
        Put { card: Name, place: Name, row: Option<Expr>, column: Option<Expr>, over: Option<Name>, with: Option<PutCounters> },
        /// `p1 has grey_wolf`
        Has { seat: Name, card: Name } = given_has,
        /// `p1 passed`
        Flag { seat: Name, flag: Name } = given_flag,
        /// `den grey_wolf`
        Card { place: Name, card: Name } = given_card,
        /// `p1.wisp = 3`; the target may be a pool.
        Set { target: Expr, value: GivenValue },
        /// What chance does next.
        Next(Next),
    }

    /// `with 2 bites`
    pub struct PutCounters = parts {
        /// How many.
        pub count: Expr,
        /// Of which counter.
        pub counter: Name,
    }

    /// What chance does next.
    pub enum Next {
        /// `next roll sun, grey:rain_sun`
        Roll(Vec<NextFace>),
        /// `next take grey, red:sun`
        Take(Vec<NextToken>),
        /// `next draw grey_wolf from pile[1]`
        Draw { card: Name, deck: Name, number: Option<Expr> } = next_draw,
    }

    /// `sun`, `grey:sun`
    pub struct NextFace {
        /// The sort of die, if only one is meant.
        pub sort: Option<Name>,
        /// The face.
        pub face: Name,
    }

    /// `grey`, `grey:sun`
    pub struct NextToken = parts {
        /// The sort.
        pub sort: Name,
        /// The face that it shows, if only such a one is meant.
        pub face: Option<Name>,
    }

    /// What something is set to.
    pub enum GivenValue {
        /// A value; a lone name may also be a token.
        Expr(Expr),
        /// `2 grey:sun, seed`; `nothing` has none.
        Tokens(Vec<GivenToken>),
    }

    /// `2 grey:sun`
    pub struct GivenToken = parts {
        /// How many; one if it is not said.
        pub count: Option<Expr>,
        /// A sort.
        pub name: Name,
        /// A face of it.
        pub face: Option<Name>,
    }

    /// What a line of `when` does.
    pub enum When {
        /// `p1: fetch grey_wolf`; the key is a text as options have it.
        Answer { seat: Name, key: Name } = when_answer,
        /// `run to next decision`
        RunToNextDecision = when_run_on,
        /// `run night.meal`
        Run(Name) = when_run,
        /// `others pass`
        OthersPass = when_others_pass,
        /// `any answer`
        AnyAnswer = when_any_answer,
        /// What chance does next.
        Next(Next),
    }

    /// What a line of `then` claims.
    pub enum Then {
        /// `log has "howl"`, `not log has "howl"`
        LogHas { not: bool as NOT, words: Quoted } = then_log,
        /// `winner is p1, p2`; no seats: nobody.
        Winner(Vec<Name>),
        /// `standing is p2, p1`
        Standing(Vec<Name>),
        /// `honour is "the Owl"`; no name: nobody.
        Honour(Option<Quoted>) = then_honour,
        /// `order is p2, p1`
        Order(Vec<Name>),
        /// `game is over`
        Over { not: bool as NOT } = then_over,
        /// `grey_wolf is removed`
        Removed { not: bool as NOT, card: Name } = then_removed,
        /// `p1 has grey_wolf`
        Has { not: bool as NOT, seat: Name, card: Name } = then_has,
        /// `p1 is offered choose sun`
        Offered { not: bool as IS_NOT_OFFERED, seat: Name, key: Name } = then_offered,
        /// `p1 can fetch grey_wolf`
        Can { seat: Name, key: Name },
        /// `p1 cannot fetch grey_wolf because …`
        Cannot { seat: Name, key: Name, because: Option<Because> },
        /// `p1.wisp gained 2`
        Gained { what: Expr, by: Expr },
        /// `p1.wisp lost 2`
        Lost { what: Expr, by: Expr },
        /// `most famous is p1, p2`; no seats: nobody.
        Exactly { condition: ConditionName, seats: Vec<Name> },
        /// A condition.
        Holds(Expr) = then_holds,
    }

    /// Why something cannot be done.
    pub enum Because {
        /// A part of the reason.
        Text(Quoted),
        /// A condition that is so and that a guard is about.
        Condition(Expr),
    }
}

/// A line of `given`, `when` or `then`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioLine<T> {
    /// What it says.
    pub kind: T,
    /// All of it.
    pub span: Span,
}
