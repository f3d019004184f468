//! Finds out from the program who can lose track of hidden values. An amount that rests on nothing hidden is told, so that whoever knew the
//! value goes on knowing it. What rests on something hidden is not told: neither an amount, nor whether something is written at all.

use super::Audience;
use super::chance::find_hidden_outcomes;
use super::compute::{LocalRange, content_at, find_local_contents, range_of};
use crate::cast;
use crate::graph::{Expr, ExprId, Read, any_part, reads_locals};
use crate::node::NodeId;
use crate::op::{Cells, Op, Pc, Target, Write};
use crate::ruleset::{Choice, Owner, Ruleset};
use crate::secrets::Secret;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A point of the program at which something hidden decides what is written to hidden values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// What decides; `None` for an answer that is kept secret, which only the seat knows that has given it.
    pub condition: Option<NodeId>,
    /// The hidden values that may be written or not.
    pub values: BTreeSet<u16>,
    /// Whether they may be those of other seats than the current one.
    pub of_all: bool,
}

/// What the program tells about hidden values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueSecrecy {
    /// The branches, each by the op that is run next.
    branches: BTreeMap<u32, Branch>,
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
        let count = rules.ops.all.len();
        let found = ValueSecrecy {
            decided: vec![false; count],
            private_locals: vec![false; count],
            concealed: vec![false; rules.secrets.len()],
            written: vec![Some((0, 0)); rules.secrets.len()],
            pool_groups: (0..cast::fit::<u8>(rules.pools.len())).collect(),
            ..ValueSecrecy::default()
        };
        let by_effect = rules.find_for_effects(|effect, known| written_in(rules, rules.ops.routine_range(effect.first_op), known));
        Analysis { rules, held: find_local_contents(rules), by_effect, found }.run()
    }

    /// Returns the branch before an op.
    pub fn branch_at(&self, pc: Pc) -> Option<&Branch> {
        self.branches.get(&pc.0)
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
    /// What each effect writes, also through what it calls.
    by_effect: Vec<BTreeSet<Written>>,
    found: ValueSecrecy,
}

impl<'r> Analysis<'r> {
    fn run(mut self) -> ValueSecrecy {
        self.find_secret_answers();
        // What chance has chosen for something hidden is as hidden under its name.
        for outcome in find_hidden_outcomes(self.rules, &self.held) {
            outcome.named.for_each(|pc| self.found.private_locals[pc as usize] = true);
        }
        // What is called from a hidden branch is hidden as well, and may have branches of its own.
        let mut before = None;
        while before.as_ref() != Some(&self.found) {
            before = Some(self.found.clone());
            self.find_conditions();
            self.follow_calls();
        }
        self.find_amounts();
        self.group_pools();
        for secret in self.found.branches.values().flat_map(|branch| &branch.values) {
            self.found.concealed[usize::from(*secret)] = true;
        }
        self.found
    }

