//! Checks what takes words out of sets, and what empties sets and tallies.

use super::super::defs::DefKind;
use super::super::syntax::ast::{self, Name};
use super::super::typed::StmtKind;
use super::{Checker, boards};
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;

/// Checks `remove WORD from SET`.
pub(super) fn check_removal(checker: &mut Checker<'_>, value: &ast::Expr, set: &Name) -> Option<StmtKind> {
    if let Some((card, set, over)) = boards::split_on_card(checker, set, VariableSort::Set) {
        let word = checker.check_expr(value, &[over.word_type()]);
        return card.map(|card| StmtKind::RemoveFromSet { card: Some(card), set, word });
    }
    let is_set = |what: &DefKind| matches!(what, DefKind::Variable { sort: VariableSort::Set, .. });
    let set = checker.resolve_sort(set, "a set of the player", is_set);
    let over = set.and_then(|set| checker.rules.defs.words_of(set));
    let Some((set, (_, over))) = set.zip(over) else {
        checker.infer(value, Some(Type::Resource));
        return None;
    };
    Some(StmtKind::RemoveFromSet { card: None, set, word: checker.check_expr(value, &[over.word_type()]) })
}

/// Checks `clear SET` and `clear TALLY`.
pub(super) fn check_clear(checker: &mut Checker<'_>, name: &Name) -> Option<StmtKind> {
    for sort in [VariableSort::Set, VariableSort::Tally] {
        if let Some((card, variable, _)) = boards::split_on_card(checker, name, sort) {
            return card.map(|card| StmtKind::Clear { card: Some(card), variable });
        }
    }
    let has_words = |what: &DefKind| matches!(what, DefKind::Variable { sort: VariableSort::Set | VariableSort::Tally, .. });
    let variable = checker.resolve_sort(name, "a set or a tally", has_words)?;
    Some(StmtKind::Clear { card: None, variable })
}
