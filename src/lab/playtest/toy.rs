//! A small game for tests, and scripts that panic.

pub use crate::lang::toy::*;

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
