//! Where the values computed from a state are kept: in caches, if expressions are walked, or in the memory of generated code. Else in the engine only
//! what can be tried or taken up depends on which of both it is.

use super::active::ActiveEntries;
use super::cache::Cache;
use super::env::ReadView;
use super::native::{Instance, Mirror, Native};
use super::ruleset::Ruleset;
use super::state::{QUANTITY, State};
use crate::cast;
use houserule_state::layout::{PIECE, TABLE, piece};
use std::sync::Arc;

/// The values that are kept of a game.
#[derive(Debug, Default)]
pub(crate) struct KeptValues {
    /// The generated code by which expressions are evaluated; `None` if they are walked.
    native: Option<Arc<Native>>,
    /// The memory of the thread, while the game runs by generated code.
    instance: Option<Box<Instance>>,
    /// The copies of the state for that code.
    mirror: Mirror,
    /// Of a walk, the cache for the current cells, and during a simultaneous block that for the snapshot.
    current: Cache,
    snapshot: Cache,
}

/// What generated code evaluates, and where its values are kept.
pub(crate) struct Held<'a> {
    pub native: &'a Native,
    pub rules: &'a Ruleset,
    pub state: &'a State,
    /// The view in which expressions are read.
    pub view: ReadView,
    pub active: &'a mut ActiveEntries,
    pub mirror: &'a mut Mirror,
}

impl KeptValues {
    /// Whether expressions are evaluated by generated code.
    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Whether both evaluate by the same generated code, and so belong to games of the same rules.
    pub fn runs_as(&self, other: &KeptValues) -> bool {
        self.native.as_ref().zip(other.native.as_ref()).is_some_and(|(own, other)| Arc::ptr_eq(own, other))
    }

    /// Evaluates by this code from now on, or walks; what has been computed must be forgotten.
    pub fn switch_to(&mut self, native: Option<Arc<Native>>) {
        self.detach();
        self.native = native;
    }

    /// Copies `other` into this, reusing the memory.
    pub fn copy_from(&mut self, other: &KeptValues, in_simultaneous_block: bool) {
        match (&mut self.native, &other.native) {
            (Some(own), Some(other)) if Arc::ptr_eq(own, other) => {}
            (own, other) => own.clone_from(other),
        }
        if other.is_native() {
            self.mirror.clone_from(&other.mirror);
            return;
        }
        self.current.clone_from(&other.current);
        if in_simultaneous_block {
            self.snapshot.clone_from(&other.snapshot);
        }
    }

    // ------------------------------------------------------------------ the memory of generated code

    /// Takes the memory of the thread while the game runs, so that it is at hand for each expression.
    pub fn attach(&mut self) {
        if self.instance.is_none() {
            self.instance = self.native.as_ref().and_then(|native| native.take_instance());
        }
    }

    /// Gives the memory of the thread back.
    pub fn detach(&mut self) {
        if let (Some(native), Some(instance)) = (&self.native, self.instance.take()) {
            native.give_back(instance);
        }
    }

