//! Finds out from the program who can lose track of hidden values. An amount that rests on nothing hidden is told, so that whoever knew the
//! value goes on knowing it. What rests on something hidden is not told: neither an amount, nor whether something is written at all.

use super::chance::{end_of_branches, find_hidden_outcomes};
use super::compute::{LocalRange, content_at, find_local_contents, range_of};
use crate::cast;
use crate::graph::{Expr, ExprId, Read, any_part, reads_locals};
use crate::node::NodeId;
use crate::op::{Op, Pc, Target, Write};
use crate::ruleset::Ruleset;
use crate::secrets::Secret;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A point of the program at which something hidden decides what is written to hidden values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The op that is run next.
    pub at: u32,
    /// What decides; `None` for an answer that is kept secret, which only the seat knows that has given it.
    pub condition: Option<NodeId>,
    /// The hidden values that may be written or not.
    pub values: Box<[u16]>,
    /// Whether they may be those of other seats than the current one.
    pub of_all: bool,
}

/// What the program tells about hidden values.
#[derive(Clone, Debug, Default)]
pub struct ValueSecrecy {
    branches: Vec<Branch>,
    /// For each op, whether something hidden decides that it is run.
    decided: Vec<bool>,
    /// For each op, whether its locals may hold what is hidden.
    private_locals: Vec<bool>,
    /// Whether a seat can lose track of each value.
    concealed: Vec<bool>,
    /// The ranges of values, if all that is written to them tells.
    written: Vec<Option<(i64, i64)>>,
    /// The choices that are kept secret because they write hidden values.
    pub(super) choices: Vec<u16>,
    /// For each pool, the first of the hidden pools with which it exchanges tokens; itself if there is none.
    pub pool_groups: Vec<u8>,
}

/// A hidden value that an op writes: its index, and whether it may be that of another seat than the current one.
type Written = (u16, bool);

impl ValueSecrecy {
    /// Computes what the program of a ruleset tells about hidden values.
    pub fn compute(rules: &Ruleset) -> ValueSecrecy {
        if rules.secrets.is_empty() {
            return ValueSecrecy::default();
        }
        let held = find_local_contents(rules);
        Analysis::new(rules, held).run()
    }

    /// Returns the branch before an op.
    pub fn branch_at(&self, pc: Pc) -> Option<&Branch> {
        self.branches.binary_search_by_key(&pc.0, |branch| branch.at).ok().map(|index| &self.branches[index])
    }

    /// Whether something hidden decides that an op is run.
    pub fn is_decided(&self, pc: Pc) -> bool {
        self.decided.get(pc.0 as usize).copied().unwrap_or(false)
    }

    /// Whether the locals may hold what is hidden when an op is run.
    pub fn has_private_locals(&self, pc: Pc) -> bool {
        self.private_locals.get(pc.0 as usize).copied().unwrap_or(false)
    }

    /// Whether a seat can lose track of a hidden value.
    pub fn is_concealed(&self, secret: usize) -> bool {
        self.concealed.get(secret).copied().unwrap_or(false)
    }

    /// Returns the lowest and the highest number that a hidden value can be: as declared, or as far as follows from what is written.
    pub fn range(&self, rules: &Ruleset, secret: usize) -> Option<(i32, i32)> {
        let written = self.written.get(secret).copied().flatten();
        let written = written.and_then(|(low, high)| i32::try_from(low).ok().zip(i32::try_from(high).ok()));
        rules.secrets.get(secret)?.range.or(written)
    }
}

/// The analysis under way.
struct Analysis<'r> {
    rules: &'r Ruleset,
    held: Vec<LocalRange>,
    /// For each routine that is called, by its first op: its ops, and what it writes.
    routines: BTreeMap<u32, (Range<u32>, BTreeSet<Written>)>,
    branches: BTreeMap<u32, Branch>,
    found: ValueSecrecy,
}

