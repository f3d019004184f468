//! A game that people play, question by question: what they see, what they may answer, what was answered, and how it is kept.
//!
//! Nothing here knows a terminal. A [`Session`] is a game with the answers given so far; a [`Table`] is a session with somebody on each
//! chair; a [`Replay`] is either as a text. What people are shown is made from what their seat knows ([`crate::agent::seen`]), so that
//! nothing hidden can come into it.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_agent as agent;
pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_scenario as scenario;
pub(crate) use houserule_script as script;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

mod card;
mod chairs;
mod change;
mod export;
mod facts;
mod gains;
mod lines;
mod prices;
mod refused;
mod replay;
mod session;
mod sheet;
mod words;

pub use card::card_lines;
pub use card::written;
pub use chairs::{Chair, Stopped, Table, chairs_of_file, parse_chairs};
pub use change::changes_of;

pub use export::scenario_of;
pub use facts::differences;
pub use gains::gains_of;
pub use lines::{Line, section_lines, wrap};
pub use refused::{Refused, refused, why_not};

pub use replay::{From, Move, Outcome, Replay, Start, parse_replay};
pub use session::{Failed, Left, Session, Step};
pub use sheet::{Block, Cell, Section, sheet, unused};
pub use words::Words;
