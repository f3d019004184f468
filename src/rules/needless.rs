//! What is declared and never used. What only a script of a card, or only a variant, names is used, too.

use super::compile::GameText;
use super::defs::{Definition, What};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::VariableSort;
use std::collections::BTreeSet;

impl GameText {
    /// A warning for each name of the rules that nothing uses.
    pub fn needless(&self) -> Vec<Diagnostic> {
        let checked = self.checked();
        let entries =
            self.content.cards.iter().flat_map(|card| &card.entries).chain(self.content.kinds.iter().flat_map(|kind| &kind.entries));
        let scripts = entries.flat_map(|entry| entry.parts()).map(|part| part.script.text.as_str());
        let named: BTreeSet<&str> =
            scripts.flat_map(|script| script.split(|letter: char| !letter.is_alphanumeric() && letter != '_')).collect();
        let in_script = |one: &Definition| one.name.split([' ', '.']).any(|part| named.contains(part));
        let unread = checked.unread.iter().map(|&(def, written)| (&checked.rules.defs[def], written));
        let told = unread.filter(|(one, _)| is_told(one) && !in_script(one));
        told.filter_map(|(one, written)| {
            let wrong = Diagnostic::warning("R020", one.span?, message(one, written)).label("declared here");
            Some(wrong.help("use it, or take it away; perhaps something else was meant where it should be used"))
        })
        .collect()
    }
}

fn message(one: &Definition, written: bool) -> String {
    let what = one.what.words().split_once(' ').map_or("", |(_, what)| what);
    match written {
        true => format!("{what} `{}` is written, but nothing reads it", one.name),
        false => format!("nothing uses {what} `{}`", one.name),
    }
}

/// Whether rules or cards have to use it. Stats are for people to see, and cards may change what the rules only declare.
fn is_told(one: &Definition) -> bool {
    match one.what {
        What::Variable { sort, .. } => sort != VariableSort::Resource,
        What::Constant | What::Option(_) | What::Define | What::Condition | What::Rank(_) | What::Effect(_) | What::Kind(_) => true,
        What::Zone(_) | What::Pool(_) | What::Symbol(_) | What::RowWord(_) | What::Field(_) | What::Place { .. } => true,
        What::Quantity { stat, .. } => !stat && !one.name.contains('.'),
        What::Token(_) | What::TokenKind(_) | What::Standing | What::Moment(_) | What::Loss(_) => false,
        What::Action | What::Phase | What::Step | What::Card(_) | What::Broken => false,
    }
}
