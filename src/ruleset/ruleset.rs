//! A compiled ruleset: immutable, shared by all threads, with indices instead of names.
//!
//! The crate `rules` creates it from text; the engine runs it. Expressions form a graph in which equal ones are shared, statements are flat
//! ops, and the entries of cards are listed by what they refer to.

use super::boards::{Board, SpaceSet, UNREACHABLE};
pub use super::declared::{
    Check, Lifetime, LoadedPack, Owner, PlaceDecl, Quantity, Rank, ScriptText, ScriptValue, Shape, Slot, Variable, VariableSort, Worth,
    WriteEffect,
};
pub use super::definition::{CardAction, Change, ChangeOp, Definition, Forbid, Hook, Instead, Kind, ScriptQuestion, Who};
pub use super::names::{NameId, Names};
pub use super::node::{CardSet, Compare, NodeId, PlayerSet, Whose};
use super::op::Op;
pub use super::op::{Cells, Direction, OrderKey, Target, Whom, Write};
use super::payers::Payers;
pub use super::program::{Choice, Cost, Domain, Effect, Guard, InTurn, Offer, Param, Question, Shortage, TextPart, Turns};
use super::tokens::{Exchange, Pool, Token, TokenClass, TokenSet};
use crate::cast;
use crate::op::Pc;
use crate::source::Span;
use crate::state::layout::{Layout, PlaceInstance, TABLE};

