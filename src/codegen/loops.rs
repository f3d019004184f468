//! Emits loops over cards and seats, sums of printed rows, and ranks.

use crate::cast;
use crate::emitter::Emitter;
use crate::function::{Argument, Function, I, Name};
use crate::lanes::{Lane, over_slots, over_spaces};
use crate::numbers::{extreme, sum};
use houserule_ruleset::declared::Shape;
use houserule_ruleset::graph::{Cards, CardsId, Expr, ExprId, Fold, Whose};
use houserule_ruleset::op::LOCALS;

/// What a loop folds into: the result, and whether there has been any element, if that matters.
#[derive(Clone, Copy)]
pub(crate) struct Folded {
    fold: Fold,
    pub result: u32,
    any: u32,
    /// Whether a sum must be checked.
    is_checked: bool,
}

/// A loop's variable and the condition on each element.
pub(crate) type Each = (u8, Option<ExprId>);

/// A set of spaces within which alone cards are visited: the expression, and the locals of its words.
pub(crate) type Within = Option<(ExprId, Vec<u32>)>;

/// What a loop does with a card, which is in a local and counts from 1.
pub(crate) type Then<'t, 'r> = &'t mut dyn FnMut(&mut Emitter<'r>, &mut Function, u32);

/// A loop over the cards of a place.
#[derive(Clone, Copy)]
pub(crate) struct PlaceLoop<'l> {
    /// What holds the card that the loop visits.
    pub visited: Name,
    pub filter: Option<ExprId>,
    /// What is done with each card, as far as parts of it may be evaluated ahead of the loop.
    pub body: Option<ExprId>,
    pub cards: &'l Cards,
    /// The length of the rows of a grid, if its rows matter.
    pub columns: Option<u16>,
    within: &'l Within,
}

impl<'r> Emitter<'r> {
    /// Prepares the result of a loop over at most so many elements.
    pub fn begin_fold(&mut self, f: &mut Function, fold: Fold, most: usize, body: Option<ExprId>) -> Folded {
        let (_, is_checked) = self.ranges.fold(fold, most, body);
        let (result, any) = (f.long(), f.int());
        f.i64(0).set(result);
        f.i32(0).set(any);
        Folded { fold, result, any, is_checked }
    }

    /// Adds an element to the result of a loop.
    pub fn fold(&mut self, f: &mut Function, folded: Folded, body: Option<ExprId>) {
        let Folded { fold, result, any, is_checked } = folded;
        match (fold, body) {
            (Fold::Sum, Some(body)) => {
                f.get(result);
                self.value(f, body);
                sum(f, is_checked);
                f.set(result);
            }
            (Fold::Highest | Fold::Lowest, Some(body)) => {
                let value = self.value_in_local(f, body);
                f.get(value);
                extreme(f, value, result, fold == Fold::Highest);
                f.get(any).put(I::I32Eqz).put(I::Select).set(result);
                f.i32(1).set(any);
            }
            (Fold::First, Some(body)) => {
                f.get(result);
                self.value(f, body);
                f.get(any).put(I::Select).set(result);
                f.i32(1).set(any);
            }
            (Fold::Last, Some(body)) => {
                self.value(f, body);
                f.set(result);
            }
            (Fold::Any | Fold::Count, Some(body)) => {
                self.value(f, body);
                f.put(I::Drop);
                self.fold(f, folded, None);
            }
            (Fold::Sum | Fold::Count, None) => f.get(result).i64(1).put(I::I64Add).set(result),
            (Fold::Any | Fold::Highest | Fold::Lowest | Fold::First | Fold::Last, None) => f.i64(1).set(result),
        }
    }

    /// Adds an element to the result of a loop, if it meets a condition.
    pub fn fold_if(&mut self, f: &mut Function, folded: Folded, filter: Option<ExprId>, body: Option<ExprId>) {
        if let Some(filter) = filter {
            self.condition(f, filter);
            f.begin_if();
        }
        self.fold(f, folded, body);
        if filter.is_some() {
            f.end();
        }
    }

    pub fn fold_cards(&mut self, f: &mut Function, fold: Fold, cards: CardsId, each: Each, body: Option<ExprId>) {
        let folded = self.begin_fold(f, fold, self.ranges.most_cards(cards), body);
        self.over_cards(f, cards, each, body, |emitter, f, _| emitter.fold(f, folded, body));
        f.get(folded.result);
    }

