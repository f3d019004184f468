//! Many games, and what they say. Everything is counted in whole numbers and folded in the order of the games, so that the
//! same seed gives the same result with any number of threads.

mod answers;
pub mod cards;
pub mod compare;
mod csv;
mod distributions;
mod histogram;
mod hooks;
mod measure;
mod page;
mod reach;
mod report;
mod run;
mod series;
mod smoke;
mod stand;
mod stats;
pub mod table;
mod text;
pub mod tournament;
#[cfg(test)]
pub(crate) mod toy;

pub use csv::GamesCsv;
pub use distributions::Distributions;
pub use histogram::Histogram;
pub use hooks::{HookCount, Hooks};
pub use measure::{Notes, Played, Tally};
pub use page::{Called, compare_page, playtest_page};
pub use reach::unreachable;
pub use report::{AnswerCount, Report, Wrapped, report};
pub use run::{Alike, Dropped, Listener, MakeScripts, Outcome, Plan, run};
pub use series::{SeriesReport, Steps, run_series, series_report};
pub use smoke::{Smoke, smoke};
pub use stand::first_game_after;
pub use stats::{Mean, Share, Sums, wilson};
pub use text::text;
