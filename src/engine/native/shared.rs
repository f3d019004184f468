//! Machine code that several rulesets share: those of one game with small differences, such as a card without its effects.

use super::sandbox::Compiled;
use crate::ruleset::{NodeId, Ruleset};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The most machine codes that are kept: to find out whether one is that of a ruleset, its module is emitted, which takes milliseconds.
const MAX_SHARED: usize = 12;

/// Machine code that has been compiled from a module. Rulesets whose modules differ in nothing but constants share it.
pub(super) struct MachineCode {
    /// The module from which it was compiled, without constants.
    pub bytes: Vec<u8>,
    pub module: Compiled,
    /// The expressions that were asked for, in order.
    pub roots: Vec<NodeId>,
    /// The number of expressions of the ruleset for which it was compiled.
    pub expressions: usize,
}

impl MachineCode {
    /// Whether a ruleset has an expression that can stand alone for each number of an expression that was asked for.
    pub fn may_be_of(&self, rules: &Ruleset) -> bool {
        let is_whole = |root: &NodeId| root.index() < rules.graph.count() && rules.graph.facts(*root).vars == 0;
        self.roots.iter().all(is_whole)
    }

    /// Whether it was compiled for all that other code was compiled for, and probably for the same rules.
    fn replaces(&self, other: &MachineCode) -> bool {
        self.expressions == other.expressions && other.roots.iter().all(|root| self.roots.binary_search(root).is_ok())
    }
}

/// The machine codes of several rulesets.
#[derive(Default)]
pub(super) struct SharedCode {
    /// Each with how many were added before it.
    all: Mutex<Vec<(usize, Arc<MachineCode>)>>,
    /// How many have been added, to be read without waiting.
    count: AtomicUsize,
}

impl SharedCode {
    /// Returns how many machine codes have been added.
    pub fn count(&self) -> usize {
        self.count.load(Relaxed)
    }

    /// Adds machine code, unless it is known or there is enough. It takes the place of what was compiled for fewer expressions of rules with as many.
    pub fn add(&self, code: &Arc<MachineCode>) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.iter().any(|(_, known)| known.bytes == code.bytes) {
            return;
        }
        all.retain(|(_, known)| !code.replaces(known));
        if all.len() < MAX_SHARED {
            all.push((self.count.fetch_add(1, Relaxed), code.clone()));
        }
    }

    /// Returns the machine codes for more than so many expressions, and how many have been added: those of rulesets with as many expressions as these
    /// first, then those for the most. The first `looked_at` are left out.
    pub fn since(&self, rules: &Ruleset, looked_at: usize, roots: usize) -> (Vec<Arc<MachineCode>>, usize) {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |(number, code): &&(usize, Arc<MachineCode>)| *number >= looked_at && code.roots.len() > roots;
        let mut rest: Vec<Arc<MachineCode>> = all.iter().filter(is_new).map(|(_, code)| code.clone()).collect();
        rest.sort_by_key(|code| (code.expressions != rules.graph.count(), std::cmp::Reverse(code.roots.len())));
        (rest, self.count())
    }
}
