//! A compiled ruleset: immutable, shared by all threads, every name an index.
//!
//! [`crate::lang`] makes it from text; the engine runs it. Expressions are a tree of wide [`Node`]s in one arena, statements
//! likewise, and what cards add is listed by what it hears or changes.

pub use super::node::{CardSet, Compare, Node, NodeId, PlayerSet, RowSum, Whose};
use super::payment::Payers;
use super::tokens::{Exchange, Pool, Token, TokenClass, TokenCost, TokenSet, TokenStmt};
use crate::state::chance::hash_text;
use crate::state::layout::Layout;
use std::collections::BTreeMap;

/// Index of a body of [`Stmt`]s.
pub type BodyId = u32;
/// Index of a word in [`Names`].
pub type NameId = u32;

/// Words, each with its hash, so that option keys can be compared without rendering them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    hashes: Vec<u64>,
    known: BTreeMap<String, NameId>,
}

impl Names {
    /// The index of a word, which is added when it is new.
    pub fn add(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.known.get(text) {
            return id;
        }
        let id = self.texts.len() as NameId;
        self.texts.push(text.to_string());
        self.hashes.push(hash_text(text));
        self.known.insert(text.to_string(), id);
        id
    }

    /// The index of a word that is known.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.known.get(text).copied()
    }

    /// The word.
    pub fn text(&self, id: NameId) -> &str {
        self.texts.get(id as usize).map_or("?", String::as_str)
    }

    /// The word's hash.
    pub fn hash(&self, id: NameId) -> u64 {
        self.hashes.get(id as usize).copied().unwrap_or(0)
    }

    /// All words, in the order in which they were added.
    pub fn all(&self) -> impl Iterator<Item = (NameId, &str)> {
        self.texts.iter().enumerate().map(|(i, t)| (i as NameId, t.as_str()))
    }
}

/// A rank: who counts as being on top, or at the bottom.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Its name.
    pub name: String,
    /// From the top, or from the bottom.
    pub top: bool,
    /// How many count.
    pub leaders: NodeId,
    /// Whether those tied at the edge count.
    pub ties_in: bool,
}

/// Something that cards may change, for one seat: a stat, a price, the room of a place.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Its name, as cards write it.
    pub name: String,
    /// Without changes.
    pub base: NodeId,
    /// Number of arguments.
    pub args: u8,
    /// Highest value, applied after the changes.
    pub most: Option<NodeId>,
    /// Lowest value, applied after the changes.
    pub least: Option<NodeId>,
    /// Quantity by which it is ranked, if not by itself.
    pub ranked: Option<u16>,
    /// Seat offset of its lasting differences, one cell for each [`Lifetime`].
    pub differences: Option<u16>,
    /// Bit in the caches.
    pub cached: Option<u8>,
    /// A stat (shown to people), not only a changeable number.
    pub stat: bool,
    /// Whether some loaded card changes it.
    pub changed: bool,
}

/// How long a counter or a difference lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// Until the action ends.
    Action,
    /// Until the turn ends.
    Turn,
    /// Until the step ends.
    Step,
    /// Until the round ends.
    Round,
    /// For good.
    Game,
}

impl Lifetime {
    /// All of them, shortest first.
    pub const ALL: [Lifetime; 5] = [Lifetime::Action, Lifetime::Turn, Lifetime::Step, Lifetime::Round, Lifetime::Game];

    /// The word of the rules language.
    pub fn word(self) -> &'static str {
        match self {
            Lifetime::Action => "action",
            Lifetime::Turn => "turn",
            Lifetime::Step => "step",
            Lifetime::Round => "round",
            Lifetime::Game => "game",
        }
    }
}

/// What a statement writes to.
#[derive(Clone, Debug)]
pub enum Target {
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat spoken of.
    Own(u16),
    /// One of a row of cells of the seat.
    OwnAt(u16, u16, NodeId),
    /// A counter of a piece.
    Counter(NodeId, u8),
}

