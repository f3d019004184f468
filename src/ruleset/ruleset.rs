//! A compiled ruleset: immutable, shared by all threads, every name an index.
//!
//! The crate `rules` makes it from text; the engine runs it. Expressions are a graph in which equal ones are one, statements
//! are flat ops, and what cards add is listed by what it hears or changes.

pub use super::declared::{Check, Lifetime, Named, PackOf, PlaceDecl, Quantity, Rank, ScriptText, Shape, Variable, VariableSort, Worth};
pub use super::definition::{AskBefore, CardAction, Change, Definition, Forbid, Hook, How, Instead, Kind, Who};
pub use super::names::{NameId, Names};
pub use super::node::{CardSet, Compare, NodeId, PlayerSet, Whose};
pub use super::op::{Direction, OrderKey, Target, Whom, Write};
use super::payers::Payers;
pub use super::program::{Action, Choice, Cost, Effect, Guard, Offer, Param, Question, Shortage, Turns};
use super::tokens::{Exchange, Pool, Token, TokenClass, TokenSet};
use crate::cast;
use crate::source::Span;
use crate::state::layout::Layout;

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
    /// Names that what could not be read may have declared: who misses one is not told so.
    pub unread: Vec<String>,
    /// The packs that it was made with, in load order.
    pub packs: Vec<PackOf>,
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
    pub graph: super::graph::Graph,
    /// Sets of cards that statements, questions and actions go through.
    pub sets: Vec<CardSet>,
    /// What the loop runs.
    pub ops: super::op::Ops,
    /// Questions.
    pub questions: Vec<Question>,
    /// Ranks.
    pub ranks: Vec<Rank>,
    /// Quantities.
    pub quantities: Vec<Quantity>,
    /// Named conditions.
    pub conditions: Vec<(String, NodeId)>,
    /// What scripts call by name, with types.
    pub signatures: Vec<super::node::Signature>,
    /// Moments.
    pub moments: Vec<String>,
    /// Of moments, what the rules say has happened then.
    pub moment_docs: Vec<(String, String)>,
    /// Moment raised after something was paid, if the rules or cards name it.
    pub spent: Option<u16>,
    /// Where a seat counts what its last payment took, if the rules want to know.
    pub paid: Option<u16>,
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
    /// A definition whose pieces lie on top of their decks when a game begins; all others keep their order. For who asks what a card does.
    pub on_top: Option<u32>,
    /// Cell of the table that counts how often a deck was shuffled in the course of the game, if the rules ever do.
    pub shuffled: Option<u16>,
    /// What cells hold when a game begins, if not 0.
    pub initial: Vec<(u32, i32)>,
    /// Cells of a piece that become 1 when it comes into play, each with the lifetime of an `until`.
    pub arrivals: Vec<u16>,
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
    /// Names of phases, the part where they begin and the one behind them.
    pub phases: Vec<(String, u32, u32)>,
    /// The same of steps, by `phase.step`.
    pub steps: Vec<(String, u32, u32)>,
    /// Turns, in the order of the program.
    pub turns: Vec<Turns>,
    /// Number of rounds.
    pub rounds: Option<NodeId>,
    /// After how many rounds a game is cut off whose rules give no number of rounds.
    pub cut_off: Option<i64>,
    /// No round begins once this holds.
    pub until: Option<NodeId>,
    /// Rows of the score.
    pub score: Vec<(String, NodeId)>,
    /// Where each of them stands.
    pub score_spans: Vec<Span>,
    /// Whoever has fewest points wins.
    pub lowest_wins: bool,
    /// The table of honour for who plays alone, from the highest down: names and points.
    pub honours: Vec<(String, i64)>,
    /// The option of each player that a series of games raises for who wins, with its values.
    pub series: Option<(String, Vec<String>)>,
    /// Keys after the score that decide a tie.
    pub tie_breaks: Vec<OrderKey>,
    /// What a state is worth, by style.
    pub worths: Vec<Worth>,
    /// Scripts.
    pub scripts: Vec<ScriptText>,
    /// What can be hidden, worked out by [`Ruleset::prepare`].
    pub hidden: super::hidden::Hidden,
    /// The code of expressions, made by [`Ruleset::prepare`].
    pub code: std::sync::Arc<super::code::Code>,
    /// Of each class of cells a bit for the lifetime of what they hold, 0 for good.
    pub lasts: Vec<u8>,
    /// For each lifetime the runs of cells that end with it: of the table, of each seat, of each piece.
    pub clears: [[Vec<(u16, u16)>; 3]; 5],
    /// Seat offsets of the differences of quantities.
    pub differences: Vec<u16>,
    /// Cards dealt to a seat from the start: definition and seat.
    pub dealt: Vec<(u32, usize)>,
    /// The effect that deals such a card; without one it is put where cards of its kind lie.
    pub dealing: Option<u16>,
    /// Settings of each seat: variable offset and value.
    pub seat_settings: Vec<(usize, u16, i32)>,
    /// Most questions an action may ask.
    pub most_answers: i32,
}

impl Ruleset {
    /// A number printed on a piece.
    #[inline(always)]
    pub fn printed(&self, piece: usize, field: usize) -> i32 {
        self.printed[self.piece_definition[piece] as usize * self.width + field]
    }

    /// The list printed in a field of a card, with its place in the pool; empty for no card.
    pub fn list(&self, card: i64, field: u16) -> (usize, &[i32]) {
        let Ok(card) = usize::try_from(card) else { return (0, &[]) };
        match cast::index(self.printed(card, field as usize)) {
            0 => (0, &[]),
            at => (at + 1, &self.pool[at + 1..at + 1 + cast::index(self.pool[at])]),
        }
    }

    /// The sum of the first elements of a printed list; the pool holds these sums behind the list.
    pub fn list_first(&self, card: i64, field: u16, count: i64) -> i64 {
        let (at, list) = self.list(card, field);
        match list.len().min(cast::index(count.max(0))) {
            0 => 0,
            count => self.pool[at + list.len() + count - 1] as i64,
        }
    }

    /// The place of honour that so many points give; none below the lowest.
    pub fn honour(&self, points: i64) -> Option<usize> {
        self.honours.iter().position(|honour| points >= honour.1)
    }

    /// Whether a variable is the program's own, and no player's affair: names in several words are, the count of rolls, and what rules have
    /// it note of turns taken and of the last payment.
    pub fn is_own(&self, name: &str) -> bool {
        let is_at = |variables: &[Variable], cell: u16| variables.iter().any(|variable| variable.name == name && variable.offset == cell);
        let (of_table, of_seat) = self.rolled;
        let noted = self.turns.iter().filter_map(|turns| turns.taken).chain(self.paid);
        name.contains(' ')
            || !self.tokens.is_empty() && (is_at(&self.table, of_table) || is_at(&self.seat, of_seat))
            || noted.into_iter().any(|cell| is_at(&self.seat, cell))
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

    /// The slot of a grid, from row and column, both from 1.
    pub fn grid_slot(&self, place: usize, row: i64, column: i64) -> Option<usize> {
        let Shape::Grid { rows, columns, .. } = self.places[place].shape else { return None };
        let inside = (1..=rows as i64).contains(&row) && (1..=columns as i64).contains(&column);
        let slot = inside.then(|| (cast::index(row) - 1) * columns as usize + cast::index(column) - 1)?;
        self.places[place].is_space(slot).then_some(slot)
    }
}
