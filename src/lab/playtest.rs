//! Many games, and what they say. Everything is counted in whole numbers and folded in the order of the games, so that the
//! same seed gives the same result with any number of threads.

mod answers;
mod as_pairs;
pub mod cards;
pub mod compare;
mod csv;
mod distinct;
mod distributions;
mod dropped;
mod exact;
mod histogram;
mod hooks;
mod measure;
mod page;
mod parquet;
mod part;
mod reach;
mod report;
mod run;
pub mod saved;
mod series;
mod smoke;
mod stand;
mod stats;
pub mod table;
mod tally;
mod text;
pub mod tournament;
#[cfg(test)]
pub(crate) mod toy;

pub use csv::GamesCsv;
pub use distinct::Distinct;
pub use distributions::Distributions;
pub use dropped::{Alike, Dropped};
pub use exact::Exact;
pub use histogram::Histogram;
pub use hooks::{HookCount, Hooks};
pub use measure::{Notes, Played};
pub use page::{Called, compare_page, playtest_page};
pub use parquet::{GamesParquet, TableFault};
pub use part::Part;
pub use reach::unreachable;
pub use report::{AnswerCount, Report, Wrapped, report};
pub use run::{Begun, Listener, MakeScripts, Outcome, Plan, go_on_with, run};
pub use series::{SeriesReport, Steps, run_series, series_report};
pub use smoke::{Smoke, smoke};
pub use stand::first_game_after;
pub use stats::{Mean, Share, Sums, wilson};
pub use tally::Tally;
pub use text::text;
