//! Finds out from the program who is told what comes by chance. A line of the log, and that there is one, must not tell what is hidden: what
//! chance does for an answer that is kept secret, where something hidden decides that it is done, and what is written into something hidden.

use super::compute::{LocalRange, places_written_on};
use super::values::{ValueSecrecy, reads_hidden_values, rests_on_hidden};
use crate::cast;
use crate::graph::{Expr, ExprId, Read, any_part, reads_locals};
use crate::node::NodeId;
use crate::op::{Op, Pc, Target};
use crate::program::Domain;
use crate::ruleset::Ruleset;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Who may be told what comes by chance, as far as the program says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// All players.
    #[default]
    All,
    /// The player alone for whom it comes.
    Own,
    /// No player.
    Nobody,
}

/// What must be known of an op of chance, or of a call by which chance goes, before anybody is told of it.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Who may be told.
    pub audience: Audience,
    /// The conditions that have decided that the op is run, and may rest on what is hidden: who does not know them is not told.
    pub conditions: Box<[NodeId]>,
    /// Whether names may stand for what chance has chosen before for something hidden.
    pub has_hidden_names: bool,
    /// Whether a player is spoken of, for whom chance decides.
    pub is_of_player: bool,
}

/// What the program tells by chance.
#[derive(Clone, Debug, Default)]
pub struct ChanceSecrecy {
    told: BTreeMap<u32, Told>,
    /// For each effect, the parameters by which chance goes in it, as a bit set.
    handed: Vec<u16>,
}

/// What chance chooses and rules write into something hidden: while it is kept under its name, only some know it.
pub(super) struct HiddenOutcome {
    at: u32,
    /// The ops for which it has a name.
    pub named: Range<u32>,
    audience: Audience,
}

impl ChanceSecrecy {
    /// Computes what a program tells by chance; `choices` are those that are kept secret.
    pub(super) fn compute(rules: &Ruleset, held: &[LocalRange], values: &ValueSecrecy, choices: &[u16]) -> ChanceSecrecy {
        if !rules.ops.all.iter().any(|op| matches!(op, Op::LetChance { .. })) {
            return ChanceSecrecy::default();
        }
        let analysis = Analysis { rules, values, conditions: find_conditions(rules), seats: find_seat_blocks(rules) };
        let audiences = analysis.find_audiences(held, choices);
        let (handed, outcomes) = (find_handed(rules), find_hidden_outcomes(rules, held));
        let spoken = analysis.find_spoken();
        let is_asked = |op: &Op| {
            if let Op::Call { effect, .. } = op {
                return handed.get(usize::from(*effect)).is_some_and(|params| *params != 0);
            }
            matches!(op, Op::LetChance { .. })
        };
        let told = (0_u32..).zip(&rules.ops.all).filter(|(_, op)| is_asked(op)).map(|(pc, _)| {
            let conditions: BTreeSet<NodeId> = analysis.conditions_at(pc).filter(|found| found.1).map(|found| found.0).collect();
            let hidden = conditions.into_iter().filter(|condition| rests_on_hidden(rules, *condition)).collect();
            let has_hidden_names = outcomes.iter().any(|outcome| outcome.named.contains(&pc));
            (pc, Told { audience: audiences[pc as usize], conditions: hidden, has_hidden_names, is_of_player: spoken[pc as usize] })
        });
        ChanceSecrecy { told: told.collect(), handed }
    }

    /// Returns who may be told of an op.
    pub fn told_at(&self, pc: Pc) -> Option<&Told> {
        self.told.get(&pc.0)
    }

    /// Returns the parameters of an effect by which chance goes, as a bit set: parameter 1 is bit 1.
    #[inline]
    pub fn handed(&self, effect: u16) -> u16 {
        self.handed.get(usize::from(effect)).copied().unwrap_or(0)
    }
}

/// Returns the op behind both branches of an op that jumps to `to` if its condition does not hold.
pub(super) fn end_of_branches(rules: &Ruleset, to: Pc) -> u32 {
    let over = to.0.checked_sub(1).map(|before| &rules.ops.all[before as usize]);
    if let Some(Op::Jump { to: over }) = over
        && over.0 > to.0
    {
        return over.0;
    }
    to.0
}