/// How a statement writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}

/// One thing that can be chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is offered.
    pub offer: Offer,
    /// When.
    pub when: Option<NodeId>,
    /// What it does.
    pub body: BodyId,
    /// How often it can be picked, in a series of picks.
    pub up_to: Option<NodeId>,
}

/// What a choice offers.
#[derive(Clone, Debug)]
pub enum Offer {
    /// A word.
    Word {
        /// The word.
        name: NameId,
        /// The key is the word alone, without `choose` before it.
        bare: bool,
    },
    /// Each card of a set.
    Cards(u32),
}

/// A question with its choices.
#[derive(Clone, Debug)]
pub struct Question {
    /// Stable id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// Several may be chosen, one after another in declared order.
    pub picks: bool,
    /// The choices.
    pub choices: Vec<Choice>,
    /// What happens when nothing can be chosen.
    pub otherwise: Option<BodyId>,
}

/// How seats follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// First to last.
    Forward,
    /// Last to first.
    Reverse,
}

/// A key of an order of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// More of an expression goes first.
    By(NodeId),
    /// The present order.
    Present,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Gain a number of a resource (an index among the resources).
    Gain(NodeId, NodeId),
    /// Lose, with what follows when there is less; the name lets cards replace it.
    Lose(NodeId, NodeId, Option<u16>),
    /// Pay what one has.
    Pay(NodeId, NodeId),
    /// Pay a number of resources in any mix.
    PayMix(NodeId, Box<[u8]>),
    /// Write a cell.
    Write(Target, Write, NodeId),
    /// Put a bit into a set of the seat.
    AddBit(u16, NodeId),
    /// Draw from a deck into a place; the name lets cards replace it.
    Draw(u16, NodeId, u16, Option<u16>),
    /// Fill the gaps of a grid from a deck.
    Fill(u16, u16, NodeId),
    /// Remove all cards of a set.
    RemoveSet(u32),
    /// Remove one card.
    Remove(NodeId),
    /// Move the cards of a row to another row of a grid, packed left.
    MoveRow(u16, NodeId, NodeId),
    /// Take copies of the cards that a printed list names out of the box into a place.
    Put(NodeId, u16, u16),
    /// Take copies of cards out of the box into a place.
    PutNamed(Box<[i32]>, u16),
    /// Put a card into the slot of its kind.
    PlaceInSlot(NodeId),
    /// Put a card into a place; the flag lets it cover another even if there is room.
    PlaceIn(NodeId, u16, bool),
    /// Raise a moment and wait for its hearers.
    Moment(u16, Option<NodeId>),
    /// One or the other.
    If(NodeId, BodyId, Option<BodyId>),
    /// For each index of a list, in a local.
    ForWords(u8, Box<[i32]>, BodyId),
    /// For each card of a set.
    ForCards(u32, BodyId),
    /// So many times.
    Repeat(NodeId, BodyId),
    /// Each player, one after another.
    EachPlayer(Direction, Option<NodeId>, BodyId),
    /// All players at once.
    AllPlayers(Option<NodeId>, BodyId),
    /// A question.
    Ask(u32),
    /// An effect of the rules, with arguments.
    Effect(u16, Vec<NodeId>),
    /// A new order of seats.
    OrderBy(Box<[OrderKey]>),
    /// An order by chance.
    OrderRandom,
    /// The action printed on a card.
    CardActs(NodeId),
    /// Something with tokens.
    Tokens(Box<TokenStmt>),
}

/// A body of an effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its name.
    pub name: String,
    /// Number of parameters; they are locals 1, 2, ….
    pub params: u8,
    /// What it does.
    pub body: BodyId,
}

/// A condition that refuses, with its name and reason.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Name in the rules file.
    pub name: String,
    /// Must be true.
    pub node: NodeId,
    /// What a person is told.
    pub reason: String,
    /// How many parameters must be known before it can be read.
    pub stage: u8,
    /// It concerns only candidates of these kinds, of the parameter last known: other kinds pass without a look.
    pub kinds: Option<u64>,
    /// What must hold for those, if it is the same for all candidates: read once in an enumeration.
    pub once: Option<NodeId>,
}