/// A compiled ruleset, for a number of players and a choice of options.
#[derive(Clone, Debug, Default)]
pub struct Ruleset {
    /// The id of the game that the rules describe.
    pub game: String,
    /// The title of the game.
    pub title: String,
    /// The number of players.
    pub players: usize,
    /// A hash of all its sources.
    pub hash: u64,
    /// Names that parts of the sources with syntax errors may declare: no error is reported if one is missing.
    pub unparsed_names: Vec<String>,
    /// The packs that the ruleset was made with, in load order.
    pub packs: Vec<LoadedPack>,
    /// The words that the ruleset uses, each stored once.
    pub names: Names,
    /// The layout of a state: the order and number of its cells.
    pub layout: Layout,
    /// The resources, by index; their variables are the first of each seat.
    pub resources: Vec<NameId>,
    /// The variables of the table.
    pub table: Vec<Variable>,
    /// The variables of each seat.
    pub seat: Vec<Variable>,
    /// The counters of each piece.
    pub piece: Vec<Variable>,
    /// All expressions, in a graph in which equal ones are shared.
    pub graph: super::graph::Graph,
    /// The sets of cards of statements, questions and actions.
    pub sets: Vec<CardSet>,
    /// The program: all ops.
    pub ops: super::op::Ops,
    /// The questions that the rules ask.
    pub questions: Vec<Question>,
    /// The ranks that the rules declare.
    pub ranks: Vec<Rank>,
    /// The quantities that the rules declare.
    pub quantities: Vec<Quantity>,
    /// The conditions that have names: name and expression.
    pub conditions: Vec<(String, NodeId)>,
    /// The declarations that scripts can call, with types.
    pub signatures: Vec<super::node::Signature>,
    /// The names of the moments: events that the rules raise and cards listen to.
    pub moments: Vec<String>,
    /// Descriptions of moments: name and text.
    pub moment_docs: Vec<(String, String)>,
    /// The moment raised after a payment, if the rules or cards use it.
    pub spent_moment: Option<u16>,
    /// The offset of a seat's cells with the amounts of its last payment, if the rules use them.
    pub payment_record: Option<u16>,
    /// The names of the losses and draws that cards may replace.
    pub loss_names: Vec<String>,
    /// The effects: named routines of the rules.
    pub effects: Vec<Effect>,
    /// The kinds of cards that the rules declare.
    pub kinds: Vec<Kind>,
    /// The fields of cards: name, and number of cells.
    pub fields: Vec<(String, u16)>,
    /// The offsets of the fields with a printed list.
    pub list_fields: Vec<u16>,
    /// The words that index a printed row after the resources, in order.
    pub row_words: Vec<NameId>,
    /// Lists of words that the rules declare; those of options are empty. A word is its index in its list.
    pub word_lists: Vec<Vec<NameId>>,
    /// The pool of printed lists: for each list its length, its elements, and their partial sums.
    pub pool: Vec<i32>,
    /// The symbols that tokens can show.
    pub symbols: Vec<NameId>,
    /// The sorts of tokens.
    pub tokens: Vec<Token>,
    /// The kinds of tokens: name, and sorts as a bit set.
    pub token_kinds: Vec<(NameId, u64)>,
    /// The classes of tokens: interchangeable tokens form a class.
    pub classes: Vec<TokenClass>,
    /// The sets of tokens.
    pub token_sets: Vec<TokenSet>,
    /// The pools of tokens.
    pub pools: Vec<Pool>,
    /// The exchange of several tokens for one unit of a symbol.
    pub exchange: Option<Exchange>,
    /// For each symbol, the classes that show it, as a bit set.
    pub showing: Vec<u64>,
    /// For each symbol, the tokens that can pay it.
    pub payers: Vec<Payers>,
    /// The counters of rolls in this round: a cell of the table, and an offset for each seat.
    pub roll_counters: (u16, u16),
    /// A definition whose pieces start on top of their decks, while the other cards keep their order. Used to examine a card.
    pub top_definition: Option<u32>,
    /// The cell of a seat that counts the cards chosen at random, if the rules choose any.
    pub card_draws: Option<u16>,
    /// The cell of the table that counts shuffles, if the rules shuffle.
    pub shuffle_counter: Option<u16>,
    /// The values that are hidden from some seats.
    pub secrets: Vec<super::secrets::Secret>,
    /// The fields of cards of which single values are shown.
    pub clues: Vec<super::clues::Clue>,
    /// The values with declared bounds.
    pub bounds: Vec<super::secrets::Bound>,
    /// The initial values of cells that are not 0.
    pub initial: Vec<(u32, i32)>,
    /// The offsets of piece cells that are set to 1 when the piece enters play, each with the lifetime of an `until`.
    pub arrival_flags: Vec<u16>,
    /// The places for cards that the rules declare.
    pub places: Vec<PlaceDecl>,
    /// The places whose cards are in play, as a bit set.
    pub places_in_play: u64,
    /// The boards that the rules declare.
    pub boards: Vec<Board>,
    /// The definitions of cards.
    pub definitions: Vec<Definition>,
    /// The definition of each piece.
    pub piece_definition: Vec<u32>,
    /// The kind of each piece.
    pub piece_kind: Vec<u8>,
    /// The printed numbers of all definitions, [`Ruleset::width`] for each.
    pub printed: Vec<i32>,
    /// The number of printed numbers of a definition.
    pub width: usize,
    /// The place instance where each piece starts.
    pub piece_home: Vec<u16>,
    /// The copy number of each piece, from 0.
    pub piece_copy: Vec<u16>,
    /// The hash of each piece's id.
    pub piece_hash: Vec<u64>,
    /// The deck instances in which pieces start, each with its pieces.
    pub decks: Vec<(u16, Vec<u16>)>,
    /// The random stream that orders each piece in its deck, from the deck and the piece's id.
    pub piece_stream: Vec<u64>,
    /// Whether there are other pieces of the same definition.
    pub piece_twins: Vec<bool>,
    /// The declared places, as a bit set, in which the order of cards cannot be told; found by [`Ruleset::prepare`].
    pub unordered_places: u64,
    /// What happens when a seat must lose more than it has.
    pub shortages: Vec<Shortage>,
    /// The state-based checks, which run after every change.
    pub checks: Vec<Check>,
    /// All that can be chosen: first the actions of turns, then the answers to questions of the rules.
    pub choices: Vec<Choice>,
    /// The number of actions among the choices.
    pub action_count: usize,
    /// The phases: name, first part, and the part after the last.
    pub phases: Vec<(String, u32, u32)>,
    /// The steps as `phase.step`: name, first part, and the part after the last.
    pub steps: Vec<(String, u32, u32)>,
    /// The turns, in program order.
    pub turns: Vec<Turns>,
    /// The number of rounds.
    pub rounds: Option<NodeId>,
    /// The round after which a game is cut off, if its rules give no number of rounds.
    pub cut_off: Option<i64>,
    /// The condition under which no further round begins.
    pub until: Option<NodeId>,
    /// The rows of the score: name and value.
    pub score: Vec<(String, NodeId)>,
    /// Where each row of the score is declared.
    pub score_spans: Vec<Span>,
    /// How many sides there are, if several players win or lose as one: teams, or all of them together.
    pub sides: Option<usize>,
    /// When all have won, if all win or lose together.
    pub together: Option<Together>,
    /// Whether the fewest points win.
    pub lowest_wins: bool,
    /// The honours of a solo game, from the highest down: name and least points.
    pub honours: Vec<(String, i64)>,
    /// The per-player option that a series of games raises for the winner, with its values.
    pub series: Option<(String, Vec<String>)>,
    /// The sort keys after the score.
    pub tie_breaks: Vec<OrderKey>,
    /// The formulas for the value of a state, by style.
    pub worths: Vec<Worth>,
    /// The scripts of cards and rules.
    pub scripts: Vec<ScriptText>,
    /// What the rules allow to be hidden from seats; computed by [`Ruleset::prepare`].
    pub hidden: super::hidden::Hidden,
    /// The code of the expressions; created by [`Ruleset::prepare`].
    pub code: std::sync::Arc<super::code::Code>,
    /// For each cell before the stack what has to be done when it is written.
    pub write_effects: Vec<WriteEffect>,
    /// Whether the limit of a place rests on anything but the cards in play that change it.
    pub limits_vary: bool,
    /// The simultaneous blocks whose bodies can ask, in ascending order: their questions are asked before any body is run.
    pub asking_blocks: Vec<Pc>,
    /// For each lifetime, the variables that end with it, as runs of cells (offset and length): of the table, of each seat, of each piece.
    pub variables_by_lifetime: [[Vec<(u16, u16)>; 3]; 5],
    /// The cards that are dealt to seats before the game: definition and seat.
    pub dealt_cards: Vec<(u32, usize)>,
    /// The effect that puts a dealt card into play; without one the card goes to the place of its kind.
    pub deal_effect: Option<u16>,
    /// The settings of seats: seat, variable offset and value.
    pub seat_settings: Vec<(usize, u16, i32)>,
}