    /// Emits parts of a loop ahead of it: those that are evaluated for each element and do not depend on its variable.
    pub fn hoist(&mut self, f: &mut Function, id: ExprId, var: u8) {
        let expr = self.rules.graph[id];
        if self.rules.graph.facts(id).vars >> var & 1 == 0 {
            let is_name = matches!(expr, Expr::Const { .. } | Expr::Weight { .. } | Expr::Var { .. } | Expr::Local { .. } | Expr::Me);
            if !is_name && expr.is_number() && f.known(&self.rules.graph, id).is_none() {
                let local = self.value_in_local(f, id);
                f.remember(&self.rules.graph, id, local);
            }
            return;
        }
        #[allow(clippy::wildcard_enum_match_arm, reason = "what evaluates all its operands as they are")]
        match expr {
            Expr::And { a: first, .. } | Expr::Or { a: first, .. } | Expr::If { condition: first, .. } => self.hoist(f, first, var),
            Expr::InSpaces { spaces, card, .. } => {
                if self.rules.graph.facts(spaces).vars >> var & 1 == 0 {
                    self.spaces(f, spaces);
                }
                self.hoist(f, card, var);
            }
            Expr::Binary { .. } | Expr::Not { .. } | Expr::Truth { .. } | Expr::Table { .. } => {
                expr.operands().for_each(|part| self.hoist(f, part, var));
            }
            _ => {}
        }
    }

    /// Emits a loop over cards: `then` runs for each that meets the condition, with the local that holds the piece, counted from 1.
    pub fn over_cards(
        &mut self,
        f: &mut Function,
        cards: CardsId,
        (var, filter): Each,
        body: Option<ExprId>,
        mut then: impl FnMut(&mut Self, &mut Function, u32),
    ) {
        let cards = self.rules.graph.cards(cards);
        self.each_card(f, cards, (Name::Var(var), filter), body, None, &mut then);
    }

    /// Emits a loop over cards that a variable or a local holds.
    pub fn each_card(
        &mut self,
        f: &mut Function,
        cards: &Cards,
        (visited, filter): (Name, Option<ExprId>),
        body: Option<ExprId>,
        within: Within,
        then: Then<'_, 'r>,
    ) {
        let rules = self.rules;
        // Places of different shapes are loops of their own if the rows of a grid matter.
        let groups: Vec<Vec<u16>> =
            if cards.rows == 0 { vec![cards.places.to_vec()] } else { cards.places.iter().map(|&place| vec![place]).collect() };
        for group in groups {
            // The places with the distance between those of two seats; for all seats each is one of its own.
            let mut bases: Vec<(u32, u32)> = Vec::new();
            for &place in &group {
                let declared = &rules.places[usize::from(place)];
                if declared.of_seat && cards.whose == Whose::Mine {
                    let Some(mine) = self.place_of_seats(place) else { return self.give_up(f) };
                    bases.push(mine);
                } else {
                    bases.extend(rules.instances(place).iter().map(|place| (place.base, 0)));
                }
            }
            let columns = match rules.places[usize::from(group.first().copied().unwrap_or(0))].shape {
                Shape::Grid { columns, .. } if cards.rows != 0 => Some(columns),
                Shape::Grid { .. } | Shape::Deck | Shape::Slots => None,
            };
            let at = f.int();
            let each = PlaceLoop { visited, filter, body, cards, columns, within: &within };
            if let [(base, stride)] = *bases {
                self.add_stride(f, stride);
                f.address(base * 4).put(I::I32Add).set(at);
                match Lane::of(rules, &group, &each) {
                    Some(Lane::Slots(slots)) => over_slots(self, f, at, (&slots, &each), then),
                    Some(Lane::Spaces(spaces)) => over_spaces(self, f, at, (&spaces, &each), then),
                    None => self.over_place(f, at, &each, then),
                }
                continue;
            }
            if bases.is_empty() {
                continue;
            }
            let table = self.data.words(bases.iter().flat_map(|&(base, stride)| [base * 4, stride * 4]).map(cast::fit::<i32>));
            let entry = f.int();
            f.address(table).set(entry);
            f.begin_loop();
            f.slot().get(entry).load(0).put(I::I32Add).me().get(entry).load(4).put(I::I32Mul).put(I::I32Add).set(at);
            self.over_place(f, at, &each, then);
            f.step(entry, 8).address(table + cast::fit::<u32>(bases.len() * 8)).again_if_below();
            f.end();
        }
    }

    /// Emits the loop over the pieces of one place, whose address is in a local.
    fn over_place(&mut self, f: &mut Function, at: u32, each: &PlaceLoop<'_>, then: Then<'_, 'r>) {
        let (left, card, start) = (f.int(), f.int(), f.int());
        f.get(at).set(start);
        f.get(at).load(0).tee(left).begin_if();
        let mark = f.mark();
        self.hoist_parts(f, each);
        f.begin_loop();
        f.get(at).load(4).set(card);
        f.advance(at, 4);
        // Slots may be empty.
        f.get(card).again_unless();
        self.visit(f, card, (at, start), each, then);
        f.again_while(left);
        f.end();
        f.forget(mark);
        f.end();
    }

