//! Lowers tallies: their bounds, and what reads and writes their entries.

use super::super::defs::{DefId, Owner};
use super::super::problem::RuleProblem;
use super::super::setup::ChosenOptions;
use super::super::slots::Slots;
use super::super::typed::{Expr, Rules};
use super::{Bindings, GraphExpr, Lowerer};
use crate::diagnostic::Diagnostic;
use crate::engine::graph::NumberOp;
use crate::engine::ruleset::{NodeId, Ruleset, Target};
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
fn lower_index(lowerer: &mut Lowerer<'_>, tally: DefId, index: &Expr, env: &mut Bindings) -> NodeId {
    let node = lowerer.lower_expr(index, env);
    let Some(first) = lowerer.slots.first_number(tally) else { return node };
    let len = i64::from(lowerer.slots.get(tally).map_or(0, |slot| slot.len));
    if let Some(number) = lowerer.value_of(node)
        && !(first..first + len).contains(&number)
    {
        let name = lowerer.tree.defs[tally].name.clone();
        lowerer.report(RuleProblem::OutsideTally { name, number, from: first, to: first + len - 1 }.at(index.span));
        return lowerer.constant_node(0);
    }
    let position = lowerer.add_number(node, -first);
    let len = lowerer.constant_node(len);
    lowerer.make_binary(NumberOp::Within, position, len)
}

/// Lowers the value of an entry of a tally.
pub(super) fn lower_entry(lowerer: &mut Lowerer<'_>, tally: DefId, index: &Expr, env: &mut Bindings) -> NodeId {
    let index = lower_index(lowerer, tally, index, env);
    read_entry(lowerer, tally, index)
}

/// Creates the node that reads the entry of a tally at a position, counted from 0.
fn read_entry(lowerer: &mut Lowerer<'_>, tally: DefId, index: NodeId) -> NodeId {
    let Some(slot) = lowerer.slots.get(tally) else { return lowerer.constant_node(0) };
    match slot.owner {
        Owner::Table => lowerer.make(GraphExpr::GlobalAt { cell: slot.offset.into(), len: slot.len, index }),
        Owner::Player | Owner::Card => lowerer.make(GraphExpr::OwnAt { offset: slot.offset, len: slot.len, index }),
    }
}

/// Lowers an entry of a tally that is written to; it is that of a player if `seat` is given.
pub(super) fn lower_written_entry(
    lowerer: &mut Lowerer<'_>,
    tally: DefId,
    index: &Expr,
    seat: Option<NodeId>,
    env: &mut Bindings,
) -> Target {
    let index = lower_index(lowerer, tally, index, env);
    let (owner, offset, len) = lowerer.slots.get(tally).map_or((Owner::Player, 0, 0), |slot| (slot.owner, slot.offset, slot.len));
    match (owner, seat) {
        (Owner::Table, _) => Target::GlobalAt(offset.into(), len, index),
        (Owner::Player | Owner::Card, Some(seat)) => Target::OfSeatAt(seat, (offset, len, index)),
        (Owner::Player | Owner::Card, None) => Target::OwnAt(offset, len, index),
    }
}

/// Returns the node that reads an entry of a tally for scripts, which give what it is of in the first local behind the card's.
pub(super) fn entry_of_local(lowerer: &mut Lowerer<'_>, tally: DefId) -> NodeId {
    let mut index = lowerer.make(GraphExpr::Local { local: 1 });
    if let Some(first) = lowerer.slots.first_number(tally) {
        let len = i64::from(lowerer.slots.get(tally).map_or(0, |slot| slot.len));
        let (position, len) = (lowerer.add_number(index, -first), lowerer.constant_node(len));
        index = lowerer.make_binary(NumberOp::Within, position, len);
    }
    read_entry(lowerer, tally, index)
}