fn routine_of(rules: &Ruleset, first: Pc) -> Range<u32> {
    first.0..first.0 + cast::fit::<u32>(rules.ops.routine(first).len())
}

/// An op that goes on by a condition, and the ops for which the condition decides.
struct Condition {
    at: u32,
    decided: Range<u32>,
    value: NodeId,
    /// Whether it means the same to who is spoken of in the block, so that it can be asked for again there.
    is_lasting: bool,
}

#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations go on in one way")]
fn find_conditions(rules: &Ruleset) -> Vec<Condition> {
    let mut found = Vec::new();
    let next = |pc: u32| rules.ops.all.get(pc as usize + 1);
    for (pc, op) in (0_u32..).zip(&rules.ops.all) {
        let (values, end, is_lasting) = match op {
            Op::Unless { condition, to } => (vec![*condition], end_of_branches(rules, *to), true),
            Op::Until { condition, end } | Op::NextPass { condition, end } => (vec![*condition], end.0, true),
            Op::Repeat { times } => match next(pc) {
                Some(Op::NextTime { end }) => (vec![*times], end.0, true),
                Some(_) | None => continue,
            },
            Op::NextPlayer { filter: Some(filter), end } | Op::Simultaneous { filter: Some(filter), end, .. } => {
                (vec![*filter], end.0, true)
            }
            Op::As { seat, end } => (vec![*seat], end.0, false),
            Op::EachNumber { from, to } => match next(pc) {
                Some(Op::NextNumber { end, .. }) => (vec![*from, *to], end.0, true),
                Some(_) | None => continue,
            },
            Op::EachCard { set } => match next(pc) {
                Some(Op::NextCard { end, .. }) => {
                    let set = &rules.sets[*set as usize];
                    (set.filter.into_iter().chain(set.within).collect(), end.0, true)
                }
                Some(_) | None => continue,
            },
            _ => continue,
        };
        found.extend(values.into_iter().map(|value| Condition { at: pc, decided: pc + 1..end, value, is_lasting }));
    }
    found
}

/// Finds the blocks in which another player is spoken of than before them: the op before each, and its end.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations speak of the same player")]
fn find_seat_blocks(rules: &Ruleset) -> Vec<Range<u32>> {
    let block = |(pc, op): (u32, &Op)| match op {
        Op::NextPlayer { end, .. } | Op::Simultaneous { end, .. } | Op::As { end, .. } => Some(pc..end.0),
        _ => None,
    };
    (0_u32..).zip(&rules.ops.all).filter_map(block).collect()
}

struct Analysis<'r> {
    rules: &'r Ruleset,
    values: &'r ValueSecrecy,
    conditions: Vec<Condition>,
    seats: Vec<Range<u32>>,
}