    /// Stores whether each piece is of one of these kinds, a bit set; no card is of none. Returns the address.
    pub fn flags_of_kinds(&mut self, kinds: u64) -> u32 {
        self.data.flags(std::iter::once(false).chain(self.rules.piece_kind.iter().map(|kind| kinds >> kind & 1 == 1)))
    }

    /// Emits what is the same for all cards ahead of their loop.
    pub fn hoist_parts(&mut self, f: &mut Function, each: &PlaceLoop<'_>) {
        if let (Some(first), Name::Var(var)) = (each.filter.or(each.body), each.visited) {
            self.hoist(f, first, var);
        }
    }

    /// Emits what a loop does with the piece in a local: `then`, if it meets all conditions. Other locals hold the address of its slot and, if
    /// rows matter, of the first slot.
    pub fn visit(&mut self, f: &mut Function, card: u32, (at, start): (u32, u32), each: &PlaceLoop<'_>, then: Then<'_, 'r>) {
        let PlaceLoop { visited, filter, cards, columns, within, .. } = *each;
        let rules = self.rules;
        let inner = f.mark();
        let mut conditions = 0;
        if cards.kinds != 0 {
            let kinds = self.flags_of_kinds(cards.kinds);
            f.get(card).load_flag(kinds).begin_if();
            conditions += 1;
        }
        if let Some(columns) = columns {
            // The row, from 1, of the slot that has just been read.
            f.i32(i32::from_le_bytes(cards.rows.to_le_bytes())).get(at).get(start).put(I::I32Sub).scale_down();
            f.i32(1).put(I::I32Sub).i32(columns.into()).put(I::I32DivU).i32(1).put(I::I32Add).put(I::I32ShrU);
            f.i32(1).put(I::I32And).begin_if();
            conditions += 1;
        }
        if let Some((spaces, set)) = within {
            if let Some(board) = rules.graph[*spaces].board_of_spaces() {
                self.is_in_set(f, board, set, card);
                f.narrow();
            } else {
                self.give_up(f);
            }
            f.begin_if();
            conditions += 1;
        }
        if let Some(with) = cards.with {
            self.load_of_piece(f, card, with.into()).i32(0).put(I::I32GtS).begin_if();
            conditions += 1;
        }
        let binding = f.bind(visited, Argument::Piece(card));
        if let Some(filter) = filter {
            self.condition(f, filter);
            f.begin_if();
            conditions += 1;
        }
        then(self, f, card);
        f.unbind(binding);
        (0..conditions).for_each(|_| f.end());
        f.forget(inner);
    }

    /// Emits a loop over seats: `then` runs for each as the current seat.
    fn each_seat(&mut self, f: &mut Function, slot: u32, others: bool, then: impl FnOnce(&mut Self, &mut Function)) {
        let (seat, asker) = (f.int(), f.seat.me);
        f.i32(0).set(seat);
        f.begin_loop();
        let mark = f.mark();
        if others {
            f.get(seat).get(asker).put(I::I32Ne).begin_if();
        }
        let outer = f.enter(slot, seat, self.seat_size());
        then(self, f);
        f.seat = outer;
        f.forget(mark);
        if others {
            f.end();
        }
        f.step(seat, 1).i32(cast::fit::<i32>(self.rules.players)).again_if_below();
        f.end();
    }

    pub fn fold_seats(&mut self, f: &mut Function, fold: Fold, others: bool, each: Each, body: Option<ExprId>) {
        let folded = self.begin_fold(f, fold, self.rules.players, body);
        let (var, filter) = each;
        let binding = f.bind(Name::Var(var), Argument::Seat(f.seat.me));
        self.each_seat(f, f.seat.slot, others, |emitter, f| emitter.fold_if(f, folded, filter, body));
        f.unbind(binding);
        f.get(folded.result);
    }

