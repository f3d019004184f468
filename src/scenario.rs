//! Scenarios: given, when, then.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod file;
pub mod run;

#[allow(clippy::wildcard_enum_match_arm, reason = "a position is written by what can be written, and all else is refused")]
mod given;
mod report;
mod then;
mod trial;
mod when;