impl Analysis<'_> {
    /// Returns the conditions that decide on an op, each with whether it can be asked for again there.
    fn conditions_at(&self, pc: u32) -> impl Iterator<Item = (NodeId, bool)> + '_ {
        let deciding = self.conditions.iter().filter(move |condition| condition.decided.contains(&pc));
        deciding.map(move |condition| {
            let other = self.seats.iter().any(|block| block.start > condition.at && block.contains(&pc) && block.start < pc);
            (condition.value, condition.is_lasting && !other)
        })
    }

    /// Who may know a condition, as far as its form tells.
    fn audience_of(&self, condition: ExprId) -> Audience {
        let rules = self.rules;
        let hides_cards = rules.places.iter().any(|place| place.hidden) && rests_on_hidden(rules, condition);
        if !hides_cards && !reads_hidden_values(rules, condition) {
            return Audience::All;
        }
        let of_others = |read: Read| {
            if let Read::Tokens(pool) = read {
                !rules.pools[usize::from(pool)].of_seat
            } else if let Read::Table(run) = read {
                rules.secret_at(run.first as usize).is_some()
            } else {
                false
            }
        };
        let is_of_others = |expr: Expr| {
            let asks_others = matches!(expr, Expr::Of { .. } | Expr::OverSeats { .. });
            asks_others || !expr.is_public() || expr.reads_any(of_others)
        };
        if any_part(&rules.graph, condition, &is_of_others) { Audience::Nobody } else { Audience::Own }
    }

    /// Returns for each op who may be told of it, as far as what has called it and what is done with the outcome say.
    fn find_audiences(&self, held: &[LocalRange], choices: &[u16]) -> Vec<Audience> {
        let rules = self.rules;
        let mut found = vec![Audience::All; rules.ops.all.len()];
        for op in &rules.ops.all {
            let (Op::Ask { question, list } | Op::NextPick { question, list }) = op else { continue };
            let begins = &rules.ops.choices[*list as usize];
            for (choice, run) in rules.questions[*question as usize].choices.iter().zip(begins.windows(2)) {
                if choices.contains(choice) {
                    raise(&mut found, run[0].0..run[1].0, Audience::Own);
                }
            }
        }
        for (_, choice) in (0_u16..).zip(&rules.choices).filter(|(index, _)| choices.contains(index)) {
            if let Some(action) = &choice.action {
                raise(&mut found, routine_of(rules, action.first_op), Audience::Own);
            }
        }
        for condition in &self.conditions {
            if self.values.has_private_locals(Pc(condition.at)) && reads_locals(&rules.graph, condition.value) {
                raise(&mut found, condition.decided.clone(), Audience::Own);
            }
        }
        for outcome in find_hidden_outcomes(rules, held) {
            raise(&mut found, outcome.at..outcome.at + 1, outcome.audience);
        }
        // Where another player is spoken of, a condition of the block around it is none that this player need know.
        for (pc, _) in (0_u32..).zip(&rules.ops.all).filter(|(_, op)| matches!(op, Op::LetChance { .. } | Op::Call { .. })) {
            let forgotten = self.conditions_at(pc).filter(|found| !found.1).map(|found| self.audience_of(found.0));
            if forgotten.max().is_some_and(|audience| audience > Audience::All) {
                raise(&mut found, pc..pc + 1, Audience::Nobody);
            }
        }
        loop {
            let mut grown = false;
            for block in &self.seats {
                if found[block.start as usize] > Audience::All {
                    grown |= raise(&mut found, block.start + 1..block.end, Audience::Nobody);
                }
            }
            for (pc, op) in (0_u32..).zip(&rules.ops.all) {
                let Op::Call { effect, .. } = op else { continue };
                let here = self.conditions_at(pc).map(|condition| self.audience_of(condition.0)).max().unwrap_or_default();
                let called = routine_of(rules, rules.effects[usize::from(*effect)].first_op);
                let to = here.max(found[pc as usize]);
                grown |= raise(&mut found, called, to);
            }
            if !grown {
                return found;
            }
        }
    }

    /// Returns for each op whether a player is spoken of there.
    fn find_spoken(&self) -> Vec<bool> {
        let rules = self.rules;
        let mut spoken = vec![true; rules.ops.all.len()];
        let parts = rules.ops.parts.first().zip(rules.ops.parts.last()).map(|(first, last)| first.0..last.0);
        let effects = rules.effects.iter().map(|effect| routine_of(rules, effect.first_op));
        for pc in parts.into_iter().chain(effects).flatten() {
            spoken[pc as usize] = self.seats.iter().any(|block| block.start < pc && pc < block.end);
        }
        loop {
            let mut grown = false;
            for (pc, op) in rules.ops.all.iter().enumerate() {
                let Op::Call { effect, .. } = op else { continue };
                if !spoken[pc] {
                    continue;
                }
                for called in routine_of(rules, rules.effects[usize::from(*effect)].first_op) {
                    grown |= !std::mem::replace(&mut spoken[called as usize], true);
                }
            }
            if !grown {
                return spoken;
            }
        }
    }
}

fn raise(found: &mut [Audience], range: Range<u32>, to: Audience) -> bool {
    let mut grown = false;
    for pc in range {
        if let Some(audience) = found.get_mut(pc as usize).filter(|audience| **audience < to) {
            (*audience, grown) = (to, true);
        }
    }
    grown
}

