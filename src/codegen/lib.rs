//! The expressions of a ruleset as WebAssembly: from the graph to the bytes of a module, and where its memory holds what.
//!
//! A module evaluates expressions on the cells of a state, which lie in its memory, in one of several slots. Each function takes the address
//! of the slot and the current seat. The walker of the engine says what an expression means; where it would report an arithmetic error the
//! generated code traps, and the walker evaluates the expression again to say what is wrong.
#![warn(clippy::wildcard_enum_match_arm)]

pub(crate) use houserule_numbers::{cast, compare};

mod boards;
mod chain;
mod data;
mod emitter;
mod function;
mod lanes;
mod listing;
mod loops;
mod memory;
mod numbers;
mod purses;
mod quantities;
mod ranges;
mod tokens;
mod values;

pub use boards::{LINKS, NUMBERS, OVER, TURNS};
pub use chain::longest_chain;
pub use emitter::{Listings, Module, emit};
pub use listing::Listed;
pub use memory::{
    DATA_AT, LOCALS_AT, MemoryHome, MemoryLayout, NUMBERS_AT, OPTION_SIZE, OPTIONS_AT, RECORD_SIZE, RESULT_AT, SET_IN_AT, SET_OUT_AT,
};
pub use purses::{GROUP_SHIFT, GROUPS_SHIFT};
pub use quantities::concerned;
