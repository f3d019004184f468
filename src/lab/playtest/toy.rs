//! The small game of tests, and hosts of its scripts.

pub use crate::lang::testing::{toy, toy_instead, toy_set_up, toy_text, toy_with};

use crate::engine::{Call, Machine, Scripts, Stop};

/// A script host in which every third script panics.
#[derive(Default)]
pub(crate) struct Panics(u64);

impl Scripts for Panics {
    fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
        self.0 += 1;
        assert!(!self.0.is_multiple_of(3), "a third script");
        Ok(())
    }
}

/// A script host that does nothing.
pub(crate) struct Silent;

impl Scripts for Silent {
    fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
        Ok(())
    }
}
