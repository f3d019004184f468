//! A state at work: the rules, the state, and what is kept beside it.

use super::decision::{Decision, Fault, Opt, Stop};
use super::env::{Env, ReadView};
use super::evaluator::{Evaluator, Values};
use super::log::Log;
use super::op::Pc;
use super::paying::Payment;
use super::position::Position;
use super::queue::QueuedFrame;
use super::ruleset::{NodeId, Ruleset};
use super::shuffle::Shuffle;
use super::state::{Frame, State};
use crate::cast;
use houserule_ruleset::program::MOST_GUARDS;
use houserule_state::layout::{PIECE, TABLE, head};

/// What must be looked at again since cells have changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirtyFlags {
    /// State-based checks.
    pub checks: bool,
    /// Whether all cards have room.
    pub room: bool,
    /// What was written that lasts only for a while: a bit for each lifetime and owner, see [`lasting_bit`].
    pub lasting: u64,
}

impl Default for DirtyFlags {
    fn default() -> DirtyFlags {
        DirtyFlags { checks: true, room: true, lasting: u64::MAX }
    }
}

/// What the running op goes by; between two decisions none of it means anything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// The answer to the question at which the running frame stands.
    pub chosen: Option<Opt>,
    /// Ops that may still be run before the next question.
    pub fuel: u32,
    /// How often the state may still be at rest before the loop stops; `None` if it is to run on.
    pub rests: Option<u32>,
    /// Above 0, checks and listeners are off: one thing is done in several steps, or a position is written.
    pub quiet: u32,
    /// How many native consequences are within each other.
    pub nested: u32,
    /// The definition whose script runs.
    pub speaking: Option<u32>,
    /// The script that ran last; kept for who asks why a game does not go on.
    pub spoke: Option<u32>,
}

/// Memory that is used again and again, and means nothing between two ops.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// For ordering decks.
    pub keyed: Vec<(u64, u16)>,
    /// The payment in the making.
    pub payment: Payment,
    /// For shuffling what is unknown.
    pub shuffle: Shuffle,
    /// A list of options.
    pub options: Vec<Opt>,
    /// Another list of options, of what is only looked at.
    pub offers: Vec<Opt>,
    /// Cards that something is done with.
    pub cards: Vec<i32>,
    /// By what seats are ordered.
    pub ranked: Vec<i64>,
    /// A list of costs: resources with amounts.
    pub costs: Vec<(usize, i64)>,
    /// What cards know already in an enumeration of options.
    pub known_guards: [Option<bool>; MOST_GUARDS],
    /// What a seat can pay of each symbol, worked out once in an enumeration.
    pub known_payable: [Option<i64>; 8],
}

/// What is kept beside a state. All of it is worked out from the cells, or lasts for one op only, or is told to people.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// What is kept for expressions.
    pub values: Values,
    /// The open question; listed again when a state is resumed.
    pub pending: Option<Decision>,
    /// What is no longer known of the cells.
    pub dirty: DirtyFlags,
    /// What has been set off and goes to the stack when the running op ends.
    pub queue: Vec<QueuedFrame>,
    /// What the running op goes by.
    pub run: Run,
    pub scratch: Scratch,
    /// What is told to people, if they listen.
    pub log: Log,
}

impl Memory {
    /// Becomes a copy of another one in the memory that this one has: what was worked out for a state holds for its copy.
    pub fn copy_from(&mut self, other: &Memory, acts_at_once: bool) {
        let Memory { values, pending, dirty, queue, run, scratch: _, log } = other;
        self.values.copy_from(values, acts_at_once);
        // The memory for options is this one's own, whether a question is open or not.
        let mut options = self.pending.take().map_or_else(|| std::mem::take(&mut self.scratch.options), |open| open.options);
        match pending {
            Some(open) => {
                options.clone_from(&open.options);
                self.pending = Some(Decision { options, ..*open });
            }
            None => self.scratch.options = options,
        }
        self.dirty = *dirty;
        self.queue.clone_from(queue);
        self.run = *run;
        self.log.clone_from(log);
    }
}

/// What follows natively when a piece leaves its place. The loop that runs it lies above whatever moves pieces, and is handed in.
pub(crate) type Consequence = fn(&mut Machine<'_>, Pc, Env) -> Result<(), Stop>;

/// A state at work. It is made from a [`super::Game`] whenever something is done with it, which costs nothing.
pub struct Machine<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    pub(crate) state: &'a mut State,
    pub(crate) memory: &'a mut Memory,
    pub(crate) consequence: Consequence,
}

impl<'a> Machine<'a> {
    /// The state.
    pub fn state(&self) -> &State {
        self.state
    }