    fn op(&self, pc: u32) -> &'r Op {
        &self.rules.ops.all[pc as usize]
    }

    /// Returns the hidden values that a range of ops writes, also through what it calls.
    fn written_in(&self, range: Range<u32>) -> BTreeSet<Written> {
        written_in(self.rules, range, &self.by_effect)
    }

    /// Whether another seat may be the current one in a range of ops, or values of other seats are written.
    fn is_of_all(&self, range: Range<u32>, written: &BTreeSet<Written>) -> bool {
        let turns_to_others = |op: &Op| matches!(op, Op::EachPlayer { .. } | Op::Call { .. }) || end_of_seat_block(op).is_some();
        written.iter().any(|written| written.1) || range.into_iter().any(|pc| turns_to_others(self.op(pc)))
    }

    fn add_branch(&mut self, at: u32, condition: Option<NodeId>, range: Range<u32>, of_all: bool) {
        let written = self.written_in(range.clone());
        if written.is_empty() {
            return;
        }
        let of_all = of_all || self.is_of_all(range, &written);
        let branch = self.found.branches.entry(at).or_insert(Branch { condition, values: BTreeSet::new(), of_all });
        // If two of them begin at the same op, all that either may write is forgotten.
        branch.values.extend(written.into_iter().map(|written| written.0));
        branch.condition = branch.condition.filter(|known| Some(*known) == condition);
        branch.of_all |= of_all;
    }

    /// Finds the answers and actions that write hidden values. Answers to the same question that do nothing at all are as secret.
    fn find_secret_answers(&mut self) {
        for bodies in bodies_of_choices(self.rules) {
            let secret: Vec<_> = bodies.iter().filter(|(_, body)| !self.written_in(body.clone()).is_empty()).collect();
            if secret.is_empty() {
                continue;
            }
            let is_silent = |body: &Range<u32>| body.clone().all(|pc| matches!(self.op(pc), Op::Jump { .. }));
            let silent: Vec<_> = bodies.iter().filter(|(_, body)| is_silent(body)).collect();
            for (choice, body) in secret.iter().chain(&silent) {
                self.found.choices.push(*choice);
                secret.iter().for_each(|(_, range)| self.add_branch(body.start, None, range.clone(), false));
            }
            for pc in secret.into_iter().flat_map(|(_, range)| range.clone()) {
                self.found.decided[pc as usize] = true;
                self.found.private_locals[pc as usize] = true;
            }
        }
    }

    /// Whether the value of an expression may be hidden where an op reads it.
    fn is_hidden_at(&self, pc: u32, value: NodeId) -> bool {
        rests_on_hidden(self.rules, value) || self.found.private_locals[pc as usize] && reads_locals(&self.rules.graph, value)
    }

    /// Finds the ops that go on in different ways by what is hidden.
    fn find_conditions(&mut self) {
        for (pc, op) in self.rules.ops.numbered() {
            let Some((values, decided)) = decided_by(self.rules, pc) else { continue };
            let condition = values.first().copied().filter(|_| !matches!(op, Op::EachCard { .. }));
            if matches!(op, Op::EachNumber { .. })
                || matches!(op, Op::EachCard { set } if !self.may_hide(*set))
                || condition.is_some_and(|condition| !self.is_hidden_at(pc, condition))
            {
                continue;
            }
            // What a private local holds, only the seat knows whose it is.
            let by_local =
                condition.is_none_or(|condition| self.found.private_locals[pc as usize] && reads_locals(&self.rules.graph, condition));
            self.add_branch(pc, condition.filter(|_| !by_local), decided.clone(), end_of_seat_block(op).is_some());
            decided.for_each(|pc| self.found.decided[pc as usize] = true);
        }
    }

    /// Whether the cards of a set may lie where somebody does not see them.
    fn may_hide(&self, set: u32) -> bool {
        let set = &self.rules.sets[set as usize];
        set.filter.is_some() || set.cards.places.iter().any(|&place| self.rules.places[usize::from(place)].hidden)
    }

    /// Hands on what is so at a call to the routine that is called.
    fn follow_calls(&mut self) {
        for (pc, op) in self.rules.ops.numbered() {
            let Op::Call { effect, args } = op else { continue };
            let private = args.iter().any(|arg| self.is_hidden_at(pc, *arg));
            let decided = self.found.decided[pc as usize];
            for pc in self.rules.routine_of_effect(*effect) {
                self.found.decided[pc as usize] |= decided;
                self.found.private_locals[pc as usize] |= private;
            }
        }
    }

    /// Finds out of which values an amount is hidden, and the range of what is written.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write no variables")]
    fn find_amounts(&mut self) {
        let rules = self.rules;
        for (pc, op) in rules.ops.numbered() {
            match op {
                Op::Write { .. } | Op::WriteWord { of: Cells::Table | Cells::Seat(_), .. } => self.find_written(pc),
                Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } | Op::Pay { amount, resource } => {
                    self.find_paid(pc, *amount, known_resource(rules, *resource));
                }
                Op::Mix { amount, .. } => self.find_paid(pc, *amount, None),
                Op::Costs { choice } => {
                    for cost in rules.choices[usize::from(*choice)].costs.iter().filter(|cost| cost.tokens.is_none()) {
                        if self.is_hidden_at(pc, cost.amount) {
                            self.conceal_resource(Some(cost.resource.into()));
                        }
                    }
                }
                Op::PayCard | Op::PayFirst { .. } => self.conceal_resource(None),
                Op::Script { script } => {
                    let named: BTreeSet<&str> = rules.scripts[*script as usize].names().collect();
                    self.conceal(|secret| named.contains(rules.names.text(secret.name)));
                }
                _ => {}
            }
        }
    }

    /// Notes what an op writes to a variable.
    fn find_written(&mut self, pc: u32) {
        let Some((secret, _)) = secret_written_by(self.rules, self.op(pc)) else { return };
        self.found.concealed[secret] |= written_values(self.op(pc)).iter().any(|value| self.is_hidden_at(pc, *value));
        let range = if let Op::Write { written } = self.op(pc)
            && written.1 == Write::Set
        {
            range_of(self.rules, written.2, &|local| content_at(&self.held, pc, local))
        } else {
            None
        };
        let known = self.found.written[secret];
        self.found.written[secret] = known.zip(range).map(|(known, range)| (known.0.min(range.0), known.1.max(range.1)));
    }

    /// Notes that an op gives or takes an amount of a resource, or of any.
    fn find_paid(&mut self, pc: u32, amount: NodeId, resource: Option<u16>) {
        for (written, secret) in self.found.written.iter_mut().zip(&self.rules.secrets) {
            if secret.slot.owner == Owner::Player && resource.is_none_or(|resource| resource == secret.slot.offset) {
                *written = None;
            }
        }
        if self.is_hidden_at(pc, amount) {
            self.conceal_resource(resource);
        }
    }

    fn conceal_resource(&mut self, resource: Option<u16>) {
        let count = self.rules.resources.len();
        self.conceal(|secret| {
            let is_resource = secret.slot.owner == Owner::Player && usize::from(secret.slot.offset) < count && secret.pool.is_none();
            is_resource && resource.is_none_or(|resource| resource == secret.slot.offset)
        });
    }

    /// Notes that seats can lose track of some values, and that these can have any number.
    fn conceal(&mut self, is_concealed: impl Fn(&Secret) -> bool) {
        for (index, _) in self.rules.secrets.iter().enumerate().filter(|(_, secret)| is_concealed(secret)) {
            self.found.concealed[index] = true;
            self.found.written[index] = None;
        }
    }

    /// Joins hidden pools between which tokens go.
    fn group_pools(&mut self) {
        for op in &self.rules.ops.all {
            let Op::Take { from, to, .. } = op else { continue };
            if self.rules.pools[usize::from(*from)].hidden && self.rules.pools[usize::from(*to)].hidden {
                let groups = &mut self.found.pool_groups;
                let [a, b] = [*from, *to].map(|pool| groups[usize::from(pool)]);
                groups.iter_mut().filter(|group| **group == a.max(b)).for_each(|group| *group = a.min(b));
            }
        }
    }
}

