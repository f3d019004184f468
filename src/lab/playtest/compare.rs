//! The same games with and without a change: what differs, and how sure that is.

mod false_alarms;
mod inference;
mod ladder;
mod measures;
mod pairs;
mod report;

pub use false_alarms::{Alarm, FalseAlarms, false_alarms};
pub use inference::{ALPHA, Basis, Difference, FEWEST_SHOWN, Looks, Pairs, Scale, false_discoveries, for_chosen, two_sided};
pub use ladder::{Claim, Ladder};
pub use measures::{Measure, measures};
pub use pairs::{Compared, FEWEST, Parting, Sides, Stop, compare};
pub use report::{Comparison, FirstParting, Row, comparison};
