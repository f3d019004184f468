//! Scenarios: given, when, then.

pub mod file;
