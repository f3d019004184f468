//! Runs the flat code of expressions on a small machine with registers.

mod leaf;
mod read;
mod run;

pub(super) use houserule_ruleset::code::*;