impl<'r> Analysis<'r> {
    fn new(rules: &'r Ruleset, held: Vec<LocalRange>) -> Analysis<'r> {
        let count = rules.ops.all.len();
        let found = ValueSecrecy {
            decided: vec![false; count],
            private_locals: vec![false; count],
            concealed: vec![false; rules.secrets.len()],
            written: vec![Some((0, 0)); rules.secrets.len()],
            pool_groups: (0..cast::fit::<u8>(rules.pools.len())).collect(),
            ..ValueSecrecy::default()
        };
        Analysis { rules, held, routines: BTreeMap::new(), branches: BTreeMap::new(), found }
    }

    fn run(mut self) -> ValueSecrecy {
        self.find_routines();
        self.find_secret_answers();
        // What chance has chosen for something hidden is as hidden under its name.
        for outcome in find_hidden_outcomes(self.rules, &self.held) {
            outcome.named.for_each(|pc| self.found.private_locals[pc as usize] = true);
        }
        // What is called from a hidden branch is hidden as well, and may have branches of its own.
        loop {
            let before = self.marks();
            self.find_conditions();
            self.follow_calls();
            if self.marks() == before {
                break;
            }
        }
        self.find_amounts();
        self.group_pools();
        let Analysis { branches, mut found, .. } = self;
        for secret in branches.values().flat_map(|branch| branch.values.iter()) {
            found.concealed[usize::from(*secret)] = true;
        }
        found.branches = branches.into_values().collect();
        found
    }

    fn marks(&self) -> (usize, usize, usize) {
        let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
        (count(&self.found.decided), count(&self.found.private_locals), self.branches.len())
    }

    fn op(&self, pc: u32) -> &'r Op {
        &self.rules.ops.all[pc as usize]
    }

    /// Finds the routines that are called, and all that they write, also through what they call.
    fn find_routines(&mut self) {
        let rules = self.rules;
        let firsts = rules.effects.iter().map(|effect| effect.first_op);
        for first in firsts.chain(rules.choices.iter().filter_map(|choice| choice.action.as_ref()).map(|action| action.first_op)) {
            let end = first.0 + cast::fit::<u32>(rules.ops.routine(first).len());
            self.routines.insert(first.0, (first.0..end, BTreeSet::new()));
        }
        loop {
            let mut grown = Vec::new();
            for (&first, (range, known)) in &self.routines {
                let found = self.written_in(range.clone());
                if found.len() > known.len() {
                    grown.push((first, found));
                }
            }
            if grown.is_empty() {
                return;
            }
            for (first, found) in grown {
                self.routines.entry(first).and_modify(|routine| routine.1 = found);
            }
        }
    }

    /// Returns the hidden values that an op writes itself.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is gained, lost and moved is told")]
    fn written_by(&self, pc: u32) -> Option<Written> {
        let (of_seat, offset, of_other) = match self.op(pc) {
            Op::Write { written } => match written.0 {
                Target::Global(cell) | Target::GlobalAt(cell, ..) => (false, cell, false),
                Target::Own(offset) | Target::OwnAt(offset, ..) => (true, offset.into(), false),
                Target::OfSeat(_, offset) | Target::OfSeatAt(_, (offset, ..)) => (true, offset.into(), true),
                Target::Counter(..) | Target::CounterAt(..) => return None,
            },
            Op::AddBit { offset, .. } | Op::RemoveBit { offset, .. } => (true, (*offset).into(), false),
            _ => return None,
        };
        let is_it = |secret: &crate::secrets::Secret| {
            let first = u32::from(secret.offset);
            secret.pool.is_none() && secret.of_seat == of_seat && (first..first + u32::from(secret.len)).contains(&offset)
        };
        let secret = self.rules.secrets.iter().position(is_it)?;
        Some((cast::fit::<u16>(secret), of_other))
    }

    /// Returns the hidden values that a range of ops writes, also through what it calls.
    fn written_in(&self, range: Range<u32>) -> BTreeSet<Written> {
        let mut found = BTreeSet::new();
        for pc in range {
            found.extend(self.written_by(pc));
            if let Op::Call { effect, .. } = self.op(pc) {
                let first = self.rules.effects[usize::from(*effect)].first_op;
                found.extend(self.routines.get(&first.0).into_iter().flat_map(|routine| routine.1.iter().copied()));
            }
        }
        found
    }

