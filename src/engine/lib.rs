//! The engine: runs the rules program of any game, and knows no word of a particular game.
//!
//! A [`Game`] is a [`State`] and a cache of values computed from it. [`Game::on`] joins it with its rules: the [`Machine`] executes the ops
//! of a [`Ruleset`] until a player must answer ([`Machine::advance`]), and takes the answer ([`Machine::answer`]). The call stack is part
//! of the cells of the state. At a question the loop returns, and the answer resumes it: the op that asked, which has changed nothing yet, is executed
//! again with it. A state is plain data at every question, even in the middle of a card's effect.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic and write files.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_ruleset::code;
pub(crate) use houserule_source::{diagnostic, source};

mod active;
pub mod alike;
mod cache;
mod cached;
mod card_log;
mod chance;
pub mod change;
pub mod checks;
mod dealing;
mod dealt;
pub mod decision;
mod env;
pub mod eval;
mod evaluator;
mod exec;
pub mod fault;
mod flow;
mod flows;
mod following;
pub mod forgetting;
mod game;
mod generated;
pub mod hidden;
mod idle;
mod imagined_values;
pub mod inspect;
mod kept;
mod key;
mod leaf;
mod lifetimes;
pub mod listeners;
mod locals;
mod log;
mod lookout;
mod machine;
pub mod meaning;
pub mod moves;
pub mod native;
pub mod options;
mod payment;
mod picks;
pub mod pieces;
pub mod placing;
pub mod position;
pub mod question;
mod queued_frame;
mod reader;
pub mod refusals;
pub mod scripts;
mod seats;
pub mod secrecy;
mod secrecy_of_op;
pub mod sets;
mod showing;
mod shuffle;
mod simultaneous;
pub mod slots;
mod standing;
mod state;
mod store;
#[cfg(test)]
mod testing;
mod token_payment;
pub mod tokens;
mod trial;
mod turn;
mod turn_stage;
pub mod view;
mod waiting;
mod watch;

pub use houserule_ruleset::{boards, definition, graph, ids, keys, node, op, prepare, program, ruleset, secrets};

pub use active::ActiveEntry;
pub use decision::{Act, Decision, Fault, Opt, Stop};
pub use flow::Ended;
pub use flows::{Flow, FlowCause};
pub use game::Game;
pub use idle::IdleRound;
pub use log::{FixedChance, FixedDraw};
pub use machine::Machine;
pub use position::Position;
pub use ruleset::Ruleset;
pub use scripts::{Call, NoScripts, Scripts};
pub use standing::{MAX_STATES, POINTS, Style};
pub use state::State;
pub use store::Store;
