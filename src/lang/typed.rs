//! The typed tree: what rules and cards say once every name is a definition and every expression has a type and a place. It is
//! the same for every number of players and every choice of options; lowering settles those.

use super::defs::{DefId, Definitions};
use crate::engine::ruleset::{Check, Compare, Direction, How, Who, Write};
use crate::engine::types::Type;
use crate::source::Span;
use std::collections::BTreeMap;

/// A name that is bound where it stands: a parameter, a loop's card, a picked token. Each binding has a number of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bind(pub u32);

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is. Truth is 1 or 0, no card is -1, words are their indices.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, a truth or a word.
    Const(i64),
    /// What a name is bound to.
    Local(Bind),
    /// The player spoken of.
    Me,
    /// The round, from 1.
    Round,
    /// Turns begun in this round.
    Turn,
    /// How many play.
    Players,
    /// Where the player stands in the order, from 1.
    PlaceInOrder,
    /// Rounds still to come.
    RoundsLeft,
    /// All rows of the score, or one.
    Score(Option<usize>),
    /// A counter, flag or resource.
    Variable(DefId),
    /// A number of a tally.
    TallyItem(DefId, Box<Expr>),
    /// How many of a resource the player has.
    Amount(Box<Expr>),
    /// Whether a word is in a set.
    InSet(DefId, Box<Expr>),
    /// A counter on a card.
    Counter(Box<Expr>, DefId),
    /// A field of a card.
    Field(Box<Expr>, DefId),
    /// One number of a printed row or list.
    FieldItem(Box<Expr>, DefId, Box<Expr>),
    /// How long a printed list is.
    ListLen(Box<Expr>, DefId),
    /// The sum of the first so many numbers of a printed list.
    ListFirst(Box<Expr>, DefId, Box<Expr>),
    /// The kind of a card.
    KindOf(Box<Expr>),
    /// Whether a card is of a kind.
    IsKind(Box<Expr>, u16),
    /// Whether a card lies in one of these places.
    InPlaces(Box<Expr>, Vec<DefId>),
    /// The first card in a place.
    FirstIn(DefId),
    /// Whether nothing lies in a place.
    NoneIn(DefId),
    /// The row of a card in the grid where it lies.
    Row(Box<Expr>),
    /// The column of a card in the grid where it lies.
    Column(Box<Expr>),
    /// Who owns the place of a card.
    OwnerOf(Box<Expr>),
    /// Whether a card has an action of its own.
    HasAction(Box<Expr>),
    /// Whether a piece is one of this card.
    IsCard(Box<Expr>, DefId),
    /// A piece of this card, wherever it lies.
    PieceOf(DefId),
    /// `not`
    Not(Box<Expr>),
    /// Arithmetic, `and`, `or`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// One or the other.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Something over cards, of each of them perhaps.
    OverCards(Fold, Box<Cards>, Option<Box<Expr>>),
    /// How many players, or whether any.
    OverSeats(Fold, Box<Seats>),
    /// A quantity, with its arguments.
    Quantity(DefId, Vec<Expr>),
    /// A named expression, with its arguments.
    Define(DefId, Vec<Expr>),
    /// A named condition or a constant.
    Named(DefId),
    /// An option of set-up.
    Option(DefId),
    /// Whether the player is in a rank.
    Rank(DefId, Box<Expr>),
    /// A value by the number of players.
    ByPlayers(ByTable),
    /// A value by an option.
    ByOption(DefId, ByTable),
    /// Whether a definition of the round is another one in the next round.
    LastOf(DefId),
    /// An expression about another player.
    Of(Box<Expr>, Box<Expr>),
    /// How many tokens lie in a pool.
    CountTokens(Box<Tokens>, DefId),
    /// How much of a symbol the tokens of a pool show.
    Shown(Box<Expr>, DefId),
    /// How much of a symbol a pool can pay.
    Payable(Box<Expr>, DefId),
    /// How much of a symbol a picked token shows.
    ShownBy(Bind, Box<Expr>),
    /// What has been told to be wrong.
    Poisoned,
}

/// Two expressions in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded down.
    Div,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// `and`
    And,
    /// `or`
    Or,
}

/// What is made of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// They are added up.
    Sum,
    /// The highest, 0 without any.
    Highest,
    /// The lowest, 0 without any.
    Lowest,
    /// How many there are.
    Count,
    /// Whether there is one.
    Any,
}

