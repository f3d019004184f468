//! Board-game rules as data.
//!
//! Text becomes a syntax tree with spans, overlays are applied to it, names are resolved, and everything is compiled once into
//! an immutable [`engine::Ruleset`]; a [`engine::Game`] beside it is one flat slice of cells. Modules stand in reading order; each
//! knows only those above it.

pub mod source;

pub mod diagnostic;

pub mod compare;

pub mod state;

pub mod engine;

pub mod pack;

pub mod lang;

pub mod script;

pub mod scenario;

pub mod agent;

pub mod playtest;

pub mod cli;
