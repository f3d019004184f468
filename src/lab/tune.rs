//! Searches the numbers of a game for those that bring what is measured nearest to targets.

mod lattice;
mod objective;
mod process;
mod search;

pub use lattice::{Axis, Lattice, Point};
pub use objective::{Goal, Objective, Wanted, is_dominated};
pub use process::Noisy;
pub use search::{Believed, Measured, Search};
