//! The report of a comparison, as `compare` and `merge` show it.

use super::super::output::color;
use super::super::result::CommandResult;
use super::Outputs;
use crate::playtest::compare::{Comparison, Ladder};

/// Prints a comparison and writes its output files.
pub fn show(comparison: &Comparison, all: bool, outputs: Outputs) -> CommandResult {
    outputs.write(|| comparison.text(all, color()), || comparison.document(all), comparison)
}

/// Prints the same comparison by players of several strengths, and writes its output files.
pub fn show_ladder(ladder: &Ladder, outputs: Outputs) -> CommandResult {
    outputs.write(|| ladder.text(color()), || ladder.document(), ladder)
}
