//! The rules language: text is parsed to a syntax tree, overlays are applied to it, names become definitions, bodies are checked and
//! typed, and the typed tree is lowered to a [`crate::engine::Ruleset`] for a number of players and a choice of options.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod built_in;
pub mod checked;
pub mod compile;
pub mod defs;
pub mod in_words;
pub mod reader;
pub mod setup;
#[allow(clippy::wildcard_enum_match_arm, reason = "the rules of pest are no list of ours, and overlays ask only for what fits")]
pub mod syntax;
pub mod typed;
pub mod types;

mod blank;
mod check;
mod collect;
mod content;
mod cycles;
mod layout;
pub(crate) mod lower;
mod names;
mod needless;
#[cfg(test)]
pub(crate) mod sample;
mod slots;

pub use crate::engine::node::Type;
pub use check::{seat_number, seat_prefix};
pub(crate) use collect::AGENTS;
pub use compile::{Further, GameText, ReadGame, compile, load, load_with, open, tell_checked};
pub(crate) use lower::REFUSED;
pub use names::Nameable;
pub use setup::Setup;
