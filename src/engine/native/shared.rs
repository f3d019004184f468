//! Machine code that several rulesets share: those of one game with small differences, such as a card without its effects.

use super::{Emitted, MachineCode, Native};
use crate::ruleset::{NodeId, Ruleset};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The most machine codes that are kept: to find out whether one is that of a ruleset, its module is emitted, which takes milliseconds.
const MAX_SHARED: usize = 4;

/// The machine codes of several rulesets.
#[derive(Default)]
pub(super) struct SharedCode {
    all: Mutex<Vec<Arc<MachineCode>>>,
    /// How many there are, to be read without waiting.
    count: AtomicUsize,
}

/// What was found for a ruleset.
pub(super) struct Found {
    /// The code that runs its games; `None` if there is none.
    pub native: Option<Native>,
    /// How many machine codes have been looked at.
    pub looked_at: usize,
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

    /// Finds the machine code for the most expressions, but for more than `roots`, whose module is that of a ruleset but for constants. The
    /// first `looked_at` are left out.
    pub fn find(&self, rules: &Ruleset, looked_at: usize, roots: usize) -> Found {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (count, mut rest) = (all.len(), all.split_off(looked_at.min(all.len())));
        rest.retain(|code| code.roots.len() > roots);
        rest.sort_by_key(|code| std::cmp::Reverse(code.roots.len()));
        Found { native: rest.iter().find_map(|code| code.of(rules)), looked_at: count }
    }
}

impl MachineCode {
    /// Returns the code of other rules that this machine code is, too; `None` if the modules differ in more than constants.
    fn of(self: &Arc<MachineCode>, rules: &Ruleset) -> Option<Native> {
        let is_whole = |root: &NodeId| root.index() < rules.graph.count() && rules.graph.facts(*root).vars == 0;
        if !self.roots.iter().all(is_whole) {
            return None;
        }
        let emitted = Emitted::new(rules, &self.roots).filter(|emitted| emitted.is_run_by(self))?;
        emitted.run_by(self.clone()).ok()
    }
}

impl Native {
    /// Returns code for other rules that runs by the same machine code, with constants of its own; `None` if these rules need other machine
    /// code.
    pub fn shared_with(&self, rules: &Ruleset) -> Option<Native> {
        self.code.of(rules)
    }

    /// Whether both run by the same machine code.
    pub fn is_shared_with(&self, other: &Native) -> bool {
        Arc::ptr_eq(&self.code, &other.code)
    }
}