/// When all have won, in a game that all win or lose together.
#[derive(Clone, Copy, Debug)]
pub struct Together {
    /// The condition, looked at when the game is over.
    pub won: NodeId,
    /// How near it is to being so: from 0 to 1000.
    pub nearness: NodeId,
}

impl Ruleset {
    /// Returns the number of sides: of teams, or else of players; 1 if all win or lose together.
    pub fn side_count(&self) -> usize {
        self.sides.unwrap_or(self.players)
    }

    /// Returns the side of a seat. Partners sit across, whatever the order of players.
    pub fn side(&self, seat: usize) -> usize {
        seat % self.side_count().max(1)
    }

    /// Whether several players win or lose as one, against others.
    pub fn has_teams(&self) -> bool {
        self.together.is_none() && self.sides.is_some()
    }

    /// Whether a seat can have what others must not see: hidden cards of its own, or an answer in secret.
    pub fn has_secrets(&self) -> bool {
        self.places.iter().any(|place| place.hidden && place.of_seat)
            || self.ops.all.iter().any(|op| matches!(op, Op::Simultaneous { secretly: true, .. }))
    }

    /// Returns the actions that turns offer; their indices are those of the choices.
    pub fn actions(&self) -> &[Choice] {
        &self.choices[..self.action_count]
    }

    /// Returns a number printed on a piece.
    #[inline(always)]
    pub fn printed(&self, piece: usize, field: usize) -> i32 {
        self.printed[self.piece_definition[piece] as usize * self.width + field]
    }

    /// Returns the list printed in a field of a card, and its index in the pool; empty for no card.
    pub fn list(&self, card: i64, field: u16) -> (usize, &[i32]) {
        usize::try_from(card).map_or((0, &[]), |card| self.list_at(self.printed(card, field.into())))
    }

    /// Returns the list that begins at an index of the pool, and the index of its first element; an empty list for 0.
    pub fn list_at(&self, index: i32) -> (usize, &[i32]) {
        match cast::index(index) {
            0 => (0, &[]),
            index => (index + 1, &self.pool[index + 1..index + 1 + cast::index(self.pool[index])]),
        }
    }

    /// Returns the sum of the first elements of a printed list, read from the partial sums in the pool.
    pub fn list_first(&self, card: i64, field: u16, count: i64) -> i64 {
        let (index, list) = self.list(card, field);
        match list.len().min(cast::index(count.max(0))) {
            0 => 0,
            count => self.pool[index + list.len() + count - 1] as i64,
        }
    }

