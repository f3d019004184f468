//! The same games with and without a change: what differs, and how sure that is.

mod inference;
mod ladder;
mod measures;
mod pairs;
mod report;

pub use inference::{ALPHA, Difference, Looks, Pairs, false_discoveries};
pub use ladder::{Claim, Ladder};
pub use measures::{Measure, measures};
pub use pairs::{Compared, FEWEST, Parting, Sides, Stop, compare};
pub use report::{Comparison, FirstParting, Row, comparison};
