//! Statements and questions.

use super::super::defs::DefId;
use super::{Bind, Cards, Expr, Tokens};
use crate::engine::node::Type;
use crate::engine::ruleset::{Direction, Whom, Write};
use crate::source::Span;

/// A block of statements.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// The player gains so many of a resource.
    Gain(Expr, Expr),
    /// The player loses; the name lets cards replace the loss.
    Lose(Expr, Expr, Option<DefId>),
    /// A tally gets what the player loses in the block.
    Noting(DefId, Block),
    /// The player pays.
    Pay(Expr, Expr),
    /// The player pays a number of resources in any mix.
    PayMix(Expr, Vec<u16>),
    /// A counter is written.
    Write(Target, Write, Expr),
    /// A word goes into a set.
    AddToSet(DefId, Expr),
    /// The top card of a deck goes to a place; the name lets cards replace the draw.
    Draw(Deck, DefId, Option<DefId>),
    /// The gaps of a grid are filled.
    Fill(DefId, Deck),
    /// Cards leave the game.
    RemoveAll(Cards),
    /// A card leaves the game.
    Remove(Expr),
    /// A row of a grid moves.
    MoveRow(DefId, Expr, Expr),
    /// What lies in a place of each player goes to the next.
    PassOn(DefId, Direction),
    /// The cards of a printed list are taken out of the box.
    PutList(Expr, DefId, DefId),
    /// Cards are taken out of the box.
    PutNamed(Vec<DefId>, DefId),
    /// A card goes into the slot of its kind.
    PlaceInSlot(Expr),
    /// A card goes into a place, over another perhaps although there is room.
    PlaceIn(Expr, DefId, bool),
    /// A card goes onto a map, where another card lies.
    PlaceAt(Expr, DefId, Expr),
    /// A moment, of a card perhaps.
    Moment(DefId, Option<Expr>),
    /// One or the other.
    If(Expr, Block, Option<Block>),
    /// For each of several words.
    ForWords(Bind, Vec<i32>, Block),
    /// For each card.
    ForCards(Cards, Block),
    /// Until something is so.
    RepeatUntil(Expr, Block),
    /// So many times.
    Repeat(Expr, Block),
    /// One player after another.
    EachPlayer(Whom, Direction, Option<Expr>, Block),
    /// All players at once.
    AllPlayers {
        /// All, or all but the one who is spoken of.
        whom: Whom,
        /// Nobody learns the others' answers before all have answered.
        secretly: bool,
        /// Who takes part.
        filter: Option<Expr>,
        /// What each does.
        block: Block,
    },
    /// A question.
    Ask(Question),
    /// An effect.
    Do(DefId, Vec<Expr>),
    /// A new order of players.
    OrderBy(Vec<Key>),
    /// The order begins with the first player for whom this holds.
    OrderFrom(Expr),
    /// Cards go into a deck, which is shuffled.
    Shuffle(Option<Cards>, Deck),
    /// Two cards change places.
    Swap(Expr, Expr),
    /// A new order by chance.
    OrderRandom,
    /// A card carries out its own action.
    CardActs(Expr),
    /// Tokens go from pool to pool.
    Take(Expr, Tokens, DefId, DefId),
    /// Tokens drawn by chance go from pool to pool.
    TakeAtRandom(Expr, Tokens, DefId, DefId),
    /// All tokens go from pool to pool.
    MoveAll(Tokens, DefId, DefId),
    /// The picked token goes to a pool.
    MoveOne(Bind, DefId),
    /// Tokens of a pool are taken up.
    LiftAll(Tokens, DefId),
    /// The picked token is taken up.
    LiftOne(Bind),
    /// What shows nothing is rolled.
    Roll(DefId),
    /// Tokens that show so much go from pool to pool.
    Spend(TokenPrice),
    /// A series of picks among tokens.
    Pick(Pick),
}

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A counter or flag of the table or of the player.
    Variable(DefId),
    /// A number of a tally.
    TallyItem(DefId, Expr),
    /// A counter on a card.
    Counter(Expr, DefId),
}

/// A deck, or one pile of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Deck {
    /// The deck.
    pub place: DefId,
    /// Which pile.
    pub pile: Option<Expr>,
}

/// What an order goes by.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// More of this goes first.
    By(Expr),
    /// The present order.
    Order,
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id, which no other question has.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// Several may be chosen, one after another.
    pub picks: bool,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// What happens when nothing can be.
    pub otherwise: Option<Block>,
}

/// One thing that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What it is.
    pub offer: Offer,
    /// When.
    pub when: Option<Expr>,
    /// How often.
    pub up_to: Option<Expr>,
    /// What it does.
    pub block: Block,
}

/// What is offered.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// A word.
    Word(String),
    /// Each of several cards.
    Cards(Cards),
    /// Each of several words: resources, or sorts of tokens.
    Words(Bind, Vec<i32>, Type),
    /// Each number from one to another.
    Numbers(Bind, Expr, Expr),
}

/// A price in what tokens show.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenPrice {
    /// How much.
    pub amount: Expr,
    /// Of which symbol.
    pub symbol: Expr,
    /// Which pool pays.
    pub from: DefId,
    /// Where the tokens go.
    pub to: DefId,
}

/// A series of picks among tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The question's id.
    pub id: String,
    /// Which tokens.
    pub tokens: Tokens,
    /// From which pools.
    pub pools: Vec<DefId>,
    /// At least so many.
    pub least: Option<Expr>,
    /// No more than the least.
    pub exactly: bool,
    /// What the picked one is called.
    pub bind: Bind,
    /// What is done with each.
    pub block: Block,
}
