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

pub use choice::{BackEnd, set_back_end};
pub(crate) use choice::{current, note_walked};
pub(crate) use mirror::Mirror;

use super::decision::Args;
use super::env::Env;
use super::eval::plain::MAX_NESTING;
use super::evaluator::Values;
use super::ruleset::{NodeId, Ruleset};
use super::state::State;
use crate::cast;
use host::Host;
use houserule_codegen::MemoryLayout;
use houserule_ruleset::boards::Board;
use houserule_ruleset::code::ValueId;
use instance::Instance;
use std::cell::RefCell;
use std::sync::Arc;
use thread_local::ThreadLocal;

/// How many states lie side by side in the memory of a thread.
const SLOTS: u32 = 8;

/// The generated code of a ruleset, shared by all threads that run its games.
pub struct Native {
    module: wasmtime::InstancePre<Host>,
    memory: MemoryLayout,
    /// For each expression the index of its function; 0 if it has none.
    functions: Vec<u32>,
    /// The same for each cached value.
    values: Vec<u32>,
    /// For each choice the index of the function that lists it; 0 if it has none.
    choices: Vec<u32>,
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

/// An expression, or a cached value, to be evaluated.
#[derive(Clone, Copy)]
pub(crate) enum Asked<'e> {
    /// An expression of the ruleset, in an environment.
    Expr(NodeId, &'e Env),
    /// A number of a cached value: the value, the slot of the number in the cache of a seat, and the seat.
    Number(ValueId, u16, usize),
}

/// Code that has been emitted and is not compiled yet.
struct Emitted {
    module: houserule_codegen::Module,
    /// The number of expressions of the ruleset.
    expressions: usize,
    boards: Arc<[Board]>,
}

impl Emitted {
    /// Emits code; `None` if so many quantities need each other that the walker takes one for a quantity that depends on itself.
    fn new(rules: &Ruleset, roots: &[NodeId]) -> Option<Emitted> {
        houserule_codegen::longest_chain(rules).filter(|&longest| longest < MAX_NESTING)?;
        let module = houserule_codegen::emit(rules, roots, SLOTS);
        Some(Emitted { module, expressions: rules.graph.count(), boards: rules.boards.clone().into() })
    }

    fn compile(self) -> Result<Native, String> {
        let told = |wrong: wasmtime::Error| format!("{wrong:#}");
        let mut config = wasmtime::Config::new();
        config.wasm_backtrace(false);
        let engine = wasmtime::Engine::new(&config).map_err(told)?;
        let module = wasmtime::Module::new(&engine, &self.module.bytes).map_err(told)?;
        let module = host::linker(&engine).and_then(|linker| linker.instantiate_pre(&module)).map_err(told)?;
        let mut functions = vec![0; self.expressions];
        self.module.functions.into_iter().for_each(|(root, function)| functions[root.index()] = function);
        Ok(Native {
            module,
            memory: self.module.memory,
            functions,
            values: self.module.values,
            choices: self.module.choices,
            changes: self.module.changes,
            boards: self.boards,
            threads: ThreadLocal::new(),
        })
    }
}

impl Native {
    /// Compiles code for these expressions of a ruleset, and for all cached values. This takes up to seconds.
    ///
    /// # Errors
    /// What the compiler says; games can go on without.
    pub fn compile(rules: &Ruleset, roots: &[NodeId]) -> Result<Native, String> {
        Emitted::new(rules, roots).ok_or("definitions are nested too deeply")?.compile()
    }

    /// Lists the options of a choice: the values of the parameters for which no condition, guard or cost objects. Returns `None` if there is no
    /// code for it, or if something went wrong.
    pub(crate) fn list(
        &self,
        rules: &Ruleset,
        state: &State,
        values: &mut Values,
        (choice, env): (u16, &Env),
        listed: &mut Vec<Args>,
    ) -> Option<()> {
        let function = self.choices.get(usize::from(choice)).copied().filter(|&function| function != 0)?;
        let instance = self.threads.get_or(|| RefCell::new(Instance::new(self).ok()));
        let mut instance = instance.try_borrow_mut().ok()?;
        let instance = instance.as_mut()?;
        let slot = instance.hold(self, rules, state, values)?;
        instance.write_all(houserule_codegen::LOCALS_AT, &env.locals);
        let count = instance.call(slot, env.me, function)?;
        instance.read_options(cast::index(count), listed);
        Some(())
    }

    /// Evaluates an expression or a value on a state; `None` if there is no code for it, or if it went wrong.
    pub(crate) fn evaluate(&self, rules: &Ruleset, state: &State, values: &mut Values, asked: Asked<'_>) -> Option<i64> {
        let function = match asked {
            Asked::Expr(node, _) => self.functions.get(node.index()),
            Asked::Number(value, ..) => self.values.get(usize::from(value.0)),
        };
        let function = function.copied().filter(|&function| function != 0)?;
        let instance = self.threads.get_or(|| RefCell::new(Instance::new(self).ok()));
        let mut instance = instance.try_borrow_mut().ok()?;
        let instance = instance.as_mut()?;
        let slot = instance.hold(self, rules, state, values)?;
        match asked {
            Asked::Expr(node, env) => {
                if rules.graph.facts(node).locals != 0 {
                    instance.write_all(houserule_codegen::LOCALS_AT, &env.locals);
                }
                instance.call(slot, env.me, function)
            }
            Asked::Number(value, number, seat) => {
                let seat_at = slot + cast::fit::<u32>(seat) * self.memory.seat_size;
                let (word, bit) = (self.memory.valid + u32::from(value.0) / 64 * 8, value.0 % 64);
                let number = seat_at + self.memory.values + u32::from(number) * 8;
                let (is_valid, known) = instance.read_value(seat_at + word, bit.into(), number);
                if is_valid {
                    return Some(known);
                }
                instance.call(slot, seat, function)?;
                Some(instance.read_value(seat_at + word, bit.into(), number).1)
            }
        }
    }
}
