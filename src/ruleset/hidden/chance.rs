//! Finds out from the program who is told what comes by chance. A line of the log, and that there is one, must not tell what is hidden: what
//! chance does for an answer that is kept secret, where something hidden decides that it is done, and what is written into something hidden.

use super::compute::{LocalRange, hidden_places_written_on};
use super::values::{
    ValueSecrecy, bodies_of_choices, decided_by, end_of_seat_block, known_resource, reads_hidden_values, rests_on_hidden,
    secret_written_by, written_values,
};
use crate::graph::{Expr, ExprId, Read, any_part, reads_locals};
use crate::node::NodeId;
use crate::op::{Cells, Op, Pc};
use crate::ruleset::{Owner, Ruleset};
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
        // The blocks in which another player is spoken of than before them: the op before each, and its end.
        let seats = rules.ops.numbered().filter_map(|(pc, op)| Some(pc..end_of_seat_block(op)?.0)).collect();
        let analysis = Analysis { rules, values, conditions: find_conditions(rules), seats };
        let (handed, outcomes) = (find_handed(rules), find_hidden_outcomes(rules, held));
        let audiences = analysis.find_audiences(&outcomes, choices);
        let spoken = analysis.find_spoken();
        let is_asked = |op: &Op| {
            if let Op::Call { effect, .. } = op {
                return handed.get(usize::from(*effect)).is_some_and(|params| *params != 0);
            }
            matches!(op, Op::LetChance { .. })
        };
        let told = rules.ops.numbered().filter(|(_, op)| is_asked(op)).map(|(pc, _)| {
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

/// An op that goes on by a condition, and the ops for which the condition decides.
struct Condition {
    at: u32,
    decided: Range<u32>,
    value: NodeId,
    /// Whether it means the same to who is spoken of in the block, so that it can be asked for again there.
    is_lasting: bool,
}

fn find_conditions(rules: &Ruleset) -> Vec<Condition> {
    let mut found = Vec::new();
    for (at, op) in rules.ops.numbered() {
        let Some((values, decided)) = decided_by(rules, at) else { continue };
        let is_lasting = !matches!(op, Op::As { .. });
        found.extend(values.into_iter().map(|value| Condition { at, decided: decided.clone(), value, is_lasting }));
    }
    found
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
    fn find_audiences(&self, outcomes: &[HiddenOutcome], choices: &[u16]) -> Vec<Audience> {
        let rules = self.rules;
        let mut found = vec![Audience::All; rules.ops.all.len()];
        for (_, body) in bodies_of_choices(rules).flatten().filter(|(choice, _)| choices.contains(choice)) {
            raise(&mut found, body, Audience::Own);
        }
        for condition in &self.conditions {
            if self.values.has_private_locals(Pc(condition.at)) && reads_locals(&rules.graph, condition.value) {
                raise(&mut found, condition.decided.clone(), Audience::Own);
            }
        }
        for outcome in outcomes {
            raise(&mut found, outcome.at..outcome.at + 1, outcome.audience);
        }
        // Where another player is spoken of, a condition of the block around it is none that this player need know.
        for (pc, _) in rules.ops.numbered().filter(|(_, op)| matches!(op, Op::LetChance { .. } | Op::Call { .. })) {
            let forgotten = self.conditions_at(pc).filter(|found| !found.1).map(|found| self.audience_of(found.0));
            if forgotten.max().is_some_and(|audience| audience > Audience::All) {
                raise(&mut found, pc..pc + 1, Audience::Nobody);
            }
        }
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for block in &self.seats {
                if found[block.start as usize] > Audience::All {
                    grown |= raise(&mut found, block.start + 1..block.end, Audience::Nobody);
                }
            }
            for (pc, op) in rules.ops.numbered() {
                let Op::Call { effect, .. } = op else { continue };
                let here = self.conditions_at(pc).map(|condition| self.audience_of(condition.0)).max().unwrap_or_default();
                let to = here.max(found[pc as usize]);
                grown |= raise(&mut found, rules.routine_of_effect(*effect), to);
            }
        }
        found
    }

    /// Returns for each op whether a player is spoken of there.
    fn find_spoken(&self) -> Vec<bool> {
        let rules = self.rules;
        let mut spoken = vec![true; rules.ops.all.len()];
        let parts = rules.ops.parts.first().zip(rules.ops.parts.last()).map(|(first, last)| first.0..last.0);
        let effects = rules.effects.iter().map(|effect| rules.ops.routine_range(effect.first_op));
        for pc in parts.into_iter().chain(effects).flatten() {
            spoken[pc as usize] = self.seats.iter().any(|block| block.start < pc && pc < block.end);
        }
        rules.mark_called(&mut spoken);
        spoken
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
    // For each effect who sees what it writes into something hidden, at least.
    let writers: Vec<Audience> = rules.find_for_effects(|effect, known| {
        let written = rules.ops.routine_range(effect.first_op).map(|pc| match &rules.ops.all[pc as usize] {
            Op::Call { effect, .. } => known[usize::from(*effect)],
            _ => hidden_target(rules, held, pc),
        });
        written.max().unwrap_or_default()
    });
    let mut found = Vec::new();
    for (pc, op) in rules.ops.numbered() {
        let (Op::LetChance { local, end, .. } | Op::LetRandom { local, end, .. }) = op else { continue };
        let (mut names, mut audience) = (1_u16 << local, Audience::All);
        for at in pc + 1..end.0 {
            let reads = |value: &NodeId| locals_in(rules, *value) & names != 0;
            let to = match &rules.ops.all[at as usize] {
                Op::Let { local, value, .. } if reads(value) => {
                    names |= 1 << local;
                    continue;
                }
                Op::Call { effect, args } if args.iter().any(reads) => writers[usize::from(*effect)],
                op if written_values(op).iter().any(reads) => hidden_target(rules, held, at),
                _ => continue,
            };
            let elsewhere = rules.ops.all[pc as usize + 1..at as usize].iter().any(|before| end_of_seat_block(before).is_some());
            audience = audience.max(if elsewhere && to > Audience::All { Audience::Nobody } else { to });
        }
        if audience > Audience::All {
            found.push(HiddenOutcome { at: pc, named: pc + 1..end.0, audience });
        }
    }
    found
}

/// Returns who sees what an op writes into something hidden; all if that is not hidden.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations write nothing that is hidden as a value")]
fn hidden_target(rules: &Ruleset, held: &[LocalRange], pc: u32) -> Audience {
    let op = &rules.ops.all[pc as usize];
    match op {
        Op::Write { written } if matches!(written.0.of, Cells::Piece(_)) => {
            let places = hidden_places_written_on(rules, held, pc).map(|place| &rules.places[usize::from(place)]);
            places.map(|place| if place.of_seat { Audience::Own } else { Audience::Nobody }).max().unwrap_or_default()
        }
        Op::Gain { resource, .. } | Op::Lose { resource, .. } => {
            let is_hidden = |resource| rules.secrets.iter().any(|secret| secret.pool.is_none() && secret.slot.has(Owner::Player, resource));
            if known_resource(rules, *resource).map(usize::from).is_some_and(is_hidden) { Audience::Own } else { Audience::All }
        }
        _ => secret_written_by(rules, op).map_or(Audience::All, |(_, audience)| audience),
    }
}

// ------------------------------------------------------------------ parameters by which chance goes

/// Finds for each effect the parameters by which chance goes in it, also under another name or in another effect.
#[allow(clippy::wildcard_enum_match_arm, reason = "all other operations have nothing to do with chance")]
fn find_handed(rules: &Ruleset) -> Vec<u16> {
    rules.find_for_effects(|effect, known: &[u16]| {
        let mut names = 0_u16;
        for pc in rules.ops.routine_range(effect.first_op).rev() {
            match &rules.ops.all[pc as usize] {
                Op::LetChance { local, chance, .. } => {
                    // What it chooses itself is read by its condition alone.
                    let own = (1_u16 << local) - 1;
                    names |=
                        rules.ops.chances[*chance as usize].values(&rules.sets).fold(0, |names, part| names | locals_in(rules, part)) & own;
                }
                Op::Call { effect, args } => {
                    let handed = known[usize::from(*effect)];
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
        names & params
    })
}

/// Returns the locals that are read in an expression, as a bit set.
fn locals_in(rules: &Ruleset, value: NodeId) -> u16 {
    rules.graph.facts(value).locals
}
