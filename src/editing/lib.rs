//! Tools for authors: a language server, JSON schemas, a formatter, and drafts of cards, packs and games.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_scenario as scenario;
pub(crate) use houserule_script as script;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_syntax as syntax;
pub(crate) use houserule_table as table;

pub mod draft;
pub mod fixes;
pub mod format;
pub mod json_schema;
pub mod lsp;
