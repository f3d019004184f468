//! Scripts of cards: implements the engine's `Scripts` trait with rhai. No other crate depends on rhai.
//!
//! A [`ScriptHost`] belongs to one thread and compiles every script of a ruleset once. Native functions access the game through a shared
//! context, which holds the game only while a script runs. Words are represented by numbers from [`crate::engine::scripts::WORD`] on, so
//! that words, counts and cards cannot be confused.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

mod api;
mod check;
mod dialect;
mod error;
mod host;
mod problem;
mod tokens;

pub use api::{Native, natives, rule_natives};
pub use check::check_scripts;
pub use host::{SCRIPT_VARIABLES, ScriptHost};
pub use tokens::names_of;
