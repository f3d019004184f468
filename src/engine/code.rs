//! Runs the compiled code of expressions on a register machine.

mod leaf;
mod read;
mod run;

pub(super) use houserule_ruleset::code::*;
