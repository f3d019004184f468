//! What cached values depend on, found when a ruleset is compiled: for each value the classes of cells that its expression may read, of its
//! own seat or of any seat, and the quantities whose changes by cards it applies.
//!
//! The analysis says what a value *may* read: it follows both branches of a condition. Nothing is learnt while games run.

use crate::cast;
use crate::code::{Code, QuantityCode, ValueId};
use crate::definition::Who;
use crate::graph::{Bound, Cards, CardsId, Expr, ExprId, Fold, Graph, NumberOp, Read, Run, Whose};
use crate::ruleset::Ruleset;
use crate::state::layout::{TABLE, head, piece};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

#[cfg(test)]
mod tests;

/// The value that represents the state-based checks.
pub const CHECKS: ValueId = ValueId(0);

/// The values of one 64-bit word that depend on a row, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readers {
    /// The index of the word: its values are those from 64 times this number on.
    pub word: u16,
    /// The values that read the row for their own seat.
    pub own: u64,
    /// The values that read the row for any other seat.
    pub any: u64,
}

/// What cached values depend on. Each row is one thing that can be read: first the classes of cells, then the quantities that cards change.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// How many 64-bit words hold one bit for each value.
    pub word_count: usize,
    /// The index of the first row that stands for a quantity.
    pub first_quantity_row: usize,
    /// The readers of each row.
    readers: Box<[Box<[Readers]>]>,
    /// For each row whether the state-based checks read it.
    checked: Box<[bool]>,
}

impl Dependencies {
    /// Finds what the cached values of a ruleset with `classes` classes of cells depend on.
    pub fn analyse(rules: &Ruleset, code: &Code, classes: usize) -> Dependencies {
        let values: Vec<Rc<Reads>> = {
            let mut analysis = Analysis::new(rules, code, classes);
            let ids = (0..code.cached_values().count()).map(|value| ValueId(cast::fit::<u16>(value)));
            ids.map(|value| analysis.reads_of_value(value)).collect()
        };
        let mut rows: Vec<BTreeMap<u16, Readers>> = vec![BTreeMap::new(); classes + rules.quantities.len()];
        for (value, reads) in (0_u16..).zip(&values) {
            let (word, bit) = (value / 64, 1 << (value % 64));
            let mut note = |row: u32, own: u64, any: u64| {
                let readers = rows[row as usize].entry(word).or_insert(Readers { word, own: 0, any: 0 });
                readers.own |= own;
                readers.any |= any;
            };
            reads.own.iter().for_each(|&row| note(row, bit, 0));
            reads.any.iter().for_each(|&row| note(row, 0, bit));
        }
        let reads_checks = |readers: &Readers| (readers.own | readers.any) >> CHECKS.0 & 1 == 1;
        let checked = rows.iter().map(|row| row.get(&0).is_some_and(reads_checks)).collect();
        let readers = rows.into_iter().map(|row| row.into_values().collect()).collect();
        Dependencies { word_count: values.len().div_ceil(64), first_quantity_row: classes, readers, checked }
    }

    /// Whether the state-based checks read a row.
    #[inline(always)]
    pub fn are_checked(&self, row: usize) -> bool {
        self.checked.get(row).copied().unwrap_or(false)
    }

    /// Returns the values that depend on a row, in ascending order of their words.
    #[inline(always)]
    pub fn readers(&self, row: usize) -> &[Readers] {
        self.readers.get(row).map_or(&[], |readers| readers)
    }

    /// Whether a value depends on a row: for its own seat, and for other seats.
    pub fn depends(&self, value: ValueId, row: usize) -> (bool, bool) {
        let found = self.readers(row).iter().find(|readers| readers.word == value.0 / 64);
        let has = |bits: u64| bits >> (value.0 % 64) & 1 == 1;
        found.map_or((false, false), |readers| (has(readers.own), has(readers.any)))
    }
}

/// What an expression reads: rows of the table of dependencies.
#[derive(Clone, Debug, Default)]
struct Reads {
    /// What belongs to the seat for which the expression is evaluated, or to the table.
    own: HashSet<u32>,
    /// What may belong to any other seat.
    any: HashSet<u32>,
}