/// Values by keys; the key `else` stands for all others.
#[derive(Clone, Debug, PartialEq)]
pub struct ByTable {
    /// Keys and what holds for them.
    pub entries: Vec<(Vec<String>, Expr)>,
    /// What holds for all others.
    pub otherwise: Option<Box<Expr>>,
}

/// Cards that are gone through.
#[derive(Clone, Debug, PartialEq)]
pub struct Cards {
    /// Where they lie.
    pub places: Vec<DefId>,
    /// Everybody's places, not only those of the player spoken of.
    pub everybody: bool,
    /// Only of this kind.
    pub kind: Option<u16>,
    /// Only in these rows of a grid, as a bit set from bit 1.
    pub rows: u32,
    /// What each is called.
    pub bind: Bind,
    /// A counter that must be above 0.
    pub with: Option<DefId>,
    /// What else must hold.
    pub filter: Option<Expr>,
}

/// Players that are gone through.
#[derive(Clone, Debug, PartialEq)]
pub struct Seats {
    /// Without the player spoken of.
    pub others: bool,
    /// What must hold of each.
    pub filter: SeatFilter,
}

/// What must hold of players.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatFilter {
    /// Nothing.
    All,
    /// A condition, read for each of them.
    Where(Expr),
    /// They have less or more of something than the player spoken of.
    Compared(Compare, Expr),
}

/// Tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    /// Which.
    pub which: TokenWord,
    /// Only those that show this symbol.
    pub showing: Option<Expr>,
}

/// By what tokens are named.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenWord {
    /// A kind: its sorts as a bit set.
    Sorts(u64),
    /// A sort.
    Sort(u8),
    /// A face: its class.
    Face(u8),
    /// A loop's word.
    Local(Expr),
}

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
    /// The cards of a printed list are taken out of the box.
    PutList(Expr, DefId, DefId),
    /// Cards are taken out of the box.
    PutNamed(Vec<DefId>, DefId),
    /// A card goes into the slot of its kind.
    PlaceInSlot(Expr),
    /// A card goes into a place, over another perhaps although there is room.
    PlaceIn(Expr, DefId, bool),
    /// A moment, of a card perhaps.
    Moment(DefId, Option<Expr>),
    /// One or the other.
    If(Expr, Block, Option<Block>),
    /// For each of several words.
    ForWords(Bind, Vec<i32>, Block),
    /// For each card.
    ForCards(Cards, Block),
    /// So many times.
    Repeat(Expr, Block),
    /// One player after another.
    EachPlayer(Direction, Option<Expr>, Block),
    /// All players at once.
    AllPlayers(Option<Expr>, Block),
    /// A question.
    Ask(Question),
    /// An effect.
    Do(DefId, Vec<Expr>),
    /// A new order of players.
    OrderBy(Vec<Key>),
    /// A new order by chance.
    OrderRandom,
    /// A card carries out its own action.
    CardActs(Expr),
    /// Tokens go from pool to pool.
    Take(Expr, Tokens, DefId, DefId),
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

/// A phase with its parts in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A step.
    Step(Step),
    /// Turns.
    Turns(Turns),
    /// A statement.
    Do(Stmt),
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// When it is gone through.
    pub when: Option<Expr>,
    /// What is done.
    pub block: Block,
}

/// Turns until all have passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The flag of those who have.
    pub passed: DefId,
    /// The counter of the turns that a player has begun in this round, if there is one.
    pub counted: Option<DefId>,
    /// Where that stands.
    pub span: Span,
    /// How many actions a turn has.
    pub actions_each: Option<Expr>,
    /// What is done before a player's first action.
    pub first: Option<Block>,
    /// What can be done.
    pub actions: Vec<Action>,
}

/// An action of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// It does not use up an action of the turn.
    pub free: bool,
    /// What is chosen with it.
    pub params: Vec<ActionParam>,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What must be paid.
    pub costs: Vec<Cost>,
    /// What it does.
    pub does: Block,
    /// Where it stands.
    pub span: Span,
}

/// What is chosen with an action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionParam {
    /// The cards on offer.
    pub cards: Cards,
    /// It may be left out.
    pub maybe: bool,
    /// The word before it in the option's key.
    pub word: Option<String>,
}

/// What must hold for an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Its name.
    pub name: String,
    /// The condition.
    pub holds: Expr,
    /// What a person is told.
    pub reason: String,
}

/// What an action costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// So many of a resource.
    Resource(Expr, u16),
    /// So much of what tokens show.
    Tokens(TokenPrice),
}

