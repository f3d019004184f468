//! Scenarios and tests of cards: parses and runs their `given`, `when` and `then` lines.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_script as script;
pub(crate) use houserule_source::{diagnostic, disk, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

pub mod file;
pub mod run;
pub mod suite;

mod ability;
mod chance;
mod course;
mod editor;
#[allow(clippy::wildcard_enum_match_arm, reason = "a position is written by what can be written, and all else is refused")]
mod given;
mod group;
pub mod meaning;
mod offer;
mod outcome;
pub mod position;
mod problem;
pub mod report;
mod sight;
#[cfg(test)]
mod testing;
mod then;
mod together;
mod trial;
#[allow(clippy::wildcard_enum_match_arm, reason = "of most conditions nothing is certain")]
mod vain;
mod when;