/// What an action costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// How many.
    pub amount: NodeId,
    /// Index of the resource; [`u8::MAX`] when tokens pay.
    pub resource: u8,
    /// The price in what tokens show, if they pay.
    pub tokens: Option<TokenCost>,
    /// How many parameters must be known before it can be read.
    pub stage: u8,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct Param {
    /// Set of candidates.
    pub set: u32,
    /// It may be left out.
    pub maybe: bool,
    /// Word before it in the option's key.
    pub word: Option<NameId>,
}

/// An action of a turn.
#[derive(Clone, Debug)]
pub struct Action {
    /// First word of its option keys.
    pub name: NameId,
    /// Address, for messages.
    pub address: String,
    /// Does not use up an action of the turn.
    pub free: bool,
    /// What is chosen with it.
    pub params: Vec<Param>,
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What must be paid.
    pub costs: Vec<Cost>,
    /// What it does.
    pub body: BodyId,
    /// The parameter whose card acts, if the body says so.
    pub acting: Option<u8>,
}

/// One part of the program: what the game goes through.
#[derive(Clone, Debug)]
pub enum Part {
    /// Statements done once.
    Do(BodyId),
    /// A body for each player, one after another.
    Each(Direction, Option<NodeId>, BodyId),
    /// Cards dealt to seats from the start are put into play.
    Deal,
    /// A new round begins.
    Round,
    /// A phase begins.
    Phase(u16),
    /// A step begins: skipped to the part given when the condition is false.
    Step(u16, Option<NodeId>, u32),
    /// A step ends.
    StepEnd(u16),
    /// Turns until all have passed.
    Turns(u16),
    /// The round ends: back to the part given while rounds are left.
    RoundEnd(u32),
    /// The game ends.
    Finish,
}

/// Turns of a phase.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Name of the question.
    pub question: String,
    /// Flag of a seat that takes no more turns.
    pub passed: u16,
    /// Counter of the turns that a seat has begun in this round, if there is one.
    pub taken: Option<u16>,
    /// Done before a seat's first action of the round.
    pub first: Option<BodyId>,
    /// Actions of the turn that begins.
    pub actions_each: NodeId,
    /// What can be done.
    pub actions: Vec<u16>,
}

/// Whom an entry of a card speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Its owner.
    Me,
    /// Everybody else.
    Others,
    /// Everybody.
    All,
}

/// A question put before a script.
#[derive(Clone, Debug)]
pub struct AskBefore {
    /// Stable id.
    pub id: String,
    /// Nothing may be chosen, too.
    pub may: bool,
    /// For a plain yes or no, the word that means no.
    pub no: Option<NameId>,
    /// Words and cards on offer.
    pub offers: Vec<(Offer, Option<NodeId>)>,
}

/// Where a card hears something and what it then does.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Address within the card, for messages.
    pub id: String,
    /// The moment.
    pub moment: u16,
    /// Whose moments.
    pub who: Who,
    /// Only moments of the card itself.
    pub own_only: bool,
    /// When.
    pub when: Option<NodeId>,
    /// A question before.
    pub ask: Option<AskBefore>,
    /// What it does.
    pub script: u32,
}

/// How a change changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Adds.
    By,
    /// Sets.
    To,
    /// Not below.
    AtLeast,
    /// Not above.
    AtMost,
}

/// A change that a card makes to a quantity while it is in play.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which quantity.
    pub quantity: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// How.
    pub how: How,
    /// By how much, or to what.
    pub amount: NodeId,
}

/// A refusal that a card adds.
#[derive(Clone, Debug)]
pub struct Forbid {
    /// Which action.
    pub action: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// What a person is told.
    pub because: String,
}

