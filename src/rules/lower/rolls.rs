//! Reports rolls that roll nothing after the first: nothing takes up the dice that lie in the pool.

use super::super::problem::RuleProblem;
use super::Lowerer;
use crate::cast;
use crate::engine::op::{Op, Pc};

/// Reports each roll of a pool into which no dice come and in which none are taken up while the game is played.
pub(crate) fn report_idle_rolls(lowerer: &mut Lowerer<'_>) {
    let rules = &*lowerer.ruleset;
    if rules.rounds.and_then(|rounds| rules.graph.constant(rounds)) == Some(1) {
        return;
    }
    let ops = &rules.ops;
    let set_up = ops.parts.first().map_or(0, |pc| pc.0 as usize);
    let first_round = ops.all.iter().position(|op| matches!(op, Op::Round)).unwrap_or(set_up);
    let in_play = || ops.all.iter().enumerate().filter(|(pc, _)| !(set_up..first_round).contains(pc));
    let picked = |pool: u8| ops.picks.iter().any(|pick| pick.pools.contains(&pool));
    let brings_dice = |op: &Op, pool: u8| {
        if let Op::Lift { pool: lifted, .. } = op {
            *lifted == pool
        } else if let Op::LiftOne { .. } = op {
            picked(pool)
        } else if let Op::Take { to, .. } | Op::TakeAtRandom { to, .. } | Op::MoveAll { to, .. } | Op::MoveOne { to, .. } = op {
            *to == pool
        } else if let Op::Spend { cost } = op {
            cost.to == pool
        } else {
            false
        }
    };
    let mut found = Vec::new();
    for (pc, op) in in_play() {
        if let Op::Roll { pool } = op
            && !in_play().any(|(_, op)| brings_dice(op, *pool))
        {
            let name = rules.names.text(rules.pools[usize::from(*pool)].name).to_string();
            found.push(RuleProblem::RolledOnce { pool: name }.at(ops.span(Pc(cast::fit::<u32>(pc)))));
        }
    }
    found.into_iter().for_each(|found| lowerer.report(found));
}