impl Reads {
    /// Adds what another expression reads; `for_others` if that one is evaluated for other seats.
    fn add(&mut self, other: &Reads, for_others: bool) {
        if for_others {
            self.any.extend(&other.own)
        } else {
            self.own.extend(&other.own)
        }
        self.any.extend(&other.any);
    }
}

/// What is known of a card or space that a variable or local holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Held {
    /// Nothing: any card, in any place, or no card at all.
    Anything,
    /// A card with this definition, in any place.
    Definition(u32),
    /// A space of this board; spaces never move, and belong to the table.
    Space(u16),
    /// A card that this loop visits, and the seat for which the loop runs; `true` if that may be another seat.
    Visited(ExprId, bool),
}

/// For whom an expression is evaluated, and what is known of the cards that it names.
#[derive(Clone)]
struct Scope {
    /// Whether the expression may be evaluated for another seat than the value to which it belongs.
    for_others: bool,
    vars: [Held; u16::BITS as usize],
    /// The card of the first local: in a change, the card that makes it.
    first_local: Held,
}

impl Scope {
    const PLAIN: Scope = Scope { for_others: false, vars: [Held::Anything; u16::BITS as usize], first_local: Held::Anything };

    /// What makes a difference to an expression; `None` if it reads more variables than are told apart.
    fn key_of(&self, graph: &Graph, id: ExprId) -> Option<VisitKey> {
        let facts = graph.facts(id);
        let (mut vars, mut left) = ([Held::Anything; 3], facts.vars);
        for held in &mut vars {
            if left != 0 {
                *held = self.vars[left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        let first_local = if facts.locals & 1 == 0 { Held::Anything } else { self.first_local };
        (left == 0).then_some(VisitKey { id, for_others: self.for_others, vars, first_local })
    }
}

/// An expression, and what is known of the cards that it reads.
#[derive(PartialEq, Eq, Hash)]
struct VisitKey {
    id: ExprId,
    for_others: bool,
    vars: [Held; 3],
    first_local: Held,
}

struct Analysis<'r> {
    rules: &'r Ruleset,
    code: &'r Code,
    classes: usize,
    /// What has been found for values, and for quantities with arguments.
    known: HashMap<(bool, u16), Rc<Reads>>,
    /// Those that are being analysed: one that depends on itself is a fault of the game, and reads what it reads.
    open: HashSet<(bool, u16)>,
    /// For each definition its first piece, if it has any; the pieces of a definition share the classes of their cells.
    first_pieces: Vec<Option<u16>>,
    /// For each loop over cards the definitions whose counters can matter to it.
    visited: HashMap<ExprId, Rc<[u32]>>,
}

/// One expression that is being analysed, with its common parts.
struct Visit {
    reads: Reads,
    seen: HashSet<VisitKey>,
}

impl<'r> Analysis<'r> {
    fn new(rules: &'r Ruleset, code: &'r Code, classes: usize) -> Analysis<'r> {
        let mut first_pieces = vec![None; rules.definitions.len()];
        for (piece, &definition) in (0..).zip(&rules.piece_definition) {
            first_pieces[definition as usize].get_or_insert(piece);
        }
        let (known, open, visited) = Default::default();
        Analysis { rules, code, classes, known, open, first_pieces, visited }
    }

    fn reads_of_value(&mut self, value: ValueId) -> Rc<Reads> {
        match self.code.cached_value(value).body {
            Some(body) => self.reads_of((true, value.0), |analysis, visit| analysis.expr(body, &Scope::PLAIN, visit)),
            None => self.reads_of((true, value.0), Analysis::checks),
        }
    }

    fn reads_of(&mut self, what: (bool, u16), find: impl FnOnce(&mut Self, &mut Visit)) -> Rc<Reads> {
        if let Some(known) = self.known.get(&what) {
            return known.clone();
        }
        if !self.open.insert(what) {
            return Rc::default();
        }
        let mut visit = Visit { reads: Reads::default(), seen: HashSet::new() };
        find(self, &mut visit);
        self.open.remove(&what);
        let reads = Rc::new(visit.reads);
        // What depends on itself has been followed only once around: it is evaluated nowhere without a fault.
        self.known.insert(what, reads.clone());
        reads
    }

    /// The conditions under which cards leave the game.
    fn checks(&mut self, visit: &mut Visit) {
        for (index, definition) in (0..).zip(&self.rules.definitions) {
            if let Some(when) = definition.leaves_when {
                let scope = Scope { for_others: true, first_local: Held::Definition(index), ..Scope::PLAIN };
                self.expr(when, &scope, visit);
            }
        }
    }

    fn class(&self, visit: &mut Visit, cell: usize, own: bool) {
        let rows = if own { &mut visit.reads.own } else { &mut visit.reads.any };
        rows.insert(self.rules.layout.class_of[cell]);
    }

    fn seat_cells(&self, scope: &Scope, offsets: Range<usize>, visit: &mut Visit) {
        offsets.for_each(|offset| self.class(visit, self.rules.layout.seat(0, offset), !scope.for_others));
    }

    fn table_cells(&self, cells: Range<usize>, visit: &mut Visit) {
        cells.for_each(|cell| self.class(visit, cell, true));
    }

    fn pool(&self, scope: &Scope, pool: u8, visit: &mut Visit) {
        let pool = &self.rules.pools[usize::from(pool)];
        let first = usize::from(pool.offset)..usize::from(pool.offset) + 1;
        if pool.of_seat { self.seat_cells(scope, first, visit) } else { self.table_cells(first, visit) }
    }

    /// The cells of a place: the number of pieces, and the slots.
    fn place(&self, scope: &Scope, place: u16, whose: Whose, visit: &mut Visit) {
        let declared = &self.rules.places[usize::from(place)];
        let instance = &self.rules.layout.places[usize::from(declared.first_instance)];
        let own = instance.owner == TABLE || whose == Whose::Mine && !scope.for_others;
        self.class(visit, instance.base as usize, own);
    }

    /// The cells of a run that can be read.
    fn selected(&self, run: Run) -> Range<usize> {
        let (first, len) = (run.first as usize, usize::from(run.len));
        match run.index.and_then(|index| self.rules.graph.constant(index)).map(usize::try_from) {
            Some(Ok(index)) if index < len => first + index..first + index + 1,
            Some(_) => first..first,
            None => first..first + len,
        }
    }

    fn expr(&mut self, id: ExprId, scope: &Scope, visit: &mut Visit) {
        let graph = &self.rules.graph;
        if scope.key_of(graph, id).is_some_and(|key| !visit.seen.insert(key)) {
            return;
        }
        if let Some(value) = self.code.value_of(id)
            && !self.open.contains(&(true, value.0))
        {
            let reads = self.reads_of_value(value);
            return visit.reads.add(&reads, scope.for_others);
        }
        let expr = graph[id];
        expr.each_read(&mut |read| self.read(id, read, scope, visit));
        for part in expr.parts() {
            let mut inner = scope.clone();
            if let Some((var, bound)) = part.bound {
                inner.vars[usize::from(var)] = match bound {
                    Bound::Card => Held::Visited(id, scope.for_others),
                    Bound::Space(board) => Held::Space(board),
                    Bound::Seat => Held::Anything,
                };
            }
            inner.for_others |= part.for_others;
            self.expr(part.id, &inner, visit);
        }
    }

    /// What an expression reads itself.
    fn read(&mut self, id: ExprId, read: Read, scope: &Scope, visit: &mut Visit) {
        match read {
            Read::Table(run) => self.table_cells(self.selected(run), visit),
            Read::Own(run) => self.seat_cells(scope, self.selected(run), visit),
            Read::Counter(card, run) => self.cells_of(self.held(card, scope), self.selected(run), visit),
            Read::Whereabouts(card) => self.whereabouts(card, scope, visit),
            Read::Place(place) => self.place(scope, place, Whose::Mine, visit),
            Read::Laid(board) => self.laid(board, visit),
            Read::Piles(deck) => self.place(scope, deck, Whose::All, visit),
            Read::Cards(cards) => self.cards(id, cards, scope, visit),
            Read::Tokens(pool) => self.pool(scope, pool, visit),
            Read::Order => self.class(visit, head::ORDER, true),
            Read::Rivals(rank) => {
                for &rival in &self.rules.ranks[usize::from(rank)].rivals {
                    self.expr(rival, scope, visit);
                }
            }
            Read::Quantity(quantity) => self.quantity(quantity, scope, visit),
            Read::Changes(quantity) => self.changes(quantity, scope, visit),
            Read::IsChanged(quantity) => _ = visit.reads.own.insert(self.row_of_quantity(quantity)),
            // What is printed never changes, and nobody forgets.
            Read::Printed(_) | Read::Known(_) => {}
        }
    }

    /// The grid in which cards lie whose parts are the spaces of a board, and the counter that says how they are turned.
    fn laid(&mut self, board: u16, visit: &mut Visit) {
        let rules = self.rules;
        let Some(parts) = &rules.boards[usize::from(board)].parts else { return };
        let of_anybody = Scope { for_others: true, ..Scope::PLAIN };
        self.place(&of_anybody, parts.grid.place, Whose::All, visit);
        if let Some(turn) = parts.turn {
            self.cells_of(Held::Anything, turn.into()..usize::from(turn) + 1, visit);
        }
    }

    /// The places of a set of cards, and the counter by which it selects them.
    fn cards(&mut self, of: ExprId, cards: CardsId, scope: &Scope, visit: &mut Visit) {
        let cards = self.rules.graph.cards(cards).clone();
        for &place in &cards.places {
            self.place(scope, place, cards.whose, visit);
        }
        if let Some(with) = cards.with {
            self.cells_of(Held::Visited(of, scope.for_others), with.into()..usize::from(with) + 1, visit);
        }
    }

    /// What is known of the card or space to which an expression comes.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others nothing is known")]
    fn held(&self, card: ExprId, scope: &Scope) -> Held {
        match self.rules.graph[card] {
            Expr::Var { var } => scope.vars[usize::from(var)],
            Expr::Local { local: 0 } => scope.first_local,
            Expr::SpaceIn { board, .. } => Held::Space(board),
            _ => Held::Anything,
        }
    }

    fn cells_of(&mut self, held: Held, offsets: Range<usize>, visit: &mut Visit) {
        let rules = self.rules;
        let all = 0..cast::fit::<u32>(rules.definitions.len());
        match held {
            Held::Anything => self.cells_of_definitions(all, offsets, false, visit),
            Held::Definition(only) => self.cells_of_definitions(only..only + 1, offsets, false, visit),
            Held::Space(board) => {
                let kind = rules.boards[usize::from(board)].kind;
                let spaces = all.filter(|&definition| rules.definitions[definition as usize].kind == kind);
                self.cells_of_definitions(spaces, offsets, true, visit);
            }
            Held::Visited(of, for_others) => {
                let Some(visited) = VisitedCards::of(rules, of) else { return self.cells_of_definitions(all, offsets, false, visit) };
                // The cards of a loop over one's own places and those of the table belong to one, or to the table.
                let of_table = || visited.cards.places.iter().all(|&place| !rules.places[usize::from(place)].of_seat);
                let own = visited.cards.whose == Whose::Mine && !for_others || of_table();
                let first_pieces = &self.first_pieces;
                let counted = self.visited.entry(of).or_insert_with(|| {
                    let counts = |&of: &u32| first_pieces[of as usize].is_some_and(|piece| visited.can_count(of as usize, piece.into()));
                    all.filter(counts).collect()
                });
                let counted = counted.clone();
                self.cells_of_definitions(counted.iter().copied(), offsets, own, visit);
            }
        }
    }

    fn cells_of_definitions(&self, definitions: impl Iterator<Item = u32>, offsets: Range<usize>, own: bool, visit: &mut Visit) {
        for piece in definitions.filter_map(|definition| self.first_pieces[definition as usize]) {
            offsets.clone().for_each(|offset| self.class(visit, self.rules.layout.piece(piece.into(), offset), own));
        }
    }

    /// Where a card lies: it moves when the cells of its place change, and its own.
    fn whereabouts(&mut self, card: ExprId, scope: &Scope, visit: &mut Visit) {
        match self.held(card, scope) {
            // A card that is visited lies in a place of the loop, whose cells are read anyway, and spaces never move.
            Held::Visited(..) | Held::Space(_) => {}
            held @ (Held::Anything | Held::Definition(_)) => self.cells_of(held, piece::PLACE..piece::POSITION + 1, visit),
        }
    }

    fn row_of_quantity(&self, quantity: u16) -> u32 {
        cast::fit::<u32>(self.classes + usize::from(quantity))
    }

    fn quantity(&mut self, quantity: u16, scope: &Scope, visit: &mut Visit) {
        let reads = match self.code.quantity_code(quantity) {
            QuantityCode::Value(value) => self.reads_of_value(value),
            QuantityCode::Run(body) => self.reads_of((false, quantity), |analysis, visit| analysis.expr(body, &Scope::PLAIN, visit)),
        };
        visit.reads.add(&reads, scope.for_others);
    }

    /// The changes that cards in play can make to a quantity: each is evaluated for the owner of its card.
    fn changes(&mut self, quantity: u16, scope: &Scope, visit: &mut Visit) {
        visit.reads.own.insert(self.row_of_quantity(quantity));
        for (index, definition) in (0..).zip(&self.rules.definitions) {
            for change in definition.effective_changes().iter().filter(|change| change.quantity == quantity) {
                let for_others = scope.for_others || change.who != Who::Me;
                let scope = Scope { for_others, first_local: Held::Definition(index), ..Scope::PLAIN };
                change.when.into_iter().chain([change.amount]).for_each(|part| self.expr(part, &scope, visit));
            }
        }
    }
}

/// The cards that a loop visits, with what it does with each.
struct VisitedCards<'r> {
    rules: &'r Ruleset,
    cards: &'r Cards,
    var: u8,
    /// Numbers that leave a card out if one is 0: the filter, and what is added up.
    counting: [Option<ExprId>; 2],
    /// A printed row that is summed: field and length.
    row: (u16, u16),
}

