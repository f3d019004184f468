//! Machine code that several rulesets share: those of one game with small differences, such as a card without its effects.

use super::sandbox::Compiled;
use crate::ruleset::{NodeId, Ruleset};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The most machine codes that are kept: to find out whether one is that of a ruleset, its module is emitted, which takes milliseconds.
const MAX_SHARED: usize = 4;

/// Machine code that has been compiled from a module. Rulesets whose modules differ in nothing but constants share it.
pub(super) struct MachineCode {
    /// The module from which it was compiled, without constants.
    pub bytes: Vec<u8>,
    pub module: Compiled,
    /// The expressions that were asked for.
    pub roots: Vec<NodeId>,
}

impl MachineCode {
    /// Whether a ruleset has an expression that can stand alone for each number of an expression that was asked for.
    pub fn may_be_of(&self, rules: &Ruleset) -> bool {
        let is_whole = |root: &NodeId| root.index() < rules.graph.count() && rules.graph.facts(*root).vars == 0;
        self.roots.iter().all(is_whole)
    }
}

/// The machine codes of several rulesets.
#[derive(Default)]
pub(super) struct SharedCode {
    all: Mutex<Vec<Arc<MachineCode>>>,
    /// How many there are, to be read without waiting.
    count: AtomicUsize,
}

impl SharedCode {
    /// Returns the number of machine codes.
    pub fn count(&self) -> usize {
        self.count.load(Relaxed)
    }

    /// Adds machine code, unless it is known or there is enough.
    pub fn add(&self, code: &Arc<MachineCode>) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_SHARED && !all.iter().any(|known| known.bytes == code.bytes) {
            all.push(code.clone());
            self.count.store(all.len(), Relaxed);
        }
    }

    /// Returns the machine codes for more than so many expressions, those for the most first, and the number of all. The first `looked_at`
    /// are left out.
    pub fn since(&self, looked_at: usize, roots: usize) -> (Vec<Arc<MachineCode>>, usize) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (count, mut rest) = (all.len(), all.split_off(looked_at.min(all.len())));
        rest.retain(|code| code.roots.len() > roots);
        rest.sort_by_key(|code| std::cmp::Reverse(code.roots.len()));
        (rest, count)
    }
}
