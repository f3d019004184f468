//! The machine that runs a game: a state with what goes with it, and what running needs beside.

use super::decision::{Decision, Opt, Stop};
use super::shuffle::Shuffle;
use super::store::Store;
use super::token_payment::Payment;
use super::trial::Trials;

/// The most ops between two questions; more are taken for an endless loop.
pub(crate) const MAX_OPS: u32 = 1_000_000;
/// The number of ops as which a call of a script counts.
pub(crate) const OPS_OF_A_SCRIPT: u32 = 100;

/// The registers of the running op that say how far the machine may run. They are meaningless between two questions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// The answer to the question that the running op asks.
    pub chosen: Option<Opt>,
    /// How many ops may still be executed before the next question.
    pub fuel: u32,
    /// At how many points of rest the loop still continues before it pauses; `None` for no limit.
    pub rests_left: Option<u32>,
    /// Above 0, checks and listeners are off: several steps form one change.
    pub suppressed: u32,
    /// How many native consequences are nested.
    pub native_depth: u32,
    /// The script that ran last, for messages about endless games.
    pub last_script: Option<u32>,
}

/// Buffers that are reused. Their content is meaningless between two ops.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Pieces of a deck with their sort keys.
    pub sort_keys: Vec<(u64, u16)>,
    /// The payment in tokens that is being made.
    pub payment: Payment,
    /// Memory for shuffling unknown cards.
    pub shuffle: Shuffle,
    /// The options of a question, while they are listed.
    pub options: Vec<Opt>,
}

/// What running a game needs beside its [`Store`]: the open question and the registers.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The open question. It is listed again when a state is resumed.
    pub pending: Option<Decision>,
    /// The registers of the running op.
    pub run: Run,
    pub scratch: Scratch,
    /// What was tried and may be taken back.
    pub trials: Trials,
}

impl Run {
    /// Counts a point of rest, and pauses if no more were allowed.
    #[inline]
    pub fn rest(&mut self) -> Result<(), Stop> {
        match &mut self.rests_left {
            None => Ok(()),
            Some(0) => Err(Stop::Pause),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }

    /// Consumes some of the ops allowed before the next question.
    ///
    /// # Errors
    /// There are none left.
    #[inline]
    pub fn burn(&mut self, ops: u32) -> Result<(), Stop> {
        self.fuel = self.fuel.checked_sub(ops).ok_or_else(without_fuel)?;
        Ok(())
    }
}

#[cold]
fn without_fuel() -> Stop {
    Stop::fault(format!("after {MAX_OPS} steps nobody has been asked anything; a rule or card may never come to an end"))
}

impl Memory {
    /// Copies `other` into this, reusing the memory.
    pub fn copy_from(&mut self, other: &Memory) {
        // This buffer is moved between the open question and the scratch memory.
        let mut options = self.pending.take().map_or_else(|| std::mem::take(&mut self.scratch.options), |open| open.options);
        match &other.pending {
            Some(open) => {
                options.clone_from(&open.options);
                self.pending = Some(Decision { options, ..*open });
            }
            None => self.scratch.options = options,
        }
        self.run = other.run;
    }
}

/// The machine that runs a game. It only borrows from a [`super::Game`], so creating one costs nothing.
pub struct Machine<'a> {
    /// The state under its rules. Whoever only reads or changes it needs no more.
    pub store: Store<'a>,
    pub(crate) memory: &'a mut Memory,
}

impl<'a> Machine<'a> {
    /// Discards everything computed from the state, because the cells were written from outside.
    pub(crate) fn reset_caches(&mut self) {
        self.store.forget_computed();
        self.memory.run = Run::default();
    }

    /// Calls `f` while checks and listeners are off, because several steps form one change.
    pub fn without_checks<T>(&mut self, f: impl FnOnce(&mut Machine<'a>) -> T) -> T {
        self.memory.run.suppressed += 1;
        let result = f(self);
        self.memory.run.suppressed = self.memory.run.suppressed.saturating_sub(1);
        result
    }
}
