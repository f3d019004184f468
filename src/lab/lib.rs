//! The lab: plays, measures and compares many games, trains agents, and finds rules that no test covers.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_agent as agent;
pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::{cast, elastic_net};
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_scenario as scenario;
pub(crate) use houserule_script as script;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

pub mod document;
pub mod mutate;
pub mod playtest;
pub mod spec;
pub mod steps;
pub mod threads;
/// Training of agents by self-play.
pub mod train;
pub mod tune;