/// What happens when a player must lose more than it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortage {
    /// For these resources.
    pub resources: Vec<u16>,
    /// The resource.
    pub resource: Bind,
    /// What is missing.
    pub missing: Bind,
    /// What happens.
    pub block: Block,
}

/// What a card or kind says beside its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Address within the card, for messages.
    pub id: String,
    /// Whom it concerns.
    pub who: Who,
    /// When.
    pub when: Option<Expr>,
    /// What it says.
    pub says: Says,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// It hears a moment and does something.
    On {
        /// The moment.
        moment: DefId,
        /// Only moments of the card itself.
        own_only: bool,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It changes a quantity.
    Change {
        /// Which.
        quantity: DefId,
        /// The card, and the quantity's parameters.
        params: Vec<Param>,
        /// How, and by how much or to what.
        amounts: Vec<(How, Expr)>,
    },
    /// It forbids an action.
    Forbid {
        /// Which.
        action: String,
        /// What a person is told.
        because: String,
    },
    /// It replaces a named loss or draw.
    Instead {
        /// Which.
        of: DefId,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It can be done.
    Action {
        /// What a person is told where its condition does not hold.
        because: String,
        /// What is paid: amounts and resources.
        costs: Vec<(Expr, u16)>,
        /// How often, and the counter on the card.
        limit: Option<(i64, DefId)>,
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// When it does something cannot be told; what it does can be looked at.
    Unheard {
        /// What it does.
        parts: Vec<EntryPart>,
    },
    /// It leaves.
    Leaves,
}

/// One step of what an entry does.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryPart {
    /// When; if it does not hold, the next one follows.
    pub when: Option<Expr>,
    /// What is asked first.
    pub ask: Option<Ask>,
    /// The script, with its place.
    pub script: (String, Span),
}

/// A question before a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Its id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// What is offered; empty for yes or no.
    pub offers: Vec<(Offer, Option<Expr>)>,
}

/// What cards and kinds say.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    /// Of each card.
    pub of_cards: Vec<Vec<Entry>>,
    /// Of each kind.
    pub of_kinds: BTreeMap<u16, Vec<Entry>>,
    /// In entries, the card itself, the card of the moment, and the player whose moment it is.
    pub binds: [Bind; 3],
}

/// A place as declared.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its definition.
    pub def: DefId,
    /// The kinds that may lie there, as a bit set; 0 for all.
    pub kinds: u64,
    /// How much room there is.
    pub room: Room,
    /// The quantity that says how many cards have room.
    pub limit: Option<DefId>,
    /// Cards here hear moments and change quantities.
    pub hearing: bool,
    /// Where it is declared.
    pub span: Span,
}

/// How much room there is in a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Room {
    /// As much as the deck's cards need.
    Deck(Option<DeckFilter>),
    /// Rows and columns.
    Grid(Expr, Expr),
    /// So many slots.
    Slots(u16),
}

/// Which cards lie in a deck: those of which a key has a value that is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct DeckFilter {
    /// The card's key.
    pub key: String,
    /// The option.
    pub option: DefId,
}

/// A kind of card.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its definition.
    pub def: DefId,
    /// The place to which its cards go.
    pub slot: Option<DefId>,
    /// Its fields.
    pub fields: Vec<KindField>,
}

/// A field as a kind declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct KindField {
    /// The field, which kinds that declare it alike share.
    pub def: DefId,
    /// What it is where a card says nothing.
    pub default: Option<i64>,
    /// The words that a row has beside the resources.
    pub more: Vec<String>,
}

/// A sort of token.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its definition.
    pub def: DefId,
    /// How many there are.
    pub count: Expr,
    /// Class of one that shows nothing yet.
    pub blank: u8,
    /// Class of each face; empty for what cannot be rolled.
    pub faces: Vec<u8>,
}

/// Tokens that nothing tells apart.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenClass {
    /// The sort.
    pub token: u8,
    /// What it is called in option keys.
    pub key: String,
    /// How often it shows each symbol.
    pub shows: Vec<u8>,
}

