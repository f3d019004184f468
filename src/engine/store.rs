//! The state of a game with all that goes with it: whoever reads a state, changes it or tells of it gets a [`Store`], and no more.
//!
//! All writes but those of counters in the header go through [`Store::put`]. After each of them this holds: what is kept of values computed from the cell is no longer taken for valid,
//! the log of the state has the value before, and marks are set for the checks that read the cell. Running them is left to the
//! [`super::Machine`], which alone asks players and executes ops.

use super::decision::{Args, Fault, Opt, Stop};
use super::env::{Env, ReadView};
use super::evaluator::{Evaluator, Values};
use super::flows::FlowRecorder;
use super::forgetting::UnseenMove;
use super::idle::IdleWatch;
use super::key::KeyMemo;
use super::log::Log;
use super::lookout::Lookout;
use super::native::{self, Native};
use super::op::Pc;
use super::position::Position;
use super::queued_frame::QueuedFrame;
use super::ruleset::{Lifetime, NodeId, Ruleset};
use super::secrecy_of_op::Secrecy;
use super::state::{Frame, QUANTITY, State};
use crate::cast;
use houserule_ruleset::declared::WriteEffect;
use houserule_ruleset::program::MAX_GUARDS;
use houserule_state::layout::piece;
use std::sync::Arc;

/// The cells with a lifetime that may have been written since it ended last.
#[derive(Debug, Default)]
pub(crate) struct WrittenCells {
    /// These cells, some more than once.
    cells: Vec<u32>,
    /// Whether there are too many, or it is not known which they are.
    are_unknown: bool,
}

impl WrittenCells {
    /// The most cells that are noted.
    const MOST: usize = 500;

    /// Notes that a cell has been written.
    #[inline]
    fn note(&mut self, cell: u32) {
        if self.cells.last() != Some(&cell) && !self.are_unknown {
            self.cells.push(cell);
            self.are_unknown = self.cells.len() > WrittenCells::MOST;
        }
    }

    /// Returns the cells; `None` if any may have been written.
    pub fn known(&self) -> Option<&[u32]> {
        (!self.are_unknown).then_some(&self.cells)
    }

    /// Notes that all of them are as if they had not been written.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.are_unknown = false;
    }
}

impl Clone for WrittenCells {
    fn clone(&self) -> WrittenCells {
        WrittenCells { cells: self.cells.clone(), are_unknown: self.are_unknown }
    }

    fn clone_from(&mut self, source: &WrittenCells) {
        // Most are empty, and a trial copies them twice.
        if !self.cells.is_empty() || !source.cells.is_empty() {
            self.cells.clone_from(&source.cells);
        }
        self.are_unknown = source.are_unknown;
    }
}

/// The bit set of all seats, however many there are.
pub(crate) const ALL_SEATS: i32 = -1;

/// Marks of what must be checked or reset because cells have changed.
#[derive(Debug, Default)]
pub(crate) struct DirtyFlags {
    /// Whether the state-based checks are due.
    pub checks: bool,
    /// The seats for which the check is due that places have room for their cards, as a bit set.
    pub room: i32,
    /// What was written, for each lifetime.
    pub lasting: [WrittenCells; Lifetime::ALL.len()],
}

impl Clone for DirtyFlags {
    fn clone(&self) -> DirtyFlags {
        DirtyFlags { checks: self.checks, room: self.room, lasting: self.lasting.clone() }
    }

    fn clone_from(&mut self, source: &DirtyFlags) {
        (self.checks, self.room) = (source.checks, source.room);
        self.lasting.clone_from(&source.lasting);
    }
}

impl DirtyFlags {
    /// Notes that any cell may have been written.
    pub fn set_all(&mut self) {
        (self.checks, self.room) = (true, ALL_SEATS);
        self.lasting.iter_mut().for_each(|written| written.are_unknown = true);
    }

