//! What generated code runs in where the program itself is WebAssembly: the engine of the browser. Modules lie in the memory of the program,
//! at an address that was set aside for them, so that the program writes states and reads values without a copy.
//!
//! There is one thread, and one instance of each module.

use super::host;
use houserule_codegen::{MemoryHome, OPTIONS_AT, RESULT_AT};
use houserule_ruleset::boards::Board;
use std::sync::{Arc, Mutex, PoisonError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};

/// Whether code is compiled in a thread of its own.
pub const COMPILES_ASIDE: bool = false;

#[wasm_bindgen(module = "/native/browser.js")]
extern "C" {
    /// Compiles a module, and makes an instance of it that has the memory of the program. Returns a number by which it is called.
    #[wasm_bindgen(catch, js_name = load)]
    fn load(bytes: &[u8], memory: JsValue, base: u32, scratch: u32, on_board: &Closure<OnBoard>) -> Result<u32, JsValue>;
    /// Calls a function by its index; false if it traps.
    #[wasm_bindgen(js_name = run)]
    fn run(number: u32, slot: i32, seat: i32, function: i32) -> bool;
    #[wasm_bindgen(js_name = unload)]
    fn unload(number: u32);
}

/// A search over a board: which, the board, two spaces, steps, and what is given.
type OnBoard = dyn FnMut(u32, i32, i32, i32, i32, i32);

/// Memory that is set aside for a module before it is emitted: its addresses begin there.
pub struct Reserved(Vec<u8>);

impl Reserved {
    /// Sets aside so many bytes.
    pub fn new(size: u32) -> Reserved {
        Reserved(vec![0; size as usize])
    }

    /// Where the memory of the module lies.
    pub fn home(&self) -> MemoryHome {
        // Addresses have 32 bits here.
        MemoryHome::Within(u32::try_from(self.0.as_ptr().expose_provenance()).unwrap_or(u32::MAX))
    }
}

/// Whether there are addresses for the memory of a module.
pub fn has_addresses() -> bool {
    true
}

/// A module that has been emitted for a place in memory.
pub struct Compiled {
    bytes: Vec<u8>,
    /// Its place; the first instance takes it.
    memory: Mutex<Option<Reserved>>,
}

impl Compiled {
    /// Keeps a module until an instance is made, which compiles it.
    ///
    /// # Errors
    /// None here.
    pub fn new(bytes: &[u8], memory: Reserved) -> Result<Compiled, String> {
        Ok(Compiled { bytes: bytes.to_vec(), memory: Mutex::new(Some(memory)) })
    }

    /// Whether several rulesets can run by it, each with constants of its own: there is one place for them.
    pub const CAN_BE_SHARED: bool = false;
}

/// An instance of a module.
pub struct Sandbox {
    number: u32,
    memory: Vec<u8>,
}

impl Sandbox {
    /// Creates the instance of a module.
    ///
    /// # Errors
    /// What the browser says, or that there is an instance already.
    pub fn new(code: &Compiled, boards: &Arc<[Board]>) -> Result<Sandbox, String> {
        let reserved = code.memory.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut reserved = reserved.ok_or("the module has an instance already")?;
        let boards = boards.clone();
        // The lowest part of the module's memory is copied here for a search, and back, since the module is being run meanwhile.
        let mut scratch = vec![0; OPTIONS_AT as usize];
        let [base, copy] =
            [reserved.0.as_mut_ptr(), scratch.as_mut_ptr()].map(|at| u32::try_from(at.expose_provenance()).unwrap_or(u32::MAX));
        let on_board: Closure<OnBoard> = Closure::new(move |asked, board, from, to, steps, given| {
            _ = scratch.as_mut_ptr().expose_provenance();
            search(&boards, (asked, board), [from, to], (steps, given), &mut scratch);
        });
        let number = load(&code.bytes, wasm_bindgen::memory(), base, copy, &on_board).map_err(|wrong| format!("{wrong:?}"))?;
        // It is called as long as the module is there.
        on_board.forget();
        Ok(Sandbox { number, memory: reserved.0 })
    }

    /// The memory of the module.
    #[inline]
    pub fn data(&self) -> &[u8] {
        &self.memory
    }

    /// The memory of the module, to be written.
    #[inline]
    pub fn data_mut(&mut self) -> &mut [u8] {
        &mut self.memory
    }

    /// Calls a function of the module by its index, for the slot at an address and a seat; `None` if it traps. What it writes to memory stays there,
    /// also then.
    #[inline]
    pub fn run(&mut self, slot: i32, seat: i32, function: i32) -> Option<i64> {
        // The address was exposed when the instance was made, and is exposed again, since the function writes to it.
        _ = self.memory.as_mut_ptr().expose_provenance();
        run(self.number, slot, seat, function).then(|| number_at(&self.memory, RESULT_AT))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        unload(self.number);
    }
}

fn number_at(memory: &[u8], at: u32) -> i64 {
    memory.get(at as usize..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

/// No slot: cells are not copied here, and code for browsers asks about no board that reads them.
const NO_SLOT: i32 = -1;

/// What is asked for how much of a price is lacking, in place of a search over a board.
const LACKING: u32 = 7;

/// Searches a board, by its index. `memory` is the lowest part of the module's, to which what is found is written: a set of spaces, or the number at
/// [`RESULT_AT`].
fn search(boards: &[Board], (asked, board): (u32, i32), [from, to]: [i32; 2], (steps, given): (i32, i32), memory: &mut [u8]) {
    let number = if asked == LACKING {
        host::lacking(memory, from, to)
    } else {
        let Some(board) = host::board(boards, board) else { return };
        search_board(board, asked, [from, to], (steps, given), memory)
    };
    if let Some(to) = memory.get_mut(RESULT_AT as usize..).and_then(|bytes| bytes.first_chunk_mut()) {
        *to = number.to_le_bytes();
    }
}

/// Searches a board; returns the number that is found, 0 for a set of spaces.
fn search_board(board: &Board, asked: u32, [from, to]: [i32; 2], (steps, given): (i32, i32), memory: &mut [u8]) -> i64 {
    match asked {
        0 => host::group(board, memory, from, NO_SLOT),
        1 => return host::longest_line(board, memory),
        2 => return host::largest_group(board, memory, NO_SLOT),
        3 => host::reach(board, memory, from, steps.into(), given),
        4 => return host::distance(board, memory, [from, to], given),
        5 => host::areas(board, memory, given, NO_SLOT),
        _ => return host::longest_trail(board, memory, given),
    }
    0
}