/// What happens instead of a named loss or draw.
#[derive(Clone, Debug)]
pub struct Instead {
    /// Address within the card, for messages.
    pub id: String,
    /// The named loss or draw.
    pub of: u16,
    /// Whose.
    pub who: Who,
    /// When.
    pub when: Option<NodeId>,
    /// A question before.
    pub ask: Option<AskBefore>,
    /// What it does; nothing when absent.
    pub script: Option<u32>,
}

/// An action printed on a card.
#[derive(Clone, Debug)]
pub struct CardAction {
    /// Address within the card, for messages.
    pub id: String,
    /// What must hold.
    pub needs: Option<NodeId>,
    /// What a person is told.
    pub because: String,
    /// What it costs: amount and resource.
    pub costs: Vec<(NodeId, u8)>,
    /// A question before.
    pub ask: Option<AskBefore>,
    /// What it does.
    pub script: u32,
}

/// A card as defined; what lies on the table is a piece of it.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// Its id.
    pub id: NameId,
    /// Printed name.
    pub name: String,
    /// Our words for what it does.
    pub text: String,
    /// Index of the kind.
    pub kind: u16,
    /// The age it belongs to.
    pub age: i32,
    /// Numbers, by field; a list holds its place in the pool.
    pub fields: Vec<i32>,
    /// What it hears.
    pub hooks: Vec<Hook>,
    /// What it changes.
    pub changes: Vec<Change>,
    /// What it forbids.
    pub forbids: Vec<Forbid>,
    /// What it replaces.
    pub insteads: Vec<Instead>,
    /// What its owner may do with it.
    pub action: Option<CardAction>,
    /// When it leaves play.
    pub leaves_when: Option<NodeId>,
    /// Where its file says so, for messages.
    pub source: String,
    /// How many pieces of it there are.
    pub copies: u16,
}

impl Definition {
    /// Whether it says anything beyond its numbers.
    pub fn speaks(&self) -> bool {
        !self.hooks.is_empty()
            || !self.changes.is_empty()
            || !self.forbids.is_empty()
            || !self.insteads.is_empty()
            || self.action.is_some()
            || self.leaves_when.is_some()
    }
}

/// A kind of card.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: NameId,
    /// Declared place that it goes to.
    pub slot: Option<u16>,
}

/// What a place is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A face-down pile, drawn from the top.
    Deck,
    /// Rows and columns, open to all.
    Grid {
        /// Number of rows.
        rows: u16,
        /// Number of columns.
        columns: u16,
    },
    /// Open slots.
    Slots,
}

/// A place as declared.
#[derive(Clone, Debug)]
pub struct PlaceDecl {
    /// Its name.
    pub name: String,
    /// Every seat has one.
    pub of_seat: bool,
    /// Shape.
    pub shape: Shape,
    /// Index of its first instance in the layout; those of other seats, or of other ages, follow.
    pub first: u16,
    /// Number of instances.
    pub instances: u16,
    /// Bit set of the kinds that may lie there.
    pub kinds: u64,
    /// Quantity that says how many cards have room.
    pub limit: Option<u16>,
    /// Cards here hear moments and change quantities.
    pub hearing: bool,
    /// What happens to a card that leaves, with the card in local 1.
    pub on_leave: Option<BodyId>,
}

/// A counter, flag, set or tally.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Offset: a cell of the table, or from the seat's or piece's base.
    pub offset: u16,
    /// Number of cells.
    pub len: u16,
    /// How long it lasts.
    pub lifetime: Lifetime,
    /// Truth, a bit set, or a number.
    pub sort: VariableSort,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSort {
    /// A whole number.
    Counter,
    /// A resource: never below 0, gained and lost.
    Resource,
    /// Yes or no.
    Flag,
    /// A set of words.
    Set,
    /// A number for each of several words.
    Tally,
}

/// What happens when a seat must lose more than it has.
#[derive(Clone, Debug)]
pub struct Shortage {
    /// Bit set of the resources it covers.
    pub resources: u64,
    /// What it does, with the resource in local 1 and what is missing in local 2.
    pub body: BodyId,
}

