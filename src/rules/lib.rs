//! The rules language: text is parsed to a syntax tree, overlays are applied to it, names become definitions, bodies are checked and
//! typed, and the typed tree is lowered to a [`crate::engine::Ruleset`] for a number of players and a choice of options.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_ruleset as engine;
pub(crate) use houserule_source::{diagnostic, disk, source};
pub(crate) use houserule_state as state;
pub use houserule_syntax as syntax;

pub mod built_in;
pub mod checked;
pub mod compile;
pub mod defs;
pub mod format_value;
pub mod reader;
pub mod setup;
pub mod typed;
pub mod types;

mod check;
mod collect;
mod content;
mod cycles;
mod layout;
pub mod lower;
mod names;
mod parts;
mod problem;
mod slots;
mod spaces;
#[doc(hidden)]
pub mod testing;
mod unused;

pub use crate::engine::node::Type;
pub use check::split_seat_prefix;
pub use compile::{ExtraRules, GameText, ParsedGame, compile, compile_without_effects, load, open_reader, report_checked};
pub use defs::AGENTS;
pub use names::{MissingNames, TranslatableNames, missing_names};
pub use problem::{is_of_choice, is_refusal, misspelt_offer, unused_name};
pub use setup::Setup;
pub use syntax::seat_number;
