//! Finds what is worth working out once: sums, counts and ranks that depend on nothing but a seat, or on a seat and the index
//! of a row. The same expression in two places shares its bit in the caches.

use super::compile::Compiler;
use crate::engine::eval::LONGEST_ROW;
use crate::engine::node::{Node, NodeId, RowSum};
use crate::engine::ruleset::Ruleset;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What else an expression depends on, besides the seat.
enum By {
    Nothing,
    /// A local that is the index of a row.
    Local(u8),
    /// The index of a sum of printed rows.
    Row(RowSum, NodeId),
}

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
    /// What gives the index of a row sum.
    index: Option<NodeId>,
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
        if self.index == Some(id) {
            return self.text.push_str("index ");
        }
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
    /// A sum over cards of one of their printed numbers, by index, times what does not depend on it; and what gives the index.
    fn row_sum(&self, sum: NodeId) -> Option<(RowSum, NodeId)> {
        let rules = &self.rules;
        let node = |id: NodeId| &rules.nodes[id as usize];
        let &Node::Sum(set, product) = node(sum) else { return None };
        let &Node::Mul(number, factor) = node(product) else { return None };
        let (number, unchanged) = match node(number) {
            &Node::Plain(quantity, plain, _) => (plain, Some(quantity)),
            _ => (number, None),
        };
        let &Node::FieldAt(card, field, len, at) = node(number) else { return None };
        let cards = &rules.sets[set as usize];
        let index = match node(at) {
            Node::Local(local) if *local != cards.local => Some(*local),
            Node::Const(_) => None,
            _ => return None,
        };
        let reads_index = |id: NodeId| {
            let mut found = false;
            self.visit(id, &mut |part| found |= index.is_some_and(|index| matches!(part, Node::Local(local) if *local == index)));
            found
        };
        let fits = matches!(node(card), Node::Local(local) if *local == cards.local)
            && !reads_index(factor)
            && !cards.filter.is_some_and(reads_index)
            && len as usize <= LONGEST_ROW;
        fits.then_some((RowSum { sum, set, field, len, factor, unchanged }, at))
    }

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
            let row_sum = self.row_sum(id).filter(|_| row as usize <= LONGEST_ROW);
            let mut canonical = Canonical {
                rules,
                text: String::new(),
                bound: Vec::new(),
                free: BTreeSet::new(),
                indices: BTreeSet::new(),
                index: row_sum.as_ref().map(|found| found.1),
            };
            canonical.node(id);
            let by = match (canonical.free.len(), canonical.free.first(), row_sum) {
                (0, _, Some((sum, index))) => By::Row(sum, index),
                (0, _, None) => By::Nothing,
                (1, Some(local), None) if canonical.indices.contains(local) && row as usize <= LONGEST_ROW => By::Local(*local),
                _ => continue,
            };
            let width = if matches!(by, By::Nothing) { 1 } else { row };
            let bit = match bits.get(&canonical.text) {
                Some(bit) => *bit,
                None if next + width <= most => {
                    bits.insert(canonical.text, next);
                    next += width;
                    next - width
                }
                None => continue,
            };
            found.push((id, bit, width, by));
        }
        self.rules.cached = next;
        for (id, bit, width, by) in found {
            let inner = self.node(self.rules.nodes[id as usize].clone());
            self.spoiled_by(inner, bit, width);
            self.rules.nodes[id as usize] = match by {
                By::Nothing => Node::Memo(bit, inner),
                By::Local(local) => Node::MemoAt(bit, width, local, inner),
                By::Row(sum, index) => {
                    self.rules.row_sums.push(RowSum { sum: inner, ..sum });
                    Node::RowSum(bit, width, index, self.rules.row_sums.len() as u32 - 1)
                }
            };
        }
    }
}