impl<'r> VisitedCards<'r> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no loops over cards")]
    fn of(rules: &'r Ruleset, of: ExprId) -> Option<VisitedCards<'r>> {
        let (cards, var, counting, row) = match rules.graph[of] {
            Expr::OverCards { cards, var, filter, body, fold } => (cards, var, [filter, body.filter(|_| fold == Fold::Sum)], (0, 0)),
            Expr::Rows { cards, var, filter, field, len, factor } => (cards, var, [filter, Some(factor)], (field, len)),
            Expr::OneOfEach { cards, var, filter, words, rest: _ } => (cards, var, [filter, Some(words)], (0, 0)),
            Expr::Spaces { cards, var, filter, board: _ } => (cards, var, [filter, None], (0, 0)),
            _ => return None,
        };
        Some(VisitedCards { rules, cards: rules.graph.cards(cards), var, counting, row })
    }

    /// Whether the counters of cards with a definition can matter: not if the loop leaves them out, or multiplies them by a printed 0.
    fn can_count(&self, definition: usize, card: usize) -> bool {
        let rules = self.rules;
        let printed = |field: u16| rules.printed[definition * rules.width + usize::from(field)];
        let kind_fits = self.cards.has_kind(rules.definitions[definition].kind);
        let is_nothing = self.counting.into_iter().flatten().any(|part| self.fixed(part, card) == Some(0));
        let (field, len) = self.row;
        kind_fits && !is_nothing && (len == 0 || (field..field + len).any(|at| printed(at) != 0))
    }

    /// The value of an expression that what is printed on a card determines; `None` if it may differ.
    #[allow(clippy::wildcard_enum_match_arm, reason = "of all others the value may differ")]
    fn fixed(&self, id: ExprId, card: usize) -> Option<i64> {
        let graph = &self.rules.graph;
        match graph[id] {
            Expr::Const { value } => Some(value),
            Expr::Column { card: of, column } if graph[of] == (Expr::Var { var: self.var }) => {
                Some(graph.columns().get(column, cast::count(card)))
            }
            Expr::Binary { operator: NumberOp::Mul, a, b } => match (self.fixed(a, card), self.fixed(b, card)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => a?.checked_mul(b?),
            },
            Expr::Binary { operator, a, b } => operator.apply(self.fixed(a, card)?, self.fixed(b, card)?),
            Expr::And { a, b } => match (self.fixed(a, card), self.fixed(b, card)) {
                (Some(0), _) | (_, Some(0)) => Some(0),
                (a, b) => Some(i64::from(a? != 0 && b? != 0)),
            },
            Expr::Not { a } => Some(i64::from(self.fixed(a, card)? == 0)),
            Expr::Truth { a } => Some(i64::from(self.fixed(a, card)? != 0)),
            Expr::If { condition, yes, no } => {
                let part = if self.fixed(condition, card)? != 0 { yes } else { no };
                self.fixed(part, card)
            }
            _ => None,
        }
    }
}
