//! Detects variables that the rules always write together, to warn of positions that set only one of them.

use crate::engine::op::{Op, Target, Write};
use crate::engine::ruleset::{Ruleset, Variable, VariableSort};

/// Returns the flags that the rules set to yes whenever they write a cell: the cell of each flag, and its name with the seat. Empty if the
/// rules never write the cell.
pub(super) fn flags_set_with(rules: &Ruleset, cell: usize) -> Vec<(usize, String)> {
    let Some((target, seat)) = write_target(rules, cell) else { return Vec::new() };
    let ops = &rules.ops.all;
    let writes = |op: &Op| matches!(op, Op::Write { written } if same_target(&written.0, &target));
    let mut flags: Option<Vec<Target>> = None;
    for at in (0..ops.len()).filter(|&at| writes(&ops[at])) {
        let here = flags_set_beside(rules, ops, at);
        flags = Some(match flags {
            None => here,
            Some(known) => known.into_iter().filter(|flag| here.iter().any(|other| same_target(flag, other))).collect(),
        });
    }
    // The flag that ends turns has a line of its own, and has no effect in a step that runs alone.
    let ends_turns = |flag: &Target| matches!(flag, Target::Own(offset) if rules.turns.iter().any(|turns| turns.passed == Some(*offset)));
    flags.unwrap_or_default().iter().filter(|flag| !ends_turns(flag)).filter_map(|flag| flag_cell(rules, flag, seat)).collect()
}

/// Returns the variable that a cell belongs to, as the target of a statement, and its seat.
fn write_target(rules: &Ruleset, cell: usize) -> Option<(Target, usize)> {
    let holds = |variable: &&Variable, cell: usize| variable.offset as usize == cell && variable.len == 1;
    if rules.table.iter().any(|variable| holds(&variable, cell)) {
        return Some((Target::Global(u32::try_from(cell).ok()?), 0));
    }
    (0..rules.players).find_map(|seat| {
        let variable = rules.seat.iter().find(|variable| variable.len == 1 && rules.layout.seat(seat, variable.offset as usize) == cell)?;
        Some((Target::Own(variable.offset), seat))
    })
}

fn same_target(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::Global(a), Target::Global(b)) => a == b,
        (Target::Own(a), Target::Own(b)) => a == b,
        _ => false,
    }
}

/// Returns the flags that the statements directly before and after a write set to yes.
fn flags_set_beside(rules: &Ruleset, ops: &[Op], at: usize) -> Vec<Target> {
    let is_write = |op: &&Op| matches!(op, Op::Write { .. });
    let before = ops[..at].iter().rev().take_while(is_write);
    let behind = ops[at + 1..].iter().take_while(is_write);
    before.chain(behind).filter_map(|op| set_to_yes(rules, op)).collect()
}

fn set_to_yes(rules: &Ruleset, op: &Op) -> Option<Target> {
    let Op::Write { written } = op else { return None };
    let (target, write, value) = &**written;
    let is_yes = *write == Write::Set && rules.graph.constant(*value) == Some(1);
    (is_yes && flag_cell(rules, target, 0).is_some()).then_some(*target)
}

/// Returns the cell of a flag and its name, with the seat if each player has one.
fn flag_cell(rules: &Ruleset, target: &Target, seat: usize) -> Option<(usize, String)> {
    let flag = |variables: &[Variable], offset: usize| {
        let found = variables.iter().find(|variable| variable.sort == VariableSort::Flag && variable.offset as usize == offset);
        found.map(|variable| variable.name.clone())
    };
    match target {
        Target::Global(cell) => flag(&rules.table, *cell as usize).map(|name| (*cell as usize, name)),
        Target::Own(offset) => {
            let name = flag(&rules.seat, *offset as usize)?;
            Some((rules.layout.seat(seat, *offset as usize), format!("p{}.{name}", seat + 1)))
        }
        Target::GlobalAt(..) | Target::OwnAt(..) | Target::Counter(..) | Target::CounterAt(..) => None,
        Target::OfSeat(..) | Target::OfSeatAt(..) => None,
    }
}
