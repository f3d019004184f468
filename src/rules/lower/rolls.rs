//! Reports rolls that roll nothing after the first: nothing takes up the dice that lie in the pool.

use super::super::problem::RuleProblem;
use super::Lowerer;
use crate::cast;
use crate::engine::Ruleset;
use crate::engine::op::{Op, Pc};

/// Reports each roll of a pool into which no dice come and in which none are taken up while the game is played. Called once the entries of
/// cards are lowered, too. What set-up does itself, and what only set-up calls, is not part of play.
pub(crate) fn report_idle_rolls(lowerer: &mut Lowerer<'_>) {
    let rules = &*lowerer.ruleset;
    if rules.rounds.and_then(|rounds| rules.graph.constant(rounds)) == Some(1) {
        return;
    }
    let ops = &rules.ops;
    let played = ops_of_play(rules);
    let in_play = || ops.all.iter().enumerate().filter(|(pc, _)| played[*pc]);
    let picked = |pool: u8| ops.picks.iter().any(|pick| pick.pools.contains(&pool));
    let brings_dice = |op: &Op, pool: u8| {
        if let Op::Take { to, .. } | Op::MoveOne { to, .. } = op {
            return *to == pool;
        }
        matches!(op, Op::Lift { pool: lifted, .. } if *lifted == pool)
            || matches!(op, Op::LiftOne { .. }) && picked(pool)
            || matches!(op, Op::Spend { cost } if cost.to == pool)
    };
    let idle = in_play().filter_map(|(pc, op)| {
        let Op::Roll { pool } = op else { return None };
        let name = || rules.names.text(rules.pools[usize::from(*pool)].name).to_string();
        let brought = in_play().any(|(_, op)| brings_dice(op, *pool));
        (!brought).then(|| RuleProblem::RolledOnce { pool: name() }.at(ops.span(Pc(cast::fit::<u32>(pc)))))
    });
    idle.collect::<Vec<_>>().into_iter().for_each(|found| lowerer.report(found));
}

/// Whether each op can be run once the game has begun. A script calls effects by their names, so with scripts all effects may be.
fn ops_of_play(rules: &Ruleset) -> Vec<bool> {
    let ops = &rules.ops;
    let set_up = ops.parts.first().map_or(0, |pc| cast::index(pc.0));
    let first_round = ops.all.iter().position(|op| matches!(op, Op::Round)).unwrap_or(set_up);
    let mut played = vec![true; ops.all.len()];
    played[set_up..first_round].fill(false);
    if !rules.scripts.is_empty() {
        return played;
    }
    for effect in 0..cast::fit::<u16>(rules.effects.len()) {
        rules.routine_of_effect(effect).for_each(|pc| played[pc as usize] = false);
    }
    rules.mark_called(&mut played);
    played
}
