//! Lowers the ranges of counters, resources and tallies, and checks that machine players can imagine what is hidden.

use super::super::defs::{DefId, DefKind, Owner};
use super::super::problem::RuleProblem;
use super::Lowerer;
use crate::cast;
use crate::engine::hidden::ValueSecrecy;
use crate::engine::ruleset::{Variable, VariableSort};
use crate::engine::secrets::Bound;

/// The greatest number of a range, and the greatest below 0.
const MAX_NUMBER: i64 = 1_000_000;

/// Lowers the ranges: they may depend on the choice of players and options.
pub(crate) fn lower_ranges(lowerer: &mut Lowerer<'_>) {
    let tree = lowerer.tree;
    for (&value, (from, to)) in &tree.ranges {
        let Some(slot) = lowerer.slots.get(value) else { continue };
        let mut side = |written| match lowerer.constant_value(written) {
            Some(number) if number.abs() <= MAX_NUMBER => Some(number),
            _ => {
                lowerer.diagnostics.push(RuleProblem::RangeBeyond { most: MAX_NUMBER }.at(written.span));
                None
            }
        };
        let (Some(lowest), Some(highest)) = (side(from), side(to)) else { continue };
        let one = &tree.defs[value];
        if lowest > 0 || highest < 0 || one.kind.is_resource() && lowest < 0 {
            let problem = RuleProblem::RangeWithoutBegin { name: one.name.clone(), from: lowest, to: highest };
            lowerer.diagnostics.push(problem.at(from.span.to(to.span)));
            continue;
        }
        let name = lowerer.ruleset.names.add(&one.name);
        let range = (cast::fit::<i32>(lowest), cast::fit::<i32>(highest));
        lowerer.ruleset.bounds.push(Bound { name, slot, range });
        if let Some(secret) = lowerer.ruleset.secrets.iter_mut().find(|secret| secret.slot == slot) {
            secret.range = Some(range);
        }
    }
    // What the sort of a value tells.
    let ruleset = &mut *lowerer.ruleset;
    for secret in ruleset.secrets.iter_mut().filter(|secret| secret.range.is_none() && secret.pool.is_none()) {
        let variables = if secret.slot.owner == Owner::Player { &ruleset.seat } else { &ruleset.table };
        secret.range = variables.iter().find(|variable| variable.offset == secret.slot.offset).and_then(natural_range);
    }
}

/// Returns the numbers that a variable can be by its sort: none for those that are any number.
fn natural_range(variable: &Variable) -> Option<(i32, i32)> {
    let words = cast::fit::<i32>(variable.words.len());
    match variable.sort {
        VariableSort::Flag => Some((0, 1)),
        VariableSort::Set => Some((0, cast::fit::<i32>((1_i64 << words) - 1))),
        VariableSort::Counter if words > 0 => Some((0, words - 1)),
        VariableSort::Counter | VariableSort::Resource | VariableSort::Tally => None,
    }
}

/// Returns the index of a hidden value or pool.
pub(super) fn index_of_secret(lowerer: &Lowerer<'_>, value: DefId) -> u16 {
    let slot = lowerer.slots.get(value);
    let secrets = &lowerer.ruleset.secrets;
    cast::fit::<u16>(slot.and_then(|slot| secrets.iter().position(|secret| secret.slot == slot)).unwrap_or(0))
}

/// Reports hidden values that somebody may not know, and of which nothing says which numbers they can be.
pub(crate) fn report_unbounded_secrets(lowerer: &mut Lowerer<'_>) {
    if lowerer.ruleset.secrets.is_empty() || lowerer.ruleset.ops.all.is_empty() {
        return;
    }
    let secrecy = ValueSecrecy::compute(lowerer.ruleset);
    for &id in &lowerer.tree.hidden_values {
        let (one, index) = (&lowerer.tree.defs[id], usize::from(index_of_secret(lowerer, id)));
        let DefKind::Variable { sort, .. } = one.kind else { continue };
        if !secrecy.is_concealed(index) || secrecy.range(lowerer.ruleset, index).is_some() {
            continue;
        }
        let name = &one.name;
        let write = match sort {
            VariableSort::Resource => format!("resource {name}: 0 to 30, hidden"),
            VariableSort::Tally => format!("tally {name} by …: 0 to 30, hidden"),
            VariableSort::Counter | VariableSort::Flag | VariableSort::Set => format!("counter {name}: 0 to 30, hidden"),
        };
        lowerer.diagnostics.push(RuleProblem::SecretWithoutRange { name: name.to_string(), write }.at(one.span));
    }
}