    /// Whether another seat may be the current one in a range of ops, or values of other seats are written.
    fn is_of_all(&self, range: Range<u32>, written: &BTreeSet<Written>) -> bool {
        let turns_to_others = |pc: u32| {
            matches!(self.op(pc), Op::EachPlayer { .. } | Op::NextPlayer { .. } | Op::As { .. } | Op::Simultaneous { .. } | Op::Call { .. })
        };
        written.iter().any(|written| written.1) || range.into_iter().any(turns_to_others)
    }

    fn add_branch(&mut self, at: u32, condition: Option<NodeId>, range: Range<u32>, of_all: bool) {
        let written = self.written_in(range.clone());
        if written.is_empty() {
            return;
        }
        let of_all = of_all || self.is_of_all(range, &written);
        let values: BTreeSet<u16> = written.into_iter().map(|written| written.0).collect();
        let branch = Branch { at, condition, values: values.into_iter().collect(), of_all };
        let known = self.branches.entry(at).or_insert_with(|| branch.clone());
        if *known != branch {
            // Two of them begin at the same op: all that either may write is forgotten.
            let values: BTreeSet<u16> = known.values.iter().chain(&branch.values).copied().collect();
            let condition = known.condition.filter(|condition| Some(*condition) == branch.condition);
            *known = Branch { at, condition, values: values.into_iter().collect(), of_all: known.of_all || of_all };
        }
    }

    /// Finds the answers and actions that write hidden values. Answers to the same question that do nothing at all are as secret.
    fn find_secret_answers(&mut self) {
        let rules = self.rules;
        for pc in 0..cast::fit::<u32>(rules.ops.all.len()) {
            let (Op::Ask { question, list } | Op::NextPick { question, list }) = self.op(pc) else { continue };
            let begins = &rules.ops.choices[*list as usize];
            let bodies: Vec<(u16, Range<u32>)> = rules.questions[*question as usize]
                .choices
                .iter()
                .zip(begins.windows(2))
                .map(|(&choice, run)| (choice, run[0].0..run[1].0))
                .collect();
            let writes = |(_, range): &&(u16, Range<u32>)| !self.written_in(range.clone()).is_empty();
            let is_silent = |range: &Range<u32>| range.clone().all(|pc| matches!(self.op(pc), Op::Jump { .. }));
            let secret: Vec<(u16, Range<u32>)> = bodies.iter().filter(writes).cloned().collect();
            if secret.is_empty() {
                continue;
            }
            let silent: Vec<(u16, Range<u32>)> = bodies.iter().filter(|body| is_silent(&body.1)).cloned().collect();
            for (choice, body) in secret.iter().chain(&silent) {
                self.found.choices.push(*choice);
                secret.iter().for_each(|(_, range)| self.add_branch(body.start, None, range.clone(), false));
            }
            for (_, range) in secret {
                self.mark_as_private(range);
            }
        }
        for (choice, action) in (0..).zip(&rules.choices).filter_map(|(index, choice)| Some((index, choice.action.as_ref()?))) {
            let Some((range, written)) = self.routines.get(&action.first_op.0).cloned() else { continue };
            if !written.is_empty() {
                self.found.choices.push(choice);
                self.add_branch(range.start, None, range.clone(), false);
                self.mark_as_private(range);
            }
        }
    }

    fn mark_as_private(&mut self, range: Range<u32>) {
        for pc in range {
            self.found.decided[pc as usize] = true;
            self.found.private_locals[pc as usize] = true;
        }
    }

    /// Whether the value of an expression may be hidden where an op reads it.
    fn is_hidden_at(&self, pc: u32, value: NodeId) -> bool {
        rests_on_hidden(self.rules, value) || self.found.private_locals[pc as usize] && reads_locals(&self.rules.graph, value)
    }