    /// Returns the index of the honour for a number of points; `None` below the lowest.
    pub fn honour(&self, points: i64) -> Option<usize> {
        self.honours.iter().position(|honour| points >= honour.1)
    }

    /// Whether a variable is internal and not shown to players: what rules say is not shown, generated names of several words, counts of rolls, and
    /// records of turns and payments.
    pub fn is_internal_variable(&self, name: &str) -> bool {
        let is_at = |variables: &[Variable], cell: u16| variables.iter().any(|variable| variable.name == name && variable.offset == cell);
        let (of_table, of_seat) = self.roll_counters;
        let noted = self.turns.iter().filter_map(|turns| turns.taken).chain(self.payment_record);
        let mut named = self.table.iter().chain(&self.seat).chain(&self.piece).filter(|variable| variable.name == name).peekable();
        name.contains(' ')
            || named.peek().is_some() && named.all(|variable| variable.unshown)
            || !self.tokens.is_empty() && (is_at(&self.table, of_table) || is_at(&self.seat, of_seat))
            || noted.into_iter().any(|cell| is_at(&self.seat, cell))
    }

    /// Whether no rules have declared a variable: the program counts in it what chance has done.
    pub fn is_undeclared(&self, variable: &Variable) -> bool {
        let (of_table, of_seat) = self.roll_counters;
        let rolls = [of_table, of_seat].into_iter().filter(|_| !self.tokens.is_empty());
        let mut counters = rolls.zip(["rolled"; 2]);
        let chance = [self.shuffle_counter.map(|cell| (cell, "shuffled")), self.card_draws.map(|cell| (cell, "random cards"))];
        let is_it = |(cell, name): (u16, &str)| variable.offset == cell && variable.name == name;
        counters.any(is_it) || chance.into_iter().flatten().any(is_it)
    }

    /// Returns the variables of an owner.
    pub fn variables(&self, owner: Owner) -> &[Variable] {
        match owner {
            Owner::Table => &self.table,
            Owner::Player => &self.seat,
            Owner::Card => &self.piece,
        }
    }

    /// Returns the definition of a piece.
    #[inline(always)]
    pub fn definition(&self, piece: usize) -> &Definition {
        &self.definitions[self.piece_definition[piece] as usize]
    }

    /// Returns the index of the definition with this id.
    pub fn find_definition(&self, id: &str) -> Option<usize> {
        let name = self.names.find(id)?;
        self.definitions.iter().position(|d| d.id == name)
    }

