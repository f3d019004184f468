//! The typed tree: rules and cards with all names resolved, and a type and place for every expression. It does not depend on the choice of
//! players and options, which lowering adds.

mod boards;
mod content;
mod expr;
mod program;
mod purses;
mod stmt;
mod walk;

use super::defs::{DefId, Definitions};
use crate::engine::node::Type;
use crate::engine::ruleset::Check;
use crate::source::Span;
use crate::state::layout::head::MAX_SEATS;
pub use boards::*;
pub use content::*;
pub use expr::*;
pub use program::*;
pub use purses::*;
use std::collections::{BTreeMap, BTreeSet};
pub use stmt::*;
pub use walk::ExprChild;

/// A parameter of a definition.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name of the parameter.
    pub name: String,
    /// The number of its binding.
    pub bind: BindingId,
    /// The inferred type of the parameter; a type variable until the first use determines it.
    pub ty: Type,
}

/// The checked body of a definition.
#[derive(Clone, Debug)]
pub enum Body {
    /// A constant, definition or condition: parameters and value.
    Value(Vec<Param>, Expr),
    /// A quantity: a number that cards can change.
    Quantity(Quantity),
    /// A rank: the players with the highest or lowest values.
    Rank(Rank),
    /// An effect: parameters and statements.
    Effect(Vec<Param>, Block),
    /// A purse: what prices in several words are paid with.
    Purse(Purse),
}

impl Body {
    /// Returns the parameters, empty for a rank.
    pub fn params(&self) -> &[Param] {
        match self {
            Body::Value(params, _) | Body::Effect(params, _) => params,
            Body::Quantity(quantity) => &quantity.params,
            Body::Rank(_) | Body::Purse(_) => &[],
        }
    }
}

/// A number that cards can change.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The parameters of the quantity.
    pub params: Vec<Param>,
    /// The value of the quantity before cards change it.
    pub base: Expr,
    /// The highest value that the quantity can have; `None` if there is no upper bound.
    pub upper_bound: Option<Expr>,
    /// The lowest value that the quantity can have; `None` if there is no lower bound.
    pub lower_bound: Option<Expr>,
    /// The quantity that ranks this one, if it is ranked by another value.
    pub ranked: Option<DefId>,
}

/// A rank such as "most" or "least": the players with the highest or lowest values.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Whether the players with the highest values are selected, and not those with the lowest.
    pub top: bool,
    /// The number of players selected.
    pub leaders: Expr,
    /// Whether players tied for the last position are included.
    pub ties_in: bool,
}

/// A requirement on players and options: `needs NAME: … "why"`.
#[derive(Clone, Debug)]
pub struct SetUpNeed {
    /// The condition that players and options must meet.
    pub holds: Expr,
    /// The message for the player if it does not hold.
    pub reason: String,
    /// Where the requirement is declared.
    pub span: Span,
}

/// An opponent without a seat, included where the values of seats are compared.
#[derive(Clone, Debug)]
pub struct Rival {
    /// The name of the rival.
    pub name: String,
    /// The condition under which the rival takes part, which depends on players and options alone; always if `None`.
    pub when: Option<Expr>,
    /// Pairs of a value that players have and the definition of the rival's value for it.
    pub values: Vec<(DefId, DefId)>,
    /// Where the rival is declared.
    pub span: Span,
}

/// The worth of a state to machine players of a style.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The name of the style; empty for the default.
    pub style: String,
    /// The default number of states to sample.
    pub states: Option<u32>,
    /// The value, in thousandths.
    pub value: Expr,
}

