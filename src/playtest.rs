//! Many games, and what they say. Everything is counted in whole numbers and folded in the order of the games, so that the
//! same seed gives the same result with any number of threads.

pub mod compare;
mod csv;
mod hooks;
mod measure;
mod reach;
mod report;
mod run;
mod series;
mod smoke;
mod stats;
pub mod table;
mod text;
#[cfg(test)]
mod toy;

pub use csv::GamesCsv;
pub use hooks::{HookCount, Hooks};
pub use measure::{Notes, Played, Tally};
pub use reach::unreachable;
pub use report::{Report, Wrapped, report};
pub use run::{Alike, Dropped, Listener, Outcome, Plan, run};
pub use series::{SeriesReport, Steps, run_series, series_report};
pub use smoke::{Smoke, smoke};
pub use stats::{Mean, Share, Sums, wilson};
pub use text::text;