// ------------------------------------------------------------------ outcomes that go into something hidden

/// Finds what chance chooses and is then written into something hidden, also under another name or by an effect to which it is handed.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations have nothing to do with chance")]
pub(super) fn find_hidden_outcomes(rules: &Ruleset, held: &[LocalRange]) -> Vec<HiddenOutcome> {
    let writers = find_writers(rules, held);
    let mut found = Vec::new();
    for (pc, op) in (0_u32..).zip(&rules.ops.all) {
        let (Op::LetChance { local, end, .. } | Op::LetRandom { local, end, .. }) = op else { continue };
        let (mut names, mut audience) = (BTreeSet::from([*local]), Audience::All);
        for at in pc + 1..end.0 {
            let op = &rules.ops.all[at as usize];
            let reads =
                |value: NodeId| any_part(&rules.graph, value, &|expr| matches!(expr, Expr::Local { local } if names.contains(&local)));
            let to = match op {
                Op::Let { local, value, .. } if reads(*value) => {
                    names.insert(*local);
                    continue;
                }
                Op::Call { effect, args } if args.iter().any(|arg| reads(*arg)) => writers[usize::from(*effect)],
                op if written_values(op).into_iter().any(reads) => hidden_target(rules, held, at),
                _ => continue,
            };
            let is_of_another = |before: &Op| matches!(before, Op::NextPlayer { .. } | Op::Simultaneous { .. } | Op::As { .. });
            let elsewhere = rules.ops.all[pc as usize + 1..at as usize].iter().any(is_of_another);
            audience = audience.max(if elsewhere && to > Audience::All { Audience::Nobody } else { to });
        }
        if audience > Audience::All {
            found.push(HiddenOutcome { at: pc, named: pc + 1..end.0, audience });
        }
    }
    found
}

/// Returns for each effect who sees what it writes into something hidden, at least.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations have nothing to do with chance")]
fn find_writers(rules: &Ruleset, held: &[LocalRange]) -> Vec<Audience> {
    let mut found = vec![Audience::All; rules.effects.len()];
    loop {
        let mut grown = false;
        for (index, effect) in rules.effects.iter().enumerate() {
            let written = routine_of(rules, effect.first_op).map(|pc| match &rules.ops.all[pc as usize] {
                Op::Call { effect, .. } => found[usize::from(*effect)],
                _ => hidden_target(rules, held, pc),
            });
            let most = written.max().unwrap_or_default();
            grown |= most > found[index];
            found[index] = most.max(found[index]);
        }
        if !grown {
            return found;
        }
    }
}

/// Returns the values that an op writes, or by which it says where.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write nothing that is hidden as a value")]
fn written_values(op: &Op) -> Vec<NodeId> {
    match op {
        Op::Write { written } => match written.0 {
            Target::GlobalAt(.., index) | Target::OwnAt(.., index) => vec![written.2, index],
            Target::CounterAt(_, (.., index)) => vec![written.2, index],
            Target::OfSeat(seat, _) => vec![written.2, seat],
            Target::OfSeatAt(seat, (.., index)) => vec![written.2, seat, index],
            Target::Global(_) | Target::Own(_) | Target::Counter(..) => vec![written.2],
        },
        Op::AddBit { index, .. } | Op::RemoveBit { index, .. } => vec![*index],
        Op::Gain { amount, resource } | Op::Lose { amount, resource, .. } => vec![*amount, *resource],
        _ => Vec::new(),
    }
}

