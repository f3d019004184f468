//! All tests that use houserule from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, reason = "tests may panic, and write files")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers in tests are small, and a wrong one fails the test"
)]

mod agents;
mod allocations;
mod blank;
mod cards;
mod ceiling;
mod chance;
mod checks;
mod clauses;
mod cli;
mod combinations;
mod completions;
mod counted;
mod counts;
mod diagram;
mod documents;
mod drawn;
mod engine;
mod entries;
mod examples;
mod explanations;
mod first_hour;
mod fmt;
mod formats;
mod fuzzed;
mod games;
mod hostile;
mod house;
mod kept;
mod lanes;
mod laws;
mod lines;
mod lsp;
mod lsp_help;
mod lsp_passes;
mod messages;
mod mutants;
mod names;
mod new;
mod nouns;
mod numbers;
mod packs;
mod pages;
mod phrases;
mod places;
mod play;
mod players;
mod print;
mod scale;
mod scenario_files;
mod schema;
mod script_text;
mod scripts;
mod secrets;
mod serve;
mod sheets;
mod shown;
mod sides;
mod signs;
mod slips;
mod small;
mod statistics;
mod stopping;
mod support;
mod suspend;
mod transcripts;
mod tune;
mod twin;
mod versions;
mod watch;
mod why;
mod writing;
