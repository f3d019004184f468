//! Finds what is worth working out once: sums, counts and ranks that depend on nothing but a seat, or on a seat and the index
//! of a row, and whatever the rules name more than once. The same expression in two places shares its bit in the caches.

use super::compile::Compiler;
use crate::engine::node::{Node, NodeId, RowSum};
use crate::engine::quantities::LONGEST_ROW;
use crate::engine::ruleset::Ruleset;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How an expression is used.
struct Use {
    /// Through cards or players.
    long: bool,
    /// Nodes it takes to work it out.
    weight: u32,
    /// Bits it takes.
    width: u8,
    /// How often it stands somewhere.
    count: u32,
}

/// Shorter expressions are worked out anew as quickly as they are looked up.
const LEAST_WEIGHT: u32 = 4;
/// Longer ones are hardly ever the same.
const MOST_WEIGHT: u32 = 300;
/// Expressions are nested less deep than this.
const DEEPEST: u32 = 200;

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
    let of_tokens = matches!(node, Node::CountTokens(..) | Node::ShownIn(..) | Node::Payable(..));
    node.card_set().is_some() || node.player_set().is_some() || of_tokens || matches!(node, Node::Rank(..))
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
        match node {
            Node::ShownBy(local, _) => self.local(*local),
            Node::CountTokens(set, _) => {
                // Sets are numbered as they are written: the same words twice are two sets.
                let set = &rules.token_sets[*set as usize];
                set.of.iter().chain(&set.showing).for_each(|part| self.node(*part));
            }
            _ => {}
        }
        let mut shape = node.clone();
        shape.each_part(|part, _| *part = 0);
        let depth = self.bound.len();
        let (local, filter, reads) = if let Some(set) = node.card_set() {
            let set = &rules.sets[set as usize];
            (set.local, set.filter, format!("{:?} {:?} {} {} {:?}", set.places, set.whose, set.kinds, set.rows, set.with))
        } else if let Some(set) = node.player_set() {
            let set = &rules.player_sets[set as usize];
            (set.local, set.filter, set.others.to_string())
        } else {
            (u8::MAX, None, String::new())
        };
        if reads.is_empty() {
            _ = write!(self.text, "({shape:?} ");
        } else {
            // Sets are numbered as they are written: what they mean is spelt out.
            let named = format!("{shape:?}");
            _ = write!(self.text, "({} {reads} ", named.split('(').next().unwrap_or(""));
            self.bound.push(local);
            filter.iter().for_each(|filter| self.node(*filter));
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

    /// Gives bits to expressions worth it, until there are no more: first to those that go through cards or players, then to
    /// those that are written, or meant by a definition, more than once.
    pub(super) fn memoize(&mut self, most: u8) {
        let rules = &self.rules;
        let row = (rules.resources.len() + self.extra_words.len()) as u8;
        // A quantity without arguments is cached by itself.
        let whole: BTreeSet<NodeId> = rules.quantities.iter().filter(|q| q.cached.is_some()).map(|q| q.base).collect();
        let (weights, named) = self.weights();
        let mut found = Vec::new();
        let mut uses: BTreeMap<String, Use> = BTreeMap::new();
        for id in 0..rules.nodes.len() as NodeId {
            let long = is_long(&rules.nodes[id as usize]);
            let weight = weights[id as usize];
            if whole.contains(&id) || !long && !(LEAST_WEIGHT..=MOST_WEIGHT).contains(&weight) {
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
                (1, Some(local), None) if long && canonical.indices.contains(local) && row as usize <= LONGEST_ROW => By::Local(*local),
                _ => continue,
            };
            let width = if matches!(by, By::Nothing) { 1 } else { row };
            let use_of = uses.entry(canonical.text.clone()).or_insert(Use { long, weight, width, count: 0 });
            use_of.count += named[id as usize].max(1);
            found.push((id, canonical.text, by));
        }
        let mut worth_it: Vec<(&String, &Use)> = uses.iter().filter(|(_, used)| used.long || used.count > 1).collect();
        worth_it.sort_by_key(|(text, used)| (!used.long, std::cmp::Reverse(used.count.saturating_mul(used.weight)), *text));
        let mut next = rules.cached;
        let mut bits: BTreeMap<String, (u8, u8)> = BTreeMap::new();
        for (text, &Use { width, .. }) in worth_it {
            if next + width <= most {
                bits.insert(text.clone(), (next, width));
                next += width;
            }
        }
        self.rules.cached = next;
        for (id, text, by) in found {
            let Some(&(bit, width)) = bits.get(&text) else { continue };
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

    /// Of each node how many nodes it takes to work it out, and by how many others it is named.
    fn weights(&self) -> (Vec<u32>, Vec<u32>) {
        let rules = &self.rules;
        let mut named = vec![0; rules.nodes.len()];
        let mut weights = vec![0; rules.nodes.len()];
        fn weigh(rules: &Ruleset, id: NodeId, weights: &mut [u32], depth: u32) -> u32 {
            if weights[id as usize] == 0 && depth < DEEPEST {
                let parts = super::spoil::children(rules, id);
                weights[id as usize] =
                    parts.into_iter().fold(1, |sum: u32, part| sum.saturating_add(weigh(rules, part, weights, depth + 1)));
            }
            weights[id as usize].max(1)
        }
        for id in 0..rules.nodes.len() as NodeId {
            weigh(rules, id, &mut weights, 0);
            super::spoil::children(rules, id).into_iter().for_each(|part| named[part as usize] += 1);
        }
        (weights, named)
    }
}
