//! What generated code runs in: wasmtime, with a memory of its own for each thread.

use super::host;
use houserule_codegen::MemoryHome;
use houserule_ruleset::boards::Board;
use std::sync::{Arc, OnceLock};
use wasmtime::{Caller, Engine, InstancePre, Linker, Memory, Store, TypedFunc};

/// Whether code is compiled in a thread of its own.
pub const COMPILES_ASIDE: bool = true;

/// Memory that is set aside for a module before it is emitted: here nothing, since each instance has a memory of its own.
pub struct Reserved;

impl Reserved {
    /// Sets aside so many bytes.
    pub fn new(_size: u32) -> Reserved {
        Reserved
    }

    /// Where the memory of the module lies.
    pub fn home(&self) -> MemoryHome {
        MemoryHome::OfItsOwn
    }
}

/// Whether there are addresses for the memory of a module: wasmtime reserves gigabytes of them, which are not used.
pub fn has_addresses() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let mut store = Store::new(&Engine::default(), ());
        Memory::new(&mut store, wasmtime::MemoryType::new(1, None)).is_ok()
    })
}

/// A module as machine code, shared by all threads.
pub struct Compiled(InstancePre<Host>);

impl Compiled {
    /// Compiles a module.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn new(bytes: &[u8], _memory: Reserved) -> Result<Compiled, String> {
        let told = |wrong: wasmtime::Error| format!("{wrong:#}");
        let mut config = wasmtime::Config::new();
        config.wasm_backtrace(false);
        let engine = Engine::new(&config).map_err(told)?;
        let module = wasmtime::Module::new(&engine, bytes).map_err(told)?;
        linker(&engine).and_then(|linker| linker.instantiate_pre(&module)).map(Compiled).map_err(told)
    }

    /// Whether several rulesets can run by it, each with constants of its own.
    pub const CAN_BE_SHARED: bool = true;
}

/// What the functions of the host need besides their arguments.
struct Host {
    boards: Arc<[Board]>,
    memory: Option<Memory>,
}

/// An instance of a module, for one thread.
pub struct Sandbox {
    store: Store<Host>,
    memory: Memory,
    run: TypedFunc<(i32, i32, i32), i64>,
}

impl Sandbox {
    /// Creates an instance.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn new(code: &Compiled, boards: &Arc<[Board]>) -> Result<Sandbox, String> {
        let told = |wrong: wasmtime::Error| format!("{wrong:#}");
        let mut store = Store::new(code.0.module().engine(), Host { boards: boards.clone(), memory: None });
        let instance = code.0.instantiate(&mut store).map_err(told)?;
        let run = instance.get_typed_func(&mut store, "run").map_err(told)?;
        let memory = instance.get_memory(&mut store, "memory").ok_or("a module without memory")?;
        store.data_mut().memory = Some(memory);
        Ok(Sandbox { store, memory, run })
    }

    /// The memory of the module.
    #[inline]
    pub fn data(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    /// The memory of the module, to be written.
    #[inline]
    pub fn data_mut(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }

    /// Calls a function of the module by its index, for the slot at an address and a seat; `None` if it traps. What it writes to memory stays there,
    /// also then.
    #[inline]
    pub fn run(&mut self, slot: i32, seat: i32, function: i32) -> Option<i64> {
        self.run.call(&mut self.store, (slot, seat, function)).ok()
    }
}

/// Makes the functions of the host known to modules.
fn linker(engine: &Engine) -> Result<Linker<Host>, wasmtime::Error> {
    let mut linker = Linker::new(engine);
    linker.func_wrap("board", "group", |mut caller: Caller<'_, Host>, board: i32, from: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::group(board, memory, from, slot));
    })?;
    linker.func_wrap("board", "longest_line", |mut caller: Caller<'_, Host>, board: i32, _: i32| {
        on_board(&mut caller, board, |board, memory| host::longest_line(board, memory))
    })?;
    linker.func_wrap("board", "largest_group", |mut caller: Caller<'_, Host>, board: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::largest_group(board, memory, slot))
    })?;
    linker.func_wrap("board", "areas", |mut caller: Caller<'_, Host>, board: i32, given: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::areas(board, memory, given, slot));
    })?;
    linker.func_wrap("board", "longest_trail", |mut caller: Caller<'_, Host>, board: i32, given: i32| {
        on_board(&mut caller, board, |board, memory| host::longest_trail(board, memory, given))
    })?;
    linker.func_wrap("board", "reach", |mut caller: Caller<'_, Host>, board: i32, from: i32, steps: i64, given: i32| {
        on_board(&mut caller, board, |board, memory| host::reach(board, memory, from, steps, given));
    })?;
    linker.func_wrap("board", "distance", |mut caller: Caller<'_, Host>, board: i32, from: i32, to: i32, given: i32| {
        on_board(&mut caller, board, |board, memory| host::distance(board, memory, [from, to], given))
    })?;
    linker.func_wrap("board", "open_ends", |mut caller: Caller<'_, Host>, board: i32, part: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::open_ends(board, memory, part, slot))
    })?;
    linker.func_wrap("board", "fits", |mut caller: Caller<'_, Host>, board: i32, card: i32, at: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::fits(board, memory, [card, at], slot))
    })?;
    linker.func_wrap("board", "beside", |mut caller: Caller<'_, Host>, board: i32, first_slot: i32, slot: i32| {
        on_board(&mut caller, board, |board, memory| host::beside(board, memory, first_slot, slot));
    })?;
    linker.func_wrap("board", "lacking", |mut caller: Caller<'_, Host>, counts: i32, end: i32| {
        caller.data().memory.map_or(0, |memory| host::lacking(memory.data(&mut caller), counts, end))
    })?;
    Ok(linker)
}

fn on_board<T: Default>(caller: &mut Caller<'_, Host>, board: i32, then: impl FnOnce(&Board, &mut [u8]) -> T) -> T {
    let Some(memory) = caller.data().memory else { return T::default() };
    let (memory, host) = memory.data_and_store_mut(caller);
    host::board(&host.boards, board).map_or_else(T::default, |board| then(board, memory))
}