/// A state-based check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Cards in play leave when they say so.
    Leaving,
    /// Cards leave that lie beyond the room of their place.
    Room,
}

/// A script of a card, as text.
#[derive(Clone, Debug)]
pub struct ScriptText {
    /// Card and hook, for messages.
    pub owner: String,
    /// Definition, or -1 for a kind's entry.
    pub definition: i32,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Option<crate::source::Span>,
    /// Words that its question offers.
    pub words: Vec<NameId>,
}

/// A compiled ruleset for a number of players and a choice of options.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// Id of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Number of players.
    pub players: usize,
    /// Hash of everything that it was made from.
    pub hash: u64,
    /// Words.
    pub names: Names,
    /// Where everything lies.
    pub layout: Layout,
    /// Resources, by index; their variables are the seat's first.
    pub resources: Vec<NameId>,
    /// Variables of the table.
    pub table: Vec<Variable>,
    /// Variables of a seat.
    pub seat: Vec<Variable>,
    /// Counters of a piece.
    pub piece: Vec<Variable>,
    /// Expressions.
    pub nodes: Vec<Node>,
    /// Sets of cards.
    pub sets: Vec<CardSet>,
    /// Sets of players.
    pub player_sets: Vec<PlayerSet>,
    /// Sums of printed rows.
    pub row_sums: Vec<RowSum>,
    /// Bodies.
    pub bodies: Vec<Box<[Stmt]>>,
    /// Questions.
    pub questions: Vec<Question>,
    /// Ranks.
    pub ranks: Vec<Rank>,
    /// Quantities.
    pub quantities: Vec<Quantity>,
    /// Named conditions.
    pub conditions: Vec<(String, NodeId)>,
    /// Named expressions that scripts can read: name, parameters, expression.
    pub defines: Vec<(String, u8, NodeId)>,
    /// Moments.
    pub moments: Vec<String>,
    /// Moment raised after something was paid, if the rules or cards name it.
    pub spent: Option<u16>,
    /// Named losses and draws.
    pub named: Vec<String>,
    /// Effects.
    pub effects: Vec<Effect>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Fields: name and how many cells.
    pub fields: Vec<(String, u16)>,
    /// Offsets of the fields whose cell is a printed list's place in the pool.
    pub list_fields: Vec<u16>,
    /// Words that a printed row has after the resources, in order.
    pub row_words: Vec<NameId>,
    /// Numbers of printed lists: each its length, then its elements, then its sums.
    pub pool: Vec<i32>,
    /// What tokens can show.
    pub symbols: Vec<NameId>,
    /// Sorts of tokens.
    pub tokens: Vec<Token>,
    /// Kinds of tokens: name and sorts, as a bit set.
    pub token_kinds: Vec<(NameId, u64)>,
    /// Tokens that nothing tells apart.
    pub classes: Vec<TokenClass>,
    /// Sets of tokens.
    pub token_sets: Vec<TokenSet>,
    /// Where tokens lie.
    pub pools: Vec<Pool>,
    /// What several tokens stand for.
    pub exchange: Option<Exchange>,
    /// For each symbol the classes that show it, as a bit set.
    pub showing: Vec<u64>,
    /// For each symbol what can pay it.
    pub payers: Vec<Payers>,
    /// Counters of rolls in this round: a cell of the table, and a seat's offset.
    pub rolled: (u16, u16),
    /// What cells hold when a game begins, if not 0.
    pub initial: Vec<(u32, i32)>,
    /// Places.
    pub places: Vec<PlaceDecl>,
    /// Declarations whose cards hear, as a bit set.
    pub hearing: u64,
    /// Cards.
    pub definitions: Vec<Definition>,
    /// Definition of each piece.
    pub piece_definition: Vec<u32>,
    /// Kind of each piece.
    pub piece_kind: Vec<u8>,
    /// Numbers of all definitions in one row, [`Ruleset::width`] for each.
    pub printed: Vec<i32>,
    /// How many numbers a definition has.
    pub width: usize,
    /// Place instance where each piece starts.
    pub piece_home: Vec<u16>,
    /// Number of the copy, from 0.
    pub piece_copy: Vec<u16>,
    /// Hash of each piece's id.
    pub piece_hash: Vec<u64>,
    /// The deck instances in which pieces start, each with those pieces.
    pub decks: Vec<(u16, Vec<u16>)>,
    /// The stream by which each piece is ordered in the deck where it starts: of the deck and its id.
    pub piece_stream: Vec<u64>,
    /// Whether there are other pieces of its definition.
    pub piece_twins: Vec<bool>,
    /// Shortages.
    pub shortages: Vec<Shortage>,
    /// Checks.
    pub checks: Vec<Check>,
    /// Actions.
    pub actions: Vec<Action>,
    /// The program.
    pub program: Vec<Part>,
    /// Names of phases.
    pub phases: Vec<String>,
    /// Names of steps, with their phase: `phase.step`, the part where they begin and where they end.
    pub steps: Vec<(String, u32, u32)>,
    /// Turns.
    pub turns: Vec<Turns>,
    /// Number of rounds.
    pub rounds: Option<NodeId>,
    /// Rows of the score.
    pub score: Vec<(String, NodeId)>,
    /// Keys after the score that decide a tie.
    pub tie_breaks: Vec<OrderKey>,
    /// Worth of a state to a seat, in thousandths.
    pub worth: Option<NodeId>,
    /// Scripts.
    pub scripts: Vec<ScriptText>,
    /// How many values of a seat are cached.
    pub cached: u8,
    /// Classes of cells; the first is that of cells on which nothing depends.
    pub cell_classes: Vec<CellClass>,
    /// For each lifetime the runs of cells that end with it: of the table, of each seat, of each piece.
    pub clears: [[Vec<(u16, u16)>; 3]; 5],
    /// Cards dealt to a seat from the start: definition and seat.
    pub dealt: Vec<(u32, usize)>,
    /// Settings of each seat: variable offset and value.
    pub seat_settings: Vec<(usize, u16, i32)>,
    /// Most questions an action may ask.
    pub most_answers: i32,
}

