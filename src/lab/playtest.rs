//! Plays many games and summarises them. All sums are integers or exact, and folded in a fixed order, so that the same seed gives the
//! same result with any number of threads.

mod answers;
mod as_pairs;
pub mod cards;
pub mod compare;
mod csv;
mod distinct;
mod distributions;
mod dropped;
mod exact;
mod first_game;
mod histogram;
mod hooks;
mod idle;
mod measure;
mod moments;
mod page;
mod parquet;
mod part;
mod reach;
mod report;
mod run;
pub mod saved;
mod series;
mod sides;
mod smoke;
mod stats;
pub mod table;
mod tally;
mod text;
pub mod tournament;
#[cfg(test)]
pub(crate) mod toy;

pub use csv::GamesCsv;
pub use distinct::DistinctSketch;
pub use distributions::Distributions;
pub use dropped::{DroppedGame, FaultGroup};
pub use exact::ExactSum;
pub use first_game::first_game_after;
pub use histogram::Histogram;
pub use hooks::{HookCount, Hooks};
pub use idle::{IdleGames, IdleRounds};
pub use measure::{PlayedGame, RecordOptions};
pub use moments::Moments;
pub use page::{PageNames, compare_page, playtest_page};
pub use parquet::{GamesParquet, TableFault};
pub use part::RunPart;
pub use reach::unreachable;
pub use report::{AnswerCount, PlainOrMean, Report, report};
pub use run::{Listener, MakeScripts, PartialRun, RunOutcome, RunPlan, resume, run};
pub use series::{OptionSteps, SeriesReport, run_series, series_report};
pub use smoke::{SmokeTest, smoke};
pub use stats::{IntegerSums, Mean, Share, wilson};
pub use tally::RunTally;
pub use text::text;
