//! Lines of scenarios. In their expressions a name may have a seat ahead (`p1.wisp`), and cards are named by their ids.

use super::{ConditionName, Expr, Name, Quoted};
use crate::source::Span;

/// A line of `given`, `when` or `then`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioLine<T> {
    /// What it says.
    pub kind: T,
    /// All of it.
    pub span: Span,
}

/// What a line of `given` says of the position.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// `as set up`
    AsSetUp,
    /// `from the beginning`
    FromBeginning,
    /// `round 2`
    Round(Expr),
    /// `order p2, p1`
    Order(Vec<Name>),
    /// `empty market`, `empty pile[2]`
    Empty { place: Name, number: Option<Expr> },
    /// `put grey_wolf in p1.yard row 1 column 2 over red_wolf with 2 bites`
    Put { card: Name, place: Name, row: Option<Expr>, column: Option<Expr>, over: Option<Name>, with: Option<(Expr, Name)> },
    /// `p1 has grey_wolf`
    Has { seat: Name, card: Name },
    /// `p1 passed`
    Flag { seat: Name, flag: Name },
    /// `den grey_wolf`
    Card { place: Name, card: Name },
    /// `p1.wisp = 3`; the target may be a pool.
    Set { target: Expr, value: GivenValue },
    /// What chance does next.
    Next(Next),
}

/// What chance does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// `next roll sun, grey:rain_sun`
    Roll(Vec<NextFace>),
    /// `next take grey, red:sun`
    Take(Vec<NextToken>),
    /// `next draw grey_wolf from pile[1]`
    Draw { card: Name, deck: Name, number: Option<Expr> },
}

/// `sun`, `grey:sun`
#[derive(Clone, Debug, PartialEq)]
pub struct NextFace {
    /// The sort of die, if only one is meant.
    pub sort: Option<Name>,
    /// The face.
    pub face: Name,
}

/// `grey`, `grey:sun`
#[derive(Clone, Debug, PartialEq)]
pub struct NextToken {
    /// The sort.
    pub sort: Name,
    /// The face that it shows, if only such a one is meant.
    pub face: Option<Name>,
}

/// What something is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum GivenValue {
    /// A value; a lone name may also be a token.
    Expr(Expr),
    /// `2 grey:sun, seed`; `nothing` has none.
    Tokens(Vec<GivenToken>),
}

/// `2 grey:sun`
#[derive(Clone, Debug, PartialEq)]
pub struct GivenToken {
    /// How many; one if it is not said.
    pub count: Option<Expr>,
    /// A sort.
    pub name: Name,
    /// A face of it.
    pub face: Option<Name>,
}

/// What a line of `when` does.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// `p1: fetch grey_wolf`; the key is a text as options have it.
    Answer { seat: Name, key: Name },
    /// `run to next decision`
    RunToNextDecision,
    /// `run night.meal`
    Run(Name),
    /// `others pass`
    OthersPass,
    /// `any answer`
    AnyAnswer,
    /// What chance does next.
    Next(Next),
}

/// What a line of `then` claims.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// `log has "howl"`, `not log has "howl"`
    LogHas { not: bool, words: Quoted },
    /// `winner is p1, p2`; no seats: nobody.
    Winner(Vec<Name>),
    /// `standing is p2, p1`
    Standing(Vec<Name>),
    /// `honour is "the Owl"`; no name: nobody.
    Honour(Option<Quoted>),
    /// `order is p2, p1`
    Order(Vec<Name>),
    /// `game is over`
    Over { not: bool },
    /// `grey_wolf is removed`
    Removed { not: bool, card: Name },
    /// `p1 has grey_wolf`
    Has { not: bool, seat: Name, card: Name },
    /// `p1 is offered choose sun`
    Offered { not: bool, seat: Name, key: Name },
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
    Holds(Expr),
}

/// Why something cannot be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// A part of the reason.
    Text(Quoted),
    /// A condition that is so and that a guard is about.
    Condition(Expr),
}
