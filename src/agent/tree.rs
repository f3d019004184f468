//! The search tree: questions as nodes, answers as branches with statistics.

use crate::cast;
use crate::engine::Opt;
use crate::engine::decision::Question;
use crate::state::layout::head::MAX_SEATS;

/// The reward of each seat at a leaf.
pub type Rewards = [f64; MAX_SEATS];

/// Weight of the exploration term of PUCT, for rewards scaled to 0..1.
const EXPLORATION: f64 = 0.5;
/// Fraction of the prior probability that is spread evenly over all answers, since a move that looks bad at first may turn out well.
const UNIFORM_SHARE: f64 = 0.1;
/// Number of answers that are considered at the first visit of a question.
const MIN_BRANCHES: usize = 2;

/// A node of the search tree: a question, with those of its answers that have been offered so far.
#[derive(Debug, Default)]
struct TreeNode {
    visits: u32,
    /// The answers in the order in which they are considered.
    branches: Vec<Branch>,
}

/// One answer to the question of a node.
#[derive(Debug)]
struct Branch {
    key: u64,
    /// Prior probability of the answer, before any visit; the priors of a node sum to 1.
    prior: f64,
    visits: u32,
    /// Sum of the rewards that the asked seat got in all visits of this answer.
    reward_sum: f64,
    /// The questions that followed this answer. Chance and hidden information may lead to different ones.
    children: Vec<Child>,
}

/// A question in the tree and its node.
#[derive(Debug)]
struct Child {
    revealed: u64,
    seat: usize,
    question: Question,
    node: usize,
}

/// What came before a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Above {
    /// The last answer that the asked seat knows of, as node and branch; `None` where nothing that is known was answered since the root.
    pub answer: Option<(usize, usize)>,
    /// A hash of answers that were secret and became known after that one; 0 if there are none.
    pub revealed: u64,
}

/// A search tree, whose node 0 is the question that must be answered.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    /// For each node the seat that it asks.
    seats: Vec<u8>,
    /// The questions that other seats answer without knowing what was answered at the root.
    beside_root: Vec<Child>,
    /// The lowest and the highest reward of each seat so far.
    bounds: [Option<(f64, f64)>; MAX_SEATS],
}

impl Tree {
    /// Resets the tree to an unexpanded root, a question to this seat.
    pub fn clear(&mut self, seat: usize) {
        self.nodes.clear();
        self.seats.clear();
        self.beside_root.clear();
        self.bounds = [None; MAX_SEATS];
        self.nodes.push(TreeNode::default());
        self.seats.push(cast::seat(seat));
    }

    /// Returns the seat that a node asks.
    pub fn seat_of(&self, node: usize) -> usize {
        self.seats[node].into()
    }

    /// Whether a node has been expanded, that is whether it has branches for its answers.
    pub fn is_expanded(&self, node: usize) -> bool {
        !self.nodes[node].branches.is_empty()
    }

    /// Expands a node: assigns prior probabilities to its answers by their values. Answers that meet a fault come last, and of
    /// equal ones those with the lower value of `tie` first.
    pub fn expand(&mut self, node: usize, options: &[Opt], values: &[Option<i64>], tie: impl Fn(u64) -> u64) {
        let best = values.iter().flatten().max().copied().unwrap_or(0);
        let mut behind: Vec<i64> = values.iter().flatten().map(|value| best - value).filter(|behind| *behind > 0).collect();
        behind.sort_unstable();
        let usual = behind.get(behind.len() / 2).copied().unwrap_or(1) as f64;
        let promise = |value: Option<i64>| {
            let behind = value.map_or(10.0, |value| (best - value) as f64 / usual);
            1.0 / (0.1 + behind * behind)
        };
        let all: f64 = values.iter().map(|value| promise(*value)).sum();
        let prior = |value: Option<i64>| UNIFORM_SHARE / values.len() as f64 + (1.0 - UNIFORM_SHARE) * promise(value) / all;
        let branch = |(option, value): (&Opt, &Option<i64>)| {
            (*value, Branch { key: option.key, prior: prior(*value), visits: 0, reward_sum: 0.0, children: Vec::new() })
        };
        let mut branches: Vec<(Option<i64>, Branch)> = options.iter().zip(values).map(branch).collect();
        branches.sort_by_key(|(value, branch)| (std::cmp::Reverse(*value), tie(branch.key)));
        self.nodes[node].branches = branches.into_iter().map(|(_, branch)| branch).collect();
    }

