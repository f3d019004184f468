//! The back end that runs generated code: it compiles a module of WebAssembly to machine code, and calls its functions on states whose cells
//! it keeps in the memory of the module.
//!
//! Whoever plays few games walks and never waits: only when much has been walked is code generated for what was walked, in a thread of its
//! own, and games that begin afterwards run it.
//!
//! What it cannot evaluate, it leaves to the walker: expressions that the module has no function for, and those that trap, so that the walker
//! says what is wrong.

mod choice;
mod host;
mod instance;
mod mirror;
#[cfg_attr(target_family = "wasm", path = "native/browser.rs")]
mod sandbox;
mod shared;
mod slot;
mod undo;

pub use choice::{BackEnd, set_back_end, share_code};
pub(crate) use choice::{current, note_walked};
pub(crate) use instance::Instance;
pub(crate) use mirror::Mirror;

use super::env::MAX_NESTING;
use super::ruleset::{NodeId, Ruleset};
use houserule_codegen::{Listed, Listings, MemoryLayout};
use houserule_ruleset::boards::Board;
use houserule_ruleset::code::ValueId;
use sandbox::{Compiled, Reserved};
use shared::MachineCode;
use std::cell::Cell;
use std::sync::Arc;
use thread_local::ThreadLocal;

/// How many states lie side by side in the memory of a thread.
const SLOTS: u32 = 8;

/// The generated code of a ruleset, shared by all threads that run its games.
pub struct Native {
    code: Arc<MachineCode>,
    /// The constants of the ruleset, which lie in each memory at [`houserule_codegen::DATA_AT`].
    data: Vec<u8>,
    pub(crate) memory: MemoryLayout,
    /// For each expression the index of its function; 0 if it has none.
    functions: Vec<u32>,
    /// The same for each cached value.
    values: Vec<u32>,
    listings: Listings,
    /// For each set of cards the index of the function that lists them; 0 if it has none.
    sets: Vec<u32>,
    /// For each definition and each of its changes the index of its function.
    changes: Vec<Vec<u32>>,
    boards: Arc<[Board]>,
    /// What each thread has of its own, unless a game of it has taken that to run. A thread that cannot have it walks.
    threads: ThreadLocal<Cell<Option<Box<Instance>>>>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// Code that has been emitted and is not compiled yet.
struct Emitted {
    module: houserule_codegen::Module,
    /// The place of its memory.
    reserved: Reserved,
    roots: Vec<NodeId>,
    /// The number of expressions of the ruleset.
    expressions: usize,
    boards: Arc<[Board]>,
}

impl Emitted {
    /// Emits code; `None` if so many quantities need each other that the walker takes one for a quantity that depends on itself.
    fn new(rules: &Ruleset, roots: &[NodeId]) -> Option<Emitted> {
        houserule_codegen::longest_chain(rules).filter(|&longest| longest < MAX_NESTING)?;
        let mut reserved = None;
        let module = houserule_codegen::emit(rules, roots, SLOTS, |size| reserved.insert(Reserved::new(size)).home());
        let boards = rules.boards.clone().into();
        Some(Emitted { module, reserved: reserved?, roots: roots.to_vec(), expressions: rules.graph.count(), boards })
    }

    fn compile(self) -> Result<Native, String> {
        let Emitted { mut module, reserved, roots, expressions, boards } = self;
        let bytes = std::mem::take(&mut module.bytes);
        let code = MachineCode { module: Compiled::new(&bytes, reserved)?, bytes, roots, expressions };
        Native::new(Arc::new(code), module, expressions, boards)
    }