    /// Notes that a game begins, in which only these cells are not 0.
    pub fn note_begin(&mut self, rules: &Ruleset, cells: impl Iterator<Item = u32>) {
        self.lasting.iter_mut().for_each(WrittenCells::clear);
        for cell in cells {
            if let Some(lifetime) = rules.write_effects.get(cell as usize).and_then(|effect| effect.lifetime) {
                self.lasting[lifetime as usize].note(cell);
            }
        }
    }
}

/// What changes are made by: registers of the running op that say whose they are, and who may know of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Running {
    /// How the running op changes what seats know of hidden values.
    pub secrecy: Secrecy,
    /// The definition of the card whose script runs.
    pub definition: Option<u32>,
    /// The last answer, and the seat that gave it.
    pub answered: Option<(u8, Opt)>,
    /// The turns of which one began last, if that is known.
    pub last_turns: Option<u16>,
}

/// Buffers for lists that are reused. Their content is meaningless between two uses.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// The options as generated code lists them: each with its choice and the values of its parameters.
    pub listed: Vec<(u16, Args)>,
    /// The options that are listed only to see whether there are any.
    pub offers: Vec<Opt>,
    /// The options among which there is a series of picks, and those of a seat that may have a turn.
    pub picks: Vec<Opt>,
    /// The cards of a set.
    pub cards: Vec<i32>,
    /// The cards of a set as generated code lists them.
    pub listed_cards: Vec<i32>,
    /// Hashes of the keys of options.
    pub keys: KeyMemo,
    /// The sort keys of seats.
    pub seat_keys: Vec<i64>,
    /// The cells in which two states differ.
    pub differing: Vec<usize>,
    /// What is written while the variables of a lifetime are cleared.
    pub lasting: WrittenCells,
    /// The costs to pay: resources with amounts.
    pub costs: Vec<(usize, i64)>,
    /// The values of guards that do not depend on parameters, while the options of an action are listed.
    pub known_guards: [Option<bool>; MAX_GUARDS],
    /// How much of each symbol the seat can pay, while the options of an action are listed.
    pub known_payable: [Option<i64>; 8],
}

/// What goes with a state, and changes with it.
#[derive(Debug, Default)]
pub(crate) struct Live {
    /// The values computed from the cells.
    pub values: Values,
    /// Marks of what must be checked again before the next op.
    pub dirty: DirtyFlags,
    /// Frames to push onto the stack when the running op ends.
    pub queue: Vec<QueuedFrame>,
    /// The cards that have moved unseen since anybody looked.
    pub unseen_moves: Vec<UnseenMove>,
    pub running: Running,
    /// The log for players.
    pub log: Log,
    /// For whom the game looks out while answers are tried on it, if it does.
    pub lookout: Option<Lookout>,
    /// What looks for rounds in which nothing happens, if it is wanted.
    pub idle: Option<Box<IdleWatch>>,
    /// What records what seats gain and lose, if it is wanted.
    pub flows: Option<Box<FlowRecorder>>,
    pub lists: Lists,
}

impl Live {
    /// Copies `other` into this, reusing the memory. Values computed for a state are valid for its copy; nothing watches or records it.
    pub fn copy_from(&mut self, other: &Live, in_simultaneous_block: bool) {
        let Live { values, dirty, queue, unseen_moves, running, log, lookout: _, idle: _, flows: _, lists: _ } = other;
        self.values.copy_from(values, in_simultaneous_block);
        self.lookout = None;
        self.dirty.clone_from(dirty);
        self.running = *running;
        self.queue.clone_from(queue);
        self.unseen_moves.clone_from(unseen_moves);
        self.log.clone_from(log);
    }

    /// Takes over what goes with another state of the same rules, to whose cells this one has been brought; values that are kept stay.
    pub fn follow(&mut self, other: &Live) {
        let Live { values, dirty, queue, unseen_moves, running, .. } = self;
        values.follow(&other.values);
        dirty.clone_from(&other.dirty);
        queue.clone_from(&other.queue);
        unseen_moves.clone_from(&other.unseen_moves);
        *running = other.running;
    }
}

