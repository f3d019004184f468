//! The small game that tests of the engine also use.
#![allow(dead_code, reason = "other tests need more of it")]

pub use crate::engine::{Fault, Game, NoScripts, Ruleset};

#[path = "../engine/sample.rs"]
mod game;

pub use game::*;
