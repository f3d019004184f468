//! Searches the numbers of a game for those that bring what is measured nearest to targets.

mod lattice;
mod objective;
mod process;
mod report;
mod search;
mod target;

pub use lattice::{Axis, Lattice, Point};
pub use objective::{Criterion, Objective, Wanted};
pub use report::{Candidate, Distance, Figure, SearchSummary, TunedSetting, TuningReport, VariedNumber};
pub use search::Search;
pub use target::{Measurable, Target};