/// A set of cached values of a seat.
pub type Bits = u128;

/// What depends on cells of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellClass {
    /// Caches of its own seat that a change spoils.
    pub own: Bits,
    /// Caches of every seat that a change spoils.
    pub all: Bits,
    /// A bit for the lifetime of what it holds, 0 for good.
    pub lasts: u8,
}

/// Bit in the caches that stands for the state-based checks.
pub const CHECK_BIT: Bits = 1 << 127;

impl CellClass {
    /// Adds caches that a change spoils: of its own seat, or of others as well.
    pub fn spoil(&mut self, others: bool, bits: Bits) {
        *(if others { &mut self.all } else { &mut self.own }) |= bits;
    }
}

impl Ruleset {
    /// A number printed on a piece.
    #[inline(always)]
    pub fn printed(&self, piece: usize, field: usize) -> i32 {
        self.printed[self.piece_definition[piece] as usize * self.width + field]
    }

    /// The definition of a piece.
    #[inline(always)]
    pub fn definition(&self, piece: usize) -> &Definition {
        &self.definitions[self.piece_definition[piece] as usize]
    }

    /// The definition with this id.
    pub fn find_definition(&self, id: &str) -> Option<usize> {
        let name = self.names.find(id)?;
        self.definitions.iter().position(|d| d.id == name)
    }

    /// The place with this name.
    pub fn find_place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|p| p.name == name)
    }

    /// The first place in play that takes cards of a kind.
    pub fn place_in_play(&self, kind: u16) -> Option<usize> {
        self.places.iter().position(|p| p.hearing && p.of_seat && p.kinds >> kind & 1 == 1)
    }
}
