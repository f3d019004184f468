//! Statements and questions.

use super::super::defs::DefId;
use super::{BindingId, Cards, Choice, Domain, Expr, Tokens};
use crate::engine::op::{Op, OrderKey, Stacking, Viewers};
use crate::engine::ruleset::{Direction, NodeId, Whom, Write};
use crate::source::Span;

/// Statements that run one after another.
pub type Block = Vec<Stmt>;

/// A checked statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What the statement does, with its operands.
    pub kind: StmtKind,
    /// Where the statement stands in the source.
    pub span: Span,
}

/// What statements can do.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the comment of a variant explains its fields")]
pub enum StmtKind {
    /// A statement that is one operation of its operands.
    Op {
        /// The operation, with the indices of the operands in place of expressions.
        op: Op,
        /// The operands, in order.
        operands: Vec<Expr>,
    },
    /// Records in a tally what the player loses in the block.
    Noting { tally: DefId, block: Block },
    /// The player pays an amount in any mix of these resources.
    PayMix { amount: Expr, resources: Vec<u16> },
    /// Assigns to a counter, flag or tally.
    Write { target: Target, operator: Write, value: Expr },
    /// Adds a word to a set of a player or of a card, or takes it out.
    ChangeSet { adds: bool, card: Option<Expr>, set: DefId, word: Expr },
    /// Empties a set or tally of the player, of the table, or of a card.
    Clear { card: Option<Expr>, variable: DefId },
    /// Removes cards from the game.
    RemoveAll(Cards),
    /// Takes the cards of a printed list from the box: card, list, and place to put them in.
    PutList { card: Expr, list: DefId, place: DefId },
    /// Gives a value a name, which is visible to the end of the block.
    Let { bind: BindingId, value: Expr },
    /// Gives a random card of a set a name.
    LetRandom { bind: BindingId, cards: Cards },
    /// Gives a random number, word or player a name.
    LetChance { bind: BindingId, domain: Domain, filter: Option<Expr> },
    /// Runs statements with local names of their own.
    Block(Block),
    /// Runs the block `yes` if a condition holds, and otherwise the block of `else`.
    If { condition: Expr, yes: Block, no: Option<Block> },
    /// Runs a block for each of several words.
    ForWords { bind: BindingId, words: Vec<i32>, block: Block },
    /// Runs a block for each number from one to another.
    ForNumbers { bind: BindingId, from: Expr, to: Expr, block: Block },
    /// Runs a block for each card of a set.
    ForCards { cards: Cards, block: Block },
    /// Runs a block until a condition holds.
    RepeatUntil { condition: Expr, block: Block },
    /// Runs a block for a number of times.
    Repeat { times: Expr, block: Block },
    /// Runs a block for each player in order: which players, in which direction, who is the first, under which condition.
    EachPlayer { whom: Whom, direction: Direction, from: Option<Expr>, filter: Option<Expr>, block: Block },
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
    /// Runs a block with another player as the current one.
    As { player: Expr, block: Block },
    /// Makes cards known to one player, or to all others, or to all.
    Show { cards: Cards, to: ShownTo },
    /// Shows a hidden value, of the player or of another one, to one player, or to all others, or to all.
    ShowValue { value: DefId, owner: Option<Expr>, to: ShownTo },
    /// Asks the player a question.
    Ask(Question),
    /// Calls an effect with arguments.
    Do { effect: DefId, args: Vec<Expr> },
    /// Puts cards into a pile of a deck and shuffles it.
    Shuffle { cards: Option<Cards>, stacking: Stacking, deck: DefId, pile: Expr },
    /// Moves tokens between pools: an amount of them, which may be drawn at random, or all.
    MoveTokens { amount: Option<Expr>, at_random: bool, tokens: Tokens, from: DefId, to: DefId },
    /// Moves the picked token to a pool.
    MoveOne { bind: BindingId, to: DefId },
    /// Removes the faces of tokens in a pool, so that they can be rolled again.
    LiftAll { tokens: Tokens, pool: DefId },
    /// Removes the face of the picked token.
    LiftOne(BindingId),
    /// Moves tokens that show the price between pools.
    Spend(TokenPrice),
    /// Lets the player pick tokens repeatedly.
    Pick(Pick),
}

impl StmtKind {
    /// Creates a statement that is one operation. `make` gets the indices of the operands and returns the operation.
    pub fn op<const N: usize>(operands: [Expr; N], make: impl FnOnce([NodeId; N]) -> Op) -> StmtKind {
        StmtKind::Op { op: make(std::array::from_fn(NodeId::at)), operands: operands.into() }
    }
}

/// The target of an assignment.
#[derive(Clone, Debug)]
pub enum Target {
    /// A counter or flag of the table or the current player.
    Variable(DefId),
    /// An element of a tally.
    TallyItem(DefId, Expr),
    /// A counter on a card.
    Counter(Expr, DefId),
    /// An element of a tally on a card.
    CounterItem(Expr, DefId, Expr),
    /// A counter or flag of a player, or an element of its tally.
    OfPlayer {
        /// The player.
        player: Expr,
        /// The definition of the variable.
        variable: DefId,
        /// The index of the element; `None` if the variable is no tally.
        index: Option<Expr>,
    },
}

/// The players to whom cards are shown.
pub type ShownTo = Viewers<Expr>;

/// A key by which the players are sorted into the order of play.
pub type Key = OrderKey<Expr>;

/// A question to the player.
#[derive(Clone, Debug)]
pub struct Question {
    /// The id of the question, unique in the game.
    pub id: String,
    /// The title that people see in place of the id.
    pub title: Option<String>,
    /// Whether choosing nothing is allowed.
    pub may: bool,
    /// How many choices can be made in turn; `None` if only one is made.
    pub picks: Option<Picks>,
    /// The choices, in source order.
    pub choices: Vec<Choice>,
    /// The statements to run if no choice is possible.
    pub otherwise: Option<Block>,
}

/// How many picks a series has.
#[derive(Clone, Debug, Default)]
pub struct Picks {
    /// The least number, as far as there is so much to pick; any if `None`.
    pub least: Option<Expr>,
    /// The greatest number; any if `None`.
    pub most: Option<Expr>,
}

/// What a question on a card offers: one or several options.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// One option: a word.
    Word(String),
    /// Each card of a set.
    Cards(Cards),
}

/// A price in a symbol that tokens show.
#[derive(Clone, Debug)]
pub struct TokenPrice {
    /// The amount to pay.
    pub amount: Expr,
    /// The symbol that the tokens must show.
    pub symbol: Expr,
    /// The pool that pays.
    pub from: DefId,
    /// The pool that the tokens go to.
    pub to: DefId,
}

/// Picks of tokens: the player picks again until done.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The id of the question.
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
