//! Statements and questions.

use super::super::defs::DefId;
use super::{BindingId, Cards, Expr, Tokens};
use crate::engine::node::Type;
use crate::engine::ruleset::{Direction, Whom, Write};
use crate::source::Span;

/// A block of statements.
pub type Block = Vec<Stmt>;

/// A checked statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Its sort and operands.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
}

/// The sorts of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// The player gains an amount of a resource.
    Gain(Expr, Expr),
    /// The player loses an amount of a resource. Cards can replace a loss with a name.
    Lose(Expr, Expr, Option<DefId>),
    /// Records in a tally what the player loses in the block.
    Noting(DefId, Block),
    /// The player pays an amount of a resource.
    Pay(Expr, Expr),
    /// The player pays an amount in any mix of these resources.
    PayMix(Expr, Vec<u16>),
    /// Assigns to a counter, flag or tally.
    Write(Target, Write, Expr),
    /// Adds a word to a set.
    AddToSet(DefId, Expr),
    /// Draws the top card of a deck to a place. Cards can replace a draw with a name.
    Draw(Deck, DefId, Option<DefId>),
    /// Fills the gaps of a grid from a deck.
    Fill(DefId, Deck),
    /// Removes cards from the game.
    RemoveAll(Cards),
    /// Removes a card from the game.
    Remove(Expr),
    /// Moves the cards of one row of a grid to another: grid, from, to.
    MoveRow(DefId, Expr, Expr),
    /// Passes the cards in a place of each player on to the next player.
    PassOn(DefId, Direction),
    /// Takes the cards of a printed list from the box: card, list, and place to put them in.
    PutList(Expr, DefId, DefId),
    /// Takes cards from the box and puts them in a place.
    PutNamed(Vec<DefId>, DefId),
    /// Puts a card into the slot of its kind.
    PlaceInSlot(Expr),
    /// Puts a card into a place; if the flag is set, the player may cover another card even when there is room.
    PlaceIn(Expr, DefId, bool),
    /// Puts a card onto a map, at the position of another card.
    PlaceAt(Expr, DefId, Expr),
    /// Raises a moment, optionally about a card.
    Moment(DefId, Option<Expr>),
    /// Condition, block, and block of `else`.
    If(Expr, Block, Option<Block>),
    /// Loop over words.
    ForWords(BindingId, Vec<i32>, Block),
    /// Loop over cards.
    ForCards(Cards, Block),
    /// Loop until a condition holds.
    RepeatUntil(Expr, Block),
    /// Loop for a number of times.
    Repeat(Expr, Block),
    /// Loop over players in order: who, direction, condition, block.
    EachPlayer(Whom, Direction, Option<Expr>, Block),
    /// Runs a block for all players simultaneously.
    AllPlayers {
        /// Whether the current player is excluded.
        whom: Whom,
        /// Whether answers stay hidden until all have answered.
        secretly: bool,
        /// The condition for a player to take part.
        filter: Option<Expr>,
        /// The block to run for each.
        block: Block,
    },
    /// Asks the player a question.
    Ask(Question),
    /// Calls an effect with arguments.
    Do(DefId, Vec<Expr>),
    /// Sorts the order of play.
    OrderBy(Vec<Key>),
    /// Rotates the order of play so that it begins with the first player for whom this holds.
    OrderFrom(Expr),
    /// Puts cards into a deck and shuffles it.
    Shuffle(Option<Cards>, Deck),
    /// Swaps the positions of two cards.
    Swap(Expr, Expr),
    /// Shuffles the order of play.
    OrderRandom,
    /// Runs a card's own action.
    CardActs(Expr),
    /// Moves an amount of tokens between pools: amount, tokens, from, to.
    Take(Expr, Tokens, DefId, DefId),
    /// Like `Take`, with tokens drawn at random.
    TakeAtRandom(Expr, Tokens, DefId, DefId),
    /// Moves all these tokens between pools: tokens, from, to.
    MoveAll(Tokens, DefId, DefId),
    /// Moves the picked token to a pool.
    MoveOne(BindingId, DefId),
    /// Removes the faces of tokens in a pool, so that they can be rolled again.
    LiftAll(Tokens, DefId),
    /// Removes the face of the picked token.
    LiftOne(BindingId),
    /// Rolls all tokens in a pool that show no face.
    Roll(DefId),
    /// Moves tokens that show the price between pools.
    Spend(TokenPrice),
    /// Lets the player pick tokens repeatedly.
    Pick(Pick),
}

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A counter or flag of the table or the current player.
    Variable(DefId),
    /// An element of a tally.
    TallyItem(DefId, Expr),
    /// A counter on a card.
    Counter(Expr, DefId),
}

/// A deck, or one pile of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    /// The deck.
    pub place: DefId,
    /// The index of the pile; `None` if there is a single one.
    pub pile: Option<Expr>,
}

/// A sort key of the order of play.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// Descending by this value.
    By(Expr),
    /// By the current order.
    Order,
}

/// A question to the player.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id, unique in the game.
    pub id: String,
    /// Whether choosing nothing is allowed.
    pub may: bool,
    /// Whether several choices can be made in turn.
    pub picks: bool,
    /// The choices, in source order.
    pub choices: Vec<Choice>,
    /// The statements to run if no choice is possible.
    pub otherwise: Option<Block>,
}

/// A choice of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What it offers.
    pub offer: Offer,
    /// The condition under which it is offered.
    pub when: Option<Expr>,
    /// How often each can be picked; once if `None`.
    pub up_to: Option<Expr>,
    /// The statements to run if it is chosen.
    pub block: Block,
}

/// What a choice offers.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// A word.
    Word(String),
    /// Each card of a set.
    Cards(Cards),
    /// Each of several words, which are resources or sorts of tokens.
    Words(BindingId, Vec<i32>, Type),
    /// Each number in a range, bounds included.
    Numbers(BindingId, Expr, Expr),
}

/// A price in a symbol that tokens show.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenPrice {
    /// The amount.
    pub amount: Expr,
    /// The symbol.
    pub symbol: Expr,
    /// The pool that pays.
    pub from: DefId,
    /// The pool that the tokens go to.
    pub to: DefId,
}

/// Picks of tokens: the player picks again until done.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The question's id.
    pub id: String,
    /// The tokens that can be picked.
    pub tokens: Tokens,
    /// The pools to pick from.
    pub pools: Vec<DefId>,
    /// The minimum number of picks.
    pub least: Option<Expr>,
    /// Whether the minimum is also the maximum.
    pub exactly: bool,
    /// The binding of the picked token.
    pub bind: BindingId,
    /// The statements to run for each pick.
    pub block: Block,
}
