//! Emits values and conditions.

use crate::cast;
use crate::data::Numbers;
use crate::emitter::{Emitter, Task, address_of_local};
use crate::function::{Argument, Function, I, Name};
use crate::numbers::{at_least, at_most, comparison};
use houserule_ruleset::code::ValueId;
use houserule_ruleset::declared::Shape;
use houserule_ruleset::graph::{Expr, ExprId, NumberOp};
use houserule_state::layout::{head, piece};

/// The most instructions of a function; what needs more is walked.
const MAX_INSTRUCTIONS: usize = 200_000;
/// The most expressions within each other.
const MAX_DEPTH: u32 = 400;

impl Emitter<'_> {
    /// Leaves the value of an expression on the stack.
    pub fn value(&mut self, f: &mut Function, id: ExprId) {
        let expr = self.rules.graph[id];
        if let Expr::Const { value } = expr {
            f.i64(value);
            return;
        }
        if f.code.len() > MAX_INSTRUCTIONS || f.depth > MAX_DEPTH {
            // What is named again and again in different branches can grow without end.
            f.is_unsupported = true;
            f.i64(0);
            return;
        }
        let is_name = Name::of(expr).is_some();
        if let Some(known) = f.known(&self.rules.graph, id).filter(|_| !is_name) {
            f.get(known);
            return;
        }
        match self.rules.code.value_of(id) {
            Some(value) => self.call_value(f, value),
            None => {
                f.depth += 1;
                self.compute(f, id);
                f.depth -= 1;
            }
        }
        if !is_name && f.is_shared(id) {
            let local = f.long();
            f.tee(local);
            f.remember(&self.rules.graph, id, local);
        }
    }

    /// Leaves the first number of a cached value on the stack.
    pub fn call_value(&mut self, f: &mut Function, value: ValueId) {
        let function = self.function(Task::Value(value));
        f.slot().me().call(function);
    }

    /// Whether a condition is cheap enough to be evaluated where it is not needed; it reads one cell, or compares two, and cannot trap.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others are not")]
    fn is_cheap(&self, id: ExprId) -> bool {
        let graph = &self.rules.graph;
        match graph[id] {
            Expr::Const { .. } | Expr::Weight { .. } | Expr::Local { .. } => true,
            Expr::Own { .. } | Expr::Global { .. } | Expr::PiecesIn { .. } => true,
            Expr::Binary { operator: NumberOp::Is(_), a, b } => self.is_cheap(a) && self.is_cheap(b),
            Expr::Column { card, .. } => matches!(graph[card], Expr::Var { .. }),
            _ => false,
        }
    }

    /// Leaves 1 or 0, of 32 bits, on the stack: whether a condition holds.
    pub fn condition(&mut self, f: &mut Function, id: ExprId) {
        let is_kept =
            f.depth > MAX_DEPTH || self.rules.code.value_of(id).is_some() || f.is_shared(id) || f.known(&self.rules.graph, id).is_some();
        if is_kept || !self.test(f, self.rules.graph[id]) {
            self.value(f, id);
            f.i64(0).put(I::I64Ne);
        }
    }

    /// Does the same for an expression that is a condition by its form; leaves nothing if it is none, and returns whether it is.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others are values")]
    fn test(&mut self, f: &mut Function, expr: Expr) -> bool {
        match expr {
            Expr::Binary { operator: NumberOp::Is(operator), a, b } => {
                self.value(f, a);
                self.value(f, b);
                f.put(comparison(operator));
            }
            Expr::Not { a } => {
                self.condition(f, a);
                f.put(I::I32Eqz);
            }
            Expr::Truth { a } => self.condition(f, a),
            Expr::And { a, b } => self.both_or_either(f, a, b, true),
            Expr::Or { a, b } => self.both_or_either(f, a, b, false),
            _ => return false,
        }
        true
    }

    fn both_or_either(&mut self, f: &mut Function, a: ExprId, b: ExprId, both: bool) {
        f.depth += 1;
        self.condition(f, a);
        if self.is_cheap(b) {
            self.condition(f, b);
            f.put(if both { I::I32And } else { I::I32Or });
        } else {
            f.begin_if_int();
            let mark = f.mark();
            if both {
                self.condition(f, b)
            } else {
                _ = f.i32(1)
            }
            f.or_else();
            f.forget(mark);
            if both {
                _ = f.i32(0)
            } else {
                self.condition(f, b)
            }
            f.forget(mark);
            f.end();
        }
        f.depth -= 1;
    }

    /// Evaluates `then` only if a condition on the stack holds, and otherwise gives another number.
    pub fn if_holds(&mut self, f: &mut Function, otherwise: i64, then: impl FnOnce(&mut Self, &mut Function)) {
        f.begin_if_long();
        let mark = f.mark();
        then(self, f);
        f.forget(mark);
        f.or_else();
        f.i64(otherwise).end();
    }

    /// Calls `then` with the local of a piece, counted from 1, if there is one; gives another number otherwise.
    fn if_piece(&mut self, f: &mut Function, id: ExprId, otherwise: i64, then: impl FnOnce(&mut Self, &mut Function, u32)) {
        let card = self.piece_in_local(f, id);
        is_some_piece(f, card);
        self.if_holds(f, otherwise, |emitter, f| then(emitter, f, card));
    }

    /// Calls `then` with the local of an index on the condition that it is below a length; leaves 0 otherwise.
    pub fn if_within(&mut self, f: &mut Function, index: ExprId, len: i64, then: impl FnOnce(&mut Self, &mut Function, u32)) {
        let local = self.value_in_local(f, index);
        f.get(local).i64(len).put(I::I64LtU);
        self.if_holds(f, 0, |emitter, f| then(emitter, f, local));
    }

    /// Leaves an element of a run of cells on the stack, relative to an address in a local.
    fn element(&mut self, f: &mut Function, base: u32, offset: u32, len: u16, index: ExprId) {
        if let Some(index) = self.rules.graph.constant(index) {
            return match u32::try_from(index) {
                Ok(at) if index < i64::from(len) => _ = f.get(base).load_cell(offset + at * 4),
                _ => _ = f.i64(0),
            };
        }
        self.if_within(f, index, len.into(), |_, f, index| {
            f.get(base).get(index).narrow().scale(4).put(I::I32Add).load_cell(offset);
        });
    }

    /// Leaves a bit of the number on the stack there: 0 beyond the 31 bits of a set.
    fn bit(&mut self, f: &mut Function, index: ExprId, set: impl FnOnce(&mut Self, &mut Function)) {
        self.if_within(f, index, 31, |emitter, f, index| {
            set(emitter, f);
            f.get(index).put(I::I64ShrU).i64(1).put(I::I64And);
        });
    }

    /// Returns the local of the function with the piece, counted from 1, for which an expression surely stands as a name.
    fn held_piece(&self, f: &Function, id: ExprId) -> Option<u32> {
        match Name::of(self.rules.graph[id]).map(|name| f.argument(name)) {
            Some(Argument::Piece(piece)) => Some(piece),
            _ => None,
        }
    }

    /// Leaves a piece on the stack as 32 bits, counted from 1; 0 for none.
    pub fn piece(&mut self, f: &mut Function, id: ExprId) {
        if let Some(local) = self.held_piece(f, id) {
            f.get(local);
            return;
        }
        if let Expr::FirstIn { place, .. } = self.rules.graph[id]
            && f.known(&self.rules.graph, id).is_none()
            && !f.is_shared(id)
        {
            return self.first_piece(f, place);
        }
        self.value(f, id);
        f.narrow().i32(1).put(I::I32Add);
    }

    /// A piece, as by [`Emitter::piece`], in a local.
    pub fn piece_in_local(&mut self, f: &mut Function, id: ExprId) -> u32 {
        if let Some(local) = self.held_piece(f, id) {
            return local;
        }
        self.piece(f, id);
        let local = f.int();
        f.set(local);
        local
    }

    /// Returns the cell where the place of the first seat begins, and the distance to the next seat's; a place without an owner has no distance.
    /// `None` if the places of seats do not lie at equal distances.
    pub fn place_of_seats(&self, place: u16) -> Option<(u32, u32)> {
        let places = self.rules.instances(place);
        let base = places.first()?.base;
        if !self.rules.places[usize::from(place)].of_seat {
            return Some((base, 0));
        }
        let stride = places.get(1).map_or(0, |second| second.base - base);
        let is_regular = (0..).zip(places).all(|(seat, place)| place.base == base + seat * stride);
        is_regular.then_some((base, stride))
    }

    /// Leaves the address of the slot on the stack, moved on by this many cells for each seat before the current one.
    pub fn add_stride(&mut self, f: &mut Function, stride: u32) {
        f.slot();
        if stride != 0 {
            f.me().address(stride * 4).put(I::I32Mul).put(I::I32Add);
        }
    }

    /// Leaves the address of a place on the stack, to which the returned offset must be added: there lies the number of pieces, and behind it
    /// the slots. `None` if the places of seats do not lie at equal distances.
    pub fn place(&mut self, f: &mut Function, place: u16) -> Option<u32> {
        let (base, stride) = self.place_of_seats(place)?;
        self.add_stride(f, stride);
        Some(base * 4)
    }

    /// Leaves the first piece in a place on the stack, counted from 1; 0 if it is empty.
    fn first_piece(&mut self, f: &mut Function, place: u16) {
        let declared = &self.rules.places[usize::from(place)];
        let room = self.rules.layout.places[usize::from(declared.first_instance)].room;
        let Some(base) = self.place(f, place) else { return self.give_up(f) };
        if room == 1 {
            f.load(base + 4);
            return;
        }
        let (at, found) = (f.int(), f.int());
        f.tee(at).load(base).begin_if();
        f.begin_loop();
        f.get(at).load(base + 4).set(found);
        f.advance(at, 4);
        f.get(found).again_unless();
        f.end();
        f.or_else();
        f.i32(0).set(found);
        f.end();
        f.get(found);
    }

    /// Leaves the address of the cells of a piece on the stack, relative to the cell with this offset; the piece, counted from 1, is in a
    /// local. Returns the offset to add.
    pub fn piece_cell(&self, f: &mut Function, card: u32, offset: usize) -> u32 {
        let layout = &self.rules.layout;
        f.slot().get(card).i32(1).put(I::I32Sub).scale(cast::fit::<u32>(layout.piece_size * 4)).put(I::I32Add);
        cast::fit::<u32>((layout.piece_base + offset) * 4)
    }

    /// Leaves a cell of a piece, which is in a local, on the stack as 32 bits.
    pub fn load_of_piece<'f>(&self, f: &'f mut Function, card: u32, offset: usize) -> &'f mut Function {
        let offset = self.piece_cell(f, card, offset);
        f.load(offset)
    }

    /// Leaves a counter of a piece on the stack; 0 for no piece.
    fn counter(&mut self, f: &mut Function, card: ExprId, offset: usize) {
        let load = |emitter: &mut Self, f: &mut Function, card: u32| {
            let offset = emitter.piece_cell(f, card, offset);
            f.load_cell(offset);
        };
        match self.held_piece(f, card) {
            Some(card) => load(self, f, card),
            None => self.if_piece(f, card, 0, load),
        }
    }

    /// Stores rows of printed numbers, one for no card and one for each piece; returns their address.
    pub fn printed_rows(&mut self, field: u16, len: u16) -> u32 {
        let rules = self.rules;
        let row = |card: usize| (field..field + len).map(move |at| rules.printed(card, usize::from(at)));
        let none = std::iter::repeat_n(0, usize::from(len));
        self.data.words(none.chain((0..rules.piece_definition.len()).flat_map(row)))
    }

    /// Stores printed lists: their pool, and for no card and each piece the index of the first element and the length.
    fn lists(&mut self, field: u16) -> [u32; 3] {
        let rules = self.rules;
        let pieces = || -1..cast::count(rules.piece_definition.len());
        [
            self.data.words(rules.pool.iter().copied()),
            self.data.words(pieces().map(|card| cast::fit::<i32>(rules.list(card, field).0))),
            self.data.words(pieces().map(|card| cast::fit::<i32>(rules.list(card, field).1.len()))),
        ]
    }

    /// Computes an expression of the graph: leaves its value on the stack.
    pub fn compute(&mut self, f: &mut Function, id: ExprId) {
        self.compute_expr(f, self.rules.graph[id]);
    }

    /// Computes an expression: leaves its value on the stack.
    pub fn compute_expr(&mut self, f: &mut Function, expr: Expr) {
        let rules = self.rules;
        let layout = &rules.layout;
        let seat_cell = |offset: u16| cast::fit::<u32>((layout.seat_base + usize::from(offset)) * 4);
        match expr {
            Expr::Const { value } => _ = f.i64(value),
            Expr::Weight { index } => {
                let weights = *self.weights.get_or_insert_with(|| self.data.unshared(rules.graph.weights()));
                f.i32(0).load_long(weights + u32::from(index) * 8);
            }
            Expr::Local { local } => self.named(f, Name::Local(local)),
            Expr::Var { var } => self.named(f, Name::Var(var)),
            Expr::Me => _ = f.me().widen(),
            Expr::Global { cell } => _ = f.slot().load_cell(cell * 4),
            Expr::GlobalAt { cell, len, index } => self.element(f, f.seat.slot, cell * 4, len, index),
            Expr::Own { offset } => _ = f.own().load_cell(seat_cell(offset)),
            Expr::OwnAt { offset, len, index } => self.element(f, f.seat.own, seat_cell(offset), len, index),
            Expr::GlobalBit { cell, index } => self.bit(f, index, |_, f| _ = f.slot().load_cell(cell * 4)),
            Expr::OwnBit { offset, index } => self.bit(f, index, |_, f| _ = f.own().load_cell(seat_cell(offset))),
            Expr::Column { card, column } => {
                let numbers = self.data.numbers(rules.graph.columns().numbers(column));
                self.piece(f, card);
                number_at(f, numbers);
            }
            Expr::FieldAt { card, field, len, index } => {
                let rows = self.printed_rows(field, len);
                self.if_within(f, index, len.into(), |emitter, f, index| {
                    emitter.piece(f, card);
                    f.scale(u32::from(len)).get(index).narrow().put(I::I32Add).scale(4).load_cell(rows);
                });
            }
            Expr::ListAt { card, field, index } => {
                let [pool, starts, lens] = self.lists(field);
                let card = self.piece_in_local(f, card);
                let index = self.value_in_local(f, index);
                f.get(index).get(card).scale(4).load_cell(lens).put(I::I64LtU);
                self.if_holds(f, 0, |_, f| {
                    f.get(card).scale(4).load(starts).get(index).narrow().put(I::I32Add).scale(4).load_cell(pool);
                });
            }
            Expr::ListFirst { card, field, count } => {
                let [pool, starts, lens] = self.lists(field);
                let card = self.piece_in_local(f, card);
                let count = self.value_in_local(f, count);
                let len = f.long();
                f.get(card).scale(4).load_cell(lens).set(len);
                crate::numbers::extreme(f, count, len, false);
                f.tee(count).i64(0).put(I::I64GtS);
                // Behind the elements lie their partial sums.
                self.if_holds(f, 0, |_, f| {
                    f.get(card).scale(4).load(starts).get(len).get(count).put(I::I64Add).narrow().put(I::I32Add);
                    f.i32(1).put(I::I32Sub).scale(4).load_cell(pool);
                });
            }
            Expr::Counter { card, offset } => self.counter(f, card, offset.into()),
            Expr::CounterAt { card, offset, len, index } => {
                self.if_piece(f, card, 0, |emitter, f, card| {
                    let base = f.int();
                    let offset = emitter.piece_cell(f, card, offset.into());
                    f.set(base);
                    // An index has 8 bits.
                    emitter.element(f, base, offset, len.min(256), index);
                });
            }
            Expr::CounterBit { card, offset, index } => self.bit(f, index, |emitter, f| emitter.counter(f, card, offset.into())),
            Expr::Steps { from, to } => self.steps(f, from, to),
            Expr::SpaceIn { board, row, column } => self.space_in(f, board, row, column),
            Expr::InSpaces { spaces, card, board } => self.in_spaces(f, (board, spaces), card),
            Expr::LongestLine { board, spaces } => self.of_board(f, board, spaces, "longest_line"),
            Expr::LargestGroup { board, spaces } => self.of_board(f, board, spaces, "largest_group"),
            Expr::StepsOver { .. } => self.distance(f, expr),
            Expr::OverNeighbours { fold, board, of, var, filter, body } => self.over_neighbours(f, fold, (board, of), (var, filter), body),
            // A set of spaces is no number, and neither is what pays.
            Expr::Spaces { .. } | Expr::Group { .. } | Expr::Reached { .. } | Expr::Areas { .. } | Expr::Beside { .. } => _ = f.i64(0),
            Expr::Due { .. } | Expr::Means { .. } | Expr::OneOfEach { .. } | Expr::MeansUpTo { .. } => _ = f.i64(0),
            Expr::Lacking { due, means } => crate::purses::lacking(self, f, due, means),
            Expr::OpenEnds { board, space } => self.open_ends(f, board, space),
            Expr::Fits { board, card, at, turn } => self.fits(f, (board, card), (at, turn)),
            Expr::LongestTrail { .. } => self.longest_trail(f, expr),
            Expr::InPlaces { card, places } => {
                let inside = self.data.flags(layout.places.iter().map(|place| place.room > 0 && places >> place.declared & 1 == 1));
                self.if_piece(f, card, 0, |emitter, f, card| {
                    emitter.load_of_piece(f, card, piece::PLACE).load_flag(inside).widen();
                });
            }
            Expr::OwnerOf { card } => {
                let owner = |owner: u8| if usize::from(owner) < rules.players { i32::from(owner) } else { -1 };
                let owners = self.data.words(layout.places.iter().map(|place| owner(place.owner)));
                self.if_piece(f, card, -1, |emitter, f, card| {
                    emitter.load_of_piece(f, card, piece::PLACE).scale(4).load_cell(owners);
                });
            }
            Expr::FirstIn { place, .. } => {
                self.first_piece(f, place);
                f.put(I::I64ExtendI32S).i64(1).put(I::I64Sub);
            }
            Expr::PiecesIn { place, .. } => match self.place(f, place) {
                Some(base) => _ = f.load_cell(base),
                None => self.give_up(f),
            },
            Expr::PiecesInPile { deck, pile } => {
                let piles = rules.instances(deck);
                let bases = self.data.words(piles.iter().map(|pile| cast::fit::<i32>(pile.base * 4)));
                let pile = self.value_in_local(f, pile);
                f.get(pile).i64(1).put(I::I64Sub).tee(pile).i64(cast::count(piles.len())).put(I::I64LtU);
                self.if_holds(f, 0, |_, f| {
                    f.slot().get(pile).narrow().scale(4).load(bases).put(I::I32Add).load_cell(0);
                });
            }
            Expr::CardsBelow { card } => {
                let piles = self.data.flags((0..layout.places.len()).map(|place| rules.is_pile(place)));
                self.if_piece(f, card, 0, |emitter, f, card| {
                    emitter.load_of_piece(f, card, piece::PLACE).load_flag(piles);
                    emitter.if_holds(f, 0, |emitter, f| _ = emitter.load_of_piece(f, card, piece::POSITION).widen());
                });
            }
            Expr::Row { card, grid } => self.row_or_column(f, card, grid, I::I32DivU),
            Expr::GridColumn { card, grid } => self.row_or_column(f, card, grid, I::I32RemU),
            Expr::PlaceInOrder => {
                let found = f.long();
                f.i64(0).set(found);
                for place in (0..rules.players).rev() {
                    f.i64(cast::count(place) + 1).get(found);
                    f.slot().load(cast::fit::<u32>((head::ORDER + place) * 4)).me().put(I::I32Eq).put(I::Select).set(found);
                }
                f.get(found);
            }
            Expr::Binary { operator, a, b } => self.binary(f, operator, a, b),
            Expr::Not { .. } | Expr::Truth { .. } | Expr::And { .. } | Expr::Or { .. } => {
                self.test(f, expr);
                f.widen();
            }
            Expr::If { condition, yes, no } => {
                if self.is_cheap(yes) && self.is_cheap(no) {
                    self.value(f, yes);
                    self.value(f, no);
                    self.condition(f, condition);
                    f.put(I::Select);
                    return;
                }
                self.condition(f, condition);
                f.begin_if_long();
                let mark = f.mark();
                self.value(f, yes);
                f.forget(mark);
                f.or_else();
                self.value(f, no);
                f.forget(mark);
                f.end();
            }
            Expr::OverCards { fold, cards, var, filter, body } => self.fold_cards(f, fold, cards, (var, filter), body),
            Expr::OverSeats { fold, others, var, filter, body } => self.fold_seats(f, fold, others, (var, filter), body),
            Expr::Rows { cards, var, filter, field, len, factor } => {
                let sums = self.rows(f, (cards, var, filter), (field, len), factor);
                f.get(sums[0]);
            }
            Expr::RowAt { row, index } => self.row_at(f, row, index),
            Expr::Quantity { quantity, args } => self.quantity(f, quantity, args),
            Expr::Applied { quantity, value, args } => self.applied(f, quantity, value, args),
            Expr::Changed { quantity } => {
                f.slot().load(self.memory.changes + u32::from(quantity) * 8).i32(0).put(I::I32Ne).widen();
            }
            Expr::Rank { rank, by, leaders } => self.rank(f, rank, by, leaders),
            Expr::Table { index, table } => {
                let elements = rules.graph.table_numbers(table);
                let last = cast::count(elements.len()) - 1;
                let numbers = self.data.numbers(elements);
                let index = self.value_in_local(f, index);
                at_least(f, index, 0);
                at_most(f, index, last);
                f.get(index).narrow();
                number_at(f, numbers);
            }
            Expr::Of { seat, body } => {
                let players = cast::count(rules.players);
                self.if_within(f, seat, players, |emitter, f, seat| {
                    let me = f.int();
                    f.get(seat).narrow().set(me);
                    let outer = f.enter(f.seat.slot, me, emitter.seat_size());
                    emitter.value(f, body);
                    f.seat = outer;
                });
            }
            Expr::CountTokens { set, pool, sort, showing } => self.count_tokens(f, (set, pool), sort, showing),
            Expr::ShownIn { symbol, pool } => self.shown_in(f, symbol, pool),
            Expr::Payable { symbol, pool } => self.payable(f, symbol, pool),
            Expr::SortsIn { pool } => self.sorts_in(f, pool),
            Expr::ShownBy { picked, symbol } => self.shown_by(f, picked, symbol),
            Expr::Private { value, unknown_to } => {
                self.value(f, unknown_to);
                f.put(I::Drop);
                self.value(f, value);
            }
        }
    }

    /// Leaves what a name stands for on the stack.
    fn named(&mut self, f: &mut Function, name: Name) {
        match (f.argument(name), name) {
            (Argument::Given(given), _) => _ = f.get(given),
            (Argument::Small(small), _) => _ = f.get(small).put(I::I64ExtendI32S),
            (Argument::Piece(piece), _) => _ = f.get(piece).widen().i64(1).put(I::I64Sub),
            (Argument::Seat(seat), _) => _ = f.get(seat).widen(),
            (Argument::None, _) => _ = f.i64(-1),
            (Argument::InMemory, Name::Local(local)) => _ = f.i32(0).load_cell(address_of_local(local)),
            (Argument::InMemory | Argument::Unbound, _) => self.give_up(f),
        }
    }

    /// Leaves the row or column of a grid on the stack in which a card lies, from 1; 0 if it does not lie there.
    fn row_or_column(&mut self, f: &mut Function, card: ExprId, grid: u16, part: I<'static>) {
        let declared = &self.rules.places[usize::from(grid)];
        let columns = match declared.shape {
            Shape::Grid { columns, .. } => columns.into(),
            Shape::Slots => i32::MAX,
            Shape::Deck => {
                f.i64(0);
                return;
            }
        };
        let card = self.piece_in_local(f, card);
        is_some_piece(f, card);
        f.begin_if_int();
        self.load_of_piece(f, card, piece::PLACE).i32(declared.first_instance.into()).put(I::I32Sub);
        f.i32(declared.instances.into()).put(I::I32LtU).or_else();
        f.i32(0).end();
        self.if_holds(f, 0, |emitter, f| {
            emitter.load_of_piece(f, card, piece::POSITION).i32(columns).put(part).widen().i64(1).put(I::I64Add);
        });
    }
}

/// Leaves a number of a table on the stack; its index lies there.
fn number_at(f: &mut Function, numbers: Numbers) {
    if numbers.wide {
        f.scale(8).load_long(numbers.at);
    } else {
        f.scale(4).load_cell(numbers.at);
    }
}

/// Leaves on the stack whether a local holds a piece: it counts from 1, and what is below stands for none.
pub(crate) fn is_some_piece(f: &mut Function, card: u32) {
    f.get(card).i32(0).put(I::I32GtS);
}
