//! The small game that the engine's own tests play.
#![allow(dead_code, reason = "other tests need more of it")]

pub use crate::engine::{Fault, Game, NoScripts, Ruleset};

#[path = "../engine/sample.rs"]
mod game;

pub use game::*;