/// The checked rules of a game.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The id of the game.
    pub game: String,
    /// The title of the game.
    pub title: String,
    /// The symbol table: all declared names.
    pub defs: Definitions,
    /// The checked bodies of definitions.
    pub bodies: BTreeMap<DefId, Body>,
    /// The first and the last number of each tally by number.
    pub tally_bounds: BTreeMap<DefId, (Expr, Expr)>,
    /// The decks into which rules put cards.
    pub filled_decks: BTreeSet<DefId>,
    /// The places of which rules name the top card.
    pub heaps: BTreeSet<DefId>,
    /// Places, by index.
    pub places: Vec<Place>,
    /// Boards, in source order.
    pub boards: Vec<Board>,
    /// Kinds of cards, by index.
    pub kinds: Vec<Kind>,
    /// What cards and spaces have, each with the block that declares it: 0 for `card { … }`, then the boards.
    pub on_cards: BTreeSet<(DefId, usize)>,
    /// Sorts of tokens, by index.
    pub tokens: Vec<Token>,
    /// Classes of tokens, by index.
    pub classes: Vec<TokenClass>,
    /// Pools, by index.
    pub pools: Vec<Pool>,
    /// The counters, flags, sets, tallies and resources that only their owner sees.
    pub hidden_values: BTreeSet<DefId>,
    /// The counters, flags, sets and tallies that are bookkeeping, and not shown.
    pub unshown: BTreeSet<DefId>,
    /// The fields of cards of which single values are shown, in the order in which rules say so.
    pub clues: Vec<DefId>,
    /// Those that are shown to all players at once.
    pub common_clues: BTreeSet<DefId>,
    /// The lowest and the highest number that values can be.
    pub ranges: BTreeMap<DefId, (Expr, Expr)>,
    /// How several tokens can be exchanged: their number, and bit sets of their sorts and of the symbols that they then show.
    pub exchange: Option<(u8, u64, u64)>,
    /// The statements to run when a player must lose more than it has.
    pub shortages: Vec<Shortage>,
    /// Statements for a card that leaves a place: the place, the binding of the card, and the block.
    pub leaving: Vec<(DefId, BindingId, Block)>,
    /// Statements for a card that is dealt at the start.
    pub dealt: Option<(BindingId, Block)>,
    /// The tally that holds the resources of a player's last payment.
    pub paid: Option<DefId>,
    /// The moment that is raised after a payment.
    pub spent: Option<DefId>,
    /// Moments, each with a sentence that describes it.
    pub moment_docs: Vec<(String, String)>,
    /// The state-based checks, which run after changes of the state.
    pub checks: Vec<Check>,
    /// Whether a deck is shuffled during the game.
    pub shuffles: bool,
    /// Whether a statement names a random card.
    pub draws_cards: bool,
    /// The types of the local names that statements declare.
    pub local_types: BTreeMap<BindingId, Type>,
    /// Statements of set-up.
    pub setup: Block,
    /// The number of rounds, if the rules give one.
    pub rounds: Option<Expr>,
    /// After how many rounds a game is cut off, if the rules give no number.
    pub cut_off: Option<i64>,
    /// The condition under which no further round begins: the game ends before that round.
    pub until: Option<Expr>,
    /// The phases of a round.
    pub phases: Vec<Phase>,
    /// Rows of the score: name and points.
    pub score: Vec<(String, Expr)>,
    /// The condition under which all have won when the game is over, if all win or lose together.
    pub together: Option<Expr>,
    /// How many players a team has, and where that is said, if there are teams.
    pub teams: Option<(usize, Span)>,
    /// Whether the lowest score wins.
    pub lowest_wins: bool,
    /// The keys that break ties, in order.
    pub tie_breaks: Vec<Key>,
    /// The table of honour for solo games: names and points, from the highest down.
    pub honours: Vec<(String, i64)>,
    /// The option of each player that is raised for the winner in a series of games.
    pub series: Option<DefId>,
    /// The requirements on players and options.
    pub set_up_needs: Vec<SetUpNeed>,
    /// Rivals without a seat.
    pub rivals: Vec<Rival>,
    /// Whether there is a block of rules for machine players.
    pub has_agents: bool,
    /// The worth of a state for each style of machine players.
    pub worths: Vec<Worth>,
    /// Counters on cards that are set to 1 when the card enters play and last for a period, for `until`.
    pub arrivals: Vec<DefId>,
    /// Cards that rules put into places by their ids, which need a copy for each seat.
    pub put_by_name: Vec<(u32, Span)>,
}

impl Rules {
    /// Returns how many words there are of a type of which sets are: resources, kinds, players, or the words of a list.
    pub(crate) fn count_words(&self, ty: Type) -> usize {
        if let Type::Choice(list) = ty {
            return self.defs.lists[usize::from(list)].len();
        }
        if ty == Type::Kind {
            return self.kinds.len();
        }
        if ty == Type::Seat { MAX_SEATS } else { self.defs.resources().len() }
    }
}
