//! The core loop: small, and free of any game's nouns.
//!
//! A [`Game`] is driven by [`Game::advance`], which runs the [`Ruleset`] until somebody must decide, and [`Game::answer`]. What
//! runs are flat ops; where they stand is a stack of frames in the cells of the state. At an open question the loop returns, and
//! the answer makes it go on from there: nothing is undone, nothing is run again, and the state is plain data at every decision,
//! also in the middle of a card's effect.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod active;
pub mod cache;
pub mod change;
pub mod code;
pub mod decision;
pub mod definition;
pub mod edit;
pub mod eval;
pub mod exec;
pub mod explain;
pub mod fault;
pub mod flow;
mod frame;
pub mod game;
pub mod hidden;
pub mod ids;
pub mod imagine;
pub mod moment;
pub mod node;
pub mod op;
pub mod options;
pub mod payment;
pub mod pieces;
pub mod prepare;
pub mod program;
pub mod quantities;
pub mod question;
pub mod ranking;
pub mod reasons;
pub mod ruleset;
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

pub use decision::{Act, Decision, Fault, Opt, Stop};
pub use game::Game;
pub use moment::{Call, NoScripts, Scripts};
pub use ranking::{MOST_STATES, Style};
pub use ruleset::Ruleset;
