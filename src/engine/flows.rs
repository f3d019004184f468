//! A record of what seats gain and lose, and by what. It is no part of the state, and copies of a game have none.

use super::op::{Op, Pc};
use super::ruleset::Ruleset;
use super::store::Store;
use crate::cast;
use serde::{Deserialize, Serialize};

/// By what a seat gained or lost resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FlowCause {
    /// Set-up.
    SetUp,
    /// A phase, outside of its steps and actions: its index.
    Phase(u16),
    /// A step of a phase: its index.
    Step(u16),
    /// An action of a turn: the index of its choice.
    Action(u16),
    /// What cards do by themselves: the index of their kind.
    Kind(u16),
    /// State-based checks, and what else belongs to no phase.
    Other,
}

/// A resource of a seat that became more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The seat.
    pub seat: u8,
    /// The index of the resource.
    pub resource: u8,
    /// By how much it became more; below 0 if it became less.
    pub amount: i32,
    /// What did it.
    pub cause: FlowCause,
}

/// Records flows.
#[derive(Debug)]
pub(crate) struct FlowRecorder {
    /// Where routines with a cause of their own begin, in program order; `None` for those that others call.
    routines: Vec<(Pc, Option<FlowCause>)>,
    /// The resources of all seats as they were last seen.
    seen: Vec<i32>,
    /// What the running op has changed one by one: a script may gain and lose the same resource. Each has the index in `seen`, and by how much.
    changes: Vec<(usize, i32)>,
    flows: Vec<Flow>,
    /// The number of flows at the start of the running simultaneous block.
    mark: usize,
}

impl FlowRecorder {
    /// Creates a recorder for a game that begins.
    pub fn new(rules: &Ruleset) -> FlowRecorder {
        let seen = vec![0; rules.players * rules.resources.len()];
        FlowRecorder { routines: routines_of(rules), seen, changes: Vec::new(), flows: Vec::new(), mark: 0 }
    }

    /// Returns what was recorded, in the order in which it happened.
    pub fn into_flows(self) -> Vec<Flow> {
        self.flows
    }

    /// Marks the start of a simultaneous block, which may be rolled back.
    pub fn set_mark(&mut self) {
        self.mark = self.flows.len();
    }

    /// The cause of the routine that an op belongs to.
    fn cause_at(&self, pc: Pc) -> Option<FlowCause> {
        let behind = self.routines.partition_point(|routine| routine.0 <= pc);
        behind.checked_sub(1).and_then(|index| self.routines.get(index)?.1)
    }
}

/// Lists where routines begin. What others call, such as effects, has no cause of its own.
fn routines_of(rules: &Ruleset) -> Vec<(Pc, Option<FlowCause>)> {
    let ops = &rules.ops;
    let part = |part: u32| ops.parts.get(part as usize).copied();
    // All owners, so that a routine does not reach into the next one.
    let mut found: Vec<(Pc, Option<FlowCause>)> = ops.owners.iter().map(|owner| (owner.0, None)).collect();
    let mut add = |at: Option<Pc>, cause: FlowCause| found.extend(at.map(|pc| (pc, Some(cause))));
    add(ops.parts.first().copied(), FlowCause::SetUp);
    let round = ops.all.iter().position(|op| matches!(op, Op::Round));
    add(round.map(|at| Pc(cast::fit::<u32>(at))), FlowCause::Other);
    for (index, (name, begin, end)) in (0..).zip(&rules.phases) {
        let phase = FlowCause::Phase(index);
        add(part(*begin), phase);
        // Behind a step the phase goes on.
        let steps = rules.steps.iter().filter(|step| step.1 >= *begin && step.2 <= *end);
        steps.for_each(|step| add(part(step.2 - 1), phase));
        let turns = rules.turns.iter().filter(|turns| turns.question == *name);
        turns.flat_map(|turns| [turns.first, turns.each, turns.after]).for_each(|routine| add(routine, phase));
        add(part(*end), FlowCause::Other);
    }
    (0..).zip(&rules.steps).for_each(|(index, step)| add(part(step.1), FlowCause::Step(index)));
    for (index, choice) in (0..).zip(&rules.choices) {
        add(choice.action.as_ref().map(|action| action.first_op), FlowCause::Action(index));
    }
    for definition in &rules.definitions {
        let cause = FlowCause::Kind(definition.kind);
        definition.hooks.iter().for_each(|hook| add(Some(hook.first_op), cause));
        definition.replacements.iter().for_each(|instead| add(Some(instead.first_op), cause));
        add(definition.action.as_ref().map(|action| action.first_op), cause);
    }
    // Where several begin at one op, the last one is the innermost.
    found.sort_by_key(|routine| routine.0);
    found
}

/// Notes that a resource of a seat becomes more or less, while an op runs.
#[inline]
pub(crate) fn note_change(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64) {
    let count = store.rules.resources.len();
    if let Some(recorder) = &mut store.live.flows
        && resource < count
        && amount != 0
    {
        recorder.changes.push((seat * count + resource, cast::fit::<i32>(amount)));
    }
}

/// Notes what the op at a place has changed.
pub(crate) fn note_changes(store: &mut Store<'_>, pc: Pc) {
    let (rules, is_collecting) = (store.rules, store.is_collecting_answers());
    let count = rules.resources.len();
    let Some(mut recorder) = store.live.flows.take() else { return };
    let mut changes = std::mem::take(&mut recorder.changes);
    if is_collecting {
        // It is rolled back, and done again with all answers.
        changes.clear();
    } else {
        changes.iter().for_each(|(index, amount)| recorder.seen[*index] += amount);
        // What is written in another way, such as the first value of a resource.
        let cells = store.state.cells();
        for (index, seen) in recorder.seen.iter_mut().enumerate() {
            let rest = cells[rules.layout.seat(index / count, index % count)] - *seen;
            if rest != 0 {
                changes.push((index, rest));
                *seen += rest;
            }
        }
    }
    if !changes.is_empty() {
        let callers = store.state.return_addresses(store.stack_start());
        let cause = std::iter::once(pc).chain(callers).find_map(|pc| recorder.cause_at(pc)).unwrap_or(FlowCause::Other);
        let flow = |(index, amount): (usize, i32)| Flow {
            seat: cast::fit::<u8>(index / count),
            resource: cast::fit::<u8>(index % count),
            amount,
            cause,
        };
        recorder.flows.extend(changes.drain(..).map(flow));
    }
    recorder.changes = changes;
    store.live.flows = Some(recorder);
}

/// Forgets what has happened since the mark: the state was rolled back.
pub(crate) fn roll_back(store: &mut Store<'_>) {
    let rules = store.rules;
    let (cells, count) = (store.state.cells(), rules.resources.len());
    let Some(recorder) = &mut store.live.flows else { return };
    recorder.flows.truncate(recorder.mark);
    recorder.changes.clear();
    recorder.seen.iter_mut().enumerate().for_each(|(index, seen)| *seen = cells[rules.layout.seat(index / count, index % count)]);
}