/// Returns the hidden values that a range of ops writes; `by_effect` is what each effect does.
fn written_in(rules: &Ruleset, range: Range<u32>, by_effect: &[BTreeSet<Written>]) -> BTreeSet<Written> {
    let mut found = BTreeSet::new();
    for op in &rules.ops.all[range.start as usize..range.end as usize] {
        found.extend(secret_written_by(rules, op).map(|(secret, audience)| {
            let of_other = rules.secrets[secret].slot.owner == Owner::Player && audience == Audience::Nobody;
            (cast::fit::<u16>(secret), of_other)
        }));
        if let Op::Call { effect, .. } = op {
            found.extend(&by_effect[usize::from(*effect)]);
        }
    }
    found
}

/// Whether a value may be unknown to some seats: it may depend on what is printed or counted on cards, lies in places, or is hidden.
pub fn rests_on_hidden(rules: &Ruleset, value: ExprId) -> bool {
    any_part(&rules.graph, value, &|expr| !expr.is_public() || reads_secret(rules, expr))
}

/// Whether a value reads hidden values, such as hidden counters: some seat never knows it for certain.
pub fn reads_hidden_values(rules: &Ruleset, value: ExprId) -> bool {
    any_part(&rules.graph, value, &|expr| reads_secret(rules, expr))
}

/// Whether an expression reads a hidden value itself.
pub(super) fn reads_secret(rules: &Ruleset, expr: Expr) -> bool {
    let is_within = |owner, first: u32| rules.secrets.iter().any(|secret| secret.slot.has(owner, first as usize));
    expr.reads_any(|read| {
        if let Read::Own(run) = read {
            is_within(Owner::Player, run.first)
        } else if let Read::Table(run) = read {
            is_within(Owner::Table, run.first)
        } else if let Read::Tokens(pool) = read {
            rules.secrets.iter().any(|secret| secret.pool == Some(pool))
        } else {
            false
        }
    })
}

/// Returns the values by which an op goes on in one way or another, and the ops that are run or not by them; `None` for all others.
pub(super) fn decided_by(rules: &Ruleset, pc: u32) -> Option<(Vec<NodeId>, Range<u32>)> {
    let ops = &rules.ops.all;
    let (values, end) = match (&ops[pc as usize], ops.get(pc as usize + 1)) {
        (Op::Unless { condition, to }, _) => (vec![*condition], end_of_branches(rules, *to)),
        (Op::Until { condition: value, end } | Op::NextPass { condition: value, end } | Op::As { seat: value, end }, _)
        | (Op::NextPlayer { filter: Some(value), end } | Op::Simultaneous { filter: Some(value), end, .. }, _)
        | (Op::Repeat { times: value }, Some(Op::NextTime { end })) => (vec![*value], end.0),
        (Op::EachNumber { from, to }, Some(Op::NextNumber { end, .. })) => (vec![*from, *to], end.0),
        (Op::EachCard { set }, Some(Op::NextCard { end, .. })) => {
            let set = &rules.sets[*set as usize];
            (set.filter.into_iter().chain(set.within).collect(), end.0)
        }
        _ => return None,
    };
    Some((values, pc + 1..end))
}

