//! What single ops say of what is hidden: by which values they go on, whose answers they run, and what they write where.

use super::Audience;
use crate::graph::ExprId;
use crate::node::NodeId;
use crate::op::{Op, Pc, Target};
use crate::ruleset::Ruleset;
use std::ops::Range;

/// Returns the values by which an op goes on in one way or another, and the ops that are run or not by them; `None` for all others.
pub(super) fn decided_by(rules: &Ruleset, pc: u32) -> Option<(Vec<NodeId>, Range<u32>)> {
    let ops = &rules.ops.all;
    let (values, end) = match (&ops[pc as usize], ops.get(pc as usize + 1)) {
        (Op::Unless { condition, to }, _) => (vec![*condition], end_of_branches(rules, *to)),
        (Op::Until { condition: value, end } | Op::NextPass { condition: value, end } | Op::As { seat: value, end }, _)
        | (Op::NextPlayer { filter: Some(value), end } | Op::Simultaneous { filter: Some(value), end, .. }, _)
        | (Op::Repeat { times: value }, Some(Op::NextTime { end })) => (vec![*value], end.0),
        (Op::EachNumber { from, to }, Some(Op::NextNumber { end, .. })) => (vec![*from, *to], end.0),
        (Op::EachCard { set }, Some(Op::NextCard { end, .. })) => {
            let set = &rules.sets[*set as usize];
            (set.filter.into_iter().chain(set.within).collect(), end.0)
        }
        _ => return None,
    };
    Some((values, pc + 1..end))
}

/// Returns the op behind both branches of an op that jumps to `to` if its condition does not hold.
fn end_of_branches(rules: &Ruleset, to: Pc) -> u32 {
    match to.0.checked_sub(1).map(|before| &rules.ops.all[before as usize]) {
        Some(Op::Jump { to: over }) if over.0 > to.0 => over.0,
        _ => to.0,
    }
}

/// Returns the end of the block that an op begins, if another player is spoken of in it than before.
pub(super) fn end_of_seat_block(op: &Op) -> Option<Pc> {
    if let Op::NextPlayer { end, .. } | Op::Simultaneous { end, .. } | Op::As { end, .. } = op { Some(*end) } else { None }
}

/// Returns the choices of the question that an op asks, each with the ops that are run if it is chosen.
pub(super) fn bodies_of_answers<'r>(rules: &'r Ruleset, op: &Op) -> impl Iterator<Item = (u16, Range<u32>)> + 'r {
    let asked = if let Op::Ask { question, list } | Op::NextPick { question, list } = *op { Some((question, list)) } else { None };
    asked.into_iter().flat_map(|(question, list)| {
        let bodies = rules.ops.choices[list as usize].windows(2).map(|run| run[0].0..run[1].0);
        rules.questions[question as usize].choices.iter().copied().zip(bodies)
    })
}

/// Returns the values that an op writes, or by which it says where.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write nothing that is hidden as a value")]
pub(super) fn written_values(op: &Op) -> Vec<NodeId> {
    match op {
        Op::Write { written } => match written.0 {
            Target::GlobalAt(.., index) | Target::OwnAt(.., index) => vec![written.2, index],
            Target::CounterAt(_, (.., index)) => vec![written.2, index],
            Target::OfSeat(seat, _) => vec![written.2, seat],
            Target::OfSeatAt(seat, (.., index)) => vec![written.2, seat, index],
            Target::Global(_) | Target::Own(_) | Target::Counter(..) => vec![written.2],
        },
        Op::AddBit { index, .. } | Op::RemoveBit { index, .. } => vec![*index],
        Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } => vec![*amount, *resource],
        _ => Vec::new(),
    }
}

/// Returns the index of the hidden value that an op writes itself, and who sees which: its owner, or nobody if it is not the current seat's.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is gained, lost and moved is told")]
pub(super) fn secret_written_by(rules: &Ruleset, op: &Op) -> Option<(usize, Audience)> {
    let (of_seat, offset, audience) = match op {
        Op::Write { written } => match written.0 {
            Target::Global(cell) | Target::GlobalAt(cell, ..) => (false, cell as usize, Audience::Nobody),
            Target::Own(offset) | Target::OwnAt(offset, ..) => (true, offset.into(), Audience::Own),
            Target::OfSeat(_, offset) | Target::OfSeatAt(_, (offset, ..)) => (true, offset.into(), Audience::Nobody),
            Target::Counter(..) | Target::CounterAt(..) => return None,
        },
        Op::AddBit { offset, .. } | Op::RemoveBit { offset, .. } => (true, (*offset).into(), Audience::Own),
        _ => return None,
    };
    let secret = rules.secrets.iter().position(|secret| secret.pool.is_none() && secret.is_in(of_seat, offset))?;
    Some((secret, audience))
}

/// Returns the resource for which an expression stands, if it is a constant.
pub(super) fn known_resource(rules: &Ruleset, resource: ExprId) -> Option<u16> {
    rules.graph.constant(resource).and_then(|resource| u16::try_from(resource).ok())
}
