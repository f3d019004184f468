//! Compiled rulesets: expressions, program and cards, with indices instead of names. The crate `rules` creates them and the crate `engine`
//! runs them.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic and write files.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and an overflow fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::{cast, compare};
pub(crate) use houserule_source::source;
pub(crate) use houserule_state as state;

mod alike;
pub mod boards;
pub mod clues;
pub mod code;
mod decks;
pub mod declared;
pub mod definition;
pub mod dependencies;
pub mod graph;
pub mod hidden;
pub mod ids;
pub mod keys;
mod make;
pub mod names;
pub mod node;
pub mod op;
pub mod parts;
pub mod payers;
pub mod prepare;
pub mod program;
pub mod purses;
pub mod ruleset;
pub mod secrets;
pub mod style;
#[doc(hidden)]
pub mod testing;
pub mod tokens;
mod trails;
pub mod ways;

pub use ruleset::Ruleset;