    /// Finds the ops that go on in different ways by what is hidden.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all other operations go on in one way")]
    fn find_conditions(&mut self) {
        for pc in 0..cast::fit::<u32>(self.rules.ops.all.len()) {
            let (condition, end, of_all) = match self.op(pc) {
                Op::Unless { condition, to } => (Some(*condition), end_of_branches(self.rules, *to), false),
                Op::Until { condition, end } | Op::NextPass { condition, end } => (Some(*condition), end.0, false),
                Op::Repeat { times } => match self.rules.ops.all.get(pc as usize + 1) {
                    Some(Op::NextTime { end }) => (Some(*times), end.0, false),
                    Some(_) | None => continue,
                },
                Op::NextPlayer { filter: Some(filter), end } => (Some(*filter), end.0, true),
                Op::Simultaneous { filter: Some(filter), end, .. } => (Some(*filter), end.0, true),
                Op::As { seat, end } => (Some(*seat), end.0, true),
                Op::EachCard { set } => match self.rules.ops.all.get(pc as usize + 1) {
                    Some(Op::NextCard { end, .. }) if self.may_hide(*set) => (None, end.0, false),
                    Some(_) | None => continue,
                },
                _ => continue,
            };
            if condition.is_some_and(|condition| !self.is_hidden_at(pc, condition)) {
                continue;
            }
            // What a private local holds, only the seat knows whose it is.
            let by_local =
                condition.is_none_or(|condition| self.found.private_locals[pc as usize] && reads_locals(&self.rules.graph, condition));
            self.add_branch(pc, condition.filter(|_| !by_local), pc + 1..end, of_all);
            (pc + 1..end).for_each(|pc| self.found.decided[pc as usize] = true);
        }
    }

    /// Whether the cards of a set may lie where somebody does not see them.
    fn may_hide(&self, set: u32) -> bool {
        let set = &self.rules.sets[set as usize];
        set.filter.is_some() || set.places.iter().any(|&place| self.rules.places[usize::from(place)].hidden)
    }

    /// Hands on what is so at a call to the routine that is called.
    fn follow_calls(&mut self) {
        for pc in 0..cast::fit::<u32>(self.rules.ops.all.len()) {
            let Op::Call { effect, args } = self.op(pc) else { continue };
            let first = self.rules.effects[usize::from(*effect)].first_op;
            let Some((range, _)) = self.routines.get(&first.0).cloned() else { continue };
            let private = args.iter().any(|arg| self.is_hidden_at(pc, *arg));
            let decided = self.found.decided[pc as usize];
            for pc in range {
                self.found.decided[pc as usize] |= decided;
                self.found.private_locals[pc as usize] |= private;
            }
        }
    }