    /// Returns the index of the place with this name.
    pub fn find_place(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|p| p.name == name)
    }

    /// Returns the first place in play that takes cards of a kind.
    pub fn place_in_play(&self, kind: u16) -> Option<usize> {
        self.places.iter().position(|place| place.in_play && place.of_seat && place.kinds >> kind & 1 == 1)
    }

    /// Returns the slot of a grid at a row and column, both from 1; `None` out of bounds.
    pub fn grid_slot(&self, place: usize, row: i64, column: i64) -> Option<usize> {
        let Shape::Grid { rows, columns, .. } = self.places[place].shape else { return None };
        let inside = (1..=rows as i64).contains(&row) && (1..=columns as i64).contains(&column);
        let slot = inside.then(|| (cast::index(row) - 1) * columns as usize + cast::index(column) - 1)?;
        self.places[place].is_space(slot).then_some(slot)
    }

    /// Returns the positions of the ops of an effect.
    pub fn routine_of_effect(&self, effect: u16) -> std::ops::Range<u32> {
        self.ops.routine_range(self.effects[usize::from(effect)].first_op)
    }

    /// Finds something for each effect by its ops and what has been found for the effects that it calls, again until nothing changes.
    pub(crate) fn find_for_effects<T: Clone + Default + PartialEq>(&self, find: impl Fn(&Effect, &[T]) -> T) -> Vec<T> {
        let mut found = vec![T::default(); self.effects.len()];
        let mut before = None;
        while before.as_ref() != Some(&found) {
            before = Some(found.clone());
            for (index, effect) in self.effects.iter().enumerate() {
                found[index] = find(effect, &found);
            }
        }
        found
    }

    /// Marks the ops of all effects that marked ops call, also through each other.
    pub fn mark_called(&self, marked: &mut [bool]) {
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (pc, op) in self.ops.numbered() {
                if let Op::Call { effect, .. } = op
                    && marked[pc as usize]
                {
                    self.routine_of_effect(*effect).for_each(|called| grown |= !std::mem::replace(&mut marked[called as usize], true));
                }
            }
        }
    }

    /// Returns the instances of a declared place: one for each seat, the piles of a deck, or a single one.
    pub fn instances(&self, place: u16) -> &[PlaceInstance] {
        let declared = &self.places[usize::from(place)];
        &self.layout.places[usize::from(declared.first_instance)..][..usize::from(declared.instances)]
    }

    /// Returns the board of a place; `None` if the place is none.
    pub fn board_of_place(&self, place: usize) -> Option<&Board> {
        self.boards.iter().find(|board| usize::from(board.place) == place)
    }

    /// Returns the board of which a piece is a space; `None` for cards.
    pub fn board_of_piece(&self, piece: usize) -> Option<&Board> {
        self.boards.iter().find(|board| board.space(cast::count(piece)).is_some())
    }

    /// Whether a kind is that of the spaces of a board, which are no cards.
    pub fn is_kind_of_spaces(&self, kind: u16) -> bool {
        self.boards.iter().any(|board| board.kind == kind)
    }

    /// Whether a piece is in a set of spaces of its board.
    pub fn is_in_spaces(&self, spaces: &SpaceSet, piece: i64) -> bool {
        self.boards.iter().find_map(|board| board.space(piece)).is_some_and(|space| spaces.has(space))
    }

    /// Returns the number of steps from a link to a space of the board between whose spaces it lies: one to each end; `None` for anything else.
    fn steps_from_link(&self, (links, link): (usize, usize), (place, slot): (usize, usize)) -> Option<i64> {
        let links = self.board_of_place(links)?;
        let other = &self.boards[usize::from(links.between?)];
        if usize::from(other.place) != place {
            return None;
        }
        let steps = |end: &u16| self.steps_between((place, other.slots[usize::from(*end)].into()), (place, slot));
        links.ends.get(link)?.iter().map(steps).min().map(|steps| (steps + 1).min(UNREACHABLE))
    }

    /// Returns the number of steps between two slots, each with the instance of its place. There are none between the grids of two players.
    pub fn steps_between_slots(&self, (from_place, from): (usize, usize), (to_place, to): (usize, usize)) -> i64 {
        let [a, b] = [from_place, to_place].map(|place| &self.layout.places[place]);
        if a.owner != b.owner && a.owner != TABLE && b.owner != TABLE {
            return UNREACHABLE;
        }
        self.steps_between((a.declared.into(), from), (b.declared.into(), to))
    }

    /// Returns the number of steps between two slots, each with the index of its declared place.
    pub fn steps_between(&self, (from_place, from): (usize, usize), (to_place, to): (usize, usize)) -> i64 {
        let boards = [from_place, to_place].map(|place| self.board_of_place(place));
        if let Some(steps) =
            self.steps_from_link((from_place, from), (to_place, to)).or_else(|| self.steps_from_link((to_place, to), (from_place, from)))
        {
            return steps;
        }
        if let [Some(board), _] | [_, Some(board)] = boards
            && board.named
        {
            let same = from_place == to_place;
            return if same { board.steps.get(from * board.count() + to).map_or(UNREACHABLE, |&steps| steps.into()) } else { UNREACHABLE };
        }
        let shapes = [from_place, to_place].map(|place| self.places[place].shape);
        let [Shape::Grid { rows, columns, hexes, endless }, Shape::Grid { columns: other, endless: goes_on, .. }] = shapes else {
            return UNREACHABLE;
        };
        let at = |slot: usize, columns: u16| [slot / usize::from(columns), slot % usize::from(columns)].map(cast::count);
        let ([row, column], [to_row, to_column]) = (at(from, columns), at(to, other));
        let (mut down, mut right): (i64, i64) = (row - to_row, column - to_column);
        if endless && goes_on {
            let shorter = |along: i64, side: u16| along.abs().min(i64::from(side) - along.abs());
            (down, right) = (shorter(down, rows), shorter(right, columns));
        }
        let straight = down.abs().max(right.abs());
        if hexes {
            straight.max((down + right).abs())
        } else if boards.into_iter().flatten().any(|board| board.diagonals) {
            straight
        } else {
            down.abs() + right.abs()
        }
    }
}
