//! Lowers tallies: their bounds, what reads and writes their entries, and what clears them and sets.

use super::super::defs::{DefId, Owner};
use super::super::problem::RuleProblem;
use super::super::setup::ChosenOptions;
use super::super::slots::{Slot, Slots};
use super::super::typed::{Expr, Rules};
use super::{Bindings, GraphExpr, Lowerer};
use crate::diagnostic::Diagnostic;
use crate::engine::graph::NumberOp;
use crate::engine::op::{Cells, Op};
use crate::engine::ruleset::{NodeId, Ruleset, Target, Write};
use crate::source::Span;
use std::collections::BTreeMap;

/// The most entries of a tally by number.
const MAX_ENTRIES: i64 = 1000;

/// Evaluates the first and the last number of each tally by number, which players and options settle.
pub fn tally_bounds(tree: &Rules, chosen: &ChosenOptions, diagnostics: &mut Vec<Diagnostic>) -> BTreeMap<DefId, (i64, i64)> {
    let (slots, mut scratch) = (Slots::default(), Ruleset { players: chosen.players, ..Ruleset::default() });
    let mut ignored = Vec::new();
    let mut lowerer = Lowerer::new(tree, &slots, chosen, &mut scratch, &mut ignored);
    let mut found = BTreeMap::new();
    for (&tally, (from, to)) in &tree.tally_bounds {
        let problem = match [from, to].map(|bound| lowerer.constant_value(bound)) {
            [Some(first), Some(last)] if last < first => RuleProblem::RangeDown,
            [Some(first), Some(last)] if last.saturating_sub(first) >= MAX_ENTRIES => RuleProblem::RangeTooWide { most: MAX_ENTRIES },
            [Some(first), Some(last)] => {
                found.insert(tally, (first, last));
                continue;
            }
            _ => RuleProblem::RangeChanges,
        };
        diagnostics.push(problem.at(Span { end: to.span.end, ..from.span }));
    }
    found
}

/// Lowers the index of an entry of a tally: the position of its cell, counted from 0. A number without an entry is a fault in a game, and is
/// reported here if it is settled.
pub(super) fn lower_index(lowerer: &mut Lowerer<'_>, tally: DefId, index: &Expr, env: &mut Bindings) -> NodeId {
    let node = lowerer.lower_expr(index, env);
    let Some(first) = lowerer.slots.first_number(tally) else { return node };
    let len = i64::from(lowerer.slots.get(tally).map_or(0, |slot| slot.len));
    if let Some(number) = lowerer.value_of(node)
        && !(first..first + len).contains(&number)
    {
        let name = lowerer.tree.defs[tally].name.clone();
        return lowerer.refuse(RuleProblem::OutsideTally { name, number, from: first, to: first + len - 1 }.at(index.span));
    }
    position_of(lowerer, node, first, len)
}

/// Creates the position of the entry of a tally that a number names, where the first of `len` entries is that of `first`.
fn position_of(lowerer: &mut Lowerer<'_>, number: NodeId, first: i64, len: i64) -> NodeId {
    let (position, len) = (lowerer.add_number(number, -first), lowerer.constant_node(len));
    lowerer.make_binary(NumberOp::Within, position, len)
}

/// Creates the node that reads the entry of a tally at a position, counted from 0.
pub(super) fn read_entry(lowerer: &mut Lowerer<'_>, tally: DefId, index: NodeId) -> NodeId {
    let Some(slot) = lowerer.slots.get(tally) else { return lowerer.constant_node(0) };
    match slot.owner {
        Owner::Table => lowerer.make(GraphExpr::GlobalAt { cell: slot.offset.into(), len: slot.len, index }),
        Owner::Player | Owner::Card => lowerer.make(GraphExpr::OwnAt { offset: slot.offset, len: slot.len, index }),
    }
}

/// Returns the node that reads an entry of a tally for scripts, which give what it is of in the first local behind the card's.
pub(super) fn entry_of_local(lowerer: &mut Lowerer<'_>, tally: DefId) -> NodeId {
    let mut index = lowerer.make(GraphExpr::Local { local: 1 });
    if let Some(first) = lowerer.slots.first_number(tally) {
        let len = i64::from(lowerer.slots.get(tally).map_or(0, |slot| slot.len));
        index = position_of(lowerer, index, first, len);
    }
    read_entry(lowerer, tally, index)
}

/// Emits `clear SET` and `clear TALLY`: each of its cells becomes 0.
pub(super) fn emit_clear(lowerer: &mut Lowerer<'_>, card: Option<&Expr>, variable: DefId, env: &mut Bindings) {
    let Some(Slot { owner, offset, len }) = lowerer.slots.get(variable) else { return };
    let zero = lowerer.constant_node(0);
    let of = match card {
        Some(card) => Cells::Piece(lowerer.lower_expr(card, env)),
        None if owner == Owner::Table => Cells::Table,
        None => Cells::Seat(None),
    };
    for entry in 0..len {
        let index = lowerer.constant_node(entry.into());
        let target = Target { of, offset, element: Some((len, index)).filter(|_| len > 1) };
        lowerer.emit(Op::Write { written: Box::new((target, Write::Set, zero)) });
    }
}