    /// Selects the answer to try next, as a branch and as an index of the options offered in this state.
    pub fn select(&mut self, node: usize, options: &[Opt]) -> Option<(usize, usize)> {
        let bounds = self.bounds[self.seats[node] as usize];
        let TreeNode { visits, branches } = &mut self.nodes[node];
        // Answers that were not offered before get a small prior.
        if options.len() > branches.len() || !options.iter().all(|option| branches.iter().any(|branch| branch.key == option.key)) {
            let least = branches.last().map_or(1.0, |branch| branch.prior);
            for option in options {
                if !branches.iter().any(|branch| branch.key == option.key) {
                    branches.push(Branch { key: option.key, prior: least, visits: 0, reward_sum: 0.0, children: Vec::new() });
                }
            }
        }
        let widest = MIN_BRANCHES + visits.isqrt() as usize;
        let scaled = |reward: f64| bounds.map_or(0.5, |(low, high)| if high > low { (reward - low) / (high - low) } else { 0.5 });
        let found: f64 = branches.iter().map(|branch| branch.reward_sum).sum();
        let unknown = if *visits > 0 { scaled(found / f64::from(*visits)) } else { 0.5 };
        let much = EXPLORATION * f64::from(*visits + 1).sqrt();
        let offered = branches.iter().enumerate().filter_map(|(at, branch)| {
            let option = options.iter().position(|option| option.key == branch.key)?;
            let mean = if branch.visits > 0 { scaled(branch.reward_sum / f64::from(branch.visits)) } else { unknown };
            Some((mean + much * branch.prior / f64::from(1 + branch.visits), at, option))
        });
        let best = offered.take(widest).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.map(|(_, branch, option)| (branch, option))
    }

    /// Returns how many times an answer was visited.
    pub fn visit_count(&self, node: usize, branch: usize) -> u32 {
        self.nodes[node].branches[branch].visits
    }

    /// Returns the node for this question to this seat, which is created if it is new.
    pub fn find_or_add_child(&mut self, above: Above, seat: usize, question: Question) -> usize {
        let new = self.nodes.len();
        let children = above.answer.map_or(&mut self.beside_root, |(node, branch)| &mut self.nodes[node].branches[branch].children);
        let is_same = |child: &&Child| (child.revealed, child.seat, child.question) == (above.revealed, seat, question);
        if let Some(child) = children.iter().find(is_same) {
            return child.node;
        }
        children.push(Child { revealed: above.revealed, seat, question, node: new });
        self.nodes.push(TreeNode::default());
        self.seats.push(cast::seat(seat));
        new
    }

    /// Adds the rewards of a descent to all branches on its path.
    pub fn back_propagate(&mut self, path: &[(usize, usize)], rewards: &Rewards) {
        for (bound, &reward) in self.bounds.iter_mut().zip(rewards) {
            let (low, high) = bound.unwrap_or((reward, reward));
            *bound = Some((low.min(reward), high.max(reward)));
        }
        for &(node, branch) in path {
            let seat = self.seats[node] as usize;
            self.nodes[node].visits += 1;
            let branch = &mut self.nodes[node].branches[branch];
            branch.visits += 1;
            branch.reward_sum += rewards[seat];
        }
    }

    /// Returns the mean reward of an answer at the node, if it was tried.
    pub fn mean_reward(&self, node: usize, key: u64) -> Option<f64> {
        let branch = self.nodes[node].branches.iter().find(|branch| branch.key == key && branch.visits > 0)?;
        Some(branch.reward_sum / f64::from(branch.visits))
    }