/// The state of a game under its rules, and what goes with it. It only borrows from a [`super::Game`], so creating one costs nothing.
pub struct Store<'a> {
    /// The rules of the game.
    pub rules: &'a Ruleset,
    pub(crate) state: &'a mut State,
    pub(crate) live: &'a mut Live,
}

impl Store<'_> {
    /// Returns the state of the game.
    pub fn state(&self) -> &State {
        self.state
    }

    /// Returns a read-only view of where cards lie and what seats have.
    #[inline(always)]
    pub fn position(&self) -> Position<'_> {
        Position::new(self.rules, self.state)
    }

    /// Creates an evaluator for this state.
    #[inline(always)]
    pub(crate) fn evaluator(&mut self) -> Evaluator<'_> {
        Evaluator::new(self.rules, self.state, &mut self.live.values)
    }

    /// Returns the number of cells before the stack.
    #[inline(always)]
    pub(crate) fn stack_start(&self) -> usize {
        self.rules.layout.len
    }

    /// Whether all reads are from the current cells: no simultaneous block is running.
    #[inline(always)]
    pub(crate) fn reads_current(&self) -> bool {
        self.live.values.view == ReadView::Current
    }

    // ------------------------------------------------------------------ expressions

    /// Evaluates an expression. There is one copy of this function: with several, each evicts the others from the instruction cache.
    #[inline(never)]
    pub fn eval(&mut self, node: NodeId, env: &mut Env) -> i64 {
        self.evaluator().eval(node, env)
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds(&mut self, node: NodeId, env: &mut Env) -> bool {
        self.eval(node, env) != 0
    }

    /// Whether an optional condition holds; `None` holds.
    #[inline]
    pub(crate) fn holds_if(&mut self, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(node, env) != 0)
    }

    /// Returns the seat that an expression gives; `None` for nobody.
    pub(crate) fn seat_of(&mut self, seat: NodeId, env: &mut Env) -> Option<usize> {
        let players = self.rules.players;
        usize::try_from(self.eval(seat, env)).ok().filter(|&seat| seat < players)
    }

    /// Returns the seat to whose place something goes: the current one unless another is named; `None` for nobody.
    pub(crate) fn owner_of(&mut self, owner: Option<NodeId>, env: &mut Env) -> Option<usize> {
        owner.map_or(Some(env.me), |owner| self.seat_of(owner, env))
    }

    /// Evaluates a quantity for a seat, with all changes.
    pub fn quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        self.evaluator().quantity(index, seat, args)
    }

    /// Returns one number of a cached value of a seat: for the property test that it equals its recomputation.
    pub fn number(&mut self, value: super::code::ValueId, index: u16, seat: usize) -> i64 {
        self.evaluator().number(value, index, seat)
    }

    /// Reads a cell in the current view. For code that lists cards or options, and for scripts.
    #[inline(always)]
    pub fn cell(&mut self, index: usize) -> i32 {
        if self.reads_current() { self.state.cells()[index] } else { self.cell_in_block(index) }
    }

    #[cold]
    fn cell_in_block(&mut self, index: usize) -> i32 {
        self.evaluator().cell(index)
    }

    /// Takes the fault of the first arithmetic error since the last call.
    pub fn take_arithmetic_fault(&mut self) -> Option<Fault> {
        self.evaluator().take_arithmetic_fault()
    }

    /// Records for the watched seat that a fact about a card is read; `fact` gives that fact for any card.
    #[inline]
    pub fn watch_fact<T: PartialEq>(&mut self, card: usize, fact: impl Fn(usize) -> T) {
        if self.live.values.watch.is_on() {
            self.evaluator().watch_fact(card, fact);
        }
    }

    /// Records for the watched seat that the counters of a card are read.
    pub fn watch_counters(&mut self, card: usize) {
        self.evaluator().watch_counters(card);
    }

    /// Records for the watched seat that a cell of the table or of a seat is read.
    pub fn watch_cell(&mut self, cell: usize) {
        self.evaluator().watch_cell(cell);
    }

    /// Whether the game is watched for a seat that does not know this card.
    pub(crate) fn is_unseen(&self, card: usize) -> bool {
        self.live.values.watch.seat().is_some_and(|seat| self.rules.is_unknown(self.state.cells(), seat, card))
    }

    /// Whether anything unknown to the watched seat was read since the last call.
    pub fn take_read_hidden(&self) -> bool {
        self.live.values.watch.take()
    }

    /// Notes that something comes to light that no seat knows.
    #[inline]
    pub(crate) fn note_told(&mut self) {
        if let Some(lookout) = &mut self.live.lookout {
            lookout.has_told = true;
        }
    }

    /// Notes that a card comes to light: that is news to who did not know it.
    #[inline]
    pub(crate) fn note_seen(&mut self, card: usize) {
        if let Some(lookout) = &mut self.live.lookout {
            let known = self.state.cells()[self.rules.layout.piece(card, piece::KNOWN)];
            lookout.has_told |= known >> lookout.seat & 1 == 0;
        }
    }

    /// Notes that a seat learns a part of a card: that is news to who did not know the card.
    pub(crate) fn note_part_seen(&mut self, card: usize, seat: Option<usize>) {
        if let Some(lookout) = &mut self.live.lookout {
            let is_news = seat == Some(lookout.seat.into()) && self.rules.is_unknown(self.state.cells(), lookout.seat.into(), card);
            lookout.has_told |= is_news;
        }
    }

    /// Returns the seed, for something that is drawn by chance.
    #[inline]
    pub(crate) fn seed_of_chance(&mut self) -> u64 {
        self.note_told();
        self.state.seed()
    }

    // ------------------------------------------------------------------ cells

    /// Writes a cell before the stack, and invalidates what depends on it. All such writes use this function.
    ///
    /// # Errors
    /// A value beyond 32 bits is a fault.
    #[inline]
    pub(crate) fn put(&mut self, index: usize, value: i64) -> Result<(), Stop> {
        let old = self.state.cells()[index];
        if i64::from(old) == value {
            return Ok(());
        }
        let Ok(value) = i32::try_from(value) else { return Err(too_large(value)) };
        self.write(index, value);
        Ok(())
    }

    /// Adds to a cell.
    ///
    /// # Errors
    /// A sum beyond 32 bits is a fault.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, value: i64) -> Result<(), Stop> {
        self.put(index, self.state.cells()[index] as i64 + value)
    }

    /// What is seldom needed is called last, so that most writes save no registers.
    #[inline(never)]
    fn write(&mut self, index: usize, value: i32) {
        if self.state.set_within(index, value) {
            return self.note_written(index);
        }
        self.write_with_more_memory(index, value);
    }

    #[cold]
    #[inline(never)]
    fn write_with_more_memory(&mut self, index: usize, value: i32) {
        self.state.set(index, value);
        self.note_written(index);
    }

    /// Invalidates what depends on a cell whose change is in the log already.
    #[inline(always)]
    pub(crate) fn note_written(&mut self, index: usize) {
        let Some(&effect) = self.rules.write_effects.get(index).filter(|effect| effect.class != 0) else { return };
        self.live.dirty.checks |= effect.is_checked;
        if effect.lifetime.is_some() || !self.live.values.kept.is_native() {
            self.note_written_for_later(index, effect);
        }
    }

    /// Notes a written cell for the end of its lifetime, and for what a walk keeps.
    #[inline(never)]
    fn note_written_for_later(&mut self, index: usize, effect: WriteEffect) {
        let Live { values, dirty, .. } = &mut *self.live;
        if let Some(lifetime) = effect.lifetime {
            dirty.lasting[lifetime as usize].note(cast::low(cast::count(index)));
        }
        values.kept.note_written(self.rules, self.state, index, values.view != ReadView::Current);
    }

    /// Invalidates the quantities that a card changes, because it entered or left play.
    pub(crate) fn invalidate_changes_of(&mut self, card: usize) {
        let rules = self.rules;
        for change in rules.definition(card).effective_changes() {
            let row = rules.code.dependencies.first_quantity_row + change.quantity as usize;
            self.live.dirty.checks |= rules.code.dependencies.are_checked(row);
            self.state.log_mut().note(QUANTITY | u32::from(change.quantity), 0);
            let in_block = self.live.values.view != ReadView::Current;
            self.live.values.kept.note_changes(rules, change.quantity, in_block);
        }
    }

    /// Invalidates all cached values.
    pub(crate) fn invalidate_values(&mut self) {
        self.live.values.kept.forget(self.rules, self.state);
    }

    /// Evaluates expressions by this code from now on; what has been computed is computed anew.
    pub(crate) fn switch_back_end(&mut self, native: Option<Arc<Native>>) {
        self.live.values.kept.switch_to(native);
        self.invalidate_values();
        self.live.values.active.stale = true;
    }

    /// Takes up code that has been compiled since the game began, unless its back end has been chosen for good.
    pub(crate) fn take_up_code(&mut self) {
        let values = &self.live.values;
        if !values.kept.is_native()
            && !values.is_back_end_fixed
            && let Some(native) = native::current(self.rules)
        {
            self.switch_back_end(Some(native));
        }
    }

    /// Discards everything computed from the state, because the cells were written from outside.
    pub(crate) fn forget_computed(&mut self) {
        self.invalidate_values();
        self.state.begin_log_anew(self.rules.layout.len);
        let Live { values, dirty, queue, running, .. } = &mut *self.live;
        values.active.forget();
        values.discard_arithmetic_error();
        queue.clear();
        dirty.set_all();
        *running = Running::default();
    }

    // ------------------------------------------------------------------ frames

    /// Stores the running frame in its cells.
    #[inline]
    pub(crate) fn write_frame(&mut self, frame: &Frame) {
        self.state.write_frame(frame, self.live.values.view);
    }

    /// Loads the running frame from its cells, and switches to its view.
    #[inline]
    pub(crate) fn read_frame(&mut self) -> Frame {
        let (frame, view) = self.state.read_frame();
        self.live.values.view = view;
        frame
    }

    /// Pushes a frame onto the stack and continues with it; the frame below resumes when it ends.
    ///
    /// # Errors
    /// A stack overflow.
    #[inline]
    pub(crate) fn enter(&mut self, frame: &mut Frame, pc: Pc, env: Env) -> Result<(), Stop> {
        self.write_frame(frame);
        self.state.push_frame()?;
        *frame = Frame { pc, env };
        Ok(())
    }

    /// Pops the running frame; returns the frame below, which resumes.
    #[inline]
    pub(crate) fn leave(&mut self) -> Frame {
        self.state.pop_frame();
        self.read_frame()
    }

    // ------------------------------------------------------------------ faults and limits

    /// Creates a fault that names the card whose script runs.
    pub fn fault(&self, message: impl Into<String>) -> Stop {
        let rules = self.rules;
        let owner = self.live.running.definition.map_or(String::new(), |d| rules.names.text(rules.definitions[d as usize].id).to_string());
        Stop::Fault(Box::new(Fault { owner, ..Fault::new(message) }))
    }

    /// Whether a simultaneous block is collecting answers: what the bodies do is then rolled back.
    #[inline]
    pub fn is_collecting_answers(&self) -> bool {
        self.state.is_collecting_answers(self.stack_start())
    }

    // ------------------------------------------------------------------ the log

    /// Adds a line to the log, if one is kept and no simultaneous block is collecting answers.
    #[inline]
    pub fn log_line(&mut self, line: impl FnOnce() -> String) {
        if self.live.log.is_on() && !self.is_collecting_answers() {
            self.live.log.push(line());
        }
    }
}

#[cold]
fn too_large(value: i64) -> Stop {
    Stop::fault(format!("a number grew to {value}, which is more than a state can hold"))
}
