//! Checks the ranges of counters, resources and tallies.

use super::super::defs::DefId;
use super::super::syntax::ast;
use super::Checker;
use crate::engine::node::Type;

/// Checks the lowest and the highest number of each value that has a range.
pub(crate) fn check_ranges(checker: &mut Checker<'_>, ranges: Vec<(DefId, &ast::ValueRange)>) {
    for (value, range) in ranges {
        let [from, to] = [&range.from, &range.to].map(|side| checker.check_expr(side, &[Type::Number]));
        checker.rules.ranges.insert(value, (from, to));
    }
}
