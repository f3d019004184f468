//! Scripts of cards: rhai behind the engine's small trait. Nothing outside this folder knows rhai.
//!
//! A [`ScriptHost`] belongs to one thread. It compiles every script of a ruleset once; the functions that scripts call work on the
//! game through one shell, in which the game lies only while a script runs. Words are numbers of their own
//! ([`crate::engine::scripts::WORD`] and their index), so that a word, a count and a card are never taken for each other.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
#[cfg(test)]
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

mod api;
mod check;
mod dialect;
mod error;
mod host;
mod problem;
mod tokens;

#[cfg(test)]
mod sample;

pub use api::{Native, natives, natives_of};
pub use check::check_scripts;
pub use host::{GIVEN, ScriptHost};
pub use tokens::names_of;
