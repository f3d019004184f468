//! Checks what adds words to sets and takes them out, and what empties sets and tallies.

use super::super::defs::{DefId, DefKind};
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Expr, StmtKind};
use super::{Checker, boards};
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;

/// Checks what `add WORD to SET` and `remove WORD from SET` are about: the set, with the card that it is on if it is on one, and the word.
pub(super) fn check_member(checker: &mut Checker<'_>, value: &ast::Expr, set: &Name) -> Option<(Option<Expr>, DefId, Expr)> {
    if let Some((card, set, over)) = boards::split_on_card(checker, set, VariableSort::Set) {
        let word = checker.check_expr(value, &[over]);
        return card.map(|card| (Some(card), set, word));
    }
    let is_set = |what: &DefKind| matches!(what, DefKind::Variable { sort: VariableSort::Set, .. });
    let set = checker.resolve_sort(set, "a set", is_set);
    let over = set.and_then(|set| checker.rules.defs.words_of(set));
    let Some((set, (_, over))) = set.zip(over) else {
        checker.infer(value, Some(Type::Resource));
        return None;
    };
    Some((None, set, checker.check_expr(value, &[over])))
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