/// Returns the op behind both branches of an op that jumps to `to` if its condition does not hold.
fn end_of_branches(rules: &Ruleset, to: Pc) -> u32 {
    match to.0.checked_sub(1).map(|before| &rules.ops.all[before as usize]) {
        Some(Op::Jump { to: over }) if over.0 > to.0 => over.0,
        _ => to.0,
    }
}

/// Returns the end of the block that an op begins, if another player is spoken of in it than before.
pub(super) fn end_of_seat_block(op: &Op) -> Option<Pc> {
    if let Op::NextPlayer { end, .. } | Op::Simultaneous { end, .. } | Op::As { end, .. } = op { Some(*end) } else { None }
}

/// Returns the choices of the question that an op asks, each with the ops that are run if it is chosen.
pub(super) fn bodies_of_answers<'r>(rules: &'r Ruleset, op: &Op) -> impl Iterator<Item = (u16, Range<u32>)> + 'r {
    let asked = if let Op::Ask { question, list } | Op::NextPick { question, list } = *op { Some((question, list)) } else { None };
    asked.into_iter().flat_map(|(question, list)| {
        let bodies = rules.ops.choices[list as usize].windows(2).map(|run| run[0].0..run[1].0);
        rules.questions[question as usize].choices.iter().copied().zip(bodies)
    })
}

/// Returns the choices that are offered together, each with the ops that are run if it is chosen: answers to a question, and each action.
pub(super) fn bodies_of_choices(rules: &Ruleset) -> impl Iterator<Item = Vec<(u16, Range<u32>)>> + '_ {
    let of_action = |(index, choice): (u16, &Choice)| Some(vec![(index, rules.ops.routine_range(choice.action.as_ref()?.first_op))]);
    let answers = rules.ops.all.iter().map(|op| bodies_of_answers(rules, op).collect());
    answers.chain((0..).zip(&rules.choices).filter_map(of_action))
}

/// Returns the values that an op writes, or by which it says where.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write nothing that is hidden as a value")]
pub(super) fn written_values(op: &Op) -> Vec<NodeId> {
    match op {
        Op::Write { written } => {
            let (Target { of, element, .. }, _, value) = **written;
            let seat = if let Cells::Seat(seat) = of { seat } else { None };
            [Some(value), seat, element.map(|(_, index)| index)].into_iter().flatten().collect()
        }
        Op::WriteWord { of: Cells::Table | Cells::Seat(_), word, .. } => vec![*word],
        Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } => vec![*amount, *resource],
        _ => Vec::new(),
    }
}

/// Returns the index of the hidden value that an op writes itself, and who sees which: its owner, or nobody if it is not the current seat's.
#[allow(clippy::wildcard_enum_match_arm, reason = "what is gained, lost and moved is told")]
pub(super) fn secret_written_by(rules: &Ruleset, op: &Op) -> Option<(usize, Audience)> {
    let (owner, offset, audience) = match op {
        Op::Write { written } => match written.0.of {
            Cells::Table => (Owner::Table, written.0.offset, Audience::Nobody),
            Cells::Seat(None) => (Owner::Player, written.0.offset, Audience::Own),
            Cells::Seat(Some(_)) => (Owner::Player, written.0.offset, Audience::Nobody),
            Cells::Piece(_) => return None,
        },
        Op::WriteWord { of: Cells::Seat(_), offset, .. } => (Owner::Player, *offset, Audience::Own),
        Op::WriteWord { of: Cells::Table, offset, .. } => (Owner::Table, *offset, Audience::Nobody),
        _ => return None,
    };
    let secret = rules.secrets.iter().position(|secret| secret.pool.is_none() && secret.slot.has(owner, offset.into()))?;
    Some((secret, audience))
}

/// Returns the resource for which an expression stands, if it is a constant.
pub(super) fn known_resource(rules: &Ruleset, resource: ExprId) -> Option<u16> {
    rules.graph.constant(resource).and_then(|resource| u16::try_from(resource).ok())
}
