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

pub use choice::{BackEnd, set_back_end, share_code};
pub(crate) use choice::{current, note_walked};
pub(crate) use mirror::Mirror;

use super::decision::Args;
use super::env::Env;
use super::eval::plain::MAX_NESTING;
use super::evaluator::{Evaluator, Values};
use super::ruleset::{NodeId, Ruleset};
use super::state::State;
use crate::cast;
use houserule_codegen::{LOCALS_AT, Listed, Listings, MemoryLayout};
use houserule_ruleset::boards::{Board, SpaceSet};
use houserule_ruleset::code::ValueId;
use instance::Instance;
use sandbox::{Compiled, Reserved};
use shared::MachineCode;
use std::cell::RefCell;
use std::sync::Arc;
use thread_local::ThreadLocal;

/// How many states lie side by side in the memory of a thread.
const SLOTS: u32 = 8;

/// The generated code of a ruleset, shared by all threads that run its games.
pub struct Native {
    code: Arc<MachineCode>,
    /// The constants of the ruleset, which lie in each memory at [`houserule_codegen::DATA_AT`].
    data: Vec<u8>,
    memory: MemoryLayout,
    /// For each expression the index of its function; 0 if it has none.
    functions: Vec<u32>,
    /// The same for each cached value.
    values: Vec<u32>,
    listings: Listings,
    /// For each definition and each of its changes the index of its function.
    changes: Vec<Vec<u32>>,
    boards: Arc<[Board]>,
    /// What each thread has of its own. A thread that cannot have it walks.
    threads: ThreadLocal<RefCell<Option<Instance>>>,
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
        let code = MachineCode { module: Compiled::new(&bytes, reserved)?, bytes, roots };
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
            changes: module.changes,
            boards,
            threads: ThreadLocal::new(),
        };
        // Where addresses are limited, a game that is said to run generated code would be walked.
        let first = Instance::new(&native)?;
        if !sandbox::COMPILES_ASIDE {
            // Here it is also the only one.
            _ = native.threads.get_or(|| RefCell::new(Some(first)));
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

    /// Calls `then` with the memory of this thread, and with the address of a slot that holds the cells as expressions read them now. `None` if
    /// there is no memory.
    #[inline]
    fn on_slot<T>(
        &self,
        rules: &Ruleset,
        state: &State,
        values: &mut Values,
        then: impl FnOnce(&mut Instance, u32) -> Option<T>,
    ) -> Option<T> {
        let instance = self.threads.get_or(|| RefCell::new(Instance::new(self).ok()));
        let mut instance = instance.try_borrow_mut().ok()?;
        let instance = instance.as_mut()?;
        let slot = instance.hold(self, rules, state, values)?;
        then(instance, slot)
    }
}

/// Returns the function of an expression, value or choice; `None` if it has none.
fn function_of(functions: &[u32], index: usize) -> Option<u32> {
    functions.get(index).copied().filter(|&function| function != 0)
}

/// What generated code gives: `None` if there is none for what is asked, or if it went wrong.
impl Evaluator<'_> {
    /// Asks the generated code of the game, which is taken out meanwhile, since it borrows the values.
    #[inline]
    fn ask_native<T>(&mut self, ask: impl FnOnce(&Native, &Ruleset, &State, &mut Values) -> Option<T>) -> Option<T> {
        let native = self.values.native.take()?;
        let found = ask(&native, self.rules, self.state(), self.values);
        self.values.native = Some(native);
        found
    }

    /// Evaluates an expression.
    #[inline]
    pub(super) fn native_value(&mut self, node: NodeId, env: &Env) -> Option<i64> {
        self.ask_native(|native, rules, state, values| {
            let function = function_of(&native.functions, node.index())?;
            native.on_slot(rules, state, values, |instance, slot| {
                if rules.graph.facts(node).locals != 0 {
                    instance.write(LOCALS_AT, &env.locals);
                }
                instance.call(slot, env.me, function)
            })
        })
    }

    /// Evaluates a set of spaces.
    pub(super) fn native_spaces(&mut self, node: NodeId, env: &Env) -> Option<SpaceSet> {
        self.ask_native(|native, rules, state, values| {
            let function = function_of(&native.functions, node.index())?;
            let board = rules.graph[node].board_of_spaces()?;
            native.on_slot(rules, state, values, |instance, slot| {
                instance.write(LOCALS_AT, &env.locals);
                instance.call(slot, env.me, function)?;
                Some(instance.read_spaces(&rules.boards[usize::from(board)]))
            })
        })
    }

    /// Returns the number in a slot of a cached value of a seat.
    pub(super) fn native_number(&mut self, value: ValueId, slot: u16, seat: usize) -> Option<i64> {
        self.ask_native(|native, rules, state, values| {
            let function = function_of(&native.values, usize::from(value.0))?;
            native.on_slot(rules, state, values, |instance, at| {
                let seat_at = at + cast::fit::<u32>(seat) * native.memory.seat_size;
                let (word, bit) = (seat_at + native.memory.valid + u32::from(value.0) / 64 * 8, u32::from(value.0 % 64));
                let number = seat_at + native.memory.values + u32::from(slot) * 8;
                let (is_valid, known) = instance.read_value(word, bit, number);
                if is_valid {
                    return Some(known);
                }
                let first = instance.call(at, seat, function)?;
                Some(if slot == rules.code.cached_value(value).slot { first } else { instance.read_value(word, bit, number).1 })
            })
        })
    }

    /// Lists the options of several choices: each choice with the values of its parameters for which no condition, guard or cost objects.
    pub(super) fn native_options(&mut self, asked: Listed, env: &Env, listed: &mut Vec<(u16, Args)>) -> Option<()> {
        self.ask_native(|native, rules, state, values| {
            let function = native.listings.function(asked)?;
            native.on_slot(rules, state, values, |instance, slot| {
                instance.write(LOCALS_AT, &env.locals);
                let count = instance.call(slot, env.me, function)?;
                instance.read_options(cast::index(count), listed);
                Some(())
            })
        })
    }
}
