//! Quantities that depend on themselves, by what they read or by what cards change of them.

use super::compile::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Compare, Node, NodeId, Ruleset};
use crate::pack::Says;

impl Compiler<'_> {
    /// Calls `f` for every node below and including this one.
    pub fn visit(&self, node: NodeId, f: &mut impl FnMut(&Node)) {
        visit(&self.rules, node, f);
    }

    /// Reports each quantity that depends on itself.
    pub(super) fn tell_circles(&mut self) {
        for quantity in 0..self.rules.quantities.len() {
            if of_quantity(&self.rules, quantity as u16, &[None, None], &mut Vec::new()) != Some(quantity as u16) {
                continue;
            }
            let name = &self.rules.quantities[quantity].name;
            let span = self.symbols.get(name).map(|d| d.span);
            let entries = self.raw_of.iter().flat_map(|card| card.entries.iter().map(move |entry| (card, entry)));
            let changes = |says: &Says| matches!(says, Says::Change { what, when: Some(_), .. } if what.text == *name);
            let changed: Vec<_> = entries.filter(|(_, entry)| changes(&entry.says)).take(3).collect();
            self.diagnostics.push(if changed.is_empty() {
                Self::circle(name, span)
            } else {
                let wrong = Diagnostic::error("R005", span, format!("`{name}` goes round in a circle"));
                let wrong = changed.iter().fold(wrong.label("it depends on itself, by what a card changes"), |wrong, (card, entry)| {
                    wrong.also(entry.span, format!("`{}` changes it, if something holds", card.id.text))
                });
                wrong.help("let the card's `if` read something that does not depend on it")
            });
        }
    }
}

fn visit(rules: &Ruleset, node: NodeId, f: &mut impl FnMut(&Node)) {
    f(&rules.nodes[node as usize]);
    rules.below(node).into_iter().for_each(|part| visit(rules, part, f));
}

/// Whether a condition of a change cannot hold for a quantity with these arguments, because it wants another word.
fn never(rules: &Ruleset, when: NodeId, args: &[Option<NodeId>; 2]) -> bool {
    let constant = |id: NodeId| match rules.nodes[id as usize] {
        Node::Const(value) => Some(value),
        _ => None,
    };
    match rules.nodes[when as usize] {
        Node::And(a, b) => never(rules, a, args) || never(rules, b, args),
        Node::Cmp(Compare::Equal, a, b) => {
            let Node::Local(local @ 1..=2) = rules.nodes[a as usize] else { return false };
            let given = args[local as usize - 1].and_then(constant);
            given.zip(constant(b)).is_some_and(|(given, wanted)| given != wanted)
        }
        _ => false,
    }
}

/// The quantity that is met again on a way from this one.
fn of_quantity(rules: &Ruleset, quantity: u16, args: &[Option<NodeId>; 2], path: &mut Vec<u16>) -> Option<u16> {
    if path.contains(&quantity) {
        return Some(quantity);
    }
    path.push(quantity);
    let q = &rules.quantities[quantity as usize];
    let changes = rules.definitions.iter().flat_map(|definition| &definition.changes).filter(|change| change.quantity == quantity);
    let possible = changes.filter(|change| !change.when.is_some_and(|when| never(rules, when, args)));
    let of_cards = possible.flat_map(|change| [change.when, Some(change.amount)]);
    let circle = [Some(q.base), q.most, q.least].into_iter().chain(of_cards).flatten().find_map(|node| of_node(rules, node, path));
    path.pop();
    circle
}

fn of_node(rules: &Ruleset, node: NodeId, path: &mut Vec<u16>) -> Option<u16> {
    let itself = match &rules.nodes[node as usize] {
        Node::Quantity(quantity, args) => of_quantity(rules, *quantity, args, path),
        Node::Limit(place) => rules.places[*place as usize].limit.and_then(|limit| of_quantity(rules, limit, &[None, None], path)),
        Node::Rank(rank, _) => of_node(rules, rules.ranks[*rank as usize].leaders, path),
        _ => None,
    };
    itself.or_else(|| rules.below(node).into_iter().find_map(|part| of_node(rules, part, path)))
}