    /// Finds out of which values an amount is hidden, and the range of what is written.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write no variables")]
    fn find_amounts(&mut self) {
        for pc in 0..cast::fit::<u32>(self.rules.ops.all.len()) {
            let amounts: (Option<NodeId>, Vec<NodeId>) = match self.op(pc) {
                Op::Write { written } => {
                    let index = match written.0 {
                        Target::GlobalAt(.., index) | Target::OwnAt(.., index) => vec![index],
                        Target::OfSeat(seat, _) => vec![seat],
                        Target::OfSeatAt(seat, (.., index)) => vec![seat, index],
                        Target::Global(_) | Target::Own(_) | Target::Counter(..) | Target::CounterAt(..) => Vec::new(),
                    };
                    (None, [vec![written.2], index].concat())
                }
                Op::AddBit { index, .. } | Op::RemoveBit { index, .. } => (None, vec![*index]),
                Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } | Op::Pay { amount, resource } => {
                    (Some(*resource), vec![*amount])
                }
                Op::Mix { amount, .. } => (Some(*amount), vec![*amount]),
                Op::Costs { choice } => {
                    let costs = self.rules.choices[usize::from(*choice)].costs.iter().filter(|cost| cost.tokens.is_none());
                    let costs: Vec<(u16, NodeId)> = costs.map(|cost| (cost.resource.into(), cost.amount)).collect();
                    for (resource, amount) in costs {
                        if self.is_hidden_at(pc, amount) {
                            self.conceal_resource(Some(resource));
                        }
                    }
                    continue;
                }
                Op::PayCard | Op::PayFirst { .. } => {
                    self.conceal_resource(None);
                    continue;
                }
                Op::Script { script } => {
                    let text = self.rules.scripts[*script as usize].text.as_str();
                    let named: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
                    for (index, secret) in self.rules.secrets.iter().enumerate() {
                        if named.contains(self.rules.names.text(secret.name)) {
                            self.found.concealed[index] = true;
                            self.found.written[index] = None;
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let hidden = amounts.1.iter().any(|amount| self.is_hidden_at(pc, *amount));
            if let Some(resource) = amounts.0 {
                let known = self.rules.graph.constant(resource).and_then(|resource| u16::try_from(resource).ok());
                let known = known.filter(|_| !matches!(self.op(pc), Op::Mix { .. }));
                for (index, secret) in self.rules.secrets.iter().enumerate() {
                    if secret.of_seat && known.is_none_or(|known| known == secret.offset) {
                        self.found.written[index] = None;
                    }
                }
                if hidden {
                    self.conceal_resource(known);
                }
                continue;
            }
            let Some((secret, _)) = self.written_by(pc) else { continue };
            let secret = usize::from(secret);
            self.found.concealed[secret] |= hidden;
            let range = match self.op(pc) {
                Op::Write { written } if written.1 == Write::Set => {
                    range_of(self.rules, written.2, &|local| content_at(&self.held, pc, local))
                }
                _ => None,
            };
            let known = self.found.written[secret];
            self.found.written[secret] = known.zip(range).map(|(known, range)| (known.0.min(range.0), known.1.max(range.1)));
        }
    }

    fn conceal_resource(&mut self, resource: Option<u16>) {
        for (index, secret) in self.rules.secrets.iter().enumerate() {
            let is_resource = secret.of_seat && usize::from(secret.offset) < self.rules.resources.len() && secret.pool.is_none();
            if is_resource && resource.is_none_or(|resource| resource == secret.offset) {
                self.found.concealed[index] = true;
                self.found.written[index] = None;
            }
        }
    }

    /// Joins hidden pools between which tokens go.
    fn group_pools(&mut self) {
        for op in &self.rules.ops.all {
            let (Op::Take { from, to, .. } | Op::TakeAtRandom { from, to, .. } | Op::MoveAll { from, to, .. }) = op else { continue };
            if self.rules.pools[usize::from(*from)].hidden && self.rules.pools[usize::from(*to)].hidden {
                let groups = &mut self.found.pool_groups;
                let [a, b] = [*from, *to].map(|pool| groups[usize::from(pool)]);
                groups.iter_mut().filter(|group| **group == a.max(b)).for_each(|group| *group = a.min(b));
            }
        }
    }
}

/// Whether a value may depend on what is printed or counted on cards, on what lies in places, or on hidden values: it may then be unknown
/// to some seats.
pub fn rests_on_hidden(rules: &Ruleset, value: ExprId) -> bool {
    any_part(&rules.graph, value, &|expr| !expr.is_public() || reads_secret(rules, expr))
}

/// Whether a value reads hidden values, such as hidden counters: some seat never knows it for certain.
pub fn reads_hidden_values(rules: &Ruleset, value: ExprId) -> bool {
    any_part(&rules.graph, value, &|expr| reads_secret(rules, expr))
}

/// Whether an expression reads a hidden value itself.
pub(super) fn reads_secret(rules: &Ruleset, expr: Expr) -> bool {
    let is_within = |of_seat: bool, first: u32| {
        let holds = |secret: &Secret| (secret.offset.into()..u32::from(secret.offset) + u32::from(secret.len)).contains(&first);
        rules.secrets.iter().any(|secret| secret.of_seat == of_seat && holds(secret))
    };
    expr.reads_any(|read| {
        if let Read::Own(run) = read {
            is_within(true, run.first)
        } else if let Read::Table(run) = read {
            is_within(false, run.first)
        } else if let Read::Tokens(pool) = read {
            rules.secrets.iter().any(|secret| secret.pool == Some(pool))
        } else {
            false
        }
    })
}
