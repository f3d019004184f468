//! Scripts of cards: implements the engine's `Scripts` trait with rhai. No other crate of the program depends on rhai.
//!
//! A [`ScriptHost`] belongs to one thread and compiles every script of a ruleset once. Most scripts only call functions, choose and go through lists: they
//! run without rhai (`lowered`), on the game itself. For the others native functions access the game through a shared context, which holds the game
//! only while rhai runs. Words are represented by numbers from [`crate::engine::scripts::WORD`] on, so
//! that words, counts and cards cannot be confused.

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

mod api;
mod check;
mod dialect;
mod error;
mod host;
mod lowered;
mod problem;
mod sandbox;
mod tokens;
mod wanted;

pub use api::{Native, natives, rule_natives};
pub use check::{check_scripts, rhai_functions};
pub use host::{SCRIPT_VARIABLES, ScriptHost};
pub use sandbox::raw_engine;
pub use tokens::{RhaiToken, TokenKind, is_name, names_of, tokenize_script};
pub use wanted::words_for;
