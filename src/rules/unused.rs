//! Unused definitions. A definition counts as used if only a script or a variant uses it.

use super::compile::GameText;
use super::defs::{DefKind, Definition};
use super::problem::RuleProblem;
use crate::diagnostic::Diagnostic;
use crate::engine::node::Type;
use std::collections::BTreeSet;

impl GameText {
    /// Returns a warning for each declared name that nothing uses.
    pub fn unused_definitions(&self) -> Vec<Diagnostic> {
        let checked = self.checked();
        let of_cards = self.content.cards.iter().flat_map(|card| &card.entries);
        let entries = of_cards.chain(self.content.kinds.iter().flat_map(|kind| &kind.entries));
        let scripts = entries.flat_map(|entry| entry.parts()).map(|part| part.script.text.as_str());
        let words = scripts.flat_map(|script| script.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        let named: BTreeSet<&str> = words.collect();
        let in_script = |one: &Definition| one.name.split([' ', '.']).any(|part| named.contains(part));
        let unread = checked.unread.iter().map(|&(def, written)| (&checked.rules.defs[def], written));
        let warning = |(one, written): (&Definition, bool)| {
            let what = one.kind.describe().split_once(' ').map_or("", |(_, what)| what);
            Some(RuleProblem::Unused { what, name: one.name.clone(), written }.at(one.span?))
        };
        // Whose spaces a counter holds is used wherever that counter is.
        let holds = |over: &Type, one: &Definition| {
            checked.rules.boards.iter().any(|board| *over == Type::Space(board.kind) && board.name == one.name)
        };
        let is_held = |one: &Definition| {
            let mut variables = checked.rules.defs.all().map(|(_, variable)| &variable.kind);
            variables.any(|kind| matches!(kind, DefKind::Variable { over: Some(over), .. } if holds(over, one)))
        };
        unread.filter(|(one, _)| should_be_used(one) && !in_script(one) && !is_held(one)).filter_map(warning).collect()
    }
}

/// Whether an unused definition of this kind deserves a warning. Stats do not, since players see them, and neither do things that only
/// cards may change.
fn should_be_used(one: &Definition) -> bool {
    match one.kind {
        DefKind::Variable { .. } | DefKind::Constant | DefKind::Option(_) | DefKind::Define | DefKind::Condition | DefKind::Rank(_) => true,
        DefKind::Effect(_) | DefKind::Kind(_) | DefKind::Zone(_) | DefKind::Pool(_) | DefKind::Symbol(_) | DefKind::Words(_) => true,
        DefKind::Purse | DefKind::RowWord(_) | DefKind::Field(_) | DefKind::Place { .. } => true,
        DefKind::Quantity { stat, .. } => !stat && !one.name.contains('.'),
        DefKind::Token(_) | DefKind::TokenKind(_) | DefKind::Standing | DefKind::Moment(_) | DefKind::Loss(_) => false,
        DefKind::Action | DefKind::Phase | DefKind::Step | DefKind::Card(_) | DefKind::Broken => false,
    }
}
