//! Emits sets of spaces, which lie in registers of their own, and loops over neighbours.

use super::super::{CardsId, ExprId, Fold, NONE, Nested, Op, REGISTERS, Read, Reg};
use super::{Emitter, SET_WORDS};
use crate::cast;

impl Emitter<'_> {
    /// Returns the first of the registers of a new set of spaces: each has its own, behind those of numbers.
    pub(super) fn registers_of_spaces(&mut self) -> Reg {
        let first = REGISTERS + self.space_sets * SET_WORDS;
        if first + SET_WORDS > usize::from(Reg::MAX) {
            self.too_deep = true;
            return cast::fit::<Reg>(REGISTERS);
        }
        self.space_sets += 1;
        cast::fit::<Reg>(first)
    }

    /// Emits the set of the spaces for which a filter holds. Register `d` gets the number of its first register.
    pub(super) fn spaces(&mut self, (cards, board): (CardsId, u16), var: u8, filter: Option<ExprId>, d: Reg) {
        let set = self.registers_of_spaces();
        self.push(Read::NoSpaces { set });
        self.over_cards(cards, var, filter, None, |emitter, _| {
            let card = emitter.vars.last().map_or(0, |var| var.1);
            emitter.push(Read::AddSpace { set, card, board });
        });
        self.push(Op::Const { d, value: i32::from(set) });
    }

    /// Emits a search for ways from a space, whose second operand is a number of steps or another space. Register `d` gets the distance, or
    /// the number of the first register of the set of spaces that are reached.
    pub(super) fn ways(&mut self, id: ExprId, (from, with): (ExprId, ExprId), d: Reg) {
        let set = if self.graph[id].is_set_of_spaces() { self.registers_of_spaces() } else { NONE };
        let search = self.constants_of(id);
        let (from, with) = self.eval_both(from, with);
        self.push(Nested::Ways { d, from, with, set, search });
        self.release(from);
        self.release(with);
    }

    /// Emits a fold over the neighbours of a space.
    pub(super) fn over_neighbours(&mut self, (fold, of): (Fold, ExprId), var: u8, filter: Option<ExprId>, body: Option<ExprId>, d: Reg) {
        let of = self.emit_value(of);
        let any = self.begin_loop(fold, d);
        let (progress, card) = (self.allocate(), self.allocate());
        self.push(Op::Const { d: progress, value: 0 });
        let next = self.push(Op::NextNeighbour { progress, card, of, to: 0 });
        self.each_element(next, (var, card), filter, |emitter| emitter.fold(fold, d, any, body));
        self.used &= !(1 << progress | 1 << card);
        self.release(any);
        self.release(of);
    }
}