/// A pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Its definition.
    pub def: DefId,
    /// Every player has one.
    pub of_seat: bool,
    /// Tokens lie here without showing a face.
    pub face_down: bool,
    /// All tokens lie here at the start.
    pub full: bool,
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
    /// State-based checks.
    pub checks: Vec<Check>,
    /// Set-up.
    pub setup: Block,
    /// How many rounds.
    pub rounds: Option<Expr>,
    /// The phases of a round.
    pub phases: Vec<Phase>,
    /// Rows of the score.
    pub score: Vec<(String, Expr)>,
    /// What decides a tie.
    pub tie_breaks: Vec<Key>,
    /// What a state is worth.
    pub worth: Option<Expr>,
    /// Counters on cards that are 1 from when a card comes into play to the end of a stretch.
    pub arrivals: Vec<DefId>,
    /// Cards that the rules put into places by their ids: a copy for each seat.
    pub put_by_name: Vec<u32>,
}

impl Expr {
    /// What has been told to be wrong.
    pub fn poisoned(ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Poisoned, ty, span }
    }

    /// A number, a truth or a word.
    pub fn constant(value: i64, ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value), ty, span }
    }

    /// Calls `f` for each expression right below this one, those of the cards and players that it goes through among them.
    pub fn each_part<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Me
            | ExprKind::Round
            | ExprKind::Turn
            | ExprKind::Players
            | ExprKind::PlaceInOrder
            | ExprKind::RoundsLeft
            | ExprKind::Score(_)
            | ExprKind::Variable(_)
            | ExprKind::FirstIn(_)
            | ExprKind::NoneIn(_)
            | ExprKind::PieceOf(_)
            | ExprKind::Named(_)
            | ExprKind::Option(_)
            | ExprKind::LastOf(_)
            | ExprKind::Poisoned => {}
            ExprKind::TallyItem(_, a)
            | ExprKind::Amount(a)
            | ExprKind::InSet(_, a)
            | ExprKind::Counter(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::ListLen(a, _)
            | ExprKind::KindOf(a)
            | ExprKind::IsKind(a, _)
            | ExprKind::InPlaces(a, _)
            | ExprKind::Row(a)
            | ExprKind::Column(a)
            | ExprKind::OwnerOf(a)
            | ExprKind::HasAction(a)
            | ExprKind::IsCard(a, _)
            | ExprKind::Not(a)
            | ExprKind::Rank(_, a)
            | ExprKind::Shown(a, _)
            | ExprKind::Payable(a, _)
            | ExprKind::ShownBy(_, a) => f(a),
            ExprKind::FieldItem(a, _, b)
            | ExprKind::ListFirst(a, _, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Of(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| f(part)),
            ExprKind::OverCards(_, cards, each) => {
                cards.filter.iter().for_each(&mut *f);
                each.iter().for_each(|each| f(each));
            }
            ExprKind::OverSeats(_, seats) => match &seats.filter {
                SeatFilter::All => {}
                SeatFilter::Where(a) | SeatFilter::Compared(_, a) => f(a),
            },
            ExprKind::Quantity(_, args) | ExprKind::Define(_, args) => args.iter().for_each(f),
            ExprKind::ByPlayers(table) | ExprKind::ByOption(_, table) => {
                table.entries.iter().for_each(|entry| f(&entry.1));
                table.otherwise.iter().for_each(|other| f(other));
            }
            ExprKind::CountTokens(tokens, _) => {
                if let TokenWord::Local(word) = &tokens.which {
                    f(word);
                }
                tokens.showing.iter().for_each(f);
            }
        }
    }

    /// Calls `f` for this expression and all below it.
    pub fn walk<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        fn go<'e>(expr: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
            f(expr);
            expr.each_part(&mut |part| go(part, f));
        }
        go(self, f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn all_expressions_below_one_are_walked_through() {
        let span = Span { file: FileId(0), start: 0, end: 1 };
        let local = |n| Expr { kind: ExprKind::Local(Bind(n)), ty: Type::Number, span };
        let cards = Cards { places: Vec::new(), everybody: false, kind: None, rows: 0, bind: Bind(1), with: None, filter: Some(local(2)) };
        let sum = Expr { kind: ExprKind::OverCards(Fold::Sum, Box::new(cards), Some(Box::new(local(3)))), ty: Type::Number, span };
        let table = ByTable { entries: vec![(vec!["2".into()], sum)], otherwise: Some(Box::new(local(4))) };
        let whole = Expr { kind: ExprKind::ByPlayers(table), ty: Type::Number, span };
        let mut found = Vec::new();
        whole.walk(&mut |expr| {
            if let ExprKind::Local(Bind(n)) = expr.kind {
                found.push(n);
            }
        });
        assert_eq!(found, [2, 3, 4]);
    }
}
