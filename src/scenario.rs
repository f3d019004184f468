//! Scenarios: given, when, then.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod file;
pub mod run;
pub mod suite;

mod ability;
mod chance;
#[allow(clippy::wildcard_enum_match_arm, reason = "a position is written by what can be written, and all else is refused")]
mod given;
mod group;
mod offer;
mod outcome;
pub mod position;
pub(crate) mod report;
mod then;
mod together;
mod trial;
#[allow(clippy::wildcard_enum_match_arm, reason = "of most conditions nothing is certain")]
mod vain;
mod when;