/// Returns who sees what an op writes into something hidden; all if that is not hidden.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write nothing that is hidden as a value")]
fn hidden_target(rules: &Ruleset, held: &[LocalRange], pc: u32) -> Audience {
    let is_secret = |of_seat: bool, offset: u32| {
        rules.secrets.iter().any(|secret| {
            let first = u32::from(secret.offset);
            secret.pool.is_none() && secret.of_seat == of_seat && (first..first + u32::from(secret.len)).contains(&offset)
        })
    };
    let hidden = |is_hidden: bool, audience: Audience| if is_hidden { audience } else { Audience::All };
    match &rules.ops.all[pc as usize] {
        op @ Op::Write { written } => match written.0 {
            Target::Global(cell) | Target::GlobalAt(cell, ..) => hidden(is_secret(false, cell), Audience::Nobody),
            Target::Own(offset) | Target::OwnAt(offset, ..) => hidden(is_secret(true, offset.into()), Audience::Own),
            Target::OfSeat(_, offset) | Target::OfSeatAt(_, (offset, ..)) => hidden(is_secret(true, offset.into()), Audience::Nobody),
            Target::Counter(..) | Target::CounterAt(..) => {
                let places = places_written_on(rules, held, pc, op).iter().map(|&place| &rules.places[usize::from(place)]);
                let of_hidden = places.filter(|place| place.hidden);
                of_hidden.map(|place| if place.of_seat { Audience::Own } else { Audience::Nobody }).max().unwrap_or_default()
            }
        },
        Op::AddBit { offset, .. } | Op::RemoveBit { offset, .. } => hidden(is_secret(true, (*offset).into()), Audience::Own),
        Op::Gain { resource, .. } | Op::Lose { resource, .. } => {
            let known = rules.graph.constant(*resource).and_then(|resource| u32::try_from(resource).ok());
            hidden(known.is_some_and(|resource| is_secret(true, resource)), Audience::Own)
        }
        _ => Audience::All,
    }
}

// ------------------------------------------------------------------ parameters by which chance goes

/// Finds for each effect the parameters by which chance goes in it, also under another name or in another effect.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations have nothing to do with chance")]
fn find_handed(rules: &Ruleset) -> Vec<u16> {
    let mut found = vec![0_u16; rules.effects.len()];
    loop {
        let mut grown = false;
        for (index, effect) in rules.effects.iter().enumerate() {
            let mut names = 0_u16;
            for pc in routine_of(rules, effect.first_op).rev() {
                match &rules.ops.all[pc as usize] {
                    Op::LetChance { local, chance, .. } => {
                        // What it chooses itself is read by its condition alone.
                        let own = (1_u16 << local) - 1;
                        names |= chance_parts(rules, *chance).into_iter().fold(0, |names, part| names | locals_in(rules, part)) & own;
                    }
                    Op::Call { effect, args } => {
                        let handed = found[usize::from(*effect)];
                        let read = (1_u32..).zip(args.iter()).filter(|(param, _)| handed >> param & 1 == 1);
                        names |= read.fold(0, |names, (_, arg)| names | locals_in(rules, *arg));
                    }
                    Op::Let { local, value, .. } if names >> local & 1 == 1 => names |= locals_in(rules, *value),
                    Op::EachNumber { from, to } => {
                        if let Some(Op::NextNumber { local, .. }) = rules.ops.all.get(pc as usize + 1)
                            && names >> local & 1 == 1
                        {
                            names |= locals_in(rules, *from) | locals_in(rules, *to);
                        }
                    }
                    _ => {}
                }
            }
            let params = (1..=u32::from(effect.params)).fold(0, |params, param| params | 1_u16 << param);
            grown |= names & params & !found[index] != 0;
            found[index] |= names & params;
        }
        if !grown {
            return found;
        }
    }
}

/// Returns all values by which chance goes.
fn chance_parts(rules: &Ruleset, chance: u32) -> Vec<NodeId> {
    let chance = &rules.ops.chances[chance as usize];
    let of_domain = match &chance.domain {
        Domain::Numbers { from, to } => [Some(*from), Some(*to)],
        Domain::Players(set) => [set.filter, None],
        Domain::Cards(set) => {
            let set = &rules.sets[*set as usize];
            [set.filter, set.within]
        }
        Domain::Words(_) => [None, None],
    };
    of_domain.into_iter().chain([chance.filter]).flatten().collect()
}

/// Returns the locals that are read in an expression, as a bit set.
fn locals_in(rules: &Ruleset, value: NodeId) -> u16 {
    let found = std::cell::Cell::new(0_u16);
    any_part(&rules.graph, value, &|expr| {
        if let Expr::Local { local } = expr {
            found.set(found.get() | 1 << local);
        }
        false
    });
    found.get()
}
