//! Detects variables that the rules always write together, to warn of positions that set only one of them.

use crate::engine::op::{Cells, Op, Target, Write};
use crate::engine::ruleset::{Ruleset, Variable, VariableSort};

/// Returns the flags that the rules set to yes whenever they write a cell: the cell of each flag, and its name with the seat. Empty if the
/// rules never write the cell.
pub(super) fn flags_set_with(rules: &Ruleset, cell: usize) -> Vec<(usize, String)> {
    let Some((target, seat)) = write_target(rules, cell) else { return Vec::new() };
    let ops = &rules.ops.all;
    let writes = |op: &Op| matches!(op, Op::Write { written } if written.0 == target);
    let mut flags: Option<Vec<Target>> = None;
    for at in (0..ops.len()).filter(|&at| writes(&ops[at])) {
        let here = flags_set_beside(rules, ops, at);
        flags = Some(match flags {
            None => here,
            Some(known) => known.into_iter().filter(|flag| here.contains(flag)).collect(),
        });
    }
    // The flag that ends turns has a line of its own, and has no effect in a step that runs alone.
    let ends_turns = |flag: &Target| flag.of != Cells::Table && rules.turns.iter().any(|turns| turns.passed == Some(flag.offset));
    flags.unwrap_or_default().iter().filter(|flag| !ends_turns(flag)).filter_map(|flag| flag_cell(rules, flag, seat)).collect()
}

/// Returns the variable that a cell belongs to, as the target of a statement, and its seat.
fn write_target(rules: &Ruleset, cell: usize) -> Option<(Target, usize)> {
    let holds = |variable: &&Variable, cell: usize| variable.offset as usize == cell && variable.len == 1;
    if let Some(variable) = rules.table.iter().find(|variable| holds(variable, cell)) {
        return Some((Target { of: Cells::Table, offset: variable.offset, element: None }, 0));
    }
    (0..rules.players).find_map(|seat| {
        let variable = rules.seat.iter().find(|variable| variable.len == 1 && rules.layout.seat(seat, variable.offset as usize) == cell)?;
        Some((Target { of: Cells::Seat(None), offset: variable.offset, element: None }, seat))
    })
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
    let offset = usize::from(target.offset);
    match (target.of, target.element) {
        (Cells::Table, None) => Some((offset, flag(&rules.table, offset)?)),
        (Cells::Seat(None), None) => Some((rules.layout.seat(seat, offset), format!("p{}.{}", seat + 1, flag(&rules.seat, offset)?))),
        (Cells::Table | Cells::Seat(_) | Cells::Piece(_), _) => None,
    }
}