    /// Returns the keys of the answers of a node, in the order in which they are considered.
    pub fn keys(&self, node: usize) -> impl Iterator<Item = u64> + '_ {
        self.nodes[node].branches.iter().map(|branch| branch.key)
    }

    /// Returns the branch of the answer with this key.
    pub fn branch_of(&self, node: usize, key: u64) -> Option<usize> {
        self.keys(node).position(|found| found == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Act;

    fn options(keys: &[u64]) -> Vec<Opt> {
        keys.iter().map(|&key| Opt { key, act: Act::Done, free: false, nth: 0 }).collect()
    }

    /// Descends from the root the given number of times; each answer gives seat 0 the reward in `brings`, and seat 1 the opposite.
    fn search_tree(seat: usize, promises: &[i64], brings: &[f64], times: usize) -> (Tree, Vec<u32>) {
        let keys: Vec<u64> = (0..promises.len() as u64).collect();
        let offered = options(&keys);
        let mut tree = Tree::default();
        tree.clear(seat);
        tree.expand(0, &offered, &promises.iter().map(|promise| Some(*promise)).collect::<Vec<_>>(), |key| key);
        for _ in 0..times {
            let (branch, option) = tree.select(0, &offered).unwrap();
            let mut rewards = [0.0; MAX_SEATS];
            (rewards[0], rewards[1]) = (brings[option], -brings[option]);
            tree.back_propagate(&[(0, branch)], &rewards);
        }
        let visits = keys.iter().map(|key| tree.nodes[0].branches.iter().find(|branch| branch.key == *key).map_or(0, |b| b.visits));
        let visits = visits.collect();
        (tree, visits)
    }

    #[test]
    fn what_brings_most_is_tried_most_by_whoever_is_asked() {
        let (_, visits) = search_tree(0, &[5, 4, 3], &[1.0, 9.0, 2.0], 300);
        assert!(visits[1] > 200, "{visits:?}");
        let (_, visits) = search_tree(1, &[5, 4, 3], &[1.0, 9.0, 2.0], 300);
        assert!(visits[0] > 200, "seat 1 wants little for seat 0: {visits:?}");
    }

    #[test]
    fn of_two_answers_the_one_that_looks_worse_is_tried_too() {
        for promises in [&[500, 4][..], &[500, 500, 4], &[500, 500, 4, 3]] {
            let brings: Vec<f64> = promises.iter().map(|promise| if *promise == 4 { 9.0 } else { 1.0 }).collect();
            let (_, visits) = search_tree(0, promises, &brings, 100);
            let better = promises.iter().position(|promise| *promise == 4).unwrap();
            assert!(visits.iter().enumerate().all(|(at, tried)| at == better || *tried < visits[better]), "{visits:?}");
        }
    }

    #[test]
    fn what_promises_little_is_looked_at_only_when_there_is_time() {
        let promises: Vec<i64> = (0..50).map(|nth| 100 - nth).collect();
        let tried = |times| search_tree(0, &promises, &[0.0; 50], times).1.iter().filter(|visits| **visits > 0).count();
        assert!(tried(9) <= MIN_BRANCHES + 3, "{}", tried(9));
        assert!(tried(400) > tried(9));
    }

    #[test]
    fn another_question_after_the_same_answer_is_another_node() {
        let (mut tree, _) = search_tree(0, &[5, 4], &[1.0, 2.0], 9);
        let mut child = |revealed, seat, question| tree.find_or_add_child(Above { answer: Some((0, 0)), revealed }, seat, question);
        let asked = [(0, 0, Question::Cover), (0, 1, Question::Cover), (0, 1, Question::Payment), (7, 1, Question::Cover)];
        let found = asked.map(|(revealed, seat, question)| child(revealed, seat, question));
        assert_eq!(found.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{found:?}");
        assert_eq!(child(7, 1, Question::Cover), found[3]);
        assert_eq!(found.map(|node| tree.seats[node]), [0, 1, 1, 1]);
        let beside = tree.find_or_add_child(Above::default(), 1, Question::Cover);
        assert!(!found.contains(&beside), "what is answered without knowing the answer at the root");
        assert_eq!(tree.find_or_add_child(Above::default(), 1, Question::Cover), beside);
    }

    #[test]
    fn equally_promising_answers_are_considered_by_chance() {
        let keys = |tie: fn(u64) -> u64| {
            let mut tree = Tree::default();
            tree.clear(0);
            tree.expand(0, &options(&[1, 2, 3]), &[Some(5), Some(7), Some(5)], tie);
            tree.keys(0).collect::<Vec<_>>()
        };
        assert_eq!((keys(|key| key), keys(|key| 9 - key)), (vec![2, 1, 3], vec![2, 3, 1]));
    }

    #[test]
    fn only_what_is_offered_this_time_is_chosen() {
        let (mut tree, _) = search_tree(0, &[5, 4, 3], &[9.0, 1.0, 1.0], 50);
        let offered = options(&[2, 7]);
        let mut chosen = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let (branch, option) = tree.select(0, &offered).unwrap();
            chosen.insert(offered[option].key);
            tree.back_propagate(&[(0, branch)], &[1.0; MAX_SEATS]);
        }
        assert_eq!(chosen.into_iter().collect::<Vec<_>>(), [2, 7], "also what was not offered before");
        assert_eq!(tree.select(0, &[]), None);
    }
}