    /// Where everything lies now.
    #[inline(always)]
    pub fn position(&self) -> Position<'_> {
        Position::new(self.rules, self.state)
    }

    /// What works expressions out on this state.
    #[inline(always)]
    pub(crate) fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator::new(self.rules, self.state, &mut self.memory.values)
    }

    /// How many cells lie before the stack.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> usize {
        self.rules.layout.len
    }

    /// Whether all cells are read as they are, and not by a seat that acts while all act at once.
    #[inline(always)]
    pub(crate) fn reads_current(&self) -> bool {
        self.memory.values.view == ReadView::Current
    }

    // ------------------------------------------------------------------ expressions

    /// The value of an expression. There is one copy of it: with several, each evicts the others from the instruction cache.
    #[inline(never)]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        self.evaluator().eval(node, env)
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds(&mut self, node: NodeId, env: &mut Env) -> bool {
        self.eval(node, env) != 0
    }

    /// Whether an optional condition holds; absent means yes.
    #[inline]
    pub(crate) fn holds_if(&mut self, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(node, env) != 0)
    }

    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        self.evaluator().quantity(index, seat, args)
    }

    /// One number of a value of a seat: for the law that it equals a recount.
    pub fn number(&mut self, value: super::code::ValueId, index: u16, seat: usize) -> i64 {
        self.evaluator().number(value, index, seat)
    }

    /// A cell in the present view, without any note of it: for whoever goes through cards, lists options or runs a script.
    #[inline(always)]
    pub fn cell(&mut self, index: usize) -> i32 {
        if self.reads_current() { self.state.cells()[index] } else { self.cell_in_block(index) }
    }

    #[cold]
    fn cell_in_block(&mut self, index: usize) -> i32 {
        self.evaluator().cell(index)
    }

    /// The fault of a number that could not be worked out since this was asked last.
    pub fn wrong_number(&mut self) -> Option<Fault> {
        self.evaluator().wrong_number()
    }

    /// Notes for the seat for whom the game is watched that something is read of a card. `fact` is what would be read of another one.
    #[inline]
    pub fn touch<T: PartialEq>(&mut self, card: usize, fact: impl Fn(usize) -> T) {
        if self.memory.values.watch.is_on() {
            self.evaluator().touch(card, fact);
        }
    }

    /// Notes for the seat for whom the game is watched that it is read what is counted on a card.
    pub fn touch_counters(&mut self, card: usize) {
        self.evaluator().touch_counters(card);
    }

    /// Whether the game is watched for a seat that does not know this card.
    pub(crate) fn is_unseen(&self, card: usize) -> bool {
        self.memory.values.watch.seat().is_some_and(|seat| self.rules.is_unknown(self.state.cells(), seat, card))
    }

    // ------------------------------------------------------------------ cells

    /// Changes a cell: the only way in which what lies before the stack changes.
    ///
    /// # Errors
    /// A value beyond 32 bits is a fault.
    #[inline]
    pub(crate) fn put(&mut self, index: usize, value: i64) -> Result<(), Stop> {
        let old = self.state.cells()[index];
        if old as i64 == value {
            return Ok(());
        }
        let Ok(value) = i32::try_from(value) else { return Err(too_large(value)) };
        self.state.write(index, value);
        let class = self.rules.layout.class_of[index];
        if class != 0 {
            self.note_change(index, class);
        }
        Ok(())
    }

    /// Adds to a cell.
    ///
    /// # Errors
    /// A value beyond 32 bits is a fault.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, value: i64) -> Result<(), Stop> {
        self.put(index, self.state.cells()[index] as i64 + value)
    }

    /// A cell on which something depends has changed: what was worked out from it is invalid.
    #[inline(never)]
    pub(crate) fn note_change(&mut self, index: usize, class: u32) {
        let (rules, values) = (self.rules, &mut self.memory.values);
        if values.view != ReadView::Current {
            values.current.changed.push(cast::fit::<u32>(index));
        }
        let owner = rules.layout.owner_of[index];
        let lasts = rules.lasts[class as usize];
        if lasts != 0 {
            self.memory.dirty.lasting |= lasting_bit(lasts.trailing_zeros(), owner);
        }
        if !rules.code.readers.is_read(class as usize) {
            return;
        }
        let owner = match owner {
            PIECE => {
                let card = (index - rules.layout.piece_base) / rules.layout.piece_size;
                rules.layout.places[Position::new(rules, self.state).place_of(card).0].owner
            }
            owner => owner,
        };
        self.memory.dirty.checks |= values.current.unmark(rules, class as usize, owner);
    }

    /// A card that changes quantities has come or gone.
    pub(crate) fn note_changes_of(&mut self, card: usize) {
        let rules = self.rules;
        for change in &rules.definition(card).changes {
            let row = rules.code.readers.quantities + change.quantity as usize;
            self.memory.dirty.checks |= self.memory.values.current.unmark(rules, row, TABLE);
        }
    }

    /// No value holds any longer.
    pub(crate) fn forget_values(&mut self) {
        let (cells, snapshot) = (self.state.cells(), self.state.snapshot());
        let values = &mut self.memory.values;
        values.current.clear(self.rules);
        values.snapshot.clear(self.rules);
        let fixed = snapshot.len().min(self.rules.layout.len);
        values.current.changed.extend((0..fixed).filter(|&at| cells[at] != snapshot[at]).map(cast::fit::<u32>));
    }

    /// Forgets everything that was worked out: the cells were written from outside.
    pub(crate) fn forget(&mut self) {
        self.forget_values();
        (self.memory.values.active.stale, self.memory.values.active.listed) = (true, true);
        self.memory.dirty = DirtyFlags::default();
        self.memory.queue.clear();
        self.memory.run = Run::default();
        self.memory.values.forget_wrong_number();
    }

    // ------------------------------------------------------------------ frames

    /// Writes the running frame to its cells.
    #[inline]
    pub(crate) fn write_frame(&mut self, at: &Frame) {
        self.state.write_frame(at, self.memory.values.view);
    }

    /// The running frame, from its cells; from now on its view is read.
    #[inline]
    pub(crate) fn read_frame(&mut self) -> Frame {
        let (frame, view) = self.state.read_frame();
        self.memory.values.view = view;
        frame
    }

    /// Begins a frame on top of the running one, which goes on when it ends.
    ///
    /// # Errors
    /// Too many of them.
    #[inline]
    pub(crate) fn enter(&mut self, at: &mut Frame, pc: Pc, env: Env) -> Result<(), Stop> {
        self.write_frame(at);
        self.state.push_frame()?;
        *at = Frame { pc, env };
        Ok(())
    }

    /// Ends the running frame; gives back where the one beneath goes on.
    #[inline]
    pub(crate) fn leave(&mut self) -> Frame {
        self.state.pop_frame();
        self.read_frame()
    }

    // ------------------------------------------------------------------ faults and limits

    /// A fault in the name of the card that speaks.
    pub fn fault(&self, message: impl Into<String>) -> Stop {
        let rules = self.rules;
        let owner = self.memory.run.speaking.map_or(String::new(), |d| rules.names.text(rules.definitions[d as usize].id).to_string());
        Stop::Fault(Box::new(Fault { owner, ..Fault::new(message) }))
    }

    /// Does something in which checks and listeners are off: one thing is done in several steps, or a position is written.
    pub fn quietly<T>(&mut self, f: impl FnOnce(&mut Machine<'a>) -> T) -> T {
        self.memory.run.quiet += 1;
        let result = f(self);
        self.memory.run.quiet = self.memory.run.quiet.saturating_sub(1);
        result
    }

    /// Whether what happens is only looked into to find out what must be asked.
    #[inline]
    pub(crate) fn is_collecting_answers(&self) -> bool {
        self.state.is_collecting_answers(self.fixed())
    }

    // ------------------------------------------------------------------ the log

    /// Adds a line to the log, if one is kept, and if what happens is not only looked into to find out what must be asked.
    #[inline]
    pub fn say(&mut self, line: impl FnOnce() -> String) {
        if self.memory.log.is_kept() && !self.is_collecting_answers() {
            self.memory.log.push(line());
        }
    }
}

#[cold]
fn too_large(value: i64) -> Stop {
    Stop::fault(format!("a number grew to {value}, which is more than a state can hold"))
}

/// Owners of cells that last only for a while: the table, the seats, the pieces.
pub(crate) const OWNERS: u32 = 10;
const _: () = assert!(OWNERS as usize == 2 + head::MAX_SEATS);

/// The bit in [`DirtyFlags::lasting`] for what lasts so long and belongs to this owner.
#[inline]
pub(crate) fn lasting_bit(lifetime: u32, owner: u8) -> u64 {
    let owner = match owner {
        TABLE => 0,
        PIECE => 1,
        seat => 2 + seat as u32,
    };
    1 << (lifetime * OWNERS + owner)
}

#[cfg(test)]
mod tests {
    use super::super::ruleset::Lifetime;
    use super::*;

    #[test]
    fn lifetimes_and_owners_have_bits_of_their_own() {
        let mut seen = 0_u64;
        for lifetime in 0..Lifetime::ALL.len() as u32 {
            for owner in [TABLE, PIECE].into_iter().chain(0..head::MAX_SEATS as u8) {
                let bit = lasting_bit(lifetime, owner);
                assert_eq!(seen & bit, 0);
                seen |= bit;
            }
        }
    }
}
