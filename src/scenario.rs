//! Scenarios: given, when, then.

pub mod file;
pub mod run;

mod given;
mod report;
mod then;
mod trial;
mod when;
