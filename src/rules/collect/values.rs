//! Notes what is said of counters, flags, sets, tallies and resources beside their names: which numbers they can be, and that they are hidden.

use super::super::defs::{DefKind, Owner};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::syntax::parse_expr;
use super::Collected;
use super::members::counter_space;
use crate::source::{FileId, Span};

/// Notes the range of values with these names, and that they are hidden.
pub(super) fn note_values<'t>(
    collected: &mut Collected<'t>,
    names: &[Name],
    owner: Owner,
    range: Option<&'t ast::ValueRange>,
    hidden: Option<Span>,
) {
    for name in names {
        let Some(id) = collected.rules.defs.find_declared(counter_space(owner), &name.text) else { continue };
        let DefKind::Variable { over, sort, .. } = collected.rules.defs[id].kind else { continue };
        if let Some(range) = range {
            // The words of a tally count, and those of a counter are what it holds.
            let is_word = over.is_some() && sort == crate::engine::ruleset::VariableSort::Counter;
            match is_word {
                true => {
                    collected.diagnostics.push(RuleProblem::RangeOfWord { name: name.text.clone() }.at(range.from.span.to(range.to.span)))
                }
                false => collected.ranges.push((id, range)),
            }
        }
        match hidden {
            Some(hidden) if owner == Owner::Card => {
                collected.diagnostics.push(RuleProblem::HiddenOnCard { name: name.text.clone() }.at(hidden));
            }
            Some(_) => _ = collected.rules.hidden_values.insert(id),
            None => {}
        }
    }
}

/// Whether rules that use a condition of this name read its words as a name.
pub(super) fn reads_as_words(name: &str) -> bool {
    let read = parse_expr(FileId(0), name, 0, &mut Vec::new());
    read.is_some_and(|read| matches!(*read.kind, ast::ExprKind::Words(_) | ast::ExprKind::Name(_)))
}
