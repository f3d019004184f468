//! Emits loops over cards and seats, and sums of printed rows.

use super::super::{CardsId, Expr, ExprId, Fold, NONE, Nested, NumberOp, Op, REGISTERS, Read, Reg, Terms};
use super::{Emitter, SPARE};
use crate::cast;

impl Emitter<'_> {
    /// Emits loop-invariant parts before the loop: those that are always evaluated and do not read its variable.
    fn hoist(&mut self, id: ExprId, var: u8) {
        let expr = self.graph[id];
        if self.facts(id).vars >> var & 1 == 0 {
            let roomy = cast::fit::<u32>(REGISTERS) - self.used.count_ones() > SPARE;
            if roomy && !matches!(expr, Expr::Const { .. } | Expr::Var { .. }) && self.find_register(id).is_none() {
                let reg = self.emit_value(id);
                if self.find_register(id).is_none() {
                    self.remember(id, reg);
                }
            }
            return;
        }
        if let Expr::And { a: first, .. } | Expr::Or { a: first, .. } | Expr::If { condition: first, .. } = expr {
            self.hoist(first, var);
        } else if !matches!(
            expr,
            Expr::OverCards { .. }
                | Expr::OverSeats { .. }
                | Expr::OverNeighbours { .. }
                | Expr::Spaces { .. }
                | Expr::Reached { .. }
                | Expr::StepsOver { .. }
                | Expr::Rank { .. }
                | Expr::Of { .. }
        ) {
            expr.operands().for_each(|part| self.hoist(part, var));
        }
    }

    pub(super) fn over_cards(
        &mut self,
        cards: CardsId,
        var: u8,
        filter: Option<ExprId>,
        body: Option<ExprId>,
        each: impl FnOnce(&mut Self, Option<ExprId>),
    ) {
        let mark = self.mark();
        let progress = self.allocate_row(2);
        let card = self.allocate();
        let first = self.push(Op::FirstCard { progress, card, cards, to: 0 });
        if let Some(first) = filter.or(body) {
            self.hoist(first, var);
        }
        let start = self.ops.len();
        self.vars.push((var, card));
        let inner = self.mark();
        let out = filter.map(|filter| self.emit_unless(filter)).unwrap_or_default();
        each(self, body);
        self.drop_since(inner);
        self.bind_all(out);
        let (to, plain) = (cast::fit::<u16>(start), self.graph.cards(cards).is_plain());
        self.push(if plain { Op::NextInPlace { progress, card, cards, to } } else { Op::NextCard { progress, card, cards, to } });
        self.bind_jump(first);
        self.vars.pop();
        self.used &= !(0b11 << progress | 1 << card);
        self.drop_since(mark);
    }

    /// Initializes the result of a loop. For the highest or lowest, returns the register that says whether there was any element.
    pub(super) fn begin_loop(&mut self, fold: Fold, d: Reg) -> Reg {
        self.push(Op::Const { d, value: 0 });
        if !matches!(fold, Fold::Highest | Fold::Lowest | Fold::First | Fold::Last) {
            return NONE;
        }
        let any = self.allocate();
        self.push(Op::Const { d: any, value: 0 });
        any
    }

    pub(super) fn fold(&mut self, fold: Fold, d: Reg, any: Reg, body: Option<ExprId>) {
        if let (Fold::Sum, Some((factor, counter))) = (fold, body.and_then(|body| self.split_counter_factor(body))) {
            // If the factor is 0 the counter is not read, so that changes of it do not invalidate the sum.
            let b = self.emit_value(factor);
            let nothing = self.push(Op::Unless { a: b, to: 0 });
            let c = self.emit_value(counter);
            self.push(Op::AddProduct { d, a: d, b, c });
            self.bind_jump(nothing);
            self.release(b);
            return self.release(c);
        }
        let body = body.map(|body| self.emit_value(body));
        match (fold, body) {
            (Fold::Sum, Some(b)) => _ = self.push(Op::Add { d, a: d, b }),
            (Fold::Highest | Fold::Lowest | Fold::First | Fold::Last, Some(a)) => _ = self.push(Op::Best { fold, d, a, any }),
            (Fold::Any, _) => _ = self.push(Op::Const { d, value: 1 }),
            (Fold::Sum | Fold::Highest | Fold::Lowest | Fold::First | Fold::Last | Fold::Count, _) => {
                _ = self.push(Op::AddConst { d, a: d, value: 1 });
            }
        }
        self.release(body.unwrap_or(NONE));
    }

    /// Splits a product with a counter of the loop's card into the other factor and the counter, unless it is already in a register.
    fn split_counter_factor(&self, body: ExprId) -> Option<(ExprId, ExprId)> {
        let exprs = self.graph;
        let Expr::Binary { operator: NumberOp::Mul, a, b } = exprs[body] else { return None };
        let of_loop = |id: ExprId| matches!(exprs[id], Expr::Counter { card, .. } if matches!(exprs[card], Expr::Var { .. }));
        let unread = |id: ExprId| of_loop(id) && self.find_register(id).is_none();
        let known = self.code.cached[body.index()].is_some() || self.find_register(body).is_some();
        [(a, b), (b, a)].into_iter().find(|&(factor, counter)| !known && unread(counter) && !unread(factor))
    }

    /// Emits what a loop does with each element that meets the filter, and the jump back to its op `next`. `element` is the variable of the
    /// loop, with the register that holds the element.
    pub(super) fn each_element(&mut self, next: usize, element: (u8, Reg), filter: Option<ExprId>, emit_body: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        self.vars.push(element);
        let out = filter.map(|filter| self.emit_unless(filter)).unwrap_or_default();
        emit_body(self);
        self.drop_since(mark);
        for jump in out {
            self.bind_to(jump, next);
        }
        self.push(Op::Jump { to: cast::fit::<u16>(next) });
        self.bind_jump(next);
        self.vars.pop();
    }

    pub(super) fn over_seats(&mut self, fold: Fold, others: bool, var: u8, filter: Option<ExprId>, body: Option<ExprId>, d: Reg) {
        let any = self.begin_loop(fold, d);
        let (visited, asker, outer) = (self.allocate(), self.allocate(), self.seat);
        self.push(Read::Me { d: asker });
        self.push(Op::Const { d: visited, value: -1 });
        let next = self.push(Op::NextSeat { seat: visited, asker, others, to: 0 });
        self.seats += 1;
        self.seat = self.seats;
        self.each_element(next, (var, asker), filter, |emitter| emitter.fold(fold, d, any, body));
        self.seat = outer;
        self.used &= !(1 << visited | 1 << asker);
        self.release(any);
    }

    /// Emits the sums of each number of a printed row times a factor, into consecutive registers from `d` on.
    pub(super) fn emit_rows(&mut self, cards: CardsId, var: u8, filter: Option<ExprId>, (field, len): (u16, u16), factor: ExprId) {
        if let Some(terms) = self.find_terms(cards, var, filter, factor, (field, len)) {
            self.push(Read::SumRows { d: 0, cards, terms });
            return;
        }
        self.used |= (1 << len) - 1;
        for d in 0..cast::fit::<Reg>(len) {
            self.push(Op::Const { d, value: 0 });
        }
        self.over_cards(cards, var, filter, Some(factor), |emitter, factor| {
            let Some(factor) = factor else { return };
            let a = emitter.emit_value(factor);
            let card = emitter.vars.last().map_or(0, |var| var.1);
            emitter.push(Read::AddRow { d: 0, card, a, field, len: cast::fit::<u8>(len) });
            emitter.release(a);
        });
    }

    /// Finds the terms of a sum that one operation can compute: over whole places, of a printed number times a counter; `None` for other
    /// sums.
    pub(super) fn find_terms(&mut self, cards: CardsId, var: u8, filter: Option<ExprId>, body: ExprId, row: (u16, u16)) -> Option<u16> {
        let exprs = self.graph;
        let is_card = |card: ExprId| exprs[card] == Expr::Var { var };
        let column = |id: ExprId| match exprs[id] {
            Expr::Column { card, column } if is_card(card) => Some(column),
            _ => None,
        };
        let counter = |id: ExprId| match exprs[id] {
            Expr::Counter { card, offset } if is_card(card) => Some(offset),
            _ => None,
        };
        if !exprs.cards(cards).is_plain() {
            return None;
        }
        let filter = match filter {
            Some(filter) => Some(column(filter)?),
            None => None,
        };
        let (counter, column) = match exprs[body] {
            // Terms have no constant factor: another number than 1 needs a loop.
            Expr::Const { value: 1 } => (None, None),
            Expr::Binary { operator: NumberOp::Mul, a, b } => (Some(counter(a)?), Some(column(b)?)),
            Expr::Counter { .. } => (Some(counter(body)?), None),
            Expr::Column { .. } => (None, Some(column(body)?)),
            _ => return None,
        };
        self.terms.push(Terms { filter, counter, column, row });
        Some(cast::fit::<u16>(self.terms.len()) - 1)
    }

    pub(super) fn row_at(&mut self, row: ExprId, index: ExprId, d: Reg) {
        let Expr::Rows { cards, var, filter, field, len, factor } = self.graph[row] else { return self.const_to(d, 0) };
        match (self.code.cached[row.index()], self.graph.constant(index)) {
            (Some(value), Some(index)) => self.cached(value, index, d),
            (Some(value), None) => {
                let index = self.emit_value(index);
                self.push(Nested::RowAt { d, index, len: cast::fit::<u8>(len), value });
                self.release(index);
            }
            (None, _) => {
                let (index, sum) = (self.emit_value(index), self.allocate());
                self.push(Op::Const { d: sum, value: 0 });
                self.over_cards(cards, var, filter, Some(factor), |emitter, factor| {
                    let Some(factor) = factor else { return };
                    let (a, b) = (emitter.emit_value(factor), emitter.allocate());
                    let card = emitter.vars.last().map_or(0, |var| var.1);
                    emitter.push(Read::FieldAt { d: b, card, index, field, len });
                    emitter.push(Op::Mul { d: b, a, b });
                    emitter.push(Op::Add { d: sum, a: sum, b });
                    emitter.release(a);
                    emitter.release(b);
                });
                self.push(Op::Copy { d, a: sum });
                self.release(sum);
                self.release(index);
            }
        }
    }
}
