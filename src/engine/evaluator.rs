//! What works expressions out: the rules, the cells of a state, and the memory for it. It changes nothing of the state.

use super::active::{Active, ActiveEntry};
use super::cache::Cache;
use super::definition::Definition;
use super::env::ReadView;
use super::position::Position;
use super::reader::{Cells, Reader};
use super::ruleset::Ruleset;
use super::state::State;
use super::watch::Watch;
use crate::source::Span;
use houserule_ruleset::code::{REGISTERS, Reg};
use houserule_ruleset::readers::Noting;
use std::cell::Cell;

/// Registers of an expression: as many as a [`Reg`] can name, so that none has to be looked for. Only the first [`REGISTERS`] are used.
pub(crate) type Regs = [i64; Reg::MAX as usize + 1];
const _: () = assert!(REGISTERS <= Reg::MAX as usize);

pub(crate) const TOO_LARGE: &str = "a number grew too large";
pub(crate) const DIVIDED_BY_0: &str = "a number was divided by 0";

/// What is needed while expressions are worked out; between two of them it means nothing, but for what went wrong.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The value of the caches that is being worked out.
    pub noting: Noting,
    /// How many expressions are within one another.
    pub depth: u32,
    /// Registers that nothing is worked out in; what they hold means nothing.
    #[expect(clippy::vec_box, reason = "they are taken out and put back at every expression")]
    spare: Vec<Box<Regs>>,
    /// What went wrong with a number.
    wrong_number: Cell<Option<&'static str>>,
    /// The card by whose change it did, and where that says so.
    pub wrong_in: Option<(u32, Option<Span>)>,
}

impl Evaluation {
    /// Registers to work something out in: every operation writes those that are read behind it.
    #[inline]
    pub fn take_registers(&mut self) -> Box<Regs> {
        let mut regs = self.spare.pop().unwrap_or_else(|| Box::new([0; Reg::MAX as usize + 1]));
        if cfg!(debug_assertions) {
            regs.fill(i64::MIN + 7);
        }
        regs
    }

    /// Takes registers back when their result was read.
    #[inline]
    pub fn give_back(&mut self, regs: Box<Regs>) {
        self.spare.push(regs);
    }

    /// Something went wrong with a number; the first of it is told. Gives back what stands for the number.
    pub fn went_wrong(&self, what: &'static str) -> i64 {
        self.wrong_number.set(self.wrong_number.get().or(Some(what)));
        0
    }

    /// What went wrong, if anything did.
    #[inline(always)]
    pub fn wrong_number(&self) -> Option<&'static str> {
        self.wrong_number.get()
    }

    /// The like, and forgets it.
    pub fn take_wrong_number(&self) -> Option<&'static str> {
        self.wrong_number.take()
    }
}

impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        Evaluation { wrong_number: self.wrong_number.clone(), wrong_in: self.wrong_in, ..Evaluation::default() }
    }

    fn clone_from(&mut self, source: &Evaluation) {
        self.wrong_number.set(source.wrong_number.get());
        self.wrong_in = source.wrong_in;
    }
}

/// What is kept beside a state for working expressions out; a copy of a game has what was worked out for the first, too.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// Which view the running frame reads.
    pub view: ReadView,
    /// Values of the cells as they are.
    pub current: Cache,
    /// While all act at once: values of the cells as they were when the block began.
    pub snapshot: Cache,
    /// Cards in play by what they say.
    pub active: Active,
    pub evaluation: Evaluation,
    /// Whether it is noted what is read that a seat does not know.
    pub watch: Watch,
}

impl Values {
    /// Becomes a copy of others in the memory that these have. A copy is not watched.
    pub fn copy_from(&mut self, other: &Values, acts_at_once: bool) {
        let Values { view, current, snapshot, active, evaluation, watch: _ } = other;
        self.view = *view;
        self.current.clone_from(current);
        if acts_at_once {
            self.snapshot.clone_from(snapshot);
        }
        self.active.clone_from(active);
        self.evaluation.clone_from(evaluation);
        self.watch = Watch::default();
    }

