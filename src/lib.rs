//! Board-game rules as data.
//!
//! Text becomes a syntax tree with spans, overlays are applied to it, names are resolved, and everything is compiled once into
//! an immutable [`engine::Ruleset`]; a [`engine::Game`] beside it is one flat slice of cells. Modules stand in reading order; each
//! knows only those above it.

// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

#[allow(clippy::disallowed_methods, reason = "the only reader of the disk")]
pub mod source;

pub mod diagnostic;

pub mod cast;

pub mod compare;

pub mod state;

pub mod engine;

pub mod pack;

pub mod lang;

pub mod script;

pub mod why;

pub mod scenario;

pub mod mutate;

pub mod agent;

pub mod playtest;
/// Machine players that learn.
pub mod train;

pub mod table;

pub mod json_schema;

pub mod lsp;

pub mod draft;

#[allow(clippy::disallowed_methods, reason = "speaks with the terminal, writes files, and looks at the clock")]
pub mod cli;
