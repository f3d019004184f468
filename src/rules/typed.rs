//! The typed tree: what rules and cards say once every name is a definition and every expression has a type and a place. It is
//! the same for every number of players and every choice of options; lowering settles those.

mod content;
mod expr;
mod program;
mod stmt;
mod walk;

use super::defs::{DefId, Definitions};
use crate::engine::node::Type;
use crate::engine::ruleset::Check;
use crate::source::Span;
pub use content::*;
pub use expr::*;
pub use program::*;
use std::collections::BTreeMap;
pub use stmt::*;
pub use walk::Below;

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it is bound to.
    pub bind: Bind,
    /// Its type, an open one until a use has told.
    pub ty: Type,
}

/// What a definition with a body comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A constant, named expression or condition.
    Value(Vec<Param>, Expr),
    /// A quantity.
    Quantity(Quantity),
    /// A rank.
    Rank(Rank),
    /// An effect.
    Effect(Vec<Param>, Block),
}

impl Body {
    /// Its parameters.
    pub fn params(&self) -> &[Param] {
        match self {
            Body::Value(params, _) | Body::Effect(params, _) => params,
            Body::Quantity(quantity) => &quantity.params,
            Body::Rank(_) => &[],
        }
    }
}

/// A number that cards may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it is without changes.
    pub base: Expr,
    /// It is no more than this.
    pub most: Option<Expr>,
    /// It is no less than this.
    pub least: Option<Expr>,
    /// The quantity by which it is ranked.
    pub ranked: Option<DefId>,
}

/// Who counts as most or least.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// From the top, or from the bottom.
    pub top: bool,
    /// How many.
    pub leaders: Expr,
    /// Those tied at the edge count.
    pub ties_in: bool,
}

/// What players and options must be together for a game to begin.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUpNeed {
    /// What must hold.
    pub holds: Expr,
    /// Why, for people.
    pub reason: String,
    /// Where it is declared.
    pub span: Span,
}

/// A rival without a seat, who counts where seats are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// Its name.
    pub name: String,
    /// When it is there; players and options settle that.
    pub when: Option<Expr>,
    /// What players have, and the definition of what it has of that.
    pub values: Vec<(DefId, DefId)>,
    /// Where it is declared.
    pub span: Span,
}

/// What a state is worth to machine players of a style.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The name of the style; that of everybody has none.
    pub style: String,
    /// How many states they imagine unless told otherwise.
    pub states: u32,
    /// What it is worth, in thousandths.
    pub value: Expr,
}

/// What the rules of a game come to.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Id of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Everything that has a name.
    pub defs: Definitions,
    /// What definitions with bodies come to.
    pub bodies: BTreeMap<DefId, Body>,
    /// Places in order.
    pub places: Vec<Place>,
    /// Kinds in order.
    pub kinds: Vec<Kind>,
    /// Sorts of tokens in order.
    pub tokens: Vec<Token>,
    /// Classes of tokens.
    pub classes: Vec<TokenClass>,
    /// Pools in order.
    pub pools: Vec<Pool>,
    /// What several tokens stand for: how many, sorts and symbols as bit sets.
    pub exchange: Option<(u8, u64, u64)>,
    /// Shortages.
    pub shortages: Vec<Shortage>,
    /// What happens to a card that leaves a place.
    pub leaving: Vec<(DefId, Bind, Block)>,
    /// What happens to a card that is dealt from the start.
    pub dealt: Option<(Bind, Block)>,
    /// The tally of what a player's last payment took.
    pub paid: Option<DefId>,
    /// The moment that cards hear when what pays has ended.
    pub spent: Option<DefId>,
    /// Moments with what has happened then.
    pub told_moments: Vec<(String, String)>,
    /// State-based checks.
    pub checks: Vec<Check>,
    /// A deck is shuffled in the course of the game.
    pub shuffles: bool,
    /// Set-up.
    pub setup: Block,
    /// How many rounds.
    pub rounds: Option<Expr>,
    /// After how many rounds a game is cut off whose rules give no number.
    pub cut_off: Option<i64>,
    /// No round begins once this holds.
    pub until: Option<Expr>,
    /// The phases of a round.
    pub phases: Vec<Phase>,
    /// Rows of the score.
    pub score: Vec<(String, Expr)>,
    /// Whoever has fewest points wins.
    pub lowest_wins: bool,
    /// What decides a tie.
    pub tie_breaks: Vec<Key>,
    /// The table of honour for who plays alone, from the highest down: names and points.
    pub honours: Vec<(String, i64)>,
    /// The option of each player that a series of games raises for who wins.
    pub series: Option<DefId>,
    /// What players and options must be together.
    pub set_up_needs: Vec<SetUpNeed>,
    /// Rivals without a seat.
    pub rivals: Vec<Rival>,
    /// There is a block of rules for machine players.
    pub has_agents: bool,
    /// What a state is worth, by style.
    pub worths: Vec<Worth>,
    /// Counters on cards that are 1 from when a card comes into play to the end of a stretch.
    pub arrivals: Vec<DefId>,
    /// Cards that the rules put into places by their ids: a copy for each seat.
    pub put_by_name: Vec<(u32, Span)>,
}
