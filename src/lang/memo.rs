//! Finds what is worth working out once: sums, counts and ranks that depend on nothing but a seat, or on a seat and the index
//! of a row. The same expression in two places shares its bit in the caches.

use super::compile::Compiler;
use crate::engine::node::{Node, NodeId};
use crate::engine::ruleset::Ruleset;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Indices of a row up to this many get a bit each.
const LONGEST_ROW: u8 = 8;

/// Whether working it out goes through cards or players.
fn is_long(node: &Node) -> bool {
    node.card_set().is_some() || node.player_set().is_some() || matches!(node, Node::Rank(..))
}

/// An expression in canonical words, with its locals named by what binds them.
struct Canonical<'r> {
    rules: &'r Ruleset,
    text: String,
    /// Locals bound so far, innermost last.
    bound: Vec<u8>,
    free: BTreeSet<u8>,
    /// Free locals that are read as the index of a row.
    indices: BTreeSet<u8>,
}

impl Canonical<'_> {
    fn local(&mut self, local: u8) {
        match self.bound.iter().rposition(|bound| *bound == local) {
            Some(place) => _ = write!(self.text, "${place} "),
            None => {
                self.free.insert(local);
                self.text.push_str("free ");
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        let rules = self.rules;
        let node = &rules.nodes[id as usize];
        if let Node::Local(local) = node {
            return self.local(*local);
        }
        if let Node::FieldAt(_, _, _, index) | Node::OwnAt(_, _, index) = node
            && let Node::Local(local) = rules.nodes[*index as usize]
            && !self.bound.contains(&local)
        {
            self.indices.insert(local);
        }
        let mut shape = node.clone();
        shape.each_part(|part, _| *part = 0);
        let depth = self.bound.len();
        if let Some(set) = node.card_set() {
            let set = &rules.sets[set as usize];
            let (places, whose, kinds, rows, with) = (&set.places, set.whose, set.kinds, set.rows, set.with);
            let named = format!("{shape:?}");
            let verb = named.split('(').next().unwrap_or("");
            _ = write!(self.text, "({verb} {places:?} {whose:?} {kinds} {rows} {with:?} ");
            self.bound.push(set.local);
            set.filter.iter().for_each(|filter| self.node(*filter));
        } else if let Some(set) = node.player_set() {
            let set = &rules.player_sets[set as usize];
            let named = format!("{shape:?}");
            let verb = named.split('(').next().unwrap_or("");
            _ = write!(self.text, "({verb} {} ", set.others);
            self.bound.push(set.local);
            set.filter.iter().for_each(|filter| self.node(*filter));
        } else {
            _ = write!(self.text, "({shape:?} ");
        }
        self.text.push('/');
        node.parts().into_iter().for_each(|(part, _)| self.node(part));
        self.bound.truncate(depth);
        self.text.push(')');
    }
}

impl Compiler<'_> {
    /// Gives bits to expressions worth it, until there are no more.
    pub(super) fn memoize(&mut self, most: u8) {
        let rules = &self.rules;
        let row = (rules.resources.len() + self.extra_words.len()) as u8;
        // A quantity without arguments is cached by itself.
        let whole: BTreeSet<NodeId> = rules.quantities.iter().filter(|q| q.cached.is_some()).map(|q| q.base).collect();
        let mut bits: BTreeMap<String, u8> = BTreeMap::new();
        let mut found = Vec::new();
        let mut next = rules.cached;
        for id in 0..rules.nodes.len() as NodeId {
            if whole.contains(&id) || !is_long(&rules.nodes[id as usize]) {
                continue;
            }
            let mut canonical = Canonical { rules, text: String::new(), bound: Vec::new(), free: BTreeSet::new(), indices: BTreeSet::new() };
            canonical.node(id);
            let index = match (canonical.free.len(), canonical.free.first()) {
                (0, _) => None,
                (1, Some(local)) if canonical.indices.contains(local) && row <= LONGEST_ROW => Some(*local),
                _ => continue,
            };
            let width = if index.is_some() { row } else { 1 };
            let bit = match bits.get(&canonical.text) {
                Some(bit) => *bit,
                None if next + width <= most => {
                    bits.insert(canonical.text, next);
                    next += width;
                    next - width
                }
                None => continue,
            };
            found.push((id, bit, index));
        }
        self.rules.cached = next;
        for &(id, bit, index) in &found {
            let inner = self.node(self.rules.nodes[id as usize].clone());
            let width = if index.is_some() { row } else { 1 };
            self.spoiled_by(inner, bit, width);
            self.rules.nodes[id as usize] = match index {
                Some(local) => Node::MemoAt(bit, width, local, inner),
                None => Node::Memo(bit, inner),
            };
        }
    }
}
