//! The core loop: small, and free of any game's nouns.
//!
//! A [`Game`] is driven by [`Game::advance`], which runs the [`Ruleset`] until somebody must decide, and [`Game::answer`]. What
//! runs are flat ops; where they stand is a stack of frames in the cells of the state. At an open question the loop returns, and
//! the answer makes it go on from there: nothing is undone, nothing is run again, and the state is plain data at every decision,
//! also in the middle of a card's effect.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::cast;
#[cfg(test)]
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

pub mod active;
pub mod cache;
pub mod change;
pub mod code;
pub mod decision;
pub mod edit;
pub mod eval;
pub mod exec;
pub mod explain;
pub mod fault;
pub mod flow;
mod frame;
pub mod game;
pub mod hidden;
pub mod imagine;
pub mod moment;
pub mod options;
pub mod payment;
pub mod pieces;
pub mod quantities;
pub mod question;
pub mod ranking;
pub mod reasons;
#[cfg(test)]
mod sample;
pub mod sets;
#[cfg(test)]
mod testing;
pub mod together;
pub mod tokens;
mod turn;
pub mod view;
pub mod watch;

pub use houserule_ruleset::{definition, ids, node, op, prepare, program, ruleset};

pub use decision::{Act, Decision, Fault, Opt, Stop};
pub use game::Game;
pub use moment::{Call, NoScripts, Scripts};
pub use ranking::{MOST_STATES, Style};
pub use ruleset::Ruleset;
