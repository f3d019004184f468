//! The core loop: small, and free of any game's nouns.
//!
//! A [`Game`] is driven by [`Game::advance`], which runs the [`Ruleset`] until somebody must decide, and [`Game::answer`]. The
//! program is a list of [`ruleset::Part`]s; between two parts, between two seats of a loop and between two actions the state is
//! at rest. From there a part runs to its end in one go. If it meets a question that nobody has answered yet, all of it is
//! undone and the question is returned; the answer goes to a journal in the state, and the part runs again with it. So the
//! state is plain data at every decision, also in the middle of a card's effect.

pub mod cache;
pub mod change;
pub mod code;
pub mod decision;
pub mod definition;
pub mod edit;
pub mod eval;
pub mod exec;
pub mod flow;
pub mod game;
pub mod moment;
pub mod node;
pub mod options;
pub mod payment;
pub mod pieces;
pub mod prepare;
pub mod program;
pub mod quantities;
pub mod question;
pub mod ranking;
pub mod ruleset;
pub mod sets;
pub mod statement;
pub mod together;
pub mod tokens;
pub mod types;
pub mod view;

pub use decision::{Act, Decision, Fault, Opt, Stop};
pub use game::Game;
pub use moment::{Call, NoScripts, Scripts};
pub use ruleset::Ruleset;