    /// Emits the sums of each number of a printed row times a factor; returns the locals of the sums.
    pub fn rows(
        &mut self,
        f: &mut Function,
        (cards, var, filter): (CardsId, u8, Option<ExprId>),
        (field, len): (u16, u16),
        factor: ExprId,
    ) -> Vec<u32> {
        let rules = self.rules;
        let sums: Vec<u32> = (0..len).map(|_| f.long()).collect();
        for &sum in &sums {
            f.i64(0).set(sum);
        }
        let (_, is_checked) = self.ranges.row_sum(cards, (field, len), factor);
        let rows = self.printed_rows(field, len);
        // What is printed on no card needs no sum.
        let is_printed = |at: &usize| (0..rules.definitions.len()).any(|of| rules.printed[of * rules.width + usize::from(field) + at] != 0);
        let printed: Vec<usize> = (0..usize::from(len)).filter(is_printed).collect();
        let (value, row) = (f.long(), f.int());
        let given = sums.clone();
        self.over_cards(f, cards, (var, filter), Some(factor), move |emitter, f, card| {
            emitter.value(f, factor);
            f.set(value);
            f.get(card).scale(u32::from(len) * 4).set(row);
            for &at in &printed {
                f.get(given[at]).get(value).get(row).load_cell(rows + cast::fit::<u32>(at) * 4);
                emitter.product(f, is_checked);
                sum(f, is_checked);
                f.set(given[at]);
            }
        });
        sums
    }

    /// Leaves one of the sums of a printed row on the stack; 0 if there is no such sum.
    pub fn row_at(&mut self, f: &mut Function, row: ExprId, index: ExprId) {
        let rules = self.rules;
        let Expr::Rows { cards, var, filter, field, len, factor } = rules.graph[row] else {
            f.i64(0);
            return;
        };
        if let Some(value) = rules.code.value_of(row) {
            let first = self.memory.values + u32::from(rules.code.cached_value(value).slot) * 8;
            let read = |emitter: &mut Self, f: &mut Function| {
                emitter.call_value(f, value);
                f.put(I::Drop).slot().me().address(emitter.memory.seat_size).put(I::I32Mul).put(I::I32Add);
            };
            if let Some(index) = rules.graph.constant(index) {
                let Some(index) = u32::try_from(index).ok().filter(|&index| index < u32::from(len)) else {
                    f.i64(0);
                    return;
                };
                read(self, f);
                f.load_long(first + index * 8);
                return;
            }
            return self.if_within(f, index, len.into(), |emitter, f, index| {
                read(emitter, f);
                f.get(index).narrow().scale(8).put(I::I32Add).load_long(first);
            });
        }
        let index = self.value_in_local(f, index);
        let result = f.long();
        f.i64(0).set(result);
        let (_, is_checked) = self.ranges.row_sum(cards, (field, len), factor);
        let rows = self.printed_rows(field, len);
        f.get(index).i64(len.into()).put(I::I64LtU).begin_if();
        let mark = f.mark();
        self.over_cards(f, cards, (var, filter), Some(factor), |emitter, f, card| {
            f.get(result);
            emitter.value(f, factor);
            f.get(card).scale(u32::from(len)).get(index).narrow().put(I::I32Add).scale(4).load_cell(rows);
            emitter.product(f, is_checked);
            sum(f, is_checked);
            f.set(result);
        });
        f.forget(mark);
        f.end();
        f.get(result);
    }

    /// Leaves on the stack whether the current seat is in a rank.
    pub fn rank(&mut self, f: &mut Function, rank: u16, by: ExprId, leaders: ExprId) {
        let rules = self.rules;
        let rank = &rules.ranks[usize::from(rank)];
        let leaders = self.value_in_local(f, leaders);
        let (slot, own, theirs, beyond, level) = (f.int(), f.long(), f.long(), f.long(), f.long());
        // While several act at once, ranks compare the seats as they were before.
        f.slot().load(self.memory.ranks).set(slot);
        let asker = f.seat;
        let outer = f.enter(slot, asker.me, self.seat_size());
        let mark = f.mark();
        self.value(f, by);
        f.set(own);
        f.i64(0).set(beyond);
        f.i64(1).set(level);
        let compare = |f: &mut Function| {
            f.set(theirs);
            f.get(theirs).get(own).put(if rank.top { I::I64GtS } else { I::I64LtS }).widen();
            f.get(beyond).put(I::I64Add).set(beyond);
            f.get(theirs).get(own).put(I::I64Eq).widen();
            f.get(level).put(I::I64Add).set(level);
        };
        self.each_seat(f, slot, true, |emitter, f| {
            emitter.value(f, by);
            compare(f);
        });
        // Rivals without a seat know nothing of the locals.
        let bound: Vec<_> = (0..cast::fit::<u8>(LOCALS)).map(|local| f.bind(Name::Local(local), Argument::None)).collect();
        for &rival in &rank.rivals {
            self.value(f, rival);
            compare(f);
        }
        bound.into_iter().for_each(|bound| f.unbind(bound));
        f.forget(mark);
        f.seat = outer;
        f.get(beyond);
        if !rank.ties_in {
            f.get(level).put(I::I64Add);
        }
        f.get(leaders).put(if rank.ties_in { I::I64LtS } else { I::I64LeS }).widen();
    }
}
