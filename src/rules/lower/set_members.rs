//! Lowers what takes words out of sets and tallies.

use super::super::defs::{DefId, Owner};
use super::super::typed::Expr;
use super::{Bindings, Lowerer};
use crate::cast;
use crate::engine::op::{Op, Target, Write};

/// Lowers `remove WORD from SET`.
pub(super) fn lower_removal(lowerer: &mut Lowerer<'_>, card: Option<&Expr>, set: DefId, word: &Expr, env: &mut Bindings) -> Op {
    let index = lowerer.lower_expr(word, env);
    let offset = lowerer.slots.offset(set);
    match card {
        Some(card) => Op::RemoveBitFrom { card: lowerer.lower_expr(card, env), offset: cast::fit::<u8>(offset), index },
        None => Op::RemoveBit { offset, index },
    }
}

/// Emits `clear SET` and `clear TALLY`: each of its cells becomes 0.
pub(super) fn emit_clear(lowerer: &mut Lowerer<'_>, card: Option<&Expr>, variable: DefId, env: &mut Bindings) {
    let Some(slot) = lowerer.slots.get(variable) else { return };
    let (offset, len, of_table) = (slot.offset, slot.len, slot.owner == Owner::Table);
    let zero = lowerer.constant_node(0);
    let card = card.map(|card| lowerer.lower_expr(card, env));
    for entry in 0..len {
        let index = lowerer.constant_node(entry.into());
        let target = match (card, len) {
            (Some(card), 1) => Target::Counter(card, cast::fit::<u8>(offset)),
            (Some(card), _) => Target::CounterAt(card, (cast::fit::<u8>(offset), len, index)),
            (None, 1) if of_table => Target::Global(offset.into()),
            (None, _) if of_table => Target::GlobalAt(offset.into(), len, index),
            (None, 1) => Target::Own(offset),
            (None, _) => Target::OwnAt(offset, len, index),
        };
        lowerer.emit(Op::Write { written: Box::new((target, Write::Set, zero)) });
    }
}