    /// Calls `then` with the memory of the thread and what is evaluated there; `None` if expressions are walked, or if there is no memory.
    #[inline(always)]
    pub fn on_instance<T>(
        &mut self,
        (rules, state): (&Ruleset, &State),
        (view, active): (ReadView, &mut ActiveEntries),
        then: impl FnOnce(&mut Instance, Held<'_>) -> Option<T>,
    ) -> Option<T> {
        let KeptValues { native, instance, mirror, .. } = self;
        let native = &**native.as_ref()?;
        let held = Held { native, rules, state, view, active, mirror };
        if let Some(instance) = instance {
            return then(instance, held);
        }
        let mut instance = native.take_instance()?;
        let found = then(&mut instance, held);
        native.give_back(instance);
        found
    }

    // ------------------------------------------------------------------ what a walk keeps

    /// Returns the cache of a walk that holds the values of a seat in a view; `None` if generated code keeps them.
    #[inline]
    pub fn cache_for(&mut self, view: ReadView, seat: usize) -> Option<&mut Cache> {
        match view {
            _ if self.is_native() => None,
            ReadView::Current => Some(&mut self.current),
            ReadView::OwnCurrent(own) if own as usize == seat => Some(&mut self.current),
            ReadView::OwnCurrent(_) | ReadView::Snapshot => Some(&mut self.snapshot),
        }
    }

    /// Returns the cache of a walk for the current cells; `None` if generated code keeps the values.
    #[inline(always)]
    pub fn current(&self) -> Option<&Cache> {
        if self.is_native() { None } else { Some(&self.current) }
    }

    // ------------------------------------------------------------------ what is no longer so

    /// Notes that a cell has been written; generated code finds that in the log of the state.
    #[inline(always)]
    pub fn note_written(&mut self, rules: &Ruleset, state: &State, index: usize, in_block: bool) {
        if !self.is_native() {
            self.forget_what_reads(rules, state, index, in_block);
        }
    }

    #[inline(never)]
    fn forget_what_reads(&mut self, rules: &Ruleset, state: &State, index: usize, in_block: bool) {
        let written = cast::low(cast::count(index));
        if in_block {
            self.current.changed.push(written);
        }
        let effect = rules.write_effects[index];
        if rules.code.dependencies.readers(effect.class as usize).is_empty() {
            return;
        }
        let owner = match effect.owner {
            PIECE => {
                let card = (index - rules.layout.piece_base) / rules.layout.piece_size;
                rules.layout.places[cast::index(state.cells()[rules.layout.piece(card, piece::PLACE)])].owner
            }
            owner => owner,
        };
        self.current.invalidate(rules, effect.class as usize, owner);
    }

    /// Notes that other cards than before change a quantity.
    pub fn note_changes(&mut self, rules: &Ruleset, quantity: u16, in_block: bool) {
        if self.is_native() {
            return;
        }
        let row = rules.code.dependencies.first_quantity_row + usize::from(quantity);
        self.current.invalidate(rules, row, TABLE);
        if in_block {
            // Ranks compare by the cards that are in play now.
            self.snapshot.invalidate(rules, row, TABLE);
        }
    }

    /// Forgets all values, because any cell may have been written.
    pub fn forget(&mut self, rules: &Ruleset, state: &State) {
        let (cells, snapshot) = (state.cells(), state.snapshot());
        self.mirror.forget();
        self.current.clear(rules);
        self.snapshot.clear(rules);
        let stack_start = snapshot.len().min(rules.layout.len);
        self.current.changed.extend((0..stack_start).filter(|&cell| cells[cell] != snapshot[cell]).map(cast::fit::<u32>));
    }

    // ------------------------------------------------------------------ simultaneous blocks

    /// Notes that a simultaneous block begins.
    pub fn begin_block(&mut self) {
        self.mirror.block.forget();
        if !self.is_native() {
            self.snapshot.clone_from(&self.current);
        }
    }

    /// Notes that the cells are about to be as they were when the block began.
    pub fn restore_block(&mut self, rules: &Ruleset, state: &State) {
        if self.is_native() {
            return self.mirror.restore(state.log());
        }
        let log = state.log();
        for &(written, _) in log.since(log.block_begin()).unwrap_or_default().iter().filter(|entry| entry.0 >= QUANTITY) {
            let row = rules.code.dependencies.first_quantity_row + (written & !QUANTITY) as usize;
            self.snapshot.invalidate(rules, row, TABLE);
        }
        self.current.clone_from(&self.snapshot);
    }

    /// Notes that the block has ended: values that were computed from the snapshot of other seats are no longer so.
    pub fn end_block(&mut self, rules: &Ruleset, state: &State) {
        let mut changed = std::mem::take(&mut self.current.changed);
        for index in changed.drain(..).map(|index| index as usize) {
            if state.cells()[index] != state.snapshot()[index] {
                self.note_written(rules, state, index, false);
            }
        }
        self.current.changed = changed;
    }

    // ------------------------------------------------------------------ trials

    /// Begins a trial: what is lost from now on comes back with [`KeptValues::take_back`]. Returns false if that cannot be. `saved` keeps what a
    /// walk has.
    pub fn begin_trial(&mut self, game: (&Ruleset, &State), read: (ReadView, &mut ActiveEntries), saved: &mut Cache) -> bool {
        if !self.is_native() {
            saved.clone_from(&self.current);
            return true;
        }
        let begun = self.on_instance(game, read, |instance, mut held| {
            instance.hold(&mut held)?;
            held.mirror.begin_trial((held.state.log(), held.view != ReadView::Current));
            Some(())
        });
        begun.is_some()
    }

    /// Notes that a trial is about to be taken back.
    pub fn take_back(&mut self, game: (&Ruleset, &State), active: &mut ActiveEntries, saved: &mut Cache) {
        if !self.is_native() {
            return std::mem::swap(&mut self.current, saved);
        }
        let taken_back = self.on_instance(game, (ReadView::Current, active), |instance, held| {
            instance.take_back(held.native, held.mirror, held.state.log());
            Some(())
        });
        if taken_back.is_none() {
            self.mirror.trials.pop();
            self.mirror.forget();
        }
    }

    /// Returns how much of the log of the state a copy of the game has to take over, a position.
    pub fn position(&self) -> usize {
        if self.mirror.copied.id == 0 { usize::MAX } else { self.mirror.seen }
    }

    /// Returns the copies of the state, for tests.
    #[cfg(test)]
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }
}
