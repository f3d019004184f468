//! Emits sets of spaces, which lie in locals of 64 bits each, and ways over boards, which the host searches.

use crate::cast;
use crate::emitter::{Emitter, HOST};
use crate::function::{Argument, Function, I, Name};
use crate::loops::Each;
use crate::memory::{NUMBERS_AT, SET_IN_AT, SET_OUT_AT};
use houserule_ruleset::boards::{Board, UNREACHABLE};
use houserule_ruleset::declared::Shape;
use houserule_ruleset::graph::{Expr, ExprId, Fold, any_part};
use houserule_state::layout::piece;

/// What a search is given, as bits: that it finds in memory the set of spaces that ways can lead over.
pub const OVER: i32 = 0b001;
/// That it finds in memory a number of each space.
pub const NUMBERS: i32 = 0b010;
/// That its board is one of links, by which the ways lead.
pub const LINKS: i32 = 0b100;

/// By how much the index of a piece is multiplied that stands ahead of by how many sides a card is turned.
pub const TURNS: u32 = 8;

/// The most pairs of slots for which the number of steps is stored.
const MAX_PAIRS: usize = 1 << 18;

impl<'r> Emitter<'r> {
    fn board(&self, board: u16) -> &'r Board {
        &self.rules.boards[usize::from(board)]
    }

    /// Whether the spaces of a board are parts of cards, whose neighbours depend on where these lie.
    fn has_parts(&self, board: u16) -> bool {
        self.board(board).parts.is_some()
    }

    /// Whether where the cards of a grid lie is looked up by a walk alone: those of a player, whose cells may be read otherwise, and all where the host
    /// does not see the cells.
    fn walks_grid(&self, place: u16) -> bool {
        cfg!(target_family = "wasm") || self.rules.places[usize::from(place)].of_seat
    }

    /// Whether where parts of cards lie is looked up by a walk alone.
    fn walks_parts(&self, board: u16) -> bool {
        self.board(board).parts.as_ref().is_some_and(|parts| self.walks_grid(parts.grid.place))
    }

    /// Calls a function of the host.
    pub fn call_host(&mut self, f: &mut Function, name: &str) {
        let index = HOST.iter().position(|host| host.0 == name);
        index.into_iter().for_each(|index| _ = f.put(I::Call(cast::fit::<u32>(index))));
    }

    /// Leaves the index of a space, a piece counted from 1 in a local, on the stack as 32 bits; beyond the last for what is no space.
    fn space_index(&mut self, f: &mut Function, board: u16, card: u32) {
        let first = self.board(board).first_piece;
        f.get(card).i32(i32::from(first) + 1).put(I::I32Sub);
    }

    /// Returns how many locals hold a set of spaces of a board.
    fn count_words(&self, board: u16) -> u32 {
        cast::fit::<u32>(self.board(board).count().div_ceil(64).max(1))
    }

    /// Creates the locals of a set of spaces.
    fn new_set(&self, f: &mut Function, board: u16) -> Vec<u32> {
        (0..self.count_words(board)).map(|_| f.long()).collect()
    }

    /// Evaluates a set of spaces; returns the locals of its words.
    pub fn spaces(&mut self, f: &mut Function, id: ExprId) -> Vec<u32> {
        let rules = self.rules;
        let Some(board) = rules.graph[id].board_of_spaces() else {
            self.give_up(f);
            return Vec::new();
        };
        if let Some(first) = f.known(&self.rules.graph, id) {
            return (first..first + self.count_words(board)).collect();
        }
        let is_walked = if let Expr::Beside { grid, .. } = rules.graph[id] {
            self.walks_grid(grid)
        } else if let Expr::Reached { over, .. } = rules.graph[id] {
            self.has_parts(board) || self.is_about_steps(over)
        } else {
            self.walks_parts(board) && !matches!(rules.graph[id], Expr::Spaces { .. })
        };
        if is_walked {
            self.give_up(f);
            return Vec::new();
        }
        let set = self.new_set(f, board);
        if let Expr::Spaces { cards, var, filter, .. } = rules.graph[id] {
            clear(f, &set);
            let space = f.int();
            self.over_cards(f, cards, (var, filter), None, |emitter, f, card| {
                emitter.space_index(f, board, card);
                f.set(space);
                add(f, &set, space);
            });
        } else if let Expr::Group { spaces, from, .. } = rules.graph[id] {
            let from = self.piece_in_local(f, from);
            let all = self.spaces(f, spaces);
            store(f, SET_IN_AT, &all);
            f.i32(board.into());
            self.space_index(f, board, from);
            f.slot();
            self.call_host(f, "group");
            load(f, &set);
        } else if let Expr::Beside { grid, .. } = rules.graph[id] {
            let first_slot = rules.instances(grid).first().map_or(0, |place| place.base + 1);
            f.i32(board.into()).i32(cast::fit::<i32>(first_slot));
            f.slot();
            self.call_host(f, "beside");
            load(f, &set);
        } else if let Expr::Areas { spaces, var, by, .. } = rules.graph[id] {
            let all = self.spaces(f, spaces);
            let given = self.numbers_of(f, (board, &all), (var, by));
            store(f, SET_IN_AT, &all);
            f.i32(board.into()).i32(given);
            f.slot();
            self.call_host(f, "areas");
            load(f, &set);
        } else if let Expr::Reached { from, steps, links, .. } = rules.graph[id] {
            let (from, steps) = (self.piece_in_local(f, from), self.value_in_local(f, steps));
            let given = self.ways(f, rules.graph[id]);
            f.i32(links.unwrap_or(board).into());
            self.space_index(f, board, from);
            f.get(steps).i32(given);
            self.call_host(f, "reach");
            load(f, &set);
        }
        f.remember(&self.rules.graph, id, set[0]);
        set
    }

    /// Whether ways are about both spaces of a step: then only a walk asks about no more steps than it takes.
    fn is_about_steps(&self, over: Option<ExprId>) -> bool {
        over.is_some_and(|over| self.rules.graph[over].is_set_of_spaces())
    }

    /// Leaves the number of steps on the stack from one space to another over ways.
    pub fn distance(&mut self, f: &mut Function, expr: Expr) {
        let Expr::StepsOver { board, from, to, links, over, .. } = expr else { return self.give_up(f) };
        if self.has_parts(board) || self.is_about_steps(over) {
            return self.give_up(f);
        }
        let (from, to) = (self.piece_in_local(f, from), self.piece_in_local(f, to));
        let given = self.ways(f, expr);
        f.i32(links.unwrap_or(board).into());
        self.space_index(f, board, from);
        self.space_index(f, board, to);
        f.i32(given);
        self.call_host(f, "distance");
    }

    /// Evaluates for each space of a board whether ways can lead over it, and by which number it is joined, for a search of the host; returns
    /// what it is given.
    fn ways(&mut self, f: &mut Function, expr: Expr) -> i32 {
        let (Some((ways, var)), Expr::Reached { board, .. } | Expr::StepsOver { board, .. }) = (expr.ways(), expr) else {
            self.give_up(f);
            return 0;
        };
        // A search within a search would overwrite the numbers that lie in memory.
        if ways.joined.is_some() && [ways.over, ways.joined].into_iter().flatten().any(|part| self.searches(part)) {
            self.give_up(f);
            return 0;
        }
        let board = ways.links.unwrap_or(board);
        let mut given = if ways.links.is_some() { LINKS } else { 0 };
        let open = self.new_set(f, board);
        clear(f, &open);
        if ways.over.is_some() || ways.joined.is_some() {
            self.each_space(f, (board, var), |emitter, f, (space, _)| {
                if let Some(over) = ways.over {
                    given |= OVER;
                    emitter.condition(f, over);
                    f.begin_if();
                    let inner = f.mark();
                    add(f, &open, space);
                    f.forget(inner);
                    f.end();
                }
                if let Some(joined) = ways.joined {
                    given |= NUMBERS;
                    emitter.number_of(f, space, joined);
                }
            });
        }
        store(f, SET_IN_AT, &open);
        given
    }

    /// Leaves the length of the longest trail on the stack.
    pub fn longest_trail(&mut self, f: &mut Function, expr: Expr) {
        let Expr::LongestTrail { board, spaces, var, by } = expr else { return self.give_up(f) };
        let all = self.spaces(f, spaces);
        let given = self.numbers_of(f, (board, &all), (var, by));
        store(f, SET_IN_AT, &all);
        f.i32(board.into()).i32(given);
        self.call_host(f, "longest_trail");
        let found = f.long();
        f.tee(found).i64(i64::MIN).put(I::I64Eq).trap_if();
        f.get(found);
    }

    /// Evaluates a number of each space of a set for the host, if there is one; returns what it is given.
    fn numbers_of(&mut self, f: &mut Function, (board, set): (u16, &[u32]), (var, by): (u8, Option<ExprId>)) -> i32 {
        let Some(by) = by else { return 0 };
        if self.searches(by) {
            self.give_up(f);
            return 0;
        }
        self.each_space(f, (board, var), |emitter, f, (space, card)| {
            emitter.is_in_set(f, board, set, card);
            f.narrow().begin_if();
            let inner = f.mark();
            emitter.number_of(f, space, by);
            f.forget(inner);
            f.end();
        });
        NUMBERS
    }

    /// Emits something for each space of a board, which the variable holds: `emit` is given the locals with its index and with its piece, counted
    /// from 1.
    fn each_space(&mut self, f: &mut Function, (board, var): (u16, u8), emit: impl FnOnce(&mut Self, &mut Function, (u32, u32))) {
        let (first, count) = (self.board(board).first_piece, cast::fit::<i32>(self.board(board).count()));
        let (space, card) = (f.int(), f.int());
        f.i32(0).set(space);
        f.begin_loop();
        let mark = f.mark();
        f.get(space).i32(i32::from(first) + 1).put(I::I32Add).set(card);
        let binding = f.bind(Name::Var(var), Argument::Piece(card));
        emit(self, f, (space, card));
        f.unbind(binding);
        f.forget(mark);
        f.step(space, 1).i32(count).again_if_below();
        f.end();
    }

    /// Leaves the number of a space in memory for the host.
    fn number_of(&mut self, f: &mut Function, space: u32, number: ExprId) {
        let number = self.value_in_local(f, number);
        f.get(space).scale(8).get(number).store_long(NUMBERS_AT);
    }

    /// Whether anything in an expression searches for ways.
    pub fn searches(&self, id: ExprId) -> bool {
        // What a quantity is made of is not looked at: it is taken to search.
        let searches = |expr: Expr| {
            let has_numbers = matches!(expr, Expr::Areas { .. } | Expr::LongestTrail { .. });
            expr.ways().is_some() || has_numbers || matches!(expr, Expr::Quantity { .. } | Expr::Applied { .. })
        };
        any_part(&self.rules.graph, id, &searches)
    }

    /// Leaves a number on the stack that the host finds for a set of spaces.
    pub fn of_board(&mut self, f: &mut Function, board: u16, spaces: ExprId, name: &str) {
        if self.walks_parts(board) {
            return self.give_up(f);
        }
        let set = self.spaces(f, spaces);
        store(f, SET_IN_AT, &set);
        f.i32(board.into());
        f.slot();
        self.call_host(f, name);
    }

    /// Leaves on the stack at how many places a part of a card ends with no card beside it.
    pub fn open_ends(&mut self, f: &mut Function, board: u16, space: ExprId) {
        if self.walks_parts(board) {
            return self.give_up(f);
        }
        let space = self.piece_in_local(f, space);
        f.i32(board.into());
        self.space_index(f, board, space);
        f.slot();
        self.call_host(f, "open_ends");
    }

    /// Leaves on the stack whether a card fits where a piece lies, turned so often.
    pub fn fits(&mut self, f: &mut Function, (board, card): (u16, ExprId), (at, turn): (ExprId, ExprId)) {
        if self.walks_parts(board) {
            return self.give_up(f);
        }
        let (card, at, turn) = (self.piece_in_local(f, card), self.piece_in_local(f, at), self.value_in_local(f, turn));
        let sides = self.board(board).parts.as_ref().map_or(1, |parts| cast::count(parts.sides()));
        f.i32(board.into()).get(card);
        // By how many sides it is turned stands in the lowest bits.
        f.get(at).scale(TURNS);
        f.get(turn).i64(sides).put(I::I64RemS).i64(sides).put(I::I64Add).i64(sides).put(I::I64RemS).narrow().put(I::I32Or);
        f.slot();
        self.call_host(f, "fits");
        let found = f.long();
        f.tee(found).i64(i64::MIN).put(I::I64Eq).trap_if();
        f.get(found);
    }

    /// Leaves on the stack whether a piece is in a set of spaces.
    pub fn in_spaces(&mut self, f: &mut Function, (board, spaces): (u16, ExprId), card: ExprId) {
        let set = self.spaces(f, spaces);
        let card = self.piece_in_local(f, card);
        self.is_in_set(f, board, &set, card);
    }

    /// Leaves on the stack whether a piece, counted from 1 in a local, is in a set of spaces of a board.
    pub fn is_in_set(&mut self, f: &mut Function, board: u16, set: &[u32], card: u32) {
        let (space, word) = (f.int(), f.long());
        let count = cast::fit::<i32>(self.board(board).count());
        self.space_index(f, board, card);
        f.tee(space).i32(count).put(I::I32LtU);
        self.if_holds(f, 0, |_, f| {
            f.i64(0).set(word);
            for (index, &local) in (0..).zip(set) {
                f.get(local).get(word).get(space).i32(6).put(I::I32ShrU).i32(index).put(I::I32Eq).put(I::Select).set(word);
            }
            f.get(word).get(space).widen().put(I::I64ShrU).i64(1).put(I::I64And);
        });
    }

    pub fn over_neighbours(&mut self, f: &mut Function, fold: Fold, (board, of): (u16, ExprId), (var, filter): Each, body: Option<ExprId>) {
        if self.has_parts(board) {
            return self.give_up(f);
        }
        let neighbours = &self.rules.boards[usize::from(board)].neighbours;
        let (mut starts, mut all) = (vec![0], Vec::new());
        for near in neighbours {
            all.extend(near.iter().map(|&space| cast::fit::<i32>(self.board(board).piece(space)) + 1));
            starts.push(cast::fit::<i32>(all.len()));
        }
        let (starts, all) = (self.data.words(starts), self.data.words(all));
        let folded = self.begin_fold(f, fold, self.rules.layout.pieces, body);
        let (of, at, end, card) = (self.piece_in_local(f, of), f.int(), f.int(), f.int());
        self.space_index(f, board, of);
        f.tee(at).i32(cast::fit::<i32>(self.board(board).count())).put(I::I32LtU).begin_if();
        f.get(at).scale(4).load(starts + 4).scale(4).set(end);
        f.get(at).scale(4).load(starts).scale(4).tee(at).get(end).put(I::I32LtU).begin_if();
        let mark = f.mark();
        if let Some(first) = filter.or(body) {
            self.hoist(f, first, var);
        }
        f.begin_loop();
        let inner = f.mark();
        f.get(at).load(all).set(card);
        let binding = f.bind(Name::Var(var), Argument::Piece(card));
        self.fold_if(f, folded, filter, body);
        f.unbind(binding);
        f.forget(inner);
        f.step(at, 4).get(end).again_if_below();
        f.end();
        f.forget(mark);
        f.end();
        f.end();
        f.get(folded.result);
    }

    /// Leaves the space of a board in a row and a column on the stack; -1 if there is none.
    pub fn space_in(&mut self, f: &mut Function, board: u16, row: ExprId, column: ExprId) {
        let rules = self.rules;
        let place = usize::from(self.board(board).place);
        let Shape::Grid { rows, columns, .. } = rules.places[place].shape else {
            for part in [row, column] {
                self.value(f, part);
                f.put(I::Drop);
            }
            f.i64(-1);
            return;
        };
        let space = |row: i64, column: i64| {
            rules.grid_slot(place, row, column).and_then(|slot| self.board(board).piece_in_slot(slot)).unwrap_or(-1)
        };
        let all = (1..=i64::from(rows)).flat_map(|row| (1..=i64::from(columns)).map(move |column| (row, column)));
        let spaces: Vec<i32> = all.map(|(row, column)| cast::fit::<i32>(space(row, column))).collect();
        let at = self.data.words(spaces);
        let (row, column) = (self.value_in_local(f, row), self.value_in_local(f, column));
        for (number, count) in [(row, rows), (column, columns)] {
            f.get(number).i64(1).put(I::I64Sub).tee(number).i64(count.into()).put(I::I64LtU);
        }
        f.put(I::I32And);
        self.if_holds(f, -1, |_, f| {
            f.get(row).i64(columns.into()).put(I::I64Mul).get(column).put(I::I64Add).narrow().scale(4).load_cell(at);
        });
    }

    /// Leaves the number of steps between two pieces on the stack.
    pub fn steps(&mut self, f: &mut Function, from: ExprId, to: ExprId) {
        let rules = self.rules;
        // The slots of all maps and boards, one behind the other.
        let (mut starts, mut slots) = (Vec::new(), Vec::new());
        for (at, instance) in rules.layout.places.iter().enumerate() {
            let is_map = instance.room > 0 && {
                let declared = usize::from(instance.declared);
                matches!(rules.places[declared].shape, Shape::Grid { .. }) || rules.board_of_place(declared).is_some()
            };
            starts.push(if is_map { cast::fit::<i32>(slots.len()) } else { -1 });
            if is_map {
                slots.extend((0..usize::from(instance.room)).map(|slot| (at, slot)));
            }
        }
        let (from, to) = (self.piece_in_local(f, from), self.piece_in_local(f, to));
        if slots.len() * slots.len() > MAX_PAIRS {
            return self.give_up(f);
        }
        let count = cast::fit::<u32>(slots.len());
        let pairs = slots.iter().flat_map(|&from| slots.iter().map(move |&to| rules.steps_between_slots(from, to)));
        let pairs = self.data.words(pairs.map(cast::fit::<i32>).collect::<Vec<_>>());
        let starts = self.data.words(starts);
        let ends = [(from, f.int()), (to, f.int())];
        for (card, slot) in ends {
            f.i32(-1).set(slot);
            crate::values::is_some_piece(f, card);
            f.begin_if();
            self.load_of_piece(f, card, piece::PLACE).scale(4).load(starts).tee(slot).i32(0).put(I::I32GeS).begin_if();
            f.get(slot);
            self.load_of_piece(f, card, piece::POSITION).put(I::I32Add).set(slot);
            f.end();
            f.end();
        }
        let [(_, from), (_, to)] = ends;
        f.get(from).get(to).put(I::I32Or).i32(0).put(I::I32GeS);
        self.if_holds(f, UNREACHABLE, |_, f| {
            f.get(from).address(count).put(I::I32Mul).get(to).put(I::I32Add).scale(4).load_cell(pairs);
        });
    }
}

/// Empties a set.
fn clear(f: &mut Function, set: &[u32]) {
    for &word in set {
        f.i64(0).set(word);
    }
}

/// Adds a space to a set; its index is in a local.
fn add(f: &mut Function, set: &[u32], space: u32) {
    for (index, &word) in (0..).zip(set) {
        f.get(space).i32(6).put(I::I32ShrU).i32(index).put(I::I32Eq).widen().get(space).widen().put(I::I64Shl);
        f.get(word).put(I::I64Or).set(word);
    }
}

/// Writes a set to an address.
pub(crate) fn store(f: &mut Function, at: u32, set: &[u32]) {
    for (word, &local) in (0..).zip(set) {
        f.address(at).get(local).store_long(word * 8);
    }
}

/// Reads a set that a function of the host has left behind.
fn load(f: &mut Function, set: &[u32]) {
    for (word, &local) in (0..).zip(set) {
        f.address(SET_OUT_AT).load_long(word * 8).set(local);
    }
}
