//! Board-game rules as data.
//!
//! Text is parsed to a syntax tree with spans, overlays are applied to it, names are resolved, and everything is compiled once into an
//! immutable [`engine::Ruleset`]. An [`engine::Game`] is one flat array of cells. Each layer is a crate below `src`; this crate
//! re-exports them and contains the command line.
// Tests may panic, and may write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and an overflow fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub use houserule_agent as agent;
pub use houserule_diagram as diagram;
pub use houserule_editing::{draft, fixes, format, json_schema, lsp};
pub use houserule_engine as engine;
pub use houserule_lab::{document, mutate, playtest, spec, steps, threads, train, tune};
pub use houserule_numbers::{cast, compare};
pub use houserule_pack as pack;
pub use houserule_print as print;
pub use houserule_rules as lang;
pub use houserule_scenario as scenario;
pub use houserule_script as script;
pub use houserule_source::{diagnostic, disk, source};
pub use houserule_state as state;
pub use houserule_syntax as syntax;
pub use houserule_table as table;
pub use houserule_why as why;

#[allow(clippy::disallowed_methods, reason = "speaks with the terminal, writes files, and looks at the clock")]
pub mod cli;