    /// Whether machine code was compiled from the same module.
    fn is_run_by(&self, code: &MachineCode) -> bool {
        Compiled::CAN_BE_SHARED && self.module.bytes == code.bytes
    }
}

impl Native {
    /// Runs by machine code that was compiled from this module.
    fn new(code: Arc<MachineCode>, module: houserule_codegen::Module, expressions: usize, boards: Arc<[Board]>) -> Result<Native, String> {
        let mut functions = vec![0; expressions];
        module.functions.into_iter().for_each(|(root, function)| functions[root.index()] = function);
        let native = Native {
            code,
            data: module.data,
            memory: module.memory,
            functions,
            values: module.values,
            listings: module.listings,
            sets: module.sets,
            changes: module.changes,
            boards,
            threads: ThreadLocal::new(),
        };
        // Where addresses are limited, a game that is said to run generated code would be walked.
        let first = Instance::new(&native)?;
        if !sandbox::COMPILES_ASIDE {
            // Here it is also the only one.
            native.give_back(Box::new(first));
        }
        Ok(native)
    }

    /// Compiles code for these expressions of a ruleset, and for all cached values. This takes up to seconds.
    ///
    /// # Errors
    /// What the compiler says; games can go on without.
    pub fn compile(rules: &Ruleset, roots: &[NodeId]) -> Result<Native, String> {
        Emitted::new(rules, roots).ok_or("definitions are nested too deeply")?.compile()
    }

    /// Compiles code for all expressions of a ruleset that can be evaluated by themselves.
    ///
    /// # Errors
    /// As for [`Native::compile`].
    pub fn compile_all(rules: &Ruleset) -> Result<Native, String> {
        let closed: Vec<NodeId> = rules.graph.all().map(|(id, _)| id).filter(|&id| rules.graph.facts(id).vars == 0).collect();
        Native::compile(rules, &closed)
    }

    /// Returns code for other rules that runs by the same machine code, with constants of its own; `None` if these rules need other machine
    /// code.
    pub fn shared_with(&self, rules: &Ruleset) -> Option<Native> {
        Native::by(&self.code, rules)
    }

    /// Whether both run by the same machine code.
    pub fn is_shared_with(&self, other: &Native) -> bool {
        Arc::ptr_eq(&self.code, &other.code)
    }

    /// Returns code for rules by machine code; `None` if their modules differ in more than constants.
    fn by(code: &Arc<MachineCode>, rules: &Ruleset) -> Option<Native> {
        if !code.may_be_of(rules) {
            return None;
        }
        let Emitted { module, expressions, boards, .. } = Emitted::new(rules, &code.roots).filter(|emitted| emitted.is_run_by(code))?;
        Native::new(code.clone(), module, expressions, boards).ok()
    }

    /// Takes the memory of this thread, until [`Native::give_back`]. `None` if there is none, or if another game has taken it.
    #[inline]
    pub(crate) fn take_instance(&self) -> Option<Box<Instance>> {
        match self.threads.get() {
            Some(own) => own.take(),
            None => {
                self.threads.get_or(Cell::default);
                Instance::new(self).ok().map(Box::new)
            }
        }
    }

    /// Gives the memory of this thread back.
    #[inline]
    pub(crate) fn give_back(&self, instance: Box<Instance>) {
        self.threads.get_or(Cell::default).set(Some(instance));
    }
}

/// The functions of a module, each by its index; `None` where there is none.
impl Native {
    /// Returns the function that evaluates an expression.
    #[inline]
    pub(crate) fn function_of_expr(&self, node: NodeId) -> Option<u32> {
        function_of(&self.functions, node.index())
    }

    /// Returns the function that evaluates a cached value.
    #[inline]
    pub(crate) fn function_of_value(&self, value: ValueId) -> Option<u32> {
        function_of(&self.values, usize::from(value.0))
    }

    /// Returns the function that lists the cards of a set.
    #[inline]
    pub(crate) fn function_of_set(&self, set: u32) -> Option<u32> {
        function_of(&self.sets, set as usize)
    }

    /// Returns the function that lists the options of choices.
    #[inline]
    pub(crate) fn function_of_choices(&self, listed: Listed) -> Option<u32> {
        self.listings.function(listed)
    }
}

fn function_of(functions: &[u32], index: usize) -> Option<u32> {
    functions.get(index).copied().filter(|&function| function != 0)
}