    /// What went wrong with a number before is told, or means nothing any longer.
    pub fn forget_wrong_number(&mut self) {
        self.evaluation.take_wrong_number();
        self.evaluation.wrong_in = None;
    }

    /// Which of both caches holds a seat's values in the present view.
    #[inline]
    pub fn cache_for(&mut self, seat: usize) -> &mut Cache {
        match self.view {
            ReadView::Current => &mut self.current,
            ReadView::OwnCurrent(own) if own as usize == seat => &mut self.current,
            ReadView::OwnCurrent(_) | ReadView::Snapshot => &mut self.snapshot,
        }
    }
}

/// Works expressions out on a state. Cells are read through its [`Reader`] alone.
pub(crate) struct Evaluator<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// What was worked out before.
    pub values: &'a mut Values,
    state: &'a State,
}

impl<'a> Evaluator<'a> {
    /// One for a state.
    #[inline(always)]
    pub fn new(rules: &'a Ruleset, state: &'a State, values: &'a mut Values) -> Evaluator<'a> {
        Evaluator { rules, values, state }
    }

    /// Reads cells, and notes them. One that does not note is for code that runs while nothing is noted and everything is seen as it is.
    #[inline(always)]
    pub fn reader<const NOTE: bool>(&self) -> Reader<'a, NOTE> {
        Reader::new(self.rules, Cells::of(self.state), self.values.view, self.values.evaluation.noting)
    }

    /// A cell in the present view, whosever it is.
    #[inline(always)]
    pub fn cell(&self, index: usize) -> i32 {
        self.reader::<true>().cell(index)
    }

    /// A cell of a piece in the present view.
    #[inline(always)]
    pub fn piece_cell(&self, card: usize, offset: usize) -> i32 {
        self.reader::<true>().piece_cell(card, offset)
    }

    /// Lists again who speaks, if a card that speaks came or went.
    #[inline]
    pub fn refresh_active(&mut self) {
        if self.values.active.stale {
            self.values.active.refresh(self.rules, self.state.cells());
        }
    }

    /// The cards in play that change a quantity, in the order in which they do.
    #[inline]
    pub fn changes_of(&self, quantity: u16) -> &[ActiveEntry] {
        self.values.active.changes(quantity)
    }

    /// A number grew too large.
    #[cold]
    pub fn too_large(&self) -> i64 {
        self.values.evaluation.went_wrong(TOO_LARGE)
    }

    /// A number was divided by 0.
    #[cold]
    pub fn divided_by_zero(&self) -> i64 {
        self.values.evaluation.went_wrong(DIVIDED_BY_0)
    }

    // ------------------------------------------------------------------ what a seat does not know

    /// Notes for the seat for whom the game is watched that something is read of a card. `fact` is what would be read of another one.
    #[inline]
    pub fn touch<T: PartialEq>(&self, card: usize, fact: impl Fn(usize) -> T) {
        if self.values.watch.is_on() {
            self.values.watch.touch(self.rules, Cells::of(self.state), card, fact);
        }
    }

    /// Notes for the seat for whom the game is watched that it is read what is counted on a card.
    #[inline]
    pub fn touch_counters(&self, card: usize) {
        if self.values.watch.is_on() {
            self.values.watch.touch_counters(self.rules, Cells::of(self.state), card);
        }
    }

    /// Notes that it is asked which cards in play speak in some way, where some of them lie in secret: that none of those speaks tells as much.
    pub fn touch_speakers(&self, speaks: impl Fn(&Definition) -> bool) {
        if !self.values.watch.is_on() {
            return;
        }
        let Some(seat) = self.values.watch.waits_for() else { return };
        let position = Position::new(self.rules, self.state);
        for declared in self.rules.places.iter().filter(|place| place.hearing && place.hidden) {
            let instances = declared.first as usize..(declared.first + declared.instances) as usize;
            for instance in instances.filter(|&instance| !self.rules.sees_into(instance, seat)) {
                position.all_in(instance).iter().for_each(|&card| self.touch(card, |card| speaks(self.rules.definition(card))));
            }
        }
    }
}
