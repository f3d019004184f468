//! How many quantities and cached values are evaluated within each other at most.

use houserule_ruleset::Ruleset;
use houserule_ruleset::graph::{ExprId, Read};
use std::collections::HashMap;

/// The most expressions within each other that are looked at.
const MAX_DEPTH: u32 = 1000;

/// Returns the length of the longest chain of quantities and cached values each of which needs the next; `None` if it is too long to be found.
/// A quantity that depends on itself is followed once around: to evaluate it is a fault anyway.
pub fn longest_chain(rules: &Ruleset) -> Option<u32> {
    let mut chains = Chains { rules, known: HashMap::new(), depth: 0 };
    let mut longest = 0;
    for (id, _) in rules.graph.all() {
        longest = longest.max(chains.of(id)?);
    }
    Some(longest)
}

struct Chains<'r> {
    rules: &'r Ruleset,
    /// The longest chain of each expression; 0 while it is being found.
    known: HashMap<ExprId, u32>,
    depth: u32,
}

impl Chains<'_> {
    fn of(&mut self, id: ExprId) -> Option<u32> {
        if let Some(&known) = self.known.get(&id) {
            return Some(known);
        }
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.known.insert(id, 0);
        self.depth += 1;
        let found = self.find(id);
        self.depth -= 1;
        self.known.insert(id, found?);
        found
    }

    fn find(&mut self, id: ExprId) -> Option<u32> {
        let rules = self.rules;
        let expr = rules.graph[id];
        let mut parts: Vec<ExprId> = expr.operands().collect();
        let mut counts = rules.code.value_of(id).is_some();
        expr.each_read(&mut |read| {
            if let Read::Quantity(quantity) = read {
                counts = true;
                parts.extend(rules.code.quantity_body(quantity));
            } else if let Read::Changes(quantity) = read {
                let changes = rules.definitions.iter().flat_map(|definition| &definition.changes);
                let of_quantity = changes.filter(|change| change.quantity == quantity);
                parts.extend(of_quantity.flat_map(|change| change.when.into_iter().chain([change.amount])));
            } else if let Read::Rivals(rank) = read {
                parts.extend(&rules.ranks[usize::from(rank)].rivals);
            }
        });
        let mut longest = 0;
        for part in parts {
            longest = longest.max(self.of(part)?);
        }
        Some(longest + u32::from(counts))
    }
}
